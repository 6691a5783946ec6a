#pragma once

#include <sluice/buffer.h>
#include <sluice/random_access_file.h>
#include <sluice/status.h>

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace sluice::inline v0::parquet {

/// The bytes of one column chunk that were handed over so far, and those that are asked for.
///
/// Threads: confined.
class ChunkBytes {
 public:
  /// Asks for a range, unless it is there or asked for already.
  void Request(ByteRange range);
  /// What is asked for and not there yet.
  const std::vector<ByteRange>& pending() const { return pending_; }

  /// Takes from `bytes`, which hold `range` of the file, every pending range that lies inside;
  /// returns whether there was one.
  bool Accept(ByteRange range, const BufferRef& bytes);

  /// How many bytes from `offset` on are there without a gap, as far as `wanted` of them.
  int64_t AvailableAt(int64_t offset, int64_t wanted) const;
  /// The bytes of a range that is there: shared where one piece holds them, else copied together.
  Result<BufferRef> Get(ByteRange range, BufferPool& pool) const;
  /// As many bytes from `offset` on as one piece holds; empty if there is none.
  std::span<const uint8_t> PeekAt(int64_t offset) const;

  /// Forgets what lies before `offset`.
  void DropBefore(int64_t offset);

 private:
  struct Piece {
    ByteRange range;
    BufferRef bytes;
  };
  const Piece* PieceAt(int64_t offset) const;

  std::deque<Piece> pieces_;        ///< Ascending by offset.
  std::vector<ByteRange> pending_;  ///< Ascending by offset.
};

}  // namespace sluice::inline v0::parquet
