// Scans damaged copies of the corpus by random predicates: each scan gives rows or one typed error,
// within its time and memory. Two scans that both complete give the same rows, whatever is switched
// off of what does not rest on claims of the file: what a damaged statistic or page index excludes
// nobody can know, so scans that use those only have to end well.
//
//   scan_damaged [MUTATIONS A FILE] [FILE [MUTATION]]
//
// 10 a file by default, 100 where SLUICE_LONG is set. The last two repeat what a failure names.

#include <fmt/format.h>
#include <sluice/optimizations.h>
#include <sluice/scan.h>
#include <sluice/text.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string_view>

#include "format/model/try.h"
#include "tests/mutation/damaged_files.h"
#include "tests/support/file_reading.h"
#include "tests/support/random_expressions.h"

namespace sluice::support {
namespace {

constexpr int64_t kBudget = int64_t{1} << 30;
constexpr int64_t kMostRows = 200'000;

/// The fields that predicates are made over.
Schema ScalarsOf(const Schema& schema) {
  Schema scalars;
  std::copy_if(
      schema.fields.begin(), schema.fields.end(), std::back_inserter(scalars.fields),
      [](const Field& field) { return !field.type.is_nested() && field.type.id != TypeId::kNull; });
  return scalars;
}

/// The rows as positions and canonical text.
Result<std::vector<std::string>> ScanRows(const std::string& bytes, const ScanRequest& request,
                                          const ScanOptions& options) {
  ScanFile file;
  file.file = MemoryFileOf(bytes);
  SLUICE_TRY(const auto scan, Scan::Open({file}, request, options));
  std::vector<std::string> rows;
  while (std::ssize(rows) < kMostRows) {
    SLUICE_TRY(const auto batch, scan->Next());
    if (!batch) break;
    for (const Column& column : batch->batch.columns) {
      SLUICE_RETURN_IF_ERROR(ValidateColumn(column));
    }
    int64_t position = batch->rows.begin;
    for (int64_t row = 0; row < batch->batch.num_rows; ++row, ++position) {
      while (!batch->selected.empty() &&
             !GetBit(batch->selected.data(), position - batch->rows.begin)) {
        ++position;
      }
      std::string text = fmt::format("{}:", position);
      for (const Column& column : batch->batch.columns) AppendCanonical(column, row, text);
      rows.push_back(std::move(text));
    }
  }
  return rows;
}

/// Optimisations that rest on what a file claims of its values.
constexpr std::string_view kByClaims[] = {"bloom_filters", "dictionary_pruning", "file_statistics",
                                          "offset_index",  "page_index",         "page_statistics",
                                          "statistics"};

ScanOptions Options(bool is_fast, bool by_claims, uint64_t seed) {
  ScanOptions options;
  options.read.pool = BufferPool::Make(kBudget);
  for (const Optimization& one : Optimizations()) {
    // A whole footer has more that can be damaged.
    if (one.name == "partial_footer") continue;
    const bool is_by_claims =
        std::find(std::begin(kByClaims), std::end(kByClaims), one.name) != std::end(kByClaims);
    one.option(options) = is_by_claims ? by_claims : is_fast;
  }
  options.read.verify_checksums = seed % 4 == 0;
  options.read.batch_rows = is_fast && seed % 2 == 0 ? 97 : 16384;
  options.threads = is_fast && seed % 8 == 3 ? 2 : 1;
  return options;
}

bool IsExpected(StatusCode code) {
  return code != StatusCode::kInternal && code != StatusCode::kInvalidArgument;
}

/// Nothing where all is well, else what is wrong.
std::string ScanOne(const std::string& bytes, uint64_t seed,
                    std::map<StatusCode, int64_t>& outcomes) {
  ScanFile file;
  file.file = MemoryFileOf(bytes);
  const auto whole = Scan::Open({file}, {});
  ++outcomes[whole.status().code()];
  if (!whole) return IsExpected(whole.status().code()) ? "" : whole.status().ToString();
  const Schema scalars = ScalarsOf(*(*whole)->table_schema());
  if (scalars.fields.empty()) return "";
  RandomExpressions expressions(seed);
  ScanRequest request;
  request.where = expressions.MakePredicate(scalars, 2);
  // A predicate that the schema has no meaning for.
  if (!Scan::Open({file}, request)) return "";
  const auto plain = ScanRows(bytes, request, Options(false, false, seed));
  const auto fast = ScanRows(bytes, request, Options(true, false, seed));
  const auto pruned = ScanRows(bytes, request, Options(true, true, seed));
  for (const auto* rows : {&plain, &fast, &pruned}) {
    ++outcomes[rows->status().code()];
    if (!IsExpected(rows->status().code())) {
      return request.where->ToSql() + ": " + rows->status().ToString();
    }
  }
  if (plain && fast && *plain != *fast) {
    return fmt::format("{}: {} rows with everything off, {} with everything on",
                       request.where->ToSql(), plain->size(), fast->size());
  }
  return "";
}

}  // namespace
}  // namespace sluice::support

int main(int argc, char** argv) {
  using namespace sluice::support;
  return RunOnDamagedFiles(argc, argv, {.usual = 10, .many = 100}, ScanOne);
}
