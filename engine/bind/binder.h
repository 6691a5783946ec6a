#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/bind/bind.h"
#include "engine/bind/placement.h"

namespace sluice::inline v0::engine {

/// A bound operand, and the literal that it is where its type still depends on what it stands
/// beside: a number, a string, or NULL. `node` has the type that the literal has alone.
struct Operand {
  BoundExpression node;
  const Expression* literal = nullptr;
  bool has_columns = false;  ///< In what was written, whatever became of it.

  bool is_null_literal() const { return node.is_null() && literal != nullptr; }
  /// NULL in every row, or an error: NULL itself, a column of no type, COALESCE(NULL).
  bool is_nothing() const { return node.type.id == TypeId::kNull; }
};

/// Binds one expression.
///
/// Threads: confined. Lifetime: schema and options must outlive it, and the expression its
/// operands.
class Binder {
 public:
  Binder(const Schema& schema, const BindOptions& options) : schema_(schema), options_(options) {}

  Result<Operand> Bind(const Expression& expression);
  Status Fail(const Expression& at, std::string_view what) const;

  // What binds the parts; also for the functions of the table.

  /// `operand` as a value of `type`; a literal is read as one.
  Result<BoundExpression> Coerce(Operand operand, const DataType& type, const Expression& at);
  Result<std::vector<Operand>> BindChildren(const Expression& expression);
  /// What is nothing as a value of `type`, for which it is NULL.
  static BoundExpression NothingAs(Operand operand, DataType type);
  /// `operand` as a boolean, which NULL can be.
  Result<BoundExpression> Boolean(Operand operand, const Expression& at);
  Result<BoundExpression> BindCoalesce(const Expression& expression, std::vector<Operand> operands);
  const BindOptions& options() const { return options_; }

 private:
  Result<Operand> BindNode(const Expression& expression);

  // columns.cc
  Result<Operand> BindColumn(const Expression& expression);
  Result<int32_t> FindField(const std::vector<Field>& fields, std::string_view name,
                            const Expression& at) const;
  Status UnknownName(const std::vector<Field>& fields, std::string_view name,
                     const Expression& at) const;

  // literals.cc
  Result<Operand> BindLiteral(const Expression& literal);
  Result<BoundExpression> BindNumber(const Expression& literal) const;
  Result<BoundExpression> BindTime(const Expression& literal) const;
  Result<BoundExpression> ReadNumberAs(const Expression& literal, const DataType& type) const;
  Result<BoundExpression> ReadStringAs(const Expression& literal, const DataType& type) const;

  // comparison.cc
  Result<BoundExpression> BindComparison(const Expression& expression);
  Result<BoundExpression> BindBetween(const Expression& expression);
  Result<BoundExpression> BindIn(const Expression& expression);
  Result<BoundExpression> BindNullTest(const Expression& expression);
  /// `a` compared with `b`; errors point at `at`.
  Result<BoundExpression> Compare(ComparisonOp op, Operand a, Operand b, const Expression& at);
  Result<BoundExpression> CompareWithLiteral(ComparisonOp op, BoundExpression operand,
                                             const Expression& literal, const Expression& at);
  BoundExpression CompareWithPlacement(ComparisonOp op, BoundExpression operand,
                                       const Placement& placement);
  /// Where a literal, not NULL, falls among the values of a type.
  Result<Placement> PlaceLiteral(const Expression& literal, const DataType& type,
                                 const Expression& at) const;
  /// The same of any item of IN; absent where it is no constant.
  Result<std::optional<Placement>> PlaceItem(const Operand& item, const DataType& type,
                                             const Expression& at) const;
  /// `operand` as one that may be repeated; InLet then goes around what repeats it.
  Operand Share(Operand operand, std::optional<BoundExpression>* shared);
  static BoundExpression InLet(std::optional<BoundExpression> shared, BoundExpression body);

  // arithmetic.cc
  Result<BoundExpression> BindArithmetic(const Expression& expression);
  Result<BoundExpression> BindNegate(const Expression& expression);
  Result<BoundExpression> CalculateTimes(ArithmeticOp op, Operand a, Operand b,
                                         const Expression& at);
  Result<BoundExpression> CalculateDecimals(ArithmeticOp op, BoundExpression a, BoundExpression b,
                                            const Expression& at) const;
  Result<DataType> CalculationType(const Operand& a, const Operand& b, const Expression& at) const;

  // functions.cc
  Result<BoundExpression> BindLike(const Expression& expression);
  Result<BoundExpression> BindCall(const Expression& expression);

  // branches.cc
  Result<BoundExpression> BindLogic(const Expression& expression);
  Result<BoundExpression> BindCase(const Expression& expression);
  Result<BoundExpression> BindCast(const Expression& expression);
  /// The one type of all branches.
  Result<DataType> UnifyTypes(const std::vector<Operand>& operands,
                              const std::vector<size_t>& branches, const Expression& at) const;

  const Schema& schema_;
  const BindOptions& options_;
  int depth_ = 0;
  int32_t num_slots_ = 0;
  int64_t num_columns_ = 0;  ///< Bound so far.
};

}  // namespace sluice::inline v0::engine
