#pragma once

#include <sluice/buffer.h>
#include <sluice/export.h>
#include <sluice/parquet/metadata.h>
#include <sluice/random_access_file.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <optional>

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
  std::optional<Statistics> statistics;  ///< Valid until the walker's next step.
};

/// Steps over the pages of a column chunk by their headers, whose pages it does not look into.
///
/// Threads: confined.
class SLUICE_EXPORT PageWalker {
 public:
  /// `file`, `metadata` and `chunk` must outlive it.
  /// Errors: kCorruption for a chunk that lies outside the file; kUnsupported for one in another
  /// file; kEncrypted.
  static Result<PageWalker> Open(const RandomAccessFile& file, const FileMetadata& metadata,
                                 const ColumnChunk& chunk, std::shared_ptr<BufferPool> pool);

  /// The next page, or nothing once the data pages have as many values as the chunk.
  /// Errors: kCorruption for a header that is none, a page that ends past the file's pages, and
  /// too few values; those of reading.
  Result<std::optional<PageSummary>> Next();

 private:
  PageWalker(const RandomAccessFile& file, const ColumnChunk& chunk, ByteRange bytes,
             std::shared_ptr<BufferPool> pool);
  Status FillWindow(int64_t length);

  const RandomAccessFile* file_;
  const ColumnChunk* chunk_;
  std::shared_ptr<BufferPool> pool_;
  int64_t offset_;
  int64_t end_;  ///< Where pages can end at most.
  int64_t values_ = 0;
  BufferRef window_;
  ByteRange window_range_;
};

}  // namespace sluice::inline v0::parquet
