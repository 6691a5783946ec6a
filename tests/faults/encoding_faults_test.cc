// Encodings: faults E1 to E14.

#include <gtest/gtest.h>

#include "tests/support/file_builder.h"
#include "tests/support/file_reading.h"
#include "tests/support/page_bytes.h"
#include "tests/support/reference_reader.h"

namespace sluice::support {
namespace {

ElementSpec Text(Repetition repetition) {
  ElementSpec element = Required("x", PhysicalType::kByteArray);
  element.repetition = repetition;
  element.converted_type = kConvertedUtf8;
  return element;
}

std::string File(ElementSpec column, int64_t num_rows, std::vector<PageSpec> pages) {
  return BuildFile(OneRowGroup({std::move(column)}, num_rows, {Chunk(std::move(pages))})).bytes;
}

std::vector<std::string> Lines(const std::vector<std::string>& values) {
  std::vector<std::string> lines;
  for (const std::string& value : values) lines.push_back("[" + value + "]");
  return lines;
}

void ExpectReferenceRows(const std::string& file, int32_t selections = 6) {
  const auto expected = ReferenceRows(file);
  ASSERT_TRUE(expected) << expected.error().ToString();
  ExpectRows(file, *expected, selections);
}

TEST(EncodingFaults, E1WidthsOfUnusedMiniblocks) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < 65; ++i) values.push_back(i % 2 == 0 ? INT32_MIN : INT32_MAX);
  const std::string body = DeltaBinaryPacked(values, {.unused_width = 165, .bits = 32});
  const auto page = DataPage(Encoding::kDeltaBinaryPacked, 65, body);
  ExpectReferenceRows(File(Required("x", PhysicalType::kInt32), 65, {page}));
}

TEST(EncodingFaults, E2DeltasThatWrapAround) {
  const std::vector<int64_t> values = {INT64_MIN, INT64_MAX, INT64_MIN, 0, -1, INT64_MAX};
  const auto page = DataPage(Encoding::kDeltaBinaryPacked, 6, DeltaBinaryPacked(values));
  ExpectRows(File(Required("x", PhysicalType::kInt64), 6, {page}),
             Lines({"\"-9223372036854775808\"", "\"9223372036854775807\"",
                    "\"-9223372036854775808\"", "0", "-1", "\"9223372036854775807\""}));
  const std::vector<int64_t> narrow = {INT32_MIN, INT32_MAX, INT32_MIN, 0, INT32_MAX};
  const auto narrow_page =
      DataPage(Encoding::kDeltaBinaryPacked, 5, DeltaBinaryPacked(narrow, {.bits = 32}));
  ExpectRows(File(Required("x", PhysicalType::kInt32), 5, {narrow_page}),
             Lines({"-2147483648", "2147483647", "-2147483648", "0", "2147483647"}));
}

TEST(EncodingFaults, E4DeltaLayouts) {
  struct Layout {
    uint64_t block_size;
    uint64_t miniblocks;
  };
  const auto file = [](const Layout& layout) {
    const std::string header =
        Varint(layout.block_size) + Varint(layout.miniblocks) + Varint(3) + Varint(ZigZag(1));
    return File(Required("x", PhysicalType::kInt64), 3,
                {DataPage(Encoding::kDeltaBinaryPacked, 3, header + std::string(64, '\0'))});
  };
  for (const Layout& layout :
       {Layout{8, 2}, Layout{uint64_t{1} << 31, 1}, Layout{128, 0}, Layout{0, 4}, Layout{0, 0},
        Layout{128, 8}, Layout{128, 3}, Layout{100, 1}, Layout{uint64_t{1} << 40, 4},
        Layout{128, uint64_t{1} << 62}, Layout{~uint64_t{0}, 1}}) {
    SCOPED_TRACE(layout.block_size);
    SCOPED_TRACE(layout.miniblocks);
    ExpectError(file(layout), StatusCode::kCorruption, {"row group 0", "page 0"});
  }
}

TEST(EncodingFaults, E4LegalDeltaLayouts) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < 300; ++i) values.push_back(i * i * 77 % 1009);
  for (const auto& [block_size, miniblocks] : std::vector<std::pair<uint64_t, uint64_t>>{
           {128, 1}, {128, 2}, {128, 4}, {256, 1}, {256, 8}, {1024, 4}, {384, 12}}) {
    SCOPED_TRACE(block_size);
    SCOPED_TRACE(miniblocks);
    const std::string body =
        DeltaBinaryPacked(values, {.block_size = block_size, .miniblocks = miniblocks});
    ExpectReferenceRows(File(Required("x", PhysicalType::kInt64), 300,
                             {DataPage(Encoding::kDeltaBinaryPacked, 300, body)}),
                        3);
  }
}

