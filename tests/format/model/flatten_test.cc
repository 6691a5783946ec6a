#include "format/model/flatten.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/cells.h"
#include "tests/support/messy_columns.h"

namespace sluice {
namespace {

using support::Cell;
using support::CellsOf;
using support::RandomColumns;

std::shared_ptr<BufferPool> Pool() {
  static const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  return pool;
}

BufferRef RowNumbers(const std::vector<int32_t>& rows) {
  BufferRef buffer = Pool()->Allocate(static_cast<int64_t>(rows.size() * 4)).value();
  std::copy(rows.begin(), rows.end(), buffer->mutable_as<int32_t>());
  return buffer;
}

void ExpectContent(const Result<Column>& column, const std::vector<Cell>& cells) {
  ASSERT_TRUE(column) << column.error().ToString();
  const Status valid = ValidateColumn(*column);
  ASSERT_TRUE(valid.ok()) << valid.ToString();
  ASSERT_TRUE(CellsOf(*column) == cells) << column->type->ToString();
}

TEST(Flatten, GivesTheSameRowsInAFlatForm) {
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    RandomColumns random(seed);
    const Field field{"c", random.Type(3), true, std::nullopt};
    const std::vector<Cell> cells = random.Cells(field, random.Below(200), 0.3);
    const Column column = support::BuildMessyColumn(field.type, cells, random);
    const auto flat = Flatten(column, *Pool());
    ExpectContent(flat, cells);
    EXPECT_EQ(flat->form, field.type.is_view() ? ColumnForm::kView : ColumnForm::kFlat);
  }
}

TEST(Flatten, KnowsDictionariesAndConstantsOfNestedTypes) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomColumns random(seed);
    const DataType type = DataType::List({"element", random.Type(2), true, std::nullopt});
    const std::vector<Cell> cells = random.Cells({"c", type, true, std::nullopt}, 50, 0.3);
    ExpectContent(Flatten(support::BuildDictionaryColumn(type, cells), *Pool()), cells);
    ExpectContent(Flatten(support::BuildConstantColumn(type, cells[0], 70), *Pool()),
                  std::vector<Cell>(70, cells[0]));
  }
}

TEST(Flatten, SharesWhatIsFlat) {
  const Column numbers = support::BuildColumn(DataType::Of(TypeId::kInt32), {support::Fixed(7)});
  EXPECT_EQ(Flatten(numbers, *Pool())->data, numbers.data);
}

TEST(Flatten, RefusesCodesOutsideTheDictionary) {
  Column column = support::BuildDictionaryColumn(DataType::Of(TypeId::kInt32),
                                                 {support::Fixed(7), support::Null()});
  for (const int32_t code : {1, -1}) {
    column.data = RowNumbers({code, 0});
    const auto flat = Flatten(column, *Pool());
    ASSERT_FALSE(flat);
    EXPECT_EQ(flat.error().code(), StatusCode::kInternal);
  }
  column.data = RowNumbers({0, 12345});
  ExpectContent(Flatten(column, *Pool()), {support::Fixed(7), support::Null()});
  column.dictionary = std::make_shared<const Column>(
      support::BuildColumn(DataType::Of(TypeId::kInt32), {support::Null()}));
  EXPECT_EQ(Flatten(column, *Pool()).error().code(), StatusCode::kInternal);
}

TEST(TakeRows, TakesRowsOfEveryTypeAndForm) {
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    RandomColumns random(seed);
    const Field field{"c", random.Type(3), true, std::nullopt};
    const int64_t count = 1 + random.Below(100);
    const std::vector<Cell> cells = random.Cells(field, count, 0.3);
    std::vector<int32_t> rows;
    std::vector<Cell> expected;
    for (int64_t i = random.Below(150); i > 0; --i) {
      rows.push_back(static_cast<int32_t>(random.Below(count)));
      expected.push_back(cells[static_cast<size_t>(rows.back())]);
    }
    const Column column = support::BuildMessyColumn(field.type, cells, random);
    const auto taken = TakeRows(column, RowNumbers(rows)->as<int32_t>(),
                                static_cast<int64_t>(rows.size()), *Pool());
    ExpectContent(taken, expected);
    EXPECT_EQ(taken->form, column.form);
  }
}

TEST(TakeRows, OfNoRowsGivesNulls) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    RandomColumns random(seed);
    const DataType type = random.Type(3);
    const Column column = support::BuildMessyColumn(type, {}, random);
    const auto taken = TakeRows(column, RowNumbers({0, 0, 0})->as<int32_t>(), 3, *Pool());
    ExpectContent(taken, std::vector<Cell>(3, support::Null()));
  }
}

TEST(TakeRows, CountsElementsInside32Bits) {
  // 2^20 elements in a row, taken 2^11 times: one more than int32 counts.
  const DataType type = DataType::List({"element", DataType::Of(TypeId::kNull), true, {}});
  Cell list;
  list.children.assign(1 << 20, support::Null());
  const Column column = support::BuildColumn(type, {list});
  const std::vector<int32_t> rows(1 << 11, 0);
  const auto taken = TakeRows(column, RowNumbers(rows)->as<int32_t>(), 1 << 11, *Pool());
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code(), StatusCode::kResourceExhausted);
}

TEST(TakeRows, KeepsTheBudget) {
  const auto pool = BufferPool::Make(1 << 10);
  const Column column =
      support::BuildConstantColumn(DataType::Of(TypeId::kInt64), support::Fixed(int64_t{7}), 1000);
  const auto flat = Flatten(column, *pool);
  ASSERT_FALSE(flat);
  EXPECT_EQ(flat.error().code(), StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace sluice
