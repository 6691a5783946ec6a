#pragma once

// Kernels for values of any fixed width: those of the table where it has them, and else copies.

#include <cstdint>

#include "format/model/kernels/kernels.h"

namespace sluice::inline v0::kernels {

/// Packs those of `count` values of `width` bytes whose bit is set in `selection` to the front of
/// `out`, which is `in` or apart from it. Returns how many.
int64_t CompressValues(const KernelTable& table, int64_t width, const void* in,
                       const uint64_t* selection, int64_t count, void* out);

/// The reverse: the i-th set bit of `mask` (count bits) takes value i of `in`; places whose bit is
/// not set get zero. in and out do not overlap.
void ExpandValues(const KernelTable& table, int64_t width, const void* in, const uint64_t* mask,
                  int64_t count, void* out);

/// out[i] = dictionary[codes[i]]; codes are in range.
void GatherValues(const KernelTable& table, int64_t width, const void* dictionary,
                  const int32_t* codes, int64_t count, void* out);

}  // namespace sluice::inline v0::kernels
