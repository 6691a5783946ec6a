#include <sluice/optimizations.h>

namespace sluice::inline v0 {

namespace {

using Options = ScanOptions;

constexpr Optimization kOptimizations[] = {
    {"file_statistics", "Do not leave out files by what is known before they are opened.",
     [](Options& options) -> bool& { return options.use_file_statistics; }},
    {"partial_footer", "Read the whole footer, not only what the columns need.",
     [](Options& options) -> bool& { return options.partial_footer; }},
    {"statistics", "Do not leave out row groups by their statistics.",
     [](Options& options) -> bool& { return options.use_statistics; }},
    {"bloom_filters", "Do not look into bloom filters.",
     [](Options& options) -> bool& { return options.use_bloom_filters; }},
    {"page_index", "Do not leave out pages by the column index.",
     [](Options& options) -> bool& { return options.use_page_index; }},
    {"page_statistics", "Do not leave out pages by the statistics in their headers.",
     [](Options& options) -> bool& { return options.read.use_page_statistics; }},
    {"dictionary_pruning", "Do not leave out chunks by their dictionaries.",
     [](Options& options) -> bool& { return options.read.prune_by_dictionary; }},
    {"offset_index", "Do not use the offset index.",
     [](Options& options) -> bool& { return options.read.use_offset_index; }},
    {"filters", "Evaluate the whole predicate on decoded rows.",
     [](Options& options) -> bool& { return options.use_filters; }},
    {"filter_order", "Run filters in the order of the predicate.",
     [](Options& options) -> bool& { return options.read.reorder_filters; }},
    {"late_materialization",
     "Decode all columns before what filters leave of the predicate is evaluated.",
     [](Options& options) -> bool& { return options.late_materialization; }},
    {"limit_pushdown",
     "Read also rows behind the limit, and with several threads row groups behind it.",
     [](Options& options) -> bool& { return options.limit_pushdown; }},
    {"skip_pages", "Decode also pages of which no row is wanted.",
     [](Options& options) -> bool& { return options.read.skip_pages; }},
    {"select_encoded", "Decode whole pages, then select and filter.",
     [](Options& options) -> bool& { return options.read.select_encoded; }},
    {"stream_pages", "Decompress whole pages.",
     [](Options& options) -> bool& { return options.read.stream_pages; }},
};

}  // namespace

std::span<const Optimization> Optimizations() { return kOptimizations; }

}  // namespace sluice::inline v0
