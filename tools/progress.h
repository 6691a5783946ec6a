#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::tools {

/// A line on standard error that counts what long work has done, where that is a terminal and the
/// line does not meet results on the same one. Gone with the object.
class Progress {
 public:
  /// `prints`: results go to standard output while it is shown.
  explicit Progress(bool prints);
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// "12 files" or, where it is known how many there will be, "12 of 40 files".
  void Report(int64_t done, std::string_view what, std::optional<int64_t> total = std::nullopt);
  /// Takes the line away until the next Report, for what else is to be written.
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool is_wanted_;
  bool is_shown_ = false;
  Clock::time_point next_;
};

}  // namespace sluice::tools
