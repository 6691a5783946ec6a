#include "format/model/kernels/isa.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "format/model/kernels/tables.h"

namespace sluice {
namespace {

using kernels::HasSlowBitExtract;
using kernels::HighestLevel;
using kernels::Lowered;
using kernels::ProcessorFacts;
using kernels::SimdLevel;

// What an Ice Lake server answers, as far as it is asked.
ProcessorFacts IceLake() {
  ProcessorFacts facts;
  facts.leaf_1_ecx = 0x7FFAFBFF;
  facts.leaf_7_ebx = 0xF3BFA7EB;
  facts.leaf_7_ecx = 0x00415F5E;
  facts.leaf_80000001_ecx = 0x121;
  facts.xcr0 = 0xE7;
  facts.family = 6;
  return facts;
}

TEST(HighestLevel, IsAvx512OnIceLake) { EXPECT_EQ(HighestLevel(IceLake()), SimdLevel::kAvx512); }

TEST(HighestLevel, IsPlainWhenNothingIsKnown) {
  EXPECT_EQ(HighestLevel(ProcessorFacts{}), SimdLevel::kPlain);
}

TEST(HighestLevel, IsPlainWithoutPopcnt) {
  ProcessorFacts facts = IceLake();
  facts.leaf_1_ecx &= ~(uint32_t{1} << 23);
  EXPECT_EQ(HighestLevel(facts), SimdLevel::kPlain);
}

TEST(HighestLevel, WantsEveryAvx2Feature) {
  for (int bit : {3, 5, 8}) {
    ProcessorFacts facts = IceLake();
    facts.leaf_7_ebx &= ~(uint32_t{1} << bit);
    EXPECT_EQ(HighestLevel(facts), SimdLevel::kSse42) << bit;
  }
  ProcessorFacts facts = IceLake();
  facts.leaf_80000001_ecx = 0;
  EXPECT_EQ(HighestLevel(facts), SimdLevel::kSse42);
}

TEST(HighestLevel, CountsLesserAvx512AsAvx2) {
  for (int bit : {16, 17, 21, 28, 30, 31}) {
    ProcessorFacts facts = IceLake();
    facts.leaf_7_ebx &= ~(uint32_t{1} << bit);
    EXPECT_EQ(HighestLevel(facts), SimdLevel::kAvx2) << bit;
  }
  for (int bit : {1, 6, 12, 14}) {
    ProcessorFacts facts = IceLake();
    facts.leaf_7_ecx &= ~(uint32_t{1} << bit);
    EXPECT_EQ(HighestLevel(facts), SimdLevel::kAvx2) << bit;
  }
}

TEST(HighestLevel, WantsTheRegistersSavedByTheSystem) {
  ProcessorFacts facts = IceLake();
  facts.xcr0 = 0x07;
  EXPECT_EQ(HighestLevel(facts), SimdLevel::kAvx2);
  facts.xcr0 = 0x03;
  EXPECT_EQ(HighestLevel(facts), SimdLevel::kSse42);
  facts.xcr0 = 0xE7;
  facts.leaf_1_ecx &= ~(uint32_t{1} << 27);  // no OSXSAVE
  EXPECT_EQ(HighestLevel(facts), SimdLevel::kSse42);
}

TEST(HasSlowBitExtract, IsTrueForZen1And2) {
  ProcessorFacts facts = IceLake();
  facts.family = 0x17;
  EXPECT_FALSE(HasSlowBitExtract(facts));
  facts.is_amd = true;
  EXPECT_TRUE(HasSlowBitExtract(facts));
  facts.family = 0x18;
  EXPECT_TRUE(HasSlowBitExtract(facts));
  facts.family = 0x19;
  EXPECT_FALSE(HasSlowBitExtract(facts));
}

TEST(Lowered, OnlyLowers) {
  EXPECT_EQ(Lowered(SimdLevel::kAvx512, "plain"), SimdLevel::kPlain);
  EXPECT_EQ(Lowered(SimdLevel::kAvx512, "sse4.2"), SimdLevel::kSse42);
  EXPECT_EQ(Lowered(SimdLevel::kAvx512, "avx2"), SimdLevel::kAvx2);
  EXPECT_EQ(Lowered(SimdLevel::kAvx512, "avx512"), SimdLevel::kAvx512);
  EXPECT_EQ(Lowered(SimdLevel::kSse42, "avx2"), SimdLevel::kSse42);
  EXPECT_EQ(Lowered(SimdLevel::kSse42, "neon"), SimdLevel::kSse42);
  EXPECT_EQ(Lowered(SimdLevel::kSse42, ""), SimdLevel::kSse42);
  EXPECT_EQ(Lowered(SimdLevel::kSse42, nullptr), SimdLevel::kSse42);
}

TEST(BestLevel, HasATableAndObeysTheEnvironment) {
  EXPECT_TRUE(kernels::IsSupported(kernels::BestLevel()));
  EXPECT_EQ(kernels::BestTable().level, kernels::BestLevel());
  const char* wanted = std::getenv("SLUICE_SIMD");
  if (wanted == nullptr) return;
  EXPECT_EQ(kernels::BestLevel(), Lowered(kernels::BestLevel(), wanted));
}

TEST(Table, IsThatOfItsLevel) {
  for (auto level : {SimdLevel::kPlain, SimdLevel::kSse42, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (!kernels::IsSupported(level)) continue;
    EXPECT_EQ(kernels::Table(level).level, level) << kernels::Name(level);
  }
}

#if defined(__x86_64__)
TEST(ImproveByAvx2, LeavesOutSlowBitExtract) {
  if (!kernels::IsSupported(SimdLevel::kAvx2)) GTEST_SKIP() << "this processor has no AVX2";
  kernels::KernelTable table = kernels::Table(SimdLevel::kSse42);
  kernels::ImproveByAvx2(&table, true);
  EXPECT_EQ(table.level, SimdLevel::kAvx2);
  EXPECT_EQ(table.extract_bits, kernels::Table(SimdLevel::kSse42).extract_bits);
  EXPECT_EQ(table.deposit_bits, kernels::Table(SimdLevel::kSse42).deposit_bits);
  kernels::ImproveByAvx2(&table, false);
  EXPECT_NE(table.extract_bits, kernels::Table(SimdLevel::kSse42).extract_bits);
}
#endif

}  // namespace
}  // namespace sluice
