#include <fmt/format.h>
#include <sluice/bitmap.h>
#include <sluice/row_selection.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace sluice::inline v0 {
namespace {

void SetBits(uint64_t* words, int64_t begin, int64_t end) {
  for (int64_t at = begin; at < end;) {
    const int64_t bits = std::min(64 - (at & 63), end - at);
    words[at >> 6] |= LowBits(bits) << (at & 63);
    at += bits;
  }
}

}  // namespace

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
  // A bit a row where that is less than a range (and its count) a run.
  const auto range_bytes = static_cast<int64_t>(ranges.size() * (sizeof(RowRange) + 8));
  if (end / 8 >= range_bytes) return FromRanges(std::move(ranges));
  std::vector<uint64_t> words(static_cast<size_t>(BitmapWords(end)));
  for (const RowRange& range : ranges) SetBits(words.data(), range.begin, range.end);
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
    for (int64_t at = rows.begin; at < end; at += 64) {
      *words++ = LoadBits(words_.data(), at, std::min<int64_t>(64, end - at));
    }
    return;
  }
  for (size_t i = FirstRangeEndingAfter(rows.begin); i < ranges_.size(); ++i) {
    if (ranges_[i].begin >= end) break;
    SetBits(words, std::max(ranges_[i].begin, rows.begin) - rows.begin,
            std::min(ranges_[i].end, end) - rows.begin);
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

}  // namespace sluice::inline v0
