#pragma once

// One piece of work that runs on several threads: those of the host's executor, or its own.

#include <sluice/status.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace sluice::inline v0::engine {

/// Calls of one function on other threads, whatever the executor makes of them: it may run them at
/// any time or not at all, drop them, or throw. Each call is either run or lost.
///
/// Threads: confined, but for the calls.
class WorkCalls {
 public:
  /// `lost` is called, by any thread, for each call that will not be run any more. Neither throws.
  WorkCalls(std::function<void()> work, std::function<void()> lost)
      : work_(std::move(work)), lost_(std::move(lost)) {}
  ~WorkCalls() { End(); }
  WorkCalls(const WorkCalls&) = delete;
  WorkCalls& operator=(const WorkCalls&) = delete;

  /// Asks for `count` calls, of the executor if there is one. What that runs on this thread, before
  /// it returns, is lost: such work would wait for the thread that it is on.
  /// Errors: kResourceExhausted where no thread can be started, or the executor throws.
  Status Start(int32_t count, const std::function<void(std::function<void()>)>& executor);
  /// Whether all calls were lost, as they came on the thread of Start.
  bool is_inline() const;
  /// Calls that have not begun are lost, and others are waited for.
  void End();

 private:
  class Call;

  Status StartThreads(int32_t count);
  Status Ask(const std::function<void(std::function<void()>)>& executor);
  void Run();
  void Lose();
  /// After the last one this may be gone.
  void EndCall();

  const std::function<void()> work_;
  const std::function<void()> lost_;
  std::vector<std::weak_ptr<Call>> calls_;  ///< Of the executor.
  std::vector<std::thread> threads_;

  mutable std::mutex mutex_;  ///< For what follows.
  std::condition_variable ended_;
  int32_t open_ = 0;              ///< Calls that have not ended and are not lost.
  bool is_any_begun_ = false;     ///< On another thread.
  bool is_any_inline_ = false;    ///< On the thread of Start,
  std::thread::id start_thread_;  ///< which is this one while it asks for calls.
};

}  // namespace sluice::inline v0::engine
