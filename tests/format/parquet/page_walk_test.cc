#include <gtest/gtest.h>
#include <sluice/parquet/page_walk.h>
#include <sluice/parquet/reader.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/corpus.h"
#include "tests/support/file_builder.h"
#include "tests/support/file_reading.h"
#include "tests/support/padded_buffer.h"
#include "tests/support/page_bytes.h"

namespace sluice::support {
namespace {

using parquet::Done;
using parquet::FileReader;
using parquet::Need;
using parquet::PageCursor;
using parquet::PageSummary;
using parquet::PageWalker;

Result<std::vector<PageSummary>> Walk(const FileReader& reader, int32_t row_group = 0,
                                      int32_t leaf = 0) {
  auto cursor = PageCursor::Open(reader, row_group, leaf);
  if (!cursor) return cursor.error();
  std::vector<PageSummary> pages;
  while (true) {
    auto page = cursor->Next();
    if (!page) return page.error();
    if (!page->has_value()) return pages;
    pages.push_back(**page);
  }
}

Result<std::vector<PageSummary>> Walk(const FileSpec& spec) {
  return Walk(**OpenBytes(BuildFile(spec).bytes));
}

FileSpec OneColumn(int64_t num_rows, ChunkSpec chunk) {
  return OneRowGroup({Required("a", PhysicalType::kInt32)}, num_rows, {std::move(chunk)});
}

/// A page of one value whose header has these bounds.
PageSpec PageWithBounds(std::string_view min, std::string_view max) {
  PageSpec page = DataPage(Encoding::kPlain, 1, PlainInt32({1}));
  page.header =
      ThriftCompactBuilder()
          .I32(1, 0)
          .I32(2, 4)
          .I32(3, 4)
          .Struct(5, ThriftCompactBuilder()
                         .I32(1, 1)
                         .I32(2, 0)
                         .I32(3, 3)
                         .I32(4, 3)
                         .Struct(5, ThriftCompactBuilder().Binary(5, max).Binary(6, min).Finish())
                         .Finish())
          .Finish();
  return page;
}

TEST(PageWalk, EveryPageWithItsPlace) {
  PageSpec with_crc = DataPage(Encoding::kPlain, 2, PlainInt32({1, 2}));
  with_crc.with_crc = true;
  const BuiltFile built = BuildFile(OneColumn(
      6, Chunk({DictionaryPage(1, PlainInt32({7})), with_crc, IndexPage("ignored"),
                DataPageV2(Encoding::kPlain, 3, 0, 3, PlainInt32({3, 4, 5})),
                DataPage(Encoding::kPlain, 0, ""),
                DataPage(Encoding::kRleDictionary, 1, DictionaryIndices(0, RleRun(1, 0, 0)))})));
  const auto pages = Walk(**OpenBytes(built.bytes));
  ASSERT_TRUE(pages.has_value()) << pages.error().ToString();
  ASSERT_EQ(pages->size(), 6U);
  const std::vector<PageType> types{PageType::kDictionaryPage, PageType::kDataPage,
                                    PageType::kIndexPage,      PageType::kDataPageV2,
                                    PageType::kDataPage,       PageType::kDataPage};
  for (size_t i = 0; i < pages->size(); ++i) {
    EXPECT_EQ((*pages)[i].type, types[i]);
    EXPECT_EQ((*pages)[i].offset, built.pages[0][0][i].offset);
    EXPECT_EQ((*pages)[i].header_size, built.pages[0][0][i].header_bytes);
    EXPECT_EQ((*pages)[i].compressed_size, built.pages[0][0][i].stored_bytes);
  }
  EXPECT_TRUE((*pages)[1].crc.has_value());
  EXPECT_EQ((*pages)[3].num_rows, 3);
  EXPECT_EQ((*pages)[5].encoding, Encoding::kRleDictionary);
}

TEST(PageWalk, PagesLargerThanWhatIsReadAtOnce) {
  std::vector<PageSpec> pages;
  for (int i = 0; i < 5; ++i) {
    pages.push_back(
        DataPage(Encoding::kPlain, 10'000, PlainInt64(std::vector<int64_t>(10'000, i))));
  }
  const auto walked =
      Walk(OneRowGroup({Required("a", PhysicalType::kInt64)}, 50'000, {Chunk(pages)}));
  ASSERT_TRUE(walked.has_value()) << walked.error().ToString();
  EXPECT_EQ(walked->size(), 5U);
}

TEST(PageWalk, StatisticsOutliveTheWalk) {
  // Headers within what is read at once, and longer ones.
  const std::string long_bound(100'000, 'x');
  const auto pages = Walk(OneColumn(3, Chunk({PageWithBounds("a", "b"), PageWithBounds("", "c"),
                                              PageWithBounds("d", long_bound)})));
  ASSERT_TRUE(pages.has_value()) << pages.error().ToString();
  ASSERT_EQ(pages->size(), 3U);
  EXPECT_EQ((*pages)[0].statistics->min_value, "a");
  EXPECT_EQ((*pages)[0].statistics->max_value, "b");
  EXPECT_EQ((*pages)[1].statistics->min_value, "");
  EXPECT_EQ((*pages)[2].statistics->min_value, "d");
  EXPECT_EQ((*pages)[2].statistics->max_value, long_bound);
}

TEST(PageWalk, AsksForBytesAndTakesThemInLargerPieces) {
  std::vector<PageSpec> specs;
  for (int i = 0; i < 3; ++i) {
    specs.push_back(
        DataPage(Encoding::kPlain, 10'000, PlainInt32(std::vector<int64_t>(10'000, i))));
  }
  const BuiltFile built = BuildFile(OneColumn(30'000, Chunk(specs)));
  const auto reader = *OpenBytes(built.bytes);
  auto walker = *PageWalker::Make(*reader->metadata(), *reader->tree(), 0, 0);
  int64_t bytes_needed = 0;
  size_t pages = 0;
  for (;;) {
    auto step = walker->Step();
    ASSERT_TRUE(step.has_value()) << step.error().ToString();
    if (std::holds_alternative<Done>(*step)) break;
    if (std::holds_alternative<PageSummary>(*step)) {
      EXPECT_EQ(std::get<PageSummary>(*step).offset, built.pages[0][0][pages++].offset);
      continue;
    }
    const std::vector<ByteRange> needed = std::get<Need>(*step).ranges;
    ASSERT_EQ(needed.size(), 1U);
    bytes_needed += needed[0].length;
    // Asked again before they are there: the same.
    EXPECT_EQ(std::get<Need>(*walker->Step()).ranges, needed);
    EXPECT_EQ(walker->Provide({needed[0].end(), 5}, PaddedBuffer("other")).code(),
              StatusCode::kInvalidArgument);
    EXPECT_EQ(walker->Provide(needed[0], PaddedBuffer("")).code(), StatusCode::kInvalidArgument);
    const ByteRange larger{needed[0].offset - 1, needed[0].length + 2};
    const auto begin = static_cast<size_t>(larger.offset);
    ASSERT_TRUE(
        walker
            ->Provide(larger, PaddedBuffer(std::string_view(built.bytes)
                                               .substr(begin, static_cast<size_t>(larger.length))))
            .ok());
  }
  EXPECT_EQ(pages, 3U);
  // The pages themselves are left alone.
  EXPECT_LT(bytes_needed, 60'000);
}

TEST(PageWalk, SizeWithoutTheDictionaryHeader) {  // fault F7
  const auto file = [](const char* created_by) {
    ChunkSpec chunk =
        Chunk({DictionaryPage(1, PlainInt32({7})),
               DataPage(Encoding::kRleDictionary, 1, DictionaryIndices(0, RleRun(1, 0, 0)))});
    chunk.total_compressed_size = 30;
    FileSpec spec = OneColumn(1, std::move(chunk));
    spec.created_by = created_by;
    return spec;
  };
  const auto pages = Walk(file("parquet-mr version 1.2.8"));
  ASSERT_TRUE(pages.has_value()) << pages.error().ToString();
  EXPECT_EQ(pages->size(), 2U);
  EXPECT_EQ(Walk(file("another writer")).status().code(), StatusCode::kCorruption);
}

/// Chunks whose pages are not as they must be, whatever is in them.
std::vector<std::pair<const char*, FileSpec>> WrongChunks() {
  const PageSpec dictionary = DictionaryPage(1, PlainInt32({7}));
  const PageSpec two = DataPage(Encoding::kPlain, 2, PlainInt32({1, 2}));
  std::vector<std::pair<const char*, FileSpec>> files;
  files.emplace_back("too few values", OneColumn(3, Chunk({two})));
  files.back().second.row_groups[0].chunks[0].num_values = 3;
  files.emplace_back("too many values", OneColumn(3, Chunk({two, two})));
  files.back().second.row_groups[0].chunks[0].num_values = 3;
  files.emplace_back("dictionary behind data", OneColumn(4, Chunk({two, dictionary, two})));
  files.emplace_back("two dictionaries", OneColumn(2, Chunk({dictionary, dictionary, two})));
  files.emplace_back("page past its chunk", OneColumn(4, Chunk({two, two})));
  files.back().second.row_groups[0].chunks[0].total_compressed_size = 40;
  files.emplace_back("header past its chunk", OneColumn(4, Chunk({two, two})));
  files.back().second.row_groups[0].chunks[0].total_compressed_size = 35;
  files.emplace_back("page past the footer", OneColumn(2, Chunk({two})));
  files.back().second.row_groups[0].chunks[0].pages[0].compressed_page_size = 1 << 29;
  files.emplace_back("no header", OneColumn(2, Chunk({two})));
  files.back().second.row_groups[0].chunks[0].pages[0].header = "nothing of the kind";
  files.emplace_back("values that are not rows", OneColumn(3, Chunk({two})));
  files.emplace_back("chunk of another type", OneColumn(2, Chunk({two})));
  files.back().second.row_groups[0].chunks[0].type = PhysicalType::kInt64;
  files.emplace_back("chunk past the footer", OneColumn(2, Chunk({two})));
  files.back().second.row_groups[0].chunks[0].data_page_offset = 1 << 20;
  return files;
}

TEST(PageWalk, RefusesWhatReadingRefusesInTheSameWords) {
  for (const auto& [name, spec] : WrongChunks()) {
    SCOPED_TRACE(name);
    const std::string bytes = BuildFile(spec).bytes;
    const auto rows = ReadRows(bytes);
    const auto pages = Walk(**OpenBytes(bytes));
    ASSERT_FALSE(rows.has_value());
    ASSERT_FALSE(pages.has_value());
    EXPECT_EQ(pages.error().ToString(), rows.error().ToString());
  }
  const std::string bytes =
      BuildFile(OneColumn(2, Chunk({DataPage(Encoding::kPlain, 2, PlainInt32({1, 2}))}))).bytes;
  Reading small_pages;
  small_pages.options.max_page_bytes = 7;
  const auto rows = ReadRows(bytes, small_pages);
  const auto pages = Walk(**OpenBytes(bytes, small_pages.options));
  ASSERT_FALSE(rows.has_value());
  ASSERT_FALSE(pages.has_value());
  EXPECT_EQ(pages.error().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(pages.error().ToString(), rows.error().ToString());
}

TEST(PageWalk, AnErrorIsGivenAgain) {
  const auto reader = *OpenBytes(BuildFile(WrongChunks()[0].second).bytes);
  auto cursor = PageCursor::Open(*reader, 0, 0);
  ASSERT_TRUE(cursor.has_value());
  ASSERT_TRUE(cursor->Next().has_value());
  const auto first = cursor->Next();
  const auto second = cursor->Next();
  ASSERT_FALSE(first.has_value());
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(first.error().ToString(), second.error().ToString());
  EXPECT_NE(first.error().ToString().find("row group 0: column 'a': page 1 at byte "),
            std::string::npos);
}

TEST(PageWalk, WhatIsNotThereIsAWrongCall) {
  const auto reader = *OpenBytes(
      BuildFile(OneColumn(1, Chunk({DataPage(Encoding::kPlain, 1, PlainInt32({1}))}))).bytes);
  for (const auto& [row_group, leaf] : {std::pair(-1, 0), {1, 0}, {0, -1}, {0, 1}}) {
    EXPECT_EQ(Walk(*reader, row_group, leaf).status().code(), StatusCode::kInvalidArgument);
  }
}

/// The first error of walking every chunk.
Status WalkEverything(const FileReader& reader) {
  for (int32_t group = 0; group < reader.num_row_groups(); ++group) {
    const auto& row_group = reader.metadata()->row_groups[static_cast<size_t>(group)];
    for (size_t leaf = 0; leaf < reader.tree()->leaves().size(); ++leaf) {
      const auto pages = Walk(reader, group, static_cast<int32_t>(leaf));
      if (!pages) return pages.error();
      int64_t values = 0;
      for (const PageSummary& page : *pages) {
        const bool is_data = page.type == PageType::kDataPage || page.type == PageType::kDataPageV2;
        values += is_data ? page.num_values : 0;
      }
      EXPECT_EQ(values, row_group.columns[leaf].num_values);
    }
  }
  return Status::Ok();
}

// On every real file, whole or broken: what can be read can be walked.
TEST(PageWalk, AgreesWithReadingOnTheCorpus) {
  int64_t walked = 0;
  int64_t refused = 0;
  for (const CorpusFile& file : CorpusFiles()) {
    if (file.size >= 1'000'000) continue;
    SCOPED_TRACE(file.name);
    const std::string bytes = ReadWholeFile(file.path);
    const auto reader = OpenBytes(bytes);
    if (!reader) continue;
    const Status status = WalkEverything(**reader);
    if (status.ok()) {
      ++walked;
      continue;
    }
    ++refused;
    EXPECT_NE(file.category, "ok") << status.ToString();
    Reading everything;
    everything.options.read_everything = true;
    everything.options.pool = BufferPool::Make(int64_t{1} << 30);
    EXPECT_FALSE(ReadRows(bytes, everything).has_value()) << status.ToString();
  }
  if (walked == 0) GTEST_SKIP() << "NO CORPUS: set SLUICE_CORPUS to its directory";
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace sluice::support
