// Scans on several threads.

#include <gtest/gtest.h>
#include <sluice/parquet/page_index.h>
#include <sluice/parquet/reader.h>
#include <sluice/scan.h>

#include <algorithm>
#include <functional>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "tests/support/padded_buffer.h"
#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

TEST(ParallelScan, StopsAtALimit) {
  std::vector<ScanFile> files;
  for (int i = 0; i < 5; ++i) files.push_back(FileOf(Numbers("n", i * 100, 100), "part"));
  for (const int threads : {1, 4}) {
    SCOPED_TRACE(threads);
    ScanRequest request;
    request.limit = 150;
    ScanOptions options;
    options.threads = threads;
    options.read.batch_rows = 40;
    const auto scan = Scan::Open(files, request, options);
    ASSERT_TRUE(scan);
    const Strings rows = Rows(**scan);
    ASSERT_EQ(rows.size(), 150U);
    EXPECT_EQ(rows[149], "149");
    const ScanCounters& counters = (*scan)->counters();
    EXPECT_EQ(counters.rows_delivered, 150);
    EXPECT_EQ(counters.rows_considered, counters.rows_delivered + counters.rows_not_reached);
  }
}

TEST(ParallelScan, GivesTheSameRows) {
  parquet::WriterOptions writer;
  writer.row_group_rows = 50;
  std::vector<ScanFile> files;
  for (int i = 0; i < 7; ++i) files.push_back(FileOf(Numbers("n", i * 300, 300), "part", writer));
  const Strings alone = Rows(files, Where("n % 7 < 3"));
  ScanOptions options;
  options.threads = 4;
  options.read.batch_rows = 20;
  options.queue_bytes = 1000;
  EXPECT_EQ(Rows(files, Where("n % 7 < 3"), options), alone);
  options.ordered = false;
  Strings unordered = Rows(files, Where("n % 7 < 3"), options);
  std::sort(unordered.begin(), unordered.end());
  Strings sorted = alone;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(unordered, sorted);
  // An error comes behind the rows before it.
  options.ordered = true;
  const auto scan = Scan::Open(files, Where("10 % (n - 1000) < 100"), options);
  ASSERT_TRUE(scan);
  int64_t rows = 0;
  auto batch = (*scan)->Next();
  for (; batch && *batch; batch = (*scan)->Next()) rows += (*batch)->batch.num_rows;
  EXPECT_EQ(batch.status().code(), StatusCode::kRowError);
  EXPECT_EQ(rows, 1000);
}

TEST(ParallelScan, MayBeLeftInTheMiddle) {
  std::vector<ScanFile> files;
  for (int i = 0; i < 20; ++i) files.push_back(FileOf(Numbers("n", i * 300, 300), "part"));
  ScanOptions options;
  options.threads = 3;
  options.read.batch_rows = 10;
  for (int taken = 0; taken < 5; ++taken) {
    const auto scan = Scan::Open(files, {}, options);
    ASSERT_TRUE(scan);
    for (int i = 0; i < taken; ++i) ASSERT_TRUE((*scan)->Next());
  }
}

// Law 8: in a budget that is enough for one thread, with two batches more, which are on their way.
TEST(ParallelScan, MakesRoomForTheFirstRowGroup) {
  Table table = Numbers("n", 0, 40'000);
  table.schema.fields.push_back(Named("text", kString));
  table.columns.emplace_back();
  for (int64_t row = 0; row < table.num_rows; ++row) {
    table.columns[1].push_back(Text(std::string(static_cast<size_t>(100 + row * 7919 % 50),
                                                static_cast<char>('a' + row % 26))));
  }
  parquet::WriterOptions writer;
  writer.row_group_rows = 2500;
  writer.columns.dictionary = false;
  const ScanFile file = FileOf(table, "wide", writer);
  ScanOptions options;
  options.read.batch_rows = 500;
  options.read.pool = BufferPool::Make();
  const Strings alone = Rows({file}, Where("n % 3 > 0"), options);
  const int64_t peak = options.read.pool->peak_bytes();
  for (const bool ordered : {true, false}) {
    for (const int64_t budget : {peak + peak / 4, 2 * peak, 3 * peak}) {
      SCOPED_TRACE(budget);
      options.read.pool = BufferPool::Make(budget);
      options.threads = 4;
      options.ordered = ordered;
      Strings rows = Rows({file}, Where("n % 3 > 0"), options);
      if (!ordered) {
        std::sort(rows.begin(), rows.end(), [](const std::string& a, const std::string& b) {
          return std::stoll(a) < std::stoll(b);
        });
      }
      EXPECT_TRUE(rows == alone) << rows.size() << " rows of " << alone.size();
    }
  }
  options.read.pool = BufferPool::Make(peak / 4);
  const auto scan = Scan::Open({file}, Where("n % 3 > 0"), options);
  Status status = scan.status();
  while (status.ok()) {
    const auto batch = (*scan)->Next();
    status = batch.status();
    ASSERT_TRUE(!status.ok() || *batch) << "the budget was not kept";
  }
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted) << status.ToString();
}

