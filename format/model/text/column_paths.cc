#include <fmt/format.h>
#include <sluice/text.h>

#include <utility>

namespace sluice::inline v0 {
namespace {

Status BadPath(std::string_view what, std::string_view text) {
  return Status::InvalidArgument(fmt::format("column paths: {}: {}", what, text));
}

}  // namespace

Result<std::vector<std::vector<std::string>>> ParseColumnPaths(std::string_view text) {
  std::vector<std::vector<std::string>> paths(1);
  size_t at = 0;
  while (true) {
    std::string part;
    const bool is_quoted = at < text.size() && text[at] == '"';
    if (is_quoted) {
      ++at;
      while (at < text.size()) {
        if (text[at] == '"') {
          if (at + 1 >= text.size() || text[at + 1] != '"') break;
          ++at;  // A doubled quote stands for one.
        }
        part += text[at++];
      }
      if (at >= text.size()) return BadPath("a quote does not end", text);
      ++at;
    } else {
      const size_t end = std::min(text.find_first_of(".,\"", at), text.size());
      part = text.substr(at, end - at);
      at = end;
      if (part.empty()) return BadPath("a part is empty", text);
    }
    paths.back().push_back(std::move(part));
    if (at == text.size()) return paths;
    if (text[at] == ',') {
      paths.emplace_back();
    } else if (text[at] != '.') {
      return BadPath("a quote stands inside a part", text);
    }
    ++at;
  }
}

}  // namespace sluice::inline v0
