// The schemas, rows and texts of RandomExpressions.

#include <algorithm>
#include <cstring>

#include "tests/support/random_expressions.h"

namespace sluice::support {
namespace {

constexpr std::string_view kNumbers[] = {"0",
                                         "1",
                                         "-1",
                                         "2",
                                         "5",
                                         "7",
                                         "-3",
                                         "10",
                                         "100",
                                         "127",
                                         "128",
                                         "-128",
                                         "-129",
                                         "255",
                                         "256",
                                         "300",
                                         "32767",
                                         "32768",
                                         "65535",
                                         "65536",
                                         "2147483647",
                                         "2147483648",
                                         "-2147483648",
                                         "-2147483649",
                                         "4294967295",
                                         "4294967296",
                                         "9223372036854775807",
                                         "9223372036854775808",
                                         "-9223372036854775808",
                                         "-9223372036854775809",
                                         "18446744073709551615",
                                         "18446744073709551616",
                                         "16777217",
                                         "9007199254740993",
                                         "1.5",
                                         "-1.5",
                                         "0.5",
                                         "0.1",
                                         "-0.0",
                                         "2.",
                                         ".25",
                                         "99.99",
                                         "1.55",
                                         "999.95",
                                         "0.00000001",
                                         "12345678901234567890.12",
                                         "99999999999999999999999999999999999999",
                                         "100000000000000000000000000000000000000",
                                         "1e0",
                                         "1.5e0",
                                         "-2e0",
                                         "1e-1",
                                         "3e9",
                                         "1e19",
                                         "9.007199254740993e15",
                                         "1e38",
                                         "1e39",
                                         "-1e39",
                                         "1e308",
                                         "1e400",
                                         "-1e400",
                                         "5e-324",
                                         "65504",
                                         "65520",
                                         "1e-8",
                                         "3.4028235677973366e38",
                                         "2.5",
                                         "-0.5",
                                         "0.05",
                                         "1.25",
                                         "-2.45",
                                         "0.0000005"};

constexpr std::string_view kDates[] = {"1970-01-01", "1969-12-31", "2020-02-29", "2020-03-31",
                                       "2024-12-31", "0001-01-01", "0000-02-29", "-0044-03-15",
                                       "1582-10-10", "9999-12-31", "2019-05-06"};
constexpr std::string_view kFarDates[] = {"5881580-07-11", "-290307-12-01", "2019-02-29"};
constexpr std::string_view kClocks[] = {
    "00:00:00",           "12:30",    "23:59:59.999999", "00:00:00.001",
    "06:07:08.123456789", "24:00:00", "01:02:03.5000"};
constexpr std::string_view kZones[] = {"", "Z", "+02", "-05:30", "+0530", " +01:00:01"};
constexpr std::string_view kIntervals[] = {
    "1 day",         "1 month",           "-1 month",          "13 months -1 day",
    "1 year 2 days", "04:05:06.7",        "1.5 days",          "100 microseconds",
    "1500 ns",       "3 hours -30 mins",  "1 century",         "-00:00:00.000001",
    "0 days",        "999999999999 days", "4000000000 months", "2 weeks 1 ms"};
constexpr std::string_view kTexts[] = {"",
                                       "a",
                                       "b",
                                       "ab",
                                       "abc",
                                       "aab",
                                       "A",
                                       "Zz",
                                       "é",
                                       "É",
                                       "ß",
                                       "ſ",
                                       "İ",
                                       "ı",
                                       "σΣς",
                                       "𐐨𐐀",
                                       "\xff",
                                       "\x80",
                                       "%",
                                       "_",
                                       "a%b",
                                       "a_b",
                                       "\\",
                                       "!",
                                       "\xed\xa0\x80",
                                       "\xf4\x8f\xbf\xbf",
                                       "true",
                                       "no",
                                       " 12 ",
                                       "it's",
                                       "\"q\"",
                                       "\n"};

template <typename T>
std::string Plain(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

}  // namespace

/// Any type, and often one of those that tables are mostly made of.
DataType RandomExpressions::MakeType() {
  if (Chance(0.7)) return columns_.ScalarType();
  switch (Below(8)) {
    case 0:
      return DataType::Decimal(4, 1, 4);
    case 1:
      return DataType::Decimal(18, 2, 8);
    case 2:
      return DataType::Of(TypeId::kInt32);
    case 3:
      return DataType::Of(TypeId::kDouble);
    case 4:
      return DataType::Of(TypeId::kBoolean);
    case 5:
      return DataType::Of(TypeId::kDate);
    case 6:
      return DataType::Timestamp(TimeUnit::kMicroseconds, Chance(0.5));
    default:
      return DataType::Of(TypeId::kString);
  }
}

Schema RandomExpressions::MakeSchema() {
  static constexpr std::string_view kNames[] = {"a",    "b",     "and",  "a b", "é",  "x.y",
                                                "Case", "price", "date", "\"q", "id", "_1"};
  Schema schema;
  const int64_t count = 3 + Below(7);
  for (int64_t i = 0; i < count; ++i) {
    Field field;
    field.name = kNames[i];
    field.type = MakeType();
    if (Chance(0.15)) {
      DataType inner = DataType::Struct({{"deep", columns_.ScalarType(), true, {}}});
      field.type = DataType::Struct({{"f", MakeType(), true, {}},
                                     {"not", columns_.ScalarType(), true, {}},
                                     {"g", std::move(inner), true, {}}});
    }
    field.nullable = field.type.id == TypeId::kNull || field.type.is_nested() || Chance(0.8);
    schema.fields.push_back(std::move(field));
  }
  return schema;
}

std::vector<Cell> RandomExpressions::MakeCells(const Field& field, int64_t count) {
  const double null_chance = !field.nullable ? 0 : Chance(0.1) ? 1 : 0.2;
  std::vector<Cell> cells;
  for (int64_t i = 0; i < count; ++i) cells.push_back(MakeCell(field.type, null_chance));
  return cells;
}

Cell RandomExpressions::MakeCell(const DataType& type, double null_chance) {
  if (type.id == TypeId::kNull || Chance(null_chance)) return Null();
  if (type.is_nested()) {
    Cell cell;
    for (const Field& field : type.children) cell.children.push_back(MakeCell(field.type, 0.2));
    return cell;
  }
  const Sort sort = SortOf(type);
  if (sort == Sort::kText) return support::Text(AnyText());
  const bool is_time = sort == Sort::kDate || sort == Sort::kTimestamp || sort == Sort::kInstant ||
                       sort == Sort::kTime || sort == Sort::kDuration;
  if (is_time && Chance(0.8)) return support::Text(TimeBytes(type));
  const bool is_integer = type.id >= TypeId::kInt8 && type.id <= TypeId::kUint64;
  if ((is_integer || type.id == TypeId::kDecimal) && Chance(0.3)) {
    // Numbers that calculations and literals meet.
    int64_t small = Below(12) - (type.id >= TypeId::kUint8 && is_integer ? 0 : 5);
    if (Chance(0.3)) small *= 5;  // Halves, with a digit behind the point.
    std::string bytes(static_cast<size_t>(type.byte_width), small < 0 ? '\xff' : '\0');
    bytes[0] = static_cast<char>(small);
    return support::Text(bytes);
  }
  if (type.id == TypeId::kInterval) {
    return support::Text(Plain(static_cast<uint32_t>(Below(30))) +
                         Plain(static_cast<uint32_t>(Below(90))) +
                         Plain(static_cast<uint32_t>(Below(200'000'000))));
  }
  return columns_.Cells({"", type, false, {}}, 1, 0)[0];
}

std::string RandomExpressions::TimeBytes(const DataType& type) {
  constexpr int64_t kEpochJulianDay = 2'440'588;
  const int64_t days = Chance(0.3)   ? Below(3)
                       : Chance(0.8) ? Below(40'000) - 20'000
                                     : Below(4'000'000) - 2'000'000;
  if (type.id == TypeId::kDate) return Plain(static_cast<int32_t>(days));
  const int64_t rough = Chance(0.5) ? 3'600 : 1;
  const int64_t seconds = Below(86'400 / rough) * rough;
  if (type.id == TypeId::kInt96) {
    return Plain(seconds * 1'000'000'000) + Plain(static_cast<int32_t>(days + kEpochJulianDay));
  }
  const int64_t per_second = UnitsPerSecond(type.unit);
  const int64_t fraction = Chance(0.5) ? 0 : Below(per_second);
  const int64_t clock = seconds * per_second + fraction;
  if (type.id == TypeId::kTime) {
    return type.byte_width == 4 ? Plain(static_cast<int32_t>(clock)) : Plain(clock);
  }
  const int64_t most_days = type.unit == TimeUnit::kNanoseconds ? 20'000 : 4'000'000;
  const int64_t near = std::max(-most_days, std::min(most_days, days));
  return Plain(near * 86'400 * per_second + clock);
}

std::string RandomExpressions::NumberText() { return Pick(kNumbers); }

std::string RandomExpressions::TimeText(Sort sort) {
  if (sort == Sort::kInterval || sort == Sort::kDuration) return Pick(kIntervals);
  if (sort == Sort::kTime) return Pick(kClocks);
  std::string text = Chance(0.02) ? Pick(kFarDates) : Pick(kDates);
  if (sort == Sort::kDate) return text;
  if (Chance(0.7)) text += (Chance(0.5) ? " " : "T") + Pick(kClocks);
  const bool has_zone = sort == Sort::kInstant ? Chance(0.8) : Chance(0.02);
  return has_zone ? text + Pick(kZones) : text;
}

std::string RandomExpressions::AnyText() {
  if (Chance(0.25)) return TextOf(static_cast<Sort>(Below(static_cast<int64_t>(Sort::kOther))));
  std::string text;
  for (int64_t i = Below(Chance(0.02) ? 3000 : 4); i > 0; --i) text += Pick(kTexts);
  return text;
}

std::string RandomExpressions::PatternText() {
  static constexpr std::string_view kParts[] = {"%", "%",  "_",    "a",    "b", "ab", "é", "\\",
                                                "!", "%a", "\xff", "\xc3", "Σ", "%%", "z"};
  if (Chance(0.1)) return AnyText();
  std::string pattern;
  for (int64_t i = Below(6); i > 0; --i) pattern += Pick(kParts);
  return pattern;
}

/// A text that reads as a value of the sort.
std::string RandomExpressions::TextOf(Sort sort) {
  switch (sort) {
    case Sort::kBoolean: {
      static constexpr std::string_view kWords[] = {"true", "F", "yes", "0", "maybe"};
      return Pick(kWords);
    }
    case Sort::kNumber: {
      static constexpr std::string_view kWords[] = {"nan", "inf", "-Infinity", "-nan", "1e2", "x"};
      return Chance(0.2) ? Pick(kWords) : NumberText();
    }
    case Sort::kBinary: {
      static constexpr std::string_view kBytes[] = {"", "a", "\\x00", "ab\\xFF", "aaa", "\\q"};
      return Pick(kBytes);
    }
    case Sort::kUuid: {
      static constexpr std::string_view kUuids[] = {
          "00000000-0000-0000-0000-000000000000", "ffffffffffffffffffffffffffffffff",
          "{47183823-2574-4bfd-b411-99ed177d3e43}", "47183823-2574-4bfd-b411"};
      return Pick(kUuids);
    }
    case Sort::kText:
    case Sort::kOther:
      return AnyText();
    default:
      return TimeText(sort);
  }
}

}  // namespace sluice::support
