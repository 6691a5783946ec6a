// What is said of pages that are left out by what stands in the chunk itself.

#include <gtest/gtest.h>
#include <sluice/explain.h>

#include <string>
#include <vector>

#include "tests/engine/explain/explain_testing.h"
#include "tests/engine/explain/explanations.h"

namespace sluice::support {
namespace {

TEST(ExplainPages, AreListedByTheirHeadersWithoutAnIndex) {
  const Explanation explanation =
      Explain({MemoryFile("numbers", NumbersClaiming({}))}, Where("n = 7"), true);
  const ChunkExplanation& chunk = Chunk(explanation, 0, "n");
  EXPECT_EQ(Fates(chunk), "dd");
  EXPECT_EQ(chunk.pages.at(1).rows, (RowRange{10, 20}));
  EXPECT_EQ(Checks(explanation.files.at(0).row_groups.at(0), 0),
            "row_group not_there, bloom_filter not_there, page not_there");
}

TEST(ExplainPages, TellsThoseThatTheirHeadersExclude) {
  FileSpec spec = OneRowGroup({Required("x", PhysicalType::kInt64)}, 30, {support::Chunk({})});
  spec.extra_fields = {ColumnOrders(1)};
  for (int64_t page = 0; page < 3; ++page) {
    std::vector<int64_t> values;
    for (int64_t i = 0; i < 10; ++i) values.push_back(10 * page + i);
    PageSpec& made = spec.row_groups[0].chunks[0].pages.emplace_back(
        DataPage(Encoding::kPlain, 10, PlainInt64(values)));
    made.statistics = Claims{.min_value = PlainInt64({10 * page}),
                             .max_value = PlainInt64({10 * page + 9}),
                             .null_count = 0}
                          .Bytes();
  }
  const ScanFile file = MemoryFile("headers", BuildFile(spec).bytes);
  const Explanation before = Explain({file}, Where("x >= 10 AND x < 15"), false);
  EXPECT_EQ(Fates(Chunk(before, 0, "x")), "p?p");
  const Explanation after = Explain({file}, Where("x >= 10 AND x < 15"), true);
  EXPECT_EQ(Fates(Chunk(after, 0, "x")), "pdp");
  EXPECT_EQ(after.counters.data.pages_excluded, 2);
  EXPECT_EQ(Checks(after.files.at(0).row_groups.at(0), 0),
            "row_group not_there, bloom_filter not_of_use, page decided");
  ScanOptions off;
  off.read.use_page_statistics = false;
  EXPECT_EQ(Fates(Chunk(Explain({file}, Where("x >= 10 AND x < 15"), true, off), 0, "x")), "ddd");
  // What is not a filter of the decoder does not ask headers.
  const Explanation other = Explain({file}, Where("x >= 10 AND x < 15 OR x % 7 = 9"), true);
  EXPECT_EQ(Fates(Chunk(other, 0, "x")), "ddd");
  EXPECT_EQ(Checks(other.files.at(0).row_groups.at(0), 0),
            "row_group not_there, bloom_filter not_of_use, page not_of_use");
}

TEST(ExplainPages, TellsThoseThatTheDictionaryExcludes) {
  Table table = ThreeColumns(1000);
  for (size_t row = 0; row < 1000; ++row) table.columns[2][row] = Text(row % 2 == 0 ? "a" : "m");
  parquet::WriterOptions options = FourGroups();
  options.columns.dictionary = true;
  const ScanFile file = FileOf(table, "memory", options);
  const auto dictionary = [](const Explanation& explanation) {
    const auto& checks = explanation.files.at(0).row_groups.at(0).checks;
    return std::string(CheckStateName(checks.at(3).state));
  };
  ScanRequest request = Where("text LIKE '%b%'");
  const Explanation before = Explain({file}, request, false);
  EXPECT_EQ(Fates(Chunk(before, 0, "text")), "?????");
  EXPECT_EQ(dictionary(before), "not_looked_at");
  const Explanation after = Explain({file}, request, true);
  EXPECT_EQ(Fates(Chunk(after, 0, "text")), "ggggg");
  EXPECT_EQ(Fates(Chunk(after, 0, "n")), "sssss");
  EXPECT_EQ(dictionary(after), "decided");
  EXPECT_EQ(after.counters.data.pages_read, 0);
  const Explanation some = Explain({file}, Where("text LIKE '%m%'"), true);
  EXPECT_EQ(Fates(Chunk(some, 0, "text")), "ddddd");
  EXPECT_EQ(dictionary(some), "undecided");
  ScanOptions off;
  off.read.prune_by_dictionary = false;
  EXPECT_EQ(dictionary(Explain({file}, request, true, off)), "switched_off");
  options.columns.dictionary = false;
  EXPECT_EQ(dictionary(Explain({FileOf(table, "memory", options)}, request, true)), "not_there");
}

TEST(ExplainPages, AreCountedInThePool) {
  const ScanFile file = FileOf(ThreeColumns(100'000), "memory", FourGroups());
  ScanOptions options;
  options.read.pool = BufferPool::Make();
  {
    const Explanation explanation = Explain({file}, Where("m % 2 = 0"), false, options);
    EXPECT_GE(options.read.pool->bytes_in_use(), int64_t{6000} * 80);
  }
  EXPECT_EQ(options.read.pool->bytes_in_use(), 0);
}

}  // namespace
}  // namespace sluice::support
