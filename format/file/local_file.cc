#include <fcntl.h>
#include <fmt/format.h>
#include <sluice/random_access_file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "format/file/byte_range.h"
#include "format/file/file_descriptor.h"
#include "format/model/file_place.h"
#include "format/model/try.h"

namespace sluice::inline v0 {
namespace {

class LocalFile final : public RandomAccessFile {
 public:
  LocalFile(std::string path, FileDescriptor descriptor)
      : path_(std::move(path)), descriptor_(std::move(descriptor)) {}

  const std::string& name() const override { return path_; }
  Result<int64_t> Size() const override;
  Result<int64_t> ReadSome(int64_t offset, std::span<uint8_t> out) const override;

 private:
  std::string path_;
  FileDescriptor descriptor_;
};

Result<int64_t> LocalFile::Size() const {
  struct stat status;
  if (::fstat(descriptor_.get(), &status) != 0) return SystemError(path_, "cannot stat", errno);
  return static_cast<int64_t>(status.st_size);
}

Result<int64_t> LocalFile::ReadSome(int64_t offset, std::span<uint8_t> out) const {
  SLUICE_RETURN_IF_ERROR(CheckRange(path_, {offset, 0}));
  if (out.empty()) return 0;
  ssize_t got = 0;
  do {
    got = ::pread(descriptor_.get(), out.data(), out.size(), offset);
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    const int error = errno;
    return SystemError(path_, fmt::format("cannot read at offset {}", offset), error);
  }
  return static_cast<int64_t>(got);
}

class MappedFile final : public RandomAccessFile {
 public:
  MappedFile(std::string path, BufferRef bytes)
      : path_(std::move(path)), bytes_(std::move(bytes)) {}

  const std::string& name() const override { return path_; }
  Result<int64_t> Size() const override { return bytes_->size(); }
  Result<int64_t> ReadSome(int64_t offset, std::span<uint8_t> out) const override {
    return CopySome(path_, *bytes_, offset, out);
  }
  Result<BufferRef> Read(ByteRange range, BufferPool&) const override {
    return ShareRange(path_, bytes_, range);
  }

 private:
  std::string path_;
  BufferRef bytes_;
};

/// Pages of address space, unmapped at the end.
class Mapping {
 public:
  Mapping(void* address, size_t size) : address_(address), size_(size) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { ::munmap(address_, size_); }

  void* address() const { return address_; }

 private:
  void* address_;
  size_t size_;
};

// A file may end at the end of a page, after which nothing would be readable. So the file is laid
// over a region of zero pages that is one page longer:
//
//   | file ...                        ... last page of the file, zero filled | zero page |
Result<BufferRef> MapFile(const std::string& path, const FileDescriptor& descriptor, int64_t size) {
  static_assert(kReadPadding <= 4096);
  const auto page = static_cast<int64_t>(::sysconf(_SC_PAGESIZE));
  const auto region_size = static_cast<size_t>((size + page - 1) / page * page + page);
  void* region = ::mmap(nullptr, region_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (region == MAP_FAILED) return SystemError(path, "cannot map", errno);
  auto mapping = std::make_shared<Mapping>(region, region_size);
  if (size > 0 && ::mmap(region, static_cast<size_t>(size), PROT_READ, MAP_PRIVATE | MAP_FIXED,
                         descriptor.get(), 0) == MAP_FAILED) {
    return SystemError(path, "cannot map", errno);
  }
  const auto* bytes = static_cast<const uint8_t*>(mapping->address());
  return WrapBytes(bytes, size, std::move(mapping));
}

}  // namespace

Result<std::shared_ptr<RandomAccessFile>> OpenLocalFile(const std::string& path,
                                                        const LocalFileOptions& options) {
  // O_NONBLOCK: a named pipe is to be refused, not waited for. Regular files do not heed it.
  FileDescriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!descriptor.is_open()) return SystemError(path, "cannot open", errno);
  struct stat status;
  if (::fstat(descriptor.get(), &status) != 0) return SystemError(path, "cannot stat", errno);
  if (S_ISDIR(status.st_mode)) return SystemError(path, "cannot open", EISDIR);
  if (!S_ISREG(status.st_mode)) {
    return InFile(path, Status::IoError("not a regular file: it cannot be read by position"));
  }
  if (!options.memory_map) {
    return std::shared_ptr<RandomAccessFile>(
        std::make_shared<LocalFile>(path, std::move(descriptor)));
  }
  SLUICE_TRY(BufferRef bytes, MapFile(path, descriptor, static_cast<int64_t>(status.st_size)));
  return std::shared_ptr<RandomAccessFile>(std::make_shared<MappedFile>(path, std::move(bytes)));
}

}  // namespace sluice::inline v0
