#pragma once

// What programs over damaged files have in common: the files, their time and memory, and the count
// of what came of them.

#include <sluice/status.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace sluice::support {

struct DamageCounts {
  int64_t usual = 0;  ///< Damaged copies of each file;
  int64_t many = 0;   ///< where SLUICE_LONG is set.
};

/// Does something with a damaged file, and adds to the outcomes how it ended. Returns what is
/// wrong, or nothing.
using OnDamagedFile = std::function<std::string(const std::string& bytes, uint64_t seed,
                                                std::map<StatusCode, int64_t>& outcomes)>;

/// Runs it on damaged copies of every small file of the corpus; arguments are
/// [COPIES OF EACH] [FILE [COPY]]. Five seconds without an end abort the program. Returns its exit
/// status: 1 if anything was wrong, 77 without a corpus.
int RunOnDamagedFiles(int argc, char** argv, DamageCounts counts, const OnDamagedFile& run);

}  // namespace sluice::support
