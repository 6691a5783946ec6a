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
      encoder_(options.page_version, column, options.checksums, pool),
      values_(leaf.physical_type, leaf.type_length),
      page_statistics_(leaf.order) {
  Clear();
}

void ColumnChunkWriter::Clear() {
  is_dictionary_open_ = WantsDictionary(leaf_, options_);
  dictionary_ = std::make_unique<DictionaryBuilder>(leaf_.physical_type, leaf_.type_length);
  pages_.clear();
  page_bytes_done_ = 0;
}

Status ColumnChunkWriter::Append(const LeafRows& rows) {
  int64_t level = 0;
  int64_t value = 0;
  while (level < rows.num_levels) {
    const Piece piece = NextPiece(rows, level, value);
    AppendPiece(rows, piece);
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

void ColumnChunkWriter::AppendPiece(const LeafRows& rows, const Piece& piece) {
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
    for (int64_t i = piece.value_begin; i < piece.value_end; ++i) {
      page_statistics_.byte_array_bytes += static_cast<int64_t>(rows.Value(i).size());
    }
  }
  if (is_dictionary_open_) return AppendToDictionary(rows, piece);
  values_.Append(rows, piece.value_begin, piece.value_end);
  if (!options_.bloom_filter) return;
  for (int64_t i = piece.value_begin; i < piece.value_end; ++i) {
    bloom_hashes_.Insert(HashOf(rows.Value(i)));
  }
}

void ColumnChunkWriter::AppendToDictionary(const LeafRows& rows, const Piece& piece) {
  for (int64_t i = piece.value_begin; i < piece.value_end; ++i) {
    const int64_t known = dictionary_->size();
    const std::string_view value = rows.Value(i);
    codes_.push_back(dictionary_->Insert(value));
    if (options_.bloom_filter && dictionary_->size() > known) bloom_hashes_.Insert(HashOf(value));
  }
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
  PageContent content = TakeLevels();
  Page page{std::nullopt, {}, std::exchange(page_statistics_, PageStatistics(leaf_.order))};
  if (is_dictionary_open_ && dictionary_->size() == 0) {
    // Nothing but nulls so far: whether there will be a dictionary is not known yet, and one
    // without entries is refused by some readers (fault E13).
    page.content = std::move(content);
  } else {
    if (is_dictionary_open_) {
      content.encoding = dictionary_encoding_;
      EncodeDictionaryIndices(codes_, dictionary_->size(), &content.values);
    } else {
      content.encoding = value_encoding_;
      EncodeValues(value_encoding_, values_, &content.values);
    }
    SLUICE_TRY(page.encoded, encoder_.DataPage(content));
    page_bytes_done_ += page.encoded.stored_bytes();
  }
  codes_.clear();
  values_.Clear();
  pages_.push_back(std::move(page));
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
  FinishPages(&chunk);
  if (options_.bloom_filter) chunk.bloom_hashes = bloom_hashes_.Take();
  Clear();
  return chunk;
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
  SLUICE_TRY(chunk->dictionary, encoder_.DictionaryPage(*dictionary_, encoding));
  AddPage(*chunk->dictionary, &chunk->metadata);
  return Status::Ok();
}

void ColumnChunkWriter::FinishPages(FinishedChunk* chunk) {
  ColumnChunk& metadata = chunk->metadata;
  const bool is_byte_array = leaf_.physical_type == PhysicalType::kByteArray;
  PageStatistics whole(leaf_.order);
  std::vector<const PageStatistics*> statistics;
  int64_t offset = 0;
  for (const Page& page : pages_) {
    AddPage(page.encoded, &metadata);
    chunk->offset_index.page_locations.push_back(
        {offset, static_cast<int32_t>(page.encoded.stored_bytes()), whole.num_rows});
    offset += page.encoded.stored_bytes();
    if (is_byte_array) {
      chunk->offset_index.unencoded_byte_array_data_bytes.push_back(
          page.statistics.byte_array_bytes);
    }
    whole.Merge(page.statistics);
    statistics.push_back(&page.statistics);
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
    chunk->column_index = MakeColumnIndex(leaf_, statistics, options_.max_bound_bytes);
  }
  for (Page& page : pages_) chunk->pages.push_back(std::move(page.encoded));
}

}  // namespace sluice::inline v0::parquet
