// What was read of a file as a column of a table, form by form.

#include "engine/scan/adapt_column.h"

#include <gtest/gtest.h>
#include <sluice/value.h>

#include <optional>
#include <string>
#include <utility>

#include "tests/support/cells.h"

namespace sluice::engine {
namespace {

using support::Cell;
using support::Nested;
using support::Null;

Cell Int(int32_t value) { return support::Fixed(value); }

/// The file's column as the projection of the mapping's paths delivers it: structs lose what is not
/// read. `is_whole`: below a list.
Column Project(const ColumnMapping& mapping, Column column, bool is_whole) {
  if (!mapping.is_read() || column.children.empty()) return column;
  if (column.type->id != TypeId::kStruct) return column;
  if (is_whole) return column;
  std::vector<Column> kept;
  DataType type = *column.type;
  type.children.clear();
  for (size_t i = 0; i < column.children.size(); ++i) {
    for (const ColumnMapping& child : mapping.children) {
      if (!child.is_read() || child.ordinal != static_cast<int32_t>(i)) continue;
      kept.push_back(Project(child, column.children[i], false));
      type.children.push_back(column.type->children[i]);
      type.children.back().type = *kept.back().type;
    }
  }
  column.type = std::make_shared<const DataType>(std::move(type));
  column.children = std::move(kept);
  return column;
}

struct Adapted {
  ColumnMapping mapping;
  Column projected;
  Result<WidenedColumn> result;
};

/// Column `cells` of a file in which it is `file`, as the table's `wanted`.
Adapted Adapt(const Field& wanted, const Field& file, const std::vector<Cell>& cells) {
  const std::vector<int32_t> positions = {0};
  auto mappings = MapColumns({{wanted}}, positions, {{file}}, ColumnMatch::kPosition);
  EXPECT_TRUE(mappings) << mappings.status().ToString();
  Adapted adapted{std::move((*mappings)[0]), {}, Status::Internal("not adapted")};
  adapted.projected = Project(adapted.mapping, support::BuildColumn(file.type, cells), false);
  adapted.result =
      AdaptColumn(adapted.mapping, adapted.mapping.is_read() ? &adapted.projected : nullptr,
                  static_cast<int64_t>(cells.size()), *BufferPool::Make(), nullptr);
  return adapted;
}

void ExpectCells(const Adapted& adapted, const std::vector<Cell>& cells) {
  ASSERT_TRUE(adapted.result) << adapted.result.status().ToString();
  const Column& column = adapted.result->column;
  const Status valid = ValidateColumn(column);
  EXPECT_TRUE(valid.ok()) << valid.ToString();
  EXPECT_EQ(*column.type, *adapted.mapping.type);
  EXPECT_EQ(support::CellsOf(column), cells);
  EXPECT_TRUE(adapted.result->misfits.empty());
}

const Field kInt{"i", DataType::Of(TypeId::kInt32), true, std::nullopt};
const Field kLong{"i", DataType::Of(TypeId::kInt64), true, std::nullopt};
const Field kOther{"other", DataType::Of(TypeId::kString), true, std::nullopt};

Field StructOf(std::vector<Field> fields) {
  return {"s", DataType::Struct(std::move(fields)), true, std::nullopt};
}
Field ListOf(const Field& element) { return {"l", DataType::List(element), true, std::nullopt}; }

// contracts L-32, V-84: a constant, of any type.
TEST(AdaptColumn, AbsentColumnsAreNull) {
  const auto pool = BufferPool::Make();
  for (const Field& field : {kInt, StructOf({kInt, ListOf(kOther)}), ListOf(StructOf({kInt})),
                             Field{"m", DataType::Map(kInt, ListOf(kInt)), true, std::nullopt},
                             Field{"n", DataType::Of(TypeId::kNull), true, std::nullopt}}) {
    const std::vector<int32_t> positions = {0};
    const auto mappings = MapColumns({{field}}, positions, {{kOther}}, ColumnMatch::kName);
    ASSERT_TRUE(mappings);
    for (const int64_t rows : {0, 3, 200}) {
      const auto column = AdaptColumn((*mappings)[0], nullptr, rows, *pool, nullptr);
      ASSERT_TRUE(column);
      EXPECT_EQ(column->column.form, ColumnForm::kConstant);
      EXPECT_EQ(column->column.null_count, rows);
      const Status valid = ValidateColumn(column->column);
      EXPECT_TRUE(valid.ok()) << valid.ToString();
      EXPECT_EQ(support::CellsOf(column->column),
                std::vector<Cell>(static_cast<size_t>(rows), Null()));
    }
  }
  EXPECT_EQ(pool->peak_bytes(), 0);
}

// contract V-77: what a column had before it was there is for the caller to say.
TEST(AdaptColumn, DefaultsTakeThePlaceOfNull) {
  const std::vector<int32_t> positions = {0};
  auto mappings = MapColumns({{kInt}}, positions, {{kOther}}, ColumnMatch::kName);
  const std::optional<std::string> default_value = Int(42).bytes;
  (*mappings)[0].constant =
      std::make_shared<const Column>(ColumnOf(kInt.type, {&default_value, 1}));
  const auto column = AdaptColumn((*mappings)[0], nullptr, 2, *BufferPool::Make(), nullptr);
  ASSERT_TRUE(column);
  EXPECT_TRUE(ValidateColumn(column->column).ok());
  EXPECT_EQ(support::CellsOf(column->column), (std::vector<Cell>{Int(42), Int(42)}));
}

TEST(AdaptColumn, WhatStaysIsShared) {
  const Field list = ListOf(kInt);
  const std::vector<Cell> cells = {Nested({Int(1), Nested({Int(2), Int(3)})}), Null()};
  const Adapted same = Adapt(StructOf({kInt, list}), StructOf({kInt, list}), cells);
  ExpectCells(same, cells);
  EXPECT_TRUE(same.mapping.is_identity);
  EXPECT_EQ(same.result->column.type, same.projected.type);
  EXPECT_EQ(same.result->column.children[1].data, same.projected.children[1].data);

  const Adapted turned = Adapt(StructOf({list, kLong}), StructOf({kInt, list}), cells);
  ExpectCells(turned, {Nested({Nested({Int(2), Int(3)}), support::Fixed(int64_t{1})}), Null()});
  EXPECT_EQ(turned.result->column.validity, turned.projected.validity);
  EXPECT_EQ(turned.result->column.children[0].data, turned.projected.children[1].data);
}

// contract V-73: an absent child, a struct that is NULL, and a field that is absent in elements.
TEST(AdaptColumn, NullsOfStructsAreTheirOwn) {
  const Field asked = StructOf({kOther});
  const std::vector<Cell> cells = {Null(), Nested({Null()}), Nested({Int(7)})};
  ExpectCells(Adapt(asked, StructOf({kInt}), cells), {Null(), Nested({Null()}), Nested({Null()})});
  ExpectCells(Adapt(StructOf({}), StructOf({kInt}), cells), {Null(), Nested({}), Nested({})});
  const std::vector<Cell> lists = {Null(), Nested({}), Nested({Null(), Nested({Int(7)})})};
  ExpectCells(Adapt(ListOf(asked), ListOf(StructOf({kInt})), lists),
              {Null(), Nested({}), Nested({Null(), Nested({Null()})})});
}

TEST(AdaptColumn, MapsWithoutValues) {
  const Field keys{"m", DataType::Map(kInt, std::nullopt), true, std::nullopt};
  const Field both{"m", DataType::Map(kInt, kOther), true, std::nullopt};
  const std::vector<Cell> cells = {Nested({Nested({Int(1)}), Nested({Int(2)})}), Null(),
                                   Nested({})};
  ExpectCells(Adapt(both, keys, cells),
              {Nested({Nested({Int(1), Null()}), Nested({Int(2), Null()})}), Null(), Nested({})});
}

// Below whatever is null nothing is a value, and an error of an element is that of its row.
TEST(AdaptColumn, MisfitsAreOfRows) {
  const DataType date = DataType::Of(TypeId::kDate);
  const Field in_file{"d", date, true, std::nullopt};
  const Field nanos{"d", DataType::Timestamp(TimeUnit::kNanoseconds, false), true, std::nullopt};
  const Cell good = Int(1);
  const Cell bad = Int(200'000);
  const std::vector<Cell> cells = {Nested({Nested({good, good})}),
                                   Nested({Null()}),
                                   Nested({Nested({good, bad, bad})}),
                                   Null(),
                                   Nested({Nested({})}),
                                   Nested({Nested({Null(), good})}),
                                   Nested({Nested({bad})})};
  Adapted adapted = Adapt(StructOf({ListOf(nanos)}), StructOf({ListOf(in_file)}), cells);
  ASSERT_TRUE(adapted.result);
  EXPECT_EQ(adapted.result->misfits, std::vector<uint64_t>{0b1000100});
  EXPECT_EQ(MisfitErrorOf(adapted.mapping, "s.s", adapted.projected, 2).ToString(),
            "row error: column '\"s.s\".l.d': \"2517-08-01\" is no value of timestamp(ns), which "
            "date is read as");
  EXPECT_TRUE(MisfitErrorOf(adapted.mapping, "s", adapted.projected, 5).ok());

  // The last row becomes null, and then what it has is none.
  Column& projected = adapted.projected;
  const std::vector<Cell> nulls = {Int(0), Int(0), Int(0), Null(), Int(0), Int(0), Null()};
  const Column validity = support::BuildColumn(DataType::Of(TypeId::kInt32), nulls);
  projected.validity = validity.validity;
  projected.null_count = 2;
  const auto again =
      AdaptColumn(adapted.mapping, &projected, projected.length, *BufferPool::Make(), nullptr);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->misfits, std::vector<uint64_t>{0b0000100});
}

TEST(AdaptColumn, KeepsWidenedDictionaries) {
  const auto pool = BufferPool::Make();
  const std::vector<int32_t> positions = {0};
  const auto mappings = MapColumns({{kLong}}, positions, {{kInt}}, ColumnMatch::kName);
  const Column column =
      support::BuildDictionaryColumn(kInt.type, {Int(1), Null(), Int(1), Int(-5)});
  WidenedDictionaries kept;
  const auto first = AdaptColumn((*mappings)[0], &column, 4, *pool, &kept);
  const auto second = AdaptColumn((*mappings)[0], &column, 4, *pool, &kept);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->column.form, ColumnForm::kDictionary);
  EXPECT_EQ(first->column.dictionary, second->column.dictionary);
  EXPECT_EQ(first->column.data, column.data);
}

TEST(AdaptColumn, RefusesWhatTheMappingIsNotOf) {
  const auto pool = BufferPool::Make();
  const auto code = [&](const Field& wanted, const Field& file, const Column* projected) {
    const std::vector<int32_t> positions = {0};
    const auto mappings = MapColumns({{wanted}}, positions, {{file}}, ColumnMatch::kPosition);
    return AdaptColumn((*mappings)[0], projected, 1, *pool, nullptr).status().code();
  };
  const Column number = support::BuildColumn(kInt.type, {Int(1)});
  const Column empty = support::BuildColumn(DataType::Struct({}), {Nested({})});
  EXPECT_EQ(code(kLong, kInt, nullptr), StatusCode::kInternal);
  EXPECT_EQ(code(StructOf({kLong}), StructOf({kInt}), &number), StatusCode::kInternal);
  EXPECT_EQ(code(StructOf({kLong}), StructOf({kInt}), &empty), StatusCode::kInternal);
}

// Rows that are looked up are those of their entries, and so are their errors.
TEST(AdaptColumn, NestedConstantsAndDictionaries) {
  const DataType date = DataType::Of(TypeId::kDate);
  const Field in_file{"d", date, true, std::nullopt};
  const Field nanos{"d", DataType::Timestamp(TimeUnit::kNanoseconds, false), true, std::nullopt};
  const auto wide = [](int32_t day) { return support::Fixed(int64_t{day} * 86'400'000'000'000); };
  const Field file = StructOf({kOther, ListOf(in_file)});
  const std::vector<int32_t> positions = {0};
  const auto mappings =
      MapColumns({{StructOf({ListOf(nanos), kInt})}}, positions, {{file}}, ColumnMatch::kName);
  ASSERT_TRUE(mappings) << mappings.status().ToString();
  const ColumnMapping& mapping = (*mappings)[0];
  const DataType read = DataType::Struct({ListOf(in_file)});
  const auto pool = BufferPool::Make();
  const Cell good = Nested({Nested({Int(1), Null()})});
  const Cell bad = Nested({Nested({Int(1), Int(200'000)})});

  const Column dictionary = support::BuildDictionaryColumn(read, {good, bad, Null(), good});
  WidenedDictionaries kept;
  const auto looked_up = AdaptColumn(mapping, &dictionary, 4, *pool, &kept);
  ASSERT_TRUE(looked_up) << looked_up.status().ToString();
  EXPECT_TRUE(ValidateColumn(looked_up->column).ok());
  EXPECT_EQ(looked_up->column.form, ColumnForm::kDictionary);
  EXPECT_EQ(looked_up->misfits, std::vector<uint64_t>{0b10});
  const Cell adapted = Nested({Nested({wide(1), Null()}), Null()});
  for (const int64_t row : {0, 3}) {
    EXPECT_EQ(support::CellsOf(looked_up->column, row, row + 1)[0], adapted);
    EXPECT_TRUE(MisfitErrorOf(mapping, "s", dictionary, row).ok());
  }
  EXPECT_TRUE(support::CellsOf(looked_up->column, 2, 3)[0].is_null);
  EXPECT_EQ(MisfitErrorOf(mapping, "s", dictionary, 1).code(), StatusCode::kRowError);

  for (const auto& [cell, expected] : {std::pair(good, adapted), std::pair(Null(), Null())}) {
    const Column constant = support::BuildConstantColumn(read, cell, 3);
    const auto same = AdaptColumn(mapping, &constant, 3, *pool, nullptr);
    ASSERT_TRUE(same) << same.status().ToString();
    EXPECT_TRUE(ValidateColumn(same->column).ok());
    EXPECT_EQ(same->column.form, ColumnForm::kConstant);
    EXPECT_EQ(support::CellsOf(same->column), std::vector<Cell>(3, expected));
    EXPECT_TRUE(same->misfits.empty());
  }
  const Column misfits = support::BuildConstantColumn(read, bad, 3);
  const auto all = AdaptColumn(mapping, &misfits, 3, *pool, nullptr);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->misfits, std::vector<uint64_t>{0b111});
  EXPECT_EQ(MisfitErrorOf(mapping, "s", misfits, 2).code(), StatusCode::kRowError);
}

}  // namespace
}  // namespace sluice::engine
