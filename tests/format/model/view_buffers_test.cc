#include "format/model/view_buffers.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "format/model/column_rows.h"
#include "tests/support/cells.h"

namespace sluice {
namespace {

using support::Cell;
using support::CellsOf;

const Field kText{"text", DataType::Of(TypeId::kString), true, std::nullopt};

/// A list of structs of a text: two elements a row, null in every fifth row.
const DataType kNested = DataType::List({"element", DataType::Struct({kText}), true, std::nullopt});

std::vector<Cell> NestedCells(int64_t rows) {
  std::vector<Cell> cells;
  for (int64_t row = 0; row < rows; ++row) {
    const Cell text = support::Text("a text of more than twelve bytes, " + std::to_string(row));
    const Cell short_text = row % 3 == 0 ? support::Null() : support::Text("short");
    cells.push_back(
        row % 5 == 0 ? support::Null()
                     : support::Nested({support::Nested({text}), support::Nested({short_text})}));
  }
  return cells;
}

Column& TextsOf(Column& list) { return list.children[0].children[0]; }

int64_t Pinned(const Column& texts) {
  int64_t bytes = 0;
  for (const BufferRef& buffer : texts.view_buffers) bytes += buffer->root().size();
  return bytes;
}

TEST(ViewBuffers, OfNestedColumnsAreLetGo) {
  const auto pool = BufferPool::Make();
  std::vector<Cell> cells = NestedCells(100);
  const Column whole = support::BuildColumn(kNested, cells);
  Column few = FirstRows(whole, 7);
  // Not of a batch that keeps most of its rows.
  Column most = FirstRows(whole, 90);
  UnpinStrings(few, *pool);
  UnpinStrings(most, *pool);
  EXPECT_EQ(TextsOf(most).view_buffers, whole.children[0].children[0].view_buffers);
  ASSERT_TRUE(ValidateColumn(few).ok()) << ValidateColumn(few).ToString();
  // Others have the views as they were.
  EXPECT_EQ(CellsOf(whole), cells);
  cells.resize(7);
  EXPECT_EQ(CellsOf(few), cells);
  EXPECT_LT(Pinned(TextsOf(few)), Pinned(TextsOf(most)) / 4);
  EXPECT_GT(pool->bytes_in_use(), 0);
  // Nothing is left to let go of.
  const std::vector<BufferRef> buffers = TextsOf(few).view_buffers;
  UnpinStrings(few, *pool);
  EXPECT_EQ(TextsOf(few).view_buffers, buffers);
}

// Views of null rows mean nothing, and point nowhere.
TEST(ViewBuffers, WhateverNullRowsHold) {
  const auto pool = BufferPool::Make();
  std::vector<Cell> cells(50, support::Text("a text of more than twelve bytes"));
  cells[1] = support::Null();
  Column column = support::BuildColumn(kText.type, cells);
  StringView& view = column.data->mutable_as<StringView>()[1];
  view.length = 1000;
  view.outside.buffer = 77;
  column = FirstRows(column, 3);
  UnpinStrings(column, *pool);
  ASSERT_EQ(column.view_buffers.size(), 1U);
  EXPECT_EQ(column.view_buffers[0]->size(), 2 * 32);
  cells.resize(3);
  EXPECT_EQ(CellsOf(column), cells);
}

TEST(ViewBuffers, StayWhereThereIsNoRoom) {
  const auto pool = BufferPool::Make(10);
  const std::vector<Cell> cells = NestedCells(100);
  Column few = FirstRows(support::BuildColumn(kNested, cells), 5);
  const std::vector<BufferRef> buffers = TextsOf(few).view_buffers;
  UnpinStrings(few, *pool);
  EXPECT_EQ(TextsOf(few).view_buffers, buffers);
  EXPECT_EQ(CellsOf(few), std::vector<Cell>(cells.begin(), cells.begin() + 5));
}

}  // namespace
}  // namespace sluice
