// Codecs: | codec | declared size, 2 bytes | first step, 2 bytes | compressed bytes |

#include <algorithm>

#include "format/parquet/decompressor.h"
#include "tests/fuzz/fuzz_input.h"

using sluice::BufferPool;
using sluice::support::FuzzCheck;
using sluice::support::FuzzCheckStatus;
using sluice::support::FuzzInput;
namespace parquet = sluice::parquet;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzInput in(data, size);
  const auto codec = static_cast<parquet::Codec>(in.Byte() % 9);
  const int64_t declared = in.Short();
  const int64_t step = in.Short();
  const sluice::BufferRef input = in.RestBuffer();
  const auto decompress = [&](int64_t first) {
    const sluice::BufferRef output = BufferPool::Make()->Allocate(declared).value();
    const std::span<uint8_t> out(output->mutable_data(), static_cast<size_t>(declared));
    auto decompressor = parquet::MakeDecompressor(codec, input->span(), out);
    FuzzCheckStatus(decompressor.status());
    if (!decompressor) return sluice::BufferRef();
    for (const int64_t want : {first, declared}) {
      const auto available = (*decompressor)->Advance(want);
      FuzzCheckStatus(available.status());
      if (!available) return sluice::BufferRef();
      FuzzCheck(*available >= std::min(want, declared) && *available <= declared,
                "available bytes");
    }
    return output;
  };
  const sluice::BufferRef whole = decompress(declared);
  const sluice::BufferRef stepped = decompress(step);
  // The LZ4 library takes a match at distance 0, which is no block, and which our own decoder of
  // single sequences refuses: what is broken may then be found only on the way.
  const bool is_lz4 = codec == parquet::Codec::kLz4 || codec == parquet::Codec::kLz4Raw;
  FuzzCheck((whole == nullptr) == (stepped == nullptr) || (is_lz4 && stepped == nullptr),
            "steps change the outcome");
  if (whole && stepped) {
    FuzzCheck(std::ranges::equal(whole->span(), stepped->span()), "steps change the bytes");
  }
  return 0;
}
