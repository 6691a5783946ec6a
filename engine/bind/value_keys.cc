#include "engine/bind/value_keys.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/bound/type_rules.h"
#include "format/model/calendar.h"
#include "format/model/text/scalar_text.h"

namespace sluice::inline v0::engine {
namespace {

/// The bits of +infinity, above which there are only NaNs.
uint64_t InfinityBits(int32_t byte_width) {
  return byte_width == 2 ? 0x7c00 : byte_width == 4 ? 0x7f800000 : 0x7ff0000000000000;
}

Int256 PowerOfTwo(int bits) {
  Int256 value;
  value.words[static_cast<size_t>(bits / 64)] = uint64_t{1} << (bits % 64);
  return value;
}

KeyRange IntegerKeys(int32_t byte_width, bool is_unsigned) {
  const int bits = byte_width * 8 - (is_unsigned ? 0 : 1);
  if (bits == 255) return {Int256::Min(), Int256::Max()};
  const Int256 end = PowerOfTwo(bits);
  return {is_unsigned ? Int256() : end.Negated(), end.Plus(-1)};
}

constexpr Int128 kInt96Days = std::numeric_limits<int32_t>::max();

/// Those of any Julian day with any 64-bit number of nanoseconds.
KeyRange Int96Keys() {
  const Int128 nanoseconds = std::numeric_limits<int64_t>::max();
  return {(-kInt96Days - 1 - kJulianDayOfEpoch) * kNanosecondsPerDay - nanoseconds - 1,
          (kInt96Days - kJulianDayOfEpoch) * kNanosecondsPerDay + nanoseconds};
}

std::string Int96OfKey(Int128 key) {
  Int128 day = FloorDivide<Int128>(key, kNanosecondsPerDay) + kJulianDayOfEpoch;
  day = std::max(-kInt96Days - 1, std::min(kInt96Days, day));
  const auto julian = static_cast<int32_t>(day);
  const auto rest = static_cast<int64_t>(key - (day - kJulianDayOfEpoch) * kNanosecondsPerDay);
  std::string bytes(12, '\0');
  std::memcpy(bytes.data(), &rest, sizeof(rest));
  std::memcpy(bytes.data() + 8, &julian, sizeof(julian));
  return bytes;
}

Int128 KeyOfInt96(std::string_view bytes) {
  int64_t nanoseconds;
  int32_t julian;
  std::memcpy(&nanoseconds, bytes.data(), sizeof(nanoseconds));
  std::memcpy(&julian, bytes.data() + 8, sizeof(julian));
  return (Int128{julian} - kJulianDayOfEpoch) * kNanosecondsPerDay + nanoseconds;
}

std::string FloatingOfKey(const Int256& key, int32_t byte_width) {
  uint64_t bits;
  const auto number = static_cast<int64_t>(key.ToInt128());
  const auto infinity = static_cast<int64_t>(InfinityBits(byte_width));
  const int sign_bit = byte_width * 8 - 1;
  if (number > infinity) {
    bits = InfinityBits(byte_width) | InfinityBits(byte_width) >> 1;  // Quiet.
  } else {
    bits = number < 0 ? static_cast<uint64_t>(-number) | uint64_t{1} << sign_bit
                      : static_cast<uint64_t>(number);
  }
  return {reinterpret_cast<const char*>(&bits), static_cast<size_t>(byte_width)};
}

Int256 KeyOfFloating(std::string_view bytes, int32_t byte_width) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), bytes.size());
  const uint64_t sign = uint64_t{1} << (byte_width * 8 - 1);
  const uint64_t infinity = InfinityBits(byte_width);
  const uint64_t magnitude = bits & ~sign;
  if (magnitude > infinity) return static_cast<Int128>(infinity) + 1;
  const auto key = static_cast<Int128>(magnitude);
  return (bits & sign) != 0 ? -key : key;
}

