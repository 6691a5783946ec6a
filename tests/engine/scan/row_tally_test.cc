// How many rows a scan has: bounds that hold at every moment, close in and meet, also where row
// groups are judged by less when they are read than when they were counted, or by more.

#include "engine/scan/row_tally.h"

#include <gtest/gtest.h>
#include <sluice/scan.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

/// A file in front of a pool that at times has no room for column indexes and bloom filters.
class ForgetfulFile : public RandomAccessFile {
 public:
  /// `forgets` says so of the first, second, ... of their reads.
  ForgetfulFile(std::shared_ptr<RandomAccessFile> file, std::function<bool(int64_t)> forgets)
      : file_(std::move(file)), forgets_(std::move(forgets)) {
    const auto reader = parquet::FileReader::Open(file_);
    EXPECT_TRUE(reader) << reader.status().ToString();
    for (const parquet::RowGroup& group : (*reader)->metadata()->row_groups) {
      for (const parquet::ColumnChunk& chunk : group.columns) {
        if (chunk.column_index) offsets_.push_back(chunk.column_index->offset);
        if (chunk.bloom_filter_offset) offsets_.push_back(*chunk.bloom_filter_offset);
      }
    }
  }

  const std::string& name() const override { return file_->name(); }
  Result<int64_t> Size() const override { return file_->Size(); }
  Result<int64_t> ReadSome(int64_t offset, std::span<uint8_t> out) const override {
    return file_->ReadSome(offset, out);
  }
  Result<BufferRef> Read(ByteRange range, BufferPool& pool) const override {
    const bool is_optional =
        std::find(offsets_.begin(), offsets_.end(), range.offset) != offsets_.end();
    if (is_optional && forgets_(num_reads_++)) return Status::ResourceExhausted("no room now");
    return file_->Read(range, pool);
  }

 private:
  std::shared_ptr<RandomAccessFile> file_;
  std::function<bool(int64_t)> forgets_;
  std::vector<int64_t> offsets_;
  mutable std::atomic<int64_t> num_reads_ = 0;
};

parquet::WriterOptions InPages() {
  parquet::WriterOptions writer;
  writer.row_group_rows = 100;
  writer.page_rows = 10;
  return writer;
}

ScanFile Forgetful(ScanFile file, std::function<bool(int64_t)> forgets) {
  file.file = std::make_shared<ForgetfulFile>(std::move(file.file), std::move(forgets));
  return file;
}

// The index of the one row group that statistics leave open says that 10 to 20 rows pass of it.
TEST(RowTally, JudgedByLessWhenRead) {
  for (const bool forgets_first : {false, true}) {
    for (const int32_t threads : {1, 3}) {
      const ScanFile file = Forgetful(FileOf(Numbers("n", 0, 300), "numbers", InPages()),
                                      [=](int64_t read) { return (read == 0) == forgets_first; });
      ScanOptions options;
      options.threads = threads;
      const auto scan = Scan::Open({file}, Where("n < 115"), options);
      ASSERT_TRUE(scan);
      const CountBounds claimed{100, forgets_first ? 200 : 120};
      ASSERT_EQ(*(*scan)->Count(), claimed);
      for (bool is_over = false; !is_over;) {
        const auto batch = (*scan)->Next();
        ASSERT_TRUE(batch) << batch.status().ToString();
        is_over = !*batch;
        const CountBounds bounds = *(*scan)->Count();
        EXPECT_LE(bounds.least, 115);
        EXPECT_GE(bounds.most, 115);
        EXPECT_GE(bounds.least, claimed.least);
        EXPECT_LE(bounds.most, claimed.most);
      }
      EXPECT_EQ(*(*scan)->Count(), (CountBounds{115, 115}));
    }
  }
}

TEST(RowTally, CountsNothingTwice) {
  engine::RowTally tally;
  tally.Finish({0, 0}, 5, true);
  tally.Finish({1, 3}, 7, false);
  EXPECT_TRUE(tally.is_finished({0, 0}));
  EXPECT_FALSE(tally.is_finished({0, 1}));
  EXPECT_TRUE(tally.is_finished({1, 3}));
  EXPECT_FALSE(tally.is_finished({1, 2}));
  engine::RowClaims claims(*BufferPool::Make()->Reserve(0));
  ASSERT_TRUE(claims.Add({0, 1}, {0, 10}).ok());
  ASSERT_TRUE(claims.Add({1, 2}, {4, 4}).ok());
  ASSERT_TRUE(claims.Add({1, 4}, {1, 3}).ok());
  tally.SetClaims(std::move(claims));
  EXPECT_EQ(tally.total(), (CountBounds{17, 29}));
  tally.Narrow({0, 1}, {2, 20});
  EXPECT_EQ(tally.total(), (CountBounds{19, 29}));
  tally.Narrow({0, 1}, {0, 8});
  EXPECT_EQ(tally.total(), (CountBounds{19, 27}));
  for (int i = 0; i < 2; ++i) {
    tally.Finish({0, 1}, 6, true);
    tally.Finish({1, 2}, 4, true);
    EXPECT_EQ(tally.total(), (CountBounds{23, 25}));
  }
  // What cannot be, as the file contradicts itself, does not widen the bounds.
  tally.Finish({1, 4}, 100, true);
  EXPECT_EQ(tally.total(), (CountBounds{25, 25}));
}

