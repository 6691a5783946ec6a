#include "format/model/filters/byte_filter.h"

#include <sluice/bitmap.h>

#include <algorithm>
#include <cstring>

#include "format/model/like.h"

namespace sluice::inline v0 {
namespace {

/// test(i): whether value i passes.
template <typename Test>
void TestEach(int64_t count, bool is_negated, uint64_t* out, Test&& test) {
  for (int64_t begin = 0; begin < count; begin += 64) {
    const int64_t length = std::min<int64_t>(64, count - begin);
    uint64_t word = 0;
    for (int64_t i = 0; i < length; ++i) word |= static_cast<uint64_t>(test(begin + i)) << i;
    *out++ = is_negated ? word ^ LowBits(length) : word;
  }
}

/// Whether `text` begins with the first bytes of a literal that are in its head, as many as there
/// are.
bool HasHeadOf(StringHead head, StringHead literal) {
  const int64_t shared = std::min<int64_t>(literal.length(), 4);
  return ((head.word ^ literal.word) >> 32 & LowBits(8 * shared)) == 0;
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

std::optional<ByteFilter::Bound> ByteFilter::BoundOf(const std::optional<ValueBound>& bound) {
  if (!bound) return std::nullopt;
  return Bound{bound->value, StringHead::Of(bound->value), bound->inclusive};
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
        ranges_.push_back({BoundOf(range.lower), BoundOf(range.upper)});
      }
      if (ranges_.size() == 1 && ranges_[0].lower && ranges_[0].upper &&
          ranges_[0].lower->bytes == ranges_[0].upper->bytes && ranges_[0].lower->is_inclusive &&
          ranges_[0].upper->is_inclusive) {
        method_ = Method::kEqual;
        literal_ = ranges_[0].lower->bytes;
      }
  }
  literal_head_ = StringHead::Of(literal_);
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
  const uint32_t a = strings.Head(i).order();
  const uint32_t b = bound.head.order();
  if (a != b) return a < b ? -1 : 1;
  return strings.Bytes(i).compare(bound.bytes);
}

template <typename Strings>
bool ByteFilter::IsInside(const Strings& strings, int64_t i, const Range& range) {
  if (range.lower) {
    const int order = Compare(strings, i, *range.lower);
    if (order < 0 || (order == 0 && !range.lower->is_inclusive)) return false;
  }
  if (range.upper) {
    const int order = Compare(strings, i, *range.upper);
    if (order > 0 || (order == 0 && !range.upper->is_inclusive)) return false;
  }
  return true;
}

template <typename Strings>
bool ByteFilter::HasPrefix(const Strings& strings, int64_t i) const {
  const StringHead head = strings.Head(i);
  if (head.length() < literal_head_.length() || !HasHeadOf(head, literal_head_)) return false;
  if (literal_head_.length() <= 4) return true;
  return std::memcmp(strings.Bytes(i).data(), literal_.data(), literal_.size()) == 0;
}

template <typename Strings>
void ByteFilter::TestLike(const Strings& strings, int64_t count, uint64_t* out) const {
  switch (method_) {
    case Method::kSuffix:
      return TestEach(count, is_negated_, out,
                      [&](int64_t i) { return strings.Bytes(i).ends_with(literal_); });
    case Method::kContains:
      return TestEach(count, is_negated_, out, [&](int64_t i) {
        const std::string_view text = strings.Bytes(i);
        return memmem(text.data(), text.size(), literal_.data(), literal_.size()) != nullptr;
      });
    default:
      return TestEach(count, is_negated_, out, [&](int64_t i) {
        return HasPrefix(strings, i) && LikeMatches(pattern_, strings.Bytes(i));
      });
  }
}

template <typename Strings>
void ByteFilter::Test(const Strings& strings, int64_t count, uint64_t* out) const {
  switch (method_) {
    case Method::kRanges:
      return TestEach(count, false, out, [&](int64_t i) {
        return std::any_of(ranges_.begin(), ranges_.end(),
                           [&](const Range& range) { return IsInside(strings, i, range); });
      });
    case Method::kEqual:
      return TestEach(count, is_negated_, out, [&](int64_t i) {
        return strings.Head(i) == literal_head_ && strings.Bytes(i) == literal_;
      });
    case Method::kSet:
      return TestEach(count, is_negated_, out, [&](int64_t i) {
        return set_->MayHold(strings.Head(i)) && set_->Holds(strings.Bytes(i));
      });
    case Method::kPrefix:
      return TestEach(count, is_negated_, out, [&](int64_t i) { return HasPrefix(strings, i); });
    default:
      return TestLike(strings, count, out);
  }
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
