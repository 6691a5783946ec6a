// LeafReader for leaves below something repeated: rows begin where the repetition level is 0, so
// that levels have to be looked at before it is known which rows a page holds.

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "format/model/bitmap_words.h"
#include "format/model/try.h"
#include "format/parquet/leaf_reader.h"

namespace sluice::inline v0::parquet {

Result<bool> LeafReader::FillRepeated(int64_t end) {
  while (filled_end_ < end) {
    if (used_ < loaded_) {
      SLUICE_TRY(const bool is_full, IsFull());
      const Result<Taken> taken = is_full ? Taken::kNoRoom : TakeLevels(end);
      if (!taken) return taken.error();
      if (*taken == Taken::kNoRoom) {
        // The row that began last may go on, and is not whole then.
        filled_end_ = row_is_selected_ ? row_ - 1 : row_;
        return true;
      }
      if (*taken == Taken::kRows) filled_end_ = end;
      continue;
    }
    if (levels_left_in_page_ > 0) {
      SLUICE_RETURN_IF_ERROR(LoadLevels());
      continue;
    }
    if (pages_.page() != nullptr) SLUICE_RETURN_IF_ERROR(ClosePage());
    // Pages that an offset index names begin with a row. Of others the next one has to be looked
    // at, to see whether the last row goes on in it.
    if (pages_.uses_offset_index()) {
      if (row_ >= end) filled_end_ = end;
    } else if (!pages_.has_page() && pages_.is_last()) {
      if (row_ < end) {
        return Status::Corruption(
            fmt::format("the column chunk has too few rows: {} < {}", row_, plan_.num_rows));
      }
      filled_end_ = end;
    }
    if (filled_end_ >= end) break;
    SLUICE_TRY(const bool there, NextRepeatedPage());
    if (!there) return false;
  }
  return true;
}

Result<bool> LeafReader::NextRepeatedPage() {
  if (!pages_.has_page()) {
    SLUICE_TRY(const bool there, pages_.Next(row_));
    if (!there) return false;
    if (pages_.uses_offset_index()) row_ = pages_.rows().begin;
  }
  SLUICE_TRY(const bool there, pages_.Open());
  if (!there) return false;
  DataPage& page = *pages_.page();
  levels_left_in_page_ = page.num_levels();
  values_left_ = page.num_values();
  loaded_ = 0;
  used_ = 0;
  if (pages_.dictionary()) values_.SetDictionary(pages_.dictionary());
  SLUICE_RETURN_IF_ERROR(CheckRepeatedPage());
  const RowRange begun{row_, row_ + page.num_row_starts()};
  const bool continues_wanted_row = repetition_[0] != 0 && row_is_selected_;
  if (plan_.options->skip_pages && !plan_.reads_every_page && !continues_wanted_row &&
      plan_.wanted->CountIn(begun) == 0) {
    row_ = begun.end;
    row_is_selected_ = false;
    skipped_values_ = page.num_values();
    values_left_ = 0;
    levels_left_in_page_ = 0;
    used_ = loaded_;
  }
  return true;
}

Status LeafReader::CheckRepeatedPage() {
  SLUICE_RETURN_IF_ERROR(LoadLevels());
  const bool must_begin_row = row_ == 0 || pages_.uses_offset_index() ||
                              pages_.stored().header.type == PageType::kDataPageV2;
  if (repetition_[0] != 0 && must_begin_row) {
    return Status::Corruption(fmt::format(
        "page does not begin with a row: its first repetition level is {}", repetition_[0]));
  }
  const int64_t row_starts = pages_.page()->num_row_starts();
  if (row_starts > plan_.num_rows - row_) {
    return Status::Corruption(fmt::format("pages hold more rows than the row group: {} > {}",
                                          row_ + row_starts, plan_.num_rows));
  }
  if (pages_.uses_offset_index() && pages_.rows().size() != row_starts) {
    return Status::Corruption(
        fmt::format("the offset index gives the page {} rows, it holds {} (reading without the "
                    "index is an option)",
                    pages_.rows().size(), row_starts));
  }
  return Status::Ok();
}

Status LeafReader::LoadLevels() {
  const int64_t count = std::min(levels_left_in_page_, kPieceLevels);
  SLUICE_RETURN_IF_ERROR(pages_.page()->repetition_levels().Read(count, repetition_.data()));
  SLUICE_RETURN_IF_ERROR(pages_.page()->definition_levels().Read(count, definition_.data()));
  kernels_->levels_equal(repetition_.data(), count, 0, row_starts_.data());
  levels_left_in_page_ -= count;
  loaded_ = count;
  used_ = 0;
  return Status::Ok();
}

Result<LeafReader::Taken> LeafReader::TakeLevels(int64_t fill_end) {
  // Levels up to the first row behind those asked for.
  const int64_t allowed = std::max<int64_t>(fill_end - row_, 0);
  const int64_t end = FindSetBit(row_starts_.data(), used_, loaded_, allowed);
  bool is_complete = end < loaded_;
  const int64_t begin = used_;
  int64_t count = end - begin;
  if (row_is_selected_ || plan_.wanted->CountIn({row_, row_ + std::min(count, allowed)}) > 0) {
    SLUICE_TRY(const int64_t fitting, CutToRoom(count));
    if (fitting == 0 && count > 0) return Taken::kNoRoom;
    is_complete = is_complete && fitting == count;
    count = fitting;
  }
  used_ = begin + count;
  if (count == 0) return is_complete ? Taken::kRows : Taken::kLevels;

  const int64_t selected = SelectLevels(begin, count, level_selection_.data());
  const uint64_t* const present = FindPresent(begin, count);
  if (selected == 0) {
    LeaveValues(CountBits(present, 0, count));
    return is_complete ? Taken::kRows : Taken::kLevels;
  }
  const uint64_t* selection = selected == count ? nullptr : level_selection_.data();
  SLUICE_RETURN_IF_ERROR(AppendLevels(begin, count, selection, selected));
  SLUICE_RETURN_IF_ERROR(AppendValues(present, count, selection));
  return is_complete ? Taken::kRows : Taken::kLevels;
}

int64_t LeafReader::SelectLevels(int64_t begin, int64_t count, uint64_t* selection) {
  int64_t selected = 0;
  for (int64_t at = 0; at < count; at += 64) {
    const int64_t size = std::min<int64_t>(64, count - at);
    uint64_t starts = LoadBits(row_starts_.data(), begin + at, size);
    uint64_t bits = 0;
    int64_t from = 0;
    while (starts != 0) {
      const int64_t start = std::countr_zero(starts);
      starts &= starts - 1;
      if (row_is_selected_) bits |= LowBits(start) & ~LowBits(from);
      from = start;
      const int64_t row = row_++ - rows_.begin;
      row_is_selected_ = row >= 0 && row < rows_.size() && GetBit(selection_, row);
      rows_begun_ += row_is_selected_ ? 1 : 0;
    }
    if (row_is_selected_) bits |= LowBits(size) & ~LowBits(from);
    selection[at / 64] = bits;
    selected += std::popcount(bits);
  }
  return selected;
}

}  // namespace sluice::inline v0::parquet
