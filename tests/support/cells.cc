#include "tests/support/cells.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <utility>

namespace sluice::support {
namespace {

BufferRef NewBuffer(int64_t size) {
  static const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  Result<BufferRef> made = pool->Allocate(size);
  if (!made.has_value()) std::abort();
  if (size > 0) std::memset((*made)->mutable_data(), 0, static_cast<size_t>(size));
  return *std::move(made);
}

int64_t SizeOf(const std::vector<Cell>& cells) { return static_cast<int64_t>(cells.size()); }

void BuildValidity(const std::vector<Cell>& cells, Column* column) {
  for (const Cell& cell : cells) column->null_count += cell.is_null ? 1 : 0;
  if (column->null_count == 0) return;
  column->validity = NewBuffer(BitmapBytes(SizeOf(cells)));
  for (int64_t i = 0; i < SizeOf(cells); ++i) {
    if (!cells[static_cast<size_t>(i)].is_null) {
      SetBit(column->validity->mutable_as<uint64_t>(), i);
    }
  }
}

void BuildViews(const std::vector<Cell>& cells, Column* column) {
  column->form = ColumnForm::kView;
  std::string text;
  for (const Cell& cell : cells) text += cell.bytes;
  BufferRef buffer = NewBuffer(static_cast<int64_t>(text.size()));
  if (!text.empty()) std::memcpy(buffer->mutable_data(), text.data(), text.size());
  column->data = NewBuffer(SizeOf(cells) * static_cast<int64_t>(sizeof(StringView)));
  int32_t offset = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    const auto size = static_cast<int32_t>(cells[i].bytes.size());
    column->data->mutable_as<StringView>()[i] =
        StringView::OfPadded(buffer->data() + offset, size, 0, offset);
    offset += size;
  }
  column->view_buffers.push_back(std::move(buffer));
}

void BuildFixed(const std::vector<Cell>& cells, Column* column) {
  const auto width = static_cast<size_t>(column->type->byte_width);
  column->data = NewBuffer(SizeOf(cells) * column->type->byte_width);
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].is_null) continue;
    if (cells[i].bytes.size() != width) std::abort();
    std::memcpy(column->data->mutable_data() + i * width, cells[i].bytes.data(), width);
  }
}

void BuildBooleans(const std::vector<Cell>& cells, Column* column) {
  column->data = NewBuffer(BitmapBytes(SizeOf(cells)));
  for (size_t i = 0; i < cells.size(); ++i) {
    if (!cells[i].is_null && cells[i].bytes[0] != 0) {
      SetBit(column->data->mutable_as<uint64_t>(), static_cast<int64_t>(i));
    }
  }
}

void BuildStruct(const std::vector<Cell>& cells, Column* column) {
  for (size_t field = 0; field < column->type->children.size(); ++field) {
    std::vector<Cell> below;
    for (const Cell& cell : cells) below.push_back(cell.is_null ? Null() : cell.children[field]);
    column->children.push_back(BuildColumn(column->type->children[field].type, below));
  }
}

void BuildLists(const std::vector<Cell>& cells, Column* column) {
  column->data = NewBuffer((SizeOf(cells) + 1) * 4);
  std::vector<Cell> elements;
  for (size_t i = 0; i < cells.size(); ++i) {
    elements.insert(elements.end(), cells[i].children.begin(), cells[i].children.end());
    column->data->mutable_as<int32_t>()[i + 1] = static_cast<int32_t>(elements.size());
  }
  const std::vector<Field>& children = column->type->children;
  if (column->type->id == TypeId::kList) {
    column->children.push_back(BuildColumn(children[0].type, elements));
    return;
  }
  for (size_t part = 0; part < children.size(); ++part) {
    std::vector<Cell> below;
    for (const Cell& element : elements) below.push_back(element.children[part]);
    column->children.push_back(BuildColumn(children[part].type, below));
  }
}

