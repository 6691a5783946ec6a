// The library against the reference reader, on every real file: all rows and random selections of
// them, in batches of 1, 7 and the default number of rows, with each optimisation switched off.

#include <gtest/gtest.h>

#include <set>

#include "tests/support/corpus.h"
#include "tests/support/file_reading.h"
#include "tests/support/reference_reader.h"

namespace sluice::support {
namespace {

constexpr int64_t kLargestFile = 100'000;

TEST(Reference, EveryWayToReadGivesTheSameRows) {
  int64_t files = 0;
  for (const CorpusFile& file : CorpusFiles()) {
    if (file.category != "ok" || file.size >= kLargestFile) continue;
    SCOPED_TRACE(file.name);
    const std::string bytes = ReadWholeFile(file.path);
    const auto expected = ReferenceRows(bytes);
    ASSERT_TRUE(expected) << expected.error().ToString();
    ExpectRows(bytes, *expected, 3);
    ++files;
  }
  if (files == 0) GTEST_SKIP() << "NO CORPUS: set SLUICE_CORPUS to its directory";
}

// Selections of a row group may leave out whole columns' pages; projections leave out columns.
TEST(Reference, EveryColumnAlone) {
  int64_t files = 0;
  for (const CorpusFile& file : CorpusFiles()) {
    if (file.category != "ok" || file.size >= kLargestFile) continue;
    SCOPED_TRACE(file.name);
    const std::string bytes = ReadWholeFile(file.path);
    const auto rows = ReadRows(bytes);
    ASSERT_TRUE(rows) << rows.error().ToString();
    const auto reader = OpenBytes(bytes);
    ASSERT_TRUE(reader);
    std::vector<std::string> joined(rows->size(), "[");
    const auto& fields = (*reader)->schema()->fields;
    std::set<std::string> names;
    for (const Field& field : fields) names.insert(field.name);
    // A name that occurs twice names the first of its columns.
    if (names.size() != fields.size()) continue;
    for (size_t i = 0; i < fields.size(); ++i) {
      Reading reading;
      reading.paths = {{fields[i].name}};
      // Half of the columns with no more of the footer than they need.
      if (i % 2 == 0) {
        reading.footer.columns = {fields[i].name};
        reading.footer.statistics = false;
      }
      const auto column = ReadRows(bytes, reading);
      ASSERT_TRUE(column) << column.error().ToString();
      ASSERT_EQ(column->size(), rows->size());
      for (size_t row = 0; row < joined.size(); ++row) {
        const std::string& line = (*column)[row];
        joined[row] += (i > 0 ? "," : "") + line.substr(1, line.size() - 2);
      }
    }
    for (std::string& line : joined) line.push_back(']');
    EXPECT_EQ(joined, *rows);
    ++files;
  }
  if (files == 0) GTEST_SKIP() << "NO CORPUS: set SLUICE_CORPUS to its directory";
}

}  // namespace
}  // namespace sluice::support
