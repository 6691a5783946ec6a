#pragma once

// Small tables as files in memory, and the rows that scans of them give.

#include <sluice/scan.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/random_tables.h"

namespace sluice::support {

inline const DataType kInt32 = DataType::Of(TypeId::kInt32);
inline const DataType kInt64 = DataType::Of(TypeId::kInt64);
inline const DataType kString = DataType::Of(TypeId::kString);

using Strings = std::vector<std::string>;

/// A column that may have nulls.
Field Named(std::string name, DataType type);
/// A table with one column of the int64 values from `first` on.
Table Numbers(std::string name, int64_t first, int64_t count);
/// A file in memory with the table. Expects (by GoogleTest) that it can be written.
ScanFile FileOf(const Table& table, std::string name = "memory",
                const parquet::WriterOptions& options = {});

ScanRequest Where(const std::string& text);
ScanRequest Columns(std::vector<parquet::ColumnPath> columns);

/// Every row that the scan still has, in the order of delivery: its values as JSON, parted by
/// blanks. Expects that there is no error.
Strings Rows(Scan& scan);
Strings Rows(std::vector<ScanFile> files, ScanRequest request, ScanOptions options = {});

}  // namespace sluice::support
