#include "engine/scan/file_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "engine/evaluate/native_value.h"
#include "engine/scan/row_columns.h"
#include "format/model/evaluate.h"
#include "format/model/file_place.h"
#include "format/model/try.h"
#include "format/model/widen.h"
#include "format/parquet/check_cancelled.h"

namespace sluice::inline v0::engine {

namespace {

void AddColumns(const Expression& expression, std::vector<std::string>& names) {
  if (expression.kind == Expression::Kind::kColumn) names.push_back(expression.path.front());
  for (const Expression& child : expression.children) AddColumns(child, names);
}

/// The bytes of a value as those of a constant.
std::optional<std::string> ConstantBytes(const Value& value) {
  if (value.is_null() || value.type.id != TypeId::kInterval) return value.bytes;
  const Interval interval = LoadInterval(value.bytes->data());
  return std::string(reinterpret_cast<const char*>(&interval), sizeof(interval));
}

OutputSource SourceOf(const ScanPlan& scan, const TableInFile& table, size_t output) {
  using Kind = OutputSource::Kind;
  const int32_t column = scan.output[output].table_column;
  switch (scan.VirtualColumnOf(column)) {
    case VirtualColumn::kFilePath:
      return {Kind::kConstant,
              {},
              ConstantOf({VirtualColumnType(VirtualColumn::kFilePath), table.path()})};
    case VirtualColumn::kRowNumber:
      return {Kind::kRowNumber, {}, {}};
    case VirtualColumn::kRowGroup:
      return {Kind::kRowGroup, {}, {}};
    case VirtualColumn::kNone:
      break;
  }
  if (const Value* constant = table.ConstantOf(column)) {
    // Of a struct perhaps not every field is asked for.
    return {Kind::kConstant, {}, ConstantOf({scan.output[output].field.type, constant->bytes})};
  }
  return {Kind::kFile, table.output()[output], {}};
}

}  // namespace

BoundExpression ExpressionInFile(const ScanPlan& scan, const TableInFile& table,
                                 const ColumnPath& path) {
  const int32_t num_columns = table.num_file_columns();
  const DataType& type = TypeAt(*scan.columns, path);
  switch (scan.VirtualColumnOf(path[0])) {
    case VirtualColumn::kFilePath:
      return BoundExpression::Constant(type, table.path());
    case VirtualColumn::kRowNumber:
      return BoundExpression::Column({num_columns + kRowNumberBehind}, type);
    case VirtualColumn::kRowGroup:
      return BoundExpression::Column({num_columns + kRowGroupBehind}, type);
    case VirtualColumn::kNone:
      break;
  }
  const Value* constant = table.ConstantOf(path[0]);
  if (constant != nullptr && !constant->is_null()) {
    return BoundExpression::Constant(type, ConstantBytes(*constant));
  }
  const TableInFile::Place* place = constant == nullptr ? table.Find(path) : nullptr;
  if (place == nullptr) {
    return BoundExpression::Constant(type.is_nested() ? DataType::Of(TypeId::kBoolean) : type,
                                     std::nullopt);
  }
  BoundExpression column = BoundExpression::Column(place->path, place->type);
  const bool is_same = type.is_nested() || place->type == type;
  return is_same ? column : BoundExpression::Widen(std::move(column), type);
}

std::optional<std::vector<std::string>> NamesAsked(const ScanRequest& request,
                                                   const ScanOptions& options) {
  // Names that match in any case are not known before the schema is, nor are the file's own where
  // columns are matched by something else.
  const bool are_known = request.columns && options.match == ColumnMatch::kName &&
                         !(request.where && options.ignore_case);
  if (!are_known) return std::nullopt;
  std::vector<std::string> names;
  for (const parquet::ColumnPath& path : *request.columns) {
    if (!path.empty()) names.push_back(path.front());
  }
  if (request.where) AddColumns(*request.where, names);
  return names;
}

parquet::FooterOptions FooterFor(const ScanRequest& request, const ScanOptions& options,
                                 bool wants_statistics) {
  parquet::FooterOptions footer;
  if (!options.partial_footer) return footer;
  footer.statistics = wants_statistics;
  footer.columns = NamesAsked(request, options);
  return footer;
}

const std::string& NameOf(const ScanFile& file) {
  return file.path.empty() && file.file ? file.file->name() : file.path;
}

Result<OpenFile> OpenScanFile(const ScanFile& file, const parquet::FooterOptions& footer,
                              const ScanOptions& options) {
  SLUICE_RETURN_IF_ERROR(parquet::CheckCancelled(options.read));
  OpenFile open;
  open.bytes = file.file;
  if (!open.bytes) {
    SLUICE_TRY(open.bytes, OpenLocalFile(file.path, options.open));
  }
  SLUICE_TRY(open.reader, parquet::FileReader::Open(open.bytes, options.read, footer));
  SLUICE_RETURN_IF_ERROR(parquet::CheckCancelled(options.read));
  return open;
}

namespace {

/// What a caller knows of a column, as evidence of the table's type. Its bytes are no more to be
/// trusted than those of a file.
Evidence KnownOfColumn(Evidence known, const DataType& type) {
  if (!known.type) {
    AllowUnknownWidening(known, type);
    return known;
  }
  const bool is_boolean = known.type->id == TypeId::kBoolean;
  const auto width = static_cast<size_t>(is_boolean ? 1 : known.type->byte_width);
  const auto check = [&](std::optional<EvidenceBound>& bound, Reason& missing) {
    if (!bound || width == 0 || bound->value.size() == width) return;
    bound.reset();
    missing = Reason::kBoundMalformed;
  };
  check(known.lower, known.lower_missing);
  check(known.upper, known.upper_missing);
  WidenEvidence(known, std::make_shared<const DataType>(type));
  AllowUnknownWidening(known, type);
  return known;
}

}  // namespace

std::vector<Evidence> EvidenceOfFile(const ScanPlan& plan, const ScanFile& file) {
  std::vector<Evidence> evidence;
  for (const ColumnPath& path : plan.tree_columns) {
    evidence.push_back(Evidence::Missing(EvidenceSource::kNone, Reason::kNoEvidence));
    if (path.size() != 1) continue;
    const Field& field = plan.columns->fields[static_cast<size_t>(path[0])];
    if (plan.VirtualColumnOf(path[0]) == VirtualColumn::kFilePath) {
      evidence.back() = Evidence::OfConstant({field.type, NameOf(file)});
    }
    if (plan.VirtualColumnOf(path[0]) != VirtualColumn::kNone) continue;
    const auto is_field = [&](const auto& one) { return one.first == field.name; };
    const auto constant = std::find_if(file.constants.begin(), file.constants.end(), is_field);
    if (constant != file.constants.end()) {
      const auto value = WidenedValue(constant->second, field.type);
      if (value) evidence.back() = Evidence::OfConstant(*value);
      continue;
    }
    const auto known = std::find_if(file.statistics.begin(), file.statistics.end(), is_field);
    if (known != file.statistics.end()) evidence.back() = KnownOfColumn(known->second, field.type);
  }
  return evidence;
}

Verdict JudgeFile(const ScanPlan& plan, const ScanFile& file) {
  if (!plan.options.use_file_statistics) return {};
  return Evaluate(plan.tree, EvidenceOfFile(plan, file));
}

namespace {

Result<std::shared_ptr<const ColumnStages>> MakeStages(const FilePlan& plan,
                                                       const std::vector<size_t>& conjuncts,
                                                       bool expects_few) {
  const ScanOptions& options = plan.scan->options;
  const bool is_late = options.late_materialization && expects_few && !options.read.read_everything;
  Lateness lateness = is_late ? Lateness::kRows : Lateness::kNone;
  if (options.lazy_columns) lateness = Lateness::kAsked;
  SLUICE_TRY(ColumnStages stages, PlanStages(plan.open.reader->tree(), plan.output, plan.predicate,
                                             conjuncts, lateness));
  return std::make_shared<const ColumnStages>(std::move(stages));
}

}  // namespace

Result<std::shared_ptr<const ColumnStages>> FilePlan::StagesFor(
    const std::vector<size_t>& conjuncts, bool expects_few) const {
  if (conjuncts.empty()) return whole;
  if (conjuncts.size() == predicate.residual.size()) return expects_few ? late : at_once;
  return MakeStages(*this, conjuncts, expects_few);
}

Result<std::shared_ptr<const FilePlan>> MakeFilePlan(std::shared_ptr<const ScanPlan> scan,
                                                     const ScanFile& file, int32_t ordinal,
                                                     std::optional<OpenFile> open, bool is_proven) {
  auto plan = std::make_shared<FilePlan>();
  if (open) {
    plan->open = *std::move(open);
  } else {
    const auto footer = FooterFor(scan->request, scan->options, scan->wants_statistics);
    SLUICE_TRY(plan->open, OpenScanFile(file, footer, scan->options));
  }
  const parquet::FileReader& reader = *plan->open.reader;
  plan->first_rows.push_back(0);
  for (const parquet::RowGroup& group : reader.metadata()->row_groups) {
    plan->first_rows.push_back(plan->first_rows.back() + group.num_rows);
  }
  // fault D10
  if (file.deleted && file.deleted->end() > plan->first_rows.back()) {
    return Status::InvalidArgument(fmt::format("row {} is deleted of a file of {} rows",
                                               file.deleted->end() - 1, plan->first_rows.back()))
        .In(FilePlace(NameOf(file)));
  }
  auto made = TableInFile::Make(*scan, file, *reader.schema());
  if (!made) return made.error().In(FilePlace(NameOf(file)));
  const TableInFile& table = *made;
  plan->predicate = PredicateOfFile(
      is_proven ? BoundExpression::Boolean(true) : scan->predicate,
      [&](const ColumnPath& path) { return ExpressionInFile(*scan, table, path); }, *reader.tree(),
      scan->options.use_filters);
  for (size_t i = 0; i < scan->output.size(); ++i) {
    plan->output.push_back(SourceOf(*scan, table, i));
  }
  plan->scan = std::move(scan);
  std::vector<size_t> residual(plan->predicate.residual.size());
  std::iota(residual.begin(), residual.end(), size_t{0});
  SLUICE_TRY(plan->whole, MakeStages(*plan, {}, true));
  SLUICE_TRY(plan->late, MakeStages(*plan, residual, true));
  SLUICE_TRY(plan->at_once, MakeStages(*plan, residual, false));
  plan->file = &file;
  plan->ordinal = ordinal;
  return std::shared_ptr<const FilePlan>(std::move(plan));
}

Status AddRows(const FilePlan& file, int64_t& rows) {
  const int64_t added = file.first_rows.back();
  if (added > INT64_MAX - rows) {
    return Status::Unsupported(
               fmt::format("{} rows behind {} are more than a scan can count", added, rows))
        .In(FilePlace(NameOf(*file.file)));
  }
  rows += added;
  return Status::Ok();
}

}  // namespace sluice::inline v0::engine
