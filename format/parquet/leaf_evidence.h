#pragma once

// What a file claims of its leaves, turned into evidence: each claim is believed as far as the
// specification and what is known of the file's writer allow, and what is not says why.

#include <sluice/evidence.h>
#include <sluice/parquet/bloom_filter.h>
#include <sluice/parquet/metadata.h>
#include <sluice/parquet/page_index.h>
#include <sluice/parquet/schema_tree.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "format/parquet/known_writers.h"
#include "format/parquet/leaf_bounds.h"
#include "format/parquet/legacy_calendar.h"

namespace sluice::inline v0::parquet {

struct CountClaims;

/// Makes the evidence of one leaf of a file. Leaves in lists have none: their values are not rows.
///
/// Threads: immutable. Lifetime: keeps nothing of the metadata.
class LeafEvidence {
 public:
  /// `read_as`: the type that the evidence is for; absent, the type that the leaf is delivered as.
  /// Where it is wider, bounds and values are converted; where it is another, they are missing.
  LeafEvidence(const FileMetadata& metadata, const SchemaTree& tree, int32_t leaf,
               std::shared_ptr<const DataType> read_as = nullptr);

  /// Of a row group, from the statistics of its column chunk.
  Evidence OfChunk(const RowGroup& row_group) const;
  /// Of a page of `num_rows` rows, from the statistics of its header (fault S26).
  Evidence OfPage(const std::optional<Statistics>& statistics, int64_t num_rows) const;

  /// Whether the column index can be used: it has as many pages as the offset index, which was
  /// checked; what it says of nulls and NaN agrees with itself, with the pages' rows, and with the
  /// column chunk (fault I1).
  bool IsConsistent(const ColumnIndex& index, const OffsetIndex& offsets,
                    const RowGroup& row_group) const;
  /// Of one of its pages, of `num_rows` rows.
  Evidence OfIndexedPage(const ColumnIndex& index, size_t page, int64_t num_rows) const;

  /// Of a row group whose values are all in the dictionary, given in the leaf's delivered type:
  /// IsAllDictionary, or every page was seen to be.
  Evidence OfDictionary(std::shared_ptr<const Column> entries) const;
  /// Of a row group, from its bloom filter.
  Evidence OfBloomFilter(BloomFilter filter) const;

 private:
  void SetCounts(const CountClaims& claims, Evidence& evidence) const;
  void CheckAgainstCounts(Evidence& evidence) const;
  Evidence Make(EvidenceSource source, int64_t num_rows, const CountClaims& counts,
                const BoundClaims& bounds) const;
  Evidence OfStatistics(const std::optional<Statistics>& statistics, int64_t num_rows,
                        EvidenceSource source) const;
  bool AgreesWithRows(const ColumnIndex& index, size_t page, int64_t num_rows) const;

  Leaf leaf_;
  int32_t leaf_ordinal_;
  std::shared_ptr<const DataType> type_;  ///< Delivered.
  std::shared_ptr<const DataType> read_as_;
  WriterQuirks quirks_;
  LegacyCalendar calendar_;
  LeafBounds bounds_;
};

/// Whether the chunk's page encoding statistics prove that every data page is dictionary-encoded.
bool IsAllDictionary(const ColumnChunk& chunk);

}  // namespace sluice::inline v0::parquet
