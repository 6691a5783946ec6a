#include <gtest/gtest.h>
#include <sluice/evidence.h>

#include "tests/format/model/evidences.h"

namespace sluice {
namespace {

using Share = Occurrence::Share;

TEST(Occurrence, OfCounts) {
  const auto of = [](int64_t count, std::optional<int64_t> total) {
    return Occurrence::OfCount(count, total, Reason::kNullCountMalformed);
  };
  EXPECT_EQ(of(0, 10), Occurrence::None());
  EXPECT_EQ(of(0, std::nullopt), Occurrence::None());
  EXPECT_EQ(of(10, 10).share, Share::kAll);
  EXPECT_EQ(of(3, 10).share, Share::kSome);
  EXPECT_EQ(of(3, 10).count, 3);
  // Without the number of rows, no count says that it is all of them.
  EXPECT_EQ(of(10, std::nullopt).share, Share::kSome);
  for (const Occurrence& malformed : {of(11, 10), of(-1, 10), of(-1, std::nullopt)}) {
    EXPECT_EQ(malformed, Occurrence::Unknown(Reason::kNullCountMalformed));
  }
}

TEST(MergeEvidence, TakesTheTighterBounds) {
  Evidence evidence = Ints(10, 50);
  evidence.lower->exactness = Exactness::kUnknown;
  Evidence other = Ints(20, 60);
  MergeEvidence(evidence, other);
  EXPECT_EQ(evidence.lower, other.lower);
  EXPECT_EQ(evidence.upper->value, I(50));

  // Of equal ones that which is known to occur.
  Evidence unsure = Ints(10, 50);
  unsure.lower->exactness = Exactness::kUnknown;
  MergeEvidence(unsure, Ints(10, 50));
  EXPECT_EQ(unsure.lower->exactness, Exactness::kExact);
}

TEST(MergeEvidence, EitherMayProve) {
  Evidence evidence = Evidence::Missing(EvidenceSource::kRowGroup, Reason::kNoStatistics);
  evidence.row_count = 10;
  EXPECT_EQ(OutcomeOf(Equal(kInt, I(5)), evidence), Outcome::kSome);
  Evidence bloom = WithMembers(Bounded(kInt, std::nullopt, std::nullopt), {I(7)});
  bloom.source = EvidenceSource::kBloomFilter;
  bloom.nulls = Occurrence::Unknown(Reason::kNoEvidence);
  MergeEvidence(evidence, bloom);
  ExpectVerdict(Equal(kInt, I(5)), evidence, Outcome::kNone, Reason::kMembership);
  // The verdict is of what proved it.
  EXPECT_EQ(Evaluate(Equal(kInt, I(5)), evidence).source, EvidenceSource::kBloomFilter);
  Evidence dictionary = WithDistinct(bloom, {I(7), I(100)});
  MergeEvidence(evidence, dictionary);
  ExpectVerdict(Equal(kInt, I(7)), evidence, Outcome::kSome, Reason::kMembershipUndecided);
  EXPECT_EQ(Evaluate(Equal(kInt, I(7)), evidence).source, EvidenceSource::kBloomFilter);
  ExpectVerdict(Between(kInt, I(8), I(99)), evidence, Outcome::kNone, Reason::kDistinctValues);
  EXPECT_EQ(Evaluate(Between(kInt, I(8), I(99)), evidence).source, EvidenceSource::kDictionary);
  MergeEvidence(evidence, Ints(7, 7));
  ExpectVerdict(Equal(kInt, I(7)), evidence, Outcome::kAll, Reason::kBounds);
  EXPECT_EQ(Evaluate(Equal(kInt, I(7)), evidence).source, EvidenceSource::kRowGroup);
}

TEST(MergeEvidence, KeepsTheMoreTellingReason) {
  Evidence evidence = Evidence::Missing(EvidenceSource::kRowGroup, Reason::kNoStatistics);
  MergeEvidence(evidence, Evidence::Missing(EvidenceSource::kPage, Reason::kWriterDistrusted));
  EXPECT_EQ(evidence.lower_missing, Reason::kWriterDistrusted);
  EXPECT_EQ(evidence.source, EvidenceSource::kRowGroup);
  MergeEvidence(evidence, Evidence::Missing(EvidenceSource::kPage, Reason::kOrderUnknown));
  EXPECT_EQ(evidence.lower_missing, Reason::kWriterDistrusted);
}

TEST(MergeEvidence, Nulls) {
  Evidence evidence = WithNullsUnknown(Ints(1, 2));
  MergeEvidence(evidence, WithNulls(Ints(1, 2), 3));
  EXPECT_EQ(evidence.nulls.count, 3);
  MergeEvidence(evidence, WithNullsUnknown(Ints(1, 2)));
  EXPECT_EQ(evidence.nulls.share, Share::kSome);
  // Counts that differ, and one that excludes the other: neither is believed.
  MergeEvidence(evidence, WithNulls(Ints(1, 2), 4));
  EXPECT_EQ(evidence.nulls, Occurrence::Unknown(Reason::kSourcesContradictory));
  Evidence none = WithNulls(Ints(1, 2), 0);
  MergeEvidence(none, WithNulls(Ints(1, 2), 10));
  EXPECT_EQ(none.nulls, Occurrence::Unknown(Reason::kSourcesContradictory));
}

TEST(MergeEvidence, BoundsThatExcludeEachOther) {
  Evidence evidence = Ints(1, 5);
  MergeEvidence(evidence, Ints(7, 9));
  ExpectVerdict(Equal(kInt, I(6)), evidence, Outcome::kSome, Reason::kSourcesContradictory);
  ExpectVerdict(Equal(kInt, I(100)), evidence, Outcome::kSome, Reason::kSourcesContradictory);
}

TEST(MergeEvidence, NansOfBoundsThatCoverThem) {
  // A catalog's bounds have NaN as the greatest value; a file's leave it out.
  Evidence file = WithNans(Bounded(kReal, D(1), D(9)), kNansPossible);
  Evidence catalog = WithNans(Bounded(kReal, D(1), D(9)), kNansPossible);
  catalog.bounds_cover_nan = true;
  EXPECT_EQ(OutcomeOf(Greater(kReal, D(10)), file), Outcome::kSome);
  EXPECT_EQ(OutcomeOf(Greater(kReal, D(10)), catalog), Outcome::kNone);
  MergeEvidence(file, catalog);
  EXPECT_FALSE(file.bounds_cover_nan);
  EXPECT_EQ(OutcomeOf(Greater(kReal, D(10)), file), Outcome::kNone);
  // With NaN as the upper end, the file's bound is the tighter one for the other values.
  catalog.upper->value = D(kNan);
  Evidence both = WithNans(Bounded(kReal, D(0), D(9)), kNansPossible);
  MergeEvidence(both, catalog);
  EXPECT_EQ(both.upper->value, D(9));
  EXPECT_EQ(both.lower->value, D(1));
  EXPECT_EQ(both.nans, Occurrence::Unknown(Reason::kNansPossible));
}

TEST(MergeEvidence, OfAnotherTypeAddsNullsOnly) {
  Evidence evidence = WithNullsUnknown(Ints(1, 5));
  MergeEvidence(evidence, WithNulls(Bounded(kText, "a", "b"), 0));
  EXPECT_EQ(evidence.lower->value, I(1));
  EXPECT_EQ(evidence.nulls, Occurrence::None());
}

// fault S13: bounds answer for the least and greatest value only where they are known to occur.
TEST(Proven, MinimumAndMaximum) {
  Evidence evidence = Bounded(kText, "A123456789", "Z");
  EXPECT_EQ(ProvenMinimum(evidence), (Value{kText, "A123456789"}));
  EXPECT_EQ(ProvenMaximum(evidence), (Value{kText, "Z"}));
  for (const Exactness exactness : {Exactness::kUnknown, Exactness::kInexact}) {
    evidence.lower->exactness = evidence.upper->exactness = exactness;
    EXPECT_EQ(ProvenMinimum(evidence), std::nullopt);
    EXPECT_EQ(ProvenMaximum(evidence), std::nullopt);
  }
  EXPECT_EQ(ProvenMinimum(Evidence()), std::nullopt);
  // NaN is above the upper bound.
  const Evidence reals = WithNans(Bounded(kReal, D(1), D(2)), kNansPossible);
  EXPECT_EQ(ProvenMinimum(reals), (Value{kReal, D(1)}));
  EXPECT_EQ(ProvenMaximum(reals), std::nullopt);
  EXPECT_EQ(ProvenMaximum(WithNans(reals, Occurrence::None())), (Value{kReal, D(2)}));
  // Writers widen zeros, so that the bound has the sign of no value.
  EXPECT_EQ(ProvenMinimum(Bounded(kReal, D(-0.0), D(2))), std::nullopt);
  EXPECT_EQ(ProvenMaximum(Bounded(kReal, D(-1), D(0.0))), std::nullopt);
}

// fault S25
TEST(Proven, Constants) {
  EXPECT_EQ(ProvenConstant(Ints(5, 5)), (Value{kInt, I(5)}));
  EXPECT_EQ(ProvenConstant(Ints(5, 6)), std::nullopt);
  EXPECT_EQ(ProvenConstant(WithNullsUnknown(Ints(5, 5))), std::nullopt);
  EXPECT_EQ(ProvenConstant(WithNulls(Ints(5, 5), 1)), std::nullopt);
  const Evidence reals = Bounded(kReal, D(3), D(3));
  EXPECT_EQ(ProvenConstant(reals), (Value{kReal, D(3)}));
  EXPECT_EQ(ProvenConstant(WithNans(reals, kNansPossible)), std::nullopt);
  EXPECT_EQ(ProvenConstant(Bounded(kReal, D(0.0), D(0.0))), std::nullopt);
  Evidence unsure = Ints(5, 5);
  unsure.upper->exactness = Exactness::kUnknown;
  EXPECT_EQ(ProvenConstant(unsure), std::nullopt);
  EXPECT_EQ(ProvenConstant(Evidence::OfConstant(Value::Null(kInt))), Value::Null(kInt));
  EXPECT_EQ(ProvenConstant(Evidence::OfConstant({kText, "x"})), (Value{kText, "x"}));
}

}  // namespace
}  // namespace sluice
