#pragma once

// Just enough of FlatBuffers to write a schema: tables, vectors of tables and strings, front to
// back. Whatever refers to a thing stands before it, so that a place for the offset is left and
// filled once the thing is there.
//
//   table:  | distance back to its vtable, int32 | fields |
//   vtable: | its bytes, uint16 | the table's bytes, uint16 | where each field is in it, uint16 ...
//   | offset: uint32, from its own place; vector: | count, uint32 | elements |; string: with a zero
//
// Source: FlatBuffers internals, "Binary format".

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sluice::inline v0::parquet {

class FlatBuffer {
 public:
  /// A field of a table: `bytes` 1, 2, 4 or 8; absent fields have 0. An offset is 4 bytes, filled
  /// later through `place`.
  struct TableField {
    int bytes = 0;
    int64_t value = 0;
    size_t place = 0;  ///< Set by AddTable: where the field lies.
  };

  /// An empty buffer: room for the root's offset, at place 0.
  FlatBuffer() : bytes_(4) {}

  /// Adds a table, its fields in the order of their ids, and returns where it is.
  size_t AddTable(std::span<TableField> fields);
  /// Adds a vector of `count` offsets; the first one's place is 4 after what is returned.
  size_t AddOffsets(size_t count);
  size_t AddString(std::string_view text);
  /// Makes the offset at `place` refer to `target`, which lies behind it.
  void Refer(size_t place, size_t target);

  /// The bytes, ended at a multiple of 8.
  const std::vector<uint8_t>& Finish();

 private:
  void Align(size_t bytes);
  void Put(uint64_t value, int bytes);

  std::vector<uint8_t> bytes_;
};

}  // namespace sluice::inline v0::parquet
