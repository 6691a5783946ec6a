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

using parquet::FileReader;
using parquet::Projection;

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
  bool memory_map = false;
  int threads = 1;
  ScanOptions scan;
};

/// Prints the rows of files one after the other.
class Cat {
 public:
  explicit Cat(const CatOptions& options)
      : options_(options),
        format_(kFormats.at(options.format)),
        left_(options.limit.value_or(INT64_MAX)) {}

  Status Run();

 private:
  Status CatFile(const std::string& path);
  Status CountFile(const std::shared_ptr<RandomAccessFile>& file);
  Status Explain(const Status& error, const std::shared_ptr<RandomAccessFile>& file) const;
  Status BeginFile(const std::shared_ptr<const Schema>& schema);
  Status Print(const Batch& batch);
  /// Says, once a name, that several columns have it.
  void NoteNames(const Schema& schema, const std::string& file);
  void AddCounters(const ScanCounters& counters);
  void PrintStats() const;

  const CatOptions& options_;
  std::optional<TextFormat> format_;
  std::shared_ptr<const Schema> schema_;
  std::optional<TextWriter> writer_;
  std::string text_;
  int64_t left_;
  int64_t rows_ = 0;
  int64_t files_ = 0;
  ScanRequest request_;
  ScanCounters counters_;
  std::optional<Progress> progress_;
  std::set<std::string> noted_names_;
};

bool HaveSameNames(const Schema& a, const Schema& b) {
  return std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                    [](const Field& x, const Field& y) { return x.name == y.name; });
}

/// Adds to the error of a column that is not there what may have been meant.
Status Cat::Explain(const Status& error, const std::shared_ptr<RandomAccessFile>& file) const {
  if (error.code() != StatusCode::kNotFound || !request_.columns) return error;
  const auto reader = FileReader::Open(file, options_.scan.read);
  if (!reader) return error;
  for (const parquet::ColumnPath& path : *request_.columns) {
    if (path.size() < 2) continue;
    const std::string joined = fmt::format("{}", fmt::join(path, "."));
    for (const Field& field : (*reader)->schema()->fields) {
      if (field.name != joined) continue;
      return Status(error.code(),
                    fmt::format("{} (the column of that name is written \"{}\", in double quotes)",
                                error.message(), joined));
    }
  }
  return error;
}

Status Cat::Run() {
  progress_.emplace(format_.has_value() && !options_.count);
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
  std::vector<std::string> files;
  for (const std::string& pattern : options_.files) {
    Result<std::vector<std::string>> listed = ListParquetFiles(pattern);
    if (!listed) return listed.error();
    std::move(listed->begin(), listed->end(), std::back_inserter(files));
  }
  for (const std::string& file : files) {
    if (const Status status = CatFile(file); !status.ok()) {
      progress_->Clear();
      // What was read before the error is shown before it.
      (void)WriteOutput(text_);
      return status;
    }
    if (left_ == 0) break;
  }
  if (writer_) writer_->End(text_);
  if (options_.count) fmt::format_to(std::back_inserter(text_), "{}\n", rows_);
  progress_->Clear();
  if (const Status status = WriteOutput(text_); !status.ok()) return status;
  if (options_.stats) PrintStats();
  return Status::Ok();
}

Status Cat::CatFile(const std::string& path) {
  const Result<std::shared_ptr<RandomAccessFile>> file =
      OpenLocalFile(path, {.memory_map = options_.memory_map});
  if (!file) return file.error();
  ++files_;
  if (options_.count) progress_->Report(files_, "files");
  if (options_.count && !request_.where) return CountFile(*file);
  ScanRequest request = request_;
  request.limit = left_;
  if (options_.count) request.columns.emplace();
  const auto scan = FileScan::Open(*file, request, options_.scan);
  if (!scan) return Explain(scan.error(), *file);
  if (options_.count && request_.columns) {
    const auto projection = Projection::Of((*scan)->reader().tree(), *request_.columns);
    if (!projection) return Explain(projection.error().In(FilePlace(path)), *file);
  }
  NoteNames(*(*scan)->reader().schema(), path);
  if (!options_.count) {
    if (const Status status = BeginFile((*scan)->schema()); !status.ok())
      return status.In(FilePlace(path));
  }
  for (;;) {
    Result<std::optional<ScanBatch>> batch = (*scan)->Next();
    if (!batch) return batch.error();
    if (!batch->has_value()) break;
    if (const Status status = Print((*batch)->batch); !status.ok()) return status;
  }
  AddCounters((*scan)->counters());
  return Status::Ok();
}

