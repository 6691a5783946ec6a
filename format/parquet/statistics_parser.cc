#include "format/parquet/statistics_parser.h"

namespace sluice::inline v0::parquet {

bool ReadStatistics(CompactReader& reader, const CompactField& field,
                    std::optional<Statistics>& optional) {
  if (!field.Is(CompactType::kStruct)) return false;
  Statistics& statistics = optional ? *optional : optional.emplace();
  reader.ReadStruct([&](const CompactField& member) {
    switch (member.id) {
      case 1:
        return reader.Read(member, statistics.max);
      case 2:
        return reader.Read(member, statistics.min);
      case 3:
        return reader.Read(member, statistics.null_count);
      case 4:
        return reader.Read(member, statistics.distinct_count);
      case 5:
        return reader.Read(member, statistics.max_value);
      case 6:
        return reader.Read(member, statistics.min_value);
      case 7:
        return reader.Read(member, statistics.is_max_value_exact);
      case 8:
        return reader.Read(member, statistics.is_min_value_exact);
      case 9:
        return reader.Read(member, statistics.nan_count);
      default:
        return false;
    }
  });
  return true;
}

}  // namespace sluice::inline v0::parquet
