#pragma once

#include <chrono>
#include <cstdint>

namespace sluice::tools {

/// A line on standard error that counts rows, where that is a terminal and the output is not one.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Report(int64_t rows);

 private:
  using Clock = std::chrono::steady_clock;

  bool is_wanted_;
  bool is_shown_ = false;
  Clock::time_point next_;
};

}  // namespace sluice::tools
