// Footers, pages, encodings, codecs and sizes that are odd or damaged, under predicates: faults F9,
// F10, P1 to P11, E1 to E14, C1 to C4, M1 and M7.

#include <gtest/gtest.h>

#include <atomic>

#include "tests/faults/claiming_files.h"
#include "tests/format/model/filters.h"
#include "tests/support/scanning.h"

namespace sluice::support {
namespace {

using Positions = std::vector<int64_t>;

std::string OneColumn(const ElementSpec& element, int64_t num_rows, const ChunkSpec& chunk) {
  return BuildFile(OneRowGroup({element}, num_rows, {chunk})).bytes;
}

ElementSpec OptionalInt() { return Optional("x", PhysicalType::kInt32); }
ElementSpec RequiredInt() { return Required("x", PhysicalType::kInt32); }
ElementSpec RequiredText() { return AsText(Required("x", PhysicalType::kByteArray)); }

TEST(PageScan, F9NamesWithDots) {
  const std::string file =
      BuildFile(
          OneRowGroup({Required("a.b", PhysicalType::kInt32), Group("a", Repetition::kRequired, 1),
                       Required("b", PhysicalType::kInt32)},
                      2,
                      {Chunk({DataPage(Encoding::kPlain, 2, PlainInt32({1, 2}))}),
                       Chunk({DataPage(Encoding::kPlain, 2, PlainInt32({2, 40}))})}))
          .bytes;
  ExpectScan(file, {"\"a.b\" = 2"}, {1});
  ExpectScan(file, {"a.b = 2"}, {0});
  ExpectScan(file, {"a.b > \"a.b\""}, {0, 1});
  ExpectScan(file, {"a.b + 0 = 2 AND \"a.b\" = 1"}, {0});
  ScanQuestion flat{"a.b = 2"};
  flat.columns = {{{"a.b"}}};
  ExpectScannedLines(file, flat, {"[1]"});
  ScanQuestion nested{"\"a.b\" = 2"};
  nested.columns = {{{"a", "b"}}};
  ExpectScannedLines(file, nested, {"[{\"b\":40}]"});
}

TEST(PageScan, F10NamesThatDifferByCase) {
  const std::string file =
      BuildFile(
          OneRowGroup({Required("ID", PhysicalType::kInt32), Required("id", PhysicalType::kInt32),
                       Required("Name", PhysicalType::kInt32)},
                      2,
                      {Chunk({DataPage(Encoding::kPlain, 2, PlainInt32({1, 2}))}),
                       Chunk({DataPage(Encoding::kPlain, 2, PlainInt32({2, 1}))}),
                       Chunk({DataPage(Encoding::kPlain, 2, PlainInt32({7, 8}))})}))
          .bytes;
  for (const bool ignore_case : {false, true}) {
    ScanQuestion question;
    question.ignore_case = ignore_case;
    question.where = "id = 2";
    ExpectScan(file, question, {0});
    question.where = "ID = 2";
    ExpectScan(file, question, {1});
    question.where = "ID + id = 3 AND ID > id";
    ExpectScan(file, question, {1});
  }
  ScanQuestion question{"Id = 2"};
  ExpectScanError(file, question, StatusCode::kInvalidArgument, {"Id"});
  question.ignore_case = true;
  ExpectScanError(file, question, StatusCode::kInvalidArgument, {"ambiguous", "id", "ID"});
  question.where = "NAME = 8";
  ExpectScan(file, question, {1});
  question.ignore_case = false;
  ExpectScanError(file, question, StatusCode::kInvalidArgument, {"NAME", "Name"});
}

TEST(PageScan, P1PageOfNullsWithoutCompressedBytes) {
  for (const Codec codec : {Codec::kSnappy, Codec::kZstd, Codec::kUncompressed}) {
    PageSpec page = DataPageV2(Encoding::kPlain, 3, 3, 3, "", RleRun(3, 0, 1));
    page.is_compressed = true;
    page.stored = page.definition_levels;
    const std::string file = OneColumn(OptionalInt(), 3, Chunk({page}, codec));
    ExpectScan(file, {"x IS NULL"}, {0, 1, 2});
    ExpectScan(file, {"x = 1"}, {});
    ExpectScan(file, {"x IS DISTINCT FROM 1"}, {0, 1, 2});
    ExpectScan(file, {"x + 1 IS NULL"}, {0, 1, 2});
  }
}

TEST(PageScan, P2AbsentIsCompressedMeansCompressed) {
  const PageSpec page = DataPageV2(Encoding::kPlain, 3, 0, 3, PlainInt32({1, 2, 3}));
  ExpectScan(OneColumn(RequiredInt(), 3, Chunk({page}, Codec::kSnappy)), {"x > 1"}, {1, 2});
}

// What a filter needs of a page has to be right, whatever is left out of the rest.
TEST(PageScan, P3P7LevelsThatEndTooEarly) {
  const std::string values = PlainInt32({1, 2, 3, 4, 5, 6, 7, 8});
  for (const std::string& levels : {RleRun(4, 1, 1), Hex("02"), Hex("03"), Hex("0801 03")}) {
    for (const PageSpec& page : {DataPage(Encoding::kPlain, 8, values, levels),
                                 DataPageV2(Encoding::kPlain, 8, 0, 8, values, levels)}) {
      const std::string file = OneColumn(OptionalInt(), 8, Chunk({page}));
      for (const std::string where : {"x = 8", "x IS NULL", "x + 1 = 2", "x <> 3"}) {
        ExpectScanError(file, {where}, StatusCode::kCorruption, {"row group 0", "x", "page 0"});
      }
    }
  }
}

TEST(PageScan, P4EmptyRuns) {
  // Runs of nothing among the levels, and among the indices.
  const std::string levels = Hex("00") + RleRun(2, 1, 1) + Hex("01") + RleRun(2, 0, 1) + Hex("00");
  const std::string indices = Hex("00") + RleRun(1, 1, 1) + Hex("01") + RleRun(1, 0, 1);
  const std::vector<PageSpec> plain = {DataPage(Encoding::kPlain, 4, PlainInt32({20, 10}), levels)};
  const std::vector<PageSpec> encoded = {
      DictionaryPage(2, PlainInt32({10, 20})),
      DataPage(Encoding::kRleDictionary, 4, DictionaryIndices(1, indices), levels)};
  for (const auto& pages : {plain, encoded}) {
    const std::string file = OneColumn(OptionalInt(), 4, Chunk(pages));
    ExpectScan(file, {"x = 20"}, {0});
    ExpectScan(file, {"x = 10 OR x IS NULL"}, {1, 2, 3});
    ExpectScan(file, {"x <> 10"}, {0});
  }
}

TEST(PageScan, P5P8RunsOfEveryWidthEndExactly) {
  // 13 rows in bit-packed groups of eight, padded with an index that would pass.
  for (int32_t width = 1; width <= 20; ++width) {
    const std::vector<uint64_t> indices = {0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0};
    for (const std::string& runs : {BitPackedRun(indices, width, 1), RleRuns(indices, width)}) {
      const std::string file = OneColumn(
          RequiredInt(), 13,
          Chunk({DictionaryPage(2, PlainInt32({5, 6})),
                 DataPage(Encoding::kRleDictionary, 13, DictionaryIndices(width, runs))}));
      EXPECT_EQ(ScanRows(file, {"x = 6"}).positions, (Positions{1, 4, 9})) << width;
      EXPECT_EQ(ScanRows(file, {"x = 6"}, AllOff()).positions, (Positions{1, 4, 9})) << width;
      EXPECT_EQ(ScanRows(file, {"x <> 6"}).positions.size(), 10U) << width;
    }
  }
}

TEST(PageScan, P6PaddingIsNoRecord) {
  // Lists; three entries of the first page in a group of eight.
  ChunkSpec lists = Chunk({DataPage(Encoding::kPlain, 3, PlainInt32({1, 2, 3}), RleRun(3, 1, 1),
                                    BitPackedRun({0, 1, 0}, 1)),
                           DataPage(Encoding::kPlain, 2, PlainInt32({4, 5}), RleRun(2, 1, 1),
                                    BitPackedRun({0, 0}, 1))});
  const ChunkSpec ids = Chunk({DataPage(Encoding::kPlain, 4, PlainInt32({0, 1, 2, 3}))});
  const std::string file = BuildFile(OneRowGroup({Required("id", PhysicalType::kInt32),
                                                  Repeated("x", PhysicalType::kInt32)},
                                                 4, {ids, lists}))
                               .bytes;
  for (int64_t row = 0; row < 4; ++row) ExpectScan(file, {"id = " + std::to_string(row)}, {row});
  ExpectScan(file, {"id + 0 >= 2"}, {2, 3});
}

// Either the rows of the pages or an error, and without the index the rows.
TEST(PageScan, P10OffsetIndexContradictsThePages) {
  const auto page = [](const std::vector<int64_t>& values, const std::vector<uint64_t>& levels) {
    return DataPage(Encoding::kPlain, std::ssize(levels), PlainInt32(values),
                    RleRun(levels.size(), 1, 1), RleRuns(levels, 1));
  };
  ChunkSpec lists = Chunk({page({1, 2, 3, 4}, {0, 1, 0, 0}), page({5, 6, 7}, {0, 1, 0})});
  lists.with_offset_index = true;
  lists.pages[1].first_row = 2;  // It is 3.
  const ChunkSpec ids = Chunk({DataPage(Encoding::kPlain, 5, PlainInt32({0, 1, 2, 3, 4}))});
  const std::string file = BuildFile(OneRowGroup({Required("id", PhysicalType::kInt32),
                                                  Repeated("x", PhysicalType::kInt32)},
                                                 5, {ids, lists}))
                               .bytes;
  ScanQuestion question{"id IN (0, 4)"};
  question.columns = {{{"x"}}};
  ExpectScanError(file, question, StatusCode::kCorruption, {"page"}, {ScanWay()});
  ScanWay way;
  way.options.read.use_offset_index = false;
  ExpectScan(file, question, {0, 4}, {"[[1,2]]", "[]", "[]", "[]", "[[7]]"}, {way, AllOff()});
}

TEST(PageScan, P11ChecksumOfAFlippedByte) {
  PageSpec page = DataPage(Encoding::kPlain, 3, PlainInt64({1, 2, 3}));
  page.crc = Crc32(page.values);
  page.values[8] = 7;
  const std::string file = OneColumn(Required("x", PhysicalType::kInt64), 3, Chunk({page}));
  for (const std::string where : {"x = 1", "x > 100", "x + 0 = 7", "x IS NOT NULL OR x = 3"}) {
    ExpectScanError(file, {where}, StatusCode::kCorruption, {"row group 0", "page 0", "checksum"});
  }
  ScanWay unverified;
  unverified.options.read.verify_checksums = false;
  EXPECT_EQ(ScanRows(file, {"x = 7"}, unverified).positions, Positions{1});
}

TEST(PageScan, E1E2DeltasThatWrapAround) {
  const std::vector<int64_t> values = {INT64_MIN, INT64_MAX, INT64_MIN, 0, -1, INT64_MAX};
  DeltaLayout layout;
  layout.unused_width = 165;
  const std::string file = OneColumn(
      Required("x", PhysicalType::kInt64), 6,
      Chunk({DataPage(Encoding::kDeltaBinaryPacked, 6, DeltaBinaryPacked(values, layout))}));
  ExpectScan(file, {"x = -9223372036854775808"}, {0, 2});
  ExpectScan(file, {"x >= 9223372036854775807"}, {1, 5});
  ExpectScan(file, {"x < 0"}, {0, 2, 4});
  ExpectScan(file, {"x BETWEEN -1 AND 0"}, {3, 4});
}

TEST(PageScan, E5StrideOfByteStreamSplit) {
  const std::string file =
      OneColumn(Optional("x", PhysicalType::kFloat), 5,
                Chunk({DataPage(Encoding::kByteStreamSplit, 5,
                                ByteStreamSplit(PlainFloat({1.5F, 2.5F, 3.5F}), 4),
                                RleRuns({1, 0, 1, 0, 1}, 1))}));
  ExpectScan(file, {"x = 2.5"}, {2});
  ExpectScan(file, {"x > 2.5"}, {4});
  ExpectScan(file, {"x IS NULL OR x < 2"}, {0, 1, 3});
}

TEST(PageScan, E6E8E9StringsThatBuildOnEachOther) {
  const std::vector<std::string> values = {"aaaa", "aaab", "aaac", "aaad"};
  for (const PageSpec& page :
       {DataPage(Encoding::kDeltaByteArray, 4, DeltaByteArray(values)),
        DataPage(Encoding::kDeltaLengthByteArray, 4, DeltaLengthByteArray(values))}) {
    const std::string file =
        BuildFile(OneRowGroup({RequiredInt(), AsText(Required("s", PhysicalType::kByteArray))}, 4,
                              {Chunk({DataPage(Encoding::kPlain, 4, PlainInt32({0, 1, 2, 3}))}),
                               Chunk({page})}))
            .bytes;
    ExpectScan(file, {"x = 2"}, {2});
    ExpectScan(file, {"s = 'aaac'"}, {2});
    ExpectScan(file, {"s > 'aaab' AND x <> 2"}, {3});
    ExpectScan(file, {"length(s) = 4 AND s LIKE '%d'"}, {3});
  }
  // Bodies that lack their last bytes: an error wherever the strings are asked for.
  std::string cut = DeltaLengthByteArray(values);
  cut.resize(cut.size() - 3);
  const std::string file =
      OneColumn(RequiredText(), 4, Chunk({DataPage(Encoding::kDeltaLengthByteArray, 4, cut)}));
  for (const std::string where : {"x = 'aaaa'", "x IS NOT NULL OR x = 'b'", "length(x) = 4"}) {
    ScanQuestion question{where};
    ExpectScanError(file, question, StatusCode::kCorruption, {"page 0"});
  }
}

TEST(PageScan, E10BooleansAsRuns) {
  const std::string runs = WithLength(RleRun(1, 1, 1) + RleRun(1, 0, 1) + RleRun(1, 1, 1));
  for (const PageSpec& page :
       {DataPage(Encoding::kRle, 3, runs), DataPageV2(Encoding::kRle, 3, 0, 3, runs)}) {
    const std::string file = OneColumn(Required("x", PhysicalType::kBoolean), 3, Chunk({page}));
    ExpectScan(file, {"x"}, {0, 2});
    ExpectScan(file, {"NOT x"}, {1});
    ExpectScan(file, {"x = FALSE OR x IS NULL"}, {1});
  }
}

TEST(PageScan, E11IndicesOfWidthZero) {
  const std::string file = OneColumn(
      RequiredText(), 44,
      Chunk({DictionaryPage(1, PlainByteArray({"only"})),
             DataPage(Encoding::kRleDictionary, 44, DictionaryIndices(0, RleRun(44, 0, 0)))}));
  EXPECT_EQ(ScanRows(file, {"x = 'only'"}).positions.size(), 44U);
  ExpectScan(file, {"x <> 'only'"}, {});
  ExpectScan(file, {"x = 'other'"}, {});
}

// A dictionary decides of the pages that are encoded with it, and of no others.
TEST(PageScan, E12EncodingsChangeInsideAChunk) {
  const std::vector<PageSpec> pages = {
      DictionaryPage(3, PlainByteArray({"aa", "ab", "b"})),
      DataPage(Encoding::kRleDictionary, 3, DictionaryIndices(2, std::vector<uint64_t>{2, 0, 1})),
      DataPage(Encoding::kPlain, 3,
               PlainByteArray({"a string of more than twelve bytes", "", "c"})),
      DataPage(Encoding::kDeltaByteArray, 3, DeltaByteArray({"de", "df", "aa"})),
      DataPageV2(Encoding::kDeltaLengthByteArray, 2, 0, 2, DeltaLengthByteArray({"x", "b"})),
      DataPage(Encoding::kPlainDictionary, 1, DictionaryIndices(2, RleRun(1, 1, 2)))};
  const std::string file = OneColumn(RequiredText(), 12, Chunk(pages));
  ExpectScan(file, {"x = 'aa'"}, {1, 8});
  ExpectScan(file, {"x IN ('b', 'c', 'ab')"}, {0, 2, 5, 10, 11});
  ExpectScan(file, {"x = 'df'"}, {7});
  ExpectScan(file, {"x LIKE 'a%' AND x <> 'aa'"}, {2, 3, 11});
  ExpectScan(file, {"x >= 'd'"}, {6, 7, 9});
  ExpectScan(file, {"x = ''"}, {4});
}

TEST(PageScan, E13EmptyDictionary) {
  for (const std::string& body : {std::string(), DictionaryIndices(0, "")}) {
    const std::string file =
        OneColumn(AsText(Optional("x", PhysicalType::kByteArray)), 3,
                  Chunk({DictionaryPage(0, ""),
                         DataPage(Encoding::kRleDictionary, 3, body, RleRun(3, 0, 1))}));
    ExpectScan(file, {"x IS NULL"}, {0, 1, 2});
    ExpectScan(file, {"x = ''"}, {});
    ExpectScan(file, {"x IS DISTINCT FROM 'a'"}, {0, 1, 2});
  }
}

TEST(PageScan, E14BitPackedLevels) {
  PageSpec page = DataPage(Encoding::kPlain, 8, PlainInt32({1, 2, 3, 4}));
  page.definition_levels = BitPackedLevels({1, 0, 1, 1, 0, 0, 1, 0}, 1);
  page.definition_level_encoding = Encoding::kBitPacked;
  const std::string file = OneColumn(OptionalInt(), 8, Chunk({page}));
  ExpectScan(file, {"x = 2"}, {2});
  ExpectScan(file, {"x > 2"}, {3, 6});
  ExpectScan(file, {"x IS NULL"}, {1, 4, 5, 7});
}

TEST(PageScan, C1C3C4EveryCodecAndFraming) {
  std::vector<int64_t> numbers;
  Positions expected;
  for (int64_t row = 0; row < 513; ++row) {
    numbers.push_back(row * 1'000'003 % 4099);
    if (numbers.back() < 40) expected.push_back(row);
  }
  const std::string values = PlainInt64(numbers);
  const std::string first = values.substr(0, 1000);
  const std::string second = values.substr(1000);
  const std::vector<std::pair<Codec, std::string>> stored = {
      {Codec::kLz4, HadoopLz4({first, second})},
      {Codec::kLz4, Lz4Frame(first) + Lz4Frame(second)},
      {Codec::kLz4, Lz4Block(values)},
      {Codec::kLz4Raw, Lz4Block(values)},
      {Codec::kGzip, Compress(Codec::kGzip, first) + Compress(Codec::kGzip, second)},
      {Codec::kZstd, ZstdFrame(first, true) + ZstdFrame(second, false)},
      {Codec::kSnappy, Compress(Codec::kSnappy, values)},
      {Codec::kBrotli, Compress(Codec::kBrotli, values)}};
  for (const auto& [codec, bytes] : stored) {
    PageSpec page = DataPage(Encoding::kPlain, 513, values);
    page.stored = bytes;
    const std::string file =
        OneColumn(Required("x", PhysicalType::kInt64), 513, Chunk({page}, codec));
    for (const ScanWay& way : WaysToScan()) {
      const auto scanned = TryScanRows(file, {"x < 40"}, way);
      ASSERT_TRUE(scanned) << way.name << ": " << scanned.error().ToString();
      EXPECT_EQ(scanned->positions, expected) << way.name;
    }
  }
}

// A filter of a file that claims 2 147 483 647 000 rows runs in bounded memory, and stops when
// told.
TEST(PageScan, M1SmallFileOfManyRows) {
  constexpr int64_t kRows = INT32_MAX;
  constexpr int64_t kBudget = 16 << 20;
  FileSpec file;
  file.schema = {Optional("n", PhysicalType::kInt32), Required("d", PhysicalType::kInt64)};
  const ChunkSpec nulls = Chunk({DataPage(Encoding::kPlain, kRows, "", RleRun(kRows, 0, 1))});
  const ChunkSpec sevens =
      Chunk({DictionaryPage(1, PlainInt64({7})),
             DataPage(Encoding::kRleDictionary, kRows, DictionaryIndices(0, RleRun(kRows, 0, 0)))});
  file.row_groups.assign(1000, {kRows, {nulls, sevens}});
  const std::string bytes = BuildFile(file).bytes;
  for (const std::string where : {"d = 7 AND n IS NULL", "d + 0 = 7"}) {
    ScanQuestion question{where};
    question.limit = 5;
    for (ScanWay way : {ScanWay(), AllOff()}) {
      way.options.read.pool = BufferPool::Make(kBudget);
      const Scanned scanned = ScanRows(bytes, question, way);
      EXPECT_EQ(scanned.positions, (Positions{0, 1, 2, 3, 4}));
      EXPECT_LE(way.options.read.pool->peak_bytes(), kBudget);
    }
  }
  ScanWay way;
  const std::atomic<bool> cancelled = true;
  way.options.read.cancelled = &cancelled;
  const auto scanned = TryScanRows(bytes, {"d = 8"}, way);
  ASSERT_FALSE(scanned);
  EXPECT_EQ(scanned.error().code(), StatusCode::kCancelled) << scanned.error().ToString();
}

// Bounds of megabytes count as absent, and what they are of is found.
TEST(PageScan, M7HugeStatistics) {
  const std::string large(4 << 20, 'z');
  const std::string file =
      BuildFile(Strings({"a", large}, Claims{.min_value = "a", .max_value = large})).bytes;
  for (const ScanWay& way : {ScanWay(), AllOff()}) {
    EXPECT_EQ(ScanRows(file, {"x = 'a'"}, way).positions, Positions{0});
    EXPECT_EQ(ScanRows(file, {"length(x) = 4194304 AND x > 'y'"}, way).positions, Positions{1});
  }
}

}  // namespace
}  // namespace sluice::support
