#include <gtest/gtest.h>
#include <sluice/parquet/page_index.h>
#include <sluice/parquet/reader.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/file_builder.h"
#include "tests/support/file_reading.h"
#include "tests/support/padded_buffer.h"
#include "tests/support/page_bytes.h"

namespace sluice::support {
namespace {

using parquet::BoundaryOrder;
using parquet::ColumnIndex;
using parquet::ColumnOrder;
using parquet::FileMetadata;

/// The columns that indexes are of.
enum Column : int32_t { kOptionalInt32, kDouble, kFixed, kList, kUint32, kInt96, kNumColumns };

class ColumnIndexCheck : public testing::Test {
 protected:
  ColumnIndexCheck() {
    ElementSpec fixed = Required("fixed", PhysicalType::kFixedLenByteArray);
    fixed.type_length = 4;
    ElementSpec unsigned_integer = Required("unsigned", PhysicalType::kInt32);
    unsigned_integer.converted_type = kConvertedUint32;
    FileSpec file;
    file.schema = {Optional("a", PhysicalType::kInt32),
                   Required("b", PhysicalType::kDouble),
                   fixed,
                   Repeated("list", PhysicalType::kInt32),
                   unsigned_integer,
                   Required("old", PhysicalType::kInt96)};
    const std::string bytes = BuildFile(file).bytes;
    reader_ = *OpenBytes(bytes);
    metadata_ = *reader_->metadata();
    metadata_.column_orders.assign(kNumColumns, ColumnOrder::kTypeDefined);
  }

  Status Check(const ColumnIndex& index, Column column = kOptionalInt32,
               std::vector<int64_t> page_values = {10, 10, 10}) const {
    return CheckColumnIndex(index, metadata_, *reader_->tree(), column, page_values);
  }
  /// That `change` makes a right index wrong, in this way.
  template <typename Change>
  void ExpectWrong(const char* what, Change&& change) const {
    ColumnIndex index = Ascending();
    change(index);
    const Status status = Check(index);
    EXPECT_EQ(status.code(), StatusCode::kCorruption);
    EXPECT_NE(status.ToString().find(what), std::string::npos) << status.ToString();
  }

  /// Of three pages of ten optional int32, the second only nulls.
  static ColumnIndex Ascending() {
    ColumnIndex index;
    index.null_pages = {false, true, false};
    index.min_values = {Kept(PlainInt32({-5})), "", Kept(PlainInt32({5}))};
    index.max_values = {Kept(PlainInt32({5})), "", Kept(PlainInt32({7}))};
    index.boundary_order = BoundaryOrder::kAscending;
    index.null_counts = {0, 10, 9};
    index.definition_level_histograms = {0, 10, 10, 0, 9, 1};
    index.repetition_level_histograms = {10, 10, 10};
    return index;
  }
  /// One page a pair of bounds.
  static ColumnIndex Of(const std::vector<std::pair<std::string, std::string>>& bounds,
                        BoundaryOrder order = BoundaryOrder::kUnordered) {
    ColumnIndex index;
    for (const auto& [min, max] : bounds) {
      index.null_pages.push_back(false);
      index.min_values.push_back(Kept(min));
      index.max_values.push_back(Kept(max));
    }
    index.boundary_order = order;
    return index;
  }

