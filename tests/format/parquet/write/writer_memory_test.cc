// What a writer holds counts in its pool, whatever the columns are like.

#include <gtest/gtest.h>
#include <sluice/parquet/writer.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/support/cells.h"
#include "tests/support/heap_watch.h"

namespace sluice::support {
namespace {

using parquet::Codec;
using parquet::DataPageVersion;
using parquet::Encoding;
using parquet::FileWriter;
using parquet::WriterOptions;

constexpr int64_t kMebibyte = 1 << 20;

/// Takes bytes and keeps none.
class NoFile : public OutputFile {
 public:
  const std::string& name() const override { return name_; }
  Status Append(std::span<const uint8_t>) override { return Status::Ok(); }
  Status Finish() override { return Status::Ok(); }

 private:
  std::string name_ = "nowhere";
};

struct Shape {
  std::string name;
  DataType type;
  std::vector<Cell> cells;
  int64_t batches = 1;                    ///< How often they are written.
  std::optional<Encoding> encoding = {};  ///< Without a dictionary.
};

/// Columns of which each makes another part of the writer large.
std::vector<Shape> Shapes() {
  std::vector<Shape> shapes;
  const DataType text = DataType::Of(TypeId::kString);
  const DataType number = DataType::Of(TypeId::kInt64);

  shapes.push_back({"few strings", text, {}, 10});
  for (int i = 0; i < 20'000; ++i) {
    shapes.back().cells.push_back(Text("a string of some length " + std::to_string(i % 10)));
  }
  shapes.push_back({"distinct strings", text, {}, 2, Encoding::kDeltaByteArray});
  for (int i = 0; i < 50'000; ++i) shapes.back().cells.push_back(Text(std::to_string(i)));

  shapes.push_back({"long strings", text, {}, 3});
  for (int i = 0; i < 20; ++i) {
    shapes.back().cells.push_back(Text(std::string(400'000, static_cast<char>('a' + i))));
  }
  shapes.push_back({"numbers", number, {}, 6, Encoding::kDeltaBinaryPacked});
  for (int64_t i = 0; i < 50'000; ++i) shapes.back().cells.push_back(Fixed(i / 100));

  shapes.push_back({"floats", DataType::Of(TypeId::kDouble), {}, 6, Encoding::kAlp});
  for (int i = 0; i < 50'000; ++i) shapes.back().cells.push_back(Fixed(i * 0.1));

  Cell list = Nested({});
  for (int i = 0; i < 2000; ++i) list.children.push_back(Null());
  shapes.push_back({"long lists of nulls", DataType::List(Field{"element", number, true, {}}),
                    std::vector<Cell>(100, list), 4});
  shapes.push_back({"empty lists", DataType::List(Field{"element", text, true, {}}),
                    std::vector<Cell>(20'000, Nested({})), 6});
  return shapes;
}

WriterOptions OptionsOf(int variant) {
  WriterOptions options;
  options.page_version = variant % 2 == 0 ? DataPageVersion::kV1 : DataPageVersion::kV2;
  options.columns.codec = variant / 2 % 2 == 0 ? Codec::kZstd : Codec::kSnappy;
  options.columns.dictionary = variant / 4 % 2 == 0;
  options.columns.bloom_filter = variant / 8 % 2 == 1;
  options.row_group_bytes = 64 * kMebibyte;
  return options;
}

Status Write(const Shape& shape, const Batch& batch, WriterOptions options) {
  if (!options.columns.dictionary) options.columns.encoding = shape.encoding;
  auto writer = FileWriter::Make(std::make_unique<NoFile>(), *batch.schema, options);
  if (!writer) return writer.error();
  for (int64_t i = 0; i < shape.batches; ++i) {
    const Status status = (*writer)->Write(batch);
    if (!status.ok()) return status;
  }
  return (*writer)->Finish();
}

Batch BatchOf(const Shape& shape) {
  const Schema schema{{Field{"c", shape.type, true, {}}}};
  std::vector<Column> columns;
  columns.push_back(BuildColumn(shape.type, shape.cells));
  return BuildBatch(schema, std::move(columns));
}

TEST(WriterMemory, PoolsCountWhatWritersHold) {
  for (const Shape& shape : Shapes()) {
    const Batch batch = BatchOf(shape);
    for (int variant = 0; variant < 16; ++variant) {
      SCOPED_TRACE(shape.name + ", variant " + std::to_string(variant));
      WriterOptions options = OptionsOf(variant);
      options.pool = BufferPool::Make();
      const HeapWatch watch(options.pool.get());
      ASSERT_TRUE(Write(shape, batch, options).ok());
      EXPECT_LE(watch.most_uncounted(), 256 << 10);
      EXPECT_EQ(options.pool->bytes_in_use(), 0);
    }
  }
}

TEST(WriterMemory, PageIndexesOfManyRowGroupsCount) {
  Shape shape{"numbers", DataType::Of(TypeId::kInt32), {}, 300};
  for (int32_t i = 0; i < 1000; ++i) shape.cells.push_back(Fixed(i));
  WriterOptions options;
  options.page_rows = 10;
  options.row_group_rows = 1000;
  options.pool = BufferPool::Make();
  const HeapWatch watch(options.pool.get());
  ASSERT_TRUE(Write(shape, BatchOf(shape), options).ok());
  EXPECT_GT(watch.peak(), kMebibyte);
  EXPECT_LE(watch.most_uncounted(), 256 << 10);
}

TEST(WriterMemory, BudgetsAreKept) {
  for (const Shape& shape : Shapes()) {
    const Batch batch = BatchOf(shape);
    for (int variant = 0; variant < 16; variant += 5) {
      SCOPED_TRACE(shape.name + ", variant " + std::to_string(variant));
      bool was_enough = false;
      for (int64_t budget = 1000; budget < 512 * kMebibyte && !was_enough; budget *= 4) {
        WriterOptions options = OptionsOf(variant);
        options.pool = BufferPool::Make(budget);
        const Status status = Write(shape, batch, options);
        was_enough = status.ok();
        EXPECT_TRUE(status.ok() || status.code() == StatusCode::kResourceExhausted)
            << status.ToString();
        EXPECT_LE(options.pool->peak_bytes(), budget);
        EXPECT_EQ(options.pool->bytes_in_use(), 0);
      }
      EXPECT_TRUE(was_enough);
    }
  }
}

TEST(WriterMemory, LongBoundsAreNotKept) {
  // 200 pages of one string each, of which a page record keeps 64 bytes.
  Shape shape{"long strings", DataType::Of(TypeId::kString), {}, 50};
  for (int i = 0; i < 4; ++i) {
    shape.cells.push_back(Text(std::string(300'000, static_cast<char>('a' + i))));
  }
  WriterOptions options;
  options.page_bytes = 1000;
  options.columns.dictionary = false;
  options.pool = BufferPool::Make(6 * kMebibyte);
  const Status status = Write(shape, BatchOf(shape), options);
  EXPECT_TRUE(status.ok()) << status.ToString();
}

}  // namespace
}  // namespace sluice::support
