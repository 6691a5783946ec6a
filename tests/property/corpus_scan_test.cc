// Real files scanned by predicates around values that are in them, against the values as they are
// read without a predicate (fault M8): the same rows, whatever is switched off.
//
// The first leaves of each file that is not large, by a few values of their own.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "tests/support/corpus.h"
#include "tests/support/file_reading.h"
#include "tests/support/leaf_rows.h"
#include "tests/support/scanning.h"

namespace sluice::support {
namespace {

constexpr int64_t kLargestFile = 256 << 10;
constexpr int64_t kMostRows = 10'000;
constexpr int32_t kMostLeaves = 12;

struct Checked {
  int64_t files = 0;
  int64_t questions = 0;
  int64_t rows = 0;
  int64_t pruned = 0;
  int64_t filtered = 0;
};

bool IsText(const DataType& type) {
  return type.id == TypeId::kString || type.id == TypeId::kEnum || type.id == TypeId::kJson;
}

bool IsBinary(const DataType& type) {
  return !IsText(type) && (type.is_view() || type.id == TypeId::kFixedBinary);
}

/// The value as a literal that takes the type of what it stands beside.
Expression LiteralOf(const Value& value) {
  Expression literal;
  literal.literal = IsBinary(value.type) ? LiteralKind::kBinary : LiteralKind::kString;
  literal.text = *value.bytes;
  if (IsText(value.type) || IsBinary(value.type)) return literal;
  literal.text = value.ToString();
  if (literal.text.front() == '"') literal.text = literal.text.substr(1, literal.text.size() - 2);
  // Times are written without a zone.
  if (value.type.id == TypeId::kTime && value.type.utc_adjusted) literal.text.pop_back();
  return literal;
}

class LeafCheck {
 public:
  LeafCheck(std::string_view bytes, parquet::ColumnPath path, std::vector<Value> rows,
            Checked& checked)
      : bytes_(bytes), path_(std::move(path)), rows_(std::move(rows)), checked_(checked) {}

  void Run(std::mt19937_64& random) {
    std::string column;
    for (const std::string& name : path_) column += (column.empty() ? "" : ".") + Col(name).ToSql();
    Check(
        column + " IS NULL", [](const Value& row) { return row.is_null(); }, random);
    if (rows_.empty() || !IsOrdered(rows_[0].type)) return;
    for (int i = 0; i < 2; ++i) {
      const Value& value = rows_[random() % rows_.size()];
      if (value.is_null()) continue;
      const std::string literal = LiteralOf(value).ToSql();
      const auto compare = [&](const char* op, bool (*passes)(int)) {
        Check(
            column + op + literal,
            [&](const Value& row) {
              return !row.is_null() && passes(CompareValues(row.type, *row.bytes, *value.bytes));
            },
            random);
      };
      compare(" = ", [](int order) { return order == 0; });
      compare(" < ", [](int order) { return order < 0; });
      compare(" >= ", [](int order) { return order >= 0; });
      compare(" <> ", [](int order) { return order != 0; });
      if (testing::Test::HasFailure()) return;
    }
  }

 private:
  template <typename Passes>
  void Check(const std::string& where, const Passes& passes, std::mt19937_64& random) {
    std::vector<int64_t> positions;
    for (size_t row = 0; row < rows_.size(); ++row) {
      if (passes(rows_[row])) positions.push_back(static_cast<int64_t>(row));
    }
    ScanQuestion question{where};
    question.columns = {{path_.front()}};
    const std::vector<ScanWay> ways = WaysToScan();
    std::vector<std::string> lines;
    for (const ScanWay& way : {AllOff(), ScanWay(), ways[random() % ways.size()]}) {
      const auto scanned = TryScanRows(bytes_, question, way);
      ASSERT_TRUE(scanned) << where << ", " << way.name << ": " << scanned.error().ToString();
      ASSERT_EQ(scanned->positions, positions) << where << ", " << way.name;
      if (way.name == AllOff().name) lines = scanned->rows;
      ASSERT_EQ(scanned->rows, lines) << where << ", " << way.name;
      ++checked_.questions;
      checked_.rows += std::ssize(positions);
      checked_.pruned += scanned->rows_pruned_by_row_group + scanned->rows_pruned_by_page;
      checked_.filtered += scanned->rows_filtered;
    }
  }

  std::string_view bytes_;
  parquet::ColumnPath path_;
  std::vector<Value> rows_;
  Checked& checked_;
};

void CheckFile(const CorpusFile& file, Checked& checked) {
  const std::string bytes = ReadWholeFile(file.path);
  const auto reader = OpenBytes(bytes);
  ASSERT_TRUE(reader) << reader.error().ToString();
  if ((*reader)->num_rows() > kMostRows) return;
  ++checked.files;
  std::mt19937_64 random(bytes.size());
  const auto num_leaves = static_cast<int32_t>((*reader)->tree()->leaves().size());
  for (int32_t leaf = 0; leaf < std::min(num_leaves, kMostLeaves); ++leaf) {
    std::vector<Value> rows;
    bool are_rows = true;
    for (int32_t group = 0; group < (*reader)->num_row_groups() && are_rows; ++group) {
      const auto some = LeafRows(**reader, group, leaf);
      are_rows = some.has_value();
      if (are_rows) rows.insert(rows.end(), some->begin(), some->end());
    }
    if (!are_rows) continue;
    LeafCheck(bytes, LeafPathOf(*(*reader)->tree(), leaf), std::move(rows), checked).Run(random);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(CorpusScan, DeliversWhatAFullReadHas) {
  Checked checked;
  for (const CorpusFile& file : CorpusFiles()) {
    if (file.category != "ok" || file.size > kLargestFile) continue;
    SCOPED_TRACE(file.name);
    CheckFile(file, checked);
    if (HasFailure()) return;
  }
  if (checked.files == 0) GTEST_SKIP() << "NO CORPUS: set SLUICE_CORPUS to its directory";
  std::printf("%lld questions of %lld files: %lld rows delivered, %lld pruned, %lld filtered\n",
              static_cast<long long>(checked.questions), static_cast<long long>(checked.files),
              static_cast<long long>(checked.rows), static_cast<long long>(checked.pruned),
              static_cast<long long>(checked.filtered));
  EXPECT_GT(checked.files, 50);
  EXPECT_GT(checked.questions, 1000);
  EXPECT_GT(checked.rows, 10'000);
  EXPECT_GT(checked.pruned, 1000);
  EXPECT_GT(checked.filtered, 1000);
}

}  // namespace
}  // namespace sluice::support
