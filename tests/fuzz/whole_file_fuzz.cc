// Whole files: | pattern | file |, read with the options that the pattern says.

#include <sluice/bitmap.h>
#include <sluice/text.h>

#include <algorithm>

#include "format/model/try.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/file_reading.h"

namespace sluice::support {
namespace {

constexpr int64_t kMostRows = 100'000;

Status Read(FuzzInput& in) {
  const uint8_t pattern = in.Byte();
  parquet::ReadOptions options;
  options.pool = BufferPool::Make(256 << 20);
  options.batch_rows = pattern % 2 == 0 ? 7 : 4096;
  options.deliver_dictionaries = pattern / 2 % 2 == 0;
  options.verify_checksums = pattern / 4 % 2 == 0;
  options.select_encoded = pattern / 8 % 2 == 0;
  options.stream_pages = pattern / 16 % 2 == 0;
  options.use_offset_index = pattern / 32 % 2 == 0;
  SLUICE_TRY(
      const auto reader,
      parquet::FileReader::Open(MakeMemoryFile(std::string(kFileName), in.RestBuffer()), options));
  int64_t rows = 0;
  for (int32_t i = 0; i < reader->num_row_groups(); ++i) {
    const int64_t num_rows = reader->metadata()->row_groups[static_cast<size_t>(i)].num_rows;
    std::optional<RowSelection> selection;
    if (pattern / 64 % 2 == 1 && num_rows <= kMostRows) {
      std::vector<int64_t> positions;
      selection = RandomSelection(pattern, 40, 10, 0, num_rows, positions);
    }
    SLUICE_TRY(const auto cursor,
               reader->RowGroup(i, parquet::Projection::All(reader->tree()), selection));
    while (rows < kMostRows) {
      SLUICE_TRY(const auto batch, cursor->Next());
      if (!batch) break;
      rows += batch->batch.num_rows;
      std::string text;
      for (const Column& column : batch->batch.columns) {
        const Status valid = ValidateColumn(column);
        FuzzCheck(valid.ok(), valid.ToString());
        for (int64_t row = 0; row < std::min<int64_t>(column.length, 20); ++row) {
          AppendCanonical(column, row, text);
        }
      }
    }
  }
  return Status::Ok();
}

}  // namespace
}  // namespace sluice::support

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  sluice::support::FuzzInput in(data, size);
  sluice::support::FuzzCheckStatus(sluice::support::Read(in));
  return 0;
}
