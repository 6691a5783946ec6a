#pragma once

// Reading Parquet. Start here: FileReader::Open, then RowGroup(...).Next() until it is empty.
// Below it stand the two state machines that do no I/O, for hosts that have their own.

#include <sluice/buffer.h>
#include <sluice/column.h>
#include <sluice/export.h>
#include <sluice/filter.h>
#include <sluice/parquet/metadata.h>
#include <sluice/parquet/projection.h>
#include <sluice/parquet/schema_tree.h>
#include <sluice/random_access_file.h>
#include <sluice/row_selection.h>
#include <sluice/status.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace sluice::inline v0 {
class CompiledFilter;
}

namespace sluice::inline v0::parquet {

/// Is told what becomes of data pages, as often as ReadCounters counts them: a page that is read
/// for two purposes is told of twice. Not every page behind the last wanted row is told of.
///
/// Threads: as many as read row groups call it at once.
class SLUICE_EXPORT PageObserver {
 public:
  enum class Fate : uint8_t {
    kOpened,   ///< Counted in pages_read.
    kSkipped,  ///< Counted in pages_skipped. Not every page behind the last wanted row is told of.
    /// Counted in pages_skipped and in pages_excluded: its header says that no row passes a filter.
    kExcluded,
  };
  virtual ~PageObserver();
  /// `offset`: of the page's header, in the file. `rows`: those of the row group that begin in it;
  /// what ends at -1 is not known to end anywhere.
  virtual void OnDataPage(int32_t row_group, int32_t leaf, int64_t offset, RowRange rows,
                          Fate fate) = 0;
  /// The dictionary of a column chunk has every value of it, and none that passes a filter. Told
  /// once, of as many data pages as are not gone to therefore; where no offset index tells how many
  /// there are, the footer is believed.
  virtual void OnDictionaryExclusion(int32_t row_group, int32_t leaf, int64_t pages) = 0;
};

/// How to read. Every optimisation can be switched off; the rows are the same.
struct ReadOptions {
  int64_t batch_rows = 16384;  ///< Rows of a batch at most; at least 1.
  /// Cuts batches earlier where rows are large; at least 1. All columns of a batch stay below three
  /// times this, unless one row or one page of each column takes more.
  int64_t batch_bytes = 64 << 20;
  int64_t max_page_bytes = 1 << 30;  ///< A page that claims more is kResourceExhausted.
  /// Page CRCs, where the file has them; not those of writers that are known to get them wrong.
  bool verify_checksums = true;
  /// Open, finish and check every page of the projected columns, also those that could be left
  /// early or out. Offset indexes are not used then.
  bool read_everything = false;
  bool deliver_dictionaries = false;  ///< Dictionary pages become columns of form kDictionary.
  bool use_offset_index = true;       ///< Skip and fetch by page where the file has the index.
  bool skip_pages = true;             ///< Leave the values of pages without wanted rows alone.
  bool select_encoded = true;         ///< Select and filter values before decoding, not behind it.
  /// Leave out pages, whose headers have statistics, of which no row passes a filter; where there
  /// is a column index that is asked instead, by who makes the selection.
  bool use_page_statistics = true;
  /// Leave out chunks whose dictionary has every value, and none that passes a filter.
  bool prune_by_dictionary = true;
  bool reorder_filters = true;  ///< Run the filter first that drops a row in the least time.
  /// No row is wanted but those that RowGroupReader::Push names, on which the selection has no
  /// bearing. Not with read_everything.
  bool rows_are_pushed = false;
  bool stream_pages = true;  ///< Decompress a page no further than its last value wanted.
  /// RowGroupCursor reads ranges that are no further apart as one, up to 32 MiB at a time.
  int64_t read_gap_bytes = 64 << 10;
  /// At least 1, and 1 GiB where it is more. Without an offset index: the least that is asked for
  /// of a chunk at a time. With one: from this size on, pages side by side are not asked for as
  /// one.
  int64_t read_window_bytes = 4 << 20;
  std::shared_ptr<BufferPool> pool;  ///< Absent: a pool of the reader's own, without a budget.
  /// Looked at before every page and batch; set by the host from any thread. Must outlive the
  /// reader.
  const std::atomic<bool>* cancelled = nullptr;
  /// Looked at beside it, by readers on behalf of a scan, which sets it itself: what its threads
  /// read is not wanted any more. What a host has here a scan does not look at.
  const std::atomic<bool>* abandoned = nullptr;
  PageObserver* page_observer = nullptr;  ///< Must outlive the reader.
};

/// Makes a filter ready to run, once for all row groups: of a long set that takes time. What it
/// takes counts in `pool` as long as it lives.
/// Errors: kInvalidArgument for a filter that is not what ColumnFilter says of its members;
/// kResourceExhausted by the pool.
/// Threads: what is made is immutable.
SLUICE_EXPORT Result<std::shared_ptr<const CompiledFilter>> CompileFilter(
    const ColumnFilter& filter, BufferPool& pool);

/// A filter of one leaf, which a reader runs before it decodes what else is asked for.
struct LeafFilter {
  int32_t leaf = 0;     ///< Ordinal in the tree; of a leaf that is not below anything repeated.
  ColumnFilter filter;  ///< Over the type in which the leaf is delivered.
  /// The rows for which it has to be run; all others are known to pass, and it may be run for them
  /// as well. Absent: every row.
  std::optional<RowSelection> undecided;
  /// What CompileFilter made of `filter`. Absent: the reader makes it.
  std::shared_ptr<const CompiledFilter> compiled = nullptr;
};

/// What became of the filters of one leaf.
struct FilterCounters {
  int32_t leaf = 0;
  int64_t rows_decided = 0;  ///< Known to pass without being looked at.
  int64_t rows_tested = 0;   ///< Others that were still wanted when the filter ran,
  int64_t rows_passed = 0;   ///< and those of them that passed.
  int64_t nanoseconds = 0;   ///< Of one thread, decompression and decoding included.
  /// Those of them that went into the chunk's dictionary, once, however many rows are tested.
  int64_t setup_nanoseconds = 0;
};

/// Bytes that a state machine wants before it can go on.
///
/// What Provide of FooterReader, RowGroupReader and PageWalker (page_walk.h) takes: `bytes` begin
/// with the bytes of the file from range.offset on, range.length of them, and do not change any
/// more. The range covers one or more ranges of the last Need whole, and may be larger than they
/// are; a range of the Need that it covers in part only stays needed. Ranges may be handed over in
/// any order and in any number of calls, and Step may be called again when some of them are there:
/// it goes on as far as they reach, and its next Need has what is still lacking.
///
/// Errors of Provide: kInvalidArgument where `bytes` are absent or shorter than the range, or where
/// it covers no range that is asked for (also one that was handed over before); the state machine
/// is unchanged then and can go on. Batches may hold on to `bytes`.
struct Need {
  std::vector<ByteRange> ranges;
};
/// Nothing more will come.
struct Done {};

/// Counters of one reader, for what was done and what was saved. A leaf that is read for a filter
/// and once more for its column counts twice. Not every page behind the last wanted row is counted.
struct SLUICE_EXPORT ReadCounters {
  /// Of the ranges that Needs had, each once: column chunks in pages or windows, and offset
  /// indexes.
  int64_t bytes_requested = 0;
  /// Read from the file, gaps between ranges that are read as one included. Of cursors; 0 of a
  /// RowGroupReader, which reads nothing itself.
  int64_t bytes_fetched = 0;
  int64_t pages_read = 0;      ///< Data pages opened: their levels are decoded, values as needed.
  int64_t pages_skipped = 0;   ///< Data pages stepped over without being opened,
  int64_t pages_excluded = 0;  ///< and those of them of which no row passes a filter.
  int64_t pages_verified = 0;  ///< Pages, of dictionaries too, whose CRC was there and right.
  /// Of dictionaries and of the data pages that were left: levels and values as far as they were
  /// decompressed, and those that are stored as they are.
  int64_t bytes_decompressed = 0;
  int64_t values_decoded = 0;  ///< Values, not nulls, of pages read; these two add up to all values
  int64_t values_skipped = 0;  ///< of those pages, but for what lies behind the last wanted row.

