#include "format/model/evaluate.h"

#include <algorithm>
#include <limits>

#include "format/model/comparable.h"
#include "format/model/judge_bounds.h"
#include "format/model/value_knowledge.h"

namespace sluice::inline v0 {
namespace {

using Kind = ColumnFilter::Kind;
using Outcome = Verdict::Outcome;
using Share = Occurrence::Share;

/// More look-ups than this in a bloom filter are not worth their time: each finds a value that is
/// not there in one of a hundred, or so.
constexpr int64_t kMaxLookups = 256;

std::string NanOf(const DataType& type) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  if (type.id == TypeId::kDouble) return *Value::Of<double>(type, kNan).bytes;
  if (type.id == TypeId::kFloat) return *Value::Of<float>(type, kNan).bytes;
  return *Value::Of<uint16_t>(type, 0x7e00).bytes;
}

/// Of values that are neither null nor NaN.
struct ValuesPart {
  bool none = false;  ///< None passes.
  bool all = false;   ///< All pass.
  Reason reason = Reason::kNoEvidence;

  bool is_decided() const { return none || all; }
};

/// Calls `visit` with each value of a column without nulls, as Value::bytes, until it is false.
template <typename Visit>
void VisitValues(const Column& column, Visit visit) {
  const DataType& type = *column.type;
  const bool is_fixed = column.form == ColumnForm::kFlat && type.byte_width > 0;
  for (int64_t i = 0; i < column.length; ++i) {
    if (column.form == ColumnForm::kView) {
      if (!visit(column.Bytes(i))) return;
    } else if (is_fixed) {
      const auto width = static_cast<size_t>(type.byte_width);
      if (!visit(std::string_view(column.values<char>() + i * type.byte_width, width))) return;
    } else if (!visit(*ValueAt(column, i).bytes)) {
      return;
    }
  }
}

bool IsInside(const DataType& type, const ValueKnowledge& knowledge, std::string_view value) {
  return (!knowledge.low || CompareValues(type, value, *knowledge.low) >= 0) &&
         (!knowledge.high || CompareValues(type, value, *knowledge.high) <= 0);
}

/// What the distinct values between the bounds prove, of NaN too where nothing else tells.
ValuesPart JudgeDistinct(const ColumnFilter& filter, const Column& distinct,
                         const ValueKnowledge& knowledge, Occurrence& nans) {
  const bool wants_nan = nans.share == Share::kUnknown;
  bool passes = false;
  bool fails = false;
  bool has_nan = false;
  VisitValues(distinct, [&](std::string_view value) {
    if (IsNan(filter.type, value)) {
      has_nan = true;
    } else if (IsInside(filter.type, knowledge, value)) {
      (filter.Passes(value) ? passes : fails) = true;
    }
    return !passes || !fails || (wants_nan && !has_nan);
  });
  if (wants_nan && !has_nan) nans = Occurrence::None();
  if (passes && fails) return {false, false, Reason::kDistinctValuesUndecided};
  // There are bounds because there are values, of which one must be among the distinct ones.
  const bool has_bounds = knowledge.low || knowledge.high;
  if (!passes && !fails && has_bounds) return {false, false, Reason::kSourcesContradictory};
  return {!passes, !fails, Reason::kDistinctValues};
}

/// Whether the membership test excludes every value that passes. Nothing where the filter does not
/// ask for single values, or asks for too many.
std::optional<bool> ExcludesAll(const ColumnFilter& filter, const Evidence& evidence,
                                const ValueKnowledge& knowledge) {
  const auto is_excluded = [&](const std::string& value) {
    return IsNan(filter.type, value) || !evidence.membership->MayContain(value);
  };
  if (!AsksForValues(filter)) return std::nullopt;
  if (filter.kind == Kind::kRanges) {
    return std::all_of(filter.ranges.begin(), filter.ranges.end(),
                       [&](const ValueRange& range) { return is_excluded(range.lower->value); });
  }
  const auto [begin, end] = MembersInside(filter, knowledge);
  if (end - begin > kMaxLookups) return std::nullopt;
  return std::all_of(begin, end, is_excluded);
}

ValuesPart JudgeByBounds(const ColumnFilter& filter, const Evidence& evidence,
                         const ValueKnowledge& knowledge) {
  const BoundsJudgement judgement = JudgeBounds(filter, knowledge);
  ValuesPart part{judgement.none, judgement.all, Reason::kBounds};
  if (part.is_decided()) return part;
  const auto is_inexact = [](const std::optional<EvidenceBound>& bound) {
    return bound && bound->exactness == EvidenceBound::Exactness::kInexact;
  };
  if (!knowledge.low) {
    part.reason = knowledge.low_missing;
  } else if (!knowledge.high) {
    part.reason = knowledge.high_missing;
  } else if (is_inexact(evidence.lower) || is_inexact(evidence.upper)) {
    part.reason = Reason::kBoundTruncated;
  } else {
    part.reason = Reason::kBoundsUndecided;
  }
  return part;
}

/// Of a filter that looks at values, over evidence of its type.
ValuesPart JudgeValues(const ColumnFilter& filter, const Evidence& evidence, Occurrence& nans) {
  const ValueKnowledge knowledge = KnowledgeOf(evidence);
  nans = knowledge.nans;
  ValuesPart part = JudgeByBounds(filter, evidence, knowledge);
  // Also where bounds have decided: they do not tell whether there is anything but NaN.
  if (evidence.distinct && (!part.is_decided() || IsFloating(filter.type))) {
    const ValuesPart distinct = JudgeDistinct(filter, *evidence.distinct, knowledge, nans);
    if (!part.is_decided()) part.reason = distinct.reason;
    part.none |= distinct.none;
    part.all |= distinct.all;
  }
  if (evidence.membership && !part.is_decided()) {
    const std::optional<bool> excludes = ExcludesAll(filter, evidence, knowledge);
    if (excludes == true) return {true, false, Reason::kMembership};
    if (excludes == false) part.reason = Reason::kMembershipUndecided;
    if (!excludes && filter.kind == Kind::kSet && !filter.negated) {
      part.reason = Reason::kTooManyValues;
    }
  }
  return part;
}

Reason WhyPossible(const Occurrence& occurrence, Reason present) {
  return occurrence.share == Share::kUnknown ? occurrence.unknown : present;
}

/// The rows of a unit by kind: which kinds may occur, and whether they pass.
struct Rows {
  ValuesPart values;
  Occurrence nans;
  Occurrence nulls;
  bool nan_passes = false;
  bool null_passes = false;

