#pragma once

// Batches as text: canonical JSON, JSON lines, CSV, and tables for terminals.

#include <sluice/column.h>
#include <sluice/export.h>
#include <sluice/status.h>
#include <sluice/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::inline v0 {

/// Appends row `row` of `column` as canonical JSON, without any space outside strings:
///
///   null                   null
///   boolean                true, false
///   integers, durations    a number below 2^53 in magnitude, else a string of its digits
///   floating point         the fewest digits that round-trip, laid out as ECMAScript does; strings
///                          for "NaN", "Infinity", "-Infinity" and "-0.0"
///   decimal                a string with exactly `scale` fraction digits
///   string, enum, json     a string; {"hex":"..."} where the bytes are not UTF-8
///   binary of any kind     {"hex":"..."}; a UUID in its usual form
///   date, time, timestamp  ISO 8601, in the proleptic Gregorian calendar, with 3, 6 or 9 fraction
///                          digits by unit, and Z where adjusted to UTC; a time outside the day is
///                          its integer; INT96 is a timestamp of 9 digits
///   interval               {"months":m,"days":d,"millis":ms}
///   list, map              [value,...], [[key,value],...] (null values where the file has none)
///   struct, variant        {"name":value,...} in order, also where names repeat
SLUICE_EXPORT void AppendCanonical(const Column& column, int64_t row, std::string& out);

enum class TextFormat : uint8_t {
  kCanonical,  ///< A JSON array a row.
  kJsonLines,  ///< A JSON object a row: canonical values by column name.
  kCsv,        ///< RFC 4180 with a header and LF line ends. NULL is empty, an empty string "".
  kTable,      ///< Aligned columns; the widths are those of the rows appended at once.
};

/// Turns batches of one schema into text. In CSV and tables a value whose canonical form is a JSON
/// string is that string's contents, any other is its canonical form.
///
/// Threads: confined.
class SLUICE_EXPORT TextWriter {
 public:
  TextWriter(std::shared_ptr<const Schema> schema, TextFormat format);

  /// What stands in front of the first row: CSV's header. Nothing in the other formats (a table
  /// writes its header with its first rows).
  void Begin(std::string& out);
  /// What stands behind the last row: the header of a table that had none. Nothing in the other
  /// formats.
  void End(std::string& out);
  /// Rows [begin, end) of `batch`, each ended by a line feed.
  void AppendRows(const Batch& batch, int64_t begin, int64_t end, std::string& out);

 private:
  void AppendTable(const Batch& batch, int64_t begin, int64_t end, std::string& out);

  std::shared_ptr<const Schema> schema_;
  TextFormat format_;
  std::vector<std::string> keys_;  ///< kJsonLines: `"name":` a column.
  std::vector<size_t> widths_;     ///< kTable: characters a column, so far.
  bool has_header_ = false;
};

/// Parses "a,b.c" into column paths: commas between paths, dots between the parts of one; a part in
/// double quotes may hold both, and "" inside it is a quote.
/// Errors: kInvalidArgument for an empty part or a quote that does not end.
SLUICE_EXPORT Result<std::vector<std::vector<std::string>>> ParseColumnPaths(std::string_view text);

}  // namespace sluice::inline v0
