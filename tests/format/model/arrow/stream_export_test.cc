#include <gtest/gtest.h>
#include <sluice/arrow.h>

#include <cerrno>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/format/model/arrow/exportable_columns.h"
#include "tests/format/model/valid_columns.h"

namespace sluice {
namespace {

using support::Cell;
using support::RandomColumns;
using OwnedStream = support::Owned<ArrowArrayStream>;

/// Gives the batches, and then what it is told to: nothing, or an error.
BatchSource SourceOf(std::vector<Batch> batches, Status last = Status::Ok()) {
  auto left = std::make_shared<std::vector<Batch>>(std::move(batches));
  std::reverse(left->begin(), left->end());
  return [left, last]() -> Result<std::optional<Batch>> {
    if (left->empty()) {
      if (!last.ok()) return last;
      return std::optional<Batch>();
    }
    Batch batch = std::move(left->back());
    left->pop_back();
    return std::optional<Batch>(std::move(batch));
  };
}

/// The cells of each column of all arrays of a stream; fails the test at an error.
std::vector<std::vector<Cell>> ReadAll(ArrowArrayStream* stream) {
  support::Owned<ArrowSchema> schema;
  EXPECT_EQ(stream->get_schema(stream, &schema), 0);
  const support::ArrowType type = support::ImportType(schema);
  std::vector<std::vector<Cell>> all(type.children.size());
  for (;;) {
    support::Owned<ArrowArray> array;
    EXPECT_EQ(stream->get_next(stream, &array), 0) << stream->get_last_error(stream);
    if (array.release == nullptr) return all;
    std::vector<std::vector<Cell>> columns = support::ImportColumns(type, array);
    for (size_t i = 0; i < columns.size(); ++i) {
      all[i].insert(all[i].end(), columns[i].begin(), columns[i].end());
    }
  }
}

/// One schema holds for batches whose columns are in one form now and in another then.
TEST(StreamExport, GivesBatchesOfOneSchema) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    RandomColumns random(seed);
    const auto schema = std::make_shared<const Schema>(random.RandomSchema(5, 3));
    std::vector<ExportableBatch> made;
    std::vector<Batch> batches;
    for (int64_t i = random.Below(5); i > 0; --i) {
      made.push_back(RandomBatch(schema, random.Below(60), random));
      batches.push_back(made.back().batch);
    }
    for (const ArrowExportOptions& options : EveryExportOption()) {
      std::vector<std::vector<Cell>> expected(schema->fields.size());
      for (const ExportableBatch& batch : made) {
        const auto columns = batch.Expected(options);
        for (size_t i = 0; i < columns.size(); ++i) {
          expected[i].insert(expected[i].end(), columns[i].begin(), columns[i].end());
        }
      }
      OwnedStream stream;
      ExpectOk(ExportStream(schema, SourceOf(batches), options, nullptr, &stream));
      EXPECT_TRUE(ReadAll(&stream) == expected);
      EXPECT_EQ(stream.get_last_error(&stream), nullptr);
    }
  }
}

TEST(StreamExport, ConvertsASharedDictionaryOnce) {
  const Column column = Dictionary();
  const Batch batch = BatchOf(column);
  ArrowExportOptions options;
  options.text = ArrowText::kPlain;
  options.keep_dictionaries = true;
  options.validate_utf8 = true;
  Batch other = BatchOf(support::BuildDictionaryColumn(*column.type, {support::Text("other")}));
  other.schema = batch.schema;
  OwnedStream stream;
  ExpectOk(ExportStream(batch.schema, SourceOf({batch, batch, other, batch}), options, nullptr,
                        &stream));
  support::Owned<ArrowArray> arrays[4];
  for (ArrowArray& array : arrays) ASSERT_EQ(stream.get_next(&stream, &array), 0);
  const auto text_of = [&](int i) { return arrays[i].children[0]->dictionary->buffers[2]; };
  EXPECT_EQ(text_of(0), text_of(1));
  EXPECT_NE(text_of(0), text_of(2));
  EXPECT_NE(text_of(2), text_of(3));
  support::Owned<ArrowSchema> schema;
  ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
  const support::ArrowType type = support::ImportType(schema);
  EXPECT_EQ(support::ImportColumns(type, arrays[1]).at(0).at(1).bytes, "a string of some length");
  EXPECT_EQ(support::ImportColumns(type, arrays[2]).at(0).at(0).bytes, "other");
  EXPECT_EQ(support::ImportColumns(type, arrays[3]).at(0).at(1).bytes, "a string of some length");
}

TEST(StreamExport, EndsAndStaysEnded) {
  const Batch batch = BatchOf(Numbers({1, 2}));
  int calls = 0;
  BatchSource source = SourceOf({batch});
  OwnedStream stream;
  ExpectOk(ExportStream(
      batch.schema,
      [&calls, source] {
        ++calls;
        return source();
      },
      {}, nullptr, &stream));
  ReadAll(&stream);
  EXPECT_EQ(calls, 2);
  support::Owned<ArrowArray> array;
  array.release = [](ArrowArray*) {};
  EXPECT_EQ(stream.get_next(&stream, &array), 0);
  EXPECT_EQ(array.release, nullptr);
  EXPECT_EQ(calls, 2);
}

