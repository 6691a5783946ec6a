// Literals and comparisons of the oracle of expressions.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tests/support/expression_oracle.h"
#include "tests/support/oracle_text.h"

namespace sluice::support {
namespace {

/// A literal read as what the type that it stands beside says.
struct ReadText {
  enum class Kind : uint8_t { kDecimal, kFloating, kBeyond, kTime, kBytes } kind;
  OracleDecimal decimal;
  double floating = 0;    ///< kFloating; of kBeyond only the sign.
  bool is_double = true;  ///< Else floats are compared.
  Wide nanoseconds = 0;
  std::string bytes;
};

int OrderOf(const auto& a, const auto& b) { return a < b ? -1 : a > b ? 1 : 0; }

ReadText ReadFloating(const std::string& digits, bool is_double) {
  ReadText read;
  read.kind = ReadText::Kind::kFloating;
  read.is_double = is_double;
  read.floating = is_double ? std::strtod(digits.c_str(), nullptr)
                            : static_cast<double>(std::strtof(digits.c_str(), nullptr));
  // No number is as large as infinity.
  if (std::isinf(read.floating)) read.kind = ReadText::Kind::kBeyond;
  return read;
}

std::optional<ReadText> ReadNumber(const Expression& literal, const DataType& type) {
  const bool is_string = literal.literal == LiteralKind::kString;
  const auto decimal = ParseOracleDecimal(literal.text);
  const std::string digits(OracleTrim(literal.text));
  const bool is_own_double = type.id == TypeId::kDouble;
  if (!decimal) {
    const auto word = ParseOracleWord(literal.text);
    if (!word || !IsFloatType(type)) return std::nullopt;
    ReadText read;
    read.kind = ReadText::Kind::kFloating;
    read.floating = *word;
    read.is_double = is_own_double;
    return read;
  }
  if (!is_string && decimal->has_exponent) return ReadFloating(digits, true);
  if (IsFloatType(type)) return ReadFloating(digits, is_own_double);
  ReadText read;
  read.kind = ReadText::Kind::kDecimal;
  read.decimal = *decimal;
  return read;
}

std::optional<ReadText> ReadTime(const std::string& text, const DataType& type,
                                 int32_t zone_offset) {
  ReadText read;
  read.kind = ReadText::Kind::kTime;
  if (type.id == TypeId::kDate) {
    const auto days = ParseOracleDate(text);
    if (!days) return std::nullopt;
    read.nanoseconds = *days * kDay;
    return read;
  }
  if (type.id == TypeId::kDuration) {
    const auto interval = ParseOracleInterval(text);
    if (!interval || interval->months != 0) return std::nullopt;
    read.nanoseconds = interval->days * kDay + interval->nanoseconds;
    return read;
  }
  const auto time = type.id == TypeId::kTime ? ParseOracleTime(text) : ParseOracleTimestamp(text);
  if (!time || (time->offset && !IsInstantType(type))) return std::nullopt;
  read.nanoseconds = time->nanoseconds;
  if (IsInstantType(type)) read.nanoseconds -= time->offset.value_or(zone_offset) * kSecond;
  return read;
}

std::optional<ReadText> ReadBeside(const Expression& literal, const DataType& type,
                                   int32_t zone_offset) {
  if (IsNumberType(type)) return ReadNumber(literal, type);
  if (literal.literal != LiteralKind::kString) return std::nullopt;
  if (IsTimeType(type)) return ReadTime(literal.text, type, zone_offset);
  ReadText read;
  read.kind = ReadText::Kind::kBytes;
  std::optional<std::string> bytes;
  if (IsTextType(type)) bytes = literal.text;
  if (IsBinaryType(type)) bytes = ParseOracleBinary(literal.text);
  if (type.id == TypeId::kUuid) bytes = ParseOracleUuid(literal.text);
  if (type.id == TypeId::kBoolean) {
    const auto value = ParseOracleBoolean(literal.text);
    if (!value) return std::nullopt;
    read.kind = ReadText::Kind::kDecimal;
    read.decimal.digits = LongNumber(*value ? 1 : 0);
    return read;
  }
  if (!bytes) return std::nullopt;
  read.bytes = *std::move(bytes);
  return read;
}

int OrderOfDecimals(const LongNumber& a, int64_t a_scale, const LongNumber& b, int64_t b_scale) {
  const int64_t scale = std::max(a_scale, b_scale);
  return OrderOf(a.Scaled(scale - a_scale), b.Scaled(scale - b_scale));
}

int OrderBeside(const OracleValue& value, const DataType& type, const ReadText& literal) {
  switch (literal.kind) {
    case ReadText::Kind::kDecimal:
      return OrderOfDecimals(value.number, type.scale, literal.decimal.digits,
                             literal.decimal.scale);
    case ReadText::Kind::kFloating:
      return literal.is_double
                 ? OrderOfDoubles(NearestDouble(value, type), literal.floating)
                 : OrderOfDoubles(static_cast<double>(NearestFloat(value, type)), literal.floating);
    case ReadText::Kind::kBeyond: {
      if (literal.floating < 0) {
        return IsFloatType(type) && value.floating == literal.floating ? -1 : 1;
      }
      return IsFloatType(type) && !std::isfinite(value.floating) && !(value.floating < 0) ? 1 : -1;
    }
    case ReadText::Kind::kTime:
      return OrderOf(*value.number.ToWide() * NanosecondsOfOne(type), literal.nanoseconds);
    case ReadText::Kind::kBytes:
      return OrderOf(value.text.compare(literal.bytes), 0);
  }
  return 0;
}

bool HoldsFor(ComparisonOp op, int order) {
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

ComparisonOp Turned(ComparisonOp op) {
  switch (op) {
    case ComparisonOp::kLess:
      return ComparisonOp::kGreater;
    case ComparisonOp::kLessEqual:
      return ComparisonOp::kGreaterEqual;
    case ComparisonOp::kGreater:
      return ComparisonOp::kLess;
    case ComparisonOp::kGreaterEqual:
      return ComparisonOp::kLessEqual;
    default:
      return op;
  }
}

/// By the order of two values; NULL is a value of IS DISTINCT FROM.
OracleRef Comparison(ComparisonOp op, OracleRef a, OracleRef b,
                     std::function<int(const OracleValue&, const OracleValue&)> order) {
  auto node = std::make_shared<OracleNode>();
  node->type = DataType::Of(TypeId::kBoolean);
  node->is_constant = a->is_constant && b->is_constant;
  node->run = [op, a, b, order = std::move(order)](const OracleRow& row) -> OracleValue {
    const OracleValue first = a->run(row);
    const OracleValue second = b->run(row);
    if (first.is_error() || second.is_error()) return OracleValue::Error();
    if (op < ComparisonOp::kDistinct && (first.is_null() || second.is_null())) return {};
    const bool any_null = first.is_null() || second.is_null();
    const int by_null = first.is_null() && second.is_null() ? 0 : 1;
    return OracleValue::OfBool(HoldsFor(op, any_null ? by_null : order(first, second)));
  };
  return node;
}

/// Whether the operand is one value for all rows.
bool IsFixed(const OracleNode& node) { return node.is_constant && !node.run({}).is_error(); }

bool AreComparable(const OracleNode& a, const OracleNode& b) {
  if (a.type.id == TypeId::kTime && b.type.id == TypeId::kTime) {
    return a.type.utc_adjusted == b.type.utc_adjusted || IsFixed(a) || IsFixed(b);
  }
  if (a.type == b.type) return a.type.id == TypeId::kNull || HasOrder(a.type);
  const auto common = OracleCommonType(a.type, b.type);
  return common && (common->id == TypeId::kNull || HasOrder(*common));
}

/// A duration and an interval of a constant without months.
bool IsSpan(const OracleNode& duration, const OracleNode& interval) {
  return duration.type.id == TypeId::kDuration && interval.type.id == TypeId::kInterval &&
         interval.is_constant && interval.run({}).is_value() &&
         interval.run({}).interval.months == 0;
}

}  // namespace

int OrderOfDoubles(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return OrderOf(std::isnan(a), std::isnan(b));
  return OrderOf(a, b);
}

int OrderOfValues(const OracleValue& a, const DataType& a_type, const OracleValue& b,
                  const DataType& b_type) {
  if (IsFloatType(a_type) || IsFloatType(b_type)) {
    if (a_type.id == TypeId::kDouble || b_type.id == TypeId::kDouble) {
      return OrderOfDoubles(NearestDouble(a, a_type), NearestDouble(b, b_type));
    }
    return OrderOfDoubles(a.floating, b.floating);
  }
  if (IsTimeType(a_type)) {
    return OrderOf(*a.number.ToWide() * NanosecondsOfOne(a_type),
                   *b.number.ToWide() * NanosecondsOfOne(b_type));
  }
  if (IsNumberType(a_type)) return OrderOfDecimals(a.number, a_type.scale, b.number, b_type.scale);
  if (a_type.id == TypeId::kBoolean) return OrderOf(a.number, b.number);
  return OrderOf(a.text.compare(b.text), 0);
}

OracleRef ExpressionOracle::MakeNumber(const Expression& expression) const {
  const auto decimal = ParseOracleDecimal(expression.text);
  const bool is_decimal = expression.literal == LiteralKind::kDecimal;
  if (!decimal || (is_decimal && decimal->has_exponent)) return nullptr;
  const double nearest = std::strtod(std::string(OracleTrim(expression.text)).c_str(), nullptr);
  const auto make_double = [&] {
    return ConstantNode(DataType::Of(TypeId::kDouble), OracleValue::OfDouble(nearest), &expression);
  };
  if (decimal->has_exponent) return make_double();
  for (const TypeId id : {TypeId::kInt32, TypeId::kInt64}) {
    const DataType type = DataType::Of(id);
    if (is_decimal || decimal->has_point || !FitNumber(decimal->digits, type).is_value()) continue;
    return ConstantNode(type, OracleValue::Of(decimal->digits), &expression);
  }
  const int64_t precision = std::max({int64_t{1}, decimal->digits.num_digits(), decimal->scale});
  if (precision > 76) return make_double();
  return ConstantNode(OracleDecimalType(precision, decimal->scale),
                      OracleValue::Of(decimal->digits), &expression);
}

OracleRef ExpressionOracle::MakeLiteral(const Expression& expression) const {
  const std::string& text = expression.text;
  switch (expression.literal) {
    case LiteralKind::kNull:
      return ConstantNode(DataType::Of(TypeId::kNull), {}, &expression);
    case LiteralKind::kBoolean:
      return ConstantNode(DataType::Of(TypeId::kBoolean), OracleValue::OfBool(text == "true"));
    case LiteralKind::kNumber:
    case LiteralKind::kDecimal:
      return MakeNumber(expression);
    case LiteralKind::kString:
      return ConstantNode(DataType::Of(TypeId::kString), OracleValue::OfText(text), &expression);
    case LiteralKind::kBinary:
      return ConstantNode(DataType::Of(TypeId::kBinary), OracleValue::OfText(text));
    case LiteralKind::kUuid: {
      const auto bytes = ParseOracleUuid(text);
      if (!bytes) return nullptr;
      return ConstantNode(DataType::Of(TypeId::kUuid), OracleValue::OfText(*bytes));
    }
    case LiteralKind::kInterval: {
      const auto interval = ParseOracleInterval(text);
      if (!interval) return nullptr;
      return ConstantNode(DataType::Of(TypeId::kInterval), OracleValue::OfInterval(*interval));
    }
    case LiteralKind::kDate: {
      const auto days = ParseOracleDate(text);
      if (!days || !FitNumber(*days, DataType::Of(TypeId::kDate)).is_value()) return nullptr;
      return ConstantNode(DataType::Of(TypeId::kDate), OracleValue::Of(*days));
    }
    default:
      break;
  }
  const bool is_time = expression.literal == LiteralKind::kTime;
  const bool is_instant = expression.literal == LiteralKind::kTimestampTz;
  const auto time = is_time ? ParseOracleTime(text) : ParseOracleTimestamp(text);
  if (!time || (time->offset && !is_instant)) return nullptr;
  const TimeUnit unit = time->is_fine ? TimeUnit::kNanoseconds : TimeUnit::kMicroseconds;
  const DataType type =
      is_time ? DataType::Time(unit, false) : DataType::Timestamp(unit, is_instant);
  Wide nanoseconds = time->nanoseconds;
  if (is_instant) nanoseconds -= time->offset.value_or(zone_offset_) * kSecond;
  OracleValue value = FitNumber(nanoseconds / NanosecondsOfOne(type), type);
  return value.is_value() ? ConstantNode(type, std::move(value)) : nullptr;
}

OracleRef ExpressionOracle::ReadLiteral(const Expression& literal, const DataType& type) const {
  if (IsTextType(type) && literal.literal == LiteralKind::kString) {
    return ConstantNode(type, OracleValue::OfText(literal.text));
  }
  if (IsFloatType(type) && literal.literal != LiteralKind::kString) {
    const std::string digits(OracleTrim(literal.text));
    const bool is_double = type.id == TypeId::kDouble;
    return ConstantNode(type, OracleValue::OfDouble(is_double ? std::strtod(digits.c_str(), nullptr)
                                                              : static_cast<double>(std::strtof(
                                                                    digits.c_str(), nullptr))));
  }
  const auto read = ReadBeside(literal, type, zone_offset_);
  if (!read || read->kind == ReadText::Kind::kBeyond) return nullptr;
  switch (read->kind) {
    case ReadText::Kind::kFloating:
      return ConstantNode(type, OracleValue::OfDouble(read->floating));
    case ReadText::Kind::kBytes: {
      const bool is_fixed = type.id == TypeId::kFixedBinary;
      if (is_fixed && read->bytes.size() != static_cast<size_t>(type.byte_width)) return nullptr;
      return ConstantNode(type, OracleValue::OfText(read->bytes));
    }
    case ReadText::Kind::kTime: {
      const Wide unit = NanosecondsOfOne(type);
      OracleValue value = FitNumber(read->nanoseconds / unit, type);
      if (read->nanoseconds % unit != 0 || !value.is_value()) return nullptr;
      return ConstantNode(type, std::move(value));
    }
    default:
      break;
  }
  if (type.id == TypeId::kBoolean) return ConstantNode(type, OracleValue::Of(read->decimal.digits));
  LongNumber scaled = read->decimal.digits.Scaled(type.scale - read->decimal.scale);
  const bool is_exact =
      OrderOfDecimals(scaled, type.scale, read->decimal.digits, read->decimal.scale) == 0;
  OracleValue value = FitNumber(std::move(scaled), type);
  return is_exact && value.is_value() ? ConstantNode(type, std::move(value)) : nullptr;
}

OracleRef ExpressionOracle::CompareLiteral(ComparisonOp op, const OracleRef& a,
                                           const Expression& literal) const {
  const DataType type = a->type;
  const OracleRef some = ConstantNode(type, OracleValue::OfBool(true));
  if (type.id == TypeId::kNull) {
    return Comparison(op, a, some, [](const auto&, const auto&) { return 0; });
  }
  if (!HasOrder(type)) return nullptr;
  const auto read = ReadBeside(literal, type, zone_offset_);
  if (!read) return nullptr;
  return Comparison(op, a, some, [type, read = *read](const auto& value, const auto&) {
    return OrderBeside(value, type, read);
  });
}

OracleRef ExpressionOracle::Compare(ComparisonOp op, OracleRef a, OracleRef b) const {
  const auto turn = [&] {
    std::swap(a, b);
    op = Turned(op);
  };
  if (a->is_null_literal()) turn();
  if (b->is_null_literal()) {
    return Comparison(op, a, b, [](const auto&, const auto&) { return 0; });
  }
  if (a->literal != nullptr && (b->literal == nullptr || a->is_string_literal())) turn();
  if (b->literal != nullptr && (a->literal == nullptr || b->is_string_literal())) {
    return CompareLiteral(op, a, *b->literal);
  }
  if (IsSpan(*b, *a)) turn();
  if (IsSpan(*a, *b)) {
    const DataType type = a->type;
    return Comparison(op, a, b, [type](const OracleValue& span, const OracleValue& interval) {
      return OrderOf(*span.number.ToWide() * NanosecondsOfOne(type),
                     interval.interval.days * kDay + interval.interval.nanoseconds);
    });
  }
  if (!AreComparable(*a, *b)) return nullptr;
  const auto common = OracleCommonType(a->type, b->type);
  if (common && common->id == TypeId::kFloat) {
    // A decimal may be beyond every float, which is an error also beside NULL.
    a = MakeCast(a, *common);
    b = MakeCast(b, *common);
  }
  return Comparison(op, a, b,
                    [first = a->type, second = b->type](const auto& value, const auto& other) {
                      return OrderOfValues(value, first, other, second);
                    });
}

}  // namespace sluice::support
