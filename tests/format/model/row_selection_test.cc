#include <gtest/gtest.h>
#include <sluice/bitmap.h>
#include <sluice/row_selection.h>

#include <algorithm>
#include <random>
#include <vector>

namespace sluice {
namespace {

// Every answer of `selection` against the rows one by one; nothing past `wanted` is wanted.
void ExpectSelection(const RowSelection& selection, const std::vector<bool>& wanted) {
  const auto size = static_cast<int64_t>(wanted.size());
  const auto is_wanted = [&](int64_t row) {
    return row < size && wanted[static_cast<size_t>(row)];
  };
  EXPECT_EQ(selection.count(), std::count(wanted.begin(), wanted.end(), true));
  int64_t end = 0;
  for (int64_t row = 0; row < size; ++row) {
    if (is_wanted(row)) end = row + 1;
  }
  EXPECT_EQ(selection.end(), end);

  int64_t next_selected = INT64_MAX;
  int64_t next_unselected = size + 70;
  for (int64_t row = size + 70; row-- > 0;) {
    (is_wanted(row) ? next_selected : next_unselected) = row;
    ASSERT_EQ(selection.NextSelected(row), next_selected) << row;
    ASSERT_EQ(selection.NextUnselected(row), next_unselected) << row;
  }

  std::mt19937 random(static_cast<uint32_t>(size));
  for (int round = 0; round < 50; ++round) {
    RowRange rows{static_cast<int64_t>(random() % static_cast<uint32_t>(size + 70)),
                  static_cast<int64_t>(random() % static_cast<uint32_t>(size + 70))};
    if (rows.begin > rows.end) std::swap(rows.begin, rows.end);
    SCOPED_TRACE(testing::Message() << "[" << rows.begin << ", " << rows.end << ")");
    int64_t count = 0;
    std::vector<uint64_t> expected(static_cast<size_t>(BitmapWords(rows.size())));
    for (int64_t row = rows.begin; row < rows.end; ++row) {
      if (!is_wanted(row)) continue;
      ++count;
      SetBit(expected.data(), row - rows.begin);
    }
    EXPECT_EQ(selection.CountIn(rows), count);
    EXPECT_EQ(selection.ContainsAll(rows), count == rows.size());

    std::vector<uint64_t> filled(expected.size() + 1, ~uint64_t{0});
    selection.FillBitmap(rows, filled.data());
    EXPECT_EQ(filled.back(), ~uint64_t{0});
    filled.pop_back();
    EXPECT_EQ(filled, expected);

    const RowSelection slice = selection.Slice(rows);
    EXPECT_EQ(slice.count(), count);
    std::vector<uint64_t> sliced(expected.size());
    slice.FillBitmap({0, rows.size()}, sliced.data());
    EXPECT_EQ(sliced, expected);
    EXPECT_LE(slice.end(), rows.size());
  }
}

std::vector<bool> RandomRows(size_t size, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<bool> wanted;
  while (wanted.size() < size) {
    // Runs of both kinds, short and long, so that words are empty, full and mixed.
    const size_t longest = random() % 3 == 0 ? 200 : 4;
    wanted.insert(wanted.end(), random() % longest, random() % 2 == 0);
  }
  wanted.resize(size);
  return wanted;
}

std::vector<RowRange> RangesOf(const std::vector<bool>& wanted) {
  std::vector<RowRange> ranges;
  for (int64_t row = 0; row < static_cast<int64_t>(wanted.size()); ++row) {
    if (!wanted[static_cast<size_t>(row)]) continue;
    if (ranges.empty() || ranges.back().end != row) ranges.push_back({row, row});
    ++ranges.back().end;
  }
  return ranges;
}

TEST(RowSelection, AgreesWithRowsOneByOne) {
  for (size_t size : {0, 1, 5, 63, 64, 65, 128, 1000, 5000}) {
    for (uint32_t seed = 0; seed < 4; ++seed) {
      SCOPED_TRACE(testing::Message() << "rows: " << size << ", seed: " << seed);
      const std::vector<bool> wanted = RandomRows(size, seed);
      std::vector<int64_t> positions;
      std::vector<uint64_t> words(static_cast<size_t>(BitmapWords(static_cast<int64_t>(size))));
      for (size_t row = 0; row < size; ++row) {
        if (!wanted[row]) continue;
        positions.push_back(static_cast<int64_t>(row));
        SetBit(words.data(), static_cast<int64_t>(row));
      }
      ExpectSelection(RowSelection::FromRanges(RangesOf(wanted)).value(), wanted);
      ExpectSelection(RowSelection::FromPositions(positions).value(), wanted);
      ExpectSelection(RowSelection::FromBitmap(words, static_cast<int64_t>(size)), wanted);
    }
  }
}

/// The same rows in each way in which they can be held.
std::vector<RowSelection> HeldAs(const std::vector<bool>& wanted) {
  const auto size = static_cast<int64_t>(wanted.size());
  std::vector<uint64_t> words(static_cast<size_t>(BitmapWords(size)));
  for (int64_t row = 0; row < size; ++row) {
    if (wanted[static_cast<size_t>(row)]) SetBit(words.data(), row);
  }
  return {RowSelection::FromRanges(RangesOf(wanted)).value(),
          RowSelection::FromBitmap(std::move(words), size)};
}

/// `wanted` and `others` row by row; what is past the end of either is in neither.
void ExpectCombinations(const std::vector<bool>& wanted, const std::vector<bool>& others) {
  std::vector<bool> both(wanted.size());
  std::vector<bool> only(wanted.size());
  for (size_t row = 0; row < wanted.size(); ++row) {
    const bool is_other = row < others.size() && others[row];
    both[row] = wanted[row] && is_other;
    only[row] = wanted[row] && !is_other;
  }
  for (const RowSelection& selection : HeldAs(wanted)) {
    for (const RowSelection& other : HeldAs(others)) {
      ExpectSelection(selection.And(other), both);
      ExpectSelection(selection.Without(other), only);
    }
  }
}

TEST(RowSelection, CombinesAgreesWithRowsOneByOne) {
  for (size_t size : {0, 1, 63, 64, 65, 500, 3000}) {
    for (size_t other_size : {size_t{0}, size_t{64}, size, 2 * size + 1}) {
      for (uint32_t seed = 0; seed < 4; ++seed) {
        SCOPED_TRACE(testing::Message() << size << ", " << other_size << ", seed: " << seed);
        ExpectCombinations(RandomRows(size, seed), RandomRows(other_size, seed + 100));
      }
    }
  }
}

// Few rows far apart, which are held as ranges whatever they are made of; and many.
TEST(RowSelection, CombinesSparseAndDenseRows) {
  std::mt19937 random(7);
  for (const uint32_t step : {2u, 1000u, 5000u}) {
    for (const uint32_t other_step : {2u, 1000u, 5000u}) {
      std::vector<std::vector<bool>> sides;
      for (const uint32_t mean : {step, other_step}) {
        std::vector<bool>& rows = sides.emplace_back(20'000);
        for (size_t row = 0; row < rows.size(); row += 1 + random() % (2 * mean)) {
          const size_t end = std::min<size_t>(rows.size(), row + 1 + random() % mean);
          std::fill(rows.begin() + static_cast<int64_t>(row),
                    rows.begin() + static_cast<int64_t>(end), true);
        }
      }
      SCOPED_TRACE(testing::Message() << step << " and " << other_step);
      ExpectCombinations(sides[0], sides[1]);
      ExpectCombinations(std::vector<bool>(20'000, true), sides[1]);
    }
  }
}

TEST(RowSelection, FirstRows) {
  for (size_t size : {0, 1, 64, 65, 1000}) {
    for (uint32_t seed = 0; seed < 4; ++seed) {
      const std::vector<bool> wanted = RandomRows(size, seed);
      const auto total = static_cast<int64_t>(std::count(wanted.begin(), wanted.end(), true));
      for (int64_t count :
           {int64_t{0}, int64_t{1}, total / 3, total / 2, total - 1, total, total + 1, INT64_MAX}) {
        SCOPED_TRACE(testing::Message() << size << ", seed: " << seed << ", first " << count);
        std::vector<bool> first = wanted;
        int64_t seen = 0;
        for (size_t row = 0; row < size; ++row) {
          if (wanted[row] && ++seen > count) first[row] = false;
        }
        for (const RowSelection& selection : HeldAs(wanted)) {
          ExpectSelection(selection.First(count), first);
        }
      }
    }
  }
  EXPECT_EQ(RowSelection::All(5).First(-1).count(), 0);
}

// What has no end that a bitmap could reach, less and with what has one.
TEST(RowSelection, CombinesLargePositions) {
  const RowSelection all = RowSelection::All(INT64_MAX);
  const RowSelection bits = RowSelection::FromBitmap({0xF0F0, 0, 1}, 129);
  EXPECT_EQ(all.Without(bits).count(), INT64_MAX - 9);
  EXPECT_EQ(all.Without(bits).NextUnselected(20), 128);
  EXPECT_EQ(all.And(bits).count(), 9);
  EXPECT_EQ(all.And(bits).end(), 129);
  EXPECT_EQ(bits.And(all).count(), 9);
  EXPECT_EQ(bits.Without(all).count(), 0);
  EXPECT_EQ(all.Without(all).count(), 0);
  EXPECT_EQ(all.And(all).count(), INT64_MAX);
  EXPECT_EQ(all.First(INT64_MAX - 1).end(), INT64_MAX - 1);
  const auto last = RowSelection::FromRanges({{3, 5}, {INT64_MAX - 2, INT64_MAX}}).value();
  EXPECT_EQ(last.First(3).end(), INT64_MAX - 1);
  EXPECT_EQ(last.And(all).end(), INT64_MAX);
  EXPECT_EQ(last.Without(bits).count(), 3);
  EXPECT_EQ(all.Without(last).end(), INT64_MAX - 2);
}

TEST(RowSelection, AllAndNone) {
  ExpectSelection(RowSelection(), {});
  ExpectSelection(RowSelection::All(0), {});
  ExpectSelection(RowSelection::All(1), {true});
  ExpectSelection(RowSelection::All(200), std::vector<bool>(200, true));
  ExpectSelection(RowSelection::FromBitmap(std::vector<uint64_t>(4, ~uint64_t{0}), 256),
                  std::vector<bool>(256, true));
  ExpectSelection(RowSelection::FromBitmap(std::vector<uint64_t>(4, 0), 256),
                  std::vector<bool>(256, false));
}

TEST(RowSelection, BitmapMayBeLongerOrShorterThanItsRows) {
  const std::vector<uint64_t> ones(3, ~uint64_t{0});
  ExpectSelection(RowSelection::FromBitmap(ones, 70), std::vector<bool>(70, true));
  std::vector<bool> wanted(300, false);
  std::fill(wanted.begin(), wanted.begin() + 192, true);
  ExpectSelection(RowSelection::FromBitmap(ones, 300), wanted);
  ExpectSelection(RowSelection::FromBitmap({}, 300), std::vector<bool>(300, false));
}

TEST(RowSelection, TouchingAndEmptyRangesAreOne) {
  const auto selection =
      RowSelection::FromRanges({{0, 0}, {2, 5}, {5, 5}, {5, 9}, {9, 9}, {20, 20}}).value();
  EXPECT_EQ(selection.count(), 7);
  EXPECT_EQ(selection.end(), 9);
  EXPECT_EQ(selection.NextUnselected(2), 9);
}

TEST(RowSelection, LargePositions) {
  const int64_t last = INT64_MAX - 1;
  const auto selection = RowSelection::FromPositions(std::vector<int64_t>{7, last}).value();
  EXPECT_EQ(selection.count(), 2);
  EXPECT_EQ(selection.end(), INT64_MAX);
  EXPECT_EQ(selection.NextSelected(8), last);
  EXPECT_EQ(selection.CountIn({8, INT64_MAX}), 1);
  EXPECT_EQ(selection.Slice({last - 3, INT64_MAX}).NextSelected(0), 3);
  EXPECT_EQ(RowSelection::All(INT64_MAX).CountIn({5, INT64_MAX}), INT64_MAX - 5);
}

TEST(RowSelection, RefusesWhatIsNotAscending) {
  for (const std::vector<RowRange>& ranges :
       {std::vector<RowRange>{{-1, 2}}, std::vector<RowRange>{{3, 2}},
        std::vector<RowRange>{{0, 5}, {4, 6}}, std::vector<RowRange>{{5, 6}, {0, 1}}}) {
    EXPECT_EQ(RowSelection::FromRanges(ranges).status().code(), StatusCode::kInvalidArgument);
  }
  for (const std::vector<int64_t>& positions :
       {std::vector<int64_t>{-1}, std::vector<int64_t>{3, 3}, std::vector<int64_t>{3, 2},
        std::vector<int64_t>{INT64_MAX}}) {
    EXPECT_EQ(RowSelection::FromPositions(positions).status().code(), StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace sluice
