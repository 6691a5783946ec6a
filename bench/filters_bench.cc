// Filters: their kernels at every level of this machine, and ValueFilter::Decide on whole pages.
// Counter `cycles`: core cycles per value.

#include <benchmark/benchmark.h>
#include <sluice/bitmap.h>
#include <sluice/buffer.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bench/cycles.h"
#include "format/model/kernels/kernels.h"
#include "format/parquet/filter/value_filter.h"
#include "tests/format/parquet/filter/filtered_pages.h"

namespace {

using namespace sluice;                    // NOLINT
using namespace sluice::parquet;           // NOLINT
using namespace sluice::parquet::testing;  // NOLINT
using kernels::KernelTable;
using kernels::SimdLevel;

constexpr int64_t kCount = 8192;

template <class T>
std::vector<T> Values(int64_t count, uint64_t below) {
  std::mt19937_64 random(1);
  std::vector<T> values(static_cast<size_t>(count) + 64);
  for (T& value : values) value = static_cast<T>(below == 0 ? random() : random() % below);
  return values;
}

using Body = void (*)(benchmark::State&, SimdLevel, int64_t argument);

template <class T, auto kernel>
void Ranges(benchmark::State& state, SimdLevel level, int64_t num_ranges) {
  const auto values = Values<T>(kCount, 0);
  std::vector<uint64_t> out(kCount / 64);
  const kernels::KeyRanges ranges{
      {{100, 1u << 30}, {1u << 31, 50}}, static_cast<int32_t>(num_ranges % 10), num_ranges > 10};
  bench::Measure(state, kCount, kCount / 8, [&] {
    (kernels::Table(level).*kernel)(values.data(), kCount, ranges, out.data());
  });
}

template <class T, auto kernel>
void EqualAny(benchmark::State& state, SimdLevel level, int64_t points) {
  const auto values = Values<T>(kCount, 1000);
  const auto wanted = Values<uint64_t>(8, 1000);
  std::vector<uint64_t> out(kCount / 64);
  bench::Measure(state, kCount, kCount / 8, [&] {
    (kernels::Table(level).*kernel)(values.data(), kCount, wanted.data(),
                                    static_cast<int32_t>(points), out.data());
  });
}

void LookUp(benchmark::State& state, SimdLevel level, int64_t entries) {
  const auto codes = Values<int32_t>(kCount, static_cast<uint64_t>(entries));
  const auto table = Values<uint64_t>(entries / 64 + 4, 0);
  std::vector<uint64_t> out(kCount / 64);
  bench::Measure(state, kCount, kCount / 8, [&] {
    kernels::Table(level).look_up(codes.data(), kCount, table.data(), entries, out.data());
  });
}

void LookUpPacked(benchmark::State& state, SimdLevel level, int64_t bit_width) {
  const auto packed = Values<uint8_t>(kCount * bit_width / 8 + 64, 0);
  const auto table = Values<uint64_t>(1024, 0);
  std::vector<uint64_t> out(kCount / 64);
  bench::Measure(state, kCount, kCount / 8, [&] {
    benchmark::DoNotOptimize(kernels::Table(level).look_up_packed(
        packed.data(), 0, kCount, static_cast<int32_t>(bit_width), table.data(), out.data()));
  });
}

/// What look_up_packed is there to be quicker than.
void UnpackLookUp(benchmark::State& state, SimdLevel level, int64_t bit_width) {
  const KernelTable& table = kernels::Table(level);
  const auto packed = Values<uint8_t>(kCount * bit_width / 8 + 64, 0);
  const auto bits = Values<uint64_t>(1024, 0);
  std::vector<uint64_t> out(kCount / 64);
  std::vector<uint32_t> codes(4096 + 64);
  bench::Measure(state, kCount, kCount / 8, [&] {
    for (int64_t at = 0; at < kCount; at += 4096) {
      table.unpack_32(packed.data() + at * bit_width / 8, 0, 4096, static_cast<int32_t>(bit_width),
                      codes.data());
      const auto* signed_codes = reinterpret_cast<const int32_t*>(codes.data());
      benchmark::DoNotOptimize(table.max_code(signed_codes, 4096));
      table.look_up(signed_codes, 4096, bits.data(), int64_t{1} << bit_width, out.data() + at / 64);
    }
  });
}

void Add(const std::string& name, const char* argument, std::vector<int64_t> values, Body body) {
  for (const int64_t value : values) {
    for (auto level :
         {SimdLevel::kPlain, SimdLevel::kSse42, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
      if (!kernels::IsSupported(level)) continue;
      const std::string full =
          name + "/" + argument + ":" + std::to_string(value) + "/" + kernels::Name(level);
      benchmark::RegisterBenchmark(full.c_str(), [body, level, value](benchmark::State& state) {
        body(state, level, value);
      });
    }
  }
}

// --- whole pages ---

constexpr int64_t kPageValues = 65'536;

std::string Bytes8(uint64_t value) { return support::LittleEndian(value, 8); }

LeafCase NumberLeaf(TypeId id) {
  const PhysicalType physical = id == TypeId::kInt32    ? PhysicalType::kInt32
                                : id == TypeId::kDouble ? PhysicalType::kDouble
                                                        : PhysicalType::kInt64;
  return {"numbers", DataType::Of(id), physical, 0, {}, nullptr};
}

/// Numbers below a million, as doubles too.
std::string Number(const DataType& type, uint64_t value) {
  if (type.id == TypeId::kDouble) {
    const auto number = static_cast<double>(value);
    return std::string(reinterpret_cast<const char*>(&number), 8);
  }
  return support::LittleEndian(value, type.byte_width);
}

ColumnFilter OfNumbers(const DataType& type, int64_t members) {
  ColumnFilter filter{type, ColumnFilter::Kind::kRanges, false, false, {}, nullptr, {}};
  if (members == 0) {
    filter.ranges = {
        {ValueBound{Number(type, 1000), true}, ValueBound{Number(type, 200'000), true}}};
    return filter;
  }
  filter.kind = ColumnFilter::Kind::kSet;
  Strings set;
  for (int64_t i = 0; i < members; ++i) {
    set.push_back(Number(type, static_cast<uint64_t>(i * i * 91 % 999'983 + i * 1009)));
  }
  std::sort(set.begin(), set.end(), [&](const std::string& a, const std::string& b) {
    return CompareValues(type, a, b) < 0;
  });
  set.erase(std::unique(set.begin(), set.end()), set.end());
  filter.set = std::make_shared<const Strings>(set);
  return filter;
}

/// Opening a page counts too.
void DecidePage(benchmark::State& state, SimdLevel level, const LeafCase& leaf_case,
                const EncodedCase& encoded, const ColumnFilter& filter, int64_t one_in) {
  std::mt19937_64 random(3);
  const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  ValueFilter value_filter =
      ValueFilter::Make(filter, leaf_case.leaf(), std::make_shared<const DataType>(leaf_case.type),
                        pool.get(), &kernels::Table(level))
          .value();
  if (encoded.dictionary && !value_filter.SetDictionary(encoded.dictionary).ok()) std::abort();
  std::vector<uint64_t> selection(static_cast<size_t>(BitmapWords(encoded.num_values)));
  for (int64_t i = 0; i < encoded.num_values; ++i) {
    if (random() % static_cast<uint64_t>(one_in) == 0) SetBit(selection.data(), i);
  }
  std::vector<uint64_t> passes(selection.size());
  const ValueRun run{encoded.num_values, one_in == 1 ? nullptr : selection.data(),
                     CountBits(selection.data(), 0, encoded.num_values)};
  std::unique_ptr<OpenedPage> opened;
  uint64_t least = ~uint64_t{0};
  for (auto _ : state) {
    state.PauseTiming();
    opened = std::make_unique<OpenedPage>(leaf_case, encoded);
    state.ResumeTiming();
    const uint64_t begin = bench::Ticks();
    if (!value_filter.Decide(opened->page(), run, passes.data()).ok()) std::abort();
    least = std::min(least, bench::Ticks() - begin);
  }
  state.counters["cycles"] =
      static_cast<double>(least) * bench::CyclesPerTick() / static_cast<double>(encoded.num_values);
}

Strings Numbers(const DataType& type, bool ascends) {
  std::mt19937_64 random(2);
  Strings stored;
  uint64_t value = 0;
  for (int64_t i = 0; i < kPageValues; ++i) {
    value = ascends ? value + random() % 30 : random() % 1'000'000;
    stored.push_back(Number(type, value));
  }
  return stored;
}

template <TypeId id, Encoding encoding, int64_t members, bool ascends = false>
void NumbersPage(benchmark::State& state, SimdLevel level, int64_t one_in) {
  std::mt19937_64 random(4);
  const LeafCase leaf_case = NumberLeaf(id);
  const EncodedCase encoded = Encode(leaf_case, encoding, Numbers(leaf_case.type, ascends), random);
  DecidePage(state, level, leaf_case, encoded, OfNumbers(leaf_case.type, members), one_in);
}

/// Codes of `bit_width` bits, packed.
template <int64_t one_in>
void CodesPage(benchmark::State& state, SimdLevel level, int64_t bit_width) {
  std::mt19937_64 random(4);
  const LeafCase leaf_case = NumberLeaf(TypeId::kInt64);
  Strings entries;
  const uint64_t size = (uint64_t{1} << bit_width) - (bit_width > 1 ? 1 : 0);
  for (uint64_t i = 0; i < size; ++i) entries.push_back(Bytes8(i * 7919 % 1'000'000));
  EncodedCase encoded = EncodeCodes(leaf_case, entries, 1, random);
  std::vector<uint64_t> codes;
  for (int64_t i = 0; i < kPageValues; ++i) codes.push_back(random() % size);
  Bytes bytes = {static_cast<uint8_t>(bit_width)};
  AppendPackedRun(bytes, codes, static_cast<int>(bit_width));
  encoded.bytes.assign(bytes.begin(), bytes.end());
  encoded.num_values = kPageValues;
  DecidePage(state, level, leaf_case, encoded, OfNumbers(leaf_case.type, 0), one_in);
}

/// Runs of `length` codes.
void RunsPage(benchmark::State& state, SimdLevel level, int64_t length) {
  std::mt19937_64 random(4);
  const LeafCase leaf_case = NumberLeaf(TypeId::kInt64);
  Strings entries;
  for (uint64_t i = 0; i < 100; ++i) entries.push_back(Bytes8(i * 7919));
  EncodedCase encoded = EncodeCodes(leaf_case, entries, 1, random);
  Bytes bytes = {7};
  encoded.num_values = 0;
  for (; encoded.num_values < kPageValues; encoded.num_values += length) {
    AppendRepeatedRun(bytes, static_cast<uint64_t>(length), random() % 100, 7);
  }
  encoded.bytes.assign(bytes.begin(), bytes.end());
  DecidePage(state, level, leaf_case, encoded, OfNumbers(leaf_case.type, 0), 1);
}

enum class StringTest { kAbsent, kEqual, kRange, kSet, kPrefix, kContains };

template <StringTest test>
void StringsPage(benchmark::State& state, SimdLevel level, int64_t one_in) {
  std::mt19937_64 random(4);
  const LeafCase leaf_case{"string", DataType::Of(TypeId::kString), PhysicalType::kByteArray, 0, {},
                           nullptr};
  Strings stored;
  for (int64_t i = 0; i < kPageValues; ++i) {
    stored.push_back((random() % 2 ? "user_" : "customer number ") +
                     std::to_string(random() % 1'000'000));
  }
  ColumnFilter filter{leaf_case.type, ColumnFilter::Kind::kRanges, false, false, {}, nullptr, {}};
  switch (test) {
    case StringTest::kAbsent:
      filter.ranges = {{ValueBound{"no such", true}, ValueBound{"no such", true}}};
      break;
    case StringTest::kEqual:
      filter.ranges = {{ValueBound{stored[5], true}, ValueBound{stored[5], true}}};
      break;
    case StringTest::kRange:
      filter.ranges = {{ValueBound{"customer number 5", true}, ValueBound{"user_5", true}}};
      break;
    case StringTest::kSet: {
      Strings set(stored.begin(), stored.begin() + 100);
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
      filter.kind = ColumnFilter::Kind::kSet;
      filter.set = std::make_shared<const Strings>(set);
      break;
    }
    case StringTest::kPrefix:
      filter.kind = ColumnFilter::Kind::kPrefix;
      filter.pattern = "user_77";
      break;
    case StringTest::kContains:
      filter.kind = ColumnFilter::Kind::kLike;
      filter.pattern = "%ber 77%";
  }
  DecidePage(state, level, leaf_case, Encode(leaf_case, Encoding::kPlain, stored, random), filter,
             one_in);
}

void AddAll() {
  using Table = KernelTable;
  // From 11 on: floating point.
  const std::vector<int64_t> ranges = {1, 2, 11, 12};
  Add("in_ranges_1", "ranges", {1, 2}, Ranges<uint8_t, &Table::in_ranges_1>);
  Add("in_ranges_2", "ranges", ranges, Ranges<uint16_t, &Table::in_ranges_2>);
  Add("in_ranges_4", "ranges", ranges, Ranges<uint32_t, &Table::in_ranges_4>);
  Add("in_ranges_8", "ranges", ranges, Ranges<uint64_t, &Table::in_ranges_8>);
  Add("equal_any_4", "points", {3, 8}, EqualAny<uint32_t, &Table::equal_any_4>);
  Add("equal_any_8", "points", {3, 8}, EqualAny<uint64_t, &Table::equal_any_8>);
  Add("look_up", "entries", {60, 250, 500, 1000, 2000, 4000, 10000, 1000000}, LookUp);
  const std::vector<int64_t> widths = {1, 2, 4, 6, 7, 8};
  Add("look_up_packed", "width", widths, LookUpPacked);
  Add("unpack_look_up", "width", {1, 2, 4, 6, 7, 8, 9, 10, 12, 16}, UnpackLookUp);

  const std::vector<int64_t> shares = {1, 2, 8, 20, 100};
  using enum Encoding;
  Add("plain_int32_range", "one_in", shares, NumbersPage<TypeId::kInt32, kPlain, 0>);
  Add("plain_int32_set_3", "one_in", {1}, NumbersPage<TypeId::kInt32, kPlain, 3>);
  Add("plain_int32_set_100", "one_in", shares, NumbersPage<TypeId::kInt32, kPlain, 100>);
  Add("plain_int64_range", "one_in", shares, NumbersPage<TypeId::kInt64, kPlain, 0>);
  Add("plain_int64_set_3", "one_in", {1}, NumbersPage<TypeId::kInt64, kPlain, 3>);
  Add("plain_int64_set_100", "one_in", shares, NumbersPage<TypeId::kInt64, kPlain, 100>);
  Add("plain_double_range", "one_in", {1}, NumbersPage<TypeId::kDouble, kPlain, 0>);
  Add("plain_double_set_100", "one_in", {1}, NumbersPage<TypeId::kDouble, kPlain, 100>);
  Add("split_double_range", "one_in", shares, NumbersPage<TypeId::kDouble, kByteStreamSplit, 0>);
  Add("alp_double_range", "one_in", shares, NumbersPage<TypeId::kDouble, kAlp, 0>);
  Add("delta_int64_random", "one_in", shares, NumbersPage<TypeId::kInt64, kDeltaBinaryPacked, 0>);
  Add("delta_int64_sorted", "one_in", shares,
      NumbersPage<TypeId::kInt64, kDeltaBinaryPacked, 0, true>);
  Add("codes", "width", {1, 4, 6, 8, 12, 16}, CodesPage<1>);
  Add("codes_one_in_8", "width", {1, 4, 6, 8, 12, 16}, CodesPage<8>);
  Add("codes_one_in_20", "width", {1, 4, 6, 8, 12, 16}, CodesPage<20>);
  Add("codes_one_in_100", "width", {1, 4, 6, 8, 12, 16}, CodesPage<100>);
  Add("runs", "length", {8, 64, 1000}, RunsPage);
  Add("string_absent", "one_in", {1, 2, 8}, StringsPage<StringTest::kAbsent>);
  Add("string_equal", "one_in", {1, 2, 8}, StringsPage<StringTest::kEqual>);
  Add("string_range", "one_in", {1, 2, 8}, StringsPage<StringTest::kRange>);
  Add("string_set_100", "one_in", {1, 2, 8}, StringsPage<StringTest::kSet>);
  Add("string_prefix", "one_in", {1, 2, 8}, StringsPage<StringTest::kPrefix>);
  Add("string_contains", "one_in", {1, 2, 8}, StringsPage<StringTest::kContains>);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  AddAll();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
