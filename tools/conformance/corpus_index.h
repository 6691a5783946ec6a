#pragma once

// A directory of Parquet files whose contents are known:
//
//   INDEX.tsv                    a header line with the names of the columns, then a line a file;
//                                of the columns name, category and features are read
//   files/<name>                 the file
//   expected/<stem>.jsonl        its rows as canonical JSON (sluice/text.h), or
//   expected/<stem>.head.jsonl   the first of them, with
//   expected/<stem>.sha256       the SHA-256 of all rows' text, and their number
//
// <stem> is the name without ".parquet".

#include <sluice/status.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::tools {

/// What must happen when the file is read.
enum class Category : uint8_t {
  kOk,             ///< Exactly the expected rows.
  kMustError,      ///< A typed error.
  kEncrypted,      ///< An error of code kEncrypted.
  kUnsupportedOk,  ///< A typed error, or the expected rows where there are some.
  kAnyCleanEnd,    ///< Rows or a typed error: "unclear", "disputed".
};

struct Expected {
  std::string text;                   ///< Canonical rows: all, or the first ones.
  std::optional<std::string> sha256;  ///< Of all of them; absent where `text` is all.
};

struct CorpusEntry {
  std::string name;
  std::string path;
  std::string category_name;
  Category category = Category::kAnyCleanEnd;
  std::vector<std::string> features;  ///< "codec=SNAPPY", "nest=list", "geo", ...
  std::optional<Expected> expected;
};

/// Errors: kNotFound without an INDEX.tsv; kIoError; kCorruption for an index without the columns
/// or with a category that is not known.
Result<std::vector<CorpusEntry>> ReadCorpus(const std::string& directory);

}  // namespace sluice::tools
