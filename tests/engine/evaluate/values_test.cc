// Values of expressions without columns, each evaluated by the kernels and once more as a constant.
// Where nothing else is said they are what DuckDB 2.0.1 gives.

#include "tests/engine/evaluate/evaluate_testing.h"

namespace sluice {
namespace {

using support::ValueOf;
using Cases = std::vector<std::pair<const char*, const char*>>;

void ExpectValues(const Cases& cases) {
  engine::BindOptions unfolded;
  unfolded.simplify = false;
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(ValueOf(text, unfolded), expected) << text;
    EXPECT_EQ(ValueOf(text), expected) << text;
  }
}

TEST(Values, OfArithmetic) {
  ExpectValues({
      {"1 + 1", "2"},
      {"2147483647 + 1", "ERROR: line 1, column 12: 2147483647 + 1 is out of range of int32"},
      {"CAST(127 AS TINYINT) + 1", "ERROR: line 1, column 22: 127 + 1 is out of range of int8"},
      {"CAST(1 AS UINTEGER) - CAST(2 AS UINTEGER)",
       "ERROR: line 1, column 21: 1 - 2 is out of range of uint32"},
      {"9223372036854775807 * 2",
       "ERROR: line 1, column 21: 9223372036854775807 * 2 is out of range of int64"},
      {"-7 % 3", "-1"},
      {"7 % -3", "1"},
      {"CAST(-9223372036854775808 AS BIGINT) % -1", "0"},
      {"7 % 0", "ERROR: line 1, column 3: division by zero: 7 % 0"},
      {"1 / 4", "0.25"},
      // Division by zero is an error here, also of floating-point numbers.
      {"1 / 0", "ERROR: line 1, column 3: division by zero: 1.0 / 0.0"},
      {"1e0 / 0e0", "ERROR: line 1, column 5: division by zero: 1.0 / 0.0"},
      {"5.5e0 % 0", "ERROR: line 1, column 7: division by zero: 5.5 % 0.0"},
      {"5.5e0 % 2", "1.5"},
      {"1e308 * 10", "\"Infinity\""},
      {"1e308 / 0.1", "\"Infinity\""},
      {"0.1 + 0.2", "\"0.3\""},
      {"CAST(1 AS DECIMAL(10, 2)) + 1.5", "\"2.50\""},
      {"1.25 * 1.5", "\"1.875\""},
      {"-5.5 % 2", "\"-1.5\""},
      {"5.5 % 0", "ERROR: line 1, column 5: division by zero: 5.5 % 0.0"},
      {"CAST('99999999999999999999999999999999999999' AS DECIMAL(38, 0)) + 1",
       "ERROR: line 1, column 66: 99999999999999999999999999999999999999 + 1 is out of range of "
       "decimal(38, 0)"},
      {"18446744073709551615 + 1", "\"18446744073709551616\""},
      {"-(5)", "-5"},
      {"-CAST(-128 AS TINYINT)", "ERROR: line 1, column 1: -(-128) is out of range of int8"},
      {"-CAST(1 AS UTINYINT)", "ERROR: line 1, column 1: -(1) is out of range of uint8"},
      {"-(0e0)", "\"-0.0\""},
      {"abs(-5)", "5"},
      {"abs(-5.25)", "\"5.25\""},
      {"abs(-0e0)", "0"},
      {"abs(CAST(-128 AS TINYINT))", "ERROR: line 1, column 1: abs(-128) is out of range of int8"},
      {"CAST(1 AS FLOAT) / 3", "0.33333334"},
      {"1 + NULL", "null"},
      {"1 / 0 + NULL", "ERROR: line 1, column 3: division by zero: 1.0 / 0.0"},
      {"NULL % 0", "null"},
  });
}

TEST(Values, OfTimes) {
  ExpectValues({
      {"DATE '2020-01-31' + 1", "\"2020-02-01\""},
      {"DATE '2020-01-31' - 31", "\"2019-12-31\""},
      {"DATE '2020-01-31' - DATE '2020-01-01'", "30"},
      {"DATE '5881580-07-11' + 1",
       "ERROR: line 1, column 22: 5881580-07-11 + 1 is out of range of date"},
      {"DATE '2020-01-31' + INTERVAL '1 month'", "\"2020-02-29T00:00:00.000000\""},
      {"DATE '2020-01-31' - INTERVAL '1 month'", "\"2019-12-31T00:00:00.000000\""},
      {"DATE '2020-01-31' + INTERVAL '1 day' - INTERVAL '2 hours'",
       "\"2020-01-31T22:00:00.000000\""},
      {"TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '1 month -1 day 00:00:00.000001'",
       "\"2020-01-31T00:00:00.000001\""},
      {"TIMESTAMP '2020-01-01 00:00:00.000000001' - INTERVAL '1 us'",
       "\"2019-12-31T23:59:59.999999001\""},
      {"TIMESTAMPTZ '2020-01-31 00:00:00Z' + INTERVAL 1 MONTH", "\"2020-02-29T00:00:00.000000Z\""},
      {"DATE '290000-01-01' + INTERVAL '10 millennia'",
       "ERROR: line 1, column 21: 290000-01-01 00:00:00 + '120000 months 0 days 00:00:00' is out "
       "of "
       "range of timestamp(us)"},
      {"DATE '2020-01-01' + -INTERVAL '1 day'", "\"2019-12-31T00:00:00.000000\""},
      {"year(DATE '2020-03-04')", "2020"},
      {"month(TIMESTAMP '1969-12-31 23:59:59')", "12"},
      {"day(TIMESTAMPTZ '2020-03-04 23:00:00-05')", "5"},
      {"year(DATE '-0044-03-15')", "-44"},
      {"date_trunc('month', DATE '2020-03-04')", "\"2020-03-01T00:00:00.000000\""},
      {"date_trunc('hour', TIMESTAMP '1969-12-31 23:59:59.5')", "\"1969-12-31T23:00:00.000000\""},
      {"date_trunc('week', DATE '2020-03-04')", "\"2020-03-02T00:00:00.000000\""},
      {"date_trunc('week', DATE '1969-12-29')", "\"1969-12-29T00:00:00.000000\""},
      {"date_trunc('quarter', DATE '2020-03-31')", "\"2020-01-01T00:00:00.000000\""},
      {"date_trunc('quarter', DATE '2020-12-31')", "\"2020-10-01T00:00:00.000000\""},
      {"date_trunc('decade', DATE '2024-03-04')", "\"2020-01-01T00:00:00.000000\""},
      {"date_trunc('century', DATE '2000-03-04')", "\"2000-01-01T00:00:00.000000\""},
      {"date_trunc('millennium', DATE '2024-03-04')", "\"2000-01-01T00:00:00.000000\""},
      {"date_trunc('milliseconds', TIMESTAMP '2020-01-01 00:00:00.123456')",
       "\"2020-01-01T00:00:00.123000\""},
      {"date_trunc('microseconds', TIMESTAMP '1960-01-01 00:00:00.123456789')",
       "\"1960-01-01T00:00:00.123456000\""},
      {"date_trunc('year', TIMESTAMP '-290308-12-22')",
       "ERROR: line 1, column 1: date_trunc of -290308-12-22 00:00:00 is out of range"},
  });
}

// What is repeated may be an error, items that match nothing are still unknown beside NULL, and the
// least number of days has an opposite.
TEST(Values, OfNullsBesideErrors) {
  EXPECT_EQ(ValueOf("CAST('x' AS INTEGER) BETWEEN NULL AND -1"),
            "ERROR: line 1, column 1: 'x' is no value of type int32");
  EXPECT_EQ(ValueOf("CAST(NULL AS TIMESTAMP_NS) IN (TIMESTAMP '9999-12-31', "
                    "CAST('x' AS TIMESTAMP))"),
            "null");
  EXPECT_EQ(ValueOf("CAST(NULL AS DATE) - -9223372036854775808"), "null");
  EXPECT_EQ(ValueOf("DATE '2024-03-01' - 1"), "\"2024-02-29\"");
}

// Strings that become branches keep the sign of zero, as casts do.
TEST(Values, OfZerosInBranches) {
  EXPECT_EQ(ValueOf("CAST(coalesce('-0.0', 1e0) AS VARCHAR)"), "\"-0.0\"");
  EXPECT_EQ(ValueOf("CAST(coalesce('-0', CAST(1 AS FLOAT)) AS VARCHAR)"), "\"-0.0\"");
}

TEST(Values, OfTimesInTheZoneOfTheScan) {
  engine::BindOptions options;
  options.zone_offset = -5 * 3600 - 1800;
  const Cases cases = {
      {"day(TIMESTAMPTZ '2020-03-04 05:00:00Z')", "3"},
      {"date_trunc('day', TIMESTAMPTZ '2020-03-04 05:00:00Z')", "\"2020-03-03T05:30:00.000000Z\""},
      {"date_trunc('hour', TIMESTAMPTZ '2020-03-04 05:00:00Z')", "\"2020-03-04T04:30:00.000000Z\""},
      {"TIMESTAMPTZ '2020-02-01 02:00:00Z' - INTERVAL '1 month'",
       "\"2020-01-01T02:00:00.000000Z\""},
      {"TIMESTAMPTZ '2020-03-01 02:00:00Z' - INTERVAL '1 month'",
       "\"2020-01-30T02:00:00.000000Z\""},
      {"CAST(TIMESTAMPTZ '2020-03-04 05:00:00Z' AS TIMESTAMP)", "\"2020-03-03T23:30:00.000000\""},
      {"CAST(TIMESTAMP '2020-03-04 05:00:00' AS TIMESTAMPTZ)", "\"2020-03-04T10:30:00.000000Z\""},
      {"CAST(DATE '2020-03-04' AS TIMESTAMPTZ)", "\"2020-03-04T05:30:00.000000Z\""},
      {"CAST(TIMESTAMPTZ '2020-03-04 05:00:00Z' AS DATE)", "\"2020-03-03\""},
      {"CAST(TIMESTAMPTZ '2020-03-04 05:00:00Z' AS VARCHAR)", "\"2020-03-03 23:30:00-05:30\""},
      {"CAST('2020-03-04 05:00:00' AS TIMESTAMPTZ)", "\"2020-03-04T10:30:00.000000Z\""},
      {"TIMESTAMPTZ '2020-03-04 05:00:00'", "\"2020-03-04T10:30:00.000000Z\""},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(ValueOf(text, options), expected) << text;
}

TEST(Values, OfText) {
  ExpectValues({
      {"length('é€')", "2"},
      {"length('')", "0"},
      {"substr('hello', -3, 2)", "\"ll\""},
      {"substr('hello', 0, 2)", "\"h\""},
      {"substr('hello', -1)", "\"o\""},
      {"substr('hello', 2)", "\"ello\""},
      {"substr('hello', -10, 7)", "\"he\""},
      {"substr('hello', 2, -1)", "\"h\""},
      {"substr('hello', 4, -2)", "\"el\""},
      {"substr('hello', -3, -2)", "\"he\""},
      {"substr('hello', 10, 2)", "\"\""},
      {"substr('hello', 0)", "\"hello\""},
      {"substr('a€b€', 2, 2)", "\"€b\""},
      {"substr('hello', 9223372036854775807, 9223372036854775807)", "\"\""},
      {"substr('hello', -9223372036854775808, 9223372036854775807)", "\"hell\""},
      {"substr('hello', 3, -9223372036854775808)", "\"he\""},
      {"lower('ÀÉİΣ𐐀')", "\"àéiσ𐐨\""},
      {"upper('àéıσςÿ𐐨')", "\"ÀÉIΣΣŸ𐐀\""},
      // DuckDB makes a capital sharp s, which is no mapping of Unicode's.
      {"upper('ß')", "\"ß\""},
      {"starts_with('abc', 'ab')", "true"},
      {"starts_with('abc', '')", "true"},
      {"starts_with('abc', 'b')", "false"},
      {"'abc' LIKE 'a_c'", "true"},
      {"'a%c' LIKE 'a\\%c'", "false"},
      {"'a\\c' LIKE 'a\\c'", "true"},
      {"'a%c' LIKE 'a!%c' ESCAPE '!'", "true"},
      {"'abc' LIKE 'a!%c' ESCAPE '!'", "false"},
      {"'é' LIKE '_'", "true"},
      {"'abc' NOT LIKE '%b%'", "false"},
      {"'abc' LIKE NULL", "null"},
      {"'abc' LIKE lower('A%')", "true"},
      {"'abc' LIKE lower('AB!') ESCAPE '!'",
       "ERROR: line 1, column 7: the pattern 'ab!' ends with its escape character"},
  });
}

TEST(Values, OfCastsToNumbers) {
  ExpectValues({
      {"CAST(1.5 AS INTEGER)", "2"},
      {"CAST(-2.5 AS INTEGER)", "-3"},
      {"CAST(2.5e0 AS INTEGER)", "2"},
      {"CAST(3.5e0 AS INTEGER)", "4"},
      {"CAST('2.5' AS INTEGER)", "3"},
      {"CAST(' 1.25e2 ' AS INTEGER)", "125"},
      {"CAST('1e-1' AS INTEGER)", "0"},
      {"CAST('' AS INTEGER)", "ERROR: line 1, column 1: '' is no value of type int32"},
      {"CAST('12abc' AS INTEGER)", "ERROR: line 1, column 1: '12abc' is no value of type int32"},
      {"CAST(300 AS TINYINT)", "ERROR: line 1, column 1: 300 is no value of type int8"},
      {"CAST(-1 AS UBIGINT)", "ERROR: line 1, column 1: -1 is no value of type uint64"},
      {"CAST(127.5e0 AS TINYINT)", "ERROR: line 1, column 1: 127.5 is no value of type int8"},
      {"CAST(-128.5e0 AS TINYINT)", "-128"},
      {"CAST(9223372036854775807e0 AS BIGINT)",
       "ERROR: line 1, column 1: 9.223372036854776e+18 is no value of type int64"},
      {"CAST(CAST('nan' AS DOUBLE) AS INTEGER)",
       "ERROR: line 1, column 1: nan is no value of type int32"},
      {"CAST('-Infinity' AS DOUBLE)", "\"-Infinity\""},
      {"CAST('1e400' AS DOUBLE)", "\"Infinity\""},
      {"CAST(1e300 AS FLOAT)", "ERROR: line 1, column 1: 1e+300 is no value of type float"},
      {"CAST(0.1e0 AS FLOAT)", "0.1"},
      {"CAST(16777217 AS FLOAT)", "16777216"},
      {"CAST(CAST(0.1 AS FLOAT) AS DOUBLE)", "0.10000000149011612"},
      {"CAST(12345678901234567.89 AS DOUBLE)", "12345678901234568"},
      {"CAST('1.005' AS DECIMAL(4, 2))", "\"1.01\""},
      {"CAST(1.005e0 AS DECIMAL(4, 2))", "\"1.00\""},
      {"CAST(-1.005 AS DECIMAL(4, 2))", "\"-1.01\""},
      {"CAST(2.5e0 AS DECIMAL(4, 0))", "\"3\""},
      {"CAST(100 AS DECIMAL(4, 2))",
       "ERROR: line 1, column 1: 100 is no value of type decimal(4, 2)"},
      {"CAST(99.995 AS DECIMAL(4, 2))",
       "ERROR: line 1, column 1: 99.995 is no value of type decimal(4, 2)"},
      {"CAST(1e40 AS DECIMAL(38, 0))",
       "ERROR: line 1, column 1: 1e+40 is no value of type decimal(38, 0)"},
      {"CAST(TRUE AS DECIMAL(4, 2))", "\"1.00\""},
      {"CAST(TRUE AS DECIMAL(2, 2))",
       "ERROR: line 1, column 1: TRUE is no value of type decimal(2, 2)"},
      {"CAST(TRUE AS DOUBLE)", "1"},
      {"CAST(2 AS BOOLEAN)", "true"},
      {"CAST(0.0 AS BOOLEAN)", "false"},
      {"CAST(0.4e0 AS BOOLEAN)", "true"},
      {"CAST('Yes' AS BOOLEAN)", "true"},
      {"CAST('2' AS BOOLEAN)", "ERROR: line 1, column 1: '2' is no value of type boolean"},
  });
}

TEST(Values, OfOtherCasts) {
  ExpectValues({
      {"CAST(1.50 AS VARCHAR)", "\"1.50\""},
      {"CAST(1e16 AS VARCHAR)", "\"1e+16\""},
      {"CAST(-0.0e0 AS VARCHAR)", "\"-0.0\""},
      {"CAST(TRUE AS VARCHAR)", "\"true\""},
      {"CAST(DATE '2020-01-01' AS VARCHAR)", "\"2020-01-01\""},
      {"CAST(TIME '10:11:12.5' AS VARCHAR)", "\"10:11:12.5\""},
      {"CAST(TIMESTAMP '2020-01-01 10:11:12.123456789' AS VARCHAR)",
       "\"2020-01-01 10:11:12.123456789\""},
      {"CAST(TIMESTAMPTZ '2020-01-01 10:11:12+02' AS VARCHAR)", "\"2020-01-01 08:11:12+00\""},
      {"CAST(X'41FF' AS VARCHAR)", "\"A\\\\xFF\""},
      {"CAST('\\xAAz' AS BLOB)", "{\"hex\":\"aa7a\"}"},
      {"CAST('é' AS BLOB)", "ERROR: line 1, column 1: 'é' is no value of type binary"},
      {"CAST(UUID '47183823-2574-4bfd-b411-99ed177d3e43' AS VARCHAR)",
       "\"47183823-2574-4bfd-b411-99ed177d3e43\""},
      {"CAST(UUID '47183823-2574-4bfd-b411-99ed177d3e43' AS BLOB)",
       "{\"hex\":\"4718382325744bfdb41199ed177d3e43\"}"},
      {"CAST('4718382325744bfdb41199ed177d3e43' AS UUID)",
       "\"47183823-2574-4bfd-b411-99ed177d3e43\""},
      {"CAST(TIMESTAMP '1969-12-31 23:00:00' AS DATE)", "\"1969-12-31\""},
      {"CAST(TIMESTAMP '1969-12-31 23:00:00' AS TIME)", "\"23:00:00.000000\""},
      // To a coarser unit: down.
      {"CAST(TIMESTAMP '1969-12-31 23:59:59.9999' AS TIMESTAMP_MS)", "\"1969-12-31T23:59:59.999\""},
      {"CAST(DATE '300000-01-01' AS TIMESTAMP)",
       "ERROR: line 1, column 1: 300000-01-01 is no value of type timestamp(us)"},
      {"CAST('2020-01-01' AS TIMESTAMP)", "\"2020-01-01T00:00:00.000000\""},
      {"CAST('2020-01-01Z' AS TIMESTAMP)",
       "ERROR: line 1, column 1: '2020-01-01Z' is no value of type timestamp(us)"},
      {"CAST('2020-01-01 01:00+01' AS TIMESTAMPTZ)", "\"2020-01-01T00:00:00.000000Z\""},
      {"CAST('10:11' AS TIME)", "\"10:11:00.000000\""},
      {"CAST('2020-02-30' AS DATE)",
       "ERROR: line 1, column 1: '2020-02-30' is no value of type date"},
      {"CAST(NULL AS DATE)", "null"},
  });
}

TEST(Values, OfBranches) {
  ExpectValues({
      {"CASE 1 WHEN 1 THEN 'a' ELSE 'b' END", "\"a\""},
      {"CASE 5 WHEN 1 THEN 'a' END", "null"},
      {"CASE WHEN NULL THEN 1 ELSE 2.5 END", "\"2.5\""},
      {"CASE WHEN TRUE THEN 1 ELSE 1 / 0 END", "1"},
      {"CASE WHEN 1 / 0 = 1 THEN 1 ELSE 2 END",
       "ERROR: line 1, column 13: division by zero: 1.0 / 0.0"},
      {"CASE WHEN TRUE THEN TRUE WHEN 1 / 0 = 1 THEN FALSE END", "true"},
      {"CASE 1 + 1 WHEN 1 THEN 'one' WHEN 2 THEN 'two' END", "\"two\""},
      {"CASE NULL WHEN NULL THEN 1 ELSE 2 END", "2"},
      {"coalesce(NULL, 1, 1 / 0)", "1"},
      {"coalesce(NULL, 1 / 0, 1)", "ERROR: line 1, column 18: division by zero: 1.0 / 0.0"},
      {"coalesce(NULL, NULL)", "null"},
      {"coalesce(NULL, FALSE)", "false"},
      {"1 IN (1, NULL)", "true"},
      {"2 IN (1, NULL)", "null"},
      {"NULL IN (1)", "null"},
      {"2 NOT IN (1, NULL)", "null"},
      {"1 BETWEEN 0 AND NULL", "null"},
      {"2 BETWEEN 3 AND NULL", "false"},
      {"1 IS DISTINCT FROM NULL", "true"},
      {"NULL IS NOT DISTINCT FROM NULL", "true"},
      {"1 / 0 IS NULL", "ERROR: line 1, column 3: division by zero: 1.0 / 0.0"},
      {"CAST('nan' AS DOUBLE) = CAST('-nan' AS DOUBLE)", "true"},
      {"CAST('nan' AS DOUBLE) > CAST('inf' AS DOUBLE)", "true"},
      {"0e0 = -0e0", "true"},
      {"is_nan(CAST('nan' AS FLOAT))", "true"},
  });
}

}  // namespace
}  // namespace sluice
