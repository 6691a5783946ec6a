#pragma once

#include <sluice/status.h>
#include <sluice/types.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace sluice::inline v0::engine {

/// The schema of several files that are read as one table.
///
/// Columns, and fields of structs, are the same where their names are, exactly. They are in the
/// order in which they first appear, and all else of the result is the same whatever the order of
/// the files: types are the narrowest that hold those of all files exactly (least_common_type.h),
/// and of lists, maps and structs part by part; a field allows nulls where one file's does, lacks
/// it, or has only nulls there; it keeps its id where all have the same. Elements, keys and values
/// of several names are called "element", "key" and "value". Variants have to be the same.
///
/// Siblings may share a name only where all files have the same ones.
///
/// `place(i)` says for messages where schema i is from. Errors: kUnsupported, naming the column and
/// two places that do not agree, or the one with the name that is shared.
Result<Schema> UniteSchemas(std::span<const std::shared_ptr<const Schema>> schemas,
                            const std::function<std::string(size_t)>& place);

}  // namespace sluice::inline v0::engine
