#pragma once

#include <cstdint>
#include <vector>

#include "format/model/kernels/kernels.h"

namespace sluice::inline v0 {

/// A set of integers of 1, 2, 4 or 8 bytes, for more members than are worth comparing one by one.
///
///   close together     one bit for each integer from the first member to the last
///   far apart          one bit for each of many hashes, which turns most values away; those that
///                      it lets through are looked for in a hash table
///
/// Threads: immutable. Lifetime: `kernels` outlives it.
class KeySet {
 public:
  /// `members`: at least one, distinct, ascending as unsigned integers of `width` bytes.
  KeySet(const std::vector<uint64_t>& members, int32_t width, const kernels::KernelTable* kernels);

  /// Bit i of `out`: value i is a member. Writes BitmapWords(count) words, the bits past the count
  /// zero.
  void Test(const uint8_t* values, int64_t count, uint64_t* out) const;
  int64_t held_bytes() const {
    return static_cast<int64_t>((bits_.capacity() + slots_.capacity()) * sizeof(uint64_t));
  }

 private:
  void TestBytes(const uint8_t* values, int64_t count, uint64_t* out) const;
  void TestPiece(const uint8_t* values, int64_t count, uint64_t* out) const;
  void MakeTable(const std::vector<uint64_t>& members);
  bool IsInTable(uint64_t value) const;

  int32_t width_;
  const kernels::KernelTable* kernels_;
  bool is_dense_;
  uint64_t first_ = 0;      ///< Dense: of which integer the first bit is.
  int64_t num_bits_ = 0;    ///< Dense: the last bit stands for all that lies outside.
  int32_t hash_shift_ = 0;  ///< Else: of the kernels' hash.
  std::vector<uint64_t> bits_;

  int32_t slot_shift_ = 0;
  uint64_t empty_ = 0;  ///< What stands in slots without a member, and is none.
  std::vector<uint64_t> slots_;
};

}  // namespace sluice::inline v0
