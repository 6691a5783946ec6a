#pragma once

#include <sluice/status.h>

#include <cstdint>
#include <memory>

#include "format/parquet/decompressor.h"
#include "format/parquet/encoding/value_decoder.h"

namespace sluice::inline v0::parquet {

/// PLAIN values of `width` bytes each, one behind the other. Bytes behind the last are ignored.
Result<std::unique_ptr<ValueDecoder>> MakePlainFixedDecoder(int32_t width, int64_t num_values,
                                                            PageBody* body);

/// PLAIN byte arrays: each its length in 4 bytes, little-endian, and its bytes.
Result<std::unique_ptr<ValueDecoder>> MakePlainByteArrayDecoder(int64_t num_values, PageBody* body);

}  // namespace sluice::inline v0::parquet
