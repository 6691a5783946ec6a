#pragma once

// Reads whole files through the library's public interface, in every way that its options allow,
// and compares the rows with what they should be.

#include <sluice/parquet/reader.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::support {

/// What error messages call the files of tests.
inline constexpr std::string_view kFileName = "test.parquet";

/// A file of these bytes in memory.
std::shared_ptr<RandomAccessFile> MemoryFileOf(std::string_view bytes,
                                               std::string name = std::string(kFileName));
/// The same, opened.
Result<std::shared_ptr<parquet::FileReader>> OpenBytes(std::string_view bytes,
                                                       const parquet::ReadOptions& options = {});

/// Reads a cursor on to its end and shows each batch to `visit`; returns how many rows came.
Result<int64_t> ReadOn(parquet::RowGroupCursor& cursor,
                       const std::function<void(const parquet::RowGroupBatch&)>& visit = {});
/// Appends the rows as canonical lines.
void AppendLines(const Batch& batch, std::vector<std::string>& lines);

struct Reading {
  std::string name = "default";
  parquet::ReadOptions options;
  parquet::FooterOptions footer;
  std::vector<parquet::ColumnPath> paths;  ///< Empty: every column.
  /// The rows to read of a row group of `num_rows` rows of which `first_row` is the first in the
  /// file; absent: all.
  std::function<RowSelection(int64_t first_row, int64_t num_rows)> select;
};

/// The rows as canonical lines. Errors: the library's; kInternal where a batch breaks its contract.
Result<std::vector<std::string>> ReadRows(std::string_view bytes, const Reading& reading = {});
Result<std::vector<std::string>> ReadRows(const std::shared_ptr<RandomAccessFile>& file,
                                          const Reading& reading = {});

/// Batches of 1, 7 and the default number of rows, each optimisation switched off, dictionaries
/// delivered, small requests.
std::vector<Reading> WaysToRead();

/// A seeded choice of rows: about `percent` of them, in stretches of about `stretch` rows. Appends
/// the chosen rows' positions in the file to `positions`.
RowSelection RandomSelection(uint64_t seed, int32_t percent, int32_t stretch, int64_t first_row,
                             int64_t num_rows, std::vector<int64_t>& positions);

/// Expects (by GoogleTest) these rows, in every way to read and, with `selections` > 0, under that
/// many random selections for each.
void ExpectRows(std::string_view bytes, const std::vector<std::string>& expected,
                int32_t selections = 6, const std::vector<Reading>& ways = WaysToRead());

/// Expects an error of this code in every way to read, whose message names the file and has all of
/// `parts` in it.
void ExpectError(std::string_view bytes, StatusCode code,
                 const std::vector<std::string>& parts = {},
                 const std::vector<Reading>& ways = WaysToRead());

}  // namespace sluice::support
