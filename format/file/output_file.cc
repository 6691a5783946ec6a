#include <fcntl.h>
#include <fmt/format.h>
#include <sluice/output_file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <random>
#include <utility>

#include "format/file/file_descriptor.h"
#include "format/model/file_place.h"
#include "format/model/try.h"

namespace sluice::inline v0 {

OutputFile::~OutputFile() = default;

namespace {

// As long as this, a temporary name that is taken is another writer's, not bad luck.
constexpr int kNameAttempts = 16;

// Bytes of the final name that go into the temporary one, which may be 255 long.
constexpr size_t kNameBytes = 200;

Status Finished(std::string_view name) {
  return InFile(name, Status::InvalidArgument("is finished"));
}

/// Everything is done relative to the open directory, so that a change of the working directory or
/// of the directory's name between creation and Finish does no harm.
class LocalOutput final : public OutputFile {
 public:
  LocalOutput(std::string path, FileDescriptor directory, std::string final_name)
      : path_(std::move(path)),
        directory_(std::move(directory)),
        final_name_(std::move(final_name)) {}
  ~LocalOutput() override;

  Status Open();
  const std::string& name() const override { return path_; }
  Status Append(std::span<const uint8_t> bytes) override;
  Status Finish() override;

 private:
  Status Write(std::span<const uint8_t> bytes);
  Status Publish();
  Status SyncDirectory();

  std::string path_;
  FileDescriptor directory_;
  std::string final_name_;
  std::string temporary_name_;  ///< Empty while there is no such file.
  std::unique_ptr<FileDescriptor> file_;
  bool is_finished_ = false;
  Status error_;
};

LocalOutput::~LocalOutput() {
  if (!temporary_name_.empty()) ::unlinkat(directory_.get(), temporary_name_.c_str(), 0);
}

// Not mkstemp: its files are private to their owner, and the process's umask cannot be asked for
// without setting it.
Status LocalOutput::Open() {
  std::random_device random;
  for (int attempt = 0; attempt < kNameAttempts; ++attempt) {
    const std::string name =
        fmt::format(".{}.{:08x}{:08x}.tmp", final_name_.substr(0, kNameBytes), random(), random());
    const int opened =
        ::openat(directory_.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (opened >= 0) {
      file_ = std::make_unique<FileDescriptor>(opened);
      temporary_name_ = name;
      return Status::Ok();
    }
    if (errno != EEXIST) break;
  }
  return SystemError(path_, "cannot create", errno);
}

Status LocalOutput::Append(std::span<const uint8_t> bytes) {
  if (is_finished_) return Finished(path_);
  if (error_.ok()) error_ = Write(bytes);
  return error_;
}

Status LocalOutput::Write(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_->get(), bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return SystemError(path_, "cannot write", errno);
    }
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return Status::Ok();
}

Status LocalOutput::Finish() {
  if (is_finished_) return Finished(path_);
  // A file that lacks bytes never gets the name.
  if (error_.ok()) error_ = Publish();
  is_finished_ = error_.ok();
  return error_;
}

Status LocalOutput::Publish() {
  if (::fsync(file_->get()) != 0) return SystemError(path_, "cannot sync", errno);
  if (const int error = file_->Close(); error != 0) {
    return SystemError(path_, "cannot close", error);
  }
  if (::renameat(directory_.get(), temporary_name_.c_str(), directory_.get(),
                 final_name_.c_str()) != 0) {
    return SystemError(path_, "cannot rename", errno);
  }
  temporary_name_.clear();
  return SyncDirectory();
}

Status LocalOutput::SyncDirectory() {
  // EINVAL: a file system that has nothing to sync for directories.
  if (::fsync(directory_.get()) != 0 && errno != EINVAL) {
    return SystemError(path_, "cannot sync the directory", errno);
  }
  return Status::Ok();
}

class MemoryOutput final : public OutputFile {
 public:
  MemoryOutput(std::string name, std::string* bytes)
      : name_(std::move(name)), bytes_(bytes), size_before_(bytes->size()) {}
  ~MemoryOutput() override {
    if (!is_finished_ && bytes_->size() > size_before_) bytes_->resize(size_before_);
  }

  const std::string& name() const override { return name_; }
  Status Append(std::span<const uint8_t> bytes) override {
    if (is_finished_) return Finished(name_);
    bytes_->append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return Status::Ok();
  }
  Status Finish() override {
    if (is_finished_) return Finished(name_);
    is_finished_ = true;
    return Status::Ok();
  }

 private:
  std::string name_;
  std::string* bytes_;
  size_t size_before_;
  bool is_finished_ = false;
};

}  // namespace

Result<std::unique_ptr<OutputFile>> CreateLocalFile(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string directory =
      slash == std::string::npos ? "." : path.substr(0, slash == 0 ? 1 : slash);
  std::string final_name = slash == std::string::npos ? path : path.substr(slash + 1);
  if (final_name.empty() || final_name == "." || final_name == "..") {
    return InFile(path, Status::InvalidArgument("the path names no file"));
  }
  // What the rename would put out of the way must be a file, not a directory or a device.
  struct stat status;
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    return InFile(path, Status::IoError("exists and is not a regular file"));
  }
  FileDescriptor opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) {
    const int error = errno;
    return SystemError(path, fmt::format("cannot open the directory '{}'", directory), error);
  }
  auto file = std::make_unique<LocalOutput>(path, std::move(opened), std::move(final_name));
  SLUICE_RETURN_IF_ERROR(file->Open());
  return std::unique_ptr<OutputFile>(std::move(file));
}

std::unique_ptr<OutputFile> MakeMemoryOutput(std::string name, std::string* bytes) {
  return std::make_unique<MemoryOutput>(std::move(name), bytes);
}

}  // namespace sluice::inline v0
