#include "tools/conformance/corpus_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "tools/output.h"

namespace sluice::tools {
namespace {

const std::map<std::string, Category> kCategories{
    {"ok", Category::kOk},
    {"must-error", Category::kMustError},
    {"encrypted", Category::kEncrypted},
    {"unsupported-ok", Category::kUnsupportedOk},
    {"unclear", Category::kAnyCleanEnd},
    {"disputed", Category::kAnyCleanEnd},
};

/// Features by which results are counted; the others are numbers and names.
constexpr std::array<std::string_view, 6> kCountedFeatures{"codec", "enc",  "pages",
                                                           "types", "nest", "x"};

std::optional<std::string> ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// "codec=A,B; geo; rows=3" as "codec=A", "codec=B", "geo".
std::vector<std::string> Features(const std::string& text) {
  std::vector<std::string> features;
  for (std::string_view feature : Split(text, ';')) {
    feature.remove_prefix(std::min(feature.find_first_not_of(' '), feature.size()));
    const size_t equals = feature.find('=');
    const std::string_view name = feature.substr(0, equals);
    if (equals == std::string_view::npos) {
      if (!feature.empty() && feature != "-") features.emplace_back(feature);
      continue;
    }
    if (std::find(kCountedFeatures.begin(), kCountedFeatures.end(), name) ==
        kCountedFeatures.end()) {
      continue;
    }
    for (const std::string& value : Split(feature.substr(equals + 1), ',')) {
      features.push_back(fmt::format("{}={}", name, value));
    }
  }
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());
  return features;
}

std::optional<Expected> ReadExpected(const std::string& directory, std::string stem) {
  if (stem.ends_with(".parquet")) stem.resize(stem.size() - std::string_view(".parquet").size());
  const std::string path = directory + "/expected/" + stem;
  if (std::optional<std::string> text = ReadFile(path + ".jsonl")) {
    return Expected{*std::move(text), std::nullopt};
  }
  std::optional<std::string> head = ReadFile(path + ".head.jsonl");
  const std::optional<std::string> sum = ReadFile(path + ".sha256");
  if (!head.has_value() || !sum.has_value()) return std::nullopt;
  return Expected{*std::move(head), sum->substr(0, 64)};
}

}  // namespace

Result<std::vector<CorpusEntry>> ReadCorpus(const std::string& directory) {
  const std::string path = directory + "/INDEX.tsv";
  const std::optional<std::string> index = ReadFile(path);
  if (!index.has_value()) return Status::NotFound("no index").In(FilePlace(path));
  std::map<std::string, size_t> columns;
  std::vector<CorpusEntry> entries;
  for (const std::string& line : Split(*index, '\n')) {
    const std::vector<std::string> cells = Split(line, '\t');
    if (columns.empty()) {
      for (size_t i = 0; i < cells.size(); ++i) columns[cells[i]] = i;
      for (const char* name : {"name", "category", "features"}) {
        if (!columns.contains(name)) {
          return Status::Corruption("no column " + std::string(name)).In(FilePlace(path));
        }
      }
      continue;
    }
    if (line.empty()) continue;
    const auto cell = [&](const char* name) {
      const size_t column = columns.at(name);
      return column < cells.size() ? cells[column] : std::string();
    };
    CorpusEntry entry;
    entry.name = cell("name");
    entry.path = directory + "/files/" + entry.name;
    entry.category_name = cell("category");
    const auto category = kCategories.find(entry.category_name);
    if (category == kCategories.end()) {
      return Status::Corruption("unknown category: " + entry.category_name).In(FilePlace(path));
    }
    entry.category = category->second;
    entry.features = Features(cell("features"));
    entry.expected = ReadExpected(directory, entry.name);
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace sluice::tools