TEST(StreamExport, GivesErrorsAsNumbersAndText) {
  const std::vector<std::pair<Status, int>> errors = {
      {Status::InvalidArgument("why"), EINVAL},
      {Status(StatusCode::kRowError, "why"), EINVAL},
      {Status::NotFound("why"), ENOENT},
      {Status::Corruption("why"), EIO},
      {Status::Unsupported("why"), ENOSYS},
      {Status::Encrypted("why"), ENOSYS},
      {Status::IoError("why"), EIO},
      {Status::ResourceExhausted("why"), ENOMEM},
      {Status::Cancelled("why"), ECANCELED},
      {Status::Internal("why"), EIO},
  };
  const Batch batch = BatchOf(Numbers({1, 2}));
  for (const auto& [error, number] : errors) {
    OwnedStream stream;
    ExpectOk(ExportStream(batch.schema, SourceOf({batch}, error), {}, nullptr, &stream));
    support::Owned<ArrowArray> array;
    ASSERT_EQ(stream.get_next(&stream, &array), 0);
    for (int again = 0; again < 2; ++again) {
      support::Owned<ArrowArray> none;
      EXPECT_EQ(stream.get_next(&stream, &none), number);
      EXPECT_EQ(none.release, nullptr);
      EXPECT_EQ(stream.get_last_error(&stream), error.ToString());
    }
    // The schema can still be asked for, and is no error.
    support::Owned<ArrowSchema> schema;
    EXPECT_EQ(stream.get_schema(&stream, &schema), 0);
    EXPECT_EQ(stream.get_last_error(&stream), nullptr);
  }
}

TEST(StreamExport, ErrorsAreUtf8) {
  const Batch batch = BatchOf(Numbers({1}));
  OwnedStream stream;
  ExpectOk(ExportStream(batch.schema, SourceOf({}, Status::IoError("caf\xc3\xa9 \xff!")), {},
                        nullptr, &stream));
  support::Owned<ArrowArray> array;
  EXPECT_EQ(stream.get_next(&stream, &array), EIO);
  EXPECT_STREQ(stream.get_last_error(&stream), "i/o error: caf\xc3\xa9 ?!");
}

TEST(StreamExport, NothingIsThrownThroughC) {
  const Batch batch = BatchOf(Numbers({1}));
  const auto number_of = [&](BatchSource source, const std::string& text) {
    OwnedStream stream;
    ExpectOk(ExportStream(batch.schema, std::move(source), {}, nullptr, &stream));
    support::Owned<ArrowArray> array;
    const int number = stream.get_next(&stream, &array);
    EXPECT_NE(std::string(stream.get_last_error(&stream)).find(text), std::string::npos);
    return number;
  };
  EXPECT_EQ(
      number_of([]() -> Result<std::optional<Batch>> { throw std::runtime_error("why"); }, "why"),
      EIO);
  EXPECT_EQ(number_of([]() -> Result<std::optional<Batch>> { throw 7; }, "threw"), EIO);
  EXPECT_EQ(number_of([]() -> Result<std::optional<Batch>> { throw std::bad_alloc(); }, "memory"),
            ENOMEM);
}

TEST(StreamExport, RowsOfErrorsCountFromTheFirst) {
  const DataType type = DataType::Of(TypeId::kString);
  const std::vector<Cell> fine(10, support::Text("fine"));
  std::vector<Cell> bad = fine;
  bad[3].bytes = "\xff";
  const Batch first = BatchOf(support::BuildColumn(type, fine));
  Batch second = BatchOf(support::BuildColumn(type, bad));
  second.schema = first.schema;
  ArrowExportOptions options;
  options.validate_utf8 = true;
  OwnedStream stream;
  ExpectOk(ExportStream(first.schema, SourceOf({first, second}), options, nullptr, &stream));
  support::Owned<ArrowArray> array;
  ASSERT_EQ(stream.get_next(&stream, &array), 0);
  array.Release();
  EXPECT_EQ(stream.get_next(&stream, &array), EIO);
  EXPECT_STREQ(stream.get_last_error(&stream),
               "corruption: column 'c': row 13: a value is not UTF-8");
}

TEST(StreamExport, RefusesBatchesOfAnotherSchema) {
  const Batch numbers = BatchOf(Numbers({1}));
  for (const Batch& other : {BatchOf(Strings({"a"})), BatchOf(Numbers({1}), false), Batch()}) {
    OwnedStream stream;
    ExpectOk(ExportStream(numbers.schema, SourceOf({other}), {}, nullptr, &stream));
    support::Owned<ArrowArray> array;
    EXPECT_EQ(stream.get_next(&stream, &array), EINVAL);
  }
  // One that is the same, elsewhere.
  OwnedStream stream;
  ExpectOk(ExportStream(std::make_shared<const Schema>(*numbers.schema), SourceOf({numbers}), {},
                        nullptr, &stream));
  support::Owned<ArrowArray> array;
  EXPECT_EQ(stream.get_next(&stream, &array), 0);
}

