#pragma once

// Columns that texts are made of.

#include <sluice/column.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

inline BufferRef BufferOf(const void* bytes, size_t size) {
  static const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  BufferRef buffer = *pool->Allocate(static_cast<int64_t>(size));
  if (size > 0) std::memcpy(buffer->mutable_data(), bytes, size);
  return buffer;
}

template <typename T>
Column FlatOf(const DataType& type, const std::vector<T>& values) {
  Column column;
  column.type = std::make_shared<const DataType>(type);
  column.length = static_cast<int64_t>(values.size());
  column.data = BufferOf(values.data(), values.size() * sizeof(T));
  return column;
}

/// One value of the bytes.
inline Column FixedOf(const DataType& type, const std::vector<uint8_t>& bytes) {
  Column column = FlatOf(type, bytes);
  column.length = 1;
  return column;
}

inline Column ViewsOf(TypeId id, const std::vector<std::string>& values) {
  Column column;
  column.type = std::make_shared<const DataType>(DataType::Of(id));
  column.form = ColumnForm::kView;
  column.length = static_cast<int64_t>(values.size());
  std::vector<StringView> views;
  for (const std::string& value : values) {
    column.view_buffers.push_back(BufferOf(value.data(), value.size()));
    views.push_back(StringView::OfPadded(column.view_buffers.back()->data(),
                                         static_cast<int32_t>(value.size()),
                                         static_cast<int32_t>(column.view_buffers.size() - 1), 0));
  }
  column.data = BufferOf(views.data(), views.size() * sizeof(StringView));
  return column;
}

inline Column WithNullAt(Column column, int64_t row) {
  std::vector<uint64_t> words(static_cast<size_t>(BitmapWords(column.length)), ~uint64_t{0});
  ClearBit(words.data(), row);
  column.validity = BufferOf(words.data(), words.size() * 8);
  column.null_count = 1;
  return column;
}

inline Column StructOf(std::vector<std::string> names, std::vector<Column> children) {
  std::vector<Field> fields;
  for (size_t i = 0; i < names.size(); ++i)
    fields.push_back({names[i], *children[i].type, true, {}});
  Column column;
  column.type = std::make_shared<const DataType>(DataType::Struct(std::move(fields)));
  column.length = children.empty() ? 1 : children[0].length;
  column.children = std::move(children);
  return column;
}

inline Column ListOf(const std::vector<int32_t>& offsets, Column element) {
  Column column = FlatOf(DataType::List({"element", *element.type, true, {}}), offsets);
  column.length = static_cast<int64_t>(offsets.size()) - 1;
  column.children.push_back(std::move(element));
  return column;
}

}  // namespace sluice
