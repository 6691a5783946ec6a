#include "format/parquet/batch_rows.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace sluice {
namespace {

using parquet::kWindowRows;
using parquet::NextBatchRows;

TEST(BatchRows, TakesWholeRangesOfWantedRows) {
  const RowSelection all = RowSelection::All(10);
  EXPECT_EQ(NextBatchRows(all, 0, 10, 4), (RowRange{0, 4}));
  EXPECT_EQ(NextBatchRows(all, 8, 10, 4), (RowRange{8, 10}));
  EXPECT_EQ(NextBatchRows(all, 10, 10, 4), std::nullopt);
  EXPECT_EQ(NextBatchRows(RowSelection(), 0, 10, 4), std::nullopt);
}

TEST(BatchRows, BeginsAndEndsAtWantedRows) {
  const auto sparse = RowSelection::FromRanges({{3, 4}, {7, 9}, {20, 21}});
  ASSERT_TRUE(sparse);
  EXPECT_EQ(NextBatchRows(*sparse, 0, 30, 3), (RowRange{3, 9}));
  EXPECT_EQ(NextBatchRows(*sparse, 9, 30, 3), (RowRange{20, 21}));
  EXPECT_EQ(NextBatchRows(*sparse, 4, 30, 100), (RowRange{7, 21}));
}

TEST(BatchRows, NeverCrossesAWindow) {
  const int64_t rows = 2 * kWindowRows + 5;
  const RowSelection all = RowSelection::All(rows);
  EXPECT_EQ(NextBatchRows(all, kWindowRows - 1, rows, 100),
            (RowRange{kWindowRows - 1, kWindowRows}));
  EXPECT_EQ(NextBatchRows(all, 2 * kWindowRows, rows, 100), (RowRange{2 * kWindowRows, rows}));
}

TEST(BatchRows, CoversEveryWantedRowOnce) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    const int64_t rows = 1 + static_cast<int64_t>(random() % 2000);
    std::vector<uint64_t> bits(static_cast<size_t>(rows / 64 + 1));
    for (uint64_t& word : bits) word = round % 3 == 0 ? random() & random() & random() : random();
    const RowSelection selection = RowSelection::FromBitmap(bits, rows);
    const int64_t batch_rows = 1 + static_cast<int64_t>(random() % 100);
    int64_t covered = 0;
    int64_t row = 0;
    while (const auto range = NextBatchRows(selection, row, rows, batch_rows)) {
      EXPECT_GE(range->begin, row);
      EXPECT_EQ(selection.CountIn({row, range->begin}), 0);
      EXPECT_LE(selection.CountIn(*range), batch_rows);
      EXPECT_EQ(selection.NextSelected(range->begin), range->begin);
      EXPECT_EQ(selection.NextSelected(range->end - 1), range->end - 1);
      covered += selection.CountIn(*range);
      row = range->end;
    }
    EXPECT_EQ(covered, selection.count());
  }
}

}  // namespace
}  // namespace sluice
