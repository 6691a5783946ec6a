#pragma once

// A column of every form and shape, each of them valid.

#include <sluice/column.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

inline const std::shared_ptr<BufferPool>& Pool() {
  static const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  return pool;
}

template <typename T>
BufferRef BufferOf(const std::vector<T>& values) {
  BufferRef buffer = Pool()->Allocate(static_cast<int64_t>(values.size() * sizeof(T))).value();
  std::copy(values.begin(), values.end(), buffer->template mutable_as<T>());
  return buffer;
}

inline BufferRef Validity(const std::vector<bool>& bits) {
  std::vector<uint64_t> words(static_cast<size_t>(BitmapWords(static_cast<int64_t>(bits.size()))));
  for (size_t i = 0; i < bits.size(); ++i) {
    if (bits[i]) SetBit(words.data(), static_cast<int64_t>(i));
  }
  return BufferOf(words);
}

inline std::shared_ptr<const DataType> TypeOf(DataType type) {
  return std::make_shared<const DataType>(std::move(type));
}

inline Column Flat(DataType type, int64_t length, BufferRef data) {
  Column column;
  column.type = TypeOf(std::move(type));
  column.length = length;
  column.data = std::move(data);
  return column;
}

inline Column Numbers(const std::vector<int32_t>& values) {
  return Flat(DataType::Of(TypeId::kInt32), static_cast<int64_t>(values.size()), BufferOf(values));
}

/// Rows 1 of 3 null.
inline Column NumbersWithNull() {
  Column column = Numbers({10, 0, 30});
  column.validity = Validity({true, false, true});
  column.null_count = 1;
  return column;
}

inline Column Strings(const std::vector<std::string>& values) {
  Column column;
  column.type = TypeOf(DataType::Of(TypeId::kString));
  column.form = ColumnForm::kView;
  column.length = static_cast<int64_t>(values.size());
  std::vector<uint8_t> bytes;
  for (const std::string& value : values) bytes.insert(bytes.end(), value.begin(), value.end());
  column.view_buffers.push_back(BufferOf(bytes));
  std::vector<StringView> views;
  int32_t offset = 0;
  for (const std::string& value : values) {
    const auto size = static_cast<int32_t>(value.size());
    views.push_back(StringView::OfPadded(column.view_buffers[0]->data() + offset, size, 0, offset));
    offset += size;
  }
  column.data = BufferOf(views);
  return column;
}

inline Column LookedUp(ColumnForm form, Column values, int64_t length, BufferRef codes) {
  Column column;
  column.type = values.type;
  column.form = form;
  column.length = length;
  column.data = std::move(codes);
  column.dictionary = std::make_shared<const Column>(std::move(values));
  return column;
}

inline Column Dictionary() {
  return LookedUp(ColumnForm::kDictionary, Strings({"a", "a string of some length"}), 3,
                  BufferOf<int32_t>({0, 1, 0}));
}

inline Column Constant() { return LookedUp(ColumnForm::kConstant, Numbers({42}), 5, nullptr); }

/// [[1, 2], null, []]
inline Column List(bool nullable_elements = true) {
  Column column =
      Flat(DataType::List({"element", DataType::Of(TypeId::kInt32), nullable_elements, {}}), 3,
           BufferOf<int32_t>({0, 2, 2, 2}));
  column.validity = Validity({true, false, true});
  column.null_count = 1;
  column.children.push_back(Numbers({1, 2}));
  return column;
}

/// {a: 10, b: null}, null, {a: 30, b: "z"}; `a` is required.
inline Column Struct() {
  Column column = Flat(DataType::Struct({{"a", DataType::Of(TypeId::kInt32), false, {}},
                                         {"b", DataType::Of(TypeId::kString), true, {}}}),
                       3, nullptr);
  column.validity = Validity({true, false, true});
  column.null_count = 1;
  column.children.push_back(NumbersWithNull());
  column.children.push_back(Strings({"x", "y", "z"}));
  column.children[1].validity = Validity({false, true, true});
  column.children[1].null_count = 1;
  return column;
}

inline Column Map(bool with_values) {
  const Field key{"key", DataType::Of(TypeId::kString), false, {}};
  const Field value{"value", DataType::Of(TypeId::kInt32), true, {}};
  Column column = Flat(DataType::Map(key, with_values ? std::optional<Field>(value) : std::nullopt),
                       2, BufferOf<int32_t>({0, 1, 2}));
  column.children.push_back(Strings({"k", "l"}));
  if (with_values) column.children.push_back(Numbers({1, 2}));
  return column;
}

inline Column Nulls(int64_t length) {
  Column column = Flat(DataType::Of(TypeId::kNull), length, nullptr);
  column.null_count = length;
  return column;
}

}  // namespace sluice