TEST(EncodingFaults, E4WidthsAboveTheType) {
  const auto file = [](PhysicalType type, char width) {
    const std::string body = Varint(128) + Varint(4) + Varint(3) + Varint(0) + Varint(0) +
                             std::string(1, width) + std::string(3 + 32 * 16, '\0');
    return File(Required("x", type), 3, {DataPage(Encoding::kDeltaBinaryPacked, 3, body)});
  };
  ExpectError(file(PhysicalType::kInt64, 65), StatusCode::kCorruption, {"page 0"});
  ExpectError(file(PhysicalType::kInt64, -1), StatusCode::kCorruption, {"page 0"});
  ExpectError(file(PhysicalType::kInt32, 65), StatusCode::kCorruption, {"page 0"});
  // DuckDB 2.0 writes this; see delta_binary_packed.h.
  ExpectRows(file(PhysicalType::kInt32, 33), Lines({"0", "0", "0"}));
}

TEST(EncodingFaults, E5StrideOfByteStreamSplit) {
  const std::string values = ByteStreamSplit(PlainFloat({1.5F, 2.5F, 3.5F}), 4);
  const std::string levels = RleRuns({1, 0, 1, 0, 1}, 1);
  const auto expected = Lines({"1.5", "null", "2.5", "null", "3.5"});
  const auto column = Optional("x", PhysicalType::kFloat);
  ExpectRows(File(column, 5, {DataPage(Encoding::kByteStreamSplit, 5, values, levels)}), expected);
  ExpectRows(File(column, 5, {DataPageV2(Encoding::kByteStreamSplit, 5, 2, 5, values, levels)}),
             expected);
  // Four values for three levels, and no multiple of the width.
  for (const size_t size : {16, 13, 8}) {
    std::string other = values;
    other.resize(size, '\0');
    ExpectError(File(column, 5, {DataPage(Encoding::kByteStreamSplit, 5, other, levels)}),
                StatusCode::kCorruption, {"page 0"});
  }
}

TEST(EncodingFaults, E5ByteStreamSplitOfEveryWidth) {
  for (const PhysicalType type :
       {PhysicalType::kFloat, PhysicalType::kDouble, PhysicalType::kInt32, PhysicalType::kInt64}) {
    const int32_t width = type == PhysicalType::kFloat || type == PhysicalType::kInt32 ? 4 : 8;
    std::string plain;
    for (int i = 0; i < 40 * width; ++i) plain.push_back(static_cast<char>(i * 37));
    ExpectReferenceRows(
        File(Required("x", type), 40,
             {DataPage(Encoding::kByteStreamSplit, 40, ByteStreamSplit(plain, width))}),
        3);
  }
  for (const int32_t width : {1, 2, 3, 5, 16}) {
    ElementSpec column = Required("x", PhysicalType::kFixedLenByteArray);
    column.type_length = width;
    std::string plain;
    for (int i = 0; i < 40 * width; ++i) plain.push_back(static_cast<char>(i * 37));
    ExpectReferenceRows(
        File(column, 40, {DataPage(Encoding::kByteStreamSplit, 40, ByteStreamSplit(plain, width))}),
        3);
  }
}

TEST(EncodingFaults, E6SkippedPrefixes) {
  const auto page =
      DataPage(Encoding::kDeltaByteArray, 4, DeltaByteArray({"aaaa", "aaab", "aaac", "aaad"}));
  const std::string file = File(Text(Repetition::kRequired), 4, {page});
  ExpectRows(file, Lines({"\"aaaa\"", "\"aaab\"", "\"aaac\"", "\"aaad\""}), 30);
  Reading third;
  third.select = [](int64_t, int64_t) { return RowSelection::FromRanges({{2, 3}}).value(); };
  ExpectRows(file, {"[\"aaac\"]"}, 0, {third});
}

