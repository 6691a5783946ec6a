#include "format/file/file_descriptor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "format/model/file_place.h"

namespace sluice::inline v0 {

FileDescriptor::~FileDescriptor() { Close(); }

int FileDescriptor::Close() {
  if (descriptor_ < 0) return 0;
  // Not repeated on EINTR: Linux has closed the descriptor all the same.
  const int result = ::close(std::exchange(descriptor_, -1));
  return result == 0 || errno == EINTR ? 0 : errno;
}

Status SystemError(std::string_view path, std::string_view what, int error) {
  std::string message =
      fmt::format("{}: {}: {}", FilePlace(path), what, std::generic_category().message(error));
  if (error == ENOENT || error == ENOTDIR) return Status::NotFound(std::move(message));
  return Status::IoError(std::move(message));
}

}  // namespace sluice::inline v0
