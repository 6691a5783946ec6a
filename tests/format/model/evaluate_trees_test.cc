#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "format/model/evaluate.h"
#include "tests/format/model/filters.h"

namespace sluice {
namespace {

using Outcome = Verdict::Outcome;
using Row = std::optional<std::string>;

bool RowPasses(const ColumnFilter& filter, const Row& row) {
  return row ? filter.Passes(*row) : filter.null_passes;
}

/// Two columns, and trees of two or three leaves over them. An expression without filter form is
/// taken to have any outcome, also an error.
enum class Truth { kFalse, kNull, kError, kTrue };

Truth TruthOf(const FilterNode& node, const std::vector<Row>& row, Truth unknown) {
  const auto either = [](bool is_true) { return is_true ? Truth::kTrue : Truth::kNull; };
  // FALSE < NULL < ERROR < TRUE for AND, FALSE < ERROR < NULL < TRUE for OR.
  const auto or_rank = [](Truth truth) {
    return truth == Truth::kError ? 1 : truth == Truth::kNull ? 2 : static_cast<int>(truth);
  };
  switch (node.kind) {
    case FilterNode::Kind::kTrue:
      return Truth::kTrue;
    case FilterNode::Kind::kNotTrue:
      return Truth::kNull;
    case FilterNode::Kind::kUnknown:
      return unknown;
    case FilterNode::Kind::kColumn:
      return either(RowPasses(node.filter, row[static_cast<size_t>(node.column)]));
    case FilterNode::Kind::kAnd:
    case FilterNode::Kind::kOr:
      break;
  }
  const bool is_and = node.kind == FilterNode::Kind::kAnd;
  Truth result = is_and ? Truth::kTrue : Truth::kFalse;
  for (const FilterNode& child : node.children) {
    const Truth truth = TruthOf(child, row, unknown);
    const bool replaces = is_and ? truth < result : or_rank(truth) > or_rank(result);
    if (replaces) result = truth;
  }
  return result;
}

std::vector<FilterNode> TreesOf(const std::vector<FilterNode>& leaves) {
  std::vector<FilterNode> trees;
  for (const FilterNode& a : leaves) {
    for (const FilterNode& b : leaves) {
      trees.push_back(And({a, b}));
      trees.push_back(Or({a, b}));
      for (const FilterNode& c : leaves) {
        trees.push_back(And({a, Or({b, c})}));
        trees.push_back(Or({a, And({b, c})}));
      }
    }
  }
  return trees;
}

TEST(EvaluateTrees, AreNeverWrong) {
  const DataType type = DataType::Of(TypeId::kDouble);
  std::vector<FilterNode> leaves = {Node(FilterNode::Kind::kTrue), Node(FilterNode::Kind::kNotTrue),
                                    Node(FilterNode::Kind::kUnknown)};
  for (const int32_t column : {0, 1}) {
    leaves.push_back(Leaf(column, Greater(type, BytesOf(0.0))));
    leaves.push_back(Leaf(column, NotEqual(type, BytesOf(1.0))));
    leaves.push_back(Leaf(column, IsNull()));
  }
  const std::vector<FilterNode> trees = TreesOf(leaves);
  const std::vector<Row> kinds = {BytesOf(-1.0), BytesOf(1.0), BytesOf(std::nan("")), std::nullopt};
  int64_t none = 0;
  int64_t all = 0;
  for (const Row& first : kinds) {
    for (const Row& second : kinds) {
      // One row, of which the first column may be known and the second is.
      for (const bool is_known : {false, true}) {
        std::vector<Evidence> evidence = {Evidence(), Evidence::OfConstant({type, second})};
        if (is_known) evidence[0] = Evidence::OfConstant({type, first});
        for (const FilterNode& tree : trees) {
          const Outcome outcome = Evaluate(tree, evidence).outcome;
          none += outcome == Outcome::kNone ? 1 : 0;
          all += outcome == Outcome::kAll ? 1 : 0;
          for (const Truth unknown : {Truth::kFalse, Truth::kNull, Truth::kError, Truth::kTrue}) {
            const Truth truth = TruthOf(tree, {first, second}, unknown);
            ASSERT_FALSE(outcome == Outcome::kAll && truth != Truth::kTrue);
            ASSERT_FALSE(outcome == Outcome::kNone &&
                         (truth == Truth::kTrue || truth == Truth::kError));
          }
        }
      }
    }
  }
  EXPECT_GT(none, 1000);
  EXPECT_GT(all, 1000);
}

}  // namespace
}  // namespace sluice
