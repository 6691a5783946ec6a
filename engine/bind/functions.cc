#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/bind/function_table.h"
#include "engine/bind/simplify.h"
#include "engine/bound/type_rules.h"
#include "engine/evaluate/like_pattern.h"
#include "engine/parse/lexer.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {
namespace {

using Arguments = std::vector<Operand>;

constexpr size_t kAny = std::numeric_limits<size_t>::max();

Status WrongArgument(const Binder& binder, const Expression& call, const Operand& argument,
                     std::string_view needed) {
  return binder.Fail(
      call, fmt::format("{} takes {}, not {}", call.text, needed, argument.node.type.ToString()));
}

/// The argument as text, which enum and JSON are too.
Result<BoundExpression> Text(Binder& binder, const Expression& call, Operand argument) {
  if (argument.is_nothing()) return Binder::NothingAs(std::move(argument), StringType());
  if (TypeClassOf(argument.node.type) != TypeClass::kText) {
    return WrongArgument(binder, call, argument, "a string");
  }
  return BoundExpression::Cast(std::move(argument.node), StringType());
}

Result<BoundExpression> Integer(Binder& binder, const Expression& call, Operand argument) {
  const bool is_string =
      argument.literal != nullptr && argument.literal->literal == LiteralKind::kString;
  const bool is_integer = TypeClassOf(argument.node.type) == TypeClass::kInteger &&
                          argument.node.type.id != TypeId::kUint64;
  if (!argument.is_nothing() && (is_string || !is_integer)) {
    return WrongArgument(binder, call, argument, "an integer");
  }
  return binder.Coerce(std::move(argument), Int64Type(), call);
}

template <BoundOp op, TypeId result>
Result<BoundExpression> BindText(Binder& binder, const Expression& call, Arguments arguments) {
  std::vector<BoundExpression> children;
  for (Operand& argument : arguments) {
    SLUICE_TRY(BoundExpression child, Text(binder, call, std::move(argument)));
    children.push_back(std::move(child));
  }
  return BoundExpression::Make(op, DataType::Of(result), std::move(children));
}

Result<BoundExpression> BindSubstr(Binder& binder, const Expression& call, Arguments arguments) {
  std::vector<BoundExpression> children;
  SLUICE_TRY(BoundExpression text, Text(binder, call, std::move(arguments[0])));
  children.push_back(std::move(text));
  for (size_t i = 1; i < arguments.size(); ++i) {
    SLUICE_TRY(BoundExpression number, Integer(binder, call, std::move(arguments[i])));
    children.push_back(std::move(number));
  }
  return BoundExpression::Make(BoundOp::kSubstr, StringType(), std::move(children));
}

Result<BoundExpression> BindAbs(Binder& binder, const Expression& call, Arguments arguments) {
  Operand& argument = arguments[0];
  if (argument.is_nothing()) return Binder::NothingAs(std::move(argument), Int64Type());
  const TypeClass kind = TypeClassOf(argument.node.type);
  if (kind != TypeClass::kInteger && kind != TypeClass::kDecimal && kind != TypeClass::kFloating) {
    return WrongArgument(binder, call, argument, "a number");
  }
  const DataType type =
      argument.node.type.id == TypeId::kFloat16 ? DataType::Of(TypeId::kFloat) : argument.node.type;
  BoundExpression operand = BoundExpression::Cast(std::move(argument.node), type);
  if (IsUnsigned(type)) return operand;
  return BoundExpression::Make(BoundOp::kAbs, type, {std::move(operand)});
}

Result<BoundExpression> BindIsNan(Binder& binder, const Expression& call, Arguments arguments) {
  Operand& argument = arguments[0];
  if (argument.is_nothing()) return Binder::NothingAs(std::move(argument), BooleanType());
  if (!IsFloatingType(argument.node.type)) {
    return WrongArgument(binder, call, argument, "a floating-point number");
  }
  return BoundExpression::Make(BoundOp::kIsNan, BooleanType(), {std::move(argument.node)});
}

/// A date or timestamp; INT96 as the timestamp that it is.
Result<BoundExpression> Day(Binder& binder, const Expression& call, Operand argument) {
  if (argument.is_nothing()) {
    return Binder::NothingAs(std::move(argument), DataType::Of(TypeId::kDate));
  }
  const TypeClass kind = TypeClassOf(argument.node.type);
  if (kind != TypeClass::kDate && kind != TypeClass::kTimestamp) {
    return WrongArgument(binder, call, argument, "a date or timestamp");
  }
  if (argument.node.type.id != TypeId::kInt96) return std::move(argument.node);
  return BoundExpression::Cast(std::move(argument.node),
                               DataType::Timestamp(TimeUnit::kNanoseconds, false));
}

template <BoundOp op>
Result<BoundExpression> BindDatePart(Binder& binder, const Expression& call, Arguments arguments) {
  SLUICE_TRY(BoundExpression day, Day(binder, call, std::move(arguments[0])));
  BoundExpression part = BoundExpression::Make(op, Int64Type(), {std::move(day)});
  part.zone_offset = binder.options().zone_offset;
  return part;
}

std::optional<DateUnit> DateUnitOf(std::string_view name) {
  static constexpr std::pair<std::string_view, DateUnit> kUnits[] = {
      {"microseconds", DateUnit::kMicrosecond},
      {"microsecond", DateUnit::kMicrosecond},
      {"milliseconds", DateUnit::kMillisecond},
      {"millisecond", DateUnit::kMillisecond},
      {"second", DateUnit::kSecond},
      {"minute", DateUnit::kMinute},
      {"hour", DateUnit::kHour},
      {"day", DateUnit::kDay},
      {"week", DateUnit::kWeek},
      {"month", DateUnit::kMonth},
      {"quarter", DateUnit::kQuarter},
      {"year", DateUnit::kYear},
      {"decade", DateUnit::kDecade},
      {"century", DateUnit::kCentury},
      {"millennium", DateUnit::kMillennium},
  };
  const std::string lower = LowerAscii(name);
  for (const auto& [known, unit] : kUnits) {
    if (known == lower) return unit;
  }
  return std::nullopt;
}

Result<BoundExpression> BindDateTrunc(Binder& binder, const Expression& call, Arguments arguments) {
  const bool has_columns = arguments[0].has_columns;
  const BoundExpression name = Simplify(std::move(arguments[0].node));
  const bool is_text =
      !has_columns && name.is_constant() && !name.is_null() && name.type.id == TypeId::kString;
  const auto unit = is_text ? DateUnitOf(*name.bytes) : std::nullopt;
  if (!unit) {
    return binder.Fail(call, "the first argument of date_trunc is the name of a unit, as 'month'");
  }
  SLUICE_TRY(BoundExpression day, Day(binder, call, std::move(arguments[1])));
  DataType type = day.type;
  if (type.id == TypeId::kDate) {
    type = DataType::Timestamp(TimeUnit::kMicroseconds, false);
    day = BoundExpression::Cast(std::move(day), type);
  }
  BoundExpression cut = BoundExpression::Make(BoundOp::kDateTrunc, type, {std::move(day)});
  cut.unit = *unit;
  cut.zone_offset = binder.options().zone_offset;
  return cut;
}

Result<BoundExpression> BindCoalesceCall(Binder& binder, const Expression& call,
                                         Arguments arguments) {
  return binder.BindCoalesce(call, std::move(arguments));
}

constexpr std::string_view kStrict = "any is";

constexpr FunctionRule kFunctions[] = {
    {"abs", "number", "its type (of float16: float)", kStrict, "overflow", 1, 1, BindAbs},
    {"coalesce", "any, ...", "the first that is not NULL", "all are",
     "those of arguments before it", 1, kAny, BindCoalesceCall},
    {"date_trunc", "unit, date or timestamp", "timestamp", kStrict, "overflow", 2, 2,
     BindDateTrunc},
    {"day", "date or timestamp", "int64", kStrict, "none", 1, 1, BindDatePart<BoundOp::kDay>},
    {"is_nan", "floating-point number", "boolean", kStrict, "none", 1, 1, BindIsNan},
    {"length", "string", "int64", kStrict, "none", 1, 1,
     BindText<BoundOp::kLength, TypeId::kInt64>},
    {"lower", "string", "string", kStrict, "none", 1, 1,
     BindText<BoundOp::kLower, TypeId::kString>},
    {"month", "date or timestamp", "int64", kStrict, "none", 1, 1, BindDatePart<BoundOp::kMonth>},
    {"starts_with", "string, string", "boolean", kStrict, "none", 2, 2,
     BindText<BoundOp::kStartsWith, TypeId::kBoolean>},
    {"substr", "string, start[, length]", "string", kStrict, "none", 2, 3, BindSubstr},
    {"upper", "string", "string", kStrict, "none", 1, 1,
     BindText<BoundOp::kUpper, TypeId::kString>},
    {"year", "date or timestamp", "int64", kStrict, "none", 1, 1, BindDatePart<BoundOp::kYear>},
};

std::string NamesOfFunctions() {
  std::string names;
  for (const FunctionRule& rule : kFunctions) {
    names += (names.empty() ? "" : ", ") + std::string(rule.name);
  }
  return names;
}

std::string CountText(const FunctionRule& rule) {
  if (rule.max_arguments == kAny) return fmt::format("at least {}", rule.min_arguments);
  if (rule.min_arguments == rule.max_arguments) return fmt::format("{}", rule.min_arguments);
  return fmt::format("{} or {}", rule.min_arguments, rule.max_arguments);
}

}  // namespace

