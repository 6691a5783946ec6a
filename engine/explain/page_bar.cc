#include "engine/explain/page_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sluice::inline v0::engine {

namespace {

/// From this width on a hairline is left between neighbours.
constexpr double kWidthWithGap = 3;
constexpr double kGap = 0.6;

/// From top to bottom: what was read stands on the ground.
constexpr PageFate kOrder[] = {PageFate::kNotReached,       PageFate::kNotNeeded,
                               PageFate::kPrunedByRowGroup, PageFate::kPrunedByPage,
                               PageFate::kSkipped,          PageFate::kToRead,
                               PageFate::kDecoded};

size_t Index(PageFate fate) { return static_cast<size_t>(fate); }

}  // namespace

std::string_view ClassOf(PageFate fate) {
  constexpr std::string_view kClasses[kNumPageFates] = {"g", "p", "s", "n", "t", "d", "x"};
  return kClasses[Index(fate)];
}

std::string_view WordsOf(PageFate fate) {
  constexpr std::string_view kWords[kNumPageFates] = {"skipped by row group statistics",
                                                      "skipped by page statistics",
                                                      "skipped by selection",
                                                      "not needed",
                                                      "to be read",
                                                      "decoded",
                                                      "not reached"};
  return kWords[Index(fate)];
}

int PageBar::Heap::num_fates() const {
  return static_cast<int>(
      std::count_if(widths.begin(), widths.end(), [](double width) { return width > 0; }));
}

void PageBar::Add(double begin, double end, PageFate fate, int64_t pages,
                  const std::function<std::string()>& title) {
  if (end <= begin) return;
  if (end - begin >= least_width_) {
    Break();
    const double gap = end - begin >= kWidthWithGap ? kGap : 0;
    svg_.Rectangle(begin, y_, end - begin - gap, height_, ClassOf(fate), title());
    return;
  }
  if (heap_.is_empty()) heap_.begin = begin;
  heap_.end = end;
  heap_.widths[Index(fate)] += end - begin;
  heap_.pages[Index(fate)] += pages;
  if (heap_.end - heap_.begin >= least_width_) FinishHeap();
}

void PageBar::FinishHeap() {
  if (heap_.is_empty()) return;
  const Heap heap = std::exchange(heap_, Heap());
  const bool is_same = !pending_.is_empty() && heap.num_fates() == 1 && pending_.num_fates() == 1 &&
                       std::equal(heap.widths.begin(), heap.widths.end(), pending_.widths.begin(),
                                  [](double a, double b) { return (a > 0) == (b > 0); });
  if (is_same) {
    pending_.end = heap.end;
    for (size_t i = 0; i < kNumPageFates; ++i) pending_.pages[i] += heap.pages[i];
    return;
  }
  Draw(std::exchange(pending_, heap));
}

void PageBar::Break() {
  FinishHeap();
  Draw(std::exchange(pending_, Heap()));
}

void PageBar::Draw(const Heap& heap) {
  if (heap.is_empty()) return;
  std::string title;
  double total = 0;
  for (const PageFate fate : kOrder) {
    const int64_t pages = heap.pages[Index(fate)];
    if (heap.widths[Index(fate)] <= 0) continue;
    total += heap.widths[Index(fate)];
    title += fmt::format("{}{} {}", title.empty() ? "" : ", ", pages, WordsOf(fate));
  }
  // What there is little of is seen all the same.
  const int fates = heap.num_fates();
  const double least = std::min(1.0, height_ / fates);
  double y = y_;
  for (const PageFate fate : kOrder) {
    const double width = heap.widths[Index(fate)];
    if (width <= 0) continue;
    const double height = least + (height_ - fates * least) * width / total;
    svg_.Rectangle(heap.begin, y, heap.end - heap.begin, height, ClassOf(fate), title);
    y += height;
  }
}

}  // namespace sluice::inline v0::engine
