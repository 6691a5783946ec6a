#include "format/parquet/filter/piece_decider.h"

#include <sluice/bitmap.h>

#include <algorithm>

#include "format/model/try.h"

namespace sluice::inline v0::parquet {
namespace {

constexpr int64_t kMaxPieceWords = PieceDecider::kMaxPieceValues / 64;

/// How much of a piece to test.
enum class Share : uint8_t { kNothing, kSelected, kEverything };

/// `*selected` is what is wanted, where only that is to be tested.
Share ShareOf(const PieceDecider& test, int64_t count, const uint64_t* selection,
              int64_t* selected) {
  const int64_t ratio = test.sparse_ratio();
  if (ratio == 0) {
    // Counting bits would take longer than testing values.
    uint64_t any = selection[BitmapWords(count) - 1] & LowBits((count - 1) % 64 + 1);
    for (int64_t word = 0; word < BitmapWords(count) - 1; ++word) any |= selection[word];
    return any == 0 ? Share::kNothing : Share::kEverything;
  }
  *selected = CountBits(selection, 0, count);
  if (*selected == 0) return Share::kNothing;
  if (*selected == count || *selected * ratio >= count) return Share::kEverything;
  return Share::kSelected;
}

/// `passes` may be `selection`.
Status DecidePiece(PieceDecider& test, int64_t count, const uint64_t* selection,
                   const kernels::KernelTable& kernels, uint64_t* passes) {
  const int64_t words = BitmapWords(count);
  uint64_t tested[kMaxPieceWords];
  int64_t selected = 0;
  switch (ShareOf(test, count, selection, &selected)) {
    case Share::kNothing:
      std::fill_n(passes, words, uint64_t{0});
      return test.Skip(count);
    case Share::kEverything:
      SLUICE_RETURN_IF_ERROR(test.TestAll(count, tested));
      for (int64_t word = 0; word < words; ++word) passes[word] = tested[word] & selection[word];
      return Status::Ok();
    case Share::kSelected:
      break;
  }
  SLUICE_RETURN_IF_ERROR(test.TestSelected(count, selection, selected, tested));
  uint64_t spread[kMaxPieceWords];
  kernels.deposit_bits(tested, selection, count, spread);
  std::copy_n(spread, words, passes);
  return Status::Ok();
}

}  // namespace

Status DecideByPieces(PieceDecider& test, const ValueRun& run, const kernels::KernelTable& kernels,
                      uint64_t* passes) {
  const int64_t piece = test.piece_values();
  const bool is_whole = run.selection == nullptr || run.selected == run.count;
  for (int64_t at = 0; at < run.count; at += piece) {
    const int64_t count = std::min(piece, run.count - at);
    uint64_t* const out = passes + at / 64;
    SLUICE_RETURN_IF_ERROR(is_whole
                               ? test.TestAll(count, out)
                               : DecidePiece(test, count, run.selection + at / 64, kernels, out));
  }
  return Status::Ok();
}

}  // namespace sluice::inline v0::parquet
