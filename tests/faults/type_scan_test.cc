// Logical types under predicates: faults T1 to T8.

#include <gtest/gtest.h>

#include "tests/faults/claiming_files.h"
#include "tests/support/scanning.h"

namespace sluice::support {
namespace {

std::string OneColumn(const ElementSpec& element, int64_t num_rows, std::vector<PageSpec> pages) {
  return BuildFile(OneRowGroup({element}, num_rows, {Chunk(std::move(pages))})).bytes;
}

/// -1.00 and 1.00 as 16 bytes.
std::string MinusAndPlusOne() {
  return std::string(15, '\xff') + std::string(1, '\x9c') + std::string(15, '\0') + "\x64";
}

TEST(TypeScan, T1Int96OutsideOf64BitNanoseconds) {
  const std::string values = PlainInt96(86'399'999'999'900, 5'373'484) + PlainInt96(0, 1'721'426) +
                             PlainInt96(-1, 2'440'588) + PlainInt96(86'400'000'000'000, 2'440'588);
  const std::string file =
      OneColumn(Required("x", PhysicalType::kInt96), 4, {DataPage(Encoding::kPlain, 4, values)});
  ExpectScan(file, {"x > TIMESTAMP '9999-01-01 00:00:00'"}, {0});
  ExpectScan(file, {"x = '9999-12-31 23:59:59.9999999'"}, {0});
  ExpectScan(file, {"x < TIMESTAMP '0001-01-02 00:00:00'"}, {1});
  ExpectScan(file, {"x = TIMESTAMP '0001-01-01 00:00:00'"}, {1});
  // The nanosecond before and the day after the epoch, in odd forms.
  ExpectScan(file, {"x BETWEEN TIMESTAMP '1969-12-31 23:59:59.999999999' AND DATE '1970-01-02'"},
             {2, 3});
  ExpectScan(file, {"x = DATE '1970-01-02'"}, {3});
}

TEST(TypeScan, T2UnsignedIntegers) {
  ElementSpec element = Required("x", PhysicalType::kInt32);
  element.converted_type = kConvertedUint32;
  const std::string values = PlainInt32({3'000'000'000, 0, 4'294'967'295});
  for (const auto& pages :
       {std::vector{DataPage(Encoding::kPlain, 3, values)},
        std::vector{DictionaryPage(3, values),
                    DataPage(Encoding::kRleDictionary, 3,
                             DictionaryIndices(2, std::vector<uint64_t>{0, 1, 2}))}}) {
    const std::string file = OneColumn(element, 3, pages);
    ExpectScan(file, {"x = 3000000000"}, {0});
    ExpectScan(file, {"x > 2147483647"}, {0, 2});
    ExpectScan(file, {"x < 1"}, {1});
    ExpectScan(file, {"x IN (4294967295, -1)"}, {2});
    ExpectScan(file, {"x - 1 > 4294967293 AND x > 0"}, {2});
    ExpectScanError(file, {"x + 1 > 7"}, StatusCode::kRowError, {"row 2", "uint32"});
  }
}

TEST(TypeScan, T3T4DecimalsStoredWiderThanTheyAre) {
  ElementSpec fixed = Required("x", PhysicalType::kFixedLenByteArray);
  fixed.type_length = 16;
  ElementSpec stored = Required("x", PhysicalType::kInt64);
  stored.logical_type = LogicalDecimal(9, 2);
  const PageSpec indices =
      DataPage(Encoding::kRleDictionary, 3, DictionaryIndices(1, std::vector<uint64_t>{0, 1, 0}));
  std::vector<std::string> files = {
      OneColumn(stored, 3, {DictionaryPage(2, PlainInt64({-100, 100})), indices})};
  for (const int32_t precision : {10, 18, 38}) {
    fixed.logical_type = LogicalDecimal(precision, 2);
    files.push_back(OneColumn(fixed, 3, {DictionaryPage(2, MinusAndPlusOne()), indices}));
    files.push_back(OneColumn(
        fixed, 3,
        {DataPage(Encoding::kPlain, 3, MinusAndPlusOne() + MinusAndPlusOne().substr(0, 16))}));
  }
  for (const std::string& file : files) {
    ExpectScan(file, {"x = -1"}, {0, 2});
    ExpectScan(file, {"x < 0"}, {0, 2});
    ExpectScan(file, {"x > -1.00"}, {1});
    ExpectScan(file, {"x = 1.005"}, {});
    ExpectScan(file, {"x IN (1.00, 7)"}, {1});
    ExpectScan(file, {"x + 1 = 2"}, {1});
  }
  // A number with more digits than the annotation allows.
  const std::string large =
      OneColumn(stored, 2, {DataPage(Encoding::kPlain, 2, PlainInt64({-100, INT64_MAX}))});
  ExpectScan(large, {"x > 9999999.99"}, {1});
  ExpectScan(large, {"x < 0"}, {0});
}

TEST(TypeScan, T5InstantsAndNaiveTimestampsDoNotMeet) {
  ElementSpec instants = Required("i", PhysicalType::kInt64);
  instants.logical_type = LogicalTime(LogicalKind::kTimestamp, TimeUnit::kMicroseconds, true);
  ElementSpec naive = Required("n", PhysicalType::kInt64);
  naive.logical_type = LogicalTime(LogicalKind::kTimestamp, TimeUnit::kMicroseconds, false);
  // 2024-01-01T00:00:00 and 01:00:00.
  const std::string values = PlainInt64({1'704'067'200'000'000, 1'704'070'800'000'000});
  const ChunkSpec chunk = Chunk({DataPage(Encoding::kPlain, 2, values)});
  const std::string file = BuildFile(OneRowGroup({instants, naive}, 2, {chunk, chunk})).bytes;
  ExpectScan(file, {"i = TIMESTAMPTZ '2024-01-01 00:00:00Z'"}, {0});
  ExpectScan(file, {"i = TIMESTAMPTZ '2024-01-01 01:00:00+01:00'"}, {0});
  ExpectScan(file, {"i = '2024-01-01 02:00:00+01:00'"}, {1});
  ExpectScan(file, {"i >= '2024-01-01 01:00:00'"}, {1});
  ScanQuestion paris{"i >= '2024-01-01 01:00:00'"};
  paris.zone_offset = 3600;
  ExpectScan(file, paris, {0, 1});
  ExpectScan(file, {"n = TIMESTAMP '2024-01-01 01:00:00'"}, {1});
  paris.where = "n = '2024-01-01 01:00:00'";
  ExpectScan(file, paris, {1});
  for (const std::string where :
       {"i = TIMESTAMP '2024-01-01 00:00:00'", "n = TIMESTAMPTZ '2024-01-01 00:00:00Z'", "i = n",
        "i > DATE '2024-01-01'", "n = '2024-01-01 00:00:00+01:00'"}) {
    ExpectScanError(file, {where}, StatusCode::kInvalidArgument);
  }
}

TEST(TypeScan, T7DatesOfTheHybridCalendarAreNotShifted) {
  ElementSpec element = Required("x", PhysicalType::kInt32);
  element.converted_type = kConvertedDate;
  const auto dates = [&](const std::vector<int64_t>& days, const std::optional<Claims>& claims) {
    FileSpec file =
        ClaimingFile(element, std::ssize(days),
                     {DataPage(Encoding::kPlain, std::ssize(days), PlainInt32(days))}, claims);
    file.key_values = {{"org.apache.spark.legacyDateTime", ""}};
    return BuildFile(file).bytes;
  };
  // Of the hybrid calendar -719164 is another day, which neither rows nor bounds may be taken for.
  const Claims claims{.min_value = PlainInt32({-719'164}), .max_value = PlainInt32({-719'164})};
  for (const std::optional<Claims>& claimed : {std::optional<Claims>(), std::optional(claims)}) {
    for (const std::string where :
         {"x = DATE '1001-01-01'", "x < DATE '0001-01-01'", "x > '1582-10-15'"}) {
      ExpectScanError(dates({-719'164}, claimed), {where}, StatusCode::kUnsupported, {"x"});
    }
  }
  ExpectScan(dates({-141'427, 0}, std::nullopt), {"x <= DATE '1582-10-15'"}, {0});
}

// Bounds are of the order of the file's type, whatever the predicate makes of the column.
TEST(TypeScan, T8CastsThatReorder) {
  const std::string file =
      BuildFile(Strings({"9", "10"}, Claims{.min_value = "10", .max_value = "9", .null_count = 0}))
          .bytes;
  ExpectScan(file, {"CAST(x AS INTEGER) > 9"}, {1});
  ExpectScan(file, {"CAST(x AS INTEGER) < 10"}, {0});
  ExpectScan(file, {"x > '9'"}, {});
  ExpectScan(file, {"x < '9'"}, {1});
  const FileSpec numbers = ClaimingFile(
      Required("x", PhysicalType::kInt32), 2, {DataPage(Encoding::kPlain, 2, PlainInt32({9, 10}))},
      Claims{.min_value = PlainInt32({9}), .max_value = PlainInt32({10}), .null_count = 0});
  // contract S-12
  ExpectScan(BuildFile(numbers).bytes, {"CAST(x AS VARCHAR) < '9'"}, {1});
  ExpectScan(BuildFile(numbers).bytes, {"CAST(x AS VARCHAR) = '9'"}, {0});
}

}  // namespace
}  // namespace sluice::support
