#pragma once

#include <sluice/arrow.h>
#include <sluice/export.h>
#include <sluice/scan.h>
#include <sluice/status.h>

#include <memory>

namespace sluice::inline v0 {

/// Sets `out` to a stream of the scan's batches; lazy columns are loaded. The scan is nobody else's
/// from then on, and ends at the end of the stream, at an error, and at out->release.
/// Errors, threads and lifetime: of ExportStream (arrow.h).
SLUICE_EXPORT Status ExportScan(std::unique_ptr<Scan> scan, const ArrowExportOptions& options,
                                std::shared_ptr<BufferPool> pool, ArrowArrayStream* out);

}  // namespace sluice::inline v0
