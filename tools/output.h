#pragma once

#include <sluice/status.h>

#include <string>
#include <string_view>

namespace sluice::tools {

/// Writes `text` to standard output. Errors: kIoError; kCancelled once nobody reads it any more,
/// for example `head` behind a pipe.
Status WriteOutput(std::string_view text);

/// Writes `text` to standard error, if that takes it.
void WriteMessage(std::string_view text);

/// "file 'PATH'": how messages name a file, as those of the library do.
std::string FilePlace(std::string_view path);

/// Writes the program's name, the error and a line feed to standard error and returns the exit
/// status: 1, 2 for a wrong call, or 0 and no message where the reader of the output has had
/// enough.
int Fail(const Status& status, std::string_view program = "sluice");

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

}  // namespace sluice::tools
