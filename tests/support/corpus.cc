#include "tests/support/corpus.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace sluice::support {
namespace {

std::string CorpusDirectory() {
  if (const char* directory = std::getenv("SLUICE_CORPUS")) return directory;
  if (const char* root = std::getenv("SLUICE_SOURCE_ROOT")) {
    return std::string(root) + "/../shared/corpus";
  }
  return "../shared/corpus";
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::string ReadWholeFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::abort();
  }
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::vector<CorpusFile> CorpusFiles() {
  const std::string directory = CorpusDirectory();
  if (!std::filesystem::exists(directory + "/INDEX.tsv")) return {};
  std::vector<CorpusFile> files;
  for (const std::string& line : Lines(ReadWholeFile(directory + "/INDEX.tsv"))) {
    std::istringstream in(line);
    CorpusFile file;
    std::string rows;
    std::getline(in, file.name, '\t');
    std::getline(in, rows, '\t');
    std::getline(in, file.category, '\t');
    file.path = directory + "/files/" + file.name;
    std::error_code error;
    const auto size = std::filesystem::file_size(file.path, error);
    if (error) continue;
    file.size = static_cast<int64_t>(size);
    files.push_back(std::move(file));
  }
  return files;
}

std::optional<ExpectedRows> ExpectedCorpusRows(const CorpusFile& file) {
  const std::filesystem::path files = std::filesystem::path(file.path).parent_path();
  const std::string stem = std::filesystem::path(file.name).stem().string();
  const std::string expected = (files.parent_path() / "expected" / stem).string();
  if (std::filesystem::exists(expected + ".jsonl")) {
    return ExpectedRows{Lines(ReadWholeFile(expected + ".jsonl")), true};
  }
  if (std::filesystem::exists(expected + ".head.jsonl")) {
    return ExpectedRows{Lines(ReadWholeFile(expected + ".head.jsonl")), false};
  }
  return std::nullopt;
}

}  // namespace sluice::support