// Row groups that finish in another order than theirs are kept until those before them did.
TEST(RowTally, ForgetsWhatLiesBehind) {
  engine::RowTally tally;
  tally.Finish({0, 2}, 1, false);
  tally.Finish({1, 0}, 1, false);
  tally.Finish({0, 0}, 1, true);
  EXPECT_FALSE(tally.is_finished({0, 1}));
  tally.Finish({0, 1}, 1, true);
  tally.Finish({1, 1}, 1, true);
  for (const auto& [file, row_group] : {std::pair(0, 2), std::pair(1, 0), std::pair(1, 1)}) {
    EXPECT_TRUE(tally.is_finished({file, row_group}));
  }
  EXPECT_FALSE(tally.is_finished({1, 2}));
  EXPECT_FALSE(tally.is_finished({2, 0}));
}

TEST(RowTally, HasNoRoom) {
  const auto pool = BufferPool::Make(1000);
  engine::RowClaims claims(*pool->Reserve(0));
  Status status;
  for (int32_t i = 0; i < 100 && status.ok(); ++i) status = claims.Add({0, i}, {0, 1});
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
}

/// One random scan that is counted at random moments.
class CountedScan {
 public:
  explicit CountedScan(uint64_t seed) : random_(seed) {
    const int64_t num_files = 1 + random_.Below(3);
    for (int64_t i = 0; i < num_files; ++i) AddFile();
  }

  void Run() {
    static const Strings kPredicates = {"",
                                        "n < 150",
                                        "n >= 40 AND n < 260",
                                        "n IN (7, 155, 205)",
                                        "n % 3 = 0",
                                        "n < 130 AND n % 7 < 3",
                                        "n < 0",
                                        "file_row_number > 25"};
    const std::string where =
        kPredicates[static_cast<size_t>(random_.Below(std::ssize(kPredicates)))];
    ScanRequest request = OfTable({Named("n", kInt64)}, where);
    if (random_.Chance(0.3)) request.columns.emplace();
    truth_ = std::ssize(Rows(files_, request));
    if (random_.Chance(0.3)) request.limit = random_.Below(150);
    truth_ = std::min(truth_, request.limit);
    ScanOptions options;
    if (random_.Chance(0.5)) options.threads = 3;
    options.ordered = random_.Chance(0.5);
    options.use_page_index = random_.Chance(0.9);
    options.read.batch_rows = 1 + random_.Below(40);
    options.queue_bytes = random_.Chance(0.5) ? 100 : 1 << 20;
    is_forgetful_ = random_.Chance(0.7);
    const auto scan = Scan::Open(files_, request, options);
    ASSERT_TRUE(scan) << scan.status().ToString();
    const double chance = random_.Chance(0.5) ? 0.5 : 0.1;
    int64_t delivered = 0;
    Result<ScanOutcome> outcome = ScanOutcome::kNoRows;
    while (*outcome != ScanOutcome::kDone) {
      if (*outcome == ScanOutcome::kWaiting) {
        std::this_thread::yield();
      } else if (random_.Chance(chance)) {
        Check(**scan, delivered);
      }
      ScanBatch batch;
      outcome = (*scan)->Step(&batch);
      ASSERT_TRUE(outcome) << outcome.status().ToString();
      if (*outcome == ScanOutcome::kBatch) delivered += batch.batch.num_rows;
      if (testing::Test::HasFailure()) return;
    }
    EXPECT_EQ(delivered, truth_);
    Check(**scan, delivered);
    EXPECT_EQ(bounds_, (CountBounds{truth_, truth_}));
  }

 private:
  void AddFile() {
    const int64_t rows = 1 + random_.Below(300);
    parquet::WriterOptions writer = InPages();
    writer.row_group_rows = 10 + random_.Below(100);
    writer.columns.bloom_filter = random_.Chance(0.5);
    ScanFile file = FileOf(Numbers("n", random_.Below(150), rows), "numbers", writer);
    if (random_.Chance(0.5)) file.deleted = RowsAt({random_.Below(rows)});
    if (random_.Chance(0.2)) file.constants = {{"n", Value::Of<int64_t>(kInt64, 42)}};
    files_.push_back(Forgetful(std::move(file), [this](int64_t read) {
      return is_forgetful_ && (static_cast<uint64_t>(read) * 0x9E3779B97F4A7C15U >> 60) < 8;
    }));
  }

  void Check(Scan& scan, int64_t delivered) {
    const auto bounds = scan.Count();
    ASSERT_TRUE(bounds) << bounds.status().ToString();
    EXPECT_LE(bounds->least, truth_);
    EXPECT_GE(bounds->most, truth_);
    EXPECT_GE(bounds->least, std::max(bounds_.least, delivered));
    EXPECT_LE(bounds->most, bounds_.most);
    bounds_ = *bounds;
  }

  RandomColumns random_;
  bool is_forgetful_ = false;
  std::vector<ScanFile> files_;
  int64_t truth_ = 0;
  CountBounds bounds_{0, INT64_MAX};  ///< As they were told last.
};

TEST(RowTally, BoundsHoldAndNeverWiden) {
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    CountedScan(seed).Run();
    ASSERT_FALSE(testing::Test::HasFailure()) << seed;
  }
}

}  // namespace
}  // namespace sluice::support
