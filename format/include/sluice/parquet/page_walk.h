#pragma once

// The pages of a column chunk by their headers: what tools show, and hosts that keep indexes of
// their own build from. Like the rest of reading, a state machine that does no I/O and a blocking
// loop over it.

#include <sluice/buffer.h>
#include <sluice/export.h>
#include <sluice/parquet/metadata.h>
#include <sluice/parquet/reader.h>
#include <sluice/parquet/schema_tree.h>
#include <sluice/random_access_file.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

namespace sluice::inline v0::parquet {

/// What the header of one page says.
struct PageSummary {
  int64_t offset = 0;  ///< Of the header, in the file.
  PageType type = PageType::kDataPage;
  Encoding encoding = Encoding::kPlain;
  int32_t header_size = 0;
  int32_t compressed_size = 0;       ///< As stored, without the header.
  int32_t uncompressed_size = 0;     ///< Without the header.
  int32_t num_values = 0;            ///< Levels of a data page, entries of a dictionary page.
  std::optional<int32_t> num_rows;   ///< V2.
  std::optional<int32_t> num_nulls;  ///< V2; may be wrong.
  std::optional<Encoding> definition_level_encoding;     ///< V1.
  std::optional<Encoding> repetition_level_encoding;     ///< V1.
  std::optional<int32_t> definition_levels_byte_length;  ///< V2.
  std::optional<int32_t> repetition_levels_byte_length;  ///< V2.
  std::optional<bool> is_compressed;                     ///< V2.
  std::optional<uint32_t> crc;
  std::optional<Statistics> statistics;  ///< Views into header_bytes.
  BufferRef header_bytes;                ///< Absent where there are no statistics.
};

/// Steps over the pages of a column chunk by their headers, without looking into the pages and
/// without doing any I/O: Step says which bytes it wants, Provide hands them over. It takes for a
/// page, and for the end of the chunk, exactly what RowGroupReader takes for them.
///
/// Errors: those of RowGroupReader, with row group, column, page and byte offset; the first ends
/// the walk and is given again from then on.
/// Threads: confined.
class SLUICE_EXPORT PageWalker {
 public:
  using Outcome = std::variant<Need, PageSummary, Done>;

  /// `tree` is that of `metadata`; neither is kept. Of the options, max_page_bytes and pool matter.
  /// Errors: kInvalidArgument for a row group or leaf that is not there; those of a chunk that
  /// cannot be read.
  static Result<std::unique_ptr<PageWalker>> Make(const FileMetadata& metadata,
                                                  const SchemaTree& tree, int32_t row_group,
                                                  int32_t leaf, const ReadOptions& options = {});
  ~PageWalker();

  /// The next page, of any type; Done behind the page with the chunk's last value.
  Result<Outcome> Step();
  /// Hands bytes over, as Need (reader.h) says.
  Status Provide(ByteRange range, BufferRef bytes);

 private:
  class Impl;
  explicit PageWalker(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The blocking form: a loop over PageWalker.
///
/// Threads: confined. Lifetime: `reader` outlives it.
class SLUICE_EXPORT PageCursor {
 public:
  /// Errors: those of PageWalker::Make; messages name the file.
  static Result<PageCursor> Open(const FileReader& reader, int32_t row_group, int32_t leaf);

  /// The next page, or nothing at the end. Errors: those of PageWalker, and of reading.
  Result<std::optional<PageSummary>> Next();

 private:
  PageCursor(const FileReader& reader, std::unique_ptr<PageWalker> walker);

  const FileReader* reader_;
  std::unique_ptr<PageWalker> walker_;
};

}  // namespace sluice::inline v0::parquet
