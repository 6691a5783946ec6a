#include <gtest/gtest.h>
#include <sluice/column.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "tests/format/model/valid_columns.h"

namespace sluice {
namespace {

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

}  // namespace
}  // namespace sluice
