#pragma once

// Pages of every encoding and type with the values that break filters, and filters over them.

#include <sluice/filter.h>
#include <sluice/value.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "format/parquet/data_page.h"
#include "format/parquet/value_run.h"
#include "format/parquet/values_builder.h"
#include "format/parquet/write/value_encoder.h"
#include "tests/format/parquet/encoding/hybrid_runs.h"
#include "tests/support/padded_buffer.h"
#include "tests/support/page_bytes.h"

namespace sluice::inline v0::parquet::testing {

using Strings = std::vector<std::string>;

/// One leaf, and how its stored values come about.
struct LeafCase {
  std::string name;
  DataType type;
  PhysicalType physical = PhysicalType::kInt32;
  int32_t type_length = 0;
  std::vector<Encoding> encodings;
  Strings (*stored)(std::mt19937_64& random, size_t count) = nullptr;

  Leaf leaf() const {
    Leaf leaf;
    leaf.physical_type = physical;
    leaf.type_length = type_length;
    return leaf;
  }
};

/// The bytes of a page, and of its chunk's dictionary where it has one.
struct EncodedCase {
  Encoding encoding = Encoding::kPlain;
  std::string bytes;
  int64_t num_values = 0;
  int64_t dictionary_size = -1;
  std::shared_ptr<const Column> dictionary;  ///< Delivered.
};

/// A page that was opened, and what it points to.
class OpenedPage {
 public:
  OpenedPage(const LeafCase& leaf_case, const EncodedCase& encoded) {
    context_.leaf = leaf_case.leaf();
    context_.dictionary_size = static_cast<int32_t>(encoded.dictionary_size);
    context_.pool = pool_.get();
    context_.kernels = &kernels::BestTable();
    StoredPage stored;
    stored.header.type = PageType::kDataPage;
    stored.header.encoding = encoded.encoding;
    stored.header.num_values = static_cast<int32_t>(encoded.num_values);
    stored.header.uncompressed_size = static_cast<int32_t>(encoded.bytes.size());
    stored.header.compressed_size = stored.header.uncompressed_size;
    stored.body = support::PaddedBuffer(encoded.bytes);
    page_ = DataPage::Open(context_, stored).value();
  }
  DataPage& page() { return *page_; }
  BufferPool* pool() { return pool_.get(); }

