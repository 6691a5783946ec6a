// The state machine and its blocking loop, over files built by hand. What each page's contents mean
// is tested elsewhere; here it is who asks for which bytes when, and that it never matters.

#include <gtest/gtest.h>
#include <sluice/parquet/reader.h>
#include <sluice/text.h>

#include <atomic>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/support/file_builder.h"
#include "tests/support/page_bytes.h"
#include "tests/support/reference_reader.h"

namespace sluice {
namespace {

using namespace parquet;  // NOLINT: the tests are about nothing else.
namespace s = support;

constexpr int64_t kRows = 1000;

std::string RowString(int64_t row) {
  return row % 7 == 0
             ? std::string()
             : "row " + std::string(static_cast<size_t>(row % 23), 'x') + std::to_string(row);
}

/// Pages of a required INT64 column, of an optional string column whose dictionary falls back to
/// PLAIN, and of a repeated INT32 column with 0, 1 or 2 elements a row; V1 or V2, by `page_rows`
/// rows.
s::BuiltFile ThreeColumns(bool is_v2, int64_t page_rows, bool with_offset_index) {
  std::vector<s::PageSpec> ids;
  std::vector<s::PageSpec> names{
      s::DictionaryPage(2, s::PlainByteArray({"alpha", "a longer entry"}))};
  std::vector<s::PageSpec> lists;
  for (int64_t begin = 0; begin < kRows; begin += page_rows) {
    const int64_t end = std::min(kRows, begin + page_rows);
    std::vector<int64_t> id_values;
    std::vector<uint64_t> defined;
    std::vector<uint64_t> codes;
    std::vector<std::string> strings;
    std::vector<uint64_t> repetitions;
    std::vector<uint64_t> list_defined;
    std::vector<int64_t> elements;
    for (int64_t row = begin; row < end; ++row) {
      id_values.push_back(row * 3);
      defined.push_back(row % 5 != 0);
      if (row % 5 != 0) {
        codes.push_back(static_cast<uint64_t>(row % 2));
        strings.push_back(RowString(row));
      }
      if (row % 3 == 0) {
        repetitions.push_back(0);
        list_defined.push_back(0);
      }
      for (int64_t i = 0; i < row % 3; ++i) {
        repetitions.push_back(i > 0);
        list_defined.push_back(1);
        elements.push_back(row + i);
      }
    }
    const int64_t rows = end - begin;
    const bool is_coded = begin < kRows / 2;
    const std::string text = is_coded ? s::DictionaryIndices(1, codes) : s::PlainByteArray(strings);
    const Encoding encoding = is_coded ? Encoding::kRleDictionary : Encoding::kPlain;
    const auto nulls = static_cast<int64_t>(defined.size() - strings.size());
    const auto levels = static_cast<int64_t>(repetitions.size());
    const auto empty = levels - static_cast<int64_t>(elements.size());
    const std::string d = s::RleRuns(defined, 1);
    const std::string ld = s::RleRuns(list_defined, 1);
    const std::string lr = s::RleRuns(repetitions, 1);
    if (is_v2) {
      ids.push_back(s::DataPageV2(Encoding::kPlain, rows, 0, rows, s::PlainInt64(id_values)));
      names.push_back(s::DataPageV2(encoding, rows, nulls, rows, text, d));
      lists.push_back(
          s::DataPageV2(Encoding::kPlain, levels, empty, rows, s::PlainInt32(elements), ld, lr));
    } else {
      ids.push_back(s::DataPage(Encoding::kPlain, rows, s::PlainInt64(id_values)));
      names.push_back(s::DataPage(encoding, rows, text, d));
      lists.push_back(s::DataPage(Encoding::kPlain, levels, s::PlainInt32(elements), ld, lr));
    }
    for (auto* pages : {&ids, &names, &lists}) {
      pages->back().first_row = begin;
      pages->back().with_crc = true;
    }
  }
  std::vector<s::ChunkSpec> chunks{s::Chunk(ids, Codec::kZstd), s::Chunk(names, Codec::kSnappy),
                                   s::Chunk(lists)};
  for (s::ChunkSpec& chunk : chunks) chunk.with_offset_index = with_offset_index;
  return s::BuildFile(s::OneRowGroup(
      {s::Required("id", PhysicalType::kInt64), s::Optional("name", PhysicalType::kByteArray),
       s::Repeated("list", PhysicalType::kInt32)},
      kRows, std::move(chunks)));
}

BufferRef ToBuffer(std::string_view bytes) {
  static const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  BufferRef buffer = *pool->Allocate(static_cast<int64_t>(bytes.size()));
  std::memcpy(buffer->mutable_data(), bytes.data(), bytes.size());
  return buffer;
}

std::shared_ptr<FileReader> Open(const s::BuiltFile& file, const ReadOptions& options = {}) {
  auto reader = FileReader::Open(MakeMemoryFile("test.parquet", ToBuffer(file.bytes)), options);
  EXPECT_TRUE(reader) << reader.status().ToString();
  return *reader;
}

void AppendRows(const Batch& batch, std::vector<std::string>& lines) {
  for (const Column& column : batch.columns) {
    const Status status = ValidateColumn(column);
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
  for (int64_t row = 0; row < batch.num_rows; ++row) {
    std::string line = "[";
    for (const Column& column : batch.columns) {
      if (line.size() > 1) line += ',';
      AppendCanonical(column, row, line);
    }
    lines.push_back(line + "]");
  }
}

std::vector<std::string> Rows(const FileReader& reader, const Projection& projection,
                              std::optional<RowSelection> selection = std::nullopt) {
  std::vector<std::string> lines;
  auto cursor = reader.RowGroup(0, projection, std::move(selection));
  EXPECT_TRUE(cursor) << cursor.status().ToString();
  if (!cursor) return lines;
  for (;;) {
    auto batch = (*cursor)->Next();
    EXPECT_TRUE(batch) << batch.status().ToString();
    if (!batch || !*batch) return lines;
    AppendRows((*batch)->batch, lines);
  }
}

std::vector<std::string> Pick(const std::vector<std::string>& lines,
                              const RowSelection& selection) {
  std::vector<std::string> picked;
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    if (selection.NextSelected(row) == row) picked.push_back(lines[i]);
  }
  return picked;
}

RowSelection RandomSelection(std::mt19937_64& random, int64_t rows) {
  std::vector<RowRange> ranges;
  int64_t row = static_cast<int64_t>(random() % 50);
  const int64_t longest = int64_t{1} << (random() % 9);
  while (row < rows) {
    const int64_t end = std::min(rows, row + 1 + static_cast<int64_t>(random()) % longest);
    if (end > row) ranges.push_back({row, end});
    row = std::max(row, end) + 1 + static_cast<int64_t>(random() % (4 * longest));
  }
  return *RowSelection::FromRanges(std::move(ranges));
}

/// What a file looks like, and how it is read.
struct Shape {
  bool is_v2;
  int64_t page_rows;
  bool with_offset_index;
};

class RowGroupReaderTest : public ::testing::TestWithParam<Shape> {
 protected:
  RowGroupReaderTest()
      : file_(ThreeColumns(GetParam().is_v2, GetParam().page_rows, GetParam().with_offset_index)),
        expected_(*s::ReferenceRows(file_.bytes)) {}

