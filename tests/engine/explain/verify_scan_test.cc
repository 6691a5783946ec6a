// Faults put into files by hand: each has to be found, with its place and the rule that believed
// it.

#include <gtest/gtest.h>
#include <sluice/optimizations.h>
#include <sluice/verify.h>

#include <set>
#include <string>
#include <vector>

#include "tests/engine/explain/explain_testing.h"

namespace sluice::support {
namespace {

Verification Verify(const std::vector<ScanFile>& files, ScanRequest request,
                    ScanOptions options = {}) {
  auto verification = VerifyScan(files, std::move(request), std::move(options));
  EXPECT_TRUE(verification) << verification.status().ToString();
  return verification ? *std::move(verification) : Verification();
}

ScanFile Claiming(const ClaimsOfNumbers& claims) {
  return MemoryFile("claiming", NumbersClaiming(claims));
}

TEST(VerifyScan, CountsWhatIsEqual) {
  ScanOptions options;
  options.threads = 3;
  const ScanFile file = FileOf(ThreeColumns(1000), "memory", FourGroups());
  const Verification verification =
      Verify({file, file}, Where("n >= 480 AND n < 510 AND m % 2 = 0"), options);
  EXPECT_FALSE(verification.difference);
  EXPECT_TRUE(verification.error.ok());
  EXPECT_EQ(verification.rows_compared, 30);
  EXPECT_EQ(verification.full.rows_considered, 2000);
  EXPECT_EQ(verification.full.row_groups_considered, 8);
  EXPECT_EQ(verification.full.row_groups_pruned, 0);
  EXPECT_EQ(verification.full.data.pages_skipped, 0);
  EXPECT_EQ(verification.pruned.row_groups_pruned, 4);
}

TEST(VerifyScan, FindsStatisticsThatLie) {
  const ScanFile sound = Claiming({});
  const Verification verification = Verify({sound, Claiming({25, std::nullopt})}, Where("n >= 27"));
  ASSERT_TRUE(verification.difference);
  const ScanDifference& difference = *verification.difference;
  EXPECT_EQ(difference.file, 1);
  EXPECT_EQ(difference.path, "claiming");
  EXPECT_EQ(difference.row_group, 1);
  EXPECT_EQ(difference.rows, (RowRange{27, 40}));
  EXPECT_EQ(difference.missing, 13);
  EXPECT_EQ(difference.extra, 0);
  EXPECT_EQ(difference.changed, 0);
  EXPECT_EQ(difference.rules, Strings{"statistics"});
  EXPECT_FALSE(difference.are_needed_together);
  EXPECT_EQ(difference.pruned_row, "");
  EXPECT_EQ(difference.full_row, "[27]");
  ASSERT_EQ(difference.pages.size(), 1u);
  EXPECT_EQ(difference.pages[0].column, "n");
  EXPECT_EQ(difference.pages[0].page, 0);
  EXPECT_EQ(difference.pages[0].rows, (RowRange{0, 10}));
  // The rows of the sound file, of which 27 to 39 pass.
  EXPECT_EQ(verification.rows_compared, 13);
}

TEST(VerifyScan, FindsRowsThatPassForNothing) {
  // All of 0 to 39 is said to be below 26, so that the filter is dropped.
  const Verification verification = Verify({Claiming({25, std::nullopt})}, Where("n < 26"));
  ASSERT_TRUE(verification.difference);
  EXPECT_EQ(verification.difference->extra, 14);
  EXPECT_EQ(verification.difference->rows, (RowRange{26, 40}));
  EXPECT_EQ(verification.difference->pruned_row, "[26]");
  EXPECT_EQ(verification.difference->full_row, "");
  EXPECT_EQ(verification.difference->rules, Strings{"statistics"});
}

TEST(VerifyScan, FindsPageIndexesThatLie) {
  const Verification verification =
      Verify({Claiming({std::nullopt, 28})}, Where("n >= 29 AND n % 3 = 2"));
  ASSERT_TRUE(verification.difference);
  const ScanDifference& difference = *verification.difference;
  EXPECT_EQ(difference.row_group, 1);
  EXPECT_EQ(difference.rules, Strings{"page_index"});
  // 29 is found; 32, 35 and 38 are not.
  EXPECT_EQ(verification.rows_compared, 1);
  EXPECT_EQ(difference.rows, (RowRange{32, 39}));
  EXPECT_EQ(difference.missing, 3);
  ASSERT_EQ(difference.pages.size(), 1u);
  EXPECT_EQ(difference.pages[0].page, 1);
}

TEST(VerifyScan, FindsFaultsThatHideOneAnother) {
  const Verification verification = Verify({Claiming({25, 25})}, Where("n >= 35"));
  ASSERT_TRUE(verification.difference);
  EXPECT_EQ(verification.difference->rules, (Strings{"statistics", "page_index"}));
  EXPECT_TRUE(verification.difference->are_needed_together);
}

TEST(VerifyScan, FindsFileStatisticsThatLie) {
  ScanFile file = Claiming({});
  Evidence evidence;
  evidence.source = EvidenceSource::kFile;
  evidence.type = std::make_shared<const DataType>(DataType::Of(TypeId::kInt64));
  evidence.lower = EvidenceBound{PlainInt64({0})};
  evidence.upper = EvidenceBound{PlainInt64({30})};
  file.statistics = {{"n", evidence}};
  const Verification verification = Verify({file}, Where("n > 30"));
  ASSERT_TRUE(verification.difference);
  EXPECT_EQ(verification.difference->rules, Strings{"file_statistics"});
  EXPECT_EQ(verification.difference->rows, (RowRange{31, 40}));
}

TEST(VerifyScan, FindsErrorsThatAreLost) {
  const std::string where = "n >= 27 AND 1 / (n - 30) > 2";
  const Verification alike = Verify({Claiming({})}, Where(where));
  EXPECT_FALSE(alike.difference);
  EXPECT_EQ(alike.error.code(), StatusCode::kRowError) << alike.error.ToString();
  const Verification lost = Verify({Claiming({25, std::nullopt})}, Where(where));
  ASSERT_TRUE(lost.difference);
  EXPECT_TRUE(lost.difference->pruned_error.ok());
  EXPECT_EQ(lost.difference->full_error.code(), StatusCode::kRowError);
  EXPECT_EQ(lost.difference->rules, Strings{"statistics"});
}

TEST(VerifyScan, CannotCompareWithWhatCannotBeRead) {
  const ScanFile whole = FileOf(ThreeColumns(1000), "memory", FourGroups());
  std::string damaged = BytesOf(whole);
  // In the first row group's first page.
  damaged[100] ^= 1;
  const auto verification = VerifyScan({MemoryFile("damaged", damaged)}, Where("n > 900"));
  ASSERT_FALSE(verification);
  EXPECT_EQ(verification.status().code(), StatusCode::kCorruption);
  EXPECT_NE(verification.status().message().find("every optimisation off"), std::string::npos)
      << verification.status().message();
}

TEST(VerifyScan, KeepsTheLimit) {
  ScanRequest request = Where("n >= 15");
  request.limit = 28;
  const Verification verification = Verify({Claiming({}), Claiming({25, std::nullopt})}, request);
  EXPECT_FALSE(verification.difference);
  EXPECT_EQ(verification.rows_compared, 28);
  request.limit = 40;
  request.where = *ParseExpression("n >= 27");
  const Verification beyond = Verify({Claiming({}), Claiming({25, std::nullopt})}, request);
  ASSERT_TRUE(beyond.difference);
  EXPECT_EQ(beyond.difference->rules, Strings{"statistics"});
}

TEST(Optimizations, AreSwitchesOfTheirOwn) {
  std::set<std::string_view> names;
  std::set<const bool*> places;
  ScanOptions options;
  for (const Optimization& one : Optimizations()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_TRUE(places.insert(&one.option(options)).second) << one.name;
    EXPECT_TRUE(one.option(options)) << one.name << " is off by default";
  }
  EXPECT_EQ(names.size(), 15u);
}

}  // namespace
}  // namespace sluice::support
