#include "format/model/evaluate.h"

#include <gtest/gtest.h>

#include "tests/format/model/evidences.h"

namespace sluice {
namespace {

// contract L-06 to L-11: the pruning table, over bounds 10..20 and the single value 15.
TEST(Evaluate, PruningTable) {
  struct Row {
    ColumnFilter (*filter)(const DataType&, const std::string&);
    Outcome at9, at10, at15, at20, at21;   ///< Over [10, 20].
    Outcome single14, single15, single16;  ///< Over [15, 15], by the value asked for.
  };
  constexpr Outcome N = Outcome::kNone;
  constexpr Outcome S = Outcome::kSome;
  constexpr Outcome A = Outcome::kAll;
  const Row rows[] = {
      {&Equal, N, S, S, S, N, N, A, N},           // L-06
      {&NotEqual, A, S, S, S, A, A, N, A},        // L-07
      {&Greater, A, S, S, N, N, A, N, N},         // L-08
      {&GreaterOrEqual, A, A, S, S, N, A, A, N},  // L-09
      {&Less, N, N, S, S, A, N, N, A},            // L-10
      {&LessOrEqual, N, S, S, A, A, N, A, A},     // L-11
  };
  for (const Row& row : rows) {
    const auto over = [&](const Evidence& evidence, int32_t value) {
      return OutcomeOf(row.filter(kInt, I(value)), evidence);
    };
    EXPECT_EQ(over(Ints(10, 20), 9), row.at9);
    EXPECT_EQ(over(Ints(10, 20), 10), row.at10);
    EXPECT_EQ(over(Ints(10, 20), 15), row.at15);
    EXPECT_EQ(over(Ints(10, 20), 20), row.at20);
    EXPECT_EQ(over(Ints(10, 20), 21), row.at21);
    EXPECT_EQ(over(Ints(15, 15), 14), row.single14);
    EXPECT_EQ(over(Ints(15, 15), 15), row.single15);
    EXPECT_EQ(over(Ints(15, 15), 16), row.single16);
  }
}

// contract L-12
TEST(Evaluate, ThreeOutcomes) {
  ExpectVerdict(Greater(kInt, I(100)), Ints(10, 50), Outcome::kNone, Reason::kBounds);
  ExpectVerdict(Greater(kInt, I(100)), Ints(80, 300), Outcome::kSome, Reason::kBoundsUndecided);
  ExpectVerdict(Greater(kInt, I(100)), Ints(150, 500), Outcome::kAll, Reason::kBounds);
}

// contract L-14, S-08, S-23: the look-up of 47.
TEST(Evaluate, UnknownBoundsProveNothing) {
  EXPECT_EQ(OutcomeOf(Equal(kInt, I(47)), Ints(41, 53)), Outcome::kSome);
  EXPECT_EQ(OutcomeOf(Equal(kInt, I(47)), Ints(71, 91)), Outcome::kNone);
  ExpectVerdict(Equal(kInt, I(47)), Evidence(), Outcome::kSome, Reason::kNoEvidence);
  ExpectVerdict(Equal(kInt, I(47)),
                Evidence::Missing(EvidenceSource::kRowGroup, Reason::kNoStatistics), Outcome::kSome,
                Reason::kNoStatistics);
}

// fault S27: one bound serves alone.
TEST(Evaluate, OneBoundServesAlone) {
  const Evidence at_least_10 = Bounded(kInt, I(10), std::nullopt);
  EXPECT_EQ(OutcomeOf(Less(kInt, I(10)), at_least_10), Outcome::kNone);
  EXPECT_EQ(OutcomeOf(GreaterOrEqual(kInt, I(10)), at_least_10), Outcome::kAll);
  ExpectVerdict(Greater(kInt, I(10)), at_least_10, Outcome::kSome, Reason::kBoundMissing);
  const Evidence at_most_10 = Bounded(kInt, std::nullopt, I(10));
  EXPECT_EQ(OutcomeOf(Greater(kInt, I(10)), at_most_10), Outcome::kNone);
  EXPECT_EQ(OutcomeOf(LessOrEqual(kInt, I(10)), at_most_10), Outcome::kAll);
}

// contract L-18, L-20; fault S2, S10.
TEST(Evaluate, NullsAreJudgedApart) {
  const ColumnFilter all = Greater(kInt, I(5));
  ExpectVerdict(all, WithNulls(Ints(10, 20), 0), Outcome::kAll, Reason::kBounds);
  ExpectVerdict(all, WithNulls(Ints(10, 20), 3), Outcome::kSome, Reason::kNullsPresent);
  ExpectVerdict(all, WithNullsUnknown(Ints(10, 20)), Outcome::kSome, Reason::kNullCountUnknown);
  ExpectVerdict(OrNull(all), WithNullsUnknown(Ints(10, 20)), Outcome::kAll, Reason::kBounds);
  // `<>` needs no null count to skip: null rows do not pass either.
  ExpectVerdict(NotEqual(kInt, I(5)), WithNullsUnknown(Ints(5, 5)), Outcome::kNone,
                Reason::kBounds);
  // Every row null, whatever else is claimed.
  ExpectVerdict(all, WithNulls(Ints(10, 20), 10), Outcome::kNone, Reason::kNulls);
  // A null count that no unit has says nothing.
  ExpectVerdict(all, WithNulls(Ints(10, 20), 11), Outcome::kSome, Reason::kNullCountMalformed);
  ExpectVerdict(all, WithNulls(Ints(10, 20), -1), Outcome::kSome, Reason::kNullCountMalformed);
}

// contract V-84, S-03; fault S10.
TEST(Evaluate, NullTests) {
  const Evidence ints = Ints(1, 2);
  ExpectVerdict(IsNull(), WithNulls(ints, 0), Outcome::kNone, Reason::kNulls);
  ExpectVerdict(IsNull(), WithNulls(ints, 10), Outcome::kAll, Reason::kNulls);
  ExpectVerdict(IsNull(), WithNulls(ints, 4), Outcome::kSome, Reason::kNullsPresent);
  ExpectVerdict(IsNull(), WithNullsUnknown(ints), Outcome::kSome, Reason::kNullCountUnknown);
  ExpectVerdict(IsNotNull(), WithNulls(ints, 0), Outcome::kAll, Reason::kNulls);
  ExpectVerdict(IsNotNull(), WithNulls(ints, 10), Outcome::kNone, Reason::kNulls);
  ExpectVerdict(IsNotNull(), WithNulls(ints, 4), Outcome::kSome, Reason::kNullsPresent);
  ExpectVerdict(IsNotNull(), WithNullsUnknown(ints), Outcome::kSome, Reason::kNullCountUnknown);
  // Without a row count, nulls are not known to be all.
  Evidence uncounted = ints;
  uncounted.row_count.reset();
  ExpectVerdict(IsNotNull(), WithNulls(uncounted, 10), Outcome::kSome, Reason::kNullsPresent);
}

// fault S18: IS DISTINCT FROM passes for nulls, which bounds do not see.
TEST(Evaluate, IsDistinctFrom) {
  const ColumnFilter distinct = OrNull(NotEqual(kInt, I(5)));
  ExpectVerdict(distinct, WithNulls(Ints(5, 5), 0), Outcome::kNone, Reason::kBounds);
  ExpectVerdict(distinct, WithNulls(Ints(5, 5), 1), Outcome::kSome, Reason::kNullsPresent);
  ExpectVerdict(distinct, WithNullsUnknown(Ints(5, 5)), Outcome::kSome, Reason::kNullCountUnknown);
  const Evidence no_bounds = Bounded(kInt, std::nullopt, std::nullopt);
  ExpectVerdict(distinct, WithNulls(no_bounds, 4), Outcome::kSome, Reason::kBoundMissing);
}

// fault S11: null is a member of the set under null-safe semantics.
TEST(Evaluate, SetsWithNull) {
  const ColumnFilter set = OrNull(SetOf(kInt, {I(7)}));
  ExpectVerdict(set, WithNullsUnknown(Ints(1, 3)), Outcome::kSome, Reason::kNullCountUnknown);
  ExpectVerdict(set, WithNulls(Ints(1, 3), 0), Outcome::kNone, Reason::kBounds);
}

// fault S1, S3: NaN is above everything and unequal to every number.
TEST(Evaluate, NansOutsideTheBounds) {
  const Evidence known = Bounded(kReal, D(3), D(3));
  const Evidence unknown = WithNans(known, kNansPossible);
  const Evidence some = WithNans(known, {Occurrence::Share::kSome, 1, {}});
  ExpectVerdict(NotEqual(kReal, D(3)), known, Outcome::kNone, Reason::kBounds);
  ExpectVerdict(NotEqual(kReal, D(3)), unknown, Outcome::kSome, Reason::kNansPossible);
  ExpectVerdict(NotEqual(kReal, D(3)), some, Outcome::kSome, Reason::kNansPresent);
  ExpectVerdict(GreaterOrEqual(kReal, D(10)), unknown, Outcome::kSome, Reason::kNansPossible);
  ExpectVerdict(Greater(kReal, D(100)), unknown, Outcome::kSome, Reason::kNansPossible);
  const ColumnFilter is_nan = GreaterOrEqual(kReal, D(kNan));
  ExpectVerdict(is_nan, unknown, Outcome::kSome, Reason::kNansPossible);
  ExpectVerdict(is_nan, known, Outcome::kNone, Reason::kBounds);
  // False for NaN: bounds are enough to skip, not to pass.
  ExpectVerdict(Less(kReal, D(3)), unknown, Outcome::kNone, Reason::kBounds);
  ExpectVerdict(Between(kReal, D(4), D(9)), unknown, Outcome::kNone, Reason::kBounds);
  ExpectVerdict(Equal(kReal, D(3)), unknown, Outcome::kSome, Reason::kNansPossible);
  // True for NaN and every value.
  ExpectVerdict(Greater(kReal, D(1)), unknown, Outcome::kAll, Reason::kBounds);
  ExpectVerdict(Greater(kReal, D(1)), some, Outcome::kAll, Reason::kBounds);
}

// fault S2
TEST(Evaluate, FullMatchNeedsNoNan) {
  const Evidence evidence = WithNans(Bounded(kReal, D(1), D(1)), kNansPossible);
  EXPECT_EQ(OutcomeOf(Equal(kReal, D(1)), evidence), Outcome::kSome);
  EXPECT_EQ(OutcomeOf(Equal(kInt, I(5)), WithNullsUnknown(Ints(5, 5))), Outcome::kSome);
}

TEST(Evaluate, EveryValueNan) {
  const Evidence evidence = WithNans(Bounded(kReal, std::nullopt, std::nullopt), Occurrence::All());
  ExpectVerdict(Less(kReal, D(5)), evidence, Outcome::kNone, Reason::kNans);
  ExpectVerdict(Greater(kReal, D(5)), evidence, Outcome::kAll, Reason::kNans);
  ExpectVerdict(Greater(kReal, D(5)), WithNullsUnknown(evidence), Outcome::kSome,
                Reason::kNullCountUnknown);
  ExpectVerdict(Less(kReal, D(5)), WithNullsUnknown(evidence), Outcome::kNone, Reason::kNans);
}

// contract N-13: a range of latitudes over rows with and without bounds, and without the column.
TEST(Evaluate, LatitudeRange) {
  const ColumnFilter filter = Between(kReal, D(17.5), D(25.4));
  EXPECT_EQ(OutcomeOf(filter, Bounded(kReal, D(-90), D(-80))), Outcome::kNone);
  EXPECT_EQ(OutcomeOf(filter, Bounded(kReal, D(17), D(30))), Outcome::kSome);
  EXPECT_EQ(OutcomeOf(filter, Evidence::OfConstant(Value::Null(kReal))), Outcome::kNone);
  EXPECT_EQ(OutcomeOf(filter, WithNans(WithNullsUnknown(Bounded(kReal, std::nullopt, std::nullopt)),
                                       kNansPossible)),
            Outcome::kSome);
}

// fault S4
TEST(Evaluate, ZerosOfBothSignsAreEqual) {
  const Evidence minus = Bounded(kReal, D(-1), D(-0.0));
  EXPECT_EQ(OutcomeOf(GreaterOrEqual(kReal, D(0.0)), minus), Outcome::kSome);
  EXPECT_EQ(OutcomeOf(Equal(kReal, D(0.0)), minus), Outcome::kSome);
  EXPECT_EQ(OutcomeOf(Greater(kReal, D(-0.0)), minus), Outcome::kNone);
  const Evidence plus = Bounded(kReal, D(0.0), D(1));
  EXPECT_EQ(OutcomeOf(LessOrEqual(kReal, D(-0.0)), plus), Outcome::kSome);
  EXPECT_EQ(OutcomeOf(GreaterOrEqual(kReal, D(-0.0)), plus), Outcome::kAll);
}

// contract X-05; fault V2.
TEST(Evaluate, ConstantsGoTheSameWay) {
  const Evidence constant = Evidence::OfConstant({kInt, I(42)});
  EXPECT_EQ(OutcomeOf(Equal(kInt, I(42)), constant), Outcome::kAll);
  EXPECT_EQ(OutcomeOf(NotEqual(kInt, I(42)), constant), Outcome::kNone);
  EXPECT_EQ(OutcomeOf(IsNotNull(), constant), Outcome::kAll);
  EXPECT_EQ(OutcomeOf(IsNull(), constant), Outcome::kNone);
  const Evidence null = Evidence::OfConstant(Value::Null(kInt));
  EXPECT_EQ(OutcomeOf(NotEqual(kInt, I(42)), null), Outcome::kNone);
  EXPECT_EQ(OutcomeOf(IsNull(), null), Outcome::kAll);
  EXPECT_EQ(OutcomeOf(OrNull(Less(kInt, I(0))), null), Outcome::kAll);
  const Evidence nan = Evidence::OfConstant({kReal, D(kNan)});
  EXPECT_EQ(OutcomeOf(GreaterOrEqual(kReal, D(kNan)), nan), Outcome::kAll);
  EXPECT_EQ(OutcomeOf(Less(kReal, D(kNan)), nan), Outcome::kNone);
  const Evidence real = Evidence::OfConstant({kReal, D(1)});
  EXPECT_EQ(OutcomeOf(GreaterOrEqual(kReal, D(kNan)), real), Outcome::kNone);
  EXPECT_EQ(OutcomeOf(Equal(kReal, D(1)), real), Outcome::kAll);
  const Evidence text = Evidence::OfConstant({kText, "foobar"});
  EXPECT_EQ(OutcomeOf(PatternOf(kText, ColumnFilter::Kind::kLike, "f%b_r"), text), Outcome::kAll);
  EXPECT_EQ(OutcomeOf(PatternOf(kText, ColumnFilter::Kind::kLike, "f%z_r"), text), Outcome::kNone);
  const Evidence interval =
      Evidence::OfConstant({DataType::Of(TypeId::kInterval), std::string(12, '\1')});
  EXPECT_EQ(OutcomeOf(IsNotNull(), interval), Outcome::kAll);
}

TEST(Evaluate, NoRows) {
  Evidence evidence = Evidence::Missing(EvidenceSource::kPage, Reason::kNoStatistics);
  evidence.row_count = 0;
  ExpectVerdict(Equal(kInt, I(1)), evidence, Outcome::kNone, Reason::kNoRows);
  ExpectVerdict(IsNull(), evidence, Outcome::kNone, Reason::kNoRows);
}

}  // namespace
}  // namespace sluice
