// Scans that the host drives in steps, and is told when to come again.

#include <gtest/gtest.h>
#include <sluice/scan.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

/// What a host sleeps on.
class Bell {
 public:
  void Ring() {
    const std::lock_guard lock(mutex_);
    is_rung_ = true;
    changed_.notify_all();
  }
  /// Whether it was rung, ever.
  bool Wait() {
    std::unique_lock lock(mutex_);
    const bool is_rung = changed_.wait_for(lock, std::chrono::minutes(2), [&] { return is_rung_; });
    is_rung_ = false;
    return is_rung;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_rung_ = false;
};

struct Driven {
  int64_t rows = 0;
  int64_t waits = 0;
  Status status;
};

/// Steps until there is nothing more or an error, and sleeps in between.
Driven Drive(
    Scan& scan, Bell& bell, const std::function<void()>& after_batch = [] {}) {
  Driven driven;
  for (;;) {
    ScanBatch batch;
    const auto outcome = scan.Step(&batch);
    driven.status = outcome.status();
    if (!outcome || *outcome == ScanOutcome::kDone) return driven;
    if (*outcome == ScanOutcome::kBatch) {
      driven.rows += batch.batch.num_rows;
      after_batch();
    }
    if (*outcome != ScanOutcome::kWaiting) continue;
    ++driven.waits;
    if (bell.Wait()) continue;
    ADD_FAILURE() << "nobody told the host to come again";
    return driven;
  }
}

/// 30 files of 100 rows in row groups of 50.
class ScanSteps : public testing::Test {
 protected:
  ScanSteps() {
    parquet::WriterOptions writer;
    writer.row_group_rows = 50;
    for (int64_t i = 0; i < 30; ++i) {
      files_.push_back(FileOf(Numbers("n", i * 100, 100), "part", writer));
    }
    options_.threads = 3;
    options_.read.batch_rows = 20;
    options_.queue_bytes = 100;
    options_.on_ready = [this] {
      ++num_calls_;
      bell_.Ring();
    };
  }

  Driven DriveScan(const ScanRequest& request) {
    num_calls_ = 0;
    const auto scan = Scan::Open(files_, request, options_);
    EXPECT_TRUE(scan) << scan.status().ToString();
    const Driven driven = Drive(**scan, bell_);
    EXPECT_LE(num_calls_, driven.waits);
    return driven;
  }

  std::vector<ScanFile> files_;
  ScanOptions options_;
  Bell bell_;
  std::atomic<int64_t> num_calls_ = 0;
};

// contract V-93: a scan that has to wait says when that is over.
TEST_F(ScanSteps, TellWhenSomethingIsReady) {
  for (const bool ordered : {true, false}) {
    options_.ordered = ordered;
    for (int round = 0; round < 10; ++round) {
      const Driven all = DriveScan({});
      EXPECT_TRUE(all.status.ok()) << all.status.ToString();
      EXPECT_EQ(all.rows, 3000);
      // Most row groups have no rows, and more of them than wait to be taken.
      const Driven few = DriveScan(Where("n + 0 >= 2990"));
      EXPECT_TRUE(few.status.ok()) << few.status.ToString();
      EXPECT_EQ(few.rows, 10);
      const Driven none = DriveScan(Where("n + 0 < 0"));
      EXPECT_TRUE(none.status.ok()) << none.status.ToString();
      EXPECT_EQ(none.rows, 0);
      ScanRequest limited = Where("n % 2 = 0");
      limited.limit = 333;
      EXPECT_EQ(DriveScan(limited).rows, 333);
    }
  }
}

TEST_F(ScanSteps, TellOfErrors) {
  for (const bool ordered : {true, false}) {
    options_.ordered = ordered;
    const Driven driven = DriveScan(Where("10 % (n - 2970) < 100"));
    EXPECT_EQ(driven.status.code(), StatusCode::kRowError) << driven.status.ToString();
    if (ordered) {
      EXPECT_EQ(driven.rows, 2970);
    }
  }
  files_.push_back({.path = "there is no such file"});
  const Driven driven = DriveScan(OfTable({Named("n", kInt64)}, "n + 0 < 0"));
  EXPECT_EQ(driven.status.code(), StatusCode::kNotFound) << driven.status.ToString();
}

TEST_F(ScanSteps, TellOfWorkThatIsDropped) {
  std::vector<std::function<void()>> kept;
  options_.executor = [&](std::function<void()> work) { kept.push_back(std::move(work)); };
  const auto scan = Scan::Open(files_, {}, options_);
  ASSERT_TRUE(scan);
  std::thread thread;
  ScanBatch batch;
  ASSERT_EQ(*(*scan)->Step(&batch), ScanOutcome::kWaiting);
  thread = std::thread([&] { kept.clear(); });
  const Driven driven = Drive(**scan, bell_);
  EXPECT_EQ(driven.status.code(), StatusCode::kResourceExhausted) << driven.status.ToString();
  thread.join();
}

// Whoever tells the host is waited for, like all that is under way.
TEST_F(ScanSteps, AreNotToldOfOnceTheScanIsGone) {
  for (int taken = 0; taken < 20; ++taken) {
    std::atomic<bool> is_gone = false;
    std::atomic<int64_t> late_calls = 0;
    options_.on_ready = [&] {
      std::this_thread::yield();
      late_calls += is_gone ? 1 : 0;
    };
    {
      const auto scan = Scan::Open(files_, {}, options_);
      ASSERT_TRUE(scan);
      for (int i = 0; i < taken; ++i) {
        ScanBatch batch;
        ASSERT_TRUE((*scan)->Step(&batch));
      }
    }
    is_gone = true;
    EXPECT_EQ(late_calls, 0);
  }
}

TEST_F(ScanSteps, EndWithWhatTheHostThrows) {
  std::vector<std::function<void()>> work;
  options_.executor = [&](std::function<void()> call) { work.push_back(std::move(call)); };
  std::atomic<bool> is_called = false;
  options_.on_ready = [&] {
    is_called = true;
    throw std::runtime_error("the bell is broken");
  };
  const auto scan = Scan::Open(files_, {}, options_);
  ASSERT_TRUE(scan);
  ScanBatch batch;
  ASSERT_EQ(*(*scan)->Step(&batch), ScanOutcome::kWaiting);
  std::vector<std::thread> threads;
  for (const auto& call : work) threads.emplace_back(call);
  while (!is_called) std::this_thread::yield();
  // Batches may come before the worker that called the host goes on.
  Status status;
  while (status.ok()) {
    const auto next = (*scan)->Next();
    status = next.status();
    if (next && !*next) break;
  }
  EXPECT_EQ(status.code(), StatusCode::kIoError) << status.ToString();
  EXPECT_NE(status.message().find("the bell is broken"), std::string::npos);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace sluice::support
