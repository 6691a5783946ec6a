#include "format/model/arrow/column_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "format/model/path_text.h"

namespace sluice::inline v0::arrow {

std::string ColumnPlace::ToString() const {
  std::vector<std::string_view> names;
  for (const ColumnPlace* place = this; place != nullptr; place = place->parent) {
    names.push_back(place->name);
  }
  std::string path;
  std::for_each(names.rbegin(), names.rend(),
                [&](std::string_view part) { AppendPathPart(part, path); });
  return fmt::format("column '{}'", path);
}

Status ColumnPlace::Error(StatusCode code, std::string_view what) const {
  return Status(code, fmt::format("{}: {}", ToString(), what));
}

std::optional<int64_t> ColumnPlace::BatchRow(int64_t row) const {
  for (const ColumnPlace* place = this; place->parent_column != nullptr; place = place->parent) {
    const Column& above = *place->parent_column;
    if (above.type->id == TypeId::kList || above.type->id == TypeId::kMap) {
      // The last list that begins at or before the element: those before it that do are empty.
      const auto* offsets = above.values<int32_t>();
      const auto* next = std::upper_bound(offsets, offsets + above.length + 1, row);
      row = next - offsets - 1;
      if (row < 0 || row >= above.length) return std::nullopt;
    }
    if (above.IsNull(row)) return std::nullopt;
  }
  return row;
}

}  // namespace sluice::inline v0::arrow
