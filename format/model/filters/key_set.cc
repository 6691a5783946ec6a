#include "format/model/filters/key_set.h"

#include <sluice/bitmap.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace sluice::inline v0 {
namespace {

/// The hash's high bits are its good ones.
uint64_t Hash(uint64_t value) { return value * 0x9E3779B97F4A7C15; }

/// Integers a member from the first to the last, up to which each has a bit: as many bits as a hash
/// table would take.
constexpr uint64_t kDenseBits = 128;
/// Below so many integers in all, nothing takes less.
constexpr uint64_t kAlwaysDense = 1 << 16;

template <typename T>
T Load(const uint8_t* values, int64_t i) {
  T value;
  std::memcpy(&value, values + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}

}  // namespace

KeySet::KeySet(const std::vector<uint64_t>& members, int32_t width) : width_(width) {
  first_ = members.front();
  last_ = members.back() - first_;
  is_dense_ = last_ < kAlwaysDense || last_ / kDenseBits < members.size();
  if (is_dense_) {
    bits_.resize(last_ / 64 + 1);
    for (const uint64_t member : members) {
      SetBit(bits_.data(), static_cast<int64_t>(member - first_));
    }
    return;
  }
  // Few false alarms while the bits fit the first-level cache, fewer bits a member beyond.
  const uint64_t wanted = members.size() * (members.size() <= 4096 ? 64 : 16);
  const int bits = std::max(10, static_cast<int>(std::bit_width(wanted - 1)));
  hash_shift_ = 64 - bits;
  bits_.resize(uint64_t{1} << bits >> 6);
  for (const uint64_t member : members) {
    SetBit(bits_.data(), static_cast<int64_t>(Hash(member) >> hash_shift_));
  }
  MakeTable(members);
}

void KeySet::MakeTable(const std::vector<uint64_t>& members) {
  while (std::binary_search(members.begin(), members.end(), empty_)) ++empty_;
  const int bits = static_cast<int>(std::bit_width(members.size())) + 1;
  slot_shift_ = 64 - bits;
  slots_.assign(uint64_t{1} << bits, empty_);
  for (const uint64_t member : members) {
    uint64_t slot = Hash(member) >> slot_shift_;
    while (slots_[slot] != empty_) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = member;
  }
}

bool KeySet::IsInTable(uint64_t value) const {
  for (uint64_t slot = Hash(value) >> slot_shift_;; slot = (slot + 1) & (slots_.size() - 1)) {
    if (slots_[slot] == empty_) return false;
    if (slots_[slot] == value) return true;
  }
}

template <typename T>
uint64_t KeySet::TestDense(const uint8_t* values, int64_t count) const {
  uint64_t word = 0;
  for (int64_t i = 0; i < count; ++i) {
    // What lies outside is tested at the last bit, and is then not set whatever that is.
    const auto place = static_cast<T>(Load<T>(values, i) - static_cast<T>(first_));
    const bool is_inside = place <= last_;
    const uint64_t at = is_inside ? place : last_;
    word |= (bits_[at >> 6] >> (at & 63) & uint64_t{is_inside}) << i;
  }
  return word;
}

template <typename T>
uint64_t KeySet::TestHashed(const uint8_t* values, int64_t count) const {
  uint64_t candidates = 0;
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t at = Hash(Load<T>(values, i)) >> hash_shift_;
    candidates |= (bits_[at >> 6] >> (at & 63) & 1) << i;
  }
  uint64_t word = candidates;
  for (; candidates != 0; candidates &= candidates - 1) {
    const int at = std::countr_zero(candidates);
    if (!IsInTable(Load<T>(values, at))) word &= ~(uint64_t{1} << at);
  }
  return word;
}

template <typename T>
void KeySet::TestValues(const uint8_t* values, int64_t count, uint64_t* out) const {
  for (; count > 0; count -= 64, values += 64 * sizeof(T)) {
    const int64_t length = std::min<int64_t>(64, count);
    *out++ = is_dense_ ? TestDense<T>(values, length) : TestHashed<T>(values, length);
  }
}

void KeySet::Test(const uint8_t* values, int64_t count, uint64_t* out) const {
  switch (width_) {
    case 1:
      return TestValues<uint8_t>(values, count, out);
    case 2:
      return TestValues<uint16_t>(values, count, out);
    case 4:
      return TestValues<uint32_t>(values, count, out);
    default:
      return TestValues<uint64_t>(values, count, out);
  }
}

}  // namespace sluice::inline v0
