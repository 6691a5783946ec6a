#pragma once

#include <sluice/column.h>
#include <sluice/parquet/page_index.h>
#include <sluice/parquet/reader.h>
#include <sluice/row_selection.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "format/parquet/chunk_bytes.h"
#include "format/parquet/data_page.h"
#include "format/parquet/legacy_calendar.h"
#include "format/parquet/page_stream.h"
#include "format/parquet/wanted_rows.h"

namespace sluice::inline v0::parquet {

/// What one leaf is read by. Pointers outlive the reader of the leaf.
struct LeafPlan {
  int32_t row_group = 0;
  int32_t leaf = 0;  ///< Ordinal in the tree.
  const ColumnChunk* chunk = nullptr;
  ByteRange chunk_range;
  int64_t num_rows = 0;  ///< Of the row group.
  std::shared_ptr<const DataType> type;
  WantedRows* wanted = nullptr;
  const ReadOptions* options = nullptr;
  ReadCounters* counters = nullptr;
  LegacyCalendar calendar;
  /// Open every page and step over all of its values, wanted or not: the host asks for it, or a
  /// page cannot be read without the one before.
  bool reads_every_page = false;
  bool keeps_statistics = false;  ///< Of page headers.
  ChunkContext context;
};

/// Goes over the data pages of a chunk in row order, leaving out those of which no row is wanted
/// where their rows are known without opening them. Loads the dictionary on the way.
///
///   without an offset index: headers are walked. A page of a flat column has as many rows as
///     levels; how many a page of a nested one has is known by its levels only (what V2 headers
///     say is wrong in some files, and no row may hang on it).
///   with an offset index: only pages with wanted rows are fetched.
///
/// Threads: confined.
class LeafPages {
 public:
  explicit LeafPages(const LeafPlan& plan);

  /// To be called before the first Next, with an index that CheckOffsetIndex accepts.
  void UseOffsetIndex(OffsetIndex index) { index_ = std::move(index); }
  ChunkBytes& bytes() { return bytes_; }
  const ChunkBytes& bytes() const { return bytes_; }

  /// Moves to the next data page that has levels; `row` is the first row that it can hold. False
  /// while bytes are missing. Must not be called behind the last page.
  Result<bool> Next(int64_t row);
  /// Whether there is a present page.
  bool has_page() const { return has_page_; }
  const StoredPage& stored() const { return stored_; }
  /// The rows that begin in the present page; end is -1 where they are not known before it is
  /// opened.
  RowRange rows() const { return rows_; }
  bool uses_offset_index() const { return index_.has_value(); }
  /// Whether no page follows the present one. Not known with an offset index.
  bool is_last() const { return stream_.has_all_values(); }

  /// Loads, verifies and opens the present page. False while bytes are missing.
  Result<bool> Open();
  DataPage* page() { return page_.get(); }
  /// Leaves the present page, which is not open, as no row of it passes a filter.
  void Exclude();
  /// Leaves all pages that are left, as no value of the dictionary passes a filter; saying it again
  /// does nothing.
  void ExcludeByDictionary();
  /// Counts what was decompressed of the present page. A page may never be left: nobody wants to
  /// know what is behind the last wanted row.
  void CountBytes();
  /// Leaves the present page, opened or not. `is_finished`: all its values were taken.
  Status Close(bool is_finished);

  /// Walks to `own_end` or the end of the chunk, whichever comes first; a data page with levels on
  /// the way is an error. Stops where there is no page header. False while bytes are missing.
  Result<bool> CheckEnd(int64_t own_end);

  const std::shared_ptr<const Column>& dictionary() const { return dictionary_; }
  /// What loading the dictionary took.
  int64_t dictionary_nanoseconds() const { return dictionary_nanoseconds_; }
  /// Where the reader is, for messages.
  std::string Place() const;

 private:
  Result<bool> NextInOrder(int64_t row);
  Result<bool> NextByIndex();
  Result<bool> ReadBeforeFirstPage();
  Result<bool> LoadDictionary();
  Result<std::shared_ptr<const Column>> DecodeDictionary(const PageBody& body);
  bool RequestIndexedPages(size_t first);
  /// Counts a data page.
  void Count(int64_t offset, RowRange rows, PageObserver::Fate fate);
  /// How many data pages the chunk has, as far as that is known.
  int64_t NumDataPages() const;
  RowRange IndexedRows(size_t page) const;

  LeafPlan plan_;
  ChunkBytes bytes_;
  PageStream stream_;
  std::optional<OffsetIndex> index_;
  size_t next_indexed_ = 0;
  bool dictionary_is_sought_ = true;  ///< By index: the bytes before the first page not looked at.

  enum class Stage : uint8_t { kHeader, kDictionary };
  Stage stage_ = Stage::kHeader;
  bool has_page_ = false;
  StoredPage stored_;
  RowRange rows_;
  std::unique_ptr<DataPage> page_;
  int64_t counted_bytes_ = 0;  ///< Of the page.
  std::shared_ptr<const Column> dictionary_;
  int64_t dictionary_nanoseconds_ = 0;
  int64_t counted_pages_ = 0;
  bool is_excluded_ = false;  ///< By its dictionary.
};

}  // namespace sluice::inline v0::parquet
