#include "engine/scan/opened_plan.h"

#include <atomic>
#include <chrono>
#include <utility>

#include "engine/scan/table_of_files.h"
#include "format/model/elapsed.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {

Result<OpenedPlan> OpenPlan(const std::vector<ScanFile>& files, ScanRequest request,
                            ScanOptions options) {
  if (!options.read.pool) options.read.pool = BufferPool::Make();
  auto abandoned = std::make_shared<std::atomic<bool>>(false);
  options.read.abandoned = abandoned.get();
  const auto begin = std::chrono::steady_clock::now();
  OpenedPlan opened;
  std::shared_ptr<const Schema> table = request.schema;
  if (!table) {
    SLUICE_TRY(table, TableOf(files, request, options, opened.open));
  }
  auto plan = MakeScanPlan(std::move(table), std::move(request), std::move(options));
  if (!plan) return files.size() == 1 ? plan.error().In(PlaceOf(files[0])) : plan.error();
  opened.plan = *std::move(plan);
  opened.open_nanoseconds = NanosecondsSince(begin);
  opened.plan->abandoned = std::move(abandoned);
  return opened;
}

}  // namespace sluice::inline v0::engine
