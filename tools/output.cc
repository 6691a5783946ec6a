#include "tools/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace sluice::tools {

Status WriteOutput(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      if (errno == EPIPE) return Status::Cancelled("standard output is closed");
      return Status::IoError(fmt::format("cannot write to standard output: {}",
                                         std::generic_category().message(errno)));
    }
    text.remove_prefix(static_cast<size_t>(written));
  }
  return Status::Ok();
}

void WriteMessage(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;  // There is nobody to tell.
    text.remove_prefix(static_cast<size_t>(written));
  }
}

std::string FilePlace(std::string_view path) { return fmt::format("file '{}'", path); }

int Fail(const Status& status, std::string_view program) {
  if (status.code() == StatusCode::kCancelled) return 0;
  WriteMessage(fmt::format("{}: {}\n", program, status.ToString()));
  return status.code() == StatusCode::kInvalidArgument ? kExitUsage : kExitFailed;
}

}  // namespace sluice::tools
