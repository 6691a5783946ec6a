// LeafReader for a column with a filter: decides which wanted rows of a window stay wanted, on the
// encoded values where they are not kept, and on the decoded ones where they are.

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "format/model/bitmap_words.h"
#include "format/model/elapsed.h"
#include "format/model/try.h"
#include "format/parquet/leaf_reader.h"

namespace sluice::inline v0::parquet {

void LeafReader::FilterBy(std::vector<ValueFilter> filters, bool keeps_values,
                          std::optional<PageExclusion> exclusion) {
  exclusion_ = std::move(exclusion);
  filters_ = std::move(filters);
  keeps_values_ = keeps_values;
  decodes_all_ = keeps_values || MustDecode();
  if (keeps_values && plan_.options->select_encoded) values_.HoldCodes();
  value_passes_.resize(kPieceWords);
  row_passes_.resize(kPieceWords);
}

/// Encoded values can be looked at once. One of another calendar is an error, and must not be left
/// out silently for what it seems.
bool LeafReader::MustDecode() const {
  return filters_.size() > 1 || !plan_.options->select_encoded ||
         plan_.calendar.Concerns(*plan_.type);
}

Status LeafReader::SetDictionary(const std::shared_ptr<const Column>& dictionary) {
  values_.SetDictionary(dictionary);
  if (filters_.empty() || !plan_.options->select_encoded) return Status::Ok();
  const auto begin = std::chrono::steady_clock::now();
  for (ValueFilter& filter : filters_) SLUICE_RETURN_IF_ERROR(filter.SetDictionary(dictionary));
  filter_setup_nanoseconds_ += NanosecondsSince(begin);
  return Status::Ok();
}

/// Whether no row of the chunk can pass, by its dictionary, if that was met.
bool LeafReader::IsChunkExcluded() {
  if (!exclusion_) return false;
  const auto begin = std::chrono::steady_clock::now();
  const bool is_excluded = exclusion_->ExcludesAll(pages_.dictionary());
  filter_setup_nanoseconds_ += NanosecondsSince(begin);
  if (is_excluded) pages_.ExcludeByDictionary();
  return is_excluded;
}

/// Whether no row of the present page, which is not open, can pass.
bool LeafReader::IsPageExcluded() const {
  return exclusion_ && exclusion_->Excludes(pages_.stored().header, pages_.rows().size());
}

/// Goes on behind the present page, or to `end`, of which no row passes.
void LeafReader::LeaveOutPage(int64_t end) {
  const int64_t page_end = pages_.rows().end;
  LeaveOutRows(std::min(page_end, end));
  if (row_ == page_end) pages_.Exclude();
}

/// No row before `end` passes.
void LeafReader::LeaveOutRows(int64_t end) {
  ClearBits(selection_, std::max<int64_t>(row_ - rows_.begin, 0), end - rows_.begin);
  row_ = end;
}

bool LeafReader::NullPasses() const {
  return std::all_of(filters_.begin(), filters_.end(),
                     [](const ValueFilter& filter) { return filter.null_passes(); });
}

/// The rows that passed have no room: who wants them has to read them again.
void LeafReader::StopKeeping() {
  keeps_values_ = false;
  decodes_all_ = MustDecode();
  values_.Clear();
  validity_.Truncate(0);
  definition_out_.Truncate(0);
  length_ = 0;
}

Status LeafReader::FilterRows(int64_t count, const uint64_t* selection) {
  SLUICE_TRY(const uint64_t* present, KeepsLevels() ? ReadDefinitions(count) : ReadPresence(count));
  const ValueRun run = MakeRun(present, count, selection);
  values_left_ -= run.count;
  SLUICE_RETURN_IF_ERROR(decodes_all_ ? DecodeAndDecide(run) : DecideValues(run));
  uint64_t* passes = value_passes_.data();
  if (present != nullptr) {
    passes = row_passes_.data();
    kernels_->deposit_bits(value_passes_.data(), present, count, passes);
  }
  const bool null_passes = present != nullptr && NullPasses();
  for (int64_t at = 0; at < count; at += 64) {
    const int64_t size = std::min<int64_t>(64, count - at);
    const uint64_t wanted = selection == nullptr ? LowBits(size) : selection[at / 64];
    uint64_t& bits = passes[at / 64];
    bits &= LowBits(size);
    if (null_passes) bits |= ~present[at / 64] & wanted & LowBits(size);
    StoreBits(selection_, row_ - rows_.begin + at, bits, size);
  }
  return keeps_values_ ? KeepRows(present, count, passes) : Status::Ok();
}

/// Whether nulls of rows that pass are kept as levels, for the structs around the leaf.
bool LeafReader::KeepsLevels() const {
  return keeps_values_ && !is_column_ && !definition_.empty();
}

/// Takes what says which of the rows that pass are null; their values are taken by now.
Status LeafReader::KeepRows(const uint64_t* present, int64_t count, const uint64_t* passes) {
  const int64_t passed = CountBits(passes, 0, count);
  if (KeepsLevels()) {
    SLUICE_RETURN_IF_ERROR(AppendLevels(0, count, passes, passed));
  } else {
    if (present != nullptr) {
      SLUICE_RETURN_IF_ERROR(AppendValidity(present, count, passes, passed));
    }
    length_ += passed;
  }
  if (BytesTaken() > max_bytes_) SLUICE_RETURN_IF_ERROR(values_.Unpin());
  if (BytesTaken() > max_bytes_) StopKeeping();
  return Status::Ok();
}

/// Sets value_passes_, a bit for each value of the run.
Status LeafReader::DecideValues(const ValueRun& run) {
  ValueFilter& filter = filters_.front();
  if (run.selected > 0 && !filter.is_constant()) {
    SLUICE_RETURN_IF_ERROR(StartRun(run));
    return filter.Decide(*pages_.page(), run, value_passes_.data());
  }
  skipped_values_ += run.count;
  const bool passes = run.selected > 0 && filter.constant_passes();
  for (int64_t at = 0; at < run.count; at += 64) {
    const uint64_t wanted = run.selection == nullptr ? ~uint64_t{0} : run.selection[at / 64];
    value_passes_[static_cast<size_t>(at / 64)] = passes ? wanted : 0;
  }
  return Status::Ok();
}

/// The same, and takes the values that pass.
Status LeafReader::DecodeAndDecide(const ValueRun& run) {
  if (run.selected == 0) return DecideValues(run);
  SLUICE_RETURN_IF_ERROR(StartRun(run));
  const int64_t begin = values_.length();
  SLUICE_RETURN_IF_ERROR(values_.Append(*pages_.page(), run));
  const Column values = values_.Peek();
  SLUICE_RETURN_IF_ERROR(CheckCalendar(values, begin));
  // Bits of the selected values; row_passes_ is not in use yet.
  uint64_t* passes = run.selection == nullptr ? value_passes_.data() : row_passes_.data();
  SLUICE_RETURN_IF_ERROR(filters_[0].PassesValues(values, begin, run.selected, passes));
  for (size_t i = 1; i < filters_.size(); ++i) {
    std::array<uint64_t, kPieceWords> others;
    SLUICE_RETURN_IF_ERROR(filters_[i].PassesValues(values, begin, run.selected, others.data()));
    for (int64_t word = 0; word < BitmapWords(run.selected); ++word) {
      passes[word] &= others[static_cast<size_t>(word)];
    }
  }
  if (keeps_values_) {
    values_.KeepSelected(begin, passes);
  } else {
    values_.Clear();
  }
  if (run.selection != nullptr) {
    kernels_->deposit_bits(passes, run.selection, run.count, value_passes_.data());
  }
  return Status::Ok();
}

void LeafReader::Narrow(const uint64_t* rows) {
  const int64_t kept = CountBits(rows, 0, length_);
  if (kept == length_) return;
  if (definition_.empty()) {
    values_.KeepSelected(0, rows);
  } else {
    const std::vector<uint64_t> values = KeepsLevels() ? NarrowLevels(rows) : NarrowValidity(rows);
    values_.KeepSelected(0, values.data());
  }
  length_ = kept;
}

/// Drops bits of rows; returns which of the values stay.
std::vector<uint64_t> LeafReader::NarrowValidity(const uint64_t* rows) {
  std::vector<uint64_t> values(PaddedWords(length_));
  kernels_->extract_bits(rows, validity_.as<uint64_t>(), length_, values.data());
  std::vector<uint64_t> validity(PaddedWords(length_));
  const int64_t kept = CountBits(rows, 0, length_);
  kernels_->extract_bits(validity_.as<uint64_t>(), rows, length_, validity.data());
  std::copy_n(validity.begin(), BitmapWords(kept), validity_.as<uint64_t>());
  validity_.Truncate(BitmapBytes(kept));
  return values;
}

/// The same of levels.
std::vector<uint64_t> LeafReader::NarrowLevels(const uint64_t* rows) {
  auto* levels = definition_out_.as<uint16_t>();
  std::vector<uint64_t> present(PaddedWords(length_));
  kernels_->levels_equal(levels, length_,
                         static_cast<uint16_t>(plan_.context.leaf.max_definition_level),
                         present.data());
  std::vector<uint64_t> values(PaddedWords(length_));
  kernels_->extract_bits(rows, present.data(), length_, values.data());
  definition_out_.Truncate(2 * kernels_->compress_2(levels, rows, length_, levels));
  return values;
}

}  // namespace sluice::inline v0::parquet
