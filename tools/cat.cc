#include <fmt/format.h>
#include <sluice/list_files.h>
#include <sluice/parquet/reader.h>
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
  std::optional<int64_t> limit;
  std::string format = "table";
  bool count = false;
  bool stats = false;
  bool memory_map = false;
  bool no_checksums = false;
  bool no_offset_index = false;
  bool no_partial_footer = false;
  bool no_select_encoded = false;
  bool no_skip_pages = false;
  bool no_stream_pages = false;
  int threads = 1;
  parquet::ReadOptions read;
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
  Status CatFile(const std::string& path, const std::vector<parquet::ColumnPath>& paths);
  Status CatRowGroup(const FileReader& reader, int32_t row_group, const Projection& projection);
  Status BeginFile(const std::shared_ptr<const Schema>& schema);
  Status Print(const Batch& batch);
  /// Says, once a name, that several columns have it.
  void NoteNames(const Schema& schema, const std::vector<parquet::ColumnPath>& paths,
                 const std::string& file);
  void PrintStats() const;

  const CatOptions& options_;
  std::optional<TextFormat> format_;
  std::shared_ptr<const Schema> schema_;
  std::optional<TextWriter> writer_;
  std::string text_;
  int64_t left_;
  int64_t rows_ = 0;
  int64_t files_ = 0;
  int64_t row_groups_ = 0;
  parquet::ReadCounters counters_;
  std::optional<Progress> progress_;
  std::set<std::string> noted_names_;
};

/// What of a footer the columns need.
parquet::FooterOptions FooterFor(const CatOptions& options,
                                 const std::vector<parquet::ColumnPath>& paths) {
  parquet::FooterOptions footer;
  if (options.no_partial_footer) return footer;
  footer.statistics = false;
  if (!options.columns && !options.count) return footer;
  footer.columns.emplace();
  for (const parquet::ColumnPath& path : paths) footer.columns->push_back(path.front());
  return footer;
}

bool HaveSameNames(const Schema& a, const Schema& b) {
  return std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                    [](const Field& x, const Field& y) { return x.name == y.name; });
}

