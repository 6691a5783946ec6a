#include <gtest/gtest.h>
#include <sluice/arrow.h>

#include <string>
#include <vector>

#include "format/model/column_rows.h"
#include "tests/format/model/arrow/exportable_columns.h"
#include "tests/format/model/valid_columns.h"

namespace sluice {
namespace {

using support::Cell;
using support::RandomColumns;

/// fault A2: also lists that begin above 0, at every depth.
TEST(ColumnExport, GivesEveryTypeAndFormByEveryOption) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    RandomColumns random(seed);
    const auto schema = std::make_shared<const Schema>(random.RandomSchema(4, 3));
    const ExportableBatch batch = RandomBatch(schema, random.Below(130), random);
    for (const ArrowExportOptions& options : EveryExportOption()) {
      const auto columns = Exported(batch.batch, options);
      const auto expected = batch.Expected(options);
      ASSERT_EQ(columns.size(), expected.size());
      for (size_t i = 0; i < columns.size(); ++i) {
        ASSERT_TRUE(columns[i] == expected[i]) << schema->fields[i].type.ToString();
      }
    }
  }
}

TEST(ColumnExport, GivesMapsWithoutValuesAndVariants) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    RandomColumns random(seed);
    const Field key{"key", DataType::Of(TypeId::kString), false, {}};
    DataType variant = DataType::Struct({{"metadata", DataType::Of(TypeId::kBinary), false, {}},
                                         {"value", DataType::Of(TypeId::kBinary), true, {}}});
    variant.id = TypeId::kVariant;
    const auto schema = std::make_shared<const Schema>(
        Schema{{{"keys", DataType::Map(key, std::nullopt), true, {}},
                {"variant", variant, true, {}},
                {"empty", DataType::Struct({}), true, {}},
                {"nothing", DataType::FixedBinary(0), true, {}},
                {"where", DataType::Of(TypeId::kGeography), true, {}},
                {"lists", DataType::List({"element", variant, true, {}}), true, {}}}});
    const ExportableBatch batch = RandomBatch(schema, random.Below(50), random);
    for (const ArrowExportOptions& options : EveryExportOption()) {
      EXPECT_TRUE(Exported(batch.batch, options) == batch.Expected(options));
    }
  }
}

/// Exports a batch of one column, and hands the array of the column to a test.
template <typename Test>
void WithArray(const Batch& batch, const ArrowExportOptions& options, Test test) {
  support::Owned<ArrowArray> array;
  ExpectOk(ExportBatch(batch, options, nullptr, &array));
  ASSERT_EQ(array.n_children, 1);
  test(*array.children[0]);
}

TEST(ColumnExport, SharesWhatIsAsArrowHasIt) {
  const Column numbers = NumbersWithNull();
  WithArray(BatchOf(numbers), {}, [&](const ArrowArray& array) {
    EXPECT_EQ(array.buffers[0], numbers.validity->data());
    EXPECT_EQ(array.buffers[1], numbers.data->data());
  });
  const Column strings = Strings({"short", "exactly 12 b", "longer than twelve"});
  WithArray(BatchOf(strings), {}, [&](const ArrowArray& array) {
    ASSERT_EQ(array.n_buffers, 4);
    EXPECT_EQ(array.buffers[0], nullptr);
    EXPECT_EQ(array.buffers[1], strings.data->data());
    EXPECT_EQ(array.buffers[2], strings.view_buffers[0]->data());
    EXPECT_EQ(*static_cast<const int64_t*>(array.buffers[3]), strings.view_buffers[0]->size());
  });
  const Column list = List();
  WithArray(BatchOf(list), {}, [&](const ArrowArray& array) {
    EXPECT_EQ(array.buffers[1], list.data->data());
    EXPECT_EQ(array.children[0]->buffers[1], list.children[0].data->data());
  });
}

/// fault A1: rows that begin inside a byte of the validity are aligned again.
TEST(ColumnExport, A1RowsFromTheMiddleOfAByte) {
  RandomColumns random(1);
  const Field field{"c", DataType::Of(TypeId::kInt32), true, std::nullopt};
  const std::vector<Cell> cells = random.Cells(field, 100, 0.5);
  const Column column = support::BuildColumn(field.type, cells);
  const auto pool = BufferPool::Make();
  std::vector<uint64_t> bits(10);
  for (int64_t row = 3; row < 100; ++row) SetBit(bits.data(), row);
  const auto rows = SelectRows(column, bits.data(), 97, *pool);
  ASSERT_TRUE(rows);
  EXPECT_EQ(Exported(BatchOf(*rows)).at(0), std::vector<Cell>(cells.begin() + 3, cells.end()));
}

/// fault A2: what lies before the first list and behind the last is of no row.
TEST(ColumnExport, A2ListsThatBeginAboveZero) {
  Column column = List();
  column.data = BufferOf<int32_t>({2, 4, 4, 5});
  column.children[0] = Numbers({-1, -2, 1, 2, 3, -3, -4});
  WithArray(BatchOf(column), {}, [](const ArrowArray& array) {
    EXPECT_EQ(static_cast<const int32_t*>(array.buffers[1])[0], 2);
    EXPECT_EQ(array.children[0]->length, 5);
  });
  EXPECT_EQ(
      Exported(BatchOf(column)).at(0),
      (std::vector<Cell>{support::Nested({support::Fixed(int32_t{1}), support::Fixed(int32_t{2})}),
                         support::Null(), support::Nested({support::Fixed(int32_t{3})})}));
}

