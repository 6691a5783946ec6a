// Scans that are cancelled, or left, in the middle of things.

#include <gtest/gtest.h>
#include <sluice/scan.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/copied_file.h"
#include "tests/support/file_builder.h"
#include "tests/support/page_bytes.h"
#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

/// Sets a flag in one of its reads, and counts those that begin later.
struct Trigger {
  std::atomic<bool> flag = false;
  std::atomic<int64_t> reads_before = 0;
  std::atomic<int64_t> reads_after = 0;
};

class TriggeringFile : public CopiedFile {
 public:
  TriggeringFile(std::string bytes, Trigger* trigger)
      : CopiedFile(std::move(bytes)), trigger_(trigger) {}

  Result<int64_t> ReadSome(int64_t offset, std::span<uint8_t> out) const override {
    if (trigger_->flag) {
      ++trigger_->reads_after;
    } else if (trigger_->reads_before-- == 0) {
      trigger_->flag = true;
    }
    return CopiedFile::ReadSome(offset, out);
  }

 private:
  Trigger* trigger_;
};

std::string BytesOf(const ScanFile& file) {
  const BufferRef all = *file.file->Read({0, *file.file->Size()}, *BufferPool::Make());
  return {reinterpret_cast<const char*>(all->data()), static_cast<size_t>(all->size())};
}

// contract V-112, V-122, fault X8: no read begins once the host has cancelled, be it of a footer, a
// bloom filter, an index or pages; those under way end.
TEST(CancelledScan, BeginsNoRead) {
  parquet::WriterOptions writer;
  writer.row_group_rows = 300;
  writer.page_rows = 50;
  writer.columns.bloom_filter = true;
  Table table = Numbers("n", 0, 600);
  table.schema.fields.push_back(Named("m", kInt64));
  table.columns.emplace_back();
  for (int64_t row = 0; row < table.num_rows; ++row) {
    table.columns[0][static_cast<size_t>(row)] = Fixed(row * 2);
    table.columns[1].push_back(Fixed(row % 50));
  }
  const std::string bytes = BytesOf(FileOf(table, "part", writer));
  for (const int32_t threads : {1, 3}) {
    for (const bool is_table_known : {true, false}) {
      int64_t num_cancelled = 0;
      for (int64_t reads = 0;; ++reads) {
        SCOPED_TRACE(std::to_string(threads) + " threads, read " + std::to_string(reads));
        Trigger trigger;
        trigger.reads_before = reads;
        std::vector<ScanFile> files(4);
        for (ScanFile& file : files) file.file = std::make_shared<TriggeringFile>(bytes, &trigger);
        ScanRequest request = Where("n = 702 AND m >= 1");
        if (is_table_known) request.schema = std::make_shared<const Schema>(table.schema);
        ScanOptions options;
        options.threads = threads;
        options.read.cancelled = &trigger.flag;
        const auto scan = Scan::Open(files, request, options);
        Status status = scan.status();
        int64_t rows = 0;
        while (status.ok()) {
          const auto batch = (*scan)->Next();
          status = batch.status();
          if (!batch || !*batch) break;
          rows += (*batch)->batch.num_rows;
        }
        EXPECT_LT(trigger.reads_after, threads);
        if (!trigger.flag) {
          EXPECT_TRUE(status.ok()) << status.ToString();
          EXPECT_EQ(rows, 4);
          break;
        }
        EXPECT_EQ(status.code(), StatusCode::kCancelled) << status.ToString();
        ++num_cancelled;
        if (!scan) continue;
        EXPECT_EQ((*scan)->Next().status().code(), StatusCode::kCancelled);
        EXPECT_EQ((*scan)->Count().status().code(), StatusCode::kCancelled);
      }
      // A footer a file; bloom filters of two row groups, and indexes and pages of one.
      EXPECT_GE(num_cancelled, 4 * (1 + 2 + 2 + 1));
    }
  }
}

// Nor are files looked at that need no read.
TEST(CancelledScan, GoesToNoFile) {
  std::vector<ScanFile> files(1000);
  for (ScanFile& file : files) {
    file.path = "there is no such file";
    file.constants.emplace_back("p", Value::Null(kInt64));
  }
  std::atomic<bool> cancelled = false;
  for (const int32_t threads : {1, 3}) {
    ScanOptions options;
    options.threads = threads;
    options.read.cancelled = &cancelled;
    const ScanRequest request = OfTable({Named("p", kInt64)}, "p = 1");
    cancelled = false;
    EXPECT_TRUE(Rows(files, request, options).empty());
    cancelled = true;
    const auto scan = Scan::Open(files, request, options);
    ASSERT_TRUE(scan);
    EXPECT_EQ((*scan)->Next().status().code(), StatusCode::kCancelled);
    EXPECT_EQ((*scan)->counters().files_considered, 0);
  }
}

// fault X8: nor are rows delivered that wait already.
TEST(CancelledScan, DeliversNothingMore) {
  std::vector<ScanFile> files;
  for (int64_t i = 0; i < 10; ++i) files.push_back(FileOf(Numbers("n", i * 100, 100)));
  for (const int32_t threads : {1, 3}) {
    for (const bool ordered : {true, false}) {
      std::atomic<bool> cancelled = false;
      ScanOptions options;
      options.threads = threads;
      options.ordered = ordered;
      options.read.batch_rows = 10;
      options.read.cancelled = &cancelled;
      const auto scan = Scan::Open(files, {}, options);
      ASSERT_TRUE(scan);
      for (int i = 0; i < 5; ++i) ASSERT_TRUE(*(*scan)->Next());
      cancelled = true;
      EXPECT_EQ((*scan)->Next().status().code(), StatusCode::kCancelled);
      ScanBatch batch;
      EXPECT_EQ((*scan)->Step(&batch).status().code(), StatusCode::kCancelled);
      EXPECT_EQ((*scan)->counters().rows_delivered, 50);
    }
  }
}

