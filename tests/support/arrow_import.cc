#include "tests/support/arrow_import.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

namespace sluice::support {
namespace {

constexpr int64_t kInline = 12;

int32_t Int32At(const char*& bytes) {
  int32_t number;
  std::memcpy(&number, bytes, sizeof(number));
  bytes += sizeof(number);
  return number;
}

std::string TextAt(const char*& bytes) {
  const int32_t size = Int32At(bytes);
  std::string text(bytes, static_cast<size_t>(size));
  bytes += size;
  return text;
}

template <typename T>
T ValueAt(const void* buffer, int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const char*>(buffer) + i * int64_t{sizeof(T)}, sizeof(T));
  return value;
}

bool BitAt(const void* buffer, int64_t i) {
  return (ValueAt<uint8_t>(buffer, i / 8) >> (i % 8) & 1) != 0;
}

int64_t DecimalWidth(const std::string& format) {
  const size_t scale = format.find(',');
  const size_t bits = scale == std::string::npos ? scale : format.find(',', scale + 1);
  return bits == std::string::npos ? 16 : std::atoi(format.c_str() + bits + 1) / 8;
}

/// Bytes of a value of a fixed width; -1 for other formats.
int64_t WidthOf(const std::string& format) {
  if (format[0] == 'w') return std::atoi(format.c_str() + 2);
  if (format[0] == 'd') return DecimalWidth(format);
  if (format == "tin") return 16;
  const std::string_view kind = std::string_view(format).substr(0, 2);
  if (kind == "ts" || kind == "tD") return 8;
  static const std::map<std::string_view, int64_t> widths = {
      {"c", 1}, {"C", 1}, {"s", 2}, {"S", 2},   {"e", 2},   {"i", 4},   {"I", 4},   {"f", 4},
      {"l", 8}, {"L", 8}, {"g", 8}, {"tdD", 4}, {"tts", 4}, {"ttm", 4}, {"ttu", 8}, {"ttn", 8},
  };
  const auto found = widths.find(format);
  return found == widths.end() ? -1 : found->second;
}

class ArrayImporter {
 public:
  ArrayImporter(const ArrowType& type, const ArrowArray& array) : type_(type), array_(array) {}

  std::vector<Cell> Cells() const;

 private:
  bool CheckShape(int64_t buffers, int64_t children) const;
  bool CheckBuffers() const;
  bool CheckNulls() const;
  bool IsNull(int64_t row) const {
    const void* validity = array_.buffers[0];
    return validity != nullptr && !BitAt(validity, row);
  }
  template <typename Value>
  std::vector<Cell> Valid(Value value) const;

  std::vector<Cell> Nulls() const;
  std::vector<Cell> Booleans() const;
  std::vector<Cell> Fixed(int64_t width) const;
  std::vector<Cell> Views() const;
  Cell View(int64_t row, const std::vector<int64_t>& sizes) const;
  template <typename Offset>
  std::vector<Cell> Plain() const;
  std::vector<Cell> Lists() const;
  std::vector<Cell> Structs() const;
  std::vector<Cell> Codes() const;
  template <typename Offset>
  void CheckOffsets(int64_t limit) const;

