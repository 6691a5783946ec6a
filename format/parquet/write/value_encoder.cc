#include "format/parquet/write/value_encoder.h"

#include <algorithm>
#include <cstring>

#include "format/parquet/write/bit_packing.h"
#include "format/parquet/write/rle_hybrid_encoder.h"

namespace sluice::inline v0::parquet {
namespace {

void EncodePlain(const ValueBuffer& values, std::vector<uint8_t>* out) {
  // At once: doubling would take three times the values.
  if (values.type() != PhysicalType::kBoolean) {
    out->reserve(out->size() + static_cast<size_t>(values.plain_bytes()));
  }
  if (values.type() == PhysicalType::kBoolean) {
    BitPacker packer(out);
    for (const uint8_t value : values.bytes()) packer.Put(value, 1);
    packer.Flush();
  } else if (values.width() != 0) {
    out->insert(out->end(), values.bytes().begin(), values.bytes().end());
  } else {
    for (int64_t i = 0; i < values.count(); ++i) {
      const std::string_view value = values.Value(i);
      PutLittleEndian(value.size(), 4, out);
      out->insert(out->end(), value.begin(), value.end());
    }
  }
}

/// | length of what follows, 4 bytes | hybrid of width 1 |  (fault E10)
void EncodeRleBooleans(const ValueBuffer& values, std::vector<uint8_t>* out) {
  const size_t start = out->size();
  PutLittleEndian(0, 4, out);
  EncodeRleHybrid(std::span<const uint8_t>(values.bytes()), 1, out);
  const auto length = static_cast<uint32_t>(out->size() - start - 4);
  std::memcpy(out->data() + start, &length, 4);
}

template <typename T>
void EncodeDeltaIntegers(const ValueBuffer& values, std::vector<uint8_t>* out) {
  // Page values lie in a vector's own allocation, which is aligned for every integer.
  EncodeDelta(std::span(reinterpret_cast<const T*>(values.bytes().data()),
                        static_cast<size_t>(values.count())),
              out);
}

void EncodeDeltaLengths(const ValueBuffer& values, std::vector<uint8_t>* out) {
  std::vector<int32_t> lengths(static_cast<size_t>(values.count()));
  for (int64_t i = 0; i < values.count(); ++i) {
    lengths[static_cast<size_t>(i)] = static_cast<int32_t>(values.Value(i).size());
  }
  EncodeDelta(std::span<const int32_t>(lengths), out);
  out->insert(out->end(), values.bytes().begin(), values.bytes().end());
}

/// | delta prefix lengths | delta suffix lengths | suffixes |, from an empty previous value in each
/// page (fault E9).
void EncodeDeltaStrings(const ValueBuffer& values, std::vector<uint8_t>* out) {
  std::vector<int32_t> prefixes;
  ValueBuffer suffixes(PhysicalType::kByteArray, 0);
  std::string_view previous;
  for (int64_t i = 0; i < values.count(); ++i) {
    const std::string_view value = values.Value(i);
    const auto shorter = static_cast<std::ptrdiff_t>(std::min(previous.size(), value.size()));
    const auto differ =
        std::mismatch(previous.begin(), previous.begin() + shorter, value.begin()).second;
    const auto shared = static_cast<size_t>(differ - value.begin());
    prefixes.push_back(static_cast<int32_t>(shared));
    suffixes.Append(value.substr(shared));
    previous = value;
  }
  EncodeDelta(std::span<const int32_t>(prefixes), out);
  EncodeDeltaLengths(suffixes, out);
}

void EncodeByteStreamSplit(const ValueBuffer& values, std::vector<uint8_t>* out) {
  const auto width = static_cast<size_t>(values.width());
  const auto count = static_cast<size_t>(values.count());
  const size_t start = out->size();
  out->resize(start + width * count);
  for (size_t stream = 0; stream < width; ++stream) {
    uint8_t* to = out->data() + start + stream * count;
    const uint8_t* from = values.bytes().data();
    for (size_t i = 0; i < count; ++i) to[i] = from[i * width + stream];
  }
}

}  // namespace

bool IsWritable(Encoding encoding, PhysicalType type) {
  using enum PhysicalType;
  const bool is_integer = type == kInt32 || type == kInt64;
  const bool is_float = type == kFloat || type == kDouble;
  switch (encoding) {
    case Encoding::kPlain:
      return true;
    case Encoding::kRle:
      return type == kBoolean;
    case Encoding::kDeltaBinaryPacked:
      return is_integer;
    case Encoding::kDeltaLengthByteArray:
      return type == kByteArray;
    case Encoding::kDeltaByteArray:
      return type == kByteArray || type == kFixedLenByteArray;
    case Encoding::kByteStreamSplit:
      return is_integer || is_float || type == kFixedLenByteArray;
    case Encoding::kAlp:
      return is_float;
    case Encoding::kPlainDictionary:
    case Encoding::kBitPacked:
    case Encoding::kRleDictionary:
      break;
  }
  return false;
}

void EncodeValues(Encoding encoding, const ValueBuffer& values, std::vector<uint8_t>* out) {
  switch (encoding) {
    case Encoding::kRle:
      return EncodeRleBooleans(values, out);
    case Encoding::kDeltaBinaryPacked:
      return values.width() == 4 ? EncodeDeltaIntegers<int32_t>(values, out)
                                 : EncodeDeltaIntegers<int64_t>(values, out);
    case Encoding::kDeltaLengthByteArray:
      return EncodeDeltaLengths(values, out);
    case Encoding::kDeltaByteArray:
      return EncodeDeltaStrings(values, out);
    case Encoding::kByteStreamSplit:
      return EncodeByteStreamSplit(values, out);
    case Encoding::kAlp:
      return EncodeAlp(values.bytes().data(), values.count(), values.width(), out);
    case Encoding::kPlain:
    case Encoding::kPlainDictionary:
    case Encoding::kBitPacked:
    case Encoding::kRleDictionary:
      return EncodePlain(values, out);
  }
}

}  // namespace sluice::inline v0::parquet
