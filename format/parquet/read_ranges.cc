#include "format/parquet/read_ranges.h"

#include <algorithm>

namespace sluice::inline v0::parquet {

namespace {

// One read asks for no more than this, whatever lies side by side.
constexpr int64_t kMaxReadBytes = 32 << 20;

}  // namespace

std::vector<ByteRange> JoinRanges(std::vector<ByteRange> ranges, int64_t gap) {
  std::sort(ranges.begin(), ranges.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.offset < b.offset; });
  std::vector<ByteRange> joined;
  for (const ByteRange& range : ranges) {
    if (!joined.empty() && range.offset - joined.back().end() <= gap &&
        range.end() - joined.back().offset <= kMaxReadBytes) {
      const int64_t end = std::max(joined.back().end(), range.end());
      joined.back().length = end - joined.back().offset;
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

}  // namespace sluice::inline v0::parquet
