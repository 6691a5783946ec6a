#pragma once

// Columns by their logical content, whatever their form: written down as cells to build columns
// from, and read back as cells to compare.

#include <sluice/column.h>
#include <sluice/types.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::support {

/// One row of a column, or element of a list.
struct Cell {
  bool is_null = false;
  /// Scalars: the bytes of the column's layout, a boolean as one byte; strings as they are.
  std::string bytes;
  /// Struct: a cell a field. List: the elements. Map: structs of key and value, in order.
  std::vector<Cell> children;

  bool operator==(const Cell&) const = default;
};

inline Cell Null() { return {true, {}, {}}; }
inline Cell Text(std::string_view text) { return {false, std::string(text), {}}; }
template <typename T>
Cell Fixed(T value) {
  return {false, std::string(reinterpret_cast<const char*>(&value), sizeof(T)), {}};
}
inline Cell Nested(std::vector<Cell> children) { return {false, {}, std::move(children)}; }

/// A flat (or view) column of the cells, which have the type's shape.
Column BuildColumn(const DataType& type, const std::vector<Cell>& cells);
/// The same content in form kDictionary: entry i for cell i, then in reverse order.
Column BuildDictionaryColumn(const DataType& type, const std::vector<Cell>& cells);
/// `cell` in `length` rows, in form kConstant.
Column BuildConstantColumn(const DataType& type, const Cell& cell, int64_t length);

/// The content of rows [begin, end), through every form.
std::vector<Cell> CellsOf(const Column& column, int64_t begin, int64_t end);
std::vector<Cell> CellsOf(const Column& column);

/// A batch over columns of the fields of `schema`, all of the same length.
Batch BuildBatch(const Schema& schema, std::vector<Column> columns);

/// For messages: scalars in hex, "null", "[..]".
std::string CellText(const Cell& cell);

}  // namespace sluice::support
