#include "engine/explain/svg_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "format/model/text/scalar_text.h"

namespace sluice::inline v0::engine {

namespace {

/// Of a character, by its height: those of sans-serif fonts are narrower on average, and wide ones
/// of East Asia wider.
constexpr double kCharacterWidth = 0.56;
constexpr double kWideCharacterWidth = 1.0;
constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr std::string_view kEllipsis = "\xe2\x80\xa6";

/// The character at the front of a text, and how many bytes of the text it is. Bytes that begin
/// none, and characters that XML does not allow, are U+FFFD.
std::pair<std::string_view, size_t> FirstCharacter(std::string_view bytes) {
  const size_t length = text::CharacterLength(bytes);
  if (length == 0) return {kReplacement, 1};
  const std::string_view character = bytes.substr(0, length);
  const auto first = static_cast<unsigned char>(character[0]);
  const bool is_control = first < 0x20 && first != '\t' && first != '\n' && first != '\r';
  // U+FFFE and U+FFFF.
  const bool is_no_character = character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf";
  return {is_control || is_no_character ? kReplacement : character, length};
}

double WidthOf(std::string_view character, double size) {
  // From U+1100 on.
  const bool is_wide = character.size() > 2 && static_cast<unsigned char>(character[0]) >= 0xe1 &&
                       character != kEllipsis;
  return size * (is_wide ? kWideCharacterWidth : kCharacterWidth);
}

void AppendEscaped(std::string_view text, std::string& out) {
  while (!text.empty()) {
    const auto [character, length] = FirstCharacter(text);
    text.remove_prefix(length);
    if (character == "<") {
      out += "&lt;";
    } else if (character == ">") {
      out += "&gt;";
    } else if (character == "&") {
      out += "&amp;";
    } else if (character == "\"") {
      out += "&quot;";
    } else {
      out += character;
    }
  }
}

}  // namespace

double TextWidth(std::string_view text, double size) {
  double width = 0;
  while (!text.empty()) {
    const auto [character, length] = FirstCharacter(text);
    text.remove_prefix(length);
    width += WidthOf(character, size);
  }
  return width;
}

std::string CutText(std::string_view text, double size, double width) {
  if (TextWidth(text, size) <= width) return std::string(text);
  double left = width - WidthOf(kEllipsis, size);
  std::string cut;
  while (!text.empty()) {
    const auto [character, length] = FirstCharacter(text);
    left -= WidthOf(character, size);
    if (left < 0) break;
    cut += character;
    text.remove_prefix(length);
  }
  return cut.append(kEllipsis);
}

SvgWriter::SvgWriter(double width, double height, std::string_view style,
                     std::string_view definitions) {
  svg_ = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\">\n"
      "<style>{2}</style>\n<defs>{3}</defs>\n",
      width, height, style, definitions);
}

void SvgWriter::Title(std::string_view title) {
  svg_ += "<title>";
  AppendEscaped(title, svg_);
  svg_ += "</title>";
}

void SvgWriter::Rectangle(double x, double y, double width, double height,
                          std::string_view css_class, std::string_view title) {
  fmt::format_to(std::back_inserter(svg_),
                 "<rect class=\"{}\" x=\"{:.6g}\" y=\"{:.6g}\" width=\"{:.4g}\" height=\"{:.4g}\"",
                 css_class, x, y, std::max(width, 0.0), std::max(height, 0.0));
  if (title.empty()) {
    svg_ += "/>\n";
    return;
  }
  svg_ += '>';
  Title(title);
  svg_ += "</rect>\n";
}

void SvgWriter::Text(double x, double y, double size, std::string_view css_class, Anchor anchor,
                     std::string_view text, std::string_view title) {
  constexpr std::string_view kAnchors[] = {"start", "middle", "end"};
  fmt::format_to(std::back_inserter(svg_),
                 "<text class=\"{}\" x=\"{:.6g}\" y=\"{:.6g}\" font-size=\"{:.3g}\" "
                 "text-anchor=\"{}\">",
                 css_class, x, y, size, kAnchors[static_cast<size_t>(anchor)]);
  if (!title.empty()) Title(title);
  AppendEscaped(text, svg_);
  svg_ += "</text>\n";
}

std::string SvgWriter::Finish() && {
  svg_ += "</svg>\n";
  return std::move(svg_);
}

}  // namespace sluice::inline v0::engine
