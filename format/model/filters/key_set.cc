#include "format/model/filters/key_set.h"

#include <sluice/buffer.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "format/model/bitmap_words.h"

namespace sluice::inline v0 {
namespace {

/// The high bits are the good ones.
uint64_t SlotHash(uint64_t value) { return value * 0x9E3779B97F4A7C15; }

/// Integers a member from the first to the last, up to which each has a bit: as many bits as a hash
/// table would take.
constexpr uint64_t kDenseBits = 128;
/// Below so many integers in all, nothing takes less.
constexpr uint64_t kAlwaysDense = 1 << 16;
/// Codes are 31 bits at most.
constexpr uint64_t kMostDense = uint64_t{1} << 30;

constexpr int64_t kPieceValues = 1024;

uint64_t Load(const uint8_t* values, int64_t i, int32_t width) {
  uint64_t value = 0;
  if (width == 4) {
    std::memcpy(&value, values + i * 4, 4);
  } else {
    std::memcpy(&value, values + i * 8, 8);
  }
  return value;
}

}  // namespace

KeySet::KeySet(const std::vector<uint64_t>& members, int32_t width,
               const kernels::KernelTable* kernels)
    : width_(width), kernels_(kernels) {
  first_ = members.front();
  const uint64_t last = members.back() - first_;
  is_dense_ = last < kAlwaysDense || (last < kMostDense && last / kDenseBits < members.size());
  if (is_dense_) {
    num_bits_ = static_cast<int64_t>(last) + 2;
    bits_.resize(static_cast<size_t>(BitmapWords(num_bits_)));
    for (const uint64_t member : members) {
      SetBit(bits_.data(), static_cast<int64_t>(member - first_));
    }
    return;
  }
  const auto hash_bits =
      std::clamp<int>(static_cast<int>(std::bit_width(members.size() * 16)), 10, 31);
  hash_shift_ = 32 - hash_bits;
  num_bits_ = int64_t{1} << hash_bits;
  bits_.resize(static_cast<size_t>(num_bits_ / 64));
  std::vector<int32_t> code(1 + kReadPadding / sizeof(int32_t));
  for (const uint64_t member : members) {
    uint64_t padded[1 + kReadPadding / sizeof(uint64_t)] = {member};
    (width_ == 4 ? kernels_->hash_codes_4 : kernels_->hash_codes_8)(padded, 1, hash_shift_,
                                                                    code.data());
    SetBit(bits_.data(), code[0]);
  }
  MakeTable(members);
}

void KeySet::MakeTable(const std::vector<uint64_t>& members) {
  while (std::binary_search(members.begin(), members.end(), empty_)) ++empty_;
  const auto slot_bits = static_cast<int32_t>(std::bit_width(members.size())) + 1;
  slot_shift_ = 64 - slot_bits;
  slots_.assign(size_t{1} << slot_bits, empty_);
  for (const uint64_t member : members) {
    uint64_t slot = SlotHash(member) >> slot_shift_;
    while (slots_[slot] != empty_) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = member;
  }
}

bool KeySet::IsInTable(uint64_t value) const {
  for (uint64_t slot = SlotHash(value) >> slot_shift_;; slot = (slot + 1) & (slots_.size() - 1)) {
    if (slots_[slot] == empty_) return false;
    if (slots_[slot] == value) return true;
  }
}

/// Values of 1 and 2 bytes, whose sets are always dense.
void KeySet::TestBytes(const uint8_t* values, int64_t count, uint64_t* out) const {
  std::fill_n(out, BitmapWords(count), uint64_t{0});
  for (int64_t i = 0; i < count; ++i) {
    uint16_t value = 0;
    std::memcpy(&value, values + i * width_, static_cast<size_t>(width_));
    const uint64_t offset = value - first_;  // Wraps around below the first.
    if (offset < static_cast<uint64_t>(num_bits_) &&
        GetBit(bits_.data(), static_cast<int64_t>(offset))) {
      SetBit(out, i);
    }
  }
}

void KeySet::TestPiece(const uint8_t* values, int64_t count, uint64_t* out) const {
  alignas(64) int32_t codes[kPieceValues + kReadPadding / sizeof(int32_t)];
  if (is_dense_) {
    const auto limit = static_cast<int32_t>(num_bits_ - 1);
    (width_ == 4 ? kernels_->offset_codes_4 : kernels_->offset_codes_8)(values, count, first_,
                                                                        limit, codes);
  } else {
    (width_ == 4 ? kernels_->hash_codes_4 : kernels_->hash_codes_8)(values, count, hash_shift_,
                                                                    codes);
  }
  kernels_->look_up(codes, count, bits_.data(), num_bits_, out);
  if (is_dense_) return;
  ForEachSetBit(out, count, [&](int64_t i) {
    if (!IsInTable(Load(values, i, width_))) ClearBit(out, i);
  });
}

void KeySet::Test(const uint8_t* values, int64_t count, uint64_t* out) const {
  if (width_ < 4) return TestBytes(values, count, out);
  for (int64_t at = 0; at < count; at += kPieceValues) {
    TestPiece(values + at * width_, std::min(kPieceValues, count - at), out + at / 64);
  }
}

}  // namespace sluice::inline v0
