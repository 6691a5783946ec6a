#pragma once

#include <sluice/status.h>

#include <memory>
#include <string>
#include <string_view>

#include "tools/one_line.h"

namespace sluice::tools {

/// Takes descriptions of files and writes them to standard output. They come in parts, because that
/// of a file with many row groups of many columns would take gigabytes as one.
class DescriptionWriter {
 public:
  virtual ~DescriptionWriter() = default;

  /// All of the file but "row_groups".
  virtual void BeginFile(const Json& file) = 0;
  /// All of the row group but "columns".
  virtual void BeginRowGroup(const Json& group) = 0;
  virtual void AddChunk(const Json& chunk) = 0;
  virtual void EndRowGroup() = 0;
  virtual void EndFile() = 0;

  /// Writes what was taken and is not written yet, if it is much or `all` is asked for.
  /// Errors: those of WriteOutput.
  Status Flush(bool all);

 protected:
  std::string text_;
};

/// Lines for people; an empty one between two files.
std::unique_ptr<DescriptionWriter> MakeTextDescription();
/// One object a file: over several lines, or on one.
std::unique_ptr<DescriptionWriter> MakeJsonDescription(bool is_pretty);

}  // namespace sluice::tools
