#include "tests/mutation/mutation.h"

#include <algorithm>
#include <random>

namespace sluice::support {
namespace {

class Damage {
 public:
  Damage(std::string_view bytes, uint64_t seed) : bytes_(bytes), random_(seed) {
    if (bytes.size() < 12) return;
    for (size_t i = 0; i < 4; ++i) {
      footer_ |= size_t{static_cast<uint8_t>(bytes[bytes.size() - 8 + i])} << (8 * i);
    }
    footer_ = std::min(footer_ + 8, bytes.size());
  }

  void Apply() {
    if (bytes_.empty()) bytes_.push_back('P');
    switch (Below(6)) {
      case 0:
      case 1:
        return Flip();
      case 2:
        return Overwrite();
      case 3:
        return Cut();
      case 4:
        return Insert();
      default:
        return Splice();
    }
  }

  std::string& bytes() { return bytes_; }
  size_t Below(size_t limit) { return random_() % std::max<size_t>(limit, 1); }

 private:
  size_t Place() {
    const size_t size = bytes_.size();
    if (Below(4) == 0 && footer_ <= size) return size - footer_ + Below(footer_);
    if (Below(3) == 0) return Below(std::min<size_t>(size, 200));
    return Below(size);
  }

  /// Short stretches are the likelier ones.
  size_t Length() { return 1 + Below(size_t{1} << Below(10)); }

  void Flip() {
    for (size_t i = 1 + Below(4); i > 0; --i) {
      char& byte = bytes_[Place()];
      byte = static_cast<char>(byte ^ (1 << Below(8)));
    }
  }

  void Overwrite() {
    constexpr uint8_t kTelling[] = {0x00, 0xff, 0x7f, 0x80, 0x01, 0xfe, 0x10, 0x19};
    const size_t place = Place();
    for (size_t i = 0; i < std::min<size_t>(1 + Below(10), bytes_.size() - place); ++i) {
      bytes_[place + i] = static_cast<char>(kTelling[Below(8)]);
    }
  }

  void Cut() { bytes_.erase(Place(), Length()); }

  void Insert() {
    std::string inserted(Length(), '\0');
    for (char& byte : inserted) byte = static_cast<char>(random_());
    bytes_.insert(Place(), inserted);
  }

  void Splice() {
    const std::string stretch = bytes_.substr(Place(), Length());
    const size_t place = Place();
    if (Below(2) == 0) {
      bytes_.insert(place, stretch);
    } else {
      bytes_.replace(place, stretch.size(), stretch);
    }
  }

  std::string bytes_;
  std::mt19937_64 random_;
  size_t footer_ = 0;
};

}  // namespace

std::string Mutate(std::string_view bytes, uint64_t seed) {
  Damage damage(bytes, seed);
  for (size_t i = 1 + damage.Below(3); i > 0; --i) damage.Apply();
  return std::move(damage.bytes());
}

}  // namespace sluice::support
