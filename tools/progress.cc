#include "tools/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string>

#include "tools/output.h"

namespace sluice::tools {
namespace {

constexpr std::chrono::milliseconds kInterval{250};

}  // namespace

Progress::Progress(bool prints)
    : is_wanted_(isatty(STDERR_FILENO) == 1 && (!prints || isatty(STDOUT_FILENO) == 0)),
      next_(Clock::now() + 2 * kInterval) {}

void Progress::Clear() {
  if (is_shown_) WriteMessage("\r\033[K");
  is_shown_ = false;
}

void Progress::Report(int64_t done, std::string_view what, std::optional<int64_t> total) {
  if (!is_wanted_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  is_shown_ = true;
  const std::string of = total.has_value() ? fmt::format(" of {}", *total) : "";
  WriteMessage(fmt::format("\r{}{} {}", done, of, what));
}

}  // namespace sluice::tools
