#include <fmt/format.h>
#include <sluice/list_files.h>
#include <sluice/parquet/reader.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/arguments.h"
#include "tools/commands.h"
#include "tools/file_description.h"
#include "tools/output.h"
#include "tools/progress.h"

namespace sluice::tools {
namespace {

struct InspectOptions {
  std::vector<std::string> files;
  bool pages = false;
  bool json = false;
};

/// Describes files one after the other; one that cannot be read does not keep others from it.
class Inspect {
 public:
  explicit Inspect(const InspectOptions& options) : options_(options) {}

  /// Returns the exit status.
  int Run() {
    std::vector<std::string> paths;
    bool is_one_file = false;
    for (const std::string& pattern : options_.files) {
      Result<std::vector<std::string>> files = ListParquetFiles(pattern);
      if (!files) {
        Take(files.error());
        continue;
      }
      is_one_file = options_.files.size() == 1 && files->size() == 1 && files->front() == pattern;
      for (std::string& file : *files) paths.push_back(std::move(file));
    }
    writer_ = options_.json ? MakeJsonDescription(is_one_file) : MakeTextDescription();
    for (size_t i = 0; i < paths.size() && !is_closed_; ++i) Take(InspectFile(paths[i]));
    return exit_status_;
  }

 private:
  Status InspectFile(const std::string& path) {
    Result<std::shared_ptr<RandomAccessFile>> file = OpenLocalFile(path);
    if (!file) return file.error();
    const auto reader = parquet::FileReader::Open(*file);
    if (!reader) return reader.error();
    const Result<int64_t> damaged = DescribeFile(**reader, options_.pages, *writer_, [this] {
      progress_.Report(++chunks_, "column chunks");
    });
    is_closed_ = !damaged.has_value();
    if (!damaged) return damaged.error();
    if (*damaged == 0) return Status::Ok();
    return Status::Corruption(
               fmt::format("pages of some column chunks cannot be read: {}", *damaged))
        .In(FilePlace(path));
  }

  void Take(const Status& status) {
    if (status.ok()) return;
    progress_.Clear();
    const int exit_status = Fail(status);
    if (exit_status_ == 0) exit_status_ = exit_status;
  }

  const InspectOptions& options_;
  std::unique_ptr<DescriptionWriter> writer_;
  Progress progress_{true};
  int64_t chunks_ = 0;
  bool is_closed_ = false;  ///< Standard output takes no more.
  int exit_status_ = 0;
};

}  // namespace

void AddInspect(CLI::App& app, Run& run) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App* inspect = app.add_subcommand("inspect", "Show what Parquet files say of themselves.");
  inspect->add_option("FILE", options->files, kFilesHelp)->required();
  inspect->add_flag("--pages", options->pages,
                    "Also every page, by its header and the page index.");
  inspect->add_flag("--json", options->json,
                    "As JSON: one object for one file; for several files, a directory or a pattern "
                    "one object a line.");
  inspect->callback([options, &run] { run = [options] { return Inspect(*options).Run(); }; });
}

}  // namespace sluice::tools
