#pragma once

// What the tests of binding share: a schema of one column a type, and outcomes as text.

#include <sluice/expression.h>
#include <sluice/types.h>

#include <string>
#include <string_view>

#include "engine/bind/bind.h"

namespace sluice::support {

/// A column of each type that expressions know, under a short name.
inline Schema TypesSchema() {
  const auto of = [](TypeId id) { return DataType::Of(id); };
  const DataType inner =
      DataType::Struct({{"x", of(TypeId::kInt32), true, {}}, {"Y", of(TypeId::kString), true, {}}});
  return {{
      {"flag", of(TypeId::kBoolean), true, {}},
      {"i8", of(TypeId::kInt8), true, {}},
      {"i16", of(TypeId::kInt16), true, {}},
      {"i32", of(TypeId::kInt32), true, {}},
      {"i64", of(TypeId::kInt64), true, {}},
      {"u8", of(TypeId::kUint8), true, {}},
      {"u32", of(TypeId::kUint32), true, {}},
      {"u64", of(TypeId::kUint64), true, {}},
      {"f16", of(TypeId::kFloat16), true, {}},
      {"f32", of(TypeId::kFloat), true, {}},
      {"f64", of(TypeId::kDouble), true, {}},
      {"d92", DataType::Decimal(9, 2, 4), true, {}},
      {"d384", DataType::Decimal(38, 4, 16), true, {}},
      {"d760", DataType::Decimal(76, 0, 32), true, {}},
      {"date", of(TypeId::kDate), true, {}},
      {"t_ms", DataType::Time(TimeUnit::kMilliseconds, false), true, {}},
      {"t_us", DataType::Time(TimeUnit::kMicroseconds, true), true, {}},
      {"ts_ms", DataType::Timestamp(TimeUnit::kMilliseconds, false), true, {}},
      {"ts_us", DataType::Timestamp(TimeUnit::kMicroseconds, false), true, {}},
      {"ts_ns", DataType::Timestamp(TimeUnit::kNanoseconds, false), true, {}},
      {"utc_us", DataType::Timestamp(TimeUnit::kMicroseconds, true), true, {}},
      {"i96", of(TypeId::kInt96), true, {}},
      {"dur", DataType::Duration(TimeUnit::kMilliseconds), true, {}},
      {"ivl", of(TypeId::kInterval), true, {}},
      {"s", of(TypeId::kString), true, {}},
      {"js", of(TypeId::kJson), true, {}},
      {"b", of(TypeId::kBinary), true, {}},
      {"fix3", DataType::FixedBinary(3), true, {}},
      {"id", of(TypeId::kUuid), true, {}},
      {"geo", of(TypeId::kGeometry), true, {}},
      {"nothing", of(TypeId::kNull), true, {}},
      {"rec",
       DataType::Struct({{"inner", inner, true, {}}, {"n", of(TypeId::kInt8), true, {}}}),
       true,
       {}},
      {"list", DataType::List({"element", of(TypeId::kInt32), true, {}}), true, {}},
  }};
}

/// The bound expression as text, or its error.
inline std::string Bound(std::string_view text, const Schema& schema,
                         engine::BindOptions options = {}) {
  const auto parsed = ParseExpression(text);
  if (!parsed) return parsed.error().message();
  const auto bound = engine::Bind(*parsed, schema, options);
  return bound ? bound->ToString(schema) : bound.error().message();
}
inline std::string Bound(std::string_view text) { return Bound(text, TypesSchema()); }

/// The type of the bound expression, or its error.
inline std::string TypeOf(std::string_view text) {
  const auto parsed = ParseExpression(text);
  if (!parsed) return parsed.error().message();
  const auto bound = engine::Bind(*parsed, TypesSchema(), {});
  return bound ? bound->type.ToString() : bound.error().message();
}

}  // namespace sluice::support
