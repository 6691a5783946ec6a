// Logical types and conversions: faults T1 to T7. T5 and T8 are about filters.

#include <gtest/gtest.h>

#include "tests/support/file_builder.h"
#include "tests/support/file_reading.h"
#include "tests/support/page_bytes.h"

namespace sluice::support {
namespace {

std::string File(const ElementSpec& column, int64_t num_rows, std::vector<PageSpec> pages) {
  return BuildFile(OneRowGroup({column}, num_rows, {Chunk(std::move(pages))})).bytes;
}

ElementSpec Decimal(PhysicalType type, int32_t precision, int32_t scale, int32_t type_length = 0) {
  ElementSpec column = Required("x", type);
  column.logical_type = LogicalDecimal(precision, scale);
  if (type_length > 0) column.type_length = type_length;
  return column;
}

TEST(TypeFaults, T1Int96OutsideOf64BitNanoseconds) {
  const std::string values = PlainInt96(86'399'999'999'900, 5'373'484) + PlainInt96(0, 1'721'426) +
                             PlainInt96(-1, 2'440'588) + PlainInt96(86'400'000'000'000, 2'440'588) +
                             PlainInt96(0, INT32_MIN) + PlainInt96(INT64_MAX, INT32_MAX);
  ExpectRows(File(Required("x", PhysicalType::kInt96), 6, {DataPage(Encoding::kPlain, 6, values)}),
             {"[\"9999-12-31T23:59:59.999999900\"]", "[\"0001-01-01T00:00:00.000000000\"]",
              "[\"1969-12-31T23:59:59.999999999\"]", "[\"1970-01-02T00:00:00.000000000\"]",
              "[\"-5884323-05-15T00:00:00.000000000\"]", "[\"5875190-09-12T23:47:16.854775807\"]"});
}

TEST(TypeFaults, T2UnsignedIntegers) {
  const std::string values = PlainInt32({3'000'000'000, 0, 4'294'967'295});
  ElementSpec column = Required("x", PhysicalType::kInt32);
  column.converted_type = kConvertedUint32;
  const std::vector<std::string> expected = {"[3000000000]", "[0]", "[4294967295]"};
  ExpectRows(File(column, 3, {DataPage(Encoding::kPlain, 3, values)}), expected);
  column.converted_type.reset();
  column.logical_type = LogicalInteger(32, false);
  ExpectRows(File(column, 3,
                  {DictionaryPage(3, values),
                   DataPage(Encoding::kRleDictionary, 3,
                            DictionaryIndices(2, std::vector<uint64_t>{0, 1, 2}))}),
             expected);
  column.type = PhysicalType::kInt64;
  column.logical_type = LogicalInteger(64, false);
  ExpectRows(File(column, 1, {DataPage(Encoding::kPlain, 1, PlainInt64({-1}))}),
             {"[\"18446744073709551615\"]"});
}

/// -1.00 and 1.00 as 16 bytes.
std::string MinusAndPlusOne() {
  return std::string(15, '\xff') + std::string(1, '\x9c') + std::string(15, '\0') + "\x64";
}

TEST(TypeFaults, T3NegativeDecimalsInSixteenBytes) {
  for (const int32_t precision : {9, 18, 38}) {
    SCOPED_TRACE(precision);
    const auto column = Decimal(PhysicalType::kFixedLenByteArray, precision, 2, 16);
    ExpectRows(File(column, 2, {DataPage(Encoding::kPlain, 2, MinusAndPlusOne())}),
               {"[\"-1.00\"]", "[\"1.00\"]"});
  }
  // Bytes that a 64-bit decimal drops, and which are not sign.
  const auto column = Decimal(PhysicalType::kFixedLenByteArray, 18, 2, 16);
  for (const std::string& value :
       {BigEndian(1, 8) + BigEndian(0, 8), BigEndian(0, 8) + BigEndian(uint64_t{1} << 63, 8),
        BigEndian(~uint64_t{0}, 8) + BigEndian(1, 8)}) {
    ExpectError(File(column, 1, {DataPage(Encoding::kPlain, 1, value)}), StatusCode::kCorruption,
                {"row group 0", "x"});
  }
}

TEST(TypeFaults, T3DecimalsOfEveryLength) {
  for (int32_t length = 1; length <= 32; ++length) {
    SCOPED_TRACE(length);
    std::string values = std::string(static_cast<size_t>(length), '\xff') +
                         std::string(static_cast<size_t>(length - 1), '\0') + "\x63";
    ExpectRows(File(Decimal(PhysicalType::kFixedLenByteArray, 2, 1, length), 2,
                    {DataPage(Encoding::kPlain, 2, values)}),
               {"[\"-0.1\"]", "[\"9.9\"]"}, 1);
    const std::vector<std::string> strings = {values.substr(0, static_cast<size_t>(length)),
                                              values.substr(static_cast<size_t>(length)), ""};
    ExpectRows(File(Decimal(PhysicalType::kByteArray, 2, 1), 3,
                    {DataPage(Encoding::kPlain, 3, PlainByteArray(strings))}),
               {"[\"-0.1\"]", "[\"9.9\"]", "[\"0.0\"]"}, 1);
  }
}

TEST(TypeFaults, T4DictionaryWiderThanTheDecimal) {
  const auto indices =
      DataPage(Encoding::kRleDictionary, 3, DictionaryIndices(1, std::vector<uint64_t>{0, 1, 0}));
  const std::vector<std::string> expected = {"[\"-1.00\"]", "[\"1.00\"]", "[\"-1.00\"]"};
  ExpectRows(File(Decimal(PhysicalType::kInt64, 9, 2), 3,
                  {DictionaryPage(2, PlainInt64({-100, 100})), indices}),
             expected);
  ExpectRows(File(Decimal(PhysicalType::kFixedLenByteArray, 10, 2, 16), 3,
                  {DictionaryPage(2, MinusAndPlusOne()), indices}),
             expected);
  // What is stored wider than the precision needs is delivered as it is.
  ExpectRows(File(Decimal(PhysicalType::kInt64, 9, 2), 3,
                  {DictionaryPage(2, PlainInt64({-100, INT64_MAX})), indices}),
             {"[\"-1.00\"]", "[\"92233720368547758.07\"]", "[\"-1.00\"]"});
}

TEST(TypeFaults, T4PrecisionThatTheWidthCannotHold) {
  // Not a legal annotation: the physical value is shown.
  ExpectRows(File(Decimal(PhysicalType::kInt32, 18, 2), 1,
                  {DataPage(Encoding::kPlain, 1, PlainInt32({-100}))}),
             {"[-100]"});
  ExpectRows(File(Decimal(PhysicalType::kFixedLenByteArray, 10, 2, 4), 1,
                  {DataPage(Encoding::kPlain, 1, BigEndian(100, 4))}),
             {"[{\"hex\":\"00000064\"}]"});
}

TEST(TypeFaults, T7DatesAreProlepticGregorian) {
  ElementSpec column = Required("x", PhysicalType::kInt32);
  column.converted_type = kConvertedDate;
  FileSpec file = OneRowGroup(
      {column}, 4,
      {Chunk({DataPage(Encoding::kPlain, 4, PlainInt32({-719'164, -719'528, 0, INT32_MIN}))})});
  const std::vector<std::string> expected = {"[\"0000-12-30\"]", "[\"0000-01-01\"]",
                                             "[\"1970-01-01\"]", "[\"-5877641-06-23\"]"};
  ExpectRows(BuildFile(file).bytes, expected);
}

TEST(TypeFaults, T7DatesOfTheHybridCalendarAreRefusedByTheirMark) {
  ElementSpec column = Required("x", PhysicalType::kInt32);
  column.converted_type = kConvertedDate;
  const auto dates = [&](const std::vector<int64_t>& days) {
    FileSpec file = OneRowGroup(
        {column}, static_cast<int64_t>(days.size()),
        {Chunk({DataPage(Encoding::kPlain, static_cast<int64_t>(days.size()), PlainInt32(days))})});
    file.key_values = {{"org.apache.spark.legacyDateTime", ""}};
    return BuildFile(file).bytes;
  };
  ExpectError(dates({0, -719'164}), StatusCode::kUnsupported);
  // From 1582-10-15 on both calendars agree.
  ExpectRows(dates({-141'427, 0}), {"[\"1582-10-15\"]", "[\"1970-01-01\"]"});
}

TEST(TypeFaults, T7TimestampsOfTheHybridCalendarAreRefusedByTheirMark) {
  ElementSpec column = Required("x", PhysicalType::kInt64);
  column.logical_type = LogicalTime(LogicalKind::kTimestamp, TimeUnit::kMilliseconds, false);
  const auto timestamps = [&](std::vector<ElementSpec> schema, std::string values,
                              std::string mark) {
    FileSpec file =
        OneRowGroup(std::move(schema), 1, {Chunk({DataPage(Encoding::kPlain, 1, values)})});
    file.key_values = {{std::move(mark), ""}};
    return BuildFile(file).bytes;
  };
  const std::string date_mark = "org.apache.spark.legacyDateTime";
  const std::string int96_mark = "org.apache.spark.legacyINT96";
  ExpectError(timestamps({column}, PlainInt64({-2'208'988'800'001}), date_mark),
              StatusCode::kUnsupported);
  ExpectRows(timestamps({column}, PlainInt64({-2'208'988'800'000}), date_mark),
             {"[\"1900-01-01T00:00:00.000\"]"});
  const ElementSpec int96 = Required("x", PhysicalType::kInt96);
  ExpectError(timestamps({int96}, PlainInt96(0, 2'415'020), int96_mark), StatusCode::kUnsupported);
  ExpectRows(timestamps({int96}, PlainInt96(0, 2'415'021), int96_mark),
             {"[\"1900-01-01T00:00:00.000000000\"]"});
  ExpectRows(timestamps({int96}, PlainInt96(0, 2'415'020), date_mark),
             {"[\"1899-12-31T00:00:00.000000000\"]"});
}

TEST(TypeFaults, AnnotationsThatDoNotFitTheirType) {
  // The physical value is shown.
  ElementSpec column = Required("x", PhysicalType::kInt64);
  column.converted_type = kConvertedDate;
  ExpectRows(File(column, 1, {DataPage(Encoding::kPlain, 1, PlainInt64({5}))}), {"[5]"});
  column.converted_type = 99;
  ExpectRows(File(column, 1, {DataPage(Encoding::kPlain, 1, PlainInt64({5}))}), {"[5]"});
  column = Required("x", PhysicalType::kDouble);
  column.logical_type = LogicalTime(LogicalKind::kTimestamp, TimeUnit::kNanoseconds, true);
  ExpectRows(File(column, 1, {DataPage(Encoding::kPlain, 1, PlainDouble({0.5}))}), {"[0.5]"});
  column = Required("x", PhysicalType::kInt32);
  column.logical_type = Logical(static_cast<LogicalKind>(60));
  ExpectRows(File(column, 1, {DataPage(Encoding::kPlain, 1, PlainInt32({5}))}), {"[5]"});
}

TEST(TypeFaults, FixedLengthsThatCannotBe) {
  for (const int32_t length : {-1, INT32_MIN}) {
    ElementSpec column = Required("x", PhysicalType::kFixedLenByteArray);
    column.type_length = length;
    ExpectError(File(column, 1, {DataPage(Encoding::kPlain, 1, "abcd")}), StatusCode::kCorruption,
                {"x"});
  }
  ElementSpec column = Required("x", PhysicalType::kFixedLenByteArray);
  column.type_length = INT32_MAX;
  ExpectError(File(column, 1, {DataPage(Encoding::kPlain, 1, "abcd")}), StatusCode::kCorruption,
              {"x", "page 0"});
}

}  // namespace
}  // namespace sluice::support