  ReadCounters& operator+=(const ReadCounters& other);
};

/// Reads a footer: first the file's tail, speculatively, and once more only where the footer is
/// longer than that.
///
/// Errors of Step: kCorruption, also for a file of less than 12 bytes or that does not end in
/// "PAR1"; kEncrypted for an encrypted footer ("PARE"); kResourceExhausted beyond the limits, and
/// by the pool of the options.
/// Threads: confined.
/// Source: parquet-format README.md, "File format".
class SLUICE_EXPORT FooterReader {
 public:
  /// `tail_bytes`: of the first request, at least 8.
  explicit FooterReader(int64_t file_size, FooterOptions options = {},
                        int64_t tail_bytes = 64 << 10);

  /// What is needed next, or the footer.
  Result<std::variant<Need, std::shared_ptr<const FileMetadata>>> Step();
  /// Hands bytes over, as Need says.
  Status Provide(ByteRange range, BufferRef bytes);

 private:
  int64_t file_size_;
  FooterOptions options_;
  int64_t tail_bytes_;
  int64_t footer_bytes_ = -1;
  BufferRef tail_;
  ByteRange tail_range_;
};

/// A batch and where its rows lie.
///
/// The forms of its columns, and of the children of nested ones, each for itself:
///
///   lists, maps, structs, variants   kFlat
///   types of views (is_view())       kView
///   all others                       kFlat, UNKNOWN columns (kNull) too
///
/// With ReadOptions::deliver_dictionaries a leaf is kDictionary instead in each batch all of whose
/// values come from dictionary-encoded pages (either, where all are null); its `dictionary` is flat
/// or view, has no nulls, and is shared by the batches of the chunk. So the form may change with
/// every batch of a chunk (as where a writer gave its dictionary up) and from one leaf of a column
/// to the next. kConstant does not come from a file, but may come from what is built over readers:
/// ResolveValue (column.h) looks values up through every form.
struct RowGroupBatch {
  Batch batch;
  /// The rows of the row group that the batch was taken from; of these, the selected ones that
  /// pass every filter are in it.
  RowRange rows;
  /// Bit i: row rows.begin + i is in the batch. Empty: all of them are.
  std::vector<uint64_t> selected;
};

/// Reads the selected rows of one row group, batch by batch, without doing any I/O: Step says which
/// bytes it wants, Provide hands them over, in any order and also in larger pieces (Need has the
/// rules).
///
/// Rows are numbered from 0 in the row group. Column structure, levels and values are all checked;
/// the first error ends the reader, and Step returns it again from then on.
///
/// Errors of Step: kCorruption, kUnsupported, kEncrypted, kResourceExhausted, kCancelled; the
/// message names row group, column, page and byte offset, as far as there are any.
/// Threads: confined. Lifetime: keeps the metadata and the tree; batches outlive the reader.
class SLUICE_EXPORT RowGroupReader {
 public:
  using Outcome = std::variant<Need, RowGroupBatch, Done>;

