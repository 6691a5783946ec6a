// The words of an explanation.

#include <fmt/format.h>
#include <sluice/explain.h>

#include <iterator>

namespace sluice::inline v0 {

namespace {

constexpr std::string_view kPageFates[] = {"pruned_by_row_group", "pruned_by_page", "skipped",
                                           "not_needed",          "to_read",        "decoded",
                                           "not_reached"};
static_assert(std::size(kPageFates) == kNumPageFates);
constexpr std::string_view kRowGroupFates[] = {"pruned", "settled",   "to_read",
                                               "read",   "cut_short", "not_reached"};
constexpr std::string_view kCheckStates[] = {
    "decided", "undecided", "unusable", "not_there", "not_of_use", "not_looked_at", "switched_off"};

}  // namespace

std::string_view FateName(PageFate fate) { return kPageFates[static_cast<size_t>(fate)]; }
std::string_view FateName(RowGroupFate fate) { return kRowGroupFates[static_cast<size_t>(fate)]; }
std::string_view CheckStateName(CheckState state) {
  return kCheckStates[static_cast<size_t>(state)];
}

std::string VerdictText(const Verdict& verdict, std::string_view column) {
  std::string text =
      fmt::format("{}: {}", OutcomeName(verdict.outcome), ReasonName(verdict.reason));
  if (!column.empty()) text.append(" of ").append(column);
  if (verdict.source != EvidenceSource::kNone) {
    text += fmt::format(" ({})", SourceName(verdict.source));
  }
  return text;
}

}  // namespace sluice::inline v0
