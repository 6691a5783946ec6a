#pragma once

// The two things that every call to the system needs: a descriptor that closes itself, and the
// error as a Status.

#include <sluice/status.h>

#include <string>
#include <string_view>
#include <utility>

namespace sluice::inline v0 {

/// Owns an open descriptor.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&&) = delete;
  ~FileDescriptor();

  bool is_open() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }
  /// Closes now; 0, or the error: some file systems report lost writes only here.
  int Close();

 private:
  int descriptor_ = -1;
};

/// "file 'PATH': WHAT: the system's words". kNotFound where the path does not exist, else kIoError.
Status SystemError(std::string_view path, std::string_view what, int error);

}  // namespace sluice::inline v0
