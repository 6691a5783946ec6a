#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include "format/parquet/write/bit_packing.h"
#include "format/parquet/write/rle_hybrid_encoder.h"
#include "format/parquet/write/value_encoder.h"

// A page:   | mode 0 | integer encoding 0 | log2 vector size | count, 4 bytes | vector offsets |
//           | vectors |
// A vector: | exponent | factor | exceptions, 2 bytes | frame of reference | bit width |
//           | packed | exception positions, 2 bytes each | exception values |

namespace sluice::inline v0::parquet {
namespace {

constexpr int kLogVectorSize = 10;
constexpr int64_t kVectorSize = 1 << kLogVectorSize;
constexpr int64_t kSample = 256;
constexpr size_t kCandidates = 5;

template <typename T>
struct AlpType;

template <>
struct AlpType<float> {
  using Integer = int32_t;
  static constexpr int kMaxExponent = 10;
  static constexpr float kLimit = 2147483648.0F;  // 2^31
  static constexpr std::array<float, 11> kPowers = {1e0F, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F,
                                                    1e6F, 1e7F, 1e8F, 1e9F, 1e10F};
  static constexpr std::array<float, 11> kInverses = {1e0F,  1e-1F, 1e-2F, 1e-3F, 1e-4F, 1e-5F,
                                                      1e-6F, 1e-7F, 1e-8F, 1e-9F, 1e-10F};
};

template <>
struct AlpType<double> {
  using Integer = int64_t;
  static constexpr int kMaxExponent = 18;
  static constexpr double kLimit = 9223372036854775808.0;  // 2^63
  static constexpr std::array<double, 19> kPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,
                                                     1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
                                                     1e14, 1e15, 1e16, 1e17, 1e18};
  static constexpr std::array<double, 19> kInverses = {
      1e0,   1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,  1e-8, 1e-9,
      1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18};
};

struct Scale {
  int exponent = 0;
  int factor = 0;
};

/// The integer that decodes to exactly the bits of `value` under `scale`, if there is one.
template <typename T>
std::optional<typename AlpType<T>::Integer> ToInteger(T value, Scale scale) {
  using Type = AlpType<T>;
  const T scaled = value * Type::kPowers[static_cast<size_t>(scale.exponent)] *
                   Type::kInverses[static_cast<size_t>(scale.factor)];
  // NaN and the infinities fail this, too.
  if (!(std::abs(scaled) < Type::kLimit)) return std::nullopt;
  const T rounded = std::nearbyint(scaled);
  if (!(std::abs(rounded) < Type::kLimit)) return std::nullopt;
  const auto integer = static_cast<typename Type::Integer>(rounded);
  const T decoded = static_cast<T>(integer) * Type::kPowers[static_cast<size_t>(scale.factor)] *
                    Type::kInverses[static_cast<size_t>(scale.exponent)];
  if (std::memcmp(&decoded, &value, sizeof(T)) != 0) return std::nullopt;
  return integer;
}

/// Bits that `values`, or a sample of them, take under `scale`, about.
template <typename T>
int64_t EstimateBits(std::span<const T> values, Scale scale) {
  using Integer = typename AlpType<T>::Integer;
  const size_t step = std::max<size_t>(1, values.size() / static_cast<size_t>(kSample));
  Integer low = std::numeric_limits<Integer>::max();
  Integer high = std::numeric_limits<Integer>::min();
  int64_t kept = 0;
  int64_t exceptions = 0;
  for (size_t i = 0; i < values.size(); i += step) {
    const auto integer = ToInteger(values[i], scale);
    if (!integer) {
      ++exceptions;
      continue;
    }
    ++kept;
    low = std::min(low, *integer);
    high = std::max(high, *integer);
  }
  const int64_t width =
      kept == 0 ? 0 : BitsFor(static_cast<uint64_t>(high) - static_cast<uint64_t>(low));
  return (kept + exceptions) * width + exceptions * static_cast<int64_t>(16 + 8 * sizeof(T));
}

/// The scales that suit the page best, the best one first.
template <typename T>
std::vector<Scale> ChooseCandidates(std::span<const T> values) {
  struct Rated {
    int64_t bits;
    Scale scale;
  };
  std::vector<Rated> all;
  for (int exponent = 0; exponent <= AlpType<T>::kMaxExponent; ++exponent) {
    for (int factor = 0; factor <= exponent; ++factor) {
      const Scale scale{exponent, factor};
      all.push_back({EstimateBits(values, scale), scale});
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Rated& a, const Rated& b) { return a.bits < b.bits; });
  std::vector<Scale> best;
  for (size_t i = 0; i < kCandidates; ++i) best.push_back(all[i].scale);
  return best;
}

template <typename T>
Scale ChooseScale(std::span<const T> vector, const std::vector<Scale>& candidates) {
  return *std::min_element(candidates.begin(), candidates.end(), [&](Scale a, Scale b) {
    return EstimateBits(vector, a) < EstimateBits(vector, b);
  });
}

template <typename T>
void PutVector(std::span<const T> values, Scale scale, std::vector<uint8_t>* out) {
  using Integer = typename AlpType<T>::Integer;
  using Unsigned = std::make_unsigned_t<Integer>;
  std::vector<Integer> integers(values.size());
  std::vector<uint16_t> exceptions;
  std::optional<Integer> first;
  for (size_t i = 0; i < values.size(); ++i) {
    if (const auto integer = ToInteger(values[i], scale)) {
      integers[i] = *integer;
      if (!first) first = *integer;
    } else {
      exceptions.push_back(static_cast<uint16_t>(i));
    }
  }
  // A stand-in that keeps the range tight.
  for (const uint16_t position : exceptions) integers[position] = first.value_or(0);

  const Integer low = *std::min_element(integers.begin(), integers.end());
  const Integer high = *std::max_element(integers.begin(), integers.end());
  const int32_t width =
      BitsFor(static_cast<Unsigned>(static_cast<Unsigned>(high) - static_cast<Unsigned>(low)));
  out->push_back(static_cast<uint8_t>(scale.exponent));
  out->push_back(static_cast<uint8_t>(scale.factor));
  PutLittleEndian(exceptions.size(), 2, out);
  PutLittleEndian(static_cast<Unsigned>(low), sizeof(T), out);
  out->push_back(static_cast<uint8_t>(width));
  BitPacker packer(out);
  for (const Integer integer : integers) {
    packer.Put(static_cast<Unsigned>(static_cast<Unsigned>(integer) - static_cast<Unsigned>(low)),
               width);
  }
  packer.Flush();
  for (const uint16_t position : exceptions) PutLittleEndian(position, 2, out);
  for (const uint16_t position : exceptions) {
    PutLittleEndian(std::bit_cast<Unsigned>(values[position]), sizeof(T), out);
  }
}

template <typename T>
void Encode(std::span<const T> values, std::vector<uint8_t>* out) {
  out->push_back(0);
  out->push_back(0);
  out->push_back(kLogVectorSize);
  PutLittleEndian(values.size(), 4, out);
  const size_t vectors = (values.size() + kVectorSize - 1) / kVectorSize;
  const size_t offsets = out->size();
  out->resize(offsets + 4 * vectors);
  if (vectors == 0) return;
  const std::vector<Scale> candidates = ChooseCandidates(values);
  for (size_t i = 0; i < vectors; ++i) {
    const auto offset = static_cast<uint32_t>(out->size() - offsets);
    std::memcpy(out->data() + offsets + 4 * i, &offset, 4);
    const size_t begin = i * kVectorSize;
    const auto vector = values.subspan(begin, std::min<size_t>(kVectorSize, values.size() - begin));
    PutVector(vector, ChooseScale(vector, candidates), out);
  }
}

}  // namespace

void EncodeAlp(const uint8_t* values, int64_t count, int32_t element_bytes,
               std::vector<uint8_t>* out) {
  const auto size = static_cast<size_t>(count);
  if (element_bytes == 4) {
    Encode(std::span(reinterpret_cast<const float*>(values), size), out);
  } else {
    Encode(std::span(reinterpret_cast<const double*>(values), size), out);
  }
}

}  // namespace sluice::inline v0::parquet
