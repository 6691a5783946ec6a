// Compiled filters against ColumnFilter::Passes, over every value there is where those are few, and
// over strings that end in the middle of characters.

#include "format/model/filters/compiled_filter.h"

#include <gtest/gtest.h>
#include <sluice/bitmap.h>
#include <sluice/value.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace sluice {
namespace {

using Strings = std::vector<std::string>;
using Kind = ColumnFilter::Kind;

std::vector<bool> Outcomes(const ColumnFilter& filter, const Column& column) {
  const CompiledFilter compiled = CompiledFilter::Make(filter, &kernels::BestTable()).value();
  std::vector<uint64_t> bits(static_cast<size_t>(BitmapWords(column.length)));
  compiled.TestRows(column, 0, column.length, bits.data());
  std::vector<bool> outcomes;
  for (int64_t row = 0; row < column.length; ++row) outcomes.push_back(GetBit(bits.data(), row));
  return outcomes;
}

Column ColumnOfStrings(const DataType& type, const Strings& values) {
  const std::vector<std::optional<std::string>> present(values.begin(), values.end());
  return ColumnOf(type, present);
}

void Check(const ColumnFilter& filter, const Strings& values, const Column& column) {
  std::vector<bool> expected;
  for (const std::string& value : values) expected.push_back(filter.Passes(value));
  EXPECT_EQ(Outcomes(filter, column), expected) << filter.ToString();
}

ColumnFilter Of(const DataType& type, Kind kind) {
  ColumnFilter filter;
  filter.type = type;
  filter.kind = kind;
  return filter;
}

Strings AllValues(const DataType& type) {
  Strings values;
  for (int value = 0; value < 1 << 8 * type.byte_width; ++value) {
    std::string bytes(1, static_cast<char>(value));
    if (type.byte_width == 2) bytes += static_cast<char>(value >> 8);
    values.push_back(bytes);
  }
  return values;
}

/// `count` values, ascending and distinct.
Strings Some(const DataType& type, const Strings& values, size_t count, std::mt19937_64& random) {
  const auto less = [&](const std::string& a, const std::string& b) {
    return CompareValues(type, a, b) < 0;
  };
  Strings some;
  for (size_t i = 0; i < count; ++i) some.push_back(values[random() % values.size()]);
  // The ends of the order, too.
  if (random() % 2) some.push_back(*std::min_element(values.begin(), values.end(), less));
  if (random() % 2) some.push_back(*std::max_element(values.begin(), values.end(), less));
  std::sort(some.begin(), some.end(), less);
  some.erase(std::unique(some.begin(), some.end(),
                         [&](const std::string& a, const std::string& b) { return !less(a, b); }),
             some.end());
  return some;
}

class SmallTypes : public testing::TestWithParam<TypeId> {};

TEST_P(SmallTypes, RangesAndSetsOverAllValues) {
  std::mt19937_64 random(1);
  const DataType type = DataType::Of(GetParam());
  const Strings values = AllValues(type);
  const Column column = ColumnOfStrings(type, values);
  for (int trial = 0; trial < 60; ++trial) {
    const Strings ends = Some(type, values, 4, random);
    ColumnFilter ranges = Of(type, Kind::kRanges);
    ranges.ranges = {{std::nullopt, ValueBound{ends[0], random() % 2 == 0}}};
    if (ends.size() > 1) ranges.ranges.push_back({ValueBound{ends[1], random() % 2 == 0}, {}});
    if (ends.size() > 2) ranges.ranges[1].upper = ValueBound{ends[2], random() % 2 == 0};
    Check(ranges, values, column);
    if (ends.size() > 3) {
      ranges.ranges[0] = {ValueBound{ends[0], random() % 2 == 0}, ranges.ranges[1].lower};
      ranges.ranges[1] = {ranges.ranges[1].upper, ValueBound{ends[3], true}};
      ranges.ranges[0].upper->inclusive = false;
      Check(ranges, values, column);
    }
    ColumnFilter set = Of(type, Kind::kSet);
    set.negated = random() % 2 == 0;
    set.set = std::make_shared<const Strings>(Some(type, values, 1 + random() % 40, random));
    Check(set, values, column);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, SmallTypes,
                         testing::Values(TypeId::kInt8, TypeId::kUint8, TypeId::kInt16,
                                         TypeId::kUint16, TypeId::kFloat16));

// Sound for every range on the circle, and of use wherever one range of the filter settles it.
TEST(KeyFilter, OutcomeOfEveryRange) {
  std::mt19937_64 random(2);
  for (const TypeId id : {TypeId::kInt8, TypeId::kUint8}) {
    const DataType type = DataType::Of(id);
    const Strings values = AllValues(type);
    for (int trial = 0; trial < 20; ++trial) {
      const Strings some = Some(type, values, 1 + random() % 12, random);
      ColumnFilter filter = Of(type, trial % 2 ? Kind::kSet : Kind::kRanges);
      filter.ranges = {{ValueBound{some.front(), true}, ValueBound{some.back(), true}}};
      filter.set = std::make_shared<const Strings>(some);
      filter.negated = trial % 4 == 1;
      const KeyFilter keys(filter, &kernels::BestTable());
      for (uint64_t first = 0; first < 256; ++first) {
        bool any = false;
        bool all = true;
        for (uint64_t span = 0; span < 256; ++span) {
          const bool passes = filter.Passes(values[(first + span) % 256]);
          any |= passes;
          all &= passes;
          const KeyFilter::Outcome outcome = keys.OutcomeOf({first, span});
          ASSERT_TRUE(all || outcome != KeyFilter::Outcome::kAllPass);
          ASSERT_TRUE(!any || outcome != KeyFilter::Outcome::kNonePasses);
          if (filter.kind == Kind::kRanges && span < 255) {
            ASSERT_EQ(outcome == KeyFilter::Outcome::kUnknown, any && !all) << first << " " << span;
          }
        }
      }
    }
  }
}

TEST(CompiledFilter, PatternsOverBrokenCharacters) {
  const DataType type = DataType::Of(TypeId::kString);
  const Strings pieces = {"",         "a", "\xA9", "\xC3", "\xC3\xA9",           "\xE2\x82\xAC",
                          "\x82\xAC", "%", "_",    "\\",   std::string(1, '\0'), "abcdefghijk"};
  Strings texts;
  for (const std::string& a : pieces) {
    for (const std::string& b : pieces) {
      for (const std::string& c : pieces) texts.push_back(a + b + c);
    }
  }
  const Column column = ColumnOfStrings(type, texts);
  const Strings wild = {"", "%", "_", "%%", "\\%", "\\"};
  for (const std::string& before : wild) {
    for (const std::string& middle : pieces) {
      for (const std::string& behind : wild) {
        ColumnFilter filter = Of(type, Kind::kLike);
        filter.negated = behind.size() == 2;
        filter.pattern = before + middle + behind;
        Check(filter, texts, column);
        filter.kind = Kind::kPrefix;
        Check(filter, texts, column);
      }
    }
  }
}

// Strings that only bytes outside of their views tell apart, as bounds, as members and as prefixes.
TEST(CompiledFilter, LongStringsWithEqualFronts) {
  const DataType type = DataType::Of(TypeId::kBinary);
  Strings texts;
  for (const size_t length : {0, 3, 4, 5, 11, 12, 13, 20, 300}) {
    for (const char last : {'\0', 'a', 'x', 'y', '\xFF'}) {
      std::string text(length, 'x');
      if (length > 0) text.back() = last;
      texts.push_back(text);
      texts.push_back(text + std::string(1, '\0'));
    }
  }
  const Column column = ColumnOfStrings(type, texts);
  for (const std::string& text : texts) {
    for (const bool inclusive : {false, true}) {
      ColumnFilter filter = Of(type, Kind::kRanges);
      filter.ranges = {{ValueBound{text, inclusive}, std::nullopt}};
      Check(filter, texts, column);
      filter.ranges = {{std::nullopt, ValueBound{text, inclusive}}};
      Check(filter, texts, column);
    }
    ColumnFilter filter = Of(type, Kind::kRanges);
    filter.ranges = {{ValueBound{text, true}, ValueBound{text, true}}};
    Check(filter, texts, column);
    filter.kind = Kind::kSet;
    filter.set = std::make_shared<const Strings>(Strings{text});
    Check(filter, texts, column);
    filter.kind = Kind::kPrefix;
    filter.pattern = text;
    Check(filter, texts, column);
  }
}

}  // namespace
}  // namespace sluice
