// Filters on encoded pages decide as ColumnFilter::Passes does on decoded values: every encoding,
// type, kind of filter, density of the selection and level of the kernels.

#include "format/parquet/filter/value_filter.h"

#include <gtest/gtest.h>
#include <sluice/bitmap.h>

#include "tests/format/parquet/filter/leaf_cases.h"

namespace sluice {
namespace {

using namespace parquet;           // NOLINT
using namespace parquet::testing;  // NOLINT
using kernels::SimdLevel;

std::vector<SimdLevel> Levels() {
  std::vector<SimdLevel> levels;
  for (const auto level :
       {SimdLevel::kPlain, SimdLevel::kSse42, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (kernels::IsSupported(level)) levels.push_back(level);
  }
  return levels;
}

ValueFilter MakeFilter(const LeafCase& leaf_case, const ColumnFilter& filter, BufferPool* pool,
                       SimdLevel level = kernels::BestLevel()) {
  return ValueFilter::Make(filter, leaf_case.leaf(),
                           std::make_shared<const DataType>(leaf_case.type), pool,
                           &kernels::Table(level))
      .value();
}

enum class Density { kAbsent, kNone, kSparse, kMedium, kDense, kAll, kStretches };

/// The bits past the count are set: nobody may rely on them.
std::vector<uint64_t> Selection(Density density, int64_t count, std::mt19937_64& random) {
  std::vector<uint64_t> words(static_cast<size_t>(BitmapWords(count)), 0);
  bool is_on = false;
  for (int64_t i = 0; i < BitmapWords(count) * 64; ++i) {
    if (random() % 500 == 0) is_on = !is_on;
    const bool is_set = i >= count || density == Density::kAll ||
                        (density == Density::kSparse && random() % 100 == 0) ||
                        (density == Density::kMedium && random() % 4 == 0) ||
                        (density == Density::kDense && random() % 10 != 0) ||
                        (density == Density::kStretches && is_on);
    if (is_set) SetBit(words.data(), i);
  }
  return words;
}

/// What is expected of each value of a page.
class Expectation {
 public:
  Expectation(const ColumnFilter& filter, const Strings& values) {
    for (const std::string& value : values) passes_.push_back(filter.Passes(value));
  }

  /// Decides the whole page in runs of random lengths, and compares.
  void Check(ValueFilter& filter, OpenedPage& opened, Density density, std::mt19937_64& random) {
    const auto num_values = static_cast<int64_t>(passes_.size());
    for (int64_t at = 0; at < num_values;) {
      const int64_t most =
          random() % 3 == 0 ? num_values : 1 + static_cast<int64_t>(random() % 700);
      const int64_t count = std::min(num_values - at, most);
      auto selection = Selection(density, count, random);
      const int64_t selected =
          density == Density::kAbsent ? count : CountBits(selection.data(), 0, count);
      std::vector<uint64_t> expected(selection.size());
      for (int64_t i = 0; i < count; ++i) {
        const bool is_wanted = density == Density::kAbsent || GetBit(selection.data(), i);
        if (is_wanted && passes_[static_cast<size_t>(at + i)]) SetBit(expected.data(), i);
      }
      // In place of the selection, at times.
      std::vector<uint64_t> apart(selection.size(), ~uint64_t{0});
      uint64_t* const passes = random() % 2 ? selection.data() : apart.data();
      const ValueRun run{count, density == Density::kAbsent ? nullptr : selection.data(), selected};
      const Status status = filter.Decide(opened.page(), run, passes);
      ASSERT_TRUE(status.ok()) << status.ToString();
      ASSERT_EQ(std::vector<uint64_t>(passes, passes + selection.size()), expected)
          << "values from " << at << ", " << count << " of them";
      at += count;
    }
  }

 private:
  std::vector<bool> passes_;
};

constexpr Density kDensities[] = {Density::kAbsent,   Density::kNone,  Density::kSparse,
                                  Density::kMedium,   Density::kDense, Density::kAll,
                                  Density::kStretches};

void CheckPage(const LeafCase& leaf_case, const EncodedCase& encoded, std::mt19937_64& random) {
  const Strings values = ValuesOf(DecodeAll(leaf_case, encoded).value());
  for (const ColumnFilter& filter : Filters(leaf_case.type, values, random)) {
    Expectation expectation(filter, values);
    for (const SimdLevel level : Levels()) {
      SCOPED_TRACE(std::string(kernels::Name(level)) + ": " + filter.ToString());
      const Density density = kDensities[random() % std::size(kDensities)];
      OpenedPage opened(leaf_case, encoded);
      ValueFilter value_filter = MakeFilter(leaf_case, filter, opened.pool(), level);
      if (encoded.dictionary) {
        ASSERT_TRUE(value_filter.SetDictionary(encoded.dictionary).ok());
      }
      expectation.Check(value_filter, opened, density, random);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

class LeafTest : public ::testing::TestWithParam<LeafCase> {};

TEST_P(LeafTest, DecidesAsDecodedValuesDo) {
  std::mt19937_64 random(20240607);
  const LeafCase& leaf_case = GetParam();
  const size_t most = leaf_case.type_length > 500 ? 300 : 6000;
  for (const Encoding encoding : leaf_case.encodings) {
    for (const size_t count : {size_t{1}, size_t{64}, size_t{777}, most}) {
      SCOPED_TRACE(std::string(Name(encoding)) + ", " + std::to_string(count) + " values");
      const Strings stored = leaf_case.stored(random, count);
      if (encoding != Encoding::kRleDictionary) {
        CheckPage(leaf_case, Encode(leaf_case, encoding, stored, random), random);
        continue;
      }
      const std::set<std::string> distinct(stored.begin(), stored.end());
      const Strings entries(distinct.begin(), distinct.end());
      CheckPage(leaf_case, EncodeCodes(leaf_case, entries, 6000, random), random);
    }
  }
}

std::string NameOf(const ::testing::TestParamInfo<LeafCase>& leaf_case) {
  std::string name = leaf_case.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Leaves, LeafTest, ::testing::ValuesIn(LeafCases()), NameOf);

LeafCase Int64Leaf() {
  return {"int64", DataType::Of(TypeId::kInt64), PhysicalType::kInt64, 0, {}, nullptr};
}

std::string I64(int64_t value) { return support::LittleEndian(static_cast<uint64_t>(value), 8); }

ColumnFilter Between(int64_t lower, int64_t upper) {
  ColumnFilter filter;
  filter.type = DataType::Of(TypeId::kInt64);
  filter.kind = ColumnFilter::Kind::kRanges;
  filter.ranges = {{ValueBound{I64(lower), true}, ValueBound{I64(upper), true}}};
  return filter;
}

TEST(ValueFilter, DictionariesOfEverySize) {
  std::mt19937_64 random(5);
  for (const size_t size : {1, 2, 16, 64, 65, 128, 129, 256, 257, 300, 1024, 1025, 4097, 70'000}) {
    SCOPED_TRACE(size);
    Strings entries;
    for (size_t i = 0; i < size; ++i) entries.push_back(I64(static_cast<int64_t>(i * 3)));
    CheckPage(Int64Leaf(), EncodeCodes(Int64Leaf(), entries, 20'000, random), random);
  }
}

// A code beyond the dictionary is an error wherever it stands, whichever way codes are tested, as
// long as it is wanted.
TEST(ValueFilter, CodesBeyondTheDictionary) {
  std::mt19937_64 random(6);
  for (const size_t size : {3, 60, 65, 200, 1000, 70'000}) {
    Strings entries;
    for (size_t i = 0; i < size; ++i) entries.push_back(I64(static_cast<int64_t>(i)));
    EncodedCase encoded = EncodeCodes(Int64Leaf(), entries, 1, random);
    const auto bit_width = static_cast<int>(std::bit_width(size - 1));
    for (const bool is_repeated : {false, true}) {
      for (const size_t place : {0, 63, 64, 4095, 4096, 4999}) {
        Bytes bytes = {static_cast<uint8_t>(bit_width)};
        if (is_repeated) {
          if (place > 0) AppendRepeatedRun(bytes, place, 1, bit_width);
          AppendRepeatedRun(bytes, 1, size, bit_width);
          AppendRepeatedRun(bytes, 5000, 0, bit_width);
        } else {
          std::vector<uint64_t> codes(5000);
          for (uint64_t& code : codes) code = random() % size;
          codes[place] = size;
          AppendPackedRun(bytes, codes, bit_width);
        }
        encoded.bytes.assign(bytes.begin(), bytes.end());
        encoded.num_values = 5000;
        for (const SimdLevel level : Levels()) {
          OpenedPage opened(Int64Leaf(), encoded);
          ValueFilter filter = MakeFilter(Int64Leaf(), Between(0, 1), opened.pool(), level);
          ASSERT_TRUE(filter.SetDictionary(encoded.dictionary).ok());
          std::vector<uint64_t> passes(BitmapWords(5000));
          EXPECT_EQ(filter.Decide(opened.page(), {5000, nullptr, 5000}, passes.data()).code(),
                    StatusCode::kCorruption)
              << size << " entries, place " << place << ", " << kernels::Name(level);
        }
      }
    }
  }
}

TEST(ValueFilter, CodesNeedADictionary) {
  std::mt19937_64 random(7);
  const EncodedCase encoded = EncodeCodes(Int64Leaf(), {I64(1), I64(2)}, 10, random);
  OpenedPage opened(Int64Leaf(), encoded);
  ValueFilter filter = MakeFilter(Int64Leaf(), Between(0, 1), opened.pool());
  uint64_t passes = 0;
  EXPECT_EQ(filter.Decide(opened.page(), {10, nullptr, 10}, &passes).code(), StatusCode::kInternal);
}

// Slopes whose miniblocks are decided by their headers, with ends where the sums wrap around.
TEST(ValueFilter, MiniblocksAroundTheEnds) {
  std::mt19937_64 random(8);
  for (const int64_t start : {INT64_MAX - 3000, INT64_MIN, int64_t{-3000}, INT64_MAX - 64}) {
    for (const int64_t step : {-3, -1, 0, 1, 5}) {
      Strings stored;
      uint64_t value = static_cast<uint64_t>(start);
      for (int i = 0; i < 5000; ++i) {
        stored.push_back(I64(static_cast<int64_t>(value)));
        value += static_cast<uint64_t>(step) + random() % 2;
      }
      SCOPED_TRACE(std::to_string(start) + " by " + std::to_string(step));
      CheckPage(Int64Leaf(), Encode(Int64Leaf(), Encoding::kDeltaBinaryPacked, stored, random),
                random);
    }
  }
}

TEST(ValueFilter, KeptValuesOfEveryForm) {
  std::mt19937_64 random(9);
  for (const LeafCase& leaf_case : LeafCases()) {
    SCOPED_TRACE(leaf_case.name);
    const Strings stored = leaf_case.stored(random, 500);
    const EncodedCase encoded = Encode(leaf_case, Encoding::kPlain, stored, random);
    Column column = DecodeAll(leaf_case, encoded).value();
    const Strings values = ValuesOf(column);
    Column constant;
    constant.form = ColumnForm::kConstant;
    constant.type = column.type;
    constant.length = 300;
    const std::optional<std::string> third = values[3];
    constant.dictionary = std::make_shared<const Column>(ColumnOf(*column.type, {&third, 1}));
    for (const ColumnFilter& filter : Filters(leaf_case.type, values, random)) {
      SCOPED_TRACE(filter.ToString());
      OpenedPage opened(leaf_case, encoded);
      ValueFilter value_filter = MakeFilter(leaf_case, filter, opened.pool());
      EXPECT_EQ(value_filter.null_passes(), filter.null_passes);
      for (const int64_t begin : {0, 1, 77}) {
        const int64_t count = 300;
        std::vector<uint64_t> passes(BitmapWords(count), ~uint64_t{0});
        std::vector<uint64_t> expected(BitmapWords(count));
        for (int64_t i = 0; i < count; ++i) {
          if (filter.Passes(values[static_cast<size_t>(begin + i)])) SetBit(expected.data(), i);
        }
        ASSERT_TRUE(value_filter.PassesValues(column, begin, count, passes.data()).ok());
        EXPECT_EQ(passes, expected);
        ASSERT_TRUE(value_filter.PassesValues(constant, 0, count, passes.data()).ok());
        EXPECT_EQ(CountBits(passes.data(), 0, count), filter.Passes(values[3]) ? count : 0);
      }
    }
  }
}

// A page that can be read can be filtered, with the same outcome; one that cannot gives an error at
// most.
TEST(ValueFilter, DamagedPages) {
  std::mt19937_64 random(11);
  for (const LeafCase& leaf_case : LeafCases()) {
    for (const Encoding encoding : leaf_case.encodings) {
      SCOPED_TRACE(leaf_case.name + ", " + std::string(Name(encoding)));
      const Strings stored = leaf_case.stored(random, leaf_case.type_length > 500 ? 40 : 300);
      const EncodedCase sound = encoding == Encoding::kRleDictionary
                                    ? EncodeCodes(leaf_case, {stored[0], stored[7]}, 300, random)
                                    : Encode(leaf_case, encoding, stored, random);
      const Strings values = ValuesOf(DecodeAll(leaf_case, sound).value());
      for (int trial = 0; trial < 60; ++trial) {
        EncodedCase damaged = sound;
        if (trial % 3 == 0) {
          damaged.bytes.resize(random() % damaged.bytes.size());
        } else {
          for (uint64_t flips = 1 + random() % 3; flips > 0; --flips) {
            damaged.bytes[random() % damaged.bytes.size()] ^= static_cast<char>(1 << random() % 8);
          }
        }
        const auto decoded = DecodeAll(leaf_case, damaged);
        const auto filters = Filters(leaf_case.type, values, random);
        const ColumnFilter& filter = filters[random() % filters.size()];
        OpenedPage opened(leaf_case, damaged);
        ValueFilter value_filter = MakeFilter(leaf_case, filter, opened.pool());
        if (damaged.dictionary) {
          ASSERT_TRUE(value_filter.SetDictionary(damaged.dictionary).ok());
        }
        if (decoded) {
          Expectation(filter, ValuesOf(*decoded))
              .Check(value_filter, opened, Density::kAbsent, random);
          continue;
        }
        std::vector<uint64_t> passes(static_cast<size_t>(BitmapWords(damaged.num_values)));
        const ValueRun run{damaged.num_values, nullptr, damaged.num_values};
        const Status status = value_filter.Decide(opened.page(), run, passes.data());
        EXPECT_TRUE(status.ok() || status.code() == decoded.error().code()) << status.ToString();
      }
    }
  }
}

TEST(ValueFilter, SharesWhatWasMadeOfALongSet) {
  std::mt19937_64 random(12);
  Strings members;
  for (int64_t i = 0; i < 100'000; ++i) members.push_back(I64(i * i));
  ColumnFilter filter = Between(0, 0);
  filter.kind = ColumnFilter::Kind::kSet;
  filter.set = std::make_shared<const Strings>(members);
  const auto compiled = std::make_shared<const CompiledFilter>(
      CompiledFilter::Make(filter, &kernels::BestTable()).value());
  Strings stored;
  for (int64_t i = 0; i < 3000; ++i) {
    const auto root = static_cast<int64_t>(random() % 150'000);
    stored.push_back(I64(root * root + static_cast<int64_t>(random() % 2)));
  }
  const EncodedCase page = Encode(Int64Leaf(), Encoding::kPlain, stored, random);
  for (int chunk = 0; chunk < 2; ++chunk) {
    OpenedPage opened(Int64Leaf(), page);
    ValueFilter shared = ValueFilter::Make(compiled, Int64Leaf().leaf(),
                                           std::make_shared<const DataType>(filter.type),
                                           opened.pool(), &kernels::BestTable())
                             .value();
    EXPECT_EQ(opened.pool()->bytes_in_use(), 0);
    Expectation(filter, stored).Check(shared, opened, Density::kAbsent, random);
    const int64_t before = opened.pool()->bytes_in_use();
    const ValueFilter own = MakeFilter(Int64Leaf(), filter, opened.pool());
    EXPECT_GT(opened.pool()->bytes_in_use() - before, 100'000);
  }
}

// Codes that are not of the chunk do not make the chunk's forget their dictionary.
TEST(ValueFilter, KeptCodesBesidesPages) {
  std::mt19937_64 random(10);
  const EncodedCase page = EncodeCodes(Int64Leaf(), {I64(1), I64(2), I64(3)}, 100, random);
  const EncodedCase other = EncodeCodes(Int64Leaf(), {I64(9), I64(3), I64(1)}, 100, random);
  const Column codes = DecodeAll(Int64Leaf(), other, true).value();
  ASSERT_EQ(codes.form, ColumnForm::kDictionary);
  OpenedPage opened(Int64Leaf(), page);
  ValueFilter filter = MakeFilter(Int64Leaf(), Between(1, 2), opened.pool());
  ASSERT_TRUE(filter.SetDictionary(page.dictionary).ok());
  uint64_t passes[2];
  ASSERT_TRUE(filter.PassesValues(codes, 0, 100, passes).ok());
  for (int64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(GetBit(passes, i), ValueAt(codes, i).as<int64_t>() == 1);
  }
  ASSERT_TRUE(filter.Decide(opened.page(), {100, nullptr, 100}, passes).ok());
  const Strings values = ValuesOf(DecodeAll(Int64Leaf(), page).value());
  for (int64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(GetBit(passes, i), Integer(values[static_cast<size_t>(i)]) <= 2);
  }
}

TEST(ValueFilter, RefusesFiltersThatAreNotOfTheColumn) {
  const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  const auto code_of = [&](const ColumnFilter& filter, DataType type) {
    return ValueFilter::Make(filter, Int64Leaf().leaf(),
                             std::make_shared<const DataType>(std::move(type)), pool.get(),
                             &kernels::BestTable())
        .status()
        .code();
  };
  const DataType int64 = DataType::Of(TypeId::kInt64);
  EXPECT_EQ(code_of(Between(1, 2), int64), StatusCode::kOk);
  EXPECT_EQ(code_of(Between(1, 2), DataType::Of(TypeId::kUint64)), StatusCode::kInvalidArgument);
  ColumnFilter filter = Between(1, 2);
  filter.ranges[0].lower->value = "1234";
  EXPECT_EQ(code_of(filter, int64), StatusCode::kInvalidArgument);
  filter.ranges.clear();
  EXPECT_EQ(code_of(filter, int64), StatusCode::kInvalidArgument);
  filter.kind = ColumnFilter::Kind::kSet;
  EXPECT_EQ(code_of(filter, int64), StatusCode::kInvalidArgument);
  filter.set = std::make_shared<const Strings>(Strings{I64(2), I64(1)});
  EXPECT_EQ(code_of(filter, int64), StatusCode::kInvalidArgument);
  filter.kind = ColumnFilter::Kind::kPrefix;
  EXPECT_EQ(code_of(filter, int64), StatusCode::kInvalidArgument);
  ColumnFilter interval;
  interval.type = DataType::Of(TypeId::kInterval);
  interval.kind = ColumnFilter::Kind::kRanges;
  interval.ranges = {{std::nullopt, ValueBound{std::string(12, 'a'), true}}};
  EXPECT_EQ(code_of(interval, interval.type), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace sluice