TEST(StreamExport, RefusesWhatCannotBeAStream) {
  const Batch batch = BatchOf(Numbers({1}));
  OwnedStream stream;
  stream.release = [](ArrowArrayStream*) {};
  EXPECT_EQ(ExportStream(nullptr, SourceOf({}), {}, nullptr, &stream).code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(stream.release, nullptr);
  EXPECT_EQ(ExportStream(batch.schema, nullptr, {}, nullptr, &stream).code(),
            StatusCode::kInvalidArgument);
  const auto unnameable = std::make_shared<const Schema>(
      Schema{{{"\xff", DataType::Of(TypeId::kInt32), true, std::nullopt}}});
  EXPECT_EQ(ExportStream(unnameable, SourceOf({}), {}, nullptr, &stream).code(),
            StatusCode::kUnsupported);
  EXPECT_EQ(stream.release, nullptr);
}

/// fault A3: a stream may be released half consumed, and before its arrays.
TEST(StreamExport, A3ArraysOutliveTheStream) {
  const auto pool = BufferPool::Make();
  RandomColumns random(3);
  const auto schema = std::make_shared<const Schema>(random.RandomSchema(4, 3));
  ExportableBatch made = RandomBatch(schema, 100, random);
  OwnedStream stream;
  ExpectOk(
      ExportStream(schema, SourceOf({made.batch, made.batch}), {ArrowText::kPlain}, pool, &stream));
  const auto expected = made.Expected({ArrowText::kPlain});
  made.batch = Batch();
  support::Owned<ArrowSchema> exported;
  support::Owned<ArrowArray> array;
  ASSERT_EQ(stream.get_schema(&stream, &exported), 0);
  ASSERT_EQ(stream.get_next(&stream, &array), 0);
  stream.release(&stream);
  EXPECT_EQ(stream.release, nullptr);
  EXPECT_TRUE(support::ImportColumns(support::ImportType(exported), array) == expected);
  array.Release();
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

/// fault M6: a stream holds no batch that it gave.
TEST(StreamExport, M6HoldsNoBatch) {
  const auto pool = BufferPool::Make();
  const auto schema = std::make_shared<const Schema>(
      Schema{{{"c", DataType::Of(TypeId::kInt64), true, std::nullopt}}});
  int left = 100;
  OwnedStream stream;
  ExpectOk(ExportStream(
      schema,
      [&]() -> Result<std::optional<Batch>> {
        if (left-- == 0) return std::optional<Batch>();
        Batch batch;
        batch.schema = schema;
        batch.num_rows = 10'000;
        Column column;
        column.type = std::make_shared<const DataType>(DataType::Of(TypeId::kInt64));
        column.length = 10'000;
        column.data = pool->Allocate(80'000).value();
        std::fill_n(column.data->mutable_as<int64_t>(), 10'000, 7);
        batch.columns.push_back(std::move(column));
        return std::optional<Batch>(std::move(batch));
      },
      {}, pool, &stream));
  for (;;) {
    support::Owned<ArrowArray> array;
    ASSERT_EQ(stream.get_next(&stream, &array), 0);
    if (array.release == nullptr) break;
    EXPECT_LT(pool->bytes_in_use(), 82'000);
  }
  EXPECT_EQ(pool->bytes_in_use(), 0);
  EXPECT_LT(pool->peak_bytes(), 82'000);
}

/// What the source holds is let go of at the end, at an error, and at release.
TEST(StreamExport, LetsGoOfItsSource) {
  const Batch batch = BatchOf(Numbers({1}));
  for (const bool fails : {false, true}) {
    auto held = std::make_shared<int>(7);
    const std::weak_ptr<int> watched = held;
    OwnedStream stream;
    const BatchSource source = SourceOf({batch}, fails ? Status::IoError("why") : Status::Ok());
    ExpectOk(ExportStream(
        batch.schema, [held = std::move(held), source] { return source(); }, {}, nullptr, &stream));
    support::Owned<ArrowArray> array;
    ASSERT_EQ(stream.get_next(&stream, &array), 0);
    EXPECT_FALSE(watched.expired());
    support::Owned<ArrowArray> none;
    EXPECT_EQ(stream.get_next(&stream, &none), fails ? EIO : 0);
    EXPECT_TRUE(watched.expired());
  }
  auto held = std::make_shared<int>(7);
  const std::weak_ptr<int> watched = held;
  OwnedStream stream;
  const BatchSource source = SourceOf({batch});
  ExpectOk(ExportStream(
      batch.schema, [held = std::move(held), source] { return source(); }, {}, nullptr, &stream));
  EXPECT_FALSE(watched.expired());
  stream.Release();
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace sluice
