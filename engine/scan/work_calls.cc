#include "engine/scan/work_calls.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

namespace sluice::inline v0::engine {

/// A call that an executor was asked for. What it was handed shares this; once that is gone, the
/// call cannot come any more.
class WorkCalls::Call {
 public:
  explicit Call(WorkCalls* owner) : owner_(owner) {}
  ~Call() {
    if (owner_ != nullptr) owner_->Lose();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// Does nothing the second time, and once it was given up.
  void Run() {
    if (WorkCalls* owner = GiveUp()) owner->Run();
  }
  /// What it would have been for; null where it has begun.
  WorkCalls* GiveUp() {
    const std::lock_guard lock(mutex_);
    return std::exchange(owner_, nullptr);
  }

 private:
  std::mutex mutex_;
  WorkCalls* owner_;
};

Status WorkCalls::Start(int32_t count, const std::function<void(std::function<void()>)>& executor) {
  if (!executor) return StartThreads(count);
  {
    const std::lock_guard lock(mutex_);
    start_thread_ = std::this_thread::get_id();
  }
  calls_.reserve(static_cast<size_t>(count));
  Status status;
  for (int32_t i = 0; i < count; ++i) {
    if (status.ok()) {
      status = Ask(executor);
    } else {
      lost_();
    }
  }
  const std::lock_guard lock(mutex_);
  start_thread_ = std::thread::id();
  return status;
}

Status WorkCalls::Ask(const std::function<void(std::function<void()>)>& executor) {
  const auto call = std::make_shared<Call>(this);
  {
    const std::lock_guard lock(mutex_);
    ++open_;
  }
  calls_.push_back(call);
  try {
    executor([call] { call->Run(); });
    return Status::Ok();
  } catch (const std::exception& exception) {
    return Status::ResourceExhausted(
        fmt::format("the executor of the host threw an exception: {}", exception.what()));
  } catch (...) {
    return Status::ResourceExhausted("the executor of the host threw an exception");
  }
}

Status WorkCalls::StartThreads(int32_t count) {
  for (int32_t i = 0; i < count; ++i) {
    {
      const std::lock_guard lock(mutex_);
      ++open_;
    }
    try {
      threads_.emplace_back([this] { Run(); });
    } catch (const std::exception& exception) {
      for (Lose(); i + 1 < count; ++i) lost_();
      // Fewer threads do the same work.
      if (!threads_.empty()) return Status::Ok();
      return Status::ResourceExhausted(
          fmt::format("no thread can be started: {}", exception.what()));
    }
  }
  return Status::Ok();
}

void WorkCalls::Run() {
  bool is_inline = false;
  {
    const std::lock_guard lock(mutex_);
    is_inline = start_thread_ == std::this_thread::get_id();
    (is_inline ? is_any_inline_ : is_any_begun_) = true;
  }
  if (is_inline) return Lose();
  work_();
  EndCall();
}

void WorkCalls::Lose() {
  lost_();
  EndCall();
}

void WorkCalls::EndCall() {
  // Notified under the lock: once it is given up, this may be gone.
  const std::lock_guard lock(mutex_);
  --open_;
  ended_.notify_all();
}

bool WorkCalls::is_inline() const {
  const std::lock_guard lock(mutex_);
  return is_any_inline_ && !is_any_begun_ && open_ == 0;
}

void WorkCalls::End() {
  for (const std::weak_ptr<Call>& weak : calls_) {
    const std::shared_ptr<Call> call = weak.lock();
    if (call && call->GiveUp() != nullptr) Lose();
  }
  calls_.clear();
  {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [&] { return open_ == 0; });
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace sluice::inline v0::engine
