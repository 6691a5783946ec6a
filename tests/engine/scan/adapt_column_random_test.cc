// Random files, and tables that they were of before columns were added, dropped, moved, renamed and
// widened.

#include <gtest/gtest.h>
#include <sluice/parquet/reader.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/scan/adapt_column.h"
#include "format/model/widen.h"
#include "tests/format/model/widenings.h"
#include "tests/support/file_reading.h"
#include "tests/support/random_tables.h"

namespace sluice::engine {
namespace {

using support::Cell;
using support::Null;
using support::RandomColumns;

// What a table makes of a file's field, and its rows, one cell at a time.
class Evolution {
 public:
  Evolution(RandomColumns& random, ColumnMatch match) : random_(random), match_(match) {}

  Field Evolve(const Field& file) {
    Field field{NewName(file.name), file.type, true, file.field_id};
    if (!file.type.is_nested()) {
      field.type = Wider(file.type);
    } else if (file.type.id == TypeId::kStruct) {
      field.type.children = EvolveFields(file.type.children);
    } else if (file.type.id != TypeId::kVariant) {
      for (Field& child : field.type.children) {
        const bool nullable = child.nullable;
        child = Evolve(child);
        child.nullable = nullable;
      }
    }
    return field;
  }

  /// Some of the fields in another order, and others.
  std::vector<Field> EvolveFields(const std::vector<Field>& file) {
    std::vector<Field> fields;
    for (const Field& field : file) {
      if (random_.Chance(0.7)) fields.push_back(Evolve(field));
    }
    if (random_.Chance(0.3)) {
      fields.push_back({"new" + std::to_string(next_id_), random_.Type(2), true, next_id_});
      SetIds(fields.back().type);
      ++next_id_;
    }
    for (size_t i = fields.size(); i > 1; --i) {
      std::swap(fields[i - 1], fields[static_cast<size_t>(random_.Below(static_cast<int64_t>(i)))]);
    }
    return fields;
  }

  void SetIds(DataType& type) {
    for (Field& child : type.children) {
      child.field_id = next_id_++;
      SetIds(child.type);
    }
  }

  /// A cell of the file as one of the table; `is_misfit` where it has no counterpart.
  Cell Expected(const Field& wanted, const Field& file, const Cell& cell, bool& is_misfit) const {
    if (cell.is_null) return Null();
    if (!wanted.type.is_nested()) {
      const auto wide = WidenValue(file.type, cell.bytes, wanted.type);
      is_misfit |= !wide.has_value();
      return wide ? support::Text(*wide) : Null();
    }
    Cell expected;
    if (wanted.type.id == TypeId::kVariant) return cell;
    if (wanted.type.id == TypeId::kList) {
      for (const Cell& element : cell.children) {
        expected.children.push_back(
            Expected(wanted.type.children[0], file.type.children[0], element, is_misfit));
      }
      return expected;
    }
    if (wanted.type.id == TypeId::kMap) {
      for (const Cell& entry : cell.children) {
        Cell& both = expected.children.emplace_back();
        for (size_t i = 0; i < 2; ++i) {
          both.children.push_back(Expected(wanted.type.children[i], file.type.children[i],
                                           entry.children[i], is_misfit));
        }
      }
      return expected;
    }
    for (const Field& child : wanted.type.children) {
      const int32_t at = Find(child, file.type.children);
      expected.children.push_back(
          at < 0 ? Null()
                 : Expected(child, file.type.children[static_cast<size_t>(at)],
                            cell.children[static_cast<size_t>(at)], is_misfit));
    }
    return expected;
  }

  int32_t Find(const Field& wanted, const std::vector<Field>& fields) const {
    for (size_t i = 0; i < fields.size(); ++i) {
      const bool is_same = match_ == ColumnMatch::kFieldId ? wanted.field_id == fields[i].field_id
                                                           : wanted.name == fields[i].name;
      if (is_same) return static_cast<int32_t>(i);
    }
    return -1;
  }

 private:
  std::string NewName(const std::string& name) {
    if (match_ == ColumnMatch::kFieldId && random_.Chance(0.5)) return "renamed " + name;
    return name;
  }
  DataType Wider(const DataType& type) {
    if (random_.Chance(0.4)) return type;
    static const std::vector<DataType> types = WidenedTypes();
    for (int tries = 0; tries < 100; ++tries) {
      const DataType& other =
          types[static_cast<size_t>(random_.Below(static_cast<int64_t>(types.size())))];
      if (CanWiden(type, other)) return other;
    }
    return type;
  }

