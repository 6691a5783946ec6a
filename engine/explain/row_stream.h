#pragma once

#include <sluice/scan.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sluice::inline v0::engine {

/// The rows of a scan one by one, with their places and their values as canonical text.
///
/// Threads: confined.
class RowStream {
 public:
  /// As Scan::Open, of rows in order.
  static Result<RowStream> Open(std::vector<ScanFile> files, ScanRequest request,
                                ScanOptions options);

  /// Moves to the next row; false behind the last, and at an error.
  bool Next();
  const Status& error() const { return error_; }

  // Of the present row.
  int32_t file() const { return batch_.file; }
  int32_t row_group() const { return batch_.row_group; }
  int64_t position() const { return position_; }
  /// A JSON array.
  std::string Text() const;

  const ScanCounters& counters() const { return scan_->counters(); }

 private:
  explicit RowStream(std::unique_ptr<Scan> scan) : scan_(std::move(scan)) {}

  std::unique_ptr<Scan> scan_;
  ScanBatch batch_;
  int64_t row_ = -1;  ///< In the batch.
  int64_t position_ = -1;
  Status error_;
  bool is_done_ = false;
};

}  // namespace sluice::inline v0::engine
