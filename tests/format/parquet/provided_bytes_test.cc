// What the state machines take when bytes are handed over, as Need of reader.h says.

#include <gtest/gtest.h>
#include <sluice/parquet/reader.h>

#include <memory>
#include <variant>
#include <vector>

#include "tests/format/parquet/write/written_file.h"
#include "tests/support/padded_buffer.h"

namespace sluice {
namespace {

using namespace parquet;  // NOLINT: the whole test is about it.
using support::kInt64Type;
using support::Numbers;
using support::WrittenFile;

constexpr int64_t kRows = 1000;

class ProvidedBytes : public ::testing::Test {
 protected:
  ProvidedBytes() {
    WriterOptions options;
    options.columns.codec = Codec::kUncompressed;
    const Schema schema{{{"a", kInt64Type}, {"b", kInt64Type}}};
    const WrittenFile file(schema, {Numbers(kRows), Numbers(kRows)}, options);
    whole_ = support::PaddedBuffer(file.bytes());
    reader_ = *FileReader::Open(MakeMemoryFile("memory", whole_));
  }

  /// The bytes of the file that `range` names.
  BufferRef At(ByteRange range) const { return SliceBuffer(whole_, range.offset, range.length); }
  Projection All() const { return Projection::All(reader_->tree()); }

  BufferRef whole_;
  std::shared_ptr<FileReader> reader_;
};

template <typename Machine>
std::vector<ByteRange> NeedOf(Machine& machine) {
  const auto step = machine.Step();
  EXPECT_TRUE(step.has_value()) << step.status().ToString();
  return step && std::holds_alternative<Need>(*step) ? std::get<Need>(*step).ranges
                                                     : std::vector<ByteRange>();
}

TEST_F(ProvidedBytes, FootersTakeWhatCoversTheirNeed) {
  FooterReader machine(whole_->size(), {}, 12);
  const std::vector<ByteRange> tail = NeedOf(machine);
  ASSERT_EQ(tail.size(), 1U);
  ASSERT_EQ(tail[0].length, 12);
  const ByteRange too_short{tail[0].offset + 1, 11};
  const ByteRange elsewhere{0, 100};
  for (const ByteRange& range : {too_short, elsewhere}) {
    EXPECT_EQ(machine.Provide(range, At(range)).code(), StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(machine.Provide({-5, INT64_MAX}, whole_).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(machine.Provide(tail[0], At({tail[0].offset, 11})).code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(machine.Provide(tail[0], nullptr).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(NeedOf(machine), tail);
  ASSERT_TRUE(machine.Provide({0, whole_->size()}, whole_).ok());
  EXPECT_EQ(machine.Provide({0, whole_->size()}, whole_).code(), StatusCode::kInvalidArgument);

  // The footer is longer than the tail was, and is asked for again.
  const std::vector<ByteRange> footer = NeedOf(machine);
  ASSERT_EQ(footer.size(), 1U);
  const ByteRange larger{footer[0].offset - 7, footer[0].length + 10};
  ASSERT_TRUE(machine.Provide(larger, At(larger)).ok());
  const auto step = machine.Step();
  ASSERT_TRUE(step.has_value()) << step.status().ToString();
  EXPECT_EQ(std::get<std::shared_ptr<const FileMetadata>>(*step)->num_rows, kRows);
}

TEST_F(ProvidedBytes, RowGroupsGoOnWithPartOfTheirNeed) {
  const auto machine = *RowGroupReader::Make(reader_->metadata(), All(), 0);
  const std::vector<ByteRange> need = NeedOf(*machine);
  ASSERT_EQ(need.size(), 2U);
  const ByteRange half{need[0].offset, need[0].length / 2};
  EXPECT_EQ(machine->Provide(half, At(half)).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(NeedOf(*machine), need);
  // All of the second, the end of the first: that one stays needed.
  const int64_t begin = need[0].offset + 1;
  const ByteRange both{begin, need[1].end() - begin};
  ASSERT_TRUE(machine->Provide(both, At(both)).ok());
  EXPECT_EQ(NeedOf(*machine), std::vector<ByteRange>{need[0]});
  EXPECT_EQ(machine->Provide(need[1], At(need[1])).code(), StatusCode::kInvalidArgument);
  ASSERT_TRUE(machine->Provide({0, whole_->size()}, whole_).ok());
  const auto step = machine->Step();
  ASSERT_TRUE(step.has_value()) << step.status().ToString();
  ASSERT_TRUE(std::holds_alternative<RowGroupBatch>(*step));
  EXPECT_EQ(std::get<RowGroupBatch>(*step).batch.num_rows, kRows);
}

TEST_F(ProvidedBytes, AnEmptySelectionIsNotTheAbsentOne) {
  const auto machine = *RowGroupReader::Make(reader_->metadata(), All(), 0, RowSelection());
  const auto step = machine->Step();
  ASSERT_TRUE(step.has_value()) << step.status().ToString();
  EXPECT_TRUE(std::holds_alternative<Done>(*step));
  EXPECT_EQ(RowGroupReader::Make(reader_->metadata(), All(), 1).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(RowGroupReader::Make(reader_->metadata(), All(), -1).status().code(),
            StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace sluice
