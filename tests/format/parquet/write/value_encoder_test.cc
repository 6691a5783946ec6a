#include "format/parquet/write/value_encoder.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "format/parquet/write/dictionary_builder.h"
#include "format/parquet/write/rle_hybrid_encoder.h"
#include "tests/support/reference_encodings.h"

namespace sluice {
namespace {

using parquet::Encoding;
using parquet::PhysicalType;
using parquet::ValueBuffer;

std::string AsString(const std::vector<uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

template <typename T>
std::string Plain(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

/// Encodes `values` and expects the independent reader to find them again.
std::vector<uint8_t> ExpectRoundTrip(Encoding encoding, PhysicalType type, int32_t type_length,
                                     const std::vector<std::string>& values) {
  ValueBuffer buffer(type, type_length);
  for (const std::string& value : values) buffer.Append(value);
  std::vector<uint8_t> out;
  parquet::EncodeValues(encoding, buffer, &out);
  EXPECT_EQ(support::ReadValues(AsString(out), encoding, type, type_length, values.size(), {}),
            values)
      << Name(encoding) << " of " << Name(type);
  return out;
}

template <typename T>
std::vector<std::string> Extremes() {
  std::vector<std::string> values;
  std::mt19937_64 random(7);
  for (int i = 0; i < 1000; ++i) {
    T value = static_cast<T>(random());
    if (i % 3 == 0) value = std::numeric_limits<T>::max();
    if (i % 5 == 0) value = std::numeric_limits<T>::min();
    values.push_back(Plain(value));
  }
  return values;
}

std::vector<std::string> Strings() {
  std::vector<std::string> values = {"", "axis", "axle", "", "babble", "babyhood", "\xff\xfe"};
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i) {
    values.push_back(std::string(random() % 40, static_cast<char>('a' + random() % 2)));
  }
  return values;
}

TEST(RleHybrid, RunsAndGroups) {
  // Five ones, then twenty sevens: three sevens fill the first group.
  std::vector<uint32_t> values(5, 1);
  values.insert(values.end(), 20, 7);
  std::vector<uint8_t> out;
  parquet::EncodeRleHybrid(std::span<const uint32_t>(values), 3, &out);
  EXPECT_EQ(out, (std::vector<uint8_t>{3, 0x49, 0x92, 0xff, 17 << 1, 7}));
}

TEST(RleHybrid, EveryWidthAndMixture) {
  std::mt19937 random(11);
  for (int width = 0; width <= 32; ++width) {
    for (int round = 0; round < 20; ++round) {
      std::vector<uint32_t> values;
      while (values.size() < 300) {
        const auto value = static_cast<uint32_t>(random() & ((uint64_t{1} << width) - 1));
        values.insert(values.end(), 1 + random() % (round % 2 == 0 ? 3 : 40), value);
      }
      std::vector<uint8_t> out;
      parquet::EncodeRleHybrid(std::span<const uint32_t>(values), width, &out);
      const std::string bytes = AsString(out);
      support::ByteCursor cursor(bytes);
      const std::vector<uint64_t> read = support::ReadHybrid(cursor, width, values.size());
      ASSERT_TRUE(std::equal(values.begin(), values.end(), read.begin(), read.end())) << width;
    }
  }
}

TEST(RleHybrid, OneEntryDictionaryTakesNoBytes) {  // fault E11
  std::vector<uint8_t> out;
  parquet::EncodeDictionaryIndices(std::vector<uint32_t>(44, 0), 1, &out);
  EXPECT_EQ(out, (std::vector<uint8_t>{0, 44 << 1}));
}

TEST(ValueEncoder, Plain) {
  ExpectRoundTrip(Encoding::kPlain, PhysicalType::kInt32, 0, Extremes<int32_t>());
  ExpectRoundTrip(Encoding::kPlain, PhysicalType::kByteArray, 0, Strings());
  ExpectRoundTrip(Encoding::kPlain, PhysicalType::kFixedLenByteArray, 3, {"abc", "def"});
  const std::string no(1, '\0');
  const std::string yes(1, '\1');
  const std::vector<uint8_t> bits = ExpectRoundTrip(Encoding::kPlain, PhysicalType::kBoolean, 0,
                                                    {yes, no, yes, yes, no, no, no, no, yes});
  EXPECT_EQ(bits, (std::vector<uint8_t>{0x0d, 0x01}));
}

TEST(ValueEncoder, RleBooleansHaveTheirLength) {  // fault E10
  const std::string no(1, '\0');
  const std::string yes(1, '\1');
  const std::vector<uint8_t> bytes =
      ExpectRoundTrip(Encoding::kRle, PhysicalType::kBoolean, 0, {yes, no, yes});
  EXPECT_EQ(bytes, (std::vector<uint8_t>{2, 0, 0, 0, 3, 0x05}));
  ExpectRoundTrip(Encoding::kRle, PhysicalType::kBoolean, 0, {});
}

TEST(ValueEncoder, DeltaOfTheSpecificationsExample) {
  std::vector<uint8_t> out;
  const std::vector<int32_t> values = {7, 5, 3, 1, 2, 3, 4, 5};
  parquet::EncodeDelta(std::span<const int32_t>(values), &out);
  // Block of 128 in 4; 8 values from 7; minimum -2; widths 2, 0, 0, 0; 0 0 0 3 3 3 3.
  const std::vector<uint8_t> head = {0x80, 0x01, 4, 8, 14, 3, 2, 0, 0, 0, 0xc0, 0x3f};
  ASSERT_EQ(out.size(), head.size() + 6);
  EXPECT_TRUE(std::equal(head.begin(), head.end(), out.begin()));
}

TEST(ValueEncoder, DeltaWrapsAround) {  // fault E2
  constexpr auto kMax = std::numeric_limits<int64_t>::max();
  constexpr auto kMin = std::numeric_limits<int64_t>::min();
  ExpectRoundTrip(Encoding::kDeltaBinaryPacked, PhysicalType::kInt64, 0,
                  {Plain(kMax), Plain(kMin), Plain(kMax), Plain(int64_t{0}), Plain(kMin)});
  ExpectRoundTrip(Encoding::kDeltaBinaryPacked, PhysicalType::kInt64, 0, Extremes<int64_t>());
  ExpectRoundTrip(Encoding::kDeltaBinaryPacked, PhysicalType::kInt32, 0, Extremes<int32_t>());
}

TEST(ValueEncoder, DeltaOfEveryCount) {
  std::vector<std::string> values;
  for (int64_t i = 0; i < 300; ++i) {
    ExpectRoundTrip(Encoding::kDeltaBinaryPacked, PhysicalType::kInt64, 0, values);
    values.push_back(Plain(i * i - 40 * i));
  }
}

TEST(ValueEncoder, DeltaStrings) {
  for (const Encoding encoding : {Encoding::kDeltaLengthByteArray, Encoding::kDeltaByteArray}) {
    ExpectRoundTrip(encoding, PhysicalType::kByteArray, 0, Strings());
    ExpectRoundTrip(encoding, PhysicalType::kByteArray, 0, {});
    ExpectRoundTrip(encoding, PhysicalType::kByteArray, 0, {"one"});
  }
  ExpectRoundTrip(Encoding::kDeltaByteArray, PhysicalType::kFixedLenByteArray, 4,
                  {"aaaa", "aaab", "aaab", "baab"});
}

TEST(ValueEncoder, ByteStreamSplit) {
  ExpectRoundTrip(Encoding::kByteStreamSplit, PhysicalType::kInt32, 0, Extremes<int32_t>());
  ExpectRoundTrip(Encoding::kByteStreamSplit, PhysicalType::kInt64, 0, Extremes<int64_t>());
  ExpectRoundTrip(Encoding::kByteStreamSplit, PhysicalType::kFloat, 0, {Plain(1.5F), Plain(-2.5F)});
  ExpectRoundTrip(Encoding::kByteStreamSplit, PhysicalType::kFixedLenByteArray, 5,
                  {"abcde", "fghij", "klmno"});
}

/// Decodes ALP by the letter of its specification, with the powers that it prescribes.
template <typename T, typename Integer>
std::vector<std::string> NaiveAlp(const std::vector<uint8_t>& page) {
  const auto load = [&page](size_t at, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; ++i) value |= uint64_t{page.at(at + i)} << (8 * i);
    return value;
  };
  const auto power = [](int e) {
    const std::string literal = "1e" + std::to_string(e);
    return sizeof(T) == 4 ? static_cast<T>(std::stof(literal)) : static_cast<T>(std::stod(literal));
  };
  EXPECT_EQ(load(0, 2), 0U);
  const size_t vector_size = size_t{1} << page.at(2);
  const size_t count = load(3, 4);
  std::vector<std::string> values;
  for (size_t vector = 0; vector * vector_size < count; ++vector) {
    const size_t in_vector = std::min(vector_size, count - vector * vector_size);
    size_t at = 7 + load(7 + 4 * vector, 4);
    const auto e = static_cast<int>(page.at(at));
    const auto f = static_cast<int>(page.at(at + 1));
    EXPECT_LE(f, e);
    const size_t exceptions = load(at + 2, 2);
    const uint64_t frame = load(at + 4, sizeof(T));
    const size_t width = page.at(at + 4 + sizeof(T));
    at += 5 + sizeof(T);
    for (size_t i = 0; i < in_vector; ++i) {
      uint64_t delta = 0;
      for (size_t bit = 0; bit < width; ++bit) {
        const size_t place = i * width + bit;
        delta |= uint64_t{page.at(at + place / 8) >> (place % 8) & 1U} << bit;
      }
      const auto integer = static_cast<Integer>(frame + delta);
      values.push_back(Plain(static_cast<T>(static_cast<T>(integer) * power(f) * power(-e))));
    }
    at += (in_vector * width + 7) / 8;
    for (size_t i = 0; i < exceptions; ++i) {
      const size_t position = vector * vector_size + load(at + 2 * i, 2);
      const size_t bytes = at + 2 * exceptions + i * sizeof(T);
      values.at(position) =
          std::string(page.begin() + static_cast<std::ptrdiff_t>(bytes),
                      page.begin() + static_cast<std::ptrdiff_t>(bytes + sizeof(T)));
    }
  }
  return values;
}

template <typename T, typename Integer>
size_t ExpectAlp(PhysicalType type, const std::vector<T>& values) {
  ValueBuffer buffer(type, 0);
  std::vector<std::string> plain;
  for (const T value : values) {
    plain.push_back(Plain(value));
    buffer.Append(plain.back());
  }
  std::vector<uint8_t> out;
  parquet::EncodeValues(Encoding::kAlp, buffer, &out);
  const std::vector<std::string> read = NaiveAlp<T, Integer>(out);
  EXPECT_EQ(read, plain);
  return out.size();
}

TEST(ValueEncoder, AlpKeepsEveryBit) {
  std::mt19937_64 random(5);
  std::vector<double> doubles = {-0.0,
                                 0.0,
                                 1500.0,
                                 std::bit_cast<double>(uint64_t{0x7ff8000000000123}),
                                 333.5,
                                 std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::denorm_min(),
                                 std::numeric_limits<double>::max(),
                                 9223372036854775807.0,
                                 -9223372036854775808.0};
  std::vector<float> floats = {-0.0F, 1.5F, NAN, INFINITY, 2147483648.0F, -2147483648.0F, 0.1F};
  for (int i = 0; i < 3000; ++i) {
    doubles.push_back(std::bit_cast<double>(random()));
    floats.push_back(std::bit_cast<float>(static_cast<uint32_t>(random())));
  }
  ExpectAlp<double, int64_t>(PhysicalType::kDouble, doubles);
  ExpectAlp<float, int32_t>(PhysicalType::kFloat, floats);
  ExpectAlp<double, int64_t>(PhysicalType::kDouble, {});
  ExpectAlp<double, int64_t>(PhysicalType::kDouble, std::vector<double>(1024, NAN));
}

TEST(ValueEncoder, AlpShrinksDecimals) {
  std::vector<double> prices;
  for (int i = 0; i < 5000; ++i) prices.push_back((i * 37 % 10000) / 100.0);
  const size_t bytes = ExpectAlp<double, int64_t>(PhysicalType::kDouble, prices);
  EXPECT_LT(bytes, prices.size() * 2);
  std::vector<float> small;
  for (int i = 0; i < 5000; ++i) small.push_back(static_cast<float>(i % 100) / 10.0F);
  EXPECT_LT((ExpectAlp<float, int32_t>(PhysicalType::kFloat, small)), small.size() * 2);
}

TEST(ValueEncoder, WhatTheSpecificationAllows) {
  EXPECT_TRUE(parquet::IsWritable(Encoding::kDeltaByteArray, PhysicalType::kFixedLenByteArray));
  EXPECT_FALSE(parquet::IsWritable(Encoding::kDeltaByteArray, PhysicalType::kInt32));
  EXPECT_FALSE(parquet::IsWritable(Encoding::kByteStreamSplit, PhysicalType::kByteArray));
  EXPECT_FALSE(parquet::IsWritable(Encoding::kAlp, PhysicalType::kInt64));
  EXPECT_FALSE(parquet::IsWritable(Encoding::kRle, PhysicalType::kInt32));
  EXPECT_FALSE(parquet::IsWritable(Encoding::kBitPacked, PhysicalType::kBoolean));
}

}  // namespace
}  // namespace sluice
