#include "tests/support/random_scan_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "format/model/widen.h"
#include "format/model/widen_column.h"
#include "tests/support/expression_oracle.h"
#include "tests/support/file_reading.h"
#include "tests/support/oracle_value.h"
#include "tests/support/random_tables.h"
#include "tests/support/sanitizer.h"

namespace sluice::support {
namespace {

/// Sanitizers take their time.
constexpr int64_t kManyRows = kHasAddressSanitizer ? 1500 : 5000;

/// Types that are widened to `type`, beside itself; of some, not all values have a counterpart.
std::vector<DataType> NarrowerTypes(const DataType& type) {
  std::vector<DataType> candidates;
  for (const TypeId id :
       {TypeId::kInt8, TypeId::kInt16, TypeId::kInt32, TypeId::kUint8, TypeId::kUint16,
        TypeId::kUint32, TypeId::kFloat, TypeId::kString, TypeId::kDate, TypeId::kInt96}) {
    candidates.push_back(DataType::Of(id));
  }
  for (const TimeUnit unit : {TimeUnit::kMilliseconds, TimeUnit::kMicroseconds}) {
    candidates.push_back(DataType::Timestamp(unit, type.utc_adjusted));
    candidates.push_back(DataType::Time(unit, type.utc_adjusted));
    candidates.push_back(DataType::Duration(unit));
  }
  for (const int32_t digits : {1, 4}) {
    if (type.id != TypeId::kDecimal || type.precision <= digits || type.scale < digits) continue;
    candidates.push_back(OracleDecimalType(type.precision - digits, type.scale - digits));
  }
  std::erase_if(candidates,
                [&](const DataType& one) { return one == type || !CanWiden(one, type); });
  return candidates;
}

/// What is known of a column from outside, none of whose cells is a misfit.
Evidence EvidenceOf(const DataType& type, const std::vector<Cell>& cells, RandomColumns& random) {
  int64_t nulls = 0;
  int64_t nans = 0;
  const std::string* least = nullptr;
  const std::string* greatest = nullptr;
  for (const Cell& cell : cells) {
    nulls += cell.is_null ? 1 : 0;
    if (cell.is_null) continue;
    if (IsNan(type, cell.bytes)) {
      ++nans;
      continue;
    }
    if (!least || CompareValues(type, cell.bytes, *least) < 0) least = &cell.bytes;
    if (!greatest || CompareValues(type, cell.bytes, *greatest) > 0) greatest = &cell.bytes;
  }
  using Exactness = EvidenceBound::Exactness;
  const Exactness exactness = random.Chance(0.5) ? Exactness::kExact : Exactness::kUnknown;
  Evidence evidence = Evidence::Missing(EvidenceSource::kFile, Reason::kNoStatistics);
  evidence.type = std::make_shared<const DataType>(type);
  const int64_t rows = std::ssize(cells);
  if (random.Chance(0.8)) {
    evidence.nulls = Occurrence::OfCount(nulls, rows, Reason::kNullCountMalformed);
  }
  if (random.Chance(0.8)) {
    evidence.nans = Occurrence::OfCount(nans, rows - nulls, Reason::kNanCountMalformed);
  }
  if (least && random.Chance(0.9)) evidence.lower = EvidenceBound{*least, exactness};
  if (greatest && random.Chance(0.9)) evidence.upper = EvidenceBound{*greatest, exactness};
  return evidence;
}

/// Makes one file.
class Maker {
 public:
  Maker(RandomColumns& columns, RandomExpressions& expressions, ColumnMatch match)
      : columns_(columns), expressions_(expressions), match_(match) {}

