// What is said of a scan, held against what it does.

#include <gtest/gtest.h>
#include <sluice/explain.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "tests/engine/explain/explain_testing.h"
#include "tests/engine/explain/explanations.h"

namespace sluice::support {
namespace {

TEST(ExplainScan, SaysWhereConjunctsGo) {
  const ScanFile file = FileOf(ThreeColumns(1000), "memory", FourGroups());
  const Explanation explanation =
      Explain({file}, Where("n >= 480 AND n < 500 + 10 AND n % 7 = 3 AND 1 < 2"), false);
  ASSERT_EQ(explanation.conjuncts.size(), 4u);
  const FileExplanation& first = explanation.files.at(0);
  ASSERT_EQ(first.placement.size(), 4u);
  EXPECT_EQ(first.placement[0].filters.at(0).column, "n");
  EXPECT_EQ(first.placement[0].filters.at(0).filter, ">= 480");
  EXPECT_EQ(first.placement[1].filters.size(), 1u);
  EXPECT_EQ(first.placement[2].filters.size(), 0u);
  EXPECT_NE(first.placement[2].residual.find("n"), std::string::npos);
  EXPECT_FALSE(first.placement[2].folded);
  EXPECT_EQ(first.placement[3].folded, std::optional(true));
  // What asks of one column is one filter.
  ASSERT_EQ(first.filters.size(), 1u);
  EXPECT_EQ(first.filters[0].filter, "in [480, 510)");
  EXPECT_EQ(first.residual, first.placement[2].residual);
  // What was written, and what is left of it.
  EXPECT_NE(explanation.bound.find("500"), std::string::npos) << explanation.bound;
  EXPECT_EQ(explanation.simplified.find("500"), std::string::npos) << explanation.simplified;
  const ColumnRoles& n = first.columns.at(0);
  EXPECT_TRUE(n.is_filtered && n.is_in_residual && n.is_delivered && n.is_judged);
  const ColumnRoles& text = first.columns.at(2);
  EXPECT_TRUE(!text.is_filtered && !text.is_in_residual && text.is_delivered);

  const Explanation never = Explain({file}, Where("n > 1 AND 2 < 1"), false);
  EXPECT_EQ(never.conjuncts.size(), 2u);
  EXPECT_TRUE(never.files.at(0).is_pruned);
  EXPECT_EQ(never.files.at(0).verdict.reason, Reason::kPredicate);
}

TEST(ExplainScan, TellsWhereFiltersNeedCounterparts) {
  Table table;
  table.num_rows = 20;
  table.schema.fields = {Named("t", DataType::Timestamp(TimeUnit::kMilliseconds, false))};
  table.columns.resize(1);
  for (int64_t row = 0; row < 20; ++row) table.columns[0].push_back(Fixed(row));
  table.columns[0][15] = Fixed(INT64_MAX);
  parquet::WriterOptions writer;
  writer.row_group_rows = 10;
  const ScanRequest request =
      OfTable({Named("t", DataType::Timestamp(TimeUnit::kNanoseconds, false))},
              "t < TIMESTAMP '1970-01-01 00:00:00.005'");
  const Explanation explanation = Explain({FileOf(table, "memory", writer)}, request, false);
  const FileExplanation& file = explanation.files.at(0);
  EXPECT_TRUE(file.placement.at(0).filters.at(0).needs_counterparts);
  EXPECT_EQ(file.residual.find("(widened(t AS timestamp(ns)) < "), 0U) << file.residual;
  EXPECT_EQ(file.filters.size(), 1U);
  // One says what the other would.
  EXPECT_EQ(file.row_groups.at(0).filters.size(), 1U);
  EXPECT_EQ(file.row_groups[0].residual, "");
  EXPECT_EQ(file.row_groups.at(1).filters.size(), 0U);
  EXPECT_EQ(file.row_groups[1].residual, file.residual);
}

TEST(ExplainScan, TellsFatesBeforeReadingAndBehindIt) {
  const ScanFile file = FileOf(ThreeColumns(1000), "memory", FourGroups());
  const ScanRequest request = Where("n >= 480 AND n < 510");
  const Explanation before = Explain({file}, request, false);
  const auto& groups = before.files.at(0).row_groups;
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].fate, RowGroupFate::kPruned);
  EXPECT_EQ(groups[0].verdict.outcome, Verdict::Outcome::kNone);
  EXPECT_EQ(groups[0].verdict.reason, Reason::kBounds);
  EXPECT_EQ(groups[0].column, "n");
  EXPECT_EQ(groups[1].fate, RowGroupFate::kToRead);
  EXPECT_EQ(Fates(Chunk(before, 0, "n")), "g*");
  EXPECT_EQ(Fates(Chunk(before, 1, "n")), "pppp?");
  EXPECT_EQ(Fates(Chunk(before, 1, "text")), "pppp?");
  EXPECT_EQ(Fates(Chunk(before, 2, "n")), "?pppp");
  EXPECT_EQ(Checks(groups[0], 0), "row_group decided, bloom_filter not_of_use, page not_looked_at");
  EXPECT_EQ(Checks(groups[1], 0), "row_group undecided, bloom_filter not_of_use, page decided");
  const EvidenceCheck& pages = groups[1].checks.at(2);
  EXPECT_EQ(pages.pages, 5);
  EXPECT_EQ(pages.pages_excluded, 4);
  EXPECT_EQ(pages.pages_proven, 0);
  const ChunkExplanation& n = Chunk(before, 1, "n");
  EXPECT_EQ(n.pages.at(0).verdicts.at(0).outcome, Verdict::Outcome::kNone);
  EXPECT_EQ(n.pages.at(4).verdicts.at(0).reason, Reason::kBoundsUndecided);
  EXPECT_EQ(n.pages.at(4).rows, (RowRange{200, 250}));
  EXPECT_EQ(before.counters.data.pages_read, 0);

