#include <fmt/format.h>
#include <glob.h>
#include <sluice/list_files.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "format/model/file_place.h"
#include "format/model/try.h"

namespace sluice::inline v0 {
namespace {

namespace fs = std::filesystem;

Status CannotRead(const std::string& path, const std::error_code& error) {
  return InFile(path, Status::IoError(fmt::format("cannot read: {}", error.message())));
}

bool IsHidden(const fs::path& path) {
  const std::string name = path.filename().string();
  return !name.empty() && (name[0] == '.' || name[0] == '_');
}

/// A file, or a link that leads nowhere: to open it is an error, not to leave it out unsaid.
bool IsFile(const fs::directory_entry& entry) {
  std::error_code gone;
  return entry.is_regular_file(gone) || (entry.is_symlink(gone) && !entry.exists(gone));
}

/// Adds the Parquet files below `directory`, sorted.
Status ListDirectory(const std::string& directory, std::vector<std::string>& files) {
  const auto first = static_cast<std::ptrdiff_t>(files.size());
  std::vector<std::string> left{directory};
  while (!left.empty()) {
    const std::string path = std::move(left.back());
    left.pop_back();
    std::error_code error;
    fs::directory_iterator entry(path, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      if (IsHidden(entry->path())) continue;
      std::error_code gone;  // What is deleted meanwhile is not there.
      if (entry->is_directory(gone) && !entry->is_symlink(gone)) {
        left.push_back(entry->path().string());
      } else if (entry->path().extension() == ".parquet" && IsFile(*entry)) {
        files.push_back(entry->path().string());
      }
    }
    const bool is_gone = error == std::errc::no_such_file_or_directory && path != directory;
    if (error && !is_gone) return CannotRead(path, error);
  }
  std::sort(files.begin() + first, files.end());
  return Status::Ok();
}

/// The names that match `pattern`, sorted.
Result<std::vector<std::string>> Match(const std::string& pattern) {
  glob_t matches{};
  const int outcome = glob(pattern.c_str(), GLOB_ERR, nullptr, &matches);
  std::vector<std::string> names(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
  globfree(&matches);
  if (outcome == GLOB_NOMATCH) return InFile(pattern, Status::NotFound("no file matches"));
  if (outcome != 0) {
    return InFile(pattern, Status::IoError("cannot read a directory on the way"));
  }
  return names;
}

}  // namespace

Result<std::vector<std::string>> ListParquetFiles(const std::string& path) {
  if (path.empty()) return Status::InvalidArgument("the name of a file is empty");
  std::vector<std::string> names{path};
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    if (path.find_first_of("*?[") == std::string::npos) {
      return InFile(path, Status::NotFound("no such file or directory"));
    }
    SLUICE_TRY(names, Match(path));
  } else if (!fs::status_known(status)) {
    return CannotRead(path, error);
  }
  std::vector<std::string> files;
  for (const std::string& name : names) {
    if (!fs::is_directory(name, error)) {
      files.push_back(name);
      continue;
    }
    SLUICE_RETURN_IF_ERROR(ListDirectory(name, files));
  }
  if (files.empty()) {
    return InFile(path, Status::NotFound("no Parquet files in this directory"));
  }
  return files;
}

}  // namespace sluice::inline v0
