#include "format/model/widen_column.h"

#include <gtest/gtest.h>
#include <sluice/value.h>

#include <optional>
#include <random>

#include "format/model/widen.h"
#include "tests/format/model/widenings.h"

namespace sluice {
namespace {

using Values = std::vector<std::optional<std::string>>;

std::shared_ptr<const DataType> Shared(DataType type) {
  return std::make_shared<const DataType>(std::move(type));
}

Values RandomValues(const DataType& type, int64_t count, std::mt19937& random) {
  Values values;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(random() % 5 == 0 ? std::nullopt : std::optional(AnyValue(type, random)));
  }
  return values;
}

BufferRef Codes(const std::vector<int32_t>& codes) {
  BufferRef buffer =
      BufferPool::Make()->Allocate(static_cast<int64_t>(codes.size() * sizeof(int32_t))).value();
  std::copy(codes.begin(), codes.end(), buffer->mutable_as<int32_t>());
  return buffer;
}

/// The values in reverse as a dictionary, with codes back to them; that of a null row is no code.
Column AsDictionary(const DataType& type, const Values& values) {
  Column column = ColumnOf(type, values);
  Values entries;
  std::vector<int32_t> codes;
  for (const std::optional<std::string>& value : values) {
    codes.push_back(value ? static_cast<int32_t>(entries.size()) : -7);
    if (value) entries.push_back(value);
  }
  std::reverse(entries.begin(), entries.end());
  for (int32_t& code : codes) {
    if (code >= 0) code = static_cast<int32_t>(entries.size()) - 1 - code;
  }
  column.form = ColumnForm::kDictionary;
  column.data = Codes(codes);
  column.view_buffers.clear();
  column.dictionary = std::make_shared<const Column>(ColumnOf(type, entries));
  return column;
}

Column AsConstant(const DataType& type, const std::optional<std::string>& value, int64_t length) {
  Column column;
  column.type = Shared(type);
  column.form = ColumnForm::kConstant;
  column.length = length;
  column.null_count = value ? 0 : length;
  column.dictionary = std::make_shared<const Column>(ColumnOf(type, {&value, 1}));
  return column;
}

/// Row by row what WidenValue says of `values`.
void ExpectWidened(const Column& column, const Values& values, const DataType& to) {
  const auto pool = BufferPool::Make();
  const auto widened = WidenColumn(column, Shared(to), *pool, nullptr);
  ASSERT_TRUE(widened) << widened.status().ToString();
  const Column& wide = widened->column;
  EXPECT_EQ(wide.form, column.form);
  EXPECT_EQ(*wide.type, to);
  const Status valid = ValidateColumn(wide);
  ASSERT_TRUE(valid.ok()) << valid.ToString();
  ASSERT_EQ(wide.length, static_cast<int64_t>(values.size()));
  bool has_misfit = false;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    const bool is_misfit = !widened->misfits.empty() && GetBit(widened->misfits.data(), row);
    ASSERT_EQ(wide.IsNull(row), !values[i].has_value()) << row;
    if (!values[i]) {
      ASSERT_FALSE(is_misfit) << row;
      continue;
    }
    const auto expected = WidenValue(*column.type, *values[i], to);
    ASSERT_EQ(is_misfit, !expected.has_value()) << row;
    has_misfit |= is_misfit;
    if (!expected) continue;
    ASSERT_EQ(ValueAt(wide, row), (Value{to, *expected})) << row;
  }
  EXPECT_EQ(widened->misfits.empty(), !has_misfit);
}

// faults T2, T3, T4, V7
TEST(WidenColumn, AgreesWithValuesOneByOne) {
  std::mt19937 random(1);
  int pairs = 0;
  for (const DataType& from : WidenedTypes()) {
    for (const DataType& to : WidenedTypes()) {
      if (!CanWiden(from, to)) continue;
      ++pairs;
      for (const int64_t count : {0, 1, 64, 200}) {
        SCOPED_TRACE(from.ToString() + " to " + to.ToString() + ", " + std::to_string(count));
        const Values values = RandomValues(from, count, random);
        ExpectWidened(ColumnOf(from, values), values, to);
        ExpectWidened(AsDictionary(from, values), values, to);
      }
      for (const std::optional<std::string>& value : RandomValues(from, 10, random)) {
        ExpectWidened(AsConstant(from, value, 70), Values(70, value), to);
      }
      ExpectWidened(AsConstant(from, AnyValue(from, random), 0), {}, to);
    }
  }
  EXPECT_GT(pairs, 150);
}