  RandomColumns& random_;
  ColumnMatch match_;
  int32_t next_id_ = 1000;
};

struct RandomFile {
  support::Table table;
  std::shared_ptr<parquet::FileReader> reader;
};

RandomFile MakeFile(RandomColumns& random, Evolution& evolution) {
  RandomFile file;
  file.table = support::RandomTable(random, 1 + random.Below(300), 4);
  for (Field& field : file.table.schema.fields) evolution.SetIds(field.type);
  const auto bytes =
      support::Write(file.table, support::RandomOptions(random, file.table.schema), random);
  EXPECT_TRUE(bytes) << bytes.status().ToString();
  parquet::ReadOptions options;
  options.deliver_dictionaries = random.Chance(0.5);
  file.reader = support::OpenBytes(*bytes, options).value();
  return file;
}

/// The adapted columns of a whole file, row by row, with the misfits.
struct Rows {
  std::vector<std::vector<Cell>> columns;
  std::vector<std::vector<bool>> misfits;
};

Rows ReadAdapted(const RandomFile& file, const Schema& wanted,
                 const std::vector<ColumnMapping>& mappings) {
  std::vector<std::vector<int32_t>> paths;
  std::vector<int32_t> places;
  int32_t next_place = 0;
  for (const ColumnMapping& mapping : mappings) {
    const auto own = FieldPathsOf(mapping);
    EXPECT_EQ(own.empty(), !mapping.is_read());
    paths.insert(paths.end(), own.begin(), own.end());
    places.push_back(own.empty() ? -1 : next_place++);
  }
  const auto projection = parquet::Projection::OfFields(file.reader->tree(), paths);
  EXPECT_TRUE(projection) << projection.status().ToString();
  Rows rows;
  rows.columns.resize(mappings.size());
  rows.misfits.resize(mappings.size());
  const auto pool = BufferPool::Make();
  WidenedDictionaries kept;
  for (int32_t group = 0; group < file.reader->num_row_groups(); ++group) {
    auto cursor = *file.reader->RowGroup(group, *projection);
    while (true) {
      auto next = cursor->Next();
      EXPECT_TRUE(next) << next.status().ToString();
      if (!next || !*next) break;
      const Batch& batch = (*next)->batch;
      for (size_t i = 0; i < mappings.size(); ++i) {
        const Column* projected =
            places[i] < 0 ? nullptr : &batch.columns[static_cast<size_t>(places[i])];
        const auto adapted = AdaptColumn(mappings[i], projected, batch.num_rows, *pool, &kept);
        EXPECT_TRUE(adapted) << adapted.status().ToString();
        const Status valid = ValidateColumn(adapted->column);
        EXPECT_TRUE(valid.ok()) << valid.ToString();
        EXPECT_EQ(*adapted->column.type, wanted.fields[i].type);
        for (int64_t row = 0; row < batch.num_rows; ++row) {
          const bool is_misfit = !adapted->misfits.empty() && GetBit(adapted->misfits.data(), row);
          if (projected != nullptr) {
            EXPECT_EQ(MisfitErrorOf(mappings[i], "c", *projected, row).ok(), !is_misfit);
          }
          rows.misfits[i].push_back(is_misfit);
          rows.columns[i].push_back(support::CellsOf(adapted->column, row, row + 1)[0]);
        }
      }
    }
  }
  return rows;
}

// contracts V-65 to V-77, L-32, L-34: files as they were written and tables as they became.
TEST(AdaptColumn, RandomFilesOfTablesThatEvolved) {
  int64_t num_misfits = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    RandomColumns random(seed);
    const auto match = static_cast<ColumnMatch>(seed % 3);
    Evolution evolution(random, match);
    const RandomFile file = MakeFile(random, evolution);
    const Schema& stored = *file.reader->schema();
    const Schema wanted{evolution.EvolveFields(stored.fields)};
    std::vector<int32_t> positions;
    for (size_t i = 0; i < wanted.fields.size(); ++i) {
      // Columns that the file has are at the place of theirs, others behind them all.
      const int32_t at = evolution.Find(wanted.fields[i], stored.fields);
      positions.push_back(at >= 0 ? at : 100 + static_cast<int32_t>(i));
    }
    const auto mappings = MapColumns(wanted, positions, stored, match);
    ASSERT_TRUE(mappings) << mappings.status().ToString();
    const Rows rows = ReadAdapted(file, wanted, *mappings);
    for (size_t i = 0; i < wanted.fields.size(); ++i) {
      SCOPED_TRACE(wanted.fields[i].name + " " + wanted.fields[i].type.ToString());
      const int32_t at = evolution.Find(wanted.fields[i], stored.fields);
      if (rows.columns[i].empty()) continue;
      ASSERT_EQ(rows.columns[i].size(), static_cast<size_t>(file.table.num_rows));
      for (size_t row = 0; row < rows.columns[i].size(); ++row) {
        bool is_misfit = false;
        const Cell expected =
            at < 0
                ? Null()
                : evolution.Expected(wanted.fields[i], stored.fields[static_cast<size_t>(at)],
                                     file.table.columns[static_cast<size_t>(at)][row], is_misfit);
        ASSERT_EQ(rows.misfits[i][row], is_misfit) << row;
        num_misfits += is_misfit;
        if (is_misfit) continue;
        ASSERT_TRUE(rows.columns[i][row] == expected) << row;
      }
    }
  }
  EXPECT_GT(num_misfits, 30);
}

}  // namespace
}  // namespace sluice::engine
