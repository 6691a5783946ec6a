#include <sluice/scan_stream.h>

#include <optional>
#include <utility>

#include "format/model/try.h"

namespace sluice::inline v0 {

Status ExportScan(std::unique_ptr<Scan> scan, const ArrowExportOptions& options,
                  std::shared_ptr<BufferPool> pool, ArrowArrayStream* out) {
  const std::shared_ptr<Scan> shared = std::move(scan);
  BatchSource next = [shared]() -> Result<std::optional<Batch>> {
    SLUICE_TRY(auto batch, shared->Next());
    if (!batch) return std::optional<Batch>();
    for (size_t i = 0; i < batch->batch.columns.size(); ++i) {
      SLUICE_RETURN_IF_ERROR(shared->Load(*batch, i));
    }
    return std::optional<Batch>(std::move(batch->batch));
  };
  return ExportStream(shared->schema(), std::move(next), options, std::move(pool), out);
}

}  // namespace sluice::inline v0
