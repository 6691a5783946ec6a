#include "format/model/filters/key_filter.h"

#include <sluice/bitmap.h>
#include <sluice/value.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace sluice::inline v0 {
namespace {

using kernels::KeyRange;

/// Up to so many points are compared one by one.
constexpr size_t kFewPoints = 8;
/// Bits that the words of a bitmap of results are made of at a time, where two are merged.
constexpr int64_t kPieceValues = 4096;

/// Ranks, both ends belong to it.
struct RankRange {
  uint64_t first;
  uint64_t last;
};

/// The circle of the keys of a type, and the line that it becomes when it is cut before the
/// smallest value: a rank is a place on that line, from 0 on.
class KeyLine {
 public:
  explicit KeyLine(const DataType& type) : type_(type), is_floating_(IsFloating(type)) {
    const int bits = 8 * type.byte_width;
    largest_ = LowBits(bits);
    sign_ = uint64_t{1} << (bits - 1);
    switch (type.id) {
      case TypeId::kUint8:
      case TypeId::kUint16:
      case TypeId::kUint32:
      case TypeId::kUint64:
        break;
      case TypeId::kFloat16:
        SetInfinity(0x7C00);
        break;
      case TypeId::kFloat:
        SetInfinity(0x7F80'0000);
        break;
      case TypeId::kDouble:
        SetInfinity(0x7FF0'0000'0000'0000);
        break;
      default:
        smallest_ = sign_;
    }
  }

  bool is_floating() const { return is_floating_; }
  uint64_t largest_rank() const { return largest_; }
  uint64_t KeyOfRank(uint64_t rank) const { return (rank + smallest_) & largest_; }

  static uint64_t BitsOf(std::string_view value) {
    uint64_t bits = 0;
    std::memcpy(&bits, value.data(), std::min(value.size(), sizeof(bits)));
    return bits;
  }
  bool IsZero(uint64_t bits) const { return is_floating_ && (bits & ~sign_) == 0; }

  /// Of all values that equal this one.
  RankRange RanksOf(std::string_view value) const {
    if (IsNan(type_, value)) return {infinity_rank_ + 1, largest_};
    const uint64_t bits = BitsOf(value);
    const uint64_t rank = RankOf(IsZero(bits) ? sign_ : bits);
    return {rank, IsZero(bits) ? rank + 1 : rank};
  }

 private:
  void SetInfinity(uint64_t infinity) {
    smallest_ = KeyOf(infinity | sign_);
    infinity_rank_ = RankOf(infinity);
  }
  uint64_t KeyOf(uint64_t bits) const {
    return is_floating_ && (bits & sign_) != 0 ? bits ^ (sign_ - 1) : bits;
  }
  uint64_t RankOf(uint64_t bits) const { return (KeyOf(bits) - smallest_) & largest_; }

  const DataType& type_;
  bool is_floating_;
  uint64_t largest_;
  uint64_t sign_;
  uint64_t smallest_ = 0;
  uint64_t infinity_rank_ = 0;
};

std::optional<RankRange> RanksOf(const KeyLine& line, const ValueRange& range) {
  RankRange ranks{0, line.largest_rank()};
  if (range.lower) {
    const RankRange equal = line.RanksOf(range.lower->value);
    ranks.first = equal.first;
    if (!range.lower->inclusive) {
      if (equal.last == line.largest_rank()) return std::nullopt;
      ranks.first = equal.last + 1;
    }
  }
  if (range.upper) {
    const RankRange equal = line.RanksOf(range.upper->value);
    ranks.last = equal.last;
    if (!range.upper->inclusive) {
      if (equal.first == 0) return std::nullopt;
      ranks.last = equal.first - 1;
    }
  }
  if (ranks.first > ranks.last) return std::nullopt;
  return ranks;
}

/// Ascending ranges that overlap or touch become one, also over the cut.
std::vector<KeyRange> Joined(const KeyLine& line, const std::vector<RankRange>& ranges) {
  std::vector<RankRange> joined;
  for (const RankRange& range : ranges) {
    if (!joined.empty() &&
        (joined.back().last == line.largest_rank() || range.first <= joined.back().last + 1)) {
      joined.back().last = std::max(joined.back().last, range.last);
    } else {
      joined.push_back(range);
    }
  }
  std::vector<KeyRange> keys;
  for (const RankRange& range : joined) {
    keys.push_back({line.KeyOfRank(range.first), range.last - range.first});
  }
  if (joined.size() > 1 && joined.front().first == 0 && joined.back().last == line.largest_rank()) {
    keys.back().span += keys.front().span + 1;
    keys.erase(keys.begin());
  }
  return keys;
}

void Invert(int64_t count, uint64_t* words) {
  for (int64_t word = 0; word < BitmapWords(count); ++word) {
    words[word] ^= LowBits(count - word * 64);
  }
}

}  // namespace

bool KeyFilter::Serves(const DataType& type) {
  switch (type.id) {
    case TypeId::kInt8:
    case TypeId::kInt16:
    case TypeId::kInt32:
    case TypeId::kInt64:
    case TypeId::kUint8:
    case TypeId::kUint16:
    case TypeId::kUint32:
    case TypeId::kUint64:
    case TypeId::kFloat16:
    case TypeId::kFloat:
    case TypeId::kDouble:
    case TypeId::kDate:
    case TypeId::kTime:
    case TypeId::kTimestamp:
    case TypeId::kDuration:
      return true;
    case TypeId::kDecimal:
      return type.byte_width <= 8;
    default:
      return false;
  }
}

KeyFilter::KeyFilter(const ColumnFilter& filter, const kernels::KernelTable* kernels)
    : width_(filter.type.byte_width), kernels_(kernels) {
  ranges_.is_floating = IsFloating(filter.type);
  if (filter.kind == ColumnFilter::Kind::kSet) {
    is_inverted_ = filter.negated;
    MakeSet(filter);
  } else {
    MakeRanges(filter);
  }
}

bool KeyFilter::TryRanges(const std::vector<KeyRange>& ranges) {
  if (ranges.size() > 2) return false;
  ranges_.count = static_cast<int32_t>(ranges.size());
  std::copy(ranges.begin(), ranges.end(), ranges_.at);
  return true;
}

void KeyFilter::MakeRanges(const ColumnFilter& filter) {
  const KeyLine line(filter.type);
  std::vector<RankRange> ranges;
  for (const ValueRange& range : filter.ranges) {
    if (const auto ranks = RanksOf(line, range)) ranges.push_back(*ranks);
  }
  TryRanges(Joined(line, ranges));
}

void KeyFilter::MakeSet(const ColumnFilter& filter) {
  const KeyLine line(filter.type);
  std::vector<RankRange> ranges;
  for (const std::string& member : *filter.set) {
    ranges.push_back(line.RanksOf(member));
  }
  if (TryRanges(Joined(line, ranges))) return;
  for (const std::string& member : *filter.set) {
    const uint64_t bits = KeyLine::BitsOf(member);
    if (IsNan(filter.type, member)) {
      const RankRange nans = line.RanksOf(member);
      ranges_.count = 1;
      ranges_.at[0] = {line.KeyOfRank(nans.first), nans.last - nans.first};
    } else if (line.IsZero(bits)) {
      points_.push_back(0);
      points_.push_back(uint64_t{1} << (8 * width_ - 1));
    } else {
      points_.push_back(bits);
    }
  }
  std::sort(points_.begin(), points_.end());
  if (width_ < 4 || points_.size() > kFewPoints) set_.emplace(points_, width_, kernels_);
}

void KeyFilter::TestRanges(const uint8_t* values, int64_t count, uint64_t* out) const {
  switch (ranges_.count == 0 ? 0 : width_) {
    case 1:
      return kernels_->in_ranges_1(values, count, ranges_, out);
    case 2:
      return kernels_->in_ranges_2(values, count, ranges_, out);
    case 4:
      return kernels_->in_ranges_4(values, count, ranges_, out);
    case 8:
      return kernels_->in_ranges_8(values, count, ranges_, out);
    default:
      std::fill_n(out, BitmapWords(count), uint64_t{0});
  }
}

void KeyFilter::TestPoints(const uint8_t* values, int64_t count, uint64_t* out) const {
  if (set_) return set_->Test(values, count, out);
  const auto num_points = static_cast<int32_t>(points_.size());
  if (width_ == 4) return kernels_->equal_any_4(values, count, points_.data(), num_points, out);
  kernels_->equal_any_8(values, count, points_.data(), num_points, out);
}

void KeyFilter::Test(const uint8_t* values, int64_t count, uint64_t* out) const {
  if (points_.empty()) {
    TestRanges(values, count, out);
  } else {
    TestPoints(values, count, out);
    uint64_t more[kPieceValues / 64];
    for (int64_t at = 0; ranges_.count > 0 && at < count; at += kPieceValues) {
      const int64_t length = std::min(kPieceValues, count - at);
      TestRanges(values + at * width_, length, more);
      for (int64_t word = 0; word < BitmapWords(length); ++word) out[at / 64 + word] |= more[word];
    }
  }
  if (is_inverted_) Invert(count, out);
}

KeyFilter::Outcome KeyFilter::OutcomeOf(KeyRange range) const {
  const uint64_t circle = LowBits(8 * width_);
  bool is_outside = true;
  bool is_inside = false;
  for (int32_t k = 0; k < ranges_.count; ++k) {
    const KeyRange& other = ranges_.at[k];
    const uint64_t ahead = (range.first - other.first) & circle;
    const uint64_t behind = (other.first - range.first) & circle;
    is_inside |= other.span == circle || (ahead <= other.span && range.span <= other.span - ahead);
    is_outside &= ahead > other.span && behind > range.span;
  }
  if (!points_.empty()) {
    const uint64_t end = (range.first + range.span) & circle;
    const auto from = std::lower_bound(points_.begin(), points_.end(), range.first & circle);
    // A range that goes on at 0 meets a point before its end or from its beginning on.
    const bool wraps = end < (range.first & circle);
    const bool meets = wraps ? from != points_.end() || points_.front() <= end
                             : from != points_.end() && *from <= end;
    is_outside &= !meets;
  }
  if (is_inside) return is_inverted_ ? Outcome::kNonePasses : Outcome::kAllPass;
  if (is_outside) return is_inverted_ ? Outcome::kAllPass : Outcome::kNonePasses;
  return Outcome::kUnknown;
}

}  // namespace sluice::inline v0
