// Footer, Thrift and file layout: faults F1 to F11.

#include <gtest/gtest.h>

#include "tests/support/file_builder.h"
#include "tests/support/file_reading.h"
#include "tests/support/page_bytes.h"

namespace sluice::support {
namespace {

/// A struct that holds `depth` structs, one inside the next, as an unknown field's value.
ExtraField NestedStructs(int32_t id, size_t depth) {
  // 1c: field 1 above the last id, a struct.
  return {id, CompactType::kStruct, std::string(depth, '\x1c') + std::string(depth + 1, '\0')};
}

FileSpec OneColumn() {
  return OneRowGroup({Required("x", PhysicalType::kInt32)}, 3,
                     {Chunk({DataPage(Encoding::kPlain, 3, PlainInt32({1, 2, 3}))})});
}

const std::vector<std::string> kOneTwoThree = {"[1]", "[2]", "[3]"};

TEST(FooterFaults, F1DeeplyNestedUnknownField) {
  FileSpec file = OneColumn();
  file.extra_fields = {NestedStructs(100, 200'000)};
  ExpectError(BuildFile(file).bytes, StatusCode::kResourceExhausted, {"footer"});
}

TEST(FooterFaults, F1DeeplyNestedLists) {
  FileSpec file = OneColumn();
  // 19: a list of one list.
  file.extra_fields = {{100, CompactType::kList, std::string(200'000, '\x19') + '\x03'}};
  ExpectError(BuildFile(file).bytes, StatusCode::kResourceExhausted, {"footer"});
}

TEST(FooterFaults, F1UnknownFieldsOfAnyTypeAreSkipped) {
  FileSpec file = OneColumn();
  file.extra_fields = {NestedStructs(50, 10),
                       {51, CompactType::kMap, Hex("01 55 02 04")},
                       {60, CompactType::kDouble, std::string(8, 'd')},
                       {61, CompactType::kSet, Hex("18 01 61")},
                       {62, CompactType::kTrue, ""},
                       {400, CompactType::kList, Hex("31 01 02 01")}};
  ExpectRows(BuildFile(file).bytes, kOneTwoThree);
}

TEST(FooterFaults, F1DeeplyNestedFieldInAPageHeader) {
  FileSpec file = OneColumn();
  PageSpec& page = file.row_groups[0].chunks[0].pages[0];
  const std::string header = PageHeaderBytes(page, page.values);
  page.header = header.substr(0, header.size() - 1) + "\x7c" + std::string(100'000, '\x1c') +
                std::string(100'002, '\0');
  ExpectError(BuildFile(file).bytes, StatusCode::kResourceExhausted, {"row group 0", "page"});
}

TEST(FooterFaults, F2ChainOfGroups) {
  std::vector<ElementSpec> schema(100'000, Group("g", Repetition::kRequired, 1));
  schema.push_back(Required("x", PhysicalType::kInt32));
  ExpectError(BuildFile(OneRowGroup(schema, 0, {})).bytes, StatusCode::kResourceExhausted,
              {"schema"});
}

TEST(FooterFaults, F2DeepButAllowedChain) {
  constexpr size_t kDepth = 300;
  std::vector<ElementSpec> schema(kDepth, Group("g", Repetition::kRequired, 1));
  schema.push_back(Required("x", PhysicalType::kInt32));
  const BuiltFile file =
      BuildFile(OneRowGroup(schema, 1, {Chunk({DataPage(Encoding::kPlain, 1, PlainInt32({7}))})}));
  std::string value = "{\"x\":7}";
  for (size_t i = 1; i < kDepth; ++i) value = "{\"g\":" + value + "}";
  ExpectRows(file.bytes, {"[" + value + "]"});
  Reading shallow;
  shallow.footer.limits.max_schema_depth = 100;
  ExpectError(file.bytes, StatusCode::kResourceExhausted, {"schema"}, {shallow});
}

TEST(FooterFaults, F3CountsOfChildrenThatAreNotThere) {
  for (const int64_t count : {int64_t{INT32_MAX}, int64_t{-1}, int64_t{2}, int64_t{0}}) {
    SCOPED_TRACE(count);
    FileSpec file = OneColumn();
    file.root = Group("schema", Repetition::kRequired, count);
    ExpectError(BuildFile(file).bytes, StatusCode::kCorruption, {"schema"});
  }
}

TEST(FooterFaults, F3RepeatedClaims) {
  // Each of many groups claims all elements that remain.
  FileSpec file = OneColumn();
  file.schema.assign(900, Group("g", Repetition::kRequired, 1'000'000'000));
  ExpectError(BuildFile(file).bytes, StatusCode::kCorruption, {"schema"});
}

TEST(FooterFaults, F3HugeListsAreNotReserved) {
  // Lists that claim 2^31 - 1 elements and end at once.
  for (const int32_t id : {2, 4, 5, 7}) {
    SCOPED_TRACE(id);
    FileSpec file = OneColumn();
    file.footer =
        ThriftCompactBuilder()
            .I32(1, 2)
            .Raw(id, CompactType::kList, CompactListHeader(CompactType::kStruct, INT32_MAX))
            .Finish();
    ExpectError(BuildFile(file).bytes, StatusCode::kCorruption, {"footer"});
  }
}

TEST(FooterFaults, F4DictionaryOffsetZeroIsAbsent) {
  FileSpec file = OneColumn();
  file.row_groups[0].chunks[0].dictionary_page_offset = 0;
  file.row_groups[0].chunks[0].data_page_offset = 4;
  ExpectRows(BuildFile(file).bytes, kOneTwoThree);
}

FileSpec WithDictionary() {
  return OneRowGroup({Required("x", PhysicalType::kInt32)}, 3,
                     {Chunk({DictionaryPage(3, PlainInt32({1, 2, 3})),
                             DataPage(Encoding::kRleDictionary, 3,
                                      DictionaryIndices(2, std::vector<uint64_t>{0, 1, 2}))})});
}

TEST(FooterFaults, F5DataPageOffsetInsideTheDictionaryPage) {
  FileSpec file = WithDictionary();
  const PagePlace dictionary = BuildFile(file).pages[0][0][0];
  file.row_groups[0].chunks[0].data_page_offset = dictionary.offset + dictionary.stored_bytes;
  ExpectRows(BuildFile(file).bytes, kOneTwoThree);
}

TEST(FooterFaults, F6DictionaryPageWithoutItsOffset) {
  FileSpec file = WithDictionary();
  ChunkSpec& chunk = file.row_groups[0].chunks[0];
  chunk.data_page_offset = 4;
  chunk.names_dictionary = false;
  ExpectRows(BuildFile(file).bytes, kOneTwoThree);
  chunk.dictionary_page_offset = 4;
  ExpectRows(BuildFile(file).bytes, kOneTwoThree);
  // An offset behind the data page's (corpus oddity) says nothing either.
  chunk.dictionary_page_offset = 40;
  ExpectRows(BuildFile(file).bytes, kOneTwoThree);
}

TEST(FooterFaults, F6DictionaryPageAfterData) {
  FileSpec file = WithDictionary();
  std::vector<PageSpec>& pages = file.row_groups[0].chunks[0].pages;
  pages.insert(pages.begin(), DataPage(Encoding::kPlain, 1, PlainInt32({9})));
  file.row_groups[0].num_rows = 4;
  file.row_groups[0].chunks[0].data_page_offset = 4;
  file.row_groups[0].chunks[0].names_dictionary = false;
  ExpectError(BuildFile(file).bytes, StatusCode::kCorruption, {"row group 0", "page 1"});
}

TEST(FooterFaults, F6TwoDictionaryPages) {
  FileSpec file = WithDictionary();
  std::vector<PageSpec>& pages = file.row_groups[0].chunks[0].pages;
  pages.insert(pages.begin(), pages[0]);
  file.row_groups[0].chunks[0].dictionary_page_offset = 4;
  ExpectError(BuildFile(file).bytes, StatusCode::kCorruption, {"row group 0", "page"});
}

TEST(FooterFaults, F7TotalCompressedSizeWithoutTheDictionaryHeader) {
  FileSpec file = WithDictionary();
  const std::vector<PagePlace> pages = BuildFile(file).pages[0][0];
  file.row_groups[0].chunks[0].total_compressed_size =
      pages[1].end() - pages[0].offset - pages[0].header_bytes;
  file.created_by = "parquet-mr version 1.2.8 (build 1234)";
  ExpectRows(BuildFile(file).bytes, kOneTwoThree);
  file.created_by = "parquet-mr version 1.12.0 (build 1234)";
  ExpectError(BuildFile(file).bytes, StatusCode::kCorruption, {"row group 0", "page"});
}

TEST(FooterFaults, F11TotalCompressedSizeTooLarge) {
  FileSpec file = WithDictionary();
  const std::vector<PagePlace> pages = BuildFile(file).pages[0][0];
  file.row_groups[0].chunks[0].total_compressed_size = pages[1].end() - pages[0].offset + 23;
  ExpectRows(BuildFile(file).bytes, kOneTwoThree);
}

TEST(FooterFaults, F9NamesWithDots) {
  FileSpec file =
      OneRowGroup({Required("a.b", PhysicalType::kInt32), Group("a", Repetition::kRequired, 1),
                   Required("b", PhysicalType::kInt32)},
                  2,
                  {Chunk({DataPage(Encoding::kPlain, 2, PlainInt32({1, 2}))}),
                   Chunk({DataPage(Encoding::kPlain, 2, PlainInt32({30, 40}))})});
  const BuiltFile built = BuildFile(file);
  ExpectRows(built.bytes, {"[1,{\"b\":30}]", "[2,{\"b\":40}]"});
  Reading flat;
  flat.paths = {{"a.b"}};
  ExpectRows(built.bytes, {"[1]", "[2]"}, 0, {flat});
  Reading nested;
  nested.paths = {{"a", "b"}};
  ExpectRows(built.bytes, {"[{\"b\":30}]", "[{\"b\":40}]"}, 0, {nested});
}

TEST(FooterFaults, F10NamesThatDifferByCase) {
  const BuiltFile built = BuildFile(
      OneRowGroup({Required("ID", PhysicalType::kInt32), Required("id", PhysicalType::kInt32)}, 1,
                  {Chunk({DataPage(Encoding::kPlain, 1, PlainInt32({1}))}),
                   Chunk({DataPage(Encoding::kPlain, 1, PlainInt32({2}))})}));
  Reading reading;
  reading.paths = {{"id"}};
  ExpectRows(built.bytes, {"[2]"}, 0, {reading});
  reading.paths = {{"Id"}};
  const auto neither = ReadRows(built.bytes, reading);
  ASSERT_FALSE(neither);
  EXPECT_EQ(neither.error().code(), StatusCode::kNotFound);
  EXPECT_NE(neither.error().message().find("Id"), std::string::npos);
}

// What the table does not name: a file's outer shape.

TEST(FooterFaults, FilesThatAreNone) {
  const std::string good = BuildFile(OneColumn()).bytes;
  ExpectError("", StatusCode::kCorruption);
  ExpectError("PAR1", StatusCode::kCorruption);
  ExpectError("PAR1PAR1", StatusCode::kCorruption);
  ExpectError(good.substr(0, good.size() - 1), StatusCode::kCorruption);
  FileSpec file = OneColumn();
  file.magic = "PARE";
  ExpectError(BuildFile(file).bytes, StatusCode::kEncrypted);
}

TEST(FooterFaults, FooterLengths) {
  for (const int64_t length : {int64_t{0}, int64_t{1}, int64_t{1'000'000}, int64_t{-1},
                               int64_t{INT32_MAX}, int64_t{INT32_MIN}}) {
    SCOPED_TRACE(length);
    FileSpec file = OneColumn();
    file.footer_length = length;
    ExpectError(BuildFile(file).bytes, StatusCode::kCorruption);
  }
}

TEST(FooterFaults, ImpossibleChunkPlaces) {
  const auto with = [](auto change) {
    FileSpec file = OneColumn();
    change(file.row_groups[0].chunks[0]);
    return BuildFile(file).bytes;
  };
  for (const int64_t offset : {int64_t{-1}, int64_t{-4}, INT64_MAX, INT64_MIN, int64_t{1} << 40}) {
    SCOPED_TRACE(offset);
    ExpectError(with([&](ChunkSpec& chunk) { chunk.data_page_offset = offset; }),
                StatusCode::kCorruption, {"row group 0"});
  }
  for (const int64_t size : {int64_t{-1}, INT64_MIN}) {
    SCOPED_TRACE(size);
    ExpectError(with([&](ChunkSpec& chunk) { chunk.total_compressed_size = size; }),
                StatusCode::kCorruption, {"row group 0"});
  }
  ExpectError(with([](ChunkSpec& chunk) { chunk.num_values = -1; }), StatusCode::kCorruption,
              {"row group 0"});
  ExpectError(with([](ChunkSpec& chunk) { chunk.num_values = 4; }), StatusCode::kCorruption,
              {"row group 0"});
  ExpectError(with([](ChunkSpec& chunk) { chunk.type = PhysicalType::kInt64; }),
              StatusCode::kCorruption, {"row group 0"});
}

TEST(FooterFaults, ImpossibleRowCounts) {
  FileSpec file = OneColumn();
  file.row_groups[0].num_rows = -1;
  ExpectError(BuildFile(file).bytes, StatusCode::kCorruption, {"row group 0"});
  file.row_groups[0].num_rows = 4;
  ExpectError(BuildFile(file).bytes, StatusCode::kCorruption, {"row group 0"});
  file.row_groups[0].num_rows = 2;
  ExpectError(BuildFile(file).bytes, StatusCode::kCorruption, {"row group 0"});
  file = OneColumn();
  file.row_groups[0].chunks.clear();
  ExpectError(BuildFile(file).bytes, StatusCode::kCorruption, {"row group 0"});
}

TEST(FooterFaults, EmptyStructures) {
  FileSpec file = OneColumn();
  file.row_groups.clear();
  ExpectRows(BuildFile(file).bytes, {});
  file = OneColumn();
  file.row_groups.insert(file.row_groups.begin(), {0, {Chunk({})}});
  file.num_rows = 0;  // The footer's own count is not to be believed.
  ExpectRows(BuildFile(file).bytes, kOneTwoThree);
  FileSpec columnless;
  columnless.row_groups = {{3, {}}};
  ExpectRows(BuildFile(columnless).bytes, {"[]", "[]", "[]"});
}

}  // namespace
}  // namespace sluice::support
