#pragma once

#include <sluice/status.h>

#include <cstdint>
#include <memory>

#include "format/parquet/decompressor.h"
#include "format/parquet/encoding/value_decoder.h"

namespace sluice::inline v0::parquet {

/// DELTA_LENGTH_BYTE_ARRAY: the lengths of all byte arrays as DELTA_BINARY_PACKED INT32, then
/// their bytes one behind the other. A skip checks the same sums of lengths as a read (fault E8).
Result<std::unique_ptr<ValueDecoder>> MakeDeltaLengthByteArrayDecoder(int64_t num_values,
                                                                      PageBody* body);

}  // namespace sluice::inline v0::parquet
