// Filters in the decoder and late materialization: faults L1 to L13.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/faults/claiming_files.h"
#include "tests/format/model/filters.h"
#include "tests/support/scanning.h"

namespace sluice::support {
namespace {

using Positions = std::vector<int64_t>;

/// A required INT64 column in pages that begin at these rows.
ChunkSpec PagesOf(const std::vector<int64_t>& values, const Positions& first_rows) {
  ChunkSpec chunk;
  for (size_t page = 0; page < first_rows.size(); ++page) {
    const int64_t end = page + 1 < first_rows.size() ? first_rows[page + 1] : std::ssize(values);
    const std::vector<int64_t> part(values.begin() + first_rows[page], values.begin() + end);
    chunk.pages.push_back(DataPage(Encoding::kPlain, std::ssize(part), PlainInt64(part)));
    chunk.pages.back().first_row = first_rows[page];
  }
  return chunk;
}

/// Pages of `page_rows` rows of row numbers below `num_rows`.
ChunkSpec RowNumbers(int64_t num_rows, int64_t page_rows) {
  std::vector<int64_t> values;
  Positions first_rows;
  for (int64_t row = 0; row < num_rows; ++row) {
    if (row % page_rows == 0) first_rows.push_back(row);
    values.push_back(row);
  }
  return PagesOf(values, first_rows);
}

std::vector<ElementSpec> Int64s(const std::vector<std::string>& names) {
  std::vector<ElementSpec> schema;
  for (const std::string& name : names) schema.push_back(Required(name, PhysicalType::kInt64));
  return schema;
}

TEST(PushdownFaults, L1LastSelectedRowIsReached) {
  FileSpec file =
      OneRowGroup(Int64s({"p", "payload"}), 5,
                  {PagesOf({1, 1, 0, 0, 1}, {0, 2, 4}), PagesOf({0, 10, 20, 30, 40}, {0, 3})});
  for (const bool with_offset_index : {false, true}) {
    for (ChunkSpec& chunk : file.row_groups[0].chunks) chunk.with_offset_index = with_offset_index;
    const std::string bytes = BuildFile(file).bytes;
    ExpectScan(bytes, {"p = 1"}, {0, 1, 4});
    ExpectScan(bytes, {"p + 0 = 1"}, {0, 1, 4});
    ExpectScan(bytes, {"p = 1 AND payload + p > 1"}, {1, 4});
    ScanQuestion payload{"p = 1"};
    payload.columns = {{{"payload"}}};
    ExpectScannedLines(bytes, payload, {"[0]", "[10]", "[40]"});
  }
}

TEST(PushdownFaults, L2NullIsInNoDictionary) {
  const FileSpec file = ClaimingFile(
      AsText(Optional("v", PhysicalType::kByteArray)), 3,
      {DictionaryPage(1, PlainByteArray({"A"})),
       DataPage(Encoding::kRleDictionary, 3, DictionaryIndices(1, std::vector<uint64_t>{0, 0}),
                RleRuns({1, 1, 0}, 1))},
      std::nullopt);
  const std::string bytes = BuildFile(file).bytes;
  ExpectScan(bytes, {"NOT (v IS NOT DISTINCT FROM 'A')"}, {2});
  ExpectScan(bytes, {"v IS DISTINCT FROM 'A'"}, {2});
  ExpectScan(bytes, {"v <> 'A'"}, {});
  ExpectScan(bytes, {"v <> 'B'"}, {0, 1});
  ExpectScan(bytes, {"v IS DISTINCT FROM 'B'"}, {0, 1, 2});
  ExpectScan(bytes, {"v IS NULL"}, {2});
  ExpectScan(bytes, {"v = 'A'"}, {0, 1});
}

struct Stored {
  std::string name;
  ElementSpec element;
  std::vector<std::string> plain;     ///< Two values,
  std::vector<std::string> literals;  ///< and how predicates write them.
};

/// A column of each type that may have a dictionary.
std::vector<Stored> StoredTypes() {
  ElementSpec text = AsText(Optional("v", PhysicalType::kByteArray));
  ElementSpec fixed = Optional("v", PhysicalType::kFixedLenByteArray);
  fixed.type_length = 3;
  ElementSpec decimal = Optional("v", PhysicalType::kFixedLenByteArray);
  decimal.type_length = 2;
  decimal.logical_type = LogicalDecimal(4, 1);
  ElementSpec small = Optional("v", PhysicalType::kInt32);
  small.logical_type = LogicalInteger(8, true);
  ElementSpec large = Optional("v", PhysicalType::kInt64);
  large.logical_type = LogicalInteger(64, false);
  const std::string blob(32, '\xff');
  const auto string = [](const std::string& value) { return PlainByteArray({value}); };
  return {
      {"int32",
       Optional("v", PhysicalType::kInt32),
       {PlainInt32({-5}), PlainInt32({7})},
       {"-5", "7"}},
      {"int8", small, {PlainInt32({-5}), PlainInt32({7})}, {"-5", "7"}},
      {"uint64", large, {PlainInt64({5}), PlainInt64({-1})}, {"5", "18446744073709551615"}},
      {"float",
       Optional("v", PhysicalType::kFloat),
       {PlainFloat({0.5F}), PlainFloat({-0.0F})},
       {"0.5", "0"}},
      {"double",
       Optional("v", PhysicalType::kDouble),
       {PlainDouble({0.5}), PlainDouble({2})},
       {"0.5", "2"}},
      {"text",
       text,
       {string("a"), string("a text of more than twelve bytes")},
       {"'a'", "'a text of more than twelve bytes'"}},
      {"blob",
       Optional("v", PhysicalType::kByteArray),
       {string(blob), string("")},
       {"X'" + std::string(64, 'F') + "'", "X''"}},
      {"fixed", fixed, {"abc", "abd"}, {"X'616263'", "X'616264'"}},
      {"decimal", decimal, {Hex("fff6"), Hex("000a")}, {"-1.0", "1.0"}},
      {"int96",
       Optional("v", PhysicalType::kInt96),
       {PlainInt96(0, 2'440'588), PlainInt96(1, 2'440'588)},
       {"TIMESTAMP '1970-01-01 00:00:00'", "TIMESTAMP '1970-01-01 00:00:00.000000001'"}},
  };
}

// contract V-22
TEST(PushdownFaults, L3DictionaryAndPlainGiveTheSameRows) {
  // Null in every fifth row, the second value in every third, over three pages.
  constexpr int64_t kRows = 45;
  constexpr int64_t kPageRows = 15;
  for (const Stored& type : StoredTypes()) {
    SCOPED_TRACE(type.name);
    std::vector<PageSpec> plain;
    std::vector<PageSpec> encoded = {DictionaryPage(2, type.plain[0] + type.plain[1])};
    Positions nulls;
    Positions firsts;
    Positions seconds;
    for (int64_t begin = 0; begin < kRows; begin += kPageRows) {
      std::string values;
      std::vector<uint64_t> levels;
      std::vector<uint64_t> indices;
      for (int64_t row = begin; row < begin + kPageRows; ++row) {
        levels.push_back(row % 5 != 0);
        if (row % 5 == 0) {
          nulls.push_back(row);
          continue;
        }
        (row % 3 == 0 ? seconds : firsts).push_back(row);
        indices.push_back(row % 3 == 0);
        values += type.plain[indices.back()];
      }
      plain.push_back(DataPage(Encoding::kPlain, kPageRows, values, RleRuns(levels, 1)));
      encoded.push_back(DataPage(Encoding::kRleDictionary, kPageRows, DictionaryIndices(1, indices),
                                 RleRuns(levels, 1)));
    }
    // Both encodings in one chunk: a writer that gave its dictionary up.
    std::vector<PageSpec> mixed(encoded.begin(), encoded.begin() + 2);
    mixed.insert(mixed.end(), plain.begin() + 1, plain.end());
    Positions values = firsts;
    values.insert(values.end(), seconds.begin(), seconds.end());
    std::sort(values.begin(), values.end());
    Positions all_but_firsts = seconds;
    all_but_firsts.insert(all_but_firsts.end(), nulls.begin(), nulls.end());
    std::sort(all_but_firsts.begin(), all_but_firsts.end());
    for (const auto& pages : {plain, encoded, mixed}) {
      const std::string bytes = BuildFile(OneRowGroup({type.element}, kRows, {Chunk(pages)})).bytes;
      const std::string& first = type.literals[0];
      const std::string& second = type.literals[1];
      ExpectScan(bytes, {"v = " + first}, firsts);
      ExpectScan(bytes, {"v IN (" + second + ", NULL)"}, seconds);
      ExpectScan(bytes, {"v IN (" + first + ", " + second + ")"}, values);
      ExpectScan(bytes, {"v <> " + first}, seconds);
      ExpectScan(bytes, {"v IS DISTINCT FROM " + first}, all_but_firsts);
      ExpectScan(bytes, {"v IS NULL"}, nulls);
      ExpectScan(bytes, {"v NOT IN (" + first + ", " + second + ")"}, {});
      if (HasFatalFailure()) return;
    }
  }
}

TEST(PushdownFaults, L3FiveThousandCopiesOfOneBlob) {
  const std::string blob = Hex("00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff");
  const ElementSpec element = Required("v", PhysicalType::kByteArray);
  const PageSpec encoded =
      DataPage(Encoding::kRleDictionary, 5000, DictionaryIndices(0, RleRun(5000, 0, 0)));
  const PageSpec plain =
      DataPage(Encoding::kPlain, 5000, PlainByteArray(std::vector<std::string>(5000, blob)));
  const std::string literal = "X'00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'";
  for (const auto& pages :
       {std::vector{DictionaryPage(1, PlainByteArray({blob})), encoded}, std::vector{plain}}) {
    const std::string bytes = BuildFile(OneRowGroup({element}, 5000, {Chunk(pages)})).bytes;
    for (const std::string& where :
         {"v = " + literal, "v IN (" + literal + ", X'00')", "v >= " + literal}) {
      EXPECT_EQ(ScanRows(bytes, {where}).positions.size(), 5000U) << where;
      EXPECT_EQ(ScanRows(bytes, {where}, AllOff()).positions.size(), 5000U) << where;
    }
    EXPECT_TRUE(ScanRows(bytes, {"v <> " + literal}).positions.empty());
    EXPECT_TRUE(ScanRows(bytes, {"v = X'00'"}).positions.empty());
  }
}

TEST(PushdownFaults, L5PagesAreSkippedWithoutAnOffsetIndex) {
  std::vector<int64_t> wanted(200);
  for (const size_t row : {131, 174, 175, 176}) wanted[row] = 1;
  Positions first_rows;
  for (int64_t row = 0; row < 200; row += 3) first_rows.push_back(row);
  const FileSpec file =
      OneRowGroup(Int64s({"p", "payload"}), 200, {PagesOf(wanted, first_rows), RowNumbers(200, 2)});
  const std::string bytes = BuildFile(file).bytes;
  ExpectScan(bytes, {"p = 1"}, {131, 174, 175, 176});
  ExpectScan(bytes, {"p + 0 = 1"}, {131, 174, 175, 176});
  ScanWay way;
  way.options.read.batch_rows = 10;
  const Scanned scanned = ScanRows(bytes, {"p = 1"}, way);
  EXPECT_EQ(scanned.positions, (Positions{131, 174, 175, 176}));
  // Of 100 pages of the payload 3 hold the rows; behind the last of them nothing is looked at.
  EXPECT_EQ(scanned.pages_read, 67 + 3);
  EXPECT_EQ(scanned.pages_skipped, 86);
  EXPECT_EQ(scanned.values_decoded, 200 + 4);
}

TEST(PushdownFaults, L6NumbersAreNoSelection) {
  ElementSpec element = Required("u", PhysicalType::kInt32);
  element.logical_type = LogicalInteger(8, false);
  const std::string bytes =
      BuildFile(
          OneRowGroup(
              {element, Required("flag", PhysicalType::kBoolean)}, 4,
              {Chunk({DataPage(Encoding::kPlain, 4, PlainInt32({0, 1, 2, 255}))}),
               Chunk({DataPage(Encoding::kPlain, 4, PlainBoolean({false, true, true, true}))})}))
          .bytes;
  ExpectScanError(bytes, {"u"}, StatusCode::kInvalidArgument, {"u"});
  ExpectScanError(bytes, {"flag AND u"}, StatusCode::kInvalidArgument, {"u"});
  ExpectScan(bytes, {"u <> 0"}, {1, 2, 3});
  ExpectScan(bytes, {"CAST(u AS BOOLEAN)"}, {1, 2, 3});
  ExpectScan(bytes, {"flag"}, {1, 2, 3});
  ExpectScan(bytes, {"flag AND u > 1"}, {2, 3});
  ExpectScan(bytes, {"NOT flag"}, {0});
}

// The whole predicate is enforced, whatever of it has a form that decoders run.
TEST(PushdownFaults, L7WhatIsNotPushedIsNotDropped) {
  const std::vector<ElementSpec> schema = {Group("s", Repetition::kOptional, 2),
                                           Required("x", PhysicalType::kInt64),
                                           Required("y", PhysicalType::kInt64)};
  const auto chunk = [](const std::vector<int64_t>& values) {
    return Chunk({DataPage(Encoding::kPlain, 4, PlainInt64(values), RleRuns({1, 1, 1, 0}, 1))});
  };
  const std::string bytes =
      BuildFile(OneRowGroup(schema, 4, {chunk({100, 200, 200}), chunk({1, 1, 2})})).bytes;
  ExpectScan(bytes, {"s.x = 200"}, {1, 2});
  ExpectScan(bytes, {"s.x = 200 AND s.x + s.y = 201"}, {1});
  ExpectScan(bytes, {"s.x = 200 OR s IS NULL"}, {1, 2, 3});
  ExpectScan(bytes, {"s.x = 200 AND s IS NOT NULL AND s.y IN (2, 3)"}, {2});
  ExpectScan(bytes, {"NOT (s.x = 200 AND s.y = 1)"}, {0, 2});
  ExpectScanError(bytes, {"s.z = 200"}, StatusCode::kInvalidArgument, {"z"});
}

// A filter is exact, not a superset of pages.
TEST(PushdownFaults, L8PagesAreCutToTheirRows) {
  FileSpec file = OneRowGroup(Int64s({"time"}), 40, {RowNumbers(40, 10)});
  ChunkSpec& chunk = file.row_groups[0].chunks[0];
  chunk.with_offset_index = true;
  IndexClaims index{.null_pages = std::vector<bool>(4, false)};
  for (int64_t page = 0; page < 4; ++page) {
    index.min_values.push_back(PlainInt64({page * 10}));
    index.max_values.push_back(PlainInt64({page * 10 + 9}));
  }
  chunk.column_index = index.Bytes();
  const std::string bytes = BuildFile(file).bytes;
  Positions expected;
  for (int64_t row = 0; row < 25; ++row) expected.push_back(row);
  ExpectScan(bytes, {"time < 25"}, expected);
  ExpectScan(bytes, {"time + 0 < 25"}, expected);
  const Scanned scanned = ScanRows(bytes, {"time < 25"});
  EXPECT_EQ(scanned.rows_pruned_by_page, 10);
  EXPECT_EQ(scanned.rows_filtered, 5);
}

// contract L-26, L-34
TEST(PushdownFaults, L10FilterColumnsInTheProjectionOrNot) {
  const std::string bytes =
      BuildFile(OneRowGroup(Int64s({"a", "b", "c"}), 4,
                            {PagesOf({1, 2, 3, 4}, {0}), PagesOf({50, 60, 70, 80}, {0, 1}),
                             PagesOf({9, 9, 9, 9}, {0, 3})}))
          .bytes;
  const auto expect = [&](const std::string& where, std::vector<parquet::ColumnPath> columns,
                          const std::vector<std::string>& lines) {
    ScanQuestion question{where};
    question.columns = std::move(columns);
    ExpectScannedLines(bytes, question, lines);
  };
  for (const std::string where : {"a < 3", "a + 0 < 3", "a < 3 AND a + c < 13"}) {
    expect(where, {{"b"}, {"a"}}, {"[50,1]", "[60,2]"});
    expect(where, {{"a"}}, {"[1]", "[2]"});
    expect(where, {{"b"}}, {"[50]", "[60]"});
    expect(where, {{"c"}, {"b"}, {"a"}}, {"[9,50,1]", "[9,60,2]"});
    expect(where, {}, {"[]", "[]"});
    ExpectScan(bytes, {where}, {0, 1});
  }
}

TEST(PushdownFaults, L11LimitCountsRowsThatPassEverything) {
  const std::string bytes =
      BuildFile(
          OneRowGroup({Optional("d", PhysicalType::kInt64), Required("p", PhysicalType::kInt64)}, 6,
                      {Chunk({DataPage(Encoding::kPlain, 6, PlainInt64({1, 2, 3}),
                                       RleRuns({0, 1, 0, 1, 0, 1}, 1))}),
                       PagesOf({1, 0, 1, 1, 1, 1}, {0, 2, 4})}))
          .bytes;
  for (const std::string where : {"d IS NOT NULL AND p = 1", "d + 0 IS NOT NULL AND p = 1",
                                  "d IS NOT NULL AND p + 0 = 1", "d + p > 2"}) {
    ScanQuestion question{where};
    const Positions passing = {3, 5};
    for (const int64_t limit : {0, 1, 2, 3}) {
      question.limit = limit;
      ExpectScan(bytes, question,
                 Positions(passing.begin(), passing.begin() + std::min<int64_t>(limit, 2)));
    }
  }
}

/// Four row groups of ten rows; n are row numbers.
std::string FourRowGroups() {
  FileSpec file;
  file.schema = Int64s({"n", "flag"});
  for (int64_t group = 0; group < 4; ++group) {
    std::vector<int64_t> numbers;
    for (int64_t row = 0; row < 10; ++row) numbers.push_back(group * 10 + row);
    ChunkSpec chunk = PagesOf(numbers, {0, 4, 8});
    ChunkSpec flag = PagesOf(std::vector<int64_t>(10, group % 2), {0});
    chunk.statistics = Claims{.min_value = PlainInt64({numbers.front()}),
                              .max_value = PlainInt64({numbers.back()})}
                           .Bytes();
    flag.statistics =
        Claims{.min_value = PlainInt64({group % 2}), .max_value = PlainInt64({group % 2})}.Bytes();
    file.row_groups.push_back({10, {chunk, flag}});
  }
  file.extra_fields.push_back(ColumnOrders(2));
  return BuildFile(file).bytes;
}

// contract V-86, X-04: positions are of the file, whatever was left out before them.
TEST(PushdownFaults, L12RowGroupsThatAreSkippedCount) {
  const std::string bytes = FourRowGroups();
  Positions odd;
  for (const int64_t begin : {10, 30}) {
    for (int64_t row = begin; row < begin + 10; ++row) odd.push_back(row);
  }
  ExpectScan(bytes, {"flag = 1"}, odd);
  ExpectScan(bytes, {"flag = 1 AND n IN (12, 25, 39)"}, {12, 39});
  ExpectScan(bytes, {"flag = 1 AND n + flag = 40"}, {39});
  ExpectScan(bytes, {"n IN (7, 8, 31)"}, {7, 8, 31});
  const Scanned scanned = ScanRows(bytes, {"flag = 1 AND n IN (12, 25, 39)"});
  EXPECT_EQ(scanned.row_groups_pruned, 2);
  EXPECT_EQ(scanned.rows_pruned_by_row_group, 20);
  EXPECT_EQ(scanned.rows_filtered, 18);
}

// contract V-101, V-152 (count star): footers count rows that pass only where every row is known to
// pass.
TEST(PushdownFaults, L13CountsWithoutColumns) {
  const std::string bytes = FourRowGroups();
  const auto count = [&](const std::string& where, const ScanWay& way) {
    ScanQuestion question{where};
    question.columns.emplace();
    return ScanRows(bytes, question, way).positions.size();
  };
  for (const ScanWay& way : WaysToScan()) {
    SCOPED_TRACE(way.name);
    EXPECT_EQ(count("", way), 40U);
    EXPECT_EQ(count("n > 1", way), 38U);
    EXPECT_EQ(count("n > 9 AND flag = 1", way), 20U);
    EXPECT_EQ(count("n + 0 > 38", way), 1U);
    EXPECT_EQ(count("n > 39", way), 0U);
    EXPECT_EQ(count("n + 0 > 39", way), 0U);
  }
  ScanQuestion all;
  all.columns.emplace();
  EXPECT_EQ(ScanRows(bytes, all).bytes_requested, 0);
}

}  // namespace
}  // namespace sluice::support
