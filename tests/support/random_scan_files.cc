#include "tests/support/random_scan_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "format/model/widen.h"
#include "format/model/widen_column.h"
#include "tests/support/file_reading.h"
#include "tests/support/random_tables.h"

namespace sluice::support {
namespace {

/// Types that widen to `type`, beside itself.
std::vector<DataType> NarrowerTypes(const DataType& type) {
  std::vector<DataType> narrower;
  for (const TypeId id : {TypeId::kInt8, TypeId::kInt16, TypeId::kInt32, TypeId::kUint8,
                          TypeId::kUint16, TypeId::kUint32, TypeId::kFloat, TypeId::kString}) {
    const DataType one = DataType::Of(id);
    if (one != type && CanWiden(one, type)) narrower.push_back(one);
  }
  // Of these not every value has a counterpart.
  for (const DataType& one : {DataType::Of(TypeId::kDate),
                              DataType::Timestamp(TimeUnit::kMilliseconds, type.utc_adjusted),
                              DataType::Timestamp(TimeUnit::kMicroseconds, type.utc_adjusted)}) {
    if (one != type && CanWiden(one, type)) narrower.push_back(one);
  }
  return narrower;
}

/// Makes one file.
class Maker {
 public:
  Maker(RandomColumns& columns, RandomExpressions& expressions)
      : columns_(columns), expressions_(expressions) {}

  RandomScanFile Make(const Schema& schema, const std::string& name) {
    made_.num_rows = 1 + columns_.Below(columns_.Chance(0.1) ? 5000 : 500);
    table_.num_rows = made_.num_rows;
    made_.is_as_table = columns_.Chance(0.5);
    for (const Field& field : schema.fields) AddColumn(field);
    // No file is without columns; this one is not of the table.
    if (table_.columns.empty()) {
      table_.schema.fields.push_back({"not of the table", DataType::Of(TypeId::kInt32), true, {}});
      table_.columns.push_back(columns_.Cells(table_.schema.fields[0], made_.num_rows, 0.2));
    }
    if (!made_.is_as_table && columns_.Chance(0.3)) {
      std::reverse(table_.schema.fields.begin(), table_.schema.fields.end());
      std::reverse(table_.columns.begin(), table_.columns.end());
    }
    // Runs of equal values, so that pages and row groups differ.
    if (columns_.Chance(0.5)) Sort();
    WriteTo(name);
    if (columns_.Chance(0.4)) Delete();
    return std::move(made_);
  }

 private:
  /// A column: as the table has it, or narrower, the same in all rows, or absent.
  void AddColumn(const Field& field) {
    Field stored = field;
    if (!made_.is_as_table && columns_.Chance(0.15)) return LeaveOut(field);
    const std::vector<DataType> narrower = NarrowerTypes(field.type);
    if (!made_.is_as_table && !narrower.empty() && columns_.Chance(0.4)) {
      stored.type = narrower[static_cast<size_t>(columns_.Below(std::ssize(narrower)))];
    }
    std::vector<Cell> cells = field.name == kPayloadName
                                  ? columns_.Cells(stored, made_.num_rows, 0.2)
                                  : expressions_.MakeCells(stored, made_.num_rows);
    for (Cell& cell : cells) {
      const bool fits = cell.is_null || stored.type == field.type ||
                        WidenValue(stored.type, cell.bytes, field.type).has_value();
      if (!fits) cell.bytes.assign(cell.bytes.size(), '\0');
    }
    table_.schema.fields.push_back(stored);
    table_.columns.push_back(cells);
    for (Cell& cell : cells) {
      if (stored.type == field.type || cell.is_null) continue;
      cell.bytes = *WidenValue(stored.type, cell.bytes, field.type);
    }
    made_.cells.push_back(std::move(cells));
  }

  /// The file has no such column: it is NULL, or a constant.
  void LeaveOut(const Field& field) {
    Cell cell;
    cell.is_null = true;
    if (!field.type.is_nested() && field.type.id != TypeId::kNull && columns_.Chance(0.5)) {
      cell = expressions_.MakeCells(field, 1)[0];
      made_.file.constants.push_back(
          {field.name, Value{field.type, cell.is_null ? std::nullopt
                                                      : std::optional<std::string>(cell.bytes)}});
    }
    made_.cells.emplace_back(static_cast<size_t>(made_.num_rows), cell);
  }

  /// By the first column, more or less.
  void Sort() {
    const std::vector<Cell> key = table_.columns[0];
    std::vector<size_t> order(key.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return key[a].is_null != key[b].is_null ? key[a].is_null : key[a].bytes < key[b].bytes;
    });
    for (auto* columns : {&made_.cells, &table_.columns}) {
      for (std::vector<Cell>& column : *columns) {
        std::vector<Cell> sorted;
        for (const size_t i : order) sorted.push_back(column[i]);
        column = std::move(sorted);
      }
    }
  }

  void WriteTo(const std::string& name) {
    const auto bytes = Write(table_, RandomOptions(columns_, table_.schema), columns_);
    ASSERT_TRUE(bytes) << bytes.status().ToString();
    made_.file.file = MemoryFileOf(*bytes, name);
  }

  void Delete() {
    std::vector<int64_t> positions;
    const double share = columns_.Chance(0.2) ? 1.0 : columns_.Chance(0.5) ? 0.05 : 0.5;
    for (int64_t row = 0; row < made_.num_rows; ++row) {
      if (columns_.Chance(share)) positions.push_back(row);
    }
    made_.file.deleted =
        std::make_shared<const RowSelection>(*RowSelection::FromPositions(positions));
  }

  RandomColumns& columns_;
  RandomExpressions& expressions_;
  RandomScanFile made_;
  Table table_;  ///< As it is written.
};

}  // namespace

RandomScanFile MakeScanFile(const Schema& schema, const std::string& name, RandomColumns& columns,
                            RandomExpressions& expressions) {
  return Maker(columns, expressions).Make(schema, name);
}

}  // namespace sluice::support
