#include "format/parquet/encoding/delta_binary_packed.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/format/parquet/encoding/delta_bytes.h"
#include "tests/format/parquet/encoding/page_bytes.h"

namespace sluice {
namespace {

using namespace parquet;           // NOLINT
using namespace parquet::testing;  // NOLINT

PageCase DeltaPage(const std::vector<int64_t>& values, int bits, const DeltaLayout& layout = {}) {
  PageCase page;
  page.encoding = Encoding::kDeltaBinaryPacked;
  page.type = bits == 32 ? PhysicalType::kInt32 : PhysicalType::kInt64;
  AppendDelta(page.bytes, values, bits, layout);
  for (const int64_t value : values) {
    page.values.push_back(Stored(static_cast<uint64_t>(value), bits / 8));
  }
  return page;
}

std::vector<int64_t> RandomValues(std::mt19937_64& random, size_t count, int step_bits, int bits) {
  std::vector<int64_t> values;
  uint64_t value = random();
  for (size_t i = 0; i < count; ++i) {
    value += random() & LowBits(step_bits);
    values.push_back(static_cast<int64_t>(value << (64 - bits)) >> (64 - bits));
  }
  return values;
}

TEST(DeltaBinaryPacked, HandWrittenPage) {
  // Five INT32 values 7 5 3 1 2: deltas -2 -2 -2 1, least -2, so 0 0 0 3 in 2 bits.
  PageCase page;
  page.encoding = Encoding::kDeltaBinaryPacked;
  page.bytes = {0x80, 0x01,              // block size 128
                0x04,                    // 4 miniblocks
                0x05,                    // 5 values
                0x0e,                    // first 7
                0x03,                    // least delta -2
                0x02, 0x00, 0x00, 0x00,  // widths
                0xc0, 0,    0,    0,    0, 0, 0, 0};
  for (const uint64_t value : {7, 5, 3, 1, 2}) page.values.push_back(Stored(value, 4));
  ExpectEveryMixture(page);
}

TEST(DeltaBinaryPacked, UnusedMiniblocksMaySayAnything) {
  // fault E1: 65 INT32 values in miniblocks of widths 32, 32, 165, 165.
  std::mt19937_64 random(1);
  DeltaLayout layout;
  layout.unused_width = 165;
  layout.extra_bits = 32;
  layout.padding = ~uint64_t{0};
  const PageCase page = DeltaPage(RandomValues(random, 65, 32, 32), 32, layout);
  ExpectEveryMixture(page);
}

TEST(DeltaBinaryPacked, WriterThatPadsUnusedMiniblocks) {
  std::mt19937_64 random(1);
  PageCase page = DeltaPage(RandomValues(random, 65, 5, 32), 32);
  page.bytes.insert(page.bytes.end(), 40, 0xee);
  ExpectEveryMixture(page);
}

TEST(DeltaBinaryPacked, PaddingOfTheLastMiniblockMayBeMissing) {
  PageCase page = DeltaPage({1, 2, 4}, 32);
  page.bytes.resize(page.bytes.size() - 3);
  ExpectEveryMixture(page);
}

TEST(DeltaBinaryPacked, OverflowWrapsAround) {
  // fault E2.
  ExpectEveryMixture(DeltaPage({INT64_MIN, INT64_MAX, INT64_MIN, 0, -1, INT64_MAX}, 64));
  ExpectEveryMixture(DeltaPage({INT32_MIN, INT32_MAX, INT32_MIN, 0, -1, INT32_MAX}, 32));
}

TEST(DeltaBinaryPacked, DeltasOfMoreBitsThanTheType) {
  // What writers that subtract in 64 bits make of INT32: 33 bits, and least deltas beyond int32.
  std::mt19937_64 random(6);
  const std::vector<int64_t> steep = {INT32_MIN, INT32_MAX, INT32_MIN, 0, -1, INT32_MAX, 5};
  for (const auto& values : {steep, RandomValues(random, 700, 32, 32)}) {
    for (const int extra_bits : {0, 1, 64}) {
      DeltaLayout layout;
      layout.padding = ~uint64_t{0};
      layout.extra_bits = extra_bits;
      PageCase page = DeltaPage(values, 32);
      page.bytes.clear();
      AppendDelta(page.bytes, values, 64, layout);
      PageBody body = BodyOf(page.bytes);
      auto reader = DeltaBinaryPackedReader<uint32_t>::Open(&body, 0, int64_t(values.size()));
      ASSERT_TRUE(reader->Skip(1).ok());
      EXPECT_GE(reader->Miniblock()->bit_width, 33);
      ExpectEveryMixture(page);
    }
  }
  ExpectTruncationsAreSafe([&] {
    PageCase page = DeltaPage(steep, 32);
    page.bytes.clear();
    AppendDelta(page.bytes, steep, 64);
    return page;
  }());
}

TEST(DeltaBinaryPacked, OddLayoutsAreRefused) {
  // fault E4: block size, miniblocks, then 5 values from 0 and too few bytes for anything else.
  const std::vector<Bytes> headers = {
      {0x08, 0x02},                                      // 8 values
      {0x80, 0x80, 0x80, 0x80, 0x08, 0x01},              // 2^31 values
      {0x80, 0x01, 0x00},                                // no miniblocks
      {0x80, 0x01, 0x03},                                // 128 / 3
      {0x80, 0x01, 0x08},                                // 16 a miniblock
      {0x80, 0x02, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10},  // more miniblocks than values
      {0x00, 0x01},                                      // no values
  };
  for (const Bytes& header : headers) {
    PageCase page;
    page.encoding = Encoding::kDeltaBinaryPacked;
    page.values.assign(5, std::string(4, '\0'));
    page.bytes = header;
    Append(page.bytes, {0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00});
    EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption) << header.size();
  }
}

TEST(DeltaBinaryPacked, WidthsAboveSixtyFourAreCorruption) {
  for (const int bits : {32, 64}) {
    PageCase page = DeltaPage({1, 2, 4}, bits);
    page.bytes[6] = 65;
    page.bytes.insert(page.bytes.end(), 1000, 0);
    const Status status = ReadError(page);
    EXPECT_EQ(status.code(), StatusCode::kCorruption);
    EXPECT_NE(status.message().find("byte 6: "), std::string::npos) << status.message();
  }
}

TEST(DeltaBinaryPacked, CountMustBeThePages) {
  PageCase page = DeltaPage({1, 2, 4}, 32);
  page.values.pop_back();
  EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption);
  page.values.resize(4, page.values[0]);
  EXPECT_EQ(ReadError(page).code(), StatusCode::kCorruption);
  page.values.clear();
  EXPECT_TRUE(ReadError(page).ok());
  page.bytes.clear();
  EXPECT_TRUE(ReadError(page).ok());
}

