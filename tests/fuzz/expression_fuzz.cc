// Expressions: | options | text |. What parses is printed and parses again as the same; what binds
// to a schema of all types, simplified and not, has the same outcome for every row of a batch.

#include <sluice/expression.h>
#include <sluice/value.h>

#include "engine/bind/bind.h"
#include "engine/evaluate/evaluator.h"
#include "engine/split/split_predicate.h"
#include "tests/engine/bind/bind_testing.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/random_columns.h"

namespace sluice::support {
namespace {

/// A few rows of values that break things.
const Batch& Rows() {
  static const Batch kBatch = [] {
    constexpr int64_t kRows = 5;
    RandomColumns random(4);
    const Schema schema = TypesSchema();
    std::vector<Column> columns;
    for (const Field& field : schema.fields) {
      columns.push_back(BuildColumn(field.type, random.Cells(field, kRows, 0.2)));
    }
    return BuildBatch(schema, std::move(columns));
  }();
  return kBatch;
}

Result<engine::BoundExpression> BindTo(const Expression& expression, uint8_t choices, bool simplify,
                                       std::string_view text) {
  constexpr int32_t kZones[] = {0, 7'200, -19'800, 86'399};
  engine::BindOptions options;
  options.ignore_case = (choices & 1) != 0;
  options.zone_offset = kZones[choices >> 1 & 3];
  options.simplify = simplify;
  options.text = text;
  auto bound = engine::Bind(expression, *Rows().schema, options);
  if (!bound) {
    FuzzCheck(bound.error().code() == StatusCode::kInvalidArgument, "the code of a mistake");
    FuzzCheck(bound.error().message().starts_with("line "), "the place of a mistake");
  }
  return bound;
}

/// The outcome for each row as text.
std::string Outcome(const engine::BoundExpression& bound) {
  engine::Evaluator evaluator(std::make_shared<const engine::BoundExpression>(bound));
  const auto pool = BufferPool::Make();
  const auto result = evaluator.EvaluateValues(Rows(), nullptr, pool.get());
  if (!result) {
    FuzzCheck(result.error().code() == StatusCode::kUnsupported, "values");
    return {};
  }
  FuzzCheck(ValidateColumn(result->column).ok(), "a column of values");
  FuzzCheck((result->first_error_row < 0) == result->first_error.empty(), "the text of an error");
  std::string text = bound.type.ToString();
  for (int64_t i = 0; i < Rows().num_rows && !bound.type.is_nested(); ++i) {
    const Value value = ValueAt(result->column, i);
    const bool is_nan = !value.is_null() && IsNan(value.type, *value.bytes);
    text += GetBit(result->errors.data(), i) ? " ERROR" : " " + (is_nan ? "NaN" : value.ToString());
  }
  return text;
}

void Check(std::string_view text, uint8_t choices) {
  const auto parsed = ParseExpression(text);
  if (!parsed) {
    FuzzCheck(parsed.error().code() == StatusCode::kInvalidArgument, "the code of a mistake");
    FuzzCheck(parsed.error().message().starts_with("line "), "the place of a mistake");
    return;
  }
  const std::string sql = parsed->ToSql();
  const auto again = ParseExpression(sql);
  FuzzCheck(again.has_value() && again->IsSameAs(*parsed), "another expression: " + sql);
  const auto simple = BindTo(*parsed, choices, true, text);
  const auto plain = BindTo(*parsed, choices, false, text);
  FuzzCheck(simple.has_value() == plain.has_value(), "binding depends on what is simplified");
  if (!simple) return;
  const std::string outcome = Outcome(*simple);
  const std::string other = Outcome(*plain);
  // Of intervals and nested types only columns have values, which others may be simplified to.
  FuzzCheck(outcome.empty() || other.empty() || outcome == other,
            "two outcomes: " + outcome + other);
  if (simple->type.id != TypeId::kBoolean) return;
  for (const auto* bound : {&*simple, &*plain}) {
    const engine::PredicateParts parts = engine::SplitPredicate(*bound);
    if (const auto residual = engine::AllOf(parts.residual)) Outcome(*residual);
  }
}

}  // namespace
}  // namespace sluice::support

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  sluice::support::FuzzInput in(data, size);
  const uint8_t choices = in.Byte();
  const auto rest = in.rest();
  sluice::support::Check({reinterpret_cast<const char*>(rest.data()), rest.size()}, choices);
  return 0;
}
