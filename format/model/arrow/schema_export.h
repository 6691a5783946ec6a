#pragma once

#include <sluice/arrow.h>

#include "format/model/arrow/arrow_field.h"

namespace sluice::inline v0::arrow {

/// Sets `out`, which is released, to the field and all below it. May throw std::bad_alloc, and
/// leaves it released then.
void FillSchema(const ArrowField& field, ArrowSchema* out);

}  // namespace sluice::inline v0::arrow
