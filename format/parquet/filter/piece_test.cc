#include "format/parquet/filter/piece_test.h"

#include <sluice/bitmap.h>

#include <algorithm>

#include "format/model/try.h"

namespace sluice::inline v0::parquet {
namespace {

constexpr int64_t kMaxPieceWords = PieceTest::kMaxPieceValues / 64;

/// `passes` may be `selection`.
Status DecidePiece(PieceTest& test, int64_t count, const uint64_t* selection,
                   const kernels::KernelTable& kernels, uint64_t* passes) {
  const int64_t words = BitmapWords(count);
  const int64_t selected = selection == nullptr ? count : CountBits(selection, 0, count);
  if (selected == 0) {
    std::fill_n(passes, words, uint64_t{0});
    return test.Skip(count);
  }
  if (selected == count) return test.TestAll(count, passes);
  uint64_t tested[kMaxPieceWords];
  if (test.sparse_ratio() == 0 || selected * test.sparse_ratio() >= count) {
    SLUICE_RETURN_IF_ERROR(test.TestAll(count, tested));
    for (int64_t word = 0; word < words; ++word) passes[word] = tested[word] & selection[word];
    return Status::Ok();
  }
  SLUICE_RETURN_IF_ERROR(test.TestSelected(count, selection, selected, tested));
  uint64_t spread[kMaxPieceWords];
  kernels.deposit_bits(tested, selection, count, spread);
  std::copy_n(spread, words, passes);
  return Status::Ok();
}

}  // namespace

Status DecideByPieces(PieceTest& test, const ValueRun& run, const kernels::KernelTable& kernels,
                      uint64_t* passes) {
  const int64_t piece = test.piece_values();
  for (int64_t at = 0; at < run.count; at += piece) {
    const uint64_t* selection = run.selection == nullptr ? nullptr : run.selection + at / 64;
    SLUICE_RETURN_IF_ERROR(
        DecidePiece(test, std::min(piece, run.count - at), selection, kernels, passes + at / 64));
  }
  return Status::Ok();
}

}  // namespace sluice::inline v0::parquet
