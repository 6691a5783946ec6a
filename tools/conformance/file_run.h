#pragma once

#include <cstdint>
#include <string>

#include "tools/conformance/corpus_index.h"

namespace sluice::tools {

struct RunOptions {
  int64_t batch_rows = 0;
  int64_t memory_bytes = 0;
  bool verify_checksums = true;
};

/// What came of reading a whole file.
struct RunOutcome {
  Status status;         ///< The error that ended it.
  int64_t rows = 0;      ///< Rows that were delivered.
  std::string sha256;    ///< Of their canonical text.
  std::string mismatch;  ///< The first row that is not the expected one; empty: none.
};

/// Reads every row of the file and compares with what is expected. Without an expectation it stops
/// after some millions of rows.
RunOutcome RunFile(const CorpusEntry& entry, const RunOptions& options);

/// Why `outcome` is not what the file's category asks for; empty where it is.
std::string Judge(const CorpusEntry& entry, const RunOutcome& outcome);

}  // namespace sluice::tools
