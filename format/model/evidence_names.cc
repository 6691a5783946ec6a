#include <sluice/evidence.h>

namespace sluice::inline v0 {

std::string_view ReasonName(Reason reason) {
  switch (reason) {
    case Reason::kPredicate:
      return "predicate";
    case Reason::kNoRows:
      return "no_rows";
    case Reason::kNulls:
      return "nulls";
    case Reason::kNans:
      return "nans";
    case Reason::kBounds:
      return "bounds";
    case Reason::kDistinctValues:
      return "distinct_values";
    case Reason::kMembership:
      return "membership";
    case Reason::kBoundsUndecided:
      return "bounds_undecided";
    case Reason::kDistinctValuesUndecided:
      return "distinct_values_undecided";
    case Reason::kMembershipUndecided:
      return "membership_undecided";
    case Reason::kNullsPresent:
      return "nulls_present";
    case Reason::kNansPresent:
      return "nans_present";
    case Reason::kNoEvidence:
      return "no_evidence";
    case Reason::kNoStatistics:
      return "no_statistics";
    case Reason::kBoundMissing:
      return "bound_missing";
    case Reason::kBoundTruncated:
      return "bound_truncated";
    case Reason::kBoundMalformed:
      return "bound_malformed";
    case Reason::kBoundTooLong:
      return "bound_too_long";
    case Reason::kBoundIsNan:
      return "bound_is_nan";
    case Reason::kBoundsReversed:
      return "bounds_reversed";
    case Reason::kOrderUnknown:
      return "order_unknown";
    case Reason::kNullCountUnknown:
      return "null_count_unknown";
    case Reason::kNullCountMalformed:
      return "null_count_malformed";
    case Reason::kNansPossible:
      return "nans_possible";
    case Reason::kNanCountMalformed:
      return "nan_count_malformed";
    case Reason::kWriterDistrusted:
      return "writer_distrusted";
    case Reason::kLegacyCalendar:
      return "legacy_calendar";
    case Reason::kRepeated:
      return "repeated";
    case Reason::kTypeChanged:
      return "type_changed";
    case Reason::kCastNotProvable:
      return "cast_not_provable";
    case Reason::kNoFilterForm:
      return "no_filter_form";
    case Reason::kTooManyValues:
      return "too_many_values";
    case Reason::kIndexContradictory:
      return "index_contradictory";
    case Reason::kSourcesContradictory:
      return "sources_contradictory";
  }
  return "unknown";
}

std::string_view SourceName(EvidenceSource source) {
  switch (source) {
    case EvidenceSource::kNone:
      return "none";
    case EvidenceSource::kSchema:
      return "schema";
    case EvidenceSource::kConstant:
      return "constant";
    case EvidenceSource::kFile:
      return "file";
    case EvidenceSource::kRowGroup:
      return "row_group";
    case EvidenceSource::kPage:
      return "page";
    case EvidenceSource::kDictionary:
      return "dictionary";
    case EvidenceSource::kBloomFilter:
      return "bloom_filter";
  }
  return "unknown";
}

std::string_view OutcomeName(Verdict::Outcome outcome) {
  switch (outcome) {
    case Verdict::Outcome::kNone:
      return "none";
    case Verdict::Outcome::kSome:
      return "some";
    case Verdict::Outcome::kAll:
      return "all";
  }
  return "unknown";
}

}  // namespace sluice::inline v0
