// LeafReader: what was taken becomes columns, or the levels and values that columns are made of.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "format/model/bitmap_words.h"
#include "format/model/try.h"
#include "format/parquet/leaf_reader.h"

namespace sluice::inline v0::parquet {

std::string LeafReader::PlaceOfPages() const {
  if (first_page_ < 0) return "no page";
  const std::string first = fmt::format("page {} at byte {}", first_page_, first_page_offset_);
  if (last_page_ == first_page_) return first;
  return fmt::format("{}, to page {}", first, last_page_);
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
