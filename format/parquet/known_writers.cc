#include "format/parquet/known_writers.h"

#include <charconv>
#include <limits>
#include <tuple>

namespace sluice::inline v0::parquet {

namespace {

struct KnownFault {
  std::string_view application;
  WriterVersion fixed_in;
  WriterQuirks quirks;
  WriterVersion introduced_in = {};
};

/// No release is known to have it fixed, or none says its version.
constexpr WriterVersion kNever = {std::numeric_limits<int32_t>::max(), 0, 0};

constexpr KnownFault kKnownFaults[] = {
    // Writes a CRC of 0 into every page header.
    {"Parquet.jl", {0, 9, 0}, {.wrong_checksums = true}},
    // PARQUET-816: the dictionary page's header is not counted. Such headers take some 20 bytes.
    {"parquet-mr", {1, 2, 9}, {.missing_chunk_bytes = 100}},
    // PARQUET-246: the previous value is not reset where a page begins.
    {"parquet-mr", {1, 8, 0}, {.delta_byte_array_carries_over = true}},
    // PARQUET-251: bounds share a buffer that later values overwrite.
    {"parquet-mr", {1, 8, 0}, {.wrong_binary_statistics = true}},
    // A file that does not say who wrote it could be any of the above.
    {"", {1, 8, 0}, {.wrong_binary_statistics = true}},
    // apache/arrow#15042, #34106: bounds of the first of several dictionaries. Before it had
    // Arrow's version, the library called itself 1.5.1-SNAPSHOT.
    {"parquet-cpp-arrow", {12, 0, 0}, {.wrong_dictionary_bounds = true}},
    {"parquet-cpp", {1, 6, 0}, {.wrong_dictionary_bounds = true}, {1, 5, 1, true}},
    // apache/arrow-rs#641: a shorter string counted as less.
    {"parquet-rs", {5, 2, 0}, {.wrong_byte_array_bounds = true}},
    // apache/arrow-rs#10860, #11073: numbers of different lengths compared as bytes.
    {"parquet-rs", kNever, {.wrong_byte_array_decimal_bounds = true}},
    // pola-rs/polars#29347: bounds of pages merged as if they were unsigned.
    {"Polars", kNever, {.wrong_decimal_bounds = true}},
    // pola-rs/polars#29321: the null count of the chunk taken once for each of its pages.
    {"Polars", kNever, {.overstated_null_counts = true}},
    // pola-rs/polars#7842: what Polars wrote with before; a maximum below values of the chunk.
    {"Arrow2", kNever, {.wrong_bounds = true}},
    // apache/arrow-go#525: adaptive filters freed before they were written.
    {"parquet-go", {18, 5, 0}, {.wrong_bloom_filters = true}},
};

bool IsSameIgnoringCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    const auto lower = [](char letter) {
      return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    };
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

/// Takes a number off the front.
bool TakeNumber(std::string_view& text, int32_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

bool TakeLetter(std::string_view& text, char letter) {
  if (!text.starts_with(letter)) return false;
  text.remove_prefix(1);
  return true;
}

void Add(WriterQuirks& quirks, const WriterQuirks& more) {
  quirks.wrong_checksums |= more.wrong_checksums;
  quirks.missing_chunk_bytes += more.missing_chunk_bytes;
  quirks.delta_byte_array_carries_over |= more.delta_byte_array_carries_over;
  quirks.wrong_binary_statistics |= more.wrong_binary_statistics;
  quirks.wrong_bounds |= more.wrong_bounds;
  quirks.wrong_byte_array_bounds |= more.wrong_byte_array_bounds;
  quirks.wrong_dictionary_bounds |= more.wrong_dictionary_bounds;
  quirks.wrong_decimal_bounds |= more.wrong_decimal_bounds;
  quirks.wrong_byte_array_decimal_bounds |= more.wrong_byte_array_decimal_bounds;
  quirks.overstated_null_counts |= more.overstated_null_counts;
  quirks.wrong_bloom_filters |= more.wrong_bloom_filters;
}

std::optional<WriterVersion> ParseVersion(std::string_view text) {
  WriterVersion version;
  if (!TakeNumber(text, version.major) || !TakeLetter(text, '.')) return std::nullopt;
  if (!TakeNumber(text, version.minor)) return std::nullopt;
  if (TakeLetter(text, '.') && !TakeNumber(text, version.patch)) return std::nullopt;
  version.is_prerelease = text.starts_with('-') || text.starts_with("rc");
  return version;
}

}  // namespace

bool WriterVersion::IsBefore(const WriterVersion& release) const {
  const auto own = std::tie(major, minor, patch);
  const auto other = std::tie(release.major, release.minor, release.patch);
  return own < other || (own == other && is_prerelease && !release.is_prerelease);
}

Writer ParseCreatedBy(std::string_view created_by) {
  const auto skip_blanks = [&] {
    while (created_by.starts_with(' ')) created_by.remove_prefix(1);
  };
  skip_blanks();
  Writer writer;
  writer.application = created_by.substr(0, created_by.find(' '));
  created_by.remove_prefix(writer.application.size());
  skip_blanks();
  constexpr std::string_view kVersion = "version";
  if (created_by.starts_with(kVersion)) created_by.remove_prefix(kVersion.size());
  skip_blanks();
  writer.version = ParseVersion(created_by);
  return writer;
}

WriterQuirks QuirksOf(std::string_view created_by) {
  const Writer writer = ParseCreatedBy(created_by);
  WriterQuirks quirks;
  for (const KnownFault& fault : kKnownFaults) {
    if (!IsSameIgnoringCase(writer.application, fault.application)) continue;
    if (writer.version && !writer.version->IsBefore(fault.fixed_in)) continue;
    if (writer.version && writer.version->IsBefore(fault.introduced_in)) continue;
    Add(quirks, fault.quirks);
  }
  return quirks;
}

}  // namespace sluice::inline v0::parquet
