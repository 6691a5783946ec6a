#include "format/parquet/statistics_parser.h"

namespace sluice::inline v0::parquet {

void ReadStatistics(CompactReader& reader, Statistics& statistics) {
  reader.ReadStruct([&](const CompactField& field) {
    switch (field.id) {
      case 1:
        if (!field.Is(CompactType::kBinary)) return false;
        statistics.max = reader.ReadBinary();
        return true;
      case 2:
        if (!field.Is(CompactType::kBinary)) return false;
        statistics.min = reader.ReadBinary();
        return true;
      case 3:
        if (!field.Is(CompactType::kI64)) return false;
        statistics.null_count = reader.ReadI64();
        return true;
      case 4:
        if (!field.Is(CompactType::kI64)) return false;
        statistics.distinct_count = reader.ReadI64();
        return true;
      case 5:
        if (!field.Is(CompactType::kBinary)) return false;
        statistics.max_value = reader.ReadBinary();
        return true;
      case 6:
        if (!field.Is(CompactType::kBinary)) return false;
        statistics.min_value = reader.ReadBinary();
        return true;
      case 7:
        if (!field.IsBool()) return false;
        statistics.is_max_value_exact = field.Is(CompactType::kTrue);
        return true;
      case 8:
        if (!field.IsBool()) return false;
        statistics.is_min_value_exact = field.Is(CompactType::kTrue);
        return true;
      case 9:
        if (!field.Is(CompactType::kI64)) return false;
        statistics.nan_count = reader.ReadI64();
        return true;
      default:
        return false;
    }
  });
}

}  // namespace sluice::inline v0::parquet
