#pragma once

// The tables, each level's built on that of the level below: a level replaces what it does better.

#include "format/model/kernels/kernels.h"

namespace sluice::inline v0::kernels {

extern const KernelTable kPlainTable;

/// To be called only where the processor supports the level.
void ImproveBySse42(KernelTable* table);
/// `has_slow_bit_extract` keeps extract_bits and deposit_bits of the level below.
void ImproveByAvx2(KernelTable* table, bool has_slow_bit_extract);
void ImproveByAvx512(KernelTable* table);

}  // namespace sluice::inline v0::kernels
