// Big files and overflow: faults B1 to B6. The files are sparse, or repeat one run or entry.

#include <gtest/gtest.h>

#include <map>

#include "tests/support/file_builder.h"
#include "tests/support/file_reading.h"
#include "tests/support/page_bytes.h"

namespace sluice::support {
namespace {

using parquet::FileReader;
using parquet::Projection;

/// A file of zeros with some pieces of bytes in it.
class SparseFile : public RandomAccessFile {
 public:
  SparseFile(int64_t size, std::map<int64_t, std::string> pieces)
      : name_(kFileName), size_(size), pieces_(std::move(pieces)) {}

  const std::string& name() const override { return name_; }
  Result<int64_t> Size() const override { return size_; }
  Result<int64_t> ReadSome(int64_t offset, std::span<uint8_t> out) const override {
    const int64_t end = std::min(size_, offset + static_cast<int64_t>(out.size()));
    if (end <= offset) return 0;
    std::fill_n(out.begin(), end - offset, uint8_t{0});
    for (const auto& [begin, bytes] : pieces_) {
      const int64_t from = std::max(begin, offset);
      const int64_t to = std::min(begin + static_cast<int64_t>(bytes.size()), end);
      if (from < to)
        std::copy_n(bytes.begin() + (from - begin), to - from, out.begin() + (from - offset));
    }
    return end - offset;
  }

