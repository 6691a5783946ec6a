#pragma once

// Random columns that can be exported, and what a consumer has to find in them.

#include <gtest/gtest.h>
#include <sluice/arrow.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/arrow_import.h"
#include "tests/support/cells.h"
#include "tests/support/messy_columns.h"
#include "tests/support/random_columns.h"

namespace sluice {

inline std::string Bytes(int64_t number, size_t width) {
  return {reinterpret_cast<const char*>(&number), width};
}

/// Brings values into what Arrow can hold: INT96 within 100 years, intervals below 2^31.
inline void MakeExportable(const DataType& type, support::Cell& cell) {
  if (type.id == TypeId::kInt96 && !cell.is_null) {
    int64_t nanoseconds;
    int32_t day;
    std::memcpy(&nanoseconds, cell.bytes.data(), 8);
    std::memcpy(&day, cell.bytes.data() + 8, 4);
    cell.bytes = Bytes(nanoseconds % 90'000'000'000'000, 8) + Bytes(2'440'588 + day % 36'500, 4);
  } else if (type.id == TypeId::kInterval && !cell.is_null) {
    cell.bytes[3] = static_cast<char>(cell.bytes[3] & 0x7f);
    cell.bytes[7] = static_cast<char>(cell.bytes[7] & 0x7f);
  }
  const bool is_list = type.id == TypeId::kList;
  for (size_t i = 0; i < cell.children.size(); ++i) {
    if (type.id == TypeId::kMap) {
      for (size_t part = 0; part < type.children.size(); ++part) {
        MakeExportable(type.children[part].type, cell.children[i].children[part]);
      }
    } else {
      MakeExportable(type.children[is_list ? 0 : i].type, cell.children[i]);
    }
  }
}

/// What Arrow has of a cell.
inline support::Cell ArrowCell(const DataType& type, support::Cell cell, bool narrow_decimals) {
  const auto below = [&](size_t child, support::Cell& part) {
    part = ArrowCell(type.children[child].type, std::move(part), narrow_decimals);
  };
  if (cell.is_null) return cell;
  if (type.id == TypeId::kDecimal && !narrow_decimals) {
    cell.bytes.resize(std::max<size_t>(cell.bytes.size(), 16),
                      static_cast<signed char>(cell.bytes.back()) < 0 ? '\xff' : 0);
  } else if (type.id == TypeId::kInt96) {
    int64_t nanoseconds;
    int32_t day;
    std::memcpy(&nanoseconds, cell.bytes.data(), 8);
    std::memcpy(&day, cell.bytes.data() + 8, 4);
    cell.bytes = Bytes((day - 2'440'588) * int64_t{86'400'000'000'000} + nanoseconds, 8);
  } else if (type.id == TypeId::kInterval) {
    uint32_t milliseconds;
    std::memcpy(&milliseconds, cell.bytes.data() + 8, 4);
    cell.bytes = cell.bytes.substr(0, 8) + Bytes(milliseconds * int64_t{1'000'000}, 8);
  } else if (type.id == TypeId::kMap) {
    for (support::Cell& entry : cell.children) {
      for (size_t part = 0; part < type.children.size(); ++part) {
        below(part, entry.children[part]);
      }
      if (type.children.size() == 1) entry = support::Cell(entry.children[0]);
    }
  } else {
    for (size_t i = 0; i < cell.children.size(); ++i) {
      below(type.id == TypeId::kList ? 0 : i, cell.children[i]);
    }
  }
  return cell;
}

/// A batch and what is in it.
struct ExportableBatch {
  Batch batch;
  std::vector<std::vector<support::Cell>> cells;  ///< Of each column.

  /// What its consumer has to find in each column.
  std::vector<std::vector<support::Cell>> Expected(const ArrowExportOptions& options) const {
    std::vector<std::vector<support::Cell>> expected = cells;
    for (size_t i = 0; i < expected.size(); ++i) {
      const DataType& type = batch.schema->fields[i].type;
      for (support::Cell& cell : expected[i]) {
        cell = ArrowCell(type, std::move(cell), options.narrow_decimals);
      }
    }
    return expected;
  }
};

inline ExportableBatch RandomBatch(std::shared_ptr<const Schema> schema, int64_t num_rows,
                                   support::RandomColumns& random) {
  ExportableBatch made;
  made.batch.schema = std::move(schema);
  made.batch.num_rows = num_rows;
  for (const Field& field : made.batch.schema->fields) {
    std::vector<support::Cell> cells = random.Cells(field, num_rows, 0.3);
    for (support::Cell& cell : cells) MakeExportable(field.type, cell);
    made.batch.columns.push_back(support::BuildMessyColumn(field.type, cells, random));
    const Status valid = ValidateColumn(made.batch.columns.back());
    EXPECT_TRUE(valid.ok()) << valid.ToString();
    made.cells.push_back(std::move(cells));
  }
  return made;
}

/// A batch of one column `c`.
inline Batch BatchOf(Column column, bool nullable = true) {
  Batch batch;
  batch.schema =
      std::make_shared<const Schema>(Schema{{{"c", *column.type, nullable, std::nullopt}}});
  batch.num_rows = column.length;
  batch.columns.push_back(std::move(column));
  return batch;
}

inline void ExpectOk(const Status& status) { ASSERT_TRUE(status.ok()) << status.ToString(); }

/// What a consumer finds in an exported batch.
inline std::vector<std::vector<support::Cell>> Exported(const Batch& batch,
                                                        const ArrowExportOptions& options = {}) {
  support::Owned<ArrowSchema> schema;
  support::Owned<ArrowArray> array;
  const Status schema_status = ExportSchema(*batch.schema, options, &schema);
  EXPECT_TRUE(schema_status.ok()) << schema_status.ToString();
  const Status status = ExportBatch(batch, options, nullptr, &array);
  EXPECT_TRUE(status.ok()) << status.ToString();
  if (!status.ok() || !schema_status.ok()) return {};
  return support::ImportColumns(support::ImportType(schema), array);
}

inline std::vector<ArrowExportOptions> EveryExportOption() {
  std::vector<ArrowExportOptions> all;
  for (const ArrowText text : {ArrowText::kViews, ArrowText::kPlain, ArrowText::kLarge}) {
    for (const bool keep_dictionaries : {false, true}) {
      ArrowExportOptions options;
      options.text = text;
      options.keep_dictionaries = keep_dictionaries;
      options.narrow_decimals = text == ArrowText::kPlain;
      all.push_back(options);
    }
  }
  return all;
}

}  // namespace sluice
