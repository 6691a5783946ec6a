// Codecs: faults C1 to C5.

#include <gtest/gtest.h>

#include "tests/support/file_builder.h"
#include "tests/support/file_reading.h"
#include "tests/support/page_bytes.h"

namespace sluice::support {
namespace {

constexpr int64_t kCount = 513;

std::string Values() {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < kCount; ++i) values.push_back(i * 1'000'003 % 4099);
  return PlainInt64(values);
}

std::vector<std::string> Expected() {
  std::vector<std::string> lines;
  for (int64_t i = 0; i < kCount; ++i) {
    lines.push_back("[" + std::to_string(i * 1'000'003 % 4099) + "]");
  }
  return lines;
}

/// A file of Values(), stored as `stored`.
std::string File(Codec codec, const std::string& stored,
                 std::optional<int64_t> uncompressed_size = std::nullopt) {
  ElementSpec column = Required("x", PhysicalType::kInt64);
  column.logical_type = LogicalInteger(64, false);
  PageSpec page = DataPage(Encoding::kPlain, kCount, Values());
  page.stored = stored;
  page.uncompressed_page_size = uncompressed_size;
  return BuildFile(OneRowGroup({column}, kCount, {Chunk({page}, codec)})).bytes;
}

std::string Half(int half) {
  const std::string values = Values();
  return half == 0 ? values.substr(0, 1000) : values.substr(1000);
}

TEST(CodecFaults, C1FramingsOfLz4) {
  const std::string values = Values();
  const std::vector<std::string> expected = Expected();
  ExpectRows(File(Codec::kLz4, HadoopLz4({values})), expected, 3);
  ExpectRows(File(Codec::kLz4, HadoopLz4({Half(0), Half(1)})), expected, 3);
  ExpectRows(File(Codec::kLz4, Lz4Frame(values)), expected, 3);
  ExpectRows(File(Codec::kLz4, Lz4Frame(Half(0)) + Lz4Frame(Half(1))), expected, 3);
  ExpectRows(File(Codec::kLz4, Lz4Block(values)), expected, 3);
  ExpectRows(File(Codec::kLz4Raw, Lz4Block(values)), expected, 3);
}

TEST(CodecFaults, C1Lz4RawHasNoFraming) {
  const std::string values = Values();
  ExpectError(File(Codec::kLz4Raw, HadoopLz4({values})), StatusCode::kCorruption, {"page 0"});
  ExpectError(File(Codec::kLz4Raw, Lz4Frame(values)), StatusCode::kCorruption, {"page 0"});
}

TEST(CodecFaults, C3GzipMembers) {
  const std::string members = Compress(Codec::kGzip, Half(0)) + Compress(Codec::kGzip, Half(1));
  ExpectRows(File(Codec::kGzip, members), Expected(), 3);
  const std::string with_empty = members + Compress(Codec::kGzip, "");
  ExpectRows(File(Codec::kGzip, with_empty), Expected(), 3);
  ExpectError(File(Codec::kGzip, members.substr(0, members.size() - 1)), StatusCode::kCorruption,
              {"page 0"});
  ExpectError(File(Codec::kGzip, Compress(Codec::kGzip, Half(0))), StatusCode::kCorruption,
              {"page 0"});
}

TEST(CodecFaults, C4ZstdFrames) {
  for (const bool first : {false, true}) {
    for (const bool second : {false, true}) {
      const std::string frames = ZstdFrame(Half(0), first) + ZstdFrame(Half(1), second);
      ExpectRows(File(Codec::kZstd, frames), Expected(), 3);
    }
  }
  ExpectError(File(Codec::kZstd, ZstdFrame(Half(0), false)), StatusCode::kCorruption, {"page 0"});
}

class EveryCodec : public testing::TestWithParam<Codec> {};

TEST_P(EveryCodec, C5OutputThatIsNotOfTheDeclaredSize) {
  const std::string values = Values();
  const std::string stored = Compress(GetParam(), values);
  ExpectRows(File(GetParam(), stored), Expected(), 3);
  const auto size = static_cast<int64_t>(values.size());
  for (const int64_t declared : {int64_t{0}, int64_t{8}, size - 1, size + 1, size * 2}) {
    SCOPED_TRACE(declared);
    ExpectError(File(GetParam(), stored, declared), StatusCode::kCorruption,
                {"row group 0", "page 0"});
  }
}

TEST_P(EveryCodec, C5InputThatIsCutOrLengthened) {
  const std::string stored = Compress(GetParam(), Values());
  for (const size_t size : {size_t{0}, size_t{1}, stored.size() / 2, stored.size() - 1}) {
    SCOPED_TRACE(size);
    ExpectError(File(GetParam(), stored.substr(0, size)), StatusCode::kCorruption, {"page 0"});
  }
  ExpectError(File(GetParam(), stored + "tail"), StatusCode::kCorruption, {"page 0"});
}

INSTANTIATE_TEST_SUITE_P(CodecFaults, EveryCodec,
                         testing::Values(Codec::kSnappy, Codec::kGzip, Codec::kBrotli, Codec::kLz4,
                                         Codec::kZstd, Codec::kLz4Raw));

TEST(CodecFaults, CodecsThatAreNotSupported) {
  for (const int32_t codec : {3, 8, 100, -1}) {
    SCOPED_TRACE(codec);
    ExpectError(File(static_cast<Codec>(codec), Values()), StatusCode::kUnsupported,
                {"row group 0", "x"});
  }
}

}  // namespace
}  // namespace sluice::support
