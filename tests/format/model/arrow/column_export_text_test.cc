#include <gtest/gtest.h>
#include <sluice/arrow.h>

#include <string>
#include <vector>

#include "tests/format/model/arrow/exportable_columns.h"
#include "tests/format/model/valid_columns.h"

namespace sluice {
namespace {

using support::Cell;

ArrowExportOptions Kept(ArrowText text = ArrowText::kViews) {
  ArrowExportOptions options;
  options.text = text;
  options.keep_dictionaries = true;
  return options;
}

std::vector<Cell> Texts(const std::vector<std::string>& texts) {
  std::vector<Cell> cells;
  for (const std::string& text : texts) cells.push_back(support::Text(text));
  return cells;
}

/// Strings of one megabyte, all the same bytes.
Column Megabytes(int64_t rows) {
  Column column = Strings({std::string(1 << 20, 'x')});
  const StringView view = column.values<StringView>()[0];
  column.data = BufferOf(std::vector<StringView>(static_cast<size_t>(rows), view));
  column.length = rows;
  return column;
}

/// fault B3: text beyond 32-bit offsets is an error, as views it is no effort at all.
TEST(ColumnExportText, B3MoreTextThanOffsetsCount) {
  const Batch batch = BatchOf(Megabytes(2048));
  support::Owned<ArrowArray> array;
  const auto pool = BufferPool::Make(1 << 20);
  const Status plain = ExportBatch(batch, {ArrowText::kPlain}, pool, &array);
  EXPECT_EQ(plain.code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(plain.message(),
            "column 'c': 2147483648 bytes of text in one batch are more than 32-bit offsets can "
            "count");
  // What 64-bit offsets do count is for the budget to refuse.
  const Status large = ExportBatch(batch, {ArrowText::kLarge}, pool, &array);
  EXPECT_EQ(large.code(), StatusCode::kResourceExhausted);
  EXPECT_NE(large.message().find("memory budget exceeded"), std::string::npos) << large.message();
  ExpectOk(ExportBatch(batch, {ArrowText::kViews}, pool, &array));
}

TEST(ColumnExportText, DictionariesStayAsTheyAre) {
  const Column column = Dictionary();
  support::Owned<ArrowArray> array;
  ExpectOk(ExportBatch(BatchOf(column), Kept(), nullptr, &array));
  const ArrowArray& codes = *array.children[0];
  EXPECT_EQ(codes.buffers[1], column.data->data());
  ASSERT_NE(codes.dictionary, nullptr);
  EXPECT_EQ(codes.dictionary->length, 2);
  EXPECT_EQ(codes.dictionary->buffers[1], column.dictionary->data->data());
}

TEST(ColumnExportText, ConstantsHaveOneEntry) {
  for (const Cell& value : {support::Text("a value of some length"), support::Null()}) {
    const DataType type = DataType::Of(TypeId::kString);
    const Batch batch = BatchOf(support::BuildConstantColumn(type, value, 5));
    EXPECT_EQ(Exported(batch, Kept()).at(0), std::vector<Cell>(5, value));
    support::Owned<ArrowArray> array;
    ExpectOk(ExportBatch(batch, Kept(), nullptr, &array));
    EXPECT_EQ(array.children[0]->dictionary->length, value.is_null ? 0 : 1);
  }
}

TEST(ColumnExportText, OtherStringsAreNumberedAsTheyFirstOccur) {
  Column column = Strings({"b", "a longer one than 12", "b", "", "a longer one than 12", "c"});
  column.validity = Validity({true, true, true, true, true, false});
  column.null_count = 1;
  for (const ArrowText text : {ArrowText::kViews, ArrowText::kPlain, ArrowText::kLarge}) {
    support::Owned<ArrowArray> array;
    support::Owned<ArrowSchema> schema;
    ExpectOk(ExportBatch(BatchOf(column), Kept(text), nullptr, &array));
    ExpectOk(ExportSchema(*BatchOf(column).schema, Kept(text), &schema));
    const ArrowArray& codes = *array.children[0];
    const auto* values = static_cast<const int32_t*>(codes.buffers[1]);
    EXPECT_EQ(std::vector<int32_t>(values, values + 6), (std::vector<int32_t>{0, 1, 0, 2, 1, 0}));
    const support::ArrowType type = support::ImportType(schema);
    EXPECT_EQ(support::ImportCells(*type.children[0].dictionary, *codes.dictionary),
              Texts({"b", "a longer one than 12", ""}));
  }
}

/// fault A5: batches share the entries of their dictionary, and nulls are with the codes.
TEST(ColumnExportText, A5DictionariesDoNotChangeBetweenBatches) {
  const Column without_nulls = Dictionary();
  Column with_nulls = without_nulls;
  with_nulls.validity = Validity({false, true, true});
  with_nulls.null_count = 1;
  support::Owned<ArrowArray> arrays[2];
  ExpectOk(ExportBatch(BatchOf(without_nulls), Kept(), nullptr, &arrays[0]));
  ExpectOk(ExportBatch(BatchOf(with_nulls), Kept(), nullptr, &arrays[1]));
  for (const ArrowArray& array : arrays) {
    EXPECT_EQ(array.children[0]->dictionary->null_count, 0);
    EXPECT_EQ(array.children[0]->dictionary->buffers[1],
              arrays[0].children[0]->dictionary->buffers[1]);
  }
  EXPECT_EQ(arrays[1].children[0]->null_count, 1);
  EXPECT_EQ(Exported(BatchOf(with_nulls), Kept()).at(0),
            (std::vector<Cell>{support::Null(), support::Text("a string of some length"),
                               support::Text("a")}));
}

TEST(ColumnExportText, RefusesDictionariesWithNulls) {
  Column column = Dictionary();
  auto entries = std::make_shared<Column>(*column.dictionary);
  entries->validity = Validity({true, false});
  entries->null_count = 1;
  column.dictionary = entries;
  for (const ArrowExportOptions& options : EveryExportOption()) {
    support::Owned<ArrowArray> array;
    EXPECT_EQ(ExportBatch(BatchOf(column), options, nullptr, &array).code(), StatusCode::kInternal);
  }
}

TEST(ColumnExportText, LetsAnyBytesPassUnlessTheyAreValidated) {
  const Batch batch = BatchOf(Strings({"ok", "\xff\xfe", "ok"}));
  for (const ArrowExportOptions& options : EveryExportOption()) {
    EXPECT_EQ(Exported(batch, options).at(0), Texts({"ok", "\xff\xfe", "ok"}));
  }
}

TEST(ColumnExportText, ValidatesWhatIsMeantAsUtf8) {
  for (const TypeId id : {TypeId::kString, TypeId::kEnum, TypeId::kJson, TypeId::kBinary}) {
    const std::vector<Cell> cells = Texts({"ok", "a long string that is fine: \xc3\xa9",
                                           "a long string that is not: \xc3", "\xff", "ok"});
    const bool is_text = id != TypeId::kBinary;
    for (const Column& column : {support::BuildColumn(DataType::Of(id), cells),
                                 support::BuildDictionaryColumn(DataType::Of(id), cells)}) {
      for (ArrowExportOptions options : EveryExportOption()) {
        options.validate_utf8 = true;
        support::Owned<ArrowArray> array;
        const Status status = ExportBatch(BatchOf(column), options, nullptr, &array);
        EXPECT_EQ(status.code(), is_text ? StatusCode::kCorruption : StatusCode::kOk);
        // Which of the two in a dictionary comes first is its own affair.
        const bool is_second = status.message() == "column 'c': row 3: a value is not UTF-8" &&
                               column.form == ColumnForm::kDictionary;
        const bool is_first = status.message() == "column 'c': row 2: a value is not UTF-8";
        EXPECT_TRUE(!is_text || is_first || is_second) << status.message();
      }
    }
  }
}

TEST(ColumnExportText, ValidatesEveryEntryOfADictionaryThatIsKept) {
  Column column =
      support::BuildDictionaryColumn(DataType::Of(TypeId::kString), Texts({"\xff", "fine"}));
  // Only "fine", which is entry 0, is in a row.
  column.data = BufferOf<int32_t>({0, 0});
  ArrowExportOptions options = Kept();
  options.validate_utf8 = true;
  support::Owned<ArrowArray> array;
  const Status status = ExportBatch(BatchOf(column), options, nullptr, &array);
  EXPECT_EQ(status.message(), "column 'c': entry 1 of the dictionary is not UTF-8");
  options.keep_dictionaries = false;
  ExpectOk(ExportBatch(BatchOf(column), options, nullptr, &array));
}

TEST(ColumnExportText, ValidatesNothingThatIsOfNoRow) {
  ArrowExportOptions options;
  options.validate_utf8 = true;
  support::Owned<ArrowArray> array;
  Column column = Struct();
  column.children[1] = Strings({"x", "\xff", "z"});
  ExpectOk(ExportBatch(BatchOf(column), options, nullptr, &array));
  array.Release();
  column = Flat(DataType::List({"element", DataType::Of(TypeId::kString), true, {}}), 1,
                BufferOf<int32_t>({1, 2}));
  column.children.push_back(Strings({"\xff", "fine", "\xff"}));
  ExpectOk(ExportBatch(BatchOf(column), options, nullptr, &array));
  array.Release();
  column.children[0] = Strings({"fine", "\xff", "fine"});
  EXPECT_EQ(ExportBatch(BatchOf(column), options, nullptr, &array).message(),
            "column 'c.element': row 0: a value is not UTF-8");
}

}  // namespace
}  // namespace sluice
