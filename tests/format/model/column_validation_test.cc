#include <gtest/gtest.h>
#include <sluice/column.h>

#include <functional>
#include <string>
#include <vector>

namespace sluice {
namespace {

const std::shared_ptr<BufferPool>& Pool() {
  static const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  return pool;
}

template <typename T>
BufferRef BufferOf(const std::vector<T>& values) {
  BufferRef buffer = Pool()->Allocate(static_cast<int64_t>(values.size() * sizeof(T))).value();
  std::copy(values.begin(), values.end(), buffer->template mutable_as<T>());
  return buffer;
}

BufferRef Validity(const std::vector<bool>& bits) {
  std::vector<uint64_t> words(static_cast<size_t>(BitmapWords(static_cast<int64_t>(bits.size()))));
  for (size_t i = 0; i < bits.size(); ++i) {
    if (bits[i]) SetBit(words.data(), static_cast<int64_t>(i));
  }
  return BufferOf(words);
}

std::shared_ptr<const DataType> TypeOf(DataType type) {
  return std::make_shared<const DataType>(std::move(type));
}

Column Flat(DataType type, int64_t length, BufferRef data) {
  Column column;
  column.type = TypeOf(std::move(type));
  column.length = length;
  column.data = std::move(data);
  return column;
}

Column Numbers(const std::vector<int32_t>& values) {
  return Flat(DataType::Of(TypeId::kInt32), static_cast<int64_t>(values.size()), BufferOf(values));
}

// Rows 1 of 3 null.
Column NumbersWithNull() {
  Column column = Numbers({10, 0, 30});
  column.validity = Validity({true, false, true});
  column.null_count = 1;
  return column;
}

Column Strings(const std::vector<std::string>& values) {
  Column column;
  column.type = TypeOf(DataType::Of(TypeId::kString));
  column.form = ColumnForm::kView;
  column.length = static_cast<int64_t>(values.size());
  std::vector<uint8_t> bytes;
  for (const std::string& value : values) bytes.insert(bytes.end(), value.begin(), value.end());
  column.view_buffers.push_back(BufferOf(bytes));
  std::vector<StringView> views;
  int32_t offset = 0;
  for (const std::string& value : values) {
    const auto size = static_cast<int32_t>(value.size());
    views.push_back(StringView::OfPadded(column.view_buffers[0]->data() + offset, size, 0, offset));
    offset += size;
  }
  column.data = BufferOf(views);
  return column;
}

Column LookedUp(ColumnForm form, Column values, int64_t length, BufferRef codes) {
  Column column;
  column.type = values.type;
  column.form = form;
  column.length = length;
  column.data = std::move(codes);
  column.dictionary = std::make_shared<const Column>(std::move(values));
  return column;
}

Column Dictionary() {
  return LookedUp(ColumnForm::kDictionary, Strings({"a", "a string of some length"}), 3,
                  BufferOf<int32_t>({0, 1, 0}));
}

Column Constant() { return LookedUp(ColumnForm::kConstant, Numbers({42}), 5, nullptr); }

// [[1, 2], null, []]
Column List(bool nullable_elements = true) {
  Column column =
      Flat(DataType::List({"element", DataType::Of(TypeId::kInt32), nullable_elements, {}}), 3,
           BufferOf<int32_t>({0, 2, 2, 2}));
  column.validity = Validity({true, false, true});
  column.null_count = 1;
  column.children.push_back(Numbers({1, 2}));
  return column;
}

// {a: 10, b: null}, null, {a: 30, b: "z"}; `a` is required.
Column Struct() {
  Column column = Flat(DataType::Struct({{"a", DataType::Of(TypeId::kInt32), false, {}},
                                         {"b", DataType::Of(TypeId::kString), true, {}}}),
                       3, nullptr);
  column.validity = Validity({true, false, true});
  column.null_count = 1;
  column.children.push_back(NumbersWithNull());
  column.children.push_back(Strings({"x", "y", "z"}));
  column.children[1].validity = Validity({false, true, true});
  column.children[1].null_count = 1;
  return column;
}

Column Map(bool with_values) {
  const Field key{"key", DataType::Of(TypeId::kString), false, {}};
  const Field value{"value", DataType::Of(TypeId::kInt32), true, {}};
  Column column = Flat(DataType::Map(key, with_values ? std::optional<Field>(value) : std::nullopt),
                       2, BufferOf<int32_t>({0, 1, 2}));
  column.children.push_back(Strings({"k", "l"}));
  if (with_values) column.children.push_back(Numbers({1, 2}));
  return column;
}

Column Nulls(int64_t length) {
  Column column = Flat(DataType::Of(TypeId::kNull), length, nullptr);
  column.null_count = length;
  return column;
}

void ExpectValid(const Column& column) {
  const Status status = ValidateColumn(column);
  EXPECT_TRUE(status.ok()) << status.ToString();
}

TEST(ValidateColumn, AcceptsEveryForm) {
  ExpectValid(Numbers({}));
  ExpectValid(Flat(DataType::Of(TypeId::kInt64), 0, nullptr));
  ExpectValid(NumbersWithNull());
  ExpectValid(Flat(DataType::Of(TypeId::kBoolean), 65, BufferOf<uint64_t>({1, 1})));
  ExpectValid(Flat(DataType::Decimal(50, 3, 32), 2, BufferOf(std::vector<uint8_t>(64))));
  ExpectValid(Flat(DataType::FixedBinary(0), 2, nullptr));
  ExpectValid(Strings({"", "short", "exactly 12 b", "longer than twelve"}));
  ExpectValid(Dictionary());
  ExpectValid(Constant());
  ExpectValid(List());
  ExpectValid(List(false));
  ExpectValid(Map(true));
  ExpectValid(Map(false));
  ExpectValid(Struct());
  ExpectValid(Nulls(4));
  Column empty_list = List();
  empty_list.length = empty_list.null_count = 0;
  empty_list.validity = nullptr;
  empty_list.data = nullptr;
  ExpectValid(empty_list);
  Column null_constant = LookedUp(ColumnForm::kConstant, Nulls(1), 5, nullptr);
  null_constant.null_count = 5;
  ExpectValid(null_constant);
}

struct Fault {
  const char* message;  // Part of it.
  std::function<Column()> make;
};

template <typename Change>
std::function<Column()> With(Column (*make)(), Change change) {
  return [make, change] {
    Column column = make();
    change(column);
    return column;
  };
}

void SetViews(Column* column, std::function<void(std::vector<StringView>*)> change) {
  const auto* views = column->values<StringView>();
  std::vector<StringView> copy(views, views + column->length);
  change(&copy);
  column->data = BufferOf(copy);
}

Column TwoStrings() { return Strings({"short", "longer than twelve"}); }
Column NullableList() { return List(); }

void ExpectFaults(const std::vector<Fault>& faults) {
  for (const Fault& fault : faults) {
    const Status status = ValidateColumn(fault.make());
    EXPECT_EQ(status.code(), StatusCode::kInternal) << fault.message;
    EXPECT_NE(status.message().find(fault.message), std::string::npos)
        << status.ToString() << "\nexpected: " << fault.message;
  }
}

TEST(ValidateColumn, RefusesWrongCountsAndNulls) {
  ExpectFaults({
      {"no type", With(NumbersWithNull, [](Column& c) { c.type = nullptr; })},
      {"length is negative", With(NumbersWithNull, [](Column& c) { c.length = -1; })},
      {"null count is outside", With(NumbersWithNull, [](Column& c) { c.null_count = 4; })},
      {"null count is outside", With(NumbersWithNull, [](Column& c) { c.null_count = -1; })},
      {"null count is 2", With(NumbersWithNull, [](Column& c) { c.null_count = 2; })},
      {"no validity", With(NumbersWithNull, [](Column& c) { c.validity = nullptr; })},
      {"validity without nulls", With(NumbersWithNull, [](Column& c) { c.null_count = 0; })},
      {"validity are too short",
       With(NumbersWithNull, [](Column& c) { c.validity = BufferOf<uint8_t>({5}); })},
      {"a null column has values",
       [] {
         Column column = Nulls(4);
         column.null_count = 3;
         column.validity = Validity({true, false, false, false});
         return column;
       }},
  });
}

TEST(ValidateColumn, RefusesWrongData) {
  ExpectFaults({
      {"no values", With(NumbersWithNull, [](Column& c) { c.data = nullptr; })},
      {"values are too short", With(NumbersWithNull,
                                    [](Column& c) {
                                      c.data = BufferOf<int32_t>({1, 2});
                                    })},
      {"not aligned", With(NumbersWithNull,
                           [](Column& c) {
                             c.data = SliceBuffer(BufferOf<int32_t>({1, 2, 3, 4}), 1, 12);
                           })},
      {"width of int32 is wrong", With(NumbersWithNull,
                                       [](Column& c) {
                                         DataType type = DataType::Of(TypeId::kInt32);
                                         type.byte_width = 2;
                                         c.type = TypeOf(type);
                                       })},
      {"width of decimal(9, 2) is wrong",
       With(NumbersWithNull, [](Column& c) { c.type = TypeOf(DataType::Decimal(9, 2, 3)); })},
      {"booleans are too short",
       [] { return Flat(DataType::Of(TypeId::kBoolean), 65, BufferOf<uint64_t>({1})); }},
      {"no views for type string",
       With(NumbersWithNull, [](Column& c) { c.type = TypeOf(DataType::Of(TypeId::kString)); })},
      {"number of children is wrong", With(NumbersWithNull,
                                           [](Column& c) {
                                             c.children.push_back(Numbers({1, 2, 3}));
                                           })},
      {"view buffers without views",
       With(NumbersWithNull, [](Column& c) { c.view_buffers.push_back(c.data); })},
      {"dictionary does not fit",
       With(NumbersWithNull,
            [](Column& c) { c.dictionary = std::make_shared<const Column>(Numbers({1})); })},
  });
}

TEST(ValidateColumn, RefusesWrongViews) {
  ExpectFaults({
      {"type that has none",
       With(TwoStrings, [](Column& c) { c.type = TypeOf(DataType::Of(TypeId::kInt32)); })},
      {"views are too short", With(TwoStrings, [](Column& c) { c.length = 3; })},
      {"a view buffer is missing",
       With(TwoStrings, [](Column& c) { c.view_buffers[0] = nullptr; })},
      {"view is negative",
       With(TwoStrings, [](Column& c) { SetViews(&c, [](auto* v) { (*v)[0].length = -1; }); })},
      {"not padded",
       With(TwoStrings, [](Column& c) { SetViews(&c, [](auto* v) { (*v)[0].inlined[11] = 1; }); })},
      {"in no buffer: row 1",
       With(TwoStrings,
            [](Column& c) { SetViews(&c, [](auto* v) { (*v)[1].outside.buffer = 1; }); })},
      {"in no buffer",
       With(TwoStrings,
            [](Column& c) { SetViews(&c, [](auto* v) { (*v)[1].outside.buffer = -1; }); })},
      {"outside its buffer",
       With(TwoStrings,
            [](Column& c) { SetViews(&c, [](auto* v) { (*v)[1].outside.offset = 6; }); })},
      {"outside its buffer",
       With(TwoStrings,
            [](Column& c) { SetViews(&c, [](auto* v) { (*v)[1].outside.offset = -1; }); })},
      {"outside its buffer",
       With(TwoStrings,
            [](Column& c) { SetViews(&c, [](auto* v) { (*v)[1].length = INT32_MAX; }); })},
      {"another prefix",
       With(TwoStrings,
            [](Column& c) { SetViews(&c, [](auto* v) { (*v)[1].outside.prefix[0] = 'x'; }); })},
  });
}

TEST(ValidateColumn, RefusesWrongDictionaries) {
  ExpectFaults({
      {"dictionary does not fit", With(Dictionary, [](Column& c) { c.dictionary = nullptr; })},
      {"codes are too short", With(Dictionary, [](Column& c) { c.length = 4; })},
      {"code is outside the dictionary: row 1, 2 of 2",
       With(Dictionary,
            [](Column& c) {
              c.data = BufferOf<int32_t>({0, 2, 0});
            })},
      {"code is outside the dictionary: row 0, -1", With(Dictionary,
                                                         [](Column& c) {
                                                           c.data = BufferOf<int32_t>({-1, 0, 0});
                                                         })},
      {"another type",
       With(Dictionary, [](Column& c) { c.type = TypeOf(DataType::Of(TypeId::kBinary)); })},
      {"dictionary has nulls",
       [] {
         return LookedUp(ColumnForm::kDictionary, NumbersWithNull(), 1, BufferOf<int32_t>({0}));
       }},
      {"itself looked up",
       [] { return LookedUp(ColumnForm::kDictionary, Constant(), 1, BufferOf<int32_t>({0})); }},
      {"dictionary: invalid column: views are too short",
       [] {
         Column values = TwoStrings();
         values.length = 3;
         return LookedUp(ColumnForm::kDictionary, values, 1, BufferOf<int32_t>({0}));
       }},
      {"a constant's length is 3",
       [] {
         return LookedUp(ColumnForm::kConstant, Numbers({1, 2, 3}), 5, nullptr);
       }},
      {"the constant makes it 0", With(Constant, [](Column& c) { c.null_count = 5; })},
      {"data of its own", With(Constant, [](Column& c) { c.data = BufferOf<int32_t>({1}); })},
      {"validity of its own", With(Constant,
                                   [](Column& c) {
                                     c.validity = Validity({true, true, true, true, true});
                                   })},
  });
}

TEST(ValidateColumn, RefusesWrongNesting) {
  ExpectFaults({
      {"no offsets", With(NullableList, [](Column& c) { c.data = nullptr; })},
      {"offsets are too short", With(NullableList,
                                     [](Column& c) {
                                       c.data = BufferOf<int32_t>({0, 2, 2});
                                     })},
      {"first offset is negative", With(NullableList,
                                        [](Column& c) {
                                          c.data = BufferOf<int32_t>({-1, 2, 2, 2});
                                        })},
      {"offsets descend: row 1, 2 to 1", With(NullableList,
                                              [](Column& c) {
                                                c.data = BufferOf<int32_t>({0, 2, 1, 2});
                                              })},
      {"shorter than the last offset: 2 of 3", With(NullableList,
                                                    [](Column& c) {
                                                      c.data = BufferOf<int32_t>({0, 2, 2, 3});
                                                    })},
      {"number of children is wrong", With(NullableList, [](Column& c) { c.children.clear(); })},
      {"another type", With(NullableList,
                            [](Column& c) {
                              c.children[0] = Strings({"a", "b"});
                            })},
      {"child 0: invalid column: values are too short",
       With(NullableList, [](Column& c) { c.children[0].data = BufferOf<int32_t>({1}); })},
      {"another length", With(Struct, [](Column& c) { c.children[1] = Strings({"x"}); })},
      {"data of its own", With(Struct, [](Column& c) { c.data = BufferOf<int32_t>({1}); })},
      {"number of children is wrong", With(Struct, [](Column& c) { c.children.pop_back(); })},
  });
}

TEST(ValidateColumn, RefusesNullsInRequiredFields) {
  ExpectFaults({
      // Row 1 of `a` is null only because the struct is.
      {"child 0: invalid column: null in a field that allows none: row 1", With(Struct,
                                                                                [](Column& c) {
                                                                                  c.validity =
                                                                                      nullptr;
                                                                                  c.null_count = 0;
                                                                                })},
      {"null in a field that allows none",
       [] {
         Column column = List(false);
         column.children[0].validity = Validity({true, false});
         column.children[0].null_count = 1;
         return column;
       }},
  });
  // An element that no list holds may be anything.
  Column column = List(false);
  column.children[0] = NumbersWithNull();
  column.data = BufferOf<int32_t>({2, 3, 3, 3});
  ExpectValid(column);
  column.data = BufferOf<int32_t>({0, 1, 2, 3});
  ExpectValid(column);
}

TEST(Column, ResolvesValues) {
  const Column dictionary = Dictionary();
  const ValueRef second = ResolveValue(dictionary, 1);
  EXPECT_EQ(second.column, dictionary.dictionary.get());
  EXPECT_EQ(second.column->Bytes(second.row), "a string of some length");
  EXPECT_EQ(ResolveValue(dictionary, 2).row, 0);
  const Column constant = Constant();
  EXPECT_EQ(ResolveValue(constant, 4).column->values<int32_t>()[ResolveValue(constant, 4).row], 42);
  const Column numbers = NumbersWithNull();
  EXPECT_EQ(ResolveValue(numbers, 2).column, &numbers);
  EXPECT_EQ(ResolveValue(numbers, 2).row, 2);
}

TEST(Column, KnowsItsNulls) {
  const Column numbers = NumbersWithNull();
  EXPECT_FALSE(numbers.IsNull(0));
  EXPECT_TRUE(numbers.IsNull(1));
  EXPECT_TRUE(Nulls(3).IsNull(2));
  EXPECT_FALSE(Constant().IsNull(3));
}

}  // namespace
}  // namespace sluice
