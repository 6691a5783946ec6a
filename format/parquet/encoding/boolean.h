#pragma once

#include <sluice/status.h>

#include <cstdint>
#include <memory>

#include "format/parquet/decompressor.h"
#include "format/parquet/encoding/value_decoder.h"

namespace sluice::inline v0::parquet {

/// PLAIN booleans: one bit a value, least significant bit first.
Result<std::unique_ptr<ValueDecoder>> MakePlainBooleanDecoder(int64_t num_values, PageBody* body);

/// RLE booleans, in pages of both versions (fault E10):
///
///   | byte length, 4 bytes little-endian | RLE/bit-packing hybrid of bit width 1 |
Result<std::unique_ptr<ValueDecoder>> MakeRleBooleanDecoder(int64_t num_values, PageBody* body);

}  // namespace sluice::inline v0::parquet
