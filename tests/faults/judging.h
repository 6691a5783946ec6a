#pragma once

// Files judged by what they claim: the verdict of a filter over the first leaf's evidence, which is
// held against the rows that the file really has.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "format/model/evaluate.h"
#include "format/parquet/leaf_evidence.h"
#include "tests/format/model/filters.h"
#include "tests/support/claims.h"
#include "tests/support/file_reading.h"
#include "tests/support/leaf_rows.h"

namespace sluice::support {

using Outcome = Verdict::Outcome;

/// The first leaf of the first row group of a file.
class JudgedFile {
 public:
  explicit JudgedFile(const FileSpec& file, std::shared_ptr<const DataType> read_as = nullptr)
      : JudgedFile(BuildFile(file).bytes, std::move(read_as)) {}

  explicit JudgedFile(const std::string& bytes, std::shared_ptr<const DataType> read_as = nullptr)
      : reader_(*OpenBytes(bytes)), leaf_(*reader_->metadata(), *reader_->tree(), 0, read_as) {
    if (read_as == nullptr) rows_ = *LeafRows(*reader_, 0, 0);
  }

  const parquet::FileReader& reader() const { return *reader_; }
  const parquet::LeafEvidence& leaf() const { return leaf_; }
  const parquet::RowGroup& row_group() const { return reader_->metadata()->row_groups[0]; }
  Evidence evidence() const { return leaf_.OfChunk(row_group()); }

  /// Expects the verdict, and expects it to be true.
  void Expect(const ColumnFilter& filter, Outcome outcome, Reason reason) const {
    ExpectOf(evidence(), rows_, filter, outcome, reason);
  }
  /// The same of rows [begin, end) by other evidence.
  void ExpectPage(const Evidence& evidence, size_t begin, size_t end, const ColumnFilter& filter,
                  Outcome outcome, Reason reason) const {
    const std::vector<Value> rows(rows_.begin() + static_cast<std::ptrdiff_t>(begin),
                                  rows_.begin() + static_cast<std::ptrdiff_t>(end));
    ExpectOf(evidence, rows, filter, outcome, reason);
  }
  /// The same of all rows.
  void ExpectBy(const Evidence& evidence, const ColumnFilter& filter, Outcome outcome,
                Reason reason) const {
    ExpectOf(evidence, rows_, filter, outcome, reason);
  }

 private:
  static void ExpectOf(const Evidence& evidence, const std::vector<Value>& rows,
                       const ColumnFilter& filter, Outcome outcome, Reason reason) {
    const Verdict verdict = Evaluate(filter, evidence);
    EXPECT_EQ(OutcomeName(verdict.outcome), OutcomeName(outcome)) << filter.ToString();
    EXPECT_EQ(ReasonName(verdict.reason), ReasonName(reason)) << filter.ToString();
    for (const Value& row : rows) {
      const bool passes = row.is_null() ? filter.null_passes : filter.Passes(*row.bytes);
      EXPECT_FALSE(verdict.outcome == Outcome::kNone && passes) << row.ToString();
      EXPECT_FALSE(verdict.outcome == Outcome::kAll && !passes) << row.ToString();
    }
  }

  std::shared_ptr<parquet::FileReader> reader_;
  parquet::LeafEvidence leaf_;
  std::vector<Value> rows_;
};

}  // namespace sluice::support
