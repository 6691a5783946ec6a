// Of ColumnExporter: text, as it is and behind codes.

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "format/model/arrow/column_export.h"
#include "format/model/column_rows.h"
#include "format/model/text/scalar_text.h"
#include "format/model/try.h"

namespace sluice::inline v0::arrow {

namespace {

constexpr std::string_view kNotUtf8 = "a value is not UTF-8";

bool IsUtf8Type(TypeId id) {
  return id == TypeId::kString || id == TypeId::kEnum || id == TypeId::kJson;
}

void AddText(const Column& views, const ArrowField& field, PlainText text, ArrayParts& parts) {
  if (field.layout == ArrowLayout::kViews) {
    parts.AddBuffer(views.data);
    parts.AddViewBuffers(views.view_buffers);
    return;
  }
  parts.AddBuffer(text.offsets);
  parts.AddBuffer(text.bytes);
}

/// The codes and entries of a column in any form.
Result<TextCodes> CodesOf(const Column& column, BufferPool& pool) {
  if (column.form == ColumnForm::kView) return EncodeText(column, pool);
  if (column.form == ColumnForm::kDictionary) return TextCodes{column.data, *column.dictionary};
  TextCodes coded;
  const int64_t bytes = column.length * int64_t{sizeof(int32_t)};
  SLUICE_TRY(coded.codes, pool.Allocate(bytes));
  if (bytes > 0) std::memset(coded.codes->mutable_data(), 0, static_cast<size_t>(bytes));
  // Nulls are in the validity of the codes only.
  coded.entries = FirstRows(*column.dictionary, column.dictionary->IsNull(0) ? 0 : 1);
  return coded;
}

}  // namespace

Result<ArrayNode> ColumnExporter::ExportText(const Column& column, const ArrowField& field,
                                             const ColumnPlace& place) {
  SLUICE_TRY(ArrayParts parts, Begin(column, place));
  SLUICE_RETURN_IF_ERROR(
      RequireBytes(column.data, column.length, int64_t{sizeof(StringView)}, place));
  if (options_.validate_utf8 && IsUtf8Type(field.type.id)) {
    SLUICE_RETURN_IF_ERROR(CheckUtf8(column, place));
  }
  SLUICE_TRY(PlainText text, TextOf(column, field, place));
  AddText(column, field, std::move(text), parts);
  return std::move(parts).Assemble(pool_);
}

Result<ArrayNode> ColumnExporter::ExportDictionary(const Column& column, const ArrowField& field,
                                                   const ColumnPlace& place) {
  SLUICE_TRY(ArrayParts parts, Begin(column, place));
  Result<TextCodes> coded = CodesOf(column, pool_);
  if (!coded) return coded.error().In(place.ToString());
  const Column& entries = coded->entries;
  if (entries.form != ColumnForm::kView || entries.null_count != 0) {
    return place.Error(StatusCode::kInternal, "a dictionary is not of strings, or has nulls");
  }
  SLUICE_RETURN_IF_ERROR(
      RequireBytes(coded->codes, column.length, int64_t{sizeof(int32_t)}, place));
  SLUICE_RETURN_IF_ERROR(
      RequireBytes(entries.data, entries.length, int64_t{sizeof(StringView)}, place));
  // The batches of a column chunk share their dictionary: it is converted and looked at once.
  KnownDictionary dictionary;
  KnownDictionary& known = known_dictionaries_[&field];
  if (known.source.lock() == column.dictionary && column.dictionary) {
    dictionary = known;
  } else {
    if (options_.validate_utf8 && IsUtf8Type(field.type.id)) {
      SLUICE_RETURN_IF_ERROR(CheckEntries(column, *coded, place));
    }
    SLUICE_TRY(dictionary.text, TextOf(entries, field, place));
    dictionary.source = column.dictionary;
    known = dictionary;
  }
  ArrayParts values(entries.length, 0);
  values.AddValidity(nullptr);
  AddText(entries, field, std::move(dictionary.text), values);
  SLUICE_TRY(ArrayNode values_array, std::move(values).Assemble(pool_));
  parts.AddBuffer(coded->codes);
  parts.SetDictionary(std::move(values_array));
  return std::move(parts).Assemble(pool_);
}

Result<PlainText> ColumnExporter::TextOf(const Column& views, const ArrowField& field,
                                         const ColumnPlace& place) {
  if (field.layout == ArrowLayout::kViews) return PlainText();
  Result<PlainText> text = field.layout == ArrowLayout::kText32
                               ? MakePlainText<int32_t>(views, pool_)
                               : MakePlainText<int64_t>(views, pool_);
  if (!text) return text.error().In(place.ToString());
  return text;
}

Status ColumnExporter::CheckUtf8(const Column& column, const ColumnPlace& place) const {
  for (int64_t row = 0; row < column.length; ++row) {
    if (column.IsNull(row) || text::IsUtf8(column.Bytes(row))) continue;
    SLUICE_RETURN_IF_ERROR(RowError(place, row, StatusCode::kCorruption, kNotUtf8));
  }
  return Status::Ok();
}

Status ColumnExporter::CheckEntries(const Column& column, const TextCodes& coded,
                                    const ColumnPlace& place) const {
  for (int64_t entry = 0; entry < coded.entries.length; ++entry) {
    if (text::IsUtf8(coded.entries.Bytes(entry))) continue;
    for (int64_t row = 0; row < column.length; ++row) {
      if (column.IsNull(row) || coded.codes->as<int32_t>()[row] != entry) continue;
      SLUICE_RETURN_IF_ERROR(RowError(place, row, StatusCode::kCorruption, kNotUtf8));
    }
    // It leaves with the dictionary all the same.
    return place.Error(StatusCode::kCorruption,
                       fmt::format("entry {} of the dictionary is not UTF-8", entry));
  }
  return Status::Ok();
}

}  // namespace sluice::inline v0::arrow
