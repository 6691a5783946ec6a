#include "format/parquet/bloom_membership.h"

#include <utility>

#include "format/model/widen.h"
#include "format/parquet/plain_value.h"

namespace sluice::inline v0::parquet {

bool HasHashedForm(const Leaf& leaf, const DataType& type) {
  if (!IsOrdered(type)) return false;
  const bool is_decimal = type.id == TypeId::kDecimal;
  switch (leaf.physical_type) {
    case PhysicalType::kBoolean:
    case PhysicalType::kInt96:
      return false;
    case PhysicalType::kByteArray:
      return !is_decimal;
    default:
      return true;
  }
}

BloomMembership::BloomMembership(BloomFilter filter, const Leaf& leaf, DataType type,
                                 std::shared_ptr<const DataType> read_as)
    : filter_(std::move(filter)),
      leaf_(leaf),
      type_(std::move(type)),
      read_as_(std::move(read_as)) {}

bool BloomMembership::MayContainStored(std::string_view value) const {
  const std::optional<std::string> plain = PlainValue(leaf_, type_, value);
  if (!plain) return true;
  const auto* bytes = reinterpret_cast<const uint8_t*>(plain->data());
  return filter_.MayContain(BloomHash({bytes, plain->size()}));
}

bool BloomMembership::MayContain(std::string_view value) const {
  const std::optional<std::string> stored = NarrowValue(type_, value, *read_as_);
  if (!stored) return true;
  std::string zero(stored->size(), '\0');
  if (!IsFloating(type_) || CompareValues(type_, *stored, zero) != 0) {
    return MayContainStored(*stored);
  }
  // Equal zeros hash differently (fault I9).
  if (MayContainStored(zero)) return true;
  zero.back() = '\x80';
  return MayContainStored(zero);
}

}  // namespace sluice::inline v0::parquet