TEST(EncodingFaults, E6DeltaByteArrayOfFixedLength) {
  ElementSpec column = Required("x", PhysicalType::kFixedLenByteArray);
  column.type_length = 4;
  ExpectReferenceRows(File(column, 5,
                           {DataPage(Encoding::kDeltaByteArray, 5,
                                     DeltaByteArray({"aaaa", "aabb", "aabc", "zzzz", "zzzz"}))}),
                      20);
  ExpectError(
      File(column, 2, {DataPage(Encoding::kDeltaByteArray, 2, DeltaByteArray({"aaaa", "aabbb"}))}),
      StatusCode::kCorruption, {"page 0"});
}

TEST(EncodingFaults, E8TruncatedLengthsAndBodies) {
  const std::string body = DeltaLengthByteArray({"abc", "de", "fgh"});
  const auto file = [](const std::string& bytes) {
    return File(Text(Repetition::kRequired), 3,
                {DataPage(Encoding::kDeltaLengthByteArray, 3, bytes)});
  };
  ExpectRows(file(body), Lines({"\"abc\"", "\"de\"", "\"fgh\""}), 20);
  const std::string cut = body.substr(0, body.size() - 3);
  ExpectError(file(cut), StatusCode::kCorruption, {"page 0"});
  // The error of a skip is that of a read: everything before the last row is left out.
  Reading last_row;
  last_row.select = [](int64_t, int64_t) { return RowSelection::FromRanges({{2, 3}}).value(); };
  ExpectError(file(cut), StatusCode::kCorruption, {"page 0"}, {last_row});
  for (const std::vector<int64_t>& lengths : {std::vector<int64_t>{-1, 4, 5},
                                              {INT32_MIN, 3, 3},
                                              {INT32_MAX, INT32_MAX, 2},
                                              {3, 2},
                                              {3, 2, 3, 0},
                                              {3, -2, 7}}) {
    ExpectError(file(DeltaBinaryPacked(lengths, {.bits = 32}) + "abcdefgh"),
                StatusCode::kCorruption, {"page 0"});
  }
}

TEST(EncodingFaults, E8ByteArraysThatDoNotFit) {
  for (const std::string_view body :
       {"", "03", "030000", "03000000 6162", "ffffffff 61", "00000080 61", "ffffff7f 61"}) {
    SCOPED_TRACE(body);
    ExpectError(File(Text(Repetition::kRequired), 1, {DataPage(Encoding::kPlain, 1, Hex(body))}),
                StatusCode::kCorruption, {"page 0"});
  }
}

TEST(EncodingFaults, E9PrefixAcrossPages) {
  const auto first = DataPage(Encoding::kDeltaByteArray, 2, DeltaByteArray({"abcd", "abce"}));
  const auto second =
      DataPage(Encoding::kDeltaByteArray, 2, DeltaByteArray({"abcf", "abd"}, "abce"));
  FileSpec file = OneRowGroup({Text(Repetition::kRequired)}, 4, {Chunk({first, second})});
  file.created_by = "parquet-mr version 1.7.0 (build 1234)";
  ExpectRows(BuildFile(file).bytes, Lines({"\"abcd\"", "\"abce\"", "\"abcf\"", "\"abd\""}), 30);
  file.created_by = "parquet-mr version 1.12.0 (build 1234)";
  ExpectError(BuildFile(file).bytes, StatusCode::kCorruption, {"page 1"});
}

TEST(EncodingFaults, E9ImpossiblePrefixes) {
  for (const std::vector<int64_t>& prefixes :
       {std::vector<int64_t>{1, 0}, {0, 3}, {0, -1}, {INT32_MIN, 0}, {0, INT32_MAX}, {0}}) {
    const std::string body =
        DeltaBinaryPacked(prefixes, {.bits = 32}) + DeltaLengthByteArray({"ab", "cd"});
    ExpectError(
        File(Text(Repetition::kRequired), 2, {DataPage(Encoding::kDeltaByteArray, 2, body)}),
        StatusCode::kCorruption, {"page 0"});
  }
}

TEST(EncodingFaults, E9PrefixesThatMultiply) {
  // Every value repeats all of the one before it and adds a byte: quadratic in the file's size.
  constexpr int64_t kCount = 200'000;
  std::vector<int64_t> prefixes;
  std::vector<std::string> suffixes(kCount, "x");
  for (int64_t i = 0; i < kCount; ++i) prefixes.push_back(i);
  const std::string body =
      DeltaBinaryPacked(prefixes, {.bits = 32}) + DeltaLengthByteArray(suffixes);
  Reading reading;
  reading.options.pool = BufferPool::Make(64 << 20);
  const std::string file = File(Text(Repetition::kRequired), kCount,
                                {DataPage(Encoding::kDeltaByteArray, kCount, body)});
  const auto rows = ReadRows(file, reading);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code(), StatusCode::kResourceExhausted) << rows.error().ToString();
  EXPECT_LE(reading.options.pool->peak_bytes(), 64 << 20);
}

