#include <gtest/gtest.h>

#include <random>

#include "tests/format/parquet/encoding/page_bytes.h"

namespace sluice {
namespace {

using namespace parquet;           // NOLINT
using namespace parquet::testing;  // NOLINT

PageCase FixedPage(PhysicalType type, int32_t type_length, int64_t count) {
  std::mt19937_64 random(7);
  PageCase page;
  page.type = type;
  page.type_length = type_length;
  for (int64_t i = 0; i < count; ++i) {
    std::string value;
    for (int32_t k = 0; k < PhysicalWidth(type, type_length); ++k) {
      value.push_back(static_cast<char>(random()));
    }
    Append(page.bytes, Bytes(value.begin(), value.end()));
    page.values.push_back(value);
  }
  return page;
}

PageCase ByteArrayPage(int64_t count, size_t longest) {
  std::mt19937_64 random(8);
  PageCase page;
  page.type = PhysicalType::kByteArray;
  for (int64_t i = 0; i < count; ++i) {
    std::string value;
    for (size_t length = random() % (longest + 1); value.size() < length;) {
      value.push_back(static_cast<char>(random()));
    }
    AppendInteger(page.bytes, value.size(), 4);
    Append(page.bytes, Bytes(value.begin(), value.end()));
    page.values.push_back(value);
  }
  return page;
}

TEST(PlainFixed, EveryWidthInEveryMixture) {
  ExpectEveryMixture(FixedPage(PhysicalType::kInt32, 0, 2500));
  ExpectEveryMixture(FixedPage(PhysicalType::kDouble, 0, 2500));
  ExpectEveryMixture(FixedPage(PhysicalType::kInt96, 0, 500));
  for (const int32_t width : {0, 1, 2, 3, 5, 16, 17, 40}) {
    ExpectEveryMixture(FixedPage(PhysicalType::kFixedLenByteArray, width, 300));
  }
}

TEST(PlainFixed, PageThatIsTooShortIsRefusedWhenOpened) {
  PageCase page = FixedPage(PhysicalType::kInt64, 0, 3);
  page.bytes.pop_back();
  PageBody body = BodyOf(page.bytes);
  ValueTaker taker(page, &body);
  EXPECT_EQ(taker.Open().code(), StatusCode::kCorruption);
}

TEST(PlainFixed, OnlyWhatIsTakenIsDecompressed) {
  const PageCase page = FixedPage(PhysicalType::kInt32, 0, 1000);
  PageBody body = DrippingBodyOf(page.bytes, 1);
  ValueTaker taker(page, &body);
  ASSERT_TRUE(taker.Open().ok());
  std::vector<uint64_t> selection(16, 0);
  SetBit(selection.data(), 99);
  std::vector<std::string> got;
  ASSERT_TRUE(taker.Select(1000, selection, &got).ok());
  EXPECT_EQ(got, std::vector<std::string>{page.values[99]});
  EXPECT_EQ(body.available(), 400);
}

TEST(PlainByteArray, EveryMixture) {
  ExpectEveryMixture(ByteArrayPage(2000, 30));
  ExpectEveryMixture(ByteArrayPage(500, 3));
  ExpectEveryMixture(ByteArrayPage(30, 5000));
}

TEST(PlainByteArray, Truncations) { ExpectTruncationsAreSafe(ByteArrayPage(12, 20)); }

TEST(PlainByteArray, LengthsAreCheckedAgainstThePage) {
  PageCase page;
  page.type = PhysicalType::kByteArray;
  page.values = {"a", "b"};
  page.bytes = {1, 0, 0, 0, 'a', 0xff, 0xff, 0xff, 0xff, 'b'};  // Lengths 1 and -1.
  const Status negative = ReadError(page);
  EXPECT_EQ(negative.code(), StatusCode::kCorruption);
  EXPECT_NE(negative.message().find("byte 5: "), std::string::npos) << negative.message();

  page.bytes = {1, 0, 0, 0, 'a', 2, 0, 0, 0, 'b'};  // One byte short.
  EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption);
}

TEST(PlainByteArray, OnlyWhatIsTakenAndAStepMoreIsDecompressed) {
  const PageCase page = ByteArrayPage(5000, 30);
  PageBody body = DrippingBodyOf(page.bytes, 1);
  ValueTaker taker(page, &body);
  ASSERT_TRUE(taker.Open().ok());
  std::vector<uint64_t> selection(80, 0);
  SetBit(selection.data(), 10);
  std::vector<std::string> got;
  ASSERT_TRUE(taker.Select(5000, selection, &got).ok());
  EXPECT_EQ(got, std::vector<std::string>{page.values[10]});
  EXPECT_LE(body.available(), 4096 + 11 * 34);
}

TEST(PlainByteArray, ViewsReachBehind2GiBOfTheirBuffer) {
  const PageCase page = ByteArrayPage(3, 40);
  // Nothing of the buffer in front of the page is touched.
  const int64_t offset = int64_t{1} << 32;
  const PageBody whole = BodyOf(page.bytes);
  const uint8_t* const start = reinterpret_cast<const uint8_t*>(
      reinterpret_cast<uintptr_t>(whole.data()) - static_cast<uintptr_t>(offset));
  PageBody body(WrapBytes(start, offset + whole.size(), whole.buffer()), offset, whole.size());
  ValueTaker taker(page, &body);
  ASSERT_TRUE(taker.Open().ok());
  std::vector<std::string> got;
  ASSERT_TRUE(taker.Read(3, &got).ok());
  EXPECT_EQ(got, page.values);
}

TEST(ValueDecoder, EncodingsThatATypeLacksAreRefusedByName) {
  PageBody body = BodyOf({0, 0, 0, 0});
  auto decoder = MakeValueDecoder(Encoding::kRle, PhysicalType::kInt32, 0, 1, &body, nullptr);
  ASSERT_FALSE(decoder.has_value());
  EXPECT_EQ(decoder.error().code(), StatusCode::kUnsupported);
  EXPECT_NE(decoder.error().message().find("RLE of INT32"), std::string::npos);

  auto unknown =
      MakeValueDecoder(static_cast<Encoding>(99), PhysicalType::kInt32, 0, 1, &body, nullptr);
  EXPECT_EQ(unknown.error().code(), StatusCode::kUnsupported);
  EXPECT_NE(unknown.error().message().find("99"), std::string::npos);

  auto dictionary =
      MakeValueDecoder(Encoding::kRleDictionary, PhysicalType::kInt32, 0, 1, &body, nullptr);
  EXPECT_EQ(dictionary.error().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace sluice
