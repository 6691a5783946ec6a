// Logic of four values, columns in every form, selections, blocks, and errors of rows.

#include "engine/evaluate/evaluator.h"

#include "tests/engine/evaluate/evaluate_testing.h"

namespace sluice {
namespace {

using support::BindText;
using support::BuildBatch;
using support::BuildColumn;
using support::BuildConstantColumn;
using support::BuildDictionaryColumn;
using support::Cell;
using support::Fixed;
using support::Nested;
using support::Null;
using support::Text;
using support::Truths;
using support::TruthText;

const DataType kInt = DataType::Of(TypeId::kInt32);

Schema Ints(std::initializer_list<const char*> names) {
  Schema schema;
  for (const char* name : names) schema.fields.push_back({name, kInt, true, {}});
  return schema;
}

/// A truth value by a number: 0 FALSE, 1 NULL, 2 ERROR, else TRUE.
std::string TruthOf(const std::string& column) {
  return "CASE " + column +
         " WHEN 0 THEN FALSE WHEN 1 THEN NULL WHEN 2 THEN 1 / 0 = 1 ELSE TRUE END";
}

// Law 6: AND is the least of FALSE < NULL < ERROR < TRUE, OR the greatest of
// FALSE < ERROR < NULL < TRUE.
TEST(Evaluator, KnowsFourTruths) {
  std::vector<Cell> a;
  std::vector<Cell> b;
  for (int32_t i = 0; i < 16; ++i) {
    a.push_back(Fixed(i / 4));
    b.push_back(Fixed(i % 4));
  }
  const Batch batch = BuildBatch(Ints({"a", "b"}), {BuildColumn(kInt, a), BuildColumn(kInt, b)});
  const std::string first = TruthOf("a");
  const std::string second = TruthOf("b");
  EXPECT_EQ(Truths(first, batch), "FFFFNNNNEEEETTTT");
  EXPECT_EQ(Truths(first + " AND " + second, batch), "FFFFFNNNFNEEFNET");
  EXPECT_EQ(Truths(first + " OR " + second, batch), "FNETNNNTENETTTTT");
  EXPECT_EQ(Truths("NOT " + first, batch), "TTTTNNNNEEEEFFFF");
  EXPECT_EQ(Truths("(" + first + ") IS NULL", batch), "FFFFTTTTEEEEFFFF");
  EXPECT_EQ(Truths("(" + first + ") = (" + second + ")", batch), "TNEFNNENEEEEFNET");
  EXPECT_EQ(Truths("(" + first + ") IS DISTINCT FROM (" + second + ")", batch), "FTETTFETEEEETTEF");
  // De Morgan's rule holds for all four.
  EXPECT_EQ(Truths("NOT (" + first + " AND " + second + ")", batch),
            Truths("NOT " + first + " OR NOT " + second, batch));
}

TEST(Evaluator, ReadsColumnsInEveryForm) {
  const std::vector<Cell> cells = {Fixed(int32_t{1}), Null(), Fixed(int32_t{3}), Fixed(int32_t{1})};
  const Schema schema = Ints({"a"});
  for (const Column& column : {BuildColumn(kInt, cells), BuildDictionaryColumn(kInt, cells)}) {
    const Batch batch = BuildBatch(schema, {column});
    EXPECT_EQ(Truths("a = 1", batch), "TNFT");
    EXPECT_EQ(Truths("a + a = 6", batch), "FNTF");
    EXPECT_EQ(Truths("a IS NULL", batch), "FTFF");
  }
  EXPECT_EQ(Truths("a = 1", BuildBatch(schema, {BuildConstantColumn(kInt, cells[0], 3)})), "TTT");
  EXPECT_EQ(Truths("a = 1", BuildBatch(schema, {BuildConstantColumn(kInt, Null(), 3)})), "NNN");
}

TEST(Evaluator, ReadsStringsAndBooleansInEveryForm) {
  const std::string long_text = "longer than what a view holds inline";
  const std::vector<Cell> texts = {Text("a"), Null(), Text(long_text), Text("")};
  const std::vector<Cell> flags = {Fixed(uint8_t{1}), Null(), Fixed(uint8_t{0}), Fixed(uint8_t{1})};
  const DataType string = DataType::Of(TypeId::kString);
  const DataType boolean = DataType::Of(TypeId::kBoolean);
  const Schema schema{{{"s", string, true, {}}, {"f", boolean, true, {}}}};
  for (const bool is_dictionary : {false, true}) {
    const auto build = is_dictionary ? BuildDictionaryColumn : BuildColumn;
    const Batch batch = BuildBatch(schema, {build(string, texts), build(boolean, flags)});
    EXPECT_EQ(Truths("s = '" + long_text + "'", batch), "FNTF");
    EXPECT_EQ(Truths("s < 'a'", batch), "FNFT");
    EXPECT_EQ(Truths("upper(s) = 'A'", batch), "TNFF");
    EXPECT_EQ(Truths("f", batch), "TNFT");
    EXPECT_EQ(Truths("NOT f", batch), "FNTF");
    EXPECT_EQ(Truths("f IN (TRUE)", batch), "TNFT");
    EXPECT_EQ(Truths("f IN (FALSE, NULL)", batch), "NNTN");
    EXPECT_EQ(Truths("f < TRUE", batch), "FNTF");
  }
}

TEST(Evaluator, ReadsFieldsOfStructs) {
  const DataType inner = DataType::Struct({{"x", kInt, true, {}}});
  const DataType outer = DataType::Struct({{"in", inner, true, {}}});
  const auto row = [](Cell x) { return Nested({Nested({std::move(x)})}); };
  const std::vector<Cell> cells = {row(Fixed(int32_t{1})), Null(), Nested({Null()}), row(Null()),
                                   row(Fixed(int32_t{2}))};
  const Schema schema{{{"r", outer, true, {}}}};
  const Batch flat = BuildBatch(schema, {BuildColumn(outer, cells)});
  EXPECT_EQ(Truths("r.\"in\".x = 1", flat), "TNNNF");
  EXPECT_EQ(Truths("r.\"in\".x IS NULL", flat), "FTTTF");
  EXPECT_EQ(Truths("r.\"in\" IS NULL", flat), "FTTFF");
  EXPECT_EQ(Truths("r IS NULL", flat), "FTFFF");
  const Batch constant = BuildBatch(schema, {BuildConstantColumn(outer, cells[0], 2)});
  EXPECT_EQ(Truths("r.\"in\".x = 1", constant), "TT");
  const Batch null = BuildBatch(schema, {BuildConstantColumn(outer, Null(), 2)});
  EXPECT_EQ(Truths("r.\"in\".x = 1", null), "NN");
  EXPECT_EQ(Truths("r IS NULL", null), "TT");
}

TEST(Evaluator, EvaluatesSelectedRowsOnlyBlockByBlock) {
  constexpr int32_t kRows = 5000;
  std::vector<Cell> cells;
  std::string expected;
  std::vector<uint64_t> selection(BitmapWords(kRows));
  for (int32_t i = 0; i < kRows; ++i) {
    // Zero divides where the row is not selected only.
    const bool is_selected = i % 3 != 0;
    if (is_selected) SetBit(selection.data(), i);
    cells.push_back(i % 7 == 0 ? Null() : Fixed(is_selected ? i : 0));
    expected += !is_selected || (i % 7 != 0 && i <= 1024) ? 'F' : i % 7 == 0 ? 'N' : 'T';
  }
  const Batch batch = BuildBatch(Ints({"a"}), {BuildColumn(kInt, cells)});
  engine::Evaluator evaluator(BindText("1024 / a < 1", *batch.schema));
  for (int i = 0; i < 2; ++i) {
    const auto result = evaluator.EvaluatePredicate(batch, selection.data());
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(TruthText(*result, kRows), expected);
    EXPECT_EQ(result->first_error_row, -1);
  }
}

// A decimal beyond every float is an error beside a constant too.
TEST(Evaluator, ComparesWideDecimalsWithFloats) {
  const DataType type = DataType::Decimal(76, 0, 32);
  std::string huge(32, '\0');
  huge[30] = 1;
  std::string one(32, '\0');
  one[0] = 1;
  const Schema schema{{{"d", type, true, {}}}};
  const Batch batch = BuildBatch(schema, {BuildColumn(type, {Text(huge), Text(one), Null()})});
  engine::BindOptions plain;
  plain.simplify = false;
  for (const char* text : {"d > CAST(0.5 AS FLOAT)", "d IN (CAST(1 AS FLOAT), CAST(2 AS FLOAT))"}) {
    EXPECT_EQ(Truths(text, batch), "ETN") << text;
    EXPECT_EQ(Truths(text, batch, plain), "ETN") << text;
  }
  EXPECT_EQ(Truths("d > CAST(0.5 AS DOUBLE)", batch), "TTN");
}

TEST(Evaluator, NamesTheFirstError) {
  std::vector<Cell> cells(3000, Fixed(int32_t{1}));
  cells[2500] = Fixed(int32_t{0});
  cells[2700] = Fixed(int32_t{0});
  const Batch batch = BuildBatch(Ints({"a"}), {BuildColumn(kInt, cells)});
  const auto evaluate = [&](std::string_view text) {
    engine::Evaluator evaluator(BindText(text, *batch.schema));
    const auto result = evaluator.EvaluatePredicate(batch, nullptr);
    return std::to_string(result->first_error_row) + ": " + result->first_error;
  };
  EXPECT_EQ(evaluate("a = 1 OR\n 5 % a = 0"), "2500: line 2, column 4: division by zero: 5 % 0");
  // Errors that are decided by others do not count, and are not named.
  EXPECT_EQ(evaluate("(a <> 0 AND 5 % a = 0) OR a >= 0"), "-1: ");
  EXPECT_EQ(evaluate("(CAST('x' AS INTEGER) = a AND a = 5) OR 1 / a = 3"),
            "2500: line 1, column 43: division by zero: 1.0 / 0.0");
  EXPECT_EQ(evaluate("CASE WHEN a = 0 THEN a + 2147483647 + 1 ELSE 5 % a END > 0"),
            "2500: line 1, column 37: 2147483647 + 1 is out of range of int32");
  EXPECT_EQ(evaluate("coalesce(NULL, 1 / a) > 0"),
            "2500: line 1, column 18: division by zero: 1.0 / 0.0");
  EXPECT_EQ(evaluate("CAST(CAST(a AS VARCHAR) AS DATE) IS NULL"),
            "0: line 1, column 1: '1' is no value of type date");
}

TEST(Evaluator, GivesValues) {
  const std::vector<Cell> cells = {Fixed(int32_t{1}), Null(), Fixed(int32_t{0}), Fixed(int32_t{4})};
  const Batch batch = BuildBatch(Ints({"a"}), {BuildColumn(kInt, cells)});
  const auto pool = BufferPool::Make();
  const auto evaluate = [&](std::string_view text, uint64_t selection) {
    engine::Evaluator evaluator(BindText(text, *batch.schema));
    const auto result = evaluator.EvaluateValues(batch, &selection, pool.get());
    if (!result) return result.error().ToString();
    EXPECT_TRUE(ValidateColumn(result->column).ok()) << ValidateColumn(result->column).ToString();
    std::string values;
    for (int64_t i = 0; i < result->column.length; ++i) {
      values += GetBit(result->errors.data(), i) ? "E" : ValueAt(result->column, i).ToString();
      values += ' ';
    }
    return values;
  };
  EXPECT_EQ(evaluate("a", 3), "1 null 0 4 ");
  EXPECT_EQ(evaluate("a + 1", 15), "2 null 1 5 ");
  EXPECT_EQ(evaluate("a + 1", 12), "null null 1 5 ");
  EXPECT_EQ(evaluate("4 % a", 15), "0 null E 0 ");
  EXPECT_EQ(evaluate("a > 0", 15), "true null false true ");
  EXPECT_EQ(evaluate("CAST(a AS VARCHAR)", 15), "\"1\" null \"0\" \"4\" ");
  EXPECT_EQ(evaluate("CASE WHEN a = 1 THEN 'longer than what is held inline' END", 15),
            "\"longer than what is held inline\" null null null ");
  EXPECT_EQ(evaluate("CAST(a AS DECIMAL(38, 2))", 15), "\"1.00\" null \"0.00\" \"4.00\" ");
  EXPECT_EQ(evaluate("DATE '2024-01-01' + a", 15),
            "\"2024-01-02\" null \"2024-01-01\" \"2024-01-05\" ");
  EXPECT_EQ(evaluate("CASE WHEN a = 1 THEN NULL END", 15), "null null null null ");
  EXPECT_EQ(evaluate("INTERVAL '1 day'", 15),
            "unsupported: an expression cannot have values of type interval");
}

TEST(Evaluator, RefusesBatchesOfAnotherShape) {
  const Batch batch = BuildBatch(Ints({"a"}), {BuildColumn(kInt, {Fixed(int32_t{1})})});
  const Schema other{{{"a", DataType::Of(TypeId::kInt64), true, {}}}};
  engine::Evaluator wrong_type(BindText("a = 1", other));
  EXPECT_EQ(wrong_type.EvaluatePredicate(batch, nullptr).error().code(), StatusCode::kInternal);
  engine::Evaluator lacking(BindText("b = 1", Ints({"a", "b"})));
  EXPECT_EQ(lacking.EvaluatePredicate(batch, nullptr).error().code(), StatusCode::kInternal);
}

TEST(Evaluator, KeepsMemoryOfLongChainsSmall) {
  std::string chain = "a = 0";
  for (int i = 1; i < 20'000; ++i) chain += " OR a = " + std::to_string(i * 2);
  const Batch batch = BuildBatch(
      Ints({"a"}), {BuildColumn(kInt, {Fixed(int32_t{39'998}), Null(), Fixed(int32_t{39'999})})});
  EXPECT_EQ(Truths(chain, batch), "TNF");
}

}  // namespace
}  // namespace sluice