TEST(EncodingFaults, E10BooleansAsRuns) {
  const std::string body = WithLength(BitPackedRun({1, 0, 1}, 1));
  const auto expected = Lines({"true", "false", "true"});
  const auto column = Required("x", PhysicalType::kBoolean);
  ExpectRows(File(column, 3, {DataPage(Encoding::kRle, 3, body)}), expected);
  ExpectRows(File(column, 3, {DataPageV2(Encoding::kRle, 3, 0, 3, body)}), expected);
  const auto nullable = Optional("x", PhysicalType::kBoolean);
  ExpectRows(File(nullable, 4, {DataPage(Encoding::kRle, 4, body, RleRuns({1, 0, 1, 1}, 1))}),
             Lines({"true", "null", "false", "true"}));
  for (const std::string_view bytes :
       {"", "02", "05000000 0305", "ffffffff 0305", "00000000", "01000000 03", "02000000 0401"}) {
    SCOPED_TRACE(bytes);
    ExpectError(File(column, 3, {DataPage(Encoding::kRle, 3, Hex(bytes))}), StatusCode::kCorruption,
                {"page 0"});
  }
}

TEST(EncodingFaults, E11IndicesOfWidthZero) {
  const auto dictionary = DictionaryPage(1, PlainInt32({7}));
  const auto column = Required("x", PhysicalType::kInt32);
  for (const std::string& runs : {Varint(44 << 1), Varint(6 << 1 | 1)}) {
    const auto page = DataPage(Encoding::kRleDictionary, 44, DictionaryIndices(0, runs));
    ExpectRows(File(column, 44, {dictionary, page}), std::vector<std::string>(44, "[7]"));
  }
}

TEST(EncodingFaults, E11BadIndices) {
  const auto column = Required("x", PhysicalType::kInt32);
  const auto dictionary = DictionaryPage(2, PlainInt32({7, 8}));
  for (const std::string& body :
       {DictionaryIndices(2, RleRun(3, 2, 2)), DictionaryIndices(2, BitPackedRun({0, 1, 3}, 2)),
        DictionaryIndices(32, RleRun(3, 0xffffffff, 32)), DictionaryIndices(33, RleRun(3, 1, 33)),
        DictionaryIndices(255, RleRun(3, 1, 8)), std::string()}) {
    ExpectError(File(column, 3, {dictionary, DataPage(Encoding::kRleDictionary, 3, body)}),
                StatusCode::kCorruption, {"page 1"});
  }
}

TEST(EncodingFaults, E12EncodingsChangeInsideAChunk) {
  const std::vector<std::string> words = {"aa", "ab", "b"};
  const std::vector<PageSpec> pages = {
      DictionaryPage(3, PlainByteArray(words)),
      DataPage(Encoding::kRleDictionary, 3, DictionaryIndices(2, std::vector<uint64_t>{2, 0, 1})),
      DataPage(Encoding::kPlain, 3,
               PlainByteArray({"a string of more than twelve bytes", "", "c"})),
      DataPage(Encoding::kDeltaByteArray, 3, DeltaByteArray({"de", "df", "dfg"})),
      DataPageV2(Encoding::kDeltaLengthByteArray, 2, 0, 2, DeltaLengthByteArray({"x", "yy"})),
      DataPage(Encoding::kPlainDictionary, 1, DictionaryIndices(2, RleRun(1, 1, 2)))};
  ExpectRows(File(Text(Repetition::kRequired), 12, pages),
             Lines({"\"b\"", "\"aa\"", "\"ab\"", "\"a string of more than twelve bytes\"", "\"\"",
                    "\"c\"", "\"de\"", "\"df\"", "\"dfg\"", "\"x\"", "\"yy\"", "\"ab\""}),
             30);
}

