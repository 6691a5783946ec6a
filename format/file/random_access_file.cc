#include <fmt/format.h>
#include <sluice/random_access_file.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "format/file/byte_range.h"
#include "format/model/file_place.h"
#include "format/model/try.h"

namespace sluice::inline v0 {

RandomAccessFile::~RandomAccessFile() = default;

Result<BufferRef> RandomAccessFile::Read(ByteRange range, BufferPool& pool) const {
  SLUICE_RETURN_IF_ERROR(CheckRange(name(), range));
  SLUICE_TRY(BufferRef buffer, pool.Allocate(range.length));
  int64_t got = 0;
  while (got < range.length) {
    const auto wanted = static_cast<size_t>(range.length - got);
    SLUICE_TRY(const int64_t some,
               ReadSome(range.offset + got, {buffer->mutable_data() + got, wanted}));
    // A host's own file is not trusted to keep its promises either.
    if (some < 0 || some > static_cast<int64_t>(wanted)) {
      return InFile(name(), Status::IoError(fmt::format(
                                "a read returned an impossible count: {} of {}", some, wanted)));
    }
    if (some == 0) return EndsEarly(name(), range, got);
    got += some;
  }
  return buffer;
}

Status CheckRange(std::string_view name, ByteRange range) {
  if (range.offset < 0 || range.length < 0 || range.length > INT64_MAX - range.offset) {
    return InFile(name,
                  Status::InvalidArgument(fmt::format("byte range is impossible: {} bytes from {}",
                                                      range.length, range.offset)));
  }
  return Status::Ok();
}

Status EndsEarly(std::string_view name, ByteRange range, int64_t got) {
  return InFile(name, Status::IoError(fmt::format("ends early: offset {}, wanted {} bytes, got {}",
                                                  range.offset, range.length, got)));
}

Result<int64_t> CopySome(std::string_view name, const Buffer& bytes, int64_t offset,
                         std::span<uint8_t> out) {
  SLUICE_RETURN_IF_ERROR(CheckRange(name, {offset, 0}));
  if (out.empty() || offset >= bytes.size()) return 0;
  const int64_t some = std::min(static_cast<int64_t>(out.size()), bytes.size() - offset);
  std::memcpy(out.data(), bytes.data() + offset, static_cast<size_t>(some));
  return some;
}

Result<BufferRef> ShareRange(std::string_view name, const BufferRef& bytes, ByteRange range) {
  SLUICE_RETURN_IF_ERROR(CheckRange(name, range));
  if (range.end() > bytes->size()) {
    return EndsEarly(name, range,
                     std::clamp<int64_t>(bytes->size() - range.offset, 0, range.length));
  }
  return SliceBuffer(bytes, range.offset, range.length);
}

namespace {

class MemoryFile final : public RandomAccessFile {
 public:
  MemoryFile(std::string name, BufferRef bytes)
      : name_(std::move(name)), bytes_(std::move(bytes)) {}

  const std::string& name() const override { return name_; }
  Result<int64_t> Size() const override { return bytes_->size(); }
  Result<int64_t> ReadSome(int64_t offset, std::span<uint8_t> out) const override {
    return CopySome(name_, *bytes_, offset, out);
  }
  Result<BufferRef> Read(ByteRange range, BufferPool&) const override {
    return ShareRange(name_, bytes_, range);
  }

 private:
  std::string name_;
  BufferRef bytes_;
};

}  // namespace

std::shared_ptr<RandomAccessFile> MakeMemoryFile(std::string name, BufferRef bytes) {
  return std::make_shared<MemoryFile>(std::move(name), std::move(bytes));
}

}  // namespace sluice::inline v0
