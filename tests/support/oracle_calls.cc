// Arithmetic and functions of the oracle of expressions.

#include <algorithm>
#include <cmath>

#include "tests/support/expression_oracle.h"
#include "tests/support/oracle_text.h"

namespace sluice::support {
namespace {

using Values = std::vector<OracleValue>;

template <typename T>
OracleValue CalculateFloating(ArithmeticOp op, T a, T b) {
  T result = 0;
  switch (op) {
    case ArithmeticOp::kAdd:
      result = a + b;
      break;
    case ArithmeticOp::kSubtract:
      result = a - b;
      break;
    case ArithmeticOp::kMultiply:
      result = a * b;
      break;
    default:
      if (b == 0) return OracleValue::Error();
      result = op == ArithmeticOp::kDivide ? a / b : std::fmod(a, b);
  }
  return OracleValue::OfDouble(static_cast<double>(result));
}

/// Exactly, of numbers of one scale (the product has the sum of both).
OracleValue CalculateExact(ArithmeticOp op, const LongNumber& a, const LongNumber& b,
                           const DataType& type) {
  switch (op) {
    case ArithmeticOp::kAdd:
      return FitNumber(a + b, type);
    case ArithmeticOp::kSubtract:
      return FitNumber(a - b, type);
    case ArithmeticOp::kMultiply:
      return FitNumber(a * b, type);
    default:
      break;
  }
  if (b.is_zero()) return OracleValue::Error();
  return OracleValue::Of(*a.ToWide() % *b.ToWide());
}

bool IsInterval(const OracleRef& node) { return node->type.id == TypeId::kInterval; }
bool IsDate(const OracleRef& node) { return node->type.id == TypeId::kDate; }

OracleValue CombineIntervals(const OracleInterval& a, const OracleInterval& b, int sign) {
  OracleInterval sum;
  const bool fails =
      __builtin_add_overflow(Wide{a.months}, sign * Wide{b.months}, &sum.months) ||
      __builtin_add_overflow(Wide{a.days}, sign * Wide{b.days}, &sum.days) ||
      __builtin_add_overflow(Wide{a.nanoseconds}, sign * Wide{b.nanoseconds}, &sum.nanoseconds);
  return fails ? OracleValue::Error() : OracleValue::OfInterval(sum);
}

}  // namespace

OracleRef ExpressionOracle::MakeArithmetic(const Expression& expression, OracleRef a,
                                           OracleRef b) const {
  const ArithmeticOp op = expression.arithmetic;
  if (a->is_nothing() && b->is_nothing()) {
    a = MakeCast(a, DataType::Of(TypeId::kInt64));
    b = MakeCast(b, DataType::Of(TypeId::kInt64));
  }
  const auto is_time = [](const OracleRef& node) {
    return IsTimeType(node->type) || IsInterval(node);
  };
  if (is_time(a) || is_time(b)) return MakeTimeArithmetic(op, a, b);
  const auto is_number = [](const OracleRef& node) {
    return IsNumberType(node->type) || node->type.id == TypeId::kNull;
  };
  auto type = OracleCommonType(a->type, b->type);
  if (!is_number(a) || !is_number(b) || !type || type->id == TypeId::kNull) return nullptr;
  const auto makes_way = [&](const OracleRef& literal, const OracleRef& other) {
    return literal->literal != nullptr && other->literal == nullptr &&
           IsIntegerType(literal->type) && IsIntegerType(other->type) &&
           ReadLiteral(*literal->literal, other->type) != nullptr;
  };
  if (makes_way(a, b)) type = b->type;
  if (makes_way(b, a)) type = a->type;
  if (type->id == TypeId::kFloat16) type = DataType::Of(TypeId::kFloat);
  if (op == ArithmeticOp::kDivide && type->id != TypeId::kFloat) {
    type = DataType::Of(TypeId::kDouble);
  }
  if (type->id == TypeId::kDecimal) return MakeDecimalArithmetic(op, a, b, *type);
  const OracleRef first = Coerce(a, *type);
  const OracleRef second = Coerce(b, *type);
  if (!first || !second) return nullptr;
  return StrictNode(*type, {first, second}, [op, type = *type](const Values& values) {
    if (type.id == TypeId::kDouble) {
      return CalculateFloating(op, values[0].floating, values[1].floating);
    }
    if (type.id == TypeId::kFloat) {
      return CalculateFloating(op, static_cast<float>(values[0].floating),
                               static_cast<float>(values[1].floating));
    }
    return CalculateExact(op, values[0].number, values[1].number, type);
  });
}

OracleRef ExpressionOracle::MakeDecimalArithmetic(ArithmeticOp op, const OracleRef& a,
                                                  const OracleRef& b,
                                                  const DataType& common) const {
  const auto as_decimal = [&](const OracleRef& node) -> OracleRef {
    if (node->is_nothing()) return MakeCast(node, common);
    return IsIntegerType(node->type) ? MakeCast(node, DecimalForInteger(node->type)) : node;
  };
  const auto wide = [](int32_t digits, int32_t scale) {
    return DataType::Decimal(std::min(digits, 38), scale, 16);
  };
  OracleRef first = as_decimal(a);
  OracleRef second = as_decimal(b);
  const DataType x = first->type;
  const DataType y = second->type;
  if (x.id != TypeId::kDecimal || y.id != TypeId::kDecimal) return nullptr;
  if (x.precision > 38 || y.precision > 38) return nullptr;
  DataType type;
  if (op == ArithmeticOp::kMultiply) {
    if (x.scale + y.scale > 38) return nullptr;
    type = wide(x.precision + y.precision, x.scale + y.scale);
    first = MakeCast(first, wide(x.precision, x.scale));
    second = MakeCast(second, wide(y.precision, y.scale));
  } else {
    const int32_t scale = std::max(x.scale, y.scale);
    const int32_t whole = std::max(x.precision - x.scale, y.precision - y.scale);
    type = wide(whole + scale + (op == ArithmeticOp::kModulo ? 0 : 1), scale);
    first = MakeCast(first, type);
    second = MakeCast(second, type);
  }
  return StrictNode(type, {first, second}, [op, type](const Values& values) {
    return CalculateExact(op, values[0].number, values[1].number, type);
  });
}

OracleRef ExpressionOracle::MakeTimeArithmetic(ArithmeticOp op, OracleRef a, OracleRef b) const {
  const bool is_sum = op == ArithmeticOp::kAdd;
  if (!is_sum && op != ArithmeticOp::kSubtract) return nullptr;
  const int sign = is_sum ? 1 : -1;
  if (is_sum && (IsInterval(a) || IsIntegerType(a->type) || a->is_nothing())) std::swap(a, b);
  if (a->is_nothing()) a = MakeCast(a, b->type);
  if (b->is_nothing()) {
    b = MakeCast(b, DataType::Of(IsDate(a) ? TypeId::kInt64 : TypeId::kInterval));
  }
  if (IsInterval(a) && IsInterval(b)) {
    return StrictNode(a->type, {a, b}, [sign](const Values& values) {
      return CombineIntervals(values[0].interval, values[1].interval, sign);
    });
  }
  if (IsInterval(b) && (IsDate(a) || IsTimestampType(a->type))) {
    const bool is_fine =
        a->type.id == TypeId::kInt96 || (!IsDate(a) && a->type.unit == TimeUnit::kNanoseconds);
    const DataType type = DataType::Timestamp(
        is_fine ? TimeUnit::kNanoseconds : TimeUnit::kMicroseconds, IsInstantType(a->type));
    const Wide offset = IsInstantType(type) ? zone_offset_ * kSecond : 0;
    return StrictNode(type, {MakeCast(a, type), b}, [=](const Values& values) -> OracleValue {
      const OracleInterval& interval = values[1].interval;
      // Nothing so far away is a timestamp, whatever the other parts are.
      constexpr int64_t kFar = int64_t{1} << 52;
      if (std::abs(interval.months / 2) > kFar || std::abs(interval.days / 2) > kFar) {
        return OracleValue::Error();
      }
      const Wide local = *values[0].number.ToWide() * NanosecondsOfOne(type) + offset;
      const Wide moved = AddOracleInterval(local, interval, sign) - offset;
      return FitNumber(FloorOf(moved, NanosecondsOfOne(type)), type);
    });
  }
  if (IsDate(a) && IsDate(b) && !is_sum) {
    return StrictNode(DataType::Of(TypeId::kInt64), {a, b}, [](const Values& values) {
      return OracleValue::Of(values[0].number - values[1].number);
    });
  }
  if (IsDate(a) && IsIntegerType(b->type) && b->type.id != TypeId::kUint64) {
    return StrictNode(a->type, {a, b}, [sign, type = a->type](const Values& values) {
      return FitNumber(values[0].number + LongNumber(sign) * values[1].number, type);
    });
  }
  return nullptr;
}

OracleRef ExpressionOracle::MakeSign(const OracleRef& a, bool is_minus) const {
  if (a->is_nothing()) return MakeCast(a, DataType::Of(TypeId::kInt64));
  if (is_minus && IsInterval(a)) {
    return StrictNode(a->type, {a}, [](const Values& values) {
      return CombineIntervals({}, values[0].interval, -1);
    });
  }
  if (!IsNumberType(a->type)) return nullptr;
  const DataType type = a->type.id == TypeId::kFloat16 ? DataType::Of(TypeId::kFloat) : a->type;
  return StrictNode(type, {a}, [type, is_minus](const Values& values) -> OracleValue {
    const OracleValue& value = values[0];
    if (IsFloatType(type)) {
      return OracleValue::OfDouble(is_minus ? -value.floating : std::fabs(value.floating));
    }
    if (!is_minus && !value.number.is_negative()) return value;
    const LongNumber opposite = -value.number;
    const bool fits = opposite.Fits(type.byte_width * 8, IsUnsignedType(type));
    return fits ? OracleValue::Of(opposite) : OracleValue::Error();
  });
}

OracleRef ExpressionOracle::MakeTextCall(const std::string& name, const Nodes& arguments) const {
  const size_t num_texts = name == "starts_with" ? 2 : 1;
  Nodes operands;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const OracleRef& argument = arguments[i];
    const bool is_right =
        i < num_texts ? IsTextType(argument->type)
                      : IsIntegerType(argument->type) && argument->type.id != TypeId::kUint64;
    if (!argument->is_nothing() && !is_right) return nullptr;
    operands.push_back(
        Coerce(argument, DataType::Of(i < num_texts ? TypeId::kString : TypeId::kInt64)));
    if (!operands.back()) return nullptr;
  }
  if (name == "length") {
    return StrictNode(DataType::Of(TypeId::kInt64), operands, [](const Values& values) {
      return OracleValue::Of(static_cast<Wide>(CharacterEnds(values[0].text).size()));
    });
  }
  if (name == "starts_with") {
    return StrictNode(DataType::Of(TypeId::kBoolean), operands, [](const Values& values) {
      return OracleValue::OfBool(values[0].text.compare(0, values[1].text.size(), values[1].text) ==
                                 0);
    });
  }
  return StrictNode(DataType::Of(TypeId::kString), operands, [name](const Values& values) {
    if (name != "substr") return OracleValue::OfText(OracleCase(values[0].text, name == "upper"));
    std::optional<int64_t> length;
    if (values.size() > 2) length = static_cast<int64_t>(*values[2].number.ToWide());
    const auto start = static_cast<int64_t>(*values[1].number.ToWide());
    return OracleValue::OfText(OracleSubstr(values[0].text, start, length));
  });
}

