#pragma once

// Elements of an SVG image, well-formed whatever the texts are.

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::inline v0::engine {

/// Appends elements to an image. Lengths are in pixels.
///
/// Threads: confined.
class SvgWriter {
 public:
  enum class Anchor : uint8_t { kBegin, kMiddle, kEnd };

  /// `style`: CSS for the classes that are used. `definitions`: what the style refers to.
  SvgWriter(double width, double height, std::string_view style, std::string_view definitions);

  /// Without a title, nothing is shown where the mouse rests on it.
  void Rectangle(double x, double y, double width, double height, std::string_view css_class,
                 std::string_view title = {});
  void Text(double x, double y, double size, std::string_view css_class, Anchor anchor,
            std::string_view text, std::string_view title = {});
  /// The image. Nothing can be added any more.
  std::string Finish() &&;

 private:
  void Title(std::string_view title);

  std::string svg_;
};

/// About how wide a text is, and the text cut so that it takes no more than `width`.
double TextWidth(std::string_view text, double size);
std::string CutText(std::string_view text, double size, double width);

}  // namespace sluice::inline v0::engine
