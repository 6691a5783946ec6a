#include "format/parquet/leaf_reader.h"

#include <algorithm>
#include <utility>

#include "format/model/bitmap_words.h"
#include "format/model/try.h"

namespace sluice::inline v0::parquet {

LeafReader::LeafReader(const LeafPlan& plan, bool is_column)
    : plan_(plan),
      is_column_(is_column),
      kernels_(plan.context.kernels),
      pages_(plan),
      values_(plan.context.leaf, plan.type, plan.options->deliver_dictionaries,
              plan.options->select_encoded, plan.context.pool, plan.context.kernels),
      present_(kPieceWords),
      level_selection_(kPieceWords),
      value_selection_(kPieceWords),
      validity_(plan.context.pool),
      repetition_out_(plan.context.pool),
      definition_out_(plan.context.pool) {
  if (plan.context.leaf.max_definition_level > 0) definition_.resize(kPieceLevels + 64);
  if (plan.context.leaf.max_repetition_level > 0) {
    repetition_.resize(kPieceLevels + 64);
    row_starts_.resize(kPieceWords);
  }
}

void LeafReader::StartWindow() {
  if (values_.length() == 0) first_page_ = -1;
  rows_ = plan_.wanted->window();
  selection_ = plan_.wanted->bits();
}

Result<bool> LeafReader::Fill(int64_t end, int64_t max_bytes) {
  DropFinished();
  max_bytes_ = max_bytes;
  auto is_filled = plan_.context.leaf.max_repetition_level == 0 ? FillFlat(end) : FillRepeated(end);
  pages_.CountBytes();
  return is_filled;
}

int64_t LeafReader::RowsTaken() const {
  if (plan_.context.leaf.max_repetition_level == 0) return length_;
  // The row that began last may go on.
  return rows_begun_ - (row_is_selected_ ? 1 : 0);
}

int64_t LeafReader::BytesTaken() const {
  return values_.bytes() + validity_.size() + definition_out_.size() + repetition_out_.size();
}

Result<int64_t> LeafReader::CutToRoom(int64_t count) {
  DataPage& page = *pages_.page();
  if (!page.PutsStringsTogether() || page.is_dictionary_encoded() || values_left_ == 0) {
    return count;
  }
  SLUICE_RETURN_IF_ERROR(StepOverValues());
  SLUICE_TRY(ValueDecoder * values, page.values());
  SLUICE_TRY(const ValueSizes sizes, values->SizesAhead());
  const int64_t fitting =
      sizes.longest == 0 ? sizes.count : (max_bytes_ - BytesTaken()) / sizes.longest;
  if (fitting <= 0 && RowsTaken() > 0) return 0;
  return std::min(count, std::clamp<int64_t>(fitting, 1, sizes.count));
}

/// Whether what was taken has its room filled, also once strings were copied out of their pages.
Result<bool> LeafReader::IsFull() {
  if (RowsTaken() == 0 || BytesTaken() < max_bytes_) return false;
  SLUICE_RETURN_IF_ERROR(values_.Unpin());
  return BytesTaken() >= max_bytes_;
}

Result<bool> LeafReader::FillFlat(int64_t end) {
  while (row_ < end) {
    if (filters_.empty()) {
      SLUICE_TRY(const bool is_full, IsFull());
      if (is_full) break;
    }
    if (IsChunkExcluded()) {
      LeaveOutRows(end);
      break;
    }
    if (!pages_.has_page()) {
      SLUICE_TRY(const bool there, pages_.Next(row_));
      if (!there) return false;
      // An offset index leaves out pages without wanted rows.
      row_ = pages_.rows().begin;
    }
    const RowRange page_rows = pages_.rows();
    if (pages_.page() == nullptr) {
      const bool is_wanted = plan_.wanted->CountIn({row_, page_rows.end}) > 0;
      if (!is_wanted && plan_.options->skip_pages && !plan_.reads_every_page) {
        row_ = page_rows.end;
        SLUICE_RETURN_IF_ERROR(pages_.Close(false));
        continue;
      }
      // The dictionary may have come with the page.
      if (IsChunkExcluded()) continue;
      if (IsPageExcluded()) {
        LeaveOutPage(end);
        continue;
      }
      SLUICE_TRY(const bool there, pages_.Open());
      if (!there) return false;
      values_left_ = pages_.page()->num_values();
      if (pages_.dictionary()) SLUICE_RETURN_IF_ERROR(SetDictionary(pages_.dictionary()));
    }
    if (row_ < page_rows.end) {
      const int64_t stretch_end = row_ < rows_.begin ? rows_.begin : end;
      const int64_t count = std::min({page_rows.end, stretch_end, row_ + kPieceLevels}) - row_;
      SLUICE_TRY(const int64_t taken, TakeRows(count));
      if (taken == 0) break;
      row_ += taken;
    }
    if (row_ == page_rows.end) SLUICE_RETURN_IF_ERROR(ClosePage());
  }
  filled_end_ = row_;
  return true;
}

/// Takes the next `count` rows, or fewer where there is no room for more; returns how many.
Result<int64_t> LeafReader::TakeRows(int64_t count) {
  const int64_t begin = row_ - rows_.begin;
  int64_t selected = begin < 0 ? 0 : CountBits(selection_, begin, count);
  if (selected == 0) {
    skipped_levels_ += count;
    return count;
  }
  if (skipped_levels_ > 0) {
    SLUICE_RETURN_IF_ERROR(SkipLevels(std::exchange(skipped_levels_, 0)));
  }
  SLUICE_TRY(int64_t fitting, CutToRoom(count));
  if (fitting == 0 && !filters_.empty()) {
    StopKeeping();
    SLUICE_TRY(fitting, CutToRoom(count));
  }
  if (fitting < count) {
    count = fitting;
    selected = CountBits(selection_, begin, count);
    if (selected == 0) {
      skipped_levels_ += count;
      return count;
    }
  }
  const uint64_t* selection = nullptr;
  if (selected < count) {
    CopyBits(selection_, begin, count, level_selection_.data());
    selection = level_selection_.data();
  }
  if (!filters_.empty()) {
    SLUICE_RETURN_IF_ERROR(FilterRows(count, selection));
  } else if (plan_.context.leaf.max_definition_level == 0) {
    length_ += selected;
    SLUICE_RETURN_IF_ERROR(AppendValues(nullptr, count, selection));
  } else if (is_column_ && plan_.context.leaf.max_definition_level == 1) {
    SLUICE_RETURN_IF_ERROR(TakePresence(count, selection, selected));
  } else {
    SLUICE_RETURN_IF_ERROR(TakeDefinitions(count, selection, selected));
  }
  return count;
}

Status LeafReader::TakePresence(int64_t count, const uint64_t* selection, int64_t selected) {
  SLUICE_TRY(const uint64_t* const present, ReadPresence(count));
  SLUICE_RETURN_IF_ERROR(AppendValidity(present, count, selection, selected));
  length_ += selected;
  return AppendValues(present, count, selection);
}

Status LeafReader::TakeDefinitions(int64_t count, const uint64_t* selection, int64_t selected) {
  SLUICE_TRY(const uint64_t* const present, ReadDefinitions(count));
  SLUICE_RETURN_IF_ERROR(AppendLevels(0, count, selection, selected));
  return AppendValues(present, count, selection);
}

/// Which of the next levels have a value; null where all have. Levels of one bit are read as bits.
Result<const uint64_t*> LeafReader::ReadPresence(int64_t count) {
  const int32_t max_level = plan_.context.leaf.max_definition_level;
  if (max_level == 0) return static_cast<const uint64_t*>(nullptr);
  if (max_level > 1) return ReadDefinitions(count);
  std::fill_n(present_.begin(), BitmapWords(count), 0);
  SLUICE_RETURN_IF_ERROR(pages_.page()->definition_levels().ReadBits(count, present_.data(), 0));
  return present_.data();
}

/// The same, and leaves the levels in definition_.
Result<const uint64_t*> LeafReader::ReadDefinitions(int64_t count) {
  SLUICE_RETURN_IF_ERROR(pages_.page()->definition_levels().Read(count, definition_.data()));
  return FindPresent(0, count);
}

/// Which of the levels in definition_ from `begin` on have a value.
const uint64_t* LeafReader::FindPresent(int64_t begin, int64_t count) {
  kernels_->levels_equal(definition_.data() + begin, count,
                         static_cast<uint16_t>(plan_.context.leaf.max_definition_level),
                         present_.data());
  return present_.data();
}

Status LeafReader::SkipLevels(int64_t count) {
  if (plan_.context.leaf.max_definition_level == 0) {
    LeaveValues(count);
    return Status::Ok();
  }
  while (count > 0) {
    const int64_t size = std::min(count, kPieceLevels);
    SLUICE_TRY(const uint64_t* const present, ReadPresence(size));
    LeaveValues(CountBits(present, 0, size));
    count -= size;
  }
  return Status::Ok();
}

/// The next values are not wanted.
void LeafReader::LeaveValues(int64_t count) {
  skipped_values_ += count;
  values_left_ -= count;
}

/// Appends bits of `present`, those that are selected.
Status LeafReader::AppendValidity(const uint64_t* present, int64_t count, const uint64_t* selection,
                                  int64_t selected) {
  SLUICE_RETURN_IF_ERROR(validity_.ExtendBitmap(length_ + selected));
  if (selection != nullptr) {
    kernels_->extract_bits(present, selection, count, value_selection_.data());
    present = value_selection_.data();
  }
  AppendBitmap(validity_.as<uint64_t>(), length_, present, selected);
  return Status::Ok();
}

Status LeafReader::AppendLevels(int64_t begin, int64_t count, const uint64_t* selection,
                                int64_t selected) {
  const auto append = [&](const std::vector<uint16_t>& levels, BufferBuilder& out) -> Status {
    SLUICE_RETURN_IF_ERROR(out.Reserve(selected * 2));
    const uint16_t* from = levels.data() + begin;
    if (selection == nullptr) {
      std::copy_n(from, count, reinterpret_cast<uint16_t*>(out.end()));
    } else {
      kernels_->compress_2(from, selection, count, out.end());
    }
    out.Advance(selected * 2);
    return Status::Ok();
  };
  length_ += selected;
  if (!definition_.empty()) SLUICE_RETURN_IF_ERROR(append(definition_, definition_out_));
  if (!repetition_.empty()) SLUICE_RETURN_IF_ERROR(append(repetition_, repetition_out_));
  return Status::Ok();
}

ValueRun LeafReader::MakeRun(const uint64_t* present, int64_t count, const uint64_t* selection) {
  ValueRun run;
  run.count = present == nullptr ? count : CountBits(present, 0, count);
  run.selected = run.count;
  if (selection == nullptr) return run;
  run.selection = selection;
  if (present != nullptr) {
    kernels_->extract_bits(selection, present, count, value_selection_.data());
    run.selection = value_selection_.data();
  }
  run.selected = CountBits(run.selection, 0, run.count);
  if (run.selected == run.count) run.selection = nullptr;
  return run;
}

/// Some of the run's values are wanted.
Status LeafReader::StartRun(const ValueRun& run) {
  SLUICE_RETURN_IF_ERROR(StepOverValues());
  last_page_ = pages_.stored().ordinal;
  last_page_offset_ = pages_.stored().offset;
  if (first_page_ < 0) {
    first_page_ = last_page_;
    first_page_offset_ = last_page_offset_;
  }
  plan_.counters->values_decoded += run.selected;
  plan_.counters->values_skipped += run.count - run.selected;
  return Status::Ok();
}

Status LeafReader::AppendValues(const uint64_t* present, int64_t count, const uint64_t* selection) {
  const ValueRun run = MakeRun(present, count, selection);
  values_left_ -= run.count;
  if (run.selected == 0) {
    skipped_values_ += run.count;
    return Status::Ok();
  }
  SLUICE_RETURN_IF_ERROR(StartRun(run));
  return values_.Append(*pages_.page(), run);
}

Status LeafReader::StepOverValues() {
  if (skipped_values_ == 0) return Status::Ok();
  plan_.counters->values_skipped += skipped_values_;
  return pages_.page()->SkipValues(std::exchange(skipped_values_, 0));
}

Status LeafReader::ReadRest() {
  SLUICE_RETURN_IF_ERROR(SkipLevels(std::exchange(skipped_levels_, 0)));
  return StepOverValues();
}

Status LeafReader::ClosePage() {
  if (plan_.reads_every_page) SLUICE_RETURN_IF_ERROR(ReadRest());
  const bool is_finished = skipped_levels_ == 0 && skipped_values_ == 0 && values_left_ == 0;
  plan_.counters->values_skipped += skipped_values_ + values_left_;
  values_left_ = 0;
  skipped_levels_ = 0;
  skipped_values_ = 0;
  return pages_.Close(is_finished);
}

Result<bool> LeafReader::CheckEnd(int64_t own_end) {
  if (pages_.page() != nullptr) SLUICE_RETURN_IF_ERROR(ClosePage());
  return pages_.CheckEnd(own_end);
}

}  // namespace sluice::inline v0::parquet
