// A program outside the tree: only installed headers and the installed library.
// usage: main FILE: prints the version, and the number of rows and the sum of the first column,
// which holds int64 without nulls.
#include <sluice/parquet/reader.h>
#include <sluice/version.h>

#include <cstdio>
#include <string>

namespace {

sluice::Status Sum(const std::string& path, long long* rows, long long* sum) {
  auto file = sluice::OpenLocalFile(path);
  if (!file) return file.error();
  auto reader = sluice::parquet::FileReader::Open(*file);
  if (!reader) return reader.error();
  const auto columns = sluice::parquet::Projection::All((*reader)->tree());
  for (int32_t i = 0; i < (*reader)->num_row_groups(); ++i) {
    auto cursor = (*reader)->RowGroup(i, columns);
    if (!cursor) return cursor.error();
    while (true) {
      auto next = (*cursor)->Next();
      if (!next) return next.error();
      if (!*next) break;
      const sluice::Batch& batch = (*next)->batch;
      *rows += batch.num_rows;
      for (int64_t row = 0; row < batch.num_rows; ++row) {
        const sluice::ValueRef found = sluice::ResolveValue(batch.columns[0], row);
        *sum += found.column->values<int64_t>()[found.row];
      }
    }
  }
  return sluice::Status::Ok();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || sluice::Version() != sluice::kVersion) return 2;
  long long rows = 0, sum = 0;
  if (const sluice::Status status = Sum(argv[1], &rows, &sum); !status.ok()) {
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    return 1;
  }
  std::printf("%s %lld %lld\n", std::string(sluice::Version()).c_str(), rows, sum);
}
