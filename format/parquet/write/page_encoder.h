#pragma once

#include <sluice/buffer.h>
#include <sluice/parquet/metadata.h>
#include <sluice/parquet/writer.h>
#include <sluice/status.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "format/parquet/write/dictionary_builder.h"

namespace sluice::inline v0::parquet {

/// What one data page is made of, encoded but not compressed.
struct PageContent {
  Encoding encoding = Encoding::kPlain;
  int64_t num_rows = 0;
  int64_t num_levels = 0;
  int64_t num_values = 0;  ///< Present ones.
  bool has_repetition_levels = false;
  bool has_definition_levels = false;
  std::vector<uint8_t> repetition_levels;  ///< RLE hybrid, without its length.
  std::vector<uint8_t> definition_levels;
  std::vector<uint8_t> values;

  int64_t held_bytes() const {
    return HeldBytes(repetition_levels) + HeldBytes(definition_levels) + HeldBytes(values);
  }
};

/// A page as it goes into the file.
struct EncodedPage {
  PageType type = PageType::kDataPage;
  Encoding encoding = Encoding::kPlain;
  std::string header;
  BufferRef body;
  int64_t uncompressed_size = 0;  ///< Of the body.

  int64_t stored_bytes() const { return static_cast<int64_t>(header.size()) + body->size(); }
  int64_t uncompressed_bytes() const {
    return static_cast<int64_t>(header.size()) + uncompressed_size;
  }
};

/// Compresses pages and puts headers in front of them.
///
///   V1: | header | compressed( | length, 4 bytes | repetition | length | definition | values ) |
///   V2: | header | repetition levels | definition levels | values, compressed where that is less |
///
/// Errors: kInvalidArgument for pages of 2^31 bytes or more (fault B6); kResourceExhausted by the
/// pool, which counts the bodies. Source: parquet-format README.md, "Data Pages".
class PageEncoder {
 public:
  PageEncoder(DataPageVersion version, const ColumnWriteOptions& options, bool checksums,
              BufferPool* pool);

  Result<EncodedPage> DataPage(const PageContent& content) const;
  /// `encoding`: PLAIN, or the deprecated PLAIN_DICTIONARY.
  Result<EncodedPage> DictionaryPage(const DictionaryBuilder& dictionary, Encoding encoding) const;

 private:
  Result<EncodedPage> DataPageV1(const PageContent& content) const;
  Result<EncodedPage> DataPageV2(const PageContent& content) const;
  /// `bytes` in a buffer of the pool, compressed unless the codec is UNCOMPRESSED.
  Result<BufferRef> Store(const std::vector<uint8_t>& bytes) const;

  DataPageVersion version_;
  Codec codec_;
  int level_;
  bool checksums_;
  BufferPool* pool_;
};

}  // namespace sluice::inline v0::parquet
