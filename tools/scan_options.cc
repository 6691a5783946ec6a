#include "tools/scan_options.h"

#include <sluice/list_files.h>
#include <sluice/optimizations.h>
#include <sluice/text.h>

#include <algorithm>
#include <utility>

#include "tools/arguments.h"

namespace sluice::tools {
namespace {

constexpr const char* kColumnsHelp =
    "Columns by path, in this order (default: all): a,b.c is the column a, and of the struct b the "
    "field c. A name with dots or commas stands in double quotes, in which \"\" is a quote; the "
    "shell "
    "wants quotes of its own around: '\"a.b\".c'. Paths do not go into lists and maps.";

void AddSwitches(CLI::App* command, ScanOptions& options) {
  command->add_flag_callback(
      "--no-checksums", [&options] { options.read.verify_checksums = false; },
      "Do not verify the checksums of pages.");
  for (const Optimization& optimization : Optimizations()) {
    std::string name = "--no-" + std::string(optimization.name);
    std::replace(name.begin(), name.end(), '_', '-');
    command->add_flag_callback(
        name, [&options, option = optimization.option] { option(options) = false; },
        std::string(optimization.without));
  }
}

}  // namespace

void AddScanArguments(CLI::App* command, ScanArguments& arguments) {
  command->add_option("FILE", arguments.files, kFilesHelp)->required();
  command->add_option("--columns", arguments.columns, kColumnsHelp);
  command->add_option("--where", arguments.where,
                      "The rows for which this is true, for example \"a >= 3 and b like 'x%'\".");
  ScanOptions& options = arguments.options;
  command->add_option("--batch-rows", options.read.batch_rows, "Rows that are read at once.")
      ->check(WholeNumber(1));
  command->add_flag("--ignore-case", options.ignore_case,
                    "Names in --where match without regard to the case of ASCII letters where none "
                    "matches exactly.");
  command->add_flag("--mmap", options.open.memory_map,
                    "Map files into memory instead of reading them.");
  command->add_flag("--read-everything", options.read.read_everything,
                    "Read and check every page of what is read at all, also where no row of it is "
                    "wanted.");
  command->add_flag("--dictionaries", options.read.deliver_dictionaries,
                    "Deliver columns as dictionaries where they are stored so; the rows are the "
                    "same.");
  AddSwitches(command, options);
}

void AddThreads(CLI::App* command, ScanOptions& options) {
  command
      ->add_option(
          "--threads", options.threads,
          "Row groups to read at once, up to 1024 (default 1). The rows are the same, in the "
          "same order.")
      ->check(WholeNumber(1, 1024));
}

Result<ScanRequest> MakeRequest(const ScanArguments& arguments) {
  ScanRequest request;
  if (arguments.columns) {
    if (arguments.columns->empty()) return Status::InvalidArgument("--columns names no column");
    Result<std::vector<std::vector<std::string>>> parsed = ParseColumnPaths(*arguments.columns);
    if (!parsed) return parsed.error();
    request.columns = *std::move(parsed);
  }
  if (arguments.where) {
    Result<Expression> parsed = ParseExpression(*arguments.where);
    if (!parsed) return parsed.error().In("--where");
    request.where = *std::move(parsed);
    request.where_text = *arguments.where;
  }
  return request;
}

Result<std::vector<ScanFile>> ListScanFiles(const ScanArguments& arguments) {
  std::vector<ScanFile> files;
  for (const std::string& pattern : arguments.files) {
    Result<std::vector<std::string>> listed = ListParquetFiles(pattern);
    if (!listed) return listed.error();
    for (std::string& path : *listed) {
      ScanFile file;
      file.path = std::move(path);
      files.push_back(std::move(file));
    }
  }
  return files;
}

}  // namespace sluice::tools
