#include <fmt/format.h>
#include <sluice/scan.h>
#include <sluice/text.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tools/arguments.h"
#include "tools/commands.h"
#include "tools/counters_text.h"
#include "tools/output.h"
#include "tools/progress.h"
#include "tools/scan_options.h"

namespace sluice::tools {
namespace {

constexpr size_t kFlushBytes = 256 << 10;
/// Rows of a table whose columns are aligned together.
constexpr int64_t kTableRows = 1000;

const std::map<std::string, std::optional<TextFormat>> kFormats{{"table", TextFormat::kTable},
                                                                {"csv", TextFormat::kCsv},
                                                                {"jsonl", TextFormat::kJsonLines},
                                                                {"canon", TextFormat::kCanonical},
                                                                {"none", std::nullopt}};

struct CatOptions {
  ScanArguments arguments;
  std::optional<int64_t> limit;
  std::string format = "table";
  bool count = false;
  bool stats = false;
};

/// Prints the rows of files one after the other.
class Cat {
 public:
  explicit Cat(const CatOptions& options)
      : options_(options), format_(kFormats.at(options.format)) {}

  Status Run();

 private:
  Status OpenScan(std::vector<ScanFile> files);
  Status PrintAll();
  Status Print(const Batch& batch);
  /// Says, once a name, that several columns have it.
  void NoteNames() const;

  const CatOptions& options_;
  std::optional<TextFormat> format_;
  ScanRequest request_;
  std::unique_ptr<Scan> scan_;
  std::optional<TextWriter> writer_;
  std::string text_;
  int64_t rows_ = 0;
  std::optional<Progress> progress_;
};

Status Cat::OpenScan(std::vector<ScanFile> files) {
  const auto open = [&](ScanRequest request) -> Status {
    auto scan = Scan::Open(files, std::move(request), options_.arguments.options);
    if (!scan) return scan.error();
    scan_ = *std::move(scan);
    return Status::Ok();
  };
  // Columns that are not printed have to be there all the same.
  if (!options_.count || request_.columns) {
    if (const Status status = open(request_); !status.ok()) return status;
    NoteNames();
  }
  if (!options_.count) return Status::Ok();
  ScanRequest request = request_;
  request.columns.emplace();
  return open(std::move(request));
}

Status Cat::Run() {
  progress_.emplace(format_.has_value() && !options_.count);
  Result<ScanRequest> request = MakeRequest(options_.arguments);
  if (!request) return request.error();
  request_ = *std::move(request);
  request_.limit = options_.limit.value_or(INT64_MAX);
  Result<std::vector<ScanFile>> files = ListScanFiles(options_.arguments);
  if (!files) return files.error();
  if (const Status status = OpenScan(*std::move(files)); !status.ok()) return status;
  const Status status = PrintAll();
  progress_->Clear();
  // What was read before an error is shown before it.
  const Status written = WriteOutput(text_);
  if (options_.stats) {
    const ScanCounters& counters = scan_->counters();
    WriteMessage(UnitCountersText(counters, "") + WorkCountersText(counters, ""));
  }
  return status.ok() ? written : status;
}

Status Cat::PrintAll() {
  if (format_ && !options_.count) {
    writer_.emplace(scan_->schema(), *format_);
    writer_->Begin(text_);
  }
  for (;;) {
    Result<std::optional<ScanBatch>> batch = scan_->Next();
    if (!batch) return batch.error();
    if (!batch->has_value()) break;
    if (const Status status = Print((*batch)->batch); !status.ok()) return status;
  }
  if (writer_) writer_->End(text_);
  if (options_.count) fmt::format_to(std::back_inserter(text_), "{}\n", rows_);
  return Status::Ok();
}

Status Cat::Print(const Batch& batch) {
  rows_ += batch.num_rows;
  progress_->Report(rows_, "rows");
  if (!format_ || options_.count) return Status::Ok();
  const int64_t step = format_ == TextFormat::kTable ? kTableRows : 64;
  for (int64_t begin = 0; begin < batch.num_rows; begin += step) {
    writer_->AppendRows(batch, begin, std::min(begin + step, batch.num_rows), text_);
    if (text_.size() < kFlushBytes) continue;
    if (const Status status = WriteOutput(text_); !status.ok()) return status;
    text_.clear();
  }
  return Status::Ok();
}

void Cat::NoteNames() const {
  if (!request_.columns) return;
  std::set<std::string> noted;
  for (const parquet::ColumnPath& path : *request_.columns) {
    const std::vector<Field>& fields = scan_->table_schema()->fields;
    const auto count = std::count_if(fields.begin(), fields.end(), [&](const Field& field) {
      return field.name == path.front();
    });
    if (count < 2 || !noted.insert(path.front()).second) continue;
    WriteMessage(fmt::format("sluice: note: {} columns are named '{}'; the first is read\n", count,
                             path.front()));
  }
}

constexpr const char* kFormatHelp =
    "table: aligned columns, for people (default). csv: RFC 4180 with a header; NULL is empty, an "
    "empty string is \"\". jsonl: a JSON object a row, by column name. canon: a JSON array a row, "
    "the same text for the same values whatever the file is like, as conformance compares it. "
    "none: "
    "read and check, print nothing.";

}  // namespace

void AddCat(CLI::App& app, Run& run) {
  const auto options = std::make_shared<CatOptions>();
  CLI::App* cat = app.add_subcommand("cat", "Print the rows of Parquet files.");
  AddScanArguments(cat, options->arguments);
  cat->add_option("--limit", options->limit, "Print at most this many rows.")
      ->check(WholeNumber(0));
  std::vector<std::string> names;
  for (const auto& [name, format] : kFormats) names.push_back(name);
  cat->add_option("--format", options->format, kFormatHelp)->check(CLI::IsMember(names));
  cat->add_flag("--count", options->count,
                "Print the number of rows only; without --where it reads no data.");
  cat->add_flag("--stats", options->stats, "Print what was read and skipped to standard error.");
  AddThreads(cat, options->arguments.options);
  cat->callback([options, &run] {
    run = [options] {
      const Status status = Cat(*options).Run();
      return status.ok() ? 0 : Fail(status);
    };
  });
}

}  // namespace sluice::tools
