// Scans of several files: one schema, constants, virtual columns and deletes.

#include <gtest/gtest.h>
#include <sluice/explain.h>
#include <sluice/scan.h>

#include <string>
#include <vector>

#include "tests/support/file_builder.h"
#include "tests/support/file_reading.h"
#include "tests/support/scanning.h"
#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

TEST(ManyFiles, HaveTheColumnsOfAllByName) {
  Table narrow = Numbers("n", 1, 2);
  narrow.schema.fields[0].type = kInt32;
  narrow.columns[0] = {Fixed(int32_t{1}), Fixed(int32_t{2})};
  Table other = Numbers("m", 7, 1);
  other.schema.fields.push_back(Named("n", kInt64));
  other.columns.push_back({Fixed(int64_t{1} << 40)});
  const std::vector<ScanFile> files{FileOf(narrow, "a"), FileOf(other, "b")};
  const auto scan = Scan::Open(files, {});
  ASSERT_TRUE(scan) << scan.status().ToString();
  EXPECT_EQ((*scan)->schema()->fields[0].type, kInt64);
  EXPECT_EQ(Rows(**scan), (Strings{"1 null", "2 null", "1099511627776 7"}));
  EXPECT_EQ(Rows(files, Where("n > 1")), (Strings{"2 null", "1099511627776 7"}));
  EXPECT_EQ(Rows(files, Where("m IS NULL AND n + 1 = 3")), (Strings{"2 null"}));
  EXPECT_EQ(Rows(files, Where("coalesce(m, n) = 7 OR n = 1")),
            (Strings{"1 null", "1099511627776 7"}));
}

TEST(ManyFiles, WithoutACommonTypeAreAnError) {
  Table text = Numbers("n", 1, 1);
  text.schema.fields[0].type = kString;
  text.columns[0] = {Text("x")};
  const auto scan = Scan::Open({FileOf(Numbers("n", 1, 1), "first"), FileOf(text, "second")}, {});
  ASSERT_FALSE(scan);
  EXPECT_EQ(scan.status().code(), StatusCode::kUnsupported);
  EXPECT_NE(scan.status().message().find("second"), std::string::npos) << scan.status().message();
}

TEST(ManyFiles, NeedNoCommonTypeOfWhatNobodyAsksFor) {
  Table number = Numbers("n", 1, 1);
  number.schema.fields.push_back(Named("m", kInt64));
  number.columns.push_back({Fixed(int64_t{7})});
  Table text = Numbers("n", 2, 1);
  text.schema.fields.push_back(Named("m", kString));
  text.columns.push_back({Text("x")});
  const std::vector<ScanFile> files{FileOf(number, "first"), FileOf(text, "second")};
  EXPECT_EQ(Rows(files, Columns({{"n"}})), (Strings{"1", "2"}));
  ScanRequest request = Where("n > 1");
  request.columns = {{{"n"}}};
  EXPECT_EQ(Rows(files, request), Strings{"2"});
  request = Where("m IS NULL");
  request.columns = {{{"n"}}};
  EXPECT_EQ(Scan::Open(files, request).status().code(), StatusCode::kUnsupported);
  EXPECT_EQ(Scan::Open(files, {}).status().code(), StatusCode::kUnsupported);
}

// contract V-81, V-83
TEST(ManyFiles, ConstantsGoBeforeColumnsOfTheirName) {
  ScanFile one = FileOf(Numbers("p", 1, 2), "one");
  ScanFile two = FileOf(Numbers("p", 1, 2), "two");
  one.constants = {{"p", Value::Of<int64_t>(kInt64, 1)}, {"q", Value{kString, "x"}}};
  two.constants = {{"p", Value::Of<int64_t>(kInt64, 2)}, {"q", Value::Null(kString)}};
  EXPECT_EQ(Rows({one, two}, {}), (Strings{"1 \"x\"", "1 \"x\"", "2 null", "2 null"}));
  const auto scan = Scan::Open({one, two}, Where("p = 2 AND q IS NULL"));
  ASSERT_TRUE(scan) << scan.status().ToString();
  EXPECT_EQ(Rows(**scan), (Strings{"2 null", "2 null"}));
  EXPECT_EQ((*scan)->counters().files_pruned, 1);
  EXPECT_EQ(Rows({one, two}, Where("p = 1 AND q IS NULL")), Strings{});

  one.constants.push_back({"p", Value::Of<int64_t>(kInt64, 3)});
  ScanRequest request;
  request.schema =
      std::make_shared<const Schema>(Schema{{Named("p", kInt64), Named("q", kString)}});
  const auto twice = Scan::Open({one}, request);
  ASSERT_TRUE(twice);
  EXPECT_EQ((*twice)->Next().status().code(), StatusCode::kInvalidArgument);
}

