#include "format/parquet/leaf_bounds.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "format/parquet/annotation.h"
#include "format/parquet/arrow_schema_hint.h"
#include "format/parquet/plain_value.h"

namespace sluice::inline v0::parquet {
namespace {

using Exactness = EvidenceBound::Exactness;

/// Longer ones are not worth copying (fault M7).
constexpr size_t kMaxBoundBytes = 64 << 10;

bool IsBinary(PhysicalType type) {
  return type == PhysicalType::kByteArray || type == PhysicalType::kFixedLenByteArray;
}

/// Whether the order of the delivered type is that of its PLAIN bytes as a signed number, which is
/// the only one that deprecated bounds may have, and the only one that comes to mind where a file
/// names none.
bool HasSignedOrder(const Leaf& leaf, const DataType& type) {
  switch (type.id) {
    case TypeId::kBoolean:
    case TypeId::kInt8:
    case TypeId::kInt16:
    case TypeId::kInt32:
    case TypeId::kInt64:
    case TypeId::kFloat:
    case TypeId::kDouble:
    case TypeId::kDate:
    case TypeId::kTime:
    case TypeId::kTimestamp:
    case TypeId::kDuration:
      return true;
    case TypeId::kDecimal:
      return !IsBinary(leaf.physical_type);
    default:
      return false;
  }
}

/// False only where the Arrow schema is there and has no dictionary.
bool MayHaveDictionaries(const FileMetadata& metadata) {
  for (const KeyValue& entry : metadata.key_value_metadata) {
    if (entry.key != "ARROW:schema" || !entry.value) continue;
    CountedMemory passing;
    const auto parsed = ParseArrowSchema(*entry.value, passing);
    if (!parsed || !*parsed) return true;
    const ArrowSchemaHint& hint = **parsed;
    return std::any_of(hint.fields.begin(), hint.fields.end(),
                       [](const ArrowFieldHint& field) { return field.is_dictionary; });
  }
  return true;
}

/// Bounds of INT96 are ordered by day first. Where nanoseconds lie outside of their day, as some
/// writers have them before 1970, that is not the order of instants: within a day on either side
/// of it the bounds are made to hold all the same.
void LoosenInt96(Evidence& evidence) {
  constexpr int64_t kNanosecondsOfDay = 86'400'000'000'000;
  const DataType& type = *evidence.type;
  const auto loosen = [&](std::optional<EvidenceBound>& bound, int64_t nanoseconds, int direction) {
    if (!bound) return;
    const std::string end = *Value::Of(type, nanoseconds).bytes + bound->value.substr(8);
    if (CompareValues(type, end, bound->value) * direction > 0) bound->value = end;
    bound->exactness = Exactness::kUnknown;
  };
  loosen(evidence.lower, 0, -1);
  loosen(evidence.upper, kNanosecondsOfDay, 1);
}

using BoundOrReason = std::variant<std::string, Reason>;

BoundOrReason ReadBound(const Leaf& leaf, const DataType& type,
                        const std::optional<std::string_view>& claim) {
  if (!claim) return Reason::kBoundMissing;
  if (claim->size() > kMaxBoundBytes) return Reason::kBoundTooLong;
  std::optional<std::string> value = DeliveredValue(leaf, type, *claim);
  if (!value) return Reason::kBoundMalformed;
  return *std::move(value);
}

/// Takes a bound where there is one, or why there is none.
void Take(BoundOrReason bound, Exactness exactness, std::optional<EvidenceBound>& side,
          Reason& missing) {
  if (const Reason* reason = std::get_if<Reason>(&bound)) {
    missing = *reason;
  } else {
    side = EvidenceBound{std::get<std::string>(std::move(bound)), exactness};
  }
}

}  // namespace

LeafBounds::LeafBounds(const FileMetadata& metadata, const SchemaTree& tree, int32_t leaf)
    : leaf_(tree.leaves()[static_cast<size_t>(leaf)]),
      has_orders_(!metadata.column_orders.empty()),
      quirks_(QuirksOf(metadata.created_by)),
      calendar_(LegacyCalendar::Of(metadata)) {
  const SchemaNode& node = tree.nodes()[static_cast<size_t>(leaf_.node)];
  type_ = node.type;
  is_as_annotated_ = IsDeliveredAsAnnotated(metadata.schema[static_cast<size_t>(node.element)]);
  if (has_orders_) order_ = metadata.column_orders[static_cast<size_t>(leaf)];
  is_from_dictionary_ = quirks_.wrong_dictionary_bounds &&
                        leaf_.physical_type == PhysicalType::kByteArray &&
                        MayHaveDictionaries(metadata);
}

bool LeafBounds::HasKnownOrder(bool is_deprecated) const {
  if (leaf_.physical_type == PhysicalType::kInt96) {
    return !is_deprecated && order_ == ColumnOrder::kInt96Timestamp;
  }
  if (is_deprecated) return HasSignedOrder(leaf_, type_);
  switch (order_) {
    case ColumnOrder::kTypeDefined:
      return is_as_annotated_;
    case ColumnOrder::kIeee754Total:
      return IsFloating(type_);
    case ColumnOrder::kInt96Timestamp:
      return false;
    case ColumnOrder::kUndefined:
      break;
  }
  return !has_orders_ && is_as_annotated_ && HasSignedOrder(leaf_, type_);
}

std::optional<Reason> LeafBounds::WhyUnusable(const BoundClaims& claims) const {
  if (!IsOrdered(type_)) return Reason::kOrderUnknown;
  const bool is_byte_array = leaf_.physical_type == PhysicalType::kByteArray;
  const bool is_binary = IsBinary(leaf_.physical_type);
  const bool is_decimal = type_.id == TypeId::kDecimal;
  if (quirks_.wrong_bounds || (quirks_.wrong_byte_array_bounds && is_byte_array) ||
      is_from_dictionary_ || (quirks_.wrong_decimal_bounds && is_decimal && is_binary) ||
      (quirks_.wrong_byte_array_decimal_bounds && is_decimal && is_byte_array) ||
      (quirks_.wrong_binary_statistics && is_binary && claims.is_deprecated)) {
    return Reason::kWriterDistrusted;
  }
  // Equal bounds are of one value, whatever their order (fault S7).
  const bool is_one_value = claims.min && claims.max && *claims.min == *claims.max &&
                            leaf_.physical_type != PhysicalType::kInt96;
  if (!is_one_value && !HasKnownOrder(claims.is_deprecated)) return Reason::kOrderUnknown;
  return std::nullopt;
}

void LeafBounds::Set(const BoundClaims& claims, Evidence& evidence) const {
  if (!claims.min && !claims.max) return evidence.DropBounds(Reason::kBoundMissing);
  if (const auto reason = WhyUnusable(claims)) return evidence.DropBounds(*reason);
  std::optional<EvidenceBound>& lower = evidence.lower;
  std::optional<EvidenceBound>& upper = evidence.upper;
  Take(ReadBound(leaf_, type_, claims.min), claims.min_exactness, lower, evidence.lower_missing);
  Take(ReadBound(leaf_, type_, claims.max), claims.max_exactness, upper, evidence.upper_missing);
  // Writers that leave a long bound out where there must be one write nothing in its place, which
  // is a lower bound of all, and an upper bound of none.
  if (upper && upper->value.empty() && upper->exactness != Exactness::kExact) {
    upper.reset();
    evidence.upper_missing = Reason::kBoundMissing;
  }
  const auto is_nan = [&](const std::optional<EvidenceBound>& bound) {
    return bound && IsNan(type_, bound->value);
  };
  if (is_nan(lower) || is_nan(upper)) return evidence.DropBounds(Reason::kBoundIsNan);
  if (leaf_.physical_type == PhysicalType::kInt96) LoosenInt96(evidence);
  if (lower && upper && CompareValues(type_, lower->value, upper->value) > 0) {
    return evidence.DropBounds(Reason::kBoundsReversed);
  }
  if (calendar_.Concerns(type_) && !IsOfOneCalendar(evidence)) {
    evidence.DropBounds(Reason::kLegacyCalendar);
  }
}

bool LeafBounds::IsOfOneCalendar(const Evidence& evidence) const {
  if (!evidence.lower) return false;
  const std::optional<std::string> least = evidence.lower->value;
  return calendar_.Check(ColumnOf(type_, {&least, 1})).ok();
}

}  // namespace sluice::inline v0::parquet
