#pragma once

// The corpus of real files, which lies outside of the source tree: the directory that the
// environment variable SLUICE_CORPUS names, or shared/corpus next to the source tree.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::support {

struct CorpusFile {
  std::string name;
  std::string category;  ///< As in INDEX.tsv: "ok", "must-error", ...
  std::string path;
  int64_t size = 0;
};

/// The files of INDEX.tsv that are there, in its order; empty without a corpus.
std::vector<CorpusFile> CorpusFiles();

/// The expected lines of an `ok` file; only the first ones where `is_whole` is false.
struct ExpectedRows {
  std::vector<std::string> lines;
  bool is_whole = true;
};
std::optional<ExpectedRows> ExpectedCorpusRows(const CorpusFile& file);

/// The bytes of a file; aborts where it cannot be read.
std::string ReadWholeFile(const std::string& path);

}  // namespace sluice::support
