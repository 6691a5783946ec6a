// Values that cannot be exported: the errors name their column and row, and nothing is said of
// values that belong to no row.

#include <gtest/gtest.h>
#include <sluice/arrow.h>

#include <string>
#include <vector>

#include "tests/format/model/arrow/exportable_columns.h"
#include "tests/format/model/valid_columns.h"

namespace sluice {
namespace {

using support::Cell;

Cell Int96(int64_t nanoseconds, int32_t day) {
  return support::Text(Bytes(nanoseconds, 8) + Bytes(day, 4));
}

const Cell kMoment = Int96(0, 2'440'588);
const Cell kFarAway = Int96(86'399'999'999'900, 5'373'484);

Status StatusOf(const Column& column, const ArrowExportOptions& options = {}) {
  support::Owned<ArrowArray> array;
  return ExportBatch(BatchOf(column), options, nullptr, &array);
}

void ExpectRowError(const Column& column, StatusCode code, const std::string& message) {
  const Status status = StatusOf(column);
  EXPECT_EQ(status.code(), code);
  EXPECT_EQ(status.message(), message);
}

/// fault T1: never a wrapped value, nor a silent null.
TEST(RowErrors, T1Int96OutsideOf64BitNanoseconds) {
  const DataType type = DataType::Of(TypeId::kInt96);
  const std::vector<Cell> cells = {kMoment, support::Null(), kFarAway};
  const std::string message =
      "column 'c': row 2: does not fit a timestamp of 64 bits: 9999-12-31T23:59:59.999999900";
  ExpectRowError(support::BuildColumn(type, cells), StatusCode::kRowError, message);
  ExpectRowError(support::BuildDictionaryColumn(type, cells), StatusCode::kRowError, message);
  ExpectRowError(support::BuildConstantColumn(type, kFarAway, 3), StatusCode::kRowError,
                 "column 'c': row 0: does not fit a timestamp of 64 bits: "
                 "9999-12-31T23:59:59.999999900");
  ArrowExportOptions options;
  options.int96_unit = TimeUnit::kMicroseconds;
  EXPECT_EQ(Exported(BatchOf(support::BuildColumn(type, cells)), options).at(0),
            (std::vector<Cell>{support::Fixed(int64_t{0}), support::Null(),
                               support::Fixed(int64_t{253'402'300'799'999'999})}));
}

TEST(RowErrors, IntervalsOf31Bits) {
  const auto interval = [](int64_t months, int64_t days) {
    return support::Text(Bytes(months, 4) + Bytes(days, 4) + Bytes(1, 4));
  };
  const std::string message =
      "column 'c': row 1: an interval has more months or days than 31 bits hold";
  for (const Cell& wide : {interval(1LL << 31, 0), interval(0, 1LL << 31)}) {
    ExpectRowError(support::BuildColumn(DataType::Of(TypeId::kInterval), {interval(1, 2), wide}),
                   StatusCode::kRowError, message);
  }
}

TEST(RowErrors, KeysThatAreNull) {
  const Field key{"key", DataType::Of(TypeId::kInt32), true, {}};
  const Field value{"value", DataType::Of(TypeId::kInt32), true, {}};
  Column column = Flat(DataType::Map(key, value), 3, BufferOf<int32_t>({1, 1, 2, 4}));
  column.children = {Numbers({0, 1, 2, 3}), Numbers({5, 6, 7, 8})};
  ASSERT_TRUE(StatusOf(column).ok());
  column.children[0].validity = Validity({false, true, true, false});
  column.children[0].null_count = 2;
  ExpectRowError(column, StatusCode::kUnsupported,
                 "column 'c.key': row 2: a key is null, of which Arrow's maps have none");
  // Keys of no row do not leave: before the first map, in one that is null, or further up.
  const Cell entry = support::Nested({support::Fixed(int32_t{1}), support::Fixed(int32_t{6})});
  Column null_map = column;
  null_map.validity = Validity({true, true, false});
  null_map.null_count = 1;
  EXPECT_EQ(Exported(BatchOf(null_map)).at(0),
            (std::vector<Cell>{support::Nested({}), support::Nested({entry}), support::Null()}));
  Column record = Flat(DataType::Struct({{"m", *column.type, true, {}}}), 3, nullptr);
  record.children = {column};
  record.validity = Validity({true, true, false});
  record.null_count = 1;
  EXPECT_EQ(Exported(BatchOf(record)).at(0),
            (std::vector<Cell>{support::Nested({support::Nested({})}),
                               support::Nested({support::Nested({entry})}), support::Null()}));
}

/// A list of structs of lists, of which one element is bad.
Column Deep(const std::vector<Cell>& cells) {
  const DataType inner = DataType::List({"element", DataType::Of(TypeId::kInt96), true, {}});
  const DataType record = DataType::Struct({{"a.b", inner, true, {}}});
  return support::BuildColumn(DataType::List({"list", record, true, {}}), cells);
}

TEST(RowErrors, NameTheRowOfTheBatch) {
  const auto record = [](std::vector<Cell> cells) {
    return support::Nested({support::Nested(std::move(cells))});
  };
  const std::vector<Cell> cells = {
      support::Nested({}),
      support::Nested({record({kMoment, kMoment}), record({})}),
      support::Null(),
      support::Nested({support::Null(), record({kMoment}), record({kMoment, kFarAway})}),
      support::Nested({record({kMoment})}),
  };
  Column column = Deep(cells);
  ExpectRowError(column, StatusCode::kRowError,
                 "column 'c.list.\"a.b\".element': row 3: does not fit a timestamp of 64 bits: "
                 "9999-12-31T23:59:59.999999900");
  // At each level, it is of no row where that is null.
  Column inner_null = column;
  inner_null.children[0].children[0].validity = Validity({true, true, true, true, false, true});
  inner_null.children[0].children[0].null_count = 1;
  EXPECT_TRUE(StatusOf(inner_null).ok());
  Column record_null = column;
  record_null.children[0].validity = Validity({true, true, false, true, false, true});
  record_null.children[0].null_count = 2;
  EXPECT_TRUE(StatusOf(record_null).ok());
  Column list_null = column;
  list_null.validity = Validity({true, true, false, false, true});
  list_null.null_count = 2;
  EXPECT_TRUE(StatusOf(list_null).ok());
}

TEST(RowErrors, SayNothingOfNullsAndWhatIsBetweenLists) {
  Column column = Flat(DataType::List({"element", DataType::Of(TypeId::kInt96), true, {}}), 2,
                       BufferOf<int32_t>({1, 1, 2}));
  column.children.push_back(
      support::BuildColumn(DataType::Of(TypeId::kInt96), {kFarAway, kMoment, kFarAway}));
  EXPECT_EQ(
      Exported(BatchOf(column)).at(0),
      (std::vector<Cell>{support::Nested({}), support::Nested({support::Fixed(int64_t{0})})}));
}

}  // namespace
}  // namespace sluice
