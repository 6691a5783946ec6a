#pragma once

#include <sluice/export.h>
#include <sluice/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::inline v0 {

/// One end of a range, in the order of CompareValues. Bytes as in Value::bytes.
struct ValueBound {
  std::string value;
  bool inclusive = true;
  bool operator==(const ValueBound&) const = default;
};

/// The values between two bounds; an absent bound excludes nothing, so that a range without an
/// upper bound holds NaN, the greatest value of its type.
struct ValueRange {
  std::optional<ValueBound> lower;
  std::optional<ValueBound> upper;
  bool operator==(const ValueRange&) const = default;
};

/// What a predicate asks of one column, normalised: plain data that a decoder runs on encoded
/// values, and that the evaluator holds against evidence. A row passes or it does not; that a
/// predicate was NULL rather than FALSE is not kept.
///
/// Threads: as plain data; `set` is immutable and shared.
struct SLUICE_EXPORT ColumnFilter {
  enum class Kind : uint8_t {
    kNone,    ///< No value passes (with null_passes: IS NULL).
    kAll,     ///< Every value passes (without null_passes: IS NOT NULL).
    kRanges,  ///< Values in one of `ranges`.
    kSet,     ///< Values in `set`; negated: values that are not.
    kPrefix,  ///< Byte strings that begin with `pattern`; negated: that do not.
    kLike,    ///< Strings that match `pattern`; negated: that do not.
  };

  /// Of the values: IsOrdered unless the kind is kNone or kAll, and of bytes (views, kFixedBinary,
  /// kUuid) for kPrefix and kLike.
  DataType type;
  Kind kind = Kind::kAll;
  bool negated = false;  ///< kSet, kPrefix, kLike.
  bool null_passes = false;
  std::vector<ValueRange> ranges;  ///< kRanges: one or two, ascending, disjoint, none empty.
  /// kSet: ascending and distinct in the order of CompareValues, at least one.
  std::shared_ptr<const std::vector<std::string>> set;
  /// kPrefix: bytes. kLike: `%` for any characters, `_` for one character of UTF-8 (a byte that
  /// begins none counts as one), `\` before a character that stands for itself, whatever the
  /// predicate's own escape character was. Every other byte matches itself.
  std::string pattern;

  /// Whether a value, as Value::bytes, passes. The oracle of every faster way.
  bool Passes(std::string_view value) const;
  /// For messages, for example "in [3, 7) or null". Long sets are cut.
  std::string ToString() const;
};

/// A predicate as far as filters can say it, with NOT carried down to the leaves: plain data for
/// the evaluator.
struct SLUICE_EXPORT FilterNode {
  enum class Kind : uint8_t {
    kTrue,     ///< TRUE for every row.
    kNotTrue,  ///< FALSE or NULL for every row.
    kColumn,   ///< TRUE for rows whose column passes `filter`, FALSE or NULL for others.
    kAnd,
    kOr,
    kUnknown,  ///< An expression without filter form: any outcome, also an error.
  };
  Kind kind = Kind::kTrue;
  int32_t column = -1;  ///< kColumn: ordinal in the list of columns that the predicate's owner has.
  ColumnFilter filter;  ///< kColumn
  std::vector<FilterNode> children;  ///< kAnd, kOr: at least one.
};

}  // namespace sluice::inline v0
