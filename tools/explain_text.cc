// An explanation in lines for people: from the predicate to files, row groups and columns.

#include <fmt/format.h>
#include <sluice/explain.h>

#include <iterator>
#include <string>
#include <utility>

#include "tools/counters_text.h"
#include "tools/explanation_writer.h"
#include "tools/one_line.h"
#include "tools/output.h"

namespace sluice::tools {
namespace {

constexpr size_t kFlushBytes = 256 << 10;
constexpr size_t kShownExpression = 1000;

std::string VerdictWords(const Verdict& verdict, const std::string& column) {
  return VerdictText(verdict, column.empty() ? "" : OneWord(column, kShownName));
}

std::string FilterWords(const FilterExplanation& filter) {
  std::string words =
      OneWord(filter.column, kShownName) + ' ' + OneLine(filter.filter, kShownExpression);
  if (filter.needs_counterparts) words += " (where every value has a counterpart)";
  return words;
}

std::string RowsWords(const RowRange& rows) {
  if (rows.begin == rows.end) return "no rows";
  return fmt::format("rows {} to {}", rows.begin, rows.end - 1);
}

class TextExplanation {
 public:
  explicit TextExplanation(const Explanation& explanation) : explanation_(explanation) {}

  Status Write() {
    AddPredicate();
    for (const FileExplanation& file : explanation_.files) {
      if (const Status status = AddFile(file); !status.ok()) return status;
    }
    AddTotals();
    return WriteOutput(text_);
  }

 private:
  template <typename... Arguments>
  void Line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  void AddPredicate() {
    if (explanation_.where.empty()) return Line("where: nothing is asked, every row passes");
    Line("where: {}", OneLine(explanation_.where, kShownExpression));
    Line("bound: {}", OneLine(explanation_.bound, kShownExpression));
    if (explanation_.simplified == explanation_.bound) return;
    Line("folded: {}", OneLine(explanation_.simplified, kShownExpression));
  }

  Status AddFile(const FileExplanation& file) {
    text_ += '\n';
    Line("file: {}", OneLine(file.path, kShownName));
    if (!file.is_reached) {
      Line("  not reached");
      return Status::Ok();
    }
    Line("  from outside: {}", VerdictWords(file.verdict, file.column));
    if (file.is_pruned) {
      Line("  pruned: it is not opened");
      return Status::Ok();
    }
    Line("  {} rows, {} row groups, {} of {} columns", file.num_rows, file.row_groups.size(),
         file.columns.size(), file.num_leaves);
    for (size_t i = 0; i < file.placement.size(); ++i) AddPlacement(file, i);
    for (const FilterExplanation& filter : file.filters) {
      Line("  filter in the decoder: {}", FilterWords(filter));
    }
    if (!file.residual.empty()) {
      Line("  evaluated on rows: {}", OneLine(file.residual, kShownExpression));
    }
    for (const ColumnRoles& column : file.columns) AddColumn(column);
    for (const RowGroupExplanation& group : file.row_groups) {
      AddRowGroup(file, group);
      if (text_.size() < kFlushBytes) continue;
      if (const Status status = WriteOutput(text_); !status.ok()) return status;
      text_.clear();
    }
    return Status::Ok();
  }

  void AddPlacement(const FileExplanation& file, size_t conjunct) {
    const ConjunctPlacement& placement = file.placement[conjunct];
    Line("  {}", OneLine(explanation_.conjuncts[conjunct], kShownExpression));
    if (placement.folded) {
      Line("    folded: {}", *placement.folded ? "every row passes" : "no row passes");
    }
    for (const FilterExplanation& filter : placement.filters) {
      Line("    filter: {}", FilterWords(filter));
    }
    if (placement.residual.empty()) return;
    Line("    on rows: {}", OneLine(placement.residual, kShownExpression));
  }

  void AddColumn(const ColumnRoles& column) {
    std::string roles;
    const auto add = [&](bool is, const char* role) {
      if (is) roles += (roles.empty() ? "" : ", ") + std::string(role);
    };
    add(column.is_filtered, "filtered");
    add(column.is_in_residual, "evaluated");
    add(column.is_delivered, "delivered");
    if (roles.empty()) roles = "judged by metadata only";
    Line("  column {}: {}", OneWord(column.path, kShownName), roles);
  }

