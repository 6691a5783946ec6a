// Writes a small Parquet file for the demo and for tests: 10 000 rows of weather, always the same.
//
// usage: write_sample FILE

#include <sluice/parquet/writer.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

namespace {

using sluice::BufferPool;
using sluice::BufferRef;
using sluice::Column;
using sluice::ColumnForm;
using sluice::DataType;
using sluice::Result;
using sluice::Status;
using sluice::TypeId;

constexpr int64_t kRows = 10'000;

sluice::Schema WeatherSchema() {
  return {{{"reading", DataType::Of(TypeId::kInt64), false, {}},
           {"station", DataType::Of(TypeId::kString), false, {}},
           {"temperature", DataType::Of(TypeId::kDouble), true, {}}}};
}

Column MakeColumn(TypeId id, ColumnForm form, BufferRef data) {
  Column column;
  column.type = std::make_shared<DataType>(DataType::Of(id));
  column.form = form;
  column.length = kRows;
  column.data = std::move(data);
  return column;
}

Result<sluice::Batch> MakeWeather(BufferPool& pool) {
  auto readings = pool.Allocate(kRows * 8);
  if (!readings) return readings.error();
  auto stations = pool.Allocate(kRows * 16);
  if (!stations) return stations.error();
  auto temperatures = pool.Allocate(kRows * 8);
  if (!temperatures) return temperatures.error();
  auto validity = pool.Allocate((kRows + 63) / 64 * 8);
  if (!validity) return validity.error();

  // Names of at most 12 bytes live in the view itself; OfPadded reads as far as their padding.
  constexpr std::array<const char*, 3> kStations = {"Brocken", "Feldberg", "Zugspitze"};
  auto* views = (*stations)->mutable_as<sluice::StringView>();
  int64_t nulls = 0;
  std::fill_n((*validity)->mutable_data(), (*validity)->size(), uint8_t{0});
  for (int64_t row = 0; row < kRows; ++row) {
    const std::string name = kStations[static_cast<size_t>(row % 3)];
    std::array<uint8_t, 12> padded = {};
    std::copy(name.begin(), name.end(), padded.begin());
    views[row] =
        sluice::StringView::OfPadded(padded.data(), static_cast<int32_t>(name.size()), 0, 0);
    (*readings)->mutable_as<int64_t>()[row] = row;
    (*temperatures)->mutable_as<double>()[row] = static_cast<double>(row * 37 % 500 - 150) / 10;
    const bool missing = row % 11 == 0;
    nulls += missing ? 1 : 0;
    if (!missing) (*validity)->mutable_data()[row / 8] |= static_cast<uint8_t>(1 << row % 8);
  }

  sluice::Batch batch;
  batch.schema = std::make_shared<sluice::Schema>(WeatherSchema());
  batch.num_rows = kRows;
  batch.columns = {MakeColumn(TypeId::kInt64, ColumnForm::kFlat, *std::move(readings)),
                   MakeColumn(TypeId::kString, ColumnForm::kView, *std::move(stations)),
                   MakeColumn(TypeId::kDouble, ColumnForm::kFlat, *std::move(temperatures))};
  batch.columns[2].validity = *std::move(validity);
  batch.columns[2].null_count = nulls;
  return batch;
}

Status WriteSample(const std::string& path) {
  const auto pool = BufferPool::Make();
  auto weather = MakeWeather(*pool);
  if (!weather) return weather.error();
  auto file = sluice::CreateLocalFile(path);
  if (!file) return file.error();
  auto writer = sluice::parquet::FileWriter::Make(*std::move(file), WeatherSchema());
  if (!writer) return writer.error();
  if (Status status = (*writer)->Write(*weather); !status.ok()) return status;
  return (*writer)->Finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: write_sample FILE\n", stderr);
    return 2;
  }
  if (const Status status = WriteSample(argv[1]); !status.ok()) {
    std::fprintf(stderr, "write_sample: %s\n", status.ToString().c_str());
    return 1;
  }
  std::printf("wrote %lld rows to %s\n", static_cast<long long>(kRows), argv[1]);
}
