// Two scans of the same files compared row by row, and the search for what makes them differ.

#include <sluice/optimizations.h>
#include <sluice/verify.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/explain/explain_file.h"
#include "engine/explain/list_pages.h"
#include "engine/explain/row_stream.h"
#include "engine/scan/file_plan.h"
#include "format/model/try.h"

namespace sluice::inline v0 {

namespace {

using engine::RowStream;

/// Where a row is; files and positions ascend in a scan.
struct Place {
  int32_t file = 0;
  int64_t position = 0;
  int32_t row_group = 0;

  auto operator<=>(const Place& other) const {
    return std::tie(file, position) <=> std::tie(other.file, other.position);
  }
  bool operator==(const Place& other) const = default;
};

void Drain(RowStream& rows) {
  while (rows.Next()) {
  }
}

/// Two scans side by side.
class Comparison {
 public:
  static Result<Comparison> Open(const std::vector<ScanFile>& files, const ScanRequest& request,
                                 const ScanOptions& pruned, const ScanOptions& full) {
    SLUICE_TRY(RowStream pruned_rows, RowStream::Open(files, request, pruned));
    SLUICE_TRY(RowStream full_rows, RowStream::Open(files, request, full));
    return Comparison(std::move(pruned_rows), std::move(full_rows));
  }

  /// Compares up to the end, or to the end of the first row group that differs, or of `last`.
  /// Errors: those of the full scan alone, which say nothing of the rows.
  Status Run(const std::optional<Place>& last);

  /// Counters are exact where there is none.
  const std::optional<ScanDifference>& difference() const { return difference_; }
  const Status& common_error() const { return common_error_; }
  int64_t rows_compared() const { return rows_compared_; }
  const ScanCounters& pruned_counters() const { return pruned_.counters(); }
  const ScanCounters& full_counters() const { return full_.counters(); }

 private:
  Comparison(RowStream pruned, RowStream full)
      : pruned_(std::move(pruned)), full_(std::move(full)) {}

  static Place PlaceOf(const RowStream& rows) {
    return {rows.file(), rows.position(), rows.row_group()};
  }
  void Compare(const Place& place, bool is_in_pruned, bool is_in_full);
  Status CompareErrors();

  RowStream pruned_;
  RowStream full_;
  std::optional<ScanDifference> difference_;
  Status common_error_;
  int64_t rows_compared_ = 0;
};

Status Comparison::Run(const std::optional<Place>& last) {
  bool has_pruned = pruned_.Next();
  bool has_full = full_.Next();
  while (has_pruned || has_full) {
    // Behind an error rows are not missing.
    if (!pruned_.error().ok() || !full_.error().ok()) break;
    Place place;
    if (has_pruned && has_full) {
      place = std::min(PlaceOf(pruned_), PlaceOf(full_));
    } else {
      place = PlaceOf(has_pruned ? pruned_ : full_);
    }
    const auto is_behind = [&](int32_t file, int32_t row_group) {
      return std::tie(place.file, place.row_group) > std::tie(file, row_group);
    };
    if (difference_ && is_behind(difference_->file, difference_->row_group)) break;
    if (last && is_behind(last->file, last->row_group)) break;
    const bool is_in_pruned = has_pruned && PlaceOf(pruned_) == place;
    const bool is_in_full = has_full && PlaceOf(full_) == place;
    Compare(place, is_in_pruned, is_in_full);
    if (is_in_pruned) has_pruned = pruned_.Next();
    if (is_in_full) has_full = full_.Next();
  }
  return difference_ ? Status::Ok() : CompareErrors();
}

void Comparison::Compare(const Place& place, bool is_in_pruned, bool is_in_full) {
  std::string pruned_row = is_in_pruned ? pruned_.Text() : "";
  std::string full_row = is_in_full ? full_.Text() : "";
  if (is_in_pruned && is_in_full && pruned_row == full_row) {
    ++rows_compared_;
    return;
  }
  if (!difference_) {
    difference_.emplace();
    difference_->file = place.file;
    difference_->row_group = place.row_group;
    difference_->rows.begin = place.position;
    difference_->pruned_row = std::move(pruned_row);
    difference_->full_row = std::move(full_row);
  }
  difference_->rows.end = place.position + 1;
  if (!is_in_pruned) {
    ++difference_->missing;
  } else if (!is_in_full) {
    ++difference_->extra;
  } else {
    ++difference_->changed;
  }
}

Status Comparison::CompareErrors() {
  // Damage is met earlier by who reads more at once, so that the other may have rows before it.
  if (!pruned_.error().ok()) Drain(full_);
  if (!full_.error().ok()) Drain(pruned_);
  const Status& pruned = pruned_.error();
  const Status& full = full_.error();
  if (pruned.ok() && full.ok()) return Status::Ok();
  const bool is_of_row = full.code() == StatusCode::kRowError;
  // Which row it is must be the same; where damaged bytes are met first need not be.
  const bool are_alike =
      pruned.code() == full.code() && (!is_of_row || pruned.message() == full.message());
  if (are_alike) {
    common_error_ = full;
    return Status::Ok();
  }
  if (pruned.ok() && !is_of_row) return full.In("with every optimisation off");
  difference_.emplace();
  difference_->pruned_error = pruned;
  difference_->full_error = full;
  return Status::Ok();
}

/// What can be switched off, "threads" behind the optimisations.
struct Rule {
  std::string name;
  void SwitchOff(ScanOptions& options) const {
    if (optimization != nullptr) {
      optimization->option(options) = false;
    } else {
      options.threads = 1;
    }
  }
  const Optimization* optimization = nullptr;
};

std::vector<Rule> RulesOf(ScanOptions options) {
  std::vector<Rule> rules;
  for (const Optimization& one : Optimizations()) {
    if (one.option(options)) rules.push_back({std::string(one.name), &one});
  }
  if (options.threads > 1) rules.push_back({"threads", nullptr});
  return rules;
}

class Verifier {
 public:
  Verifier(std::vector<ScanFile> files, ScanRequest request, ScanOptions options)
      : files_(std::move(files)), request_(std::move(request)), options_(std::move(options)) {
    full_options_ = options_;
    for (const Rule& rule : RulesOf(full_options_)) rule.SwitchOff(full_options_);
  }