TEST(WidenColumn, SharesBytesThatStay) {
  const auto pool = BufferPool::Make();
  const auto expect_shared = [&](const DataType& from, const DataType& to) {
    std::mt19937 random(2);
    const Column column = ColumnOf(from, RandomValues(from, 50, random));
    const auto widened = WidenColumn(column, Shared(to), *pool, nullptr);
    ASSERT_TRUE(widened);
    EXPECT_EQ(widened->column.data, column.data) << to.ToString();
    EXPECT_EQ(widened->column.validity, column.validity);
    EXPECT_EQ(widened->column.view_buffers, column.view_buffers);
  };
  expect_shared(DataType::Of(TypeId::kInt32), DataType::Of(TypeId::kInt32));
  expect_shared(DataType::Of(TypeId::kString), DataType::Of(TypeId::kBinary));
  expect_shared(DataType::Decimal(5, 2, 4), DataType::Decimal(9, 2, 4));
  expect_shared(DataType::Of(TypeId::kInt64), DataType::Decimal(19, 0, 8));
  EXPECT_EQ(pool->bytes_in_use(), 0);
  EXPECT_EQ(pool->peak_bytes(), 0);
}

TEST(WidenColumn, WidensADictionaryOnce) {
  const auto pool = BufferPool::Make();
  const DataType from = DataType::Of(TypeId::kInt32);
  const auto to = Shared(DataType::Of(TypeId::kInt64));
  std::mt19937 random(3);
  const Column first = AsDictionary(from, RandomValues(from, 90, random));
  const Column other = AsDictionary(from, RandomValues(from, 90, random));
  WidenedDictionary kept;
  const auto dictionary = [&](const Column& column, const std::shared_ptr<const DataType>& type) {
    const auto widened = WidenColumn(column, type, *pool, &kept);
    EXPECT_TRUE(widened);
    EXPECT_EQ(widened->column.data, column.data);
    return widened->column.dictionary;
  };
  const auto widened = dictionary(first, to);
  EXPECT_EQ(dictionary(first, to), widened);
  EXPECT_NE(dictionary(other, to), widened);
  EXPECT_NE(dictionary(first, to), widened);
  EXPECT_EQ(*dictionary(first, Shared(DataType::Of(TypeId::kDouble)))->type,
            DataType::Of(TypeId::kDouble));
}

// An entry that no row has is no row's error.
TEST(WidenColumn, EntriesWithoutCounterpartMatterToTheirRowsOnly) {
  const auto pool = BufferPool::Make();
  const DataType date = DataType::Of(TypeId::kDate);
  const auto nanos = Shared(DataType::Timestamp(TimeUnit::kNanoseconds, false));
  const Values values = {Value::Of<int32_t>(date, 5).bytes, Value::Of<int32_t>(date, 110'000).bytes,
                         std::nullopt, Value::Of<int32_t>(date, 6).bytes};
  Column column = AsDictionary(date, values);
  WidenedDictionary kept;
  const auto misfits = [&] {
    const auto widened = WidenColumn(column, nanos, *pool, &kept);
    EXPECT_TRUE(widened);
    return widened->misfits;
  };
  EXPECT_EQ(misfits(), std::vector<uint64_t>{2});
  EXPECT_EQ(misfits(), std::vector<uint64_t>{2});  // The kept dictionary knows them too.
  column.data = Codes({0, 2, 1, 2});
  EXPECT_EQ(misfits(), std::vector<uint64_t>());
  const Status error = MisfitError(ColumnOf(date, values), 1, *nanos);
  EXPECT_EQ(error.ToString(),
            "row error: \"2271-03-04\" is no value of timestamp(ns), which date is read as");
}

// What stands behind a null is no value.
TEST(WidenColumn, NullRowsHaveNoMisfits) {
  const auto pool = BufferPool::Make();
  const DataType millis = DataType::Timestamp(TimeUnit::kMilliseconds, true);
  Column column = ColumnOf(
      millis, Values{Value::Of<int64_t>(millis, 7).bytes, Value::Of(millis, INT64_MAX).bytes});
  column.null_count = 1;
  const Column validity = ColumnOf(DataType::Of(TypeId::kInt8), Values{"\1", std::nullopt});
  column.validity = validity.validity;
  const auto to = Shared(DataType::Timestamp(TimeUnit::kMicroseconds, true));
  const auto widened = WidenColumn(column, to, *pool, nullptr);
  ASSERT_TRUE(widened);
  EXPECT_TRUE(widened->misfits.empty());
  EXPECT_EQ(ValueAt(widened->column, 0), Value::Of<int64_t>(*to, 7000));
}

TEST(WidenColumn, Errors) {
  const auto pool = BufferPool::Make(1000);
  const Column column = ColumnOf(DataType::Of(TypeId::kInt64), Values(10, std::string(8, '\1')));
  EXPECT_EQ(
      WidenColumn(column, Shared(DataType::Of(TypeId::kInt32)), *pool, nullptr).status().code(),
      StatusCode::kInternal);
  const Column large = ColumnOf(DataType::Of(TypeId::kInt32), Values(200, std::string(4, '\1')));
  EXPECT_EQ(
      WidenColumn(large, Shared(DataType::Of(TypeId::kInt64)), *pool, nullptr).status().code(),
      StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace sluice
