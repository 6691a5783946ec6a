#pragma once

#include <sluice/random_access_file.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "tests/support/file_reading.h"

namespace sluice::support {

/// A file whose reads are copied into the pool's buffers, as those of a file on disk are, and
/// counted. After `reads` of them it is gone.
class CopiedFile : public RandomAccessFile {
 public:
  explicit CopiedFile(std::string bytes, int64_t reads = INT64_MAX)
      : name_(kFileName), bytes_(std::move(bytes)), most_reads_(reads) {}

  const std::string& name() const override { return name_; }
  Result<int64_t> Size() const override { return std::ssize(bytes_); }
  int64_t num_reads() const { return num_reads_; }
  Result<int64_t> ReadSome(int64_t offset, std::span<uint8_t> out) const override {
    if (num_reads_++ >= most_reads_) return Status::IoError("the host's file is gone");
    const auto begin = static_cast<size_t>(offset);
    if (begin >= bytes_.size()) return 0;
    const size_t count = std::min(out.size(), bytes_.size() - begin);
    std::copy_n(bytes_.begin() + offset, count, out.begin());
    return static_cast<int64_t>(count);
  }

 private:
  std::string name_;
  std::string bytes_;
  int64_t most_reads_;
  mutable std::atomic<int64_t> num_reads_ = 0;
};

}  // namespace sluice::support
