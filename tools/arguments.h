#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>

namespace sluice::tools {

/// Parses the command line. Where that is all there is to do, returns the exit status: after help
/// or the version, and for wrong usage, which is told on standard error.
std::optional<int> ParseArguments(CLI::App& app, int argc, char** argv);

/// What FILE arguments may be, for help.
inline constexpr const char* kFilesHelp =
    "Files, patterns, or directories: *.parquet below them, but for what begins with . or _ "
    "and for directories that are links.";

/// Takes whole numbers from `least` to `most`.
CLI::Validator WholeNumber(int64_t least, int64_t most = INT64_MAX);

}  // namespace sluice::tools
