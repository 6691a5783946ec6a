#pragma once

// The texts of single values. None of them writes quotes of its own unless said.

#include <sluice/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::inline v0::text {

/// The length in bytes of the well-formed UTF-8 character (no surrogate, no overlong form) at the
/// front of `bytes`, which are not empty; 0 where there is none.
size_t CharacterLength(std::string_view bytes);
/// Whether `bytes` are well-formed UTF-8.
bool IsUtf8(std::string_view bytes);
/// `bytes` with JSON's escapes as JSON.stringify chooses them, without the quotes around.
void AppendEscaped(std::string_view bytes, std::string& out);
/// {"hex":"..."}
void AppendHexObject(std::string_view bytes, std::string& out);
/// The 16 bytes of a UUID as 8-4-4-4-12 hexadecimal digits.
void AppendUuid(const uint8_t* bytes, std::string& out);

/// The decimal digits of a number.
void AppendInteger(int64_t value, std::string& out);
void AppendInteger(uint64_t value, std::string& out);

/// The shortest digits that round-trip, laid out as ECMAScript's Number.prototype.toString does.
/// Minus zero is -0.0; NaN, Infinity and -Infinity are words.
void AppendFloat(float value, std::string& out);
void AppendDouble(double value, std::string& out);
/// IEEE binary16 to binary32, exactly.
float WidenFloat16(uint16_t bits);

/// `width` (4, 8, 16 or 32) bytes of little-endian two's complement at `bytes`, scaled by
/// 10^-scale.
void AppendDecimal(const uint8_t* bytes, int32_t width, int32_t scale, std::string& out);

/// YYYY-MM-DD, days since 1970-01-01.
void AppendDate(int64_t days, std::string& out);
/// YYYY-MM-DDTHH:MM:SS.fff, units since 1970-01-01T00:00.
void AppendTimestamp(int64_t value, TimeUnit unit, bool utc_adjusted, std::string& out);
/// The same of a Julian day and nanoseconds, which may lie outside the day.
void AppendInt96(int64_t nanoseconds, int32_t julian_day, std::string& out);
/// HH:MM:SS.fff of a value inside the day.
void AppendTime(int64_t value, TimeUnit unit, bool utc_adjusted, std::string& out);
bool IsInsideDay(int64_t value, TimeUnit unit);

}  // namespace sluice::inline v0::text
