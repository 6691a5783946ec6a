#include "format/parquet/write/column_chunk_writer.h"

#include <sluice/parquet/bloom_filter.h>

#include <algorithm>
#include <utility>

#include "format/model/try.h"
#include "format/parquet/write/rle_hybrid_encoder.h"
#include "format/parquet/write/value_encoder.h"

namespace sluice::inline v0::parquet {
namespace {

// What goes into a page at one time; also how far a dictionary may grow past its limit.
constexpr int64_t kPieceLevels = 1024;
constexpr int64_t kPieceBytes = 1 << 20;

bool NamesDictionary(const ColumnWriteOptions& options) {
  return options.encoding == Encoding::kRleDictionary ||
         options.encoding == Encoding::kPlainDictionary;
}

bool WantsDictionary(const WriteLeaf& leaf, const ColumnWriteOptions& options) {
  return (options.dictionary || NamesDictionary(options)) && options.dictionary_bytes_limit > 0 &&
         leaf.physical_type != PhysicalType::kBoolean;
}

uint64_t HashOf(std::string_view value) {
  return BloomHash({reinterpret_cast<const uint8_t*>(value.data()), value.size()});
}

}  // namespace

ColumnChunkWriter::ColumnChunkWriter(const WriteLeaf& leaf, const ColumnWriteOptions& column,
                                     const WriterOptions& options, BufferPool* pool)
    : leaf_(leaf),
      options_(column),
      dictionary_encoding_(column.encoding == Encoding::kPlainDictionary
                               ? Encoding::kPlainDictionary
                               : Encoding::kRleDictionary),
      value_encoding_(NamesDictionary(column) ? Encoding::kPlain
                                              : column.encoding.value_or(Encoding::kPlain)),
      page_bytes_(options.page_bytes),
      page_rows_(options.page_rows),
      pool_(pool),
      encoder_(options.page_version, column, options.checksums, pool),
      values_(leaf.physical_type, leaf.type_length),
      page_statistics_(leaf.order),
      bloom_hashes_(pool),
      chunk_statistics_(leaf.order) {
  Clear();
}

void ColumnChunkWriter::Clear() {
  is_dictionary_open_ = WantsDictionary(leaf_, options_);
  dictionary_ = std::make_unique<DictionaryBuilder>(leaf_.physical_type, leaf_.type_length);
  pages_ = std::vector<Page>();
  page_bytes_done_ = 0;
  chunk_statistics_ = PageStatistics(leaf_.order);
  pages_held_bytes_ = 0;
}

Status ColumnChunkWriter::Append(const LeafRows& rows) {
  int64_t level = 0;
  int64_t value = 0;
  while (level < rows.num_levels) {
    const Piece piece = NextPiece(rows, level, value);
    SLUICE_RETURN_IF_ERROR(AppendPiece(rows, piece));
    level = piece.end;
    value = piece.value_end;
    const bool is_too_large =
        is_dictionary_open_ && dictionary_->plain_bytes() > options_.dictionary_bytes_limit;
    if (is_too_large || page_statistics_.num_rows >= page_rows_ || pending_bytes() >= page_bytes_) {
      SLUICE_RETURN_IF_ERROR(FlushPage());
    }
    if (is_too_large) is_dictionary_open_ = false;
  }
  return Status::Ok();
}

ColumnChunkWriter::Piece ColumnChunkWriter::NextPiece(const LeafRows& rows, int64_t level,
                                                      int64_t value) const {
  const int64_t max_rows = page_rows_ - page_statistics_.num_rows;
  const int64_t max_bytes =
      is_dictionary_open_ ? kPieceBytes : std::min(kPieceBytes, page_bytes_ - pending_bytes());
  Piece piece{level, level, value, value, 0};
  int64_t bytes = 0;
  for (; piece.end < rows.num_levels; ++piece.end) {
    const auto at = static_cast<size_t>(piece.end);
    if (rows.repetition_levels.empty() || rows.repetition_levels[at] == 0) {
      const bool is_full =
          piece.num_rows == max_rows || piece.end - level >= kPieceLevels || bytes >= max_bytes;
      if (piece.num_rows > 0 && is_full) break;
      ++piece.num_rows;
    }
    if (!rows.definition_levels.empty() &&
        rows.definition_levels[at] != leaf_.max_definition_level) {
      continue;
    }
    bytes +=
        rows.width != 0
            ? rows.width
            : 4 + static_cast<int64_t>(rows.strings[static_cast<size_t>(piece.value_end)].size());
    ++piece.value_end;
  }
  return piece;
}

Status ColumnChunkWriter::AppendPiece(const LeafRows& rows, const Piece& piece) {
  if (memory_.bytes() == 0) {
    SLUICE_TRY(memory_, pool_->Reserve(0));
  }
  SLUICE_RETURN_IF_ERROR(memory_.Cover(held_bytes() + growth_bytes(rows, piece)));
  const auto append = [&piece](const std::vector<uint16_t>& from, std::vector<uint16_t>* to) {
    if (!from.empty()) to->insert(to->end(), from.begin() + piece.begin, from.begin() + piece.end);
  };
  append(rows.repetition_levels, &repetition_levels_);
  append(rows.definition_levels, &definition_levels_);
  page_statistics_.num_rows += piece.num_rows;
  page_statistics_.num_levels += piece.end - piece.begin;
  page_statistics_.num_values += piece.value_end - piece.value_begin;
  page_statistics_.bounds.Update(rows, piece.value_begin, piece.value_end);
  if (rows.width == 0) {
    page_statistics_.byte_array_bytes += rows.ValueBytes(piece.value_begin, piece.value_end);
  }
  if (is_dictionary_open_) return AppendToDictionary(rows, piece);
  values_.Reserve(piece.value_end - piece.value_begin,
                  rows.ValueBytes(piece.value_begin, piece.value_end));
  values_.Append(rows, piece.value_begin, piece.value_end);
  if (!options_.bloom_filter) return Status::Ok();
  for (int64_t i = piece.value_begin; i < piece.value_end; ++i) {
    SLUICE_RETURN_IF_ERROR(bloom_hashes_.Insert(HashOf(rows.Value(i))));
  }
  return Status::Ok();
}

Status ColumnChunkWriter::AppendToDictionary(const LeafRows& rows, const Piece& piece) {
  dictionary_->Reserve(piece.value_end - piece.value_begin,
                       rows.ValueBytes(piece.value_begin, piece.value_end));
  for (int64_t i = piece.value_begin; i < piece.value_end; ++i) {
    const int64_t known = dictionary_->size();
    const std::string_view value = rows.Value(i);
    codes_.push_back(dictionary_->Insert(value));
    if (options_.bloom_filter && dictionary_->size() > known) {
      SLUICE_RETURN_IF_ERROR(bloom_hashes_.Insert(HashOf(value)));
    }
  }
  return Status::Ok();
}

int64_t ColumnChunkWriter::pending_bytes() const {
  const int64_t level_bits = page_statistics_.num_levels * (BitsFor(leaf_.max_repetition_level) +
                                                            BitsFor(leaf_.max_definition_level));
  int64_t value_bytes = values_.plain_bytes();
  if (is_dictionary_open_) {
    value_bytes = static_cast<int64_t>(codes_.size()) *
                  BitsFor(static_cast<uint64_t>(dictionary_->size())) / 8;
  } else if (leaf_.physical_type == PhysicalType::kBoolean) {
    value_bytes = values_.count() / 8;
  }
  return level_bits / 8 + value_bytes;
}

int64_t ColumnChunkWriter::buffered_bytes() const {
  return page_bytes_done_ + pending_bytes() + dictionary_->plain_bytes();
}

/// Bytes that are held now, but for bodies and bloom hashes.
int64_t ColumnChunkWriter::held_bytes() const {
  return HeldBytes(repetition_levels_) + HeldBytes(definition_levels_) + HeldBytes(codes_) +
         values_.held_bytes() + dictionary_->held_bytes() + page_statistics_.held_bytes() +
         chunk_statistics_.held_bytes() + HeldBytes(pages_) + pages_held_bytes_;
}

/// Bytes that a piece makes all of this take in addition, at most.
int64_t ColumnChunkWriter::growth_bytes(const LeafRows& rows, const Piece& piece) const {
  const int64_t levels = piece.end - piece.begin;
  const int64_t values = piece.value_end - piece.value_begin;
  const int64_t bytes = rows.ValueBytes(piece.value_begin, piece.value_end);
  // Bounds are two of the values, and are copied anew.
  const int64_t bounds = rows.width == 0 ? 2 * bytes : 0;
  return GrowthBytes(repetition_levels_, levels) + GrowthBytes(definition_levels_, levels) +
         bounds +
         (is_dictionary_open_
              ? GrowthBytes(codes_, values) + dictionary_->growth_bytes(values, bytes)
              : values_.growth_bytes(values, bytes));
}

/// Bytes that encoding the present page takes at most, in passing.
int64_t ColumnChunkWriter::encoding_bytes() const {
  constexpr int64_t kSmall = 4096;
  const auto codes = static_cast<int64_t>(codes_.size());
  const int64_t levels = HeldBytes(repetition_levels_) + HeldBytes(definition_levels_);
  // PLAIN values are put together at once, others byte by byte, which doubles as it grows, and some
  // by way of lengths; V1 pages copy them once more.
  const int64_t times = value_encoding_ == Encoding::kPlain ? 2 : 5;
  return kSmall + 3 * levels + 12 * codes + times * values_.plain_bytes() +
         2 * page_statistics_.held_bytes();
}

PageContent ColumnChunkWriter::TakeLevels() {
  PageContent content;
  content.num_rows = page_statistics_.num_rows;
  content.num_levels = page_statistics_.num_levels;
  content.num_values = page_statistics_.num_values;
  content.has_repetition_levels = leaf_.max_repetition_level > 0;
  content.has_definition_levels = leaf_.max_definition_level > 0;
  EncodeRleHybrid(std::span<const uint16_t>(repetition_levels_),
                  BitsFor(leaf_.max_repetition_level), &content.repetition_levels);
  EncodeRleHybrid(std::span<const uint16_t>(definition_levels_),
                  BitsFor(leaf_.max_definition_level), &content.definition_levels);
  page_statistics_.CountLevels(leaf_, repetition_levels_, definition_levels_);
  repetition_levels_.clear();
  definition_levels_.clear();
  return content;
}

Status ColumnChunkWriter::FlushPage() {
  if (page_statistics_.num_levels == 0) return Status::Ok();
  SLUICE_TRY(const Reservation passing, pool_->Reserve(encoding_bytes()));
  if (pages_.size() == pages_.capacity()) {
    SLUICE_RETURN_IF_ERROR(memory_.Cover(held_bytes() + GrowthBytes(pages_, 1)));
  }
  PageContent content = TakeLevels();
  PageStatistics statistics = std::exchange(page_statistics_, PageStatistics(leaf_.order));
  chunk_statistics_.Merge(statistics);
  Page& page = pages_.emplace_back();
  page.record = RecordOf(leaf_, std::move(statistics), options_.max_bound_bytes);
  pages_held_bytes_ += page.record.held_bytes();
  if (is_dictionary_open_ && dictionary_->size() == 0) {
    // Nothing but nulls so far: whether there will be a dictionary is not known yet, and one
    // without entries is refused by some readers (fault E13).
    pages_held_bytes_ += content.held_bytes();
    page.content = std::move(content);
  } else {
    SLUICE_RETURN_IF_ERROR(EncodePage(std::move(content), &page));
  }
  codes_.clear();
  values_.Clear();
  return memory_.Resize(held_bytes());
}

/// Encodes the values that are pending as those of `content`.
Status ColumnChunkWriter::EncodePage(PageContent content, Page* page) {
  if (is_dictionary_open_) {
    content.encoding = dictionary_encoding_;
    EncodeDictionaryIndices(codes_, dictionary_->size(), &content.values);
  } else {
    content.encoding = value_encoding_;
    EncodeValues(value_encoding_, values_, &content.values);
  }
  SLUICE_TRY(page->encoded, encoder_.DataPage(content));
  page_bytes_done_ += page->encoded.stored_bytes();
  pages_held_bytes_ += static_cast<int64_t>(page->encoded.header.capacity());
  return Status::Ok();
}

/// Encodes the pages without values that waited for a dictionary.
Status ColumnChunkWriter::CompletePages() {
  for (Page& page : pages_) {
    if (!page.content) continue;
    if (dictionary_->size() > 0) {
      page.content->encoding = dictionary_encoding_;
      EncodeDictionaryIndices({}, 1, &page.content->values);
    } else {
      page.content->encoding = value_encoding_;
      EncodeValues(value_encoding_, ValueBuffer(leaf_.physical_type, leaf_.type_length),
                   &page.content->values);
    }
    SLUICE_TRY(page.encoded, encoder_.DataPage(*page.content));
    pages_held_bytes_ += static_cast<int64_t>(page.encoded.header.capacity());
    page.content.reset();
  }
  return Status::Ok();
}

Result<FinishedChunk> ColumnChunkWriter::Finish() {
  SLUICE_RETURN_IF_ERROR(FlushPage());
  SLUICE_RETURN_IF_ERROR(CompletePages());
  FinishedChunk chunk;
  chunk.metadata.type = leaf_.physical_type;
  chunk.metadata.codec = options_.codec;
  for (const std::string& name : leaf_.path) chunk.metadata.path_in_schema.push_back(name);
  SLUICE_RETURN_IF_ERROR(FinishDictionary(&chunk));
  SLUICE_RETURN_IF_ERROR(KeepMemory(&chunk));
  FinishPages(&chunk);
  if (options_.bloom_filter) chunk.bloom_hashes = bloom_hashes_.Take();
  Clear();
  SLUICE_RETURN_IF_ERROR(memory_.Resize(held_bytes()));
  return chunk;
}

/// Counts what the chunk takes once it is taken apart, in a reservation of its own.
Status ColumnChunkWriter::KeepMemory(FinishedChunk* chunk) {
  // Each page's place and its part of the column index, as vectors grow.
  constexpr int64_t kIndexBytes = 2 * (sizeof(PageLocation) + 2 * sizeof(std::string_view) + 32);
  const auto pages = static_cast<int64_t>(pages_.size());
  int64_t histograms = 0;
  for (const Page& page : pages_) histograms += page.record.held_bytes();
  SLUICE_TRY(chunk->memory,
             pool_->Reserve(HeldBytes(pages_) + pages_held_bytes_ + 2 * histograms +
                            pages * kIndexBytes + 2 * chunk_statistics_.held_bytes()));
  return Status::Ok();
}

namespace {

void AddEncoding(Encoding encoding, std::vector<Encoding>* encodings) {
  if (std::find(encodings->begin(), encodings->end(), encoding) == encodings->end()) {
    encodings->push_back(encoding);
  }
}

/// Counts `page` in the chunk's metadata.
void AddPage(const EncodedPage& page, ColumnChunk* metadata) {
  metadata->total_uncompressed_size += page.uncompressed_bytes();
  metadata->total_compressed_size += page.stored_bytes();
  AddEncoding(page.encoding, &metadata->encodings);
  std::vector<PageEncodingStats>& counts = metadata->encoding_stats;
  const auto found = std::find_if(counts.begin(), counts.end(), [&page](const auto& count) {
    return count.page_type == page.type && count.encoding == page.encoding;
  });
  if (found != counts.end()) {
    ++found->count;
  } else {
    counts.push_back({page.type, page.encoding, 1});
  }
}

}  // namespace

Status ColumnChunkWriter::FinishDictionary(FinishedChunk* chunk) {
  if (dictionary_->size() == 0) return Status::Ok();
  const Encoding encoding = dictionary_encoding_ == Encoding::kPlainDictionary
                                ? Encoding::kPlainDictionary
                                : Encoding::kPlain;
  SLUICE_TRY(const Reservation passing, pool_->Reserve(dictionary_->plain_bytes()));
  SLUICE_TRY(chunk->dictionary, encoder_.DictionaryPage(*dictionary_, encoding));
  AddPage(*chunk->dictionary, &chunk->metadata);
  return Status::Ok();
}

void ColumnChunkWriter::FinishPages(FinishedChunk* chunk) {
  ColumnChunk& metadata = chunk->metadata;
  const bool is_byte_array = leaf_.physical_type == PhysicalType::kByteArray;
  const PageStatistics& whole = chunk_statistics_;
  int64_t offset = 0;
  int64_t row = 0;
  for (Page& page : pages_) {
    AddPage(page.encoded, &metadata);
    chunk->offset_index.page_locations.push_back(
        {offset, static_cast<int32_t>(page.encoded.stored_bytes()), row});
    offset += page.encoded.stored_bytes();
    row += page.record.num_rows;
    if (is_byte_array) {
      chunk->offset_index.unencoded_byte_array_data_bytes.push_back(page.record.byte_array_bytes);
    }
    chunk->records.push_back(std::move(page.record));
    chunk->pages.push_back(std::move(page.encoded));
  }
  // Levels are always in this one.
  if (leaf_.max_definition_level > 0) AddEncoding(Encoding::kRle, &metadata.encodings);

  metadata.num_values = whole.num_levels;
  Statistics& written = metadata.statistics.emplace();
  written.null_count = whole.null_count();
  SizeStatistics& sizes = metadata.size_statistics.emplace();
  if (is_byte_array) sizes.unencoded_byte_array_data_bytes = whole.byte_array_bytes;
  sizes.repetition_level_histogram = whole.repetition_histogram;
  sizes.definition_level_histogram = whole.definition_histogram;
  if (options_.statistics) {
    WrittenBounds bounds = BoundsToWrite(leaf_, whole.bounds, options_.max_bound_bytes);
    chunk->min = std::move(bounds.min);
    chunk->max = std::move(bounds.max);
    if (IsFloatOrder(leaf_.order)) {
      written.nan_count = whole.bounds.nan_count();
    } else if (is_dictionary_open_) {
      // Every value went through the dictionary, and equal values have equal bytes.
      written.distinct_count = dictionary_->size();
    }
  }
  if (options_.page_index && options_.statistics) {
    chunk->column_index = MakeColumnIndex(leaf_, chunk->records);
  }
}

}  // namespace sluice::inline v0::parquet
