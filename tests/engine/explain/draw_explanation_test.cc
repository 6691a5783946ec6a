// The picture: as many rectangles as there is to see, whatever the shape of the file.

#include <gtest/gtest.h>
#include <sluice/explain.h>

#include <string>
#include <vector>

namespace sluice {
namespace {

int64_t Count(const std::string& text, const std::string& part) {
  int64_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// A file with pages of equal size; `fate` gives that of a page of a column.
template <typename Fate>
Explanation Made(int columns, int row_groups, int pages, Fate fate) {
  Explanation explanation;
  explanation.is_analyzed = true;
  explanation.where = "a < 3 & \"b\"";
  FileExplanation& file = explanation.files.emplace_back();
  file.path = "<file>";
  file.num_rows = int64_t{row_groups} * pages * 10;
  file.num_leaves = columns;
  for (int column = 0; column < columns; ++column) {
    ColumnRoles& roles = file.columns.emplace_back();
    roles.leaf = column;
    roles.path = "column " + std::to_string(column);
    roles.is_delivered = true;
  }
  int64_t row = 0;
  for (int i = 0; i < row_groups; ++i) {
    RowGroupExplanation& group = file.row_groups.emplace_back();
    group.row_group = i;
    group.rows = {row, row + pages * 10};
    row = group.rows.end;
    for (int column = 0; column < columns; ++column) {
      ChunkExplanation& chunk = group.chunks.emplace_back();
      for (int page = 0; page < pages; ++page) {
        PageExplanation& one = chunk.pages.emplace_back();
        one.rows = RowRange{page * 10, page * 10 + 10};
        one.fate = fate(column, page);
        ++chunk.page_counts[static_cast<size_t>(one.fate)];
      }
    }
  }
  return explanation;
}

PageFate Alternating(int column, int page) {
  return (column + page) % 2 == 0 ? PageFate::kDecoded : PageFate::kSkipped;
}

/// Rectangles of pages and of the legend, by the class.
int64_t CountFate(const std::string& svg, char css_class) {
  return Count(svg, std::string("<rect class=\"") + css_class + "\"");
}

TEST(DrawExplanation, HasARectangleAPage) {
  const std::string svg = DrawExplanation(Made(2, 3, 4, Alternating));
  EXPECT_EQ(CountFate(svg, 'd'), 12 + 1);
  EXPECT_EQ(CountFate(svg, 's'), 12 + 1);
  EXPECT_EQ(CountFate(svg, 'p') + CountFate(svg, 'g') + CountFate(svg, 'x'), 0);
  EXPECT_EQ(Count(svg, "<rect class=\"vsome\""), 3);
  // The background, and the pattern.
  EXPECT_EQ(Count(svg, "<rect"), 24 + 2 + 3 + 2);
  EXPECT_EQ(Count(svg, "column 1: row group 2, page 3, rows 30 to 39"), 1);
}

TEST(DrawExplanation, ShowsOnePageOfTenThousand) {
  const auto one_of_all = [](int, int page) {
    return page == 4321 ? PageFate::kDecoded : PageFate::kPrunedByPage;
  };
  const std::string svg = DrawExplanation(Made(1, 1, 10'000, one_of_all));
  // One in the legend, one among the pages; around it, and with it, those that were skipped.
  EXPECT_EQ(CountFate(svg, 'd'), 2);
  EXPECT_EQ(CountFate(svg, 'p'), 1 + 3);
  EXPECT_NE(svg.find("skipped by page statistics, 1 decoded"), std::string::npos);
  EXPECT_LT(svg.size(), 10'000u);
}

TEST(DrawExplanation, StaysSmallWhateverTheFileIsLike) {
  for (const auto& [columns, row_groups, pages] : std::vector<std::array<int, 3>>{
           {1, 1, 1}, {1, 1, 10'000}, {100, 1, 1000}, {100, 200, 5}, {3, 5000, 1}, {100, 1, 1}}) {
    SCOPED_TRACE(std::to_string(columns) + " " + std::to_string(row_groups));
    const Explanation made = Made(columns, row_groups, pages, Alternating);
    const std::string svg = DrawExplanation(made);
    EXPECT_LT(Count(svg, "<rect"), 45'000);
    EXPECT_LT(svg.size(), 8'000'000u);
    // Of columns of one page, every other.
    EXPECT_GE(CountFate(svg, 'd'), columns / 2);
    // Every column has its name.
    for (int column = 0; column < columns; ++column) {
      EXPECT_NE(svg.find(">column " + std::to_string(column) + "<"), std::string::npos);
    }
  }
}

TEST(DrawExplanation, EscapesWhatTextsHold) {
  Explanation made = Made(1, 1, 1, Alternating);
  made.files[0].columns[0].path = "a<b>&\"c\x01\xff";
  const std::string svg = DrawExplanation(made);
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
  EXPECT_EQ(svg.find('\x01'), std::string::npos);
  EXPECT_EQ(svg.find('\xff'), std::string::npos);
  EXPECT_NE(svg.find("a&lt;b&gt;&amp;&quot;c\xef\xbf\xbd\xef\xbf\xbd"), std::string::npos);
  EXPECT_NE(svg.find("where a &lt; 3 &amp; &quot;b&quot;"), std::string::npos);
}

TEST(DrawExplanation, DrawsFilesWithoutPages) {
  Explanation explanation;
  EXPECT_NE(DrawExplanation(explanation).find("</svg>"), std::string::npos);
  explanation.files.resize(3);
  explanation.files[0].is_pruned = true;
  explanation.files[1].is_reached = false;
  const std::string svg = DrawExplanation(explanation);
  EXPECT_EQ(CountFate(svg, 'g'), 1);
  EXPECT_EQ(CountFate(svg, 'x'), 1);
  EXPECT_EQ(CountFate(svg, 'n'), 1);
  EXPECT_NE(svg.find("not opened, some"), std::string::npos);
}

TEST(DrawExplanation, SpreadsPagesOfListsByTheirLevels) {
  Explanation made = Made(1, 1, 4, [](int, int) { return PageFate::kDecoded; });
  for (PageExplanation& page : made.files[0].row_groups[0].chunks[0].pages) {
    page.rows.reset();
    page.num_values = 1;
  }
  made.files[0].row_groups[0].chunks[0].pages[0].num_values = 1000;
  const std::string svg = DrawExplanation(made);
  EXPECT_EQ(CountFate(svg, 'd'), 4 + 1);
  EXPECT_NE(svg.find("page 0, 1000 values"), std::string::npos);
}

}  // namespace
}  // namespace sluice
