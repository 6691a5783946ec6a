#include <gtest/gtest.h>

#include "format/model/evaluate.h"
#include "tests/format/model/evidences.h"

namespace sluice {
namespace {

TEST(EvaluateSources, Sets) {
  EXPECT_EQ(OutcomeOf(SetOf(kInt, {I(1), I(5), I(9)}), Ints(2, 4)), Outcome::kNone);
  EXPECT_EQ(OutcomeOf(SetOf(kInt, {I(1), I(5), I(9)}), Ints(2, 5)), Outcome::kSome);
  EXPECT_EQ(OutcomeOf(SetOf(kInt, {I(1), I(5), I(9)}), Ints(5, 5)), Outcome::kAll);
  EXPECT_EQ(OutcomeOf(SetOf(kInt, {I(1), I(5), I(9)}, true), Ints(2, 4)), Outcome::kAll);
  EXPECT_EQ(OutcomeOf(SetOf(kInt, {I(1), I(5), I(9)}, true), Ints(5, 5)), Outcome::kNone);
  EXPECT_EQ(OutcomeOf(SetOf(kInt, {I(1), I(5)}), Bounded(kInt, I(6), std::nullopt)),
            Outcome::kNone);
  EXPECT_EQ(OutcomeOf(SetOf(kReal, {D(7), D(kNan)}), Bounded(kReal, D(1), std::nullopt)),
            Outcome::kSome);
  EXPECT_EQ(OutcomeOf(SetOf(kReal, {D(0), D(kNan)}), Bounded(kReal, D(1), std::nullopt)),
            Outcome::kNone);
}

// fault S23: a prefix that is longer than a bound proves nothing.
TEST(EvaluateSources, Prefixes) {
  const auto prefix = [](std::string text, bool negated = false) {
    return PatternOf(kText, ColumnFilter::Kind::kPrefix, std::move(text), negated);
  };
  const Evidence ab = Bounded(kText, "ab", "abz");
  EXPECT_EQ(OutcomeOf(prefix("ab"), ab), Outcome::kAll);
  EXPECT_EQ(OutcomeOf(prefix("abc"), ab), Outcome::kSome);
  EXPECT_EQ(OutcomeOf(prefix("b"), ab), Outcome::kNone);
  EXPECT_EQ(OutcomeOf(prefix("aa"), ab), Outcome::kNone);
  EXPECT_EQ(OutcomeOf(prefix(""), Bounded(kText, std::nullopt, std::nullopt)), Outcome::kAll);
  EXPECT_EQ(OutcomeOf(prefix("abzz"), ab), Outcome::kNone);
  // NOT STARTS WITH
  EXPECT_EQ(OutcomeOf(prefix("ab", true), ab), Outcome::kNone);
  EXPECT_EQ(OutcomeOf(OrNull(prefix("ab", true)), WithNullsUnknown(ab)), Outcome::kSome);
  EXPECT_EQ(OutcomeOf(OrNull(prefix("ab", true)), WithNulls(ab, 0)), Outcome::kNone);
  EXPECT_EQ(OutcomeOf(prefix("abc", true), ab), Outcome::kSome);
  EXPECT_EQ(OutcomeOf(prefix("b", true), ab), Outcome::kAll);
  // Cut bounds: the lower one is a prefix of what it stands for, the upper one above it.
  Evidence cut = Bounded(kText, "ab", "ac");
  cut.lower->exactness = cut.upper->exactness = Exactness::kInexact;
  ExpectVerdict(prefix("ab"), cut, Outcome::kSome, Reason::kBoundTruncated);
  EXPECT_EQ(OutcomeOf(prefix("ad"), cut), Outcome::kNone);
}

TEST(EvaluateSources, LikeByItsPrefix) {
  const auto like = [](std::string pattern, bool negated = false) {
    return PatternOf(kText, ColumnFilter::Kind::kLike, std::move(pattern), negated);
  };
  const Evidence ab = Bounded(kText, "ab", "abz");
  EXPECT_EQ(OutcomeOf(like("b%x"), ab), Outcome::kNone);
  EXPECT_EQ(OutcomeOf(like("ab%x"), ab), Outcome::kSome);
  EXPECT_EQ(OutcomeOf(like("ab%"), ab), Outcome::kAll);
  EXPECT_EQ(OutcomeOf(like("ab"), ab), Outcome::kSome);
  EXPECT_EQ(OutcomeOf(like("%b%"), ab), Outcome::kSome);
  EXPECT_EQ(OutcomeOf(like("b\\%%", true), ab), Outcome::kAll);
}

// fault L2: null is in no dictionary.
TEST(EvaluateSources, DistinctValues) {
  const Evidence values = WithDistinct(Bounded(kText, std::nullopt, std::nullopt), {"A", "C"});
  ExpectVerdict(Equal(kText, "B"), values, Outcome::kNone, Reason::kDistinctValues);
  ExpectVerdict(SetOf(kText, {"A", "B", "C"}), values, Outcome::kAll, Reason::kDistinctValues);
  ExpectVerdict(Equal(kText, "A"), values, Outcome::kSome, Reason::kDistinctValuesUndecided);
  ExpectVerdict(OrNull(Equal(kText, "B")), WithNullsUnknown(values), Outcome::kSome,
                Reason::kNullCountUnknown);
  ExpectVerdict(OrNull(SetOf(kText, {"A", "C"}, true)), WithNulls(values, 1), Outcome::kSome,
                Reason::kNullsPresent);
  // NaN is a value of the dictionary like any other.
  const Evidence reals = WithNans(Bounded(kReal, D(1), D(2)), kNansPossible);
  ExpectVerdict(Greater(kReal, D(5)), WithDistinct(reals, {D(1), D(2)}), Outcome::kNone,
                Reason::kBounds);
  ExpectVerdict(Greater(kReal, D(5)), WithDistinct(reals, {D(1), D(kNan)}), Outcome::kSome,
                Reason::kNansPossible);
  const std::vector<std::optional<std::string>> none;
  EXPECT_EQ(OutcomeOf(Equal(kText, "A"), WithDistinct(WithNullsUnknown(values), none)),
            Outcome::kNone);
  // Bounds tell which of them matter; that none does cannot be.
  const Evidence chunk = WithDistinct(Ints(10, 20), {I(5), I(15), I(25)});
  ExpectVerdict(Less(kInt, I(15)), chunk, Outcome::kNone, Reason::kDistinctValues);
  ExpectVerdict(Equal(kInt, I(15)), chunk, Outcome::kAll, Reason::kDistinctValues);
  const Evidence excluded = WithDistinct(Ints(10, 20), {I(5), I(25)});
  ExpectVerdict(Equal(kInt, I(15)), excluded, Outcome::kSome, Reason::kSourcesContradictory);
  const DataType boolean = DataType::Of(TypeId::kBoolean);
  const Evidence bits = WithDistinct(Bounded(boolean, {}, {}), {std::string(1, '\1')});
  EXPECT_EQ(OutcomeOf(Equal(boolean, std::string(1, '\0')), bits), Outcome::kNone);
}

TEST(EvaluateSources, Membership) {
  const Evidence members = WithMembers(Ints(0, 100), {I(7), I(8)});
  ExpectVerdict(Equal(kInt, I(5)), members, Outcome::kNone, Reason::kMembership);
  ExpectVerdict(Equal(kInt, I(7)), members, Outcome::kSome, Reason::kMembershipUndecided);
  ExpectVerdict(SetOf(kInt, {I(1), I(2)}), members, Outcome::kNone, Reason::kMembership);
  ExpectVerdict(SetOf(kInt, {I(1), I(7)}), members, Outcome::kSome, Reason::kMembershipUndecided);
  // What does not ask for single values gets no answer.
  ExpectVerdict(SetOf(kInt, {I(7), I(8)}, true), members, Outcome::kSome, Reason::kBoundsUndecided);
  ExpectVerdict(Less(kInt, I(5)), members, Outcome::kSome, Reason::kBoundsUndecided);
  // Nulls are in no bloom filter (fault I11).
  ExpectVerdict(OrNull(Equal(kInt, I(5))), WithNullsUnknown(members), Outcome::kSome,
                Reason::kNullCountUnknown);
  // Nor is NaN looked up (fault I9).
  const Evidence reals = WithNans(WithMembers(Bounded(kReal, {}, {}), {D(1)}), kNansPossible);
  ExpectVerdict(Equal(kReal, D(5)), reals, Outcome::kNone, Reason::kMembership);
  ExpectVerdict(Equal(kReal, D(kNan)), reals, Outcome::kSome, Reason::kNansPossible);
  ExpectVerdict(SetOf(kReal, {D(5), D(kNan)}), reals, Outcome::kSome, Reason::kNansPossible);
}

TEST(EvaluateSources, LargeSetsAreBisectedAndNotLookedUpOneByOne) {
  std::vector<std::string> set;
  for (int32_t i = 0; i < 100'000; ++i) set.push_back(I(2 * i));
  const ColumnFilter filter = SetOf(kInt, set);
  Evidence evidence = WithMembers(Ints(0, 200'000), {});
  const auto& members = static_cast<const KnownValues&>(*evidence.membership);
  ExpectVerdict(filter, evidence, Outcome::kSome, Reason::kTooManyValues);
  EXPECT_EQ(members.lookups, 0);
  evidence.lower->value = I(50'001);
  evidence.upper->value = I(50'009);
  ExpectVerdict(filter, evidence, Outcome::kNone, Reason::kMembership);
  EXPECT_EQ(members.lookups, 4);
  EXPECT_EQ(OutcomeOf(filter, Ints(50'001, 50'001)), Outcome::kNone);
}

// contract X-06; fault S6, T8.
TEST(EvaluateSources, EvidenceOfAnotherTypeSaysNothingOfValues) {
  const Evidence ints = Ints(1, 2);
  ExpectVerdict(Equal(DataType::Of(TypeId::kUint32), I(9)), ints, Outcome::kSome,
                Reason::kTypeChanged);
  ExpectVerdict(Equal(kText, "9"), ints, Outcome::kSome, Reason::kTypeChanged);
  ExpectVerdict(Equal(kText, "9"), WithNulls(ints, 10), Outcome::kNone, Reason::kNulls);
  const DataType decimal = DataType::Decimal(9, 2, 4);
  EXPECT_EQ(OutcomeOf(Equal(DataType::Decimal(7, 2, 4), I(9)), Bounded(decimal, I(1), I(2))),
            Outcome::kNone);
  EXPECT_EQ(OutcomeOf(Equal(DataType::Decimal(9, 3, 4), I(9)), Bounded(decimal, I(1), I(2))),
            Outcome::kSome);
}

// fault S15: reversed bounds are no bounds.
TEST(EvaluateSources, ReversedBounds) {
  const Evidence reversed = Bounded(kText, "z", "a");
  ExpectVerdict(Equal(kText, "m"), reversed, Outcome::kSome, Reason::kBoundsReversed);
  ExpectVerdict(Equal(kText, "~"), reversed, Outcome::kSome, Reason::kBoundsReversed);
}

// contract X-01
TEST(EvaluateSources, Trees) {
  const std::vector<Evidence> evidence = {Ints(1, 5), Ints(7, 7), Evidence()};
  const FilterNode none = Leaf(0, Equal(kInt, I(9)));
  const FilterNode all = Leaf(1, Equal(kInt, I(7)));
  const FilterNode some = Leaf(0, Equal(kInt, I(3)));
  const FilterNode unknown = Node(FilterNode::Kind::kUnknown);
  const auto outcome = [&](const FilterNode& node) { return Evaluate(node, evidence).outcome; };
  EXPECT_EQ(outcome(And({some, unknown, none})), Outcome::kNone);
  EXPECT_EQ(outcome(And({all, all})), Outcome::kAll);
  EXPECT_EQ(outcome(And({all, some})), Outcome::kSome);
  EXPECT_EQ(outcome(Or({some, unknown, all})), Outcome::kAll);
  EXPECT_EQ(outcome(Or({none, none})), Outcome::kNone);
  EXPECT_EQ(outcome(Or({none, unknown})), Outcome::kSome);
  EXPECT_EQ(outcome(Node(FilterNode::Kind::kTrue)), Outcome::kAll);
  EXPECT_EQ(outcome(Node(FilterNode::Kind::kNotTrue)), Outcome::kNone);
  // contract L-15: without predicates there is nothing to skip.
  EXPECT_EQ(outcome(Node(FilterNode::Kind::kAnd)), Outcome::kSome);
}

TEST(EvaluateSources, TheReasonIsOfTheFirstPartThatProvedNothing) {
  const std::vector<Evidence> evidence = {
      Ints(1, 5), Bounded(kInt, std::nullopt, std::nullopt),
      Evidence::Missing(EvidenceSource::kPage, Reason::kWriterDistrusted)};
  const FilterNode all = Leaf(0, Less(kInt, I(9)));
  const FilterNode bounds = Leaf(1, Less(kInt, I(9)));
  const FilterNode writer = Leaf(2, Less(kInt, I(9)));
  const FilterNode beyond = Leaf(3, Less(kInt, I(9)));
  EXPECT_EQ(Evaluate(And({all, bounds, writer}), evidence),
            (Verdict{Outcome::kSome, Reason::kBoundMissing, 1, EvidenceSource::kRowGroup}));
  EXPECT_EQ(Evaluate(And({all, writer, bounds}), evidence),
            (Verdict{Outcome::kSome, Reason::kWriterDistrusted, 2, EvidenceSource::kPage}));
  EXPECT_EQ(Evaluate(Or({beyond, writer}), evidence),
            (Verdict{Outcome::kSome, Reason::kNoEvidence, 3, EvidenceSource::kNone}));
  EXPECT_EQ(Evaluate(all, evidence),
            (Verdict{Outcome::kAll, Reason::kBounds, 0, EvidenceSource::kRowGroup}));
}

// fault S16: (name = 'A' AND deleted IS NULL) OR name IN ('B', 'C') over name 'A', deleted null.
TEST(EvaluateSources, LeavesOfAnOrDoNotReject) {
  const std::vector<Evidence> evidence = {Bounded(kText, "A", "A"),
                                          Evidence::OfConstant(Value::Null(kText))};
  const FilterNode predicate =
      Or({And({Leaf(0, Equal(kText, "A")), Leaf(1, IsNull())}), Leaf(0, SetOf(kText, {"B", "C"}))});
  EXPECT_EQ(Evaluate(predicate, evidence).outcome, Outcome::kAll);
}

TEST(Reasons, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  const auto last = static_cast<int>(Reason::kSourcesContradictory);
  for (int i = 0; i <= last; ++i) names.insert(ReasonName(static_cast<Reason>(i)));
  EXPECT_EQ(names.size(), static_cast<size_t>(last) + 1);
  EXPECT_EQ(names.count("unknown"), 0u);
  EXPECT_EQ(ReasonName(Reason::kNullCountUnknown), "null_count_unknown");
  EXPECT_EQ(SourceName(EvidenceSource::kBloomFilter), "bloom_filter");
  EXPECT_EQ(OutcomeName(Outcome::kAll), "all");
}

}  // namespace
}  // namespace sluice
