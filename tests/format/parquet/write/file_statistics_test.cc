// What a written file says of its values: statistics, page indexes and bloom filters.

#include <gtest/gtest.h>
#include <sluice/parquet/bloom_filter.h>
#include <sluice/parquet/writer.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "tests/format/parquet/write/written_file.h"

namespace sluice {
namespace {

using namespace parquet;  // NOLINT: the whole test is about it.
using support::Doubles;
using support::Fixed;
using support::kDoubleType;
using support::kInt64Type;
using support::kStringType;
using support::Nested;
using support::Null;
using support::Numbers;
using support::OneColumn;
using support::Plain;
using support::Text;
using support::WrittenFile;

TEST(FileStatistics, FloatStatistics) {  // faults S1, S4
  const WrittenFile file(OneColumn(kDoubleType), {Doubles({3.0, NAN, 0.0})});
  const Statistics& statistics = *file.chunk(0).statistics;
  EXPECT_EQ(statistics.min_value, Plain(-0.0));
  EXPECT_EQ(statistics.is_min_value_exact, false);
  EXPECT_EQ(statistics.max_value, Plain(3.0));
  EXPECT_EQ(statistics.is_max_value_exact, true);
  EXPECT_EQ(statistics.nan_count, 1);
  EXPECT_EQ(statistics.null_count, 0);
  EXPECT_FALSE(statistics.min.has_value() || statistics.max.has_value());
  EXPECT_EQ(file.column_index(0)->nan_counts, std::vector<int64_t>{1});

  // A page of nothing but NaN has no bounds, and then the chunk no column index.
  WriterOptions options;
  options.page_rows = 2;
  const WrittenFile all_nan(OneColumn(kDoubleType), {Doubles({1, 2, NAN, NAN})}, options);
  EXPECT_FALSE(all_nan.chunk(0).column_index.has_value());
  EXPECT_TRUE(all_nan.chunk(0).offset_index.has_value());
  EXPECT_EQ(all_nan.chunk(0).statistics->max_value, Plain(2.0));
  const WrittenFile only_nan(OneColumn(kDoubleType), {Doubles({NAN})});
  EXPECT_FALSE(only_nan.chunk(0).statistics->min_value.has_value());
  EXPECT_EQ(only_nan.chunk(0).statistics->nan_count, 1);
}

TEST(FileStatistics, NullsAreAlwaysCounted) {  // fault S10
  WriterOptions options;
  options.columns.statistics = false;
  const WrittenFile file(OneColumn(kInt64Type), {{Null(), Fixed(int64_t{5})}}, options);
  EXPECT_EQ(file.chunk(0).statistics->null_count, 1);
  EXPECT_FALSE(file.chunk(0).statistics->min_value.has_value());
  EXPECT_FALSE(file.chunk(0).column_index.has_value());
  const WrittenFile required(OneColumn(kInt64Type, false), {{Fixed(int64_t{5})}});
  EXPECT_EQ(required.chunk(0).statistics->null_count, 0);
  // Below lists, whatever has no value counts, as num_values does.
  const Schema lists = OneColumn(DataType::List({"element", kInt64Type, true, {}}));
  const WrittenFile nested(lists, {{Null(), Nested({}), Nested({Null(), Fixed(int64_t{1})})}});
  EXPECT_EQ(nested.chunk(0).statistics->null_count, 3);
  EXPECT_EQ(nested.chunk(0).num_values, 4);
  EXPECT_EQ(nested.chunk(0).size_statistics->definition_level_histogram,
            (std::vector<int64_t>{1, 1, 1, 1}));
  EXPECT_EQ(nested.chunk(0).size_statistics->repetition_level_histogram,
            (std::vector<int64_t>{3, 1}));
}

TEST(FileStatistics, LongBoundsAreCutAndFlagged) {  // faults S12, S13
  WriterOptions options;
  options.columns.max_bound_bytes = 16;
  const std::string text(20, 'a');
  const WrittenFile file(OneColumn(kStringType), {{Text(text), Text("b")}}, options);
  const Statistics& statistics = *file.chunk(0).statistics;
  EXPECT_EQ(statistics.min_value, std::string(16, 'a'));
  EXPECT_EQ(statistics.is_min_value_exact, false);
  EXPECT_EQ(statistics.max_value, "b");
  EXPECT_EQ(statistics.is_max_value_exact, true);
  EXPECT_EQ(file.column_index(0)->min_values[0], std::string(16, 'a'));
  EXPECT_EQ(file.chunk(0).size_statistics->unencoded_byte_array_data_bytes, 21);
  EXPECT_EQ(file.offset_index(0).unencoded_byte_array_data_bytes, std::vector<int64_t>{21});
  // No short bound is above this one.
  const Schema bytes = OneColumn(DataType::Of(TypeId::kBinary));
  const WrittenFile top(bytes, {{Text(std::string(20, '\xff'))}}, options);
  EXPECT_FALSE(top.chunk(0).statistics->max_value.has_value());
  EXPECT_TRUE(top.chunk(0).statistics->min_value.has_value());
  EXPECT_FALSE(top.chunk(0).column_index.has_value());
}

TEST(FileStatistics, TypesWithoutOrderHaveNoBounds) {
  for (const TypeId id : {TypeId::kInt96, TypeId::kInterval}) {
    const WrittenFile file(OneColumn(DataType::Of(id)), {{Text(std::string(12, 'x'))}});
    EXPECT_FALSE(file.chunk(0).statistics->min_value.has_value());
    EXPECT_FALSE(file.chunk(0).column_index.has_value());
    EXPECT_TRUE(file.chunk(0).offset_index.has_value());
  }
}

TEST(FileStatistics, ColumnIndexSaysHowPagesStand) {
  WriterOptions options;
  options.page_rows = 2;
  const auto number = [](int64_t value) { return Fixed(value); };
  const WrittenFile file(Schema{{{"up", kInt64Type, true, {}},
                                 {"down", kInt64Type, true, {}},
                                 {"mixed", kInt64Type, true, {}}}},
                         {{number(1), number(2), Null(), Null(), number(2), number(9)},
                          {number(-1), number(-2), number(-2), Null(), number(-5), number(-5)},
                          {number(1), number(2), number(9), number(9), number(0), number(3)}},
                         options);
  EXPECT_EQ(file.column_index(0)->boundary_order, BoundaryOrder::kAscending);
  EXPECT_EQ(file.column_index(0)->null_pages, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(file.column_index(0)->null_counts, (std::vector<int64_t>{0, 2, 0}));
  const auto index = file.column_index(0);
  EXPECT_EQ(std::vector<std::string>(index->min_values.begin(), index->min_values.end()),
            (std::vector<std::string>{Plain(int64_t{1}), "", Plain(int64_t{2})}));
  EXPECT_EQ(file.column_index(1)->boundary_order, BoundaryOrder::kDescending);
  EXPECT_EQ(file.column_index(2)->boundary_order, BoundaryOrder::kUnordered);
}

TEST(FileStatistics, BloomFilterHoldsEveryValue) {
  WriterOptions options;
  options.columns.bloom_filter = true;
  for (const bool dictionary : {true, false}) {
    options.columns.dictionary = dictionary;
    const WrittenFile file(OneColumn(kInt64Type), {Numbers(3000)}, options);
    const ColumnChunk& chunk = file.chunk(0);
    const auto bytes = file.Span({*chunk.bloom_filter_offset, *chunk.bloom_filter_length});
    const auto header = BloomFilter::ParseHeader(bytes);
    ASSERT_TRUE(header.has_value() && header->has_value());
    ASSERT_EQ((*header)->header_size + (*header)->num_bytes, *chunk.bloom_filter_length);
    Result<BufferRef> bitset = BufferPool::Make()->Allocate((*header)->num_bytes);
    std::memcpy((*bitset)->mutable_data(), bytes.data() + (*header)->header_size,
                static_cast<size_t>((*header)->num_bytes));
    const Result<BloomFilter> filter = BloomFilter::FromBitset(*bitset);
    ASSERT_TRUE(filter.has_value());
    int64_t false_positives = 0;
    for (int64_t i = 0; i < 6000; ++i) {
      const bool may = filter->MayContain(BloomHash({reinterpret_cast<const uint8_t*>(&i), 8}));
      EXPECT_TRUE(may || i >= 3000) << i;
      if (i >= 3000 && may) ++false_positives;
    }
    EXPECT_LT(false_positives, 150);
  }
}

}  // namespace
}  // namespace sluice