  const Explanation after = Explain({file}, request, true);
  EXPECT_EQ(after.files.at(0).row_groups.at(1).fate, RowGroupFate::kRead);
  EXPECT_EQ(Fates(Chunk(after, 1, "n")), "ppppd");
  EXPECT_EQ(Fates(Chunk(after, 2, "text")), "dpppp");
  EXPECT_EQ(after.counters.rows_delivered, 30);
  EXPECT_EQ(after.files.at(0).row_groups.at(1).counters.rows_delivered, 20);
  // Six pages were opened, and no other.
  EXPECT_EQ(after.counters.data.pages_read, 6);
  const FilterUse& use = after.files.at(0).row_groups.at(1).filters.at(0);
  EXPECT_EQ(use.rows_tested, 50);
  EXPECT_EQ(use.rows_passed, 20);
}

// contract V-45, and late columns: what was decided for a row group, and by what.
TEST(ExplainScan, SaysWhatWasDecidedByWhatWasSeen) {
  const ScanFile file = FileOf(ThreeColumns(1000), "memory", FourGroups());
  const auto groups = [&](const char* where, bool analyze) {
    return Explain({file}, Where(where), analyze).files.at(0).row_groups;
  };
  const auto most = groups("n + 1 > 0 AND n % 250 <> 7", true);
  EXPECT_EQ(most.at(0).is_late, std::optional(true));
  EXPECT_FALSE(most.at(0).passing_share);
  EXPECT_EQ(most.at(1).is_late, std::optional(false));
  EXPECT_EQ(most.at(1).passing_share, std::optional(249.0 / 250));
  const auto few = groups("n % 250 = 7", true);
  EXPECT_EQ(few.at(3).is_late, std::optional(true));
  EXPECT_EQ(few.at(3).passing_share, std::optional(1.0 / 250));
  EXPECT_FALSE(groups("n % 250 = 7", false).at(3).is_late);
  // Nothing to wait for.
  const auto filtered = groups("n >= 10", true);
  EXPECT_FALSE(filtered.at(0).is_late);
  EXPECT_EQ(filtered.at(0).filters.at(0).place, 0);
  EXPECT_TRUE(filtered.at(1).filters.at(0).is_proven);
  EXPECT_EQ(filtered.at(1).filters.at(0).place, -1);
}

