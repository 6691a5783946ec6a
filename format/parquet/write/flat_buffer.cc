#include "format/parquet/write/flat_buffer.h"

#include <algorithm>

#include "format/parquet/write/bit_packing.h"

namespace sluice::inline v0::parquet {

void FlatBuffer::Align(size_t bytes) {
  while (bytes_.size() % bytes != 0) bytes_.push_back(0);
}

void FlatBuffer::Put(uint64_t value, int bytes) { PutLittleEndian(value, bytes, &bytes_); }

size_t FlatBuffer::AddTable(std::span<TableField> fields) {
  // Wide fields first: behind the table's own 4 bytes, at a place that makes the first one aligned,
  // none needs padding then.
  std::vector<TableField*> by_width;
  for (TableField& field : fields) {
    if (field.bytes != 0) by_width.push_back(&field);
  }
  std::stable_sort(by_width.begin(), by_width.end(),
                   [](const TableField* a, const TableField* b) { return a->bytes > b->bytes; });
  size_t table_bytes = 4;
  for (const TableField* field : by_width) table_bytes += static_cast<size_t>(field->bytes);

  Align(2);
  const size_t vtable = bytes_.size();
  size_t table = vtable + 4 + 2 * fields.size();
  while (table % 8 != 4) ++table;
  size_t place = table + 4;
  for (TableField* field : by_width) {
    field->place = place;
    place += static_cast<size_t>(field->bytes);
  }
  Put(4 + 2 * fields.size(), 2);
  Put(table_bytes, 2);
  for (const TableField& field : fields) Put(field.bytes == 0 ? 0 : field.place - table, 2);
  while (bytes_.size() < table) bytes_.push_back(0);
  Put(table - vtable, 4);
  for (const TableField* field : by_width) Put(static_cast<uint64_t>(field->value), field->bytes);
  return table;
}

size_t FlatBuffer::AddOffsets(size_t count) {
  Align(4);
  const size_t vector = bytes_.size();
  Put(count, 4);
  bytes_.resize(bytes_.size() + 4 * count);
  return vector;
}

size_t FlatBuffer::AddString(std::string_view text) {
  Align(4);
  const size_t string = bytes_.size();
  Put(text.size(), 4);
  bytes_.insert(bytes_.end(), text.begin(), text.end());
  bytes_.push_back(0);
  return string;
}

void FlatBuffer::Refer(size_t place, size_t target) {
  const auto offset = static_cast<uint32_t>(target - place);
  for (size_t i = 0; i < 4; ++i) bytes_[place + i] = static_cast<uint8_t>(offset >> (8 * i));
}

const std::vector<uint8_t>& FlatBuffer::Finish() {
  Align(8);
  return bytes_;
}

}  // namespace sluice::inline v0::parquet