/// The nearest value of a decimal or integer.
double NearestOfKey(const Int256& key, int32_t scale, TypeId image) {
  constexpr Int128 kExactIntegers = Int128{1} << 53;
  if (scale == 0 && key.FitsInt128()) {
    const Int128 number = key.ToInt128();
    if (-kExactIntegers <= number && number <= kExactIntegers) {
      const auto exact = static_cast<int64_t>(number);
      return image == TypeId::kFloat ? static_cast<float>(exact) : static_cast<double>(exact);
    }
  }
  const ExactNumber number = ExactNumber::Of(key, scale);
  return image == TypeId::kFloat ? number.ToFloat() : number.ToDouble();
}

}  // namespace

KeyRange KeysOf(const DataType& type) {
  if (IsFloatingType(type)) {
    const Int256 infinity(static_cast<Int128>(InfinityBits(type.byte_width)));
    return {infinity.Negated(), infinity.Plus(1)};
  }
  if (type.id == TypeId::kBoolean) return {Int256(0), Int256(1)};
  if (type.id == TypeId::kInt96) return Int96Keys();
  return IntegerKeys(type.byte_width, IsUnsigned(type));
}

std::string BytesOfKey(const Int256& key, const DataType& type) {
  if (IsFloatingType(type)) return FloatingOfKey(key, type.byte_width);
  if (type.id == TypeId::kInt96) return Int96OfKey(key.ToInt128());
  const size_t width = type.id == TypeId::kBoolean ? 1 : static_cast<size_t>(type.byte_width);
  return {reinterpret_cast<const char*>(key.words.data()), width};
}

bool HasKeys(const DataType& type) {
  switch (TypeClassOf(type)) {
    case TypeClass::kBoolean:
    case TypeClass::kInteger:
    case TypeClass::kFloating:
    case TypeClass::kDecimal:
      return true;
    default:
      return IsTimeLike(type);
  }
}

Int256 KeyOfBytes(std::string_view bytes, const DataType& type) {
  if (IsFloatingType(type)) return KeyOfFloating(bytes, type.byte_width);
  if (type.id == TypeId::kInt96) return KeyOfInt96(bytes);
  Int256 key;
  const bool is_negative =
      type.id != TypeId::kBoolean && !IsUnsigned(type) && (bytes.back() & 0x80) != 0;
  if (is_negative) key = Int256(-1);
  std::memcpy(key.words.data(), bytes.data(), bytes.size());
  return key;
}

double FloatingOfBytes(std::string_view bytes, const DataType& type) {
  if (type.id == TypeId::kFloat16) {
    uint16_t bits;
    std::memcpy(&bits, bytes.data(), sizeof(bits));
    return text::WidenFloat16(bits);
  }
  if (type.id == TypeId::kFloat) {
    float value;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
  }
  double value;
  std::memcpy(&value, bytes.data(), sizeof(value));
  return value;
}

double ImageOfKey(const Int256& key, const DataType& type, TypeId image) {
  if (IsFloatingType(type)) return FloatingOfBytes(BytesOfKey(key, type), type);
  return NearestOfKey(key, type.scale, image);
}

ExactNumber ExactNumberOf(double value) {
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value);
  return *ExactNumber::Parse({digits, static_cast<size_t>(end.ptr - digits)});
}

Int256 Midpoint(const Int256& a, const Int256& b) {
  const uint64_t both_odd = a.words[0] & b.words[0] & 1;
  return ShiftRight(a, 1).Plus(ShiftRight(b, 1)).Plus(static_cast<Int128>(both_odd));
}

Int256 ShiftRight(const Int256& value, int bits) {
  const uint64_t sign = value.is_negative() ? ~uint64_t{0} : 0;
  const auto shift = static_cast<size_t>(bits % 64);
  Int256 shifted;
  for (size_t i = 0; i < shifted.words.size(); ++i) {
    const size_t from = i + static_cast<size_t>(bits / 64);
    const uint64_t low = from < 4 ? value.words[from] : sign;
    const uint64_t high = from + 1 < 4 ? value.words[from + 1] : sign;
    shifted.words[i] = shift == 0 ? low : low >> shift | high << (64 - shift);
  }
  return shifted;
}

}  // namespace sluice::inline v0::engine
