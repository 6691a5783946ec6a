// An explanation as one JSON object. Row groups, which there may be many of, are written one by
// one.

#include <sluice/explain.h>

#include <string>
#include <string_view>

#include "tools/explanation_writer.h"
#include "tools/one_line.h"
#include "tools/output.h"

namespace sluice::tools {
namespace {

constexpr size_t kFlushBytes = 256 << 10;

/// Names and texts of a file need not be UTF-8; JSON is.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// An object that is not empty, without its end.
std::string DumpOpen(const Json& json) {
  std::string text = Dump(json);
  text.pop_back();
  return text;
}

void PutVerdict(Json& json, const Verdict& verdict, const std::string& column) {
  json["verdict"] = OutcomeName(verdict.outcome);
  json["reason"] = ReasonName(verdict.reason);
  json["source"] = SourceName(verdict.source);
  if (!column.empty()) json["reason_column"] = column;
}

Json VerdictsJson(const ScanCounters::Verdicts& verdicts) {
  Json json = Json::array();
  for (const auto& [key, count] : verdicts) {
    const auto& [outcome, source, reason] = key;
    json.push_back({{"verdict", OutcomeName(outcome)},
                    {"source", SourceName(source)},
                    {"reason", ReasonName(reason)},
                    {"count", count}});
  }
  return json;
}

Json CountersJson(const ScanCounters& counters) {
  const parquet::ReadCounters& data = counters.data;
  return {{"files_considered", counters.files_considered},
          {"files_pruned", counters.files_pruned},
          {"file_verdicts", VerdictsJson(counters.file_verdicts)},
          {"row_groups_considered", counters.row_groups_considered},
          {"row_groups_pruned", counters.row_groups_pruned},
          {"row_groups_proven", counters.row_groups_proven},
          {"row_group_verdicts", VerdictsJson(counters.row_group_verdicts)},
          {"row_groups_late", counters.row_groups_late},
          {"row_groups_at_once", counters.row_groups_at_once},
          {"filter_reorders", counters.filter_reorders},
          {"rows_considered", counters.rows_considered},
          {"rows_pruned_by_row_group", counters.rows_pruned_by_row_group},
          {"rows_pruned_by_page", counters.rows_pruned_by_page},
          {"rows_deleted", counters.rows_deleted},
          {"rows_filtered", counters.rows_filtered},
          {"rows_rejected", counters.rows_rejected},
          {"rows_delivered", counters.rows_delivered},
          {"rows_not_reached", counters.rows_not_reached},
          {"metadata_bytes", counters.metadata_bytes},
          {"result_bytes", counters.result_bytes},
          {"bytes_requested", data.bytes_requested},
          {"bytes_fetched", data.bytes_fetched},
          {"bytes_decompressed", data.bytes_decompressed},
          {"pages_considered", counters.pages.considered},
          {"pages_pruned_by_index", counters.pages.pruned_by_index},
          {"pages_pruned_by_header", counters.pages.pruned_by_header},
          {"pages_pruned_by_dictionary", counters.pages.pruned_by_dictionary},
          {"pages_deleted", counters.pages.deleted},
          {"pages_unwanted", counters.pages.unwanted},
          {"pages_read", data.pages_read},
          {"pages_skipped", data.pages_skipped},
          {"pages_excluded", data.pages_excluded},
          {"pages_verified", data.pages_verified},
          {"values_decoded", data.values_decoded},
          {"values_skipped", data.values_skipped},
          {"open_nanoseconds", counters.open_nanoseconds},
          {"judge_nanoseconds", counters.judge_nanoseconds},
          {"filter_nanoseconds", counters.filter_nanoseconds},
          {"residual_nanoseconds", counters.residual_nanoseconds},
          {"read_nanoseconds", counters.read_nanoseconds}};
}

Json RangeJson(const RowRange& rows) { return {{"begin", rows.begin}, {"end", rows.end}}; }

Json FiltersJson(const std::vector<FilterExplanation>& filters) {
  Json json = Json::array();
  for (const FilterExplanation& filter : filters) {
    Json& one = json.emplace_back();
    one = {{"column", filter.column}, {"leaf", filter.leaf}, {"filter", filter.filter}};
    if (filter.needs_counterparts) one["needs_counterparts"] = true;
  }
  return json;
}

Json PlacementJson(const ConjunctPlacement& placement) {
  if (placement.folded) return {{"folded", *placement.folded}};
  Json json{{"filters", FiltersJson(placement.filters)}};
  if (!placement.residual.empty()) json["residual"] = placement.residual;
  return json;
}

Json ColumnsJson(const std::vector<ColumnRoles>& columns) {
  Json json = Json::array();
  for (const ColumnRoles& roles : columns) {
    json.push_back({{"column", roles.path},
                    {"leaf", roles.leaf},
                    {"is_filtered", roles.is_filtered},
                    {"is_in_residual", roles.is_in_residual},
                    {"is_delivered", roles.is_delivered},
                    {"is_judged", roles.is_judged}});
  }
  return json;
}

Json FileJson(const FileExplanation& file) {
  Json json{{"file", file.path}, {"is_reached", file.is_reached}};
  if (!file.is_reached) return json;
  PutVerdict(json, file.verdict, file.column);
  json["is_pruned"] = file.is_pruned;
  if (file.is_pruned) return json;
  json["rows"] = file.num_rows;
  json["leaves"] = file.num_leaves;
  json["columns"] = ColumnsJson(file.columns);
  json["placement"] = Json::array();
  for (const ConjunctPlacement& one : file.placement) {
    json["placement"].push_back(PlacementJson(one));
  }
  json["filters"] = FiltersJson(file.filters);
  if (!file.residual.empty()) json["residual"] = file.residual;
  json["pruning"] = FiltersJson(file.pruning);
  json["counters"] = CountersJson(file.counters);
  return json;
}

Json CheckJson(const EvidenceCheck& check) {
  Json json{{"filter", check.filter},
            {"source", SourceName(check.source)},
            {"state", CheckStateName(check.state)}};
  const bool was_looked_at = check.state == CheckState::kDecided ||
                             check.state == CheckState::kUndecided ||
                             check.state == CheckState::kUnusable;
  if (!was_looked_at) return json;
  if (check.source != EvidenceSource::kPage) json["verdict"] = OutcomeName(check.outcome);
  json["reason"] = ReasonName(check.reason);
  if (check.source == EvidenceSource::kPage) {
    json["pages"] = check.pages;
    json["pages_excluded"] = check.pages_excluded;
    json["pages_proven"] = check.pages_proven;
  }
  return json;
}

Json PageJson(const PageExplanation& page) {
  Json json{{"offset", page.offset}, {"bytes", page.bytes}, {"fate", FateName(page.fate)}};
  if (page.rows) {
    json["rows"] = RangeJson(*page.rows);
  } else {
    json["values"] = page.num_values;
  }
  for (const Verdict& verdict : page.verdicts) {
    Json one;
    PutVerdict(one, verdict, "");
    json["verdicts"].push_back(std::move(one));
  }
  return json;
}

Json ChunkJson(const ColumnRoles& column, const ChunkExplanation& chunk) {
  Json json{{"column", column.path}, {"bytes", chunk.bytes}};
  if (chunk.fate) {
    json["fate"] = FateName(*chunk.fate);
    return json;
  }
  Json counts = Json::object();
  for (size_t fate = 0; fate < kNumPageFates; ++fate) {
    if (chunk.page_counts[fate] == 0) continue;
    counts[std::string(FateName(static_cast<PageFate>(fate)))] = {
        {"pages", chunk.page_counts[fate]}, {"bytes", chunk.bytes_by_fate[fate]}};
  }
  json["fates"] = std::move(counts);
  json["pages"] = Json::array();
  for (const PageExplanation& page : chunk.pages) json["pages"].push_back(PageJson(page));
  if (!chunk.pages_error.ok()) json["pages_error"] = chunk.pages_error.ToString();
  return json;
}

Json RowGroupJson(const FileExplanation& file, const RowGroupExplanation& group) {
  Json json{{"row_group", group.row_group},
            {"rows", RangeJson(group.rows)},
            {"fate", FateName(group.fate)}};
  if (group.fate != RowGroupFate::kNotReached) PutVerdict(json, group.verdict, group.column);
  json["checks"] = Json::array();
  for (const EvidenceCheck& check : group.checks) json["checks"].push_back(CheckJson(check));
  json["filters"] = Json::array();
  for (const FilterUse& use : group.filters) {
    json["filters"].push_back({{"filter", use.filter},
                               {"is_proven", use.is_proven},
                               {"rows_undecided", use.rows_undecided},
                               {"rows_tested", use.rows_tested},
                               {"rows_passed", use.rows_passed},
                               {"nanoseconds", use.nanoseconds},
                               {"setup_nanoseconds", use.setup_nanoseconds}});
    if (use.place >= 0) json["filters"].back()["place"] = use.place;
  }
  if (!group.residual.empty()) json["residual"] = group.residual;
  if (group.is_late) json["is_late"] = *group.is_late;
  if (group.is_late && group.passing_share) json["passing_share"] = *group.passing_share;
  json["counters"] = CountersJson(group.counters);
  json["columns"] = Json::array();
  for (size_t column = 0; column < group.chunks.size(); ++column) {
    json["columns"].push_back(ChunkJson(file.columns[column], group.chunks[column]));
  }
  return json;
}

Status Flush(std::string& text, size_t least) {
  if (text.size() < least) return Status::Ok();
  const Status status = WriteOutput(text);
  text.clear();
  return status;
}

}  // namespace

Status WriteExplanationJson(const Explanation& explanation) {
  Json head{{"is_analyzed", explanation.is_analyzed}};
  if (!explanation.where.empty()) {
    head["where"] = explanation.where;
    head["bound"] = explanation.bound;
    head["simplified"] = explanation.simplified;
  }
  head["conjuncts"] = explanation.conjuncts;
  head["nanoseconds"] = explanation.nanoseconds;
  if (!explanation.error.ok()) head["error"] = explanation.error.ToString();
  head["counters"] = CountersJson(explanation.counters);
  std::string text = DumpOpen(head) + ",\"files\":[";
  std::string_view between_files = "\n";
  for (const FileExplanation& file : explanation.files) {
    text.append(between_files).append(DumpOpen(FileJson(file))).append(",\"row_groups\":[");
    between_files = ",\n";
    std::string_view between_groups = "\n";
    for (const RowGroupExplanation& group : file.row_groups) {
      text.append(between_groups).append(Dump(RowGroupJson(file, group)));
      between_groups = ",\n";
      if (Status status = Flush(text, kFlushBytes); !status.ok()) return status;
    }
    text += "]}";
  }
  text += "]}\n";
  return Flush(text, 0);
}

}  // namespace sluice::tools
