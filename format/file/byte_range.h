#pragma once

// Reading a range of a file: the checks and errors that all files share, and what a file whose
// bytes are all in memory does. Defined in random_access_file.cc.

#include <sluice/buffer.h>
#include <sluice/random_access_file.h>
#include <sluice/status.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace sluice::inline v0 {

/// Errors: kInvalidArgument for a negative offset or length, or an end past INT64_MAX.
Status CheckRange(std::string_view name, ByteRange range);

/// The kIoError for a file that has only `got` bytes of `range` (fault X9).
Status EndsEarly(std::string_view name, ByteRange range, int64_t got);

/// RandomAccessFile::ReadSome of a file that consists of `bytes`.
Result<int64_t> CopySome(std::string_view name, const Buffer& bytes, int64_t offset,
                         std::span<uint8_t> out);
/// RandomAccessFile::Read of a file that consists of `bytes`, without copying.
Result<BufferRef> ShareRange(std::string_view name, const BufferRef& bytes, ByteRange range);

}  // namespace sluice::inline v0