  s::BuiltFile file_;
  std::vector<std::string> expected_;
};

TEST_P(RowGroupReaderTest, ReadsEveryRowAtEveryBatchSize) {
  for (const int64_t batch_rows : {1, 7, 16384}) {
    ReadOptions options;
    options.batch_rows = batch_rows;
    const auto reader = Open(file_, options);
    EXPECT_EQ(Rows(*reader, Projection::All(reader->tree())), expected_) << batch_rows;
  }
}

TEST_P(RowGroupReaderTest, SelectEqualsReadThenPickWhateverIsSwitchedOff) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 24; ++round) {
    ReadOptions options;
    options.batch_rows = round % 3 == 0 ? 1 : round % 3 == 1 ? 7 : 16384;
    options.use_offset_index = round % 2 == 0;
    options.select_encoded = round % 4 < 2;
    options.stream_pages = round % 8 < 4;
    options.deliver_dictionaries = round % 5 < 2;
    options.read_everything = round % 7 == 0;
    options.read_window_bytes = round % 3 == 0 ? 1 : 4096;
    const auto reader = Open(file_, options);
    const RowSelection selection = RandomSelection(random, kRows);
    EXPECT_EQ(Rows(*reader, Projection::All(reader->tree()), selection), Pick(expected_, selection))
        << "round " << round;
  }
}

