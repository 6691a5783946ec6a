#include <sluice/expression.h>

#include <algorithm>

namespace sluice::inline v0 {
namespace {

/// So much of a long line is shown on either side of the caret; a terminal has 80 columns.
constexpr size_t kShownBytes = 36;

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// The byte of `line` that its character `column`, counted from 1, begins at.
size_t OffsetOfColumn(std::string_view line, int32_t column) {
  size_t offset = 0;
  for (int32_t seen = 1; offset < line.size(); ++offset) {
    if (IsContinuation(line[offset])) continue;
    if (seen++ == column) break;
  }
  return offset;
}

/// What would move the rest of the line, or end it, is shown as a space.
char Shown(char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f ? ' ' : c; }

}  // namespace

std::string MarkPosition(std::string_view text, TextPosition position) {
  size_t begin = 0;
  for (int32_t line = 1; line < position.line; ++line) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) return {};
    ++begin;
  }
  if (position.line < 1 || position.column < 1) return {};
  const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  const size_t place = OffsetOfColumn(line, position.column);
  size_t from = place > kShownBytes ? place - kShownBytes : 0;
  while (from < place && IsContinuation(line[from])) ++from;
  size_t to = std::min(line.size(), place + kShownBytes);
  while (to < line.size() && IsContinuation(line[to])) ++to;

  std::string marked = from > 0 ? "  ..." : "  ";
  std::string caret(marked.size(), ' ');
  for (size_t i = from; i < to; ++i) {
    marked += Shown(line[i]);
    if (i < place && !IsContinuation(line[i])) caret += ' ';
  }
  if (to < line.size()) marked += "...";
  return marked + '\n' + caret + '^';
}

}  // namespace sluice::inline v0
