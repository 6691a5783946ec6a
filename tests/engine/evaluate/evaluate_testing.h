#pragma once

// What the tests of evaluation share.

#include <gtest/gtest.h>
#include <sluice/expression.h>
#include <sluice/value.h>

#include <string>
#include <string_view>

#include "engine/bind/bind.h"
#include "engine/evaluate/evaluator.h"
#include "tests/support/cells.h"

namespace sluice::support {

inline std::shared_ptr<const engine::BoundExpression> BindText(
    std::string_view text, const Schema& schema, const engine::BindOptions& options = {}) {
  const auto parsed = ParseExpression(text);
  if (!parsed) {
    ADD_FAILURE() << parsed.error().message();
    return nullptr;
  }
  auto bound = engine::Bind(*parsed, schema, options);
  if (!bound) {
    ADD_FAILURE() << bound.error().message();
    return nullptr;
  }
  return std::make_shared<const engine::BoundExpression>(*std::move(bound));
}

/// F, N, E or T for each row.
inline std::string TruthText(const engine::PredicateResult& result, int64_t rows) {
  std::string text;
  for (int64_t i = 0; i < rows; ++i) {
    const bool is_true = GetBit(result.trues.data(), i);
    const bool is_null = GetBit(result.nulls.data(), i);
    const bool is_error = GetBit(result.errors.data(), i);
    EXPECT_LE(is_true + is_null + is_error, 1);
    text += is_true ? 'T' : is_null ? 'N' : is_error ? 'E' : 'F';
  }
  return text;
}

/// The outcome of a predicate for each row of a batch, as TruthText.
inline std::string Truths(std::string_view text, const Batch& batch,
                          const engine::BindOptions& options = {}) {
  engine::Evaluator evaluator(BindText(text, *batch.schema, options));
  const auto result = evaluator.EvaluatePredicate(batch, nullptr);
  EXPECT_TRUE(result.has_value()) << result.status().ToString();
  return result ? TruthText(*result, batch.num_rows) : "";
}

/// The value of an expression without columns, as canonical text, or its error behind "ERROR: ".
inline std::string ValueOf(std::string_view text, const engine::BindOptions& options = {}) {
  const auto bound = BindText(text, {}, options);
  if (!bound) return "";
  Batch batch;
  batch.num_rows = 1;
  const auto pool = BufferPool::Make();
  engine::Evaluator evaluator(bound);
  const auto result = evaluator.EvaluateValues(batch, nullptr, pool.get());
  if (!result) return result.error().ToString();
  if (result->first_error_row >= 0) return "ERROR: " + result->first_error;
  EXPECT_TRUE(ValidateColumn(result->column).ok());
  return ValueAt(result->column, 0).ToString();
}

}  // namespace sluice::support
