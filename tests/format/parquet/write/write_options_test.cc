#include "format/parquet/write/write_options.h"

#include <gtest/gtest.h>

#include <string>

#include "format/parquet/write/page_encoder.h"

namespace sluice {
namespace {

using parquet::Codec;
using parquet::ColumnWriteOptions;
using parquet::DataPageVersion;
using parquet::Encoding;
using parquet::WriterOptions;
using parquet::WriteSchema;

const Schema kSchema{
    {{"n", DataType::Of(TypeId::kInt64), true, {}},
     {"b", DataType::Of(TypeId::kBoolean), true, {}},
     {"l", DataType::List({"element", DataType::Of(TypeId::kString), true, {}}), true, {}}}};

Result<std::vector<ColumnWriteOptions>> Resolve(const WriterOptions& options) {
  return ResolveColumnOptions(*WriteSchema::Make(kSchema), options);
}

TEST(WriteOptions, OverridesNameLeaves) {
  WriterOptions options;
  options.columns.codec = Codec::kSnappy;
  options.overrides[{"l", "list", "element"}].codec = Codec::kGzip;
  const Result<std::vector<ColumnWriteOptions>> columns = Resolve(options);
  ASSERT_TRUE(columns.has_value()) << columns.status().ToString();
  EXPECT_EQ((*columns)[0].codec, Codec::kSnappy);
  EXPECT_EQ((*columns)[2].codec, Codec::kGzip);
  options.overrides[{"l"}].codec = Codec::kGzip;
  EXPECT_EQ(Resolve(options).status().message(), "option overrides names no leaf: 'l'");
}

TEST(WriteOptions, EncodingsThatTheTypeDoesNotAllow) {
  WriterOptions options;
  options.overrides[{"n"}].encoding = Encoding::kDeltaByteArray;
  EXPECT_EQ(Resolve(options).status().message(),
            "column 'n': encoding DELTA_BYTE_ARRAY cannot be written for INT64");
  options.overrides.clear();
  options.overrides[{"b"}].encoding = Encoding::kRleDictionary;
  EXPECT_EQ(Resolve(options).status().code(), StatusCode::kInvalidArgument);
  options.overrides.clear();
  options.overrides[{"n"}].encoding = Encoding::kPlainDictionary;
  EXPECT_EQ(Resolve(options).status().code(), StatusCode::kInvalidArgument);
  options.page_version = DataPageVersion::kV1;
  EXPECT_TRUE(Resolve(options).has_value());
}

TEST(WriteOptions, CodecsAndLevels) {
  for (const Codec codec : {Codec::kLzo, Codec::kLz4}) {
    WriterOptions options;
    options.columns.codec = codec;
    EXPECT_EQ(Resolve(options).status().code(), StatusCode::kUnsupported);
  }
  WriterOptions options;
  options.columns.codec = Codec::kGzip;
  options.columns.level = 99;
  EXPECT_EQ(Resolve(options).status().code(), StatusCode::kInvalidArgument);
}

TEST(WriteOptions, Ranges) {
  const auto code = [](auto change) {
    WriterOptions options;
    change(options);
    return Resolve(options).status().code();
  };
  constexpr StatusCode kBad = StatusCode::kInvalidArgument;
  EXPECT_EQ(code([](WriterOptions& o) { o.page_bytes = 0; }), kBad);
  EXPECT_EQ(code([](WriterOptions& o) { o.page_bytes = int64_t{1} << 31; }), kBad);
  EXPECT_EQ(code([](WriterOptions& o) { o.page_rows = 0; }), kBad);
  EXPECT_EQ(code([](WriterOptions& o) { o.row_group_rows = 0; }), kBad);
  EXPECT_EQ(code([](WriterOptions& o) { o.row_group_bytes = -1; }), kBad);
  EXPECT_EQ(code([](WriterOptions& o) { o.sorting_columns = {{3, false, false}}; }), kBad);
  EXPECT_EQ(code([](WriterOptions& o) { o.columns.max_bound_bytes = 0; }), kBad);
  EXPECT_EQ(code([](WriterOptions& o) {
              o.columns.bloom_filter = true;
              o.columns.bloom_false_positive_rate = 1;
            }),
            kBad);
  EXPECT_EQ(code([](WriterOptions&) {}), StatusCode::kOk);
}

TEST(PageEncoder, RefusesPagesBeyondTheFormat) {  // fault B6
  const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  for (const DataPageVersion version : {DataPageVersion::kV1, DataPageVersion::kV2}) {
    const parquet::PageEncoder encoder(version, {}, true, pool.get());
    parquet::PageContent content;
    content.num_levels = int64_t{1} << 31;
    EXPECT_EQ(encoder.DataPage(content).status().code(), StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace sluice