  void AddRowGroup(const FileExplanation& file, const RowGroupExplanation& group) {
    Line("  row group {}: {}, {}", group.row_group, RowsWords(group.rows), FateName(group.fate));
    if (group.fate == RowGroupFate::kNotReached) return;
    Line("    {}", VerdictWords(group.verdict, group.column));
    for (size_t i = 0; i < group.checks.size(); ++i) {
      const EvidenceCheck& check = group.checks[i];
      if (i == 0 || check.filter != group.checks[i - 1].filter) {
        Line("    {}", FilterWords(file.pruning[static_cast<size_t>(check.filter)]));
      }
      Line("      {}", CheckWords(check));
    }
    for (const FilterUse& use : group.filters) AddFilterUse(file, use);
    if (!group.residual.empty()) {
      Line("    evaluated on rows: {}", OneLine(group.residual, kShownExpression));
    }
    if (group.is_late) {
      const std::string before =
          group.passing_share ? fmt::format("{:.0f}% passed before", *group.passing_share * 100)
                              : "nothing is known of them";
      Line("    other columns: {} ({})", *group.is_late ? "of rows that pass it" : "at once",
           before);
    }
    for (size_t i = 0; i < group.chunks.size(); ++i) {
      AddChunk(file.columns[i], group.chunks[i]);
    }
    if (explanation_.is_analyzed) text_ += WorkCountersText(group.counters, "    ");
  }

  static std::string CheckWords(const EvidenceCheck& check) {
    std::string text = fmt::format("{}: {}", SourceName(check.source), CheckStateName(check.state));
    const bool was_looked_at = check.state == CheckState::kDecided ||
                               check.state == CheckState::kUndecided ||
                               check.state == CheckState::kUnusable;
    if (!was_looked_at) return text;
    if (check.source != EvidenceSource::kPage) {
      return text + fmt::format(", {}: {}", OutcomeName(check.outcome), ReasonName(check.reason));
    }
    if (check.pages == 0) return text + fmt::format(", {}", ReasonName(check.reason));
    text += fmt::format(", of {} pages {} excluded and {} proven", check.pages,
                        check.pages_excluded, check.pages_proven);
    const bool are_left = check.pages > check.pages_excluded + check.pages_proven;
    return are_left ? text + fmt::format("; others: {}", ReasonName(check.reason)) : text;
  }

  void AddFilterUse(const FileExplanation& file, const FilterUse& use) {
    const std::string words = FilterWords(file.filters[static_cast<size_t>(use.filter)]);
    if (use.is_proven) return Line("    filter {}: every row is known to pass", words);
    std::string text = fmt::format("    filter {}: {} rows to test", words, use.rows_undecided);
    if (explanation_.is_analyzed) {
      text += fmt::format(", {} tested, {} passed, {}", use.rows_tested, use.rows_passed,
                          Milliseconds(use.nanoseconds));
      const int64_t dropped = use.rows_tested - use.rows_passed;
      if (use.place >= 0) text += fmt::format("; number {}", use.place + 1);
      if (dropped > 0) {
        text += fmt::format(", {} ns a dropped row",
                            (use.nanoseconds - use.setup_nanoseconds) / dropped);
      }
    }
    Line("{}", text);
  }

  void AddChunk(const ColumnRoles& column, const ChunkExplanation& chunk) {
    std::string text = "    column " + OneWord(column.path, kShownName);
    if (chunk.fate) return Line("{}: {} bytes, {}", text, chunk.bytes, FateName(*chunk.fate));
    text += fmt::format(": {} bytes, {} pages", chunk.bytes, chunk.pages.size());
    std::string_view before = ": ";
    for (size_t fate = 0; fate < kNumPageFates; ++fate) {
      if (chunk.page_counts[fate] == 0) continue;
      text += fmt::format("{}{} {}", before, chunk.page_counts[fate],
                          FateName(static_cast<PageFate>(fate)));
      before = ", ";
    }
    Line("{}", text);
    if (!chunk.pages_error.ok()) {
      Line("      note: {}", OneLine(chunk.pages_error.ToString(), kShownExpression));
    }
  }

  void AddTotals() {
    text_ += "\nall:\n" + UnitCountersText(explanation_.counters, "  ");
    if (!explanation_.is_analyzed) return;
    text_ += WorkCountersText(explanation_.counters, "  ");
    Line("  all of it: {}", Milliseconds(explanation_.nanoseconds));
  }

  const Explanation& explanation_;
  std::string text_;
};

}  // namespace

Status WriteExplanationText(const Explanation& explanation) {
  return TextExplanation(explanation).Write();
}

}  // namespace sluice::tools
