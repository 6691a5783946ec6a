#include "format/model/value_knowledge.h"

namespace sluice::inline v0 {
namespace {

/// A NaN at an end of bounds that cover NaN tells of the others, not between what they lie.
void TakeNansFromBounds(const Evidence& evidence, ValueKnowledge& knowledge) {
  if (evidence.lower && IsNan(*evidence.type, evidence.lower->value)) {
    knowledge.nans = Occurrence::All();
  } else if (evidence.upper && !IsNan(*evidence.type, evidence.upper->value)) {
    knowledge.nans = Occurrence::None();
  }
}

void DropNan(const DataType& type, std::optional<std::string_view>& bound, Reason& missing) {
  if (!bound || !IsNan(type, *bound)) return;
  bound = std::nullopt;
  missing = Reason::kBoundIsNan;
}

}  // namespace

ValueKnowledge KnowledgeOf(const Evidence& evidence) {
  ValueKnowledge knowledge{std::nullopt, std::nullopt, evidence.nans, evidence.lower_missing,
                           evidence.upper_missing};
  if (!evidence.type) return knowledge;
  const DataType& type = *evidence.type;
  if (evidence.lower) knowledge.low = evidence.lower->value;
  if (evidence.upper) knowledge.high = evidence.upper->value;
  if (IsFloating(type)) {
    if (evidence.bounds_cover_nan) TakeNansFromBounds(evidence, knowledge);
    DropNan(type, knowledge.low, knowledge.low_missing);
    DropNan(type, knowledge.high, knowledge.high_missing);
  } else {
    knowledge.nans = Occurrence::None();
  }
  if (knowledge.low && knowledge.high && CompareValues(type, *knowledge.low, *knowledge.high) > 0) {
    knowledge.low = knowledge.high = std::nullopt;
    knowledge.low_missing = knowledge.high_missing = Reason::kBoundsReversed;
  }
  return knowledge;
}

}  // namespace sluice::inline v0
