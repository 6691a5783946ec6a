#pragma once

// Evidence written down shortly, for tests of the evaluator.

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <vector>

#include "format/model/evaluate.h"
#include "tests/format/model/filters.h"

namespace sluice {

using Outcome = Verdict::Outcome;
using Exactness = EvidenceBound::Exactness;

inline const DataType kInt = DataType::Of(TypeId::kInt32);
inline const DataType kReal = DataType::Of(TypeId::kDouble);
inline const DataType kText = DataType::Of(TypeId::kString);

inline std::string I(int32_t value) { return BytesOf(value); }
inline std::string D(double value) { return BytesOf(value); }
inline const double kNan = std::numeric_limits<double>::quiet_NaN();

/// Bounds of 10 rows without nulls (and, of doubles, without NaN).
inline Evidence Bounded(const DataType& type, std::optional<std::string> low,
                        std::optional<std::string> high) {
  Evidence evidence;
  evidence.type = std::make_shared<const DataType>(type);
  evidence.source = EvidenceSource::kRowGroup;
  evidence.row_count = 10;
  evidence.nulls = evidence.nans = Occurrence::None();
  evidence.lower_missing = evidence.upper_missing = Reason::kBoundMissing;
  if (low) evidence.lower = EvidenceBound{*low, Exactness::kExact};
  if (high) evidence.upper = EvidenceBound{*high, Exactness::kExact};
  return evidence;
}
inline Evidence Ints(int32_t low, int32_t high) { return Bounded(kInt, I(low), I(high)); }

inline Evidence WithNulls(Evidence evidence, int64_t count) {
  evidence.nulls = Occurrence::OfCount(count, evidence.row_count, Reason::kNullCountMalformed);
  return evidence;
}
inline Evidence WithNullsUnknown(Evidence evidence) {
  evidence.nulls = Occurrence::Unknown(Reason::kNullCountUnknown);
  return evidence;
}
inline Evidence WithNans(Evidence evidence, Occurrence nans) {
  evidence.nans = nans;
  return evidence;
}
inline const Occurrence kNansPossible = Occurrence::Unknown(Reason::kNansPossible);

inline Evidence WithDistinct(Evidence evidence,
                             const std::vector<std::optional<std::string>>& values) {
  evidence.distinct = std::make_shared<const Column>(ColumnOf(*evidence.type, values));
  return evidence;
}

struct KnownValues : MembershipTest {
  explicit KnownValues(std::set<std::string> known) : values(std::move(known)) {}
  bool MayContain(std::string_view value) const override {
    ++lookups;
    return values.count(std::string(value)) > 0;
  }
  std::set<std::string> values;
  mutable int64_t lookups = 0;
};
inline Evidence WithMembers(Evidence evidence, std::set<std::string> values) {
  evidence.membership = std::make_shared<const KnownValues>(std::move(values));
  return evidence;
}

inline Outcome OutcomeOf(const ColumnFilter& filter, const Evidence& evidence) {
  return Evaluate(filter, evidence).outcome;
}
inline void ExpectVerdict(const ColumnFilter& filter, const Evidence& evidence, Outcome outcome,
                          Reason reason) {
  const Verdict verdict = Evaluate(filter, evidence);
  EXPECT_EQ(OutcomeName(verdict.outcome), OutcomeName(outcome)) << filter.ToString();
  EXPECT_EQ(ReasonName(verdict.reason), ReasonName(reason)) << filter.ToString();
}

}  // namespace sluice
