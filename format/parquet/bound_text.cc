#include <sluice/parquet/bound_text.h>
#include <sluice/value.h>

#include <optional>

#include "format/model/text/scalar_text.h"
#include "format/parquet/plain_value.h"

namespace sluice::inline v0::parquet {

std::string BoundText(const SchemaTree& tree, int32_t leaf_ordinal, std::string_view bound) {
  const Leaf& leaf = tree.leaves()[static_cast<size_t>(leaf_ordinal)];
  const DataType& type = tree.nodes()[static_cast<size_t>(leaf.node)].type;
  if (std::optional<std::string> value = DeliveredValue(leaf, type, bound)) {
    return Value{type, *std::move(value)}.ToString();
  }
  std::string text;
  text::AppendHexObject(bound, text);
  return text;
}

}  // namespace sluice::inline v0::parquet
