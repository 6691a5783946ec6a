#include "format/parquet/leaf_reader.h"

#include <fmt/format.h>
#include <sluice/bitmap.h>

#include <algorithm>
#include <utility>

#include "format/model/try.h"

namespace sluice::inline v0::parquet {

namespace {

void CopyBits(const uint64_t* from, int64_t begin, int64_t count, uint64_t* out) {
  for (int64_t i = 0; i < count; i += 64) {
    out[i / 64] = LoadBits(from, begin + i, std::min<int64_t>(64, count - i));
  }
}

void AppendBitRun(const uint64_t* from, int64_t count, uint64_t* out, int64_t end) {
  for (int64_t i = 0; i < count; i += 64) {
    const int64_t size = std::min<int64_t>(64, count - i);
    AppendBits(out, end + i, from[i / 64] & LowBits(size), size);
  }
}

}  // namespace

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

Status LeafReader::SetDictionary(const std::shared_ptr<const Column>& dictionary) {
  values_.SetDictionary(dictionary);
  for (ValueFilter& filter : filters_) SLUICE_RETURN_IF_ERROR(filter.SetDictionary(dictionary));
  return Status::Ok();
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
  std::fill_n(present_.begin(), BitmapWords(count), 0);
  SLUICE_RETURN_IF_ERROR(pages_.page()->definition_levels().ReadBits(count, present_.data(), 0));
  SLUICE_RETURN_IF_ERROR(validity_.ExtendBitmap(length_ + selected));
  const uint64_t* kept = present_.data();
  if (selection != nullptr) {
    kernels_->extract_bits(present_.data(), selection, count, value_selection_.data());
    kept = value_selection_.data();
  }
  AppendBitRun(kept, selected, validity_.as<uint64_t>(), length_);
  length_ += selected;
  return AppendValues(present_.data(), count, selection);
}

Status LeafReader::TakeDefinitions(int64_t count, const uint64_t* selection, int64_t selected) {
  SLUICE_RETURN_IF_ERROR(pages_.page()->definition_levels().Read(count, definition_.data()));
  kernels_->levels_equal(definition_.data(), count,
                         static_cast<uint16_t>(plan_.context.leaf.max_definition_level),
                         present_.data());
  SLUICE_RETURN_IF_ERROR(AppendLevels(0, count, selection, selected));
  return AppendValues(present_.data(), count, selection);
}

Status LeafReader::SkipLevels(int64_t count) {
  if (plan_.context.leaf.max_definition_level == 0) {
    skipped_values_ += count;
    values_left_ -= count;
    return Status::Ok();
  }
  while (count > 0) {
    const int64_t size = std::min(count, kPieceLevels);
    int64_t values = 0;
    if (plan_.context.leaf.max_definition_level == 1) {
      std::fill_n(present_.begin(), BitmapWords(size), 0);
      SLUICE_RETURN_IF_ERROR(pages_.page()->definition_levels().ReadBits(size, present_.data(), 0));
      values = CountBits(present_.data(), 0, size);
    } else {
      SLUICE_RETURN_IF_ERROR(pages_.page()->definition_levels().Read(size, definition_.data()));
      values = kernels_->levels_equal(
          definition_.data(), size, static_cast<uint16_t>(plan_.context.leaf.max_definition_level),
          present_.data());
    }
    skipped_values_ += values;
    values_left_ -= values;
    count -= size;
  }
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

std::string LeafReader::PlaceOfPages() const {
  if (first_page_ < 0) return "no page";
  const std::string first = fmt::format("page {} at byte {}", first_page_, first_page_offset_);
  if (last_page_ == first_page_) return first;
  return fmt::format("{}, to page {}", first, last_page_);
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

void LeafReader::DropFinished() {
  if (finished_levels_ == 0) return;
  if (!definition_.empty()) definition_out_.DropFront(finished_levels_ * 2);
  if (!repetition_.empty()) repetition_out_.DropFront(finished_levels_ * 2);
  finished_levels_ = 0;
}

/// Behind which of the levels the first `count` rows end.
int64_t LeafReader::EndOfRows(int64_t count) {
  if (plan_.context.leaf.max_repetition_level == 0) return count;
  if (count == rows_begun_) return length_;
  const auto* levels = repetition_out_.as<uint16_t>() + finished_levels_;
  int64_t end = 0;
  for (int64_t starts = -1; end < length_; ++end) {
    if (levels[end] == 0 && ++starts == count) break;
  }
  return end;
}

Result<Column> LeafReader::FinishValues(int64_t count) {
  SLUICE_TRY(Column values, values_.Finish(count));
  first_page_ = values_.length() == 0 ? -1 : last_page_;
  first_page_offset_ = last_page_offset_;
  SLUICE_RETURN_IF_ERROR(CheckCalendar(values, 0));
  return values;
}

/// Checks values from `begin` on, or their dictionary.
Status LeafReader::CheckCalendar(const Column& values, int64_t begin) {
  if (!plan_.calendar.Concerns(*plan_.type)) return Status::Ok();
  if (values.form == ColumnForm::kDictionary) {
    if (checked_dictionary_ == values.dictionary.get()) return Status::Ok();
    checked_dictionary_ = values.dictionary.get();
    return plan_.calendar.Check(*values.dictionary);
  }
  Column checked = values;
  checked.length -= begin;
  const int64_t width = plan_.type->byte_width;
  checked.data = SliceBuffer(values.data, begin * width, checked.length * width);
  return plan_.calendar.Check(checked);
}

/// The first `count` bits; those of the rows that stay move to the front.
Result<BufferRef> LeafReader::FinishValidity(int64_t count) {
  SLUICE_TRY(BufferRef validity, validity_.Finish());
  const int64_t left = length_ - count;
  if (left == 0) return validity;
  SLUICE_RETURN_IF_ERROR(validity_.ExtendBitmap(left));
  CopyBits(validity->as<uint64_t>(), count, left, validity_.as<uint64_t>());
  if (count % 64 != 0) validity->mutable_as<uint64_t>()[count / 64] &= LowBits(count % 64);
  return validity;
}

Result<Column> LeafReader::FinishColumn(int64_t count) {
  BufferRef validity;
  int64_t present = count;
  if (plan_.context.leaf.max_definition_level > 0) {
    SLUICE_TRY(validity, FinishValidity(count));
    present = CountBits(validity->as<uint64_t>(), 0, count);
  }
  length_ -= count;
  SLUICE_TRY(Column values, FinishValues(present));
  return SpreadValues(std::move(values), std::move(validity), count, count - present,
                      *plan_.context.pool);
}

Result<LeafValues> LeafReader::FinishLeaf(int64_t count) {
  DropFinished();
  LeafValues leaf;
  leaf.num_levels = EndOfRows(count);
  int64_t present = leaf.num_levels;
  if (!definition_.empty()) {
    leaf.definition_levels = definition_out_.as<uint16_t>();
    const uint16_t* end = leaf.definition_levels + leaf.num_levels;
    present = std::count(leaf.definition_levels, end,
                         static_cast<uint16_t>(plan_.context.leaf.max_definition_level));
  }
  if (!repetition_.empty()) leaf.repetition_levels = repetition_out_.as<uint16_t>();
  SLUICE_TRY(leaf.values, FinishValues(present));
  finished_levels_ = leaf.num_levels;
  length_ -= leaf.num_levels;
  if (!repetition_.empty()) rows_begun_ -= count;
  return leaf;
}

}  // namespace sluice::inline v0::parquet
