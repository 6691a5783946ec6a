// Exceptions on the threads of a scan: of files of the host, and where memory is at its end.

#include "engine/scan/work_failure.h"

#include <gtest/gtest.h>
#include <sluice/scan.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/small_scans.h"

namespace {

/// On threads of which this is set memory ends.
thread_local bool is_worker = false;
/// Allocations there until it does, and how often it does then.
std::atomic<int64_t> allocations_left = INT64_MAX;
std::atomic<int64_t> failures_left = 0;

void* AllocateOrNull(std::size_t size) noexcept {
  if (is_worker && allocations_left.fetch_sub(1) <= 0 && failures_left.fetch_sub(1) > 0) {
    return nullptr;
  }
  return std::malloc(size == 0 ? 1 : size);
}

void Free(void* address) noexcept { std::free(address); }

}  // namespace

#include "tests/support/replaced_new.h"

namespace sluice::support {
namespace {

using engine::WorkFailure;

TEST(WorkFailure, SaysWhatWasThrown) {
  const auto failure_of = [](const auto& exception) {
    try {
      throw exception;
    } catch (...) {
      return WorkFailure::OfException();
    }
  };
  const WorkFailure memory = failure_of(std::bad_alloc());
  EXPECT_FALSE(memory.ok());
  EXPECT_TRUE(memory.has_no_room());
  EXPECT_EQ(memory.ToStatus().code(), StatusCode::kResourceExhausted);
  const WorkFailure host = failure_of(std::runtime_error("the network is down"));
  EXPECT_FALSE(host.ok());
  EXPECT_FALSE(host.has_no_room());
  EXPECT_EQ(host.ToStatus().code(), StatusCode::kIoError);
  EXPECT_NE(host.ToStatus().message().find("the network is down"), std::string::npos);
  EXPECT_EQ(failure_of(7).ToStatus().code(), StatusCode::kIoError);
  const WorkFailure room = Status::ResourceExhausted("the pool is empty");
  EXPECT_TRUE(room.has_no_room());
  EXPECT_EQ(room.ToStatus().message(), "the pool is empty");
  EXPECT_TRUE(WorkFailure().ok());
}

/// A file of the host that throws, after some reads.
class ThrowingFile : public RandomAccessFile {
 public:
  enum class What { kMemory, kError, kNumber };

  ThrowingFile(std::shared_ptr<RandomAccessFile> file, What what, int64_t reads, int64_t times)
      : file_(std::move(file)), what_(what), reads_left_(reads), times_left_(times) {}

  const std::string& name() const override { return file_->name(); }
  Result<int64_t> Size() const override { return file_->Size(); }
  Result<int64_t> ReadSome(int64_t offset, std::span<uint8_t> out) const override {
    if (--reads_left_ < 0 && --times_left_ >= 0) Throw();
    return file_->ReadSome(offset, out);
  }
  Result<BufferRef> Read(ByteRange range, BufferPool& pool) const override {
    return RandomAccessFile::Read(range, pool);
  }
  bool has_thrown() const { return reads_left_ < 0; }

 private:
  void Throw() const {
    if (what_ == What::kMemory) throw std::bad_alloc();
    if (what_ == What::kError) throw std::runtime_error("the network is down");
    throw 7;
  }

