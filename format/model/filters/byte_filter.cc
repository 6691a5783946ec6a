#include "format/model/filters/byte_filter.h"

#include <sluice/bitmap.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "format/model/like.h"

namespace sluice::inline v0 {
namespace {

/// may_pass(key): whether a string with this key can pass, without a branch, as what follows is
/// not to be predicted. passes(i): whether one does that can.
template <typename Strings, typename MayPass, typename Passes>
void TestInTwoSteps(const Strings& strings, int64_t count, uint64_t* out, MayPass&& may_pass,
                    Passes&& passes) {
  for (int64_t begin = 0; begin < count; begin += 64) {
    const int64_t length = std::min<int64_t>(64, count - begin);
    uint64_t word = 0;
    for (int64_t i = 0; i < length; ++i) {
      word |= static_cast<uint64_t>(may_pass(strings.Key(begin + i))) << i;
    }
    for (uint64_t open = word; open != 0; open &= open - 1) {
      const int at = std::countr_zero(open);
      word ^= static_cast<uint64_t>(!passes(begin + at)) << at;
    }
    *out++ = word;
  }
}

void Invert(int64_t count, uint64_t* words) {
  for (int64_t word = 0; word < BitmapWords(count); ++word) {
    words[word] ^= LowBits(count - word * 64);
  }
}

/// What stands between the `%` at the ends of a pattern that has no other wildcard, and at which
/// ends they stand.
struct LiteralBetween {
  std::string bytes;
  bool is_open_before = false;
  bool is_open_behind = false;
};

std::optional<LiteralBetween> LiteralOf(std::string_view pattern) {
  LiteralBetween literal;
  size_t at = pattern.find_first_not_of('%');
  if (at == std::string_view::npos) return std::nullopt;
  literal.is_open_before = at > 0;
  const LikePrefix rest = PrefixOfLike(pattern.substr(at));
  literal.bytes = rest.bytes;
  literal.is_open_behind = rest.is_sufficient;
  if (rest.is_sufficient) return literal;
  // Without a wildcard behind it the literal is the whole rest, in which some bytes are escaped.
  for (; at < pattern.size(); ++at) {
    if (pattern[at] == '%' || pattern[at] == '_') return std::nullopt;
    if (pattern[at] == '\\') ++at;
  }
  return literal;
}

}  // namespace

bool ByteFilter::Serves(const ColumnFilter& filter) {
  const DataType& type = filter.type;
  const bool is_ordered_by_bytes =
      type.is_view() || type.id == TypeId::kFixedBinary || type.id == TypeId::kUuid;
  return is_ordered_by_bytes ||
         (type.id == TypeId::kDecimal && filter.kind == ColumnFilter::Kind::kSet);
}

ByteFilter::Range ByteFilter::RangeOf(const ValueRange& range) {
  Range made;
  if (range.lower) {
    const std::string& value = range.lower->value;
    made.lower = Bound{value, StringFront::Of(value), range.lower->inclusive};
    made.lower_order = StringKey::Of(std::string_view(value)).order();
  }
  if (range.upper) {
    const std::string& value = range.upper->value;
    made.upper = Bound{value, StringFront::Of(value), range.upper->inclusive};
    made.upper_order = StringKey::Of(std::string_view(value)).order();
  }
  return made;
}

ByteFilter::ByteFilter(const ColumnFilter& filter) : is_negated_(filter.negated) {
  switch (filter.kind) {
    case ColumnFilter::Kind::kSet:
      method_ = Method::kSet;
      set_.emplace(filter.set);
      break;
    case ColumnFilter::Kind::kPrefix:
      method_ = Method::kPrefix;
      literal_ = filter.pattern;
      break;
    case ColumnFilter::Kind::kLike:
      MakeLike(filter.pattern);
      break;
    default:
      is_negated_ = false;
      for (const ValueRange& range : filter.ranges) {
        ranges_.push_back(RangeOf(range));
      }
      if (ranges_.size() == 1 && ranges_[0].lower && ranges_[0].upper &&
          ranges_[0].lower->bytes == ranges_[0].upper->bytes && ranges_[0].lower->is_inclusive &&
          ranges_[0].upper->is_inclusive) {
        method_ = Method::kEqual;
        literal_ = ranges_[0].lower->bytes;
      }
  }
  literal_key_ = StringKey::Of(std::string_view(literal_));
}

void ByteFilter::MakeLike(const std::string& pattern) {
  method_ = Method::kLike;
  pattern_ = pattern;
  literal_ = PrefixOfLike(pattern).bytes;
  const auto literal = LiteralOf(pattern);
  if (!literal) return;
  // A wildcard in front ends where a character ends: only a byte that can be inside of one needs
  // to be told from one that is.
  const bool is_continuation = (static_cast<uint8_t>(literal->bytes[0]) & 0xC0) == 0x80;
  if (literal->is_open_before && is_continuation) return;
  literal_ = literal->bytes;
  if (literal->is_open_before) {
    method_ = literal->is_open_behind ? Method::kContains : Method::kSuffix;
  } else {
    method_ = literal->is_open_behind ? Method::kPrefix : Method::kEqual;
  }
}

template <typename Strings>
int ByteFilter::Compare(const Strings& strings, int64_t i, const Bound& bound) {
  const auto order = strings.Front(i) <=> bound.front;
  if (order != 0) return order < 0 ? -1 : 1;
  return strings.Bytes(i).compare(bound.bytes);
}

template <typename Strings>
bool ByteFilter::IsInside(const Strings& strings, int64_t i) const {
  return std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& range) {
    if (range.lower) {
      const int order = Compare(strings, i, *range.lower);
      if (order < 0 || (order == 0 && !range.lower->is_inclusive)) return false;
    }
    if (range.upper) {
      const int order = Compare(strings, i, *range.upper);
      if (order > 0 || (order == 0 && !range.upper->is_inclusive)) return false;
    }
    return true;
  });
}

