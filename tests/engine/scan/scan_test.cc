#include <gtest/gtest.h>
#include <sluice/scan.h>

#include <string>
#include <vector>

#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

Result<std::unique_ptr<Scan>> OpenScan(const ScanFile& file, ScanRequest request,
                                       ScanOptions options = {}) {
  return Scan::Open({file}, std::move(request), std::move(options));
}

/// The rows of a column of strings that a scan delivers.
std::vector<std::string> Texts(Scan& scan, size_t column) {
  std::vector<std::string> texts;
  for (;;) {
    const auto batch = scan.Next();
    EXPECT_TRUE(batch) << batch.status().ToString();
    if (!batch || !*batch) return texts;
    for (const Cell& cell : CellsOf((*batch)->batch.columns[column])) texts.push_back(cell.bytes);
  }
}

/// Eleven nations with their regions.
Table Nations() {
  const std::vector<std::string> names = {"ALGERIA", "ARGENTINA", "BRAZIL", "CANADA",
                                          "EGYPT",   "ETHIOPIA",  "FRANCE", "GERMANY",
                                          "INDIA",   "INDONESIA", "IRAN"};
  const std::vector<int64_t> regions = {0, 1, 1, 1, 4, 0, 3, 3, 2, 2, 4};
  Table table;
  table.num_rows = 11;
  table.schema.fields = {{"nationkey", DataType::Of(TypeId::kInt64), true, std::nullopt},
                         {"regionkey", DataType::Of(TypeId::kInt64), true, std::nullopt},
                         {"name", DataType::Of(TypeId::kString), true, std::nullopt}};
  table.columns.resize(3);
  for (size_t row = 0; row < 11; ++row) {
    table.columns[0].push_back(Fixed(static_cast<int64_t>(row)));
    table.columns[1].push_back(Fixed(regions[row]));
    table.columns[2].push_back(Text(names[row]));
  }
  return table;
}

// contract V-48
TEST(Scan, FiltersThenTheRestThenThePayload) {
  ScanRequest request = Where("nationkey BETWEEN 0 AND 3 AND nationkey + regionkey >= 4");
  request.columns = {{{"name"}}};
  const auto scan = OpenScan(FileOf(Nations()), request);
  ASSERT_TRUE(scan) << scan.status().ToString();
  EXPECT_EQ(Texts(**scan, 0), std::vector<std::string>{"CANADA"});
  const ScanCounters& counters = (*scan)->counters();
  EXPECT_EQ(counters.rows_considered, 11);
  EXPECT_EQ(counters.rows_considered - counters.rows_filtered, 4);
  EXPECT_EQ(counters.rows_rejected, 3);
  EXPECT_EQ(counters.rows_delivered, 1);
}

// contract V-96
TEST(Scan, CountsRowsWithoutColumns) {
  ScanRequest request = Where("regionkey = 1");
  request.columns.emplace();
  const auto scan = OpenScan(FileOf(Nations()), request);
  ASSERT_TRUE(scan) << scan.status().ToString();
  const auto batch = (*scan)->Next();
  ASSERT_TRUE(batch && *batch);
  EXPECT_EQ((*batch)->batch.num_rows, 3);
  EXPECT_TRUE((*batch)->batch.columns.empty());
  EXPECT_EQ((*batch)->rows, (RowRange{1, 4}));
}

TEST(Scan, LeavesOutRowGroupsAndPages) {
  Table table;
  table.num_rows = 1000;
  table.schema.fields = {{"n", DataType::Of(TypeId::kInt64), true, std::nullopt},
                         {"text", DataType::Of(TypeId::kString), true, std::nullopt}};
  table.columns.resize(2);
  for (int64_t row = 0; row < table.num_rows; ++row) {
    table.columns[0].push_back(Fixed(row));
    table.columns[1].push_back(Text("row " + std::to_string(row)));
  }
  parquet::WriterOptions options;
  options.row_group_rows = 250;
  options.page_rows = 50;
  const auto file = FileOf(table, "memory", options);
  const auto scan = OpenScan(file, Where("n >= 480 AND n < 510"));
  ASSERT_TRUE(scan) << scan.status().ToString();
  EXPECT_EQ(Texts(**scan, 1).size(), 30U);
  const ScanCounters& counters = (*scan)->counters();
  EXPECT_EQ(counters.row_groups_considered, 4);
  EXPECT_EQ(counters.row_groups_pruned, 2);
  EXPECT_EQ(counters.rows_pruned_by_page, 400);
  EXPECT_EQ(counters.rows_filtered, 70);
  const auto none =
      std::make_tuple(Verdict::Outcome::kNone, EvidenceSource::kRowGroup, Reason::kBounds);
  EXPECT_EQ(counters.row_group_verdicts.at(none), 2);

  // A row group that passes whole is read without a filter.
  const auto whole = OpenScan(file, Where("n < 250"));
  ASSERT_TRUE(whole);
  EXPECT_EQ(Texts(**whole, 1).size(), 250U);
  EXPECT_EQ((*whole)->counters().row_groups_proven, 1);
  EXPECT_EQ((*whole)->counters().row_groups_pruned, 3);
}