// Law 8: footers count too.
TEST(ParallelScan, OpensAFileWhenThereIsRoomForItsFooter) {
  Table table;
  table.num_rows = 6;
  for (int column = 0; column < 100; ++column) {
    table.schema.fields.push_back(Named("column " + std::to_string(column), kInt64));
    table.columns.emplace_back();
    for (int64_t row = 0; row < table.num_rows; ++row) {
      table.columns.back().push_back(Fixed(row * column));
    }
  }
  parquet::WriterOptions writer;
  writer.row_group_rows = 2;
  std::vector<ScanFile> files;
  for (int i = 0; i < 12; ++i) files.push_back(FileOf(table, "wide", writer));
  ScanRequest request = Where("\"column 1\" <> 3");
  request.schema = std::make_shared<const Schema>(table.schema);
  ScanOptions options;
  options.read.pool = BufferPool::Make();
  const Strings alone = Rows(files, request, options);
  EXPECT_EQ(alone.size(), 60U);
  const int64_t peak = options.read.pool->peak_bytes();
  for (const bool ordered : {true, false}) {
    for (int round = 0; round < 5; ++round) {
      options.read.pool = BufferPool::Make(peak + peak / 4);
      options.threads = 4;
      options.ordered = ordered;
      Strings rows = Rows(files, request, options);
      // All files have the same rows.
      if (!ordered) {
        std::sort(rows.begin(), rows.end());
        Strings sorted = alone;
        std::sort(sorted.begin(), sorted.end());
        EXPECT_TRUE(rows == sorted) << rows.size();
      } else {
        EXPECT_TRUE(rows == alone) << rows.size();
      }
    }
  }
  options.read.pool = BufferPool::Make(peak / 8);
  const auto scan = Scan::Open(files, request, options);
  ASSERT_TRUE(scan) << scan.status().ToString();
  EXPECT_EQ((*scan)->Next().status().code(), StatusCode::kResourceExhausted);
}

/// The numbers from 0 on, and a text of `size` bytes beside each.
Table NumbersAndTexts(int64_t rows, size_t size) {
  Table table = Numbers("n", 0, rows);
  table.schema.fields.push_back(Named("text", kString));
  table.columns.emplace_back();
  for (int64_t row = 0; row < rows; ++row) {
    table.columns[1].push_back(Text(std::string(size, static_cast<char>('a' + row % 26))));
  }
  return table;
}

/// Three row groups of 1000 rows, and the same with damage in the last page of the second.
struct SoundAndDamaged {
  ScanFile sound;
  ScanFile damaged;
};

SoundAndDamaged MakeFiles() {
  const Table table = NumbersAndTexts(3000, 100);
  parquet::WriterOptions writer;
  writer.row_group_rows = 1000;
  writer.page_rows = 100;
  writer.columns.dictionary = false;
  SoundAndDamaged files;
  files.sound = FileOf(table, "sound", writer);
  const auto metadata = (*parquet::FileReader::Open(files.sound.file))->metadata();
  const auto chunk = *parquet::ChunkByteRange(*metadata, metadata->row_groups[1].columns[1]);
  const BufferRef stored =
      *files.sound.file->Read({0, *files.sound.file->Size()}, *BufferPool::Make());
  std::string bytes(reinterpret_cast<const char*>(stored->data()),
                    static_cast<size_t>(stored->size()));
  bytes[static_cast<size_t>(chunk.end() - 1)] ^= 1;
  files.damaged.file = MakeMemoryFile("damaged", PaddedBuffer(bytes));
  return files;
}

// Behind a limit too, in the row group that it falls into.
TEST(ParallelScan, ReadsRowGroupsToTheirEndIfAskedTo) {
  const SoundAndDamaged files = MakeFiles();
  ScanOptions options;
  options.read.batch_rows = 50;
  options.read.read_everything = true;
  // 550 rows of the first row group, and all of the second.
  ScanRequest request = Where("n % 2 = 0 OR n > 900");
  for (const int threads : {1, 4}) {
    options.threads = threads;
    for (const auto& [file, limit, code] : {std::tuple(files.sound, 570, StatusCode::kOk),
                                            std::tuple(files.damaged, 570, StatusCode::kCorruption),
                                            std::tuple(files.damaged, 540, StatusCode::kOk)}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, limit " + std::to_string(limit));
      request.limit = limit;
      const auto scan = Scan::Open({file}, request, options);
      ASSERT_TRUE(scan);
      int64_t rows = 0;
      auto batch = (*scan)->Next();
      for (; batch && *batch; batch = (*scan)->Next()) rows += (*batch)->batch.num_rows;
      EXPECT_EQ(rows, limit);
      EXPECT_EQ(batch.status().code(), code) << batch.status().ToString();
      if (!batch) continue;
      const ScanCounters& counters = (*scan)->counters();
      EXPECT_EQ(counters.rows_delivered, rows);
      EXPECT_EQ(counters.rows_considered, counters.rows_filtered + counters.rows_rejected +
                                              counters.rows_delivered + counters.rows_not_reached);
    }
  }
}

