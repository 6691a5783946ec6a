#pragma once

#include <sluice/buffer.h>
#include <sluice/parquet/schema_tree.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "format/model/kernels/kernels.h"
#include "format/parquet/decompressor.h"
#include "format/parquet/encoding/dictionary_index_decoder.h"
#include "format/parquet/encoding/value_decoder.h"
#include "format/parquet/level_decoder.h"
#include "format/parquet/page_stream.h"

namespace sluice::inline v0::parquet {

/// What the pages of a chunk have in common.
struct ChunkContext {
  Leaf leaf;
  Codec codec = Codec::kUncompressed;
  bool verify_checksums = true;
  bool stream_pages = true;  ///< Decompress no further than needed.
  /// Entries of the chunk's dictionary; -1 when it has none.
  int32_t dictionary_size = -1;
  /// For writers whose DELTA_BYTE_ARRAY pages go on where the page before ended (fault E9): the
  /// last value of that page. Null for all others.
  std::string* carried_value = nullptr;
  std::shared_ptr<CodecContexts> codec_contexts;
  BufferPool* pool = nullptr;
  const kernels::KernelTable* kernels = nullptr;
};

/// Checks the CRC over the stored bytes of a page, where the header has one.
/// Returns whether there was one. Errors: kCorruption.
Result<bool> VerifyChecksum(const StoredPage& page);

/// Decompresses a dictionary page whole.
Result<PageBody> OpenDictionaryPage(const ChunkContext& context, const StoredPage& page);

/// An opened data page: its levels are checked and counted, its values are not looked at before
/// they are asked for.
///
///   V1:  compress( | size | repetition levels | size | definition levels | values | )
///        (sizes 4 bytes, only for RLE; a part is absent where its maximum level is 0)
///   V2:  | repetition levels | definition levels | compress( values ) |
///
/// Rows and levels are read front to back; values must be taken exactly as the levels say.
/// Threads: confined. Not movable: the decoders point into it.
/// Source: parquet-format README.md, "Data Pages".
class DataPage {
 public:
  static Result<std::unique_ptr<DataPage>> Open(const ChunkContext& context,
                                                const StoredPage& page);
  DataPage(const DataPage&) = delete;
  DataPage& operator=(const DataPage&) = delete;

  int64_t num_levels() const { return num_levels_; }
  int64_t num_values() const { return num_values_; }      ///< Levels at the maximum.
  int64_t num_row_starts() const { return row_starts_; }  ///< Levels with repetition level 0.
  bool is_dictionary_encoded() const {
    return encoding_ == Encoding::kRleDictionary || encoding_ == Encoding::kPlainDictionary;
  }

  /// Whether values are put together outside of the page, so that a few bytes of it can become
  /// many strings.
  bool PutsStringsTogether() const {
    return encoding_ == Encoding::kDeltaByteArray &&
           context_->leaf.physical_type == PhysicalType::kByteArray;
  }
  LevelDecoder& repetition_levels() { return repetition_levels_; }
  LevelDecoder& definition_levels() { return definition_levels_; }
  /// Of a dictionary-encoded page; opened when it is first asked for, as is values().
  Result<DictionaryIndexDecoder*> codes();
  /// Of every other page.
  Result<ValueDecoder*> values();
  Status SkipValues(int64_t count);
  /// Decompresses what is left, which checks that it is as long as declared.
  Status Finish() { return body_.RequireAll(); }
  int64_t bytes_decompressed() const { return level_bytes_ + body_.available(); }

 private:
  DataPage() = default;
  Status OpenV1(const ChunkContext& context, const StoredPage& page);
  Status OpenV2(const ChunkContext& context, const StoredPage& page);
  Result<int64_t> OpenV1Levels(Encoding encoding, int32_t max_level, int64_t begin,
                               Decompressor* decompressor, LevelDecoder& levels);
  Status CountLevels(const ChunkContext& context);

  /// Outlives the page.
  const ChunkContext* context_ = nullptr;
  Encoding encoding_ = Encoding::kPlain;
  int64_t num_levels_ = 0;
  int64_t num_values_ = 0;
  int64_t row_starts_ = 0;
  int64_t level_bytes_ = 0;
  PageBody levels_;
  PageBody body_;
  LevelDecoder repetition_levels_;
  LevelDecoder definition_levels_;
  std::optional<DictionaryIndexDecoder> codes_;
  std::unique_ptr<ValueDecoder> values_;
};

}  // namespace sluice::inline v0::parquet
