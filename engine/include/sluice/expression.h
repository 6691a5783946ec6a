#pragma once

// Expressions as plain data: what the text of a WHERE clause says, or what C++ builds directly.
// Nothing here knows a schema; binding gives columns and literals their types.

#include <sluice/export.h>
#include <sluice/status.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::inline v0 {

/// A place in the text that an expression was parsed from, counted from 1; columns count the
/// characters of UTF-8. Zeros where there is no text.
struct TextPosition {
  int32_t line = 0;
  int32_t column = 0;
  bool operator==(const TextPosition&) const = default;
};

/// The line of `text` that `position` is in, cut where it is long, and below it a caret under the
/// place; both lines indented. Empty where there is no such place.
SLUICE_EXPORT std::string MarkPosition(std::string_view text, TextPosition position);

/// How the text of a literal is to be read. The readings themselves are those of binding.
enum class LiteralKind : uint8_t {
  kNull,         ///< NULL; no text.
  kBoolean,      ///< "true", "false".
  kNumber,       ///< Digits, with a sign, point or exponent; with an exponent it is a double.
  kString,       ///< Any bytes; takes the type of what it stands beside.
  kBinary,       ///< The bytes themselves.
  kDate,         ///< DATE '2024-02-29'
  kTime,         ///< TIME '12:30:00.5'
  kTimestamp,    ///< TIMESTAMP '2024-02-29 12:30:00', without a zone.
  kTimestampTz,  ///< TIMESTAMPTZ '2024-02-29 12:30:00+02', an instant.
  kInterval,     ///< INTERVAL '1 month 3 days'
  kDecimal,      ///< DECIMAL '1.50'
  kUuid,         ///< UUID '47183823-2574-4bfd-b411-99ed177d3e43'
};

enum class ComparisonOp : uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kDistinct,     ///< IS DISTINCT FROM: as kNotEqual, NULL being a value like others.
  kNotDistinct,  ///< IS NOT DISTINCT FROM
};

enum class ArithmeticOp : uint8_t { kAdd, kSubtract, kMultiply, kDivide, kModulo };

/// One node of an expression with its children: plain data, the same whether parsed or built.
///
/// Built from C++ values and operators: Col("price") > 100 && In(Col("state"), {"CA", "NY"}).
/// Every operator makes a node; none evaluates anything. (So == makes a comparison: IsSameAs tells
/// whether two expressions are the same.)
///
/// Threads: thread-compatible.
struct SLUICE_EXPORT Expression {
  enum class Kind : uint8_t {
    kColumn,      ///< `path`
    kLiteral,     ///< `literal`, `text`
    kComparison,  ///< `comparison` of 2 children.
    kArithmetic,  ///< `arithmetic` of 2 children.
    kNegate,      ///< Of 1 child.
    kAnd,         ///< Of 2 or more children.
    kOr,          ///< Of 2 or more children.
    kNot,         ///< Of 1 child.
    kIsNull,      ///< Of 1 child; may be negated.
    kBetween,     ///< Operand, lower, upper; may be negated.
    kIn,          ///< Operand, then the items; may be negated.
    kLike,        ///< Operand, pattern, perhaps the escape character; may be negated.
    kCast,        ///< Of 1 child to the type named by `text`.
    kCase,        ///< The operand where there is one, WHEN and THEN in turn, perhaps ELSE.
    kCall,        ///< The function named by `text`, in lower case, of any children.
  };

  Kind kind = Kind::kLiteral;
  LiteralKind literal = LiteralKind::kNull;
  ComparisonOp comparison = ComparisonOp::kEqual;
  ArithmeticOp arithmetic = ArithmeticOp::kAdd;
  bool negated = false;      ///< kIsNull, kBetween, kIn, kLike.
  bool has_operand = false;  ///< kCase: CASE operand WHEN ...
  TextPosition position;     ///< Of the operator, else of the first character.
  std::string text;
  std::vector<std::string> path;  ///< kColumn: a name, then the fields of nested structs.
  std::vector<Expression> children;

  /// NULL.
  Expression() = default;
  /// Literals. A NaN or an infinity is a cast of its name.
  template <std::integral T>
  Expression(T value) {  // NOLINT: implicit, so that Col("a") > 100 can be written
    if constexpr (std::same_as<T, bool>) {
      SetBoolean(value);
    } else if constexpr (std::signed_integral<T>) {
      SetInteger(static_cast<int64_t>(value));
    } else {
      SetInteger(static_cast<uint64_t>(value));
    }
  }
  Expression(double value);                                            // NOLINT
  Expression(std::string string);                                      // NOLINT
  Expression(std::string_view string);                                 // NOLINT
  Expression(const char* string) : Expression(std::string(string)) {}  // NOLINT

  /// Whether both are the same, positions aside.
  bool IsSameAs(const Expression& other) const;
  /// Text that ParseExpression reads as this expression again, if that or the functions below made
  /// it. Recursion is as deep as the tree.
  std::string ToSql() const;

