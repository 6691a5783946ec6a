#pragma once

// Unpacking bit-packed integers, one body for all levels.
//
// Values are made in groups of at least 8, and of whole vectors: 8 values of any width take whole
// bytes, so every group begins at the same bit of its first byte, and all that is to be known about
// where the bits of a lane lie is computed once a call.
//
//   group     | value 0 | value 1 | ... | value 7 |        bit_offset + 8 * bit_width bits
//   window    ^ starts[v][0]   ^ starts[v][1]              bytes loaded for one shuffle
//   lane      the sizeof(T) bytes from the one where its value begins, by PickBytes(places),
//             shifted right by the place of the value in that byte (0..7), and masked
//
// A value wider than 8 * sizeof(T) - 7 bits may not lie in those bytes; then the sizeof(T) bytes
// that follow are picked too, and both halves are shifted as one (Funnel). They come from the same
// window where all its values end in it, else from a window that much later. Whole groups are
// loaded and stored, which the padding allows: a group has at most 64 bytes out, and its last
// window ends within 64 bytes after its first value does.

#include <cstdint>

#include "format/model/kernels/lanes.h"
#include "format/model/kernels/tables.h"

namespace sluice::inline v0::kernels {
namespace {

struct WindowPositions {
  alignas(64) uint16_t lane[32];       // the lane, counted in its window, of each 16 bits
  alignas(64) uint16_t byte_pair[32];  // the bytes of the lane that they are, as 0x0100 + 0x0202 k
};

template <class T, int kWindowBytes>
constexpr WindowPositions MakeWindowPositions() {
  constexpr int kSize = sizeof(T);
  WindowPositions positions{};
  for (int i = 0; i < 32; ++i) {
    positions.lane[i] = static_cast<uint16_t>(2 * i % kWindowBytes / kSize);
    positions.byte_pair[i] = static_cast<uint16_t>(0x0100 + 0x0202 * (2 * i % kSize / 2));
  }
  return positions;
}

template <class Level, class T>
class FieldUnpacker {
 public:
  using Lanes = typename Level::template Lanes<T>;
  static constexpr int32_t kBits = 8 * sizeof(T);

  /// How far a value may reach from the byte in which it begins.
  enum class Reach {
    kOneLane,     ///< Its bits lie in the sizeof(T) bytes from there.
    kOneWindow,   ///< They lie in the window.
    kTwoWindows,  ///< Further.
  };
  static constexpr Reach ReachOf(int32_t bit_width) {
    if (bit_width + 7 <= kBits) return Reach::kOneLane;
    return kWindowLanes * bit_width + 7 <= 8 * Level::kBytes / Level::kWindows ? Reach::kOneWindow
                                                                               : Reach::kTwoWindows;
  }

  FieldUnpacker(int32_t bit_offset, int32_t bit_width)
      : group_bytes_(kGroup / 8 * bit_width),
        mask_(
            static_cast<T>(bit_width == 0 ? T{0} : static_cast<T>(~T{0}) >> (kBits - bit_width))) {
    const auto lane = Level::template Load<uint16_t>(kPositions.lane);
    const auto byte_pair = Level::template Load<uint16_t>(kPositions.byte_pair);
    const auto width = Level::template Set<uint16_t>(static_cast<uint16_t>(bit_width));
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      uint16_t first_bits[Level::kWindows];
      for (int w = 0; w < Level::kWindows; ++w) {
        const int32_t bit = bit_offset + (v * kLanes + w * kWindowLanes) * bit_width;
        starts_[v][w] = bit >> 3;
        first_bits[w] = static_cast<uint16_t>(bit & 7);
      }
      const auto bits = Level::SetWindows(first_bits) + lane * width;
      const auto bytes = bits >> 3;
      places_[v] = Level::template As<uint8_t>((bytes | bytes << 8) + byte_pair);
      shifts_[v] = Level::template As<T>(bits) & Level::template Set<T>(7);
    }
  }

