// Random expressions over random rows: the evaluator and what predicates are split into, against
// the oracle of tests/support/expression_oracle.h. Also law 6, text and back, and contract X-01.
//
// 10 000 cases by default and six times as many where SLUICE_LONG is set. A failure prints its
// seed; SLUICE_SEED runs that case alone.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sluice/evidence.h>
#include <sluice/expression.h>
#include <sluice/value.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "engine/bind/bind.h"
#include "engine/evaluate/evaluator.h"
#include "engine/split/split_predicate.h"
#include "format/model/evaluate.h"
#include "tests/support/expression_oracle.h"
#include "tests/support/random_expressions.h"

namespace sluice::support {
namespace {

using engine::BindOptions;
using engine::BoundExpression;
using engine::PredicateParts;
using Outcome = Verdict::Outcome;

/// What was there to check, so that a test of nothing does not pass.
struct Tally {
  int64_t bound = 0;
  int64_t refused = 0;
  int64_t values = 0;
  int64_t rows_true = 0;
  int64_t rows_null = 0;
  int64_t rows_error = 0;
  int64_t filters = 0;
  int64_t residuals = 0;
  int64_t proofs = 0;
  int64_t dropped_conjuncts = 0;
};

/// The rows of a case, and what the oracle says of each.
class Case {
 public:
  Case(uint64_t seed, Tally* tally) : random_(seed), tally_(tally) {}

