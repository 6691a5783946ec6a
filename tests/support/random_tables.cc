#include "tests/support/random_tables.h"

#include <algorithm>

#include "format/parquet/write/value_encoder.h"
#include "format/parquet/write/write_schema.h"

namespace sluice::support {

using namespace parquet;  // NOLINT: everything here is about it.

Table RandomTable(RandomColumns& random, int64_t num_rows, int depth) {
  Table table;
  table.schema = random.RandomSchema(static_cast<int>(1 + random.Below(5)), depth);
  table.num_rows = num_rows;
  const double null_chance = std::vector<double>{0, 0.1, 0.5, 1}[random.Below(4)];
  for (const Field& field : table.schema.fields) {
    table.columns.push_back(random.Cells(field, num_rows, null_chance));
  }
  return table;
}

std::vector<Encoding> WritableEncodings(PhysicalType type) {
  std::vector<Encoding> encodings;
  for (int32_t id = 0; id <= static_cast<int32_t>(Encoding::kAlp); ++id) {
    if (IsWritable(static_cast<Encoding>(id), type)) encodings.push_back(static_cast<Encoding>(id));
  }
  return encodings;
}

WriterOptions RandomOptions(RandomColumns& random, const Schema& schema) {
  WriterOptions options;
  if (random.Chance(0.5)) options.page_version = DataPageVersion::kV1;
  if (random.Chance(0.5)) options.page_rows = 1 + random.Below(100);
  if (random.Chance(0.3)) options.page_bytes = 1 + random.Below(2000);
  if (random.Chance(0.3)) options.row_group_rows = 1 + random.Below(200);
  options.columns.bloom_filter = random.Chance(0.2);
  options.columns.page_index = random.Chance(0.8);
  const Result<WriteSchema> written = WriteSchema::Make(schema);
  for (const WriteLeaf& leaf : written->leaves) {
    ColumnWriteOptions column = options.columns;
    const std::vector<Encoding> encodings = WritableEncodings(leaf.physical_type);
    column.encoding = encodings[static_cast<size_t>(random.Below(std::ssize(encodings)))];
    column.codec = kCodecs[random.Below(std::ssize(kCodecs))];
    column.dictionary = random.Chance(0.4);
    if (random.Chance(0.3)) column.dictionary_bytes_limit = random.Below(500);
    options.overrides[leaf.path] = column;
  }
  return options;
}

/// Writes the table in batches, in whatever forms.
Result<std::string> Write(const Table& table, const WriterOptions& options, RandomColumns& random) {
  std::string bytes;
  auto writer = FileWriter::Make(MakeMemoryOutput("memory", &bytes), table.schema, options);
  if (!writer.has_value()) return writer.error();
  for (int64_t row = 0; row < table.num_rows;) {
    const int64_t end = std::min(table.num_rows, row + 1 + random.Below(table.num_rows));
    std::vector<Column> columns;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      const std::vector<Cell> cells(table.columns[i].begin() + row, table.columns[i].begin() + end);
      const DataType& type = table.schema.fields[i].type;
      const bool is_dictionary = type.id != TypeId::kNull && random.Chance(0.3);
      columns.push_back(is_dictionary ? BuildDictionaryColumn(type, cells)
                                      : BuildColumn(type, cells));
    }
    const Status status = (*writer)->Write(BuildBatch(table.schema, columns));
    if (!status.ok()) return status;
    row = end;
  }
  const Status status = (*writer)->Finish();
  if (!status.ok()) return status;
  return bytes;
}

}  // namespace sluice::support
