#pragma once

// What the subcommands that scan files take in common.

#include <sluice/scan.h>
#include <sluice/status.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sluice::tools {

struct ScanArguments {
  std::vector<std::string> files;
  std::optional<std::string> columns;
  std::optional<std::string> where;
  ScanOptions options;
};

/// Adds FILE, --columns, --where, what says how to read, and the switches of single optimisations.
void AddScanArguments(CLI::App* command, ScanArguments& arguments);
/// Adds --threads.
void AddThreads(CLI::App* command, ScanOptions& options);

/// What is asked for, without a limit. Errors: of parsing.
Result<ScanRequest> MakeRequest(const ScanArguments& arguments);
/// The files that are named. Errors: as ListParquetFiles.
Result<std::vector<ScanFile>> ListScanFiles(const ScanArguments& arguments);

}  // namespace sluice::tools
