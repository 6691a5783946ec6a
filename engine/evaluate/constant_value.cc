#include "engine/evaluate/constant_value.h"

#include "engine/evaluate/node.h"
#include "engine/evaluate/value_column.h"

namespace sluice::inline v0::engine {

std::optional<std::optional<std::string>> ConstantValue(const BoundExpression& expression) {
  if (expression.type.is_nested()) return std::nullopt;
  ScratchLayout layout;
  const NodeRef node = MakeNode(expression, layout);
  constexpr size_t kAlignment = 64;
  const auto memory = std::make_unique<std::byte[]>(layout.size() + kAlignment);
  Block block;
  block.rows = 1;
  block.scratch =
      memory.get() + (kAlignment - reinterpret_cast<uintptr_t>(memory.get()) % kAlignment);
  RowBits active{};
  active[0] = 1;
  const Vector& value = node->Evaluate(block, active);
  if ((value.errors[0] & 1) != 0) return std::nullopt;
  return ValueBytes(value, 0, expression.type);
}

}  // namespace sluice::inline v0::engine
