#include "engine/scan/counted_schema.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "format/model/try.h"

namespace sluice::inline v0::engine {

namespace {

struct CountedSchema {
  std::shared_ptr<const Schema> schema;
  Reservation memory;
};

int64_t BytesOf(const std::string& text) {
  static const size_t kInside = std::string().capacity();
  return text.capacity() > kInside ? static_cast<int64_t>(text.capacity()) + 1 : 0;
}

int64_t BytesOf(const std::vector<Field>& fields) {
  auto bytes = static_cast<int64_t>(fields.capacity() * sizeof(Field));
  for (const Field& field : fields) {
    bytes += BytesOf(field.name) + BytesOf(field.type.crs) + BytesOf(field.type.edge_algorithm) +
             BytesOf(field.type.children);
  }
  return bytes;
}

}  // namespace

Result<std::shared_ptr<const Schema>> CountSchema(std::shared_ptr<const Schema> schema,
                                                  BufferPool& pool) {
  SLUICE_TRY(Reservation memory, pool.Reserve(BytesOf(schema->fields)));
  const auto counted =
      std::make_shared<const CountedSchema>(CountedSchema{std::move(schema), std::move(memory)});
  return std::shared_ptr<const Schema>(counted, counted->schema.get());
}

}  // namespace sluice::inline v0::engine
