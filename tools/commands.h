#pragma once

// The subcommands: each adds its options to the command line, and runs once they are parsed.

#include <CLI/CLI.hpp>
#include <functional>

namespace sluice::tools {

/// Sets `run` when its subcommand was called; `run` returns the exit status.
using Run = std::function<int()>;

void AddCat(CLI::App& app, Run& run);
void AddExplain(CLI::App& app, Run& run);
void AddInspect(CLI::App& app, Run& run);
void AddVerify(CLI::App& app, Run& run);

}  // namespace sluice::tools