TEST(Scan, ReadsNoPayloadOfRowsThatDoNotPass) {
  Table table;
  table.num_rows = 1000;
  table.schema.fields = {{"n", DataType::Of(TypeId::kInt64), true, std::nullopt},
                         {"payload", DataType::Of(TypeId::kDouble), true, std::nullopt}};
  table.columns.resize(2);
  for (int64_t row = 0; row < table.num_rows; ++row) {
    table.columns[0].push_back(Fixed(row * 7919 % 1000));
    table.columns[1].push_back(Fixed(static_cast<double>(row)));
  }
  parquet::WriterOptions options;
  options.page_rows = 10;
  options.columns.dictionary = false;
  ScanRequest request = Where("n + 0 = 5");
  request.columns = {{{"payload"}}};
  const auto file = FileOf(table, "memory", options);
  const auto values_decoded = [&](bool late) {
    ScanOptions scan_options;
    scan_options.late_materialization = late;
    const auto scan = OpenScan(file, request, scan_options);
    EXPECT_TRUE(scan);
    while (true) {
      const auto batch = (*scan)->Next();
      EXPECT_TRUE(batch);
      if (!batch || !*batch) break;
    }
    EXPECT_EQ((*scan)->counters().rows_delivered, 1);
    return (*scan)->counters().data.values_decoded;
  };
  EXPECT_EQ(values_decoded(true), 1001);
  EXPECT_EQ(values_decoded(false), 2000);
}

TEST(Scan, SaysWhatIsWrong) {
  const auto file = FileOf(Nations());
  const auto code = [&](const ScanRequest& request) {
    return OpenScan(file, request).status().code();
  };
  EXPECT_EQ(code(Where("no_column = 1")), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(Where("nationkey")), StatusCode::kInvalidArgument);
  ScanRequest missing;
  missing.columns = {{{"no_column"}}};
  EXPECT_EQ(code(missing), StatusCode::kInvalidArgument);
  ScanRequest negative;
  negative.limit = -1;
  EXPECT_EQ(code(negative), StatusCode::kInvalidArgument);

  const auto scan = OpenScan(file, Where("nationkey + 9223372036854775800 > 0"));
  ASSERT_TRUE(scan);
  // The rows before the one that fails come first, however rows are cut into batches.
  const auto before = (*scan)->Next();
  ASSERT_TRUE(before && *before);
  EXPECT_EQ((*before)->batch.num_rows, 8);
  const auto failed = (*scan)->Next();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.status().code(), StatusCode::kRowError);
  EXPECT_NE(failed.status().ToString().find("row group 0: row 8"), std::string::npos)
      << failed.status().ToString();
  EXPECT_EQ((*scan)->Next().status().ToString(), failed.status().ToString());
}

TEST(Scan, AnswersALimitBeforeARowThatFails) {
  const auto file = FileOf(Nations());
  for (const int64_t batch_rows : {1, 3, 8, 100}) {
    SCOPED_TRACE(batch_rows);
    ScanRequest request = Where("nationkey + 9223372036854775800 > 0");
    request.limit = 8;
    ScanOptions options;
    options.read.batch_rows = batch_rows;
    const auto scan = OpenScan(file, request, options);
    ASSERT_TRUE(scan);
    EXPECT_EQ(Texts(**scan, 2).size(), 8U);
  }
}

TEST(Scan, CountsRowsThatAllPassWithoutReadingThem) {
  ScanRequest request = Where("nationkey >= 0");
  request.columns.emplace();
  const auto scan = OpenScan(FileOf(Nations()), request);
  ASSERT_TRUE(scan);
  const auto batch = (*scan)->Next();
  ASSERT_TRUE(batch && *batch);
  EXPECT_EQ((*batch)->batch.num_rows, 11);
  const auto end = (*scan)->Next();
  EXPECT_TRUE(end && !*end);
  EXPECT_EQ((*scan)->counters().data.pages_read, 0);
}

}  // namespace
}  // namespace sluice::support
