#include <fmt/format.h>
#include <sluice/row_selection.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "format/model/bitmap_words.h"

namespace sluice::inline v0 {
namespace {

/// Whether a bit a row is less than a range (and the rows before it) a run.
bool IsSmallerThanRanges(int64_t num_rows, int64_t num_ranges) {
  return num_rows / 8 < num_ranges * static_cast<int64_t>(sizeof(RowRange) + 8);
}

}  // namespace

/// The wanted rows as ranges that do not touch, in order, from the first one that ends after a row.
class RowSelection::Runs {
 public:
  Runs(const RowSelection& selection, int64_t begin) : selection_(selection) {
    if (selection_.is_bitmap_) {
      next_row_ = begin;
    } else {
      next_range_ = selection_.FirstRangeEndingAfter(begin);
    }
    Advance();
  }

  /// Empty, and at INT64_MAX, behind the last one.
  const RowRange& current() const { return current_; }
  void Advance() {
    if (!selection_.is_bitmap_) {
      const bool is_there = next_range_ < selection_.ranges_.size();
      current_ = is_there ? selection_.ranges_[next_range_++] : RowRange{INT64_MAX, INT64_MAX};
      return;
    }
    current_.begin = selection_.NextSelected(next_row_);
    current_.end = next_row_ = selection_.NextUnselected(current_.begin);
  }

