#include "engine/scan/row_columns.h"

#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "format/model/bitmap_words.h"
#include "format/model/column_rows.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {

Column NullRow(const DataType& type) {
  constexpr std::optional<std::string> kNull;
  if (!type.is_nested()) return ColumnOf(type, {&kNull, 1});
  const bool is_struct = type.id == TypeId::kStruct || type.id == TypeId::kVariant;
  Column column = ColumnOf(DataType::Of(TypeId::kInt32), {&kNull, 1});
  column.type = std::make_shared<const DataType>(type);
  column.data.reset();
  if (!is_struct) {
    const std::vector<std::optional<std::string>> zeros(2, std::string(sizeof(int32_t), '\0'));
    column.data = ColumnOf(DataType::Of(TypeId::kInt32), zeros).data;
  }
  for (const Field& field : type.children) {
    Column child = NullRow(field.type);
    column.children.push_back(is_struct ? std::move(child) : FirstRows(std::move(child), 0));
  }
  return column;
}

Column ConstantOf(const Value& value) {
  if (value.type.is_nested()) return NullRow(value.type);
  const std::optional<std::string> bytes = value.bytes;
  return ColumnOf(value.type, {&bytes, 1});
}

Column ConstantColumn(std::shared_ptr<const Column> constant, int64_t rows) {
  Column column;
  column.type = constant->type;
  column.form = ColumnForm::kConstant;
  column.length = rows;
  column.null_count = constant->IsNull(0) ? rows : 0;
  column.dictionary = std::move(constant);
  return column;
}

std::shared_ptr<const Column> RowGroupConstant(int32_t row_group) {
  return std::make_shared<const Column>(
      ConstantOf(Value::Of(DataType::Of(TypeId::kInt32), row_group)));
}

Result<Column> RowNumbers(RowRange rows, const std::vector<uint64_t>& selected, int64_t count,
                          int64_t first_row, BufferPool& pool) {
  Column column;
  column.type = std::make_shared<const DataType>(DataType::Of(TypeId::kInt64));
  column.length = count;
  SLUICE_TRY(column.data, pool.Allocate(count * static_cast<int64_t>(sizeof(int64_t))));
  auto* next = column.data->mutable_as<int64_t>();
  const int64_t begin = first_row + rows.begin;
  if (selected.empty()) {
    for (int64_t i = 0; i < count; ++i) next[i] = begin + i;
    return column;
  }
  ForEachSetBit(selected.data(), rows.size(), [&](int64_t row) { *next++ = begin + row; });
  return column;
}

}  // namespace sluice::inline v0::engine
