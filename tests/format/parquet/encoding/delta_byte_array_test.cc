#include "format/parquet/encoding/delta_byte_array.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/format/parquet/encoding/delta_bytes.h"
#include "tests/format/parquet/encoding/page_bytes.h"

namespace sluice {
namespace {

using namespace parquet;           // NOLINT
using namespace parquet::testing;  // NOLINT

PageCase DeltaByteArrayPage(const std::vector<std::string>& values, int32_t type_length = 0) {
  PageCase page;
  page.encoding = Encoding::kDeltaByteArray;
  page.type = type_length > 0 ? PhysicalType::kFixedLenByteArray : PhysicalType::kByteArray;
  page.type_length = type_length;
  page.values = values;
  AppendDeltaByteArray(page.bytes, values);
  return page;
}

/// Sorted or not, with long common fronts.
std::vector<std::string> RandomStrings(std::mt19937_64& random, size_t count, size_t longest) {
  std::vector<std::string> values;
  std::string value;
  for (size_t i = 0; i < count; ++i) {
    value.resize(std::min(value.size(), static_cast<size_t>(random() % (longest + 1))));
    const size_t length = random() % (longest + 1);
    while (value.size() < length) value.push_back(static_cast<char>('a' + random() % 3));
    values.push_back(value);
  }
  return values;
}

TEST(DeltaByteArray, SpecificationExample) {
  PageCase page;
  page.encoding = Encoding::kDeltaByteArray;
  page.type = PhysicalType::kByteArray;
  page.values = {"axis", "axle", "babble", "babyhood"};
  // Prefixes 0 2 0 3 and suffixes 4 2 6 5, each 4 values in one miniblock.
  AppendDelta(page.bytes, {0, 2, 0, 3}, 32);
  AppendDelta(page.bytes, {4, 2, 6, 5}, 32);
  const std::string text = "axislebabbleyhood";
  page.bytes.insert(page.bytes.end(), text.begin(), text.end());
  ExpectEveryMixture(page);
  ExpectTruncationsAreSafe(page);
}

TEST(DeltaByteArray, SkipKeepsThePreviousValue) {
  // fault E6.
  const PageCase page = DeltaByteArrayPage({"aaaa", "aaab", "aaac", "aaad"});
  PageBody body = BodyOf(page.bytes);
  ValueTaker taker(page, &body);
  ASSERT_TRUE(taker.Open().ok());
  std::vector<std::string> got;
  ASSERT_TRUE(taker.Skip(2).ok());
  ASSERT_TRUE(taker.Read(1, &got).ok());
  EXPECT_EQ(got, std::vector<std::string>{"aaac"});
}

TEST(DeltaByteArray, EveryMixture) {
  std::mt19937_64 random(1);
  ExpectEveryMixture(DeltaByteArrayPage(RandomStrings(random, 2500, 40)));
  ExpectEveryMixture(DeltaByteArrayPage(RandomStrings(random, 1500, 12)));
  ExpectEveryMixture(DeltaByteArrayPage(RandomStrings(random, 1500, 14)));
  ExpectEveryMixture(DeltaByteArrayPage(RandomStrings(random, 30, 3000)));
  ExpectEveryMixture(DeltaByteArrayPage({}));
}

TEST(DeltaByteArray, FixedLengths) {
  std::mt19937_64 random(2);
  for (const int32_t width : {1, 3, 12, 16, 17, 70}) {
    std::vector<std::string> values = RandomStrings(random, 1500, static_cast<size_t>(width));
    for (std::string& value : values) value.resize(static_cast<size_t>(width), 'z');
    ExpectEveryMixture(DeltaByteArrayPage(values, width));
  }
}

TEST(DeltaByteArray, OtherLengthsInAFixedColumnAreCorruption) {
  PageCase page = DeltaByteArrayPage({"abcd", "abc", "abcd"}, 4);
  EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption);
}

TEST(DeltaByteArray, PrefixBeyondThePreviousValueIsCorruption) {
  // fault E9: a first prefix of 3 without a value before it.
  PageCase page;
  page.encoding = Encoding::kDeltaByteArray;
  page.type = PhysicalType::kByteArray;
  page.values = {"abcd"};
  AppendDeltaByteArray(page.bytes, page.values, "abcx");
  const Status status = ReadError(page);
  EXPECT_EQ(status.code(), StatusCode::kCorruption);
  EXPECT_NE(status.message().find("3 of 0"), std::string::npos) << status.message();
  // Negative ones.
  page.values = {"ab", "cd"};
  page.bytes.clear();
  AppendDelta(page.bytes, {0, -1}, 32);
  AppendDelta(page.bytes, {2, 3}, 32);
  Append(page.bytes, Bytes(5, 'x'));
  EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption);
  page.bytes.clear();
  AppendDelta(page.bytes, {0, 2}, 32);
  AppendDelta(page.bytes, {2, -1}, 32);
  Append(page.bytes, Bytes(5, 'x'));
  EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption);
}

