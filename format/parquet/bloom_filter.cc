#include <fmt/format.h>
#include <sluice/parquet/bloom_filter.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "format/model/try.h"
#include "format/parquet/compact_reader.h"

namespace sluice::inline v0::parquet {

// A split-block filter: blocks of 256 bits, each eight little-endian words of 32. The upper half of
// a hash picks the block, the lower half one bit in each of its words.

namespace {

constexpr int64_t kBlockBytes = 32;
constexpr int kBlockWords = 8;
constexpr int64_t kMaxFilterBytes = int64_t{128} << 20;
constexpr int32_t kMaxDepth = 64;
constexpr int64_t kMaxHeaderBytes = 64 << 10;

// The odd multipliers of BloomFilter.md.
constexpr uint32_t kSalt[kBlockWords] = {0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
                                         0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31};

int64_t BlockOffset(uint64_t hash, int64_t num_bytes) {
  const uint64_t num_blocks = static_cast<uint64_t>(num_bytes / kBlockBytes);
  return static_cast<int64_t>(((hash >> 32) * num_blocks) >> 32) * kBlockBytes;
}

uint32_t BitOf(uint64_t hash, int word) {
  return uint32_t{1} << ((static_cast<uint32_t>(hash) * kSalt[word]) >> 27);
}

/// Words are assembled from bytes, so that the bitset is the same on every machine.
uint32_t LoadWord(const uint8_t* bytes) {
  return static_cast<uint32_t>(bytes[0]) | static_cast<uint32_t>(bytes[1]) << 8 |
         static_cast<uint32_t>(bytes[2]) << 16 | static_cast<uint32_t>(bytes[3]) << 24;
}

/// Whether a union has its member 1, the only one of each that the specification has.
void ReadOnlyMember(CompactReader& reader, bool& has_member) {
  reader.ReadStruct([&](const CompactField& field) {
    has_member |= field.id == 1 && field.Is(CompactType::kStruct);
    return false;
  });
}

Status CheckBitsetSize(int64_t num_bytes) {
  if (num_bytes > 0 && num_bytes % kBlockBytes == 0) return Status::Ok();
  return Status::Corruption(fmt::format("bloom filter: size is not a positive multiple of {}: {}",
                                        kBlockBytes, num_bytes));
}

}  // namespace

uint64_t BloomHash(std::span<const uint8_t> value) { return XXH64(value.data(), value.size(), 0); }

Result<std::optional<BloomFilter::Header>> BloomFilter::ParseHeader(
    std::span<const uint8_t> bytes) {
  CompactReader reader(bytes, kMaxDepth, kMaxHeaderBytes);
  Header header;
  bool is_block = false;
  bool is_xxhash = false;
  bool is_uncompressed = false;
  reader.ReadStruct({1, 2, 3, 4}, "header lacks a required field", [&](const CompactField& field) {
    if (field.id == 1) return reader.Read(field, header.num_bytes);
    if (field.id < 2 || field.id > 4 || !field.Is(CompactType::kStruct)) return false;
    ReadOnlyMember(reader, field.id == 2 ? is_block : field.id == 3 ? is_xxhash : is_uncompressed);
    return true;
  });
  if (reader.failure() == CompactReader::Failure::kTruncated) return std::optional<Header>();
  if (!reader.ok()) return reader.ToStatus("bloom filter");
  if (!is_block) return Status::Unsupported("bloom filter: unknown algorithm");
  if (!is_xxhash) return Status::Unsupported("bloom filter: unknown hash function");
  if (!is_uncompressed) return Status::Unsupported("bloom filter: unknown compression");
  SLUICE_RETURN_IF_ERROR(CheckBitsetSize(header.num_bytes));
  header.header_size = static_cast<int32_t>(reader.position());
  return std::optional<Header>(header);
}

Result<BloomFilter> BloomFilter::FromBitset(BufferRef bitset) {
  SLUICE_RETURN_IF_ERROR(CheckBitsetSize(bitset->size()));
  return BloomFilter(std::move(bitset));
}

Result<BloomFilter> BloomFilter::Make(int64_t distinct_values, double false_positive_rate,
                                      BufferPool& pool) {
  if (distinct_values < 0 || !(false_positive_rate > 0 && false_positive_rate < 1)) {
    return Status::InvalidArgument(
        fmt::format("bloom filter: cannot be made for {} values at a rate of {}", distinct_values,
                    false_positive_rate));
  }
  // Eight bits a value among m: the rate is (1 - e^(-8 n / m))^8, solved for m. Blocks fill
  // unevenly, which costs some of it; rounding up to a power of two gives it back.
  const double bits = -8.0 * static_cast<double>(distinct_values) /
                      std::log1p(-std::pow(false_positive_rate, 1.0 / 8));
  const double bytes =
      std::clamp(bits / 8, static_cast<double>(kBlockBytes), static_cast<double>(kMaxFilterBytes));
  const auto num_bytes =
      static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::ceil(bytes))));
  SLUICE_TRY(BufferRef bitset, pool.Allocate(num_bytes));
  std::memset(bitset->mutable_data(), 0, static_cast<size_t>(num_bytes));
  return BloomFilter(std::move(bitset));
}

bool BloomFilter::MayContain(uint64_t hash) const {
  const uint8_t* block = bitset_->data() + BlockOffset(hash, bitset_->size());
  uint32_t missing = 0;
  for (int word = 0; word < kBlockWords; ++word) {
    missing |= BitOf(hash, word) & ~LoadWord(block + 4 * word);
  }
  return missing == 0;
}

void BloomFilter::Insert(uint64_t hash) {
  uint8_t* block = bitset_->mutable_data() + BlockOffset(hash, bitset_->size());
  for (int word = 0; word < kBlockWords; ++word) {
    const uint32_t bit = BitOf(hash, word);
    for (int byte = 0; byte < 4; ++byte) {
      block[4 * word + byte] |= static_cast<uint8_t>(bit >> (8 * byte));
    }
  }
}

}  // namespace sluice::inline v0::parquet
