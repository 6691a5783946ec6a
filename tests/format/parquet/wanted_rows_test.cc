#include "format/parquet/wanted_rows.h"

#include <gtest/gtest.h>
#include <sluice/bitmap.h>

#include <random>
#include <vector>

namespace sluice {
namespace {

using parquet::kWindowRows;
using parquet::WantedRows;

TEST(WantedRows, GivesBatchesOfWholeRangesOfWantedRows) {
  WantedRows all(RowSelection::All(10), 10);
  ASSERT_TRUE(all.NextWindow());
  EXPECT_EQ(all.window(), (RowRange{0, 10}));
  EXPECT_EQ(all.NextBatch(0, 4), (RowRange{0, 4}));
  EXPECT_EQ(all.NextBatch(8, 4), (RowRange{8, 10}));
  EXPECT_EQ(all.NextBatch(10, 4), std::nullopt);
  EXPECT_FALSE(all.NextWindow());
  WantedRows none(RowSelection(), 10);
  EXPECT_FALSE(none.NextWindow());
}

TEST(WantedRows, BatchesBeginAndEndAtWantedRows) {
  const auto sparse = RowSelection::FromRanges({{3, 4}, {7, 9}, {20, 21}});
  ASSERT_TRUE(sparse);
  WantedRows wanted(*sparse, 30);
  ASSERT_TRUE(wanted.NextWindow());
  EXPECT_EQ(wanted.window(), (RowRange{3, 30}));
  EXPECT_EQ(wanted.NextBatch(0, 3), (RowRange{3, 9}));
  EXPECT_EQ(wanted.NextBatch(9, 3), (RowRange{20, 21}));
  EXPECT_EQ(wanted.NextBatch(4, 100), (RowRange{7, 21}));
  EXPECT_EQ(wanted.CutBehindLast({3, 20}), (RowRange{3, 9}));
  EXPECT_EQ(wanted.CutBehindLast({9, 20}), (RowRange{9, 9}));
}

TEST(WantedRows, WindowsEndWhereTheirMultiplesDo) {
  const int64_t rows = 2 * kWindowRows + 5;
  const auto selection = RowSelection::FromRanges(
      {{10, kWindowRows}, {kWindowRows + 7, kWindowRows + 8}, {rows - 1, rows}});
  ASSERT_TRUE(selection);
  WantedRows wanted(*selection, rows);
  ASSERT_TRUE(wanted.NextWindow());
  EXPECT_EQ(wanted.window(), (RowRange{10, kWindowRows}));
  EXPECT_EQ(wanted.NextBatch(kWindowRows - 1, 100), (RowRange{kWindowRows - 1, kWindowRows}));
  ASSERT_TRUE(wanted.NextWindow(100));
  EXPECT_EQ(wanted.window(), (RowRange{kWindowRows + 7, kWindowRows + 107}));
  ASSERT_TRUE(wanted.NextWindow());
  EXPECT_EQ(wanted.window(), (RowRange{rows - 1, rows}));
  EXPECT_FALSE(wanted.NextWindow());
}

TEST(WantedRows, CountsWhatIsKnownSoFar) {
  const int64_t rows = 3 * kWindowRows;
  WantedRows wanted(RowSelection::All(rows), rows);
  EXPECT_EQ(wanted.CountIn({0, rows}), rows);
  ASSERT_TRUE(wanted.NextWindow());
  ASSERT_TRUE(wanted.NextWindow());
  ClearBit(wanted.bits(), 5);
  EXPECT_EQ(wanted.CountIn({0, kWindowRows}), 0);
  EXPECT_EQ(wanted.CountIn({kWindowRows - 3, kWindowRows + 7}), 6);
  EXPECT_EQ(wanted.CountIn({kWindowRows + 5, kWindowRows + 6}), 0);
  EXPECT_EQ(wanted.CountIn({0, rows}), 2 * kWindowRows - 1);
  EXPECT_EQ(wanted.num_selected(), rows);
  wanted.MoveOn();
  EXPECT_EQ(wanted.window(), (RowRange{2 * kWindowRows, rows}));
  EXPECT_EQ(wanted.CountIn({0, rows}), 0);
}

TEST(WantedRows, CoversEveryWantedRowOnce) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    const int64_t rows = 1 + static_cast<int64_t>(random() % 2000);
    std::vector<uint64_t> bits(static_cast<size_t>(rows / 64 + 1));
    for (uint64_t& word : bits) word = round % 3 == 0 ? random() & random() & random() : random();
    const RowSelection selection = RowSelection::FromBitmap(bits, rows);
    const int64_t batch_rows = 1 + static_cast<int64_t>(random() % 100);
    WantedRows wanted(selection, rows);
    int64_t covered = 0;
    int64_t row = 0;
    while (wanted.NextWindow(1 + static_cast<int64_t>(random() % 700))) {
      EXPECT_EQ(wanted.window().begin, selection.NextSelected(row));
      while (const auto range = wanted.NextBatch(row, batch_rows)) {
        EXPECT_GE(range->begin, row);
        EXPECT_EQ(selection.CountIn({row, range->begin}), 0);
        const int64_t count = selection.CountIn(*range);
        EXPECT_LE(count, batch_rows);
        EXPECT_EQ(wanted.CountIn(*range), count);
        EXPECT_EQ(selection.NextSelected(range->begin), range->begin);
        EXPECT_EQ(selection.NextSelected(range->end - 1), range->end - 1);
        EXPECT_EQ(wanted.CutBehindLast({range->begin, wanted.window().end}).end,
                  wanted.CutBehindLast({wanted.window().begin, wanted.window().end}).end);
        // As many as fit, unless the window ends.
        if (count < batch_rows) {
          EXPECT_EQ(wanted.NextBatch(range->end, 1), std::nullopt);
        }
        covered += count;
        row = range->end;
      }
      row = wanted.window().end;
    }
    EXPECT_EQ(covered, selection.count());
  }
}

}  // namespace
}  // namespace sluice