TEST_P(RowGroupReaderTest, BytesMayComeInAnyOrderAndInLargerPieces) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 6; ++round) {
    ReadOptions options;
    options.read_window_bytes = 1 + static_cast<int64_t>(random() % 3000);
    options.batch_rows = 100;
    const auto reader = Open(file_);
    const RowSelection selection =
        round % 2 == 0 ? RowSelection::All(kRows) : RandomSelection(random, kRows);
    auto machine = RowGroupReader::Make(reader->metadata(), Projection::All(reader->tree()), 0,
                                        selection, options);
    ASSERT_TRUE(machine) << machine.status().ToString();
    const BufferRef whole = ToBuffer(file_.bytes);
    std::vector<std::string> lines;
    for (;;) {
      auto step = (*machine)->Step();
      ASSERT_TRUE(step) << step.status().ToString();
      if (std::holds_alternative<Done>(*step)) break;
      if (const auto* batch = std::get_if<RowGroupBatch>(&*step)) {
        AppendRows(batch->batch, lines);
        continue;
      }
      auto ranges = std::get<Need>(*step).ranges;
      ASSERT_FALSE(ranges.empty());
      std::shuffle(ranges.begin(), ranges.end(), random);
      // Only one of them at first: the machine asks for the rest again.
      if (round % 3 == 0) ranges.resize(1);
      for (const ByteRange& range : ranges) {
        const ByteRange larger{std::max<int64_t>(0, range.offset - 10), range.length + 10};
        ASSERT_TRUE(
            (*machine)->Provide(larger, SliceBuffer(whole, larger.offset, larger.length)).ok());
      }
    }
    EXPECT_EQ(lines, Pick(expected_, selection)) << "round " << round;
  }
}

