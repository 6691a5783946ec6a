#include "tests/support/streamed_rows.h"

#include <gtest/gtest.h>
#include <sluice/scan_stream.h>

#include <utility>

#include "tests/support/arrow_import.h"

namespace sluice::support {

StreamedRows ReadStream(std::unique_ptr<Scan> scan) {
  StreamedRows rows;
  Owned<ArrowArrayStream> stream;
  const Status status = ExportScan(std::move(scan), {}, nullptr, &stream);
  if (!status.ok()) {
    rows.has_failed = true;
    rows.error = status.ToString();
    return rows;
  }
  Owned<ArrowSchema> schema;
  EXPECT_EQ(stream.get_schema(&stream, &schema), 0);
  if (schema.release == nullptr) return rows;
  const ArrowType type = ImportType(schema);
  rows.columns.resize(type.children.size());
  for (;;) {
    Owned<ArrowArray> array;
    if (stream.get_next(&stream, &array) != 0) {
      rows.has_failed = true;
      rows.error = stream.get_last_error(&stream);
      return rows;
    }
    if (array.release == nullptr) return rows;
    rows.num_rows += array.length;
    const std::vector<std::vector<Cell>> columns = ImportColumns(type, array);
    for (size_t i = 0; i < columns.size(); ++i) {
      rows.columns[i].insert(rows.columns[i].end(), columns[i].begin(), columns[i].end());
    }
  }
}

std::optional<std::vector<std::vector<Cell>>> ExportedCells(
    const Schema& schema, const std::vector<std::vector<Cell>>& columns) {
  std::vector<Column> built;
  for (size_t i = 0; i < columns.size(); ++i) {
    built.push_back(BuildColumn(schema.fields[i].type, columns[i]));
  }
  Owned<ArrowSchema> arrow_schema;
  Owned<ArrowArray> array;
  if (!ExportSchema(schema, {}, &arrow_schema).ok()) return std::nullopt;
  if (!ExportBatch(BuildBatch(schema, std::move(built)), {}, nullptr, &array).ok()) {
    return std::nullopt;
  }
  return ImportColumns(ImportType(arrow_schema), array);
}

}  // namespace sluice::support
