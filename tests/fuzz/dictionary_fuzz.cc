// Dictionary indices: | entries, 2 bytes | number of values, 2 bytes | pattern | page body |
// Read in one go, and by a pattern of reads, skips and selections, which must agree.

#include <vector>

#include "format/parquet/encoding/dictionary_index_decoder.h"
#include "tests/fuzz/fuzz_input.h"

using sluice::support::FuzzCheck;
using sluice::support::FuzzCheckStatus;
using sluice::support::FuzzInput;
namespace parquet = sluice::parquet;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzInput in(data, size);
  const auto entries = static_cast<int32_t>(in.Short());
  const int64_t count = in.Short();
  uint64_t pattern = in.Byte() * 0x9e3779b97f4a7c15U + 1;
  const sluice::BufferRef bytes = in.RestBuffer();
  parquet::PageBody body(bytes, 0, bytes->size());
  auto whole = parquet::DictionaryIndexDecoder::Open(&body, count, entries);
  FuzzCheckStatus(whole.status());
  if (!whole) return 0;
  std::vector<int32_t> all(static_cast<size_t>(count) + 64);
  const sluice::Status status = whole->Read(count, all.data());
  FuzzCheckStatus(status);
  auto pieces = parquet::DictionaryIndexDecoder::Open(&body, count, entries).value();
  std::vector<int32_t> some(static_cast<size_t>(count) + 64);
  for (int64_t done = 0; done < count;) {
    pattern = pattern * 6364136223846793005U + 1442695040888963407U;
    const int64_t step = std::min<int64_t>(count - done, 1 + static_cast<int64_t>(pattern >> 57));
    const uint64_t words[3] = {pattern, pattern * 3, pattern * 5};
    sluice::Status piece;
    std::vector<int32_t> expected;
    const auto kind = pattern >> 40 & 3;
    if (kind == 0) {
      piece = pieces.Skip(step);
    } else if (kind == 1) {
      piece = pieces.Read(step, some.data());
      for (int64_t i = 0; i < step; ++i) expected.push_back(all[static_cast<size_t>(done + i)]);
    } else {
      piece = pieces.Select(step, words, some.data());
      for (int64_t i = 0; i < step; ++i) {
        if (words[i / 64] >> (i % 64) & 1) expected.push_back(all[static_cast<size_t>(done + i)]);
      }
    }
    FuzzCheckStatus(piece);
    FuzzCheck(piece.ok() || !status.ok(), "only the pieces are corrupt");
    if (!piece.ok()) return 0;
    for (size_t i = 0; status.ok() && i < expected.size(); ++i) {
      FuzzCheck(expected[i] == some[i], "indices differ");
    }
    done += step;
  }
  return 0;
}
