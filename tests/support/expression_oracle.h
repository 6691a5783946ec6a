#pragma once

// A second, slow and independent meaning of expressions: from the parsed tree, row by row, with
// types, arithmetic, casts, calendar and patterns of its own (engine/EXPRESSIONS.md is what both
// were written from). Nothing of engine/bind, engine/evaluate or engine/values is used.

#include <sluice/expression.h>
#include <sluice/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/cells.h"
#include "tests/support/oracle_value.h"

namespace sluice::support {

/// A row: a cell for each column of the schema.
using OracleRow = std::vector<Cell>;

/// A value of a file that has no counterpart in the column's type, and so is an error: a cell
/// without the bytes that the type has.
inline Cell Misfit() { return {}; }
bool IsMisfit(const DataType& type, const Cell& cell);

/// An expression with its type, and how it is evaluated. Absent where the expression means nothing:
/// unknown names, operands that do not go together, literals that cannot be read.
struct OracleNode {
  DataType type;
  const Expression* literal = nullptr;  ///< A number, a string or NULL, whose type may yet change.
  bool is_constant = false;             ///< No columns below.
  std::function<OracleValue(const OracleRow&)> run;

  bool is_null_literal() const {
    return literal != nullptr && literal->literal == LiteralKind::kNull;
  }
  /// NULL or an error in every row.
  bool is_nothing() const { return type.id == TypeId::kNull; }
  bool is_string_literal() const {
    return literal != nullptr && literal->literal == LiteralKind::kString;
  }
};
using OracleRef = std::shared_ptr<const OracleNode>;

/// What the oracle makes of an expression.
///
/// Lifetime: expression and schema must outlive it and what it makes.
class ExpressionOracle {
 public:
  ExpressionOracle(const Schema& schema, int32_t zone_offset)
      : schema_(schema), zone_offset_(zone_offset) {}

  OracleRef Make(const Expression& expression) const;
  /// Of what must be boolean.
  OracleRef MakePredicate(const Expression& expression) const;

 private:
  using Nodes = std::vector<OracleRef>;

  OracleRef MakeColumn(const Expression& expression) const;
  OracleRef MakeLiteral(const Expression& expression) const;
  OracleRef MakeNumber(const Expression& expression) const;
  OracleRef MakeArithmetic(const Expression& expression, OracleRef a, OracleRef b) const;
  OracleRef MakeTimeArithmetic(ArithmeticOp op, OracleRef a, OracleRef b) const;
  OracleRef MakeDecimalArithmetic(ArithmeticOp op, const OracleRef& a, const OracleRef& b,
                                  const DataType& common) const;
  OracleRef MakeSign(const OracleRef& a, bool is_minus) const;
  OracleRef MakeLogic(Expression::Kind kind, const Nodes& operands) const;
  OracleRef MakeIn(const Nodes& operands, bool is_negated) const;
  OracleRef MakeLike(const Nodes& operands, bool is_negated) const;
  OracleRef MakeCase(const Expression& expression, const Nodes& operands) const;
  OracleRef MakeCoalesce(const Nodes& operands) const;
  OracleRef MakeCall(const Expression& expression, const Nodes& arguments) const;
  OracleRef MakeTextCall(const std::string& name, const Nodes& arguments) const;
  OracleRef MakeDateCall(const std::string& name, const Nodes& arguments) const;
  OracleRef MakeCast(const OracleRef& operand, const DataType& type) const;

  OracleRef Compare(ComparisonOp op, OracleRef a, OracleRef b) const;
  OracleRef CompareLiteral(ComparisonOp op, const OracleRef& a, const Expression& literal) const;
  /// A literal as a value of exactly the type.
  OracleRef ReadLiteral(const Expression& literal, const DataType& type) const;
  /// An operand as a value of the type, by a cast where it has another.
  OracleRef Coerce(const OracleRef& operand, const DataType& type) const;
  OracleRef Boolean(const OracleRef& operand) const;
  std::optional<DataType> Unify(const Nodes& branches) const;

  const Schema& schema_;
  int32_t zone_offset_;
};

/// A node whose value is that of a function of its operands' values; NULL or an error where one of
/// them is, an error before a NULL.
OracleRef StrictNode(DataType type, std::vector<OracleRef> operands,
                     std::function<OracleValue(const std::vector<OracleValue>&)> calculate);
/// A constant.
OracleRef ConstantNode(DataType type, OracleValue value, const Expression* literal = nullptr);

/// The order of two values of comparable types: negative, 0, positive. Of floating-point types of
/// 32 bits both have one.
int OrderOfValues(const OracleValue& a, const DataType& a_type, const OracleValue& b,
                  const DataType& b_type);
/// NaN above all and equal to itself, zeros equal.
int OrderOfDoubles(double a, double b);

}  // namespace sluice::support