TEST(EncodingFaults, E13EmptyDictionary) {
  const auto column = Text(Repetition::kOptional);
  const auto dictionary = DictionaryPage(0, "");
  for (const std::string& body : {std::string(), DictionaryIndices(0, "")}) {
    const auto page = DataPage(Encoding::kRleDictionary, 100, body, RleRun(100, 0, 1));
    ExpectRows(File(column, 100, {dictionary, page}), std::vector<std::string>(100, "[null]"));
  }
  const auto page = DataPage(Encoding::kRleDictionary, 100, DictionaryIndices(0, RleRun(1, 0, 0)),
                             RleRun(99, 0, 1) + RleRun(1, 1, 1));
  ExpectError(File(column, 100, {dictionary, page}), StatusCode::kCorruption, {"page 1"});
}

TEST(EncodingFaults, E14BitPackedLevels) {
  const std::vector<uint64_t> levels = {1, 0, 1, 1, 0, 0, 1, 0, 1, 1};
  PageSpec page = DataPage(Encoding::kPlain, 10, PlainInt32({1, 2, 3, 4, 5, 6}));
  page.definition_levels = BitPackedLevels(levels, 1);
  page.definition_level_encoding = Encoding::kBitPacked;
  ASSERT_EQ(page.definition_levels, Hex("b2c0"));
  ExpectRows(File(Optional("x", PhysicalType::kInt32), 10, {page}),
             Lines({"1", "null", "2", "3", "null", "null", "4", "null", "5", "6"}));
  page.definition_levels.resize(1);
  page.values.clear();
  ExpectError(File(Optional("x", PhysicalType::kInt32), 10, {page}), StatusCode::kCorruption,
              {"page 0"});
}

TEST(EncodingFaults, E14BitPackedRepetitionLevels) {
  // list<list<int>> by bare repetition: levels of two bits that straddle bytes.
  PageSpec page = DataPage(Encoding::kPlain, 7, PlainInt32({1, 2, 3, 4, 5}));
  page.repetition_levels = BitPackedLevels({0, 2, 1, 0, 0, 1, 2}, 2);
  page.definition_levels = BitPackedLevels({2, 2, 1, 0, 2, 2, 2}, 2);
  page.repetition_level_encoding = page.definition_level_encoding = Encoding::kBitPacked;
  ExpectRows(BuildFile(OneRowGroup({Group("g", Repetition::kRepeated, 1),
                                    Repeated("x", PhysicalType::kInt32)},
                                   3, {Chunk({page})}))
                 .bytes,
             {"[[{\"x\":[1,2]},{\"x\":[]}]]", "[[]]", "[[{\"x\":[3]},{\"x\":[4,5]}]]"}, 20);
}

TEST(EncodingFaults, EncodingsThatAreNotForTheirType) {
  struct Case {
    PhysicalType type;
    Encoding encoding;
  };
  for (const Case& wrong : {Case{PhysicalType::kInt32, Encoding::kDeltaByteArray},
                            Case{PhysicalType::kByteArray, Encoding::kDeltaBinaryPacked},
                            Case{PhysicalType::kByteArray, Encoding::kByteStreamSplit},
                            Case{PhysicalType::kInt32, Encoding::kRle},
                            Case{PhysicalType::kBoolean, Encoding::kDeltaBinaryPacked},
                            Case{PhysicalType::kInt32, Encoding::kBitPacked},
                            Case{PhysicalType::kInt32, static_cast<Encoding>(1)},
                            Case{PhysicalType::kInt32, static_cast<Encoding>(77)},
                            Case{PhysicalType::kInt32, static_cast<Encoding>(-1)}}) {
    const auto page = DataPage(wrong.encoding, 1, std::string(16, '\0'));
    const auto rows = ReadRows(File(Required("x", wrong.type), 1, {page}));
    ASSERT_FALSE(rows);
    EXPECT_TRUE(rows.error().code() == StatusCode::kUnsupported ||
                rows.error().code() == StatusCode::kCorruption)
        << rows.error().ToString();
    EXPECT_NE(rows.error().message().find("page 0"), std::string::npos);
  }
}

TEST(EncodingFaults, MissingDictionary) {
  const auto page = DataPage(Encoding::kRleDictionary, 1, DictionaryIndices(1, RleRun(1, 0, 1)));
  ExpectError(File(Required("x", PhysicalType::kInt32), 1, {page}), StatusCode::kCorruption,
              {"page 0", "dictionary"});
}

}  // namespace
}  // namespace sluice::support
