#include "format/parquet/encoding/rle_hybrid.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/format/parquet/encoding/hybrid_runs.h"
#include "tests/format/parquet/encoding/page_bytes.h"

namespace sluice {
namespace {

using namespace parquet;           // NOLINT
using namespace parquet::testing;  // NOLINT

RleHybridDecoder Open(PageBody* body, int32_t bit_width, int64_t num_values) {
  return RleHybridDecoder::Open(body, 0, body->size(), bit_width, num_values).value();
}

struct Outcome {
  Status status;
  std::vector<uint32_t> values;
};

Outcome ReadAll(const Bytes& bytes, int32_t bit_width, int64_t num_values) {
  PageBody body = BodyOf(bytes);
  RleHybridDecoder decoder = Open(&body, bit_width, num_values);
  Outcome outcome;
  outcome.values.resize(static_cast<size_t>(num_values) + 16);
  outcome.status = decoder.Read(num_values, outcome.values.data());
  outcome.values.resize(static_cast<size_t>(num_values));
  return outcome;
}

using Values = std::vector<uint32_t>;

TEST(RleHybrid, EmptyRunsHaveNoBody) {
  // fault P4: an RLE run of none, then four times 1.
  const Outcome repeated = ReadAll({0x00, 0x08, 0x01}, 1, 4);
  ASSERT_TRUE(repeated.status.ok()) << repeated.status.ToString();
  EXPECT_EQ(repeated.values, Values({1, 1, 1, 1}));
  // The same with a bit-packed run of no groups.
  const Outcome packed = ReadAll({0x01, 0x08, 0x01}, 1, 4);
  ASSERT_TRUE(packed.status.ok()) << packed.status.ToString();
  EXPECT_EQ(packed.values, Values({1, 1, 1, 1}));
}

TEST(RleHybrid, NothingButEmptyRunsEnds) {
  EXPECT_EQ(ReadAll(Bytes(100000, 0x00), 1, 4).status.code(), StatusCode::kCorruption);
}

TEST(RleHybrid, DeclaredSpanBoundsTheRuns) {
  // fault P3: the span holds four levels, eight are expected, and PLAIN values follow it.
  const Bytes bytes = {0x08, 0x01, 0x08, 0x01};
  PageBody body = BodyOf(bytes);
  RleHybridDecoder decoder = RleHybridDecoder::Open(&body, 0, 2, 1, 8).value();
  uint16_t levels[64];
  const Status status = decoder.Read(8, levels);
  EXPECT_EQ(status.code(), StatusCode::kCorruption);
  EXPECT_NE(status.message().find("byte 2: "), std::string::npos) << status.message();
}

TEST(RleHybrid, LastGroupMayLackItsPadding) {
  // fault P5, ODDITIES 7: 5 values 1 2 3 4 5 of 3 bits in a group whose third byte is missing:
  //   10 001, 0 011 010 1, ...
  const Bytes cut = {0x03, 0xd1, 0x58};
  const Outcome outcome = ReadAll(cut, 3, 5);
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.ToString();
  EXPECT_EQ(outcome.values, Values({1, 2, 3, 4, 5}));
  // A sixth value is not there.
  EXPECT_EQ(ReadAll(cut, 3, 6).status.code(), StatusCode::kCorruption);
  // Whole, with ones for padding.
  EXPECT_EQ(ReadAll({0x03, 0xd1, 0xd8, 0xff}, 3, 5).values, Values({1, 2, 3, 4, 5}));
}

TEST(RleHybrid, MissingPayloadIsCorruption) {
  // fault P7: a repeated value without the value, a group without its bytes.
  EXPECT_EQ(ReadAll({0x02}, 1, 1).status.code(), StatusCode::kCorruption);
  EXPECT_EQ(ReadAll({0x03}, 1, 8).status.code(), StatusCode::kCorruption);
  EXPECT_EQ(ReadAll({}, 1, 1).status.code(), StatusCode::kCorruption);
  // A value of 20 bits has three bytes.
  EXPECT_EQ(ReadAll({0x02, 0x01, 0x00}, 20, 1).status.code(), StatusCode::kCorruption);
}

TEST(RleHybrid, ExhaustionComesAtTheCountForEveryWidth) {
  // fault P8.
  for (int bit_width = 0; bit_width <= 32; ++bit_width) {
    Bytes bytes;
    const std::vector<uint64_t> values(100, LowBits(bit_width));
    AppendPackedRun(bytes, values, bit_width, LowBits(bit_width));
    PageBody body = BodyOf(bytes);
    RleHybridDecoder decoder = Open(&body, bit_width, 100);
    std::vector<uint32_t> out(101 + 16);
    ASSERT_TRUE(decoder.Read(100, out.data()).ok());
    EXPECT_EQ(out[99], LowBits(bit_width));
    EXPECT_EQ(decoder.remaining(), 0);
    EXPECT_EQ(decoder.Read(1, out.data()).code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(decoder.Skip(1).code(), StatusCode::kInvalidArgument);
    EXPECT_FALSE(decoder.Run().has_value());
  }
}

TEST(RleHybrid, WidthZeroHasNoPayload) {
  // fault E11: 44 values of no bits.
  const Outcome outcome = ReadAll({0x58}, 0, 44);
  ASSERT_TRUE(outcome.status.ok());
  EXPECT_EQ(outcome.values, Values(44, 0));
}

TEST(RleHybrid, BadWidthsAndHeadersAreCorruption) {
  PageBody body = BodyOf({0x02, 0x00});
  EXPECT_EQ(RleHybridDecoder::Open(&body, 0, 2, 33, 1).error().code(), StatusCode::kCorruption);
  EXPECT_EQ(RleHybridDecoder::Open(&body, 0, 2, 255, 1).error().code(), StatusCode::kCorruption);
  // A header of 33 bits, one that never ends, and one of more than 64 bits.
  const Bytes wide = {0x80, 0x80, 0x80, 0x80, 0x10, 0x01};
  EXPECT_EQ(ReadAll(wide, 1, 1).status.code(), StatusCode::kCorruption);
  EXPECT_EQ(ReadAll(Bytes(5, 0x80), 1, 1).status.code(), StatusCode::kCorruption);
  EXPECT_EQ(ReadAll(Bytes(30, 0xff), 1, 1).status.code(), StatusCode::kCorruption);
  // A repeated value beyond the bit width.
  EXPECT_EQ(ReadAll({0x02, 0x08}, 3, 1).status.code(), StatusCode::kCorruption);
}

TEST(RleHybrid, LongestRunsAreClampedToThePage) {
  // 2^31 - 1 times 1, and as many bit-packed groups of no bits.
  EXPECT_EQ(ReadAll({0xfe, 0xff, 0xff, 0xff, 0x0f, 0x01}, 1, 3).values, Values({1, 1, 1}));
  EXPECT_EQ(ReadAll({0xff, 0xff, 0xff, 0xff, 0x0f}, 0, 3).values, Values({0, 0, 0}));
}

TEST(RleHybrid, RunsAreExposed) {
  Bytes bytes;
  AppendRepeatedRun(bytes, 5, 2, 3);
  AppendPackedRun(bytes, {1, 2, 3, 4, 5, 6, 7, 0}, 3);
  PageBody body = BodyOf(bytes);
  RleHybridDecoder decoder = Open(&body, 3, 12);
  HybridRun run = decoder.Run().value();
  EXPECT_TRUE(run.is_repeated);
  EXPECT_EQ(run.length, 5);
  EXPECT_EQ(run.value, 2u);
  decoder.Take(5);
  run = decoder.Run(4).value();
  EXPECT_FALSE(run.is_repeated);
  EXPECT_EQ(run.length, 4);
  decoder.Take(3);
  run = decoder.Run().value();
  EXPECT_EQ(run.length, 4) << "no more than the page holds";
  EXPECT_EQ(*run.packed >> run.bit_offset & 7, 4 & 7);
}

// Read, Skip and Select in every order, from bodies that are there and that drip.
TEST(RleHybrid, EveryWidthInEveryMixture) {
  std::mt19937_64 random(3);
  for (int bit_width = 0; bit_width <= 32; ++bit_width) {
    const HybridCase made = RandomHybrid(random, bit_width, 4000);
    for (const int64_t drop : {0, 1, 100}) {
      PageBody body = drop == 0 ? BodyOf(made.bytes) : DrippingBodyOf(made.bytes, drop);
      RleHybridDecoder decoder = Open(&body, bit_width, 4000);
      const int64_t longest = drop == 1 ? 20 : 3000;
      for (int64_t at = 0; at < 4000;) {
        const int64_t count = std::min<int64_t>(4000 - at, 1 + random() % longest);
        std::vector<uint32_t> out(static_cast<size_t>(count) + 16);
        std::vector<uint32_t> expected;
        const auto kind = random() % 4;
        const auto* values = made.values.data() + at;
        if (kind == 0) {
          ASSERT_TRUE(decoder.Skip(count).ok());
        } else if (kind == 1) {
          ASSERT_TRUE(decoder.Read(count, out.data()).ok());
          for (int64_t i = 0; i < count; ++i) expected.push_back(uint32_t(values[i]));
        } else if (kind == 2 && bit_width <= 16) {
          std::vector<uint16_t> levels(static_cast<size_t>(count) + 32);
          ASSERT_TRUE(decoder.Read(count, levels.data()).ok());
          out.assign(levels.begin(), levels.end());
          for (int64_t i = 0; i < count; ++i) expected.push_back(uint32_t(values[i]));
        } else {
          const double densities[] = {0, 0.01, 0.2, 0.9};
          const auto selection = RandomSelection(random, count, densities[random() % 4]);
          ASSERT_TRUE(decoder.Select(count, selection.data(), out.data()).ok());
          for (int64_t i = 0; i < count; ++i) {
            if (GetBit(selection.data(), i)) expected.push_back(uint32_t(values[i]));
          }
        }
        out.resize(expected.size());
        ASSERT_EQ(out, expected) << "width " << bit_width << " at " << at;
        at += count;
      }
      EXPECT_EQ(decoder.remaining(), 0);
    }
  }
}

TEST(RleHybrid, BitsOfWidthsZeroAndOne) {
  std::mt19937_64 random(4);
  for (int bit_width = 0; bit_width <= 1; ++bit_width) {
    const HybridCase made = RandomHybrid(random, bit_width, 3000);
    PageBody body = BodyOf(made.bytes);
    RleHybridDecoder decoder = Open(&body, bit_width, 3000);
    std::vector<uint64_t> bits(60, 0);
    int64_t end = 0;
    for (int64_t at = 0; at < 3000;) {
      const int64_t count = std::min<int64_t>(3000 - at, 1 + random() % 200);
      if (random() % 4 == 0) {
        ASSERT_TRUE(decoder.Skip(count).ok());
      } else {
        ASSERT_TRUE(decoder.ReadBits(count, bits.data(), end).ok());
        for (int64_t i = 0; i < count; ++i) {
          ASSERT_EQ(GetBit(bits.data(), end + i), made.values[at + i] != 0);
        }
        end += count;
      }
      at += count;
    }
  }
}

TEST(RleHybrid, SkippedTailsAreNotDecompressed) {
  Bytes bytes;
  for (int i = 0; i < 100; ++i) AppendPackedRun(bytes, std::vector<uint64_t>(80, 5), 8);
  PageBody body = DrippingBodyOf(bytes, 1);
  RleHybridDecoder decoder = Open(&body, 8, 8000);
  std::vector<uint32_t> out(32);
  ASSERT_TRUE(decoder.Read(10, out.data()).ok());
  ASSERT_TRUE(decoder.Skip(7990).ok());
  EXPECT_LE(body.available(), 12);
}

TEST(RleHybrid, TruncationsAreSafe) {
  std::mt19937_64 random(5);
  const HybridCase made = RandomHybrid(random, 5, 300);
  for (size_t size = 0; size < made.bytes.size(); ++size) {
    const Outcome outcome = ReadAll(Bytes(made.bytes.begin(), made.bytes.begin() + size), 5, 300);
    if (outcome.status.ok()) {
      EXPECT_EQ(outcome.values, Values(made.values.begin(), made.values.end()));
    } else {
      EXPECT_EQ(outcome.status.code(), StatusCode::kCorruption);
    }
  }
}

}  // namespace
}  // namespace sluice