TEST(DeltaBinaryPacked, EveryWidthInEveryMixture) {
  std::mt19937_64 random(2);
  for (int width = 0; width <= 64; width += width < 16 ? 1 : 3) {
    for (const int bits : {32, 64}) {
      if (width > bits) continue;
      DeltaLayout layout;
      layout.unused_width = static_cast<uint8_t>(random());
      layout.padding = random();
      ExpectEveryMixture(DeltaPage(RandomValues(random, 700, width, bits), bits, layout),
                         static_cast<uint32_t>(width));
    }
  }
  ExpectEveryMixture(DeltaPage(RandomValues(random, 5000, 64, 64), 64));
}

TEST(DeltaBinaryPacked, EveryLayout) {
  std::mt19937_64 random(3);
  for (const auto& [block_size, num_miniblocks] : std::vector<std::pair<int64_t, int64_t>>{
           {128, 1}, {128, 2}, {128, 4}, {256, 8}, {384, 3}, {384, 12}, {1024, 32}, {4096, 1}}) {
    for (const size_t count : {1, 2, 33, 128, 129, 130, 1025, 5000}) {
      DeltaLayout layout;
      layout.block_size = block_size;
      layout.num_miniblocks = num_miniblocks;
      ExpectEveryMixture(DeltaPage(RandomValues(random, count, 11, 64), 64, layout));
    }
  }
}

