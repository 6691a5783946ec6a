#include <gtest/gtest.h>
#include <sluice/parquet/page_walk.h>
#include <sluice/parquet/reader.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/file_builder.h"
#include "tests/support/page_bytes.h"

namespace sluice::support {
namespace {

using parquet::PageSummary;
using parquet::PageWalker;

/// A built file, open.
struct OpenFile {
  BuiltFile built;
  std::shared_ptr<RandomAccessFile> file;
  std::shared_ptr<parquet::FileReader> reader;
};

OpenFile Open(const FileSpec& spec) {
  OpenFile open;
  open.built = BuildFile(spec);
  const auto pool = BufferPool::Make();
  const BufferRef bytes = *pool->Allocate(static_cast<int64_t>(open.built.bytes.size()));
  std::memcpy(bytes->mutable_data(), open.built.bytes.data(), open.built.bytes.size());
  open.file = MakeMemoryFile("built", bytes);
  open.reader = *parquet::FileReader::Open(open.file);
  return open;
}

Result<std::vector<PageSummary>> Walk(const OpenFile& open) {
  auto walker =
      PageWalker::Open(*open.file, *open.reader->metadata(),
                       open.reader->metadata()->row_groups[0].columns[0], BufferPool::Make());
  if (!walker) return walker.error();
  std::vector<PageSummary> pages;
  while (true) {
    auto page = walker->Next();
    if (!page) return page.error();
    if (!page->has_value()) return pages;
    pages.push_back(**page);
  }
}

TEST(PageWalk, EveryPageWithItsPlace) {
  PageSpec with_crc = DataPage(Encoding::kPlain, 2, PlainInt32({1, 2}));
  with_crc.with_crc = true;
  const OpenFile open = Open(OneRowGroup(
      {Required("a", PhysicalType::kInt32)}, 6,
      {Chunk({DictionaryPage(1, PlainInt32({7})), with_crc, IndexPage("ignored"),
              DataPageV2(Encoding::kPlain, 3, 0, 3, PlainInt32({3, 4, 5})),
              DataPage(Encoding::kRleDictionary, 1, DictionaryIndices(0, RleRun(1, 0, 0)))})}));
  const auto pages = Walk(open);
  ASSERT_TRUE(pages.has_value()) << pages.error().ToString();
  ASSERT_EQ(pages->size(), 5U);
  const std::vector<PageType> types{PageType::kDictionaryPage, PageType::kDataPage,
                                    PageType::kIndexPage, PageType::kDataPageV2,
                                    PageType::kDataPage};
  for (size_t i = 0; i < pages->size(); ++i) {
    EXPECT_EQ((*pages)[i].type, types[i]);
    EXPECT_EQ((*pages)[i].offset, open.built.pages[0][0][i].offset);
    EXPECT_EQ((*pages)[i].header_size, open.built.pages[0][0][i].header_bytes);
    EXPECT_EQ((*pages)[i].compressed_size, open.built.pages[0][0][i].stored_bytes);
  }
  EXPECT_TRUE((*pages)[1].crc.has_value());
  EXPECT_EQ((*pages)[3].num_rows, 3);
  EXPECT_EQ((*pages)[4].encoding, Encoding::kRleDictionary);
}

TEST(PageWalk, PagesLargerThanWhatIsReadAtOnce) {
  std::vector<PageSpec> pages;
  for (int i = 0; i < 5; ++i) {
    pages.push_back(
        DataPage(Encoding::kPlain, 10'000, PlainInt64(std::vector<int64_t>(10'000, i))));
  }
  const OpenFile open =
      Open(OneRowGroup({Required("a", PhysicalType::kInt64)}, 50'000, {Chunk(pages)}));
  EXPECT_EQ(Walk(open)->size(), 5U);
}

TEST(PageWalk, SizeWithoutTheDictionaryHeader) {  // fault F7
  ChunkSpec chunk = Chunk({DictionaryPage(1, PlainInt32({7})),
                           DataPage(Encoding::kRleDictionary, 1, DictionaryIndices(0, ""))});
  chunk.total_compressed_size = 20;
  EXPECT_EQ(Walk(Open(OneRowGroup({Required("a", PhysicalType::kInt32)}, 1, {chunk})))->size(), 2U);
}

TEST(PageWalk, TooFewValuesAreCorrupt) {
  ChunkSpec chunk = Chunk({DataPage(Encoding::kPlain, 2, PlainInt32({1, 2}))});
  chunk.num_values = 3;
  const auto pages = Walk(Open(OneRowGroup({Required("a", PhysicalType::kInt32)}, 3, {chunk})));
  ASSERT_FALSE(pages.has_value());
  EXPECT_EQ(pages.error().code(), StatusCode::kCorruption);
}

TEST(PageWalk, APagePastTheFooterIsCorrupt) {
  PageSpec page = DataPage(Encoding::kPlain, 2, PlainInt32({1, 2}));
  page.compressed_page_size = 1 << 30;
  const auto pages =
      Walk(Open(OneRowGroup({Required("a", PhysicalType::kInt32)}, 2, {Chunk({page})})));
  ASSERT_FALSE(pages.has_value());
  EXPECT_EQ(pages.error().code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace sluice::support
