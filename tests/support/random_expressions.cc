#include "tests/support/random_expressions.h"

#include <sluice/value.h>

#include <utility>

namespace sluice::support {
namespace {

constexpr ComparisonOp kComparisons[] = {
    ComparisonOp::kEqual,     ComparisonOp::kNotEqual,    ComparisonOp::kLess,
    ComparisonOp::kLessEqual, ComparisonOp::kGreater,     ComparisonOp::kGreaterEqual,
    ComparisonOp::kDistinct,  ComparisonOp::kNotDistinct,
};
constexpr ArithmeticOp kArithmetic[] = {ArithmeticOp::kAdd, ArithmeticOp::kSubtract,
                                        ArithmeticOp::kMultiply, ArithmeticOp::kDivide,
                                        ArithmeticOp::kModulo};

constexpr std::string_view kNumberTypes[] = {
    "TINYINT",       "SMALLINT",      "INTEGER",        "BIGINT",          "UTINYINT",
    "USMALLINT",     "UINTEGER",      "UBIGINT",        "FLOAT",           "DOUBLE",
    "DECIMAL(4, 1)", "DECIMAL(9, 2)", "DECIMAL(18, 6)", "DECIMAL(38, 10)", "DECIMAL(3, 3)"};
constexpr std::string_view kTimestampTypes[] = {"TIMESTAMP", "TIMESTAMP_MS", "TIMESTAMP_NS"};
constexpr std::string_view kDateUnits[] = {
    "microsecond", "milliseconds", "second", "MINUTE", "hour",    "day",       "week",
    "month",       "Quarter",      "year",   "decade", "century", "millennium"};

}  // namespace

RandomExpressions::Sort RandomExpressions::SortOf(const DataType& type) {
  switch (type.id) {
    case TypeId::kBoolean:
      return Sort::kBoolean;
    case TypeId::kInt8:
    case TypeId::kInt16:
    case TypeId::kInt32:
    case TypeId::kInt64:
    case TypeId::kUint8:
    case TypeId::kUint16:
    case TypeId::kUint32:
    case TypeId::kUint64:
    case TypeId::kFloat16:
    case TypeId::kFloat:
    case TypeId::kDouble:
    case TypeId::kDecimal:
      return Sort::kNumber;
    case TypeId::kString:
    case TypeId::kEnum:
    case TypeId::kJson:
      return Sort::kText;
    case TypeId::kBinary:
    case TypeId::kBson:
    case TypeId::kFixedBinary:
      return Sort::kBinary;
    case TypeId::kUuid:
      return Sort::kUuid;
    case TypeId::kDate:
      return Sort::kDate;
    case TypeId::kTimestamp:
      return type.utc_adjusted ? Sort::kInstant : Sort::kTimestamp;
    case TypeId::kInt96:
      return Sort::kTimestamp;
    case TypeId::kTime:
      return Sort::kTime;
    case TypeId::kDuration:
      return Sort::kDuration;
    case TypeId::kInterval:
      return Sort::kInterval;
    default:
      return Sort::kOther;
  }
}

void RandomExpressions::CollectColumns(const std::vector<Field>& fields,
                                       const std::vector<std::string>& path) {
  for (const Field& field : fields) {
    std::vector<std::string> inner = path;
    inner.push_back(field.name);
    known_.push_back({SortOf(field.type), IsFloating(field.type), inner});
    if (field.type.id == TypeId::kStruct) CollectColumns(field.type.children, inner);
  }
}

Expression RandomExpressions::MakePredicate(const Schema& schema, int depth) {
  known_.clear();
  CollectColumns(schema.fields, {});
  return Make(Sort::kBoolean, depth);
}

Expression RandomExpressions::MakeValue(const Schema& schema, int depth) {
  known_.clear();
  CollectColumns(schema.fields, {});
  return Make(AnySort(), depth);
}

RandomExpressions::Sort RandomExpressions::OrderedSort() {
  Sort sort = AnySort();
  while ((sort == Sort::kInterval || sort == Sort::kOther) && !Chance(0.02)) sort = AnySort();
  return sort;
}

Expression RandomExpressions::Count() {
  static constexpr std::string_view kCounts[] = {
      "1", "2", "0", "-1", "-3", "5", "3", "9", "100", "-700000", "9223372036854775807"};
  return Chance(0.8) ? Lit(LiteralKind::kNumber, Pick(kCounts)) : Make(Sort::kNumber, 0);
}

RandomExpressions::Sort RandomExpressions::AnySort() {
  // Half of the time that of a column, so that what a schema has is asked of.
  if (Chance(0.5) && !known_.empty()) {
    return known_[static_cast<size_t>(Below(static_cast<int64_t>(known_.size())))].sort;
  }
  return static_cast<Sort>(Below(static_cast<int64_t>(Sort::kOther)));
}

Expression RandomExpressions::Make(Sort sort, int depth) {
  // At times something else than asked for: most of that must be refused.
  if (Chance(0.01)) sort = AnySort();
  if (depth <= 0 || Chance(0.15)) return Leaf(sort);
  if (Chance(0.1)) return Branches(sort, depth - 1);
  switch (sort) {
    case Sort::kBoolean:
      return Boolean(depth - 1);
    case Sort::kNumber:
      return Number(depth - 1);
    case Sort::kText:
      return Text(depth - 1);
    case Sort::kDate:
    case Sort::kTimestamp:
    case Sort::kInstant:
    case Sort::kInterval:
      return Time(sort, depth - 1);
    case Sort::kBinary:
    case Sort::kUuid:
    case Sort::kTime:
      return Chance(0.6) ? Leaf(sort) : CastTo(sort, depth - 1);
    default:
      return Leaf(sort);
  }
}

Expression RandomExpressions::Leaf(Sort sort) {
  return Chance(0.65) ? Column(sort) : Literal(sort);
}

Expression RandomExpressions::Column(Sort sort) {
  std::vector<const KnownColumn*> fitting;
  for (const KnownColumn& column : known_) {
    if (column.sort == sort) fitting.push_back(&column);
  }
  if (fitting.empty()) return Literal(sort);
  Expression column;
  column.kind = Expression::Kind::kColumn;
  column.path = fitting[static_cast<size_t>(Below(static_cast<int64_t>(fitting.size())))]->path;
  if (Chance(0.001)) column.path.back() += "x";
  return column;
}

Expression RandomExpressions::Literal(Sort sort) {
  if (Chance(0.04)) return {};
  const double string_chance = sort == Sort::kBoolean ? 0.02 : 0.12;
  if (sort != Sort::kInterval && Chance(string_chance))
    return Lit(LiteralKind::kString, TextOf(sort));
  switch (sort) {
    case Sort::kBoolean:
      return Chance(0.5);
    case Sort::kNumber:
      return Lit(LiteralKind::kNumber, NumberText());
    case Sort::kBinary: {
      static constexpr std::string_view kBytes[] = {"", "a", "ab", "\xff\xff\xff", "\x01", "aaa"};
      return Lit(LiteralKind::kBinary, Pick(kBytes));
    }
    case Sort::kUuid:
      return Lit(LiteralKind::kUuid, "47183823-2574-4bfd-b411-99ed177d3e43");
    case Sort::kDate:
      return Lit(LiteralKind::kDate, TimeText(sort));
    case Sort::kTimestamp:
      return Lit(LiteralKind::kTimestamp, TimeText(sort));
    case Sort::kInstant:
      return Lit(LiteralKind::kTimestampTz, TimeText(sort));
    case Sort::kTime:
      return Lit(LiteralKind::kTime, TimeText(sort));
    case Sort::kInterval:
    case Sort::kDuration:
      return Lit(LiteralKind::kInterval, TimeText(Sort::kInterval));
    default:
      return Lit(LiteralKind::kString, TextOf(sort));
  }
}

Expression RandomExpressions::Boolean(int depth) {
  const int64_t pick = Below(20);
  if (pick < 7) return Comparison(depth);
  if (pick < 11) {
    Expression chain;
    chain.kind = Chance(0.5) ? Expression::Kind::kAnd : Expression::Kind::kOr;
    // Often of one column, which filters are joined for.
    const Sort sort = OrderedSort();
    const bool is_of_one = Chance(0.4);
    for (int64_t i = 2 + Below(3); i > 0; --i) {
      const bool is_pattern = is_of_one && sort == Sort::kText && Chance(0.4);
      chain.children.push_back(is_pattern  ? TextTest(0)
                               : is_of_one ? Test(sort, 0)
                                           : Make(Sort::kBoolean, depth));
    }
    return chain;
  }
  if (pick < 13) return !Make(Sort::kBoolean, depth);
  if (pick < 14) {
    // Of any column, structs too.
    Expression test = IsNull(Chance(0.3) ? Column(Sort::kOther) : Make(AnySort(), depth));
    test.negated = Chance(0.5);
    return test;
  }
  if (pick < 15) return CastTo(Sort::kBoolean, depth);
  if (pick < 16) return IsNanTest(depth);
  if (pick < 18) return TextTest(depth);
  return Test(OrderedSort(), Chance(0.5) ? 0 : depth);
}

Expression RandomExpressions::Comparison(int depth) {
  const Sort sort = OrderedSort();
  Expression a = Chance(0.4) ? Column(sort) : Make(sort, depth);
  Expression b = Chance(0.7) ? Literal(sort) : Make(sort, depth);
  if (Chance(0.2)) std::swap(a, b);
  return Expression::Compare(kComparisons[Below(8)], std::move(a), std::move(b));
}

Expression RandomExpressions::IsNanTest(int depth) {
  for (const KnownColumn& column : known_) {
    if (!column.is_floating || Chance(0.3)) continue;
    Expression operand;
    operand.kind = Expression::Kind::kColumn;
    operand.path = column.path;
    return Call("is_nan", {std::move(operand)});
  }
  Expression number = Make(Sort::kNumber, depth);
  return Call("is_nan", {Chance(0.9) ? Cast(std::move(number), "DOUBLE") : std::move(number)});
}

/// A comparison, BETWEEN, IN or test for NULL.
Expression RandomExpressions::Test(Sort sort, int depth) {
  Expression operand = depth <= 0 ? Column(sort) : Make(sort, depth);
  const auto other = [&] { return Chance(0.85) ? Literal(sort) : Make(sort, depth); };
  Expression test;
  switch (Below(5)) {
    case 0:
      test = Between(std::move(operand), other(), other());
      break;
    case 1:
    case 2: {
      std::vector<Expression> items;
      for (int64_t i = 1 + Below(Chance(0.1) ? 20 : 4); i > 0; --i) items.push_back(other());
      test = In(std::move(operand), std::move(items));
      break;
    }
    case 3:
      test = IsNull(std::move(operand));
      break;
    default:
      return Expression::Compare(kComparisons[Below(8)], std::move(operand), other());
  }
  test.negated = Chance(0.4);
  return test;
}

Expression RandomExpressions::TextTest(int depth) {
  Expression text = Chance(0.5) ? Column(Sort::kText) : Make(Sort::kText, depth);
  if (Chance(0.2)) return Call("starts_with", {std::move(text), Make(Sort::kText, 0)});
  Expression pattern = Chance(0.85) ? Expression(PatternText()) : Make(Sort::kText, depth);
  static constexpr std::string_view kEscapes[] = {"\\", "!", "a", "%", "_", "", "é", "ab"};
  Expression like = Chance(0.3)
                        ? Like(std::move(text), std::move(pattern), Expression(Pick(kEscapes)))
                        : Like(std::move(text), std::move(pattern));
  like.negated = Chance(0.4);
  return like;
}

Expression RandomExpressions::Number(int depth) {
  const int64_t pick = Below(15);
  if (pick < 6) {
    return Expression::Calculate(kArithmetic[Below(5)], Make(Sort::kNumber, depth),
                                 Make(Sort::kNumber, Chance(0.5) ? 0 : depth));
  }
  if (pick < 7) return Expression::Negate(Make(Sort::kNumber, depth));
  if (pick < 8) return Call("abs", {Make(Sort::kNumber, depth)});
  if (pick < 9) return Call("length", {Make(Sort::kText, depth)});
  if (pick < 10) {
    static constexpr std::string_view kParts[] = {"year", "month", "day"};
    constexpr Sort kDays[] = {Sort::kDate, Sort::kTimestamp, Sort::kInstant};
    return Call(Pick(kParts), {Make(kDays[Below(3)], depth)});
  }
  if (pick < 11) return Make(Sort::kDate, depth) - Make(Sort::kDate, depth);
  return CastTo(Sort::kNumber, depth);
}

Expression RandomExpressions::Text(int depth) {
  const int64_t pick = Below(8);
  if (pick < 1) return Call("lower", {Make(Sort::kText, depth)});
  if (pick < 2) return Call("upper", {Make(Sort::kText, depth)});
  if (pick < 5) {
    std::vector<Expression> arguments = {Make(Sort::kText, depth), Count()};
    if (Chance(0.6)) arguments.push_back(Count());
    return Call("substr", std::move(arguments));
  }
  return CastTo(Sort::kText, depth);
}

Expression RandomExpressions::Time(Sort sort, int depth) {
  const bool is_sum = Chance(0.5);
  const auto calculate = [&](Expression a, Expression b) {
    return Expression::Calculate(is_sum ? ArithmeticOp::kAdd : ArithmeticOp::kSubtract,
                                 std::move(a), std::move(b));
  };
  if (sort == Sort::kInterval) {
    if (Chance(0.3)) return Expression::Negate(Make(sort, depth));
    return calculate(Make(sort, depth), Make(sort, 0));
  }
  if (Chance(0.3)) return CastTo(sort, depth);
  if (sort == Sort::kDate) return calculate(Make(sort, depth), Count());
  const Sort from = sort == Sort::kTimestamp && Chance(0.4) ? Sort::kDate : sort;
  if (Chance(0.5)) return Call("date_trunc", {Pick(kDateUnits), Make(from, depth)});
  if (is_sum && Chance(0.3)) return Make(Sort::kInterval, 0) + Make(from, depth);
  return calculate(Make(from, depth), Make(Sort::kInterval, Chance(0.8) ? 0 : depth));
}

Expression RandomExpressions::Branches(Sort sort, int depth) {
  if (Chance(0.4)) {
    std::vector<Expression> arguments;
    for (int64_t i = 1 + Below(3); i > 0; --i) arguments.push_back(Make(sort, depth));
    return Call("coalesce", std::move(arguments));
  }
  const bool has_operand = Chance(0.3);
  const Sort when = has_operand ? OrderedSort() : Sort::kBoolean;
  CaseBuilder cases = has_operand ? Case(Make(when, depth)) : Case();
  for (int64_t i = 1 + Below(2); i > 0; --i) {
    std::move(cases).When(Make(when, depth), Make(sort, depth));
  }
  return Chance(0.7) ? std::move(cases).Else(Make(sort, depth)) : std::move(cases).End();
}

Expression RandomExpressions::CastTo(Sort sort, int depth) {
  const auto cast = [&](std::initializer_list<Sort> from, std::string_view type) {
    const Sort source = *(from.begin() + Below(static_cast<int64_t>(from.size())));
    const bool is_readable = source == Sort::kText && sort != Sort::kText && Chance(0.5);
    return Cast(is_readable ? Expression(TextOf(sort)) : Make(source, depth), type);
  };
  switch (sort) {
    case Sort::kBoolean:
      return cast({Sort::kText, Sort::kNumber, Sort::kBoolean}, "BOOLEAN");
    case Sort::kNumber:
      return cast({Sort::kText, Sort::kNumber, Sort::kNumber, Sort::kBoolean}, Pick(kNumberTypes));
    case Sort::kText:
      return cast({Sort::kText, Sort::kNumber, Sort::kBoolean, Sort::kBinary, Sort::kUuid,
                   Sort::kDate, Sort::kTimestamp, Sort::kInstant, Sort::kTime},
                  "VARCHAR");
    case Sort::kBinary:
      return cast({Sort::kText, Sort::kBinary, Sort::kUuid}, "BLOB");
    case Sort::kUuid:
      return cast({Sort::kText, Sort::kUuid}, "UUID");
    case Sort::kDate:
      return cast({Sort::kText, Sort::kTimestamp, Sort::kInstant, Sort::kDate}, "DATE");
    case Sort::kTimestamp:
      return cast({Sort::kText, Sort::kTimestamp, Sort::kInstant, Sort::kDate},
                  Pick(kTimestampTypes));
    case Sort::kInstant:
      return cast({Sort::kText, Sort::kTimestamp, Sort::kInstant, Sort::kDate}, "TIMESTAMPTZ");
    case Sort::kTime:
      return cast({Sort::kText, Sort::kTimestamp, Sort::kTime}, "TIME");
    default:
      return Leaf(sort);
  }
}

}  // namespace sluice::support
