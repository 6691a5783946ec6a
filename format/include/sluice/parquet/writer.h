#pragma once

// Writing Parquet: FileWriter::Make, Write batches, Finish. Batches are put together by hand out of
// <sluice/column.h> (Column, StringView, Batch), <sluice/buffer.h> (memory for them) and
// <sluice/bitmap.h> (validity), or come from a reader.

#include <sluice/buffer.h>
#include <sluice/column.h>
#include <sluice/export.h>
#include <sluice/output_file.h>
#include <sluice/parquet/metadata.h>
#include <sluice/parquet/projection.h>
#include <sluice/status.h>
#include <sluice/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::inline v0::parquet {

/// How one leaf column is written.
struct ColumnWriteOptions {
  /// Of values that are not dictionary-encoded; absent: PLAIN. RLE_DICTIONARY stands for
  /// `dictionary` with PLAIN after it, PLAIN_DICTIONARY for the same under the deprecated ids that
  /// old readers know (V1 pages only). ALP only where every reader is known to have it.
  ///
  ///   PLAIN                    every type
  ///   RLE                      BOOLEAN
  ///   DELTA_BINARY_PACKED      INT32, INT64
  ///   DELTA_LENGTH_BYTE_ARRAY  BYTE_ARRAY
  ///   DELTA_BYTE_ARRAY         BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY
  ///   BYTE_STREAM_SPLIT        INT32, INT64, FLOAT, DOUBLE, FIXED_LEN_BYTE_ARRAY
  ///   ALP                      FLOAT, DOUBLE
  ///   dictionaries             all but BOOLEAN
  ///
  /// Any other pair, and BIT_PACKED (deprecated, read only), is kInvalidArgument.
  std::optional<Encoding> encoding;
  /// Begin each chunk with a dictionary; fall back to `encoding` once it grows past its limit.
  /// Never for booleans.
  bool dictionary = true;
  int64_t dictionary_bytes_limit = 1 << 20;
  /// Every codec but LZO, LZ4 (deprecated: its framing is ambiguous; LZ4_RAW is written instead)
  /// and ids that the specification lacks: those are kUnsupported.
  Codec codec = Codec::kZstd;
  std::optional<int> level;  ///< Of the codec; absent: its default.
  /// Bounds, and counts of NaN or, where all values of a chunk are in its dictionary, of distinct
  /// values; nulls are always counted.
  bool statistics = true;
  bool page_index = true;     ///< Column index (needs `statistics`) and offset index.
  bool bloom_filter = false;  ///< Never for booleans.
  double bloom_false_positive_rate = 0.01;
  /// String bounds longer than this are cut (upper ones rounded up) and flagged inexact.
  int32_t max_bound_bytes = 64;
};

enum class DataPageVersion : uint8_t { kV1, kV2 };

struct WriterOptions {
  DataPageVersion page_version = DataPageVersion::kV2;
  int64_t page_bytes = 1 << 20;  ///< Of encoded values before compression, about.
  int64_t page_rows = 20'000;
  int64_t row_group_rows = 1 << 20;
  int64_t row_group_bytes = 512 << 20;  ///< Encoded, about.
  bool checksums = true;
  ColumnWriteOptions columns;  ///< Of every leaf not named in `overrides`.
  /// By the names on the way to the leaf in the written schema (list, element, key_value included).
  std::map<ColumnPath, ColumnWriteOptions> overrides;
  std::vector<std::pair<std::string, std::string>> key_value_metadata;
  std::vector<SortingColumn> sorting_columns;  ///< Claimed, not made: the caller sorts.
  std::string created_by;                      ///< Empty: this library and its version.
  std::shared_ptr<BufferPool> pool;            ///< Absent: a pool of its own, without a budget.
};

/// Writes batches of one schema as a Parquet file, row group by row group.
///
/// A nullable column of the int64 values 1, null, 3, and a file of it:
///
///   auto pool = BufferPool::Make();
///   auto data = pool->Allocate(3 * 8);
///   auto validity = pool->Allocate(BitmapBytes(3));
///   if (!data) return data.error();
///   if (!validity) return validity.error();
///   (*data)->mutable_as<int64_t>()[0] = 1;
///   (*data)->mutable_as<int64_t>()[2] = 3;
///   (*validity)->mutable_as<uint64_t>()[0] = 0b101;
///
///   Column column;
///   column.type = std::make_shared<DataType>(DataType::Of(TypeId::kInt64));
///   column.length = 3;
///   column.null_count = 1;
///   column.data = *data;
///   column.validity = *validity;
///   const Schema schema{{{"number", *column.type}}};
///   const Batch batch{std::make_shared<Schema>(schema), 3, {column}};
///
///   auto file = CreateLocalFile("numbers.parquet");
///   if (!file) return file.error();
///   auto writer = parquet::FileWriter::Make(*std::move(file), schema);
///   if (!writer) return writer.error();
///   if (Status status = (*writer)->Write(batch); !status.ok()) return status;
///   return (*writer)->Finish();
///
/// Strings are of the form kView: StringView::OfPadded makes the views. Write checks every
/// column as ValidateColumn (column.h) does.
///
/// Memory: encoded pages of one row group, one unfinished page and dictionary a leaf, the footer
/// and the page indexes; all of it counts in the pool, besides the schema and the options.
/// Threads: confined. Without Finish, no file appears.
class SLUICE_EXPORT FileWriter {
 public:
  /// Errors, by name: kInvalidArgument for a schema or options that cannot be written (a type or
  /// nesting that Parquet lacks, an override that names no leaf, an encoding that the leaf's type
  /// does not allow, a level that the codec lacks); kUnsupported for a codec that is not written.
  static Result<std::unique_ptr<FileWriter>> Make(std::unique_ptr<OutputFile> file,
                                                  const Schema& schema, WriterOptions options = {});
  ~FileWriter();

  /// Appends the rows. Columns may have any form; row groups are cut where the options say.
  /// Errors: kInvalidArgument for a column that does not fit the schema (also nulls where a field
  /// is not nullable), and after Finish; kIoError; kResourceExhausted by the pool. After an error
  /// the writer is done for: it, FinishRowGroup and Finish give that error again.
  Status Write(const Batch& batch);
  /// Ends the present row group, if it has rows.
  Status FinishRowGroup();
  /// Writes what is left and the footer, and finishes the file.
  Status Finish();

 private:
  class Impl;
  explicit FileWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sluice::inline v0::parquet
