#pragma once

// Rows of one leaf on their way from a column to pages: levels, and the values that are present.

#include <sluice/parquet/metadata.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "format/parquet/encoding/value_decoder.h"

namespace sluice::inline v0::parquet {

/// Bytes that a vector takes.
template <typename T>
int64_t HeldBytes(const std::vector<T>& elements) {
  return static_cast<int64_t>(elements.capacity() * sizeof(T));
}
/// Bytes that it takes in addition, before it frees the old ones, to grow by `added` elements.
template <typename T>
int64_t GrowthBytes(const std::vector<T>& elements, int64_t added) {
  const size_t wanted = elements.size() + static_cast<size_t>(added);
  if (wanted <= elements.capacity()) return 0;
  return static_cast<int64_t>(std::max(wanted, elements.capacity() * 2) * sizeof(T));
}

/// Grows it at once as GrowthBytes says, where single elements would make it grow in steps.
template <typename T>
void MakeRoom(std::vector<T>& elements, int64_t added) {
  const size_t wanted = elements.size() + static_cast<size_t>(added);
  if (wanted > elements.capacity()) elements.reserve(std::max(wanted, elements.capacity() * 2));
}

/// Rows of one leaf: levels, and the physical values at the maximum definition level, densely.
///
/// Lifetime: values may point into the columns that they were taken from.
struct LeafRows {
  LeafRows() = default;
  LeafRows(LeafRows&&) noexcept = default;
  LeafRows& operator=(LeafRows&&) noexcept = default;

  int64_t num_rows = 0;
  int64_t num_levels = 0;
  std::vector<uint16_t> repetition_levels;  ///< num_levels, or empty where the maximum is 0.
  std::vector<uint16_t> definition_levels;  ///< The same.

  int64_t num_values = 0;
  /// Bytes of one value at `fixed`: 1 for BOOLEAN (0 or 1), 0 for BYTE_ARRAY, which has `strings`.
  int32_t width = 0;
  const uint8_t* fixed = nullptr;
  std::vector<std::string_view> strings;
  std::vector<uint8_t> storage;  ///< What `fixed` points to, where it is not the column itself.

  /// Bytes of values [begin, end), without lengths.
  int64_t ValueBytes(int64_t begin, int64_t end) const {
    if (width != 0) return (end - begin) * width;
    int64_t bytes = 0;
    for (int64_t i = begin; i < end; ++i) {
      bytes += static_cast<int64_t>(strings[static_cast<size_t>(i)].size());
    }
    return bytes;
  }
  std::string_view Value(int64_t i) const {
    if (width == 0) return strings[static_cast<size_t>(i)];
    return {reinterpret_cast<const char*>(fixed) + i * width, static_cast<size_t>(width)};
  }
};

/// The width of a value in LeafRows and ValueBuffer.
inline int32_t ValueWidth(PhysicalType type, int32_t type_length) {
  // Booleans take a byte each until they are encoded.
  return type == PhysicalType::kBoolean ? 1 : PhysicalWidth(type, type_length);
}

/// Owned physical values without nulls: those of a page to be encoded, or of a dictionary.
class ValueBuffer {
 public:
  ValueBuffer(PhysicalType type, int32_t type_length)
      : type_(type), width_(ValueWidth(type, type_length)) {}

  PhysicalType type() const { return type_; }
  int32_t width() const { return width_; }  ///< As LeafRows::width.
  int64_t count() const { return count_; }
  /// All values back to back.
  const std::vector<uint8_t>& bytes() const { return bytes_; }

  std::string_view Value(int64_t i) const {
    const auto* bytes = reinterpret_cast<const char*>(bytes_.data());
    if (width_ != 0) return {bytes + i * width_, static_cast<size_t>(width_)};
    const int64_t begin = i == 0 ? 0 : ends_[static_cast<size_t>(i - 1)];
    return {bytes + begin, static_cast<size_t>(ends_[static_cast<size_t>(i)] - begin)};
  }

  void Append(std::string_view value) {
    bytes_.insert(bytes_.end(), value.begin(), value.end());
    if (width_ == 0) ends_.push_back(static_cast<int64_t>(bytes_.size()));
    ++count_;
  }
  /// Makes room for `count` values of `bytes` in all.
  void Reserve(int64_t count, int64_t bytes) {
    MakeRoom(bytes_, bytes);
    if (width_ == 0) MakeRoom(ends_, count);
  }
  /// Appends values [begin, end) of `rows`, which have the same width and which there is room for.
  void Append(const LeafRows& rows, int64_t begin, int64_t end) {
    if (width_ != 0) {
      bytes_.insert(bytes_.end(), rows.fixed + begin * width_, rows.fixed + end * width_);
      count_ += end - begin;
      return;
    }
    for (int64_t i = begin; i < end; ++i) Append(rows.strings[static_cast<size_t>(i)]);
  }
  void Clear() {
    bytes_.clear();
    ends_.clear();
    count_ = 0;
  }

  /// Bytes that the buffer takes, and those that it takes meanwhile to grow by `count` values of
  /// `bytes`.
  int64_t held_bytes() const { return HeldBytes(bytes_) + HeldBytes(ends_); }
  int64_t growth_bytes(int64_t count, int64_t bytes) const {
    return GrowthBytes(bytes_, bytes) + (width_ == 0 ? GrowthBytes(ends_, count) : 0);
  }

  /// Bytes of the values under PLAIN, about (a boolean counts as one byte).
  int64_t plain_bytes() const {
    return static_cast<int64_t>(bytes_.size()) + (width_ == 0 ? 4 * count_ : 0);
  }

 private:
  PhysicalType type_;
  int32_t width_;
  int64_t count_ = 0;
  std::vector<uint8_t> bytes_;
  std::vector<int64_t> ends_;  ///< BYTE_ARRAY: where each value ends in bytes_.
};

}  // namespace sluice::inline v0::parquet
