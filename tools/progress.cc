#include "tools/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace sluice::tools {
namespace {

constexpr std::chrono::milliseconds kInterval{250};

}  // namespace

Progress::Progress()
    : is_wanted_(isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 0),
      next_(Clock::now() + 2 * kInterval) {}

Progress::~Progress() {
  if (is_shown_) fmt::print(stderr, "\r\033[K");
}

void Progress::Report(int64_t rows) {
  if (!is_wanted_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  is_shown_ = true;
  fmt::print(stderr, "\r{} rows", rows);
  std::fflush(stderr);
}

}  // namespace sluice::tools
