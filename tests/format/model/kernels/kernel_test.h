#pragma once

// What the kernel tests share: memory that faults where a kernel reads or writes too far, and one
// run of each test for every level of this machine.

#include <gtest/gtest.h>
#include <sluice/buffer.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "format/model/kernels/kernels.h"

namespace sluice {

/// `size` bytes whose kReadPadding ends at a page that may not be touched. The bytes before them
/// are checked by the destructor to be as they were. Aligned to the largest power of two that
/// divides `size`, up to 64.
class FencedBytes {
 public:
  explicit FencedBytes(int64_t size) {
    const int64_t page = sysconf(_SC_PAGESIZE);
    const int64_t usable = (size + kReadPadding + kBefore + page - 1) / page * page;
    spare_ = &Spare()[usable];
    if (spare_->empty()) spare_->push_back(Map(usable, page));
    base_ = spare_->back();
    spare_->pop_back();
    data_ = base_ + usable - kReadPadding - size;
    std::memset(base_, 0xA5, static_cast<size_t>(usable));
  }
  template <class T>
  explicit FencedBytes(const std::vector<T>& values)
      : FencedBytes(static_cast<int64_t>(values.size() * sizeof(T))) {
    if (!values.empty()) std::memcpy(data_, values.data(), values.size() * sizeof(T));
  }
  FencedBytes(const FencedBytes&) = delete;
  FencedBytes& operator=(const FencedBytes&) = delete;
  ~FencedBytes() {
    for (int64_t i = 1; i <= kBefore; ++i) EXPECT_EQ(data_[-i], 0xA5) << "written before the start";
    spare_->push_back(base_);
  }

  uint8_t* data() { return data_; }
  template <class T>
  T* As() {
    return reinterpret_cast<T*>(data_);
  }
  template <class T>
  std::vector<T> Copy(int64_t count) {
    std::vector<T> values(static_cast<size_t>(count));
    if (count > 0) std::memcpy(values.data(), data_, values.size() * sizeof(T));
    return values;
  }

 private:
  static constexpr int64_t kBefore = 64;

  // Regions are kept for the next of their size: mapping takes longer than the kernels do.
  using Regions = std::vector<uint8_t*>;
  static std::map<int64_t, Regions>& Spare() {
    static std::map<int64_t, Regions> regions;
    return regions;
  }
  static uint8_t* Map(int64_t usable, int64_t page) {
    auto* region =
        static_cast<uint8_t*>(mmap(nullptr, static_cast<size_t>(usable + page),
                                   PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_EQ(mprotect(region + usable, static_cast<size_t>(page), PROT_NONE), 0);
    return region;
  }

  Regions* spare_;
  uint8_t* base_;
  uint8_t* data_;
};

struct Bytes16 {
  uint64_t low;
  uint64_t high;
  bool operator==(const Bytes16&) const = default;
};

template <class T>
std::vector<T> RandomValues(int64_t count, std::mt19937_64& random) {
  std::vector<T> values(static_cast<size_t>(count));
  auto* bytes = reinterpret_cast<uint8_t*>(values.data());
  for (size_t i = 0; i < values.size() * sizeof(T); ++i) bytes[i] = static_cast<uint8_t>(random());
  return values;
}

/// Every count around the boundaries of vectors, groups and words, and some large ones.
inline std::vector<int64_t> Counts() {
  std::vector<int64_t> counts;
  for (int64_t count = 0; count <= 200; ++count) counts.push_back(count);
  counts.insert(counts.end(), {255, 256, 257, 511, 640, 1000, 4095, 4097, 10007});
  return counts;
}

/// Bitmaps of `count` bits: empty, full, sparse, dense, halves, long runs. Bits past count are
/// random, as the contract leaves them open.
inline std::vector<std::vector<uint64_t>> Bitmaps(int64_t count, std::mt19937_64& random) {
  const auto words = static_cast<size_t>((count + 63) / 64);
  std::vector<std::vector<uint64_t>> maps(6, std::vector<uint64_t>(words));
  for (size_t i = 0; i < words; ++i) {
    maps[1][i] = ~uint64_t{0};
    maps[2][i] = random() & random() & random() & random() & random();
    maps[3][i] = random() | random() | random() | random();
    maps[4][i] = random();
    const uint64_t kind = random() % 4;
    maps[5][i] = kind == 0 ? 0 : kind == 1 ? random() : ~uint64_t{0};
  }
  if (count % 64 != 0) {
    for (auto& map : maps) map.back() ^= random() << (count % 64);
  }
  return maps;
}

inline bool BitAt(const std::vector<uint64_t>& words, int64_t i) {
  return (words[static_cast<size_t>(i / 64)] >> (i % 64)) & 1;
}

class KernelTest : public testing::TestWithParam<kernels::SimdLevel> {
 protected:
  const kernels::KernelTable& table() const { return kernels::Table(GetParam()); }
  std::mt19937_64 random_{20240229};
};

inline std::vector<kernels::SimdLevel> SupportedLevels() {
  std::vector<kernels::SimdLevel> levels;
  for (auto level : {kernels::SimdLevel::kPlain, kernels::SimdLevel::kSse42,
                     kernels::SimdLevel::kAvx2, kernels::SimdLevel::kAvx512}) {
    if (kernels::IsSupported(level)) levels.push_back(level);
  }
  return levels;
}

inline std::string LevelName(const testing::TestParamInfo<kernels::SimdLevel>& info) {
  std::string name = kernels::Name(info.param);
  name.erase(std::remove(name.begin(), name.end(), '.'), name.end());
  return name;
}

#define SLUICE_FOR_EACH_LEVEL(suite) \
  INSTANTIATE_TEST_SUITE_P(Levels, suite, testing::ValuesIn(SupportedLevels()), LevelName)

}  // namespace sluice
