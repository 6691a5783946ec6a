#pragma once

// Explanations, and what they say in a few letters.

#include <gtest/gtest.h>
#include <sluice/explain.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::support {

/// Expects that there is no error.
inline Explanation Explain(const std::vector<ScanFile>& files, ScanRequest request, bool analyze,
                           ScanOptions options = {}) {
  auto explanation = ExplainScan(files, std::move(request), std::move(options), analyze);
  EXPECT_TRUE(explanation) << explanation.status().ToString();
  return explanation ? *std::move(explanation) : Explanation();
}

inline size_t Index(PageFate fate) { return static_cast<size_t>(fate); }

/// The column at `path`.
inline const ChunkExplanation& Chunk(const Explanation& explanation, size_t row_group,
                                     const std::string& path) {
  const FileExplanation& file = explanation.files.at(0);
  const auto column = std::find_if(file.columns.begin(), file.columns.end(),
                                   [&](const ColumnRoles& roles) { return roles.path == path; });
  EXPECT_NE(column, file.columns.end()) << path;
  return file.row_groups.at(row_group).chunks.at(
      static_cast<size_t>(column - file.columns.begin()));
}

/// A letter a page.
inline std::string Fates(const ChunkExplanation& chunk) {
  constexpr std::string_view kLetters = "gpsn?dx";
  if (chunk.fate) return std::string(1, kLetters[Index(*chunk.fate)]) + "*";
  std::string fates;
  for (const PageExplanation& page : chunk.pages) fates += kLetters[Index(page.fate)];
  return fates;
}

/// "row_group decided, bloom_filter not_there, ..." of a filter.
inline std::string Checks(const RowGroupExplanation& group, int32_t filter) {
  std::string text;
  for (const EvidenceCheck& check : group.checks) {
    if (check.filter != filter || check.source == EvidenceSource::kDictionary) continue;
    if (!text.empty()) text += ", ";
    text.append(SourceName(check.source)).append(" ").append(CheckStateName(check.state));
  }
  return text;
}

}  // namespace sluice::support
