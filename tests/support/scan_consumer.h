#pragma once

// A consumer of scans that calls them in every way that they may be called, at random.

#include <sluice/scan.h>

#include <cstdint>
#include <optional>

#include "tests/support/random_columns.h"

namespace sluice::support {

/// Takes batches by Next or Step, asks for counts in between, and loads some of the columns that
/// were left out, in any order; now and then those of the batch before, which must be refused.
class ScanConsumer {
 public:
  /// `rows`: how many the scan has in all; absent where it ends with an error.
  ScanConsumer(RandomColumns& random, Scan& scan, std::optional<int64_t> rows)
      : random_(random), scan_(scan), rows_(rows), steps_(random.Chance(0.4)) {}

  /// The next batch with what was loaded of it, nothing at the end. A count or a refusal that is
  /// wrong is a fatal failure of the test. Errors: of the scan.
  Result<std::optional<ScanBatch>> Next();

 private:
  Result<std::optional<ScanBatch>> Take();
  Status Count();
  Status LoadSome(ScanBatch& batch);
  void ExpectRefusal();

  RandomColumns& random_;
  Scan& scan_;
  std::optional<int64_t> rows_;
  bool steps_;
  std::optional<ScanBatch> last_;
};

}  // namespace sluice::support
