// sluice-conformance: reads every file of a corpus and compares with its known contents.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/arguments.h"
#include "tools/conformance/corpus_index.h"
#include "tools/conformance/file_run.h"
#include "tools/output.h"
#include "tools/progress.h"

namespace sluice::tools {
namespace {

struct Options {
  std::string directory;
  std::vector<int64_t> batch_rows{1, 7, 16384};
  int64_t memory_mebibytes = 1024;
  int64_t small_bytes = 100'000;
  bool no_checksums = false;
  bool failures_only = false;
};

constexpr const char* kLayoutHelp =
    "DIRECTORY holds:\n"
    "  INDEX.tsv                 columns parted by tabs and named in the first line, of which "
    "name,\n"
    "                            category and features are read; then a line a file\n"
    "  files/NAME                the file\n"
    "  expected/STEM.jsonl       its rows, as 'sluice cat --format canon' prints them; or\n"
    "  expected/STEM.head.jsonl  the first of them, with\n"
    "  expected/STEM.sha256      the SHA-256 of all their text\n"
    "STEM is NAME without '.parquet'. Categories: ok (exactly the expected rows), must-error,\n"
    "encrypted (an error that says so), unsupported-ok, unclear and disputed (an error or rows).\n"
    "Features are counted only, as 'codec=ZSTD; nest=list'; '-' is none.\n";

/// Results of the files that have a feature.
struct Tally {
  int64_t rows = 0;    ///< Files read, exactly as expected where that is known.
  int64_t errors = 0;  ///< Files refused, as they should or may be.
  int64_t failed = 0;
};

std::string Describe(const RunOutcome& outcome) {
  if (outcome.status.ok()) return fmt::format("{} rows", outcome.rows);
  return outcome.status.ToString();
}

/// Reads the file at each batch size, which must not make a difference; why it failed, or empty.
std::string Run(const CorpusEntry& entry, const Options& options, RunOutcome& outcome) {
  std::error_code error;
  const auto size = std::filesystem::file_size(entry.path, error);
  if (error) {
    outcome.status = Status::IoError(error.message());
    return "the corpus lacks the file";
  }
  bool is_first = true;
  for (const int64_t batch_rows : options.batch_rows) {
    if (batch_rows == 1 && static_cast<int64_t>(size) > options.small_bytes) continue;
    const RunOutcome run =
        RunFile(entry, {batch_rows, options.memory_mebibytes << 20, !options.no_checksums});
    if (is_first) outcome = run;
    is_first = false;
    if (const std::string failure = Judge(entry, run); !failure.empty()) {
      outcome = run;
      return fmt::format("batches of {}: {}", batch_rows, failure);
    }
    const bool is_same = run.status.code() == outcome.status.code() &&
                         (!run.status.ok() || run.sha256 == outcome.sha256);
    if (!is_same) return fmt::format("batches of {} end otherwise: {}", batch_rows, Describe(run));
  }
  return "";
}

std::string Matrix(const std::map<std::string, Tally>& tallies) {
  size_t width = std::string_view("feature").size();
  for (const auto& [feature, tally] : tallies) width = std::max(width, feature.size());
  std::string text =
      fmt::format("\n{:{}} {:>6} {:>8} {:>7}\n", "feature", width, "rows", "refused", "failed");
  for (const auto& [feature, tally] : tallies) {
    text += fmt::format("{:{}} {:>6} {:>8} {:>7}\n", feature, width, tally.rows, tally.errors,
                        tally.failed);
  }
  return text;
}

/// Returns how many files failed. Errors: a corpus that cannot be read; those of writing.
Result<int64_t> RunCorpus(const Options& options) {
  const Result<std::vector<CorpusEntry>> corpus = ReadCorpus(options.directory);
  if (!corpus) return corpus.error();
  std::map<std::string, Tally> by_feature;
  std::map<std::string, Tally> by_category;
  int64_t failed = 0;
  int64_t done = 0;
  // Where only failures are listed, lines are few and take the progress away.
  Progress progress(!options.failures_only);
  for (const CorpusEntry& entry : *corpus) {
    progress.Report(done++, "files", static_cast<int64_t>(corpus->size()));
    RunOutcome outcome;
    const std::string failure = Run(entry, options, outcome);
    const auto count = [&](Tally& tally) {
      if (!failure.empty()) {
        ++tally.failed;
      } else if (outcome.status.ok()) {
        ++tally.rows;
      } else {
        ++tally.errors;
      }
    };
    count(by_category[entry.category_name]);
    for (const std::string& feature : entry.features) count(by_feature[feature]);
    failed += !failure.empty();
    if (failure.empty() && options.failures_only) continue;
    progress.Clear();
    const Status status =
        WriteOutput(fmt::format("{} | {} | {} | {}\n", entry.name, entry.category_name,
                                Describe(outcome), failure.empty() ? "-" : "FAILED: " + failure));
    if (!status.ok()) return status;
  }
  progress.Clear();
  const auto files = static_cast<int64_t>(corpus->size());
  const Status status = WriteOutput(
      Matrix(by_feature) + Matrix(by_category) +
      fmt::format("\n{} files, {} as expected, {} failed\n", files, files - failed, failed));
  if (!status.ok()) return status;
  return failed;
}

}  // namespace
}  // namespace sluice::tools

int main(int argc, char** argv) {
  using namespace sluice::tools;
  // A closed pipe is an error of the write, which ends the run.
  std::signal(SIGPIPE, SIG_IGN);
  constexpr const char* kName = "sluice-conformance";
  Options options;
  CLI::App app("Reads every Parquet file of a corpus and compares with its known contents.", kName);
  app.add_option("DIRECTORY", options.directory,
                 "Holds INDEX.tsv, files/ and expected/, as told below.")
      ->required();
  app.footer(kLayoutHelp);
  app.add_option("--batch-rows", options.batch_rows,
                 "Read at each of these batch sizes (default 1, 7 and 16384).")
      ->check(WholeNumber(1));
  app.add_option("--small-bytes", options.small_bytes,
                 "Batches of one row are for files up to this size (default 100000).")
      ->check(WholeNumber(0));
  app.add_option("--memory", options.memory_mebibytes,
                 "Memory budget of a file in MiB (default 1024).")
      ->check(WholeNumber(1, INT64_MAX >> 20));
  app.add_flag("--no-checksums", options.no_checksums, "Do not verify the checksums of pages.");
  app.add_flag("--failures-only", options.failures_only, "List only the files that failed.");
  if (const auto exit_status = ParseArguments(app, argc, argv)) return *exit_status;
  try {
    const sluice::Result<int64_t> failed = RunCorpus(options);
    if (failed) return *failed == 0 ? 0 : kExitFailed;
    // Also where nobody reads on: what was not read is not as expected.
    (void)Fail(failed.error(), kName);
  } catch (const std::exception& error) {
    WriteMessage(fmt::format("{}: {}\n", kName, error.what()));
  }
  return kExitFailed;
}
