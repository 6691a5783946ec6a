#pragma once

// Any structure in Thrift's compact protocol as a tree of values, for the reference reader.

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::support {

/// What the reference reader throws inside; ReferenceRows catches it. An oracle must be short
/// enough to be trusted, so that it does not carry a Result through every line.
class ReferenceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads bytes in order; throws ReferenceError where they end.
class ByteCursor {
 public:
  explicit ByteCursor(std::string_view bytes) : bytes_(bytes) {}

  std::string_view Take(uint64_t count);
  uint8_t Byte() { return static_cast<uint8_t>(Take(1)[0]); }
  uint64_t LittleEndian(int32_t bytes);
  uint64_t Varint();
  int64_t ZigZagVarint();
  std::string_view Rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

struct CompactValue {
  int64_t number = 0;       ///< Of an integer, or 0 and 1 of a boolean.
  std::string_view binary;  ///< Of a string; of the input's lifetime.
  std::vector<CompactValue> elements;
  std::map<int64_t, CompactValue> fields;

  bool Has(int64_t id) const { return fields.count(id) != 0; }
  /// Throws ReferenceError where the field is missing.
  const CompactValue& At(int64_t id) const;
  int64_t NumberOr(int64_t id, int64_t otherwise) const;
  std::optional<int64_t> Number(int64_t id) const;
};

/// Reads one struct.
CompactValue ReadCompactStruct(ByteCursor& in, int32_t depth = 0);

}  // namespace sluice::support
