// Every small multiset of rows, in every degree of knowledge, under every small filter: a verdict
// is never wrong for the rows, and it is as good as the evidence allows.

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "format/model/evaluate.h"
#include "tests/format/model/filters.h"

namespace sluice {
namespace {

using Outcome = Verdict::Outcome;
using Exactness = EvidenceBound::Exactness;
using Share = Occurrence::Share;

/// A row: a value, or null.
using Row = std::optional<std::string>;

/// Values of a type, few enough to enumerate. Between two neighbours of `grid`, and outside of
/// them, there is a value of `values`, so that what holds for these holds for all of the type.
struct Domain {
  DataType type;
  std::vector<std::string> rows;    ///< What units are made of.
  std::vector<std::string> grid;    ///< Ends of ranges, members of sets, bounds; ascending.
  std::vector<std::string> values;  ///< Without NaN.
  std::optional<std::string> nan;
};

Domain Reals() {
  const double infinity = std::numeric_limits<double>::infinity();
  Domain domain;
  domain.type = DataType::Of(TypeId::kDouble);
  for (const double value : {-1.0, -0.0, 0.0, 1.0}) domain.rows.push_back(BytesOf(value));
  for (const double value : {-1.0, 0.0, 1.0, infinity}) {
    domain.grid.push_back(BytesOf(value));
  }
  for (const double value : {-infinity, -2.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.0, infinity}) {
    domain.values.push_back(BytesOf(value));
  }
  domain.nan = BytesOf(std::numeric_limits<double>::quiet_NaN());
  domain.rows.push_back(*domain.nan);
  return domain;
}

Domain Integers() {
  Domain domain;
  domain.type = DataType::Of(TypeId::kUint8);
  const auto add = [](std::initializer_list<int> numbers, std::vector<std::string>& values) {
    for (const int number : numbers) values.push_back(BytesOf(static_cast<uint8_t>(number)));
  };
  add({10, 20, 200}, domain.rows);
  add({10, 20, 200}, domain.grid);
  add({5, 10, 15, 20, 100, 200, 250}, domain.values);
  return domain;
}

Domain Texts() {
  Domain domain;
  domain.type = DataType::Of(TypeId::kString);
  domain.rows = {"a", "ab", "b"};
  domain.grid = {"a", "ab", "b"};
  // Right after each of the grid, right before what follows all that begin with it, and beyond.
  domain.values = {"",    std::string("a\0", 2), "a",         std::string("ab\0", 3),
                   "ab",  "ab\xff\xff",          "ac",        "a\xff\xff",
                   "b",   std::string("b\0", 2), "b\xff\xff", "c",
                   "abc", "abc\xff\xff",         "abd"};
  return domain;
}

/// Bounds that no test asks for.
using MaybeBound = std::optional<ValueBound>;

std::vector<MaybeBound> BoundsOf(const Domain& domain) {
  std::vector<MaybeBound> bounds = {std::nullopt};
  for (const std::string& value : domain.grid) {
    bounds.push_back(ValueBound{value, true});
    bounds.push_back(ValueBound{value, false});
  }
  if (domain.nan) {
    bounds.push_back(ValueBound{*domain.nan, true});
    bounds.push_back(ValueBound{*domain.nan, false});
  }
  return bounds;
}

bool IsEmpty(const DataType& type, const MaybeBound& lower, const MaybeBound& upper) {
  if (lower && !lower->inclusive && IsNan(type, lower->value)) return true;
  if (!lower || !upper) return false;
  const int order = CompareValues(type, lower->value, upper->value);
  return order > 0 || (order == 0 && !(lower->inclusive && upper->inclusive));
}

void AddRanges(const Domain& domain, std::vector<ColumnFilter>& filters) {
  std::vector<ValueRange> ranges;
  for (const MaybeBound& lower : BoundsOf(domain)) {
    for (const MaybeBound& upper : BoundsOf(domain)) {
      if (!IsEmpty(domain.type, lower, upper)) ranges.push_back({lower, upper});
    }
  }
  for (const ValueRange& range : ranges) filters.push_back(RangesOf(domain.type, {range}));
  for (const ValueRange& first : ranges) {
    for (const ValueRange& second : ranges) {
      if (!first.upper || !second.lower) continue;
      const int order = CompareValues(domain.type, first.upper->value, second.lower->value);
      const bool touches = first.upper->inclusive || second.lower->inclusive;
      if (order > 0 || (order == 0 && touches)) continue;
      filters.push_back(RangesOf(domain.type, {first, second}));
    }
  }
}

void AddSets(const Domain& domain, std::vector<ColumnFilter>& filters) {
  std::vector<std::string> members = domain.grid;
  if (domain.nan) members.push_back(*domain.nan);
  for (uint32_t chosen = 1; chosen < 1U << members.size(); ++chosen) {
    std::vector<std::string> set;
    for (size_t i = 0; i < members.size(); ++i) {
      if ((chosen >> i & 1) != 0) set.push_back(members[i]);
    }
    filters.push_back(SetOf(domain.type, set, false));
    filters.push_back(SetOf(domain.type, set, true));
  }
}

/// Each filter, whether nulls pass or not.
std::vector<ColumnFilter> FiltersOf(const Domain& domain) {
  std::vector<ColumnFilter> filters = {FilterOf(domain.type, ColumnFilter::Kind::kNone),
                                       FilterOf(domain.type, ColumnFilter::Kind::kAll)};
  AddRanges(domain, filters);
  AddSets(domain, filters);
  if (domain.type.is_view()) {
    for (const char* prefix : {"", "a", "ab", "abc", "b"}) {
      for (const bool negated : {false, true}) {
        filters.push_back(PatternOf(domain.type, ColumnFilter::Kind::kPrefix, prefix, negated));
        filters.push_back(
            PatternOf(domain.type, ColumnFilter::Kind::kLike, std::string(prefix) + "%", negated));
      }
    }
  }
  const size_t count = filters.size();
  for (size_t i = 0; i < count; ++i) filters.push_back(OrNull(filters[i]));
  return filters;
}

/// Every multiset of one to `size` rows.
std::vector<std::vector<Row>> UnitsOf(const Domain& domain, size_t size) {
  std::vector<Row> kinds(domain.rows.begin(), domain.rows.end());
  kinds.push_back(std::nullopt);
  std::vector<std::vector<Row>> units;
  std::vector<std::pair<std::vector<Row>, size_t>> growing = {{{}, 0}};
  for (size_t i = 0; i < size; ++i) {
    std::vector<std::pair<std::vector<Row>, size_t>> grown;
    for (const auto& [rows, least] : growing) {
      for (size_t kind = least; kind < kinds.size(); ++kind) {
        grown.push_back({rows, kind});
        grown.back().first.push_back(kinds[kind]);
        units.push_back(grown.back().first);
      }
    }
    growing = std::move(grown);
  }
  return units;
}

/// The truth about the rows of a unit.
struct Facts {
  std::vector<std::string> values;  ///< Neither null nor NaN, ascending.
  int64_t nulls = 0;
  int64_t nans = 0;
  int64_t rows = 0;
};

Facts FactsOf(const Domain& domain, const std::vector<Row>& unit) {
  Facts facts;
  facts.rows = static_cast<int64_t>(unit.size());
  for (const Row& row : unit) {
    if (!row) {
      ++facts.nulls;
    } else if (IsNan(domain.type, *row)) {
      ++facts.nans;
    } else {
      facts.values.push_back(*row);
    }
  }
  std::sort(facts.values.begin(), facts.values.end(),
            [&](const std::string& a, const std::string& b) {
              return CompareValues(domain.type, a, b) < 0;
            });
  return facts;
}

/// Bounds of every degree of knowledge: none, tight, loose; loose ones are of the grid.
struct BoundChoice {
  std::optional<EvidenceBound> lower;
  std::optional<EvidenceBound> upper;
  bool cover_nan = false;
};

std::vector<BoundChoice> BoundChoices(const Domain& domain, const Facts& facts) {
  std::vector<BoundChoice> choices = {{}};
  if (domain.nan && facts.nans > 0) {
    // Bounds that cover NaN have it as their upper end, and as both where there is nothing else.
    const EvidenceBound nan{*domain.nan, Exactness::kExact};
    choices.push_back({std::nullopt, nan, true});
    if (facts.values.empty()) {
      choices.push_back({nan, nan, true});
    } else {
      choices.push_back({EvidenceBound{facts.values.front(), Exactness::kExact}, nan, true});
    }
  }
  if (facts.values.empty()) return choices;
  std::vector<std::optional<EvidenceBound>> lowers = {
      std::nullopt, EvidenceBound{facts.values.front(), Exactness::kExact}};
  std::vector<std::optional<EvidenceBound>> uppers = {
      std::nullopt, EvidenceBound{facts.values.back(), Exactness::kExact}};
  for (const std::string& value : domain.grid) {
    if (CompareValues(domain.type, value, facts.values.front()) < 0) {
      lowers.push_back(EvidenceBound{value, Exactness::kInexact});
    }
    if (CompareValues(domain.type, value, facts.values.back()) > 0) {
      uppers.push_back(EvidenceBound{value, Exactness::kUnknown});
    }
  }
  for (const auto& lower : lowers) {
    for (const auto& upper : uppers) {
      choices.push_back({lower, upper, false});
      if (domain.nan && facts.nans == 0) choices.push_back({lower, upper, true});
    }
  }
  return choices;
}

std::vector<Occurrence> NullChoices(const Facts& facts) {
  std::vector<Occurrence> choices = {
      Occurrence::Unknown(Reason::kNullCountUnknown),
      Occurrence::OfCount(facts.nulls, facts.rows, Reason::kNullCountMalformed)};
  if (facts.nulls > 0) choices.push_back({Share::kSome, std::nullopt, {}});
  return choices;
}

std::vector<Occurrence> NanChoices(const Domain& domain, const Facts& facts) {
  std::vector<Occurrence> choices = {Occurrence::Unknown(Reason::kNansPossible)};
  if (!domain.nan) return choices;
  choices.push_back(
      Occurrence::OfCount(facts.nans, facts.rows - facts.nulls, Reason::kNanCountMalformed));
  if (facts.nans > 0) choices.push_back({Share::kSome, std::nullopt, {}});
  return choices;
}

/// Everything that is known may be: absent, the values that occur, and more than these.
std::vector<std::shared_ptr<const Column>> DistinctChoices(const Domain& domain,
                                                           const Facts& facts) {
  std::vector<Row> values(facts.values.rbegin(), facts.values.rend());
  if (facts.nans > 0) values.push_back(domain.nan);
  std::vector<Row> more = values;
  more.push_back(domain.grid.front());
  return {nullptr, std::make_shared<const Column>(ColumnOf(domain.type, values)),
          std::make_shared<const Column>(ColumnOf(domain.type, more))};
}

std::vector<Evidence> EvidencesOf(const Domain& domain, const Facts& facts) {
  std::vector<Evidence> all;
  for (const BoundChoice& bounds : BoundChoices(domain, facts)) {
    for (const Occurrence& nulls : NullChoices(facts)) {
      for (const Occurrence& nans : NanChoices(domain, facts)) {
        for (const auto& distinct : DistinctChoices(domain, facts)) {
          Evidence evidence;
          evidence.type = std::make_shared<const DataType>(domain.type);
          evidence.nulls = nulls;
          evidence.nans = nans;
          evidence.lower = bounds.lower;
          evidence.upper = bounds.upper;
          evidence.bounds_cover_nan = bounds.cover_nan;
          evidence.distinct = distinct;
          if (nulls.count) evidence.row_count = facts.rows;
          all.push_back(std::move(evidence));
        }
      }
    }
  }
  return all;
}

/// What rows the evidence allows, each of them one row that may be there.
std::vector<Row> PossibleRows(const Domain& domain, const Evidence& evidence) {
  std::vector<Row> rows;
  if (evidence.nulls.share != Share::kNone) rows.push_back(std::nullopt);
  if (evidence.nulls.share == Share::kAll) return rows;
  const auto is_distinct = [&](const std::string& value) {
    if (!evidence.distinct) return true;
    for (int64_t i = 0; i < evidence.distinct->length; ++i) {
      if (CompareValues(domain.type, *ValueAt(*evidence.distinct, i).bytes, value) == 0)
        return true;
    }
    return false;
  };
  const auto is_between = [&](const std::string& value) {
    return (!evidence.lower || CompareValues(domain.type, evidence.lower->value, value) <= 0) &&
           (!evidence.upper || CompareValues(domain.type, evidence.upper->value, value) >= 0);
  };
  if (domain.nan && evidence.nans.share != Share::kNone && is_distinct(*domain.nan) &&
      (!evidence.bounds_cover_nan || is_between(*domain.nan))) {
    rows.push_back(*domain.nan);
  }
  if (evidence.nans.share == Share::kAll) return rows;
  for (const std::string& value : domain.values) {
    if (is_between(value) && is_distinct(value)) rows.push_back(value);
  }
  return rows;
}

bool RowPasses(const ColumnFilter& filter, const Row& row) {
  return row ? filter.Passes(*row) : filter.null_passes;
}

Outcome OutcomeFor(const ColumnFilter& filter, const std::vector<Row>& rows) {
  size_t passing = 0;
  for (const Row& row : rows) passing += RowPasses(filter, row) ? 1 : 0;
  if (passing == 0) return Outcome::kNone;
  return passing == rows.size() ? Outcome::kAll : Outcome::kSome;
}

void ExpectBestVerdicts(const Domain& domain, size_t unit_size) {
  const std::vector<ColumnFilter> filters = FiltersOf(domain);
  int64_t proven = 0;
  int64_t checked = 0;
  for (const std::vector<Row>& unit : UnitsOf(domain, unit_size)) {
    const Facts facts = FactsOf(domain, unit);
    for (const Evidence& evidence : EvidencesOf(domain, facts)) {
      const std::vector<Row> possible = PossibleRows(domain, evidence);
      for (const ColumnFilter& filter : filters) {
        const Verdict verdict = Evaluate(filter, evidence);
        const Outcome truth = OutcomeFor(filter, unit);
        ASSERT_TRUE(verdict.outcome == Outcome::kSome || verdict.outcome == truth)
            << filter.ToString() << ": " << OutcomeName(verdict.outcome) << " by "
            << ReasonName(verdict.reason);
        ASSERT_EQ(OutcomeName(verdict.outcome), OutcomeName(OutcomeFor(filter, possible)))
            << filter.ToString() << " by " << ReasonName(verdict.reason);
        proven += verdict.outcome != Outcome::kSome ? 1 : 0;
        ++checked;
      }
    }
  }
  EXPECT_GT(proven, checked / 4);
  testing::Test::RecordProperty("checked", static_cast<int>(checked));
}

TEST(EvaluateExhaustive, Reals) { ExpectBestVerdicts(Reals(), 2); }
TEST(EvaluateExhaustive, Integers) { ExpectBestVerdicts(Integers(), 3); }
TEST(EvaluateExhaustive, Texts) { ExpectBestVerdicts(Texts(), 3); }

}  // namespace
}  // namespace sluice
