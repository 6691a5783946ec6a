// Levels: | encoding | maximum level, 2 bytes | number of levels, 2 bytes | bytes |

#include <vector>

#include "format/parquet/level_decoder.h"
#include "tests/fuzz/fuzz_input.h"

using sluice::support::FuzzCheck;
using sluice::support::FuzzCheckStatus;
using sluice::support::FuzzInput;
namespace parquet = sluice::parquet;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzInput in(data, size);
  const bool is_bit_packed = in.Byte() % 4 == 0;
  const auto max_level = static_cast<int32_t>(1 + in.Short() % 1000);
  const int64_t count = in.Short();
  const sluice::BufferRef bytes = in.RestBuffer();
  parquet::PageBody body(bytes, 0, bytes->size());
  if (is_bit_packed && parquet::LevelDecoder::BitPackedBytes(max_level, count) > bytes->size()) {
    return 0;  // The page is refused before levels are opened.
  }
  auto levels = is_bit_packed
                    ? parquet::LevelDecoder::OpenBitPacked(&body, 0, max_level, count)
                    : parquet::LevelDecoder::OpenRle(&body, 0, bytes->size(), max_level, count);
  FuzzCheckStatus(levels.status());
  if (!levels) return 0;
  const auto counts = levels->Count(sluice::kernels::BestTable());
  FuzzCheckStatus(counts.status());
  if (!counts) return 0;
  // Counted levels are good: reading them cannot fail, and gives what was counted.
  std::vector<uint16_t> out(static_cast<size_t>(count) + 64);
  for (int64_t done = 0; done < count;) {
    const int64_t step = std::min<int64_t>(count - done, 1 + done % 100);
    FuzzCheck(levels->Read(step, out.data() + done).ok(), "counted levels cannot be read");
    done += step;
  }
  int64_t at_maximum = 0;
  for (int64_t i = 0; i < count; ++i) {
    FuzzCheck(out[static_cast<size_t>(i)] <= max_level, "level above its maximum");
    at_maximum += out[static_cast<size_t>(i)] == max_level;
  }
  FuzzCheck(at_maximum == counts->at_maximum, "levels at the maximum were counted differently");
  return 0;
}
