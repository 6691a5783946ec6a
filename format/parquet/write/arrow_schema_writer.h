#pragma once

// The key-value pair "ARROW:schema", which tells what Parquet has no type for: of ours, durations.

#include <sluice/types.h>

#include <optional>
#include <string>

namespace sluice::inline v0::parquet {

/// The value of "ARROW:schema" for a schema that holds a duration: an encapsulated IPC message with
/// the whole schema, in base64. Nothing where there is no duration, or where the schema is nested
/// deeper than FlatBuffers' readers accept: durations are then read as the integers that they are
/// stored as.
/// Source: Arrow columnar format, "Encapsulated message format"; Schema.fbs, Message.fbs.
std::optional<std::string> ArrowSchemaValue(const Schema& schema);

}  // namespace sluice::inline v0::parquet
