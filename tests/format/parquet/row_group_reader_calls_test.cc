// What a row group is read for besides its rows: what is counted and told, which calls are refused,
// and what options ask for.

#include <gtest/gtest.h>
#include <sluice/parquet/reader.h>

#include <atomic>
#include <string>
#include <vector>

#include "tests/support/file_reading.h"
#include "tests/support/padded_buffer.h"
#include "tests/support/three_columns.h"

namespace sluice {
namespace {

using namespace parquet;  // NOLINT: the tests are about nothing else.
namespace s = support;

constexpr int64_t kRows = s::kThreeColumnsRows;

TEST(RowGroupReaderCalls, SkipsPagesWithoutWantedRows) {
  const s::BuiltFile file = s::ThreeColumns(true, 50, true);
  ReadOptions options;
  const auto reader = s::OpenBytes(file.bytes, options).value();
  auto cursor =
      reader->RowGroup(0, Projection::All(reader->tree()), *RowSelection::FromRanges({{500, 501}}));
  ASSERT_TRUE(cursor);
  auto batch = (*cursor)->Next();
  ASSERT_TRUE(batch) << batch.status().ToString();
  ASSERT_TRUE(batch->has_value());
  EXPECT_EQ((*batch)->rows, (RowRange{500, 501}));
  EXPECT_EQ((*cursor)->counters().pages_read, 3);
  EXPECT_EQ((*cursor)->counters().pages_verified, 3);
  EXPECT_LT((*cursor)->counters().bytes_requested, static_cast<int64_t>(file.bytes.size()) / 3);
}

/// The pages that it is told of, by leaf and fate.
class Watcher : public PageObserver {
 public:
  void OnDataPage(int32_t row_group, int32_t leaf, int64_t offset, RowRange rows,
                  Fate fate) override {
    EXPECT_EQ(row_group, 0);
    EXPECT_NE(fate, Fate::kExcluded);
    EXPECT_TRUE(leaf > 0 || rows.size() == 50);
    (fate == Fate::kOpened ? opened : skipped)[static_cast<size_t>(leaf)].push_back(offset);
  }
  void OnDictionaryExclusion(int32_t, int32_t, int64_t) override { FAIL() << "there is no filter"; }
  static int64_t Count(const std::vector<std::vector<int64_t>>& pages) {
    int64_t count = 0;
    for (const auto& leaf : pages) count += std::ssize(leaf);
    return count;
  }

