#include <fmt/format.h>
#include <sluice/list_files.h>
#include <sluice/parquet/reader.h>
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
#include "tools/output.h"
#include "tools/progress.h"

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
  std::vector<std::string> files;
  std::optional<std::string> columns;
  std::optional<std::string> where;
  std::optional<int64_t> limit;
  std::string format = "table";
  bool count = false;
  bool stats = false;
  ScanOptions scan;
};

/// Prints the rows of files one after the other.
class Cat {
 public:
  explicit Cat(const CatOptions& options)
      : options_(options), format_(kFormats.at(options.format)) {}

  Status Run();

 private:
  Status MakeRequest();
  Status OpenScan(std::vector<ScanFile> files);
  Status PrintAll();
  Status Explain(const Status& error, const std::vector<ScanFile>& files) const;
  Status Print(const Batch& batch);
  /// Says, once a name, that several columns have it.
  void NoteNames() const;
  void PrintStats() const;

  const CatOptions& options_;
  std::optional<TextFormat> format_;
  ScanRequest request_;
  std::unique_ptr<Scan> scan_;
  std::optional<TextWriter> writer_;
  std::string text_;
  int64_t rows_ = 0;
  std::optional<Progress> progress_;
};

/// Adds to the error of a column that is not there what may have been meant.
Status Cat::Explain(const Status& error, const std::vector<ScanFile>& files) const {
  if (error.code() != StatusCode::kNotFound || !request_.columns) return error;
  const auto scan = Scan::Open(files, {}, options_.scan);
  if (!scan) return error;
  for (const parquet::ColumnPath& path : *request_.columns) {
    if (path.size() < 2) continue;
    const std::string joined = fmt::format("{}", fmt::join(path, "."));
    for (const Field& field : (*scan)->table_schema()->fields) {
      if (field.name != joined) continue;
      return Status(error.code(),
                    fmt::format("{} (the column of that name is written \"{}\", in double quotes)",
                                error.message(), joined));
    }
  }
  return error;
}

Status Cat::MakeRequest() {
  if (options_.columns) {
    if (options_.columns->empty()) return Status::InvalidArgument("--columns names no column");
    Result<std::vector<std::vector<std::string>>> parsed = ParseColumnPaths(*options_.columns);
    if (!parsed) return parsed.error();
    request_.columns = *std::move(parsed);
  }
  if (options_.where) {
    Result<Expression> parsed = ParseExpression(*options_.where);
    if (!parsed) return parsed.error().In("--where");
    request_.where = *std::move(parsed);
    request_.where_text = *options_.where;
  }
  request_.limit = options_.limit.value_or(INT64_MAX);
  return Status::Ok();
}

