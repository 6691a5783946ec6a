#include "format/model/column_rows.h"

#include <gtest/gtest.h>
#include <sluice/bitmap.h>

#include <vector>

#include "tests/support/cells.h"
#include "tests/support/random_columns.h"

namespace sluice {
namespace {

using support::Cell;
using support::CellsOf;
using support::RandomColumns;

/// Each form in which a column of the type can be.
std::vector<Column> FormsOf(const DataType& type, const std::vector<Cell>& cells) {
  std::vector<Column> forms{support::BuildColumn(type, cells)};
  if (!type.is_nested() && type.id != TypeId::kNull) {
    forms.push_back(support::BuildDictionaryColumn(type, cells));
  }
  return forms;
}

TEST(ColumnRows, SelectsRowsOfEveryTypeAndForm) {
  const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    RandomColumns random(seed);
    const Field field{"c", random.Type(3), true, std::nullopt};
    const int64_t count = 1 + random.Below(300);
    const std::vector<Cell> cells = random.Cells(field, count, 0.3);
    std::vector<uint64_t> bits(static_cast<size_t>(BitmapWords(count)) + 8);
    std::vector<Cell> expected;
    const double density = std::vector<double>{0, 0.05, 0.5, 1}[random.Below(4)];
    for (int64_t row = 0; row < count; ++row) {
      if (!random.Chance(density)) continue;
      SetBit(bits.data(), row);
      expected.push_back(cells[static_cast<size_t>(row)]);
    }
    for (const Column& column : FormsOf(field.type, cells)) {
      const auto rows =
          SelectRows(column, bits.data(), static_cast<int64_t>(expected.size()), *pool);
      ASSERT_TRUE(rows) << rows.status().ToString();
      const Status valid = ValidateColumn(*rows);
      ASSERT_TRUE(valid.ok()) << valid.ToString();
      ASSERT_TRUE(CellsOf(*rows) == expected) << field.type.ToString();
    }
  }
}

TEST(ColumnRows, TakesTheFirstRows) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    RandomColumns random(seed);
    const Field field{"c", random.Type(3), true, std::nullopt};
    const int64_t count = 1 + random.Below(200);
    std::vector<Cell> cells = random.Cells(field, count, 0.3);
    const int64_t kept = random.Below(count + 1);
    const std::vector<Column> forms = FormsOf(field.type, cells);
    cells.resize(static_cast<size_t>(kept));
    for (const Column& column : forms) {
      const Column rows = FirstRows(column, kept);
      const Status valid = ValidateColumn(rows);
      ASSERT_TRUE(valid.ok()) << valid.ToString();
      ASSERT_TRUE(CellsOf(rows) == cells) << field.type.ToString();
    }
  }
}

TEST(ColumnRows, ConstantsStayConstants) {
  const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  const Column seven =
      support::BuildConstantColumn(DataType::Of(TypeId::kInt32), support::Fixed(int32_t{7}), 100);
  const uint64_t bits[10] = {0xF0};
  const auto rows = SelectRows(seven, bits, 4, *pool);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->form, ColumnForm::kConstant);
  EXPECT_EQ(CellsOf(*rows), std::vector<Cell>(4, support::Fixed(int32_t{7})));
  EXPECT_EQ(FirstRows(seven, 3).length, 3);
}

// Where every row is null no bitmap need say so.
TEST(ColumnRows, RowsThatAreAllNull) {
  const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  const DataType type = DataType::Of(TypeId::kInt32);
  const Column constant = support::BuildConstantColumn(type, support::Null(), 100);
  Column flat = support::BuildColumn(type, std::vector<Cell>(100, support::Null()));
  flat.validity.reset();
  const Column nulls =
      support::BuildColumn(DataType::Of(TypeId::kNull), std::vector<Cell>(100, support::Null()));
  const uint64_t bits[10] = {0xF0};
  const uint64_t no_bits[10] = {};
  for (const Column& column : {constant, flat, nulls}) {
    for (const int64_t count : {0, 4}) {
      const auto rows = SelectRows(column, count == 0 ? no_bits : bits, count, *pool);
      ASSERT_TRUE(rows);
      for (const Column& some : {*rows, FirstRows(column, count)}) {
        const Status valid = ValidateColumn(some);
        EXPECT_TRUE(valid.ok()) << valid.ToString();
        EXPECT_EQ(some.null_count, count);
        EXPECT_EQ(CellsOf(some), std::vector<Cell>(static_cast<size_t>(count), support::Null()));
      }
    }
  }
}

}  // namespace
}  // namespace sluice