/// Adds to the error of a column that is not there what may have been meant.
Status Explain(const Status& error, const Schema& schema,
               const std::vector<parquet::ColumnPath>& paths) {
  for (const parquet::ColumnPath& path : paths) {
    if (path.size() < 2) continue;
    const std::string joined = fmt::format("{}", fmt::join(path, "."));
    for (const Field& field : schema.fields) {
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
  std::vector<parquet::ColumnPath> paths;
  if (options_.columns) {
    if (options_.columns->empty()) return Status::InvalidArgument("--columns names no column");
    Result<std::vector<std::vector<std::string>>> parsed = ParseColumnPaths(*options_.columns);
    if (!parsed) return parsed.error();
    paths = *std::move(parsed);
  }
  std::vector<std::string> files;
  for (const std::string& pattern : options_.files) {
    Result<std::vector<std::string>> listed = ListParquetFiles(pattern);
    if (!listed) return listed.error();
    std::move(listed->begin(), listed->end(), std::back_inserter(files));
  }
  for (const std::string& file : files) {
    if (const Status status = CatFile(file, paths); !status.ok()) {
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

Status Cat::CatFile(const std::string& path, const std::vector<parquet::ColumnPath>& paths) {
  Result<std::shared_ptr<RandomAccessFile>> file =
      OpenLocalFile(path, {.memory_map = options_.memory_map});
  if (!file) return file.error();
  const Result<std::shared_ptr<FileReader>> reader =
      FileReader::Open(*file, options_.read, FooterFor(options_, paths));
  if (!reader) return reader.error();
  ++files_;
  if (options_.count) progress_->Report(files_, "files");
  const Result<Projection> projection = options_.columns ? Projection::Of((*reader)->tree(), paths)
                                                         : Projection::All((*reader)->tree());
  if (!projection)
    return Explain(projection.error(), *(*reader)->schema(), paths).In(FilePlace(path));
  NoteNames(*(*reader)->schema(), paths, path);
  if (options_.count) {
    const int64_t rows = std::min(left_, (*reader)->num_rows());
    rows_ += rows;
    left_ -= rows;
    return Status::Ok();
  }
  if (const Status status = BeginFile(projection->schema()); !status.ok()) {
    return status.In(FilePlace(path));
  }
  for (int32_t i = 0; i < (*reader)->num_row_groups() && left_ > 0; ++i) {
    if (const Status status = CatRowGroup(**reader, i, *projection); !status.ok()) return status;
  }
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

Status Cat::CatRowGroup(const FileReader& reader, int32_t row_group, const Projection& projection) {
  const int64_t rows = reader.metadata()->row_groups[static_cast<size_t>(row_group)].num_rows;
  std::optional<RowSelection> selection;
  if (rows > left_) selection = RowSelection::All(left_);
  auto cursor = reader.RowGroup(row_group, projection, std::move(selection));
  if (!cursor) return cursor.error();
  ++row_groups_;
  while (true) {
    Result<std::optional<parquet::RowGroupBatch>> batch = (*cursor)->Next();
    if (!batch) return batch.error();
    if (!batch->has_value()) break;
    if (const Status status = Print((*batch)->batch); !status.ok()) return status;
  }
  const parquet::ReadCounters& counters = (*cursor)->counters();
  counters_.bytes_requested += counters.bytes_requested;
  counters_.pages_read += counters.pages_read;
  counters_.pages_skipped += counters.pages_skipped;
  counters_.pages_verified += counters.pages_verified;
  counters_.bytes_decompressed += counters.bytes_decompressed;
  counters_.values_decoded += counters.values_decoded;
  counters_.values_skipped += counters.values_skipped;
  return Status::Ok();
}

Status Cat::Print(const Batch& batch) {
  rows_ += batch.num_rows;
  left_ -= batch.num_rows;
  progress_->Report(rows_, "rows");
  if (!format_) return Status::Ok();
  const int64_t step = format_ == TextFormat::kTable ? kTableRows : 64;
  for (int64_t begin = 0; begin < batch.num_rows; begin += step) {
    writer_->AppendRows(batch, begin, std::min(begin + step, batch.num_rows), text_);
    if (text_.size() < kFlushBytes) continue;
    if (const Status status = WriteOutput(text_); !status.ok()) return status;
    text_.clear();
  }
  return Status::Ok();
}

void Cat::NoteNames(const Schema& schema, const std::vector<parquet::ColumnPath>& paths,
                    const std::string& file) {
  for (const parquet::ColumnPath& path : paths) {
    const auto count =
        std::count_if(schema.fields.begin(), schema.fields.end(),
                      [&](const Field& field) { return field.name == path.front(); });
    if (count < 2 || !noted_names_.insert(path.front()).second) continue;
    progress_->Clear();
    WriteMessage(fmt::format("sluice: note: {}: {} columns are named '{}'; the first is read\n",
                             FilePlace(file), count, path.front()));
  }
}

void Cat::PrintStats() const {
  WriteMessage(
      fmt::format("files {}\nrow groups {}\nrows {}\nbytes requested {}\nbytes decompressed {}\n"
                  "pages read {}\npages skipped {}\npages verified {}\nvalues decoded {}\n"
                  "values skipped {}\n",
                  files_, row_groups_, rows_, counters_.bytes_requested,
                  counters_.bytes_decompressed, counters_.pages_read, counters_.pages_skipped,
                  counters_.pages_verified, counters_.values_decoded, counters_.values_skipped));
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
  cat->add_option("--limit", options->limit, "Print at most this many rows.")
      ->check(WholeNumber(0));
  std::vector<std::string> names;
  for (const auto& [name, format] : kFormats) names.push_back(name);
  cat->add_option("--format", options->format, kFormatHelp)->check(CLI::IsMember(names));
  cat->add_flag("--count", options->count, "Print the number of rows only; reads no data.");
  cat->add_flag("--stats", options->stats, "Print what was read and skipped to standard error.");
  cat->add_option("--threads", options->threads,
                  "Threads to use at most; this version reads with one.")
      ->check(WholeNumber(1, INT32_MAX));
  cat->add_option("--batch-rows", options->read.batch_rows, "Rows that are read at once.")
      ->check(WholeNumber(1));
  cat->add_flag("--mmap", options->memory_map, "Map files into memory instead of reading them.");
  cat->add_flag("--no-checksums", options->no_checksums, "Do not verify the checksums of pages.");
  cat->add_flag("--no-offset-index", options->no_offset_index, "Do not use the offset index.");
  cat->add_flag("--no-partial-footer", options->no_partial_footer,
                "Read the whole footer, not only what the columns need.");
  cat->add_flag("--no-select-encoded", options->no_select_encoded,
                "Decode whole pages, then select.");
  cat->add_flag("--no-skip-pages", options->no_skip_pages,
                "Decode also pages of which no row is wanted.");
  cat->add_flag("--no-stream-pages", options->no_stream_pages, "Decompress whole pages.");
  cat->add_flag("--read-everything", options->read.read_everything,
                "Read and check every page of the columns, also where no row of it is wanted.");
  cat->add_flag("--dictionaries", options->read.deliver_dictionaries,
                "Deliver columns as dictionaries where they are stored so; the rows are the same.");
  cat->callback([options, &run] {
    run = [options] {
      options->read.verify_checksums = !options->no_checksums;
      options->read.use_offset_index = !options->no_offset_index;
      options->read.select_encoded = !options->no_select_encoded;
      options->read.skip_pages = !options->no_skip_pages;
      options->read.stream_pages = !options->no_stream_pages;
      const Status status = Cat(*options).Run();
      return status.ok() ? 0 : Fail(status);
    };
  });
}

}  // namespace sluice::tools