Status Cat::OpenScan(std::vector<ScanFile> files) {
  const auto open = [&](ScanRequest request) -> Status {
    auto scan = Scan::Open(files, std::move(request), options_.scan);
    if (!scan) return Explain(scan.error(), files);
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
  if (const Status status = MakeRequest(); !status.ok()) return status;
  std::vector<ScanFile> files;
  for (const std::string& pattern : options_.files) {
    Result<std::vector<std::string>> listed = ListParquetFiles(pattern);
    if (!listed) return listed.error();
    for (std::string& path : *listed) {
      ScanFile file;
      file.path = std::move(path);
      files.push_back(std::move(file));
    }
  }
  if (const Status status = OpenScan(std::move(files)); !status.ok()) return status;
  if (const Status status = PrintAll(); !status.ok()) {
    progress_->Clear();
    // What was read before the error is shown before it.
    (void)WriteOutput(text_);
    return status;
  }
  progress_->Clear();
  if (const Status status = WriteOutput(text_); !status.ok()) return status;
  if (options_.stats) PrintStats();
  return Status::Ok();
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

void Cat::PrintStats() const {
  const ScanCounters& counters = scan_->counters();
  const parquet::ReadCounters& data = counters.data;
  WriteMessage(fmt::format(
      "files {}\nfiles pruned {}\nrow groups {}\nrow groups pruned {}\nrow groups proven {}\n"
      "rows considered {}\nrows pruned by row group {}\nrows pruned by page {}\n"
      "rows filtered {}\nrows rejected {}\nrows not reached {}\nrows {}\n"
      "metadata bytes {}\nbytes requested {}\nbytes fetched {}\nbytes decompressed {}\n"
      "bytes delivered {}\npages read {}\npages skipped {}\npages verified {}\n"
      "values decoded {}\nvalues skipped {}\n",
      counters.files_considered, counters.files_pruned, counters.row_groups_considered,
      counters.row_groups_pruned, counters.row_groups_proven, counters.rows_considered,
      counters.rows_pruned_by_row_group, counters.rows_pruned_by_page, counters.rows_filtered,
      counters.rows_rejected, counters.rows_not_reached, rows_, counters.metadata_bytes,
      data.bytes_requested, data.bytes_fetched, data.bytes_decompressed, counters.result_bytes,
      data.pages_read, data.pages_skipped, data.pages_verified, data.values_decoded,
      data.values_skipped));
}

}  // namespace

namespace {

/// A flag that switches an option off.
void AddSwitch(CLI::App* command, const char* name, bool* option, const char* help) {
  command->add_flag_callback(
      name, [option] { *option = false; }, help);
}

void AddSwitches(CLI::App* cat, ScanOptions& scan) {
  AddSwitch(cat, "--no-bloom-filters", &scan.use_bloom_filters, "Do not look into bloom filters.");
  AddSwitch(cat, "--no-checksums", &scan.read.verify_checksums,
            "Do not verify the checksums of pages.");
  AddSwitch(cat, "--no-file-statistics", &scan.use_file_statistics,
            "Do not leave out files by what is known before they are opened.");
  AddSwitch(cat, "--no-filters", &scan.use_filters,
            "Evaluate the whole predicate on decoded rows.");
  AddSwitch(cat, "--no-filter-order", &scan.read.reorder_filters,
            "Run filters in the order of the predicate.");
  AddSwitch(cat, "--no-late-materialization", &scan.late_materialization,
            "Decode all columns before the predicate is evaluated.");
  AddSwitch(cat, "--no-offset-index", &scan.read.use_offset_index, "Do not use the offset index.");
  AddSwitch(cat, "--no-page-index", &scan.use_page_index,
            "Do not leave out pages by the column index.");
  AddSwitch(cat, "--no-partial-footer", &scan.partial_footer,
            "Read the whole footer, not only what the columns need.");
  AddSwitch(cat, "--no-dictionary-pruning", &scan.read.prune_by_dictionary,
            "Do not leave out chunks by their dictionaries.");
  AddSwitch(cat, "--no-page-statistics", &scan.read.use_page_statistics,
            "Do not leave out pages by the statistics in their headers.");
  AddSwitch(cat, "--no-select-encoded", &scan.read.select_encoded,
            "Decode whole pages, then select.");
  AddSwitch(cat, "--no-skip-pages", &scan.read.skip_pages,
            "Decode also pages of which no row is wanted.");
  AddSwitch(cat, "--no-statistics", &scan.use_statistics,
            "Do not leave out row groups by their statistics.");
  AddSwitch(cat, "--no-stream-pages", &scan.read.stream_pages, "Decompress whole pages.");
}

constexpr const char* kColumnsHelp =
    "Columns by path, in this order (default: all): a,b.c is the column a, and of the struct b the "
    "field c. A name with dots or commas stands in double quotes, in which \"\" is a quote; the "
    "shell "
    "wants quotes of its own around: '\"a.b\".c'. Paths do not go into lists and maps.";
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
  cat->add_option("FILE", options->files, "Files, directories (*.parquet below them), or patterns.")
      ->required();
  cat->add_option("--columns", options->columns, kColumnsHelp);
  cat->add_option("--where", options->where,
                  "Print the rows for which this is true, for example \"a >= 3 and b like 'x%'\".");
  cat->add_option("--limit", options->limit, "Print at most this many rows.")
      ->check(WholeNumber(0));
  std::vector<std::string> names;
  for (const auto& [name, format] : kFormats) names.push_back(name);
  cat->add_option("--format", options->format, kFormatHelp)->check(CLI::IsMember(names));
  cat->add_flag("--count", options->count,
                "Print the number of rows only; without --where it reads no data.");
  cat->add_flag("--stats", options->stats, "Print what was read and skipped to standard error.");
  cat->add_option(
         "--threads", options->scan.threads,
         "Row groups to read at once (default 1). The rows are the same, in the same order.")
      ->check(WholeNumber(1, INT32_MAX));
  parquet::ReadOptions& read = options->scan.read;
  cat->add_option("--batch-rows", read.batch_rows, "Rows that are read at once.")
      ->check(WholeNumber(1));
  cat->add_flag("--ignore-case", options->scan.ignore_case,
                "Names in --where match in any case where none matches exactly.");
  cat->add_flag("--mmap", options->scan.open.memory_map,
                "Map files into memory instead of reading them.");
  cat->add_flag("--read-everything", read.read_everything,
                "Read and check every page of what is read at all, also where no row of it is "
                "wanted.");
  cat->add_flag("--dictionaries", read.deliver_dictionaries,
                "Deliver columns as dictionaries where they are stored so; the rows are the same.");
  AddSwitches(cat, options->scan);
  cat->callback([options, &run] {
    run = [options] {
      const Status status = Cat(*options).Run();
      return status.ok() ? 0 : Fail(status);
    };
  });
}

}  // namespace sluice::tools
