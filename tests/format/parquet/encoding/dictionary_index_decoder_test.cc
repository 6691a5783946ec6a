#include "format/parquet/encoding/dictionary_index_decoder.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/format/parquet/encoding/hybrid_runs.h"
#include "tests/format/parquet/encoding/page_bytes.h"

namespace sluice {
namespace {

using namespace parquet;           // NOLINT
using namespace parquet::testing;  // NOLINT

struct Outcome {
  Status status;
  std::vector<int32_t> codes;
};

Outcome ReadAll(const Bytes& bytes, int64_t num_values, int32_t dictionary_size) {
  PageBody body = BodyOf(bytes);
  Outcome outcome;
  auto decoder = DictionaryIndexDecoder::Open(&body, num_values, dictionary_size);
  if (!decoder.has_value()) {
    outcome.status = decoder.error();
    return outcome;
  }
  outcome.codes.resize(static_cast<size_t>(num_values) + 16);
  outcome.status = decoder->Read(num_values, outcome.codes.data());
  outcome.codes.resize(static_cast<size_t>(num_values));
  return outcome;
}

TEST(DictionaryIndexDecoder, OneEntryNeedsNoBits) {
  // fault E11: width 0, a run of 44, no payload.
  const Outcome outcome = ReadAll({0x00, 0x58}, 44, 1);
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.ToString();
  EXPECT_EQ(outcome.codes, std::vector<int32_t>(44, 0));
}

TEST(DictionaryIndexDecoder, EmptyDictionary) {
  // fault E13: no value, with and without bytes, is fine; a value is not.
  EXPECT_TRUE(ReadAll({}, 0, 0).status.ok());
  EXPECT_TRUE(ReadAll({0x00}, 0, 0).status.ok());
  EXPECT_EQ(ReadAll({0x00, 0x02}, 1, 0).status.code(), StatusCode::kCorruption);
}

TEST(DictionaryIndexDecoder, IndicesBeyondTheDictionaryAreCorruption) {
  EXPECT_TRUE(ReadAll({0x02, 0x02, 0x02}, 1, 3).status.ok());
  const Status beyond = ReadAll({0x02, 0x02, 0x03}, 1, 3).status;
  EXPECT_EQ(beyond.code(), StatusCode::kCorruption);
  EXPECT_NE(beyond.message().find("3 of 3"), std::string::npos) << beyond.message();
  // With 32 bits, an index that is negative as int32.
  EXPECT_EQ(ReadAll({0x20, 0x02, 0xff, 0xff, 0xff, 0xff}, 1, 3).status.code(),
            StatusCode::kCorruption);
}

TEST(DictionaryIndexDecoder, MissingOrBadWidthIsCorruption) {
  EXPECT_EQ(ReadAll({}, 1, 3).status.code(), StatusCode::kCorruption);
  EXPECT_EQ(ReadAll({0x21, 0x02, 0x00}, 1, 3).status.code(), StatusCode::kCorruption);
  EXPECT_EQ(ReadAll({0x3f, 0x02, 0x00}, 1, 3).status.code(), StatusCode::kCorruption);
}

TEST(DictionaryIndexDecoder, SelectChecksWhatItGives) {
  Bytes bytes = {3};
  AppendPackedRun(bytes, {0, 7, 1, 2, 3, 4, 0, 1}, 3);
  PageBody body = BodyOf(bytes);
  DictionaryIndexDecoder decoder = DictionaryIndexDecoder::Open(&body, 8, 5).value();
  int32_t codes[32];
  const uint64_t without = 0xfd;
  ASSERT_TRUE(decoder.Select(8, &without, codes).ok());
  EXPECT_EQ(codes[1], 1);
  EXPECT_EQ(codes[6], 1);
  decoder = DictionaryIndexDecoder::Open(&body, 8, 5).value();
  const uint64_t with = 0x02;
  EXPECT_EQ(decoder.Select(8, &with, codes).code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace sluice