  RandomScanFile Make(const Schema& schema, const std::string& name) {
    made_.num_rows = 1 + columns_.Below(columns_.Chance(0.1) ? kManyRows : kManyRows / 10);
    table_.num_rows = made_.num_rows;
    made_.is_as_table = columns_.Chance(0.5);
    // By position only the last ones can be absent, and one is there.
    first_absent_ = 1 + columns_.Below(std::ssize(schema.fields));
    for (const Field& field : schema.fields) AddColumn(field);
    // No file is without columns; this one is not of the table.
    if (table_.columns.empty()) {
      table_.schema.fields.push_back({"not of the table", DataType::Of(TypeId::kInt32), true, {}});
      table_.columns.push_back(columns_.Cells(table_.schema.fields[0], made_.num_rows, 0.2));
    }
    if (!made_.is_as_table && match_ != ColumnMatch::kPosition && columns_.Chance(0.3)) {
      std::reverse(table_.schema.fields.begin(), table_.schema.fields.end());
      std::reverse(table_.columns.begin(), table_.columns.end());
    }
    // Runs of equal values, so that pages and row groups differ.
    if (columns_.Chance(0.5)) Sort();
    if (match_ != ColumnMatch::kName) RenameColumns();
    WriteTo(name);
    if (columns_.Chance(0.4)) Delete();
    return std::move(made_);
  }

 private:
  /// A column: as the table has it, or narrower, the same in all rows, unknown, or absent.
  void AddColumn(const Field& field) {
    Field stored = field;
    if (!made_.is_as_table && IsAbsent()) return LeaveOut(field);
    const std::vector<DataType> narrower = NarrowerTypes(field.type);
    if (!made_.is_as_table && !narrower.empty() && columns_.Chance(0.4)) {
      stored.type = narrower[static_cast<size_t>(columns_.Below(std::ssize(narrower)))];
    } else if (!made_.is_as_table && field.nullable && columns_.Chance(0.1)) {
      stored.type = DataType::Of(TypeId::kNull);
    }
    std::vector<Cell> cells = field.name == kPayloadName
                                  ? columns_.Cells(stored, made_.num_rows, 0.2)
                                  : expressions_.MakeCells(stored, made_.num_rows);
    table_.schema.fields.push_back(stored);
    std::vector<Cell> widened = Widen(stored, field.type, cells);
    table_.columns.push_back(std::move(cells));
    MaybeTell(field, widened);
    made_.cells.push_back(std::move(widened));
  }

  bool IsAbsent() {
    if (match_ == ColumnMatch::kPosition) return std::ssize(made_.cells) >= first_absent_;
    return columns_.Chance(0.15);
  }

  void MaybeTell(const Field& field, const std::vector<Cell>& cells) {
    if (!columns_.Chance(0.2) || !IsOrdered(field.type)) return;
    for (const Cell& cell : cells) {
      if (IsMisfit(field.type, cell)) return;
    }
    made_.file.statistics.emplace_back(field.name, EvidenceOf(field.type, cells, columns_));
  }

  void RenameColumns() {
    for (size_t i = 0; i < table_.schema.fields.size(); ++i) {
      table_.schema.fields[i].name = "stored " + std::to_string(i);
    }
  }

  /// What the table has of the cells. A few of them have no counterpart there; of those that it
  /// would be too many of, others take the place.
  std::vector<Cell> Widen(const Field& stored, const DataType& type, std::vector<Cell>& cells) {
    if (stored.type == type || stored.type.id == TypeId::kNull) return cells;
    const double misfits = columns_.Chance(0.6) ? 0 : columns_.Chance(0.5) ? 0.01 : 0.3;
    std::vector<Cell> widened;
    for (Cell& cell : cells) {
      auto bytes = WidenValue(stored.type, cell.bytes, type);
      while (!cell.is_null && !bytes && !columns_.Chance(misfits)) {
        cell = expressions_.MakeCells(stored, 1)[0];
        bytes = WidenValue(stored.type, cell.bytes, type);
      }
      widened.push_back(cell.is_null ? cell : bytes ? Text(*bytes) : Misfit());
    }
    return widened;
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
  ColumnMatch match_;
  int64_t first_absent_ = 0;
  RandomScanFile made_;
  Table table_;  ///< As it is written.
};

}  // namespace

RandomScanFile MakeScanFile(const Schema& schema, const std::string& name, RandomColumns& columns,
                            RandomExpressions& expressions, ColumnMatch match) {
  return Maker(columns, expressions, match).Make(schema, name);
}

}  // namespace sluice::support
