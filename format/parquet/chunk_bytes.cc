#include "format/parquet/chunk_bytes.h"

#include <algorithm>
#include <cstring>

#include "format/model/try.h"

namespace sluice::inline v0::parquet {

namespace {

bool Contains(ByteRange outer, ByteRange inner) {
  return outer.offset <= inner.offset && inner.end() <= outer.end();
}

}  // namespace

void ChunkBytes::Request(ByteRange range) {
  if (AvailableAt(range.offset, range.length) == range.length) return;
  const auto place = std::upper_bound(
      pending_.begin(), pending_.end(), range.offset,
      [](int64_t offset, const ByteRange& asked) { return offset < asked.offset; });
  if (place != pending_.begin() && Contains(*(place - 1), range)) return;
  pending_.insert(place, range);
}

bool ChunkBytes::Accept(ByteRange range, const BufferRef& bytes) {
  const auto first = std::lower_bound(
      pending_.begin(), pending_.end(), range.offset,
      [](const ByteRange& asked, int64_t offset) { return asked.offset < offset; });
  auto kept = first;
  auto wanted = first;
  for (; wanted != pending_.end() && wanted->offset < range.end(); ++wanted) {
    if (!Contains(range, *wanted)) {
      *kept++ = *wanted;
      continue;
    }
    Piece piece{*wanted, *wanted == range
                             ? bytes
                             : SliceBuffer(bytes, wanted->offset - range.offset, wanted->length)};
    const auto place = std::upper_bound(
        pieces_.begin(), pieces_.end(), wanted->offset,
        [](int64_t offset, const Piece& other) { return offset < other.range.offset; });
    pieces_.insert(place, std::move(piece));
  }
  const bool accepted = kept != wanted;
  pending_.erase(kept, wanted);
  return accepted;
}

const ChunkBytes::Piece* ChunkBytes::PieceAt(int64_t offset) const {
  const auto behind =
      std::upper_bound(pieces_.begin(), pieces_.end(), offset,
                       [](int64_t at, const Piece& piece) { return at < piece.range.offset; });
  if (behind == pieces_.begin()) return nullptr;
  const Piece& piece = *(behind - 1);
  return piece.range.end() > offset ? &piece : nullptr;
}

int64_t ChunkBytes::AvailableAt(int64_t offset, int64_t wanted) const {
  int64_t available = 0;
  while (available < wanted) {
    const Piece* piece = PieceAt(offset + available);
    if (piece == nullptr) break;
    available = std::min(wanted, piece->range.end() - offset);
  }
  return available;
}

Result<BufferRef> ChunkBytes::Get(ByteRange range, BufferPool& pool) const {
  const Piece* piece = PieceAt(range.offset);
  if (piece != nullptr && Contains(piece->range, range)) {
    return SliceBuffer(piece->bytes, range.offset - piece->range.offset, range.length);
  }
  SLUICE_TRY(BufferRef joined, pool.Allocate(range.length));
  for (int64_t offset = range.offset; offset < range.end();) {
    piece = PieceAt(offset);
    if (piece == nullptr) return Status::Internal("bytes of a column chunk were not provided");
    const int64_t size = std::min(piece->range.end(), range.end()) - offset;
    std::memcpy(joined->mutable_data() + (offset - range.offset),
                piece->bytes->data() + (offset - piece->range.offset), static_cast<size_t>(size));
    offset += size;
  }
  return joined;
}

std::span<const uint8_t> ChunkBytes::PeekAt(int64_t offset) const {
  const Piece* piece = PieceAt(offset);
  if (piece == nullptr) return {};
  return piece->bytes->span().subspan(static_cast<size_t>(offset - piece->range.offset));
}

void ChunkBytes::DropBefore(int64_t offset) {
  while (!pieces_.empty() && pieces_.front().range.end() <= offset) pieces_.pop_front();
}

}  // namespace sluice::inline v0::parquet
