#pragma once

// What is known of the rows of a unit (a file, row group or page, or a constant), column by column,
// and what it proves about a predicate. Plain data: unknown is a state of its own, and never read
// as 0, "none" or "all".

#include <sluice/column.h>
#include <sluice/export.h>
#include <sluice/types.h>
#include <sluice/value.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::inline v0 {

/// Why a verdict is what it is, and why a piece of evidence is missing.
enum class Reason : uint8_t {
  // What decided.
  kPredicate,       ///< The predicate is the same for every row, whatever the rows hold.
  kNoRows,          ///< The unit has no rows.
  kNulls,           ///< Every row is null, or none is.
  kNans,            ///< Every value is NaN.
  kBounds,          ///< The values lie between bounds.
  kDistinctValues,  ///< All values that occur are known.
  kMembership,      ///< A bloom filter has none of the values asked for.

  // What was known, and decided nothing.
  kBoundsUndecided,          ///< Values between the bounds pass, and others do not.
  kDistinctValuesUndecided,  ///< Of the values that occur, some pass.
  kMembershipUndecided,      ///< The bloom filter may have a value asked for.
  kNullsPresent,             ///< Some rows are null, and null rows fare otherwise than the rest.
  kNansPresent,              ///< Some values are NaN, and NaN fares otherwise than the rest.

  // What was missing.
  kNoEvidence,        ///< Nothing was looked at.
  kNoStatistics,      ///< The file has none for the unit.
  kBoundMissing,      ///< Of the two bounds one, or both.
  kBoundTruncated,    ///< The bounds decide nothing, and one of them is a shortened value.
  kBoundMalformed,    ///< Its bytes are no value of the type.
  kBoundTooLong,      ///< More bytes than are worth keeping.
  kBoundIsNan,        ///< So that nothing is known of the order it was made with.
  kBoundsReversed,    ///< The lower one is above the upper one.
  kOrderUnknown,      ///< The bounds were made by another order than the type's, or an unknown one.
  kNullCountUnknown,  ///< Rows may be null.
  kNullCountMalformed,   ///< Negative, or more nulls than rows.
  kNansPossible,         ///< Nothing tells whether values are NaN.
  kNanCountMalformed,    ///< Negative, or more NaNs than values.
  kWriterDistrusted,     ///< The file's writer is known to get this wrong.
  kLegacyCalendar,       ///< Values may be of the hybrid Julian calendar.
  kRepeated,             ///< The column's values are elements of lists, not rows.
  kTypeChanged,          ///< The evidence is of a type whose order is not that of the filter's.
  kCastNotProvable,      ///< A bound cannot be converted exactly to the type that is read.
  kNoFilterForm,         ///< The predicate has an expression that no filter can say.
  kTooManyValues,        ///< More values than are worth looking up one by one.
  kIndexContradictory,   ///< The page index contradicts itself, the offsets or the row group.
  kSourcesContradictory  ///< Two sources of evidence exclude each other, or one does itself.
};

/// A fixed name in snake_case, for example "null_count_unknown".
SLUICE_EXPORT std::string_view ReasonName(Reason reason);

enum class EvidenceSource : uint8_t {
  kNone,
  kSchema,      ///< The column's definition alone.
  kConstant,    ///< One value for every row.
  kFile,        ///< Statistics of a whole file, from its catalog.
  kRowGroup,    ///< Statistics of a column chunk.
  kPage,        ///< The column index, or a page header.
  kDictionary,  ///< A dictionary that has every value of a chunk.
  kBloomFilter,
};
SLUICE_EXPORT std::string_view SourceName(EvidenceSource source);

/// How many rows of a unit are null, or how many of those that are not null are NaN.
struct SLUICE_EXPORT Occurrence {
  enum class Share : uint8_t {
    kUnknown,
    kNone,  ///< Proven not to occur.
    kSome,  ///< Proven to occur; perhaps everywhere.
    kAll,   ///< Proven of every row (NaN: of every row that is not null).
  };
  Share share = Share::kUnknown;
  std::optional<int64_t> count;
  Reason unknown = Reason::kNoEvidence;  ///< Why the share is unknown.

  static Occurrence None() { return {Share::kNone, 0, Reason::kNoEvidence}; }
  static Occurrence All() { return {Share::kAll, std::nullopt, Reason::kNoEvidence}; }
  static Occurrence Unknown(Reason why) { return {Share::kUnknown, std::nullopt, why}; }
  /// Of a count among `total` rows, which may be unknown. A count that cannot be is unknown, for
  /// the reason `malformed`.
  static Occurrence OfCount(int64_t count, std::optional<int64_t> total, Reason malformed);

