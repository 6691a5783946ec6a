// The least and the greatest value of a column, by metadata as far as that proves them.

#include <fmt/format.h>
#include <sluice/scan.h>

#include <string_view>
#include <utility>

#include "engine/scan/file_queue.h"
#include "engine/scan/opened_plan.h"
#include "engine/scan/unit_scan.h"
#include "format/model/try.h"
#include "format/parquet/leaf_evidence.h"

namespace sluice::inline v0 {

namespace {

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

/// The extremes of what was seen so far.
class Search {
 public:
  explicit Search(DataType type) : type_(std::move(type)) {}

  void Add(std::string_view value) {
    if (!minimum_ || CompareValues(type_, value, *minimum_) < 0) minimum_ = value;
    if (!maximum_ || CompareValues(type_, value, *maximum_) > 0) maximum_ = value;
  }
  void AddRows(const Column& column) {
    char boolean = 0;
    for (int64_t row = 0; row < column.length; ++row) {
      if (!column.IsNull(row)) Add(BytesAt(column, row, &boolean));
    }
  }
  /// Whether rows of which this is known change nothing.
  bool HasAllOf(const Evidence& evidence) const {
    if (evidence.nulls.share == Occurrence::Share::kAll) return true;
    if (!minimum_ || !evidence.lower || !evidence.upper) return false;
    // NaN is above every bound but those that count it.
    const bool are_covered = !IsFloating(type_) || evidence.bounds_cover_nan ||
                             evidence.nans.share == Occurrence::Share::kNone ||
                             IsNan(type_, *maximum_);
    return are_covered && CompareValues(type_, *minimum_, evidence.lower->value) <= 0 &&
           CompareValues(type_, *maximum_, evidence.upper->value) >= 0;
  }
  Extremes Finish() && {
    Extremes found;
    if (minimum_) found.minimum = Value{type_, *std::move(minimum_)};
    if (maximum_) found.maximum = Value{type_, *std::move(maximum_)};
    return found;
  }

 private:
  DataType type_;
  std::optional<std::string> minimum_;
  std::optional<std::string> maximum_;
};

/// What is known of the output's one column in a row group.
Evidence EvidenceOf(const JudgedUnit& unit) {
  const engine::FilePlan& file = *unit.file;
  const OutputSource& source = file.output[0];
  const auto& columns = *file.scan->output_schema;
  Evidence evidence = Evidence::Missing(EvidenceSource::kNone, Reason::kNoEvidence);
  switch (source.kind) {
    case OutputSource::Kind::kConstant:
      return Evidence::OfConstant(ValueAt(source.constant, 0));
    case OutputSource::Kind::kRowNumber: {
      const int64_t first = file.first_rows[static_cast<size_t>(unit.row_group)];
      return engine::EvidenceOfRange(columns.fields[0].type, first, first + unit.num_rows - 1);
    }
    case OutputSource::Kind::kRowGroup:
      return engine::EvidenceOfRange(columns.fields[0].type, unit.row_group, unit.row_group);
    case OutputSource::Kind::kFile:
      break;
  }
  if (file.whole->places[0].stage == engine::ColumnStages::Place::Stage::kNone) {
    return Evidence::OfConstant(Value::Null(columns.fields[0].type));
  }
  const bool is_known = file.scan->options.use_statistics &&
                        !file.scan->options.read.read_everything && source.mapping.is_identity;
  if (!is_known) return evidence;
  const parquet::FileReader& reader = *file.open.reader;
  const auto& group = reader.metadata()->row_groups[static_cast<size_t>(unit.row_group)];
  const auto& nodes = reader.tree()->nodes();
  const int32_t leaf =
      nodes[static_cast<size_t>(nodes[0].children[static_cast<size_t>(source.mapping.ordinal)])]
          .first_leaf;
  if (leaf >= std::ssize(group.columns) || !group.columns[static_cast<size_t>(leaf)].is_present) {
    return evidence;
  }
  return parquet::LeafEvidence(*reader.metadata(), *reader.tree(), leaf).OfChunk(group);
}

/// Adds the rows of a row group, by what is known of them where that is enough.
Status AddUnit(JudgedUnit unit, engine::ScanFeedback& feedback, Search& search,
               ScanCounters& counters) {
  const Evidence evidence = EvidenceOf(unit);
  const bool is_whole = unit.bounds.least == unit.num_rows;
  const auto minimum = ProvenMinimum(evidence);
  const auto maximum = ProvenMaximum(evidence);
  if (is_whole && unit.num_rows > 0 && minimum && maximum) {
    search.Add(*minimum->bytes);
    search.Add(*maximum->bytes);
    unit.is_settled = true;
  } else if (search.HasAllOf(evidence)) {
    unit.is_settled = true;
  }
  if (unit.is_settled) {
    counters += unit.counters;
    counters.rows_not_reached += unit.selection.count();
    return Status::Ok();
  }
  engine::UnitScan scan(std::move(unit), &feedback);
  for (;;) {
    ScanBatch batch;
    SLUICE_TRY(const ScanOutcome outcome, scan.Step(INT64_MAX, &batch));
    if (outcome == ScanOutcome::kDone) break;
    if (outcome == ScanOutcome::kBatch) search.AddRows(batch.batch.columns[0]);
  }
  SLUICE_RETURN_IF_ERROR(scan.Finish(false));
  counters += scan.counters();
  return Status::Ok();
}

}  // namespace

Result<Extremes> FindExtremes(std::vector<ScanFile> files, ScanRequest request, ScanOptions options,
                              ScanCounters* counters) {
  if (request.limit != INT64_MAX) return Status::InvalidArgument("extremes have no limit");
  options.lazy_columns = false;
  SLUICE_TRY(auto opened, engine::OpenPlan(files, std::move(request), std::move(options)));
  auto& [plan, open] = opened;
  // Statistics are wanted, also without a predicate.
  if (!plan->request.where) open.clear();
  const std::vector<Field>& fields = plan->output_schema->fields;
  if (fields.size() != 1 || !IsOrdered(fields[0].type)) {
    return Status::InvalidArgument("extremes are of one column, of a type that has an order");
  }
  plan->wants_statistics = plan->options.use_statistics;
  Search search(fields[0].type);
  engine::FileQueue queue(plan, files, std::move(open));
  engine::ScanFeedback feedback;
  ScanCounters sum;
  for (;;) {
    SLUICE_TRY(auto place, queue.Next());
    if (!place) break;
    SLUICE_TRY(JudgedUnit unit, engine::JudgeUnit(std::move(place->file), place->row_group));
    SLUICE_RETURN_IF_ERROR(AddUnit(std::move(unit), feedback, search, sum));
  }
  sum += queue.counters();
  if (counters != nullptr) *counters = sum;
  return std::move(search).Finish();
}

}  // namespace sluice::inline v0
