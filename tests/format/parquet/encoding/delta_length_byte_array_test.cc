#include <gtest/gtest.h>

#include <random>

#include "tests/format/parquet/encoding/delta_bytes.h"
#include "tests/format/parquet/encoding/page_bytes.h"

namespace sluice {
namespace {

using namespace parquet;           // NOLINT
using namespace parquet::testing;  // NOLINT

PageCase DeltaLengthPage(const std::vector<std::string>& values, const DeltaLayout& layout = {}) {
  PageCase page;
  page.encoding = Encoding::kDeltaLengthByteArray;
  page.type = PhysicalType::kByteArray;
  page.values = values;
  AppendDeltaLength(page.bytes, values, layout);
  return page;
}

std::vector<std::string> RandomStrings(std::mt19937_64& random, size_t count, size_t longest) {
  std::vector<std::string> values(count);
  for (std::string& value : values) {
    value.resize(random() % (longest + 1));
    for (char& byte : value) byte = static_cast<char>(random());
  }
  return values;
}

TEST(DeltaLengthByteArray, SpecificationExample) {
  PageCase page;
  page.encoding = Encoding::kDeltaLengthByteArray;
  page.type = PhysicalType::kByteArray;
  page.values = {"Hello", "World", "Foobar", "ABCDEF"};
  // 128 values in 4 miniblocks, 4 lengths from 5; deltas 0 1 0, least 0, 1 bit: 010.
  page.bytes = {0x80, 0x01, 0x04, 0x04, 0x0a, 0x00, 0x01, 0x00, 0x00, 0x00, 0x02, 0, 0, 0};
  const std::string text = "HelloWorldFoobarABCDEF";
  page.bytes.insert(page.bytes.end(), text.begin(), text.end());
  ExpectEveryMixture(page);
  ExpectTruncationsAreSafe(page);
}

TEST(DeltaLengthByteArray, EveryMixture) {
  std::mt19937_64 random(1);
  ExpectEveryMixture(DeltaLengthPage(RandomStrings(random, 2500, 30)));
  ExpectEveryMixture(DeltaLengthPage(RandomStrings(random, 500, 4)));
  ExpectEveryMixture(DeltaLengthPage(RandomStrings(random, 20, 5000)));
  ExpectEveryMixture(DeltaLengthPage({}));
  DeltaLayout garbage;
  garbage.unused_width = 200;
  garbage.padding = ~uint64_t{0};
  ExpectEveryMixture(DeltaLengthPage(RandomStrings(random, 35, 100), garbage));
}

TEST(DeltaLengthByteArray, SkipOfATruncatedBodyFailsAsReadDoes) {
  // fault E8: three strings, the last three bytes missing.
  PageCase page = DeltaLengthPage({"first", "second", "third"});
  page.bytes.resize(page.bytes.size() - 3);
  const Status read = ReadError(page);
  EXPECT_EQ(read.code(), StatusCode::kCorruption);
  PageBody body = BodyOf(page.bytes);
  ValueTaker taker(page, &body);
  ASSERT_TRUE(taker.Open().ok());
  EXPECT_EQ(taker.Skip(3).message(), read.message());
}

TEST(DeltaLengthByteArray, NegativeLengthsAreCorruption) {
  PageCase page;
  page.encoding = Encoding::kDeltaLengthByteArray;
  page.type = PhysicalType::kByteArray;
  page.values = {"a", "b"};
  AppendDelta(page.bytes, {3, -2}, 32);  // Together they would fit.
  Append(page.bytes, {'x'});
  EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption);
  page.bytes.clear();
  AppendDelta(page.bytes, {INT32_MAX, INT32_MAX}, 32);
  EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption);
}

TEST(DeltaLengthByteArray, BodyIsDecompressedUpToTheLastSelected) {
  std::mt19937_64 random(2);
  const PageCase page = DeltaLengthPage(std::vector<std::string>(100, std::string(50, 'x')));
  PageBody body = DrippingBodyOf(page.bytes, 1);
  ValueTaker taker(page, &body);
  ASSERT_TRUE(taker.Open().ok());
  std::vector<std::string> got;
  ASSERT_TRUE(taker.Select(100, {uint64_t{1} << 9, 0}, &got).ok());
  EXPECT_EQ(got, std::vector<std::string>{page.values[9]});
  EXPECT_EQ(body.size() - body.available(), 90 * 50);
}

}  // namespace
}  // namespace sluice
