#include <sluice/evidence.h>

#include <utility>

#include "format/model/comparable.h"
#include "format/model/value_knowledge.h"

namespace sluice::inline v0 {
namespace {

using Share = Occurrence::Share;
using Exactness = EvidenceBound::Exactness;

bool Exclude(const Occurrence& a, const Occurrence& b) {
  if (a.count && b.count && *a.count != *b.count) return true;
  const auto exclude = [](Share one, Share other) {
    return one == Share::kNone && (other == Share::kSome || other == Share::kAll);
  };
  return exclude(a.share, b.share) || exclude(b.share, a.share);
}

void Merge(Occurrence& occurrence, const Occurrence& other) {
  if (Exclude(occurrence, other)) {
    occurrence = Occurrence::Unknown(Reason::kSourcesContradictory);
  } else if (occurrence.share == Share::kUnknown) {
    if (other.share != Share::kUnknown || occurrence.unknown == Reason::kNoEvidence) {
      occurrence = other;
    }
  } else if (other.share != Share::kUnknown) {
    if (other.share == Share::kAll) occurrence.share = Share::kAll;
    if (!occurrence.count) occurrence.count = other.count;
  }
}

/// Whether a reason says less than any other that a bound can be missing for.
bool IsVague(Reason reason) {
  return reason == Reason::kNoEvidence || reason == Reason::kNoStatistics;
}

struct Side {
  std::optional<EvidenceBound>& bound;
  Reason& missing;
  int direction;  ///< The sign of CompareValues for a value that is tighter.
};

void MergeBound(const DataType& type, Side side, const std::optional<EvidenceBound>& other,
                Reason other_missing) {
  if (!other) {
    if (!side.bound && IsVague(side.missing)) side.missing = other_missing;
    return;
  }
  const int order = side.bound ? CompareValues(type, other->value, side.bound->value) : 0;
  const bool is_tighter = !side.bound || order * side.direction > 0;
  const bool is_surer = side.bound && order == 0 && other->exactness == Exactness::kExact;
  if (is_tighter || is_surer) side.bound = other;
}

/// Says of NaN what the bounds say, and leaves the bounds to the other values.
void SeparateNans(Evidence& evidence) {
  const ValueKnowledge knowledge = KnowledgeOf(evidence);
  evidence.nans = knowledge.nans;
  evidence.lower_missing = knowledge.low_missing;
  evidence.upper_missing = knowledge.high_missing;
  const bool keeps_lower = knowledge.low.has_value();
  const bool keeps_upper = knowledge.high.has_value();
  if (!keeps_lower) evidence.lower.reset();
  if (!keeps_upper) evidence.upper.reset();
  evidence.bounds_cover_nan = false;
}

void MergeValues(Evidence& evidence, Evidence other) {
  SeparateNans(evidence);
  SeparateNans(other);
  Merge(evidence.nans, other.nans);
  const DataType& type = *evidence.type;
  MergeBound(type, {evidence.lower, evidence.lower_missing, 1}, other.lower, other.lower_missing);
  MergeBound(type, {evidence.upper, evidence.upper_missing, -1}, other.upper, other.upper_missing);
  if (evidence.lower && evidence.upper &&
      CompareValues(type, evidence.lower->value, evidence.upper->value) > 0) {
    evidence.DropBounds(Reason::kSourcesContradictory);
  }
  const bool has_fewer =
      other.distinct && evidence.distinct && other.distinct->length < evidence.distinct->length;
  if (!evidence.distinct || has_fewer) evidence.distinct = std::move(other.distinct);
  if (!evidence.membership) evidence.membership = std::move(other.membership);
}

bool IsZero(const DataType& type, std::string_view value) {
  const std::string zero(value.size(), '\0');
  return CompareValues(type, value, zero) == 0;
}

/// Whether CompareValues tells the value from every other one, bit by bit.
bool HasOneForm(const DataType& type, std::string_view value) {
  if (type.id == TypeId::kInt96) return false;
  return !IsFloating(type) || (!IsNan(type, value) && !IsZero(type, value));
}

std::optional<Value> ExactValue(const Evidence& evidence,
                                const std::optional<EvidenceBound>& bound) {
  if (!bound || bound->exactness != Exactness::kExact) return std::nullopt;
  if (!HasOneForm(*evidence.type, bound->value)) return std::nullopt;
  return Value{*evidence.type, bound->value};
}

}  // namespace

MembershipTest::~MembershipTest() = default;

Occurrence Occurrence::OfCount(int64_t count, std::optional<int64_t> total, Reason malformed) {
  if (count < 0 || (total && count > *total)) return Unknown(malformed);
  if (count == 0) return None();
  return {total == count ? Share::kAll : Share::kSome, count, Reason::kNoEvidence};
}

Evidence Evidence::OfConstant(const Value& value) {
  Evidence evidence;
  evidence.source = EvidenceSource::kConstant;
  evidence.type = std::make_shared<const DataType>(value.type);
  evidence.nulls = value.is_null() ? Occurrence::All() : Occurrence::None();
  if (value.is_null() || !IsOrdered(value.type)) {
    evidence.DropBounds(value.is_null() ? Reason::kBoundMissing : Reason::kOrderUnknown);
    return evidence;
  }
  evidence.lower = evidence.upper = EvidenceBound{*value.bytes, Exactness::kExact};
  evidence.bounds_cover_nan = true;
  return evidence;
}

Evidence Evidence::Missing(EvidenceSource source, Reason why) {
  Evidence evidence;
  evidence.source = source;
  evidence.nulls = Occurrence::Unknown(why);
  evidence.DropBounds(why);
  return evidence;
}

void Evidence::DropBounds(Reason why) {
  lower.reset();
  upper.reset();
  lower_missing = upper_missing = why;
}

void MergeEvidence(Evidence& evidence, const Evidence& other) {
  Merge(evidence.nulls, other.nulls);
  if (evidence.row_count && other.row_count && evidence.row_count != other.row_count) {
    evidence.row_count.reset();
  } else if (!evidence.row_count) {
    evidence.row_count = other.row_count;
  }
  if (evidence.source == EvidenceSource::kNone) evidence.source = other.source;
  if (!evidence.type) {
    // Bounds speak of a type, so that there are none yet.
    evidence.type = other.type;
    evidence.nans = other.nans;
    evidence.lower_missing =
        IsVague(evidence.lower_missing) ? other.lower_missing : evidence.lower_missing;
    evidence.upper_missing =
        IsVague(evidence.upper_missing) ? other.upper_missing : evidence.upper_missing;
  }
  if (other.type && IsComparable(*evidence.type, *other.type)) MergeValues(evidence, other);
}

std::optional<Value> ProvenMinimum(const Evidence& evidence) {
  return ExactValue(evidence, evidence.lower);
}

std::optional<Value> ProvenMaximum(const Evidence& evidence) {
  if (evidence.type && KnowledgeOf(evidence).nans.is_possible()) return std::nullopt;
  return ExactValue(evidence, evidence.upper);
}

std::optional<Value> ProvenConstant(const Evidence& evidence) {
  if (!evidence.type) return std::nullopt;
  if (evidence.nulls.share == Share::kAll) return Value::Null(*evidence.type);
  if (evidence.nulls.is_possible()) return std::nullopt;
  std::optional<Value> least = ProvenMinimum(evidence);
  if (!least || least != ProvenMaximum(evidence)) return std::nullopt;
  return least;
}

}  // namespace sluice::inline v0
