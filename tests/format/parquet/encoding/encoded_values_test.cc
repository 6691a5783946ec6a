// Values in their encoded form, as filters see them before anything is decoded: what the forms say
// must be what decoding gives, at every place of a page.

#include "format/parquet/encoding/encoded_values.h"

#include <gtest/gtest.h>

#include <random>

#include "format/parquet/encoding/dictionary_index_decoder.h"
#include "tests/format/parquet/encoding/delta_bytes.h"
#include "tests/format/parquet/encoding/hybrid_runs.h"
#include "tests/format/parquet/encoding/page_bytes.h"

namespace sluice {
namespace {

using namespace parquet;           // NOLINT
using namespace parquet::testing;  // NOLINT

std::unique_ptr<ValueDecoder> Open(const PageCase& page, PageBody* body) {
  return MakeValueDecoder(page.encoding, page.type, page.type_length, page.num_values(), body,
                          BufferPool::Make().get())
      .value();
}

uint64_t PackedValue(const HybridRun& run, int32_t bit_width, int64_t i) {
  uint64_t value = 0;
  for (int32_t bit = 0; bit < bit_width; ++bit) {
    const int64_t at = run.bit_offset + i * bit_width + bit;
    value |= uint64_t{static_cast<uint64_t>(run.packed[at / 8] >> (at % 8) & 1)} << bit;
  }
  return value;
}

TEST(EncodedValues, PlainBytesStandInPlace) {
  std::mt19937_64 random(1);
  for (const int32_t width : {4, 8, 7}) {
    PageCase page;
    page.type = width == 4   ? PhysicalType::kInt32
                : width == 8 ? PhysicalType::kDouble
                             : PhysicalType::kFixedLenByteArray;
    page.type_length = width;
    for (int i = 0; i < 500; ++i) {
      std::string value(static_cast<size_t>(width), static_cast<char>(random()));
      value[0] = static_cast<char>(i);
      page.bytes.insert(page.bytes.end(), value.begin(), value.end());
      page.values.push_back(value);
    }
    PageBody body = DrippingBodyOf(page.bytes, 16);
    const auto decoder = Open(page, &body);
    for (int64_t at = 0; decoder->remaining() > 0;) {
      const int64_t count =
          std::min<int64_t>(1 + static_cast<int64_t>(random() % 40), decoder->remaining());
      const uint8_t* bytes = decoder->EncodedBytes(count).value();
      for (int64_t i = 0; i < count; ++i) {
        const char* value = reinterpret_cast<const char*>(bytes + i * width);
        EXPECT_EQ(std::string(value, static_cast<size_t>(width)),
                  page.values[static_cast<size_t>(at + i)]);
      }
      ASSERT_TRUE(decoder->Skip(count).ok());
      at += count;
    }
    EXPECT_FALSE(decoder->EncodedBytes(1).has_value());
  }
}

TEST(EncodedValues, RunsOfBooleans) {
  std::mt19937_64 random(2);
  for (const Encoding encoding : {Encoding::kPlain, Encoding::kRle}) {
    const HybridCase made = RandomHybrid(random, 1, 5000);
    PageCase page;
    page.encoding = encoding;
    page.type = PhysicalType::kBoolean;
    for (const uint64_t value : made.values) page.values.push_back(std::string(1, value ? 1 : 0));
    if (encoding == Encoding::kPlain) {
      AppendPacked(page.bytes, made.values, 1);
    } else {
      AppendInteger(page.bytes, made.bytes.size(), 4);
      Append(page.bytes, made.bytes);
    }
    PageBody body = BodyOf(page.bytes);
    const auto decoder = Open(page, &body);
    for (int64_t at = 0; decoder->remaining() > 0;) {
      const auto at_most = static_cast<int64_t>(1 + random() % 100);
      const HybridRun run = decoder->EncodedRun(at_most).value().value();
      ASSERT_GT(run.length, 0);
      ASSERT_LE(run.length, std::min(at_most, decoder->remaining()));
      for (int64_t i = 0; i < run.length; ++i) {
        EXPECT_EQ(run.is_repeated ? run.value : PackedValue(run, 1, i),
                  made.values[static_cast<size_t>(at + i)]);
      }
      ASSERT_TRUE(decoder->Skip(run.length).ok());
      at += run.length;
    }
  }
}

TEST(EncodedValues, MiniblocksBoundTheirValues) {
  std::mt19937_64 random(3);
  PageCase page;
  page.encoding = Encoding::kDeltaBinaryPacked;
  page.type = PhysicalType::kInt64;
  std::vector<int64_t> deltas = {-7};
  for (int i = 1; i < 3000; ++i) {
    deltas.push_back(deltas.back() + static_cast<int64_t>(random() % 500) - 200);
  }
  AppendDelta(page.bytes, deltas, 64, DeltaLayout{});
  page.values.assign(deltas.size(), std::string(8, 0));
  PageBody body = BodyOf(page.bytes);
  const auto decoder = Open(page, &body);
  while (decoder->remaining() > 0) {
    const DeltaMiniblock miniblock = decoder->EncodedMiniblock().value().value();
    const int64_t count =
        std::min<int64_t>(miniblock.length, 1 + static_cast<int64_t>(random() % 9));
    uint64_t values[16];
    ASSERT_TRUE(decoder->ReadFixed(count, reinterpret_cast<uint8_t*>(values)).ok());
    uint64_t previous = miniblock.previous;
    for (int64_t i = 0; i < count; ++i) {
      EXPECT_LE(values[i] - previous - miniblock.min_delta, LowBits(miniblock.bit_width));
      previous = values[i];
    }
  }
}

TEST(EncodedValues, RunsOfCodes) {
  std::mt19937_64 random(4);
  for (const int32_t bit_width : {1, 3, 7, 12, 20}) {
    const HybridCase made = RandomHybrid(random, bit_width, 3000);
    Bytes bytes = {static_cast<uint8_t>(bit_width)};
    Append(bytes, made.bytes);
    const auto largest =
        static_cast<int32_t>(*std::max_element(made.values.begin(), made.values.end()));
    for (const int32_t size : {largest + 1, largest}) {
      PageBody body = BodyOf(bytes);
      const auto num_values = static_cast<int64_t>(made.values.size());
      auto decoder = DictionaryIndexDecoder::Open(&body, num_values, size).value();
      Status status;
      for (int64_t at = 0; decoder.remaining() > 0;) {
        const auto run = decoder.Run(static_cast<int64_t>(1 + random() % 2000));
        status = run.status();
        if (!run) break;
        for (int64_t i = 0; i < run->length; ++i) {
          EXPECT_EQ(run->is_repeated ? run->value : PackedValue(*run, bit_width, i),
                    made.values[static_cast<size_t>(at + i)]);
        }
        ASSERT_TRUE(decoder.Skip(run->length).ok());
        at += run->length;
      }
      EXPECT_EQ(status.code(), size > largest ? StatusCode::kOk : StatusCode::kCorruption);
    }
  }
}

TEST(EncodedValues, OtherEncodingsHaveNone) {
  PageCase page;
  page.encoding = Encoding::kByteStreamSplit;
  page.type = PhysicalType::kFloat;
  page.bytes = Bytes(40, 1);
  page.values.assign(10, std::string(4, 1));
  PageBody body = BodyOf(page.bytes);
  const auto decoder = Open(page, &body);
  EXPECT_FALSE(decoder->EncodedRun(1).value().has_value());
  EXPECT_FALSE(decoder->EncodedMiniblock().value().has_value());
  EXPECT_EQ(decoder->EncodedBytes(1).value(), nullptr);
}

}  // namespace
}  // namespace sluice
