#include "tests/support/small_scans.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/support/file_reading.h"
#include "tests/support/scanning.h"

namespace sluice::support {

Field Named(std::string name, DataType type) {
  return {std::move(name), std::move(type), true, std::nullopt};
}

Table Numbers(std::string name, int64_t first, int64_t count) {
  Table table;
  table.num_rows = count;
  table.schema.fields = {Named(std::move(name), kInt64)};
  table.columns.resize(1);
  for (int64_t i = 0; i < count; ++i) table.columns[0].push_back(Fixed(first + i));
  return table;
}

ScanFile FileOf(const Table& table, std::string name, const parquet::WriterOptions& options) {
  RandomColumns random(1);
  const auto bytes = Write(table, options, random);
  EXPECT_TRUE(bytes) << bytes.status().ToString();
  ScanFile file;
  file.file = MemoryFileOf(*bytes, std::move(name));
  return file;
}

std::shared_ptr<const RowSelection> RowsAt(const std::vector<int64_t>& positions) {
  return std::make_shared<const RowSelection>(*RowSelection::FromPositions(positions));
}

ScanRequest Where(const std::string& text) {
  ScanRequest request;
  request.where = *ParseExpression(text);
  request.where_text = text;
  return request;
}

ScanRequest Columns(std::vector<parquet::ColumnPath> columns) {
  ScanRequest request;
  request.columns = std::move(columns);
  return request;
}

ScanRequest OfTable(std::vector<Field> fields, const std::string& where) {
  ScanRequest request = where.empty() ? ScanRequest() : Where(where);
  request.schema = std::make_shared<const Schema>(Schema{std::move(fields)});
  return request;
}

Strings Rows(Scan& scan) {
  Strings rows;
  for (;;) {
    const auto batch = scan.Next();
    EXPECT_TRUE(batch) << batch.status().ToString();
    if (!batch || !*batch) return rows;
    for (int64_t row = 0; row < (*batch)->batch.num_rows; ++row) {
      std::string text;
      for (const Column& column : (*batch)->batch.columns) {
        if (!text.empty()) text += ' ';
        text += ValueAt(column, row).ToString();
      }
      rows.push_back(std::move(text));
    }
  }
}

Strings Rows(std::vector<ScanFile> files, ScanRequest request, ScanOptions options) {
  const auto scan = Scan::Open(std::move(files), std::move(request), std::move(options));
  EXPECT_TRUE(scan) << scan.status().ToString();
  return scan ? Rows(**scan) : Strings();
}

void ExpectDelivered(const std::vector<ScanFile>& files, const ScanRequest& request,
                     const Strings& rows, ColumnMatch match) {
  std::vector<ScanWay> ways = WaysToScan();
  for (const int64_t batch_rows : {int64_t{2}, ScanOptions().read.batch_rows}) {
    ScanWay& way = ways.emplace_back(ScanWay{"on three threads"});
    way.options.threads = 3;
    way.options.read.batch_rows = batch_rows;
  }
  for (ScanWay& way : ways) {
    way.options.match = match;
    ASSERT_EQ(Rows(files, request, way.options), rows) << request.where_text << ", " << way.name;
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace sluice::support
