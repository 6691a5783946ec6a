// Structs of which the predicate needs a part and the output another, or the same: every value is
// decoded once, and the rows are those of a scan that reads all at once.

#include "engine/scan/column_parts.h"

#include <gtest/gtest.h>
#include <sluice/scan.h>

#include <string>
#include <vector>

#include "tests/support/file_builder.h"
#include "tests/support/page_bytes.h"
#include "tests/support/scanning.h"
#include "tests/support/small_scans.h"

namespace sluice::support {
namespace {

constexpr int64_t kRows = 100;
// Rows in which the struct, or its first field, has no value.
constexpr bool HasStruct(int64_t row) { return row % 10 != 9; }
constexpr bool HasA(int64_t row) { return HasStruct(row) && row % 10 != 4; }

/// n; s of a, b, t of c and d, and a list: n, a and c count rows, b and d are texts.
Table Structs() {
  const Field inner = Named("t", DataType::Struct({Named("c", kInt64), Named("d", kString)}));
  Table table = Numbers("n", 0, kRows);
  table.schema.fields.push_back(
      Named("s", DataType::Struct({Named("a", kInt64), Named("b", kString), inner,
                                   Named("list", DataType::List(Named("element", kInt64)))})));
  table.columns.resize(2);
  for (int64_t row = 0; row < kRows; ++row) {
    const std::string text = "a text of more than twelve bytes, " + std::to_string(row);
    const Cell a = HasA(row) ? Fixed(row) : Null();
    table.columns[1].push_back(HasStruct(row)
                                   ? Nested({a, Text(text), Nested({Fixed(row), Text(text + "!")}),
                                             Nested(std::vector<Cell>(2, Fixed(row)))})
                                   : Null());
  }
  return table;
}

struct Question {
  std::string where;
  std::vector<parquet::ColumnPath> columns;
  int64_t values = 0;  ///< Decoded, with late materialization.
};

ScanRequest RequestOf(const Question& question) {
  ScanRequest request = Where(question.where);
  request.columns = question.columns;
  return request;
}

struct Outcome {
  Strings rows;  ///< As canonical lines.
  int64_t values_decoded = 0;
};

/// Scans, and loads the columns that are not there.
Outcome ScanAll(const ScanFile& file, const ScanRequest& request, const ScanOptions& options) {
  Outcome outcome;
  const auto scan = Scan::Open({file}, request, options);
  EXPECT_TRUE(scan) << scan.status().ToString();
  if (!scan) return outcome;
  for (;;) {
    auto batch = (*scan)->Next();
    EXPECT_TRUE(batch) << batch.status().ToString();
    if (!batch || !*batch) break;
    for (size_t i = 0; i < (*batch)->batch.columns.size(); ++i) {
      const Status status = (*scan)->Load(**batch, i);
      EXPECT_TRUE(status.ok()) << status.ToString();
      const Status valid = ValidateColumn((*batch)->batch.columns[i]);
      EXPECT_TRUE(valid.ok()) << valid.ToString();
    }
    AppendLines((*batch)->batch, outcome.rows);
  }
  outcome.values_decoded = (*scan)->counters().data.values_decoded;
  return outcome;
}

void ExpectInEveryWay(const ScanFile& file, const ScanRequest& request, const Strings& rows) {
  for (const ScanWay& way : WaysToScan()) {
    ASSERT_EQ(ScanAll(file, request, way.options).rows, rows) << way.name;
  }
  ScanOptions options;
  options.threads = 2;
  EXPECT_EQ(ScanAll(file, request, options).rows, rows);
}

// contract V-51: 100 values of n, 80 of s.a, 90 of s.b, s.t.c and s.t.d each and 180 of s.list; of
// what the predicate does not need those of rows that pass.
TEST(ColumnParts, AreDecodedOnce) {
  parquet::WriterOptions writer;
  writer.columns.dictionary = false;
  const ScanFile file = FileOf(Structs(), "structs", writer);
  const std::vector<Question> questions = {
      // A filter alone: rows 0 to 19 without 4, 9, 14 and 19.
      {"s.a < 20", {{"s", "a"}}, 80},
      {"s.a < 20", {{"s"}}, 80 + 16 * 5},
      {"s.a < 20", {{"s", "b"}, {"n"}}, 80 + 16 * 2},
      // With a residual: rows 0, 6, 12 and 18.
      {"s.a < 20 AND n % 6 = 0", {{"s", "a"}}, 80 + 16},
      {"s.a < 20 AND n % 6 = 0", {{"s"}}, 80 + 16 + 4 * 5},
      {"s.a < 20 AND s.t.c % 6 = 0", {{"s"}}, 80 + 16 + 4 * 4},
      {"s.a < 20 AND s.t.c % 6 = 0", {{"s", "t", "d"}}, 80 + 16 + 4},
      {"s.t.c < 20 AND s.a % 6 = 0", {{"s", "t"}, {"n"}}, 90 + 16 + 4 * 2},
      // No filter: rows 0 to 19 as before.
      {"s.a + n < 40", {{"s"}, {"n"}}, 80 + 100 + 16 * 5},
      {"s.a + s.t.c < 40", {{"s", "a"}}, 80 + 90},
      {"s.a + s.t.c < 40", {{"s", "t", "d"}, {"s", "a"}}, 80 + 90 + 16},
      {"s.a + s.t.c < 40", {{"s", "list"}}, 80 + 90 + 16 * 2},
      // Of a struct whole.
      {"s.t IS NOT NULL AND s.a + n < 40", {{"s", "t", "c"}}, 80 + 90 * 2 + 100},
      {"s.t IS NOT NULL AND s.a + n < 40", {{"s"}}, 80 + 90 * 2 + 100 + 16 * 3},
  };
  for (const Question& question : questions) {
    SCOPED_TRACE(question.where);
    const ScanRequest request = RequestOf(question);
    const Strings rows = ScanAll(file, request, AllOff().options).rows;
    ASSERT_FALSE(rows.empty());
    ExpectInEveryWay(file, request, rows);
    for (const bool is_lazy : {false, true}) {
      for (const int64_t batch_rows : {int64_t{3}, ScanOptions().read.batch_rows}) {
        ScanOptions options;
        options.lazy_columns = is_lazy;
        options.read.batch_rows = batch_rows;
        const Outcome outcome = ScanAll(file, request, options);
        EXPECT_EQ(outcome.rows, rows);
        EXPECT_EQ(outcome.values_decoded, question.values) << is_lazy << ' ' << batch_rows;
      }
    }
  }
}

// A limit cuts what was there and what is loaded alike.
TEST(ColumnParts, OfRowsWithinTheLimit) {
  const ScanFile file = FileOf(Structs());
  const Question question{"s.a > 9 AND n % 2 = 0", {{"s"}}};
  ScanRequest request = RequestOf(question);
  Strings rows = ScanAll(file, request, AllOff().options).rows;
  ASSERT_GT(rows.size(), 7U);
  rows.resize(7);
  request.limit = 7;
  ExpectInEveryWay(file, request, rows);
  ScanOptions options;
  options.lazy_columns = true;
  EXPECT_EQ(ScanAll(file, request, options).rows, rows);
}

// Leaves that are read at two times may not tell of different rows that their struct is null.
TEST(ColumnParts, TellTheSameNulls) {
  const std::vector<ElementSpec> schema = {
      Required("n", PhysicalType::kInt64), Group("s", Repetition::kOptional, 2),
      Required("a", PhysicalType::kInt64), Required("b", PhysicalType::kInt64)};
  const auto leaf = [](const std::vector<uint64_t>& levels) {
    return Chunk({DataPage(Encoding::kPlain, 4, PlainInt64({1, 2, 3}), RleRuns(levels, 1))});
  };
  const std::string bytes =
      BuildFile(OneRowGroup(schema, 4,
                            {Chunk({DataPage(Encoding::kPlain, 4, PlainInt64({1, 2, 3, 4}))}),
                             leaf({1, 1, 0, 1}), leaf({1, 0, 1, 1})}))
          .bytes;
  for (const std::string where : {"s.a > 0", "s.a > 0 AND n % 2 = 0", "s.a + n = 4"}) {
    ScanQuestion question{where};
    question.columns = {{{"s"}}};
    ExpectScanError(bytes, question, StatusCode::kCorruption, {"'s'", "different lists or nulls"});
  }
}

}  // namespace
}  // namespace sluice::support
