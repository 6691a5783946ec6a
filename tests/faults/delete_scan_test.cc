// Rows that are deleted from files, by positions that are given: faults of group D.

#include <gtest/gtest.h>
#include <sluice/bitmap.h>

#include <numeric>

#include "tests/support/file_builder.h"
#include "tests/support/padded_buffer.h"
#include "tests/support/page_bytes.h"
#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

using Positions = std::vector<int64_t>;

ScanFile FileWithout(const Table& table, const parquet::WriterOptions& writer,
                     const Positions& deleted, std::string name = "memory") {
  ScanFile file = FileOf(table, std::move(name), writer);
  file.deleted = RowsAt(deleted);
  return file;
}

parquet::WriterOptions GroupsOf(int64_t rows) {
  parquet::WriterOptions writer;
  writer.row_group_rows = rows;
  writer.page_rows = 2;
  return writer;
}

/// Where rows with their positions are asked for.
ScanRequest Numbered(const std::string& where) {
  ScanRequest request = where.empty() ? ScanRequest() : Where(where);
  request.columns = {{{"n"}, {"file_row_number"}}};
  return request;
}

/// What there is of [begin, end) of the numbers from 0 on, but for the deleted ones.
Strings NumbersIn(int64_t begin, int64_t end, const Positions& deleted) {
  Strings rows;
  for (int64_t n = begin; n < end; ++n) {
    const bool is_there = std::find(deleted.begin(), deleted.end(), n) == deleted.end();
    if (is_there) rows.push_back(std::to_string(n) + " " + std::to_string(n));
  }
  return rows;
}

// contract L-22, L-23, S-19: a value that statistics have may be one of a deleted row.
TEST(DeleteScan, D1PositionsAreThoseBeforeAnyFilter) {
  for (const int64_t group_rows : {1, 2, 3}) {
    SCOPED_TRACE(group_rows);
    const std::vector<ScanFile> files = {
        FileWithout(Numbers("n", 4, 3), GroupsOf(group_rows), {1})};
    for (const char* where : {"", "n <> 5", "n IN (4, 6)", "n + 0 <> 5", "n % 2 = 0", "n > 3"}) {
      ExpectDelivered(files, Numbered(where), {"4 0", "6 2"});
    }
    for (const char* where : {"n > 4", "n + 0 >= 5", "file_row_number >= 1", "n <> 4"}) {
      ExpectDelivered(files, Numbered(where), {"6 2"});
    }
    for (const char* where : {"n = 5", "n + 0 = 5", "file_row_number = 1"}) {
      ExpectDelivered(files, Numbered(where), {});
    }
  }
}

TEST(DeleteScan, D2RowGroupsWithoutDeletesCount) {
  const std::vector<ScanFile> files = {FileWithout(Numbers("n", 0, 300), GroupsOf(100), {250})};
  ExpectDelivered(files, Numbered(""), NumbersIn(0, 300, {250}));
  ExpectDelivered(files, Numbered("n BETWEEN 248 AND 252"), NumbersIn(248, 253, {250}));
  ExpectDelivered(files, Numbered("n + 0 BETWEEN 48 AND 52"), NumbersIn(48, 53, {}));
  ExpectDelivered(files, Numbered("n IN (50, 150, 250)"), {"50 50", "150 150"});
  ExpectDelivered(files, Numbered("n >= 249 AND n + 1 < 252"), {"249 249"});
}

// Whoever collects positions of several sources makes a set of them: in another order, or twice,
// they are refused and not merged as if each were sorted.
TEST(DeleteScan, D4PositionsInAnyOrder) {
  for (const Positions& unsorted : {Positions{5, 3, 9}, {3, 9, 1}, {3, 3}, {-1, 3}}) {
    EXPECT_EQ(RowSelection::FromPositions(unsorted).status().code(), StatusCode::kInvalidArgument);
  }
  const std::vector<Positions> sources = {{199, 3, 9}, {}, {130, 9, 0}, {9, 64}};
  std::vector<uint64_t> words(static_cast<size_t>(BitmapWords(200)));
  for (const Positions& source : sources) {
    for (const int64_t position : source) SetBit(words.data(), position);
  }
  ScanFile file = FileOf(Numbers("n", 0, 200), "f1", GroupsOf(50));
  file.deleted = std::make_shared<const RowSelection>(RowSelection::FromBitmap(words, 200));
  const Strings left = NumbersIn(0, 200, {0, 3, 9, 64, 130, 199});
  ExpectDelivered({file}, Numbered(""), left);
  ExpectDelivered({file}, Numbered("n + 0 >= 0"), left);
  // Those of one file are no other's.
  ExpectDelivered({file, FileOf(Numbers("n", 9, 1), "f2")}, Numbered("n = 9"), {"9 0"});
}

// contract L-24
TEST(DeleteScan, D16SourcesThatOverlap) {
  Positions first(30);
  std::iota(first.begin(), first.end(), 50);
  Positions second(10);
  std::iota(second.begin(), second.end(), 90);
  second.insert(second.begin(), 50);
  const auto bitmap = [](const Positions& positions) {
    std::vector<uint64_t> words(2);
    for (const int64_t position : positions) SetBit(words.data(), position);
    return RowSelection::FromBitmap(words, 100);
  };
  Positions both = first;
  both.insert(both.end(), second.begin() + 1, second.end());
  for (const bool is_bitmap : {false, true}) {
    SCOPED_TRACE(is_bitmap);
    const RowSelection a = *RowSelection::FromPositions(first);
    const RowSelection b = is_bitmap ? bitmap(second) : *RowSelection::FromPositions(second);
    const RowSelection live = RowSelection::All(100).Without(a).Without(b);
    EXPECT_EQ(live.count(), 60);
    ScanFile file = FileOf(Numbers("n", 0, 100), "memory", GroupsOf(40));
    file.deleted = std::make_shared<const RowSelection>(RowSelection::All(100).Without(live));
    EXPECT_EQ(file.deleted->count(), 40);
    ExpectDelivered({file}, Numbered(""), NumbersIn(0, 100, both));
    ExpectDelivered({file}, Numbered("n >= 45 AND n % 5 = 0"), {"45 45", "80 80", "85 85"});
  }
}

