// Reads damaged copies of the corpus: each must give rows or one typed error, within its time and
// memory, and never a crash. A program of its own, since a sanitizer's report ends it:
//
//   read_damaged [MUTATIONS A FILE] [FILE [MUTATION]]
//
// 50 a file by default, 500 where SLUICE_LONG is set. The last two repeat what a failure names.

#include <sluice/parquet/reader.h>
#include <sluice/text.h>

#include "format/model/try.h"
#include "tests/mutation/damaged_files.h"
#include "tests/support/file_reading.h"

namespace sluice::support {
namespace {

constexpr int64_t kBudget = int64_t{1} << 30;
/// A damaged count may claim rows without end; that so many came is enough.
constexpr int64_t kMostRows = 1'000'000;

Status ReadRowGroup(const parquet::FileReader& reader, int32_t row_group, uint64_t seed,
                    int64_t& rows) {
  const int64_t num_rows = reader.metadata()->row_groups[static_cast<size_t>(row_group)].num_rows;
  std::optional<RowSelection> selection;
  if (seed % 3 == 0 && num_rows < kMostRows) {
    std::vector<int64_t> positions;
    selection = RandomSelection(seed, 40, 20, 0, num_rows, positions);
  }
  SLUICE_TRY(const auto cursor,
             reader.RowGroup(row_group, parquet::Projection::All(reader.tree()), selection));
  while (rows < kMostRows) {
    SLUICE_TRY(const auto batch, cursor->Next());
    if (!batch) break;
    rows += batch->batch.num_rows;
    std::string text;
    for (const Column& column : batch->batch.columns) {
      SLUICE_RETURN_IF_ERROR(ValidateColumn(column));
      for (int64_t row = 0; row < std::min<int64_t>(column.length, 50); ++row) {
        AppendCanonical(column, row, text);
      }
    }
  }
  return Status::Ok();
}

Status ReadEverything(const std::string& bytes, uint64_t seed) {
  parquet::ReadOptions options;
  options.pool = BufferPool::Make(kBudget);
  options.batch_rows = seed % 2 == 0 ? 16384 : 97;
  options.deliver_dictionaries = seed / 2 % 2 == 0;
  options.verify_checksums = seed / 4 % 4 == 0;
  options.select_encoded = seed / 16 % 2 == 0;
  options.stream_pages = seed / 32 % 2 == 0;
  options.use_offset_index = seed / 64 % 4 != 0;
  SLUICE_TRY(const auto reader, OpenBytes(bytes, options));
  int64_t rows = 0;
  for (int32_t i = 0; i < reader->num_row_groups() && rows < kMostRows; ++i) {
    SLUICE_RETURN_IF_ERROR(ReadRowGroup(*reader, i, seed, rows));
  }
  return Status::Ok();
}

std::string ReadOne(const std::string& bytes, uint64_t seed,
                    std::map<StatusCode, int64_t>& outcomes) {
  const Status status = ReadEverything(bytes, seed);
  ++outcomes[status.code()];
  const bool is_wrong =
      status.code() == StatusCode::kInternal || status.code() == StatusCode::kInvalidArgument;
  return is_wrong ? status.ToString() : "";
}

}  // namespace
}  // namespace sluice::support

int main(int argc, char** argv) {
  using namespace sluice::support;
  return RunOnDamagedFiles(argc, argv, {.usual = 50, .many = 500}, ReadOne);
}
