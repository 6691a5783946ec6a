// The least and the greatest value of a column, by metadata as far as that proves them.

#include <fmt/format.h>
#include <sluice/scan.h>

#include <algorithm>
#include <mutex>
#include <string_view>
#include <utility>

#include "engine/scan/opened_plan.h"
#include "engine/scan/unit_scan.h"
#include "engine/split/column_filters.h"
#include "format/model/evaluate.h"
#include "format/model/try.h"
#include "format/model/widen.h"

namespace sluice::inline v0 {

namespace {

using engine::FilePredicate;
using engine::JudgedUnit;
using engine::OutputSource;

/// The bytes of a row that is not null, as Value::bytes; `boolean` is where those of a boolean lie.
std::string_view BytesAt(const Column& column, int64_t row, char* boolean) {
  const auto [values, index] = ResolveValue(column, row);
  if (values->form == ColumnForm::kView) return values->Bytes(index);
  if (values->type->id == TypeId::kBoolean) {
    *boolean = GetBit(values->values<uint64_t>(), index) ? 1 : 0;
    return {boolean, 1};
  }
  const auto width = static_cast<size_t>(values->type->byte_width);
  return {values->data->as<char>() + static_cast<size_t>(index) * width, width};
}

bool HasUnknown(const FilterNode& node) {
  return node.kind == FilterNode::Kind::kUnknown ||
         std::any_of(node.children.begin(), node.children.end(), HasUnknown);
}

/// Whether a predicate may be an error for some row, as far as its tree and its columns tell.
bool MayBeError(const FilePredicate& predicate) {
  return HasUnknown(predicate.tree) ||
         std::any_of(predicate.sources.begin(), predicate.sources.end(),
                     [](const FilePredicate::Source& source) { return source.widened != nullptr; });
}

/// Where the output's one column comes from, as a source of evidence.
FilePredicate::Source SourceOf(const engine::FilePlan& file) {
  using Kind = FilePredicate::Source::Kind;
  const OutputSource& source = file.output[0];
  if (source.kind == OutputSource::Kind::kRowNumber) return {Kind::kRowNumber, -1, {}};
  if (source.kind == OutputSource::Kind::kRowGroup) return {Kind::kRowGroup, -1, {}};
  const auto& nodes = file.open.reader->tree()->nodes();
  const auto ordinal = static_cast<size_t>(source.mapping.ordinal);
  return {Kind::kLeaf, nodes[static_cast<size_t>(nodes[0].children[ordinal])].first_leaf, {}};
}

/// What is known of the output's one column in a row group, in its type there.
Evidence EvidenceOf(const JudgedUnit& unit) {
  const engine::FilePlan& file = *unit.file;
  const OutputSource& source = file.output[0];
  if (source.kind == OutputSource::Kind::kConstant) {
    return Evidence::OfConstant(ValueAt(source.constant, 0));
  }
  if (source.kind == OutputSource::Kind::kFile && !source.mapping.is_read()) {
    return Evidence::OfConstant(ValueAt(*source.mapping.constant, 0));
  }
  // Of a predicate that is the same for every row, so that no more is read.
  FilePredicate asked;
  asked.sources = {SourceOf(file)};
  engine::RowGroupJudge judge(asked, file.scan->options, *file.open.reader);
  const int64_t first_row = file.first_rows[static_cast<size_t>(unit.row_group)];
  if (!judge.Judge(unit.row_group, first_row)) {
    return Evidence::Missing(EvidenceSource::kNone, Reason::kNoEvidence);
  }
  Evidence evidence = judge.evidence()[0];
  const DataType& type = file.scan->output_schema->fields[0].type;
  WidenEvidence(evidence, std::make_shared<const DataType>(type));
  return evidence;
}

/// Whether values of the output's one column may have no counterpart in its type, as far as is
/// known of them there.
bool MayMisfit(const engine::FilePlan& file, const Evidence& evidence) {
  const OutputSource& source = file.output[0];
  if (source.kind != OutputSource::Kind::kFile || !source.mapping.is_read()) return false;
  const auto& columns = file.open.reader->schema()->fields;
  const DataType& stored = columns[static_cast<size_t>(source.mapping.ordinal)].type;
  if (IsTotalWidening(stored, file.scan->output_schema->fields[0].type)) return false;
  const bool has_values = evidence.nulls.share != Occurrence::Share::kAll;
  return has_values && (!evidence.lower || !evidence.upper);
}

/// The least and the greatest of some values.
class Seen {
 public:
  explicit Seen(const DataType& type) : type_(type) {}