  std::shared_ptr<RandomAccessFile> file_;
  What what_;
  mutable std::atomic<int64_t> reads_left_;
  mutable std::atomic<int64_t> times_left_;
};

/// What came of a scan.
struct Scanned {
  int64_t rows = 0;
  Status status;
};

Scanned ScanToTheEnd(const std::vector<ScanFile>& files, const ScanRequest& request,
                     const ScanOptions& options) {
  const auto scan = Scan::Open(files, request, options);
  EXPECT_TRUE(scan) << scan.status().ToString();
  Scanned scanned;
  for (;;) {
    const auto batch = (*scan)->Next();
    scanned.status = batch.status();
    if (!batch || !*batch) break;
    for (int64_t row = 0; row < (*batch)->batch.num_rows; ++row, ++scanned.rows) {
      if (options.ordered) {
        EXPECT_EQ(ValueAt((*batch)->batch.columns[0], row).ToString(),
                  std::to_string(scanned.rows));
      }
    }
  }
  // The scan is at its end, and says so again.
  EXPECT_EQ((*scan)->Next().status().ToString(), scanned.status.ToString());
  return scanned;
}

// contract V-119, V-123: an exception is what came of the work, and is handed over as such.
TEST(WorkFailure, OfFilesOfTheHost) {
  using What = ThrowingFile::What;
  parquet::WriterOptions writer;
  writer.row_group_rows = 50;
  const ScanFile sound = FileOf(Numbers("n", 0, 500), "part", writer);
  const ScanFile behind = FileOf(Numbers("n", 500, 100), "part", writer);
  const ScanRequest request = OfTable({Named("n", kInt64)}, "n + 0 >= 0");
  for (const What what : {What::kMemory, What::kError, What::kNumber}) {
    for (const bool ordered : {true, false}) {
      for (int64_t reads = 0;; ++reads) {
        SCOPED_TRACE(std::to_string(static_cast<int>(what)) + " after " + std::to_string(reads));
        const auto file = std::make_shared<ThrowingFile>(sound.file, what, reads, INT64_MAX);
        ScanFile throwing;
        throwing.file = file;
        ScanOptions options;
        options.threads = 3;
        options.ordered = ordered;
        options.read.batch_rows = 20;
        options.read.read_gap_bytes = 0;
        const Scanned scanned = ScanToTheEnd({throwing, behind}, request, options);
        if (!file->has_thrown()) {
          EXPECT_EQ(scanned.rows, 600);
          EXPECT_TRUE(scanned.status.ok()) << scanned.status.ToString();
          EXPECT_GT(reads, 10);
          break;
        }
        EXPECT_EQ(scanned.status.code(),
                  what == What::kMemory ? StatusCode::kResourceExhausted : StatusCode::kIoError)
            << scanned.status.ToString();
        EXPECT_LT(scanned.rows, 600);
      }
    }
  }
}

// Memory that is missing for one row group may be there when others are through.
TEST(WorkFailure, MemoryMayBeThereLater) {
  parquet::WriterOptions writer;
  writer.row_group_rows = 50;
  const ScanFile sound = FileOf(Numbers("n", 0, 500), "part", writer);
  for (int64_t reads = 0; reads < 10; ++reads) {
    SCOPED_TRACE(reads);
    const auto file =
        std::make_shared<ThrowingFile>(sound.file, ThrowingFile::What::kMemory, reads, 1);
    ScanFile throwing;
    throwing.file = file;
    ScanOptions options;
    options.threads = 3;
    options.read.batch_rows = 20;
    const Scanned scanned = ScanToTheEnd({throwing}, OfTable({Named("n", kInt64)}), options);
    EXPECT_TRUE(file->has_thrown());
    EXPECT_TRUE(scanned.status.ok()) << scanned.status.ToString();
    EXPECT_EQ(scanned.rows, 500);
  }
}

// Wherever memory ends, once or for good, rows are right or there is an error.
TEST(WorkFailure, OfEveryAllocation) {
  parquet::WriterOptions writer;
  writer.row_group_rows = 50;
  std::vector<ScanFile> files;
  for (int64_t i = 0; i < 3; ++i) {
    files.push_back(FileOf(Numbers("n", i * 100, 100), "part", writer));
  }
  const ScanRequest request = OfTable({Named("n", kInt64)}, "n >= 0 AND n + 0 >= 0");
  int64_t num_failed = 0;
  int64_t num_recovered = 0;
  for (const int64_t failures : {int64_t{1}, int64_t{3}, INT64_MAX}) {
    for (int64_t allocation = 0;; allocation += 1 + allocation / 50) {
      SCOPED_TRACE(std::to_string(failures) + " from " + std::to_string(allocation));
      std::vector<std::thread> threads;
      ScanOptions options;
      options.threads = 2;
      options.read.batch_rows = 20;
      options.executor = [&](std::function<void()> work) {
        threads.emplace_back([work = std::move(work)] {
          is_worker = true;
          work();
          is_worker = false;
        });
      };
      allocations_left = allocation;
      failures_left = failures;
      const Scanned scanned = ScanToTheEnd(files, request, options);
      const bool has_failed = failures_left.load() < failures;
      allocations_left = INT64_MAX;
      for (std::thread& thread : threads) thread.join();
      if (scanned.status.ok()) {
        EXPECT_EQ(scanned.rows, 300);
        num_recovered += has_failed ? 1 : 0;
      } else {
        EXPECT_EQ(scanned.status.code(), StatusCode::kResourceExhausted)
            << scanned.status.ToString();
        ++num_failed;
      }
      if (!has_failed) break;
    }
  }
  EXPECT_GT(num_failed, 0);
  EXPECT_GT(num_recovered, 0);
}

}  // namespace
}  // namespace sluice::support
