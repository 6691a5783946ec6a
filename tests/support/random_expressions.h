#pragma once

// Random expressions over a schema, most of them with types that go together, and rows that break
// things.

#include <sluice/expression.h>
#include <sluice/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/cells.h"
#include "tests/support/random_columns.h"

namespace sluice::support {

/// Repeatable for one seed.
class RandomExpressions {
 public:
  explicit RandomExpressions(uint64_t seed) : columns_(seed) {}

  /// Columns of scalar types and of structs of them, some with names that need quotes.
  Schema MakeSchema();
  /// A cell for each of `count` rows. Texts read as values of other types at times, dates and times
  /// are mostly those of people's lives; letters beyond ASCII are those that OracleCase knows.
  std::vector<Cell> MakeCells(const Field& field, int64_t count);

  /// A predicate over the schema, at most `depth` operators deep.
  Expression MakePredicate(const Schema& schema, int depth);
  /// An expression of any type.
  Expression MakeValue(const Schema& schema, int depth);

  int64_t Below(int64_t below) { return columns_.Below(below); }
  bool Chance(double chance) { return columns_.Chance(chance); }

 private:
  /// What goes together.
  enum class Sort : uint8_t {
    kBoolean,
    kNumber,
    kText,
    kBinary,
    kUuid,
    kDate,
    kTimestamp,
    kInstant,
    kTime,
    kDuration,
    kInterval,
    kOther,
  };
  static Sort SortOf(const DataType& type);
  void CollectColumns(const std::vector<Field>& fields, const std::vector<std::string>& path);

  Expression Make(Sort sort, int depth);
  Expression Leaf(Sort sort);
  Expression Literal(Sort sort);
  Expression Column(Sort sort);
  Expression Boolean(int depth);
  Expression Comparison(int depth);
  Expression Test(Sort sort, int depth);
  Expression TextTest(int depth);
  Expression IsNanTest(int depth);
  Expression Number(int depth);
  Expression Text(int depth);
  Expression Time(Sort sort, int depth);
  /// CASE or COALESCE.
  Expression Branches(Sort sort, int depth);
  Expression CastTo(Sort sort, int depth);
  Sort AnySort();
  /// One whose values have an order, mostly.
  Sort OrderedSort();
  /// A number of days or a place in a text.
  Expression Count();

  std::string NumberText();
  std::string TimeText(Sort sort);
  std::string AnyText();
  std::string PatternText();
  std::string TextOf(Sort sort);
  DataType MakeType();
  Cell MakeCell(const DataType& type, double null_chance);
  std::string TimeBytes(const DataType& type);
  template <size_t n>
  std::string Pick(const std::string_view (&texts)[n]) {
    return std::string(texts[static_cast<size_t>(Below(n))]);
  }

  struct KnownColumn {
    Sort sort;
    bool is_floating;
    std::vector<std::string> path;
  };
  RandomColumns columns_;
  std::vector<KnownColumn> known_;
};

}  // namespace sluice::support
