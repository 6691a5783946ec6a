// Who keeps what alive, and for how long: orders of release, threads, and the pool's account.

#include "format/model/arrow/array_node.h"

#include <gtest/gtest.h>
#include <sluice/arrow.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/format/model/arrow/exportable_columns.h"

namespace sluice {
namespace {

using support::Cell;
using support::RandomColumns;

/// A column of strings in buffers of the pool.
Column PooledStrings(int64_t rows, const std::shared_ptr<BufferPool>& pool) {
  const std::string text = "a string that is longer than what a view holds";
  const auto size = static_cast<int64_t>(text.size());
  Column column;
  column.type = std::make_shared<const DataType>(DataType::Of(TypeId::kString));
  column.form = ColumnForm::kView;
  column.length = rows;
  column.view_buffers.push_back(pool->Allocate(rows * size).value());
  column.data = pool->Allocate(rows * 16).value();
  for (int64_t i = 0; i < rows; ++i) {
    uint8_t* bytes = column.view_buffers[0]->mutable_data() + i * size;
    std::copy(text.begin(), text.end(), bytes);
    column.data->mutable_as<StringView>()[i] =
        StringView::OfPadded(bytes, static_cast<int32_t>(size), 0, static_cast<int32_t>(i * size));
  }
  return column;
}

ArrowArray MoveOut(ArrowArray* array) {
  ArrowArray moved = *array;
  array->release = nullptr;
  return moved;
}

/// fault A3: what is released says so, and is not released twice.
TEST(ArrayNode, A3ReleaseMarksAndFrees) {
  const auto pool = BufferPool::Make();
  support::Owned<ArrowArray> array;
  {
    const Batch batch = BatchOf(PooledStrings(100, pool));
    ExpectOk(ExportBatch(batch, {ArrowText::kPlain}, pool, &array));
  }
  EXPECT_GT(pool->bytes_in_use(), 0);
  array.release(&array);
  EXPECT_EQ(array.release, nullptr);
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

/// fault A3: an array is moved by copying it, then released where it is then.
TEST(ArrayNode, A3ArraysMove) {
  const auto pool = BufferPool::Make();
  ArrowArray array;
  ExpectOk(ExportBatch(BatchOf(PooledStrings(100, pool)), {}, pool, &array));
  support::Owned<ArrowArray> moved;
  static_cast<ArrowArray&>(moved) = MoveOut(&array);
  EXPECT_EQ(moved.children[0]->length, 100);
  moved.Release();
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

/// fault A3: children that were moved out outlive their parent, each with its own buffers only.
TEST(ArrayNode, A3ChildrenOutliveTheirParent) {
  const auto pool = BufferPool::Make();
  for (const size_t released_first : {0, 1, 2}) {
    Batch batch = BatchOf(PooledStrings(100, pool));
    batch.schema = std::make_shared<const Schema>(
        Schema{{batch.schema->fields[0], batch.schema->fields[0], batch.schema->fields[0]}});
    batch.columns = {PooledStrings(100, pool), PooledStrings(100, pool), PooledStrings(100, pool)};
    support::Owned<ArrowArray> array;
    ExpectOk(ExportBatch(batch, {}, pool, &array));
    batch = Batch();
    const int64_t all = pool->bytes_in_use();
    support::Owned<ArrowArray> children[3];
    for (size_t i = 0; i < 3; ++i) {
      if (i != released_first) static_cast<ArrowArray&>(children[i]) = MoveOut(array.children[i]);
    }
    array.Release();
    EXPECT_LT(pool->bytes_in_use(), all * 3 / 4);
    EXPECT_GT(pool->bytes_in_use(), all / 2);
    for (support::Owned<ArrowArray>& child : children) {
      if (child.release == nullptr) continue;
      const support::ArrowType type{"vu", "c", {}, ARROW_FLAG_NULLABLE, {}, nullptr};
      EXPECT_EQ(support::ImportCells(type, child).at(99).bytes,
                "a string that is longer than what a view holds");
      child.Release();
    }
    EXPECT_EQ(pool->bytes_in_use(), 0);
  }
}

/// fault A3: a dictionary and what is further down can be moved out, too.
TEST(ArrayNode, A3AnyPartOutlivesTheRest) {
  const auto pool = BufferPool::Make();
  ArrowExportOptions options;
  options.keep_dictionaries = true;
  Column list = support::BuildColumn(
      DataType::List({"element", DataType::Of(TypeId::kString), true, {}}),
      {support::Nested({support::Text("a"), support::Text("b"), support::Text("a")})});
  support::Owned<ArrowArray> array;
  ExpectOk(ExportBatch(BatchOf(list), options, pool, &array));
  list = Column();
  support::Owned<ArrowArray> dictionary;
  static_cast<ArrowArray&>(dictionary) = MoveOut(array.children[0]->children[0]->dictionary);
  array.Release();
  const support::ArrowType type{"vu", "", {}, 0, {}, nullptr};
  EXPECT_EQ(support::ImportCells(type, dictionary),
            (std::vector<Cell>{support::Text("a"), support::Text("b")}));
  EXPECT_GT(pool->bytes_in_use(), 0);
  dictionary.Release();
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

/// fault M6: an array pins what its columns pin, and counts it, until it is released.
TEST(ArrayNode, M6ViewsPinTheirBuffersUntilRelease) {
  const auto pool = BufferPool::Make();
  support::Owned<ArrowArray> array;
  int64_t of_batch = 0;
  {
    const Batch batch = BatchOf(PooledStrings(1000, pool));
    of_batch = pool->bytes_in_use();
    ExpectOk(ExportBatch(batch, {}, pool, &array));
  }
  // Only the structures came on top.
  EXPECT_GE(pool->bytes_in_use(), of_batch);
  EXPECT_LT(pool->bytes_in_use(), of_batch + 2000);
  array.Release();
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

TEST(ArrayNode, StructuresCountAgainstTheBudget) {
  Batch batch;
  Schema schema;
  const Column column = support::BuildColumn(DataType::Of(TypeId::kInt32), {support::Fixed(1)});
  for (int i = 0; i < 1000; ++i) {
    schema.fields.push_back({"c", *column.type, true, std::nullopt});
    batch.columns.push_back(column);
  }
  batch.schema = std::make_shared<const Schema>(std::move(schema));
  batch.num_rows = 1;
  support::Owned<ArrowArray> array;
  const auto pool = BufferPool::Make(100'000);
  EXPECT_EQ(ExportBatch(batch, {}, pool, &array).code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(pool->bytes_in_use(), 0);
  const auto larger = BufferPool::Make();
  ExpectOk(ExportBatch(batch, {}, larger, &array));
  EXPECT_GT(larger->bytes_in_use(), 100'000);
}

TEST(ArrayNode, OutlivesItsPoolsOwner) {
  support::Owned<ArrowArray> array;
  {
    auto pool = BufferPool::Make();
    ExpectOk(ExportBatch(BatchOf(PooledStrings(10, pool)), {ArrowText::kLarge}, pool, &array));
  }
  const support::ArrowType type{"U", "c", {}, ARROW_FLAG_NULLABLE, {}, nullptr};
  EXPECT_EQ(support::ImportCells(type, *array.children[0]).size(), 10U);
}

/// Arrays that share buffers are read and released on threads of their own.
TEST(ArrayNode, ThreadsReleaseWhatTheyShare) {
  const auto pool = BufferPool::Make();
  RandomColumns random(1);
  const auto schema = std::make_shared<const Schema>(random.RandomSchema(6, 3));
  for (int round = 0; round < 20; ++round) {
    ExportableBatch batch = RandomBatch(schema, 200, random);
    std::vector<std::thread> threads;
    for (const ArrowExportOptions& options : EveryExportOption()) {
      support::Owned<ArrowSchema> exported;
      ExpectOk(ExportSchema(*schema, options, &exported));
      ArrowArray array;
      ExpectOk(ExportBatch(batch.batch, options, pool, &array));
      threads.emplace_back([array, type = support::ImportType(exported),
                            expected = batch.Expected(options)]() mutable {
        EXPECT_TRUE(support::ImportColumns(type, array) == expected);
        array.release(&array);
      });
    }
    batch.batch = Batch();
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(pool->bytes_in_use(), 0);
  }
}

}  // namespace
}  // namespace sluice
