#include "tests/support/messy_columns.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace sluice::support {
namespace {

bool IsConstant(const std::vector<Cell>& cells) {
  return !cells.empty() && std::all_of(cells.begin(), cells.end(),
                                       [&](const Cell& cell) { return cell == cells[0]; });
}

/// A buffer as long as `buffer`, whose values of `width` bytes are garbage where rows are null.
BufferRef WithGarbage(const BufferRef& buffer, int64_t width, const std::vector<Cell>& cells) {
  static const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  BufferRef copy = pool->Allocate(buffer->size()).value();
  if (buffer->size() > 0) {
    std::memcpy(copy->mutable_data(), buffer->data(), static_cast<size_t>(buffer->size()));
  }
  for (size_t i = 0; i < cells.size(); ++i) {
    if (!cells[i].is_null) continue;
    std::memset(copy->mutable_data() + static_cast<int64_t>(i) * width, 0xEE,
                static_cast<size_t>(width));
  }
  return copy;
}

Column BuildScalars(const DataType& type, const std::vector<Cell>& cells, RandomColumns& random) {
  if (type.id == TypeId::kNull) return BuildColumn(type, cells);
  const bool is_dictionary = random.Chance(0.4);
  Column column = is_dictionary ? BuildDictionaryColumn(type, cells) : BuildColumn(type, cells);
  const int64_t width = is_dictionary ? 4 : type.is_view() ? 16 : type.byte_width;
  if (is_dictionary || type.id != TypeId::kBoolean) {
    column.data = WithGarbage(column.data, width, cells);
  }
  return column;
}

void BuildFields(const std::vector<Cell>& cells, RandomColumns& random, Column* column) {
  const std::vector<Field>& fields = column->type->children;
  for (size_t i = 0; i < fields.size(); ++i) {
    std::vector<Cell> below;
    for (const Cell& cell : cells) {
      below.push_back(cell.is_null ? random.Cells(fields[i], 1, 0.3)[0] : cell.children[i]);
    }
    column->children[i] = BuildMessyColumn(fields[i].type, below, random);
  }
}

/// One column of elements for each child of lists or maps, in between some of no list.
class Elements {
 public:
  Elements(const DataType& type, RandomColumns& random)
      : type_(type), random_(random), parts_(type.children.size()) {}

  void AppendJunk() {
    for (int64_t i = random_.Below(3); i > 0; --i) {
      for (size_t part = 0; part < parts_.size(); ++part) {
        parts_[part].push_back(random_.Cells(type_.children[part], 1, 0.3)[0]);
      }
    }
  }
  void Append(const Cell& element) {
    for (size_t part = 0; part < parts_.size(); ++part) {
      parts_[part].push_back(type_.id == TypeId::kList ? element : element.children[part]);
    }
  }
  int32_t size() const { return static_cast<int32_t>(parts_[0].size()); }
  const std::vector<std::vector<Cell>>& parts() const { return parts_; }

 private:
  const DataType& type_;
  RandomColumns& random_;
  std::vector<std::vector<Cell>> parts_;
};

void BuildLists(const std::vector<Cell>& cells, RandomColumns& random, Column* column) {
  Elements elements(*column->type, random);
  auto* offsets = column->data->mutable_as<int32_t>();
  elements.AppendJunk();
  offsets[0] = elements.size();
  for (size_t i = 0; i < cells.size(); ++i) {
    for (const Cell& element : cells[i].children) elements.Append(element);
    if (cells[i].is_null) elements.AppendJunk();
    offsets[i + 1] = elements.size();
  }
  elements.AppendJunk();
  for (size_t part = 0; part < column->children.size(); ++part) {
    column->children[part] =
        BuildMessyColumn(column->type->children[part].type, elements.parts()[part], random);
  }
}

}  // namespace

Column BuildMessyColumn(const DataType& type, const std::vector<Cell>& cells,
                        RandomColumns& random) {
  Column column;
  if (IsConstant(cells) && random.Chance(0.5)) {
    return BuildConstantColumn(type, cells[0], static_cast<int64_t>(cells.size()));
  }
  if (!type.is_nested()) {
    column = BuildScalars(type, cells, random);
  } else {
    column = BuildColumn(type, cells);
    if (type.id == TypeId::kStruct || type.id == TypeId::kVariant) {
      BuildFields(cells, random, &column);
    } else {
      BuildLists(cells, random, &column);
    }
  }
  if (column.null_count == column.length && random.Chance(0.5)) column.validity.reset();
  return column;
}

}  // namespace sluice::support
