// Canonical text of single values: the second half of reference_schema.h.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "tests/support/reference_schema.h"

namespace sluice::support {
namespace {

using parquet::LogicalKind;
using parquet::PhysicalType;

uint64_t LittleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    value |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
  }
  return value;
}

int64_t SignedInteger(std::string_view bytes) {
  const uint64_t bits = LittleEndian(bytes);
  return bytes.size() == 4 ? int64_t{static_cast<int32_t>(bits)} : static_cast<int64_t>(bits);
}

std::string HexText(std::string_view bytes) {
  std::string digits;
  for (const char byte : bytes) digits += fmt::format("{:02x}", static_cast<uint8_t>(byte));
  return "{\"hex\":\"" + digits + "\"}";
}

/// JSON numbers are safe below 2^53 only; what is larger goes as a string.
std::string SafeInteger(const std::string& digits, bool is_safe) {
  return is_safe ? digits : '"' + digits + '"';
}

std::string SignedText(int64_t value) {
  constexpr int64_t kSafe = int64_t{1} << 53;
  return SafeInteger(std::to_string(value), value > -kSafe && value < kSafe);
}

std::string UnsignedText(uint64_t value) {
  return SafeInteger(std::to_string(value), value < uint64_t{1} << 53);
}

/// ECMAScript's Number.prototype.toString over the shortest digits that round-trip.
template <typename Float>
std::string FloatText(Float value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  if (value == 0) return std::signbit(value) ? "\"-0.0\"" : "0";
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, std::abs(value), std::chars_format::scientific)
          .ptr;
  const std::string_view scientific(buffer, static_cast<size_t>(end - buffer));
  const size_t e = scientific.find('e');
  std::string digits;
  for (const char c : scientific.substr(0, e)) {
    if (c != '.') digits.push_back(c);
  }
  const int exponent = std::stoi(std::string(scientific.substr(e + 1)));
  const int k = static_cast<int>(digits.size());
  const int n = exponent + 1;  // The value is 0.d1...dk times 10^n.
  const std::string sign = value < 0 ? "-" : "";
  if (k <= n && n <= 21) return sign + digits + std::string(static_cast<size_t>(n - k), '0');
  if (0 < n && n <= 21) {
    return sign + digits.substr(0, static_cast<size_t>(n)) + "." +
           digits.substr(static_cast<size_t>(n));
  }
  if (-6 < n && n <= 0) return sign + "0." + std::string(static_cast<size_t>(-n), '0') + digits;
  const std::string fraction = k > 1 ? "." + digits.substr(1) : "";
  return sign + digits[0] + fraction + fmt::format("e{:+}", exponent);
}

