#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>

namespace sluice::tools {

/// Parses the command line. Where that is all there is to do, returns the exit status: after help
/// or the version, and for wrong usage, which is told on standard error.
std::optional<int> ParseArguments(CLI::App& app, int argc, char** argv);

/// Takes whole numbers from `least` to `most`.
CLI::Validator WholeNumber(int64_t least, int64_t most = INT64_MAX);

}  // namespace sluice::tools
