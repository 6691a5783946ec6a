#include <fmt/format.h>
#include <sluice/parquet/reader.h>

#include <memory>
#include <string>
#include <utility>

#include "tools/commands.h"
#include "tools/file_description.h"
#include "tools/output.h"

namespace sluice::tools {
namespace {

struct InspectOptions {
  std::string file;
  bool pages = false;
  bool json = false;
};

/// How many column chunks have pages that could not be read to their end.
int64_t CountDamagedChunks(const Json& description) {
  int64_t damaged = 0;
  for (const Json& group : description["row_groups"]) {
    for (const Json& chunk : group["columns"]) {
      if (!chunk.contains("pages") || chunk["pages"].empty()) continue;
      damaged += chunk["pages"].back().contains("error");
    }
  }
  return damaged;
}

Status Inspect(const InspectOptions& options) {
  Result<std::shared_ptr<RandomAccessFile>> file = OpenLocalFile(options.file);
  if (!file) return file.error();
  const auto reader = parquet::FileReader::Open(*file);
  if (!reader) return reader.error();
  const Result<Json> description = DescribeFile(**reader, options.pages);
  if (!description) return description.error();
  // Names and key-values of a file need not be UTF-8; JSON is.
  if (const Status status = WriteOutput(
          options.json ? description->dump(2, ' ', false, Json::error_handler_t::replace) + '\n'
                       : DescriptionText(*description));
      !status.ok()) {
    return status;
  }
  const int64_t damaged = CountDamagedChunks(*description);
  if (damaged == 0) return Status::Ok();
  return Status::Corruption(fmt::format("pages of some column chunks cannot be read: {}", damaged))
      .In(options.file);
}

}  // namespace

void AddInspect(CLI::App& app, Run& run) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App* inspect = app.add_subcommand("inspect", "Show what a Parquet file says of itself.");
  inspect->add_option("FILE", options->file, "A Parquet file.")->required();
  inspect->add_flag("--pages", options->pages, "Also every page, by its header.");
  inspect->add_flag("--json", options->json, "As one JSON object.");
  inspect->callback([options, &run] {
    run = [options] {
      const Status status = Inspect(*options);
      return status.ok() ? 0 : Fail(status);
    };
  });
}

}  // namespace sluice::tools
