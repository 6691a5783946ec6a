#pragma once

// Whether reading is to go on.

#include <sluice/parquet/reader.h>
#include <sluice/status.h>

namespace sluice::inline v0::parquet {

/// Errors: kCancelled.
inline Status CheckCancelled(const ReadOptions& options) {
  if (options.cancelled != nullptr && options.cancelled->load()) {
    return Status::Cancelled("reading was cancelled by the host");
  }
  if (options.abandoned != nullptr && options.abandoned->load()) {
    return Status::Cancelled("the scan does not want any more what is read for it");
  }
  return Status::Ok();
}

}  // namespace sluice::inline v0::parquet
