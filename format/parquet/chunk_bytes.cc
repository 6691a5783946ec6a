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
  if (AvailableAt(range.offset) >= range.length) return;
  for (const ByteRange& asked : pending_) {
    if (Contains(asked, range)) return;
  }
  pending_.push_back(range);
}

bool ChunkBytes::Accept(ByteRange range, const BufferRef& bytes) {
  bool accepted = false;
  for (size_t i = 0; i < pending_.size();) {
    const ByteRange wanted = pending_[i];
    if (!Contains(range, wanted)) {
      ++i;
      continue;
    }
    Piece piece{wanted, wanted == range
                            ? bytes
                            : SliceBuffer(bytes, wanted.offset - range.offset, wanted.length)};
    const auto place = std::upper_bound(
        pieces_.begin(), pieces_.end(), wanted.offset,
        [](int64_t offset, const Piece& other) { return offset < other.range.offset; });
    pieces_.insert(place, std::move(piece));
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
    accepted = true;
  }
  return accepted;
}

const ChunkBytes::Piece* ChunkBytes::PieceAt(int64_t offset) const {
  const Piece* best = nullptr;
  for (const Piece& piece : pieces_) {
    if (piece.range.offset > offset) break;
    if (piece.range.end() > offset && (!best || piece.range.end() > best->range.end())) {
      best = &piece;
    }
  }
  return best;
}

int64_t ChunkBytes::AvailableAt(int64_t offset) const {
  int64_t end = offset;
  while (const Piece* piece = PieceAt(end)) end = piece->range.end();
  return end - offset;
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
  std::erase_if(pieces_, [&](const Piece& piece) { return piece.range.end() <= offset; });
}

}  // namespace sluice::inline v0::parquet
