#include "format/parquet/data_page.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "format/model/try.h"

namespace sluice::inline v0::parquet {

namespace {

uint32_t LoadUint32(const uint8_t* bytes) {
  uint32_t value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

/// How many bytes a codec can make of one at most, with some room; 0 where there is no such bound.
/// Snappy copies 64 bytes by three, LZ4 255 by one, DEFLATE 258 by two bits.
int64_t LargestRatio(Codec codec) {
  switch (codec) {
    case Codec::kSnappy:
      return 32;
    case Codec::kLz4:
    case Codec::kLz4Raw:
      return 256;
    case Codec::kGzip:
      return 1040;
    default:
      return 0;
  }
}

/// `size` bytes that the codec makes of [begin, end of page).
Result<std::pair<BufferRef, std::unique_ptr<Decompressor>>> StartDecompressor(
    const ChunkContext& context, const StoredPage& page, int64_t begin, int64_t size) {
  const int64_t ratio = LargestRatio(context.codec);
  const int64_t stored = page.body->size() - begin;
  if (ratio > 0 && size / ratio > stored + 64) {
    return Status::Corruption(
        fmt::format("no {} bytes can become as many as the page says: {} of {}",
                    Name(context.codec), size, stored));
  }
  SLUICE_TRY(BufferRef output, context.pool->Allocate(size));
  const auto input = page.body->span().subspan(static_cast<size_t>(begin));
  SLUICE_TRY(auto decompressor,
             MakeDecompressor(context.codec, input,
                              {output->mutable_data(), static_cast<size_t>(output->size())},
                              context.codec_contexts));
  return std::make_pair(std::move(output), std::move(decompressor));
}

Status CheckStoredSize(int64_t stored, int64_t declared) {
  if (stored == declared) return Status::Ok();
  return Status::Corruption(fmt::format(
      "a page that is not compressed has two sizes: {} stored, {} declared", stored, declared));
}

}  // namespace

Result<bool> VerifyChecksum(const StoredPage& page) {
  if (!page.header.crc) return false;
  const uint32_t crc = Crc32(0, page.body->span());
  if (crc != *page.header.crc) {
    return Status::Corruption(fmt::format("page checksum differs: {:08x} stored, {:08x} computed",
                                          *page.header.crc, crc));
  }
  return true;
}

Result<PageBody> OpenDictionaryPage(const ChunkContext& context, const StoredPage& page) {
  const int64_t size = page.header.uncompressed_size;
  if (context.codec == Codec::kUncompressed) {
    SLUICE_RETURN_IF_ERROR(CheckStoredSize(page.header.compressed_size, size));
    return PageBody(page.body, 0, size);
  }
  // A dictionary without entries may have no bytes at all, which no codec would accept.
  if (size == 0 && page.header.num_values == 0) return PageBody(page.body, 0, 0);
  SLUICE_TRY(auto started, StartDecompressor(context, page, 0, size));
  SLUICE_TRY([[maybe_unused]] const int64_t available, started.second->Advance(size));
  return PageBody(std::move(started.first), 0, size);
}

Result<std::unique_ptr<DataPage>> DataPage::Open(const ChunkContext& context,
                                                 const StoredPage& stored) {
  std::unique_ptr<DataPage> page(new DataPage());
  page->context_ = &context;
  page->encoding_ = stored.header.encoding;
  page->num_levels_ = stored.header.num_values;
  if (stored.header.type == PageType::kDataPageV2) {
    SLUICE_RETURN_IF_ERROR(page->OpenV2(context, stored));
  } else {
    SLUICE_RETURN_IF_ERROR(page->OpenV1(context, stored));
  }
  const bool is_crowded = context.codec_contexts && AreCrowded(*context.codec_contexts);
  if (!context.stream_pages || is_crowded) SLUICE_RETURN_IF_ERROR(page->Finish());
  SLUICE_RETURN_IF_ERROR(page->CountLevels(context));
  return page;
}

Result<int64_t> DataPage::OpenV1Levels(Encoding encoding, int32_t max_level, int64_t begin,
                                       Decompressor* decompressor, LevelDecoder& levels) {
  if (max_level == 0) {
    levels = LevelDecoder::None(num_levels_);
    return begin;
  }
  const int64_t size = levels_.size();
  const auto require = [&](int64_t end) -> Status {
    if (end > size) {
      return Status::Corruption(fmt::format("levels end after their page: {} > {}", end, size));
    }
    if (decompressor == nullptr) return Status::Ok();
    return decompressor->Advance(end).status();
  };
  if (encoding == Encoding::kBitPacked) {
    const int64_t end = begin + LevelDecoder::BitPackedBytes(max_level, num_levels_);
    SLUICE_RETURN_IF_ERROR(require(end));
    SLUICE_TRY(levels, LevelDecoder::OpenBitPacked(&levels_, begin, max_level, num_levels_));
    return end;
  }
  if (encoding != Encoding::kRle) {
    return Status::Corruption(fmt::format("levels have an encoding that is not for levels: {} ({})",
                                          Name(encoding), static_cast<int32_t>(encoding)));
  }
  SLUICE_RETURN_IF_ERROR(require(begin + 4));
  const int64_t end = begin + 4 + int64_t{LoadUint32(levels_.data() + begin)};
  SLUICE_RETURN_IF_ERROR(require(end));
  SLUICE_TRY(levels, LevelDecoder::OpenRle(&levels_, begin + 4, end, max_level, num_levels_));
  return end;
}

Status DataPage::OpenV1(const ChunkContext& context, const StoredPage& page) {
  const int64_t size = page.header.uncompressed_size;
  BufferRef bytes = page.body;
  std::unique_ptr<Decompressor> decompressor;
  if (context.codec == Codec::kUncompressed) {
    SLUICE_RETURN_IF_ERROR(CheckStoredSize(page.header.compressed_size, size));
  } else if (size > 0) {
    SLUICE_TRY(auto started, StartDecompressor(context, page, 0, size));
    bytes = std::move(started.first);
    decompressor = std::move(started.second);
  }
  // The level decoders see the whole page; what they may touch has been decompressed before.
  levels_ = PageBody(bytes, 0, size);
  SLUICE_TRY(const int64_t definition_begin,
             OpenV1Levels(page.header.repetition_level_encoding, context.leaf.max_repetition_level,
                          0, decompressor.get(), repetition_levels_));
  SLUICE_TRY(const int64_t values_begin,
             OpenV1Levels(page.header.definition_level_encoding, context.leaf.max_definition_level,
                          definition_begin, decompressor.get(), definition_levels_));
  level_bytes_ = values_begin;
  if (decompressor == nullptr) {
    body_ = PageBody(std::move(bytes), values_begin, size - values_begin);
    return Status::Ok();
  }
  SLUICE_TRY(const int64_t available, decompressor->Advance(values_begin));
  body_ = PageBody(std::move(bytes), values_begin, size - values_begin, available - values_begin,
                   std::move(decompressor), page.body);
  return Status::Ok();
}

Status DataPage::OpenV2(const ChunkContext& context, const StoredPage& page) {
  const int64_t repetition_bytes = page.header.repetition_levels_byte_length;
  const int64_t definition_bytes = page.header.definition_levels_byte_length;
  level_bytes_ = repetition_bytes + definition_bytes;
  const int64_t stored = page.header.compressed_size - level_bytes_;
  const int64_t size = page.header.uncompressed_size - level_bytes_;
  if (stored < 0 || size < 0) {
    return Status::Corruption(
        fmt::format("levels are longer than their page: {} > {}", level_bytes_,
                    std::min(page.header.compressed_size, page.header.uncompressed_size)));
  }
  levels_ = PageBody(page.body, 0, level_bytes_);
  const auto open = [&](int32_t max_level, int64_t begin, int64_t length) -> Result<LevelDecoder> {
    if (max_level == 0) return LevelDecoder::None(num_levels_);
    return LevelDecoder::OpenRle(&levels_, begin, begin + length, max_level, num_levels_);
  };
  SLUICE_TRY(repetition_levels_, open(context.leaf.max_repetition_level, 0, repetition_bytes));
  SLUICE_TRY(definition_levels_,
             open(context.leaf.max_definition_level, repetition_bytes, definition_bytes));
  // Nothing but nulls: the section is empty whatever the header says of compression (fault P1).
  if (stored == 0 || size == 0) {
    body_ = PageBody(page.body, level_bytes_, 0);
    return Status::Ok();
  }
  if (context.codec == Codec::kUncompressed || !page.header.is_compressed) {
    SLUICE_RETURN_IF_ERROR(CheckStoredSize(stored, size));
    body_ = PageBody(page.body, level_bytes_, size);
    return Status::Ok();
  }
  SLUICE_TRY(auto started, StartDecompressor(context, page, level_bytes_, size));
  body_ = PageBody(std::move(started.first), 0, size, 0, std::move(started.second), page.body);
  return Status::Ok();
}

Status DataPage::CountLevels(const ChunkContext& context) {
  SLUICE_TRY(const LevelCounts definitions, definition_levels_.Count(*context.kernels));
  num_values_ = definitions.at_maximum;
  SLUICE_TRY(const LevelCounts repetitions, repetition_levels_.Count(*context.kernels));
  row_starts_ = repetitions.at_zero;
  return Status::Ok();
}

Result<DictionaryIndexDecoder*> DataPage::codes() {
  if (!codes_) {
    if (context_->dictionary_size < 0 && num_values_ > 0) {
      return Status::Corruption("page is dictionary-encoded, but the chunk has no dictionary");
    }
    SLUICE_TRY(codes_, DictionaryIndexDecoder::Open(&body_, num_values_,
                                                    std::max(context_->dictionary_size, 0)));
  }
  return &*codes_;
}

Result<ValueDecoder*> DataPage::values() {
  if (!values_) {
    SLUICE_TRY(values_,
               MakeValueDecoder(encoding_, context_->leaf.physical_type, context_->leaf.type_length,
                                num_values_, &body_, context_->pool, context_->carried_value));
  }
  return values_.get();
}

Status DataPage::SkipValues(int64_t count) {
  if (is_dictionary_encoded()) {
    SLUICE_TRY(DictionaryIndexDecoder * decoder, codes());
    return decoder->Skip(count);
  }
  SLUICE_TRY(ValueDecoder * decoder, values());
  return decoder->Skip(count);
}

}  // namespace sluice::inline v0::parquet