  bool has_values() const { return nans.share != Share::kAll; }
  bool none() const {
    return (!has_values() || values.none) && (!nans.is_possible() || !nan_passes) &&
           (!nulls.is_possible() || !null_passes);
  }
  bool all() const {
    return (!has_values() || values.all) && (!nans.is_possible() || nan_passes) &&
           (!nulls.is_possible() || null_passes);
  }
  /// What kept the unit from being decided: values on both sides, or else what fares otherwise
  /// than the values, or may.
  Reason undecided() const {
    if (has_values() && !values.is_decided()) return values.reason;
    const bool passes = has_values() ? values.all : nan_passes;
    if (nans.is_possible() && nan_passes != passes) {
      return WhyPossible(nans, Reason::kNansPresent);
    }
    return WhyPossible(nulls, Reason::kNullsPresent);
  }
};

bool LooksAtValues(const ColumnFilter& filter) {
  return filter.kind != Kind::kNone && filter.kind != Kind::kAll;
}

/// Nulls are in no dictionary, so that one without entries has only them.
bool IsAllNull(const Evidence& evidence) {
  if (evidence.nulls.share == Share::kAll) return true;
  return evidence.nulls.share != Share::kNone && evidence.distinct &&
         evidence.distinct->length == 0 && !evidence.lower && !evidence.upper;
}

Rows RowsOf(const ColumnFilter& filter, const Evidence& evidence) {
  Rows rows;
  rows.nulls = evidence.nulls;
  rows.null_passes = filter.null_passes;
  rows.nans = Occurrence::None();
  if (!LooksAtValues(filter)) {
    const bool passes = filter.kind == Kind::kAll;
    rows.values = {!passes, passes, Reason::kNulls};
    return rows;
  }
  if (IsFloating(filter.type)) {
    rows.nan_passes = filter.Passes(NanOf(filter.type));
    rows.nans = Occurrence::Unknown(Reason::kNansPossible);
  }
  if (!evidence.type) {
    rows.values.reason = evidence.lower_missing;
  } else if (!IsComparable(filter.type, *evidence.type)) {
    rows.values.reason = Reason::kTypeChanged;
  } else {
    rows.values = JudgeValues(filter, evidence, rows.nans);
  }
  return rows;
}

/// Where evidence was put together of several sources, a filter's verdict is of the one that the
/// reason speaks of.
EvidenceSource SourceOf(Reason reason, const Evidence& evidence) {
  switch (reason) {
    case Reason::kMembership:
    case Reason::kMembershipUndecided:
      return EvidenceSource::kBloomFilter;
    case Reason::kDistinctValues:
    case Reason::kDistinctValuesUndecided:
      return EvidenceSource::kDictionary;
    default:
      return evidence.source;
  }
}

Verdict EvaluateChildren(const FilterNode& node, std::span<const Evidence> evidence) {
  // One NONE decides an AND and one ALL an OR; otherwise the first child that is not the other.
  const Outcome decisive = node.kind == FilterNode::Kind::kAnd ? Outcome::kNone : Outcome::kAll;
  std::optional<Verdict> verdict;
  for (const FilterNode& child : node.children) {
    const Verdict one = Evaluate(child, evidence);
    if (one.outcome == decisive) return one;
    const bool is_first_unproven =
        one.outcome == Outcome::kSome && verdict && verdict->outcome != Outcome::kSome;
    if (!verdict || is_first_unproven) verdict = one;
  }
  return verdict.value_or(Verdict{Outcome::kSome, Reason::kNoFilterForm, -1, {}});
}

}  // namespace

