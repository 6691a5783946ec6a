#include "tools/counters_text.h"

#include <fmt/format.h>
#include <sluice/explain.h>

#include <iterator>
#include <tuple>
#include <utility>

namespace sluice::tools {
namespace {

/// Lines with an indent before each.
class Lines {
 public:
  explicit Lines(std::string_view indent) : indent_(indent) {}

  template <typename... Arguments>
  void Add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += indent_;
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  void AddVerdicts(const ScanCounters::Verdicts& verdicts) {
    for (const auto& [key, count] : verdicts) {
      Verdict verdict;
      std::tie(verdict.outcome, verdict.source, verdict.reason) = key;
      Add("  {} {}", count, VerdictText(verdict, ""));
    }
  }

  std::string Take() { return std::move(text_); }

 private:
  std::string_view indent_;
  std::string text_;
};

}  // namespace

std::string Milliseconds(int64_t nanoseconds) {
  return fmt::format("{:.3f} ms", static_cast<double>(nanoseconds) / 1e6);
}

std::string UnitCountersText(const ScanCounters& counters, std::string_view indent) {
  Lines lines(indent);
  lines.Add("files: {} considered, {} pruned", counters.files_considered, counters.files_pruned);
  lines.AddVerdicts(counters.file_verdicts);
  lines.Add("row groups: {} considered, {} pruned, {} proven", counters.row_groups_considered,
            counters.row_groups_pruned, counters.row_groups_proven);
  lines.AddVerdicts(counters.row_group_verdicts);
  return lines.Take();
}

std::string WorkCountersText(const ScanCounters& counters, std::string_view indent) {
  Lines lines(indent);
  lines.Add(
      "rows: {} considered, {} pruned by row group, {} pruned by page, {} deleted, {} filtered, {} "
      "rejected, {} delivered, {} not reached",
      counters.rows_considered, counters.rows_pruned_by_row_group, counters.rows_pruned_by_page,
      counters.rows_deleted, counters.rows_filtered, counters.rows_rejected,
      counters.rows_delivered, counters.rows_not_reached);
  const PageCounters& pages = counters.pages;
  const parquet::ReadCounters& data = counters.data;
  lines.Add(
      "pages: {} considered, {} pruned by index, {} pruned by header, {} pruned by dictionary, {} "
      "deleted, {} unwanted, {} read",
      pages.considered, pages.pruned_by_index, pages.pruned_by_header, pages.pruned_by_dictionary,
      pages.deleted, pages.unwanted, pages.read);
  lines.Add("decided: {} row groups late, {} at once, {} with filters in another order",
            counters.row_groups_late, counters.row_groups_at_once, counters.filter_reorders);
  lines.Add("checksums: {} verified", data.pages_verified);
  lines.Add("values: {} decoded, {} skipped", data.values_decoded, data.values_skipped);
  lines.Add("bytes: {} of metadata, {} requested, {} fetched, {} decompressed, {} delivered",
            counters.metadata_bytes, data.bytes_requested, data.bytes_fetched,
            data.bytes_decompressed, counters.result_bytes);
  lines.Add("time: {} opening, {} judging, {} filters, {} evaluating, {} reading",
            Milliseconds(counters.open_nanoseconds), Milliseconds(counters.judge_nanoseconds),
            Milliseconds(counters.filter_nanoseconds), Milliseconds(counters.residual_nanoseconds),
            Milliseconds(counters.read_nanoseconds));
  return lines.Take();
}

}  // namespace sluice::tools
