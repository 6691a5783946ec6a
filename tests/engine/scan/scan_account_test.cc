// What a scan says of what it did: each level for itself, bytes at five places, and rows that
// balance.

#include <gtest/gtest.h>
#include <sluice/scan.h>
#include <sluice/verify.h>

#include <string>
#include <vector>

#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

using Outcome = Verdict::Outcome;

constexpr int64_t kPayloadBytes = 40;

/// n from `first` on in pages of 10 and row groups of 100 rows, and texts.
ScanFile FileFrom(int64_t first, int64_t rows) {
  Table table = Numbers("n", first, rows);
  table.schema.fields.push_back(Named("payload", kString));
  table.columns.emplace_back();
  for (int64_t row = 0; row < rows; ++row) {
    table.columns[1].push_back(Text(std::string(kPayloadBytes, static_cast<char>('a' + row % 26))));
  }
  parquet::WriterOptions writer;
  writer.row_group_rows = 100;
  writer.page_rows = 10;
  writer.columns.dictionary = false;
  return FileOf(table, std::to_string(first), writer);
}

ScanFile Known(ScanFile file, int64_t least, int64_t greatest) {
  Evidence evidence = Evidence::Missing(EvidenceSource::kFile, Reason::kNullCountUnknown);
  evidence.type = std::make_shared<const DataType>(kInt64);
  evidence.lower = EvidenceBound{*Value::Of(kInt64, least).bytes, {}};
  evidence.upper = EvidenceBound{*Value::Of(kInt64, greatest).bytes, {}};
  file.statistics = {{"n", evidence}};
  return file;
}

/// Three files, of which one is left out by what is known of it; of one nothing is known.
std::vector<ScanFile> ThreeFiles() {
  ScanFile deleted = FileFrom(300, 300);
  deleted.deleted = RowsAt({0, 150, 151});
  return {Known(FileFrom(0, 300), 0, 299), Known(deleted, 300, 599), FileFrom(600, 100)};
}

ScanCounters CountersOf(const ScanRequest& request, const ScanOptions& options = {}) {
  const auto scan = Scan::Open(ThreeFiles(), request, options);
  EXPECT_TRUE(scan) << scan.status().ToString();
  if (!scan) return {};
  Rows(**scan);
  return (*scan)->counters();
}

int64_t AccountedRows(const ScanCounters& counters) {
  return counters.rows_pruned_by_row_group + counters.rows_pruned_by_page + counters.rows_deleted +
         counters.rows_filtered + counters.rows_rejected + counters.rows_delivered +
         counters.rows_not_reached;
}

// contract S-04, S-14, S-15, S-18, V-63: files, row groups and pages are counted apart, those that
// stay with the reason why, and what is left in rows and bytes.
TEST(ScanAccount, EveryLevelForItself) {
  const std::vector<Field> table = {Named("n", kInt64), Named("payload", kString)};
  const ScanCounters counters = CountersOf(OfTable(table, "n >= 445 AND n < 455 AND n % 5 < 3"));
  EXPECT_EQ(counters.files_considered, 3);
  EXPECT_EQ(counters.files_pruned, 1);
  EXPECT_EQ(CountersOf(OfTable(table, "n >= 445 AND n < 455")).file_verdicts,
            (ScanCounters::Verdicts{
                {{Outcome::kNone, EvidenceSource::kFile, Reason::kBounds}, 1},
                {{Outcome::kSome, EvidenceSource::kFile, Reason::kBoundsUndecided}, 1},
                {{Outcome::kSome, EvidenceSource::kNone, Reason::kNoEvidence}, 1}}));
  EXPECT_EQ(counters.row_groups_considered, 4);
  EXPECT_EQ(counters.row_groups_pruned, 3);
  EXPECT_EQ(counters.rows_considered, 400);
  EXPECT_EQ(counters.rows_pruned_by_row_group, 300);
  // Of pages of ten rows two have some of 445 to 454, and two of those rows are deleted.
  EXPECT_EQ(counters.rows_pruned_by_page, 80);
  EXPECT_EQ(counters.rows_deleted, 2);
  EXPECT_EQ(counters.rows_filtered, 10);
  EXPECT_EQ(counters.rows_delivered, 4);
  EXPECT_EQ(counters.rows_rejected, 4);
  EXPECT_EQ(AccountedRows(counters), counters.rows_considered);
  EXPECT_EQ(counters.data.pages_read, 4);
}

