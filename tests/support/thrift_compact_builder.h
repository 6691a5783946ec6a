#pragma once

// Writes Thrift's compact protocol field by field, so that a test can say any structure, also one
// that no generated code would write. Independent of Thrift and of the library's parsers.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::support {

/// The protocol's type codes, as they stand in field and list headers.
enum class CompactType : uint8_t {
  kStop = 0,
  kTrue = 1,  ///< In a list header: a list of booleans.
  kFalse = 2,
  kByte = 3,
  kI16 = 4,
  kI32 = 5,
  kI64 = 6,
  kDouble = 7,
  kBinary = 8,
  kList = 9,
  kSet = 10,
  kMap = 11,
  kStruct = 12,
};

/// Seven bits a byte, least significant group first.
std::string Varint(uint64_t value);
uint64_t ZigZag(int64_t value);

/// A list with its header; `elements` are written out already.
std::string CompactList(CompactType element_type, const std::vector<std::string>& elements);
/// A list header that claims `count` elements.
std::string CompactListHeader(CompactType element_type, uint64_t count);
/// A string with its length in front, as it stands in a list.
std::string CompactString(std::string_view bytes);

/// The fields of one struct, in the order of the calls.
class ThriftCompactBuilder {
 public:
  ThriftCompactBuilder& Bool(int32_t id, bool value);
  ThriftCompactBuilder& I16(int32_t id, int64_t value);
  ThriftCompactBuilder& I32(int32_t id, int64_t value);
  ThriftCompactBuilder& I64(int32_t id, int64_t value);
  ThriftCompactBuilder& Binary(int32_t id, std::string_view bytes);
  /// `inner` is a finished struct.
  ThriftCompactBuilder& Struct(int32_t id, std::string_view inner);
  ThriftCompactBuilder& List(int32_t id, CompactType element_type,
                             const std::vector<std::string>& elements);
  /// Any field: its header, then `bytes` as they are.
  ThriftCompactBuilder& Raw(int32_t id, CompactType type, std::string_view bytes);

  /// The struct's bytes with the stop byte.
  std::string Finish() const;

 private:
  void Header(int32_t id, CompactType type);

  std::string bytes_;
  int32_t last_id_ = 0;
};

}  // namespace sluice::support
