// The reference reader must be right before it can be an oracle: it reads the corpus.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/corpus.h"
#include "tests/support/file_builder.h"
#include "tests/support/page_bytes.h"
#include "tests/support/reference_reader.h"

namespace sluice::support {
namespace {

TEST(ReferenceReader, ReadsTheCorpus) {
  int64_t compared = 0;
  for (const CorpusFile& file : CorpusFiles()) {
    if (file.category != "ok") continue;
    const auto expected = ExpectedCorpusRows(file);
    ASSERT_TRUE(expected) << file.name;
    const auto rows = ReferenceRows(ReadWholeFile(file.path));
    if (!rows) {
      ADD_FAILURE() << file.name << ": " << rows.error().ToString();
      continue;
    }
    if (expected->is_whole) {
      EXPECT_EQ(rows->size(), expected->lines.size()) << file.name;
    }
    for (size_t i = 0; i < std::min(rows->size(), expected->lines.size()); ++i) {
      if ((*rows)[i] == expected->lines[i]) continue;
      ADD_FAILURE() << file.name << ", row " << i << "\nread     " << (*rows)[i] << "\nexpected "
                    << expected->lines[i];
      break;
    }
    ++compared;
  }
  if (compared == 0) GTEST_SKIP() << "NO CORPUS: set SLUICE_CORPUS to its directory";
}

TEST(ReferenceReader, ReadsAFileBuiltByHand) {
  const std::vector<std::string> words = {"a", "", "abc", "abd"};
  const ChunkSpec numbers =
      Chunk({DataPage(Encoding::kPlain, 4, PlainInt32({1, -2}), RleRuns({1, 0, 0, 1}, 1))});
  const ChunkSpec strings =
      Chunk({DataPageV2(Encoding::kDeltaByteArray, 4, 0, 4, DeltaByteArray(words))}, Codec::kZstd);
  ElementSpec word = Required("word", PhysicalType::kByteArray);
  word.converted_type = kConvertedUtf8;
  const BuiltFile file = BuildFile(
      OneRowGroup({Optional("number", PhysicalType::kInt32), word}, 4, {numbers, strings}));
  const auto rows = ReferenceRows(file.bytes);
  ASSERT_TRUE(rows) << rows.error().ToString();
  EXPECT_EQ(*rows, (std::vector<std::string>{"[1,\"a\"]", "[null,\"\"]", "[null,\"abc\"]",
                                             "[-2,\"abd\"]"}));
}

}  // namespace
}  // namespace sluice::support
