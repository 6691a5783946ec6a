#include "format/parquet/write/dictionary_builder.h"

#include <xxhash.h>

#include <bit>
#include <cstring>

#include "format/parquet/write/rle_hybrid_encoder.h"

namespace sluice::inline v0::parquet {
namespace {

constexpr uint32_t kFree = UINT32_MAX;
constexpr size_t kFirstPlaces = 64;

}  // namespace

DictionaryBuilder::DictionaryBuilder(PhysicalType type, int32_t type_length)
    : values_(type, type_length), table_(kFirstPlaces, kFree) {}

uint32_t DictionaryBuilder::Insert(std::string_view value) {
  const uint64_t hash = XXH3_64bits(value.data(), value.size());
  const size_t mask = table_.size() - 1;
  size_t place = hash & mask;
  for (; table_[place] != kFree; place = (place + 1) & mask) {
    const uint32_t code = table_[place];
    if (hashes_[code] == hash && values_.Value(code) == value) return code;
  }
  const auto code = static_cast<uint32_t>(values_.count());
  table_[place] = code;
  hashes_.push_back(hash);
  values_.Append(value);
  if (hashes_.size() * 2 > table_.size()) Grow();
  return code;
}

int64_t DictionaryBuilder::growth_bytes(int64_t count, int64_t bytes) const {
  // The table is at most twice as large, and a power of two, as half of it is taken.
  const auto taken = hashes_.size() + static_cast<size_t>(count) + 1;
  const size_t places = taken * 2 <= table_.size() ? 0 : std::bit_ceil(taken * 2);
  return values_.growth_bytes(count, bytes) + GrowthBytes(hashes_, count) +
         static_cast<int64_t>(places * sizeof(uint32_t));
}

void DictionaryBuilder::Grow() {
  table_.assign(table_.size() * 2, kFree);
  const size_t mask = table_.size() - 1;
  for (size_t code = 0; code < hashes_.size(); ++code) {
    size_t place = hashes_[code] & mask;
    while (table_[place] != kFree) place = (place + 1) & mask;
    table_[place] = static_cast<uint32_t>(code);
  }
}

void EncodeDictionaryIndices(const std::vector<uint32_t>& codes, int64_t dictionary_size,
                             std::vector<uint8_t>* out) {
  const int32_t width =
      dictionary_size <= 1 ? 0 : BitsFor(static_cast<uint64_t>(dictionary_size - 1));
  out->push_back(static_cast<uint8_t>(width));
  EncodeRleHybrid(std::span<const uint32_t>(codes), width, out);
}

}  // namespace sluice::inline v0::parquet