TEST(ManyFiles, MayHaveNullForANestedColumn) {
  ScanFile file = FileOf(Numbers("n", 1, 2), "flat");
  const DataType nested =
      DataType::Struct({Named("a", kInt64), Named("b", DataType::List(Named("item", kInt64)))});
  file.constants = {{"s", Value::Null(DataType::Of(TypeId::kNull))}};
  ScanRequest request;
  request.schema = std::make_shared<const Schema>(Schema{{Named("n", kInt64), Named("s", nested)}});
  for (const auto& [where, rows] :
       {std::pair("s IS NULL AND s.a IS NULL", 2), std::pair("s.a > 1 OR s IS NOT NULL", 0)}) {
    request.where = *ParseExpression(where);
    for (const auto& columns : std::vector<std::vector<parquet::ColumnPath>>{
             {{"n"}, {"s"}}, {{"s", "b"}, {"n"}}, {{"s", "b"}, {"s", "a"}}}) {
      request.columns = columns;
      auto scan = Scan::Open({file}, request);
      ASSERT_TRUE(scan) << scan.status().ToString();
      int64_t seen = 0;
      for (auto batch = (*scan)->Next(); batch && *batch; batch = (*scan)->Next()) {
        seen += (*batch)->batch.num_rows;
        for (const Column& column : (*batch)->batch.columns) {
          EXPECT_TRUE(ValidateColumn(column).ok());
          EXPECT_EQ(column.null_count, column.type->is_nested() ? column.length : 0);
        }
      }
      EXPECT_EQ(seen, rows) << where;
    }
  }
  file.constants = {{"s", Value::Of<int64_t>(kInt64, 1)}};
  auto scan = Scan::Open({file}, request);
  ASSERT_TRUE(scan);
  EXPECT_EQ((*scan)->Next().status().code(), StatusCode::kUnsupported);
}

// contract V-69
TEST(ManyFiles, AnAbsentColumnIsAbsentInItsFileOnly) {
  Table both = Numbers("a", 1, 2);
  both.schema.fields.push_back(Named("b", kInt64));
  both.columns.push_back({Fixed(int64_t{5}), Fixed(int64_t{6})});
  const std::vector<ScanFile> files{FileOf(Numbers("a", 8, 1), "without"), FileOf(both, "with"),
                                    FileOf(Numbers("a", 9, 1), "without again")};
  EXPECT_EQ(Rows(files, {}), (Strings{"8 null", "1 5", "2 6", "9 null"}));
  // contract V-84
  EXPECT_EQ(Rows(files, Where("b IS NOT NULL")), (Strings{"1 5", "2 6"}));
  EXPECT_EQ(Rows(files, Where("b IS NULL")), (Strings{"8 null", "9 null"}));
}

// What is of no type in one file is a struct in the other: its fields are NULL.
TEST(ManyFiles, AColumnOfNothingHasNoFields) {
  Table nothing = Numbers("n", 0, 2);
  nothing.schema.fields.push_back(Named("s", DataType::Of(TypeId::kNull)));
  nothing.columns.emplace_back(2, Null());
  Table structs = Numbers("n", 2, 2);
  structs.schema.fields.push_back(Named("s", DataType::Struct({Named("a", kInt64)})));
  structs.columns.push_back({Nested({Fixed(int64_t{5})}), Nested({Null()})});
  const std::vector<ScanFile> files{FileOf(nothing, "nothing"), FileOf(structs, "structs")};
  for (const auto& [where, rows] :
       std::vector<std::pair<std::string, Strings>>{{"s.a > 3", {"2"}},
                                                    {"s.a IS NULL", {"0", "1", "3"}},
                                                    {"s IS NULL", {"0", "1"}},
                                                    {"s.a IS NOT NULL OR n = 1", {"1", "2"}}}) {
    ScanRequest request = Where(where);
    request.columns = {{{"n"}}};
    for (const ScanWay& way : WaysToScan()) {
      EXPECT_EQ(Rows(files, request, way.options), rows) << where << ", " << way.name;
    }
  }
}