  friend Expression operator==(Expression a, Expression b) {
    return Compare(ComparisonOp::kEqual, std::move(a), std::move(b));
  }
  friend Expression operator!=(Expression a, Expression b) {
    return Compare(ComparisonOp::kNotEqual, std::move(a), std::move(b));
  }
  friend Expression operator<(Expression a, Expression b) {
    return Compare(ComparisonOp::kLess, std::move(a), std::move(b));
  }
  friend Expression operator<=(Expression a, Expression b) {
    return Compare(ComparisonOp::kLessEqual, std::move(a), std::move(b));
  }
  friend Expression operator>(Expression a, Expression b) {
    return Compare(ComparisonOp::kGreater, std::move(a), std::move(b));
  }
  friend Expression operator>=(Expression a, Expression b) {
    return Compare(ComparisonOp::kGreaterEqual, std::move(a), std::move(b));
  }
  friend Expression operator+(Expression a, Expression b) {
    return Calculate(ArithmeticOp::kAdd, std::move(a), std::move(b));
  }
  friend Expression operator-(Expression a, Expression b) {
    return Calculate(ArithmeticOp::kSubtract, std::move(a), std::move(b));
  }
  friend Expression operator*(Expression a, Expression b) {
    return Calculate(ArithmeticOp::kMultiply, std::move(a), std::move(b));
  }
  friend Expression operator/(Expression a, Expression b) {
    return Calculate(ArithmeticOp::kDivide, std::move(a), std::move(b));
  }
  friend Expression operator%(Expression a, Expression b) {
    return Calculate(ArithmeticOp::kModulo, std::move(a), std::move(b));
  }
  /// A number without a sign gets one, as the parser does it.
  friend Expression operator-(Expression a) { return Negate(std::move(a)); }
  friend Expression operator!(Expression a) { return Unary(Kind::kNot, std::move(a)); }
  /// Chains of one kind become one node, so that long ones are not deep.
  friend Expression operator&&(Expression a, Expression b) {
    return Chain(Kind::kAnd, std::move(a), std::move(b));
  }
  friend Expression operator||(Expression a, Expression b) {
    return Chain(Kind::kOr, std::move(a), std::move(b));
  }

  static Expression Compare(ComparisonOp op, Expression a, Expression b);
  static Expression Calculate(ArithmeticOp op, Expression a, Expression b);
  static Expression Negate(Expression a);
  static Expression Unary(Kind kind, Expression a);
  static Expression Chain(Kind kind, Expression a, Expression b);

 private:
  void SetBoolean(bool value);
  void SetInteger(int64_t value);
  void SetInteger(uint64_t value);
};

/// A column, or a field of a struct column: Col("a", "b") is a.b, Col("a.b") a column of that name.
template <std::convertible_to<std::string>... Parts>
Expression Col(Parts&&... parts) {
  static_assert(sizeof...(parts) > 0);
  Expression column;
  column.kind = Expression::Kind::kColumn;
  (column.path.emplace_back(std::forward<Parts>(parts)), ...);
  return column;
}

/// A literal of a C++ value: a boolean, number or string.
inline Expression Lit(Expression value) { return value; }
/// A literal of any kind by its text: Lit(LiteralKind::kDate, "2024-02-29").
SLUICE_EXPORT Expression Lit(LiteralKind kind, std::string text);

inline Expression Distinct(Expression a, Expression b) {
  return Expression::Compare(ComparisonOp::kDistinct, std::move(a), std::move(b));
}
inline Expression NotDistinct(Expression a, Expression b) {
  return Expression::Compare(ComparisonOp::kNotDistinct, std::move(a), std::move(b));
}
inline Expression IsNull(Expression a) {
  return Expression::Unary(Expression::Kind::kIsNull, std::move(a));
}
SLUICE_EXPORT Expression IsNotNull(Expression a);
SLUICE_EXPORT Expression Between(Expression a, Expression lower, Expression upper);
/// Without items it is false for every row, null ones too, as SQL has no empty list: `a IS NULL AND
/// FALSE`.
SLUICE_EXPORT Expression In(Expression a, std::vector<Expression> items);
SLUICE_EXPORT Expression Like(Expression a, Expression pattern);
SLUICE_EXPORT Expression Like(Expression a, Expression pattern, Expression escape);
/// A cast to a type by its name in SQL: Cast(Col("a"), "DECIMAL(10, 2)").
SLUICE_EXPORT Expression Cast(Expression a, std::string_view type);
/// A call: Call("date_trunc", {"month", Col("d")}).
SLUICE_EXPORT Expression Call(std::string function, std::vector<Expression> arguments);

/// CASE, with one When at least: Case().When(Col("a") > 1, "big").Else("small"), or
/// Case(Col("a")).When(1, "one").End().
class SLUICE_EXPORT CaseBuilder {
 public:
  CaseBuilder() { expression_.kind = Expression::Kind::kCase; }
  explicit CaseBuilder(Expression operand) : CaseBuilder() {
    expression_.has_operand = true;
    expression_.children.push_back(std::move(operand));
  }

  CaseBuilder&& When(Expression condition, Expression value) &&;
  Expression Else(Expression value) &&;
  Expression End() && { return std::move(expression_); }

 private:
  Expression expression_;
};
inline CaseBuilder Case() { return CaseBuilder(); }
inline CaseBuilder Case(Expression operand) { return CaseBuilder(std::move(operand)); }

/// The deepest nesting of an expression, as trees and in text: kept so low that no pass over a tree
/// runs out of a small thread's stack. AND, OR, IN, COALESCE and CASE are one level, however long.
inline constexpr int kMaxExpressionDepth = 250;

/// Parses the text of a WHERE clause; the grammar is in EXPRESSIONS.md (engine/ of the sources,
/// share/doc/sluice once installed).
///
/// It looks at the form of the text alone. Whether there are such columns, functions and types,
/// whether types go together and whether the text of a literal (DATE '2024-02-30') is one of its
/// kind is for binding to a schema to say.
///
/// Time is linear in the length of the text.
/// Errors: kInvalidArgument with "line L, column C: ", what was expected, and the line with a
/// caret.
SLUICE_EXPORT Result<Expression> ParseExpression(std::string_view text);

}  // namespace sluice::inline v0
