// ValidateColumn: what makes a column one that every consumer may trust. It is the oracle of the
// tests, so it is written to be plain rather than fast.

#include <fmt/format.h>
#include <sluice/column.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "format/model/try.h"

namespace sluice::inline v0 {
namespace {

// Columns are as deep as their types, and those are limited where they are made.
constexpr int kMaxDepth = 4096;

template <typename... Values>
Status Contradiction(fmt::format_string<Values...> text, Values&&... values) {
  return Status::Internal("invalid column: " + fmt::format(text, std::forward<Values>(values)...));
}

// Which rows of a column count: not null further up. Empty: all.
using LiveRows = std::vector<bool>;

bool IsLive(const LiveRows& live, int64_t row) {
  return live.empty() || live[static_cast<size_t>(row)];
}

class ColumnValidator {
 public:
  ColumnValidator(const Column& column, bool nullable, LiveRows live, int depth)
      : column_(column), nullable_(nullable), live_(std::move(live)), depth_(depth) {}

  Status Validate() const;

 private:
  Status ValidateNulls() const;
  Status ValidateRequired() const;
  Status ValidateForm() const;
  Status ValidateParts() const;
  Status ValidateConstant() const;
  Status ValidateDictionary() const;
  Status ValidateViews() const;
  Status ValidateView(int64_t row) const;
  Status ValidateFlat() const;
  Status ValidateWidth() const;
  Status ValidateLists() const;
  Status ValidateStruct() const;
  Status ValidateChild(size_t child, LiveRows live) const;
  Status ValidateTable() const;
  Status RequireBytes(std::string_view what, const BufferRef& buffer, int64_t count, int64_t width,
                      int64_t alignment) const;

