#include "tests/support/file_reading.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sluice/text.h>

#include <random>

#include "format/model/try.h"
#include "tests/support/padded_buffer.h"

namespace sluice::support {
namespace {

using parquet::FileReader;
using parquet::Projection;
using parquet::RowGroupBatch;

Status CheckBatch(const RowGroupBatch& read, const RowSelection& selection, int64_t end_before,
                  const Reading& reading) {
  const Batch& batch = read.batch;
  if (read.rows.begin < end_before) return Status::Internal("batches overlap");
  if (batch.num_rows != selection.CountIn(read.rows)) {
    return Status::Internal(fmt::format("batch of {} rows for a selection of {}", batch.num_rows,
                                        selection.CountIn(read.rows)));
  }
  if (batch.num_rows > reading.options.batch_rows) return Status::Internal("batch is too large");
  for (const Column& column : batch.columns) {
    if (column.length != batch.num_rows) return Status::Internal("column has another length");
    SLUICE_RETURN_IF_ERROR(ValidateColumn(column));
  }
  return Status::Ok();
}

Status ReadRowGroup(const FileReader& reader, int32_t row_group, const Projection& projection,
                    const RowSelection& selection, const Reading& reading,
                    std::vector<std::string>& rows) {
  SLUICE_TRY(const auto cursor, reader.RowGroup(row_group, projection, selection));
  int64_t end = 0;
  int64_t delivered = 0;
  while (true) {
    SLUICE_TRY(const auto batch, cursor->Next());
    if (!batch) break;
    SLUICE_RETURN_IF_ERROR(CheckBatch(*batch, selection, end, reading));
    end = batch->rows.end;
    delivered += batch->batch.num_rows;
    AppendLines(batch->batch, rows);
  }
  return delivered == selection.count() ? Status::Ok() : Status::Internal("rows are missing");
}

Reading Way(std::string name, int64_t batch_rows) {
  Reading way;
  way.name = std::move(name);
  way.options.batch_rows = batch_rows;
  return way;
}

}  // namespace

std::shared_ptr<RandomAccessFile> MemoryFileOf(std::string_view bytes, std::string name) {
  return MakeMemoryFile(std::move(name), PaddedBuffer(bytes));
}

Result<std::shared_ptr<FileReader>> OpenBytes(std::string_view bytes,
                                              const parquet::ReadOptions& options) {
  return FileReader::Open(MemoryFileOf(bytes), options);
}

Result<int64_t> ReadOn(parquet::RowGroupCursor& cursor,
                       const std::function<void(const RowGroupBatch&)>& visit) {
  int64_t rows = 0;
  while (true) {
    SLUICE_TRY(const auto batch, cursor.Next());
    if (!batch) return rows;
    rows += batch->batch.num_rows;
    if (visit) visit(*batch);
  }
}

void AppendLines(const Batch& batch, std::vector<std::string>& lines) {
  for (int64_t row = 0; row < batch.num_rows; ++row) {
    std::string& line = lines.emplace_back("[");
    for (size_t i = 0; i < batch.columns.size(); ++i) {
      if (i > 0) line.push_back(',');
      AppendCanonical(batch.columns[i], row, line);
    }
    line.push_back(']');
  }
}

Result<std::vector<std::string>> ReadRows(const std::shared_ptr<RandomAccessFile>& file,
                                          const Reading& reading) {
  SLUICE_TRY(const auto reader, FileReader::Open(file, reading.options, reading.footer));
  Projection projection = Projection::All(reader->tree());
  if (!reading.paths.empty()) {
    SLUICE_TRY(projection, Projection::Of(reader->tree(), reading.paths));
  }
  std::vector<std::string> rows;
  int64_t first_row = 0;
  for (int32_t i = 0; i < reader->num_row_groups(); ++i) {
    const int64_t num_rows = reader->metadata()->row_groups[static_cast<size_t>(i)].num_rows;
    const RowSelection selection =
        reading.select ? reading.select(first_row, num_rows) : RowSelection::All(num_rows);
    SLUICE_RETURN_IF_ERROR(ReadRowGroup(*reader, i, projection, selection, reading, rows));
    first_row += num_rows;
  }
  return rows;
}

Result<std::vector<std::string>> ReadRows(std::string_view bytes, const Reading& reading) {
  return ReadRows(MemoryFileOf(bytes), reading);
}

std::vector<Reading> WaysToRead() {
  std::vector<Reading> ways = {Way("batches of 1", 1), Way("batches of 7", 7), Reading()};
  const auto add = [&](std::string name, int64_t batch_rows) -> parquet::ReadOptions& {
    return ways.emplace_back(Way(std::move(name), batch_rows)).options;
  };
  add("dictionaries delivered", 7).deliver_dictionaries = true;
  add("everything read", 7).read_everything = true;
  add("no offset index", 7).use_offset_index = false;
  add("no encoded selection", 7).select_encoded = false;
  add("no page streaming", 7).stream_pages = false;
  add("batches of few bytes", 1000).batch_bytes = 200;
  add("small requests", 7).read_window_bytes = 64;
  ways.back().options.read_gap_bytes = 0;
  return ways;
}

RowSelection RandomSelection(uint64_t seed, int32_t percent, int32_t stretch, int64_t first_row,
                             int64_t num_rows, std::vector<int64_t>& positions) {
  std::mt19937_64 random(seed * 1'000'003 + static_cast<uint64_t>(first_row));
  std::vector<uint64_t> words(static_cast<size_t>(BitmapWords(num_rows)) + 1, 0);
  bool is_chosen = false;
  for (int64_t row = 0; row < num_rows; ++row) {
    if (row == 0 || random() % static_cast<uint64_t>(stretch) == 0) {
      is_chosen = random() % 100 < static_cast<uint64_t>(percent);
    }
    if (!is_chosen) continue;
    SetBit(words.data(), row);
    positions.push_back(first_row + row);
  }
  return RowSelection::FromBitmap(std::move(words), num_rows);
}

void ExpectRows(std::string_view bytes, const std::vector<std::string>& expected,
                int32_t selections, const std::vector<Reading>& ways) {
  constexpr int32_t kPercents[] = {50, 5, 95, 20};
  constexpr int32_t kStretches[] = {1, 3, 40};
  for (const Reading& way : ways) {
    const auto rows = ReadRows(bytes, way);
    ASSERT_TRUE(rows) << way.name << ": " << rows.error().ToString();
    ASSERT_EQ(*rows, expected) << way.name;
    for (int32_t i = 0; i < selections; ++i) {
      std::vector<int64_t> positions;
      Reading selecting = way;
      selecting.select = [&](int64_t first_row, int64_t num_rows) {
        return RandomSelection(static_cast<uint64_t>(i), kPercents[i % 4], kStretches[i % 3],
                               first_row, num_rows, positions);
      };
      const auto selected = ReadRows(bytes, selecting);
      ASSERT_TRUE(selected) << way.name << ", selection " << i << ": "
                            << selected.error().ToString();
      std::vector<std::string> kept;
      for (const int64_t position : positions) {
        kept.push_back(expected[static_cast<size_t>(position)]);
      }
      ASSERT_EQ(*selected, kept) << way.name << ", selection " << i;
    }
  }
}

void ExpectError(std::string_view bytes, StatusCode code, const std::vector<std::string>& parts,
                 const std::vector<Reading>& ways) {
  for (const Reading& way : ways) {
    const auto rows = ReadRows(bytes, way);
    ASSERT_FALSE(rows) << way.name << ": read " << rows->size() << " rows";
    const Status& error = rows.error();
    EXPECT_EQ(error.code(), code) << way.name << ": " << error.ToString();
    EXPECT_NE(error.message().find(kFileName), std::string::npos)
        << way.name << ": " << error.ToString();
    for (const std::string& part : parts) {
      EXPECT_NE(error.message().find(part), std::string::npos)
          << way.name << ": no \"" << part << "\" in: " << error.ToString();
    }
  }
}

}  // namespace sluice::support