  Result<Verification> Run();

 private:
  /// Makes the files that a difference was found in the only ones.
  void Narrow(ScanDifference& difference);
  Status FindRules(ScanDifference& difference);
  /// Whether the scans do not differ, up to the place of the difference.
  Result<bool> IsEqualWithout(const std::vector<Rule>& rules);
  Status AddPages(ScanDifference& difference) const;

  std::vector<ScanFile> files_;
  ScanRequest request_;
  ScanOptions options_;
  ScanOptions full_options_;
  std::optional<Place> last_;
};

Result<Verification> Verifier::Run() {
  if (!options_.read.pool) options_.read.pool = full_options_.read.pool = BufferPool::Make();
  if (!request_.schema) {
    // The files' own, for what is scanned again in part.
    SLUICE_TRY(const auto scan, Scan::Open(files_, request_, options_));
    request_.schema = scan->table_schema();
  }
  SLUICE_TRY(Comparison comparison, Comparison::Open(files_, request_, options_, full_options_));
  SLUICE_RETURN_IF_ERROR(comparison.Run(std::nullopt));
  Verification verification;
  verification.difference = comparison.difference();
  verification.error = comparison.common_error();
  verification.rows_compared = comparison.rows_compared();
  verification.pruned = comparison.pruned_counters();
  verification.full = comparison.full_counters();
  if (!verification.difference) return verification;
  ScanDifference& difference = *verification.difference;
  if (difference.file >= 0) {
    difference.path = engine::NameOf(files_[static_cast<size_t>(difference.file)]);
    SLUICE_RETURN_IF_ERROR(AddPages(difference));
    Narrow(difference);
  }
  SLUICE_RETURN_IF_ERROR(FindRules(difference));
  return verification;
}

void Verifier::Narrow(ScanDifference& difference) {
  const auto file = static_cast<size_t>(difference.file);
  last_ = Place{difference.file, difference.rows.begin, difference.row_group};
  files_.resize(file + 1);
  // The rows of the files before count for the limit.
  if (request_.limit != INT64_MAX) return;
  files_ = {std::move(files_[file])};
  last_->file = 0;
}

Result<bool> Verifier::IsEqualWithout(const std::vector<Rule>& rules) {
  ScanOptions options = options_;
  for (const Rule& rule : rules) rule.SwitchOff(options);
  SLUICE_TRY(Comparison comparison, Comparison::Open(files_, request_, options, full_options_));
  SLUICE_RETURN_IF_ERROR(comparison.Run(last_));
  return !comparison.difference();
}

Status Verifier::FindRules(ScanDifference& difference) {
  const std::vector<Rule> all = RulesOf(options_);
  for (const Rule& rule : all) {
    SLUICE_TRY(const bool is_equal, IsEqualWithout({rule}));
    if (is_equal) difference.rules.push_back(rule.name);
  }
  if (!difference.rules.empty()) return Status::Ok();
  std::vector<Rule> off;
  bool is_equal = false;
  for (size_t i = 0; i < all.size() && !is_equal; ++i) {
    off.push_back(all[i]);
    SLUICE_TRY(is_equal, IsEqualWithout(off));
  }
  if (!is_equal) return Status::Ok();
  // Those that need not be off are on again.
  for (size_t i = 0; i < off.size();) {
    std::vector<Rule> fewer = off;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    SLUICE_TRY(const bool is_still_equal, IsEqualWithout(fewer));
    if (is_still_equal) {
      off = std::move(fewer);
    } else {
      ++i;
    }
  }
  for (const Rule& rule : off) difference.rules.push_back(rule.name);
  difference.are_needed_together = true;
  return Status::Ok();
}

Status Verifier::AddPages(ScanDifference& difference) const {
  SLUICE_TRY(auto plan, engine::MakeScanPlan(request_.schema, request_, full_options_));
  SLUICE_TRY(const auto file,
             engine::MakeFilePlan(std::move(plan), files_[static_cast<size_t>(difference.file)],
                                  difference.file, std::nullopt, false));
  FileExplanation explanation;
  SLUICE_RETURN_IF_ERROR(engine::ExplainFile(*file, {}, false, explanation));
  const auto group = static_cast<size_t>(difference.row_group);
  const int64_t row = difference.rows.begin - file->first_rows[group];
  CountedMemory memory;
  for (const ColumnRoles& column : explanation.columns) {
    if (!column.is_filtered && !column.is_judged && !column.is_in_residual) continue;
    std::vector<PageExplanation> pages;
    // What cannot be listed is not told of.
    static_cast<void>(engine::ListPages(*file->open.reader, difference.row_group, column.leaf,
                                        nullptr, memory, pages));
    for (size_t i = 0; i < pages.size(); ++i) {
      const std::optional<RowRange>& rows = pages[i].rows;
      if (!rows || row < rows->begin || row >= rows->end) continue;
      difference.pages.push_back({column.path, static_cast<int32_t>(i), *rows});
    }
  }
  return Status::Ok();
}

}  // namespace

Result<Verification> VerifyScan(std::vector<ScanFile> files, ScanRequest request,
                                ScanOptions options) {
  options.ordered = true;
  options.lazy_columns = false;
  return Verifier(std::move(files), std::move(request), std::move(options)).Run();
}

}  // namespace sluice::inline v0
