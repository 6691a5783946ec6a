// The picture of an explanation: a panel a file, in it a row a column, rows of the file from left
// to right.

#include <fmt/format.h>
#include <sluice/explain.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/explain/page_bar.h"
#include "engine/explain/svg_writer.h"

namespace sluice::inline v0 {

namespace {

using engine::CutText;
using engine::PageBar;
using engine::SvgWriter;
using engine::TextWidth;
using Anchor = SvgWriter::Anchor;

constexpr double kWidth = 1240;
constexpr double kMargin = 16;
constexpr double kRolesWidth = 34;
constexpr double kMostLabelWidth = 240;
constexpr double kStripHeight = 15;
constexpr double kTextSize = 11;
/// An image with more rectangles is slow to show. Where it would have more, they are made wider.
constexpr double kMostRectangles = 16'000;

constexpr std::string_view kStyle =
    "text{font-family:system-ui,sans-serif;fill:#222}"
    ".b{fill:#fff}.h{font-weight:600}.m{fill:#666}"
    ".d{fill:#1f5fa8}.t{fill:#9cc3ec}.s{fill:#eda63a}.p{fill:#3fa37c}.g{fill:#b9dfc9}"
    ".n{fill:#d3c6e8}.x{fill:url(#x)}"
    ".vnone{fill:#b9dfc9}.vsome{fill:#dfe5ec}.vall{fill:#d3c6e8}.vx{fill:url(#x)}";
constexpr std::string_view kDefinitions =
    "<pattern id=\"x\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect width=\"5\" height=\"5\" fill=\"#f1f1f1\"/>"
    "<path d=\"M0 0V5\" stroke=\"#bbb\" stroke-width=\"2\"/></pattern>";

/// 1 234 567.
std::string Grouped(int64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<int64_t>(digits.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3) {
    digits.insert(static_cast<size_t>(at), " ");
  }
  return digits;
}

std::string Bytes(int64_t bytes) {
  if (bytes < 10'000) return Grouped(bytes) + " bytes";
  const char* units[] = {"kB", "MB", "GB", "TB", "PB"};
  auto value = static_cast<double>(bytes) / 1000;
  size_t unit = 0;
  for (; value >= 1000 && unit + 1 < std::size(units); ++unit) value /= 1000;
  return fmt::format("{:.{}f} {}", value, value < 10 ? 1 : 0, units[unit]);
}

/// The letters of what a column is for.
std::string Letters(const ColumnRoles& roles) {
  std::string letters;
  if (roles.is_filtered) letters += 'F';
  if (roles.is_in_residual) letters += 'R';
  if (roles.is_delivered) letters += 'D';
  return letters;
}

/// Where the rows of a file's row groups lie from left to right.
class RowScale {
 public:
  RowScale(const FileExplanation& file, double begin, double width)
      : begin_(begin), num_rows_(std::max<int64_t>(file.num_rows, 1)) {
    int64_t groups = 0;
    for (const RowGroupExplanation& group : file.row_groups) groups += group.rows.size() > 0;
    gap_ = groups < 2 ? 0 : std::min(5.0, width * 0.12 / static_cast<double>(groups - 1));
    if (gap_ < 0.5) gap_ = 0;
    width_ = width - gap_ * static_cast<double>(std::max<int64_t>(groups - 1, 0));
  }

  bool has_gaps() const { return gap_ > 0; }
  /// To be called for one row group with rows after the other.
  void NextGroup(RowRange rows) {
    const double before = groups_++ * gap_;
    group_begin_ = begin_ + before + width_ * Share(rows.begin);
    group_end_ = begin_ + before + width_ * Share(rows.end);
  }
  double group_begin() const { return group_begin_; }
  double group_end() const { return group_end_; }
  /// The place of a part of the row group, from 0 to 1.
  double At(double part) const {
    return group_begin_ + (group_end_ - group_begin_) * std::clamp(part, 0.0, 1.0);
  }

 private:
  double Share(int64_t row) const {
    return static_cast<double>(row) / static_cast<double>(num_rows_);
  }

  double begin_;
  double width_ = 0;
  double gap_ = 0;
  int64_t num_rows_;
  double groups_ = 0;
  double group_begin_ = 0;
  double group_end_ = 0;
};

/// The whole picture.
class Picture {
 public:
  explicit Picture(const Explanation& explanation)
      : explanation_(explanation), svg_(kWidth, Measure(), kStyle, kDefinitions) {}

  std::string Draw() && {
    svg_.Rectangle(0, 0, kWidth, height_, "b");
    DrawHead();
    for (const FileExplanation& file : explanation_.files) DrawFile(file);
    return std::move(svg_).Finish();
  }

 private:
  static bool HasColumns(const FileExplanation& file) {
    return file.is_reached && !file.is_pruned && file.num_rows > 0;
  }
  static double RowHeight(const FileExplanation& file) {
    return file.columns.size() <= 24 ? 17 : file.columns.size() <= 60 ? 12 : 9;
  }
  static double HeightOf(const FileExplanation& file) {
    const double frame = 18 + kStripHeight + 3 + 24;
    if (!HasColumns(file)) return frame;
    return frame + RowHeight(file) * static_cast<double>(file.columns.size()) + 12;
  }
  /// Lays everything out, and returns the height of it.
  double Measure();
  void DrawHead();
  void DrawLegend(double y);
  void DrawFile(const FileExplanation& file);
  void DrawStrip(const FileExplanation& file);
  void DrawColumn(const FileExplanation& file, size_t column);
  static void AddChunk(const FileExplanation& file, const RowGroupExplanation& group, size_t column,
                       const RowScale& scale, PageBar& bar);
  std::string Summary() const;
  static std::string Summary(const FileExplanation& file);

  const Explanation& explanation_;
  double height_ = 0;
  double label_width_ = 0;
  double plot_ = 0;  ///< Where bars begin.
  double plot_width_ = 0;
  double least_width_ = 1;
  double y_ = 0;
  SvgWriter svg_;
};

double Picture::Measure() {
  size_t bars = 0;
  double height = 92;
  for (const FileExplanation& file : explanation_.files) {
    height += HeightOf(file);
    for (const ColumnRoles& column : file.columns) {
      label_width_ = std::max(label_width_, TextWidth(column.path, kTextSize));
    }
    bars += HasColumns(file) ? file.columns.size() + 1 : 0;
  }
  label_width_ = std::min(label_width_, kMostLabelWidth);
  plot_ = kMargin + label_width_ + 6 + kRolesWidth;
  plot_width_ = kWidth - kMargin - plot_;
  least_width_ = std::max(1.0, plot_width_ * static_cast<double>(bars) / kMostRectangles);
  height_ = height;
  return height;
}

std::string Picture::Summary() const {
  const ScanCounters& counters = explanation_.counters;
  std::string text =
      fmt::format("{} files ({} pruned), {} row groups ({} pruned, {} proven)",
                  counters.files_considered, counters.files_pruned, counters.row_groups_considered,
                  counters.row_groups_pruned, counters.row_groups_proven);
  if (!explanation_.is_analyzed) return text + "; not run: what is known before reading";
  text += fmt::format("; {} of {} rows delivered, {} pages read, {} ms",
                      Grouped(counters.rows_delivered), Grouped(counters.rows_considered),
                      Grouped(counters.data.pages_read), explanation_.nanoseconds / 1'000'000);
  if (!explanation_.error.ok()) text += "; ended by an error";
  return text;
}

void Picture::DrawHead() {
  const std::string where =
      explanation_.where.empty() ? "every row" : "where " + explanation_.where;
  svg_.Text(kMargin, 26, 15, "h", Anchor::kBegin, CutText(where, 15, kWidth - 2 * kMargin), where);
  svg_.Text(kMargin, 45, kTextSize, "m", Anchor::kBegin, Summary(), explanation_.error.message());
  DrawLegend(60);
  y_ = 92;
}

void Picture::DrawLegend(double y) {
  std::array<int64_t, kNumPageFates> bytes{};
  std::array<bool, kNumPageFates> occurs{};
  for (const FileExplanation& file : explanation_.files) {
    for (const RowGroupExplanation& group : file.row_groups) {
      for (const ChunkExplanation& chunk : group.chunks) {
        for (size_t i = 0; i < kNumPageFates; ++i) {
          bytes[i] += chunk.bytes_by_fate[i];
          occurs[i] = occurs[i] || chunk.page_counts[i] > 0 ||
                      (chunk.fate && static_cast<size_t>(*chunk.fate) == i);
        }
      }
    }
  }
  double x = kMargin;
  for (size_t i = 0; i < kNumPageFates; ++i) {
    if (!occurs[i]) continue;
    const auto fate = static_cast<PageFate>(i);
    const std::string text = fmt::format("{} ({})", engine::WordsOf(fate), Bytes(bytes[i]));
    svg_.Rectangle(x, y, 12, 12, engine::ClassOf(fate));
    svg_.Text(x + 17, y + 10, kTextSize, "", Anchor::kBegin, text);
    x += 17 + TextWidth(text, kTextSize) + 16;
  }
  svg_.Text(kWidth - kMargin, y - 15, kTextSize, "m", Anchor::kEnd,
            "F filter, R rest of the predicate, D delivered");
}

std::string Picture::Summary(const FileExplanation& file) {
  if (!file.is_reached) return "not reached";
  if (file.is_pruned) return "not opened, " + VerdictText(file.verdict, file.column);
  return fmt::format("{} rows, {} row groups, {} of {} columns", Grouped(file.num_rows),
                     file.row_groups.size(), file.columns.size(), file.num_leaves);
}

void Picture::DrawFile(const FileExplanation& file) {
  const double end = y_ + HeightOf(file);
  const std::string summary = Summary(file);
  const double summary_width = TextWidth(summary, kTextSize);
  svg_.Text(kMargin, y_ + 12, 12, "h", Anchor::kBegin,
            CutText(file.path, 12, kWidth - 3 * kMargin - summary_width), file.path);
  svg_.Text(kWidth - kMargin, y_ + 12, kTextSize, "m", Anchor::kEnd, summary);
  y_ += 18;
  if (HasColumns(file)) {
    DrawStrip(file);
    y_ += kStripHeight + 3;
    for (size_t column = 0; column < file.columns.size(); ++column) {
      DrawColumn(file, column);
      y_ += RowHeight(file);
    }
    svg_.Text(plot_, y_ + 10, 9, "m", Anchor::kBegin, "row 0");
    svg_.Text(kWidth - kMargin, y_ + 10, 9, "m", Anchor::kEnd, Grouped(file.num_rows));
  } else {
    const PageFate fate = !file.is_reached ? PageFate::kNotReached
                          : file.is_pruned ? PageFate::kPrunedByRowGroup
                                           : PageFate::kNotNeeded;
    svg_.Rectangle(kMargin, y_, kWidth - 2 * kMargin, kStripHeight, engine::ClassOf(fate), summary);
  }
  y_ = end;
}

/// The row groups with their verdicts.
void Picture::DrawStrip(const FileExplanation& file) {
  RowScale scale(file, plot_, plot_width_);
  double drawn_end = 0;
  for (const RowGroupExplanation& group : file.row_groups) {
    if (group.rows.size() <= 0) continue;
    scale.NextGroup(group.rows);
    const double begin = std::max(scale.group_begin(), drawn_end);
    // Of those that are too narrow some stand for all.
    const double width = std::max(scale.group_end() - begin, least_width_);
    if (scale.group_end() - drawn_end < least_width_ && drawn_end > 0) continue;
    drawn_end = begin + width;
    const bool is_reached = group.fate != RowGroupFate::kNotReached;
    const std::string verdict =
        is_reached ? VerdictText(group.verdict, group.column) : "not reached";
    const std::string ordinal = std::to_string(group.row_group);
    svg_.Rectangle(begin, y_, width, kStripHeight,
                   is_reached ? fmt::format("v{}", OutcomeName(group.verdict.outcome)) : "vx",
                   fmt::format("row group {}: {} rows, {}, {}", ordinal, Grouped(group.rows.size()),
                               FateName(group.fate), verdict));
    if (width < TextWidth(ordinal, 9) + 4) continue;
    const std::string label = width > 60 ? fmt::format("{} {}", ordinal, verdict) : ordinal;
    svg_.Text(begin + width / 2, y_ + 11, 9, "", Anchor::kMiddle, CutText(label, 9, width - 4));
  }
}

void Picture::DrawColumn(const FileExplanation& file, size_t column) {
  const ColumnRoles& roles = file.columns[column];
  const double height = RowHeight(file);
  const double size = std::min(kTextSize, height - 2);
  const double base = y_ + height / 2 + size * 0.35;
  svg_.Text(kMargin + label_width_, base, size, "", Anchor::kEnd,
            CutText(roles.path, size, label_width_), roles.path);
  svg_.Text(plot_ - 6, base, size, "m", Anchor::kEnd, Letters(roles));
  PageBar bar(svg_, y_ + 1, height - 2, least_width_);
  RowScale scale(file, plot_, plot_width_);
  for (const RowGroupExplanation& group : file.row_groups) {
    if (group.rows.size() <= 0) continue;
    scale.NextGroup(group.rows);
    if (scale.has_gaps()) bar.Break();
    if (column < group.chunks.size()) AddChunk(file, group, column, scale, bar);
  }
  bar.Break();
}

void Picture::AddChunk(const FileExplanation& file, const RowGroupExplanation& group, size_t column,
                       const RowScale& scale, PageBar& bar) {
  const ChunkExplanation& chunk = group.chunks[column];
  const std::string& path = file.columns[column].path;
  if (chunk.fate) {
    bar.Add(scale.group_begin(), scale.group_end(), *chunk.fate, 1, [&] {
      return fmt::format("{}: row group {}, {}, {}", path, group.row_group, Bytes(chunk.bytes),
                         engine::WordsOf(*chunk.fate));
    });
    return;
  }
  int64_t values = 0;
  for (const PageExplanation& page : chunk.pages) values += page.num_values;
  const auto rows = static_cast<double>(group.rows.size());
  double end = 0;
  int64_t values_before = 0;
  for (size_t i = 0; i < chunk.pages.size(); ++i) {
    const PageExplanation& page = chunk.pages[i];
    const double begin = end;
    values_before += page.num_values;
    end = page.rows ? static_cast<double>(page.rows->end) / rows
                    : static_cast<double>(values_before) / static_cast<double>(values);
    bar.Add(scale.At(begin), scale.At(end), page.fate, 1, [&] {
      std::string text = fmt::format("{}: row group {}, page {}, ", path, group.row_group, i);
      text += page.rows ? fmt::format("rows {} to {}", page.rows->begin, page.rows->end - 1)
                        : fmt::format("{} values", page.num_values);
      return text + fmt::format(", {}, {}", Bytes(page.bytes), engine::WordsOf(page.fate));
    });
  }
}

}  // namespace

std::string DrawExplanation(const Explanation& explanation) { return Picture(explanation).Draw(); }

}  // namespace sluice::inline v0
