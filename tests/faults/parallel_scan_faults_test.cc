// What a scan holds, what becomes of work that is under way when it ends, and what it reads by:
// faults M6, M8, X1, X8 and X10.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/support/copied_file.h"
#include "tests/support/file_builder.h"
#include "tests/support/padded_buffer.h"
#include "tests/support/page_bytes.h"
#include "tests/support/scanning.h"
#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

constexpr int64_t kGroups = 100;
constexpr int64_t kPagesOfGroup = 4;
constexpr int64_t kPageRows = 64;

/// 100 row groups of four pages of 64 KiB.
std::string LongStrings() {
  FileSpec file;
  file.schema = {Required("x", PhysicalType::kByteArray)};
  const std::vector<std::string> strings(kPageRows, std::string(1020, 's'));
  const ChunkSpec chunk = Chunk(std::vector<PageSpec>(
      kPagesOfGroup, DataPage(Encoding::kPlain, kPageRows, PlainByteArray(strings))));
  file.row_groups.assign(kGroups, {kPagesOfGroup * kPageRows, {chunk}});
  return BuildFile(file).bytes;
}

ScanFile FileIn(std::shared_ptr<RandomAccessFile> bytes) {
  ScanFile file;
  file.file = std::move(bytes);
  return file;
}

// However slow the consumer, what was read ahead for it stays within bounds that do not grow with
// the file.
TEST(ParallelScanFaults, M6SlowConsumers) {
  constexpr int64_t kMost = 4 << 20;
  const std::string bytes = LongStrings();
  ASSERT_GT(std::ssize(bytes), 6 * kMost);
  for (const bool ordered : {true, false}) {
    SCOPED_TRACE(ordered);
    ScanOptions options;
    options.threads = 4;
    options.ordered = ordered;
    options.queue_bytes = 256 << 10;
    options.read.pool = BufferPool::Make();
    options.read.batch_rows = kPageRows;
    options.read.read_window_bytes = 128 << 10;
    options.read.read_gap_bytes = 0;
    const auto scan = Scan::Open({FileIn(std::make_shared<CopiedFile>(bytes))}, {}, options);
    ASSERT_TRUE(scan);
    int64_t rows = 0;
    std::vector<ScanBatch> kept;
    for (int64_t taken = 0;; ++taken) {
      if (taken % 8 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      auto batch = (*scan)->Next();
      ASSERT_TRUE(batch) << batch.status().ToString();
      if (!*batch) break;
      rows += (*batch)->batch.num_rows;
      if (kept.size() < 2) kept.push_back(**std::move(batch));
    }
    EXPECT_EQ(rows, kGroups * kPagesOfGroup * kPageRows);
    EXPECT_LE(options.read.pool->peak_bytes(), kMost);
    // What is left is what the two batches pin: their pages, with the requests they came in.
    EXPECT_LE(options.read.pool->bytes_in_use(), 2 * (256 << 10));
  }
}

// A predicate reads nothing that a full read of the file does not, in no more memory.
TEST(ParallelScanFaults, M8FiltersTakeNoMoreThanAFullRead) {
  FileSpec file;
  file.created_by = "another writer, of format 1.0";
  file.schema = {Optional("s", PhysicalType::kByteArray), Required("n", PhysicalType::kInt32)};
  file.schema[0].converted_type = kConvertedUtf8;
  const std::vector<std::string> words = {"alpha", "beta", std::string(30'000, 'x')};
  std::vector<std::string> lines;
  std::vector<int64_t> positions;
  for (int64_t group = 0; group < 5; ++group) {
    std::vector<uint64_t> levels;
    std::vector<uint64_t> codes;
    std::vector<int64_t> numbers;
    for (int64_t row = 0; row < 900; ++row) {
      levels.push_back(row % 10 > 0);
      if (row % 10 > 0) codes.push_back(row % 3 == 0 ? 0 : row % 97 == 1 ? 2 : 1);
      numbers.push_back(row);
      if (row % 10 > 0 && row % 3 == 0) positions.push_back(group * 900 + row);
    }
    file.row_groups.push_back(
        {900,
         {Chunk({DictionaryPage(3, PlainByteArray(words)),
                 DataPage(Encoding::kPlainDictionary, 900, DictionaryIndices(2, codes),
                          RleRuns(levels, 1))},
                Codec::kSnappy),
          Chunk({DataPage(Encoding::kPlain, 900, PlainInt32(numbers))}, Codec::kGzip)}});
  }
  const std::string bytes = BuildFile(file).bytes;
  ScanWay full = AllOff();
  full.options.read.pool = BufferPool::Make();
  EXPECT_EQ(std::ssize(ScanRows(bytes, {""}, full).positions), 4500);
  const int64_t most = full.options.read.pool->peak_bytes();
  for (const char* where : {"s = 'alpha'", "s = 'alpha' AND n >= 0", "lower(s) = 'alpha'"}) {
    ScanWay filtered;
    filtered.options.read.pool = BufferPool::Make(most + (64 << 10));
    EXPECT_EQ(ScanRows(bytes, {where}, filtered).positions, positions) << where;
  }
}

// A scan that is left while reads are under way, or of which a read fails, waits for its work
// before what it reads from is gone.
TEST(ParallelScanFaults, X1SourcesThatFailInTheMiddle) {
  parquet::WriterOptions writer;
  writer.row_group_rows = 50;
  const ScanFile written = FileOf(Numbers("n", 0, 1000), "memory", writer);
  const BufferRef all = *written.file->Read({0, *written.file->Size()}, *BufferPool::Make());
  const std::string bytes(reinterpret_cast<const char*>(all->data()),
                          static_cast<size_t>(all->size()));
  int64_t num_failed = 0;
  int64_t num_finished = 0;
  for (int64_t reads = 0; reads < 60; reads += 3) {
    for (const bool ordered : {true, false}) {
      ScanOptions options;
      options.threads = 4;
      options.ordered = ordered;
      options.read.batch_rows = 20;
      for (const int64_t taken : {int64_t{0}, int64_t{3}, INT64_MAX}) {
        const auto scan =
            Scan::Open({FileIn(std::make_shared<CopiedFile>(bytes, reads))}, {}, options);
        if (!scan) {
          EXPECT_EQ(scan.status().code(), StatusCode::kIoError) << scan.status().ToString();
          continue;
        }
        for (int64_t i = 0; i < taken; ++i) {
          const auto batch = (*scan)->Next();
          if (!batch) {
            ++num_failed;
            EXPECT_EQ(batch.status().code(), StatusCode::kIoError) << batch.status().ToString();
            EXPECT_EQ((*scan)->Next().status().code(), StatusCode::kIoError);
            break;
          }
          if (!*batch) {
            ++num_finished;
            EXPECT_EQ((*scan)->counters().rows_delivered, 1000);
            break;
          }
        }
      }
    }
  }
  EXPECT_GT(num_failed, 0);
  EXPECT_GT(num_finished, 0);
}

// Offsets that are wrong say where to look, and page headers what is there.
TEST(ParallelScanFaults, X10PagesThatAreNotWhereTheFooterSays) {
  ChunkSpec chunk =
      Chunk({DictionaryPage(3, PlainInt64({10, 20, 30})),
             DataPage(Encoding::kRleDictionary, 4, DictionaryIndices(2, {0, 1, 2, 1})),
             DataPage(Encoding::kPlain, 2, PlainInt64({40, 20}))},
            Codec::kSnappy);
  const FileSpec sound = OneRowGroup({Required("x", PhysicalType::kInt64)}, 6, {chunk});
  const BuiltFile built = BuildFile(sound);
  const auto& pages = built.pages[0][0];
  for (const int64_t offset : {pages[0].offset, pages[0].end() - 5, pages[1].end(),
                               pages[1].offset + 3, pages[2].offset + 1}) {
    FileSpec file = sound;
    file.row_groups[0].chunks[0].data_page_offset = offset;
    const std::string bytes = BuildFile(file).bytes;
    ExpectScan(bytes, {"x = 20"}, {1, 3, 5});
    ExpectScan(bytes, {"x + 0 > 20"}, {2, 4});
  }
}

// What is cancelled ends with that, and not as if there were no more rows.
TEST(ParallelScanFaults, X8CancellationIsNoEnd) {
  std::vector<ScanFile> files;
  for (int64_t i = 0; i < 20; ++i) files.push_back(FileOf(Numbers("n", i * 100, 100)));
  for (const int32_t threads : {1, 3}) {
    for (const int64_t taken : {0, 1, 7}) {
      std::atomic<bool> cancelled = false;
      ScanOptions options;
      options.threads = threads;
      options.read.batch_rows = 10;
      options.queue_bytes = 100;
      options.read.cancelled = &cancelled;
      const auto scan = Scan::Open(files, Where("n % 2 = 0"), options);
      ASSERT_TRUE(scan);
      int64_t rows = 0;
      for (int64_t i = 0; i < taken; ++i) rows += (*scan)->Next().value()->batch.num_rows;
      cancelled = true;
      auto batch = (*scan)->Next();
      for (; batch && *batch; batch = (*scan)->Next()) rows += (*batch)->batch.num_rows;
      ASSERT_FALSE(batch) << rows << " rows of 1000";
      EXPECT_EQ(batch.status().code(), StatusCode::kCancelled) << batch.status().ToString();
      EXPECT_LT(rows, 1000);
    }
  }
}

}  // namespace
}  // namespace sluice::support
