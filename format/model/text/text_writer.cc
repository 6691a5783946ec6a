#include <sluice/text.h>

#include <algorithm>
#include <utility>

#include "format/model/text/scalar_text.h"
#include "format/model/text/value_text.h"

namespace sluice::inline v0 {
namespace {

using text::AppendValue;
using text::IsNullValue;
using text::Style;

/// Appends `field`, in quotes where RFC 4180 wants them and where it is empty.
void AppendCsvField(std::string_view field, std::string& out) {
  if (!field.empty() && field.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += field;
    return;
  }
  out += '"';
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void AppendCsvRow(const Batch& batch, int64_t row, std::string& scratch, std::string& out) {
  for (size_t i = 0; i < batch.columns.size(); ++i) {
    if (i > 0) out += ',';
    const Column& column = batch.columns[i];
    if (IsNullValue(column, row)) continue;
    scratch.clear();
    AppendValue(column, row, Style::kPlain, scratch);
    AppendCsvField(scratch, out);
  }
  out += '\n';
}

/// The number of characters, taking each code point for one column of a terminal.
size_t DisplayWidth(std::string_view cell) {
  return static_cast<size_t>(std::count_if(
      cell.begin(), cell.end(), [](char c) { return (static_cast<uint8_t>(c) & 0xc0) != 0x80; }));
}

bool IsRightAligned(const DataType& type) {
  return (type.id >= TypeId::kInt8 && type.id <= TypeId::kDecimal) || type.id == TypeId::kDuration;
}

/// Appends `cell` filled up to `width`; the last of a row is not filled up behind.
void AppendCell(std::string_view cell, size_t width, bool is_right, bool is_last,
                std::string& out) {
  const size_t shown = DisplayWidth(cell);
  const size_t fill = width > shown ? width - shown : 0;
  if (is_right) out.append(fill, ' ');
  out += cell;
  if (!is_right && !is_last) out.append(fill, ' ');
  out += is_last ? "\n" : " | ";
}

/// One line: control characters as JSON escapes them.
std::string OneLine(std::string text) {
  if (std::none_of(text.begin(), text.end(),
                   [](char c) { return static_cast<uint8_t>(c) < 0x20; })) {
    return text;
  }
  std::string escaped;
  text::AppendEscaped(text, escaped);
  return escaped;
}

std::string TableCell(const Column& column, int64_t row) {
  if (IsNullValue(column, row)) return "NULL";
  std::string value;
  AppendValue(column, row, Style::kPlain, value);
  return OneLine(std::move(value));
}

}  // namespace

TextWriter::TextWriter(std::shared_ptr<const Schema> schema, TextFormat format)
    : schema_(std::move(schema)), format_(format) {
  if (format_ != TextFormat::kJsonLines) return;
  for (const Field& field : schema_->fields) {
    std::string& key = keys_.emplace_back(keys_.empty() ? "\"" : ",\"");
    text::AppendEscaped(field.name, key);
    key += "\":";
  }
}

void TextWriter::Begin(std::string& out) {
  if (format_ != TextFormat::kCsv) return;
  for (size_t i = 0; i < schema_->fields.size(); ++i) {
    if (i > 0) out += ',';
    AppendCsvField(schema_->fields[i].name, out);
  }
  out += '\n';
}

void TextWriter::End(std::string& out) {
  if (format_ == TextFormat::kTable && !has_header_) AppendTable({}, 0, 0, out);
}

void TextWriter::AppendRows(const Batch& batch, int64_t begin, int64_t end, std::string& out) {
  if (format_ == TextFormat::kTable) return AppendTable(batch, begin, end, out);
  if (format_ == TextFormat::kCsv) {
    std::string scratch;
    for (int64_t row = begin; row < end; ++row) AppendCsvRow(batch, row, scratch, out);
    return;
  }
  const bool is_object = format_ == TextFormat::kJsonLines;
  for (int64_t row = begin; row < end; ++row) {
    out += is_object ? '{' : '[';
    for (size_t i = 0; i < batch.columns.size(); ++i) {
      if (is_object) {
        out += keys_[i];
      } else if (i > 0) {
        out += ',';
      }
      AppendValue(batch.columns[i], row, Style::kJson, out);
    }
    out += is_object ? "}\n" : "]\n";
  }
}

void TextWriter::AppendTable(const Batch& batch, int64_t begin, int64_t end, std::string& out) {
  const size_t columns = schema_->fields.size();
  widths_.resize(columns, 0);
  std::vector<std::string> cells;
  cells.reserve(columns * static_cast<size_t>(end - begin));
  for (int64_t row = begin; row < end; ++row) {
    for (size_t i = 0; i < columns; ++i) {
      cells.push_back(TableCell(batch.columns[i], row));
      widths_[i] = std::max(widths_[i], DisplayWidth(cells.back()));
    }
  }
  const auto is_right = [&](size_t i) { return IsRightAligned(schema_->fields[i].type); };
  if (!has_header_) {
    has_header_ = true;
    std::string rule;
    for (size_t i = 0; i < columns; ++i) {
      const std::string name = OneLine(schema_->fields[i].name);
      widths_[i] = std::max(widths_[i], DisplayWidth(name));
      AppendCell(name, widths_[i], is_right(i), i + 1 == columns, out);
      rule.append(widths_[i], '-');
      rule += i + 1 == columns ? "\n" : "-+-";
    }
    out += rule;
  }
  for (size_t at = 0; at < cells.size(); at += columns) {
    for (size_t i = 0; i < columns; ++i) {
      AppendCell(cells[at + i], widths_[i], is_right(i), i + 1 == columns, out);
    }
  }
}

}  // namespace sluice::inline v0
