#pragma once

#include <sluice/export.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace sluice::inline v0 {

/// A file that is written front to back and appears whole or not at all. A host may supply its own.
///
/// Threads: confined.
class SLUICE_EXPORT OutputFile {
 public:
  /// Without Finish, nothing of the file remains.
  virtual ~OutputFile();

  /// What error messages call it.
  virtual const std::string& name() const = 0;
  virtual Status Append(std::span<const uint8_t> bytes) = 0;
  /// Makes the bytes durable and gives the file its name. Afterwards Append and Finish are errors.
  virtual Status Finish() = 0;
};

/// Creates `path` by writing to a temporary name beside it; Finish syncs the bytes, renames, and
/// syncs the directory. An existing file is replaced at that moment; a symbolic link is replaced
/// itself, not what it points to. Once an Append has failed, Finish fails too.
/// Errors: kNotFound for the directory; kIoError (permissions, space, `path` is a directory or a
/// device); kInvalidArgument where `path` names no file.
SLUICE_EXPORT Result<std::unique_ptr<OutputFile>> CreateLocalFile(const std::string& path);

/// Appends to `bytes`, which the caller keeps alive; without Finish, what was appended is taken off
/// again.
SLUICE_EXPORT std::unique_ptr<OutputFile> MakeMemoryOutput(std::string name, std::string* bytes);

}  // namespace sluice::inline v0
