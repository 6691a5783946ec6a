// What footers, schema trees and page indexes take once they are parsed counts before it is taken,
// however much more that is than their bytes: a hostile file ends in kResourceExhausted.

#include <gtest/gtest.h>
#include <sluice/parquet/page_index.h>
#include <sluice/parquet/reader.h>
#include <sluice/parquet/schema_tree.h>

#include <functional>
#include <string>
#include <vector>

#include "format/parquet/footer.h"
#include "tests/support/file_builder.h"
#include "tests/support/heap_watch.h"
#include "tests/support/padded_buffer.h"
#include "tests/support/thrift_compact_builder.h"

namespace sluice::support {
namespace {

using parquet::FooterOptions;
using parquet::ParseColumnIndex;
using parquet::ParseFooter;
using parquet::ParseOffsetIndex;
using parquet::SchemaTree;

constexpr int64_t kMebibyte = 1 << 20;
constexpr size_t kElements = 20'000;

std::string Root(int64_t num_children) {
  return ThriftCompactBuilder().Binary(4, "r").I32(5, num_children).Finish();
}
std::string LeafElement(std::string_view name = "") {
  return ThriftCompactBuilder().I32(1, 1).I32(3, 0).Binary(4, name).Finish();
}
std::string GroupElement(int32_t repetition, int64_t num_children) {
  return ThriftCompactBuilder().I32(3, repetition).Binary(4, "g").I32(5, num_children).Finish();
}

/// The least that a chunk can be, with more fields of its metadata in the middle.
std::string ChunkWith(std::string_view encodings, std::string_view path,
                      const std::function<void(ThriftCompactBuilder&)>& more = {}) {
  ThriftCompactBuilder metadata;
  metadata.I32(1, 1)
      .Raw(2, CompactType::kList, encodings)
      .Raw(3, CompactType::kList, path)
      .I32(4, 0)
      .I64(5, 0)
      .I64(6, 0)
      .I64(7, 0);
  metadata.I64(9, 0);
  if (more) more(metadata);
  return ThriftCompactBuilder().Struct(3, metadata.Finish()).Finish();
}
std::string SmallChunk() {
  return ChunkWith(CompactList(CompactType::kI32, {}), CompactList(CompactType::kBinary, {}));
}

std::string Footer(std::vector<std::string> schema, std::vector<std::string> row_groups,
                   const std::function<void(ThriftCompactBuilder&)>& more = {}) {
  ThriftCompactBuilder footer;
  footer.I32(1, 1)
      .List(2, CompactType::kStruct, schema)
      .I64(3, 0)
      .List(4, CompactType::kStruct, row_groups);
  if (more) more(footer);
  return footer.Finish();
}

std::string RowGroup(std::vector<std::string> chunks,
                     const std::function<void(ThriftCompactBuilder&)>& more = {}) {
  ThriftCompactBuilder row_group;
  row_group.List(1, CompactType::kStruct, chunks).I64(2, 0).I64(3, 0);
  if (more) more(row_group);
  return row_group.Finish();
}

struct Hostile {
  std::string name;
  std::string footer;
};

/// Footers of many elements of one kind, each as small as it can be.
std::vector<Hostile> HostileFooters() {
  const auto many = [](std::string element) {
    return std::vector<std::string>(kElements, std::move(element));
  };
  const std::string list_of_zeros = CompactList(CompactType::kI64, many(std::string(1, '\0')));
  const std::string no_encodings = CompactList(CompactType::kI32, {});
  const std::string no_path = CompactList(CompactType::kBinary, {});
  const auto one_chunk = [](std::string chunk) {
    return Footer({Root(0)}, {RowGroup({std::move(chunk)})});
  };
  std::vector<std::string> elements = many(LeafElement());
  elements.insert(elements.begin(), Root(kElements));
  std::vector<std::string> repeated =
      many(ThriftCompactBuilder().I32(1, 1).I32(3, 2).Binary(4, "a name that is long").Finish());
  repeated.insert(repeated.begin(), Root(kElements));
  std::vector<std::string> deep = {Root(1)};
  for (int i = 0; i < 300; ++i) deep.push_back(GroupElement(i % 3, 1));
  deep.back() = GroupElement(0, 1000);
  for (int i = 0; i < 1000; ++i) deep.push_back(LeafElement("l"));

  return {
      {"chunks", Footer({Root(0)}, {RowGroup(many(SmallChunk()))})},
      {"row groups", Footer({Root(0)}, many(RowGroup({})))},
      {"row groups of one chunk", Footer({Root(0)}, many(RowGroup({SmallChunk()})))},
      {"schema elements", Footer(elements, {})},
      {"repeated leaves", Footer(repeated, {})},
      {"deep groups", Footer(deep, {})},
      {"key-value pairs", Footer({Root(0)}, {},
                                 [&](auto& footer) {
                                   footer.List(5, CompactType::kStruct,
                                               many(ThriftCompactBuilder().Binary(1, "").Finish()));
                                 })},
      {"column orders", Footer({Root(0)}, {},
                               [&](auto& footer) {
                                 footer.List(7, CompactType::kStruct,
                                             many(ThriftCompactBuilder().Finish()));
                               })},
      {"sorting columns",
       Footer({Root(0)},
              {RowGroup(
                  {},
                  [&](auto& row_group) {
                    row_group.List(
                        4, CompactType::kStruct,
                        many(
                            ThriftCompactBuilder().I32(1, 0).Bool(2, true).Bool(3, true).Finish()));
                  })})},
      {"encodings",
       one_chunk(ChunkWith(CompactList(CompactType::kI32, many(std::string(1, '\0'))), no_path))},
      {"path", one_chunk(ChunkWith(no_encodings,
                                   CompactList(CompactType::kBinary, many(CompactString("")))))},
      {"encoding stats",
       one_chunk(ChunkWith(
           no_encodings, no_path,
           [&](auto& metadata) {
             metadata.List(13, CompactType::kStruct,
                           many(ThriftCompactBuilder().I32(1, 0).I32(2, 0).I32(3, 0).Finish()));
           }))},
      {"histograms", one_chunk(ChunkWith(no_encodings, no_path,
                                         [&](auto& metadata) {
                                           metadata.Struct(
                                               16, ThriftCompactBuilder()
                                                       .Raw(2, CompactType::kList, list_of_zeros)
                                                       .Raw(3, CompactType::kList, list_of_zeros)
                                                       .Finish());
                                         }))},
  };
}

/// Parses a footer and makes the tree of it, where it has one.
Status Parse(const BufferRef& bytes, const std::shared_ptr<BufferPool>& pool) {
  FooterOptions options;
  options.pool = pool;
  const auto footer = ParseFooter(bytes, options);
  if (!footer) return footer.error();
  return SchemaTree::Make(**footer, options.limits, pool.get()).status();
}

TEST(FooterMemory, PoolsCountWhatFootersTake) {
  for (const Hostile& hostile : HostileFooters()) {
    SCOPED_TRACE(hostile.name);
    const BufferRef bytes = PaddedBuffer(hostile.footer);
    const auto pool = BufferPool::Make();
    const HeapWatch watch(pool.get());
    const Status status = Parse(bytes, pool);
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_LE(watch.most_uncounted(), 48 << 10) << watch.peak();
    // Nor is it out of all proportion.
    EXPECT_LE(pool->peak_bytes(), 2 * watch.peak() + (64 << 10));
    EXPECT_EQ(pool->bytes_in_use(), 0);
  }
}

TEST(FooterMemory, BudgetsAreKept) {
  for (const Hostile& hostile : HostileFooters()) {
    SCOPED_TRACE(hostile.name);
    const BufferRef bytes = PaddedBuffer(hostile.footer);
    for (const int64_t budget : {int64_t{0}, int64_t{1000}, int64_t{10'000}, int64_t{100'000}}) {
      const auto pool = BufferPool::Make(budget);
      const HeapWatch watch(pool.get());
      const Status status = Parse(bytes, pool);
      EXPECT_LE(pool->peak_bytes(), budget);
      EXPECT_LE(watch.peak(), budget + (48 << 10));
      if (!status.ok()) {
        EXPECT_EQ(status.code(), StatusCode::kResourceExhausted) << status.ToString();
      }
    }
  }
}

TEST(FooterMemory, FootersCountAsLongAsTheyLive) {
  const BufferRef bytes = PaddedBuffer(
      Footer({Root(0)}, {RowGroup(std::vector<std::string>(kElements, SmallChunk()))}));
  FooterOptions options;
  options.pool = BufferPool::Make();
  auto footer = *ParseFooter(bytes, options);
  EXPECT_GE(options.pool->bytes_in_use(),
            static_cast<int64_t>(kElements * sizeof(parquet::ColumnChunk)));
  footer.reset();
  EXPECT_EQ(options.pool->bytes_in_use(), 0);
}

TEST(FooterMemory, ReadersCountTheirFooters) {
  FileSpec file;
  file.schema = {Required("a", PhysicalType::kInt64)};
  file.footer = Footer({Root(1), LeafElement("a")},
                       {RowGroup(std::vector<std::string>(kElements, SmallChunk()))});
  const auto bytes = PaddedBuffer(BuildFile(file).bytes);
  parquet::ReadOptions options;
  options.pool = BufferPool::Make(kMebibyte);
  const auto refused = parquet::FileReader::Open(MakeMemoryFile("footer.parquet", bytes), options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), StatusCode::kResourceExhausted);
  EXPECT_NE(refused.error().message().find("budget"), std::string::npos)
      << refused.error().ToString();
  EXPECT_LE(options.pool->peak_bytes(), kMebibyte);
  options.pool = BufferPool::Make(32 * kMebibyte);
  auto opened = parquet::FileReader::Open(MakeMemoryFile("footer.parquet", bytes), options);
  ASSERT_TRUE(opened) << opened.error().ToString();
  EXPECT_GE(options.pool->bytes_in_use(),
            static_cast<int64_t>(kElements * sizeof(parquet::ColumnChunk)));
}

std::string LargeOffsetIndex() {
  const std::string location = ThriftCompactBuilder().I64(1, 4).I32(2, 1).I64(3, 0).Finish();
  return ThriftCompactBuilder()
      .List(1, CompactType::kStruct, std::vector<std::string>(kElements, location))
      .List(2, CompactType::kI64, std::vector<std::string>(kElements, std::string(1, '\0')))
      .Finish();
}

std::string LargeColumnIndex() {
  const std::vector<std::string> zeros(kElements, std::string(1, '\0'));
  const std::vector<std::string> strings(kElements, CompactString(""));
  return ThriftCompactBuilder()
      .List(1, CompactType::kTrue, zeros)
      .List(2, CompactType::kBinary, strings)
      .List(3, CompactType::kBinary, strings)
      .I32(4, 0)
      .List(5, CompactType::kI64, zeros)
      .List(6, CompactType::kI64, zeros)
      .List(7, CompactType::kI64, zeros)
      .List(8, CompactType::kI64, zeros)
      .Finish();
}

TEST(PageIndexMemory, PoolsCountWhatIndexesTake) {
  const BufferRef offset_bytes = PaddedBuffer(LargeOffsetIndex());
  const BufferRef column_bytes = PaddedBuffer(LargeColumnIndex());
  for (const int64_t budget : {int64_t{0}, int64_t{10'000}, int64_t{300'000}, 8 * kMebibyte}) {
    const auto pool = BufferPool::Make(budget);
    const HeapWatch watch(pool.get());
    for (const bool is_column_index : {false, true}) {
      const Status status = is_column_index
                                ? ParseColumnIndex(column_bytes, pool.get()).status()
                                : ParseOffsetIndex(offset_bytes->span(), pool.get()).status();
      EXPECT_EQ(status.code(),
                budget == 8 * kMebibyte ? StatusCode::kOk : StatusCode::kResourceExhausted);
      EXPECT_LE(pool->peak_bytes(), budget);
      EXPECT_EQ(pool->bytes_in_use(), 0);
    }
    EXPECT_LE(watch.most_uncounted(), 16 << 10);
  }
  const auto pool = BufferPool::Make();
  const auto index = *ParseColumnIndex(column_bytes, pool.get());
  EXPECT_GE(pool->bytes_in_use(), static_cast<int64_t>(kElements * 64));
}

}  // namespace
}  // namespace sluice::support