// contract V-50, V-136: a row that is decoded is not a row that was read: what was asked for, came
// from the file, was unpacked and delivered are four numbers, and metadata a fifth.
TEST(ScanAccount, BytesAreCountedAtFivePlaces) {
  ScanRequest request = OfTable({Named("n", kInt64), Named("payload", kString)}, "n = 605");
  const ScanCounters counters = CountersOf(request);
  EXPECT_EQ(counters.rows_delivered, 1);
  // Ten numbers are decoded for the filter, and one text out of a page of ten.
  EXPECT_EQ(counters.data.values_decoded, 11);
  EXPECT_EQ(counters.data.pages_read, 2);
  // The text is the sixth of its page, the seventh and those behind it are not unpacked.
  EXPECT_GE(counters.data.bytes_decompressed, 10 * 8 + 6 * kPayloadBytes);
  EXPECT_GT(counters.data.bytes_requested, 0);
  EXPECT_GE(counters.data.bytes_fetched, counters.data.bytes_requested);
  EXPECT_GT(counters.metadata_bytes, 0);
  // The batch holds one number and the view of one text.
  EXPECT_LT(counters.result_bytes, 1024);
  EXPECT_GT(counters.result_bytes, 0);
  ScanOptions options;
  options.use_page_index = options.use_bloom_filters = false;
  EXPECT_EQ(CountersOf(request, options).metadata_bytes, 0);
  // Without any predicate all of it is delivered, and no page left out.
  const ScanCounters all = CountersOf(OfTable({Named("n", kInt64), Named("payload", kString)}));
  EXPECT_EQ(all.rows_delivered, 697);
  EXPECT_EQ(all.data.pages_skipped, 0);
  EXPECT_GT(all.data.bytes_decompressed, 600 * kPayloadBytes);
  EXPECT_GT(all.data.bytes_requested, counters.data.bytes_requested);
  EXPECT_EQ(all.metadata_bytes, 0);
}

// contract V-95, V-97, V-100: whatever a scan ends with, its rows balance.
TEST(ScanAccount, RowsBalance) {
  const std::vector<Field> table = {Named("n", kInt64), Named("payload", kString)};
  for (const char* where : {"", "n < 0", "n >= 0", "n % 7 = 0", "n > 450 AND n % 2 = 0",
                            "n IN (1, 301, 601) OR payload = ''"}) {
    for (const int64_t limit : {int64_t{0}, int64_t{1}, int64_t{50}, INT64_MAX}) {
      for (const int32_t threads : {1, 3}) {
        ScanRequest request = OfTable(table, where);
        request.limit = limit;
        ScanOptions options;
        options.threads = threads;
        options.read.batch_rows = 30;
        const ScanCounters counters = CountersOf(request, options);
        EXPECT_EQ(AccountedRows(counters), counters.rows_considered) << where << ", " << limit;
        EXPECT_LE(counters.rows_delivered, limit);
      }
    }
  }
}

// Footers that tell the table's columns are opened before the first step.
TEST(ScanAccount, OpeningTakesTimeWhoeverNeedsTheFooter) {
  const ScanFile file = FileOf(Numbers("n", 0, 10));
  const auto scan = Scan::Open({file}, {});
  ASSERT_TRUE(scan) << scan.status().ToString();
  EXPECT_GT((*scan)->counters().open_nanoseconds, 0);
}

// contract S-13, S-17, S-22: what is left out is held against a full scan of the same files, with
// the same deleted rows.
TEST(ScanAccount, IsComparedWithAFullScan) {
  const std::vector<Field> table = {Named("n", kInt64), Named("payload", kString)};
  const auto verified = VerifyScan(ThreeFiles(), OfTable(table, "n BETWEEN 440 AND 610"));
  ASSERT_TRUE(verified) << verified.status().ToString();
  EXPECT_FALSE(verified->difference);
  EXPECT_EQ(verified->rows_compared, 169);
  EXPECT_EQ(verified->pruned.files_pruned, 1);
  EXPECT_EQ(verified->full.files_pruned, 0);
  EXPECT_EQ(verified->full.rows_considered, 700);
  // What is known of a file's bytes says nothing of others that are put in their place
  // (contract S-05 to S-07).
  std::vector<ScanFile> rewritten = ThreeFiles();
  rewritten[0].file = FileFrom(500, 300).file;
  const auto differs = VerifyScan(rewritten, OfTable(table, "n BETWEEN 440 AND 610"));
  ASSERT_TRUE(differs) << differs.status().ToString();
  ASSERT_TRUE(differs->difference);
  EXPECT_EQ(differs->difference->file, 0);
  EXPECT_EQ(differs->difference->missing, 100);
  EXPECT_EQ(differs->difference->rules, Strings{"file_statistics"});
}

}  // namespace
}  // namespace sluice::support