TEST(ParallelScan, ReadsEverythingInABudget) {
  const SoundAndDamaged files = MakeFiles();
  ScanOptions options;
  options.read.batch_rows = 50;
  options.read.read_everything = true;
  options.read.pool = BufferPool::Make();
  const Strings alone = Rows({files.sound}, Where("n % 3 = 0"), options);
  const int64_t peak = options.read.pool->peak_bytes();
  options.threads = 4;
  for (const int64_t budget : {peak + peak / 4, 2 * peak}) {
    options.read.pool = BufferPool::Make(budget);
    EXPECT_TRUE(Rows({files.sound}, Where("n % 3 = 0"), options) == alone);
    options.read.pool = BufferPool::Make(budget);
    const auto scan = Scan::Open({files.damaged}, Where("n % 3 = 0"), options);
    ASSERT_TRUE(scan);
    auto batch = (*scan)->Next();
    while (batch && *batch) batch = (*scan)->Next();
    EXPECT_EQ(batch.status().code(), StatusCode::kCorruption) << batch.status().ToString();
  }
}

// The host may have fewer threads than there are workers.
TEST(ParallelScan, MakesRoomWhileWorkersHaveNotBegun) {
  const Table table = NumbersAndTexts(4000, 200);
  parquet::WriterOptions writer;
  writer.row_group_rows = 500;
  writer.columns.dictionary = false;
  const ScanFile file = FileOf(table, "texts", writer);
  ScanOptions options;
  options.read.batch_rows = 100;
  options.read.pool = BufferPool::Make();
  const Strings alone = Rows({file}, {}, options);
  const int64_t peak = options.read.pool->peak_bytes();
  std::vector<std::function<void()>> calls;
  std::thread thread;
  options.threads = 3;
  options.read.pool = BufferPool::Make(peak + peak / 4);
  options.executor = [&](std::function<void()> work) {
    calls.push_back(std::move(work));
    if (calls.size() < 3) return;
    thread = std::thread([&] {
      for (const auto& call : calls) call();
    });
  };
  EXPECT_TRUE(Rows({file}, {}, options) == alone);
  thread.join();
}

TEST(ParallelScan, RunsOnTheExecutorOfTheHost) {
  std::vector<ScanFile> files;
  for (int i = 0; i < 5; ++i) files.push_back(FileOf(Numbers("n", i * 100, 100)));
  std::vector<std::thread> threads;
  ScanOptions options;
  options.threads = 3;
  options.executor = [&](std::function<void()> work) { threads.emplace_back(std::move(work)); };
  EXPECT_EQ(Rows(files, {}, options).size(), 500U);
  EXPECT_EQ(threads.size(), 3U);
  for (std::thread& thread : threads) thread.join();
}

// contract V-93
TEST(ParallelScan, TellsFourOutcomesApart) {
  std::vector<ScanFile> files;
  for (int i = 0; i < 3; ++i) files.push_back(FileOf(Numbers("n", i * 100, 100)));
  for (const int threads : {1, 2}) {
    SCOPED_TRACE(threads);
    ScanOptions options;
    options.threads = threads;
    const auto scan = Scan::Open(files, Where("n + 0 >= 200 AND n + 0 < 250"), options);
    ASSERT_TRUE(scan);
    int64_t rows = 0;
    bool had_no_rows = false;
    for (;;) {
      ScanBatch batch;
      const auto outcome = (*scan)->Step(&batch);
      ASSERT_TRUE(outcome) << outcome.status().ToString();
      had_no_rows |= *outcome == ScanOutcome::kNoRows;
      if (*outcome == ScanOutcome::kBatch) rows += batch.batch.num_rows;
      if (threads == 1) {
        ASSERT_NE(*outcome, ScanOutcome::kWaiting);
      }
      if (*outcome == ScanOutcome::kDone) break;
      std::this_thread::yield();
    }
    EXPECT_EQ(rows, 50);
    EXPECT_EQ(had_no_rows, threads == 1);
    ScanBatch none;
    EXPECT_EQ(*(*scan)->Step(&none), ScanOutcome::kDone);
  }
}

TEST(ParallelScan, HasNoMoreThreadsThanASystemHas) {
  const std::vector<ScanFile> files = {FileOf(Numbers("n", 0, 3))};
  for (const int32_t threads : {INT32_MIN, 0, 1025, INT32_MAX}) {
    ScanOptions options;
    options.threads = threads;
    EXPECT_EQ(Scan::Open(files, {}, options).status().code(), StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace sluice::support
