#pragma once

// What the key-value pair "ARROW:schema" says beyond Parquet's own types. Two things of it count
// here: which 64-bit integers are durations, and whether a column was written from a dictionary. It
// is a hint: whatever is wrong with it, it is as good as absent.

#include <sluice/status.h>
#include <sluice/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/model/counted_memory.h"

namespace sluice::inline v0::parquet {

/// A field of the Arrow schema, with its children as ordinals in ArrowSchemaHint::fields.
struct ArrowFieldHint {
  enum class Shape : uint8_t { kOther, kDuration, kStruct, kList, kMap };
  std::string_view name;
  Shape shape = Shape::kOther;
  TimeUnit unit = TimeUnit::kMilliseconds;  ///< kDuration.
  bool is_dictionary = false;               ///< Dictionary-encoded; the shape is of its values.
  std::vector<int32_t> children;
};

struct ArrowSchemaHint {
  std::vector<uint8_t> message;  ///< What the names are views of.
  std::vector<ArrowFieldHint> fields;
  std::vector<int32_t> columns;  ///< Ordinals of the top-level fields.
};

/// Reads the value of "ARROW:schema": an encapsulated IPC message with a Schema, in base64. Nothing
/// when it is malformed in any way. What it takes is added to `memory`.
/// Errors: kResourceExhausted by `memory`.
/// Source: Arrow columnar format, "Encapsulated message format"; Schema.fbs, Message.fbs;
/// FlatBuffers internals, "Binary format".
Result<std::optional<ArrowSchemaHint>> ParseArrowSchema(std::string_view base64,
                                                        CountedMemory& memory);

}  // namespace sluice::inline v0::parquet