 private:
  const RowSelection& selection_;
  size_t next_range_ = 0;
  int64_t next_row_ = 0;
  RowRange current_;
};

RowSelection RowSelection::All(int64_t num_rows) {
  assert(num_rows >= 0);
  RowSelection selection;
  if (num_rows > 0) {
    selection.ranges_ = {{0, num_rows}};
    selection.rows_before_ = {0};
    selection.count_ = selection.end_ = num_rows;
  }
  return selection;
}

Result<RowSelection> RowSelection::FromRanges(std::vector<RowRange> ranges) {
  RowSelection selection;
  // Empty ranges go, and ranges that touch become one: NextUnselected relies on gaps.
  std::vector<RowRange>& kept = selection.ranges_;
  int64_t end = 0;
  for (const RowRange& range : ranges) {
    if (range.begin < end || range.end < range.begin) {
      return Status::InvalidArgument(
          fmt::format("row ranges are not ascending and disjoint: [{}, {}) after row {}",
                      range.begin, range.end, end));
    }
    end = range.end;
    if (range.size() == 0) continue;
    if (!kept.empty() && kept.back().end == range.begin) {
      kept.back().end = range.end;
    } else {
      kept.push_back(range);
    }
  }
  selection.rows_before_.reserve(kept.size());
  for (const RowRange& range : kept) {
    selection.rows_before_.push_back(selection.count_);
    selection.count_ += range.size();
  }
  if (!kept.empty()) selection.end_ = kept.back().end;
  return selection;
}

Result<RowSelection> RowSelection::FromPositions(std::span<const int64_t> positions) {
  std::vector<RowRange> ranges;
  int64_t end = 0;
  for (const int64_t position : positions) {
    // INT64_MAX is no row: it has no end.
    if (position < end || position == INT64_MAX) {
      return Status::InvalidArgument(fmt::format(
          "row positions are not strictly ascending: {} where {} is the least", position, end));
    }
    if (!ranges.empty() && ranges.back().end == position) {
      ++ranges.back().end;
    } else {
      ranges.push_back({position, position + 1});
    }
    end = position + 1;
  }
  if (!IsSmallerThanRanges(end, static_cast<int64_t>(ranges.size()))) {
    return FromRanges(std::move(ranges));
  }
  std::vector<uint64_t> words(static_cast<size_t>(BitmapWords(end)));
  for (const RowRange& range : ranges) AppendOnes(words.data(), range.begin, range.size());
  return FromBitmap(std::move(words), end);
}

RowSelection RowSelection::FromBitmap(std::vector<uint64_t> words, int64_t num_rows) {
  assert(num_rows >= 0);
  RowSelection selection;
  selection.is_bitmap_ = true;
  words.resize(std::min(words.size(), static_cast<size_t>(BitmapWords(num_rows))));
  if (static_cast<int64_t>(words.size()) == BitmapWords(num_rows) && num_rows % 64 != 0) {
    words.back() &= LowBits(num_rows % 64);
  }
  while (!words.empty() && words.back() == 0) words.pop_back();
  if (!words.empty()) {
    const auto size = static_cast<int64_t>(words.size());
    selection.end_ = size * 64 - std::countl_zero(words.back());
    selection.count_ = CountBits(words.data(), 0, size * 64);
  }
  selection.words_ = std::move(words);
  return selection;
}

size_t RowSelection::FirstRangeEndingAfter(int64_t row) const {
  const auto found = std::partition_point(
      ranges_.begin(), ranges_.end(), [row](const RowRange& range) { return range.end <= row; });
  return static_cast<size_t>(found - ranges_.begin());
}

int64_t RowSelection::NextSelected(int64_t row) const {
  row = std::max<int64_t>(row, 0);
  if (row >= end_) return INT64_MAX;
  if (!is_bitmap_) return std::max(row, ranges_[FirstRangeEndingAfter(row)].begin);
  // Ends at the latest with the last word, which is not zero.
  auto word = static_cast<size_t>(row >> 6);
  uint64_t bits = words_[word] & ~LowBits(row & 63);
  while (bits == 0) bits = words_[++word];
  return static_cast<int64_t>(word) * 64 + std::countr_zero(bits);
}

int64_t RowSelection::NextUnselected(int64_t row) const {
  row = std::max<int64_t>(row, 0);
  if (row >= end_) return row;
  if (!is_bitmap_) {
    const RowRange& range = ranges_[FirstRangeEndingAfter(row)];
    return row < range.begin ? row : range.end;
  }
  auto word = static_cast<size_t>(row >> 6);
  uint64_t bits = ~words_[word] & ~LowBits(row & 63);
  while (bits == 0) {
    if (++word == words_.size()) return static_cast<int64_t>(word) * 64;
    bits = ~words_[word];
  }
  return static_cast<int64_t>(word) * 64 + std::countr_zero(bits);
}

int64_t RowSelection::CountIn(RowRange rows) const {
  rows.begin = std::max<int64_t>(rows.begin, 0);
  rows.end = std::min(rows.end, end_);
  if (rows.begin >= rows.end) return 0;
  if (is_bitmap_) return CountBits(words_.data(), rows.begin, rows.size());
  const auto count_before = [this](int64_t row) {
    const size_t i = FirstRangeEndingAfter(row);
    if (i == ranges_.size()) return count_;
    return rows_before_[i] + std::max<int64_t>(0, row - ranges_[i].begin);
  };
  return count_before(rows.end) - count_before(rows.begin);
}

void RowSelection::FillBitmap(RowRange rows, uint64_t* words) const {
  assert(rows.begin >= 0 && rows.begin <= rows.end);
  std::fill(words, words + BitmapWords(rows.size()), uint64_t{0});
  const int64_t end = std::min(rows.end, end_);
  if (is_bitmap_) {
    CopyBits(words_.data(), rows.begin, end - rows.begin, words);
    return;
  }
  for (size_t i = FirstRangeEndingAfter(rows.begin); i < ranges_.size(); ++i) {
    if (ranges_[i].begin >= end) break;
    const int64_t begin = std::max(ranges_[i].begin, rows.begin);
    AppendOnes(words, begin - rows.begin, std::min(ranges_[i].end, end) - begin);
  }
}

RowSelection RowSelection::Slice(RowRange rows) const {
  rows.begin = std::max<int64_t>(rows.begin, 0);
  rows.end = std::min(rows.end, end_);
  if (rows.begin >= rows.end) return RowSelection();
  if (is_bitmap_) {
    std::vector<uint64_t> words(static_cast<size_t>(BitmapWords(rows.size())));
    FillBitmap(rows, words.data());
    return FromBitmap(std::move(words), rows.size());
  }
  std::vector<RowRange> ranges;
  for (size_t i = FirstRangeEndingAfter(rows.begin); i < ranges_.size(); ++i) {
    if (ranges_[i].begin >= rows.end) break;
    ranges.push_back({std::max(ranges_[i].begin, rows.begin) - rows.begin,
                      std::min(ranges_[i].end, rows.end) - rows.begin});
  }
  return *FromRanges(std::move(ranges));
}

RowSelection RowSelection::First(int64_t count) const {
  if (count >= count_) return *this;
  if (count <= 0) return RowSelection();
  if (!is_bitmap_) {
    // The last range with fewer rows before it: it is cut, and those behind it go.
    const auto cut = std::lower_bound(rows_before_.begin(), rows_before_.end(), count) - 1;
    const auto kept = cut - rows_before_.begin();
    std::vector<RowRange> ranges(ranges_.begin(), ranges_.begin() + kept + 1);
    ranges.back().end = ranges.back().begin + (count - *cut);
    return *FromRanges(std::move(ranges));
  }
  const int64_t end = FindSetBit(words_.data(), 0, end_, count - 1) + 1;
  return FromBitmap({words_.begin(), words_.begin() + BitmapWords(end)}, end);
}

int64_t RowSelection::CountRuns(int64_t begin, int64_t end) const {
  end = std::min(end, end_);
  if (begin >= end) return 0;
  if (!is_bitmap_) {
    const size_t first = FirstRangeEndingAfter(begin);
    return static_cast<int64_t>(FirstRangeEndingAfter(end - 1) - first) + 1;
  }
  // A run begins at each bit whose neighbour below is not set.
  int64_t runs = 0;
  uint64_t below = 0;
  for (int64_t word = begin >> 6; word < BitmapWords(end); ++word) {
    const uint64_t bits = words_[static_cast<size_t>(word)];
    runs += std::popcount(bits & ~(bits << 1 | below));
    below = bits >> 63;
  }
  return runs;
}

bool RowSelection::IsSmallerAsBitmap(const RowSelection& other, int64_t begin, int64_t end) const {
  return IsSmallerThanRanges(end, CountRuns(begin, end) + other.CountRuns(begin, end));
}

RowSelection RowSelection::And(const RowSelection& other) const {
  const int64_t begin = std::max(NextSelected(0), other.NextSelected(0));
  const int64_t end = std::min(end_, other.end_);
  if (begin >= end) return RowSelection();
  if (IsSmallerAsBitmap(other, begin, end)) {
    std::vector<uint64_t> words(static_cast<size_t>(BitmapWords(end)));
    std::vector<uint64_t> mask(words.size());
    FillBitmap({0, end}, words.data());
    other.FillBitmap({0, end}, mask.data());
    for (size_t i = 0; i < words.size(); ++i) words[i] &= mask[i];
    return FromBitmap(std::move(words), end);
  }
  std::vector<RowRange> ranges;
  Runs ours(*this, begin);
  Runs theirs(other, begin);
  while (std::max(ours.current().begin, theirs.current().begin) < end) {
    const RowRange both{std::max(ours.current().begin, theirs.current().begin),
                        std::min(ours.current().end, theirs.current().end)};
    if (both.begin < both.end) ranges.push_back(both);
    (ours.current().end < theirs.current().end ? ours : theirs).Advance();
  }
  return *FromRanges(std::move(ranges));
}

RowSelection RowSelection::Without(const RowSelection& other) const {
  const int64_t begin = NextSelected(0);
  if (begin >= other.end_) return *this;
  if (IsSmallerAsBitmap(other, begin, end_)) {
    std::vector<uint64_t> words(static_cast<size_t>(BitmapWords(end_)));
    std::vector<uint64_t> mask(words.size());
    FillBitmap({0, end_}, words.data());
    other.FillBitmap({0, end_}, mask.data());
    for (size_t i = 0; i < words.size(); ++i) words[i] &= ~mask[i];
    return FromBitmap(std::move(words), end_);
  }
  std::vector<RowRange> ranges;
  Runs theirs(other, begin);
  for (Runs ours(*this, begin); ours.current().begin < end_; ours.Advance()) {
    int64_t at = ours.current().begin;
    const int64_t end = ours.current().end;
    while (theirs.current().end <= at) theirs.Advance();
    // A run of theirs that goes beyond this one of ours may cut the next as well.
    for (; theirs.current().begin < end; theirs.Advance()) {
      if (at < theirs.current().begin) ranges.push_back({at, theirs.current().begin});
      at = std::min(theirs.current().end, end);
      if (theirs.current().end >= end) break;
    }
    if (at < end) ranges.push_back({at, end});
  }
  return *FromRanges(std::move(ranges));
}

}  // namespace sluice::inline v0
