#include "format/parquet/write/bounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace sluice {
namespace {

using parquet::Bound;
using parquet::BoundOrder;
using parquet::BoundsBuilder;
using parquet::CutLowerBound;
using parquet::CutUpperBound;
using parquet::LeafRows;

template <typename T>
std::string Plain(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

template <typename T>
BoundsBuilder BoundsOf(BoundOrder order, const std::vector<T>& values) {
  LeafRows rows;
  rows.num_values = static_cast<int64_t>(values.size());
  rows.width = sizeof(T);
  rows.fixed = reinterpret_cast<const uint8_t*>(values.data());
  BoundsBuilder bounds(order);
  bounds.Update(rows, 0, rows.num_values);
  return bounds;
}

BoundsBuilder BoundsOfStrings(BoundOrder order, const std::vector<std::string_view>& values) {
  LeafRows rows;
  rows.num_values = static_cast<int64_t>(values.size());
  rows.strings = values;
  BoundsBuilder bounds(order);
  bounds.Update(rows, 0, rows.num_values);
  return bounds;
}

TEST(Bounds, NanNeverEnters) {  // fault S1
  const BoundsBuilder some = BoundsOf<double>(BoundOrder::kDouble, {NAN, 3.0, -NAN, 1.0});
  EXPECT_EQ(some.min().bytes, Plain(1.0));
  EXPECT_EQ(some.max().bytes, Plain(3.0));
  EXPECT_EQ(some.nan_count(), 2);
  const BoundsBuilder none = BoundsOf<float>(BoundOrder::kFloat, {NAN, NAN});
  EXPECT_FALSE(none.has_bounds());
  EXPECT_EQ(none.nan_count(), 2);
  const BoundsBuilder half = BoundsOf<uint16_t>(BoundOrder::kFloat16, {0x7e00, 0xfe01});
  EXPECT_FALSE(half.has_bounds());
  EXPECT_EQ(half.nan_count(), 2);
}

TEST(Bounds, ZerosAreWidened) {  // fault S4
  const BoundsBuilder negative = BoundsOf<double>(BoundOrder::kDouble, {-0.0});
  EXPECT_EQ(negative.min().bytes, Plain(-0.0));
  EXPECT_TRUE(negative.min().is_exact);
  EXPECT_EQ(negative.max().bytes, Plain(0.0));
  EXPECT_FALSE(negative.max().is_exact);
  const BoundsBuilder both = BoundsOf<float>(BoundOrder::kFloat, {0.0F, -0.0F});
  EXPECT_EQ(both.min().bytes, Plain(-0.0F));
  EXPECT_EQ(both.max().bytes, Plain(0.0F));
  EXPECT_TRUE(both.min().is_exact && both.max().is_exact);
  const BoundsBuilder half = BoundsOf<uint16_t>(BoundOrder::kFloat16, {0x0000, 0x3c00});
  EXPECT_EQ(half.min().bytes, Plain(uint16_t{0x8000}));
  EXPECT_EQ(half.max().bytes, Plain(uint16_t{0x3c00}));
}

TEST(Bounds, EachTypeHasItsOrder) {  // faults S5, S8
  const std::vector<uint32_t> words = {7, 4000000000U, 0};
  EXPECT_EQ(BoundsOf(BoundOrder::kUint32, words).max().bytes, Plain(4000000000U));
  EXPECT_EQ(BoundsOf(BoundOrder::kInt32, words).max().bytes, Plain(7U));
  const std::vector<uint64_t> longs = {1, ~uint64_t{0}};
  EXPECT_EQ(BoundsOf(BoundOrder::kUint64, longs).max().bytes, Plain(~uint64_t{0}));
  EXPECT_EQ(BoundsOf(BoundOrder::kInt64, longs).min().bytes, Plain(~uint64_t{0}));
  const BoundsBuilder decimals =
      BoundsOfStrings(BoundOrder::kSignedBytes, {"\x01\x05", "\xff\xff", "\x01\xff"});
  EXPECT_EQ(decimals.min().bytes, "\xff\xff");
  EXPECT_EQ(decimals.max().bytes, "\x01\xff");
  const BoundsBuilder text = BoundsOfStrings(BoundOrder::kBytes, {"az", "a\xc3\xa9", "b"});
  EXPECT_EQ(text.min().bytes, "az");
  EXPECT_EQ(text.max().bytes, "b");
  // -2 and -1.5 and 1 as binary16.
  const BoundsBuilder half = BoundsOf<uint16_t>(BoundOrder::kFloat16, {0xbe00, 0xc000, 0x3c00});
  EXPECT_EQ(half.min().bytes, Plain(uint16_t{0xc000}));
  EXPECT_EQ(half.max().bytes, Plain(uint16_t{0x3c00}));
  EXPECT_FALSE(BoundsOf(BoundOrder::kNone, words).has_bounds());
}

TEST(Bounds, MergeIsTheBoundsOfAll) {
  BoundsBuilder all(BoundOrder::kInt32);
  all.Merge(BoundsOf<int32_t>(BoundOrder::kInt32, {}));
  EXPECT_FALSE(all.has_bounds());
  all.Merge(BoundsOf<int32_t>(BoundOrder::kInt32, {5, -3}));
  all.Merge(BoundsOf<int32_t>(BoundOrder::kInt32, {}));
  all.Merge(BoundsOf<int32_t>(BoundOrder::kInt32, {9}));
  EXPECT_EQ(all.min().bytes, Plain(-3));
  EXPECT_EQ(all.max().bytes, Plain(9));
}

TEST(CutBounds, UpperBoundIsRoundedUp) {  // fault S12
  const std::string value = "aaaaaaaaaaaaaaaaaaaa";
  const Bound low = CutLowerBound({value, true}, 16, true);
  EXPECT_EQ(low.bytes, std::string(16, 'a'));
  EXPECT_FALSE(low.is_exact);
  const std::optional<Bound> high = CutUpperBound({value, true}, 16, true);
  ASSERT_TRUE(high.has_value());
  EXPECT_EQ(high->bytes, std::string(15, 'a') + "b");
  EXPECT_FALSE(high->is_exact);
  const std::optional<Bound> short_one = CutUpperBound({"abc", true}, 16, true);
  EXPECT_EQ(short_one->bytes, "abc");
  EXPECT_TRUE(short_one->is_exact);  // fault S13
}

TEST(CutBounds, BytesDropTrailingFf) {  // fault S12
  EXPECT_EQ(CutUpperBound({"a\xff\xffz", true}, 3, false)->bytes, "b");
  EXPECT_FALSE(CutUpperBound({"\xff\xff\xff\xff", true}, 3, false).has_value());
}

TEST(CutBounds, TextStaysText) {  // fault S12
  // U+00E9 in two bytes: a cut at 3 would split it.
  EXPECT_EQ(CutLowerBound({"aa\xc3\xa9\xc3\xa9", true}, 3, true).bytes, "aa");
  EXPECT_EQ(CutUpperBound({"aa\xc3\xa9\xc3\xa9", true}, 3, true)->bytes, "ab");
  EXPECT_EQ(CutUpperBound({"aa\xc3\xa9\xc3\xa9", true}, 4, true)->bytes, "aa\xc3\xaa");
  // After U+007F comes a character of two bytes, for which there is no room.
  EXPECT_EQ(CutUpperBound({"a\x7f\x7f", true}, 2, true)->bytes, "b");
  // Past the surrogates; past the last character there is nothing.
  EXPECT_EQ(CutUpperBound({"\xed\x9f\xbfzz", true}, 3, true)->bytes, "\xee\x80\x80");
  EXPECT_FALSE(CutUpperBound({"\xf4\x8f\xbf\xbfz", true}, 4, true).has_value());
  // What is no text is cut as bytes.
  EXPECT_EQ(CutUpperBound({"a\xff\xff\xff", true}, 3, true)->bytes, "b");
}

TEST(CutBounds, CoverEveryString) {
  std::mt19937 random(13);
  static constexpr std::string_view kPieces[] = {
      "a", "\x7f", "\xc3\xa9", "\xdf\xbf", "\xef\xbf\xbf", "\xf4\x8f\xbf\xbf", "\xed\x9f\xbf"};
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (auto left = random() % 12; left > 0; --left) text += kPieces[random() % 7];
    const auto limit = static_cast<int32_t>(1 + random() % 12);
    for (const bool is_text : {true, false}) {
      const Bound low = CutLowerBound({text, true}, limit, is_text);
      ASSERT_LE(low.bytes, text);
      ASSERT_LE(low.bytes.size(), static_cast<size_t>(limit));
      const std::optional<Bound> high = CutUpperBound({text, true}, limit, is_text);
      ASSERT_GE(high ? high->bytes : text, text);
      ASSERT_LE(high ? high->bytes.size() : 0, static_cast<size_t>(limit));
      if (!is_text) continue;
      ASSERT_GE(parquet::WholeCharacters(low.bytes, 100), 0);
      ASSERT_GE(parquet::WholeCharacters(high ? high->bytes : "", 100), 0);
    }
  }
}

}  // namespace
}  // namespace sluice
