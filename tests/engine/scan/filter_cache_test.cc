// Filters that are made ready once for all row groups of a scan.

#include "engine/scan/filter_cache.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/scan/file_queue.h"
#include "engine/scan/unit_scan.h"
#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

using engine::FilterCache;

ColumnFilter SetOf(const DataType& type, std::vector<std::string> values) {
  ColumnFilter filter;
  filter.type = type;
  filter.kind = ColumnFilter::Kind::kSet;
  filter.set = std::make_shared<const std::vector<std::string>>(std::move(values));
  return filter;
}

std::vector<std::string> Words(int count) {
  std::vector<std::string> words;
  for (int i = 0; i < count; ++i) words.push_back("word " + std::to_string(1'000'000 + i));
  return words;
}

TEST(FilterCache, GivesTheSameForTheSame) {
  FilterCache cache(BufferPool::Make());
  const auto first = cache.Get(SetOf(kString, {"a", "b"}));
  ASSERT_TRUE(first) << first.status().ToString();
  EXPECT_EQ(*cache.Get(SetOf(kString, {"a", "b"})), *first);
  EXPECT_EQ(cache.size(), 1U);
  ColumnFilter with_null = SetOf(kString, {"a", "b"});
  with_null.null_passes = true;
  ColumnFilter negated = SetOf(kString, {"a", "b"});
  negated.negated = true;
  ColumnFilter range;
  range.type = kString;
  range.kind = ColumnFilter::Kind::kRanges;
  range.ranges = {{ValueBound{"a", true}, {}}};
  ColumnFilter open_range = range;
  open_range.ranges[0].lower->inclusive = false;
  for (const ColumnFilter& other :
       {SetOf(kString, {"a", "c"}), SetOf(DataType::Of(TypeId::kBinary), {"a", "b"}), with_null,
        negated, range, open_range}) {
    const auto made = cache.Get(other);
    ASSERT_TRUE(made) << made.status().ToString();
    EXPECT_NE(*made, *first) << other.ToString();
  }
  EXPECT_EQ(cache.size(), 7U);
  EXPECT_FALSE(cache.Get(SetOf(kString, {"b", "a"})));
}

// Law 8
TEST(FilterCache, CountsAndGivesWayInTheBudget) {
  const auto unlimited = BufferPool::Make();
  FilterCache measured(unlimited);
  ASSERT_TRUE(measured.Get(SetOf(kString, Words(1000))));
  const int64_t bytes = unlimited->peak_bytes();
  EXPECT_GT(bytes, 1000);
  const auto pool = BufferPool::Make(bytes + bytes / 2);
  FilterCache cache(pool);
  ASSERT_TRUE(cache.Get(SetOf(kString, Words(1000))));
  // What was made before makes room,
  ASSERT_TRUE(cache.Get(SetOf(kString, Words(1001))));
  EXPECT_EQ(cache.size(), 1U);
  // unless it is in use.
  const auto held = cache.Get(SetOf(kString, Words(1001)));
  EXPECT_EQ(cache.Get(SetOf(kString, Words(1002))).status().code(), StatusCode::kResourceExhausted);
  EXPECT_LE(pool->peak_bytes(), bytes + bytes / 2);
}

TEST(FilterCache, KeepsNoMoreThanAScanCanUse) {
  FilterCache cache(BufferPool::Make());
  for (int i = 1; i < 200; ++i) ASSERT_TRUE(cache.Get(SetOf(kString, Words(i))));
  EXPECT_EQ(cache.size(), 64U);
}

TEST(FilterCache, ServesAllRowGroupsAndFilesOfAScan) {
  parquet::WriterOptions writer;
  writer.row_group_rows = 10;
  Table narrow = Numbers("n", 0, 2);
  narrow.schema.fields[0].type = kInt32;
  narrow.columns[0] = {Fixed(int32_t{7}), Fixed(int32_t{8})};
  const std::vector<ScanFile> files{FileOf(Numbers("n", 0, 50), "one", writer),
                                    FileOf(Numbers("n", 0, 50), "two", writer),
                                    FileOf(narrow, "narrow", writer)};
  ScanRequest request = Where("n > 6 AND n < 48");
  ScanOptions options;
  options.use_statistics = options.use_page_index = false;
  options.read.pool = BufferPool::Make();
  auto plan = engine::MakeScanPlan(std::make_shared<const Schema>(Schema{{Named("n", kInt64)}}),
                                   request, options);
  ASSERT_TRUE(plan) << plan.status().ToString();
  engine::FileQueue queue(*plan, files, {});
  engine::ScanFeedback feedback;
  int64_t rows = 0;
  std::vector<size_t> sizes;
  while (const auto place = *queue.Next()) {
    engine::UnitScan unit(*engine::JudgeUnit(place->file, place->row_group), &feedback);
    ScanOutcome outcome = ScanOutcome::kNoRows;
    while (outcome != ScanOutcome::kDone) {
      ScanBatch batch;
      const auto step = unit.Step(INT64_MAX, &batch);
      ASSERT_TRUE(step) << step.status().ToString();
      outcome = *step;
      rows += batch.batch.num_rows;
    }
    sizes.push_back((*plan)->filters->size());
  }
  EXPECT_EQ(rows, 2 * 41 + 2);
  // One of 64 bits for ten row groups, and one of 32.
  EXPECT_EQ(sizes, (std::vector<size_t>{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}));
}

}  // namespace
}  // namespace sluice::support
