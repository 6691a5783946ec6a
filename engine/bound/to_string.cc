#include <fmt/format.h>
#include <sluice/value.h>

#include <cstring>

#include "engine/bound/bound_expression.h"
#include "engine/values/time_text.h"

namespace sluice::inline v0::engine {
namespace {

constexpr size_t kShownItems = 8;

std::string_view NameOf(Truth truth) {
  constexpr std::string_view kNames[] = {"FALSE", "NULL", "ERROR", "TRUE"};
  return kNames[static_cast<size_t>(truth)];
}

std::string_view SymbolOf(ComparisonOp op) {
  constexpr std::string_view kSymbols[] = {
      "=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"};
  return kSymbols[static_cast<size_t>(op)];
}

/// What stands between two operands; empty for what is written as a call.
std::string_view SymbolOf(const BoundExpression& node) {
  switch (node.op) {
    case BoundOp::kAdd:
    case BoundOp::kAddDays:
      return "+";
    case BoundOp::kSubtract:
    case BoundOp::kSubtractDays:
    case BoundOp::kDaysBetween:
      return "-";
    case BoundOp::kMultiply:
      return "*";
    case BoundOp::kDivide:
      return "/";
    case BoundOp::kModulo:
      return "%";
    case BoundOp::kCompare:
      return SymbolOf(node.comparison);
    case BoundOp::kAnd:
      return "AND";
    case BoundOp::kOr:
      return "OR";
    case BoundOp::kLike:
      return "LIKE";
    default:
      return {};
  }
}

std::string_view CallName(BoundOp op) {
  switch (op) {
    case BoundOp::kNot:
      return "NOT ";
    case BoundOp::kNegate:
      return "-";
    case BoundOp::kAbs:
      return "abs";
    case BoundOp::kStartsWith:
      return "starts_with";
    case BoundOp::kIsNan:
      return "is_nan";
    case BoundOp::kLength:
      return "length";
    case BoundOp::kLower:
      return "lower";
    case BoundOp::kUpper:
      return "upper";
    case BoundOp::kSubstr:
      return "substr";
    case BoundOp::kYear:
      return "year";
    case BoundOp::kMonth:
      return "month";
    case BoundOp::kDay:
      return "day";
    case BoundOp::kDateTrunc:
      return "date_trunc";
    case BoundOp::kCase:
      return "case";
    default:
      return "coalesce";
  }
}

std::string_view NameOf(DateUnit unit) {
  constexpr std::string_view kNames[] = {
      "microsecond", "millisecond", "second", "minute", "hour",    "day",       "week",
      "month",       "quarter",     "year",   "decade", "century", "millennium"};
  return kNames[static_cast<size_t>(unit)];
}

std::string ConstantText(const DataType& type, const std::optional<std::string>& bytes) {
  if (!bytes) return "NULL";
  if (type.id != TypeId::kInterval) return Value{type, bytes}.ToString();
  Interval interval;
  std::memcpy(&interval, bytes->data(), sizeof(interval));
  return fmt::format("INTERVAL '{} months {} days {} ns'", interval.months, interval.days,
                     interval.nanoseconds);
}

std::string PathText(const ColumnPath& path, const Schema& schema) {
  Expression column;
  column.kind = Expression::Kind::kColumn;
  const std::vector<Field>* fields = &schema.fields;
  for (const int32_t ordinal : path) {
    const Field& field = (*fields)[static_cast<size_t>(ordinal)];
    column.path.push_back(field.name);
    fields = &field.type.children;
  }
  return column.ToSql();
}

class Printer {
 public:
  explicit Printer(const Schema& schema) : schema_(schema) {}

  void Append(const BoundExpression& node) {
    switch (node.op) {
      case BoundOp::kColumn:
        text_ += PathText(node.path, schema_);
        return;
      case BoundOp::kConstant:
        text_ += ConstantText(node.type, node.bytes);
        return;
      case BoundOp::kSlot:
        text_ += fmt::format("${}", node.slot);
        return;
      case BoundOp::kLet:
        text_ += fmt::format("let ${} = ", node.slot);
        Append(node.children[0]);
        text_ += " in ";
        return Append(node.children[1]);
      case BoundOp::kCast:
      case BoundOp::kWiden:
        text_ += node.op == BoundOp::kCast ? "CAST(" : "widened(";
        Append(node.children[0]);
        text_ += " AS " + node.type.ToString() + ")";
        return;
      case BoundOp::kNullTest:
        return AppendNullTest(node);
      case BoundOp::kInSet:
        return AppendSet(node);
      default:
        return AppendOperator(node);
    }
  }

  std::string Take() { return std::move(text_); }

 private:
  void AppendChildren(const BoundExpression& node, std::string_view separator) {
    for (size_t i = 0; i < node.children.size(); ++i) {
      if (i > 0) text_ += separator;
      Append(node.children[i]);
    }
  }

  void AppendOperator(const BoundExpression& node) {
    const std::string_view symbol = SymbolOf(node);
    if (symbol.empty()) text_ += CallName(node.op);
    text_ += '(';
    if (node.op == BoundOp::kDateTrunc) text_ += fmt::format("{}, ", NameOf(node.unit));
    AppendChildren(node, symbol.empty() ? ", " : fmt::format(" {} ", symbol));
    text_ += ')';
  }

  void AppendNullTest(const BoundExpression& node) {
    text_ += '(';
    Append(node.children[0]);
    if (node.when_null == Truth::kTrue && node.when_value == Truth::kFalse) {
      text_ += " IS NULL)";
    } else if (node.when_null == Truth::kFalse && node.when_value == Truth::kTrue) {
      text_ += " IS NOT NULL)";
    } else {
      text_ += fmt::format(" IS NULL ? {} : {})", NameOf(node.when_null), NameOf(node.when_value));
    }
  }

  void AppendSet(const BoundExpression& node) {
    text_ += '(';
    Append(node.children[0]);
    text_ += " IN {";
    const std::vector<std::string>& set = *node.set;
    for (size_t i = 0; i < std::min(set.size(), kShownItems); ++i) {
      if (i > 0) text_ += ", ";
      text_ += ConstantText(node.children[0].type, set[i]);
    }
    if (set.size() > kShownItems) text_ += fmt::format(", and {} more", set.size() - kShownItems);
    text_ += node.set_has_null ? ", NULL})" : "})";
  }

  const Schema& schema_;
  std::string text_;
};

}  // namespace

std::string BoundExpression::ToString(const Schema& schema) const {
  Printer printer(schema);
  printer.Append(*this);
  return printer.Take();
}

}  // namespace sluice::inline v0::engine