constexpr int64_t kPages = 80;
constexpr int64_t kPageRows = 131'072;

/// A row group of ten million rows, none of which is 7, which nothing says but the rows.
std::string TenMillionRows() {
  std::vector<PageSpec> pages = {DictionaryPage(2, PlainInt64({7, 9}))};
  const std::string nines = DictionaryIndices(1, RleRun(kPageRows, 1, 1));
  pages.resize(1 + kPages, DataPage(Encoding::kRleDictionary, kPageRows, nines));
  FileSpec file;
  file.schema = {Required("d", PhysicalType::kInt64)};
  file.row_groups = {{kPages * kPageRows, {Chunk(std::move(pages))}}};
  return BuildFile(file).bytes;
}

/// Is told of pages.
class PageHook : public parquet::PageObserver {
 public:
  explicit PageHook(std::function<void(int64_t)> on_page) : on_page_(std::move(on_page)) {}
  void OnDataPage(int32_t, int32_t, int64_t, RowRange, Fate) override { on_page_(++num_pages_); }
  void OnDictionaryExclusion(int32_t, int32_t, int64_t) override {}
  int64_t num_pages() const { return num_pages_; }

 private:
  std::function<void(int64_t)> on_page_;
  std::atomic<int64_t> num_pages_ = 0;
};

// contract V-148, fault X8: a row group is left within a window, although none of its rows passes.
TEST(CancelledScan, LeavesALongRowGroup) {
  ScanFile file;
  file.file = std::make_shared<CopiedFile>(TenMillionRows());
  for (const int32_t threads : {1, 2}) {
    for (const char* where : {"d = 7", "d + 0 = 7"}) {
      SCOPED_TRACE(where + std::string(", threads ") + std::to_string(threads));
      std::atomic<bool> cancelled = false;
      PageHook hook([&](int64_t page) { cancelled = page >= 3; });
      ScanOptions options;
      options.threads = threads;
      options.read.cancelled = &cancelled;
      options.read.page_observer = &hook;
      const auto scan = Scan::Open({file}, Where(where), options);
      ASSERT_TRUE(scan);
      const auto batch = (*scan)->Next();
      ASSERT_FALSE(batch);
      EXPECT_EQ(batch.status().code(), StatusCode::kCancelled) << batch.status().ToString();
      EXPECT_LE(hook.num_pages(), 4);
    }
  }
}

/// Waits until a page was read, and reads slowly from then on, so that who does not look whether to
/// stop is noticed.
class SlowPages {
 public:
  PageHook& hook() { return hook_; }
  void AwaitThird() const {
    while (hook_.num_pages() < 3) std::this_thread::yield();
  }

 private:
  PageHook hook_{[](int64_t page) {
    if (page >= 3) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }};
};

// contract V-120: as are row groups that are not wanted any more.
TEST(CancelledScan, LeavesALongRowGroupWhenItIsLeft) {
  ScanFile file;
  file.file = std::make_shared<CopiedFile>(TenMillionRows());
  SlowPages pages;
  {
    ScanOptions options;
    options.threads = 2;
    options.read.page_observer = &pages.hook();
    const auto scan = Scan::Open({file}, Where("d = 7"), options);
    ASSERT_TRUE(scan);
    ScanBatch batch;
    EXPECT_EQ(*(*scan)->Step(&batch), ScanOutcome::kWaiting);
    pages.AwaitThird();
  }
  EXPECT_LT(pages.hook().num_pages(), kPages);
}

TEST(CancelledScan, LeavesALongRowGroupBehindALimit) {
  ScanFile file;
  file.file = std::make_shared<CopiedFile>(TenMillionRows());
  const ScanFile sevens = FileOf([] {
    Table table = Numbers("d", 0, 20);
    for (auto& value : table.columns[0]) value = Fixed(int64_t{7});
    return table;
  }());
  for (const bool ordered : {true, false}) {
    SlowPages pages;
    ScanRequest request = OfTable({Named("d", kInt64)}, "d + 0 = 7");
    request.limit = 15;
    ScanOptions options;
    options.threads = 2;
    options.ordered = ordered;
    options.read.batch_rows = 10;
    options.read.page_observer = &pages.hook();
    // No batch is taken before both row groups are under way.
    options.queue_bytes = 1;
    std::vector<std::thread> workers;
    std::vector<std::function<void()>> work;
    options.executor = [&](std::function<void()> call) { work.push_back(std::move(call)); };
    const auto scan = Scan::Open({sevens, file}, request, options);
    ASSERT_TRUE(scan);
    ScanBatch none;
    ASSERT_EQ(*(*scan)->Step(&none), ScanOutcome::kWaiting);
    for (const auto& call : work) workers.emplace_back(call);
    pages.AwaitThird();
    ASSERT_EQ((*(*scan)->Next())->batch.num_rows, 10);
    ASSERT_EQ((*(*scan)->Next())->batch.num_rows, 5);
    // By now it has ended.
    const int64_t num_pages = pages.hook().num_pages();
    EXPECT_LT(num_pages, kPages);
    const ScanCounters& counters = (*scan)->counters();
    EXPECT_EQ(counters.rows_delivered, 15);
    EXPECT_EQ(counters.rows_considered, counters.rows_pruned_by_row_group + counters.rows_filtered +
                                            counters.rows_rejected + counters.rows_delivered +
                                            counters.rows_not_reached);
    EXPECT_FALSE(*(*scan)->Next());
    EXPECT_EQ(pages.hook().num_pages(), num_pages);
    for (std::thread& worker : workers) worker.join();
  }
}

}  // namespace
}  // namespace sluice::support
