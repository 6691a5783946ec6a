#pragma once

// Random tables, and the library's writer with random options to write them.

#include <sluice/parquet/writer.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/cells.h"
#include "tests/support/random_columns.h"

namespace sluice::support {

/// The codecs that can be written.
inline constexpr parquet::Codec kCodecs[] = {
    parquet::Codec::kUncompressed, parquet::Codec::kSnappy, parquet::Codec::kGzip,
    parquet::Codec::kBrotli,       parquet::Codec::kZstd,   parquet::Codec::kLz4Raw};

/// A schema and its rows: a vector of cells a column.
struct Table {
  Schema schema;
  std::vector<std::vector<Cell>> columns;
  int64_t num_rows = 0;
};

/// Up to five columns, nested at most `depth` deep.
Table RandomTable(RandomColumns& random, int64_t num_rows, int depth);

std::vector<parquet::Encoding> WritableEncodings(parquet::PhysicalType type);
/// Page versions and sizes, row groups, and for each leaf encoding, codec and dictionary.
parquet::WriterOptions RandomOptions(RandomColumns& random, const Schema& schema);

/// The bytes of a file with the table, written in batches, in whatever forms.
Result<std::string> Write(const Table& table, const parquet::WriterOptions& options,
                          RandomColumns& random);

}  // namespace sluice::support