  /// `projection` is over the tree of `metadata`. Without `selection` all rows are read; one that
  /// is there and empty selects none.
  /// Errors: kInvalidArgument for a row group that is not there, a selection that ends past its
  /// rows, options out of range, a column that FooterOptions left out, and a filter of a leaf that
  /// is not there, is below something repeated or has another type; kCorruption, kUnsupported and
  /// kEncrypted for a row group or column chunk that cannot be read; kResourceExhausted.
  static Result<std::unique_ptr<RowGroupReader>> Make(
      std::shared_ptr<const FileMetadata> metadata, const Projection& projection, int32_t row_group,
      std::optional<RowSelection> selection = std::nullopt, ReadOptions options = {},
      std::vector<LeafFilter> filters = {});
  ~RowGroupReader();

  /// What is needed next, the next batch, or Done behind the last; where rows are pushed, behind
  /// the last one so far.
  Result<Outcome> Step();
  /// Hands bytes over, as Need says.
  Status Provide(ByteRange range, BufferRef bytes);
  /// Wants rows, where rows are pushed: of `rows` those whose bit in `selected` is set, all if that
  /// is empty. No batch crosses the end of `rows`.
  /// Errors: kInvalidArgument before what was pushed last was delivered and Step gave Done, for
  /// rows that are not behind it or not in the row group, for none or more than 131 072, for a
  /// bitmap of another size, and where rows are not pushed. The reader goes on as before.
  Status Push(RowRange rows, std::span<const uint64_t> selected = {});
  const ReadCounters& counters() const;
  /// One a leaf that has filters, in the order in which they were first given.
  const std::vector<FilterCounters>& filter_counters() const;

