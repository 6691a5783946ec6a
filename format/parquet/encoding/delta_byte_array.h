#pragma once

#include <sluice/buffer.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "format/parquet/decompressor.h"
#include "format/parquet/encoding/value_decoder.h"

namespace sluice::inline v0::parquet {

/// DELTA_BYTE_ARRAY of BYTE_ARRAY columns (`type_length` empty) and FIXED_LEN_BYTE_ARRAY ones, all
/// of whose values must have `type_length` bytes:
///
///   | prefix lengths, DELTA_BINARY_PACKED INT32 | suffixes, DELTA_LENGTH_BYTE_ARRAY |
///
/// A value is the front of the one before it, as long as its prefix length says, and its suffix.
/// Values are put together in buffers of `pool`. `carried_value`: see MakeValueDecoder.
Result<std::unique_ptr<ValueDecoder>> MakeDeltaByteArrayDecoder(std::optional<int32_t> type_length,
                                                                int64_t num_values, PageBody* body,
                                                                BufferPool* pool,
                                                                std::string* carried_value);

}  // namespace sluice::inline v0::parquet
