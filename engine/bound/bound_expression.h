#pragma once

// Expressions with types: what binding makes of an Expression and a schema, and what is split and
// evaluated.

#include <sluice/expression.h>
#include <sluice/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice::inline v0::engine {

/// What a predicate says of a row. A row's error (overflow, division by zero, a cast that fails) is
/// a value of logic: AND is the least of FALSE < NULL < ERROR < TRUE, OR the greatest of
/// FALSE < ERROR < NULL < TRUE, NOT ERROR is ERROR. Of every other operator, an ERROR among its
/// operands makes an ERROR, else a NULL among them a NULL, unless its comment says otherwise.
enum class Truth : uint8_t { kFalse, kNull, kError, kTrue };

enum class BoundOp : uint8_t {
  kColumn,    ///< `path`
  kConstant,  ///< `bytes`
  kSlot,      ///< The value of the kLet above that has the same `slot`.
  kLet,       ///< Child 1, in which kSlot stands for child 0.
  kCast,      ///< Child 0 to `type`.
  kWiden,  ///< Child 0, a column of a file, in the wider `type` of the table: the same value, not
           ///< a text read anew. ERROR where the type has no counterpart of it: of a column that
           ///< can misfit it is one already.
  kAdd,    ///< Of two children of this type; dates and times: child 1 is an interval.
  kSubtract,  ///< As kAdd.
  kMultiply,  ///< Of two children; of decimals each with its own scale.
  kDivide,    ///< Of two doubles.
  kModulo,    ///< Of two children of this type.
  kNegate,    ///< Of a child of this type.
  kAbs,       ///< Of a child of this type.
  kAddDays,   ///< A date and an int64.
  kSubtractDays,
  kDaysBetween,  ///< Of two dates, the second before the first.
  kCompare,      ///< By `comparison`, of two children of one ordered type.
  kAnd,          ///< Of any number of children; TRUE of none.
  kOr,           ///< Of any number of children; FALSE of none.
  kNot,
  kNullTest,    ///< `when_null` or `when_value`, by whether child 0 is null.
  kInSet,       ///< Whether child 0 is in `set`; where it is not, NULL if `set_has_null`.
  kLike,        ///< Child 0 and a pattern, in ColumnFilter's spelling if `bytes` is absent, else
                ///< with that for its escape character, perhaps none.
  kStartsWith,  ///< Of two children.
  kIsNan,
  kLength,  ///< In characters.
  kLower,
  kUpper,
  kSubstr,  ///< Text, the first character counted from 1, perhaps the number of characters.
  kYear,    ///< Of a date or timestamp; of instants in `zone_offset`.
  kMonth,
  kDay,
  kDateTrunc,  ///< To a multiple of `unit`; of instants in `zone_offset`.
  kCase,       ///< Condition and value in turn, then the value where no condition is TRUE. The
               ///< value of the first TRUE condition; ERROR if a condition before that is.
  kCoalesce,   ///< The first child that is not null; ERROR if one before that is.
};

/// Units that times are cut to.
enum class DateUnit : uint8_t {
  kMicrosecond,
  kMillisecond,
  kSecond,
  kMinute,
  kHour,
  kDay,
  kWeek,  ///< From Monday.
  kMonth,
  kQuarter,
  kYear,
  kDecade,
  kCentury,
  kMillennium,
};

/// Where a column is found: its ordinal among the columns, then those of fields in structs.
using ColumnPath = std::vector<int32_t>;

/// One node with its children: plain data.
///
/// Threads: immutable once bound. Depth: at most three times kMaxExpressionDepth.
struct BoundExpression {
  BoundOp op = BoundOp::kConstant;
  DataType type;  ///< Of the value.
  ComparisonOp comparison = ComparisonOp::kEqual;
  Truth when_null = Truth::kNull;
  Truth when_value = Truth::kTrue;
  bool set_has_null = false;
  bool is_simple = false;   ///< Simplify has been here.
  bool can_misfit = false;  ///< A column of which files may have values without counterpart.
  DateUnit unit = DateUnit::kDay;
  int32_t slot = 0;
  int32_t zone_offset = 0;  ///< Seconds east of UTC; also of casts between instants and others.
  TextPosition position;    ///< For errors of rows.
  ColumnPath path;
  /// A constant as Value::bytes, absent for NULL; of kInterval the bytes of an Interval.
  std::optional<std::string> bytes;
  /// Ascending and distinct in the order of CompareValues, in the type of child 0; at least one.
  std::shared_ptr<const std::vector<std::string>> set;
  std::vector<BoundExpression> children;

  bool is_constant() const { return op == BoundOp::kConstant; }
  bool is_null() const { return is_constant() && !bytes.has_value(); }
  /// Whether its value is there without work, so that it may be asked for more than once.
  bool is_at_hand() const {
    return op == BoundOp::kColumn || op == BoundOp::kConstant || op == BoundOp::kSlot;
  }
  /// Whether it is the boolean constant of this value.
  bool IsConstant(bool value) const;
  /// For messages and explanations: columns by their names in `schema`, casts with their types.
  std::string ToString(const Schema& schema) const;

  static BoundExpression Column(ColumnPath path, DataType type);
  static BoundExpression Constant(DataType type, std::optional<std::string> bytes);
  static BoundExpression Boolean(bool value);
  static BoundExpression NullBoolean();
  static BoundExpression Make(BoundOp op, DataType type, std::vector<BoundExpression> children);
  static BoundExpression Compare(ComparisonOp op, BoundExpression a, BoundExpression b);
  static BoundExpression Not(BoundExpression a);
  static BoundExpression NullTest(BoundExpression a, Truth when_null, Truth when_value);
  static BoundExpression Cast(BoundExpression a, DataType type);
  static BoundExpression Widen(BoundExpression a, DataType type);
};

/// Whether the expression can be an error for a row that is none for the columns in it, or one of
/// these can be for a value that its type does not have.
bool CanFail(const BoundExpression& expression);

/// Whether it is a column in a wider type that lacks counterparts for some of its values.
bool IsPartlyWidened(const BoundExpression& expression);

/// The columns that the expression reads, each once, in order of first use.
std::vector<ColumnPath> ColumnsOf(const BoundExpression& expression);

/// Calls `visit` for every node, parents first.
void VisitNodes(const BoundExpression& expression,
                const std::function<void(const BoundExpression&)>& visit);

}  // namespace sluice::inline v0::engine