 private:
  friend class FileReader;
  class Impl;
  /// `chunk_begins`: of the whole file, where they are known and options read everything.
  static Result<std::unique_ptr<RowGroupReader>> Make(
      std::shared_ptr<const FileMetadata> metadata, const Projection& projection, int32_t row_group,
      std::optional<RowSelection> selection, ReadOptions options, std::vector<LeafFilter> filters,
      std::shared_ptr<const std::vector<int64_t>> chunk_begins);
  explicit RowGroupReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The blocking reader of one row group: a loop over RowGroupReader.
///
/// Errors: those of RowGroupReader, and of reading; messages name the file.
/// Threads: confined; cursors of one file may run side by side. Lifetime: keeps the file alive;
/// batches outlive it.
class SLUICE_EXPORT RowGroupCursor {
 public:
  /// Answers what `reader` needs out of `file`, in buffers of `pool`; the gap is that of
  /// ReadOptions.
  RowGroupCursor(std::shared_ptr<RandomAccessFile> file, std::shared_ptr<BufferPool> pool,
                 int64_t read_gap_bytes, std::unique_ptr<RowGroupReader> reader);

  /// The next batch, or nothing at the end; where rows are pushed, at the end of those. An error
  /// ends the cursor and is given again from then on.
  Result<std::optional<RowGroupBatch>> Next();
  /// RowGroupReader::Push; Next then goes on.
  Status Push(RowRange rows, std::span<const uint64_t> selected = {}) {
    return reader_->Push(rows, selected);
  }
  ReadCounters counters() const;
  const std::vector<FilterCounters>& filter_counters() const { return reader_->filter_counters(); }

 private:
  Status ReadRanges(const std::vector<ByteRange>& ranges);

  std::shared_ptr<RandomAccessFile> file_;
  std::shared_ptr<BufferPool> pool_;
  int64_t read_gap_bytes_;
  std::unique_ptr<RowGroupReader> reader_;
  int64_t bytes_fetched_ = 0;
  Status error_;
};

/// An open Parquet file.
///
/// Threads: thread-compatible; cursors are confined.
class SLUICE_EXPORT FileReader {
 public:
  /// Reads the footer, as much of it as `footer` asks for. Errors: those of FooterReader, of
  /// SchemaTree::Make and of reading; kCorruption for a row count that cannot be. Messages name the
  /// file.
  static Result<std::shared_ptr<FileReader>> Open(std::shared_ptr<RandomAccessFile> file,
                                                  ReadOptions options = {},
                                                  FooterOptions footer = {});

  const RandomAccessFile& file() const { return *file_; }
  const std::shared_ptr<const FileMetadata>& metadata() const { return metadata_; }
  const std::shared_ptr<const SchemaTree>& tree() const { return tree_; }
  /// The delivered columns: one a top-level field.
  const std::shared_ptr<const Schema>& schema() const { return tree_->schema(); }
  int32_t num_row_groups() const { return static_cast<int32_t>(metadata_->row_groups.size()); }
  /// The sum over the row groups, which were checked not to be negative or to overflow.
  int64_t num_rows() const { return num_rows_; }
  const ReadOptions& options() const { return options_; }

  /// A cursor over the selected rows of a row group (all of them without `selection`) that pass
  /// every filter. `observer`, if given, is told of its pages in place of that of the options.
  /// Errors: those of RowGroupReader::Make; messages name the file.
  Result<std::unique_ptr<RowGroupCursor>> RowGroup(
      int32_t row_group, const Projection& projection,
      std::optional<RowSelection> selection = std::nullopt, std::vector<LeafFilter> filters = {},
      PageObserver* observer = nullptr) const;

 private:
  FileReader() = default;

  std::shared_ptr<RandomAccessFile> file_;
  ReadOptions options_;
  std::shared_ptr<const FileMetadata> metadata_;
  std::shared_ptr<const SchemaTree> tree_;
  std::shared_ptr<const std::vector<int64_t>> chunk_begins_;  ///< read_everything only.
  int64_t num_rows_ = 0;
};

}  // namespace sluice::inline v0::parquet
