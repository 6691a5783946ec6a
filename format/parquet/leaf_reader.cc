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

void LeafReader::Start(RowRange rows, const uint64_t* selection) {
  rows_ = rows;
  selection_ = selection;
  length_ = 0;
  null_count_ = 0;
  first_page_ = -1;
  repetition_out_ = BufferBuilder(plan_.context.pool);
  definition_out_ = BufferBuilder(plan_.context.pool);
}

Result<bool> LeafReader::Fill() {
  return plan_.context.leaf.max_repetition_level == 0 ? FillFlat() : FillRepeated();
}

Result<bool> LeafReader::FillFlat() {
  while (row_ < rows_.end) {
    if (!pages_.has_page()) {
      SLUICE_TRY(const bool there, pages_.Next(row_));
      if (!there) return false;
      // An offset index leaves out pages without wanted rows.
      row_ = pages_.rows().begin;
    }
    const RowRange page_rows = pages_.rows();
    if (pages_.page() == nullptr) {
      const bool is_wanted = plan_.selection->CountIn({row_, page_rows.end}) > 0;
      if (!is_wanted && plan_.options->skip_pages && !plan_.reads_every_page) {
        row_ = page_rows.end;
        plan_.counters->values_skipped += page_rows.size();
        SLUICE_RETURN_IF_ERROR(pages_.Close(false));
        continue;
      }
      SLUICE_TRY(const bool there, pages_.Open());
      if (!there) return false;
      values_left_ = pages_.page()->num_values();
      if (pages_.dictionary()) values_.SetDictionary(pages_.dictionary());
    }
    while (row_ < std::min(page_rows.end, rows_.end)) {
      const int64_t end = row_ < rows_.begin ? rows_.begin : rows_.end;
      const int64_t count = std::min({page_rows.end, end, row_ + kPieceLevels}) - row_;
      SLUICE_RETURN_IF_ERROR(TakeRows(count));
      row_ += count;
    }
    if (row_ == page_rows.end) SLUICE_RETURN_IF_ERROR(ClosePage());
  }
  return true;
}

Status LeafReader::TakeRows(int64_t count) {
  const int64_t begin = row_ - rows_.begin;
  const int64_t selected =
      begin < 0 || selection_ == nullptr ? 0 : CountBits(selection_, begin, count);
  if (selected == 0) {
    skipped_levels_ += count;
    return Status::Ok();
  }
  if (skipped_levels_ > 0) {
    SLUICE_RETURN_IF_ERROR(SkipLevels(std::exchange(skipped_levels_, 0)));
  }
  const uint64_t* selection = nullptr;
  if (selected < count) {
    CopyBits(selection_, begin, count, level_selection_.data());
    selection = level_selection_.data();
  }
  if (plan_.context.leaf.max_definition_level == 0) {
    length_ += selected;
    return AppendValues(nullptr, count, selection);
  }
  if (is_column_ && plan_.context.leaf.max_definition_level == 1) {
    return TakePresence(count, selection, selected);
  }
  return TakeDefinitions(count, selection, selected);
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
  null_count_ += selected - CountBits(kept, 0, selected);
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

std::string LeafReader::BatchPlace() const {
  const std::string rows = fmt::format("rows {} to {}", rows_.begin, rows_.end - 1);
  if (first_page_ < 0) return rows;
  const std::string pages = fmt::format("page {} at byte {}", first_page_, first_page_offset_);
  if (last_page_ == first_page_) return fmt::format("{}: {}", pages, rows);
  return fmt::format("{}, to page {}: {}", pages, last_page_, rows);
}

Status LeafReader::AppendValues(const uint64_t* present, int64_t count, const uint64_t* selection) {
  ValueRun run;
  run.count = present == nullptr ? count : CountBits(present, 0, count);
  run.selected = run.count;
  if (selection != nullptr) {
    run.selection = selection;
    if (present != nullptr) {
      kernels_->extract_bits(selection, present, count, value_selection_.data());
      run.selection = value_selection_.data();
    }
    run.selected = CountBits(run.selection, 0, run.count);
    if (run.selected == run.count) run.selection = nullptr;
  }
  if (run.count == 0) return Status::Ok();
  values_left_ -= run.count;
  if (run.selected == 0) {
    skipped_values_ += run.count;
    return Status::Ok();
  }
  SLUICE_RETURN_IF_ERROR(StepOverValues());
  last_page_ = pages_.stored().ordinal;
  if (first_page_ < 0) {
    first_page_ = last_page_;
    first_page_offset_ = pages_.stored().offset;
  }
  plan_.counters->values_decoded += run.selected;
  plan_.counters->values_skipped += run.count - run.selected;
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
  plan_.counters->values_skipped += skipped_values_ + skipped_levels_;
  skipped_levels_ = 0;
  skipped_values_ = 0;
  return pages_.Close(is_finished);
}

Result<bool> LeafReader::CheckEnd(int64_t own_end) {
  if (pages_.page() != nullptr) SLUICE_RETURN_IF_ERROR(ClosePage());
  return pages_.CheckEnd(own_end);
}

Result<Column> LeafReader::FinishValues() {
  SLUICE_TRY(Column values, values_.Finish());
  if (!plan_.calendar.Concerns(*plan_.type)) return values;
  if (values.form != ColumnForm::kDictionary) {
    SLUICE_RETURN_IF_ERROR(plan_.calendar.Check(values));
  } else if (checked_dictionary_ != values.dictionary.get()) {
    SLUICE_RETURN_IF_ERROR(plan_.calendar.Check(*values.dictionary));
    checked_dictionary_ = values.dictionary.get();
  }
  return values;
}

Result<Column> LeafReader::FinishColumn() {
  SLUICE_TRY(Column values, FinishValues());
  const int64_t length = length_;
  if (plan_.type->id == TypeId::kNull) {
    values.length = length;
    values.null_count = length;
    return values;
  }
  if (null_count_ == 0) {
    validity_ = BufferBuilder(plan_.context.pool);
    return values;
  }
  SLUICE_TRY(BufferRef validity, validity_.Finish());
  return SpreadValues(std::move(values), std::move(validity), length, null_count_,
                      *plan_.context.pool);
}

Result<LeafValues> LeafReader::FinishLeaf() {
  LeafValues leaf;
  leaf.num_levels = length_;
  if (!definition_.empty()) leaf.definition_levels = definition_out_.as<uint16_t>();
  if (!repetition_.empty()) leaf.repetition_levels = repetition_out_.as<uint16_t>();
  SLUICE_TRY(leaf.values, FinishValues());
  return leaf;
}

}  // namespace sluice::inline v0::parquet
