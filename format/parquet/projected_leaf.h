#pragma once

#include <sluice/parquet/projection.h>
#include <sluice/parquet/reader.h>
#include <sluice/row_selection.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "format/parquet/known_writers.h"
#include "format/parquet/leaf_reader.h"

namespace sluice::inline v0::parquet {

/// What the leaves of a row group have in common. Outlives them.
struct RowGroupContext {
  std::shared_ptr<const FileMetadata> metadata;
  std::shared_ptr<const SchemaTree> tree;
  int32_t row_group = 0;
  int64_t num_rows = 0;
  WantedRows wanted;
  ReadOptions options;
  WriterQuirks quirks;
  LegacyCalendar calendar;
  std::shared_ptr<CodecContexts> codec_contexts;
  const kernels::KernelTable* kernels = nullptr;
  ReadCounters counters;
};

/// A leaf of a row group that is read: its column chunk, the offset index that tells where its
/// pages lie, and the reader of its rows. Errors name row group and column.
///
/// Threads: confined.
class ProjectedLeaf {
 public:
  /// `is_column`: the leaf is a delivered column itself. `is_filtered`: FilterBy will be called.
  static Result<std::unique_ptr<ProjectedLeaf>> Open(RowGroupContext* context, int32_t leaf,
                                                     std::shared_ptr<const DataType> type,
                                                     bool is_column, bool is_filtered = false);

  /// Makes this the leaf of filters, which are all of it, as LeafReader::FilterBy.
  Status FilterBy(const std::vector<LeafFilter>& filters, bool keeps_values);

  int32_t leaf() const { return leaf_; }
  LeafReader& reader() { return *reader_; }
  /// About what a row takes, by what the footer claims.
  int64_t row_bytes() const { return row_bytes_; }

  /// Parses the offset index once its bytes are there; adds to `need` what is missing. Without an
  /// index that can be believed the pages are walked.
  void OpenIndex(Need& need);
  /// LeafReader::Fill and CheckEnd; bytes that are missing are added to `need`.
  Status Fill(int64_t end, Need& need);
  Status CheckEnd(const std::vector<int64_t>& chunk_begins, Need& need);
  /// Takes what was asked for out of `bytes`, which hold `range` of the file; returns whether
  /// anything was.
  bool Accept(ByteRange range, const BufferRef& bytes);

  /// How many bytes the rows of one batch may take.
  void LimitBytes(int64_t bytes) { max_bytes_ = bytes; }
  Result<Column> FinishColumn(RowRange rows, int64_t count);
  Result<LeafValues> FinishLeaf(RowRange rows, int64_t count);

 private:
  explicit ProjectedLeaf(RowGroupContext* context, int32_t leaf) : context_(context), leaf_(leaf) {}
  LeafPlan MakePlan();
  template <typename GoOn>
  Status AddPending(Need& need, GoOn&& go_on);
  Status InColumn(const Status& status) const;
  Status InRows(RowRange rows, const Status& status) const;

  RowGroupContext* context_;
  int32_t leaf_;
  const ColumnChunk* chunk_ = nullptr;
  ByteRange chunk_range_;
  int64_t row_bytes_ = 0;
  int64_t max_bytes_ = 0;
  std::shared_ptr<const DataType> type_;
  bool keeps_statistics_ = false;  ///< Of page headers.
  bool reads_every_page_ = false;
  std::optional<ByteRange> index_range_;
  bool index_is_asked_ = false;
  BufferRef index_bytes_;
  std::unique_ptr<std::string> carried_value_;
  std::unique_ptr<LeafReader> reader_;
};

}  // namespace sluice::inline v0::parquet
