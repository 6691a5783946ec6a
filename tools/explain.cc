#include <sluice/explain.h>
#include <sluice/output_file.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "tools/commands.h"
#include "tools/explanation_writer.h"
#include "tools/output.h"
#include "tools/scan_options.h"

namespace sluice::tools {
namespace {

struct ExplainOptions {
  ScanArguments arguments;
  bool analyze = false;
  bool json = false;
  std::optional<std::string> svg;
};

Status WriteFile(const std::string& path, const std::string& text) {
  Result<std::unique_ptr<OutputFile>> file = CreateLocalFile(path);
  if (!file) return file.error();
  const std::span bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  if (const Status status = (*file)->Append(bytes); !status.ok()) return status;
  return (*file)->Finish();
}

/// The image is no file that is explained.
Status CheckImage(const std::string& image, const std::vector<ScanFile>& files) {
  for (const ScanFile& file : files) {
    std::error_code error;  // Of what is not there yet.
    if (!std::filesystem::equivalent(image, file.path, error)) continue;
    return Status::InvalidArgument("--svg would overwrite a file that is read: " + file.path);
  }
  return Status::Ok();
}

Status RunExplain(const ExplainOptions& options) {
  Result<ScanRequest> request = MakeRequest(options.arguments);
  if (!request) return request.error();
  Result<std::vector<ScanFile>> files = ListScanFiles(options.arguments);
  if (!files) return files.error();
  if (options.svg) {
    if (const Status status = CheckImage(*options.svg, *files); !status.ok()) return status;
  }
  const Result<Explanation> explanation = ExplainScan(*std::move(files), *std::move(request),
                                                      options.arguments.options, options.analyze);
  if (!explanation) return explanation.error();
  if (options.svg) {
    const Status status = WriteFile(*options.svg, DrawExplanation(*explanation));
    if (!status.ok()) return status;
  }
  const Status status =
      options.json ? WriteExplanationJson(*explanation) : WriteExplanationText(*explanation);
  return status.ok() ? explanation->error : status;
}

}  // namespace

void AddExplain(CLI::App& app, Run& run) {
  const auto options = std::make_shared<ExplainOptions>();
  CLI::App* explain =
      app.add_subcommand("explain", "Show what a scan leaves out and reads, and why.");
  AddScanArguments(explain, options->arguments);
  explain->add_flag("--analyze", options->analyze,
                    "Run the scan as well: what became of every page, with counts and times. "
                    "Without it no data is decoded.");
  explain->add_flag("--json", options->json, "As one JSON object, with every page.");
  explain->add_option("--svg", options->svg,
                      "Also draw the files as they are read, as an image in this file.");
  explain->callback([options, &run] {
    run = [options] {
      const Status status = RunExplain(*options);
      return status.ok() ? 0 : Fail(status);
    };
  });
}

}  // namespace sluice::tools