OracleRef ExpressionOracle::MakeDateCall(const std::string& name, const Nodes& arguments) const {
  const bool is_cut = name == "date_trunc";
  OracleRef day = arguments.back();
  if (day->is_nothing()) day = MakeCast(day, DataType::Of(TypeId::kDate));
  if (!IsDate(day) && !IsTimestampType(day->type)) return nullptr;
  DataType type = day->type;
  if (type.id == TypeId::kInt96) type = DataType::Timestamp(TimeUnit::kNanoseconds, false);
  if (is_cut && IsDate(day)) type = DataType::Timestamp(TimeUnit::kMicroseconds, false);
  day = MakeCast(day, type);
  const Wide offset = IsInstantType(type) ? zone_offset_ * kSecond : 0;
  if (!is_cut) {
    return StrictNode(DataType::Of(TypeId::kInt64), {day}, [=](const Values& values) {
      const Wide local = *values[0].number.ToWide() * NanosecondsOfOne(type) + offset;
      const OracleDay parts = DayOfEpoch(FloorOf(local, kDay));
      return OracleValue::Of(name == "year"    ? parts.year
                             : name == "month" ? parts.month
                                               : parts.day);
    });
  }
  const OracleRef& unit = arguments[0];
  if (!unit->is_constant || unit->type.id != TypeId::kString) return nullptr;
  const OracleValue read = unit->run({});
  const std::string unit_name = OracleLower(read.text);
  if (!read.is_value() || !CutToUnit(0, unit_name)) return nullptr;
  return StrictNode(type, {day}, [=](const Values& values) {
    const Wide local = *values[0].number.ToWide() * NanosecondsOfOne(type) + offset;
    return FitNumber(FloorOf(*CutToUnit(local, unit_name) - offset, NanosecondsOfOne(type)), type);
  });
}

OracleRef ExpressionOracle::MakeCall(const Expression& expression, const Nodes& arguments) const {
  const std::string& name = expression.text;
  const size_t count = arguments.size();
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (name == "coalesce" && count > 0) return MakeCoalesce(arguments);
  if (is_one_of({"length", "lower", "upper"}) && count == 1) return MakeTextCall(name, arguments);
  if (name == "starts_with" && count == 2) return MakeTextCall(name, arguments);
  if (name == "substr" && (count == 2 || count == 3)) return MakeTextCall(name, arguments);
  if (is_one_of({"year", "month", "day"}) && count == 1) return MakeDateCall(name, arguments);
  if (name == "date_trunc" && count == 2) return MakeDateCall(name, arguments);
  if (name == "abs" && count == 1) return MakeSign(arguments[0], false);
  if (name != "is_nan" || count != 1) return nullptr;
  if (arguments[0]->is_nothing()) return Boolean(arguments[0]);
  if (!IsFloatType(arguments[0]->type)) return nullptr;
  return StrictNode(DataType::Of(TypeId::kBoolean), {arguments[0]}, [](const Values& values) {
    return OracleValue::OfBool(std::isnan(values[0].floating));
  });
}

}  // namespace sluice::support
