#pragma once

#include <sluice/status.h>

#include <cstdint>
#include <memory>

#include "format/parquet/decompressor.h"
#include "format/parquet/encoding/value_decoder.h"

namespace sluice::inline v0::parquet {

/// ALP of FLOAT (`width` 4) and DOUBLE (8) columns. Vectors of which nothing is selected are not
/// decoded, those behind the last wanted value not decompressed.
/// Errors: kUnsupported for modes that the specification reserves.
/// Source: parquet-format AlpEncoding.md.
Result<std::unique_ptr<ValueDecoder>> MakeAlpDecoder(int32_t width, int64_t num_values,
                                                     PageBody* body, BufferPool* pool);

}  // namespace sluice::inline v0::parquet
