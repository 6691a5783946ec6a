#include "tests/support/scanning.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sluice/bitmap.h>
#include <sluice/optimizations.h>
#include <sluice/text.h>

#include <algorithm>
#include <set>
#include <utility>

#include "format/model/try.h"
#include "tests/support/file_reading.h"
#include "tests/support/leaf_rows.h"
#include "tests/support/reference_reader.h"
#include "tests/support/sanitizer.h"

namespace sluice::support {
namespace {

using Lines = std::vector<std::string>;

ScanWay AllOffInBatchesOf(int64_t batch_rows) {
  ScanWay way{fmt::format("all off, batches of {}", batch_rows)};
  way.options.read.batch_rows = batch_rows;
  for (const Optimization& one : Optimizations()) one.option(way.options) = false;
  return way;
}

Status AppendRows(const ScanBatch& got, const ScanOptions& options, Scanned& scanned) {
  const int64_t num_rows = got.batch.num_rows;
  if (num_rows <= 0) return Status::Internal("a batch without rows");
  if (num_rows > options.read.batch_rows && !got.batch.columns.empty()) {
    return Status::Internal("a batch is too large");
  }
  if (!scanned.positions.empty() && got.rows.begin <= scanned.positions.back()) {
    return Status::Internal("batches overlap");
  }
  for (const Column& column : got.batch.columns) {
    if (column.length != num_rows) return Status::Internal("a column has another length");
    SLUICE_RETURN_IF_ERROR(ValidateColumn(column));
  }
  int64_t row = 0;
  for (int64_t at = got.rows.begin; at < got.rows.end; ++at) {
    if (!got.selected.empty() && !GetBit(got.selected.data(), at - got.rows.begin)) continue;
    if (row == num_rows) return Status::Internal("a batch has more positions than rows");
    scanned.positions.push_back(at);
    std::string& line = scanned.rows.emplace_back("[");
    for (const Column& column : got.batch.columns) {
      if (line.size() > 1) line.push_back(',');
      AppendCanonical(column, row, line);
    }
    line.push_back(']');
    ++row;
  }
  return row == num_rows ? Status::Ok() : Status::Internal("a batch has more rows than positions");
}

Status Account(const ScanCounters& counters, Scanned& scanned) {
  const int64_t accounted = counters.rows_pruned_by_row_group + counters.rows_pruned_by_page +
                            counters.rows_filtered + counters.rows_rejected +
                            counters.rows_delivered + counters.rows_not_reached;
  if (accounted != counters.rows_considered) return Status::Internal("rows do not balance");
  if (!DoPagesBalance(counters)) return Status::Internal("pages do not balance");
  if (counters.rows_delivered != std::ssize(scanned.rows)) {
    return Status::Internal("other rows were counted than delivered");
  }
  for (const auto& [key, count] : counters.row_group_verdicts) {
    const auto& [outcome, source, reason] = key;
    scanned.verdicts[fmt::format("{} {} {}", OutcomeName(outcome), SourceName(source),
                                 ReasonName(reason))] = count;
  }
  scanned.row_groups_pruned = counters.row_groups_pruned;
  scanned.row_groups_proven = counters.row_groups_proven;
  scanned.rows_pruned_by_row_group = counters.rows_pruned_by_row_group;
  scanned.rows_pruned_by_page = counters.rows_pruned_by_page;
  scanned.rows_filtered = counters.rows_filtered;
  scanned.rows_rejected = counters.rows_rejected;
  scanned.rows_not_reached = counters.rows_not_reached;
  scanned.pages_read = counters.data.pages_read;
  scanned.pages_skipped = counters.data.pages_skipped;
  scanned.values_decoded = counters.data.values_decoded;
  scanned.bytes_requested = counters.data.bytes_requested;
  scanned.metadata_bytes = counters.metadata_bytes;
  return Status::Ok();
}

/// The parts of a canonical line, one a column.
Lines CellsOf(std::string_view line) {
  Lines cells;
  std::string cell;
  int depth = 0;
  bool is_in_text = false;
  for (size_t i = 1; i + 1 < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') is_in_text = !is_in_text;
    if (!is_in_text && (c == '[' || c == '{')) ++depth;
    if (!is_in_text && (c == ']' || c == '}')) --depth;
    if (!is_in_text && depth == 0 && c == ',') {
      cells.push_back(std::exchange(cell, {}));
      continue;
    }
    cell.push_back(c);
    if (is_in_text && c == '\\') cell.push_back(line[++i]);
  }
  if (line.size() > 2) cells.push_back(std::move(cell));
  return cells;
}

/// The top-level columns to deliver, as ordinals.
std::vector<std::vector<size_t>> ProjectionsOf(const Lines& names) {
  std::vector<size_t> all(names.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  std::vector<std::vector<size_t>> projections = {all, {}};
  if (std::set<std::string>(names.begin(), names.end()).size() < names.size()) return projections;
  if (all.size() < 2) return projections;
  for (const size_t column : all) projections.push_back({column});
  projections.emplace_back(all.rbegin(), all.rend());
  return projections;
}

void ExpectSame(const Result<Scanned>& scanned, const std::vector<int64_t>& positions,
                const Lines& rows, const std::string& how) {
  ASSERT_TRUE(scanned) << how << ": " << scanned.error().ToString();
  ASSERT_EQ(scanned->positions, positions) << how;
  ASSERT_EQ(scanned->rows, rows) << how;
}

/// The columns of some rows, for each way to scan.
void ExpectProjection(std::string_view bytes, ScanQuestion question,
                      const std::vector<size_t>& columns, const Lines& names,
                      const std::vector<int64_t>& positions, const Lines& lines,
                      const std::vector<ScanWay>& ways) {
  std::string how = fmt::format("{}, columns", question.where);
  question.columns.emplace();
  for (const size_t column : columns) {
    question.columns->push_back({names[column]});
    how += " " + names[column];
  }
  Lines rows;
  for (const int64_t position : positions) {
    const Lines cells = CellsOf(lines[static_cast<size_t>(position)]);
    ASSERT_EQ(cells.size(), names.size()) << lines[static_cast<size_t>(position)];
    std::string& row = rows.emplace_back("[");
    for (const size_t column : columns) row += (row.size() > 1 ? "," : "") + cells[column];
    row.push_back(']');
  }
  for (const ScanWay& way : ways) {
    ExpectSame(TryScanRows(bytes, question, way), positions, rows, how + ", " + way.name);
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// All on, all off, and a third of the others, another one each time: scans are slow under
/// sanitizers.
std::vector<ScanWay> SomeOf(const std::vector<ScanWay>& ways) {
  static size_t turn = 0;
  ++turn;
  std::vector<ScanWay> some = {ways[0], ways[1]};
  for (size_t i = 2; i < ways.size(); ++i) {
    if ((i + turn) % 3 == 0) some.push_back(ways[i]);
  }
  return some;
}

}  // namespace

bool DoPagesBalance(const ScanCounters& counters) {
  const PageCounters& pages = counters.pages;
  const int64_t left_out = pages.pruned_by_index + pages.pruned_by_header +
                           pages.pruned_by_dictionary + pages.deleted + pages.unwanted;
  return pages.considered == pages.read + left_out && pages.read == counters.data.pages_read &&
         left_out == counters.data.pages_skipped;
}

Result<Scanned> TryScanRows(const std::shared_ptr<RandomAccessFile>& file,
                            const ScanQuestion& question, const ScanWay& way) {
  ScanRequest request;
  request.columns = question.columns;
  request.limit = question.limit;
  if (!question.where.empty()) {
    SLUICE_TRY(request.where, ParseExpression(question.where));
    request.where_text = question.where;
  }
  ScanOptions options = way.options;
  options.ignore_case = question.ignore_case;
  options.zone_offset = question.zone_offset;
  ScanFile scanned_file;
  scanned_file.file = file;
  SLUICE_TRY(const auto scan, Scan::Open({scanned_file}, std::move(request), options));
  Scanned scanned;
  for (;;) {
    SLUICE_TRY(const auto batch, scan->Next());
    if (!batch) break;
    SLUICE_RETURN_IF_ERROR(AppendRows(*batch, options, scanned));
  }
  SLUICE_RETURN_IF_ERROR(Account(scan->counters(), scanned));
  return scanned;
}

Result<Scanned> TryScanRows(std::string_view bytes, const ScanQuestion& question,
                            const ScanWay& way) {
  return TryScanRows(MemoryFileOf(bytes), question, way);
}

Scanned ScanRows(std::string_view bytes, const ScanQuestion& question, const ScanWay& way) {
  const auto scanned = TryScanRows(bytes, question, way);
  EXPECT_TRUE(scanned) << question.where << ": " << scanned.status().ToString();
  return scanned ? *scanned : Scanned();
}

ScanWay AllOff() { return AllOffInBatchesOf(ScanOptions().read.batch_rows); }

std::vector<ScanWay> WaysToScan() {
  std::vector<ScanWay> ways = {ScanWay(), AllOff(), AllOffInBatchesOf(1), AllOffInBatchesOf(7)};
  const auto add = [&](std::string name, int64_t batch_rows) -> ScanOptions& {
    ScanOptions& options = ways.emplace_back(ScanWay{std::move(name)}).options;
    options.read.batch_rows = batch_rows;
    return options;
  };
  add("all on, batches of 1", 1);
  add("all on, batches of 7", 7);
  for (const Optimization& one : Optimizations()) {
    one.option(add(fmt::format("without {}", one.name), 7)) = false;
    one.option(ways.emplace_back(AllOffInBatchesOf(7)).options) = true;
    ways.back().name += fmt::format(", but {}", one.name);
  }
  add("everything read", 7).read.read_everything = true;
  add("dictionaries delivered", 7).read.deliver_dictionaries = true;
  add("batches of few bytes", 1000).read.batch_bytes = 200;
  ScanOptions& small = add("small requests", 7);
  small.read.read_window_bytes = 64;
  small.read.read_gap_bytes = 0;
  return kHasAddressSanitizer ? SomeOf(ways) : ways;
}

void ExpectScan(std::string_view bytes, const ScanQuestion& question,
                const std::vector<int64_t>& positions) {
  const auto lines = ReferenceRows(bytes);
  ASSERT_TRUE(lines) << lines.error().ToString();
  ExpectScan(bytes, question, positions, *lines);
}

void ExpectScan(std::string_view bytes, const ScanQuestion& question,
                const std::vector<int64_t>& positions, const Lines& lines,
                const std::vector<ScanWay>& ways) {
  Lines rows;
  for (const int64_t position : positions) rows.push_back(lines[static_cast<size_t>(position)]);
  for (const ScanWay& way : ways) {
    ExpectSame(TryScanRows(bytes, question, way), positions, rows,
               question.where + ", " + way.name);
    if (testing::Test::HasFatalFailure()) return;
  }
  if (question.columns || question.limit < INT64_MAX) return;
  ScanQuestion first_half = question;
  first_half.limit = std::ssize(positions) / 2;
  const auto half = static_cast<std::ptrdiff_t>(first_half.limit);
  for (const ScanWay& way : ways) {
    ExpectSame(TryScanRows(bytes, first_half, way), {positions.begin(), positions.begin() + half},
               {rows.begin(), rows.begin() + half},
               fmt::format("{} LIMIT {}, {}", question.where, half, way.name));
    if (testing::Test::HasFatalFailure()) return;
  }
  const auto reader = OpenBytes(bytes);
  ASSERT_TRUE(reader) << reader.error().ToString();
  Lines names;
  for (const Field& field : (*reader)->schema()->fields) names.push_back(field.name);
  for (const std::vector<size_t>& columns : ProjectionsOf(names)) {
    ExpectProjection(bytes, question, columns, names, positions, lines, ways);
    if (testing::Test::HasFatalFailure()) return;
  }
}

void ExpectScannedLines(std::string_view bytes, const ScanQuestion& question, const Lines& lines) {
  for (const ScanWay& way : WaysToScan()) {
    const auto scanned = TryScanRows(bytes, question, way);
    ASSERT_TRUE(scanned) << way.name << ": " << scanned.error().ToString();
    ASSERT_EQ(scanned->rows, lines) << question.where << ", " << way.name;
  }
}

void ExpectScanError(std::string_view bytes, const ScanQuestion& question, StatusCode code,
                     const std::vector<std::string>& parts, const std::vector<ScanWay>& ways) {
  for (const ScanWay& way : ways) {
    const auto scanned = TryScanRows(bytes, question, way);
    ASSERT_FALSE(scanned) << way.name << ": read " << scanned->rows.size() << " rows";
    const std::string text = scanned.error().ToString();
    EXPECT_EQ(scanned.error().code(), code) << way.name << ": " << text;
    EXPECT_NE(text.find(kFileName), std::string::npos) << way.name << ": " << text;
    for (const std::string& part : parts) {
      EXPECT_NE(text.find(part), std::string::npos)
          << way.name << ": no \"" << part << "\" in: " << text;
    }
  }
}

}  // namespace sluice::support
