#include "format/model/filters/byte_set.h"

#include <sluice/bitmap.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>

namespace sluice::inline v0 {
namespace {

uint64_t Hash(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace

ByteSet::ByteSet(std::shared_ptr<const std::vector<std::string>> members)
    : members_(std::move(members)) {
  const size_t count = members_->size();
  const int key_bits = std::max(10, static_cast<int>(std::bit_width(count * 16)));
  key_shift_ = 64 - key_bits;
  keys_.resize(uint64_t{1} << key_bits >> 6);
  slots_.resize(uint64_t{1} << (std::bit_width(count) + 1));
  for (size_t i = 0; i < count; ++i) {
    const std::string& member = (*members_)[i];
    SetBit(keys_.data(),
           static_cast<int64_t>(HashOf(StringKey::Of(std::string_view(member))) >> key_shift_));
    const uint64_t hash = Hash(member);
    uint64_t slot = hash & (slots_.size() - 1);
    while (slots_[slot].member >= 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = {static_cast<uint32_t>(hash >> 32), static_cast<int32_t>(i)};
  }
}

bool ByteSet::Holds(std::string_view bytes) const {
  const uint64_t hash = Hash(bytes);
  for (uint64_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
    const Slot& slot = slots_[at];
    if (slot.member < 0) return false;
    if (slot.hash == static_cast<uint32_t>(hash >> 32) &&
        (*members_)[static_cast<size_t>(slot.member)] == bytes) {
      return true;
    }
  }
}

}  // namespace sluice::inline v0