  const ArrowType& type_;
  const ArrowArray& array_;
};

bool ArrayImporter::CheckShape(int64_t buffers, int64_t children) const {
  EXPECT_NE(array_.release, nullptr) << type_.name << ": released";
  EXPECT_GE(array_.length, 0);
  EXPECT_EQ(array_.offset, 0);
  EXPECT_EQ(array_.n_buffers, buffers) << type_.name << ": " << type_.format;
  EXPECT_EQ(array_.n_children, children) << type_.name << ": " << type_.format;
  EXPECT_EQ(array_.dictionary != nullptr, type_.dictionary != nullptr) << type_.name;
  return array_.n_buffers == buffers && array_.n_children == children && CheckBuffers() &&
         CheckNulls();
}

/// Only a validity may be a null pointer; numbers are where a processor can load them.
bool ArrayImporter::CheckBuffers() const {
  bool is_right = array_.n_buffers == 0 || array_.buffers != nullptr;
  for (int64_t i = 1; is_right && i < array_.n_buffers; ++i) {
    is_right = array_.buffers[i] != nullptr;
  }
  const int64_t width = WidthOf(type_.format);
  if (is_right && width > 0 && type_.format[0] != 'w') {
    is_right = reinterpret_cast<uintptr_t>(array_.buffers[1]) %
                   static_cast<uintptr_t>(std::min<int64_t>(width, 8)) ==
               0;
  }
  EXPECT_TRUE(is_right) << type_.name << ": " << type_.format;
  return is_right;
}

bool ArrayImporter::CheckNulls() const {
  if (type_.format == "n") {
    EXPECT_EQ(array_.null_count, array_.length);
    return true;
  }
  int64_t nulls = 0;
  for (int64_t row = 0; row < array_.length; ++row) nulls += IsNull(row) ? 1 : 0;
  EXPECT_EQ(array_.null_count, nulls) << type_.name << ": " << type_.format;
  return array_.null_count == nulls;
}

template <typename Value>
std::vector<Cell> ArrayImporter::Valid(Value value) const {
  std::vector<Cell> cells;
  for (int64_t row = 0; row < array_.length; ++row) {
    cells.push_back(IsNull(row) ? Null() : value(row));
  }
  return cells;
}

std::vector<Cell> ArrayImporter::Nulls() const {
  if (!CheckShape(0, 0)) return {};
  return std::vector<Cell>(static_cast<size_t>(array_.length), Null());
}

std::vector<Cell> ArrayImporter::Booleans() const {
  if (!CheckShape(2, 0)) return {};
  return Valid([&](int64_t row) {
    return Text(std::string(1, BitAt(array_.buffers[1], row) ? '\1' : '\0'));
  });
}

std::vector<Cell> ArrayImporter::Fixed(int64_t width) const {
  if (!CheckShape(2, 0)) return {};
  const auto* values = static_cast<const char*>(array_.buffers[1]);
  return Valid([&](int64_t row) {
    return Text({values + row * width, static_cast<size_t>(width)});
  });
}

Cell ArrayImporter::View(int64_t row, const std::vector<int64_t>& sizes) const {
  const char* view = static_cast<const char*>(array_.buffers[1]) + 16 * row;
  const auto length = ValueAt<int32_t>(view, 0);
  EXPECT_GE(length, 0);
  if (length <= kInline) {
    for (int64_t i = length; i < kInline; ++i) EXPECT_EQ(view[4 + i], 0) << "padding of " << row;
    return Text({view + 4, static_cast<size_t>(length)});
  }
  const auto buffer = ValueAt<int32_t>(view, 2);
  const auto offset = ValueAt<int32_t>(view, 3);
  const bool is_inside = buffer >= 0 && buffer < static_cast<int64_t>(sizes.size()) &&
                         offset >= 0 && int64_t{offset} + length <= sizes[buffer];
  EXPECT_TRUE(is_inside) << "view " << row << " is outside of its buffer";
  if (!is_inside) return Null();
  const char* bytes = static_cast<const char*>(array_.buffers[2 + buffer]) + offset;
  EXPECT_EQ(std::memcmp(bytes, view + 4, 4), 0) << "prefix of view " << row;
  return Text({bytes, static_cast<size_t>(length)});
}

/// Behind the buffers of the strings stands one of their sizes.
std::vector<Cell> ArrayImporter::Views() const {
  EXPECT_GE(array_.n_buffers, 3);
  if (array_.n_buffers < 3 || !CheckShape(array_.n_buffers, 0)) return {};
  std::vector<int64_t> sizes;
  for (int64_t i = 0; i < array_.n_buffers - 3; ++i) {
    sizes.push_back(ValueAt<int64_t>(array_.buffers[array_.n_buffers - 1], i));
  }
  return Valid([&](int64_t row) { return View(row, sizes); });
}

template <typename Offset>
void ArrayImporter::CheckOffsets(int64_t limit) const {
  EXPECT_GE(ValueAt<Offset>(array_.buffers[1], 0), 0);
  for (int64_t row = 0; row < array_.length; ++row) {
    EXPECT_LE(ValueAt<Offset>(array_.buffers[1], row), ValueAt<Offset>(array_.buffers[1], row + 1));
  }
  EXPECT_LE(ValueAt<Offset>(array_.buffers[1], array_.length), limit);
}

template <typename Offset>
std::vector<Cell> ArrayImporter::Plain() const {
  if (!CheckShape(3, 0)) return {};
  CheckOffsets<Offset>(INT64_MAX);
  const auto* bytes = static_cast<const char*>(array_.buffers[2]);
  return Valid([&](int64_t row) {
    const auto begin = ValueAt<Offset>(array_.buffers[1], row);
    const auto end = ValueAt<Offset>(array_.buffers[1], row + 1);
    return Text({bytes + begin, static_cast<size_t>(end - begin)});
  });
}

std::vector<Cell> ArrayImporter::Lists() const {
  if (!CheckShape(2, 1)) return {};
  const ArrowArray& child = *array_.children[0];
  CheckOffsets<int32_t>(child.length);
  const std::vector<Cell> elements = ImportCells(type_.children[0], child);
  return Valid([&](int64_t row) {
    Cell list;
    for (auto i = ValueAt<int32_t>(array_.buffers[1], row);
         i < ValueAt<int32_t>(array_.buffers[1], row + 1); ++i) {
      list.children.push_back(elements.at(static_cast<size_t>(i)));
      EXPECT_TRUE(type_.children[0].nullable() || !list.children.back().is_null)
          << type_.name << ": null element of row " << row;
    }
    return list;
  });
}

std::vector<Cell> ArrayImporter::Structs() const {
  const size_t children = type_.children.size();
  if (!CheckShape(1, static_cast<int64_t>(children))) return {};
  std::vector<std::vector<Cell>> fields;
  for (size_t i = 0; i < children; ++i) {
    EXPECT_EQ(array_.children[i]->length, array_.length) << type_.children[i].name;
    fields.push_back(ImportCells(type_.children[i], *array_.children[i]));
  }
  return Valid([&](int64_t row) {
    Cell cell;
    for (size_t i = 0; i < children; ++i) {
      cell.children.push_back(fields[i].at(static_cast<size_t>(row)));
      EXPECT_TRUE(type_.children[i].nullable() || !cell.children.back().is_null)
          << type_.children[i].name << ": null in row " << row;
    }
    return cell;
  });
}

std::vector<Cell> ArrayImporter::Codes() const {
  if (!CheckShape(2, 0)) return {};
  EXPECT_EQ(type_.format, "i");
  EXPECT_EQ(array_.dictionary->null_count, 0);
  const std::vector<Cell> entries = ImportCells(*type_.dictionary, *array_.dictionary);
  return Valid([&](int64_t row) {
    const auto code = ValueAt<int32_t>(array_.buffers[1], row);
    const bool is_inside = code >= 0 && code < static_cast<int64_t>(entries.size());
    EXPECT_TRUE(is_inside) << "code " << code << " of row " << row;
    return is_inside ? entries[static_cast<size_t>(code)] : Null();
  });
}

std::vector<Cell> ArrayImporter::Cells() const {
  const std::string& format = type_.format;
  if (type_.dictionary) return Codes();
  if (format == "n") return Nulls();
  if (format == "b") return Booleans();
  if (format == "vu" || format == "vz") return Views();
  if (format == "u" || format == "z") return Plain<int32_t>();
  if (format == "U" || format == "Z") return Plain<int64_t>();
  if (format == "+l" || format == "+m") return Lists();
  if (format == "+s") return Structs();
  const int64_t width = WidthOf(format);
  EXPECT_GE(width, 0) << "unknown format: " << format;
  return width < 0 ? std::vector<Cell>() : Fixed(width);
}

void CheckMap(const ArrowType& type) {
  EXPECT_EQ(type.children.size(), 1U);
  const ArrowType& entries = type.children.at(0);
  EXPECT_EQ(entries.name, "entries");
  EXPECT_EQ(entries.format, "+s");
  EXPECT_FALSE(entries.nullable());
  EXPECT_EQ(entries.children.size(), 2U);
  EXPECT_FALSE(entries.children.at(0).nullable());
}

}  // namespace