// contract V-67, V-152 (match by index)
TEST(ManyFiles, AreMatchedByNameOrPosition) {
  Table table;
  table.num_rows = 1;
  table.schema.fields = {Named("first", kString), Named("last", kString)};
  table.columns = {{Text("Janet")}, {Text("Jones")}};
  const ScanFile file = FileOf(table, "people");
  ScanRequest request;
  request.schema = std::make_shared<const Schema>(
      Schema{{Named("first", kString), Named("middle", kString), Named("last", kString)}});
  EXPECT_EQ(Rows({file}, request), Strings{"\"Janet\" null \"Jones\""});
  ScanOptions options;
  options.match = ColumnMatch::kPosition;
  EXPECT_EQ(Rows({file}, request, options), Strings{"\"Janet\" \"Jones\" null"});
  request.where = *ParseExpression("middle = 'Jones' AND last IS NULL");
  EXPECT_EQ(Rows({file}, request, options).size(), 1U);
  request.columns = {{{"middle"}}};
  EXPECT_EQ(Rows({file}, request, options), Strings{"\"Jones\""});
}

TEST(ManyFiles, AreMatchedByFieldId) {
  Table table = Numbers("old", 4, 1);
  table.schema.fields[0].field_id = 3;
  ScanRequest request;
  request.schema =
      std::make_shared<const Schema>(Schema{{{"old", kInt64, true, 9}, {"new", kInt64, true, 3}}});
  ScanOptions options;
  options.match = ColumnMatch::kFieldId;
  EXPECT_EQ(Rows({FileOf(table, "ids")}, request, options), Strings{"null 4"});
}

TEST(ManyFiles, SayWhereTheirRowsAre) {
  parquet::WriterOptions writer;
  writer.row_group_rows = 2;
  const std::vector<ScanFile> files{FileOf(Numbers("n", 10, 3), "one", writer),
                                    FileOf(Numbers("n", 20, 3), "two", writer)};
  ScanRequest request = Columns({{"file_row_number"}, {"n"}, {"file_path"}, {"row_group"}});
  EXPECT_EQ(Rows(files, request), (Strings{"0 10 \"one\" 0", "1 11 \"one\" 0", "2 12 \"one\" 1",
                                           "0 20 \"two\" 0", "1 21 \"two\" 0", "2 22 \"two\" 1"}));
  request.where = *ParseExpression("file_path = 'two' AND file_row_number >= 1 AND n <> 21");
  const auto scan = Scan::Open(files, request);
  ASSERT_TRUE(scan) << scan.status().ToString();
  EXPECT_EQ(Rows(**scan), Strings{"2 22 \"two\" 1"});
  EXPECT_EQ((*scan)->counters().files_pruned, 1);
  request.where = *ParseExpression("row_group + n = 13");
  EXPECT_EQ(Rows(files, request), Strings{"2 12 \"one\" 1"});
  // A column of the name wins.
  EXPECT_EQ(Rows({FileOf(Numbers("row_group", 7, 1), "own")}, Where("row_group = 7")),
            Strings{"7"});
}

TEST(ManyFiles, ReadOnlyThePagesOfTheRowsThatAreNamed) {
  parquet::WriterOptions writer;
  writer.page_rows = 10;
  const ScanFile file = FileOf(Numbers("n", 0, 1000), "numbers", writer);
  const auto scan = Scan::Open({file}, Where("file_row_number IN (5, 523, 998)"));
  ASSERT_TRUE(scan) << scan.status().ToString();
  EXPECT_EQ(Rows(**scan), (Strings{"5", "523", "998"}));
  EXPECT_EQ((*scan)->counters().rows_pruned_by_page, 997);
  EXPECT_EQ((*scan)->counters().data.pages_read, 3);
}

TEST(ManyFiles, LeaveOutDeletedRows) {
  parquet::WriterOptions writer;
  writer.row_group_rows = 4;
  ScanFile file = FileOf(Numbers("n", 0, 10), "numbers", writer);
  const std::vector<int64_t> positions{0, 4, 5, 6, 7, 9};
  file.deleted = std::make_shared<const RowSelection>(*RowSelection::FromPositions(positions));
  EXPECT_EQ(Rows({file}, Columns({{"n"}, {"file_row_number"}})),
            (Strings{"1 1", "2 2", "3 3", "8 8"}));
  EXPECT_EQ(Rows({file}, Where("n >= 3")), (Strings{"3", "8"}));
  // contract X-03: rows that all pass, and those of which only metadata is looked at.
  ScanRequest request = Where("n >= 0");
  request.columns.emplace();
  const auto scan = Scan::Open({file}, request);
  ASSERT_TRUE(scan);
  int64_t rows = 0;
  for (auto batch = (*scan)->Next(); batch && *batch; batch = (*scan)->Next()) {
    rows += (*batch)->batch.num_rows;
  }
  EXPECT_EQ(rows, 4);
  EXPECT_EQ((*scan)->counters().data.pages_read, 0);
  EXPECT_EQ((*scan)->counters().rows_deleted, 6);
}

