// Comparisons with constants that a type does not hold, against comparing the numbers themselves:
// every value of small types with constants around all of them. fault S17.

#include <gtest/gtest.h>
#include <sluice/value.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "engine/bind/literal_text.h"
#include "engine/bound/type_rules.h"
#include "format/model/text/scalar_text.h"

namespace sluice::engine {
namespace {

constexpr ComparisonOp kOps[] = {ComparisonOp::kEqual,    ComparisonOp::kNotEqual,
                                 ComparisonOp::kLess,     ComparisonOp::kLessEqual,
                                 ComparisonOp::kGreater,  ComparisonOp::kGreaterEqual,
                                 ComparisonOp::kDistinct, ComparisonOp::kNotDistinct};

bool Holds(ComparisonOp op, int order) {
  switch (op) {
    case ComparisonOp::kEqual:
    case ComparisonOp::kNotDistinct:
      return order == 0;
    case ComparisonOp::kNotEqual:
    case ComparisonOp::kDistinct:
      return order != 0;
    case ComparisonOp::kLess:
      return order < 0;
    case ComparisonOp::kLessEqual:
      return order <= 0;
    case ComparisonOp::kGreater:
      return order > 0;
    case ComparisonOp::kGreaterEqual:
      return order >= 0;
  }
  return false;
}

/// What the nodes that ComparePlaced makes say of a value, or of NULL.
Truth Evaluate(const BoundExpression& node, const std::optional<std::string>& value) {
  switch (node.op) {
    case BoundOp::kNullTest:
      return value ? node.when_value : node.when_null;
    case BoundOp::kNot: {
      const Truth inner = Evaluate(node.children[0], value);
      if (inner == Truth::kNull) return inner;
      return inner == Truth::kTrue ? Truth::kFalse : Truth::kTrue;
    }
    case BoundOp::kAnd: {
      Truth least = Truth::kTrue;
      for (const BoundExpression& child : node.children) {
        least = std::min(least, Evaluate(child, value));
      }
      return least;
    }
    default:
      break;
  }
  const bool is_distinct_op = node.comparison >= ComparisonOp::kDistinct;
  if (!value) {
    if (!is_distinct_op) return Truth::kNull;
    return node.comparison == ComparisonOp::kDistinct ? Truth::kTrue : Truth::kFalse;
  }
  const int order = CompareValues(node.children[0].type, *value, *node.children[1].bytes);
  return Holds(node.comparison, order) ? Truth::kTrue : Truth::kFalse;
}

/// Every comparison with the constant, for every value; `order` compares a value with it.
template <typename Order>
void Check(const DataType& type, const std::vector<std::string>& values, const Placement& placement,
           const std::string& constant, Order order) {
  for (const ComparisonOp op : kOps) {
    const BoundExpression node = ComparePlaced(op, BoundExpression::Column({0}, type), placement);
    const std::string what =
        constant + " " + type.ToString() + " " + node.ToString(Schema{{{"c", type, true, {}}}});
    for (const std::string& value : values) {
      const Truth expected = Holds(op, order(value)) ? Truth::kTrue : Truth::kFalse;
      ASSERT_EQ(Evaluate(node, value), expected) << what << " " << Value{type, value}.ToString();
    }
    const Truth of_null = op == ComparisonOp::kDistinct      ? Truth::kTrue
                          : op == ComparisonOp::kNotDistinct ? Truth::kFalse
                                                             : Truth::kNull;
    ASSERT_EQ(Evaluate(node, std::nullopt), of_null) << what;
  }
}

template <typename T>
std::string Bytes(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

int Sign(double order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

/// NaN equals NaN and is the greatest.
int CompareDoubles(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return static_cast<int>(std::isnan(a)) - std::isnan(b);
  return a < b ? -1 : a > b;
}

const char* const kNumbers[] = {
    "0",
    "-0",
    "1",
    "-1",
    "1.5",
    "-1.5",
    "127",
    "127.0",
    "127.01",
    "128",
    "-128",
    "-128.",
    "-129",
    "-128.5",
    "255",
    "255.5",
    "256",
    "0.001",
    "-0.001",
    "12.7",
    "12.75",
    "-12.8",
    "-12.81",
    "300",
    "-300",
    "99999999999999999999",
    "-99999999999999999999",
    "65504",
    "65505",
    "65519",
    "65520",
    "70000",
    "0.00006103515625",
    "0.00000005",
    "0.00000001",
};

TEST(Placement, OfNumbersAmongIntegersAndDecimals) {
  struct Case {
    DataType type;
    int64_t least;
    int64_t greatest;
    double scale;
  };
  const Case cases[] = {{DataType::Of(TypeId::kInt8), -128, 127, 1},
                        {DataType::Of(TypeId::kUint8), 0, 255, 1},
                        {DataType::Of(TypeId::kInt16), -300, 300, 1},
                        {DataType::Decimal(3, 1, 4), -3010, 3010, 10}};
  for (const auto& [type, least, greatest, scale] : cases) {
    std::vector<std::string> values;
    for (int64_t i = least; i <= greatest; ++i) {
      values.push_back(Bytes(i).substr(0, static_cast<size_t>(type.byte_width)));
    }
    for (const char* text : kNumbers) {
      // Few enough digits for long double to tell them apart.
      const long double constant = std::strtold(text, nullptr) * scale;
      Check(type, values, PlaceLiteralNumber(*ExactNumber::Parse(text), type), text,
            [&](const std::string& value) {
              int64_t number = 0;
              const bool is_negative = type.id != TypeId::kUint8 && (value.back() & 0x80) != 0;
              if (is_negative) number = -1;
              std::memcpy(&number, value.data(), value.size());
              const long double left = number;
              return left < constant ? -1 : left > constant ? 1 : 0;
            });
    }
  }
}

TEST(Placement, OfDoublesAmongHalves) {
  const DataType type = DataType::Of(TypeId::kFloat16);
  std::vector<std::string> values;
  for (uint32_t bits = 0; bits < 0x10000; bits += 3)
    values.push_back(Bytes(static_cast<uint16_t>(bits)));
  for (const int bits : {0x0000, 0x8000, 0x7bff, 0x7c00, 0xfc00, 0xfbff, 0x7e00, 0x0001}) {
    values.push_back(Bytes(static_cast<uint16_t>(bits)));
  }
  std::vector<double> constants = {NAN, INFINITY, -INFINITY};
  for (const char* text : kNumbers) constants.push_back(std::strtod(text, nullptr));
  for (const double constant : constants) {
    Check(type, values, PlaceFloating(constant, TypeId::kDouble, type), std::to_string(constant),
          [&](const std::string& value) {
            uint16_t bits;
            std::memcpy(&bits, value.data(), sizeof(bits));
            return CompareDoubles(text::WidenFloat16(bits), constant);
          });
  }
}

TEST(Placement, OfDoublesAmongIntegersThatRound) {
  // Integers that share a double, at every distance from powers of two.
  for (const TypeId image : {TypeId::kFloat, TypeId::kDouble}) {
    const DataType type = DataType::Of(TypeId::kInt64);
    for (const int64_t base : {int64_t{1} << 24, int64_t{1} << 53, int64_t{1} << 60,
                               INT64_MAX - 600, INT64_MIN + 600, -(int64_t{1} << 54), int64_t{0}}) {
      std::vector<std::string> values;
      for (int64_t i = -600; i <= 600; ++i) values.push_back(Bytes(base + i));
      for (const int64_t i : {-600, -3, -1, 0, 1, 2, 5, 511, 512, 600}) {
        const double constant =
            image == TypeId::kFloat ? static_cast<float>(base + i) : static_cast<double>(base + i);
        for (const double near : {constant, std::nextafter(constant, INFINITY)}) {
          Check(type, values, PlaceFloating(near, image, type), std::to_string(near),
                [&](const std::string& value) {
                  int64_t number;
                  std::memcpy(&number, value.data(), sizeof(number));
                  return Sign(image == TypeId::kFloat
                                  ? CompareDoubles(static_cast<float>(number), near)
                                  : CompareDoubles(static_cast<double>(number), near));
                });
        }
      }
    }
  }
}

TEST(Placement, OfDoublesAmongDecimals) {
  const DataType type = DataType::Decimal(38, 20, 16);
  std::vector<std::string> values;
  for (const char* text : {"0.1", "0.10000000000000000555", "0.10000000000000000556", "0",
                           "123456789012345678.9", "-0.3", "0.3", "0.09999999999999999167"}) {
    values.push_back(Bytes(*ExactNumber::Parse(text)->RoundAtScale(20)).substr(0, 16));
  }
  for (const double constant : {0.1, 0.3, -0.3, 0.0, 1e17, 123456789012345680.0, 1e300, -1e300}) {
    Check(type, values, PlaceFloating(constant, TypeId::kDouble, type), std::to_string(constant),
          [&](const std::string& value) {
            std::string text;
            text::AppendDecimal(reinterpret_cast<const uint8_t*>(value.data()), 16, 20, text);
            return CompareDoubles(std::strtod(text.c_str(), nullptr), constant);
          });
  }
}

TEST(Placement, OfBytesAmongFixedBytes) {
  const DataType type = DataType::FixedBinary(2);
  std::vector<std::string> values;
  for (const int high : {0, 1, 0x7f, 0x80, 0xfe, 0xff}) {
    for (const int low : {0, 1, 0x80, 0xff}) {
      values.push_back({static_cast<char>(high), static_cast<char>(low)});
    }
  }
  using std::string_literals::operator""s;
  for (const std::string& constant :
       {""s, "\0"s, "\0\0"s, "\0\0\0"s, "\1"s, "\1\0"s, "\1\xff"s, "\1\xff\0"s, "\x7f"s, "\xff"s,
        "\xff\xff"s, "\xff\xff\xff"s, "\xff\xff\0"s, "\xfe\xff\1"s}) {
    Check(type, values, PlaceBytes(constant, type), constant,
          [&](const std::string& value) { return value.compare(constant); });
  }
}

TEST(Placement, OfInstantsAmongDays) {
  const DataType type = DataType::Of(TypeId::kDate);
  std::vector<std::string> values;
  for (int32_t day = -3; day <= 3; ++day) values.push_back(Bytes(day));
  values.push_back(Bytes(INT32_MAX));
  values.push_back(Bytes(INT32_MIN));
  for (const Int128 day : {Int128{0}, Int128{-1}, Int128{2}, Int128{INT32_MAX}, Int128{INT32_MIN},
                           Int128{INT32_MAX} + 1, Int128{INT32_MIN} - 1}) {
    for (const int offset : {-1, 0, 1}) {
      const Int128 constant = day * kNanosecondsPerDay + offset;
      Check(type, values, PlaceNanoseconds(constant, type), "day", [&](const std::string& value) {
        int32_t number;
        std::memcpy(&number, value.data(), sizeof(number));
        const Int128 left = Int128{number} * kNanosecondsPerDay;
        return left < constant ? -1 : left > constant ? 1 : 0;
      });
    }
  }
}

TEST(Placement, OfNanosecondsAmongInt96) {
  const DataType type = DataType::Of(TypeId::kInt96);
  const auto int96 = [](int64_t nanoseconds, int32_t julian) {
    return Bytes(nanoseconds) + Bytes(julian);
  };
  const std::vector<std::string> values = {
      int96(0, 2'440'588), int96(-1, 2'440'588),       int96(kNanosecondsPerDay, 2'440'588),
      int96(5, 2'440'589), int96(0, INT32_MAX),        int96(INT64_MAX, INT32_MAX),
      int96(0, INT32_MIN), int96(INT64_MIN, INT32_MIN)};
  const auto instant = [](const std::string& value) {
    int64_t nanoseconds;
    int32_t julian;
    std::memcpy(&nanoseconds, value.data(), 8);
    std::memcpy(&julian, value.data() + 8, 4);
    return (Int128{julian} - 2'440'588) * kNanosecondsPerDay + nanoseconds;
  };
  for (const std::string& base : values) {
    for (const int offset : {-1, 0, 1}) {
      const Int128 constant = instant(base) + offset;
      Check(type, values, PlaceNanoseconds(constant, type), "int96", [&](const std::string& value) {
        return instant(value) < constant ? -1 : instant(value) > constant ? 1 : 0;
      });
    }
  }
}

}  // namespace
}  // namespace sluice::engine
