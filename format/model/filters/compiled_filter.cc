#include "format/model/filters/compiled_filter.h"

#include <fmt/format.h>
#include <sluice/bitmap.h>
#include <sluice/value.h>

#include <algorithm>
#include <string_view>

#include "format/model/try.h"

namespace sluice::inline v0 {
namespace {

using Kind = ColumnFilter::Kind;

Status Invalid(const ColumnFilter& filter, std::string_view what) {
  return Status::InvalidArgument(fmt::format("filter over {}: {}", filter.type.ToString(), what));
}

/// Whether `value` has as many bytes as a value of the type: what is loaded from it relies on that.
bool HasSizeOf(const DataType& type, std::string_view value) {
  if (type.is_view()) return value.size() < size_t{1} << 31;
  const size_t size = type.id == TypeId::kBoolean ? 1 : static_cast<size_t>(type.byte_width);
  return value.size() == size;
}

Status CheckRanges(const ColumnFilter& filter) {
  if (filter.ranges.empty() || filter.ranges.size() > 2) {
    return Invalid(filter, "not one or two ranges");
  }
  for (const ValueRange& range : filter.ranges) {
    for (const auto& bound : {range.lower, range.upper}) {
      if (bound && !HasSizeOf(filter.type, bound->value)) {
        return Invalid(filter, "a bound is not of the type");
      }
    }
  }
  return Status::Ok();
}

Status CheckSet(const ColumnFilter& filter) {
  if (!filter.set || filter.set->empty() || filter.set->size() > INT32_MAX) {
    return Invalid(filter, "a set without members, or with too many");
  }
  for (size_t i = 0; i < filter.set->size(); ++i) {
    const std::string& member = (*filter.set)[i];
    if (!HasSizeOf(filter.type, member)) return Invalid(filter, "a member is not of the type");
    if (i > 0 && CompareValues(filter.type, (*filter.set)[i - 1], member) >= 0) {
      return Invalid(filter, "a set whose members do not ascend");
    }
  }
  return Status::Ok();
}

Status Check(const ColumnFilter& filter) {
  if (filter.kind == Kind::kNone || filter.kind == Kind::kAll) return Status::Ok();
  if (!IsOrdered(filter.type)) return Invalid(filter, "the type has no order");
  if (filter.kind == Kind::kRanges) return CheckRanges(filter);
  if (filter.kind == Kind::kSet) return CheckSet(filter);
  const TypeId id = filter.type.id;
  if (!filter.type.is_view() && id != TypeId::kFixedBinary && id != TypeId::kUuid) {
    return Invalid(filter, "a pattern for what is no string");
  }
  return Status::Ok();
}

}  // namespace

Result<CompiledFilter> CompiledFilter::Make(const ColumnFilter& filter,
                                            const kernels::KernelTable* kernels) {
  SLUICE_RETURN_IF_ERROR(Check(filter));
  return CompiledFilter(filter, kernels);
}

CompiledFilter::CompiledFilter(const ColumnFilter& filter, const kernels::KernelTable* kernels)
    : filter_(filter) {
  const bool is_wide_decimal = filter.type.id == TypeId::kDecimal && filter.type.byte_width == 16;
  if (filter.kind == Kind::kNone || filter.kind == Kind::kAll) {
    constant_ = filter.kind == Kind::kAll;
  } else if (filter.type.id == TypeId::kBoolean) {
    false_passes_ = filter.Passes(std::string_view("\0", 1));
    true_passes_ = filter.Passes("\1");
    if (false_passes_ == true_passes_) constant_ = true_passes_;
  } else if (KeyFilter::Serves(filter.type)) {
    keys_.emplace(filter, kernels);
  } else if (ByteFilter::Serves(filter)) {
    bytes_.emplace(filter);
  } else if (is_wide_decimal) {
    wide_ranges_.emplace(filter);
  }
}

void CompiledFilter::TestBits(const uint64_t* bits, int64_t count, uint64_t* out) const {
  const uint64_t inverted = false_passes_ ? ~uint64_t{0} : 0;
  const uint64_t always = constant_.value_or(false) ? ~uint64_t{0} : 0;
  const uint64_t kept = constant_ ? 0 : ~uint64_t{0};
  for (int64_t word = 0; word < BitmapWords(count); ++word) {
    out[word] = (((bits[word] ^ inverted) & kept) | always) & LowBits(count - word * 64);
  }
}

void CompiledFilter::TestFixed(const uint8_t* values, int64_t count, uint64_t* out) const {
  const int32_t width = filter_.type.byte_width;
  if (constant_) {
    for (int64_t word = 0; word < BitmapWords(count); ++word) {
      out[word] = *constant_ ? LowBits(count - word * 64) : 0;
    }
  } else if (keys_) {
    keys_->Test(values, count, out);
  } else if (bytes_) {
    bytes_->TestFixed(values, width, count, out);
  } else if (wide_ranges_) {
    wide_ranges_->Test(values, count, out);
  } else {
    std::fill_n(out, BitmapWords(count), uint64_t{0});
    const auto* chars = reinterpret_cast<const char*>(values);
    for (int64_t i = 0; i < count; ++i) {
      if (filter_.Passes({chars + i * width, static_cast<size_t>(width)})) SetBit(out, i);
    }
  }
}

void CompiledFilter::TestViews(const StringView* views, const BufferRef* buffers, int64_t count,
                               uint64_t* out) const {
  if (constant_) return TestFixed(nullptr, count, out);
  bytes_->TestViews(views, buffers, count, out);
}

void CompiledFilter::TestRows(const Column& values, int64_t begin, int64_t count,
                              uint64_t* out) const {
  if (count == 0) return;
  const DataType& type = filter_.type;
  if (constant_) {
    TestFixed(nullptr, count, out);
  } else if (type.is_view()) {
    TestViews(values.values<StringView>() + begin, values.view_buffers.data(), count, out);
  } else if (type.id == TypeId::kBoolean) {
    for (int64_t at = 0; at < count; at += 64) {
      const int64_t length = std::min<int64_t>(64, count - at);
      const uint64_t bits = LoadBits(values.values<uint64_t>(), begin + at, length);
      TestBits(&bits, length, out + at / 64);
    }
  } else {
    TestFixed(values.values<uint8_t>() + begin * type.byte_width, count, out);
  }
}

}  // namespace sluice::inline v0