  std::shared_ptr<parquet::FileReader> reader_;
  FileMetadata metadata_;
};

TEST_F(ColumnIndexCheck, OneThatIsRight) {
  const Status status = Check(Ascending());
  EXPECT_TRUE(status.ok()) << status.ToString();
  ColumnIndex bare = Ascending();
  bare.null_counts.clear();
  bare.definition_level_histograms.clear();
  bare.repetition_level_histograms.clear();
  EXPECT_TRUE(Check(bare).ok());
  EXPECT_TRUE(Check(ColumnIndex(), kOptionalInt32, {}).ok());
}

TEST_F(ColumnIndexCheck, PagesThatAreNotThere) {
  EXPECT_NE(Check(Ascending(), kOptionalInt32, {10, 20}).ToString().find("has 3 pages"),
            std::string::npos);
}

TEST_F(ColumnIndexCheck, CountsThatCannotBe) {
  ExpectWrong("null page has values by its null count: page 1",  // fault I1
              [](ColumnIndex& index) { index.null_counts[1] = 0; });
  ExpectWrong("null page has values by its null count: page 1",
              [](ColumnIndex& index) { index.null_counts[1] = 9; });
  ExpectWrong("has no values by its null count: page 2",
              [](ColumnIndex& index) { index.null_counts[2] = 10; });
  ExpectWrong("null count is impossible: page 0",
              [](ColumnIndex& index) { index.null_counts[0] = -1; });
  ExpectWrong("null count is impossible: page 1",
              [](ColumnIndex& index) { index.null_counts[1] = 11; });
  ExpectWrong("NaN count is impossible: page 2", [](ColumnIndex& index) {
    index.nan_counts = {10, 0, 2};
  });
  ExpectWrong("NaN count is impossible: page 0", [](ColumnIndex& index) {
    index.nan_counts = {-1, 0, 0};
  });
}

TEST_F(ColumnIndexCheck, HistogramsThatCannotBe) {
  ExpectWrong("level histogram is impossible: page 0",
              [](ColumnIndex& index) { index.definition_level_histograms[0] = INT64_MAX; });
  ExpectWrong("level histogram is impossible: page 2",
              [](ColumnIndex& index) { index.definition_level_histograms[4] = -1; });
  ExpectWrong("counts too few levels: page 1",
              [](ColumnIndex& index) { index.definition_level_histograms[2] = 9; });
  ExpectWrong("does not fit the column's levels",
              [](ColumnIndex& index) { index.definition_level_histograms.resize(9); });
}

TEST_F(ColumnIndexCheck, BoundsThatContradict) {
  ExpectWrong("lower bound is above the upper one: page 0",
              [](ColumnIndex& index) { index.min_values[0] = Kept(PlainInt32({6})); });
  ExpectWrong("bound is no value of the column: page 2",
              [](ColumnIndex& index) { index.max_values[2] = "abc"; });
  ExpectWrong("not in the order that it claims: page 2",
              [](ColumnIndex& index) { index.min_values[2] = Kept(PlainInt32({-6})); });
  ExpectWrong("not in the order that it claims: page 2",
              [](ColumnIndex& index) { index.boundary_order = BoundaryOrder::kDescending; });
}

TEST_F(ColumnIndexCheck, OrdersAreThoseOfTheType) {
  const auto bits = [](uint32_t value) { return LittleEndian(value, 4); };
  EXPECT_FALSE(Check(Of({{bits(0xffffffff), bits(1)}}), kUint32, {10}).ok());
  EXPECT_TRUE(Check(Of({{bits(0xffffffff), bits(1)}}), kOptionalInt32, {10}).ok());
  const ColumnIndex descending =
      Of({{PlainDouble({3}), PlainDouble({4})}, {PlainDouble({1}), PlainDouble({4})}},
         BoundaryOrder::kDescending);
  EXPECT_TRUE(Check(descending, kDouble, {10, 10}).ok());
}

TEST_F(ColumnIndexCheck, BoundsWithoutAnOrderAreNotCompared) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(Check(Of({{PlainDouble({nan}), PlainDouble({1})}}), kDouble, {10}).ok());
  // Of an INT96 by the order of its type only where the file says that it is.
  const ColumnIndex reversed = Of({{PlainInt96(0, 2'440'589), PlainInt96(0, 2'440'588)}});
  EXPECT_TRUE(Check(reversed, kInt96, {10}).ok());
  metadata_.column_orders[kInt96] = ColumnOrder::kInt96Timestamp;
  EXPECT_FALSE(Check(reversed, kInt96, {10}).ok());
  // Shortened.
  EXPECT_TRUE(Check(Of({{"b", "aaaa"}}), kFixed, {10}).ok());
  EXPECT_FALSE(Check(Of({{"bbbb", "aaaa"}}), kFixed, {10}).ok());
  // No order in the footer.
  metadata_.column_orders.clear();
  EXPECT_TRUE(Check(Of({{"bbbb", "aaaa"}}), kFixed, {10}).ok());
}

TEST_F(ColumnIndexCheck, ListsWithoutElementsMayCountAsNulls) {
  ColumnIndex index = Of({{PlainInt32({1}), PlainInt32({2})}, {"", ""}});
  index.null_pages[1] = true;
  index.null_counts = {3, 0};
  EXPECT_TRUE(Check(index, kList, {10, 10}).ok());
  index.null_counts = {3, 10};
  EXPECT_TRUE(Check(index, kList, {10, 10}).ok());
  index.null_counts = {10, 10};
  EXPECT_FALSE(Check(index, kList, {10, 10}).ok());
}

}  // namespace
}  // namespace sluice::support
