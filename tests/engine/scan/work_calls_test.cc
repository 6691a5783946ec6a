// What executors may make of the work that they are given.

#include "engine/scan/work_calls.h"

#include <gtest/gtest.h>
#include <sluice/scan.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

using engine::WorkCalls;
using Work = std::function<void()>;

// contract V-120: what has not begun never will, what has is waited for.
TEST(WorkCalls, RunsOrLosesEachCall) {
  std::atomic<int> num_run = 0;
  std::atomic<int> num_lost = 0;
  std::vector<Work> kept;
  {
    WorkCalls calls([&] { ++num_run; }, [&] { ++num_lost; });
    ASSERT_TRUE(calls.Start(4, [&](Work work) { kept.push_back(std::move(work)); }).ok());
    EXPECT_EQ(num_lost, 0);
    std::thread([&] { kept[0](); }).join();
    kept[0]();  // A second time it does nothing.
    EXPECT_EQ(num_run, 1);
    kept.pop_back();
    EXPECT_EQ(num_lost, 1);
    EXPECT_FALSE(calls.is_inline());
  }
  EXPECT_EQ(num_run, 1);
  EXPECT_EQ(num_lost, 3);
  // What they were for is gone.
  for (const Work& work : kept) work();
  EXPECT_EQ(num_run, 1);
}

TEST(WorkCalls, WaitsForThoseThatHaveBegun) {
  std::atomic<bool> has_begun = false;
  std::atomic<bool> may_end = false;
  std::atomic<bool> has_ended = false;
  std::thread thread;
  std::thread later;
  {
    WorkCalls calls(
        [&] {
          has_begun = true;
          while (!may_end) std::this_thread::yield();
          has_ended = true;
        },
        [] {});
    ASSERT_TRUE(calls.Start(1, [&](Work work) { thread = std::thread(std::move(work)); }).ok());
    while (!has_begun) std::this_thread::yield();
    later = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      may_end = true;
    });
  }
  EXPECT_TRUE(has_ended);
  later.join();
  thread.join();
}

TEST(WorkCalls, LosesWhatIsRunInline) {
  int num_run = 0;
  int num_lost = 0;
  WorkCalls calls([&] { ++num_run; }, [&] { ++num_lost; });
  ASSERT_TRUE(calls.Start(3, [](const Work& work) { work(); }).ok());
  EXPECT_EQ(num_run, 0);
  EXPECT_EQ(num_lost, 3);
  EXPECT_TRUE(calls.is_inline());
}

TEST(WorkCalls, TellsOfAnExecutorThatThrows) {
  int num_lost = 0;
  std::vector<Work> kept;
  WorkCalls calls([] {}, [&] { ++num_lost; });
  const Status status = calls.Start(4, [&](Work work) {
    kept.push_back(std::move(work));
    if (kept.size() == 2) throw std::runtime_error("the pool is closed");
  });
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
  EXPECT_NE(status.message().find("the pool is closed"), std::string::npos);
  EXPECT_EQ(kept.size(), 2U);
  EXPECT_EQ(num_lost, 2);
  calls.End();
  EXPECT_EQ(num_lost, 4);
}

/// Ten files of 100 rows, whose batches fill the queue many times.
class ScanByExecutor : public testing::Test {
 protected:
  ScanByExecutor() {
    for (int64_t i = 0; i < 10; ++i) files_.push_back(FileOf(Numbers("n", i * 100, 100)));
    options_.threads = 3;
    options_.read.batch_rows = 10;
    options_.queue_bytes = 100;
  }
  ~ScanByExecutor() override {
    for (std::thread& thread : threads_) thread.join();
  }

  /// Rows that come in their order, until there are no more.
  void ExpectRows() {
    const auto scan = Scan::Open(files_, {}, options_);
    ASSERT_TRUE(scan);
    const Strings rows = Rows(**scan);
    ASSERT_EQ(rows.size(), 1000U);
    EXPECT_EQ(rows[999], "999");
    EXPECT_EQ((*scan)->counters().rows_delivered, 1000);
  }
  void ExpectError() {
    for (const int64_t taken : {0, 1}) {
      const auto scan = Scan::Open(files_, {}, options_);
      ASSERT_TRUE(scan);
      if (taken == 0) continue;
      const auto batch = (*scan)->Next();
      ASSERT_FALSE(batch);
      EXPECT_EQ(batch.status().code(), StatusCode::kResourceExhausted);
      EXPECT_EQ((*scan)->Next().status().ToString(), batch.status().ToString());
    }
  }

  std::vector<ScanFile> files_;
  ScanOptions options_;
  std::vector<std::thread> threads_;
};

TEST_F(ScanByExecutor, ThatRunsWorkBeforeItReturns) {
  options_.executor = [](const Work& work) { work(); };
  ExpectRows();
}

// As pools do that are full: the caller does the work.
TEST_F(ScanByExecutor, ThatRunsSomeWorkBeforeItReturns) {
  options_.executor = [&](Work work) {
    if (threads_.empty()) {
      threads_.emplace_back(std::move(work));
    } else {
      work();
    }
  };
  ExpectRows();
}

TEST_F(ScanByExecutor, ThatRunsFewerCalls) {
  std::vector<Work> kept;
  options_.executor = [&](Work work) {
    if (threads_.empty()) {
      threads_.emplace_back(std::move(work));
    } else {
      kept.push_back(std::move(work));
    }
  };
  ExpectRows();
  // The scan is gone.
  for (const Work& work : kept) work();
}

TEST_F(ScanByExecutor, ThatDropsSomeWork) {
  options_.executor = [&](Work work) {
    if (threads_.empty()) threads_.emplace_back(std::move(work));
  };
  ExpectRows();
}

TEST_F(ScanByExecutor, ThatDropsAllWork) {
  options_.executor = [](const Work&) {};
  ExpectError();
}

TEST_F(ScanByExecutor, ThatDropsAllWorkLater) {
  std::vector<Work> kept;
  options_.executor = [&](Work work) {
    kept.push_back(std::move(work));
    if (kept.size() < 3) return;
    threads_.emplace_back([&kept] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      kept.clear();
    });
  };
  ExpectError();
}

TEST_F(ScanByExecutor, ThatThrows) {
  for (const size_t allowed : {0U, 1U, 2U}) {
    size_t begun = threads_.size();
    options_.executor = [&, begun](Work work) {
      if (threads_.size() >= begun + allowed) throw std::runtime_error("the pool is closed");
      threads_.emplace_back(std::move(work));
    };
    ExpectError();
  }
}

// Calls that have not begun do not hold up the end of a scan, nor its last row.
TEST_F(ScanByExecutor, ThatIsBusyWithSomethingElse) {
  std::vector<Work> kept;
  options_.executor = [&](Work work) { kept.push_back(std::move(work)); };
  const auto scan = Scan::Open(files_, {}, options_);
  ASSERT_TRUE(scan);
  ScanBatch batch;
  EXPECT_EQ(*(*scan)->Step(&batch), ScanOutcome::kWaiting);
  threads_.emplace_back(kept[0]);
  EXPECT_EQ(Rows(**scan).size(), 1000U);
}

}  // namespace
}  // namespace sluice::support
