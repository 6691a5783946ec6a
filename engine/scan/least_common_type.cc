#include "engine/scan/least_common_type.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/bound/type_rules.h"
#include "format/model/widen.h"

namespace sluice::inline v0::engine {
namespace {

constexpr int32_t kMostDigits = 76;

bool IsEvery(std::span<const DataType> types, bool (*is_so)(const DataType&)) {
  return std::all_of(types.begin(), types.end(), is_so);
}
bool IsAny(std::span<const DataType> types, bool (*is_so)(const DataType&)) {
  return std::any_of(types.begin(), types.end(), is_so);
}

bool IsInteger(const DataType& type) { return TypeClassOf(type) == TypeClass::kInteger; }
bool IsDecimal(const DataType& type) { return type.id == TypeId::kDecimal; }

/// With the digits that the types need.
void AddDecimal(std::span<const DataType> types, std::vector<DataType>& candidates) {
  int32_t whole = 0;
  int32_t scale = 0;
  int32_t byte_width = 0;
  for (const DataType& type : types) {
    const DataType decimal = IsInteger(type) ? DecimalOfInteger(type) : type;
    whole = std::max(whole, decimal.precision - decimal.scale);
    scale = std::max(scale, decimal.scale);
    // Files may hold decimals in more bytes than their digits need, and use them.
    if (IsDecimal(type)) byte_width = std::max(byte_width, type.byte_width);
  }
  if (whole + scale > kMostDigits) return;
  DataType decimal = DecimalType(std::max(1, whole + scale), scale);
  decimal.byte_width = std::max(decimal.byte_width, byte_width);
  candidates.push_back(std::move(decimal));
}

/// Of the finest unit among the types, as `make` has it.
template <typename Make>
void AddFinest(std::span<const DataType> types, Make make, std::vector<DataType>& candidates) {
  TimeUnit unit = TimeUnit::kSeconds;
  bool utc_adjusted = false;
  for (const DataType& type : types) {
    if (type.id == TypeId::kDate) continue;
    unit = std::max(unit, type.id == TypeId::kInt96 ? TimeUnit::kNanoseconds : type.unit);
    utc_adjusted |= type.utc_adjusted;
  }
  candidates.push_back(make(unit, utc_adjusted));
}

/// Types that all may be widened to, narrow ones first.
std::vector<DataType> CandidatesFor(std::span<const DataType> types) {
  std::vector<DataType> candidates;
  if (IsEvery(types, [](const DataType& type) { return IsInteger(type) || IsDecimal(type); })) {
    for (const TypeId id : {TypeId::kInt8, TypeId::kUint8, TypeId::kInt16, TypeId::kUint16,
                            TypeId::kInt32, TypeId::kUint32, TypeId::kInt64, TypeId::kUint64}) {
      candidates.push_back(DataType::Of(id));
    }
    AddDecimal(types, candidates);
  } else if (IsAny(types, IsFloatingType)) {
    candidates = {DataType::Of(TypeId::kFloat16), DataType::Of(TypeId::kFloat), DoubleType()};
  } else if (IsAny(types, [](const DataType& type) { return type.is_view(); })) {
    candidates.push_back(StringType());
    if (IsAny(types,
              [](const DataType& type) { return TypeClassOf(type) == TypeClass::kBinary; })) {
      candidates[0] = DataType::Of(TypeId::kBinary);
    }
  } else if (IsAny(types, [](const DataType& type) { return type.id == TypeId::kTime; })) {
    AddFinest(types, DataType::Time, candidates);
  } else if (IsAny(types, [](const DataType& type) { return type.id == TypeId::kDuration; })) {
    AddFinest(
        types, [](TimeUnit unit, bool) { return DataType::Duration(unit); }, candidates);
  } else if (IsEvery(types, IsTimeLike)) {
    AddFinest(types, DataType::Timestamp, candidates);
  }
  return candidates;
}

}  // namespace

std::optional<DataType> LeastCommonType(std::span<const DataType> types) {
  if (types.empty()) return std::nullopt;
  const DataType& first = types.front();
  if (std::all_of(types.begin(), types.end(), [&](const DataType& t) { return t == first; })) {
    return first;
  }
  for (DataType& candidate : CandidatesFor(types)) {
    const bool holds_all = std::all_of(types.begin(), types.end(), [&](const DataType& type) {
      return CanWiden(type, candidate);
    });
    if (holds_all) return std::move(candidate);
  }
  return std::nullopt;
}

}  // namespace sluice::inline v0::engine