TEST_P(RowGroupReaderTest, FlippedBitsGiveOneErrorOrRows) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 60; ++round) {
    s::BuiltFile cut = file_;
    const size_t at = random() % static_cast<size_t>(cut.footer_offset);
    cut.bytes[at] = static_cast<char>(cut.bytes[at] ^ (1 << (random() % 8)));
    const auto reader = Open(cut);
    auto cursor = reader->RowGroup(0, Projection::All(reader->tree()));
    ASSERT_TRUE(cursor);
    for (;;) {
      auto batch = (*cursor)->Next();
      if (!batch) {
        EXPECT_NE(batch.error().message().find("test.parquet"), std::string::npos);
        EXPECT_NE(batch.error().code(), StatusCode::kInternal) << batch.error().ToString();
        auto again = (*cursor)->Next();
        EXPECT_EQ(again.status().ToString(), batch.error().ToString());
        break;
      }
      if (!*batch) break;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, RowGroupReaderTest,
                         ::testing::Values(Shape{false, 1000, false}, Shape{false, 37, false},
                                           Shape{false, 37, true}, Shape{true, 1000, false},
                                           Shape{true, 64, false}, Shape{true, 1, true},
                                           Shape{true, 50, true}));

TEST(RowGroupReader, SkipsPagesWithoutWantedRows) {
  const s::BuiltFile file = ThreeColumns(true, 50, true);
  ReadOptions options;
  const auto reader = Open(file, options);
  auto cursor =
      reader->RowGroup(0, Projection::All(reader->tree()), *RowSelection::FromRanges({{500, 501}}));
  ASSERT_TRUE(cursor);
  auto batch = (*cursor)->Next();
  ASSERT_TRUE(batch) << batch.status().ToString();
  ASSERT_TRUE(batch->has_value());
  EXPECT_EQ((*batch)->rows, (RowRange{500, 501}));
  EXPECT_EQ((*cursor)->counters().pages_read, 3);
  EXPECT_EQ((*cursor)->counters().pages_verified, 3);
  EXPECT_LT((*cursor)->counters().bytes_requested, static_cast<int64_t>(file.bytes.size()) / 3);
}

/// The pages that it is told of, by leaf and fate.
class Watcher : public PageObserver {
 public:
  void OnDataPage(int32_t row_group, int32_t leaf, int64_t offset, RowRange rows,
                  Fate fate) override {
    EXPECT_EQ(row_group, 0);
    EXPECT_NE(fate, Fate::kExcluded);
    EXPECT_TRUE(leaf > 0 || rows.size() == 50);
    (fate == Fate::kOpened ? opened : skipped)[static_cast<size_t>(leaf)].push_back(offset);
  }
  void OnDictionaryExclusion(int32_t, int32_t, int64_t) override { FAIL() << "there is no filter"; }
  static int64_t Count(const std::vector<std::vector<int64_t>>& pages) {
    int64_t count = 0;
    for (const auto& leaf : pages) count += std::ssize(leaf);
    return count;
  }

  std::vector<std::vector<int64_t>> opened{3};
  std::vector<std::vector<int64_t>> skipped{3};
};

TEST(RowGroupReader, TellsWhatBecomesOfPages) {
  for (const bool with_offset_index : {false, true}) {
    SCOPED_TRACE(with_offset_index);
    const s::BuiltFile file = ThreeColumns(false, 50, with_offset_index);
    Watcher watcher;
    ReadOptions options;
    options.page_observer = &watcher;
    const auto reader = Open(file, options);
    auto cursor = reader->RowGroup(0, Projection::All(reader->tree()),
                                   *RowSelection::FromRanges({{500, 501}}));
    ASSERT_TRUE(cursor);
    ASSERT_TRUE(*(*cursor)->Next());
    ASSERT_FALSE(*(*cursor)->Next());
    EXPECT_EQ(Watcher::Count(watcher.opened), (*cursor)->counters().pages_read);
    EXPECT_EQ(Watcher::Count(watcher.skipped), (*cursor)->counters().pages_skipped);
    const auto& places = file.pages[0];
    // The second column has its dictionary in front.
    EXPECT_EQ(watcher.opened[0], std::vector<int64_t>{places[0][10].offset});
    EXPECT_EQ(watcher.opened[1], std::vector<int64_t>{places[1][11].offset});
    EXPECT_EQ(watcher.skipped[0].size(), 10u);
    EXPECT_EQ(watcher.skipped[0].back(), places[0][9].offset);
    // Which rows a page of lists has without an index is known by its levels only.
    EXPECT_EQ(watcher.opened[2].size(), with_offset_index ? 1u : 11u);
    EXPECT_EQ(watcher.opened[2].back(), places[2][10].offset);
  }
}

TEST(RowGroupReader, ProjectsByPathInTheOrderAsked) {
  const s::BuiltFile file = ThreeColumns(false, 100, false);
  const auto reader = Open(file);
  auto projection = Projection::Of(reader->tree(), {{"list"}, {"id"}});
  ASSERT_TRUE(projection);
  ASSERT_EQ(projection->schema()->fields.size(), 2u);
  EXPECT_EQ(projection->schema()->fields[0].name, "list");
  EXPECT_EQ(Rows(*reader, *projection)[5], "[[5,6],15]");
  EXPECT_EQ(Projection::Of(reader->tree(), {{"ID"}}).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(Projection::Of(reader->tree(), {{"id", "x"}}).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(Projection::Of(reader->tree(), {{}}).status().code(), StatusCode::kInvalidArgument);
}

TEST(RowGroupReader, CountsRowsWithoutColumns) {
  const s::BuiltFile file = ThreeColumns(false, 100, false);
  const auto reader = Open(file);
  auto cursor = reader->RowGroup(0, Projection::None(reader->tree()));
  ASSERT_TRUE(cursor);
  int64_t rows = 0;
  for (;;) {
    auto batch = (*cursor)->Next();
    ASSERT_TRUE(batch);
    if (!*batch) break;
    EXPECT_TRUE((*batch)->batch.columns.empty());
    rows += (*batch)->batch.num_rows;
  }
  EXPECT_EQ(rows, kRows);
  EXPECT_EQ((*cursor)->counters().bytes_requested, 0);
}

TEST(RowGroupReader, RefusesCallsThatCannotBeRight) {
  const s::BuiltFile file = ThreeColumns(false, 100, false);
  const auto reader = Open(file);
  const Projection all = Projection::All(reader->tree());
  EXPECT_EQ(reader->RowGroup(1, all).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(reader->RowGroup(-1, all).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(reader->RowGroup(0, all, RowSelection::All(kRows + 1)).status().code(),
            StatusCode::kInvalidArgument);
  auto machine =
      RowGroupReader::Make(reader->metadata(), all, 0, RowSelection::All(kRows), ReadOptions());
  ASSERT_TRUE(machine);
  EXPECT_EQ((*machine)->Provide({0, 4}, ToBuffer("abcd")).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ((*machine)->Provide({0, 8}, ToBuffer("abcd")).code(), StatusCode::kInvalidArgument);
  ReadOptions options;
  options.batch_rows = 0;
  EXPECT_EQ(RowGroupReader::Make(reader->metadata(), all, 0, RowSelection::All(1), options)
                .status()
                .code(),
            StatusCode::kInvalidArgument);
}

TEST(RowGroupReader, StopsWhenTheHostCancels) {
  const s::BuiltFile file = ThreeColumns(false, 10, false);
  std::atomic<bool> cancelled{false};
  ReadOptions options;
  options.cancelled = &cancelled;
  options.batch_rows = 10;
  const auto reader = Open(file, options);
  auto cursor = reader->RowGroup(0, Projection::All(reader->tree()));
  ASSERT_TRUE(cursor);
  ASSERT_TRUE((*cursor)->Next());
  cancelled = true;
  EXPECT_EQ((*cursor)->Next().status().code(), StatusCode::kCancelled);
}

TEST(RowGroupReader, KeepsDictionariesWhileEveryPageHasCodes) {
  const s::BuiltFile file = ThreeColumns(false, 100, false);
  ReadOptions options;
  options.deliver_dictionaries = true;
  options.batch_rows = 250;
  const auto reader = Open(file, options);
  auto projection = Projection::Of(reader->tree(), {{"name"}});
  ASSERT_TRUE(projection);
  auto cursor = reader->RowGroup(0, *projection);
  ASSERT_TRUE(cursor);
  std::vector<ColumnForm> forms;
  for (;;) {
    auto batch = (*cursor)->Next();
    ASSERT_TRUE(batch) << batch.status().ToString();
    if (!*batch) break;
    forms.push_back((*batch)->batch.columns[0].form);
  }
  EXPECT_EQ(forms, (std::vector<ColumnForm>{ColumnForm::kDictionary, ColumnForm::kDictionary,
                                            ColumnForm::kView, ColumnForm::kView}));
}

TEST(RowGroupReader, KeepsWithinItsBudgetOrSaysSo) {
  const s::BuiltFile file = ThreeColumns(false, 100, false);
  ReadOptions options;
  options.pool = BufferPool::Make(20'000);
  auto reader = FileReader::Open(MakeMemoryFile("test.parquet", ToBuffer(file.bytes)), options);
  ASSERT_TRUE(reader) << reader.status().ToString();
  auto cursor = (*reader)->RowGroup(0, Projection::All((*reader)->tree()));
  ASSERT_TRUE(cursor);
  EXPECT_EQ((*cursor)->Next().status().code(), StatusCode::kResourceExhausted);
  EXPECT_LE(options.pool->peak_bytes(), 20'000);
}

}  // namespace
}  // namespace sluice
