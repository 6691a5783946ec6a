// What is pruned, what is not, and what is said of it: faults S3 and S24, and the contracts of
// pruning.

#include <gtest/gtest.h>

#include <limits>

#include "tests/faults/claiming_files.h"
#include "tests/format/model/filters.h"
#include "tests/support/scanning.h"

namespace sluice::support {
namespace {

using Positions = std::vector<int64_t>;

/// A row group of INT64s, with honest statistics or none.
struct GroupOfValues {
  std::vector<int64_t> values;
  bool has_statistics = true;
};

FileSpec FileOfGroups(const ElementSpec& element, const std::vector<GroupOfValues>& groups) {
  FileSpec file;
  file.schema = {element};
  for (const GroupOfValues& group : groups) {
    const auto count = std::ssize(group.values);
    const bool is_wide = element.type == PhysicalType::kInt64;
    const auto bytes = [&](const std::vector<int64_t>& values) {
      return is_wide ? PlainInt64(values) : PlainInt32(values);
    };
    ChunkSpec chunk = Chunk({DataPage(Encoding::kPlain, count, bytes(group.values))});
    const auto [least, greatest] = std::minmax_element(group.values.begin(), group.values.end());
    if (group.has_statistics) {
      chunk.statistics =
          Claims{.min_value = bytes({*least}), .max_value = bytes({*greatest}), .null_count = 0}
              .Bytes();
    }
    file.row_groups.push_back({count, {chunk}});
  }
  file.extra_fields.push_back(ColumnOrders(1));
  return file;
}

std::string Prices(const std::vector<GroupOfValues>& groups) {
  return BuildFile(FileOfGroups(Required("price", PhysicalType::kInt64), groups)).bytes;
}

using Verdicts = std::map<std::string, int64_t>;

// contract L-12, L-05, X-01: skip, must scan, all match.
TEST(PruningScan, ThreeOutcomes) {
  const std::string file = Prices({{{10, 30, 50}}, {{80, 90, 300}}, {{150, 500, 160}}});
  ExpectScan(file, {"price > 100"}, {5, 6, 7, 8});
  const Scanned scanned = ScanRows(file, {"price > 100"});
  EXPECT_EQ(scanned.verdicts, (Verdicts{{"none row_group bounds", 1},
                                        {"some row_group bounds_undecided", 1},
                                        {"all row_group bounds", 1}}));
  EXPECT_EQ(scanned.row_groups_pruned, 1);
  EXPECT_EQ(scanned.row_groups_proven, 1);
}

// contract L-06 to L-11: of a group that holds [min, max], and of one of a single value.
TEST(PruningScan, EveryOperatorAtTheBounds) {
  const std::string range = Prices({{{20, 30, 40}}});
  const std::string single = Prices({{{30, 30}}});
  const auto outcome = [](const std::string& file, const std::string& where) {
    const Scanned scanned = ScanRows(file, {where});
    const Scanned unpruned = ScanRows(file, {where}, AllOff());
    EXPECT_EQ(scanned.positions, unpruned.positions) << where;
    return scanned.verdicts.begin()->first.substr(0, 4);
  };
  struct Case {
    std::string where;
    std::string of_range;
    std::string of_single;
  };
  for (const Case& one :
       std::vector<Case>{{"price = 19", "none", "none"},  {"price = 20", "some", "none"},
                         {"price = 30", "some", "all "},  {"price = 41", "none", "none"},
                         {"price <> 19", "all ", "all "}, {"price <> 30", "some", "none"},
                         {"price > 40", "none", "none"},  {"price > 39", "some", "none"},
                         {"price > 19", "all ", "all "},  {"price > 20", "some", "all "},
                         {"price >= 41", "none", "none"}, {"price >= 40", "some", "none"},
                         {"price >= 20", "all ", "all "}, {"price < 20", "none", "none"},
                         {"price < 21", "some", "none"},  {"price < 41", "all ", "all "},
                         {"price < 40", "some", "all "},  {"price <= 19", "none", "none"},
                         {"price <= 20", "some", "none"}, {"price <= 40", "all ", "all "},
                         {"price <= 39", "some", "all "}}) {
    EXPECT_EQ(outcome(range, one.where), one.of_range) << one.where;
    EXPECT_EQ(outcome(single, one.where), one.of_single) << one.where;
  }
}

// contract S-23, S-01, S-02, S-18, S-25: what has no statistics stays, and why is said.
TEST(PruningScan, WithoutStatisticsRowsAreScanned) {
  const std::string file = Prices({{{41, 53}}, {{71, 91}}, {{47, 5}, false}});
  ExpectScan(file, {"price = 47"}, {4});
  EXPECT_EQ(ScanRows(file, {"price = 47"}).verdicts,
            (Verdicts{{"some row_group bounds_undecided", 1},
                      {"none row_group bounds", 1},
                      {"some row_group no_statistics", 1}}));
  // [40, 60] stays a candidate for 47 although 47 is not there.
  const std::string without = Prices({{{40, 60}}});
  ExpectScan(without, {"price = 47"}, {});
  EXPECT_EQ(ScanRows(without, {"price = 47"}).row_groups_pruned, 0);
}

// contract S-12, L-17: a cast that is not proven to keep the order prunes nothing.
TEST(PruningScan, CastsOfTheColumn) {
  const std::string file = Prices({{{9, 10}}, {{100, 200}}});
  ExpectScan(file, {"CAST(price AS VARCHAR) < '10'"}, {});
  ExpectScan(file, {"CAST(price AS VARCHAR) > '5'"}, {0});
  EXPECT_EQ(ScanRows(file, {"CAST(price AS VARCHAR) > '5'"}).row_groups_pruned, 0);
  // One that keeps it prunes as the column itself.
  ExpectScan(file, {"CAST(price AS DOUBLE) > 50"}, {2, 3});
  ExpectScan(file, {"price = 1e2"}, {2});
  EXPECT_EQ(ScanRows(file, {"price > 50.5"}).row_groups_pruned, 1);
}

/// Two columns of three groups: a in tens, b without statistics in the second.
std::string TwoColumns() {
  FileSpec file =
      FileOfGroups(Required("a", PhysicalType::kInt64), {{{1, 9}}, {{11, 19}}, {{21, 29}}});
  const FileSpec other =
      FileOfGroups(Required("b", PhysicalType::kInt64), {{{5, 6}}, {{5, 7}, false}, {{50, 60}}});
  file.schema.push_back(other.schema[0]);
  for (size_t i = 0; i < 3; ++i) {
    file.row_groups[i].chunks.push_back(other.row_groups[i].chunks[0]);
  }
  file.extra_fields = {ColumnOrders(2)};
  return BuildFile(file).bytes;
}

// contract L-13 to L-15: one proof is enough for AND, and what is unknown proves nothing.
TEST(PruningScan, ConjunctionsAndTheUnknown) {
  const std::string file = TwoColumns();
  ExpectScan(file, {"a > 5 AND b < 7"}, {1, 2});
  EXPECT_EQ(ScanRows(file, {"a > 5 AND b < 7"}).row_groups_pruned, 1);
  EXPECT_EQ(ScanRows(file, {"b = 100"}).row_groups_pruned, 2);
  EXPECT_EQ(ScanRows(file, {"a > 10 AND b = 100"}).row_groups_pruned, 2);
  EXPECT_EQ(ScanRows(file, {"a > 20 AND b = 100"}).row_groups_pruned, 3);
  ExpectScan(file, {"a + b > 25 OR a = 1"}, {0, 3, 4, 5});
  EXPECT_EQ(ScanRows(file, {"a + b > 25 OR a = 1"}).row_groups_pruned, 0);
  ExpectScan(file, {""}, {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(ScanRows(file, {""}).row_groups_pruned, 0);
  EXPECT_EQ(ScanRows(file, {""}).verdicts, (Verdicts{{"all none predicate", 3}}));
}

// contract S-04, X-02: levels are asked in order, the cheap ones first, and counted apart.
TEST(PruningScan, LevelsAreAskedInOrder) {
  FileSpec file = ClaimingFile(
      Required("x", PhysicalType::kInt64), 4,
      {DataPage(Encoding::kPlain, 2, PlainInt64({1, 3})),
       DataPage(Encoding::kPlain, 2, PlainInt64({5, 9}))},
      Claims{.min_value = PlainInt64({1}), .max_value = PlainInt64({9}), .null_count = 0});
  ChunkSpec& chunk = file.row_groups[0].chunks[0];
  chunk.pages[1].first_row = 2;
  chunk.with_offset_index = true;
  chunk.column_index = IndexClaims{.null_pages = {false, false},
                                   .min_values = {PlainInt64({1}), PlainInt64({5})},
                                   .max_values = {PlainInt64({3}), PlainInt64({9})}}
                           .Bytes();
  chunk.bloom_filter =
      BloomFilterBytes({PlainInt64({1}), PlainInt64({3}), PlainInt64({5}), PlainInt64({9})});
  const std::string bytes = BuildFile(file).bytes;
  const Scanned by_statistics = ScanRows(bytes, {"x = 10"});
  EXPECT_EQ(by_statistics.verdicts, (Verdicts{{"none row_group bounds", 1}}));
  EXPECT_EQ(by_statistics.metadata_bytes, 0);
  EXPECT_EQ(by_statistics.rows_pruned_by_row_group, 4);
  const Scanned by_bloom_filter = ScanRows(bytes, {"x = 4"});
  EXPECT_EQ(by_bloom_filter.verdicts, (Verdicts{{"none bloom_filter membership", 1}}));
  EXPECT_GT(by_bloom_filter.metadata_bytes, 0);
  EXPECT_EQ(by_bloom_filter.bytes_requested, 0);
  const Scanned by_page = ScanRows(bytes, {"x > 4 AND x <> 9"});
  EXPECT_EQ(by_page.rows_pruned_by_page, 2);
  EXPECT_EQ(by_page.rows_filtered, 1);
  EXPECT_EQ(by_page.pages_read, 1);
  ExpectScan(bytes, {"x > 4 AND x <> 9"}, {2});
  // Neither index nor bloom filter is read where every row is known to pass.
  EXPECT_EQ(ScanRows(bytes, {"x >= 1"}).metadata_bytes, 0);
}

// What a writer does not say of NaN is not known, of row groups and of pages.
TEST(PruningScan, S3UnknownNans) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string one = BytesOf(1.0);
  const std::string two = BytesOf(2.0);
  FileSpec file = Doubles({nan, 1, 2}, Claims{.min_value = one, .max_value = two, .null_count = 0});
  ExpectScan(BuildFile(file).bytes, {"x > 100"}, {0});
  EXPECT_EQ(ScanRows(BuildFile(file).bytes, {"x > 100"}).verdicts,
            (Verdicts{{"some row_group nans_possible", 1}}));
  file.row_groups[0].chunks[0].statistics.reset();
  file.row_groups[0].chunks[0].with_offset_index = true;
  file.row_groups[0].chunks[0].column_index = IndexClaims{
      .null_pages = {false},
      .min_values = {one},
      .max_values = {two},
      .null_counts = {0}}.Bytes();
  ExpectScan(BuildFile(file).bytes, {"x > 100"}, {0});
  EXPECT_EQ(ScanRows(BuildFile(file).bytes, {"x > 100"}).rows_pruned_by_page, 0);
  EXPECT_EQ(ScanRows(BuildFile(file).bytes, {"x < 0"}).rows_pruned_by_page, 3);
}

/// 64 row groups, each of the three rows of a day from 2024-01-01 on; the first may be all null.
FileSpec Days(const std::vector<ElementSpec>& around, bool is_first_null) {
  constexpr int64_t kFirstDay = 19'723;
  FileSpec file;
  file.schema = around;
  file.schema.push_back(Optional("d", PhysicalType::kInt32));
  file.schema.back().converted_type = kConvertedDate;
  const uint64_t level = around.empty() ? 1 : 2;
  for (int64_t day = 0; day < 64; ++day) {
    const bool is_null = is_first_null && day == 0;
    const std::string date = PlainInt32({kFirstDay + day});
    ChunkSpec chunk = Chunk({DataPage(Encoding::kPlain, 3, is_null ? "" : date + date + date,
                                      RleRun(3, is_null ? 0 : level, around.empty() ? 1 : 2))});
    chunk.statistics = (is_null ? Claims{.null_count = 3}
                                : Claims{.min_value = date, .max_value = date, .null_count = 0})
                           .Bytes();
    file.row_groups.push_back({3, {chunk}});
  }
  file.extra_fields.push_back(ColumnOrders(1));
  return file;
}

// Sound statistics prune under constants to be folded, in structs, in lists and behind nulls.
TEST(PruningScan, S24PruningIsNotLost) {
  for (const bool is_nested : {false, true}) {
    for (const bool is_first_null : {false, true}) {
      std::vector<ElementSpec> around;
      if (is_nested) around.push_back(Group("s", Repetition::kOptional, 1));
      const std::string file = BuildFile(Days(around, is_first_null)).bytes;
      const std::string d = is_nested ? "s.d" : "d";
      const auto expect_read = [&](const std::string& where, int64_t row_groups) {
        const Scanned scanned = ScanRows(file, {where});
        EXPECT_EQ(64 - scanned.row_groups_pruned, row_groups) << where;
        EXPECT_EQ(scanned.positions, ScanRows(file, {where}, AllOff()).positions) << where;
        EXPECT_EQ(std::ssize(scanned.positions), row_groups * 3) << where;
      };
      // 2024-01-01 and 63 days: up to 2024-03-04.
      expect_read(d + " >= DATE '2024-03-04' - INTERVAL 7 DAY", 8);
      expect_read(d + " >= DATE '2024-03-04' - 7", 8);
      expect_read(d + " = DATE '2024-02-01'", 1);
      expect_read(d + " IN (DATE '2024-02-01', '2024-02-03', DATE '2025-01-01')", 2);
      expect_read(d + " BETWEEN '2024-02-01' AND '2024-02-10'", 10);
      expect_read("NOT (" + d + " < DATE '2024-03-01' OR " + d + " > DATE '2024-03-02')", 2);
      expect_read(d + " > CAST('2024-03-01' AS DATE)", 3);
      expect_read(d + " > DATE '2024-03-01' AND length('abc') = 3", 3);
      expect_read(d + " IS NULL", is_first_null ? 1 : 0);
    }
  }
}

}  // namespace
}  // namespace sluice::support
