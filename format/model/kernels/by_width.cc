#include "format/model/kernels/by_width.h"

#include <cstring>

#include "format/model/bitmap_words.h"

namespace sluice::inline v0::kernels {

int64_t CompressValues(const KernelTable& table, int64_t width, const void* in,
                       const uint64_t* selection, int64_t count, void* out) {
  switch (width) {
    case 1:
      return table.compress_1(in, selection, count, out);
    case 2:
      return table.compress_2(in, selection, count, out);
    case 4:
      return table.compress_4(in, selection, count, out);
    case 8:
      return table.compress_8(in, selection, count, out);
    case 16:
      return table.compress_16(in, selection, count, out);
    default:
      break;
  }
  const auto* from = static_cast<const uint8_t*>(in);
  auto* to = static_cast<uint8_t*>(out);
  int64_t kept = 0;
  ForEachSetRun(selection, count, [&](int64_t begin, int64_t length) {
    std::memmove(to + kept * width, from + begin * width, static_cast<size_t>(length * width));
    kept += length;
  });
  return kept;
}

void ExpandValues(const KernelTable& table, int64_t width, const void* in, const uint64_t* mask,
                  int64_t count, void* out) {
  switch (width) {
    case 1:
      return table.expand_1(in, mask, count, out);
    case 2:
      return table.expand_2(in, mask, count, out);
    case 4:
      return table.expand_4(in, mask, count, out);
    case 8:
      return table.expand_8(in, mask, count, out);
    case 16:
      return table.expand_16(in, mask, count, out);
    default:
      break;
  }
  const auto* from = static_cast<const uint8_t*>(in);
  auto* to = static_cast<uint8_t*>(out);
  std::memset(to, 0, static_cast<size_t>(count * width));
  ForEachSetBit(mask, count, [&](int64_t i) {
    std::memcpy(to + i * width, from, static_cast<size_t>(width));
    from += width;
  });
}

void GatherValues(const KernelTable& table, int64_t width, const void* dictionary,
                  const int32_t* codes, int64_t count, void* out) {
  switch (width) {
    case 4:
      return table.gather_4(static_cast<const uint32_t*>(dictionary), codes, count,
                            static_cast<uint32_t*>(out));
    case 8:
      return table.gather_8(static_cast<const uint64_t*>(dictionary), codes, count,
                            static_cast<uint64_t*>(out));
    case 16:
      return table.gather_16(dictionary, codes, count, out);
    default:
      break;
  }
  const auto* from = static_cast<const uint8_t*>(dictionary);
  auto* to = static_cast<uint8_t*>(out);
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(to + i * width, from + int64_t{codes[i]} * width, static_cast<size_t>(width));
  }
}

}  // namespace sluice::inline v0::kernels
