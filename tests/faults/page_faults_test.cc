// Pages and levels: faults P1 to P11.

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/file_builder.h"
#include "tests/support/file_reading.h"
#include "tests/support/page_bytes.h"
#include "tests/support/reference_reader.h"

namespace sluice::support {
namespace {

std::string OneOptionalColumn(int64_t num_rows, const ChunkSpec& chunk) {
  return BuildFile(OneRowGroup({Optional("x", PhysicalType::kInt32)}, num_rows, {chunk})).bytes;
}

std::string OneColumn(PhysicalType type, int64_t num_rows, const ChunkSpec& chunk) {
  return BuildFile(OneRowGroup({Required("x", type)}, num_rows, {chunk})).bytes;
}

TEST(PageFaults, P1PageOfNullsWithoutCompressedBytes) {
  for (const Codec codec : {Codec::kSnappy, Codec::kGzip, Codec::kZstd, Codec::kLz4, Codec::kLz4Raw,
                            Codec::kBrotli, Codec::kUncompressed}) {
    for (const Encoding encoding : {Encoding::kPlain, Encoding::kDeltaBinaryPacked}) {
      SCOPED_TRACE(static_cast<int>(codec));
      PageSpec page = DataPageV2(encoding, 10, 10, 10, "", RleRun(10, 0, 1));
      page.is_compressed = true;
      page.stored = page.definition_levels;
      ExpectRows(OneOptionalColumn(10, Chunk({page}, codec)),
                 std::vector<std::string>(10, "[null]"), 2);
    }
  }
}

TEST(PageFaults, P2AbsentIsCompressedMeansCompressed) {
  const PageSpec page = DataPageV2(Encoding::kPlain, 3, 0, 3, PlainInt32({1, 2, 3}));
  ASSERT_FALSE(page.is_compressed);
  ExpectRows(OneColumn(PhysicalType::kInt32, 3, Chunk({page}, Codec::kSnappy)),
             {"[1]", "[2]", "[3]"});
  PageSpec plain = page;
  plain.is_compressed = false;
  ExpectRows(OneColumn(PhysicalType::kInt32, 3, Chunk({plain}, Codec::kSnappy)),
             {"[1]", "[2]", "[3]"});
}

TEST(PageFaults, P3LevelsEndBeforeTheirPageDoes) {
  // The stream covers 4 of 8 levels; the values behind it would pass for runs.
  const PageSpec page =
      DataPage(Encoding::kPlain, 8, PlainInt32({1, 2, 3, 4, 5, 6, 7, 8}), RleRun(4, 1, 1));
  ExpectError(OneOptionalColumn(8, Chunk({page})), StatusCode::kCorruption,
              {"row group 0", "page 0"});
  const PageSpec page_v2 =
      DataPageV2(Encoding::kPlain, 8, 0, 8, PlainInt32({1, 2, 3, 4, 5, 6, 7, 8}), RleRun(4, 1, 1));
  ExpectError(OneOptionalColumn(8, Chunk({page_v2})), StatusCode::kCorruption,
              {"row group 0", "page 0"});
}

TEST(PageFaults, P3LevelLengthPastThePage) {
  PageSpec page = DataPage(Encoding::kPlain, 2, PlainInt32({1, 2}));
  for (const std::string_view length : {"ffffffff", "ffffff7f", "40000000", "00000080"}) {
    SCOPED_TRACE(length);
    page.definition_levels = Hex(length) + RleRun(2, 1, 1);
    ExpectError(OneOptionalColumn(2, Chunk({page})), StatusCode::kCorruption, {"page 0"});
  }
  page.definition_levels = "";
  page.values = Hex("0200");
  ExpectError(OneOptionalColumn(2, Chunk({page})), StatusCode::kCorruption, {"page 0"});
  PageSpec page_v2 = DataPageV2(Encoding::kPlain, 2, 0, 2, PlainInt32({1, 2}), RleRun(2, 1, 1));
  for (const int64_t length : {int64_t{-1}, int64_t{11}, int64_t{INT32_MAX}, int64_t{INT32_MIN}}) {
    SCOPED_TRACE(length);
    page_v2.definition_levels_byte_length = length;
    ExpectError(OneOptionalColumn(2, Chunk({page_v2})), StatusCode::kCorruption, {"page 0"});
  }
}

TEST(PageFaults, P4EmptyRunsInLevels) {
  for (const std::string_view stream : {"00 0801", "01 0801", "00 0000 0801", "0801 00"}) {
    SCOPED_TRACE(stream);
    const PageSpec page = DataPage(Encoding::kPlain, 4, PlainInt32({1, 2, 3, 4}), Hex(stream));
    ExpectRows(OneOptionalColumn(4, Chunk({page})), {"[1]", "[2]", "[3]", "[4]"});
  }
}

TEST(PageFaults, P4EmptyRunsInIndicesAndBooleans) {
  const PageSpec indices =
      DataPage(Encoding::kRleDictionary, 4, DictionaryIndices(1, Hex("00 0801")));
  ExpectRows(
      OneColumn(PhysicalType::kInt32, 4, Chunk({DictionaryPage(2, PlainInt32({10, 20})), indices})),
      {"[20]", "[20]", "[20]", "[20]"});
  const PageSpec booleans = DataPage(Encoding::kRle, 4, WithLength(Hex("00 0801")));
  ExpectRows(OneColumn(PhysicalType::kBoolean, 4, Chunk({booleans})),
             {"[true]", "[true]", "[true]", "[true]"});
}

TEST(PageFaults, P4NothingButEmptyRuns) {
  const PageSpec page =
      DataPage(Encoding::kPlain, 4, PlainInt32({1, 2, 3, 4}), std::string(5000, '\0'));
  ExpectError(OneOptionalColumn(4, Chunk({page})), StatusCode::kCorruption, {"page 0"});
}

TEST(PageFaults, P5LastGroupPaddedOrCut) {
  const PageSpec dictionary = DictionaryPage(6, PlainInt32({10, 11, 12, 13, 14, 15}));
  const std::vector<std::string> expected = {"[11]", "[15]", "[10]", "[14]", "[12]"};
  const std::vector<uint64_t> indices = {1, 5, 0, 4, 2};
  const auto read = [&](const std::string& runs) {
    return OneColumn(
        PhysicalType::kInt32, 5,
        Chunk({dictionary, DataPage(Encoding::kRleDictionary, 5, DictionaryIndices(3, runs))}));
  };
  // Padding that is no index of the dictionary is never looked at.
  ExpectRows(read(BitPackedRun(indices, 3, 7)), expected);
  const std::string whole = BitPackedRun(indices, 3);
  ASSERT_EQ(whole.size(), 4U);
  ExpectRows(read(whole.substr(0, 3)), expected);  // 15 bits are in 2 bytes.
  ExpectError(read(whole.substr(0, 2)), StatusCode::kCorruption, {"page 1"});
}

TEST(PageFaults, P6PaddingIsNoRecord) {
  // Pages of one bit-packed group each; the padding of the repetition levels is 0, a record start.
  const auto page = [](const std::vector<int64_t>& values, const std::vector<uint64_t>& levels) {
    return DataPage(Encoding::kPlain, static_cast<int64_t>(levels.size()), PlainInt32(values),
                    BitPackedRun(std::vector<uint64_t>(levels.size(), 1), 1, 1),
                    BitPackedRun(levels, 1, 0));
  };
  const BuiltFile file = BuildFile(
      OneRowGroup({Repeated("x", PhysicalType::kInt32)}, 5,
                  {Chunk({page({1, 2, 3}, {0, 1, 0}), page({4, 5, 6, 7}, {0, 0, 1, 0})})}));
  ExpectRows(file.bytes, {"[[1,2]]", "[[3]]", "[[4]]", "[[5,6]]", "[[7]]"}, 30);
}

TEST(PageFaults, P7RunsWithoutPayload) {
  for (const std::string_view stream : {"02", "03", "ff", "ffffffffffffffffffff01", "fe", ""}) {
    SCOPED_TRACE(stream);
    PageSpec page = DataPage(Encoding::kPlain, 1, PlainInt32({1}));
    page.definition_levels = WithLength(Hex(stream));
    ExpectError(OneOptionalColumn(1, Chunk({page})), StatusCode::kCorruption,
                {"row group 0", "x", "page 0"});
    const PageSpec indices =
        DataPage(Encoding::kRleDictionary, 1, DictionaryIndices(1, Hex(stream)));
    ExpectError(
        OneColumn(PhysicalType::kInt32, 1, Chunk({DictionaryPage(1, PlainInt32({1})), indices})),
        StatusCode::kCorruption, {"row group 0", "x", "page 1"});
  }
}

class EveryWidth : public testing::TestWithParam<int32_t> {};

TEST_P(EveryWidth, P8DictionaryIndicesEndExactly) {
  // 100 values in bit-packed groups; the page claims 100 and 105. The group's padding makes 104.
  const int32_t width = GetParam();
  const uint64_t mask = (uint64_t{1} << width) - 1;
  std::vector<uint64_t> indices(100);
  std::vector<std::string> expected;
  for (size_t i = 0; i < indices.size(); ++i) {
    indices[i] = (i * 7) & mask & 63;
    expected.push_back("[" + std::to_string(indices[i]) + "]");
  }
  std::vector<int64_t> entries(64);
  std::iota(entries.begin(), entries.end(), 0);
  const PageSpec dictionary = DictionaryPage(64, PlainInt32(entries));
  const std::string runs = BitPackedRun(indices, width);
  const auto file = [&](int64_t num_values) {
    return OneColumn(PhysicalType::kInt32, num_values,
                     Chunk({dictionary, DataPage(Encoding::kRleDictionary, num_values,
                                                 DictionaryIndices(width, runs))}));
  };
  ExpectRows(file(100), expected, 2);
  ExpectError(file(105), StatusCode::kCorruption, {"page 1"});
}
INSTANTIATE_TEST_SUITE_P(PageFaults, EveryWidth, testing::Range(0, 33));

class EveryDeltaWidth : public testing::TestWithParam<int32_t> {};

TEST_P(EveryDeltaWidth, P8DeltasEndExactly) {
  // Deltas that alternate between 0 and 2^width - 1; then one value more than the stream holds.
  const int32_t width = GetParam();
  const uint64_t largest = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  std::vector<int64_t> values(100, 0);
  for (size_t i = 1; i < values.size(); ++i) {
    values[i] = static_cast<int64_t>(static_cast<uint64_t>(values[i - 1]) +
                                     (i % 2 == 0 ? largest : uint64_t{0}));
  }
  const std::string body = DeltaBinaryPacked(values);
  const auto file = [&](int64_t num_values) {
    return OneColumn(PhysicalType::kInt64, num_values,
                     Chunk({DataPage(Encoding::kDeltaBinaryPacked, num_values, body)}));
  };
  const auto expected = ReferenceRows(file(100));
  ASSERT_TRUE(expected);
  ExpectRows(file(100), *expected, 2);
  ExpectError(file(101), StatusCode::kCorruption, {"page 0"});
}
INSTANTIATE_TEST_SUITE_P(PageFaults, EveryDeltaWidth, testing::Range(0, 65));

TEST(PageFaults, P10OffsetIndexContradictsThePages) {
  // Page 0 holds 3 record starts, page 1 two; the index says 2 and 3.
  const auto page = [](const std::vector<int64_t>& values, const std::vector<uint64_t>& levels) {
    return DataPage(Encoding::kPlain, static_cast<int64_t>(levels.size()), PlainInt32(values),
                    RleRun(levels.size(), 1, 1), RleRuns(levels, 1));
  };
  ChunkSpec chunk = Chunk({page({1, 2, 3, 4}, {0, 1, 0, 0}), page({5, 6, 7}, {0, 1, 0})});
  chunk.with_offset_index = true;
  const auto file = [&](int64_t first_row) {
    chunk.pages[1].first_row = first_row;
    return BuildFile(OneRowGroup({Repeated("x", PhysicalType::kInt32)}, 5, {chunk})).bytes;
  };
  const std::vector<std::string> expected = {"[[1,2]]", "[[3]]", "[[4]]", "[[5,6]]", "[[7]]"};
  ExpectRows(file(3), expected, 20);
  Reading with_index;
  with_index.options.batch_rows = 2;
  // Rows 0 and 4: by the index, page 1 holds row 4 as its third.
  with_index.select = [](int64_t, int64_t) {
    return RowSelection::FromPositions(std::vector<int64_t>{0, 4}).value();
  };
  ExpectError(file(2), StatusCode::kCorruption, {"page"}, {with_index});
  // Where no page is left out, nothing depends on the index.
  ExpectRows(file(2), expected, 0, {Reading()});
  Reading without_index;
  without_index.options.use_offset_index = false;
  ExpectRows(file(2), expected, 6, {without_index});
}

TEST(PageFaults, P11ChecksumOfAFlippedByte) {
  PageSpec page = DataPage(Encoding::kPlain, 3, PlainInt64({1, 2, 3}));
  page.with_crc = true;
  ExpectRows(OneColumn(PhysicalType::kInt64, 3, Chunk({page})), {"[1]", "[2]", "[3]"});
  PageSpec flipped = page;
  flipped.crc = Crc32(page.values);
  flipped.values[8] = 7;
  const std::string file = OneColumn(PhysicalType::kInt64, 3, Chunk({flipped}));
  ExpectError(file, StatusCode::kCorruption, {"row group 0", "x", "page 0", "checksum"});
  // Also where the flipped byte is not wanted.
  Reading first_row;
  first_row.select = [](int64_t, int64_t) { return RowSelection::FromRanges({{0, 1}}).value(); };
  ExpectError(file, StatusCode::kCorruption, {"checksum"}, {first_row});
  Reading unverified;
  unverified.options.verify_checksums = false;
  ExpectRows(file, {"[1]", "[7]", "[3]"}, 4, {unverified});
  flipped.crc.reset();
  flipped.with_crc = false;
  ExpectRows(OneColumn(PhysicalType::kInt64, 3, Chunk({flipped})), {"[1]", "[7]", "[3]"});
}

TEST(PageFaults, P11ChecksumsOfDictionaryAndV2Pages) {
  PageSpec dictionary = DictionaryPage(2, PlainInt32({10, 20}));
  PageSpec data = DataPageV2(Encoding::kRleDictionary, 2, 0, 2, DictionaryIndices(1, Hex("0401")));
  dictionary.with_crc = data.with_crc = true;
  const auto file = [&] {
    return OneColumn(PhysicalType::kInt32, 2, Chunk({dictionary, data}, Codec::kSnappy));
  };
  ExpectRows(file(), {"[20]", "[20]"});
  dictionary.crc = 1;
  ExpectError(file(), StatusCode::kCorruption, {"page 0", "checksum"});
  dictionary.crc.reset();
  data.crc = 1;
  ExpectError(file(), StatusCode::kCorruption, {"page 1", "checksum"});
}

TEST(PageFaults, LevelsAboveTheirMaximum) {
  // Width 2 for a maximum of 2: 3 is no level.
  const std::vector<ElementSpec> schema = {Group("g", Repetition::kOptional, 1),
                                           Optional("x", PhysicalType::kInt32)};
  for (const std::string& levels : {RleRun(4, 3, 2), BitPackedRun({0, 3, 1, 0}, 2)}) {
    const PageSpec page = DataPage(Encoding::kPlain, 4, PlainInt32({1, 2, 3, 4}), levels);
    ExpectError(BuildFile(OneRowGroup(schema, 4, {Chunk({page})})).bytes, StatusCode::kCorruption,
                {"page 0"});
  }
}

TEST(PageFaults, PagesOfNoValuesAndIndexPages) {
  const PageSpec empty = DataPage(Encoding::kPlain, 0, "");
  const PageSpec full = DataPage(Encoding::kPlain, 2, PlainInt32({1, 2}));
  ExpectRows(OneColumn(PhysicalType::kInt32, 4,
                       Chunk({empty, full, empty, IndexPage("anything"), full, empty})),
             {"[1]", "[2]", "[1]", "[2]"});
}

}  // namespace
}  // namespace sluice::support