/// fault A6: rows are counted without a column too.
TEST(ColumnExport, A6RowsOfNoColumns) {
  Batch batch;
  batch.schema = std::make_shared<const Schema>();
  batch.num_rows = 1000;
  support::Owned<ArrowArray> array;
  ExpectOk(ExportBatch(batch, {}, nullptr, &array));
  EXPECT_EQ(array.length, 1000);
  EXPECT_EQ(array.n_children, 0);
  EXPECT_EQ(array.null_count, 0);
  EXPECT_EQ(array.n_buffers, 1);
  EXPECT_EQ(array.buffers[0], nullptr);
}

/// Consumers read the first offset also where there is no row, and expect buffers that are there.
TEST(ColumnExport, HasBuffersWithoutRows) {
  std::vector<DataType> types = {DataType::Of(TypeId::kInt64), DataType::Of(TypeId::kBoolean),
                                 DataType::Of(TypeId::kString), DataType::Of(TypeId::kInt96)};
  types.push_back(DataType::List({"element", types[2], true, {}}));
  types.push_back(DataType::Map({"key", types[2], false, {}}, Field{"value", types[4], true, {}}));
  for (const DataType& type : types) {
    SCOPED_TRACE(type.ToString());
    Column column = support::BuildColumn(type, {});
    column.data.reset();
    for (const ArrowExportOptions& options : EveryExportOption()) {
      EXPECT_EQ(Exported(BatchOf(column), options).at(0), std::vector<Cell>());
    }
  }
  WithArray(BatchOf(support::BuildColumn(types[2], {})), {ArrowText::kPlain},
            [](const ArrowArray& array) {
              EXPECT_EQ(static_cast<const int32_t*>(array.buffers[1])[0], 0);
            });
}

/// A child may hold anything where its struct is null, and nulls of its own where it allows none.
TEST(ColumnExport, GivesChildrenOfNullStructs) {
  const auto columns = Exported(BatchOf(Struct()));
  ASSERT_EQ(columns.size(), 1U);
  EXPECT_EQ(columns[0],
            (std::vector<Cell>{
                support::Nested({support::Fixed(int32_t{10}), support::Null()}), support::Null(),
                support::Nested({support::Fixed(int32_t{30}), support::Text("z")})}));
  WithArray(BatchOf(Struct()), {}, [](const ArrowArray& array) {
    EXPECT_EQ(array.null_count, 1);
    EXPECT_EQ(array.children[0]->null_count, 1);
    EXPECT_EQ(array.children[1]->null_count, 1);
  });
}

void ExpectRefused(const Batch& batch, StatusCode code, const std::string& message) {
  support::Owned<ArrowArray> array;
  array.release = [](ArrowArray*) {};
  const Status status = ExportBatch(batch, {}, nullptr, &array);
  EXPECT_EQ(status.code(), code) << status.ToString();
  EXPECT_NE(status.message().find(message), std::string::npos) << status.ToString();
  EXPECT_EQ(array.release, nullptr);
}

TEST(ColumnExport, RefusesBatchesThatDoNotFitTheirSchema) {
  const Batch numbers = BatchOf(Numbers({1, 2, 3}));
  Batch batch = numbers;
  batch.schema.reset();
  ExpectRefused(batch, StatusCode::kInvalidArgument, "without schema");
  batch = numbers;
  batch.columns.push_back(Numbers({1, 2, 3}));
  ExpectRefused(batch, StatusCode::kInvalidArgument, "2 columns");
  batch = numbers;
  batch.num_rows = 4;
  ExpectRefused(batch, StatusCode::kInvalidArgument, "column 'c': has 3 rows, the batch 4");
  batch = numbers;
  batch.columns[0].type = TypeOf(DataType::Of(TypeId::kUint32));
  ExpectRefused(batch, StatusCode::kInvalidArgument, "column 'c': is of type uint32");
  batch = BatchOf(List());
  batch.columns[0].children[0].type = TypeOf(DataType::Of(TypeId::kUint32));
  ExpectRefused(batch, StatusCode::kInvalidArgument, "column 'c.element': is of type uint32");
}

TEST(ColumnExport, RefusesColumnsThatContradictThemselves) {
  const auto refuse = [](Column column, const std::string& message) {
    ExpectRefused(BatchOf(std::move(column)), StatusCode::kInternal, message);
  };
  Column column = Numbers({1, 2, 3});
  column.data = BufferOf<int32_t>({1, 2});
  refuse(column, "3 values of 4 bytes are not there");
  column = NumbersWithNull();
  column.validity.reset();
  refuse(column, "1 nulls of 3 rows are not known");
  column = NumbersWithNull();
  column.null_count = 4;
  refuse(column, "4 nulls of 3 rows");
  column = NumbersWithNull();
  column.validity = SliceBuffer(column.validity, 0, 0);
  refuse(column, "1 values of 1 bytes are not there");
  column = List();
  column.data = BufferOf<int32_t>({0, 1, 2, 3});
  refuse(column, "the last offset is outside: 3 of 2");
  column = List();
  column.data.reset();
  refuse(column, "4 values of 4 bytes");
  column = List();
  column.children.clear();
  refuse(column, "has 0 children");
  column = Struct();
  column.children.pop_back();
  refuse(column, "has 1 children, its type 2");
  column = Struct();
  column.children[1] = FirstRows(column.children[1], 2);
  refuse(column, "column 'c.b': has 2 rows, its struct 3");
  column = Dictionary();
  column.data = BufferOf<int32_t>({0, 1, 2});
  refuse(column, "column 'c': code is outside the dictionary: 2 of 2");
}

TEST(ColumnExport, KeepsTheBudget) {
  const Column constant = support::BuildConstantColumn(DataType::Of(TypeId::kInt64),
                                                       support::Fixed(int64_t{7}), 100'000);
  support::Owned<ArrowArray> array;
  const Status status = ExportBatch(BatchOf(constant), {}, BufferPool::Make(1 << 20), &array);
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(array.release, nullptr);
}

}  // namespace
}  // namespace sluice
