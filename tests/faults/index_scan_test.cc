// Page indexes and bloom filters that are wrong or misleading, under predicates on the file: faults
// I1 to I11.

#include <gtest/gtest.h>
#include <sluice/verify.h>

#include <limits>

#include "tests/faults/claiming_files.h"
#include "tests/format/model/filters.h"
#include "tests/support/padded_buffer.h"
#include "tests/support/reference_reader.h"
#include "tests/support/scanning.h"

namespace sluice::support {
namespace {

using Positions = std::vector<int64_t>;

Positions Range(int64_t begin, int64_t end) {
  Positions positions;
  for (int64_t row = begin; row < end; ++row) positions.push_back(row);
  return positions;
}

/// ThreePages with a column index, under predicates that its pages fare differently under.
void ExpectThreePages(const IndexClaims& index, const std::optional<Claims>& claims = {}) {
  FileSpec file = ThreePages(claims);
  file.row_groups[0].chunks[0].column_index = index.Bytes();
  const std::string bytes = BuildFile(file).bytes;
  ExpectScan(bytes, {"x = 50"}, {0});
  ExpectScan(bytes, {"x = 70"}, {3});
  ExpectScan(bytes, {"x IS NULL"}, {2, 4, 5});
  ExpectScan(bytes, {"x IS NOT NULL"}, {0, 1, 3});
  ExpectScan(bytes, {"x <> 50"}, {1, 3});
  ExpectScan(bytes, {"x < 50 OR x IS NULL"}, {2, 4, 5});
}

TEST(IndexScan, I1AnHonestIndexPrunesPages) {
  FileSpec file = ThreePages();
  file.row_groups[0].chunks[0].column_index = IndexOfThreePages().Bytes();
  ExpectThreePages(IndexOfThreePages());
  const std::string bytes = BuildFile(file).bytes;
  EXPECT_EQ(ScanRows(bytes, {"x = 70"}).rows_pruned_by_page, 4);
  EXPECT_EQ(ScanRows(bytes, {"x IS NULL"}).rows_pruned_by_page, 2);
  EXPECT_EQ(ScanRows(bytes, {"x IS NOT NULL"}).rows_pruned_by_page, 2);
  EXPECT_EQ(ScanRows(bytes, {"x = 55"}).rows_pruned_by_page, 4);
}

TEST(IndexScan, I1NullPageWithoutNulls) {
  FileSpec file = ClaimingFile(
      Optional("x", PhysicalType::kInt32), 2,
      {DataPage(Encoding::kPlain, 2, PlainInt32({50, 60}), RleRuns({1, 1}, 1))}, std::nullopt);
  file.row_groups[0].chunks[0].with_offset_index = true;
  const IndexClaims index{
      .null_pages = {true}, .min_values = {""}, .max_values = {""}, .null_counts = {0}};
  file.row_groups[0].chunks[0].column_index = index.Bytes();
  const std::string bytes = BuildFile(file).bytes;
  ExpectScan(bytes, {"x = 50"}, {0});
  ExpectScan(bytes, {"x IS NULL"}, {});
  ExpectScan(bytes, {"x IS NOT NULL"}, {0, 1});
}

TEST(IndexScan, I1ContradictoryEntries) {
  const auto expect = [](auto&& change, const std::optional<Claims>& claims = {}) {
    IndexClaims index = IndexOfThreePages();
    change(index);
    ExpectThreePages(index, claims);
  };
  expect([](IndexClaims& index) { index.null_pages[0] = true; });
  expect([](IndexClaims& index) { index.null_counts[2] = 1; });
  expect([](IndexClaims& index) { index.null_counts[0] = 2; });
  expect([](IndexClaims& index) { index.null_counts[1] = -1; });
  expect([](IndexClaims& index) { index.null_counts[1] = 3; });
  expect([](IndexClaims& index) { index.nan_counts = {-1, 0, 0}; });
  expect([](IndexClaims& index) {
    index = {.null_pages = {true}, .min_values = {""}, .max_values = {""}};
  });
  expect([](IndexClaims& index) { std::swap(index.min_values[0], index.max_values[0]); });
  expect([](IndexClaims& index) { index.max_values[1] = "abc"; });
  // Of another number of nulls than the row group's.
  expect([](IndexClaims& index) { index.null_counts = {0, 2, 2}; }, Claims{.null_count = 3});
  // Bytes that are no index.
  FileSpec file = ThreePages();
  for (const std::string bytes : {"", "\x01", "\xff\xff\xff\xff\xff\xff"}) {
    file.row_groups[0].chunks[0].column_index = bytes;
    ExpectScan(BuildFile(file).bytes, {"x = 70"}, {3});
  }
}

/// Nullable INT32 in pages of four rows: 1 2 3 4 | null null 5 6 | 7 8 9 10. The offset index says
/// that they begin at these rows.
std::string FileOfFirstRows(const Positions& first_rows) {
  FileSpec file =
      ClaimingFile(Optional("x", PhysicalType::kInt32), 12,
                   {DataPage(Encoding::kPlain, 4, PlainInt32({1, 2, 3, 4}), RleRun(4, 1, 1)),
                    DataPage(Encoding::kPlain, 4, PlainInt32({5, 6}), RleRuns({0, 0, 1, 1}, 1)),
                    DataPage(Encoding::kPlain, 4, PlainInt32({7, 8, 9, 10}), RleRun(4, 1, 1))},
                   std::nullopt);
  ChunkSpec& chunk = file.row_groups[0].chunks[0];
  for (size_t page = 0; page < 3; ++page) chunk.pages[page].first_row = first_rows[page];
  chunk.with_offset_index = true;
  chunk.column_index = IndexClaims{
      .null_pages = {false, false, false},
      .min_values = {PlainInt32({1}), PlainInt32({5}), PlainInt32({7})},
      .max_values = {PlainInt32({4}), PlainInt32({6}), PlainInt32({10})},
      .null_counts = {0, 2,
                      0}}.Bytes();
  return BuildFile(file).bytes;
}

// Rows are those of the pages or there is an error; without the index they are there.
TEST(IndexScan, I3OffsetIndexThatIsOffByRows) {
  const std::vector<std::pair<std::string, Positions>> answers = {
      {"x = 2", {1}},
      {"x = 5", {6}},
      {"x = 8", {9}},
      {"x IS NULL", {4, 5}},
      {"x >= 7", Range(8, 12)},
      {"x < 5", Range(0, 4)},
      {"x + 0 >= 7 AND x > 0", Range(8, 12)}};
  int64_t num_errors = 0;
  for (const Positions& first_rows : {Positions{0, 6, 8},
                                      {0, 4, 10},
                                      {0, 2, 8},
                                      {0, 3, 9},
                                      {0, 4, 6},
                                      {1, 4, 8},
                                      {0, 4, 4},
                                      {0, 8, 4},
                                      {0, 4, 12},
                                      {0, 4, 8}}) {
    const std::string bytes = FileOfFirstRows(first_rows);
    for (const auto& [where, positions] : answers) {
      for (const ScanWay& way : WaysToScan()) {
        const ScanOptions& options = way.options;
        // Pages are held against the index where it says which of them to read.
        const bool reads_by_index = options.read.use_offset_index && !options.read.read_everything;
        const bool selects_by_index = options.use_page_index && !options.read.read_everything;
        if (selects_by_index && !reads_by_index) continue;
        const auto scanned = TryScanRows(bytes, {where}, way);
        if (scanned) {
          EXPECT_EQ(scanned->positions, positions) << where << ", " << way.name;
          continue;
        }
        ++num_errors;
        EXPECT_TRUE(reads_by_index) << way.name << ": " << scanned.error().ToString();
        EXPECT_EQ(scanned.error().code(), StatusCode::kCorruption) << scanned.error().ToString();
      }
    }
  }
  EXPECT_GT(num_errors, 0);
}

// The second page is as long as the index says, and elsewhere: of that page alone nothing tells.
// Whoever goes without the index has the rows, and to verify tells that it is at fault.
TEST(IndexScan, I3PagesOfTheRightLengthInTheWrongPlace) {
  const std::string bytes = FileOfFirstRows({0, 2, 6});
  ScanWay everything;
  everything.options.read.read_everything = true;
  ScanWay without;
  without.options.use_page_index = without.options.read.use_offset_index = false;
  for (const auto& [where, positions] :
       std::vector<std::pair<std::string, Positions>>{{"x = 5", {6}}, {"x IS NULL", {4, 5}}}) {
    for (const ScanWay& way : {AllOff(), everything, without}) {
      EXPECT_EQ(ScanRows(bytes, {where}, way).positions, positions) << where;
    }
    ScanFile file;
    file.file = MakeMemoryFile("memory", PaddedBuffer(bytes));
    ScanRequest request;
    request.where = *ParseExpression(where);
    const auto verified = VerifyScan({file}, request);
    ASSERT_TRUE(verified) << verified.status().ToString();
    ASSERT_TRUE(verified->difference) << where;
    EXPECT_EQ(verified->difference->rules.back(), "offset_index");
  }
}

/// INT64 row numbers in pages of `page_rows` rows, with both indexes.
ChunkSpec IndexedRowNumbers(int64_t num_rows, int64_t page_rows) {
  ChunkSpec chunk;
  IndexClaims index;
  for (int64_t begin = 0; begin < num_rows; begin += page_rows) {
    std::vector<int64_t> values;
    for (const int64_t row : Range(begin, std::min(begin + page_rows, num_rows))) {
      values.push_back(row);
    }
    chunk.pages.push_back(DataPage(Encoding::kPlain, std::ssize(values), PlainInt64(values)));
    chunk.pages.back().first_row = begin;
    index.null_pages.push_back(false);
    index.min_values.push_back(PlainInt64({values.front()}));
    index.max_values.push_back(PlainInt64({values.back()}));
  }
  chunk.with_offset_index = true;
  chunk.column_index = index.Bytes();
  return chunk;
}

FileSpec IndexedColumns(const std::vector<std::pair<std::string, int64_t>>& columns,
                        int64_t num_rows) {
  FileSpec file;
  file.row_groups.push_back({num_rows, {}});
  for (const auto& [name, page_rows] : columns) {
    file.schema.push_back(Required(name, PhysicalType::kInt64));
    file.row_groups[0].chunks.push_back(IndexedRowNumbers(num_rows, page_rows));
  }
  return file;
}

TEST(IndexScan, I4ColumnsOfDifferentPages) {
  FileSpec file = IndexedColumns({{"a", 100}, {"b", 64}, {"c", 37}}, 400);
  file.row_groups[0].chunks[2].with_offset_index = false;
  file.row_groups[0].chunks[2].column_index.reset();
  const std::string bytes = BuildFile(file).bytes;
  ExpectScan(bytes, {"a BETWEEN 90 AND 210 AND b BETWEEN 120 AND 200"}, Range(120, 201));
  ExpectScan(bytes, {"a >= 390 AND b + 0 >= 395"}, Range(395, 400));
  ExpectScan(bytes, {"a = 99 OR b = 128"}, {99, 128});
  ExpectScan(bytes, {"NOT (a < 300 OR b < 320)"}, Range(320, 400));
  const Scanned scanned = ScanRows(bytes, {"a BETWEEN 90 AND 210 AND b BETWEEN 120 AND 200"});
  // Pages of a: rows 0 to 299, of b: 64 to 255.
  EXPECT_EQ(scanned.rows_pruned_by_page, 400 - (256 - 64));
}

TEST(IndexScan, I5CountsAreOfTheFilter) {
  const std::string bytes = BuildFile(IndexedColumns({{"a", 10}, {"b", 7}}, 50)).bytes;
  ExpectScan(bytes, {"a BETWEEN 15 AND 32"}, Range(15, 33));
  ExpectScan(bytes, {"a BETWEEN 10 AND 19"}, Range(10, 20));
  ScanQuestion count{"a BETWEEN 10 AND 19"};
  count.columns.emplace();
  EXPECT_EQ(ScanRows(bytes, count).positions, Range(10, 20));
}

/// One column of one page, of these PLAIN values, with a bloom filter of `hashed`.
FileSpec WithBloomFilter(const ElementSpec& element, const std::vector<std::string>& values,
                         const std::vector<std::string>& hashed) {
  std::string plain;
  for (const std::string& value : values) {
    plain += element.type == PhysicalType::kByteArray ? PlainByteArray({value}) : value;
  }
  const auto count = static_cast<int64_t>(values.size());
  FileSpec file =
      ClaimingFile(element, count, {DataPage(Encoding::kPlain, count, plain)}, std::nullopt);
  file.row_groups[0].chunks[0].bloom_filter = BloomFilterBytes(hashed);
  return file;
}

/// Expects the rows, and that the bloom filter proves that `absent` is nowhere.
void ExpectByBloomFilter(const FileSpec& file, const std::string& present,
                         const Positions& positions, const std::string& absent = {}) {
  const std::string bytes = BuildFile(file).bytes;
  ExpectScan(bytes, {present}, positions);
  if (absent.empty()) return;
  ExpectScan(bytes, {absent}, {});
  EXPECT_EQ(ScanRows(bytes, {absent}).verdicts,
            (std::map<std::string, int64_t>{{"none bloom_filter membership", 1}}))
      << absent;
}

TEST(IndexScan, I6BytesAreHashedAsTheyAre) {
  const std::string blob("\xff\x00", 2);
  const FileSpec file =
      WithBloomFilter(Required("x", PhysicalType::kByteArray), {blob, "a"}, {blob, "a"});
  ExpectByBloomFilter(file, "x = X'FF00'", {0}, "x = X'FF'");
  ExpectByBloomFilter(file, "x IN (X'01', X'61')", {1}, "x IN (X'01', X'FF0000')");
}

TEST(IndexScan, I7DecimalsOfThePhysicalWidth) {
  ElementSpec fixed = Required("x", PhysicalType::kFixedLenByteArray);
  fixed.type_length = 9;
  fixed.logical_type = LogicalDecimal(19, 2);
  const std::vector<std::string> wide = {Hex("0000000000000001f4"), Hex("fffffffffffffffe0c")};
  ExpectByBloomFilter(WithBloomFilter(fixed, wide, wide), "x = 5", {0}, "x = 5.01");
  ExpectByBloomFilter(WithBloomFilter(fixed, wide, wide), "x = -5.00", {1}, "x IN (6, 7.5)");
  ElementSpec stored = Required("x", PhysicalType::kInt64);
  stored.logical_type = LogicalDecimal(4, 2);
  const FileSpec narrow = WithBloomFilter(stored, {PlainInt64({200})}, {PlainInt64({200})});
  ExpectByBloomFilter(narrow, "x = 2", {0}, "x = 4");
  ExpectByBloomFilter(narrow, "x = 2.00", {0}, "x = 2.01");
  // One number in two forms.
  ElementSpec variable = Required("x", PhysicalType::kByteArray);
  variable.logical_type = LogicalDecimal(4, 2);
  ExpectByBloomFilter(WithBloomFilter(variable, {Hex("00c8"), Hex("c8")}, {Hex("00c8"), Hex("c8")}),
                      "x = 2", {0});
}

TEST(IndexScan, I8IntegersOfThePhysicalWidth) {
  ElementSpec element = Required("x", PhysicalType::kInt32);
  element.logical_type = LogicalInteger(8, true);
  const std::vector<std::string> values = {PlainInt32({7}), PlainInt32({-7})};
  ExpectByBloomFilter(WithBloomFilter(element, values, values), "x = 7", {0}, "x = 8");
  ExpectByBloomFilter(WithBloomFilter(element, values, values), "x IN (-7, 5)", {1}, "x = -8");
  element.logical_type = LogicalInteger(16, false);
  const std::vector<std::string> large = {PlainInt32({65'535})};
  ExpectByBloomFilter(WithBloomFilter(element, large, large), "x = 65535", {0}, "x = 65534");
}

TEST(IndexScan, I9ZerosAndNans) {
  const ElementSpec element = Required("x", PhysicalType::kFloat);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float zero : {-0.0F, 0.0F}) {
    const FileSpec file = WithBloomFilter(element, {BytesOf(zero)}, {BytesOf(zero)});
    ExpectByBloomFilter(file, "x = 0", {0}, "x = 1.5");
    ExpectByBloomFilter(file, "x = -0e0", {0}, "x IN (1, 2)");
    ExpectByBloomFilter(file, "x IN (5, 0)", {0});
  }
  const std::string other_nan = BytesOf(uint32_t{0x7fc00001});
  for (const auto& [stored, hashed] : std::vector<std::pair<std::string, std::string>>{
           {other_nan, other_nan}, {BytesOf(nan), BytesOf(nan)}}) {
    ExpectByBloomFilter(WithBloomFilter(element, {stored}, {hashed}), "x = 'nan'", {0}, "x = 1");
  }
}

// Other values than those hashed, or what is computed of them, are not looked up.
TEST(IndexScan, I10ExpressionsOnTheColumn) {
  const FileSpec text =
      WithBloomFilter(AsText(Required("x", PhysicalType::kByteArray)), {"A", "b"}, {"A", "b"});
  ExpectByBloomFilter(text, "lower(x) = 'a'", {0}, "x = 'a'");
  ExpectByBloomFilter(text, "upper(x) IN ('B')", {1}, "x = 'B'");
  ExpectByBloomFilter(text, "x <> 'a'", {0, 1});
  ExpectByBloomFilter(text, "x NOT IN ('a', 'A')", {1});
  ExpectByBloomFilter(text, "x = 'B' OR length(x) = 1", {0, 1});
  const FileSpec number =
      WithBloomFilter(Required("x", PhysicalType::kInt32), {PlainInt32({7})}, {PlainInt32({7})});
  ExpectByBloomFilter(number, "x + 1 = 8", {0}, "x = 8");
  ExpectByBloomFilter(number, "CAST(x AS VARCHAR) = '7'", {0}, "x IN (8, 9) AND x > 0");
  ExpectByBloomFilter(number, "-x = -7", {0}, "NOT (x <> 8)");
}

TEST(IndexScan, I11NullsInThePlaceOfValues) {
  FileSpec file = NullAndInts({1}, std::nullopt);
  file.row_groups[0].chunks[0].bloom_filter = BloomFilterBytes({PlainInt32({1})});
  ExpectByBloomFilter(file, "coalesce(x, 0) = 0", {0}, "x = 0");
  ExpectByBloomFilter(file, "x IS NOT DISTINCT FROM 0 OR x IS NULL", {0});
  ExpectByBloomFilter(file, "x IS NOT DISTINCT FROM NULL", {0}, "x IS NOT DISTINCT FROM 0");
  ExpectByBloomFilter(file, "x IS DISTINCT FROM 0", {0, 1});
  ExpectByBloomFilter(file, "CASE WHEN x IS NULL THEN 0 ELSE x END = 0", {0});
}

// Filters that are none, or not where they should be, prove nothing.
TEST(IndexScan, BloomFiltersThatAreNone) {
  const ElementSpec element = Required("x", PhysicalType::kInt32);
  FileSpec file = WithBloomFilter(element, {PlainInt32({7})}, {PlainInt32({7})});
  ChunkSpec& chunk = file.row_groups[0].chunks[0];
  const std::string whole = *chunk.bloom_filter;
  for (const std::string& bytes :
       {std::string(), whole.substr(0, 5), std::string("\xff\xff\xff\xff", 4),
        whole.substr(0, whole.size() - 1), std::string(100, '\0')}) {
    chunk.bloom_filter = bytes;
    ExpectScan(BuildFile(file).bytes, {"x = 7"}, {0});
    ExpectScan(BuildFile(file).bytes, {"x = 8"}, {});
  }
}

}  // namespace
}  // namespace sluice::support