float OfFloat16(uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<float>(bits & 1023);
  float value = 0;
  if (exponent == 31) {
    value = fraction == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    value = std::ldexp(fraction, -24);
  } else {
    value = std::ldexp(1024 + fraction, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

/// Big-endian two's complement of any length.
std::string DecimalText(std::string_view bytes, int64_t scale) {
  std::vector<uint8_t> rest(bytes.begin(), bytes.end());
  const bool is_negative = !rest.empty() && rest[0] >= 0x80;
  if (is_negative) {
    int carry = 1;
    for (size_t i = rest.size(); i-- > 0;) {
      const int sum = (0xff ^ rest[i]) + carry;
      rest[i] = static_cast<uint8_t>(sum);
      carry = sum >> 8;
    }
  }
  std::string digits;  // Least significant first.
  while (std::any_of(rest.begin(), rest.end(), [](uint8_t byte) { return byte != 0; })) {
    int remainder = 0;
    for (uint8_t& byte : rest) {
      const int value = remainder * 256 + byte;
      byte = static_cast<uint8_t>(value / 10);
      remainder = value % 10;
    }
    digits.push_back(static_cast<char>('0' + remainder));
  }
  const bool is_zero = digits.empty();
  while (static_cast<int64_t>(digits.size()) <= scale) digits.push_back('0');
  std::reverse(digits.begin(), digits.end());
  if (scale > 0) digits.insert(digits.size() - static_cast<size_t>(scale), ".");
  return '"' + std::string(is_negative && !is_zero ? "-" : "") + digits + '"';
}

int64_t FloorDivide(int64_t value, int64_t by) { return value / by - (value % by < 0 ? 1 : 0); }

std::string DateText(int64_t days) {
  // Walks by whole 400-year cycles, then year by year and month by month.
  int64_t year = 1970 + 400 * FloorDivide(days, 146097);
  int64_t left = days - 146097 * FloorDivide(days, 146097);
  const auto is_leap = [&] { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; };
  while (left >= (is_leap() ? 366 : 365)) {
    left -= is_leap() ? 366 : 365;
    ++year;
  }
  const int64_t lengths[] = {31, is_leap() ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int month = 0;
  while (left >= lengths[month]) left -= lengths[month++];
  return fmt::format("{}{:04}-{:02}-{:02}", year < 0 ? "-" : "", std::abs(year), month + 1,
                     left + 1);
}

std::string ClockText(int64_t units, int64_t digits) {
  const int64_t second = digits == 3 ? 1000 : digits == 6 ? 1000000 : 1000000000;
  const int64_t seconds = units / second;
  return fmt::format("{:02}:{:02}:{:02}.{:0{}}", seconds / 3600, seconds / 60 % 60, seconds % 60,
                     units % second, digits);
}

int64_t UnitsPerDay(int64_t digits) {
  return 86400 * (digits == 3 ? int64_t{1000} : digits == 6 ? 1000000 : 1000000000);
}

std::string TimestampText(int64_t value, const ReferenceAnnotation& annotation) {
  const int64_t day = UnitsPerDay(annotation.fraction_digits);
  const int64_t days = FloorDivide(value, day);
  const int64_t clock = static_cast<int64_t>(
      static_cast<uint64_t>(value) - static_cast<uint64_t>(days) * static_cast<uint64_t>(day));
  return '"' + DateText(days) + "T" + ClockText(clock, annotation.fraction_digits) +
         (annotation.utc_adjusted ? "Z\"" : "\"");
}

std::string Int96Text(std::string_view bytes) {
  const int64_t nanoseconds = SignedInteger(bytes.substr(0, 8));
  const int64_t julian_day = SignedInteger(bytes.substr(8, 4));
  const int64_t day = UnitsPerDay(9);
  const int64_t carried = FloorDivide(nanoseconds, day);
  return '"' + DateText(julian_day - 2440588 + carried) + "T" +
         ClockText(nanoseconds - carried * day, 9) + '"';
}

/// The bytes of one UTF-8 character at the front of `text`; 0 where there is none.
size_t Utf8Length(std::string_view text) {
  const auto byte = [&](size_t i) -> uint32_t {
    return i < text.size() ? static_cast<uint8_t>(text[i]) : 0;
  };
  const auto continues = [&](size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const uint32_t first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return continues(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    if (!continues(1) || !continues(2)) return 0;
    const uint32_t code = (first & 15) << 12 | (byte(1) & 63) << 6 | (byte(2) & 63);
    return code >= 0x800 && (code < 0xd800 || code > 0xdfff) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    const uint32_t code = (first & 7) << 18 | (byte(1) & 63) << 12;
    return code >= 0x10000 && code <= 0x10ffff ? 4 : 0;
  }
  return 0;
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string UuidText(std::string_view bytes) {
  std::string text = "\"";
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text.push_back('-');
    text += fmt::format("{:02x}", static_cast<uint8_t>(bytes[i]));
  }
  return text + '"';
}

std::string PhysicalText(PhysicalType type, std::string_view bytes) {
  switch (type) {
    case PhysicalType::kBoolean:
      return bytes[0] != 0 ? "true" : "false";
    case PhysicalType::kInt32:
    case PhysicalType::kInt64:
      return SignedText(SignedInteger(bytes));
    case PhysicalType::kInt96:
      return Int96Text(bytes);
    case PhysicalType::kFloat:
      return FloatText(std::bit_cast<float>(static_cast<uint32_t>(LittleEndian(bytes))));
    case PhysicalType::kDouble:
      return FloatText(std::bit_cast<double>(LittleEndian(bytes)));
    case PhysicalType::kByteArray:
    case PhysicalType::kFixedLenByteArray:
      break;
  }
  return HexText(bytes);
}

}  // namespace

std::string JsonString(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<uint8_t>(c) < 0x20) {
          out += fmt::format("\\u{:04x}", static_cast<uint8_t>(c));
        } else {
          out.push_back(c);
        }
    }
  }
  return out + '"';
}

std::string ValueText(const ReferenceNode& leaf, std::string_view bytes) {
  const ReferenceAnnotation& annotation = leaf.annotation;
  if (annotation.is_interval) {
    return fmt::format("{{\"months\":{},\"days\":{},\"millis\":{}}}",
                       LittleEndian(bytes.substr(0, 4)), LittleEndian(bytes.substr(4, 4)),
                       LittleEndian(bytes.substr(8, 4)));
  }
  switch (annotation.kind) {
    case LogicalKind::kString:
    case LogicalKind::kEnum:
    case LogicalKind::kJson:
      return IsUtf8(bytes) ? JsonString(bytes) : HexText(bytes);
    case LogicalKind::kDecimal: {
      std::string big_endian(bytes);
      if (leaf.type == PhysicalType::kInt32 || leaf.type == PhysicalType::kInt64) {
        std::reverse(big_endian.begin(), big_endian.end());
      }
      return DecimalText(big_endian, annotation.scale);
    }
    case LogicalKind::kDate:
      return '"' + DateText(SignedInteger(bytes)) + '"';
    case LogicalKind::kTime: {
      const int64_t value = SignedInteger(bytes);
      if (value < 0 || value >= UnitsPerDay(annotation.fraction_digits)) return SignedText(value);
      return '"' + ClockText(value, annotation.fraction_digits) +
             (annotation.utc_adjusted ? "Z\"" : "\"");
    }
    case LogicalKind::kTimestamp:
      return TimestampText(SignedInteger(bytes), annotation);
    case LogicalKind::kInteger:
      return annotation.is_signed ? SignedText(SignedInteger(bytes))
                                  : UnsignedText(LittleEndian(bytes));
    case LogicalKind::kUuid:
      return UuidText(bytes);
    case LogicalKind::kFloat16:
      return FloatText(OfFloat16(LittleEndian(bytes)));
    case LogicalKind::kUnknown:
      return "null";
    default:
      return PhysicalText(leaf.type, bytes);
  }
}

}  // namespace sluice::support