Cell CellOf(const Column& column, int64_t row) {
  switch (column.form) {
    case ColumnForm::kConstant:
      return CellOf(*column.dictionary, 0);
    case ColumnForm::kDictionary:
      if (column.IsNull(row)) return Null();
      return CellOf(*column.dictionary, column.values<int32_t>()[row]);
    case ColumnForm::kFlat:
    case ColumnForm::kView:
      break;
  }
  const DataType& type = *column.type;
  if (column.IsNull(row) || type.id == TypeId::kNull) return Null();
  if (type.id == TypeId::kBoolean) {
    return Fixed(static_cast<uint8_t>(GetBit(column.values<uint64_t>(), row) ? 1 : 0));
  }
  if (type.is_view()) return Text(column.Bytes(row));
  if (!type.is_nested()) {
    return Text({reinterpret_cast<const char*>(column.data->data()) + row * type.byte_width,
                 static_cast<size_t>(type.byte_width)});
  }
  Cell cell;
  if (type.id == TypeId::kStruct || type.id == TypeId::kVariant) {
    for (const Column& child : column.children) cell.children.push_back(CellOf(child, row));
    return cell;
  }
  const int32_t* offsets = column.values<int32_t>();
  for (int64_t i = offsets[row]; i < offsets[row + 1]; ++i) {
    if (type.id == TypeId::kList) {
      cell.children.push_back(CellOf(column.children[0], i));
      continue;
    }
    Cell entry;
    for (const Column& part : column.children) entry.children.push_back(CellOf(part, i));
    cell.children.push_back(std::move(entry));
  }
  return cell;
}

}  // namespace

Column BuildColumn(const DataType& type, const std::vector<Cell>& cells) {
  Column column;
  column.type = std::make_shared<DataType>(type);
  column.length = SizeOf(cells);
  BuildValidity(cells, &column);
  if (type.id == TypeId::kNull) return column;
  if (type.id == TypeId::kBoolean) {
    BuildBooleans(cells, &column);
  } else if (type.is_view()) {
    BuildViews(cells, &column);
  } else if (!type.is_nested()) {
    BuildFixed(cells, &column);
  } else if (type.id == TypeId::kStruct || type.id == TypeId::kVariant) {
    BuildStruct(cells, &column);
  } else {
    BuildLists(cells, &column);
  }
  return column;
}

Column BuildDictionaryColumn(const DataType& type, const std::vector<Cell>& cells) {
  Column column;
  column.type = std::make_shared<DataType>(type);
  column.form = ColumnForm::kDictionary;
  column.length = SizeOf(cells);
  BuildValidity(cells, &column);
  std::vector<Cell> entries;
  column.data = NewBuffer(column.length * 4);
  for (size_t i = cells.size(); i-- > 0;) {
    if (cells[i].is_null) continue;
    column.data->mutable_as<int32_t>()[i] = static_cast<int32_t>(entries.size());
    entries.push_back(cells[i]);
  }
  column.dictionary = std::make_shared<Column>(BuildColumn(type, entries));
  return column;
}

Column BuildConstantColumn(const DataType& type, const Cell& cell, int64_t length) {
  Column column;
  column.type = std::make_shared<DataType>(type);
  column.form = ColumnForm::kConstant;
  column.length = length;
  column.null_count = cell.is_null ? length : 0;
  column.dictionary = std::make_shared<Column>(BuildColumn(type, {cell}));
  return column;
}

std::vector<Cell> CellsOf(const Column& column, int64_t begin, int64_t end) {
  std::vector<Cell> cells;
  for (int64_t row = begin; row < end; ++row) cells.push_back(CellOf(column, row));
  return cells;
}

std::vector<Cell> CellsOf(const Column& column) { return CellsOf(column, 0, column.length); }

Batch BuildBatch(const Schema& schema, std::vector<Column> columns) {
  Batch batch;
  batch.schema = std::make_shared<Schema>(schema);
  batch.num_rows = columns.empty() ? 0 : columns[0].length;
  batch.columns = std::move(columns);
  return batch;
}

std::string CellText(const Cell& cell) {
  if (cell.is_null) return "null";
  std::string text;
  for (const char byte : cell.bytes) text += fmt::format("{:02x}", static_cast<uint8_t>(byte));
  if (cell.children.empty()) return text.empty() ? "()" : text;
  text += "[";
  for (const Cell& child : cell.children) text += CellText(child) + " ";
  return text + "]";
}

}  // namespace sluice::support