// fault D10
TEST(ManyFiles, DoNotLackDeletedRows) {
  ScanFile file = FileOf(Numbers("n", 0, 10), "numbers");
  file.deleted = std::make_shared<const RowSelection>(*RowSelection::FromRanges({{9, 11}}));
  const auto scan = Scan::Open({file}, {});
  ASSERT_TRUE(scan);
  const auto batch = (*scan)->Next();
  EXPECT_EQ(batch.status().code(), StatusCode::kInvalidArgument) << batch.status().ToString();
}

TEST(ManyFiles, AnErrorOfADeletedRowIsNone) {
  ScanFile file = FileOf(Numbers("n", 0, 3), "numbers");
  EXPECT_FALSE(Scan::Open({file}, Where("10 % n = 0")).value()->Next());
  const std::vector<int64_t> positions{0};
  file.deleted = std::make_shared<const RowSelection>(*RowSelection::FromPositions(positions));
  EXPECT_EQ(Rows({file}, Where("10 % n = 0")), (Strings{"1", "2"}));
}

// contract V-20
TEST(ManyFiles, RenameTheirColumns) {
  ScanRequest request = Columns({{"n"}});
  request.names = {"renamed"};
  const auto scan = Scan::Open({FileOf(Numbers("n", 1, 1), "one")}, request);
  ASSERT_TRUE(scan);
  EXPECT_EQ((*scan)->schema()->fields[0].name, "renamed");
  EXPECT_EQ(Rows(**scan), Strings{"1"});
  request.names = {"a", "b"};
  EXPECT_EQ(Scan::Open({FileOf(Numbers("n", 1, 1), "one")}, request).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(
      Scan::Open({FileOf(Numbers("n", 1, 1), "one")}, Columns({{"n"}, {"n"}})).status().code(),
      StatusCode::kInvalidArgument);
}

/// A file without columns that claims these row groups.
ScanFile FileOfRows(const std::vector<int64_t>& row_groups, const std::string& name) {
  FileSpec spec;
  for (const int64_t rows : row_groups) spec.row_groups.push_back({rows, {}});
  ScanFile file;
  file.file = MemoryFileOf(BuildFile(spec).bytes, name);
  return file;
}

// contract V-86
TEST(ManyFiles, OfMoreRowsThanCanBeCounted) {
  constexpr int64_t kMany = int64_t{1} << 62;
  const std::vector<ScanFile> most = {FileOfRows({kMany}, "a"), FileOfRows({kMany - 8, 6}, "b")};
  const std::vector<ScanFile> more = {FileOfRows({kMany}, "a"), FileOfRows({kMany - 7, 7}, "b")};
  for (const int32_t threads : {1, 3}) {
    SCOPED_TRACE(threads);
    ScanOptions options;
    options.threads = threads;
    const auto rows_of = [&](const std::vector<ScanFile>& files, int64_t limit) -> Result<int64_t> {
      ScanRequest request;
      request.limit = limit;
      auto scan = Scan::Open(files, request, options);
      EXPECT_TRUE(scan) << scan.status().ToString();
      for (int64_t rows = 0;;) {
        const auto batch = (*scan)->Next();
        if (!batch) return batch.status();
        if (*batch) rows += (*batch)->batch.num_rows;
        if (*batch) continue;
        EXPECT_EQ((*scan)->counters().rows_delivered, rows);
        EXPECT_EQ((*scan)->counters().rows_considered, rows + (*scan)->counters().rows_not_reached);
        return rows;
      }
    };
    EXPECT_EQ(*rows_of(most, INT64_MAX), INT64_MAX - 1);
    EXPECT_EQ(*rows_of(most, kMany + 3), kMany + 3);
    const auto refused = rows_of(more, INT64_MAX);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.status().code(), StatusCode::kUnsupported);
    EXPECT_NE(refused.status().message().find("'b'"), std::string::npos)
        << refused.status().ToString();
  }
  // Files that are not gone to do not count.
  ScanRequest few;
  few.limit = 1000;
  EXPECT_EQ(*Scan::Open(most, few).value()->Count(), (CountBounds{1000, 1000}));
  const auto scan = Scan::Open(more, few);
  ASSERT_TRUE(scan);
  EXPECT_EQ((*scan)->Count().status().code(), StatusCode::kUnsupported);
  EXPECT_EQ((*(*scan)->Next())->batch.num_rows, 1000);
  EXPECT_EQ(ExplainScan(more, {}, {}, false).status().code(), StatusCode::kUnsupported);
  EXPECT_EQ(FindExtremes(more, Columns({{"file_row_number"}})).status().code(),
            StatusCode::kUnsupported);
}

}  // namespace
}  // namespace sluice::support
