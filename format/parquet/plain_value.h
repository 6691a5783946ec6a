#pragma once

// Single values between the form in which a file has them and the form in which columns have them:
// for bounds, and for what bloom filters hash.

#include <sluice/parquet/schema_tree.h>
#include <sluice/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace sluice::inline v0::parquet {

/// The PLAIN bytes of a value, without length prefix, as Value::bytes of the leaf's delivered type.
/// Nothing where they are no value of it: another width, or a number outside of its range.
std::optional<std::string> DeliveredValue(const Leaf& leaf, const DataType& type,
                                          std::string_view plain);

/// The reverse. Nothing where the leaf cannot hold the value, and where the file may have it in
/// several forms: decimals in BYTE_ARRAY, INT96, booleans.
std::optional<std::string> PlainValue(const Leaf& leaf, const DataType& type,
                                      std::string_view value);

}  // namespace sluice::inline v0::parquet