std::span<const FunctionRule> FunctionTable() { return kFunctions; }

Result<BoundExpression> Binder::BindCall(const Expression& expression) {
  const auto rule =
      std::find_if(std::begin(kFunctions), std::end(kFunctions),
                   [&](const FunctionRule& known) { return known.name == expression.text; });
  if (rule == std::end(kFunctions)) {
    return Fail(expression, fmt::format("there is no function {}; there are {}", expression.text,
                                        NamesOfFunctions()));
  }
  const size_t count = expression.children.size();
  if (count < rule->min_arguments || count > rule->max_arguments) {
    return Fail(expression,
                fmt::format("{} takes {} arguments, not {}", rule->name, CountText(*rule), count));
  }
  SLUICE_TRY(std::vector<Operand> arguments, BindChildren(expression));
  return rule->bind(*this, expression, std::move(arguments));
}

/// A constant pattern is brought to the spelling of ColumnFilter here.
Result<BoundExpression> Binder::BindLike(const Expression& expression) {
  SLUICE_TRY(std::vector<Operand> operands, BindChildren(expression));
  if (operands.size() != 2 && operands.size() != 3) {
    return Fail(expression, "LIKE has an operand, a pattern and perhaps an escape character");
  }
  for (const Operand& operand : operands) {
    if (!operand.is_nothing() && TypeClassOf(operand.node.type) != TypeClass::kText) {
      return Fail(expression,
                  fmt::format("LIKE takes strings, not {}", operand.node.type.ToString()));
    }
  }
  std::string escape;
  if (operands.size() == 3) {
    const BoundExpression node = Simplify(std::move(operands[2].node));
    if (operands[2].has_columns || !node.is_constant() || node.is_null() ||
        !IsEscape(*node.bytes)) {
      return Fail(expression.children[2],
                  "ESCAPE is followed by a string of at most one character");
    }
    escape = *node.bytes;
  }
  SLUICE_TRY(BoundExpression text, Coerce(std::move(operands[0]), StringType(), expression));
  const bool is_literal = operands[1].literal != nullptr;
  SLUICE_TRY(BoundExpression pattern, Coerce(std::move(operands[1]), StringType(), expression));
  BoundExpression like = BoundExpression::Make(BoundOp::kLike, BooleanType(), {});
  if (pattern.is_null() || !pattern.is_constant()) {
    like.bytes = escape;
  } else {
    std::string normal;
    if (NormalizeLikePattern(*pattern.bytes, escape, &normal)) {
      pattern.bytes = std::move(normal);
    } else if (is_literal) {
      return Fail(expression.children[1], "this pattern ends with its escape character");
    } else {
      like.bytes = escape;
    }
  }
  like.children.push_back(std::move(text));
  like.children.push_back(std::move(pattern));
  return expression.negated ? BoundExpression::Not(std::move(like)) : like;
}

}  // namespace sluice::inline v0::engine