  std::vector<std::vector<int64_t>> opened{3};
  std::vector<std::vector<int64_t>> skipped{3};
};

TEST(RowGroupReaderCalls, TellsWhatBecomesOfPages) {
  for (const bool with_offset_index : {false, true}) {
    SCOPED_TRACE(with_offset_index);
    const s::BuiltFile file = s::ThreeColumns(false, 50, with_offset_index);
    Watcher watcher;
    ReadOptions options;
    options.page_observer = &watcher;
    const auto reader = s::OpenBytes(file.bytes, options).value();
    auto cursor = reader->RowGroup(0, Projection::All(reader->tree()),
                                   *RowSelection::FromRanges({{500, 501}}));
    ASSERT_TRUE(cursor);
    ASSERT_TRUE(*(*cursor)->Next());
    ASSERT_FALSE(*(*cursor)->Next());
    EXPECT_EQ(Watcher::Count(watcher.opened), (*cursor)->counters().pages_read);
    EXPECT_EQ(Watcher::Count(watcher.skipped), (*cursor)->counters().pages_skipped);
    const auto& places = file.pages[0];
    // The second column has its dictionary in front.
    EXPECT_EQ(watcher.opened[0], std::vector<int64_t>{places[0][10].offset});
    EXPECT_EQ(watcher.opened[1], std::vector<int64_t>{places[1][11].offset});
    EXPECT_EQ(watcher.skipped[0].size(), 10u);
    EXPECT_EQ(watcher.skipped[0].back(), places[0][9].offset);
    // Which rows a page of lists has without an index is known by its levels only.
    EXPECT_EQ(watcher.opened[2].size(), with_offset_index ? 1u : 11u);
    EXPECT_EQ(watcher.opened[2].back(), places[2][10].offset);
  }
}

TEST(RowGroupReaderCalls, ProjectsByPathInTheOrderAsked) {
  const s::BuiltFile file = s::ThreeColumns(false, 100, false);
  const auto reader = s::OpenBytes(file.bytes).value();
  auto projection = Projection::Of(reader->tree(), {{"list"}, {"id"}});
  ASSERT_TRUE(projection);
  ASSERT_EQ(projection->schema()->fields.size(), 2u);
  EXPECT_EQ(projection->schema()->fields[0].name, "list");
  s::Reading reading;
  reading.paths = {{"list"}, {"id"}};
  const auto rows = s::ReadRows(file.bytes, reading);
  ASSERT_TRUE(rows) << rows.status().ToString();
  EXPECT_EQ((*rows)[5], "[[5,6],15]");
  EXPECT_EQ(Projection::Of(reader->tree(), {{"ID"}}).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(Projection::Of(reader->tree(), {{"id", "x"}}).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(Projection::Of(reader->tree(), {{}}).status().code(), StatusCode::kInvalidArgument);
}

TEST(RowGroupReaderCalls, CountsRowsWithoutColumns) {
  const s::BuiltFile file = s::ThreeColumns(false, 100, false);
  const auto reader = s::OpenBytes(file.bytes).value();
  auto cursor = reader->RowGroup(0, Projection::None(reader->tree()));
  ASSERT_TRUE(cursor);
  const auto rows = s::ReadOn(
      **cursor, [](const RowGroupBatch& read) { EXPECT_TRUE(read.batch.columns.empty()); });
  ASSERT_TRUE(rows) << rows.status().ToString();
  EXPECT_EQ(*rows, kRows);
  EXPECT_EQ((*cursor)->counters().bytes_requested, 0);
}

TEST(RowGroupReaderCalls, RefusesCallsThatCannotBeRight) {
  const s::BuiltFile file = s::ThreeColumns(false, 100, false);
  const auto reader = s::OpenBytes(file.bytes).value();
  const Projection all = Projection::All(reader->tree());
  EXPECT_EQ(reader->RowGroup(1, all).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(reader->RowGroup(-1, all).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(reader->RowGroup(0, all, RowSelection::All(kRows + 1)).status().code(),
            StatusCode::kInvalidArgument);
  auto machine =
      RowGroupReader::Make(reader->metadata(), all, 0, RowSelection::All(kRows), ReadOptions());
  ASSERT_TRUE(machine);
  EXPECT_EQ((*machine)->Provide({0, 4}, s::PaddedBuffer("abcd")).code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ((*machine)->Provide({0, 8}, s::PaddedBuffer("abcd")).code(),
            StatusCode::kInvalidArgument);
  ReadOptions options;
  options.batch_rows = 0;
  EXPECT_EQ(RowGroupReader::Make(reader->metadata(), all, 0, RowSelection::All(1), options)
                .status()
                .code(),
            StatusCode::kInvalidArgument);
}

TEST(RowGroupReaderCalls, StopsWhenTheHostCancels) {
  const s::BuiltFile file = s::ThreeColumns(false, 10, false);
  std::atomic<bool> cancelled{false};
  ReadOptions options;
  options.cancelled = &cancelled;
  options.batch_rows = 10;
  const auto reader = s::OpenBytes(file.bytes, options).value();
  auto cursor = reader->RowGroup(0, Projection::All(reader->tree()));
  ASSERT_TRUE(cursor);
  ASSERT_TRUE((*cursor)->Next());
  cancelled = true;
  EXPECT_EQ((*cursor)->Next().status().code(), StatusCode::kCancelled);
}

TEST(RowGroupReaderCalls, KeepsDictionariesWhileEveryPageHasCodes) {
  const s::BuiltFile file = s::ThreeColumns(false, 100, false);
  ReadOptions options;
  options.deliver_dictionaries = true;
  options.batch_rows = 250;
  const auto reader = s::OpenBytes(file.bytes, options).value();
  auto projection = Projection::Of(reader->tree(), {{"name"}});
  ASSERT_TRUE(projection);
  auto cursor = reader->RowGroup(0, *projection);
  ASSERT_TRUE(cursor);
  std::vector<ColumnForm> forms;
  const auto rows = s::ReadOn(
      **cursor, [&](const RowGroupBatch& read) { forms.push_back(read.batch.columns[0].form); });
  ASSERT_TRUE(rows) << rows.status().ToString();
  EXPECT_EQ(forms, (std::vector<ColumnForm>{ColumnForm::kDictionary, ColumnForm::kDictionary,
                                            ColumnForm::kView, ColumnForm::kView}));
}

TEST(RowGroupReaderCalls, KeepsWithinItsBudgetOrSaysSo) {
  const s::BuiltFile file = s::ThreeColumns(false, 100, false);
  ReadOptions options;
  options.pool = BufferPool::Make(20'000);
  auto reader = s::OpenBytes(file.bytes, options);
  ASSERT_TRUE(reader) << reader.status().ToString();
  auto cursor = (*reader)->RowGroup(0, Projection::All((*reader)->tree()));
  ASSERT_TRUE(cursor);
  EXPECT_EQ((*cursor)->Next().status().code(), StatusCode::kResourceExhausted);
  EXPECT_LE(options.pool->peak_bytes(), 20'000);
}

}  // namespace
}  // namespace sluice
