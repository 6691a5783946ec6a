#pragma once

#include <sluice/buffer.h>
#include <sluice/export.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace sluice::inline v0 {

/// `length` bytes from `offset` on.
struct ByteRange {
  int64_t offset = 0;
  int64_t length = 0;
  int64_t end() const { return offset + length; }
  bool operator==(const ByteRange&) const = default;
};

/// A file that is read by position. A host may supply its own by deriving.
///
/// Threads: thread-safe; reads are stateless.
class SLUICE_EXPORT RandomAccessFile {
 public:
  virtual ~RandomAccessFile();

  /// What error messages call it.
  virtual const std::string& name() const = 0;
  /// In bytes.
  virtual Result<int64_t> Size() const = 0;
  /// Reads up to out.size() bytes at `offset` and returns how many; fewer than asked is legal, 0
  /// only at the end of the file or for an empty `out`.
  virtual Result<int64_t> ReadSome(int64_t offset, std::span<uint8_t> out) const = 0;

  /// Exactly the bytes of `range`, in a buffer of `pool` unless the file has them in memory.
  /// Errors: those of ReadSome; kIoError when the file ends before; kInvalidArgument for a range
  /// that no file has (negative, or beyond 2^63 - 1); kResourceExhausted by the pool.
  virtual Result<BufferRef> Read(ByteRange range, BufferPool& pool) const;
};

struct LocalFileOptions {
  /// Map the file into memory instead of reading it. A mapped file that someone else cuts short
  /// kills the process by SIGBUS when it is touched.
  bool memory_map = false;
};

/// Opens a local file for reading.
/// Errors: kNotFound, kIoError (permissions, a directory).
SLUICE_EXPORT Result<std::shared_ptr<RandomAccessFile>> OpenLocalFile(
    const std::string& path, const LocalFileOptions& options = {});

/// A file over bytes in memory; reads share `bytes`, nothing is copied.
SLUICE_EXPORT std::shared_ptr<RandomAccessFile> MakeMemoryFile(std::string name, BufferRef bytes);

}  // namespace sluice::inline v0
