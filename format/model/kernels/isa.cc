#include "format/model/kernels/isa.h"

#include <cstdlib>
#include <cstring>

#include "format/model/kernels/tables.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace sluice::inline v0::kernels {
namespace {

constexpr bool HasAll(uint64_t word, uint64_t bits) { return (word & bits) == bits; }
constexpr uint32_t Bit(int place) { return uint32_t{1} << place; }

// Bits by Intel's Software Developer's Manual, volume 2, CPUID, and volume 1, 13.3 (XCR0).
constexpr uint32_t kLeaf1Sse42 = Bit(0) | Bit(9) | Bit(19) | Bit(20) | Bit(23);  // up to POPCNT
constexpr uint32_t kLeaf1Osxsave = Bit(27);
constexpr uint32_t kLeaf1Avx = kLeaf1Osxsave | Bit(28);
constexpr uint32_t kLeaf7EbxAvx2 = Bit(3) | Bit(5) | Bit(8);  // BMI1, AVX2, BMI2
constexpr uint32_t kExtendedLzcnt = Bit(5);
// No kernel uses IFMA, but newer versions of xsimd want it where VBMI is; every processor agrees.
constexpr uint32_t kLeaf7EbxAvx512 = Bit(16) | Bit(17) | Bit(21) | Bit(28) | Bit(30) | Bit(31);
constexpr uint32_t kLeaf7EcxAvx512 = Bit(1) | Bit(6) | Bit(12) | Bit(14);
constexpr uint64_t kXcr0Avx = 0x06;     // SSE and upper halves of YMM
constexpr uint64_t kXcr0Avx512 = 0xE6;  // and mask registers, upper halves of ZMM, ZMM16-31

constexpr const char* kNames[] = {"plain", "sse4.2", "avx2", "avx512"};

const ProcessorFacts& ThisProcessor() {
  static const ProcessorFacts facts = ReadProcessorFacts();
  return facts;
}

struct Tables {
  KernelTable at[4];
};

/// Tables of levels that the processor lacks stay those of the level below: what fills them is
/// itself compiled for its level.
Tables MakeTables() {
  Tables tables;
  for (KernelTable& table : tables.at) table = kPlainTable;
#if defined(__x86_64__)
  if (IsSupported(SimdLevel::kSse42)) ImproveBySse42(&tables.at[1]);
  tables.at[2] = tables.at[1];
  if (IsSupported(SimdLevel::kAvx2)) {
    ImproveByAvx2(&tables.at[2], HasSlowBitExtract(ThisProcessor()));
  }
  tables.at[3] = tables.at[2];
  if (IsSupported(SimdLevel::kAvx512)) ImproveByAvx512(&tables.at[3]);
#endif
  return tables;
}

}  // namespace

#if defined(__x86_64__)

ProcessorFacts ReadProcessorFacts() {
  ProcessorFacts facts;
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx)) return facts;
  char vendor[12];
  std::memcpy(vendor, &ebx, 4);
  std::memcpy(vendor + 4, &edx, 4);
  std::memcpy(vendor + 8, &ecx, 4);
  facts.is_amd =
      std::memcmp(vendor, "AuthenticAMD", 12) == 0 || std::memcmp(vendor, "HygonGenuine", 12) == 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx)) {
    facts.leaf_1_ecx = ecx;
    facts.family = (eax >> 8) & 0xF;
    if (facts.family == 0xF) facts.family += (eax >> 20) & 0xFF;
  }
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) {
    facts.leaf_7_ebx = ebx;
    facts.leaf_7_ecx = ecx;
  }
  if (__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx)) facts.leaf_80000001_ecx = ecx;
  if (HasAll(facts.leaf_1_ecx, kLeaf1Osxsave)) {
    // By assembly, because the intrinsic needs -mxsave, which this file must not be built with.
    uint32_t low = 0, high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    facts.xcr0 = uint64_t{high} << 32 | low;
  }
  return facts;
}

#else

ProcessorFacts ReadProcessorFacts() { return {}; }

#endif

SimdLevel HighestLevel(const ProcessorFacts& facts) {
  if (!HasAll(facts.leaf_1_ecx, kLeaf1Sse42)) return SimdLevel::kPlain;
  if (!HasAll(facts.leaf_1_ecx, kLeaf1Avx) || !HasAll(facts.xcr0, kXcr0Avx) ||
      !HasAll(facts.leaf_7_ebx, kLeaf7EbxAvx2) ||
      !HasAll(facts.leaf_80000001_ecx, kExtendedLzcnt)) {
    return SimdLevel::kSse42;
  }
  if (!HasAll(facts.xcr0, kXcr0Avx512) || !HasAll(facts.leaf_7_ebx, kLeaf7EbxAvx512) ||
      !HasAll(facts.leaf_7_ecx, kLeaf7EcxAvx512)) {
    return SimdLevel::kAvx2;
  }
  return SimdLevel::kAvx512;
}

bool HasSlowBitExtract(const ProcessorFacts& facts) {
  return facts.is_amd && (facts.family == 0x17 || facts.family == 0x18);
}

SimdLevel Lowered(SimdLevel highest, const char* name) {
  if (name == nullptr) return highest;
  for (int i = 0; i < static_cast<int>(highest); ++i) {
    if (std::strcmp(name, kNames[i]) == 0) return static_cast<SimdLevel>(i);
  }
  return highest;
}

bool IsSupported(SimdLevel level) { return level <= HighestLevel(ThisProcessor()); }

const KernelTable& Table(SimdLevel level) {
  static const Tables tables = MakeTables();
  return tables.at[static_cast<int>(level)];
}

SimdLevel BestLevel() {
  static const SimdLevel level = Lowered(HighestLevel(ThisProcessor()), std::getenv("SLUICE_SIMD"));
  return level;
}

const KernelTable& BestTable() { return Table(BestLevel()); }

const char* Name(SimdLevel level) { return kNames[static_cast<int>(level)]; }

}  // namespace sluice::inline v0::kernels