TEST(DeltaByteArray, PreviousValueIsCarriedOverPagesOnRequest) {
  // fault E9, for the writers that are known for it; whether the first page is read or skipped.
  const std::vector<std::string> first = {"hello world, first", "hello world, second"};
  const std::vector<std::string> second = {"hello world, third", "hello"};
  Bytes first_bytes;
  AppendDeltaByteArray(first_bytes, first);
  Bytes second_bytes;
  AppendDeltaByteArray(second_bytes, second, first.back());
  const auto pool = BufferPool::Make();
  for (const bool skip : {false, true}) {
    std::string carried;
    StringView views[8];
    PageBody body = BodyOf(first_bytes);
    auto decoder = MakeValueDecoder(Encoding::kDeltaByteArray, PhysicalType::kByteArray, 0, 2,
                                    &body, pool.get(), &carried)
                       .value();
    ByteArrayOutput first_out(views, pool.get());
    ASSERT_TRUE((skip ? decoder->Skip(2) : decoder->ReadViews(2, first_out)).ok());
    EXPECT_EQ(carried, first.back());

    PageBody next = BodyOf(second_bytes);
    decoder = MakeValueDecoder(Encoding::kDeltaByteArray, PhysicalType::kByteArray, 0, 2, &next,
                               pool.get(), &carried)
                  .value();
    ByteArrayOutput out(views, pool.get());
    ASSERT_TRUE(decoder->ReadViews(2, out).ok());
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(out.buffers().at(0)->data()) +
                              views[0].outside.offset,
                          static_cast<size_t>(views[0].length)),
              second[0]);
    EXPECT_EQ(std::string(views[1].inlined, 5), second[1]);
    EXPECT_EQ(carried, second.back());
  }
}

TEST(DeltaByteArray, BlowUpIsStoppedByTheBudget) {
  // A value of 1 MB, then 5000 that repeat all of it: 5 GB out of a page of 1 MB.
  std::vector<int64_t> prefixes(5001, 1000000);
  prefixes[0] = 0;
  std::vector<int64_t> suffixes(5001, 0);
  suffixes[0] = 1000000;
  Bytes bytes;
  AppendDelta(bytes, prefixes, 32);
  AppendDelta(bytes, suffixes, 32);
  bytes.insert(bytes.end(), 1000000, 'x');
  PageBody body = BodyOf(bytes);
  const auto pool = BufferPool::Make(100 << 20);
  auto decoder = MakeValueDecoder(Encoding::kDeltaByteArray, PhysicalType::kByteArray, 0, 5001,
                                  &body, pool.get())
                     .value();
  std::vector<StringView> views(5005);
  ByteArrayOutput out(views.data(), pool.get());
  EXPECT_EQ(decoder->ReadViews(5001, out).code(), StatusCode::kResourceExhausted);
  // Stepping over them needs room for one.
  decoder = MakeValueDecoder(Encoding::kDeltaByteArray, PhysicalType::kByteArray, 0, 5001, &body,
                             pool.get())
                .value();
  ByteArrayOutput one(views.data(), pool.get());
  ASSERT_TRUE(decoder->Skip(5000).ok());
  ASSERT_TRUE(decoder->ReadViews(1, one).ok());
  EXPECT_EQ(views[0].length, 1000000);
}

}  // namespace
}  // namespace sluice