 private:
  std::string name_;
  int64_t size_;
  std::map<int64_t, std::string> pieces_;
};

/// The footer of `file`, with its length and magic.
std::string Tail(const FileSpec& file) {
  const BuiltFile built = BuildFile(file);
  return built.bytes.substr(static_cast<size_t>(built.footer_offset));
}

TEST(BigFaults, B1ChunksThatTogetherExceed32Bits) {
  // Two chunks of 1.6 GB each: a page of three values, and space that nothing uses.
  constexpr int64_t kChunk = 1'600'000'000;
  const ChunkSpec first = Chunk({DataPage(Encoding::kPlain, 3, PlainInt64({1, 2, 3}))});
  const ChunkSpec second = Chunk({DataPage(Encoding::kPlain, 3, PlainInt64({10, 20, 30}))});
  FileSpec file =
      OneRowGroup({Required("a", PhysicalType::kInt64), Required("b", PhysicalType::kInt64)}, 3,
                  {first, second});
  const BuiltFile built = BuildFile(file);
  const auto page_bytes = [&](size_t chunk) {
    const PagePlace& place = built.pages[0][chunk][0];
    return built.bytes.substr(static_cast<size_t>(place.offset),
                              static_cast<size_t>(place.end() - place.offset));
  };
  for (size_t i = 0; i < 2; ++i) {
    ChunkSpec& chunk = file.row_groups[0].chunks[i];
    chunk.pages.clear();
    chunk.num_values = 3;
    chunk.data_page_offset = 4 + static_cast<int64_t>(i) * kChunk;
    chunk.total_compressed_size = chunk.total_uncompressed_size = kChunk;
  }
  const std::string tail = Tail(file);
  const int64_t footer = 4 + 2 * kChunk;
  const auto sparse = std::make_shared<SparseFile>(
      footer + static_cast<int64_t>(tail.size()),
      std::map<int64_t, std::string>{
          {0, "PAR1"}, {4, page_bytes(0)}, {4 + kChunk, page_bytes(1)}, {footer, tail}});
  Reading reading;
  reading.options.pool = BufferPool::Make(32 << 20);
  const auto rows = ReadRows(sparse, reading);
  ASSERT_TRUE(rows) << rows.error().ToString();
  EXPECT_EQ(*rows, (std::vector<std::string>{"[1,10]", "[2,20]", "[3,30]"}));
}

TEST(BigFaults, B2ColumnChunkAboveTwoGibibytes) {
  // Ten pages of 256 MiB of zeros, of which rows of the first and the last are wanted.
  constexpr int64_t kPage = 256 << 20;
  constexpr int64_t kPageRows = kPage / 8;
  constexpr int64_t kPages = 10;
  PageSpec page = DataPage(Encoding::kPlain, kPageRows, "");
  page.uncompressed_page_size = page.compressed_page_size = kPage;
  const std::string header = PageHeaderBytes(page, "");
  std::map<int64_t, std::string> pieces = {{0, "PAR1"}};
  std::vector<std::string> locations;
  int64_t offset = 4;
  for (int64_t i = 0; i < kPages; ++i) {
    pieces[offset] = header + PlainInt64({i});
    locations.push_back(ThriftCompactBuilder()
                            .I64(1, offset)
                            .I32(2, static_cast<int64_t>(header.size()) + kPage)
                            .I64(3, i * kPageRows)
                            .Finish());
    offset += static_cast<int64_t>(header.size()) + kPage;
  }
  ChunkSpec chunk;
  chunk.num_values = kPages * kPageRows;
  chunk.total_compressed_size = chunk.total_uncompressed_size = offset - 4;
  chunk.data_page_offset = 4;
  const std::string tail =
      Tail(OneRowGroup({Required("x", PhysicalType::kInt64)}, kPages * kPageRows, {chunk}));
  pieces[offset] = tail;
  const auto sparse =
      std::make_shared<SparseFile>(offset + static_cast<int64_t>(tail.size()), std::move(pieces));
  Reading reading;
  reading.options.pool = BufferPool::Make(int64_t{600} << 20);
  reading.select = [&](int64_t, int64_t) {
    const int64_t last = (kPages - 1) * kPageRows;
    return RowSelection::FromPositions(std::vector<int64_t>{0, 1, last, last + 1}).value();
  };
  const auto rows = ReadRows(sparse, reading);
  ASSERT_TRUE(rows) << rows.error().ToString();
  EXPECT_EQ(*rows, (std::vector<std::string>{"[0]", "[0]", "[9]", "[0]"}));
}

TEST(BigFaults, B3StringsAboveTwoGibibytesInOneBatch) {
  // 500 rows that all name the one dictionary entry of 5 MB.
  constexpr int64_t kLength = 5'000'000;
  const ChunkSpec chunk =
      Chunk({DictionaryPage(1, PlainByteArray({std::string(kLength, 's')})),
             DataPage(Encoding::kRleDictionary, 500, DictionaryIndices(0, RleRun(500, 0, 0)))});
  const std::string bytes =
      BuildFile(OneRowGroup({Required("x", PhysicalType::kByteArray)}, 500, {chunk})).bytes;
  for (const int64_t batch_bytes : {INT64_MAX, int64_t{64} << 20}) {
    parquet::ReadOptions options;
    options.batch_bytes = batch_bytes;
    const auto reader = OpenBytes(bytes, options).value();
    const auto cursor = reader->RowGroup(0, Projection::All(reader->tree())).value();
    int64_t total = 0;
    const auto rows = ReadOn(*cursor, [&](const parquet::RowGroupBatch& read) {
      const Column& column = read.batch.columns[0];
      ASSERT_TRUE(ValidateColumn(column).ok());
      for (int64_t row = 0; row < column.length; ++row) {
        const ValueRef value = ResolveValue(column, row);
        total += static_cast<int64_t>(value.column->Bytes(value.row).size());
      }
    });
    ASSERT_TRUE(rows) << rows.error().ToString();
    EXPECT_EQ(*rows, 500);
    EXPECT_EQ(total, 500 * kLength);
  }
}

TEST(BigFaults, B3BatchesAreCutByBytes) {
  // 40 values of 1 MB, two a page: a batch of 16 384 rows would hold them all.
  ChunkSpec chunk;
  for (int i = 0; i < 20; ++i) {
    chunk.pages.push_back(
        DataPage(Encoding::kPlain, 2,
                 PlainByteArray({std::string(1'000'000, 'a'), std::string(1'000'000, 'b')})));
  }
  const std::string bytes =
      BuildFile(OneRowGroup({Required("x", PhysicalType::kByteArray)}, 40, {chunk})).bytes;
  parquet::ReadOptions options;
  options.batch_bytes = 10'000'000;
  const auto reader = OpenBytes(bytes, options).value();
  const auto cursor = reader->RowGroup(0, Projection::All(reader->tree())).value();
  const auto rows = ReadOn(
      *cursor, [&](const parquet::RowGroupBatch& read) { EXPECT_LE(read.batch.num_rows, 10); });
  ASSERT_TRUE(rows) << rows.error().ToString();
  EXPECT_EQ(*rows, 40);
}

TEST(BigFaults, B4ChunkOfMoreThanTwoToThe32Values) {
  // Three pages of 2^31 - 1 nulls each, then one of a value, a null and a value.
  constexpr int64_t kRun = INT32_MAX;
  const PageSpec nulls = DataPage(Encoding::kPlain, kRun, "", RleRun(kRun, 0, 1));
  const PageSpec last = DataPage(Encoding::kPlain, 3, PlainInt32({8, 9}), RleRuns({1, 0, 1}, 1));
  const int64_t num_rows = 3 * kRun + 3;
  const std::string bytes = BuildFile(OneRowGroup({Optional("x", PhysicalType::kInt32)}, num_rows,
                                                  {Chunk({nulls, nulls, nulls, last})}))
                                .bytes;
  Reading reading;
  reading.select = [&](int64_t, int64_t) {
    return RowSelection::FromRanges({{0, 1}, {2 * kRun, 2 * kRun + 2}, {num_rows - 4, num_rows}})
        .value();
  };
  const auto rows = ReadRows(bytes, reading);
  ASSERT_TRUE(rows) << rows.error().ToString();
  EXPECT_EQ(*rows, (std::vector<std::string>{"[null]", "[null]", "[null]", "[null]", "[8]",
                                             "[null]", "[9]"}));
}

TEST(BigFaults, B4RowCountsThatOverflow) {
  FileSpec file;
  file.schema = {Required("x", PhysicalType::kInt32)};
  ChunkSpec chunk;
  chunk.num_values = INT64_MAX;
  file.row_groups.assign(2, {INT64_MAX, {chunk}});
  file.num_rows = 0;
  ExpectError(BuildFile(file).bytes, StatusCode::kCorruption, {"row group"});
}

TEST(BigFaults, B6NegativePageSizes) {
  PageSpec dictionary = DictionaryPage(1, PlainInt32({7}));
  const PageSpec data =
      DataPage(Encoding::kRleDictionary, 1, DictionaryIndices(1, RleRun(1, 0, 1)));
  for (const Codec codec : {Codec::kUncompressed, Codec::kSnappy}) {
    dictionary.uncompressed_page_size = -1'500'000'000;
    dictionary.compressed_page_size.reset();
    const auto file = [&] {
      return BuildFile(OneRowGroup({Required("named", PhysicalType::kInt32)}, 1,
                                   {Chunk({dictionary, data}, codec)}))
          .bytes;
    };
    ExpectError(file(), StatusCode::kCorruption, {"row group 0", "named", "page 0"});
    dictionary.uncompressed_page_size.reset();
    dictionary.compressed_page_size = -1'500'000'000;
    ExpectError(file(), StatusCode::kCorruption, {"row group 0", "named", "page 0"});
  }
}

}  // namespace
}  // namespace sluice::support