  void Run() {
    schema_ = random_.MakeSchema();
    const auto depth = static_cast<int>(1 + random_.Below(5));
    is_predicate_ = random_.Chance(0.75);
    const Expression built =
        is_predicate_ ? random_.MakePredicate(schema_, depth) : random_.MakeValue(schema_, depth);
    sql_ = built.ToSql();
    const auto parsed = ParseExpression(sql_);
    ASSERT_TRUE(parsed) << parsed.error().message();
    expression_ = *parsed;
    ASSERT_TRUE(parsed->IsSameAs(built)) << parsed->ToSql();
    constexpr int32_t kZones[] = {0, 0, 7'200, -19'800, 3'661};
    zone_offset_ = kZones[random_.Below(5)];
    CheckBinding();
  }

  std::string Describe() const {
    std::string text = sql_ + "\n  over";
    for (const Field& field : schema_.fields) {
      text += fmt::format(" {} {},", Col(field.name).ToSql(), field.type.ToString());
    }
    return text + fmt::format(" zone {}", zone_offset_);
  }

 private:
  Result<BoundExpression> Bind(bool simplify) const {
    BindOptions options;
    options.zone_offset = zone_offset_;
    options.simplify = simplify;
    options.text = sql_;
    return is_predicate_ ? engine::BindPredicate(expression_, schema_, options)
                         : engine::Bind(expression_, schema_, options);
  }

  void CheckBinding() {
    const ExpressionOracle oracle(schema_, zone_offset_);
    const OracleRef node =
        is_predicate_ ? oracle.MakePredicate(expression_) : oracle.Make(expression_);
    const auto simple = Bind(true);
    const auto plain = Bind(false);
    for (const auto* bound : {&simple, &plain}) {
      ASSERT_EQ(bound->has_value(), node != nullptr)
          << (bound == &simple ? "simplified: " : "plain: ")
          << (*bound ? "bound, which makes no sense" : bound->error().message());
      if (node) {
        ASSERT_EQ((*bound)->type.ToString(), node->type.ToString());
        continue;
      }
      const std::string message = bound->error().message();
      ASSERT_TRUE(message.starts_with("line ")) << message;
      ASSERT_NE(message.find(", column "), std::string::npos) << message;
      ASSERT_NE(message.find('^'), std::string::npos) << message;
    }
    if (!node) {
      ++tally_->refused;
      return;
    }
    ++tally_->bound;
    MakeRows();
    for (const OracleRow& row : rows_) expected_.push_back(node->run(row));
    simple_ = std::make_shared<const BoundExpression>(*simple);
    plain_ = std::make_shared<const BoundExpression>(*plain);
    for (const auto& bound : {simple_, plain_}) {
      SCOPED_TRACE(bound == simple_ ? "simplified" : "plain");
      is_predicate_ ? CheckPredicate(bound) : CheckValues(bound);
      if (!::testing::Test::HasFailure() && is_predicate_) CheckParts(*bound);
    }
  }

  void MakeRows() {
    // Few different rows; at times so many that blocks end among them.
    constexpr int64_t kEdges[] = {1'023, 1'024, 1'025, 2'049};
    const int64_t distinct = 1 + random_.Below(25);
    const int64_t count = random_.Chance(0.04) ? kEdges[random_.Below(4)] : distinct;
    rows_.resize(static_cast<size_t>(count));
    std::vector<Column> columns;
    for (const Field& field : schema_.fields) {
      std::vector<Cell> cells = random_.MakeCells(field, distinct);
      const int64_t form = field.type.id == TypeId::kNull ? 0 : random_.Below(8);
      if (form == 1) cells.assign(cells.size(), cells[0]);
      while (static_cast<int64_t>(cells.size()) < count) {
        cells.push_back(cells[cells.size() - static_cast<size_t>(distinct)]);
      }
      for (size_t i = 0; i < rows_.size(); ++i) rows_[i].push_back(cells[i]);
      columns.push_back(form == 1   ? BuildConstantColumn(field.type, cells[0], count)
                        : form == 2 ? BuildDictionaryColumn(field.type, cells)
                                    : BuildColumn(field.type, cells));
    }
    batch_ = BuildBatch(schema_, std::move(columns));
  }

  std::string RowText(size_t row) const {
    std::string text = fmt::format("row {}:", row);
    for (size_t i = 0; i < rows_[row].size(); ++i) {
      const Cell& cell = rows_[row][i];
      const DataType& type = schema_.fields[i].type;
      const bool is_scalar = !type.is_nested() && !cell.is_null && type.id != TypeId::kInterval;
      text += " " + schema_.fields[i].name + "=" +
              (is_scalar ? OracleValueText(type, OracleValueOfBytes(type, cell.bytes))
                         : CellText(cell));
    }
    return text;
  }

  std::vector<uint64_t> MakeSelection() {
    std::vector<uint64_t> words(static_cast<size_t>(BitmapWords(batch_.num_rows)));
    for (uint64_t& word : words) {
      for (int bit = 0; bit < 64; ++bit) word |= uint64_t{random_.Chance(0.5)} << bit;
    }
    return words;
  }

  void CheckPredicate(const std::shared_ptr<const BoundExpression>& bound) {
    engine::Evaluator evaluator(bound);
    const auto all = evaluator.EvaluatePredicate(batch_, nullptr);
    ASSERT_TRUE(all) << all.error().ToString();
    bool any_error = false;
    for (size_t row = 0; row < rows_.size(); ++row) {
      const OracleValue& expected = expected_[row];
      const auto i = static_cast<int64_t>(row);
      const bool is_true = GetBit(all->trues.data(), i);
      const bool is_null = GetBit(all->nulls.data(), i);
      const bool is_error = GetBit(all->errors.data(), i);
      tally_->rows_true += expected.is_true();
      tally_->rows_null += expected.is_null();
      tally_->rows_error += expected.is_error();
      any_error |= expected.is_error();
      ASSERT_LE(is_true + is_null + is_error, 1);
      ASSERT_TRUE(is_true == expected.is_true() && is_null == expected.is_null() &&
                  is_error == expected.is_error())
          << (is_true    ? "TRUE"
              : is_null  ? "NULL"
              : is_error ? "ERROR " + all->first_error
                         : "FALSE")
          << " instead of " << OracleValueText(bound->type, expected) << " in " << RowText(row)
          << "\n  bound " << bound->ToString(schema_);
    }
    ASSERT_EQ(all->first_error.empty(), !any_error);
    const std::vector<uint64_t> selection = MakeSelection();
    const auto some = evaluator.EvaluatePredicate(batch_, selection.data());
    ASSERT_TRUE(some);
    for (size_t i = 0; i < all->trues.size(); ++i) {
      ASSERT_EQ(some->trues[i], all->trues[i] & selection[i]);
      ASSERT_EQ(some->nulls[i], all->nulls[i] & selection[i]);
      ASSERT_EQ(some->errors[i], all->errors[i] & selection[i]);
    }
  }

  void CheckValues(const std::shared_ptr<const BoundExpression>& bound) {
    engine::Evaluator evaluator(bound);
    const auto pool = BufferPool::Make();
    const bool is_bare = bound->op == engine::BoundOp::kColumn && bound->path.size() == 1;
    if (is_bare || bound->type.is_nested() || bound->type.id == TypeId::kInterval) return;
    const auto all = evaluator.EvaluateValues(batch_, nullptr, pool.get());
    ASSERT_TRUE(all) << all.error().ToString();
    ASSERT_TRUE(ValidateColumn(all->column).ok()) << ValidateColumn(all->column).ToString();
    const std::vector<uint64_t> selection = MakeSelection();
    const auto some = evaluator.EvaluateValues(batch_, selection.data(), pool.get());
    ASSERT_TRUE(some);
    for (size_t row = 0; row < rows_.size(); ++row) {
      const auto i = static_cast<int64_t>(row);
      OracleValue value;
      if (GetBit(all->errors.data(), i)) value = OracleValue::Error();
      const Value stored = ValueAt(all->column, i);
      if (!stored.is_null()) value = OracleValueOfBytes(bound->type, *stored.bytes);
      ++tally_->values;
      ASSERT_TRUE(IsSameOracleValue(bound->type, value, expected_[row]))
          << OracleValueText(bound->type, value) << " instead of "
          << OracleValueText(bound->type, expected_[row]) << " in " << RowText(row) << "\n  "
          << all->first_error << "\n  bound " << bound->ToString(schema_);
      const bool is_selected = GetBit(selection.data(), i);
      ASSERT_EQ(GetBit(some->errors.data(), i), is_selected && value.is_error());
      const Value kept = ValueAt(some->column, i);
      ASSERT_EQ(kept, is_selected ? stored : Value::Null(stored.type));
    }
  }

  Value ValueOf(const engine::ColumnPath& path, size_t row) const {
    const std::vector<Cell>* cells = &rows_[row];
    const std::vector<Field>* fields = &schema_.fields;
    const Cell* cell = nullptr;
    const DataType* type = nullptr;
    bool is_null = false;
    for (const int32_t ordinal : path) {
      type = &(*fields)[static_cast<size_t>(ordinal)].type;
      fields = &type->children;
      if (is_null) continue;
      cell = &(*cells)[static_cast<size_t>(ordinal)];
      cells = &cell->children;
      is_null = cell->is_null;
    }
    return is_null ? Value::Null(*type) : Value{*type, cell->bytes};
  }

  static Evidence EvidenceOf(const Value& value) {
    Evidence evidence;
    evidence.type = std::make_shared<const DataType>(value.type);
    evidence.source = EvidenceSource::kRowGroup;
    evidence.row_count = 1;
    evidence.nulls = value.is_null() ? Occurrence::All() : Occurrence::None();
    const bool is_nan = !value.is_null() && IsNan(value.type, *value.bytes);
    evidence.nans = is_nan ? Occurrence::All() : Occurrence::None();
    if (!value.is_null() && !is_nan && IsOrdered(value.type)) {
      evidence.lower = EvidenceBound{*value.bytes, EvidenceBound::Exactness::kExact};
      evidence.upper = evidence.lower;
    }
    return evidence;
  }

  /// The filters and the residual together are the predicate, and the tree proves nothing false.
  void CheckParts(const BoundExpression& bound) {
    const PredicateParts parts = engine::SplitPredicate(bound);
    tally_->filters += static_cast<int64_t>(parts.filters.size());
    const std::optional<BoundExpression> rest = engine::AllOf(parts.residual);
    tally_->residuals += rest.has_value();
    const engine::PredicateResult residual = rest ? ResultOf(*rest) : engine::PredicateResult();
    std::vector<engine::PredicateResult> conjuncts;
    for (const auto& conjunct : parts.residual) conjuncts.push_back(ResultOf(conjunct.expression));
    for (size_t row = 0; row < rows_.size(); ++row) {
      bool passes = true;
      for (const engine::LeafFilter& leaf : parts.filters) {
        const Value value = ValueOf(leaf.column, row);
        passes = passes &&
                 (value.is_null() ? leaf.filter.null_passes : leaf.filter.Passes(*value.bytes));
      }
      const auto i = static_cast<int64_t>(row);
      const bool is_true = passes && (!rest || GetBit(residual.trues.data(), i));
      const bool is_error = passes && rest && GetBit(residual.errors.data(), i);
      ASSERT_TRUE(is_true == expected_[row].is_true() && is_error == expected_[row].is_error())
          << PartsText(parts) << "\n  say "
          << (is_true    ? "TRUE"
              : is_error ? "ERROR"
                         : "no")
          << " of " << RowText(row);
      CheckTree(parts, row, conjuncts);
    }
  }

  engine::PredicateResult ResultOf(const BoundExpression& bound) {
    engine::Evaluator evaluator(std::make_shared<const BoundExpression>(bound));
    auto result = evaluator.EvaluatePredicate(batch_, nullptr);
    EXPECT_TRUE(result) << result.error().ToString();
    return result ? *std::move(result) : engine::PredicateResult();
  }

  /// `conjuncts`: what those of the residual say, each by itself.
  void CheckTree(const PredicateParts& parts, size_t row,
                 const std::vector<engine::PredicateResult>& conjuncts) {
    std::vector<Evidence> bounds;
    std::vector<Evidence> constants;
    for (const engine::ColumnPath& column : parts.columns) {
      bounds.push_back(EvidenceOf(ValueOf(column, row)));
      constants.push_back(Evidence::OfConstant(ValueOf(column, row)));
    }
    for (const std::vector<Evidence>* evidence : {&bounds, &constants}) {
      const Outcome outcome = Evaluate(parts.tree, *evidence).outcome;
      tally_->proofs += outcome != Outcome::kSome;
      const bool may_be_kept = expected_[row].is_true() || expected_[row].is_error();
      ASSERT_FALSE(outcome == Outcome::kNone && may_be_kept)
          << PartsText(parts) << " skips " << RowText(row);
      ASSERT_FALSE(outcome == Outcome::kAll && !expected_[row].is_true())
          << PartsText(parts) << " takes " << RowText(row);
      for (size_t i = 0; i < conjuncts.size(); ++i) {
        const bool is_all = Evaluate(parts.residual[i].tree, *evidence).outcome == Outcome::kAll;
        tally_->dropped_conjuncts += is_all;
        const bool is_true = GetBit(conjuncts[i].trues.data(), static_cast<int64_t>(row));
        ASSERT_TRUE(!is_all || is_true) << PartsText(parts) << " drops " << i << RowText(row);
      }
    }
  }

  std::string PartsText(const PredicateParts& parts) const {
    std::string text;
    for (const engine::LeafFilter& leaf : parts.filters) {
      text += BoundExpression::Column(leaf.column, {}).ToString(schema_) + " " +
              leaf.filter.ToString() + "; ";
    }
    const std::optional<BoundExpression> residual = engine::AllOf(parts.residual);
    return text + (residual ? residual->ToString(schema_) : "-");
  }

  RandomExpressions random_;
  Tally* tally_;
  Schema schema_;
  std::string sql_;
  Expression expression_;
  bool is_predicate_ = false;
  int32_t zone_offset_ = 0;
  std::vector<OracleRow> rows_;
  Batch batch_;
  std::vector<OracleValue> expected_;
  std::shared_ptr<const BoundExpression> simple_;
  std::shared_ptr<const BoundExpression> plain_;
};

TEST(Expression, IsWhatTheOracleSays) {
  const char* only = std::getenv("SLUICE_SEED");
  const char* is_long = std::getenv("SLUICE_LONG");
  constexpr uint64_t kCases = 10'000;
  const uint64_t first = only != nullptr ? std::strtoull(only, nullptr, 10) : 1;
  const uint64_t last = only != nullptr ? first : is_long != nullptr ? kCases * 6 : kCases;
  Tally tally;
  for (uint64_t seed = first; seed <= last; ++seed) {
    Case one(seed, &tally);
    one.Run();
    ASSERT_FALSE(HasFailure()) << "SLUICE_SEED=" << seed << " replays " << one.Describe();
  }
  const std::string counts = fmt::format(
      "{} bound, {} refused; {} values; rows: {} TRUE, {} NULL, {} ERROR; {} filters, {} "
      "residuals, {} proofs, {} conjuncts dropped",
      tally.bound, tally.refused, tally.values, tally.rows_true, tally.rows_null, tally.rows_error,
      tally.filters, tally.residuals, tally.proofs, tally.dropped_conjuncts);
  std::printf("%s\n", counts.c_str());
  if (only != nullptr) return;
  // Cases that all are of one kind would prove little.
  for (const int64_t count :
       {tally.refused, tally.values, tally.rows_true, tally.rows_null, tally.rows_error,
        tally.filters, tally.residuals, tally.proofs, tally.dropped_conjuncts}) {
    EXPECT_GT(count, 100) << counts;
  }
  EXPECT_GT(tally.bound * 2, static_cast<int64_t>(last)) << counts;
}

}  // namespace
}  // namespace sluice::support
