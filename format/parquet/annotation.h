#pragma once

// What the annotations of a schema element mean: LogicalType where there is one, else the legacy
// ConvertedType, and neither where it is not legal for what it stands on.

#include <sluice/parquet/metadata.h>
#include <sluice/types.h>

namespace sluice::inline v0::parquet {

/// What a primitive element is delivered as. An annotation that its physical type cannot have, or
/// that is not known, counts as absent.
/// Source: parquet-format LogicalTypes.md.
DataType DeliveredType(const SchemaElement& element);

/// Whether that is all that the element says of itself: false where an annotation counts as absent,
/// which may have meant another order of the values.
bool IsDeliveredAsAnnotated(const SchemaElement& element);

enum class GroupAnnotation : uint8_t { kNone, kList, kMap, kVariant };

/// What a group is annotated as, whatever its children are.
GroupAnnotation AnnotationOfGroup(const SchemaElement& element);

}  // namespace sluice::inline v0::parquet
