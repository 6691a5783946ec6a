#include "format/parquet/leaf_evidence.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "format/model/comparable.h"
#include "format/model/widen.h"
#include "format/parquet/bloom_membership.h"

namespace sluice::inline v0::parquet {

/// The counts of a unit as the file has them.
struct CountClaims {
  std::optional<int64_t> nulls;
  std::optional<int64_t> nans;
  Reason why_missing;  ///< Why there is no null count.
};

namespace {

using Exactness = EvidenceBound::Exactness;
using Share = Occurrence::Share;

Exactness ExactnessOf(std::optional<bool> is_exact) {
  if (!is_exact) return Exactness::kUnknown;
  return *is_exact ? Exactness::kExact : Exactness::kInexact;
}

/// The deprecated fields count only where there is neither of the others: they are of one order.
BoundClaims ClaimsOf(const Statistics& statistics) {
  if (!statistics.min_value && !statistics.max_value) {
    return {statistics.min, statistics.max, Exactness::kUnknown, Exactness::kUnknown, true};
  }
  return {statistics.min_value, statistics.max_value, ExactnessOf(statistics.is_min_value_exact),
          ExactnessOf(statistics.is_max_value_exact), false};
}

int64_t RowsOfPage(const OffsetIndex& offsets, size_t page, int64_t num_rows) {
  const auto& pages = offsets.page_locations;
  const int64_t end = page + 1 < pages.size() ? pages[page + 1].first_row_index : num_rows;
  return end - pages[page].first_row_index;
}

}  // namespace

LeafEvidence::LeafEvidence(const FileMetadata& metadata, const SchemaTree& tree, int32_t leaf,
                           std::shared_ptr<const DataType> read_as)
    : leaf_(tree.leaves()[static_cast<size_t>(leaf)]),
      leaf_ordinal_(leaf),
      type_(std::make_shared<const DataType>(tree.nodes()[static_cast<size_t>(leaf_.node)].type)),
      read_as_(read_as ? std::move(read_as) : type_),
      quirks_(QuirksOf(metadata.created_by)),
      calendar_(LegacyCalendar::Of(metadata)),
      bounds_(metadata, tree, leaf) {}

void LeafEvidence::SetCounts(const CountClaims& claims, Evidence& evidence) const {
  const int64_t num_rows = *evidence.row_count;
  if (type_->id == TypeId::kNull) {
    evidence.nulls = Occurrence::All();
  } else if (leaf_.max_definition_level == 0) {
    evidence.nulls = Occurrence::None();
  } else if (claims.nulls) {
    evidence.nulls = Occurrence::OfCount(*claims.nulls, num_rows, Reason::kNullCountMalformed);
    if (quirks_.overstated_null_counts && *claims.nulls > 0) {
      evidence.nulls = {Share::kSome, std::nullopt, Reason::kNoEvidence};
    }
  } else {
    evidence.nulls = Occurrence::Unknown(claims.why_missing);
  }
  if (!IsFloating(*type_)) {
    evidence.nans = Occurrence::None();
  } else if (claims.nans) {
    // Where nulls are not known, only as many NaNs as rows are all of the values.
    const int64_t values = num_rows - evidence.nulls.count.value_or(0);
    evidence.nans = Occurrence::OfCount(*claims.nans, values, Reason::kNanCountMalformed);
  }
}

/// Bounds are there because values are: where every row is said to be null, or every value NaN, one
/// of the two is wrong.
void LeafEvidence::CheckAgainstCounts(Evidence& evidence) const {
  if (!evidence.lower && !evidence.upper) return;
  if (evidence.nulls.share == Share::kAll) {
    evidence.nulls = Occurrence::Unknown(Reason::kSourcesContradictory);
  } else if (evidence.nans.share == Share::kAll) {
    evidence.nans = Occurrence::Unknown(Reason::kSourcesContradictory);
  } else {
    return;
  }
  evidence.DropBounds(Reason::kSourcesContradictory);
}

Evidence LeafEvidence::Make(EvidenceSource source, int64_t num_rows, const CountClaims& counts,
                            const BoundClaims& bounds) const {
  Evidence evidence = Evidence::Missing(source, Reason::kRepeated);
  if (leaf_.max_repetition_level > 0) return evidence;
  evidence.type = type_;
  evidence.row_count = num_rows;
  SetCounts(counts, evidence);
  bounds_.Set(bounds, evidence);
  CheckAgainstCounts(evidence);
  WidenEvidence(evidence, read_as_);
  return evidence;
}

Evidence LeafEvidence::OfStatistics(const std::optional<Statistics>& statistics, int64_t num_rows,
                                    EvidenceSource source) const {
  if (statistics) {
    return Make(source, num_rows,
                {statistics->null_count, statistics->nan_count, Reason::kNullCountUnknown},
                ClaimsOf(*statistics));
  }
  Evidence evidence =
      Make(source, num_rows, {std::nullopt, std::nullopt, Reason::kNoStatistics}, {});
  if (evidence.lower_missing == Reason::kBoundMissing) {
    evidence.DropBounds(Reason::kNoStatistics);
  }
  return evidence;
}

Evidence LeafEvidence::OfChunk(const RowGroup& row_group) const {
  const ColumnChunk& chunk = row_group.columns[static_cast<size_t>(leaf_ordinal_)];
  if (!chunk.is_present) return Evidence::Missing(EvidenceSource::kRowGroup, Reason::kNoEvidence);
  const bool has_rows_as_values =
      leaf_.max_repetition_level > 0 || chunk.num_values == row_group.num_rows;
  if (!has_rows_as_values) {
    return Evidence::Missing(EvidenceSource::kRowGroup, Reason::kSourcesContradictory);
  }
  return OfStatistics(chunk.statistics, row_group.num_rows, EvidenceSource::kRowGroup);
}

Evidence LeafEvidence::OfPage(const std::optional<Statistics>& statistics, int64_t num_rows) const {
  return OfStatistics(statistics, num_rows, EvidenceSource::kPage);
}

bool LeafEvidence::AgreesWithRows(const ColumnIndex& index, size_t page, int64_t num_rows) const {
  const bool is_null_page = index.null_pages[page];
  if (is_null_page && leaf_.max_definition_level == 0 && type_->id != TypeId::kNull) return false;
  std::optional<int64_t> nulls;
  if (!index.null_counts.empty()) {
    nulls = index.null_counts[page];
    if (*nulls < 0 || *nulls > num_rows || is_null_page != (*nulls == num_rows)) return false;
  }
  if (index.nan_counts.empty()) return true;
  const int64_t nans = index.nan_counts[page];
  return nans >= 0 && nans <= num_rows - nulls.value_or(is_null_page ? num_rows : 0);
}

bool LeafEvidence::IsConsistent(const ColumnIndex& index, const OffsetIndex& offsets,
                                const RowGroup& row_group) const {
  const size_t num_pages = index.null_pages.size();
  if (leaf_.max_repetition_level > 0 || offsets.page_locations.size() != num_pages) return false;
  int64_t nulls = 0;
  int64_t null_pages = 0;
  bool has_all_nulls = !index.null_counts.empty();
  for (size_t page = 0; page < num_pages; ++page) {
    const int64_t rows = RowsOfPage(offsets, page, row_group.num_rows);
    if (rows <= 0 || !AgreesWithRows(index, page, rows)) return false;
    if (index.null_pages[page]) ++null_pages;
    if (has_all_nulls) nulls += index.null_counts[page];
  }
  const Evidence chunk = OfChunk(row_group);
  if (has_all_nulls && chunk.nulls.count && *chunk.nulls.count != nulls) return false;
  const bool is_all_null = null_pages == static_cast<int64_t>(num_pages);
  const bool has_bounds = chunk.lower || chunk.upper;
  return !is_all_null || !has_bounds;
}

Evidence LeafEvidence::OfIndexedPage(const ColumnIndex& index, size_t page,
                                     int64_t num_rows) const {
  CountClaims counts{std::nullopt, std::nullopt, Reason::kNullCountUnknown};
  BoundClaims bounds;
  if (!index.null_counts.empty()) counts.nulls = index.null_counts[page];
  if (!index.nan_counts.empty()) counts.nans = index.nan_counts[page];
  if (index.null_pages[page]) {
    counts.nulls = num_rows;
  } else {
    bounds.min = index.min_values[page];
    bounds.max = index.max_values[page];
  }
  return Make(EvidenceSource::kPage, num_rows, counts, bounds);
}

Evidence LeafEvidence::OfDictionary(std::shared_ptr<const Column> entries) const {
  Evidence evidence = Evidence::Missing(EvidenceSource::kDictionary, Reason::kNoEvidence);
  if (leaf_.max_repetition_level > 0) {
    evidence.DropBounds(Reason::kRepeated);
    return evidence;
  }
  evidence.type = read_as_;
  if (IsComparable(*type_, *read_as_)) {
    evidence.distinct = std::move(entries);
    return evidence;
  }
  std::vector<std::optional<std::string>> values;
  for (int64_t i = 0; i < entries->length; ++i) {
    values.push_back(WidenValue(*type_, *ValueAt(*entries, i).bytes, *read_as_));
    if (!values.back()) {
      evidence.DropBounds(CanWiden(*type_, *read_as_) ? Reason::kCastNotProvable
                                                      : Reason::kTypeChanged);
      return evidence;
    }
  }
  evidence.distinct = std::make_shared<const Column>(ColumnOf(*read_as_, values));
  return evidence;
}

Evidence LeafEvidence::OfBloomFilter(BloomFilter filter) const {
  const auto missing = [](Reason why) {
    return Evidence::Missing(EvidenceSource::kBloomFilter, why);
  };
  if (leaf_.max_repetition_level > 0) return missing(Reason::kRepeated);
  if (quirks_.wrong_bloom_filters) return missing(Reason::kWriterDistrusted);
  if (calendar_.Concerns(*type_)) return missing(Reason::kLegacyCalendar);
  if (!CanWiden(*type_, *read_as_)) return missing(Reason::kTypeChanged);
  // A value without counterpart is an error, whatever else does not occur.
  if (!HasHashedForm(leaf_, *type_) || !IsTotalWidening(*type_, *read_as_)) {
    return missing(Reason::kCastNotProvable);
  }
  Evidence evidence = missing(Reason::kNoEvidence);
  evidence.type = read_as_;
  evidence.membership =
      std::make_shared<const BloomMembership>(std::move(filter), leaf_, *type_, read_as_);
  return evidence;
}

bool IsAllDictionary(const ColumnChunk& chunk) {
  bool has_data_pages = false;
  for (const PageEncodingStats& stats : chunk.encoding_stats) {
    if (stats.page_type != PageType::kDataPage && stats.page_type != PageType::kDataPageV2) {
      continue;
    }
    const bool is_dictionary =
        stats.encoding == Encoding::kPlainDictionary || stats.encoding == Encoding::kRleDictionary;
    if (!is_dictionary) return false;
    has_data_pages |= stats.count > 0;
  }
  return has_data_pages;
}

}  // namespace sluice::inline v0::parquet
