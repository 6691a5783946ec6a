#pragma once

// A row of the picture: stretches along the file, each with a colour.

#include <sluice/explain.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "engine/explain/svg_writer.h"

namespace sluice::inline v0::engine {

/// Draws stretches that follow one another from left to right. Those narrower than a given width
/// are put together until they are not, as a column with one part for each fate, high by its share;
/// neighbours of one fate that were put together are one rectangle.
///
/// Threads: confined. Lifetime: the writer outlives it.
class PageBar {
 public:
  PageBar(SvgWriter& svg, double y, double height, double least_width)
      : svg_(svg), y_(y), height_(height), least_width_(least_width) {}

  /// `title` is asked for where the stretch is drawn for itself.
  void Add(double begin, double end, PageFate fate, int64_t pages,
           const std::function<std::string()>& title);
  /// What comes next does not follow what came before.
  void Break();

 private:
  /// Stretches that are put together.
  struct Heap {
    double begin = 0;
    double end = 0;
    std::array<double, kNumPageFates> widths{};
    std::array<int64_t, kNumPageFates> pages{};
    int num_fates() const;
    bool is_empty() const { return end <= begin; }
  };

  void FinishHeap();
  void Draw(const Heap& heap);

  SvgWriter& svg_;
  double y_;
  double height_;
  double least_width_;
  Heap heap_;     ///< Narrower than `least_width_` as yet.
  Heap pending_;  ///< Of one fate; may still grow.
};

/// The class that rectangles of this fate have.
std::string_view ClassOf(PageFate fate);
/// How the legend calls it.
std::string_view WordsOf(PageFate fate);

}  // namespace sluice::inline v0::engine
