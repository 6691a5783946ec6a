#pragma once

// Files of one column that claim things of their values: what the tests of statistics, by verdicts
// and by scans, are made of.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/claims.h"
#include "tests/support/page_bytes.h"

namespace sluice::support {

inline ElementSpec AsText(ElementSpec element) {
  element.converted_type = kConvertedUtf8;
  return element;
}

inline FileSpec Doubles(const std::vector<double>& values, const std::optional<Claims>& claims) {
  const auto count = static_cast<int64_t>(values.size());
  return ClaimingFile(Required("x", PhysicalType::kDouble), count,
                      {DataPage(Encoding::kPlain, count, PlainDouble(values))}, claims);
}

/// INT32 null, then the values.
inline FileSpec NullAndInts(const std::vector<int64_t>& values,
                            const std::optional<Claims>& claims) {
  std::vector<uint64_t> levels(values.size() + 1, 1);
  levels[0] = 0;
  const auto count = static_cast<int64_t>(levels.size());
  return ClaimingFile(Optional("x", PhysicalType::kInt32), count,
                      {DataPage(Encoding::kPlain, count, PlainInt32(values), RleRuns(levels, 1))},
                      claims);
}

inline FileSpec Strings(const std::vector<std::string>& values,
                        const std::optional<Claims>& claims) {
  const auto count = static_cast<int64_t>(values.size());
  return ClaimingFile(AsText(Required("x", PhysicalType::kByteArray)), count,
                      {DataPage(Encoding::kPlain, count, PlainByteArray(values))}, claims);
}

/// Nullable INT32 in pages of two rows: 50 60 | null 70 | null null.
inline FileSpec ThreePages(const std::optional<Claims>& claims = std::nullopt) {
  std::vector<PageSpec> pages = {
      DataPage(Encoding::kPlain, 2, PlainInt32({50, 60}), RleRuns({1, 1}, 1)),
      DataPage(Encoding::kPlain, 2, PlainInt32({70}), RleRuns({0, 1}, 1)),
      DataPage(Encoding::kPlain, 2, "", RleRuns({0, 0}, 1))};
  for (size_t i = 0; i < pages.size(); ++i) pages[i].first_row = static_cast<int64_t>(2 * i);
  FileSpec file = ClaimingFile(Optional("x", PhysicalType::kInt32), 6, std::move(pages), claims);
  file.row_groups[0].chunks[0].with_offset_index = true;
  return file;
}

/// What its column index is to say.
inline IndexClaims IndexOfThreePages() {
  return {.null_pages = {false, false, true},
          .min_values = {PlainInt32({50}), PlainInt32({70}), ""},
          .max_values = {PlainInt32({60}), PlainInt32({70}), ""},
          .null_counts = {0, 1, 2}};
}

}  // namespace sluice::support
