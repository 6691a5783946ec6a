#include <gtest/gtest.h>

#include <random>

#include "tests/format/parquet/encoding/page_bytes.h"

namespace sluice {
namespace {

using namespace parquet;           // NOLINT
using namespace parquet::testing;  // NOLINT

PageCase SplitPage(PhysicalType type, int32_t type_length, size_t count) {
  std::mt19937_64 random(9);
  PageCase page;
  page.encoding = Encoding::kByteStreamSplit;
  page.type = type;
  page.type_length = type_length;
  const size_t width = static_cast<size_t>(PhysicalWidth(type, type_length));
  for (size_t i = 0; i < count; ++i) {
    std::string value(width, '\0');
    for (char& byte : value) byte = static_cast<char>(random());
    page.values.push_back(value);
  }
  for (size_t k = 0; k < width; ++k) {
    for (const std::string& value : page.values) {
      page.bytes.push_back(static_cast<uint8_t>(value[k]));
    }
  }
  return page;
}

TEST(ByteStreamSplit, SpecificationExample) {
  PageCase page;
  page.encoding = Encoding::kByteStreamSplit;
  page.type = PhysicalType::kFloat;
  page.bytes = {0xaa, 0x00, 0xa3, 0xbb, 0x11, 0xb4, 0xcc, 0x22, 0xc5, 0xdd, 0x33, 0xd6};
  page.values = {"\xaa\xbb\xcc\xdd", std::string("\x00\x11\x22\x33", 4), "\xa3\xb4\xc5\xd6"};
  ExpectEveryMixture(page);
}

TEST(ByteStreamSplit, EveryTypeAndWidthInEveryMixture) {
  ExpectEveryMixture(SplitPage(PhysicalType::kFloat, 0, 2500));
  ExpectEveryMixture(SplitPage(PhysicalType::kDouble, 0, 2500));
  ExpectEveryMixture(SplitPage(PhysicalType::kInt32, 0, 500));
  ExpectEveryMixture(SplitPage(PhysicalType::kInt64, 0, 500));
  for (const int32_t width : {1, 2, 3, 5, 7, 11, 12, 16, 17, 31}) {
    ExpectEveryMixture(SplitPage(PhysicalType::kFixedLenByteArray, width, 1100));
  }
}

TEST(ByteStreamSplit, StrideIsTheValuesThatArePresent) {
  // fault E5: 1.5, null, 2.5, null, 3.5 has three values of which the streams are made.
  PageCase page;
  page.encoding = Encoding::kByteStreamSplit;
  page.type = PhysicalType::kFloat;
  page.bytes = {0, 0, 0, 0, 0, 0, 0xc0, 0x20, 0x60, 0x3f, 0x40, 0x40};
  page.values = {Stored(0x3fc00000, 4), Stored(0x40200000, 4), Stored(0x40600000, 4)};
  ExpectEveryMixture(page);
  // Five values do not fit them, nor do two.
  page.values.resize(5, page.values[0]);
  EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption);
  page.values.resize(2);
  EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption);
}

TEST(ByteStreamSplit, Truncations) {
  ExpectTruncationsAreSafe(SplitPage(PhysicalType::kDouble, 0, 5));
}

}  // namespace
}  // namespace sluice