bool AsksForValues(const ColumnFilter& filter) {
  if (filter.kind == Kind::kSet) return !filter.negated;
  const auto is_point = [&](const ValueRange& range) {
    return range.lower && range.upper &&
           CompareValues(filter.type, range.lower->value, range.upper->value) == 0;
  };
  return filter.kind == Kind::kRanges &&
         std::all_of(filter.ranges.begin(), filter.ranges.end(), is_point);
}

Verdict Evaluate(const ColumnFilter& filter, const Evidence& evidence) {
  const auto verdict = [&](Outcome outcome, Reason reason) {
    return Verdict{outcome, reason, -1, SourceOf(reason, evidence)};
  };
  if (evidence.row_count == 0) return verdict(Outcome::kNone, Reason::kNoRows);
  if (IsAllNull(evidence)) {
    return verdict(filter.null_passes ? Outcome::kAll : Outcome::kNone, Reason::kNulls);
  }
  const Rows rows = RowsOf(filter, evidence);
  const Reason decided = rows.has_values() ? rows.values.reason : Reason::kNans;
  if (rows.none()) return verdict(Outcome::kNone, decided);
  if (rows.all()) return verdict(Outcome::kAll, decided);
  return verdict(Outcome::kSome, rows.undecided());
}

Verdict Evaluate(const FilterNode& node, std::span<const Evidence> evidence) {
  switch (node.kind) {
    case FilterNode::Kind::kTrue:
      return {Outcome::kAll, Reason::kPredicate, -1, {}};
    case FilterNode::Kind::kNotTrue:
      return {Outcome::kNone, Reason::kPredicate, -1, {}};
    case FilterNode::Kind::kUnknown:
      return {Outcome::kSome, Reason::kNoFilterForm, -1, {}};
    case FilterNode::Kind::kAnd:
    case FilterNode::Kind::kOr:
      return EvaluateChildren(node, evidence);
    case FilterNode::Kind::kColumn:
      break;
  }
  const auto column = static_cast<size_t>(node.column);
  Verdict verdict{Outcome::kSome, Reason::kNoEvidence, -1, {}};
  if (node.column >= 0 && column < evidence.size()) {
    verdict = Evaluate(node.filter, evidence[column]);
  }
  verdict.column = node.column;
  return verdict;
}

}  // namespace sluice::inline v0