// contract V-86: positions have 64 bits, in selections and in what a scan says of rows.
TEST(DeleteScan, D11PositionsAbove32Bits) {
  constexpr int64_t kLarge = int64_t{1} << 32;
  const RowSelection deleted = *RowSelection::FromPositions(Positions{kLarge, kLarge + 3});
  EXPECT_EQ(deleted.CountIn({0, kLarge}), 0);
  EXPECT_EQ(deleted.CountIn({kLarge, kLarge + 1}), 1);
  EXPECT_EQ(deleted.NextSelected(0), kLarge);
  EXPECT_EQ(deleted.Slice({kLarge, kLarge + 10}).NextSelected(1), 3);
  constexpr int64_t kRows = INT32_MAX;
  FileSpec spec;
  spec.schema = {Required("n", PhysicalType::kInt64)};
  const ChunkSpec sevens =
      Chunk({DictionaryPage(1, PlainInt64({7})),
             DataPage(Encoding::kRleDictionary, kRows, DictionaryIndices(0, RleRun(kRows, 0, 0)))});
  spec.row_groups.assign(3, {kRows, {sevens}});
  ScanFile file;
  file.file = MakeMemoryFile("large", PaddedBuffer(BuildFile(spec).bytes));
  file.deleted = std::make_shared<const RowSelection>(deleted);
  EXPECT_EQ(*Scan::Open({file}, {}).value()->Count(), (CountBounds{3 * kRows - 2, 3 * kRows - 2}));
  for (const int threads : {1, 2}) {
    ScanOptions options;
    options.threads = threads;
    EXPECT_EQ(
        Rows({file}, Numbered("n = 7 AND file_row_number BETWEEN 4294967294 AND 4294967300"),
             options),
        (Strings{"7 4294967294", "7 4294967295", "7 4294967297", "7 4294967298", "7 4294967300"}));
  }
}

// contract X-03: a limit and a count are of rows that are there.
TEST(DeleteScan, D12CountsAndLimitsAreOfLiveRows) {
  Positions deleted;
  Strings left;
  for (int64_t row = 0; row < 100; ++row) {
    if (row % 10 == 3) {
      left.push_back(std::to_string(row) + " " + std::to_string(row));
    } else {
      deleted.push_back(row);
    }
  }
  const std::vector<ScanFile> files = {
      FileWithout(Numbers("n", 0, 100), GroupsOf(30), deleted, "one"),
      FileWithout(Numbers("n", 0, 100), GroupsOf(30), deleted, "two")};
  const Strings of_one = left;
  left.insert(left.end(), of_one.begin(), of_one.end());
  for (const char* where : {"", "n >= 0", "n + 0 >= 0", "n % 10 = 3"}) {
    for (const int64_t limit : {0, 1, 15, 20, 50}) {
      ScanRequest request = Numbered(where);
      request.limit = limit;
      ExpectDelivered(files, request,
                      Strings(left.begin(), left.begin() + std::min<int64_t>(limit, 20)));
    }
  }
  for (const char* where : {"", "n >= 0", "n < 100 AND n IS NOT NULL"}) {
    ScanRequest request = Numbered(where);
    request.columns.emplace();
    const auto scan = Scan::Open(files, request);
    ASSERT_TRUE(scan);
    EXPECT_EQ(*(*scan)->Count(), (CountBounds{20, 20})) << where;
    EXPECT_EQ((*scan)->counters().data.pages_read, 0);
    request.limit = 7;
    EXPECT_EQ(*Scan::Open(files, request).value()->Count(), (CountBounds{7, 7})) << where;
  }
  // What is not proven is between none and the live rows.
  EXPECT_EQ(*Scan::Open(files, Numbered("n + 0 > 50")).value()->Count(), (CountBounds{0, 20}));
  EXPECT_EQ(*Scan::Open(files, Numbered("n > 29")).value()->Count(), (CountBounds{14, 14}));
}

TEST(DeleteScan, EveryRow) {
  Positions all(7);
  std::iota(all.begin(), all.end(), 0);
  const std::vector<ScanFile> files = {FileWithout(Numbers("n", 0, 7), GroupsOf(3), all),
                                       FileOf(Numbers("n", 0, 1))};
  ExpectDelivered(files, Numbered(""), {"0 0"});
  ExpectDelivered(files, Numbered("10 % (n + 1) = 0"), {"0 0"});
  const auto scan = Scan::Open({files[0]}, Numbered("n >= 0"));
  ASSERT_TRUE(scan);
  EXPECT_EQ(*(*scan)->Count(), CountBounds());
  EXPECT_EQ(Rows(**scan), Strings());
  EXPECT_EQ((*scan)->counters().rows_deleted, 7);
  EXPECT_EQ((*scan)->counters().data.pages_read, 0);
}

}  // namespace
}  // namespace sluice::support
