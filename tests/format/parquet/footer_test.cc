#include "format/parquet/footer.h"

#include <gtest/gtest.h>
#include <sluice/parquet/reader.h>

#include <memory>
#include <string>
#include <variant>

#include "tests/support/corpus.h"
#include "tests/support/file_builder.h"
#include "tests/support/footer_by_thrift.h"
#include "tests/support/thrift_compact_builder.h"

namespace sluice {
namespace {

using parquet::FileMetadata;
using parquet::FooterOptions;
using parquet::FooterReader;
using parquet::MetadataLimits;
using parquet::Need;
using parquet::ParseFooter;
using support::CompactType;
using support::ParseFooterByThrift;
using support::ThriftCompactBuilder;

BufferRef BufferOf(std::string bytes) {
  const auto owner = std::make_shared<std::string>(std::move(bytes));
  const int64_t size = static_cast<int64_t>(owner->size());
  owner->append(kReadPadding, '\0');
  return WrapBytes(reinterpret_cast<const uint8_t*>(owner->data()), size, owner);
}

std::string RootOf(int32_t num_children) {
  return ThriftCompactBuilder().Binary(4, "root").I32(5, num_children).Finish();
}

std::string LeafOf(std::string_view name) {
  return ThriftCompactBuilder().I32(1, 1).I32(3, 0).Binary(4, name).Finish();
}

/// ColumnMetaData of 10 values in `size` bytes from `offset` on, with these statistics.
std::string MetaDataOf(int64_t num_values, int64_t offset, int64_t size,
                       const std::string& statistics = {}) {
  ThriftCompactBuilder builder;
  builder.I32(1, 1)
      .List(2, CompactType::kI32, {support::Varint(support::ZigZag(0))})
      .List(3, CompactType::kBinary, {support::CompactString("a")})
      .I32(4, 0)
      .I64(5, num_values)
      .I64(6, size)
      .I64(7, size)
      .I64(9, offset);
  if (!statistics.empty()) builder.Struct(12, statistics);
  return builder.Finish();
}

std::string ChunkOf(const std::string& metadata) {
  return ThriftCompactBuilder().I64(2, 0).Struct(3, metadata).Finish();
}

std::string RowGroupOf(const std::vector<std::string>& chunks, int64_t num_rows) {
  return ThriftCompactBuilder()
      .List(1, CompactType::kStruct, chunks)
      .I64(2, 40)
      .I64(3, num_rows)
      .Finish();
}

std::string FooterOf(const std::vector<std::string>& row_groups, int num_leaves = 1) {
  std::vector<std::string> elements{RootOf(num_leaves)};
  for (int i = 0; i < num_leaves; ++i) elements.push_back(LeafOf("a" + std::to_string(i)));
  return ThriftCompactBuilder()
      .I32(1, 1)
      .List(2, CompactType::kStruct, elements)
      .I64(3, 10)
      .List(4, CompactType::kStruct, row_groups)
      .Finish();
}

std::string ValidFooter() { return FooterOf({RowGroupOf({ChunkOf(MetaDataOf(10, 4, 40))}, 10)}); }

TEST(Footer, NamesWhatIsMissing) {
  const std::string bytes = ThriftCompactBuilder().I32(1, 1).I64(3, 10).Finish();
  const auto metadata = ParseFooter(BufferOf(bytes));
  ASSERT_FALSE(metadata.has_value());
  EXPECT_EQ(metadata.error().ToString(),
            "corruption: footer: footer lacks a required field: byte offset 5");
}

TEST(Footer, IgnoresWhatFollowsIt) {
  const auto metadata = ParseFooter(BufferOf(ValidFooter() + "a signature of 28 bytes"));
  ASSERT_TRUE(metadata.has_value()) << metadata.error().ToString();
  EXPECT_EQ((*metadata)->row_groups[0].columns[0].num_values, 10);
}

TEST(Footer, NestedJunkInUnknownFields) {  // fault F1
  std::string footer = ValidFooter();
  footer.pop_back();
  std::string nested = footer;
  nested += '\xac';  // Field 14: a struct, with 200 000 structs in it.
  nested.append(200'000, '\x1c');
  for (const std::string& bytes : {nested, nested + std::string(200'002, '\0')}) {
    const auto metadata = ParseFooter(BufferOf(bytes));
    ASSERT_FALSE(metadata.has_value());
    EXPECT_EQ(metadata.error().code(), StatusCode::kResourceExhausted);
    EXPECT_NE(metadata.error().message().find("nested too deep"), std::string::npos);
    EXPECT_EQ(ParseFooterByThrift(BufferOf(bytes)).status().code(), StatusCode::kResourceExhausted);
  }
  // Lists in lists, and maps in maps.
  for (const char head : {'\x19', '\x1b'}) {
    std::string bytes = footer;
    bytes += head == '\x19' ? '\xa9' : '\xab';
    for (int i = 0; i < 10'000; ++i) bytes += head == '\x19' ? "\x19" : std::string("\x01\x3b\x01");
    EXPECT_FALSE(ParseFooter(BufferOf(bytes)).has_value());
  }
  // As deep as is allowed is stepped over.
  std::string shallow = footer;
  shallow += '\xac';
  shallow.append(50, '\x1c');
  shallow.append(52, '\0');
  EXPECT_TRUE(ParseFooter(BufferOf(shallow)).has_value());
}

TEST(Footer, ClaimedCountsCostNothing) {  // fault F3
  for (const int32_t id : {2, 4, 5, 7}) {
    const std::string bytes =
        ThriftCompactBuilder()
            .I32(1, 1)
            .Raw(id, CompactType::kList,
                 support::CompactListHeader(CompactType::kStruct, 2'147'483'647))
            .Finish();
    const auto metadata = ParseFooter(BufferOf(bytes));
    ASSERT_FALSE(metadata.has_value());
    EXPECT_EQ(metadata.error().code(), StatusCode::kCorruption) << id;
    EXPECT_FALSE(ParseFooterByThrift(BufferOf(bytes)).has_value());
  }
}

TEST(Footer, SchemaElementsAreLimited) {
  MetadataLimits limits;
  limits.max_schema_elements = 3;
  const std::string bytes = FooterOf({}, 3);
  FooterOptions options;
  options.limits = limits;
  EXPECT_EQ(ParseFooter(BufferOf(bytes), options).status().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(ParseFooterByThrift(BufferOf(bytes), limits).status().code(),
            StatusCode::kResourceExhausted);
  EXPECT_TRUE(ParseFooter(BufferOf(FooterOf({}, 2)), options).has_value());
}

TEST(Footer, LongBoundsAreViews) {  // fault M7
  const std::string bound(4 << 20, 'x');
  const std::string statistics =
      ThriftCompactBuilder().I64(3, 0).Binary(5, bound).Binary(6, bound).Finish();
  const BufferRef bytes =
      BufferOf(FooterOf({RowGroupOf({ChunkOf(MetaDataOf(10, 4, 40, statistics))}, 10)}));
  const auto metadata = ParseFooter(bytes);
  ASSERT_TRUE(metadata.has_value()) << metadata.error().ToString();
  const auto& parsed = (*metadata)->row_groups[0].columns[0].statistics;
  ASSERT_TRUE(parsed && parsed->max_value);
  EXPECT_EQ(parsed->max_value->size(), bound.size());
  const auto* view = reinterpret_cast<const uint8_t*>(parsed->max_value->data());
  EXPECT_TRUE(view > bytes->data() && view < bytes->data() + bytes->size());
  FooterOptions options;
  options.statistics = false;
  const auto without = ParseFooter(bytes, options);
  ASSERT_TRUE(without.has_value());
  EXPECT_FALSE((*without)->row_groups[0].columns[0].statistics.has_value());
}

TEST(Footer, CountsHaveSixtyFourBits) {  // faults B1, B4
  const int64_t values = int64_t{1} << 32;
  const int64_t offset = 3'000'000'000;
  const int64_t size = 3'200'000'000;
  const auto metadata = ParseFooter(
      BufferOf(FooterOf({RowGroupOf({ChunkOf(MetaDataOf(values, offset, size))}, values)})));
  ASSERT_TRUE(metadata.has_value());
  EXPECT_EQ((*metadata)->row_groups[0].num_rows, values);
  EXPECT_EQ((*metadata)->row_groups[0].columns[0].num_values, values);
  EXPECT_EQ((*metadata)->row_groups[0].columns[0].data_page_offset, offset);
  EXPECT_EQ((*metadata)->row_groups[0].columns[0].total_compressed_size, size);
}

TEST(Footer, UnwantedLeavesAreSteppedOver) {
  const std::string chunk = ChunkOf(MetaDataOf(10, 4, 40));
  const std::string junk = ThriftCompactBuilder().Binary(1, "elsewhere").Finish();
  const std::string bytes = FooterOf({RowGroupOf({chunk, junk, chunk}, 10)}, 3);
  FooterOptions options;
  options.columns = {"a0", "a2"};
  const auto metadata = ParseFooter(BufferOf(bytes), options);
  ASSERT_TRUE(metadata.has_value()) << metadata.error().ToString();
  const auto& columns = (*metadata)->row_groups[0].columns;
  ASSERT_EQ(columns.size(), 3U);
  EXPECT_TRUE(columns[0].is_present);
  EXPECT_FALSE(columns[1].is_present);
  EXPECT_EQ(columns[2].num_values, 10);
  // Wanted, the second lacks its metadata.
  EXPECT_EQ(ParseFooter(BufferOf(bytes)).status().code(), StatusCode::kCorruption);
}

TEST(Footer, NamedColumnsKeepAllTheirLeaves) {
  // a0, then a group g of a0, a1 and a group of a0, then a0 again, then z.
  const auto group = [](std::string_view name, int32_t children) {
    return ThriftCompactBuilder().I32(3, 0).Binary(4, name).I32(5, children).Finish();
  };
  const std::vector<std::string> elements = {RootOf(4),    LeafOf("a0"), group("g", 3),
                                             LeafOf("a0"), LeafOf("a1"), group("h", 1),
                                             LeafOf("a0"), LeafOf("a0"), LeafOf("z")};
  const std::string chunk = ChunkOf(MetaDataOf(10, 4, 40));
  const std::string bytes =
      ThriftCompactBuilder()
          .I32(1, 1)
          .List(2, CompactType::kStruct, elements)
          .I64(3, 10)
          .List(4, CompactType::kStruct, {RowGroupOf(std::vector<std::string>(6, chunk), 10)})
          .Finish();
  const auto kept = [&](std::vector<std::string> names) {
    FooterOptions options;
    options.columns = std::move(names);
    const auto metadata = ParseFooter(BufferOf(bytes), options);
    std::string leaves;
    if (!metadata) return metadata.error().ToString();
    for (const auto& column : (*metadata)->row_groups[0].columns) {
      leaves += column.is_present ? '1' : '0';
    }
    return leaves;
  };
  EXPECT_EQ(kept({}), "000000");
  EXPECT_EQ(kept({"nowhere", "a1", "h"}), "000000");
  EXPECT_EQ(kept({"a0"}), "100010");  // Both columns of that name.
  EXPECT_EQ(kept({"g"}), "011100");
  EXPECT_EQ(kept({"z", "g"}), "011101");
}

TEST(Footer, EncryptionIsSeen) {
  std::string encrypted_chunk =
      ThriftCompactBuilder()
          .I64(2, 0)
          .Struct(8, ThriftCompactBuilder().Struct(1, ThriftCompactBuilder().Finish()).Finish())
          .Finish();
  std::string footer = FooterOf({RowGroupOf({encrypted_chunk}, 10)});
  footer.pop_back();
  footer += '\x4c';  // Field 8, a struct: the algorithm.
  footer += ThriftCompactBuilder().Struct(1, ThriftCompactBuilder().Finish()).Finish();
  footer += '\0';
  for (const auto& metadata :
       {ParseFooter(BufferOf(footer)), ParseFooterByThrift(BufferOf(footer))}) {
    ASSERT_TRUE(metadata.has_value()) << metadata.error().ToString();
    EXPECT_TRUE((*metadata)->has_encryption_algorithm);
    EXPECT_TRUE((*metadata)->row_groups[0].columns[0].is_encrypted);
  }
}

TEST(Footer, TypesAndRepetitionsThatAreNone) {
  const auto with_element = [](const std::string& element) {
    return ThriftCompactBuilder()
        .I32(1, 1)
        .List(2, CompactType::kStruct, {RootOf(1), element})
        .I64(3, 0)
        .List(4, CompactType::kStruct, {})
        .Finish();
  };
  const std::string type = with_element(ThriftCompactBuilder().I32(1, 8).Binary(4, "a").Finish());
  const std::string repetition =
      with_element(ThriftCompactBuilder().I32(3, -1).Binary(4, "a").Finish());
  for (const std::string& bytes : {type, repetition}) {
    EXPECT_EQ(ParseFooter(BufferOf(bytes)).status().code(), StatusCode::kCorruption);
    EXPECT_EQ(ParseFooterByThrift(BufferOf(bytes)).status().code(), StatusCode::kCorruption);
  }
}

/// Feeds a reader out of `file`; counts its reads.
Result<std::shared_ptr<const FileMetadata>> ReadFooter(const std::string& file, int& reads,
                                                       int64_t tail_bytes = 64,
                                                       FooterOptions options = {}) {
  FooterReader reader(static_cast<int64_t>(file.size()), options, tail_bytes);
  for (reads = 0;; ++reads) {
    auto step = reader.Step();
    if (!step.has_value()) return step.error();
    if (auto* metadata = std::get_if<std::shared_ptr<const FileMetadata>>(&*step)) {
      return *metadata;
    }
    const ByteRange range = std::get<Need>(*step).ranges.at(0);
    const Status status =
        reader.Provide(range, BufferOf(file.substr(static_cast<size_t>(range.offset),
                                                   static_cast<size_t>(range.length))));
    if (!status.ok()) return status;
  }
}

std::string FileOf(const std::string& footer) {
  std::string file = "PAR1" + std::string(100, 'd') + footer;
  const auto length = static_cast<uint32_t>(footer.size());
  for (int i = 0; i < 4; ++i) file += static_cast<char>(length >> (8 * i));
  return file + "PAR1";
}

TEST(FooterReader, ReadsTheTailOnceWhereItIsEnough) {
  const std::string file = FileOf(ValidFooter());
  int reads = 0;
  const auto once = ReadFooter(file, reads, 1 << 16);
  ASSERT_TRUE(once.has_value()) << once.error().ToString();
  EXPECT_EQ(reads, 1);
  EXPECT_EQ((*once)->footer_offset, 104);
  const auto twice = ReadFooter(file, reads, 8);
  ASSERT_TRUE(twice.has_value()) << twice.error().ToString();
  EXPECT_EQ(reads, 2);
  EXPECT_EQ((*twice)->footer_offset, 104);
}

TEST(FooterReader, RefusesWhatIsNoParquetFile) {
  const std::string good = FileOf(ValidFooter());
  std::string encrypted = good;
  encrypted.replace(encrypted.size() - 4, 4, "PARE");
  std::string long_footer = good;
  long_footer[long_footer.size() - 5] = '\x7f';
  std::string negative_footer = good;
  negative_footer[negative_footer.size() - 5] = '\xff';
  std::string one_too_long = FileOf(ValidFooter());
  one_too_long = one_too_long.substr(0, 4) + one_too_long.substr(104 + 1);
  const struct {
    const char* what;
    std::string file;
    StatusCode code;
  } cases[] = {
      {"empty", "", StatusCode::kCorruption},
      {"eleven bytes", "PAR1\0\0\0PAR1", StatusCode::kCorruption},
      {"no magic", "This is a text file, not a Parquet file.", StatusCode::kCorruption},
      {"magic only at the end", "12345678901234567890" + good.substr(20), StatusCode::kCorruption},
      {"encrypted", encrypted, StatusCode::kEncrypted},
      {"longer than the file", long_footer, StatusCode::kCorruption},
      {"length with the sign bit", negative_footer, StatusCode::kCorruption},
      {"longer by one", one_too_long, StatusCode::kCorruption},
      {"no footer", std::string("PAR1\0\0\0\0PAR1", 12), StatusCode::kCorruption},
  };
  for (const auto& test : cases) {
    int reads = 0;
    const auto metadata = ReadFooter(test.file, reads, 1 << 16);
    ASSERT_FALSE(metadata.has_value()) << test.what;
    EXPECT_EQ(metadata.error().code(), test.code) << test.what << metadata.error().ToString();
  }
}

TEST(FooterReader, LimitsTheFooterBeforeItIsRead) {
  FooterOptions options;
  options.limits.max_footer_bytes = 20;
  int reads = 0;
  const auto metadata = ReadFooter(FileOf(ValidFooter()), reads, 8, options);
  ASSERT_FALSE(metadata.has_value());
  EXPECT_EQ(metadata.error().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(reads, 1);
}

TEST(FooterReader, TakesOnlyWhatItAskedFor) {
  FooterReader reader(1000);
  EXPECT_EQ(reader.Provide({0, 0}, BufferOf("")).code(), StatusCode::kInvalidArgument);
  ASSERT_TRUE(reader.Step().has_value());
  EXPECT_EQ(reader.Provide({0, 10}, BufferOf("0123456789")).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(reader.Provide({0, 1000}, BufferOf("short")).code(), StatusCode::kInvalidArgument);
}

TEST(FooterReader, EveryCorpusFileEndsAsItsCategorySays) {
  for (const support::CorpusFile& file : support::CorpusFiles()) {
    int reads = 0;
    const auto metadata = ReadFooter(support::ReadWholeFile(file.path), reads, 64 << 10);
    if (file.category == "ok") {
      EXPECT_TRUE(metadata.has_value()) << file.name << metadata.status().ToString();
    } else if (file.category == "encrypted" && !metadata.has_value()) {
      EXPECT_EQ(metadata.error().code(), StatusCode::kEncrypted) << file.name;
    }
  }
}

}  // namespace
}  // namespace sluice