/// Only strings whose key is that of a bound are compared whole.
template <typename Strings>
void ByteFilter::TestRanges(const Strings& strings, int64_t count, uint64_t* out) const {
  for (int64_t begin = 0; begin < count; begin += 64) {
    const int64_t length = std::min<int64_t>(64, count - begin);
    uint64_t word = 0;
    uint64_t open = 0;
    for (const Range& range : ranges_) {
      for (int64_t i = 0; i < length; ++i) {
        const int64_t order = strings.Key(begin + i).order();
        const bool is_inside = (order > range.lower_order) & (order < range.upper_order);
        const bool is_bound = (order == range.lower_order) | (order == range.upper_order);
        word |= uint64_t{is_inside} << i;
        open |= uint64_t{is_bound} << i;
      }
    }
    for (open &= ~word; open != 0; open &= open - 1) {
      const int at = std::countr_zero(open);
      word |= uint64_t{IsInside(strings, begin + at)} << at;
    }
    *out++ = word;
  }
}

template <typename Strings>
void ByteFilter::TestLiteral(const Strings& strings, int64_t count, uint64_t* out) const {
  const StringKey literal = literal_key_;
  const int64_t shared = std::min<int64_t>(literal.length(), 4);
  const auto begins = [=](const StringKey& key) {
    const bool is_long_enough = key.length() >= literal.length();
    const bool shares_prefix = key.SharesPrefix(literal, shared);
    return is_long_enough & shares_prefix;
  };
  const auto any = [](const StringKey&) { return true; };
  switch (method_) {
    case Method::kEqual:
      return TestInTwoSteps(
          strings, count, out,
          [=](const StringKey& key) {
            return (key.head == literal.head) & (key.tail == literal.tail);
          },
          [&](int64_t i) { return literal.is_whole() || strings.Bytes(i) == literal_; });
    case Method::kPrefix:
      return TestInTwoSteps(strings, count, out, begins, [&](int64_t i) {
        return shared == literal.length() || strings.Bytes(i).starts_with(literal_);
      });
    case Method::kSuffix:
      return TestInTwoSteps(strings, count, out, any,
                            [&](int64_t i) { return strings.Bytes(i).ends_with(literal_); });
    case Method::kContains:
      return TestInTwoSteps(strings, count, out, any, [&](int64_t i) {
        return strings.Bytes(i).find(literal_) != std::string_view::npos;
      });
    default:
      return TestInTwoSteps(strings, count, out, begins,
                            [&](int64_t i) { return LikeMatches(pattern_, strings.Bytes(i)); });
  }
}

template <typename Strings>
void ByteFilter::Test(const Strings& strings, int64_t count, uint64_t* out) const {
  if (method_ == Method::kRanges) {
    TestRanges(strings, count, out);
  } else if (method_ == Method::kSet) {
    TestInTwoSteps(
        strings, count, out, [&](const StringKey& key) { return set_->MayHold(key); },
        [&](int64_t i) { return set_->Holds(strings.Bytes(i)); });
  } else {
    TestLiteral(strings, count, out);
  }
  if (is_negated_) Invert(count, out);
}

void ByteFilter::TestViews(const StringView* views, const BufferRef* buffers, int64_t count,
                           uint64_t* out) const {
  Test(ViewStrings(views, buffers), count, out);
}

void ByteFilter::TestFixed(const uint8_t* values, int32_t width, int64_t count,
                           uint64_t* out) const {
  Test(FixedStrings(values, width), count, out);
}

}  // namespace sluice::inline v0
