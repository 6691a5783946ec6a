#include "format/parquet/encoding/boolean.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/format/parquet/encoding/hybrid_runs.h"
#include "tests/format/parquet/encoding/page_bytes.h"

namespace sluice {
namespace {

using namespace parquet;           // NOLINT
using namespace parquet::testing;  // NOLINT

PageCase BooleanPage(Encoding encoding, const std::vector<uint64_t>& values) {
  PageCase page;
  page.encoding = encoding;
  page.type = PhysicalType::kBoolean;
  for (const uint64_t value : values) page.values.push_back(std::string(1, value ? '\1' : '\0'));
  return page;
}

TEST(PlainBoolean, EveryMixture) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> values(10000);
  for (uint64_t& value : values) value = random() & 1;
  PageCase page = BooleanPage(Encoding::kPlain, values);
  AppendPacked(page.bytes, values, 1);
  ExpectEveryMixture(page);
}

TEST(PlainBoolean, LeastSignificantBitFirst) {
  // fault E14: 1 0 1 1 0 0 1 0, and a page one bit short.
  PageCase page = BooleanPage(Encoding::kPlain, {1, 0, 1, 1, 0, 0, 1, 0});
  page.bytes = {0x4d};
  ExpectEveryMixture(page);
  page.values.push_back(std::string(1, '\0'));
  EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption);
}

TEST(RleBoolean, LengthPrefixAndRuns) {
  // fault E10: true false true, one bit-packed group behind its length.
  PageCase page = BooleanPage(Encoding::kRle, {1, 0, 1});
  page.bytes = {2, 0, 0, 0, 0x03, 0x05};
  ExpectEveryMixture(page);
}

TEST(RleBoolean, EveryMixture) {
  std::mt19937_64 random(2);
  const HybridCase made = RandomHybrid(random, 1, 10000);
  PageCase page = BooleanPage(Encoding::kRle, made.values);
  AppendInteger(page.bytes, made.bytes.size(), 4);
  Append(page.bytes, made.bytes);
  ExpectEveryMixture(page);
}

TEST(RleBoolean, LengthIsHostile) {
  PageCase page = BooleanPage(Encoding::kRle, {1, 0, 1});
  page.bytes = {3, 0, 0, 0, 0x03, 0x05};  // Longer than the page.
  EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption);
  page.bytes = {1, 0, 0, 0, 0x03, 0x05};  // Shorter than the run: it may not read on.
  EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption);
  page.bytes = {0xff, 0xff, 0xff, 0xff, 0x03, 0x05};
  EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption);
}

TEST(RleBoolean, EmptyRunsAndTruncations) {
  PageCase page = BooleanPage(Encoding::kRle, {1, 1, 1, 1});
  page.bytes = {3, 0, 0, 0, 0x00, 0x08, 0x01};  // fault P4
  ExpectEveryMixture(page);
  ExpectTruncationsAreSafe(page);
}

TEST(RleBoolean, PageOfNoValuesMayBeEmpty) {
  PageCase page = BooleanPage(Encoding::kRle, {});
  EXPECT_TRUE(ReadError(page).ok());
  page.bytes = {0, 0, 0, 0};
  EXPECT_TRUE(ReadError(page).ok());
}

}  // namespace
}  // namespace sluice
