#pragma once

// Leaves of every type that files have, and stored values for them.

#include <cmath>
#include <limits>

#include "tests/format/parquet/filter/filtered_pages.h"

namespace sluice::inline v0::parquet::testing {

/// Integers from `least` to `most`: stretches of random ones, runs, slow and fast slopes that go
/// around the ends, and the ends themselves.
inline std::vector<int64_t> Integers(std::mt19937_64& random, size_t count, int64_t least,
                                     int64_t most) {
  const uint64_t span = static_cast<uint64_t>(most) - static_cast<uint64_t>(least);
  const auto at = [&](uint64_t place) {
    const uint64_t within = span == ~uint64_t{0} ? place : place % (span + 1);
    return static_cast<int64_t>(static_cast<uint64_t>(least) + within);
  };
  std::vector<int64_t> values;
  while (values.size() < count) {
    const uint64_t kind = random() % 6;
    uint64_t place = random() % 3 == 0 ? random() % 20 - 10 : random();
    const uint64_t step = random() % 3 == 0 ? random() : random() % 1000;
    for (size_t length = 1 + random() % 900; length > 0 && values.size() < count; --length) {
      if (kind == 0) place = random();
      if (kind == 1) place = 0 - static_cast<uint64_t>(least) + random() % 40 - 20;
      if (kind == 3) place += random() % 5;
      if (kind == 4) place += step;
      if (kind == 5) place = random() % 2 ? random() % 3 : span - random() % 3;
      values.push_back(at(place));
    }
  }
  return values;
}

template <typename T, int64_t kLeast = std::numeric_limits<T>::min(),
          int64_t kMost = std::numeric_limits<T>::max(), int32_t kBytes = sizeof(T)>
Strings StoredIntegers(std::mt19937_64& random, size_t count) {
  Strings stored;
  for (const int64_t value : Integers(random, count, kLeast, kMost)) {
    stored.push_back(support::LittleEndian(static_cast<uint64_t>(value), kBytes));
  }
  return stored;
}

/// Decimals as big-endian bytes, of fixed or any length.
template <int32_t kBytes>
Strings StoredDecimals(std::mt19937_64& random, size_t count) {
  Strings stored;
  using Limits = std::numeric_limits<int64_t>;
  for (const int64_t value : Integers(random, count, kBytes < 8 ? -(1 << 20) : Limits::min(),
                                      kBytes < 8 ? 1 << 20 : Limits::max())) {
    std::string bytes = support::BigEndian(static_cast<uint64_t>(value), 8);
    const char sign = value < 0 ? -1 : 0;
    constexpr size_t kSize = kBytes == 0 ? 8 : static_cast<size_t>(kBytes);
    if (kSize < 8) bytes = bytes.substr(8 - kSize);
    if (kSize > 8) bytes = std::string(kSize - 8, sign) + bytes;
    if (kBytes == 0 && random() % 2) bytes = std::string(random() % 8, sign) + bytes;
    stored.push_back(bytes);
  }
  return stored;
}

template <typename Bits>
Strings StoredFloats(std::mt19937_64& random, size_t count) {
  const Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  const Bits infinity = sizeof(Bits) == 2   ? Bits(0x7C00)
                        : sizeof(Bits) == 4 ? static_cast<Bits>(0x7F80'0000)
                                            : static_cast<Bits>(0x7FF0'0000'0000'0000);
  const Bits special[] = {0,
                          sign,
                          infinity,
                          static_cast<Bits>(infinity | sign),
                          1,
                          Bits(~sign),
                          Bits(-1),
                          static_cast<Bits>(infinity + 1),
                          Bits(sign | 1),
                          static_cast<Bits>(infinity - 1),
                          static_cast<Bits>((infinity | sign) + 5)};
  Strings stored;
  while (stored.size() < count) {
    const uint64_t kind = random() % 3;
    const Bits repeated = static_cast<Bits>(random());
    for (size_t length = 1 + random() % 300; length > 0 && stored.size() < count; --length) {
      Bits bits = repeated;
      if (kind == 0) bits = static_cast<Bits>(random());
      if (kind == 1) bits = special[random() % std::size(special)];
      stored.push_back(support::LittleEndian(bits, sizeof(Bits)));
    }
  }
  return stored;
}

inline Strings StoredBooleans(std::mt19937_64& random, size_t count) {
  Strings stored;
  for (const int64_t value : Integers(random, count, 0, 1)) {
    stored.push_back(std::string(1, static_cast<char>(value)));
  }
  return stored;
}

/// One instant may be of two days.
inline Strings StoredInt96(std::mt19937_64& random, size_t count) {
  Strings stored;
  for (size_t i = 0; i < count; ++i) {
    const auto day = static_cast<int32_t>(random() % 4);
    const auto of_day = static_cast<int64_t>(random() % 3) * 86'400'000'000'000 +
                        static_cast<int64_t>(random() % 3);
    stored.push_back(support::PlainInt96(of_day, 2'440'588 + day));
  }
  return stored;
}

/// Around the inline length, long ones with equal ends, zero bytes, and text that is none.
inline Strings StoredStrings(std::mt19937_64& random, size_t count) {
  const std::string long_one(300, 'x');
  const Strings special = {"",
                           std::string(1, '\0'),
                           std::string(5, '\0'),
                           "abc",
                           std::string("abc\0", 4),
                           "abcd",
                           "abcdefghijkl",
                           "abcdefghijklm",
                           long_one,
                           long_one + "y",
                           std::string("\xC3\xA9t\xC3\xA9"),
                           std::string("\xA9t\xC3"),
                           std::string("\xFF\xFE\xFD\xFC\xFB"),
                           "100%_\\",
                           std::string(10'000, 'z')};
  Strings stored;
  while (stored.size() < count) {
    const uint64_t kind = random() % 40;
    if (kind < 12) {
      stored.push_back(special[random() % (kind == 0 ? special.size() : special.size() - 1)]);
    } else if (kind < 20) {
      stored.push_back("user_" + std::to_string(random() % 100'000'000));
    } else {
      std::string value(random() % 18, 'a');
      for (char& byte : value) {
        if (random() % 4 == 0) byte = static_cast<char>(random() % 3 ? 'b' : random());
      }
      stored.push_back(value);
    }
  }
  return stored;
}

template <size_t kBytes>
Strings StoredFixedBytes(std::mt19937_64& random, size_t count) {
  Strings stored;
  for (size_t i = 0; i < count; ++i) {
    std::string value(kBytes, 'q');
    if (random() % 4) value[random() % kBytes] = static_cast<char>(random() % 3);
    if (random() % 4) value[kBytes - 1] = static_cast<char>(random());
    stored.push_back(value);
  }
  return stored;
}

inline std::vector<LeafCase> LeafCases() {
  using enum Encoding;
  using P = PhysicalType;
  const std::vector<Encoding> integers = {kPlain, kDeltaBinaryPacked, kByteStreamSplit,
                                          kRleDictionary};
  const std::vector<Encoding> floats = {kPlain, kByteStreamSplit, kAlp, kRleDictionary};
  const std::vector<Encoding> fixed = {kPlain, kByteStreamSplit, kDeltaByteArray, kRleDictionary};
  const std::vector<Encoding> bytes = {kPlain, kDeltaLengthByteArray, kDeltaByteArray,
                                       kRleDictionary};
  const auto of = [](TypeId id) { return DataType::Of(id); };
  return {
      {"boolean", of(TypeId::kBoolean), P::kBoolean, 0, {kPlain, kRle}, StoredBooleans},
      {"int8", of(TypeId::kInt8), P::kInt32, 0, integers, StoredIntegers<int8_t, -128, 127, 4>},
      {"uint8", of(TypeId::kUint8), P::kInt32, 0, integers, StoredIntegers<uint8_t, 0, 255, 4>},
      {"int16", of(TypeId::kInt16), P::kInt32, 0, integers,
       StoredIntegers<int16_t, -32768, 32767, 4>},
      {"uint16", of(TypeId::kUint16), P::kInt32, 0, integers,
       StoredIntegers<uint16_t, 0, 65535, 4>},
      {"int32", of(TypeId::kInt32), P::kInt32, 0, integers, StoredIntegers<int32_t>},
      {"uint32", of(TypeId::kUint32), P::kInt32, 0, integers, StoredIntegers<int32_t>},
      {"date", of(TypeId::kDate), P::kInt32, 0, integers, StoredIntegers<int32_t, 0, 30'000>},
      {"int64", of(TypeId::kInt64), P::kInt64, 0, integers, StoredIntegers<int64_t>},
      {"uint64", of(TypeId::kUint64), P::kInt64, 0, integers, StoredIntegers<int64_t>},
      {"timestamp", DataType::Timestamp(TimeUnit::kMicroseconds, true), P::kInt64, 0, integers,
       StoredIntegers<int64_t, 0, 2'000'000'000'000'000>},
      {"decimal 4", DataType::Decimal(9, 2, 4), P::kInt32, 0, integers, StoredIntegers<int32_t>},
      {"decimal 4 of bytes", DataType::Decimal(6, 2, 4), P::kFixedLenByteArray, 3, fixed,
       StoredDecimals<3>},
      {"decimal 8", DataType::Decimal(18, 2, 8), P::kInt64, 0, integers, StoredIntegers<int64_t>},
      {"decimal 8 of bytes", DataType::Decimal(18, 2, 8), P::kByteArray, 0, bytes,
       StoredDecimals<0>},
      {"decimal 16", DataType::Decimal(38, 2, 16), P::kFixedLenByteArray, 16, fixed,
       StoredDecimals<16>},
      {"decimal 32", DataType::Decimal(76, 2, 32), P::kFixedLenByteArray, 32, fixed,
       StoredDecimals<32>},
      {"float16", of(TypeId::kFloat16), P::kFixedLenByteArray, 2, fixed, StoredFloats<uint16_t>},
      {"float", of(TypeId::kFloat), P::kFloat, 0, floats, StoredFloats<uint32_t>},
      {"double", of(TypeId::kDouble), P::kDouble, 0, floats, StoredFloats<uint64_t>},
      {"int96", of(TypeId::kInt96), P::kInt96, 0, {kPlain, kRleDictionary}, StoredInt96},
      {"fixed binary", DataType::FixedBinary(5), P::kFixedLenByteArray, 5, fixed,
       StoredFixedBytes<5>},
      {"long fixed binary",
       DataType::FixedBinary(1000),
       P::kFixedLenByteArray,
       1000,
       {kPlain, kDeltaByteArray},
       StoredFixedBytes<1000>},
      {"uuid", of(TypeId::kUuid), P::kFixedLenByteArray, 16, fixed, StoredFixedBytes<16>},
      {"interval", of(TypeId::kInterval), P::kFixedLenByteArray, 12, fixed, StoredFixedBytes<12>},
      {"string", of(TypeId::kString), P::kByteArray, 0, bytes, StoredStrings},
      {"binary", of(TypeId::kBinary), P::kByteArray, 0, bytes, StoredStrings},
  };
}

}  // namespace sluice::inline v0::parquet::testing