/// The footer alone says how many rows there are.
Status Cat::CountFile(const std::shared_ptr<RandomAccessFile>& file) {
  parquet::FooterOptions footer;
  footer.statistics = false;
  footer.columns.emplace();
  const auto reader = FileReader::Open(file, options_.scan.read, footer);
  if (!reader) return reader.error();
  if (request_.columns) {
    const auto projection = Projection::Of((*reader)->tree(), *request_.columns);
    if (!projection) return Explain(projection.error().In(FilePlace(file->name())), file);
  }
  const int64_t rows = std::min(left_, (*reader)->num_rows());
  rows_ += rows;
  left_ -= rows;
  return Status::Ok();
}

Status Cat::BeginFile(const std::shared_ptr<const Schema>& schema) {
  if (!format_) return Status::Ok();
  const bool is_same = schema_ != nullptr && HaveSameNames(*schema_, *schema);
  if (is_same && format_ == TextFormat::kCsv) return Status::Ok();
  if (schema_ != nullptr && !is_same && format_ == TextFormat::kCsv) {
    return Status(StatusCode::kUnsupported, "csv: columns are not those of the files before");
  }
  if (is_same && *schema_ == *schema) return Status::Ok();
  if (writer_) writer_->End(text_);
  schema_ = schema;
  writer_.emplace(schema, *format_);
  writer_->Begin(text_);
  return Status::Ok();
}

Status Cat::Print(const Batch& batch) {
  rows_ += batch.num_rows;
  left_ -= batch.num_rows;
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

void Cat::NoteNames(const Schema& schema, const std::string& file) {
  if (!request_.columns) return;
  for (const parquet::ColumnPath& path : *request_.columns) {
    const auto count =
        std::count_if(schema.fields.begin(), schema.fields.end(),
                      [&](const Field& field) { return field.name == path.front(); });
    if (count < 2 || !noted_names_.insert(path.front()).second) continue;
    progress_->Clear();
    WriteMessage(fmt::format("sluice: note: {}: {} columns are named '{}'; the first is read\n",
                             FilePlace(file), count, path.front()));
  }
}

void Cat::AddCounters(const ScanCounters& counters) {
  counters_.row_groups_considered += counters.row_groups_considered;
  counters_.row_groups_pruned += counters.row_groups_pruned;
  counters_.row_groups_proven += counters.row_groups_proven;
  counters_.rows_considered += counters.rows_considered;
  counters_.rows_pruned_by_row_group += counters.rows_pruned_by_row_group;
  counters_.rows_pruned_by_page += counters.rows_pruned_by_page;
  counters_.rows_filtered += counters.rows_filtered;
  counters_.rows_rejected += counters.rows_rejected;
  counters_.rows_not_reached += counters.rows_not_reached;
  counters_.metadata_bytes += counters.metadata_bytes;
  counters_.data += counters.data;
}

void Cat::PrintStats() const {
  const parquet::ReadCounters& data = counters_.data;
  WriteMessage(fmt::format(
      "files {}\nrow groups {}\nrow groups pruned {}\nrow groups proven {}\n"
      "rows considered {}\nrows pruned by row group {}\nrows pruned by page {}\n"
      "rows filtered {}\nrows rejected {}\nrows not reached {}\nrows {}\n"
      "metadata bytes {}\nbytes requested {}\nbytes decompressed {}\n"
      "pages read {}\npages skipped {}\npages verified {}\nvalues decoded {}\n"
      "values skipped {}\n",
      files_, counters_.row_groups_considered, counters_.row_groups_pruned,
      counters_.row_groups_proven, counters_.rows_considered, counters_.rows_pruned_by_row_group,
      counters_.rows_pruned_by_page, counters_.rows_filtered, counters_.rows_rejected,
      counters_.rows_not_reached, rows_, counters_.metadata_bytes, data.bytes_requested,
      data.bytes_decompressed, data.pages_read, data.pages_skipped, data.pages_verified,
      data.values_decoded, data.values_skipped));
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
  cat->add_option("--threads", options->threads,
                  "Threads to use at most; this version reads with one.")
      ->check(WholeNumber(1, INT32_MAX));
  parquet::ReadOptions& read = options->scan.read;
  cat->add_option("--batch-rows", read.batch_rows, "Rows that are read at once.")
      ->check(WholeNumber(1));
  cat->add_flag("--ignore-case", options->scan.ignore_case,
                "Names in --where match in any case where none matches exactly.");
  cat->add_flag("--mmap", options->memory_map, "Map files into memory instead of reading them.");
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
