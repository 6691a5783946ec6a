#include "format/parquet/write/page_encoder.h"

#include <cstring>
#include <utility>

#include "format/model/try.h"
#include "format/parquet/decompressor.h"
#include "format/parquet/metadata_writer.h"
#include "format/parquet/page_header.h"
#include "format/parquet/write/bit_packing.h"
#include "format/parquet/write/value_encoder.h"

namespace sluice::inline v0::parquet {
namespace {

Status CheckSize(int64_t bytes) {
  if (bytes <= INT32_MAX) return Status::Ok();
  return Status::InvalidArgument("a page would be larger than 2147483647 bytes: " +
                                 std::to_string(bytes));
}

int64_t SizeOf(const std::vector<uint8_t>& bytes) { return static_cast<int64_t>(bytes.size()); }

void Append(const std::vector<uint8_t>& bytes, std::vector<uint8_t>* out) {
  out->insert(out->end(), bytes.begin(), bytes.end());
}

}  // namespace

PageEncoder::PageEncoder(DataPageVersion version, const ColumnWriteOptions& options, bool checksums,
                         BufferPool* pool)
    : version_(version),
      codec_(options.codec),
      level_(options.level.value_or(kDefaultLevel)),
      checksums_(checksums),
      pool_(pool) {}

Result<BufferRef> PageEncoder::Store(const std::vector<uint8_t>& bytes) const {
  if (codec_ != Codec::kUncompressed) return Compress(codec_, level_, bytes, *pool_);
  SLUICE_TRY(BufferRef stored, pool_->Allocate(SizeOf(bytes)));
  if (!bytes.empty()) std::memcpy(stored->mutable_data(), bytes.data(), bytes.size());
  return stored;
}

Result<EncodedPage> PageEncoder::DataPage(const PageContent& content) const {
  SLUICE_RETURN_IF_ERROR(CheckSize(content.num_levels));
  SLUICE_RETURN_IF_ERROR(CheckSize(SizeOf(content.repetition_levels) +
                                   SizeOf(content.definition_levels) + SizeOf(content.values) + 8));
  return version_ == DataPageVersion::kV1 ? DataPageV1(content) : DataPageV2(content);
}

namespace {

/// The header of `body`, which was `uncompressed_size` bytes long.
Result<EncodedPage> Finish(PageHeader header, BufferRef body, int64_t uncompressed_size,
                           bool checksums) {
  SLUICE_RETURN_IF_ERROR(CheckSize(body->size()));
  header.uncompressed_size = static_cast<int32_t>(uncompressed_size);
  header.compressed_size = static_cast<int32_t>(body->size());
  if (checksums) header.crc = Crc32(0, body->span());
  EncodedPage page;
  page.type = header.type;
  page.encoding = header.encoding;
  SLUICE_TRY(page.header, SerializePageHeader(header));
  page.body = std::move(body);
  page.uncompressed_size = uncompressed_size;
  // The offset index counts the header in.
  SLUICE_RETURN_IF_ERROR(CheckSize(page.stored_bytes()));
  return page;
}

}  // namespace

Result<EncodedPage> PageEncoder::DataPageV1(const PageContent& content) const {
  std::vector<uint8_t> plain;
  plain.reserve(content.repetition_levels.size() + content.definition_levels.size() +
                content.values.size() + 8);
  if (content.has_repetition_levels) {
    PutLittleEndian(content.repetition_levels.size(), 4, &plain);
    Append(content.repetition_levels, &plain);
  }
  if (content.has_definition_levels) {
    PutLittleEndian(content.definition_levels.size(), 4, &plain);
    Append(content.definition_levels, &plain);
  }
  Append(content.values, &plain);
  SLUICE_TRY(BufferRef body, Store(plain));

  PageHeader header;
  header.type = PageType::kDataPage;
  header.num_values = static_cast<int32_t>(content.num_levels);
  header.encoding = content.encoding;
  return Finish(header, std::move(body), SizeOf(plain), checksums_);
}

Result<EncodedPage> PageEncoder::DataPageV2(const PageContent& content) const {
  const int64_t repetition_bytes = SizeOf(content.repetition_levels);
  const int64_t definition_bytes = SizeOf(content.definition_levels);
  const int64_t level_bytes = repetition_bytes + definition_bytes;
  PageHeader header;
  header.type = PageType::kDataPageV2;
  header.num_values = static_cast<int32_t>(content.num_levels);
  header.num_nulls = static_cast<int32_t>(content.num_levels - content.num_values);
  header.num_rows = static_cast<int32_t>(content.num_rows);
  header.encoding = content.encoding;
  header.definition_levels_byte_length = static_cast<int32_t>(definition_bytes);
  header.repetition_levels_byte_length = static_cast<int32_t>(repetition_bytes);

  BufferRef compressed;
  if (codec_ != Codec::kUncompressed && !content.values.empty()) {
    SLUICE_TRY(compressed, Store(content.values));
  }
  header.is_compressed = compressed != nullptr && compressed->size() < SizeOf(content.values);
  const int64_t value_bytes = header.is_compressed ? compressed->size() : SizeOf(content.values);
  const uint8_t* values = header.is_compressed ? compressed->data() : content.values.data();

  SLUICE_TRY(BufferRef body, pool_->Allocate(level_bytes + value_bytes));
  uint8_t* to = body->mutable_data();
  const auto put = [&to](const uint8_t* bytes, int64_t size) {
    if (size > 0) std::memcpy(to, bytes, static_cast<size_t>(size));
    to += size;
  };
  put(content.repetition_levels.data(), repetition_bytes);
  put(content.definition_levels.data(), definition_bytes);
  put(values, value_bytes);
  return Finish(header, std::move(body), level_bytes + SizeOf(content.values), checksums_);
}

Result<EncodedPage> PageEncoder::DictionaryPage(const DictionaryBuilder& dictionary,
                                                Encoding encoding) const {
  SLUICE_RETURN_IF_ERROR(CheckSize(dictionary.plain_bytes()));
  std::vector<uint8_t> plain;
  EncodeValues(Encoding::kPlain, dictionary.values(), &plain);
  SLUICE_TRY(BufferRef body, Store(plain));
  PageHeader header;
  header.type = PageType::kDictionaryPage;
  header.num_values = static_cast<int32_t>(dictionary.size());
  header.encoding = encoding;
  return Finish(header, std::move(body), SizeOf(plain), checksums_);
}

}  // namespace sluice::inline v0::parquet