/// Notes where a file is read.
class WatchedFile : public RandomAccessFile {
 public:
  explicit WatchedFile(std::shared_ptr<RandomAccessFile> file) : file_(std::move(file)) {}

  const std::string& name() const override { return file_->name(); }
  Result<int64_t> Size() const override { return file_->Size(); }
  Result<int64_t> ReadSome(int64_t offset, std::span<uint8_t> out) const override {
    Note({offset, static_cast<int64_t>(out.size())});
    return file_->ReadSome(offset, out);
  }
  Result<BufferRef> Read(ByteRange range, BufferPool& pool) const override {
    Note(range);
    return file_->Read(range, pool);
  }
  std::vector<ByteRange> ranges() const {
    const std::lock_guard lock(mutex_);
    return ranges_;
  }

 private:
  void Note(ByteRange range) const {
    const std::lock_guard lock(mutex_);
    ranges_.push_back(range);
  }

  std::shared_ptr<RandomAccessFile> file_;
  mutable std::mutex mutex_;
  mutable std::vector<ByteRange> ranges_;
};

TEST(ExplainScan, ReadsNoDataWithoutAnalysis) {
  Table table = ThreeColumns(20'000);
  parquet::WriterOptions options = FourGroups();
  options.row_group_rows = 5000;
  ScanFile file = FileOf(table, "memory", options);
  const auto watched = std::make_shared<WatchedFile>(file.file);
  file.file = watched;
  const Explanation explanation = Explain({file}, Where("n < 5100 AND m % 2 = 0"), false);
  const auto& groups = explanation.files.at(0).row_groups;
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_GT(groups[1].chunks.at(0).pages.size(), 50u);
  // Pages of the last two row groups lie behind those of the first two, all before the indexes.
  int64_t data_end = 0;
  for (const ChunkExplanation& chunk : groups[1].chunks) {
    for (const PageExplanation& page : chunk.pages) {
      data_end = std::max(data_end, page.offset + page.bytes);
    }
  }
  ASSERT_GT(data_end, 0);
  for (const ByteRange& range : watched->ranges()) EXPECT_GE(range.offset, data_end);
}

TEST(ExplainScan, TellsNoBloomFilterFromOneThatDidNotHelp) {
  parquet::WriterOptions options = FourGroups();
  const auto checks = [&](const ScanFile& file, const std::string& where,
                          const ScanOptions& scan_options = {}) {
    const Explanation explanation = Explain({file}, Where(where), false, scan_options);
    return Checks(explanation.files.at(0).row_groups.at(1), 0);
  };
  Table table = ThreeColumns(1000);
  for (Cell& cell : table.columns[1]) {
    int64_t value = 0;
    std::memcpy(&value, cell.bytes.data(), sizeof(value));
    cell = Fixed(2 * value);
  }
  const ScanFile without = FileOf(table, "memory", options);
  options.columns.bloom_filter = true;
  const ScanFile with = FileOf(table, "memory", options);
  const std::string pages = ", page undecided";
  EXPECT_EQ(checks(without, "m = 501"), "row_group undecided, bloom_filter not_there" + pages);
  // Of a value that is there the filter cannot tell.
  int64_t there = 0;
  std::memcpy(&there, table.columns[1][300].bytes.data(), sizeof(there));
  const std::string is_there = "m = " + std::to_string(there);
  EXPECT_EQ(checks(with, is_there).substr(0, 43), "row_group undecided, bloom_filter undecided");
  EXPECT_EQ(checks(with, "m = 501"),
            "row_group undecided, bloom_filter decided, page not_looked_at");
  EXPECT_EQ(checks(with, "m < 501"), "row_group undecided, bloom_filter not_of_use" + pages);
  EXPECT_EQ(checks(with, "n = 3"),
            "row_group decided, bloom_filter not_looked_at, page not_looked_at");
  ScanOptions off;
  off.use_bloom_filters = off.use_page_index = false;
  EXPECT_EQ(checks(with, "m = 501", off),
            "row_group undecided, bloom_filter switched_off, page switched_off");
  off.use_statistics = false;
  EXPECT_EQ(checks(with, "m = 501", off),
            "row_group switched_off, bloom_filter switched_off, page switched_off");
  options.columns.statistics = false;
  EXPECT_EQ(checks(FileOf(table, "memory", options), "m < 501"),
            "row_group unusable, bloom_filter not_of_use, page not_there");
}

TEST(ExplainScan, TellsFiltersThatRanFromThoseThatHadNotTo) {
  const ScanFile file = FileOf(ThreeColumns(1000), "memory", FourGroups());
  ScanRequest request = Where("n < 300 AND m >= 500");
  request.columns = {{{"text"}}};
  for (const bool analyze : {false, true}) {
    const Explanation explanation = Explain({file}, request, analyze);
    const auto& groups = explanation.files.at(0).row_groups;
    ASSERT_EQ(groups.at(0).filters.size(), 2u);
    EXPECT_TRUE(groups[0].filters[0].is_proven);
    EXPECT_FALSE(groups[0].filters[1].is_proven);
    EXPECT_EQ(groups[0].filters[1].rows_undecided, 250);
    EXPECT_FALSE(groups.at(1).filters.at(0).is_proven);
    // The filter's column alone is not read then.
    EXPECT_EQ(Fates(Chunk(explanation, 0, "n")), "n*");
    EXPECT_EQ(Fates(Chunk(explanation, 0, "m")), analyze ? "ddddd" : "?????");
  }
  // Of pages whose rows all pass, neither.
  request.where = *ParseExpression("n >= 10 AND n < 240");
  const Explanation explanation = Explain({file}, request, false);
  EXPECT_EQ(Fates(Chunk(explanation, 0, "n")), "?nnn?");
  EXPECT_EQ(explanation.files.at(0).row_groups.at(0).filters.at(0).rows_undecided, 100);
}

TEST(ExplainScan, TellsPayloadPagesThatSelectionSkipped) {
  const ScanFile file = FileOf(ThreeColumns(1000), "memory", FourGroups());
  const Explanation explanation = Explain({file}, Where("m = 7919 % 1000"), true);
  // m of row 1 is 919.
  EXPECT_EQ(Fates(Chunk(explanation, 0, "text")), "dssss");
  EXPECT_EQ(explanation.counters.rows_delivered, 1);
  int64_t decoded = 0;
  for (const RowGroupExplanation& group : explanation.files.at(0).row_groups) {
    for (const ChunkExplanation& chunk : group.chunks) {
      decoded += chunk.page_counts[Index(PageFate::kDecoded)];
      EXPECT_EQ(chunk.page_counts[Index(PageFate::kNotReached)], 0);
    }
  }
  EXPECT_EQ(decoded, explanation.counters.data.pages_read);
}

TEST(ExplainScan, TellsWhatALimitLeavesOut) {
  const ScanFile file = FileOf(ThreeColumns(1000), "memory", FourGroups());
  ScanRequest request = Where("m >= 0 AND m % 2 >= 0");
  request.limit = 260;
  ScanOptions options;
  options.read.batch_rows = 10;
  const Explanation explanation = Explain({file, file}, request, true, options);
  const auto& groups = explanation.files.at(0).row_groups;
  EXPECT_EQ(groups.at(0).fate, RowGroupFate::kRead);
  EXPECT_EQ(groups.at(1).fate, RowGroupFate::kCutShort);
  EXPECT_EQ(groups.at(2).fate, RowGroupFate::kNotReached);
  EXPECT_EQ(Fates(Chunk(explanation, 1, "text")), "dxxxx");
  EXPECT_EQ(Fates(Chunk(explanation, 2, "text")), "x*");
  EXPECT_EQ(explanation.counters.rows_delivered, 260);
  const ScanCounters& counters = explanation.counters;
  EXPECT_EQ(counters.rows_considered, counters.rows_delivered + counters.rows_not_reached);
  EXPECT_FALSE(explanation.files.at(1).is_reached);
}

TEST(ExplainScan, TellsDeletedRowsAndCounts) {
  ScanFile file = FileOf(ThreeColumns(1000), "memory", FourGroups());
  file.deleted = std::make_shared<const RowSelection>(*RowSelection::FromRanges({{0, 120}}));
  EXPECT_EQ(Fates(Chunk(Explain({file}, {}, true), 0, "n")), "ssddd");
  ScanRequest count;
  count.columns.emplace();
  const Explanation counted = Explain({file}, count, true);
  EXPECT_EQ(counted.files.at(0).row_groups.at(0).fate, RowGroupFate::kSettled);
  EXPECT_EQ(counted.counters.rows_delivered, 880);
  EXPECT_EQ(counted.counters.data.pages_read, 0);
}

TEST(ExplainScan, TellsFilesThatAreNotOpened) {
  ScanFile elsewhere;
  elsewhere.path = "there/is/no/such/file";
  elsewhere.constants = {{"day", Value::Of<int32_t>(DataType::Of(TypeId::kInt32), 3)}};
  ScanRequest request = Where("day > 3");
  request.schema = std::make_shared<const Schema>(
      Schema{{{"day", DataType::Of(TypeId::kInt32), true, std::nullopt}}});
  const Explanation explanation = Explain({elsewhere}, request, true);
  const FileExplanation& file = explanation.files.at(0);
  EXPECT_TRUE(file.is_pruned);
  EXPECT_EQ(file.verdict.outcome, Verdict::Outcome::kNone);
  EXPECT_EQ(file.verdict.source, EvidenceSource::kConstant);
  EXPECT_EQ(file.column, "day");
  EXPECT_EQ(explanation.counters.files_pruned, 1);

  request.where = *ParseExpression("day = 3");
  EXPECT_EQ(Explain({elsewhere}, request, true).error.code(), StatusCode::kNotFound);
  EXPECT_EQ(ExplainScan({elsewhere}, request, {}, false).status().code(), StatusCode::kNotFound);
}

TEST(ExplainScan, TellsHowFarItCameBeforeAnError) {
  const ScanFile whole = FileOf(ThreeColumns(1000), "memory", FourGroups());
  const Explanation sound = Explain({whole}, {}, true);
  const PageExplanation& page = Chunk(sound, 1, "n").pages.at(2);
  std::string damaged = BytesOf(whole);
  damaged[static_cast<size_t>(page.offset + page.bytes - 1)] ^= 1;
  ScanOptions options;
  options.read.batch_rows = 50;
  const Explanation explanation =
      Explain({MemoryFile("damaged", damaged), whole}, {}, true, options);
  EXPECT_EQ(explanation.error.code(), StatusCode::kCorruption) << explanation.error.ToString();
  const auto& groups = explanation.files.at(0).row_groups;
  EXPECT_EQ(groups.at(0).fate, RowGroupFate::kRead);
  EXPECT_EQ(groups.at(1).fate, RowGroupFate::kCutShort);
  EXPECT_EQ(Fates(Chunk(explanation, 1, "n")), "ddxxx");
  EXPECT_EQ(groups.at(2).fate, RowGroupFate::kNotReached);
  EXPECT_FALSE(explanation.files.at(1).is_reached);
  EXPECT_EQ(explanation.counters.rows_delivered, 350);
}

}  // namespace
}  // namespace sluice::support
