#include "format/parquet/level_decoder.h"

#include <fmt/format.h>
#include <sluice/bitmap.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "format/model/try.h"

namespace sluice::inline v0::parquet {

namespace {

// Levels that are counted at a time; their words fit into the first-level cache.
constexpr int64_t kCountedLevels = 4096;

int32_t BitWidth(int32_t max_level) {
  return static_cast<int32_t>(std::bit_width(static_cast<uint32_t>(max_level)));
}

}  // namespace

LevelDecoder LevelDecoder::None(int64_t num_levels) {
  LevelDecoder decoder;
  decoder.remaining_ = num_levels;
  return decoder;
}

Result<LevelDecoder> LevelDecoder::OpenRle(PageBody* body, int64_t begin, int64_t end,
                                           int32_t max_level, int64_t num_levels) {
  LevelDecoder decoder;
  decoder.max_level_ = max_level;
  decoder.remaining_ = num_levels;
  SLUICE_TRY(decoder.stream_,
             RleHybridDecoder::Open(body, begin, end, BitWidth(max_level), num_levels));
  return decoder;
}

Result<LevelDecoder> LevelDecoder::OpenBitPacked(PageBody* body, int64_t begin, int32_t max_level,
                                                 int64_t num_levels) {
  LevelDecoder decoder;
  decoder.max_level_ = max_level;
  decoder.remaining_ = num_levels;
  SLUICE_TRY(decoder.stream_,
             BitPackedLevelDecoder::Open(body, begin, BitWidth(max_level), num_levels));
  return decoder;
}

int64_t LevelDecoder::BitPackedBytes(int32_t max_level, int64_t num_levels) {
  return BitPackedLevelDecoder::ByteLength(BitWidth(max_level), num_levels);
}

Result<LevelCounts> LevelDecoder::Count(const kernels::KernelTable& kernels) const {
  if (max_level_ == 0) return LevelCounts{remaining_, remaining_};
  LevelDecoder copy = *this;
  return max_level_ == 1 ? copy.CountBits() : copy.CountLevels(kernels);
}

Result<LevelCounts> LevelDecoder::CountBits() {
  LevelCounts counts;
  std::array<uint64_t, kCountedLevels / 64 + 8> words;
  const int64_t total = remaining_;
  auto* runs = std::get_if<RleHybridDecoder>(&stream_);
  while (remaining_ > 0) {
    int64_t count = std::min(remaining_, kCountedLevels);
    if (runs != nullptr) {
      SLUICE_TRY(const HybridRun run, runs->Run());
      if (run.is_repeated) {
        if (run.value > 1) {
          return Status::Corruption(fmt::format("level is above its maximum: {} > 1", run.value));
        }
        runs->Take(run.length);
        remaining_ -= run.length;
        counts.at_maximum += run.value == 1 ? run.length : 0;
        continue;
      }
      count = std::min(count, run.length);
    }
    words.fill(0);
    SLUICE_RETURN_IF_ERROR(ReadBits(count, words.data(), 0));
    counts.at_maximum += sluice::CountBits(words.data(), 0, count);
  }
  counts.at_zero = total - counts.at_maximum;
  return counts;
}

Result<LevelCounts> LevelDecoder::CountLevels(const kernels::KernelTable& kernels) {
  LevelCounts counts;
  std::array<uint16_t, kCountedLevels + 64> levels;
  std::array<uint64_t, kCountedLevels / 64 + 8> words;
  const auto maximum = static_cast<uint16_t>(max_level_);
  auto* runs = std::get_if<RleHybridDecoder>(&stream_);
  while (remaining_ > 0) {
    int64_t count = std::min(remaining_, kCountedLevels);
    if (runs != nullptr) {
      SLUICE_TRY(const HybridRun run, runs->Run());
      if (run.is_repeated && run.length > kCountedLevels) {
        if (run.value > maximum) {
          return Status::Corruption(
              fmt::format("level is above its maximum: {} > {}", run.value, maximum));
        }
        runs->Take(run.length);
        remaining_ -= run.length;
        counts.at_maximum += run.value == maximum ? run.length : 0;
        counts.at_zero += run.value == 0 ? run.length : 0;
        continue;
      }
    }
    SLUICE_RETURN_IF_ERROR(Read(count, levels.data()));
    const auto above = static_cast<uint16_t>(maximum + 1);
    if (kernels.levels_at_least(levels.data(), count, above, words.data()) > 0) {
      return Status::Corruption(fmt::format("level is above its maximum: {}", maximum));
    }
    counts.at_maximum += kernels.levels_equal(levels.data(), count, maximum, words.data());
    counts.at_zero += kernels.levels_equal(levels.data(), count, 0, words.data());
  }
  return counts;
}

Status LevelDecoder::Read(int64_t count, uint16_t* out) {
  remaining_ -= count;
  if (auto* runs = std::get_if<RleHybridDecoder>(&stream_)) return runs->Read(count, out);
  if (auto* packed = std::get_if<BitPackedLevelDecoder>(&stream_)) return packed->Read(count, out);
  std::memset(out, 0, static_cast<size_t>(count) * sizeof(*out));
  return Status::Ok();
}

Status LevelDecoder::ReadBits(int64_t count, uint64_t* out, int64_t out_bit) {
  if (auto* runs = std::get_if<RleHybridDecoder>(&stream_)) {
    remaining_ -= count;
    return runs->ReadBits(count, out, out_bit);
  }
  std::array<uint16_t, 64 + 64> levels;
  while (count > 0) {
    const int64_t size = std::min<int64_t>(count, 64);
    SLUICE_RETURN_IF_ERROR(Read(size, levels.data()));
    uint64_t bits = 0;
    for (int64_t i = 0; i < size; ++i) {
      bits |= static_cast<uint64_t>(levels[static_cast<size_t>(i)] == 1) << i;
    }
    AppendBits(out, out_bit, bits, size);
    out_bit += size;
    count -= size;
  }
  return Status::Ok();
}

}  // namespace sluice::inline v0::parquet
