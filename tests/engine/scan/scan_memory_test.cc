// What a scan holds of its pool beside what it reads: schemas of wide tables, and strings of the
// rows that it delivers without those around them. law 8

#include <gtest/gtest.h>
#include <sluice/scan.h>

#include <memory>
#include <string>
#include <utility>

#include "engine/scan/counted_schema.h"
#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

Schema Wide(int64_t columns) {
  Schema schema;
  for (int64_t i = 0; i < columns; ++i) {
    schema.fields.push_back(Named("a column with a long name, " + std::to_string(i), kInt64));
  }
  return schema;
}

TEST(ScanMemory, OfASchemaCountsAsLongAsAPointerLives) {
  const auto pool = BufferPool::Make();
  auto counted = engine::CountSchema(std::make_shared<const Schema>(Wide(1000)), *pool);
  ASSERT_TRUE(counted) << counted.status().ToString();
  std::shared_ptr<const Schema> schema = *std::move(counted);
  EXPECT_EQ(*schema, Wide(1000));
  const int64_t bytes = pool->bytes_in_use();
  EXPECT_GE(bytes, int64_t{1000} * (int64_t{sizeof(Field)} + 28));
  std::shared_ptr<const Schema> other = schema;
  schema.reset();
  EXPECT_EQ(pool->bytes_in_use(), bytes);
  other.reset();
  EXPECT_EQ(pool->bytes_in_use(), 0);
  const auto narrow = BufferPool::Make(bytes - 1);
  EXPECT_EQ(
      engine::CountSchema(std::make_shared<const Schema>(Wide(1000)), *narrow).status().code(),
      StatusCode::kResourceExhausted);
}

// Before anything is read, and whatever files share.
TEST(ScanMemory, HasTheSchemas) {
  Table table;
  table.num_rows = 1;
  table.schema = Wide(200);
  table.columns.resize(200, {Fixed(int64_t{1})});
  ScanOptions options;
  options.read.pool = BufferPool::Make();
  {
    const ScanRequest request = OfTable(table.schema.fields);
    const auto scan = Scan::Open({FileOf(table)}, request, options);
    ASSERT_TRUE(scan) << scan.status().ToString();
    EXPECT_GE(options.read.pool->bytes_in_use(), int64_t{2 * 200} * int64_t{sizeof(Field)});
  }
  EXPECT_EQ(options.read.pool->bytes_in_use(), 0);
  options.read.pool = BufferPool::Make(int64_t{200} * int64_t{sizeof(Field)});
  EXPECT_EQ(Scan::Open({FileOf(table)}, OfTable(table.schema.fields), options).status().code(),
            StatusCode::kResourceExhausted);
  options.read.pool = BufferPool::Make();
  EXPECT_EQ(Rows({FileOf(table), FileOf(table)}, Columns({{table.schema.fields[7].name}}), options),
            (Strings{"1", "1"}));
  EXPECT_EQ(options.read.pool->bytes_in_use(), 0);
}

/// Lists of structs of a text, and n.
Table NestedTexts(int64_t rows) {
  Table table = Numbers("n", 0, rows);
  const Field text = Named("text", kString);
  table.schema.fields.push_back(
      Named("list", DataType::List(Named("element", DataType::Struct({text})))));
  table.columns.resize(2);
  for (int64_t row = 0; row < rows; ++row) {
    const Cell cell = Text("a text of more than twelve bytes, " + std::to_string(row));
    table.columns[1].push_back(Nested({Nested({cell}), Nested({cell})}));
  }
  return table;
}

/// What the first batch of a scan keeps of the pool once the scan is gone.
int64_t BytesKept(const ScanFile& file, ScanRequest request, ScanOptions options, int64_t rows) {
  options.read.pool = BufferPool::Make();
  ScanBatch kept;
  {
    const auto scan = Scan::Open({file}, std::move(request), options);
    EXPECT_TRUE(scan) << scan.status().ToString();
    auto batch = (*scan)->Next();
    EXPECT_TRUE(batch && *batch) << batch.status().ToString();
    kept = **std::move(batch);
  }
  EXPECT_EQ(kept.batch.num_rows, rows);
  EXPECT_TRUE(ValidateColumn(kept.batch.columns[0]).ok());
  return options.read.pool->bytes_in_use();
}

// Strings in lists and structs too: of the rows that a limit leaves, and of those that pass.
TEST(ScanMemory, IsNotPinnedByRowsThatAreLeftOut) {
  parquet::WriterOptions writer;
  writer.columns.dictionary = false;
  const ScanFile file = FileOf(NestedTexts(10'000), "texts", writer);
  for (const int32_t threads : {1, 2}) {
    SCOPED_TRACE(threads);
    ScanOptions options;
    options.threads = threads;
    ScanRequest request = Where("n % 10000 >= 0");
    request.columns = {{{"list"}}};
    EXPECT_GT(BytesKept(file, request, options, 10'000), 700'000);
    request.limit = 5;
    EXPECT_LT(BytesKept(file, request, options, 5), 100'000);
    // Read at once with what the residual needs.
    options.late_materialization = false;
    request = Where("n % 2000 = 1");
    request.columns = {{{"list"}}};
    EXPECT_LT(BytesKept(file, request, options, 5), 10'000);
  }
}

}  // namespace
}  // namespace sluice::support