bool ArrowType::operator==(const ArrowType& other) const {
  return format == other.format && name == other.name && metadata == other.metadata &&
         flags == other.flags && children == other.children &&
         (dictionary == nullptr) == (other.dictionary == nullptr) &&
         (dictionary == nullptr || *dictionary == *other.dictionary);
}

ArrowType ImportType(const ArrowSchema& schema) {
  ArrowType type;
  EXPECT_NE(schema.release, nullptr);
  EXPECT_NE(schema.name, nullptr);
  if (schema.release == nullptr || schema.format == nullptr) return type;
  type.format = schema.format;
  type.name = schema.name;
  type.flags = schema.flags;
  if (const char* bytes = schema.metadata) {
    const int32_t pairs = Int32At(bytes);
    EXPECT_GT(pairs, 0);
    for (int32_t i = 0; i < pairs; ++i) {
      std::string key = TextAt(bytes);
      EXPECT_TRUE(type.metadata.emplace(std::move(key), TextAt(bytes)).second);
    }
  }
  for (int64_t i = 0; i < schema.n_children; ++i) {
    type.children.push_back(ImportType(*schema.children[i]));
  }
  if (schema.dictionary != nullptr) {
    type.dictionary = std::make_shared<const ArrowType>(ImportType(*schema.dictionary));
  }
  if (type.format == "+m") CheckMap(type);
  return type;
}

std::vector<Cell> ImportCells(const ArrowType& type, const ArrowArray& array) {
  return ArrayImporter(type, array).Cells();
}

std::vector<std::vector<Cell>> ImportColumns(const ArrowType& type, const ArrowArray& array) {
  std::vector<std::vector<Cell>> columns(type.children.size());
  std::vector<Cell> rows = ImportCells(type, array);
  EXPECT_EQ(array.null_count, 0);
  EXPECT_EQ(rows.size(), static_cast<size_t>(array.length));
  for (Cell& row : rows) {
    for (size_t i = 0; i < columns.size() && i < row.children.size(); ++i) {
      columns[i].push_back(std::move(row.children[i]));
    }
  }
  return columns;
}

}  // namespace sluice::support
