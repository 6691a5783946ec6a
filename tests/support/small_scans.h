#pragma once

// Small tables as files in memory, and the rows that scans of them give.

#include <sluice/scan.h>

#include <cstdint>
#include <memory>
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

/// The rows at these positions, which ascend.
std::shared_ptr<const RowSelection> RowsAt(const std::vector<int64_t>& positions);

ScanRequest Where(const std::string& text);
ScanRequest Columns(std::vector<parquet::ColumnPath> columns);
/// A request of all columns of a table that may have nulls, or of those that pass.
ScanRequest OfTable(std::vector<Field> fields, const std::string& where = {});

/// Every row that the scan still has, in the order of delivery: its values as JSON, parted by
/// blanks. Expects that there is no error.
Strings Rows(Scan& scan);
Strings Rows(std::vector<ScanFile> files, ScanRequest request, ScanOptions options = {});

/// Expects these rows in every way to scan (scanning.h), and on several threads.
void ExpectDelivered(const std::vector<ScanFile>& files, const ScanRequest& request,
                     const Strings& rows, ColumnMatch match = ColumnMatch::kName);

}  // namespace sluice::support
