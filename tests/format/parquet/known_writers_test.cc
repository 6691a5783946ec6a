#include "format/parquet/known_writers.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using parquet::ParseCreatedBy;
using parquet::QuirksOf;
using parquet::WriterQuirks;

TEST(KnownWriters, ParsesCreatedByLeniently) {
  const auto writer = ParseCreatedBy("parquet-mr version 1.10.1 (build a89df8f)");
  EXPECT_EQ(writer.application, "parquet-mr");
  ASSERT_TRUE(writer.version.has_value());
  EXPECT_EQ(writer.version->major, 1);
  EXPECT_EQ(writer.version->minor, 10);
  EXPECT_EQ(writer.version->patch, 1);
  EXPECT_FALSE(writer.version->is_prerelease);
  EXPECT_TRUE(ParseCreatedBy("parquet-mr version 1.8.0-SNAPSHOT").version->is_prerelease);
  EXPECT_EQ(ParseCreatedBy("Parquet.jl 0.8.3").version->minor, 8);
  EXPECT_EQ(ParseCreatedBy("impala version 1.3.0-INTERNAL (build x)").application, "impala");
  for (const char* without :
       {"", "parquet-mr", "parquet-cpp version(..151-SNAPSHOT", "Parquet.Net version LocalDev",
        "UrbanLogiq", "parquet-mr version 99999999999.1", "parquet-mr version -1.2"}) {
    EXPECT_FALSE(ParseCreatedBy(without).version.has_value()) << without;
  }
}

TEST(KnownWriters, OldBinaryStatisticsAreDistrusted) {  // fault S19
  EXPECT_TRUE(QuirksOf("parquet-mr version 1.6.0").wrong_binary_statistics);
  EXPECT_TRUE(QuirksOf("parquet-mr version 1.6.0 (build abc)").wrong_binary_statistics);
  EXPECT_TRUE(QuirksOf("parquet-mr").wrong_binary_statistics);
  EXPECT_TRUE(QuirksOf("parquet-mr version 1.8.0rc2").wrong_binary_statistics);
  EXPECT_TRUE(QuirksOf("").wrong_binary_statistics);
  EXPECT_FALSE(QuirksOf("parquet-mr version 1.8.0 (build 0fda28a)").wrong_binary_statistics);
  EXPECT_FALSE(QuirksOf("parquet-mr version 1.10.0").wrong_binary_statistics);
  EXPECT_FALSE(QuirksOf("impala version 1.2").wrong_binary_statistics);
  EXPECT_FALSE(QuirksOf("Polars").wrong_binary_statistics);
}

TEST(KnownWriters, EachFaultHasItsRange) {
  EXPECT_EQ(QuirksOf("parquet-mr version 1.2.8").missing_chunk_bytes, 100);  // fault F7
  EXPECT_EQ(QuirksOf("parquet-mr version 1.2.9").missing_chunk_bytes, 0);
  EXPECT_TRUE(QuirksOf("parquet-mr version 1.7.0").delta_byte_array_carries_over);  // fault E9
  EXPECT_FALSE(QuirksOf("parquet-mr version 1.8.1").delta_byte_array_carries_over);
  EXPECT_TRUE(QuirksOf("Parquet.jl 0.8.3").wrong_checksums);  // ODDITIES 10
  EXPECT_TRUE(QuirksOf("parquet-cpp-arrow version 11.0.0").wrong_dictionary_bounds);
  EXPECT_EQ(QuirksOf("parquet-cpp-arrow version 12.0.0"), WriterQuirks());
  EXPECT_TRUE(QuirksOf("parquet-cpp version 1.5.1-SNAPSHOT").wrong_dictionary_bounds);
  EXPECT_FALSE(QuirksOf("parquet-cpp version 1.4.1-SNAPSHOT").wrong_dictionary_bounds);
  EXPECT_TRUE(QuirksOf("parquet-cpp version(..151-SNAPSHOT").wrong_dictionary_bounds);
  EXPECT_TRUE(QuirksOf("parquet-rs version 5.1.0").wrong_byte_array_bounds);
  EXPECT_FALSE(QuirksOf("parquet-rs version 5.2.0").wrong_byte_array_bounds);
  EXPECT_TRUE(QuirksOf("parquet-rs version 55.1.0").wrong_byte_array_decimal_bounds);
  EXPECT_TRUE(QuirksOf("Polars").overstated_null_counts);
  EXPECT_TRUE(QuirksOf("Polars").wrong_decimal_bounds);
  EXPECT_TRUE(QuirksOf("Arrow2 - Native Rust implementation of Arrow").wrong_bounds);
  EXPECT_TRUE(QuirksOf("parquet-go version 18.4.1").wrong_bloom_filters);
  EXPECT_FALSE(QuirksOf("parquet-go version 18.5.0").wrong_bloom_filters);
  EXPECT_EQ(QuirksOf("DuckDB"), WriterQuirks());
}

}  // namespace
}  // namespace sluice