TEST(DeltaBinaryPacked, Truncations) {
  std::mt19937_64 random(4);
  ExpectTruncationsAreSafe(DeltaPage(RandomValues(random, 200, 40, 64), 64));
  ExpectTruncationsAreSafe(DeltaPage(RandomValues(random, 200, 7, 32), 32));
}

TEST(DeltaBinaryPacked, OnlyWhatIsTakenIsDecompressed) {
  std::mt19937_64 random(5);
  const PageCase page = DeltaPage(RandomValues(random, 12801, 8, 64), 64);
  PageBody body = DrippingBodyOf(page.bytes, 1);
  ValueTaker taker(page, &body);
  ASSERT_TRUE(taker.Open().ok());
  std::vector<std::string> got;
  ASSERT_TRUE(taker.Read(129, &got).ok());
  ASSERT_TRUE(taker.Skip(12672).ok());
  EXPECT_LE(body.available(), 40 + 14 + 128);
}

TEST(DeltaBinaryPacked, MiniblocksAreExposed) {
  DeltaLayout layout;
  Bytes bytes;
  std::vector<int64_t> values = {-5};
  for (int i = 0; i < 128; ++i) values.push_back(values.back() - 3 + (i % 4));
  for (int i = 0; i < 40; ++i) values.push_back(values.back() + 10);
  AppendDelta(bytes, values, 32, layout);
  PageBody body = BodyOf(bytes);
  auto reader = DeltaBinaryPackedReader<uint32_t>::Open(&body, 0, int64_t(values.size())).value();
  EXPECT_EQ(reader.FindEnd().value(), int64_t(bytes.size()));

  DeltaMiniblock miniblock = reader.Miniblock().value();
  EXPECT_EQ(int64_t(miniblock.previous), -5);
  EXPECT_EQ(miniblock.min_delta, 0u);
  EXPECT_EQ(miniblock.length, 1);
  ASSERT_TRUE(reader.Skip(1).ok());
  miniblock = reader.Miniblock().value();
  EXPECT_EQ(int64_t(miniblock.previous), -5);
  EXPECT_EQ(int64_t(miniblock.min_delta), -3);
  EXPECT_EQ(miniblock.bit_width, 2);
  EXPECT_EQ(miniblock.length, 128) << "miniblocks that say the same are one";
  ASSERT_TRUE(reader.Skip(128 + 5).ok());
  miniblock = reader.Miniblock().value();
  EXPECT_EQ(int64_t(miniblock.previous), values[133]);
  EXPECT_EQ(int64_t(miniblock.min_delta), 10);
  EXPECT_EQ(miniblock.bit_width, 0);
  EXPECT_EQ(miniblock.length, 35);
  uint32_t out[64];
  ASSERT_TRUE(reader.Read(1, out).ok());
  EXPECT_EQ(int32_t(out[0]), values[134]);
}

TEST(DeltaBinaryPacked, HugeConstantRunsAreSteppedOver) {
  // 2^31 - 128 values a block in one miniblock of no bits: nothing is allocated or looped over.
  Bytes bytes;
  AppendVarint(bytes, 0x7fffff80);
  AppendVarint(bytes, 1);
  AppendVarint(bytes, 2000000000);
  AppendZigzag(bytes, 0);
  AppendZigzag(bytes, 3);
  bytes.push_back(0);
  PageBody body = BodyOf(bytes);
  auto reader = DeltaBinaryPackedReader<uint64_t>::Open(&body, 0, 2000000000).value();
  ASSERT_TRUE(reader.Skip(1999999999).ok());
  uint64_t out[16];
  ASSERT_TRUE(reader.Read(1, out).ok());
  EXPECT_EQ(out[0], uint64_t{3} * 1999999999);
}

}  // namespace
}  // namespace sluice
