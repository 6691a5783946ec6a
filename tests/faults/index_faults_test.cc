// Page indexes, dictionaries and bloom filters: faults I1 to I9, and L2, as far as they need no
// scan.

#include <sluice/parquet/page_index.h>

#include <cmath>
#include <limits>

#include "tests/faults/claiming_files.h"
#include "tests/faults/judging.h"
#include "tests/support/file_reading.h"
#include "tests/support/padded_buffer.h"
#include "tests/support/page_bytes.h"

namespace sluice::support {
namespace {

using parquet::BloomFilter;
using parquet::BloomHash;
using parquet::ColumnIndex;
using parquet::OffsetIndex;

const DataType kInt = DataType::Of(TypeId::kInt32);
const DataType kText = DataType::Of(TypeId::kString);

std::string I(int32_t value) { return BytesOf(value); }

std::span<const uint8_t> Bytes(std::string_view bytes) {
  return {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

/// The file with this column index, and both indexes as they are read from it.
struct IndexedFile {
  explicit IndexedFile(const IndexClaims& claims,
                       const std::optional<Claims>& statistics = std::nullopt)
      : spec([&] {
          FileSpec built = ThreePages(statistics);
          built.row_groups[0].chunks[0].column_index = claims.Bytes();
          return built;
        }()),
        bytes(BuildFile(spec).bytes),
        file(bytes) {
    const parquet::ColumnChunk& chunk = file.row_group().columns[0];
    const auto part = [&](ByteRange range) {
      return PaddedBuffer(std::string_view(bytes).substr(static_cast<size_t>(range.offset),
                                                         static_cast<size_t>(range.length)));
    };
    index = *parquet::ParseColumnIndex(part(*chunk.column_index));
    offsets = *parquet::ParseOffsetIndex(part(*chunk.offset_index)->span());
  }

  bool IsConsistent() const { return file.leaf().IsConsistent(index, offsets, file.row_group()); }
  Evidence Page(size_t page) const { return file.leaf().OfIndexedPage(index, page, 2); }

  FileSpec spec;
  std::string bytes;
  JudgedFile file;
  ColumnIndex index;
  OffsetIndex offsets;
};

TEST(IndexFaults, I1AnHonestIndexJudgesPages) {
  const IndexedFile indexed(IndexOfThreePages());
  ASSERT_TRUE(indexed.IsConsistent());
  const ColumnFilter filter = Equal(kInt, I(55));
  const JudgedFile& file = indexed.file;
  file.ExpectPage(indexed.Page(0), 0, 2, filter, Outcome::kSome, Reason::kBoundsUndecided);
  file.ExpectPage(indexed.Page(1), 2, 4, filter, Outcome::kNone, Reason::kBounds);
  file.ExpectPage(indexed.Page(2), 4, 6, filter, Outcome::kNone, Reason::kNulls);
  file.ExpectPage(indexed.Page(0), 0, 2, IsNotNull(), Outcome::kAll, Reason::kNulls);
  file.ExpectPage(indexed.Page(1), 2, 4, IsNull(), Outcome::kSome, Reason::kNullsPresent);
  file.ExpectPage(indexed.Page(2), 4, 6, IsNull(), Outcome::kAll, Reason::kNulls);
  // A null page needs no count.
  IndexClaims uncounted = IndexOfThreePages();
  uncounted.null_counts.clear();
  const Evidence page = IndexedFile(uncounted).Page(2);
  file.ExpectPage(page, 4, 6, IsNull(), Outcome::kAll, Reason::kNulls);
}

TEST(IndexFaults, I1ContradictoryEntries) {
  const auto is_consistent = [](auto&& change, const std::optional<Claims>& claims = {}) {
    IndexClaims index = IndexOfThreePages();
    change(index);
    return IndexedFile(index, claims).IsConsistent();
  };
  EXPECT_TRUE(is_consistent([](IndexClaims&) {}));
  EXPECT_TRUE(is_consistent([](IndexClaims& index) { index.null_counts.clear(); }));
  // A null page without nulls, and a page of nulls that is none.
  EXPECT_FALSE(is_consistent([](IndexClaims& index) { index.null_pages[0] = true; }));
  EXPECT_FALSE(is_consistent([](IndexClaims& index) { index.null_counts[2] = 1; }));
  EXPECT_FALSE(is_consistent([](IndexClaims& index) { index.null_counts[0] = 2; }));
  // Counts that no page has.
  EXPECT_FALSE(is_consistent([](IndexClaims& index) { index.null_counts[1] = -1; }));
  EXPECT_FALSE(is_consistent([](IndexClaims& index) { index.null_counts[1] = 3; }));
  EXPECT_FALSE(is_consistent([](IndexClaims& index) { index.nan_counts = {-1, 0, 0}; }));
  EXPECT_FALSE(is_consistent([](IndexClaims& index) { index.nan_counts = {0, 2, 0}; }));
  EXPECT_TRUE(is_consistent([](IndexClaims& index) { index.nan_counts = {2, 1, 0}; }));
  // Another number of pages than the offset index has.
  EXPECT_FALSE(is_consistent([](IndexClaims& index) {
    index = {.null_pages = {false}, .min_values = {I(50)}, .max_values = {I(70)}};
  }));
  // What the column chunk says of itself.
  const auto none = [](IndexClaims&) {};
  EXPECT_TRUE(is_consistent(none, Claims{.null_count = 3}));
  EXPECT_FALSE(is_consistent(none, Claims{.null_count = 2}));
  const auto all_null = [](IndexClaims& index) {
    index = {
        .null_pages = {true, true, true}, .min_values = {"", "", ""}, .max_values = {"", "", ""}};
  };
  EXPECT_TRUE(is_consistent(all_null));
  EXPECT_FALSE(is_consistent(all_null, Claims{.min_value = I(50), .max_value = I(70)}));
}

TEST(IndexFaults, I1NullPagesOfARequiredColumn) {
  FileSpec file = ClaimingFile(Required("x", PhysicalType::kInt32), 1,
                               {DataPage(Encoding::kPlain, 1, PlainInt32({50}))}, std::nullopt);
  const JudgedFile judged(file);
  OffsetIndex offsets;
  offsets.page_locations = {{4, 30, 0}};
  ColumnIndex index;
  index.null_pages = {true};
  index.min_values = index.max_values = {""};
  EXPECT_FALSE(judged.leaf().IsConsistent(index, offsets, judged.row_group()));
  index.null_pages = {false};
  index.min_values = index.max_values = {Kept(I(50))};
  EXPECT_TRUE(judged.leaf().IsConsistent(index, offsets, judged.row_group()));
}

// A bound that a writer left out for its length, where the index must have one.
TEST(IndexFaults, I1EmptyBounds) {
  ElementSpec element = Required("x", PhysicalType::kByteArray);
  element.converted_type = kConvertedUtf8;
  const std::string text(5000, 'z');
  const JudgedFile file(ClaimingFile(
      element, 1, {DataPage(Encoding::kPlain, 1, PlainByteArray({text}))}, std::nullopt));
  ColumnIndex index;
  index.null_pages = {false};
  index.min_values = {"a"};
  index.max_values = {""};
  const auto expect = [&](const ColumnFilter& filter, Outcome outcome, Reason reason) {
    file.ExpectPage(file.leaf().OfIndexedPage(index, 0, 1), 0, 1, filter, outcome, reason);
  };
  expect(Equal(kText, text), Outcome::kSome, Reason::kBoundMissing);
  expect(Less(kText, "a"), Outcome::kNone, Reason::kBounds);
  index.min_values = {""};
  expect(Equal(kText, text), Outcome::kSome, Reason::kBoundMissing);
  expect(Equal(kText, ""), Outcome::kSome, Reason::kBoundMissing);
}

TEST(IndexFaults, I3OffsetIndexThatIsOffByRows) {
  IndexedFile indexed(IndexOfThreePages());
  const ByteRange chunk =
      *ChunkByteRange(*indexed.file.reader().metadata(), indexed.file.row_group().columns[0]);
  EXPECT_TRUE(CheckOffsetIndex(indexed.offsets, 6, chunk).ok());
  // Rows that pages begin at are moved: null counts no longer fit, or the index is none.
  indexed.offsets.page_locations[2].first_row_index = 3;
  EXPECT_TRUE(CheckOffsetIndex(indexed.offsets, 6, chunk).ok());
  EXPECT_FALSE(indexed.IsConsistent());
  indexed.offsets.page_locations[2].first_row_index = 1;
  EXPECT_FALSE(CheckOffsetIndex(indexed.offsets, 6, chunk).ok());
  EXPECT_FALSE(indexed.IsConsistent());
}

/// A bloom filter of these PLAIN values, without length prefixes.
BloomFilter FilterOf(const std::vector<std::string>& values) {
  BloomFilter filter = *BloomFilter::Make(100, 0.0001, *BufferPool::Make());
  for (const std::string& value : values) filter.Insert(BloomHash(Bytes(value)));
  return filter;
}

/// A column without values to read, of which only the bloom filter is asked.
Outcome ByBloom(const ElementSpec& element, const std::vector<std::string>& hashed,
                const ColumnFilter& filter, std::shared_ptr<const DataType> read_as = nullptr) {
  FileSpec file = OneRowGroup({element}, 0, {Chunk({})});
  const auto reader = *OpenBytes(BuildFile(file).bytes);
  const parquet::LeafEvidence leaf(*reader->metadata(), *reader->tree(), 0, std::move(read_as));
  const Verdict verdict = Evaluate(filter, leaf.OfBloomFilter(FilterOf(hashed)));
  EXPECT_EQ(verdict.source, EvidenceSource::kBloomFilter);
  return verdict.outcome;
}

TEST(IndexFaults, I6BytesAreHashedAsTheyAre) {
  const DataType type = DataType::Of(TypeId::kBinary);
  const ElementSpec element = Required("x", PhysicalType::kByteArray);
  const std::string blob("\xff\x00", 2);
  EXPECT_EQ(ByBloom(element, {blob}, Equal(type, blob)), Outcome::kSome);
  EXPECT_EQ(ByBloom(element, {blob}, Equal(type, "\\xFF\\x00")), Outcome::kNone);
  EXPECT_EQ(ByBloom(element, {blob}, Equal(type, "\xff")), Outcome::kNone);
}

TEST(IndexFaults, I7DecimalsOfThePhysicalWidth) {
  ElementSpec fixed = Required("x", PhysicalType::kFixedLenByteArray);
  fixed.type_length = 9;
  fixed.logical_type = LogicalDecimal(19, 2);
  const DataType wide = DataType::Decimal(19, 2, 16);
  const auto number = [](int64_t value) {
    return BytesOf(value) + std::string(8, value < 0 ? '\xff' : '\0');
  };
  const std::vector<std::string> hashed = {Hex("0000000000000001f4"), Hex("fffffffffffffffe0c")};
  EXPECT_EQ(ByBloom(fixed, hashed, Equal(wide, number(500))), Outcome::kSome);
  EXPECT_EQ(ByBloom(fixed, hashed, Equal(wide, number(-500))), Outcome::kSome);
  EXPECT_EQ(ByBloom(fixed, hashed, Equal(wide, number(501))), Outcome::kNone);

  ElementSpec stored = Required("x", PhysicalType::kInt64);
  stored.logical_type = LogicalDecimal(4, 2);
  const DataType narrow = DataType::Decimal(4, 2, 8);
  EXPECT_EQ(ByBloom(stored, {BytesOf(int64_t{200})}, Equal(narrow, BytesOf(int64_t{200}))),
            Outcome::kSome);
  EXPECT_EQ(ByBloom(stored, {BytesOf(int64_t{200})}, Equal(narrow, BytesOf(int64_t{400}))),
            Outcome::kNone);
  // In BYTE_ARRAY one number has several forms.
  ElementSpec variable = Required("x", PhysicalType::kByteArray);
  variable.logical_type = LogicalDecimal(4, 2);
  const DataType least = DataType::Decimal(4, 2, 4);
  EXPECT_EQ(ByBloom(variable, {Hex("00c8")}, Equal(least, I(200))), Outcome::kSome);
  EXPECT_EQ(ByBloom(variable, {Hex("00c8")}, Equal(least, I(201))), Outcome::kSome);
}

TEST(IndexFaults, I8IntegersOfThePhysicalWidth) {
  ElementSpec element = Required("x", PhysicalType::kInt32);
  element.logical_type = LogicalInteger(8, true);
  const DataType small = DataType::Of(TypeId::kInt8);
  EXPECT_EQ(ByBloom(element, {I(7), I(-7)}, Equal(small, "\x07")), Outcome::kSome);
  EXPECT_EQ(ByBloom(element, {I(7), I(-7)}, Equal(small, "\xf9")), Outcome::kSome);
  EXPECT_EQ(ByBloom(element, {I(7), I(-7)}, Equal(small, "\x08")), Outcome::kNone);
  element.logical_type = LogicalInteger(16, false);
  const DataType half = DataType::Of(TypeId::kUint16);
  EXPECT_EQ(ByBloom(element, {I(65'535)}, Equal(half, BytesOf(uint16_t{65'535}))), Outcome::kSome);
  EXPECT_EQ(ByBloom(element, {I(65'535)}, Equal(half, BytesOf(uint16_t{65'534}))), Outcome::kNone);
}

// contract X-06: the literal goes to the file's type, and where that is not exact nothing is looked
// up.
TEST(IndexFaults, I8WidenedColumns) {
  const auto real = std::make_shared<const DataType>(DataType::Of(TypeId::kDouble));
  const ElementSpec single = Required("x", PhysicalType::kFloat);
  const std::vector<std::string> hashed = {BytesOf(1.5F)};
  EXPECT_EQ(ByBloom(single, hashed, Equal(*real, BytesOf(1.5)), real), Outcome::kSome);
  EXPECT_EQ(ByBloom(single, hashed, Equal(*real, BytesOf(2.5)), real), Outcome::kNone);
  EXPECT_EQ(ByBloom(single, hashed, Equal(*real, BytesOf(0.1)), real), Outcome::kSome);
  const auto large = std::make_shared<const DataType>(DataType::Of(TypeId::kInt64));
  const ElementSpec narrow = Required("x", PhysicalType::kInt32);
  EXPECT_EQ(ByBloom(narrow, {I(7)}, Equal(*large, BytesOf(int64_t{7})), large), Outcome::kSome);
  EXPECT_EQ(ByBloom(narrow, {I(7)}, Equal(*large, BytesOf(int64_t{8})), large), Outcome::kNone);
  EXPECT_EQ(ByBloom(narrow, {I(7)}, Equal(*large, BytesOf(INT64_MAX)), large), Outcome::kSome);
}

TEST(IndexFaults, I9ZerosAndNans) {
  const DataType type = DataType::Of(TypeId::kFloat);
  const ElementSpec element = Required("x", PhysicalType::kFloat);
  for (const float stored : {-0.0F, 0.0F}) {
    for (const float asked : {-0.0F, 0.0F}) {
      EXPECT_EQ(ByBloom(element, {BytesOf(stored)}, Equal(type, BytesOf(asked))), Outcome::kSome);
    }
  }
  EXPECT_EQ(ByBloom(element, {BytesOf(1.0F)}, Equal(type, BytesOf(-0.0F))), Outcome::kNone);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(ByBloom(element, {BytesOf(uint32_t{0x7fc00001})}, Equal(type, BytesOf(nan))),
            Outcome::kSome);
  const DataType half = DataType::Of(TypeId::kFloat16);
  ElementSpec fixed = Required("x", PhysicalType::kFixedLenByteArray);
  fixed.type_length = 2;
  fixed.logical_type = Logical(LogicalKind::kFloat16);
  EXPECT_EQ(ByBloom(fixed, {BytesOf(uint16_t{0x8000})}, Equal(half, BytesOf(uint16_t{0}))),
            Outcome::kSome);
}

TEST(IndexFaults, I9InstantsHaveSeveralForms) {
  const DataType type = DataType::Of(TypeId::kInt96);
  EXPECT_EQ(ByBloom(Required("x", PhysicalType::kInt96), {PlainInt96(-1, 2'440'588)},
                    Equal(type, PlainInt96(86'399'999'999'999, 2'440'587))),
            Outcome::kSome);
}

TEST(IndexFaults, L2NullIsInNoDictionary) {
  ElementSpec element = Optional("x", PhysicalType::kByteArray);
  element.converted_type = kConvertedUtf8;
  const JudgedFile file(ClaimingFile(
      element, 3,
      {DictionaryPage(1, PlainByteArray({"A"})),
       DataPage(Encoding::kRleDictionary, 3, DictionaryIndices(1, std::vector<uint64_t>{0, 0}),
                RleRuns({1, 1, 0}, 1))},
      Claims{}));
  const std::vector<std::optional<std::string>> entries = {"A"};
  Evidence evidence = file.evidence();
  MergeEvidence(evidence,
                file.leaf().OfDictionary(std::make_shared<const Column>(ColumnOf(kText, entries))));
  file.ExpectBy(evidence, OrNull(NotEqual(kText, "A")), Outcome::kSome, Reason::kNullCountUnknown);
  file.ExpectBy(evidence, NotEqual(kText, "A"), Outcome::kNone, Reason::kDistinctValues);
  file.ExpectBy(evidence, Equal(kText, "A"), Outcome::kSome, Reason::kNullCountUnknown);
}

// fault E12: a dictionary says something of the chunk only where every page is of it.
TEST(IndexFaults, E12MixedEncodings) {
  using parquet::PageEncodingStats;
  parquet::ColumnChunk chunk;
  EXPECT_FALSE(IsAllDictionary(chunk));
  chunk.encodings = {Encoding::kPlain, Encoding::kRleDictionary};
  EXPECT_FALSE(IsAllDictionary(chunk));
  chunk.encoding_stats = {{PageType::kDictionaryPage, Encoding::kPlain, 1}};
  EXPECT_FALSE(IsAllDictionary(chunk));
  chunk.encoding_stats.push_back({PageType::kDataPage, Encoding::kRleDictionary, 2});
  EXPECT_TRUE(IsAllDictionary(chunk));
  chunk.encoding_stats.push_back({PageType::kDataPageV2, Encoding::kPlainDictionary, 1});
  EXPECT_TRUE(IsAllDictionary(chunk));
  chunk.encoding_stats.push_back({PageType::kDataPage, Encoding::kPlain, 1});
  EXPECT_FALSE(IsAllDictionary(chunk));
}

}  // namespace
}  // namespace sluice::support
