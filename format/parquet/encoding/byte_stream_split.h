#pragma once

#include <sluice/status.h>

#include <cstdint>
#include <memory>

#include "format/parquet/decompressor.h"
#include "format/parquet/encoding/value_decoder.h"

namespace sluice::inline v0::parquet {

/// BYTE_STREAM_SPLIT: byte 0 of all values, then byte 1 of all, and so on. The page must have
/// exactly num_values * width bytes, since its end tells the streams' length (fault E5). The whole
/// page is decompressed once a value is wanted.
Result<std::unique_ptr<ValueDecoder>> MakeByteStreamSplitDecoder(int32_t width, int64_t num_values,
                                                                 PageBody* body);

}  // namespace sluice::inline v0::parquet
