#include "engine/scan/adapt_column.h"

#include <fmt/format.h>
#include <sluice/bitmap.h>
#include <sluice/row_selection.h>
#include <sluice/value.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/scan/row_columns.h"
#include "format/model/path_text.h"
#include "format/model/try.h"
#include "format/model/widen.h"

namespace sluice::inline v0::engine {
namespace {

size_t Index(int32_t ordinal) { return static_cast<size_t>(ordinal); }

/// The rows of a child that belong to a row: that row of a struct, elements of a list or map.
RowRange RowsBelow(const Column& column, int64_t row) {
  if (column.type->id == TypeId::kStruct) return {row, row + 1};
  const auto* offsets = column.values<int32_t>();
  return {offsets[row], offsets[row + 1]};
}

/// Adds the rows that have one of the misfits of a child; what is below a null is no value.
void AddMisfits(const Column& column, const std::vector<uint64_t>& below,
                std::vector<uint64_t>& misfits) {
  if (below.empty()) return;
  for (int64_t row = 0; row < column.length; ++row) {
    const RowRange rows = RowsBelow(column, row);
    if (column.IsNull(row) || CountBits(below.data(), rows.begin, rows.size()) == 0) continue;
    misfits.resize(static_cast<size_t>(BitmapWords(column.length)));
    SetBit(misfits.data(), row);
  }
}

/// The child that a child of the mapping is made of; null where it is made of nothing.
const Column* ProjectedOf(const ColumnMapping& child, const Column& projected) {
  return child.is_read() ? &projected.children[Index(child.rank)] : nullptr;
}

Result<WidenedColumn> AdaptChildren(const ColumnMapping& mapping, const Column& projected,
                                    BufferPool& pool, WidenedDictionaries* kept) {
  const bool is_struct = mapping.type->id == TypeId::kStruct;
  const int64_t rows = is_struct ? projected.length : projected.children[0].length;
  WidenedColumn adapted;
  adapted.column.type = mapping.type;
  adapted.column.length = projected.length;
  adapted.column.null_count = projected.null_count;
  adapted.column.validity = projected.validity;
  adapted.column.data = projected.data;
  for (const ColumnMapping& child : mapping.children) {
    SLUICE_TRY(WidenedColumn below,
               AdaptColumn(child, ProjectedOf(child, projected), rows, pool, kept));
    AddMisfits(projected, below.misfits, adapted.misfits);
    adapted.column.children.push_back(std::move(below.column));
  }
  return adapted;
}

/// Of a nested column in a form that looks rows up.
Result<WidenedColumn> AdaptEntries(const ColumnMapping& mapping, const Column& projected,
                                   BufferPool& pool, WidenedDictionaries* kept) {
  const Column& dictionary = *projected.dictionary;
  SLUICE_TRY(WidenedColumn entries,
             AdaptColumn(mapping, &dictionary, dictionary.length, pool, kept));
  WidenedColumn adapted;
  adapted.column = projected;
  adapted.column.type = mapping.type;
  adapted.column.dictionary = std::make_shared<const Column>(std::move(entries.column));
  if (!entries.misfits.empty()) adapted.misfits = RowsOfEntries(projected, entries.misfits);
  return adapted;
}

/// Whether a projected column has the children that its mapping takes.
bool HasChildren(const ColumnMapping& mapping, const Column& projected) {
  if (projected.form != ColumnForm::kFlat || projected.type->id != mapping.type->id) return false;
  if (mapping.type->id != TypeId::kStruct && projected.children.empty()) return false;
  return std::all_of(mapping.children.begin(), mapping.children.end(),
                     [&](const ColumnMapping& child) {
                       return !child.is_read() || Index(child.rank) < projected.children.size();
                     });
}

/// The error of the first value without counterpart in a row; OK where there is none.
Status FindMisfit(const ColumnMapping& mapping, const std::string& path, const Column& projected,
                  int64_t row) {
  if (mapping.is_identity || projected.IsNull(row)) return Status::Ok();
  if (mapping.file_type) {
    const Value value = ValueAt(projected, row);
    if (WidenValue(value.type, *value.bytes, *mapping.type)) return Status::Ok();
    return MisfitError(projected, row, *mapping.type).In(fmt::format("column '{}'", path));
  }
  const auto [column, column_row] = ResolveValue(projected, row);
  const RowRange rows = RowsBelow(*column, column_row);
  for (int64_t below_row = rows.begin; below_row < rows.end; ++below_row) {
    for (size_t i = 0; i < mapping.children.size(); ++i) {
      const Column* child = ProjectedOf(mapping.children[i], *column);
      if (child == nullptr) continue;
      std::string below = path;
      AppendPathPart(mapping.type->children[i].name, below);
      SLUICE_RETURN_IF_ERROR(FindMisfit(mapping.children[i], below, *child, below_row));
    }
  }
  return Status::Ok();
}

}  // namespace

Result<WidenedColumn> AdaptColumn(const ColumnMapping& mapping, const Column* projected,
                                  int64_t rows, BufferPool& pool, WidenedDictionaries* kept) {
  if (!mapping.is_read()) return WidenedColumn{ConstantColumn(mapping.constant, rows), {}};
  if (projected == nullptr) return Status::Internal("a column that is mapped was not read");
  if (mapping.is_identity) return WidenedColumn{*projected, {}};
  if (mapping.file_type) {
    return WidenColumn(*projected, mapping.type, pool,
                       kept != nullptr ? &(*kept)[&mapping] : nullptr);
  }
  if (projected->dictionary) return AdaptEntries(mapping, *projected, pool, kept);
  if (!HasChildren(mapping, *projected)) {
    return Status::Internal(fmt::format("{} was read where {} is mapped",
                                        projected->type->ToString(), mapping.type->ToString()));
  }
  return AdaptChildren(mapping, *projected, pool, kept);
}

Status MisfitErrorOf(const ColumnMapping& mapping, std::string_view name, const Column& projected,
                     int64_t row) {
  std::string path;
  AppendPathPart(name, path);
  return FindMisfit(mapping, path, projected, row);
}

}  // namespace sluice::inline v0::engine
