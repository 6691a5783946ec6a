#pragma once

// The tables of the levels, each defined by the files compiled for it.

#include "format/model/kernels/kernels.h"

namespace sluice::inline v0::kernels {

extern const KernelTable kPlainTable;

}  // namespace sluice::inline v0::kernels
