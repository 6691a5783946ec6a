#pragma once

// What expressions are evaluated in: the values of a block of rows, one vector a node.

#include <sluice/types.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engine/values/int256.h"
#include "engine/values/time_text.h"

namespace sluice::inline v0::engine {

/// Rows of a block: so few that the vectors of a predicate stay in the cache.
inline constexpr int64_t kBlockRows = 1024;
inline constexpr size_t kBlockWords = kBlockRows / 64;

/// One bit a row of a block.
using RowBits = std::array<uint64_t, kBlockWords>;

/// How values lie in a vector. Types that order and calculate alike share one.
enum class Native : uint8_t {
  kNone,  ///< No values, only nullness: nested types and kNull.
  kBits,  ///< Booleans: a RowBits, set where TRUE.
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kFloat,  ///< Also of kFloat16.
  kDouble,
  kInt128,  ///< Decimals of 16 bytes; kInt96 as nanoseconds since 1970.
  kInt256,
  kBytes,     ///< std::string_view.
  kInterval,  ///< Interval.
};
Native NativeOf(const DataType& type);
/// Bytes of one value; 0 for kNone and kBits.
size_t WidthOf(Native native);

/// A block of values. Of rows that are not active in an evaluation nothing here means anything; of
/// NULL and ERROR rows `values` do not, but numbers can be read. A row is NULL or ERROR, not both.
struct Vector {
  Native native = Native::kNone;
  const void* values = nullptr;  ///< kBlockRows values, or as many as there are rows.
  RowBits nulls{};
  RowBits errors{};
  /// When a single row is evaluated to explain its error: what that is.
  std::string error;

  template <typename T>
  const T* as() const {
    return static_cast<const T*>(values);
  }
  const RowBits& bits() const { return *static_cast<const RowBits*>(values); }
};

/// Calls visit(std::type_identity<T>()) for the C++ type of a native one that has numbers or bytes.
template <typename Visit>
void VisitNative(Native native, Visit visit) {
  switch (native) {
    case Native::kInt8:
      return visit(std::type_identity<int8_t>());
    case Native::kInt16:
      return visit(std::type_identity<int16_t>());
    case Native::kInt32:
      return visit(std::type_identity<int32_t>());
    case Native::kInt64:
      return visit(std::type_identity<int64_t>());
    case Native::kUint8:
      return visit(std::type_identity<uint8_t>());
    case Native::kUint16:
      return visit(std::type_identity<uint16_t>());
    case Native::kUint32:
      return visit(std::type_identity<uint32_t>());
    case Native::kUint64:
      return visit(std::type_identity<uint64_t>());
    case Native::kFloat:
      return visit(std::type_identity<float>());
    case Native::kDouble:
      return visit(std::type_identity<double>());
    case Native::kInt128:
      return visit(std::type_identity<Int128>());
    case Native::kInt256:
      return visit(std::type_identity<Int256>());
    case Native::kBytes:
      return visit(std::type_identity<std::string_view>());
    case Native::kInterval:
      return visit(std::type_identity<Interval>());
    case Native::kNone:
    case Native::kBits:
      return;
  }
}

/// Calls visit(row) for the set bits in ascending order.
template <typename Visit>
void VisitRows(const RowBits& rows, Visit visit) {
  for (size_t word = 0; word < kBlockWords; ++word) {
    for (uint64_t bits = rows[word]; bits != 0; bits &= bits - 1) {
      visit(word * 64 + static_cast<size_t>(std::countr_zero(bits)));
    }
  }
}

inline bool HasRow(const RowBits& rows, size_t row) {
  return (rows[row / 64] >> row % 64 & 1) != 0;
}

/// Sets the bit of a row where `value`, without a branch.
inline void SetRow(RowBits* rows, size_t row, bool value) {
  (*rows)[row / 64] |= uint64_t{value} << row % 64;
}

inline bool IsEmpty(const RowBits& rows) {
  uint64_t any = 0;
  for (const uint64_t word : rows) any |= word;
  return any == 0;
}

/// Sets bit i of the words where test(i), for i < rows; clears the rest.
template <typename Test>
void FillRows(size_t rows, RowBits* bits, Test test) {
  for (size_t word = 0; word < kBlockWords; ++word) {
    const size_t begin = word * 64;
    (*bits)[word] = 0;
    if (begin >= rows) continue;
    // Bytes first, which compilers make vectors of, then eight bytes to eight bits at a time.
    alignas(64) uint8_t flags[64] = {};
    const size_t count = rows - begin < 64 ? rows - begin : 64;
    for (size_t i = 0; i < count; ++i) flags[i] = test(begin + i) ? 1 : 0;
    for (size_t i = 0; i < 8; ++i) {
      uint64_t eight;
      std::memcpy(&eight, flags + i * 8, sizeof(eight));
      (*bits)[word] |= (eight * 0x0102040810204080) >> 56 << (i * 8);
    }
  }
}

}  // namespace sluice::inline v0::engine
