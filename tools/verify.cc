#include <fmt/format.h>
#include <sluice/verify.h>

#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "tools/commands.h"
#include "tools/one_line.h"
#include "tools/output.h"
#include "tools/scan_options.h"

namespace sluice::tools {
namespace {

constexpr size_t kShownRow = 1000;

/// What both scans did where they are equal.
std::string EqualText(const Verification& verification) {
  const ScanCounters& pruned = verification.pruned;
  const ScanCounters& full = verification.full;
  return fmt::format(
      "equal: {} rows compared, of {} in {} row groups of {} files\n"
      "pruned scan: {} files, {} row groups and {} rows left out, {} pages read; full scan: {} "
      "pages read\n",
      verification.rows_compared, full.rows_considered, full.row_groups_considered,
      full.files_considered, pruned.files_pruned, pruned.row_groups_pruned,
      pruned.rows_pruned_by_row_group + pruned.rows_pruned_by_page, pruned.data.pages_read,
      full.data.pages_read);
}

std::string RulesText(const ScanDifference& difference) {
  if (difference.rules.empty()) {
    return "at fault: none of what can be switched off, the scans differ without all of it";
  }
  const char* between = difference.are_needed_together ? " and " : " or ";
  return fmt::format("at fault: {} (the scans are equal without {})",
                     fmt::join(difference.rules, difference.are_needed_together ? ", " : " or "),
                     fmt::join(difference.rules, between));
}

std::string DifferenceText(const ScanDifference& difference, int64_t rows_compared) {
  std::string text;
  const auto line = [&](std::string_view key, const std::string& value) {
    fmt::format_to(std::back_inserter(text), "{}: {}\n", key, value);
  };
  text += fmt::format("different, behind {} equal rows\n", rows_compared);
  if (difference.file >= 0) {
    line("file", OneLine(difference.path, kShownName));
    line("row group", std::to_string(difference.row_group));
    line("rows", fmt::format("{} to {}: {} missing, {} extra, {} changed", difference.rows.begin,
                             difference.rows.end - 1, difference.missing, difference.extra,
                             difference.changed));
    for (const PagePosition& page : difference.pages) {
      line("page",
           fmt::format("{} of column {}, rows {} to {} of the row group", page.page,
                       OneWord(page.column, kShownName), page.rows.begin, page.rows.end - 1));
    }
    const auto row = [](const std::string& row_text) {
      return row_text.empty() ? "not there" : OneLine(row_text, kShownRow);
    };
    line("pruned scan", row(difference.pruned_row));
    line("full scan", row(difference.full_row));
  } else {
    line("pruned scan", difference.pruned_error.ToString());
    line("full scan", difference.full_error.ToString());
  }
  return text + RulesText(difference) + '\n';
}

Status Verify(const ScanArguments& arguments, int* exit_status) {
  Result<ScanRequest> request = MakeRequest(arguments);
  if (!request) return request.error();
  Result<std::vector<ScanFile>> files = ListScanFiles(arguments);
  if (!files) return files.error();
  const auto verification = VerifyScan(*std::move(files), *std::move(request), arguments.options);
  if (!verification) return verification.error();
  if (!verification->error.ok()) {
    return verification->error.In(
        fmt::format("both scans end behind {} equal rows", verification->rows_compared));
  }
  if (!verification->difference) return WriteOutput(EqualText(*verification));
  *exit_status = kExitFailed;
  return WriteOutput(DifferenceText(*verification->difference, verification->rows_compared));
}

}  // namespace

void AddVerify(CLI::App& app, Run& run) {
  const auto arguments = std::make_shared<ScanArguments>();
  CLI::App* verify =
      app.add_subcommand("verify", "Compare a scan with one that leaves nothing out, row by row.");
  AddScanArguments(verify, *arguments);
  verify->get_option("--where")->required();
  AddThreads(verify, arguments->options);
  verify->callback([arguments, &run] {
    run = [arguments] {
      int exit_status = 0;
      const Status status = Verify(*arguments, &exit_status);
      return status.ok() ? exit_status : Fail(status);
    };
  });
}

}  // namespace sluice::tools