  void Add(std::string_view value) {
    if (!minimum_ || CompareValues(type_, value, *minimum_) < 0) minimum_ = value;
    if (!maximum_ || CompareValues(type_, value, *maximum_) > 0) maximum_ = value;
  }
  void Add(const Seen& others) {
    if (!others.minimum_) return;
    Add(*others.minimum_);
    Add(*others.maximum_);
  }
  /// Passes the values that change it.
  ColumnFilter Changing() const {
    ColumnFilter any;
    any.type = type_;
    if (!minimum_) return any;
    const ValueRange between{ValueBound{*minimum_, true}, ValueBound{*maximum_, true}};
    return engine::ComplementOf(engine::FilterOfRange(type_, between), false);
  }
  Extremes Finish() && {
    Extremes found;
    if (minimum_) found.minimum = Value{type_, *std::move(minimum_)};
    if (maximum_) found.maximum = Value{type_, *std::move(maximum_)};
    return found;
  }

 private:
  const DataType& type_;
  std::optional<std::string> minimum_;
  std::optional<std::string> maximum_;
};

/// Threads: thread-safe, but for Finish.
class Search {
 public:
  explicit Search(DataType type) : type_(std::move(type)) {}

  /// Whether rows of a row group may change the extremes, or be errors. What is known of it is
  /// added, where all of its rows are there and pass.
  bool Wants(const JudgedUnit& unit) {
    const bool all_pass = unit.decision.verdict.outcome == Verdict::Outcome::kAll;
    if (!all_pass && MayBeError(unit.file->predicate)) return true;
    const Evidence evidence = EvidenceOf(unit);
    // Also where no value of the type could change them any more.
    if (MayMisfit(*unit.file, evidence)) return true;
    const std::lock_guard lock(mutex_);
    if (all_pass && unit.bounds.least == unit.num_rows) {
      for (const auto& proven : {ProvenMinimum(evidence), ProvenMaximum(evidence)}) {
        if (proven) seen_.Add(*proven->bytes);
      }
    }
    return Evaluate(seen_.Changing(), evidence).outcome != Verdict::Outcome::kNone;
  }
  void AddRows(const Column& column) {
    Seen rows(type_);
    char boolean = 0;
    for (int64_t row = 0; row < column.length; ++row) {
      if (!column.IsNull(row)) rows.Add(BytesAt(column, row, &boolean));
    }
    const std::lock_guard lock(mutex_);
    seen_.Add(rows);
  }
  Extremes Finish() && { return std::move(seen_).Finish(); }

 private:
  const DataType type_;
  std::mutex mutex_;  ///< For what follows.
  Seen seen_{type_};
};

}  // namespace

Result<Extremes> FindExtremes(std::vector<ScanFile> files, ScanRequest request, ScanOptions options,
                              ScanCounters* counters) {
  if (request.limit != INT64_MAX) return Status::InvalidArgument("extremes have no limit");
  options.lazy_columns = false;
  SLUICE_TRY(auto opened, engine::OpenPlan(files, std::move(request), std::move(options)));
  engine::ScanPlan& plan = *opened.plan;
  const std::vector<Field>& fields = plan.output_schema->fields;
  if (fields.size() != 1 || !IsOrdered(fields[0].type)) {
    return Status::InvalidArgument("extremes are of one column, of a type that has an order");
  }
  Search search(fields[0].type);
  if (plan.options.use_statistics && !plan.options.read.read_everything) {
    plan.wants_statistics = true;
    plan.is_wanted = [&](const JudgedUnit& unit) { return search.Wants(unit); };
    // Footers that were read without a predicate lack statistics.
    if (!plan.request.where) opened.open.clear();
  }
  const std::unique_ptr<Scan> scan = Scan::Start(std::move(opened), std::move(files));
  for (;;) {
    SLUICE_TRY(const auto batch, scan->Next());
    if (!batch) break;
    search.AddRows(batch->batch.columns[0]);
  }
  if (counters != nullptr) *counters = scan->counters();
  return std::move(search).Finish();
}

}  // namespace sluice::inline v0
