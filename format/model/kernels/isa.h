#pragma once

// What the processor can do, apart from the reading of it, so that tests can ask about processors
// that are not there. The public face (BestLevel, Table, ...) is in kernels.h.

#include <cstdint>

#include "format/model/kernels/kernels.h"

namespace sluice::inline v0::kernels {

/// The registers that decide on a level. All zero on other architectures than x86-64.
struct ProcessorFacts {
  uint32_t leaf_1_ecx = 0;         ///< CPUID 1: SSE4.2, POPCNT, OSXSAVE, AVX.
  uint32_t leaf_7_ebx = 0;         ///< CPUID 7.0: BMI1, BMI2, AVX2, AVX-512 F DQ IFMA CD BW VL.
  uint32_t leaf_7_ecx = 0;         ///< CPUID 7.0: AVX-512 VBMI VBMI2 BITALG VPOPCNTDQ.
  uint32_t leaf_80000001_ecx = 0;  ///< CPUID 0x80000001: LZCNT.
  uint64_t xcr0 = 0;               ///< The register states that the operating system saves.
  bool is_amd = false;             ///< AMD or Hygon by the vendor string.
  uint32_t family = 0;             ///< Base plus extended family.
};

ProcessorFacts ReadProcessorFacts();

/// The highest level whose instructions and register state are all there.
SimdLevel HighestLevel(const ProcessorFacts& facts);

/// Whether pext and pdep are microcoded, tens to hundreds of cycles each: AMD Zen 1 and 2 (family
/// 17h) and Hygon's Zen 1 (18h). There the AVX2 table extracts and deposits bits as SSE4.2 does.
bool HasSlowBitExtract(const ProcessorFacts& facts);

/// `highest` lowered to the level called `name`; unchanged where that is higher, unknown or null.
SimdLevel Lowered(SimdLevel highest, const char* name);

}  // namespace sluice::inline v0::kernels