  bool is_possible() const { return share != Share::kNone; }
  bool operator==(const Occurrence&) const = default;
};

/// One end of what the values lie between. It holds, whatever its exactness.
struct SLUICE_EXPORT EvidenceBound {
  enum class Exactness : uint8_t {
    kUnknown,
    kExact,    ///< A value that occurs (a zero of either sign, for a floating-point zero).
    kInexact,  ///< Known to be another value, usually a shortened one.
  };
  std::string value;  ///< As Value::bytes, in the order of CompareValues.
  Exactness exactness = Exactness::kUnknown;
  bool operator==(const EvidenceBound&) const = default;
};

/// Tells of single values that they do not occur, as a bloom filter does.
///
/// Threads: thread-safe.
class SLUICE_EXPORT MembershipTest {
 public:
  virtual ~MembershipTest();
  /// False only where no row of the unit has this value, as CompareValues has it equal. `value` is
  /// of the evidence's type, as Value::bytes.
  virtual bool MayContain(std::string_view value) const = 0;
};

/// What is known of one column in one unit.
///
/// Threads: plain data; what it shares is immutable.
struct SLUICE_EXPORT Evidence {
  /// What bounds, distinct values and membership speak of; absent where there are none of them.
  std::shared_ptr<const DataType> type;
  EvidenceSource source = EvidenceSource::kNone;
  std::optional<int64_t> row_count;
  Occurrence nulls;
  /// None for types without NaN, which need not say so.
  Occurrence nans = Occurrence::Unknown(Reason::kNansPossible);
  /// Of the values that are neither null nor NaN. With bounds_cover_nan also of NaN, which is above
  /// all others: an upper bound below it proves that there is none.
  std::optional<EvidenceBound> lower;
  std::optional<EvidenceBound> upper;
  bool bounds_cover_nan = false;
  Reason lower_missing = Reason::kNoEvidence;  ///< Why there is no lower bound.
  Reason upper_missing = Reason::kNoEvidence;
  /// A column without nulls that has every value that occurs, in any order; it may have others.
  std::shared_ptr<const Column> distinct;
  std::shared_ptr<const MembershipTest> membership;

  /// One value, or null, in every row.
  static Evidence OfConstant(const Value& value);
  /// Nothing known, for this reason.
  static Evidence Missing(EvidenceSource source, Reason why);
  /// Takes both bounds away, for this reason.
  void DropBounds(Reason why);
};

/// Adds what `other` knows of the same rows to `evidence`, so that either may prove: the tighter of
/// two bounds, and what only one of them knows. Where they exclude each other, neither is believed.
SLUICE_EXPORT void MergeEvidence(Evidence& evidence, const Evidence& other);

/// The least and greatest value of the unit in the order of CompareValues, nulls left out, where
/// the evidence proves it. Nothing where equal values have several forms, of which bounds do not
/// tell the right one: a zero or NaN of a floating-point type, and INT96.
SLUICE_EXPORT std::optional<Value> ProvenMinimum(const Evidence& evidence);
SLUICE_EXPORT std::optional<Value> ProvenMaximum(const Evidence& evidence);
/// The value of every row, null included, where the evidence proves that there is only one.
SLUICE_EXPORT std::optional<Value> ProvenConstant(const Evidence& evidence);

/// What evidence says of a predicate over the rows of a unit.
struct SLUICE_EXPORT Verdict {
  enum class Outcome : uint8_t {
    kNone,  ///< For no row it is TRUE or an error: the unit can be skipped.
    kSome,  ///< Not known: look at the rows.
    kAll,   ///< For every row it is TRUE: the rows need not be tested.
  };
  Outcome outcome = Outcome::kSome;
  /// What proved it; of kSome what kept the first part that proved nothing from doing so.
  Reason reason = Reason::kNoEvidence;
  int32_t column = -1;  ///< FilterNode::column that the reason is about; -1 for none.
  EvidenceSource source = EvidenceSource::kNone;

  bool operator==(const Verdict&) const = default;
};
/// "none", "some" or "all".
SLUICE_EXPORT std::string_view OutcomeName(Verdict::Outcome outcome);

}  // namespace sluice::inline v0
