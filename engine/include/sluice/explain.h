#pragma once

// What a scan does with files and why, as plain data: where the parts of the predicate went, what
// was proven by what, and what became of every page. ExplainScan fills it in, DrawExplanation makes
// a picture of it.

#include <sluice/buffer.h>
#include <sluice/evidence.h>
#include <sluice/export.h>
#include <sluice/parquet/reader.h>
#include <sluice/row_selection.h>
#include <sluice/scan.h>
#include <sluice/scan_counters.h>
#include <sluice/status.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::inline v0 {

/// What became of a data page, or what is known of that before reading.
enum class PageFate : uint8_t {
  /// No row of its row group passes, by statistics, a bloom filter or a dictionary.
  kPrunedByRowGroup,
  /// None of its own rows does, by a page index, its header or row numbers.
  kPrunedByPage,
  kSkipped,     ///< Its rows were deleted, or had been dropped when it was its turn.
  kNotNeeded,   ///< Rows are known to pass, or counted, without it.
  kToRead,      ///< Not known before reading.
  kDecoded,     ///< Opened for its levels or values.
  kNotReached,  ///< The limit or an error came before it.
};
inline constexpr size_t kNumPageFates = 7;
/// A fixed name in snake_case, for example "pruned_by_page".
SLUICE_EXPORT std::string_view FateName(PageFate fate);

/// What became of a row group.
enum class RowGroupFate : uint8_t {
  kPruned,      ///< No row passes: nothing of it is read.
  kSettled,     ///< Which rows pass is known, and no column is asked for: nothing is read.
  kToRead,      ///< Not known before reading.
  kRead,        ///< To its end.
  kCutShort,    ///< The limit or an error came before its end.
  kNotReached,  ///< The limit or an error came before it.
};
SLUICE_EXPORT std::string_view FateName(RowGroupFate fate);

/// Whether a source of evidence helped.
enum class CheckState : uint8_t {
  kDecided,      ///< It proved that no row, or every row, passes; of pages, of some of them.
  kUndecided,    ///< It was looked at and proved nothing.
  kUnusable,     ///< The file has it, but not what is needed or what can be believed.
  kNotThere,     ///< The file has none.
  kNotOfUse,     ///< It cannot say anything of such a filter.
  kNotLookedAt,  ///< All was decided before.
  kSwitchedOff,
};
SLUICE_EXPORT std::string_view CheckStateName(CheckState state);

/// A filter of one column.
struct FilterExplanation {
  std::string column;  ///< Its path in the file, or the name of a virtual column.
  int32_t leaf = -1;   ///< Ordinal in the file; -1 of a virtual column.
  std::string filter;  ///< For example "in [3, 7)".
  /// Of the decoder: it runs only in row groups of which every value is known to have a counterpart
  /// in the table's type; in others the same is evaluated on rows.
  bool needs_counterparts = false;
};

/// What became of a part of the predicate in a file; nothing of all where another part excludes
/// every row.
struct ConjunctPlacement {
  /// It was folded: TRUE for every row of the file, or for none.
  std::optional<bool> folded;
  std::vector<FilterExplanation> filters;  ///< It is said by these, which run in the decoder,
  std::string residual;                    ///< and by this, evaluated on rows; empty: nothing.
};

/// What a source of evidence said of a filter in a row group.
struct EvidenceCheck {
  int32_t filter = 0;  ///< Ordinal in FileExplanation::pruning.
  /// kRowGroup, kBloomFilter, kPage or kDictionary.
  EvidenceSource source = EvidenceSource::kNone;
  CheckState state = CheckState::kNotLookedAt;
  /// kDecided, kUndecided and kUnusable: what it came to. Of kPage see the pages.
  Verdict::Outcome outcome = Verdict::Outcome::kSome;
  Reason reason = Reason::kNoEvidence;
  // kPage: of how many pages, those that were looked at, it proved that no row, or every row,
  // passes.
  int64_t pages = 0;
  int64_t pages_excluded = 0;
  int64_t pages_proven = 0;
};

/// What became of a filter of the decoder in a row group.
struct FilterUse {
  int32_t filter = 0;  ///< Ordinal in FileExplanation::filters.
  /// Every row is known to pass: it does not run.
  bool is_proven = false;
  /// The rows for which it has to run; those of other pages are known to pass.
  int64_t rows_undecided = 0;
  // Of the analysis, all filters of one column counted with each.
  int64_t rows_tested = 0;
  int64_t rows_passed = 0;
  int64_t nanoseconds = 0;
  /// Those of them that went into the dictionary, whatever the rows.
  int64_t setup_nanoseconds = 0;
  int32_t place = -1;  ///< In the order in which filters began; -1 where it did not run.
};

