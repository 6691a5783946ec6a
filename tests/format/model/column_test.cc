#include <gtest/gtest.h>
#include <sluice/column.h>

#include "tests/format/model/valid_columns.h"

namespace sluice {
namespace {

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