  /// The first vector of values; for Reach::kOneLane.
  Lanes Get(const uint8_t* in) const {
    const auto window = Level::LoadWindows(in, starts_[0]);
    const auto low = Level::template As<T>(Level::PickBytes(window, places_[0]));
    return Level::ShiftRight(low, Level::PrepareShift(shifts_[0])) & Level::template Set<T>(mask_);
  }

  template <Reach kReach>
  void Run(const uint8_t* in, int64_t count, T* out) const {
    constexpr int32_t kLater = kReach == Reach::kTwoWindows ? sizeof(T) : 0;
    const auto mask = Level::template Set<T>(mask_);
    const auto later = Level::template Set<uint8_t>(static_cast<uint8_t>(sizeof(T) - kLater));
    Lanes shifts[kVectors];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      shifts[v] = kReach == Reach::kOneLane ? Level::PrepareShift(shifts_[v]) : shifts_[v];
    }
    for (int64_t i = 0; i < count; i += kGroup, in += group_bytes_) {
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) {
        auto window = Level::LoadWindows(in, starts_[v]);
        // Or else it is loaded once for each use, and every load that lies across two lines is two.
        if constexpr (kReach == Reach::kOneWindow) Level::template KeepInRegister<uint8_t>(window);
        const auto low = Level::template As<T>(Level::PickBytes(window, places_[v]));
        Lanes values;
        if constexpr (kReach == Reach::kOneLane) {
          values = Level::ShiftRight(low, shifts[v]);
        } else {
          const auto next = kLater == 0 ? window : Level::LoadWindows(in + kLater, starts_[v]);
          const auto high = Level::template As<T>(Level::PickBytes(next, places_[v] + later));
          values = Level::Funnel(low, high, shifts[v]);
        }
        Level::template Store<T>(out + i + v * kLanes, values & mask);
      }
    }
  }

 private:
  static constexpr int32_t kLanes = Level::template kCount<T>;
  static constexpr int32_t kVectors = kLanes >= 8 ? 1 : 8 / kLanes;
  static constexpr int32_t kGroup = kLanes * kVectors;
  static constexpr int32_t kWindowLanes = kLanes / Level::kWindows;
  static constexpr WindowPositions kPositions =
      MakeWindowPositions<T, Level::kBytes / Level::kWindows>();

  int32_t starts_[kVectors][Level::kWindows];
  typename Level::template Lanes<uint8_t> places_[kVectors];
  Lanes shifts_[kVectors];
  int64_t group_bytes_;
  T mask_;
};

/// The plain table takes the widths for which the level has no shift over two windows.
template <class Level, class T>
void Unpack(const uint8_t* in, int32_t bit_offset, int64_t count, int32_t bit_width, T* out) {
  using Unpacker = FieldUnpacker<Level, T>;
  using Reach = typename Unpacker::Reach;
  if (bit_width == Unpacker::kBits && bit_offset == 0) {
    __builtin_memcpy(out, in, static_cast<size_t>(count) * sizeof(T));
    return;
  }
  const auto reach = Unpacker::ReachOf(bit_width);
  if (reach == Reach::kOneLane) {
    Unpacker(bit_offset, bit_width).template Run<Reach::kOneLane>(in, count, out);
  } else if constexpr (Level::template kHasFunnel<T>) {
    const Unpacker unpacker(bit_offset, bit_width);
    if (reach == Reach::kOneWindow) {
      unpacker.template Run<Reach::kOneWindow>(in, count, out);
    } else {
      unpacker.template Run<Reach::kTwoWindows>(in, count, out);
    }
  } else {
    static_assert(sizeof(T) <= 4);
    if constexpr (sizeof(T) == 2) kPlainTable.unpack_16(in, bit_offset, count, bit_width, out);
    if constexpr (sizeof(T) == 4) kPlainTable.unpack_32(in, bit_offset, count, bit_width, out);
  }
}

}  // namespace
}  // namespace sluice::inline v0::kernels
