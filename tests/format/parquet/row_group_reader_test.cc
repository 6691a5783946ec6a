// The state machine and its blocking loop, over files built by hand. What each page's contents mean
// is tested elsewhere; here it is who asks for which bytes when, and that it never matters.

#include <gtest/gtest.h>
#include <sluice/parquet/reader.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/support/file_reading.h"
#include "tests/support/padded_buffer.h"
#include "tests/support/reference_reader.h"
#include "tests/support/three_columns.h"

namespace sluice {
namespace {

using namespace parquet;  // NOLINT: the tests are about nothing else.
namespace s = support;

/// What a file looks like, and how it is read.
struct Shape {
  bool is_v2;
  int64_t page_rows;
  bool with_offset_index;
};

/// Some of `lines`.
struct Picked {
  RowSelection selection;
  std::vector<std::string> lines;
};

Picked PickRandomly(uint64_t seed, const std::vector<std::string>& lines) {
  constexpr int32_t kPercents[] = {25, 100, 2, 70};
  constexpr int32_t kStretches[] = {1, 256, 8, 40, 3};
  Picked picked;
  std::vector<int64_t> positions;
  picked.selection = s::RandomSelection(seed, kPercents[seed % 4], kStretches[seed % 5], 0,
                                        std::ssize(lines), positions);
  for (const int64_t row : positions) picked.lines.push_back(lines[static_cast<size_t>(row)]);
  return picked;
}

class RowGroupReaderTest : public ::testing::TestWithParam<Shape> {
 protected:
  RowGroupReaderTest()
      : file_(
            s::ThreeColumns(GetParam().is_v2, GetParam().page_rows, GetParam().with_offset_index)),
        expected_(*s::ReferenceRows(file_.bytes)) {}

  s::BuiltFile file_;
  std::vector<std::string> expected_;
};

TEST_P(RowGroupReaderTest, ReadsEveryRowAtEveryBatchSize) {
  for (const int64_t batch_rows : {1, 7, 16384}) {
    s::Reading reading;
    reading.options.batch_rows = batch_rows;
    const auto rows = s::ReadRows(file_.bytes, reading);
    ASSERT_TRUE(rows) << rows.status().ToString();
    EXPECT_EQ(*rows, expected_) << batch_rows;
  }
}

TEST_P(RowGroupReaderTest, SelectEqualsReadThenPickWhateverIsSwitchedOff) {
  for (uint64_t round = 0; round < 24; ++round) {
    s::Reading reading;
    ReadOptions& options = reading.options;
    options.batch_rows = round % 3 == 0 ? 1 : round % 3 == 1 ? 7 : 16384;
    options.use_offset_index = round % 2 == 0;
    options.select_encoded = round % 4 < 2;
    options.stream_pages = round % 8 < 4;
    options.deliver_dictionaries = round % 5 < 2;
    options.read_everything = round % 7 == 0;
    options.read_window_bytes = round % 3 == 0 ? 1 : 4096;
    const Picked picked = PickRandomly(round, expected_);
    reading.select = [&](int64_t, int64_t) { return picked.selection; };
    const auto rows = s::ReadRows(file_.bytes, reading);
    ASSERT_TRUE(rows) << rows.status().ToString();
    EXPECT_EQ(*rows, picked.lines) << "round " << round;
  }
}

TEST_P(RowGroupReaderTest, BytesMayComeInAnyOrderAndInLargerPieces) {
  std::mt19937_64 random(5);
  for (uint64_t round = 0; round < 8; ++round) {
    ReadOptions options;
    options.read_window_bytes = 1 + static_cast<int64_t>(random() % 3000);
    options.batch_rows = 100;
    const auto reader = s::OpenBytes(file_.bytes).value();
    const Picked picked = PickRandomly(round, expected_);
    auto machine = RowGroupReader::Make(reader->metadata(), Projection::All(reader->tree()), 0,
                                        picked.selection, options);
    ASSERT_TRUE(machine) << machine.status().ToString();
    const BufferRef whole = s::PaddedBuffer(file_.bytes);
    std::vector<std::string> lines;
    for (;;) {
      auto step = (*machine)->Step();
      ASSERT_TRUE(step) << step.status().ToString();
      if (std::holds_alternative<Done>(*step)) break;
      if (const auto* batch = std::get_if<RowGroupBatch>(&*step)) {
        s::AppendLines(batch->batch, lines);
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
    EXPECT_EQ(lines, picked.lines) << "round " << round;
  }
}

TEST_P(RowGroupReaderTest, FlippedBitsGiveOneErrorOrRows) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 60; ++round) {
    s::BuiltFile cut = file_;
    const size_t at = random() % static_cast<size_t>(cut.footer_offset);
    cut.bytes[at] = static_cast<char>(cut.bytes[at] ^ (1 << (random() % 8)));
    const auto reader = s::OpenBytes(cut.bytes).value();
    auto cursor = reader->RowGroup(0, Projection::All(reader->tree()));
    ASSERT_TRUE(cursor);
    const auto rows = s::ReadOn(**cursor);
    if (rows) continue;
    EXPECT_NE(rows.error().message().find(s::kFileName), std::string::npos);
    EXPECT_NE(rows.error().code(), StatusCode::kInternal) << rows.error().ToString();
    EXPECT_EQ((*cursor)->Next().status().ToString(), rows.error().ToString());
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, RowGroupReaderTest,
                         ::testing::Values(Shape{false, 1000, false}, Shape{false, 37, false},
                                           Shape{false, 37, true}, Shape{true, 1000, false},
                                           Shape{true, 64, false}, Shape{true, 1, true},
                                           Shape{true, 50, true}));

}  // namespace
}  // namespace sluice
