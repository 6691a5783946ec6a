#include "format/parquet/wanted_rows.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "format/model/bitmap_words.h"

namespace sluice::inline v0::parquet {

WantedRows::WantedRows(RowSelection selection, int64_t num_rows)
    : selection_(std::move(selection)), num_rows_(num_rows) {}

void WantedRows::SetWindow(RowRange rows) {
  window_ = rows;
  bits_.assign(PaddedWords(rows.size()), 0);
}

bool WantedRows::NextWindow(int64_t max_rows) {
  const int64_t begin = selection_.NextSelected(window_.end);
  if (begin >= selection_.end()) return false;
  const int64_t rows = std::min(max_rows, kWindowRows - begin % kWindowRows);
  SetWindow({begin, begin + std::min(num_rows_ - begin, rows)});
  selection_.FillBitmap(window_, bits_.data());
  return true;
}

void WantedRows::MoveTo(RowRange rows, std::span<const uint64_t> bits) {
  SetWindow(rows);
  for (int64_t word = 0; word < BitmapWords(rows.size()); ++word) {
    const auto i = static_cast<size_t>(word);
    bits_[i] = (bits.empty() ? ~uint64_t{0} : bits[i]) & LowBits(rows.size() - word * 64);
  }
}

void WantedRows::MoveOn() {
  SetWindow({window_.end, window_.end + std::min(num_rows_ - window_.end, kWindowRows)});
}

int64_t WantedRows::CountIn(RowRange rows) const {
  const int64_t begin = std::max(rows.begin, window_.begin);
  const int64_t end = std::min(rows.end, window_.end);
  return CountBits(bits_.data(), begin - window_.begin, end - begin) +
         selection_.CountIn({std::max(rows.begin, window_.end), rows.end});
}

void WantedRows::FillBitmap(RowRange rows, uint64_t* words) const {
  CopyBits(bits_.data(), rows.begin - window_.begin, rows.size(), words);
}

std::optional<RowRange> WantedRows::NextBatch(int64_t row, int64_t batch_rows) const {
  const int64_t size = window_.size();
  const auto words = static_cast<int64_t>(bits_.size());
  int64_t at = std::max<int64_t>(row - window_.begin, 0);
  if (at >= size) return std::nullopt;
  int64_t word = at >> 6;
  uint64_t bits = bits_[static_cast<size_t>(word)] & ~LowBits(at & 63);
  while (bits == 0) {
    if (++word == words) return std::nullopt;
    bits = bits_[static_cast<size_t>(word)];
  }
  const int64_t begin = word * 64 + std::countr_zero(bits);
  int64_t end = begin;
  for (int64_t left = batch_rows;;) {
    int64_t count = std::popcount(bits);
    for (; count > left; --count) bits &= ~(uint64_t{1} << (63 - std::countl_zero(bits)));
    if (bits != 0) end = word * 64 + 64 - std::countl_zero(bits);
    left -= count;
    if (left == 0 || ++word == words) break;
    bits = bits_[static_cast<size_t>(word)];
  }
  return RowRange{window_.begin + begin, window_.begin + end};
}

RowRange WantedRows::CutBehindLast(RowRange rows) const {
  const int64_t end = window_.begin + EndOfSetBits(bits_.data(), rows.end - window_.begin);
  return {rows.begin, std::max(rows.begin, end)};
}

}  // namespace sluice::inline v0::parquet