 private:
  std::shared_ptr<BufferPool> pool_ = BufferPool::Make();
  ChunkContext context_;
  std::unique_ptr<DataPage> page_;
};

/// All values of the page in the delivered layout, by the reader's own way.
inline Result<Column> DecodeAll(const LeafCase& leaf_case, const EncodedCase& encoded,
                                bool keep_codes = false) {
  OpenedPage opened(leaf_case, encoded);
  static const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  ValuesBuilder builder(leaf_case.leaf(), std::make_shared<const DataType>(leaf_case.type),
                        keep_codes, true, pool.get(), &kernels::BestTable());
  if (encoded.dictionary) builder.SetDictionary(encoded.dictionary);
  const Status status =
      builder.Append(opened.page(), {encoded.num_values, nullptr, encoded.num_values});
  if (!status.ok()) return status;
  return builder.Finish(builder.length());
}

inline Strings ValuesOf(const Column& column) {
  Strings values;
  for (int64_t row = 0; row < column.length; ++row) values.push_back(*ValueAt(column, row).bytes);
  return values;
}

// --- encoding ---

inline std::string Joined(const Strings& values) {
  std::string all;
  for (const std::string& value : values) all += value;
  return all;
}

inline int64_t Integer(const std::string& bytes) {
  if (bytes.size() == 4) {
    int32_t value;
    std::memcpy(&value, bytes.data(), 4);
    return value;
  }
  int64_t value;
  std::memcpy(&value, bytes.data(), 8);
  return value;
}

inline EncodedCase Encode(const LeafCase& leaf_case, Encoding encoding, const Strings& stored,
                          std::mt19937_64& random) {
  EncodedCase encoded{encoding, {}, static_cast<int64_t>(stored.size()), -1, nullptr};
  const bool is_bytes = leaf_case.physical == PhysicalType::kByteArray;
  switch (encoding) {
    case Encoding::kDeltaBinaryPacked: {
      std::vector<int64_t> numbers;
      for (const std::string& value : stored) numbers.push_back(Integer(value));
      support::DeltaLayout layout;
      layout.bits = leaf_case.physical == PhysicalType::kInt32 ? 32 : 64;
      if (random() % 2) layout = {256, 2, 77, layout.bits};
      encoded.bytes = support::DeltaBinaryPacked(numbers, layout);
      break;
    }
    case Encoding::kDeltaLengthByteArray:
      encoded.bytes = support::DeltaLengthByteArray(stored);
      break;
    case Encoding::kDeltaByteArray:
      encoded.bytes = support::DeltaByteArray(stored);
      break;
    case Encoding::kByteStreamSplit:
      encoded.bytes = support::ByteStreamSplit(
          Joined(stored), PhysicalWidth(leaf_case.physical, leaf_case.type_length));
      break;
    case Encoding::kAlp: {
      const std::string plain = Joined(stored);
      std::vector<uint8_t> bytes;
      EncodeAlp(reinterpret_cast<const uint8_t*>(plain.data()), encoded.num_values,
                leaf_case.physical == PhysicalType::kFloat ? 4 : 8, &bytes);
      encoded.bytes.assign(bytes.begin(), bytes.end());
      break;
    }
    default: {
      std::vector<bool> bits;
      for (const std::string& value : stored) bits.push_back(value == std::string(1, '\1'));
      if (encoding == Encoding::kRle) {
        const std::vector<uint64_t> runs(bits.begin(), bits.end());
        encoded.bytes = support::WithLength(support::RleRuns(runs, 1));
      } else if (leaf_case.physical == PhysicalType::kBoolean) {
        encoded.bytes = support::PlainBoolean(bits);
      } else {
        encoded.bytes = is_bytes ? support::PlainByteArray(stored) : Joined(stored);
      }
    }
  }
  return encoded;
}

/// A page of `count` codes, in runs of both kinds, over `entries`.
inline EncodedCase EncodeCodes(const LeafCase& leaf_case, const Strings& entries, int64_t count,
                               std::mt19937_64& random) {
  EncodedCase encoded{
      Encoding::kRleDictionary, {}, count, static_cast<int64_t>(entries.size()), nullptr};
  encoded.dictionary = std::make_shared<const Column>(
      DecodeAll(leaf_case, Encode(leaf_case, Encoding::kPlain, entries, random)).value());
  const auto bit_width = static_cast<int>(std::bit_width(entries.size() - 1));
  Bytes bytes = {static_cast<uint8_t>(bit_width)};
  for (int64_t at = 0; at < count;) {
    const auto left = static_cast<uint64_t>(count - at);
    const uint64_t wish = random() % 3 == 0 ? 1 + random() % 9 : 1 + random() % 3000;
    if (random() % 2 == 0) {
      const uint64_t length = std::min(wish, left);
      AppendRepeatedRun(bytes, length, random() % entries.size(), bit_width);
      at += static_cast<int64_t>(length);
    } else {
      std::vector<uint64_t> codes(std::min((wish + 7) / 8 * 8, left));
      for (uint64_t& code : codes) code = random() % entries.size();
      AppendPackedRun(bytes, codes, bit_width);
      at += static_cast<int64_t>(codes.size());
    }
  }
  encoded.bytes.assign(bytes.begin(), bytes.end());
  return encoded;
}

// --- filters ---

/// A value of the type that is one of `values`, or near one.
inline std::string Literal(const DataType& type, const Strings& values, std::mt19937_64& random) {
  std::string value = values[random() % values.size()];
  if (type.id == TypeId::kBoolean || random() % 2) return value;
  if (type.is_view()) {
    if (!value.empty() && random() % 2) value.resize(random() % value.size());
    if (random() % 2) value.push_back(static_cast<char>(random() % 3 - 1));
    return value;
  }
  // Little-endian: one more or one less, with the carry.
  const int step = random() % 2 ? 1 : -1;
  for (char& byte : value) {
    byte = static_cast<char>(byte + step);
    if (byte != (step > 0 ? 0 : -1)) break;
  }
  return value;
}

inline ColumnFilter RangeFilter(const DataType& type, const Strings& values,
                                std::mt19937_64& random) {
  ColumnFilter filter{type, ColumnFilter::Kind::kRanges, false, false, {}, nullptr, {}};
  const auto less = [&](const std::string& a, const std::string& b) {
    return CompareValues(type, a, b) < 0;
  };
  Strings ends;
  for (int i = 0; i < 4; ++i) ends.push_back(Literal(type, values, random));
  std::sort(ends.begin(), ends.end(), less);
  const auto bound = [&](const std::string& value, bool inclusive) {
    return std::optional(ValueBound{value, inclusive});
  };
  switch (random() % 6) {
    case 0:  // =
      filter.ranges = {{bound(ends[0], true), bound(ends[0], true)}};
      break;
    case 1:  // <>
      filter.ranges = {{std::nullopt, bound(ends[1], false)},
                       {bound(ends[1], false), std::nullopt}};
      break;
    case 2:
      filter.ranges = {{std::nullopt, bound(ends[random() % 4], random() % 2)}};
      break;
    case 3:
      filter.ranges = {{bound(ends[random() % 4], random() % 2), std::nullopt}};
      break;
    default:
      filter.ranges = {{bound(ends[0], true), bound(ends[1], true)}};
      if (less(ends[0], ends[1])) {
        filter.ranges[0].lower->inclusive = random() % 2;
        filter.ranges[0].upper->inclusive = random() % 2;
      }
      if (less(ends[1], ends[2]) && random() % 2) {
        filter.ranges.push_back({bound(ends[2], random() % 2), bound(ends[3], true)});
        if (!less(ends[2], ends[3])) filter.ranges[1].lower->inclusive = true;
        if (random() % 4 == 0) filter.ranges[1].upper.reset();
      }
  }
  return filter;
}

inline ColumnFilter SetFilter(const DataType& type, const Strings& values, size_t members,
                              std::mt19937_64& random) {
  ColumnFilter filter{type, ColumnFilter::Kind::kSet, random() % 2 == 0, false, {}, nullptr, {}};
  Strings set;
  for (size_t i = 0; i < members; ++i) set.push_back(Literal(type, values, random));
  const auto less = [&](const std::string& a, const std::string& b) {
    return CompareValues(type, a, b) < 0;
  };
  std::sort(set.begin(), set.end(), less);
  set.erase(std::unique(set.begin(), set.end(),
                        [&](const std::string& a, const std::string& b) { return !less(a, b); }),
            set.end());
  filter.set = std::make_shared<const Strings>(std::move(set));
  return filter;
}

inline ColumnFilter PatternFilter(const DataType& type, const Strings& values,
                                  std::mt19937_64& random) {
  ColumnFilter filter{type, ColumnFilter::Kind::kPrefix, random() % 2 == 0, false, {}, nullptr, {}};
  std::string text = Literal(type, values, random);
  const size_t begin = random() % 2 ? 0 : random() % (text.size() + 1);
  text = text.substr(begin, random() % 2 ? random() % 7 : random() % 40);
  filter.pattern = text;
  if (random() % 3 == 0) return filter;
  filter.kind = ColumnFilter::Kind::kLike;
  if (random() % 3 == 0) {
    std::string escaped;
    for (const char byte : text) escaped += std::string("\\") + byte;
    filter.pattern = escaped;
  }
  if (random() % 2) filter.pattern += '%';
  if (random() % 2) filter.pattern = (random() % 4 ? "%" : "_") + filter.pattern;
  if (!text.empty() && random() % 4 == 0) filter.pattern[random() % filter.pattern.size()] = '_';
  return filter;
}

/// Filters of every kind that the type has.
inline std::vector<ColumnFilter> Filters(const DataType& type, const Strings& values,
                                         std::mt19937_64& random) {
  std::vector<ColumnFilter> filters;
  for (const auto kind : {ColumnFilter::Kind::kNone, ColumnFilter::Kind::kAll}) {
    filters.push_back({type, kind, false, true, {}, nullptr, {}});
  }
  if (!IsOrdered(type)) return filters;
  for (int i = 0; i < 8; ++i) filters.push_back(RangeFilter(type, values, random));
  for (const size_t members : {1, 2, 3, 4, 6, 8, 12, 100, 2000}) {
    filters.push_back(SetFilter(type, values, members, random));
  }
  if (type.is_view() || type.id == TypeId::kFixedBinary || type.id == TypeId::kUuid) {
    for (int i = 0; i < 24; ++i) filters.push_back(PatternFilter(type, values, random));
  }
  return filters;
}

}  // namespace sluice::inline v0::parquet::testing
