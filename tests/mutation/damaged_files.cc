#include "tests/mutation/damaged_files.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "tests/mutation/mutation.h"
#include "tests/support/corpus.h"

// The pool's budget, the file, and what the sanitizer keeps for itself. Nobody else asks.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "hard_rss_limit_mb=2560"; }

namespace sluice::support {
namespace {

constexpr int64_t kLargestFile = 100'000;
constexpr int64_t kSecondsEach = 5;

/// Ends the program, naming the case, when one takes too long.
class Watchdog {
 public:
  Watchdog() : thread_([this] { Run(); }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      is_done_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  void Begin(std::string name) {
    const std::lock_guard lock(mutex_);
    name_ = std::move(name);
    begin_ = std::chrono::steady_clock::now();
  }

 private:
  void Run() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::milliseconds(200), [&] { return is_done_; })) {
      if (std::chrono::steady_clock::now() - begin_ > std::chrono::seconds(kSecondsEach)) {
        std::fprintf(stderr, "TOO SLOW: %s\n", name_.c_str());
        std::abort();
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  std::string name_ = "start";
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::thread thread_;
};

}  // namespace

int RunOnDamagedFiles(int argc, char** argv, DamageCounts counts, const OnDamagedFile& run) {
  const int64_t usual = std::getenv("SLUICE_LONG") != nullptr ? counts.many : counts.usual;
  const int64_t per_file = argc > 1 ? std::atoll(argv[1]) : usual;
  const std::string only_file = argc > 2 ? argv[2] : "";
  const int64_t only_mutation = argc > 3 ? std::atoll(argv[3]) : -1;
  Watchdog watchdog;
  std::map<StatusCode, int64_t> outcomes;
  bool failed = false;
  int64_t files = 0;
  for (const CorpusFile& file : CorpusFiles()) {
    if (file.size >= kLargestFile || (!only_file.empty() && file.name != only_file)) continue;
    const std::string bytes = ReadWholeFile(file.path);
    ++files;
    for (int64_t i = 0; i < per_file; ++i) {
      if (only_mutation >= 0 && i != only_mutation) continue;
      const std::string name = fmt::format("{} {}", file.name, i);
      watchdog.Begin(name);
      const auto seed = static_cast<uint64_t>(i) * 1'000'003 + static_cast<uint64_t>(file.size);
      const std::string wrong = run(Mutate(bytes, seed), seed, outcomes);
      if (wrong.empty()) continue;
      failed = true;
      std::fprintf(stderr, "%s: %s\n", name.c_str(), wrong.c_str());
    }
  }
  for (const auto& [code, count] : outcomes) {
    std::printf("%8lld %s\n", static_cast<long long>(count),
                std::string(StatusCodeName(code)).c_str());
  }
  if (files == 0) {
    std::printf("SKIPPED: NO CORPUS. Set SLUICE_CORPUS to its directory.\n");
    return 77;
  }
  return failed ? 1 : 0;
}

}  // namespace sluice::support