struct PageExplanation {
  int64_t offset = 0;  ///< Of its header, in the file.
  int64_t bytes = 0;   ///< As stored, header included.
  /// The rows of the row group that begin in it. Absent for a page of lists that no offset index
  /// tells of.
  std::optional<RowRange> rows;
  int64_t num_values = 0;  ///< Levels, where `rows` is absent.
  PageFate fate = PageFate::kToRead;
  /// What the column index, or its own header, proves of it, one a filter of the column in
  /// FileExplanation::pruning. Empty where none was asked.
  std::vector<Verdict> verdicts;
};

/// A column chunk.
struct ChunkExplanation {
  int64_t bytes = 0;  ///< As the footer says, compressed.
  /// What became of all of its pages, where nothing of them had to be known to tell.
  std::optional<PageFate> fate;
  std::vector<PageExplanation> pages;                  ///< Data pages, where `fate` is absent.
  std::array<int64_t, kNumPageFates> page_counts{};    ///< Of `pages`, by fate.
  std::array<int64_t, kNumPageFates> bytes_by_fate{};  ///< The same of their bytes, or of all.
  Status pages_error;  ///< Why pages that there may be are not listed.
};

struct RowGroupExplanation {
  int32_t row_group = 0;
  RowRange rows;  ///< Positions in the file.
  RowGroupFate fate = RowGroupFate::kToRead;
  Verdict verdict;                    ///< Of all of it; not set where it was not reached.
  std::string column;                 ///< What the verdict's reason is about; empty: no column.
  std::vector<EvidenceCheck> checks;  ///< By filter, then by source as they are asked.
  /// One a filter of the file that may run, where there is anything to read.
  std::vector<FilterUse> filters;
  std::string residual;  ///< What is evaluated on rows of it; empty: nothing.
  /// Of the analysis: whether columns waited for the residual, to be read for rows only that pass
  /// it. Absent where none could.
  std::optional<bool> is_late;
  /// The share of rows that the residual had let pass in the row groups before, those right before
  /// counting most, by which that was decided; absent where nothing was known.
  std::optional<double> passing_share;
  /// With analysis of everything, else of judging.
  ScanCounters counters;
  std::vector<ChunkExplanation> chunks;  ///< One a column of the file's `columns`.
};

/// A leaf that the scan has to do with.
struct ColumnRoles {
  int32_t leaf = 0;
  std::string path;
  bool is_filtered = false;     ///< A filter runs on it in the decoder.
  bool is_in_residual = false;  ///< What is evaluated on rows needs it.
  bool is_delivered = false;
  bool is_judged = false;  ///< Evidence of it is held against the predicate.
};

struct FileExplanation {
  std::string path;
  bool is_reached = true;
  bool is_pruned = false;  ///< By what is known from outside: it was not opened.
  Verdict verdict;         ///< By what is known from outside.
  std::string column;      ///< What the verdict's reason is about; empty: no column.

  // Of a file that was opened.
  int64_t num_rows = 0;
  int32_t num_leaves = 0;
  std::vector<ColumnRoles> columns;          ///< Ascending by leaf.
  std::vector<ConjunctPlacement> placement;  ///< One a conjunct of the explanation.
  std::vector<FilterExplanation> filters;    ///< What runs in the decoder, put together.
  std::string residual;                      ///< What is evaluated on rows; empty: nothing.
  std::vector<FilterExplanation> pruning;    ///< What evidence is held against.
  std::vector<RowGroupExplanation> row_groups;
  ScanCounters counters;
};

/// What a scan does.
struct Explanation {
  bool is_analyzed = false;
  std::string where;       ///< As it was given; empty: nothing.
  std::string bound;       ///< With types and names of the schema,
  std::string simplified;  ///< and what is left once constants are folded.
  /// The operands of the AND that `bound` is.
  std::vector<std::string> conjuncts;
  std::vector<FileExplanation> files;
  ScanCounters counters;    ///< Of all files.
  int64_t nanoseconds = 0;  ///< Of scanning and judging, listing of pages left out.
  Status error;             ///< Where the analysis ended before its time.
  std::shared_ptr<const Reservation> memory;  ///< What the listed pages take of the pool.
};

/// Explains what Scan does with the same arguments. Without `analyze` no data page is looked into:
/// fates are what is known by footers, page indexes and bloom filters, and page headers are read
/// where no index tells of pages. With it the scan is run on the calling thread, its rows are
/// dropped, and an error of reading ends it and is in the result. Pages of row groups and chunks
/// that are left out whole are not listed.
///
/// Errors: as Scan::Open; those of reading only without `analyze`.
SLUICE_EXPORT Result<Explanation> ExplainScan(std::vector<ScanFile> files, ScanRequest request,
                                              ScanOptions options, bool analyze);

/// "none: bounds of n (row_group)": outcome, reason, the column that it is about, if any, and the
/// source.
SLUICE_EXPORT std::string VerdictText(const Verdict& verdict, std::string_view column);

/// An SVG image of each file as it was read: columns by rows, pages coloured by their fate. What is
/// too narrow to be seen is put together.
SLUICE_EXPORT std::string DrawExplanation(const Explanation& explanation);

}  // namespace sluice::inline v0