  const Column& column_;
  bool nullable_;
  LiveRows live_;
  int depth_;
};

Status ColumnValidator::Validate() const {
  if (depth_ > kMaxDepth) return Contradiction("nested deeper than {}", kMaxDepth);
  if (!column_.type) return Contradiction("no type");
  if (column_.length < 0) return Contradiction("length is negative: {}", column_.length);
  if (column_.null_count < 0 || column_.null_count > column_.length) {
    return Contradiction("null count is outside the rows: {} of {}", column_.null_count,
                         column_.length);
  }
  SLUICE_RETURN_IF_ERROR(ValidateParts());
  SLUICE_RETURN_IF_ERROR(ValidateNulls());
  SLUICE_RETURN_IF_ERROR(ValidateForm());
  return ValidateRequired();
}

// What the form has no use for is not there.
Status ColumnValidator::ValidateParts() const {
  const ColumnForm form = column_.form;
  const bool has_table = form == ColumnForm::kConstant || form == ColumnForm::kDictionary;
  if (has_table != (column_.dictionary != nullptr)) {
    return Contradiction("dictionary does not fit the form: {}", static_cast<int>(form));
  }
  if (form != ColumnForm::kView && !column_.view_buffers.empty()) {
    return Contradiction("view buffers without views: {}", column_.view_buffers.size());
  }
  const bool has_children = form == ColumnForm::kFlat && column_.type->is_nested();
  const size_t children = has_children ? column_.type->children.size() : 0;
  if (column_.children.size() != children) {
    return Contradiction("number of children is wrong: {}, the type has {}",
                         column_.children.size(), children);
  }
  return Status::Ok();
}

Status ColumnValidator::ValidateNulls() const {
  if (column_.form == ColumnForm::kConstant) {
    if (column_.validity) return Contradiction("a constant has validity of its own");
    return Status::Ok();
  }
  if (!column_.validity) {
    if (column_.null_count == 0 || column_.null_count == column_.length) return Status::Ok();
    return Contradiction("no validity for {} nulls of {} rows", column_.null_count, column_.length);
  }
  if (column_.null_count == 0) return Contradiction("validity without nulls");
  SLUICE_RETURN_IF_ERROR(
      RequireBytes("validity", column_.validity, BitmapWords(column_.length), 8, 8));
  const int64_t nulls =
      column_.length - CountBits(column_.validity->as<uint64_t>(), 0, column_.length);
  if (nulls != column_.null_count) {
    return Contradiction("null count is {}, validity has {}", column_.null_count, nulls);
  }
  return Status::Ok();
}

Status ColumnValidator::ValidateRequired() const {
  if (nullable_ || column_.null_count == 0) return Status::Ok();
  for (int64_t row = 0; row < column_.length; ++row) {
    if (IsLive(live_, row) && column_.IsNull(row)) {
      return Contradiction("null in a field that allows none: row {}", row);
    }
  }
  return Status::Ok();
}

Status ColumnValidator::ValidateForm() const {
  switch (column_.form) {
    case ColumnForm::kConstant:
      return ValidateConstant();
    case ColumnForm::kDictionary:
      return ValidateDictionary();
    case ColumnForm::kView:
      return ValidateViews();
    case ColumnForm::kFlat:
      return ValidateFlat();
  }
  return Contradiction("form is unknown: {}", static_cast<int>(column_.form));
}

Status ColumnValidator::ValidateTable() const {
  const Column& table = *column_.dictionary;
  if (table.form == ColumnForm::kConstant || table.form == ColumnForm::kDictionary) {
    return Contradiction("dictionary is itself looked up");
  }
  if (!table.type || !(*table.type == *column_.type)) {
    return Contradiction("dictionary is of another type: {}, the column is {}",
                         table.type ? table.type->ToString() : "none", column_.type->ToString());
  }
  return ColumnValidator(table, true, {}, depth_ + 1).Validate().In("dictionary");
}

Status ColumnValidator::ValidateConstant() const {
  if (column_.data) return Contradiction("a constant has data of its own");
  if (column_.dictionary->length != 1) {
    return Contradiction("a constant's length is {}", column_.dictionary->length);
  }
  SLUICE_RETURN_IF_ERROR(ValidateTable());
  const int64_t nulls = column_.dictionary->IsNull(0) ? column_.length : 0;
  if (nulls != column_.null_count) {
    return Contradiction("null count is {}, the constant makes it {}", column_.null_count, nulls);
  }
  return Status::Ok();
}

Status ColumnValidator::ValidateDictionary() const {
  SLUICE_RETURN_IF_ERROR(ValidateTable());
  if (column_.dictionary->null_count != 0) {
    return Contradiction("dictionary has nulls: {}", column_.dictionary->null_count);
  }
  SLUICE_RETURN_IF_ERROR(RequireBytes("codes", column_.data, column_.length, 4, 4));
  for (int64_t row = 0; row < column_.length; ++row) {
    if (column_.IsNull(row)) continue;
    const int32_t code = column_.values<int32_t>()[row];
    if (code < 0 || code >= column_.dictionary->length) {
      return Contradiction("code is outside the dictionary: row {}, {} of {}", row, code,
                           column_.dictionary->length);
    }
  }
  return Status::Ok();
}

Status ColumnValidator::ValidateViews() const {
  if (!column_.type->is_view()) {
    return Contradiction("views of a type that has none: {}", column_.type->ToString());
  }
  for (const BufferRef& buffer : column_.view_buffers) {
    if (!buffer) return Contradiction("a view buffer is missing");
  }
  SLUICE_RETURN_IF_ERROR(
      RequireBytes("views", column_.data, column_.length, sizeof(StringView), alignof(StringView)));
  for (int64_t row = 0; row < column_.length; ++row) {
    if (!column_.IsNull(row)) SLUICE_RETURN_IF_ERROR(ValidateView(row));
  }
  return Status::Ok();
}

Status ColumnValidator::ValidateView(int64_t row) const {
  const StringView& view = column_.values<StringView>()[row];
  if (view.length < 0) return Contradiction("view is negative: row {}, {}", row, view.length);
  if (view.length <= StringView::kInlineLength) {
    for (int32_t i = view.length; i < StringView::kInlineLength; ++i) {
      if (view.inlined[i] != 0) return Contradiction("view is not padded by zeros: row {}", row);
    }
    return Status::Ok();
  }
  const auto [prefix, ordinal, offset] = view.outside;
  if (ordinal < 0 || static_cast<size_t>(ordinal) >= column_.view_buffers.size()) {
    return Contradiction("view is in no buffer: row {}, {} of {}", row, int32_t{ordinal},
                         column_.view_buffers.size());
  }
  const Buffer& buffer = *column_.view_buffers[static_cast<size_t>(ordinal)];
  if (offset < 0 || int64_t{offset} + view.length > buffer.size()) {
    return Contradiction("view is outside its buffer: row {}, {} bytes from {} of {}", row,
                         int32_t{view.length}, int32_t{offset}, buffer.size());
  }
  if (std::memcmp(prefix, buffer.data() + offset, sizeof(prefix)) != 0) {
    return Contradiction("view has another prefix than its bytes: row {}", row);
  }
  return Status::Ok();
}

Status ColumnValidator::ValidateFlat() const {
  const DataType& type = *column_.type;
  if (type.is_view()) return Contradiction("no views for type {}", type.ToString());
  switch (type.id) {
    case TypeId::kNull:
      if (column_.null_count != column_.length) {
        return Contradiction("a null column has values: {}", column_.length - column_.null_count);
      }
      return Status::Ok();
    case TypeId::kBoolean:
      return RequireBytes("booleans", column_.data, BitmapWords(column_.length), 8, 8);
    case TypeId::kList:
    case TypeId::kMap:
      return ValidateLists();
    case TypeId::kStruct:
    case TypeId::kVariant:
      return ValidateStruct();
    default:
      break;
  }
  SLUICE_RETURN_IF_ERROR(ValidateWidth());
  // Values that a processor can load are where it can load them; longer ones are their words.
  const int64_t width = type.byte_width;
  const bool is_number = type.id != TypeId::kFixedBinary && type.id != TypeId::kUuid;
  const int64_t alignment = is_number ? std::min<int64_t>(8, width & -width) : 1;
  return RequireBytes("values", column_.data, column_.length, width, alignment);
}

Status ColumnValidator::ValidateWidth() const {
  const DataType& type = *column_.type;
  const int32_t width = type.byte_width;
  bool is_right = width == DataType::Of(type.id).byte_width && width > 0;
  if (type.id == TypeId::kDecimal) {
    is_right = width == 4 || width == 8 || width == 16 || width == 32;
  } else if (type.id == TypeId::kTime) {
    is_right = width == DataType::Time(type.unit, type.utc_adjusted).byte_width;
  } else if (type.id == TypeId::kFixedBinary) {
    is_right = width >= 0;
  }
  if (!is_right) return Contradiction("width of {} is wrong: {}", type.ToString(), width);
  return Status::Ok();
}

Status ColumnValidator::ValidateLists() const {
  const size_t children = column_.children.size();
  if (children != 1 && !(children == 2 && column_.type->id == TypeId::kMap)) {
    return Contradiction("{} with {} children", TypeName(column_.type->id), children);
  }
  // A list of no rows may do without its one offset.
  if (column_.length == 0 && !column_.data) {
    for (size_t i = 0; i < children; ++i) SLUICE_RETURN_IF_ERROR(ValidateChild(i, {}));
    return Status::Ok();
  }
  SLUICE_RETURN_IF_ERROR(RequireBytes("offsets", column_.data, column_.length + 1, 4, 4));
  const auto* offsets = column_.values<int32_t>();
  if (offsets[0] < 0) return Contradiction("first offset is negative: {}", offsets[0]);
  for (int64_t row = 0; row < column_.length; ++row) {
    if (offsets[row + 1] < offsets[row]) {
      return Contradiction("offsets descend: row {}, {} to {}", row, offsets[row],
                           offsets[row + 1]);
    }
  }
  for (size_t i = 0; i < children; ++i) {
    const int64_t elements = column_.children[i].length;
    if (elements < offsets[column_.length]) {
      return Contradiction("child {} is shorter than the last offset: {} of {}", i, elements,
                           offsets[column_.length]);
    }
    LiveRows live(static_cast<size_t>(elements), false);
    for (int64_t row = 0; row < column_.length; ++row) {
      if (!IsLive(live_, row) || column_.IsNull(row)) continue;
      std::fill(live.begin() + offsets[row], live.begin() + offsets[row + 1], true);
    }
    SLUICE_RETURN_IF_ERROR(ValidateChild(i, std::move(live)));
  }
  return Status::Ok();
}

Status ColumnValidator::ValidateStruct() const {
  if (column_.data) return Contradiction("a struct has data of its own");
  LiveRows live(static_cast<size_t>(column_.length));
  for (int64_t row = 0; row < column_.length; ++row) {
    live[static_cast<size_t>(row)] = IsLive(live_, row) && !column_.IsNull(row);
  }
  for (size_t i = 0; i < column_.children.size(); ++i) {
    if (column_.children[i].length != column_.length) {
      return Contradiction("child {} has another length: {} of {}", i, column_.children[i].length,
                           column_.length);
    }
    SLUICE_RETURN_IF_ERROR(ValidateChild(i, live));
  }
  return Status::Ok();
}

Status ColumnValidator::ValidateChild(size_t child, LiveRows live) const {
  const Column& column = column_.children[child];
  const Field& field = column_.type->children[child];
  if (column.type && !(*column.type == field.type)) {
    return Contradiction("child {} is of another type: {}, the parent's is {}", child,
                         column.type->ToString(), field.type.ToString());
  }
  return ColumnValidator(column, field.nullable, std::move(live), depth_ + 1)
      .Validate()
      .In(fmt::format("child {}", child));
}

Status ColumnValidator::RequireBytes(std::string_view what, const BufferRef& buffer, int64_t count,
                                     int64_t width, int64_t alignment) const {
  if (count == 0 || width == 0) return Status::Ok();
  if (!buffer) return Contradiction("no {}", what);
  if (buffer->size() / width < count) {
    return Contradiction("{} are too short: {} bytes for {} of {}", what, buffer->size(), count,
                         width);
  }
  if (reinterpret_cast<uintptr_t>(buffer->data()) % static_cast<uintptr_t>(alignment) != 0) {
    return Contradiction("{} are not aligned to {}", what, alignment);
  }
  return Status::Ok();
}

}  // namespace

Status ValidateColumn(const Column& column) {
  return ColumnValidator(column, true, {}, 0).Validate();
}

}  // namespace sluice::inline v0
