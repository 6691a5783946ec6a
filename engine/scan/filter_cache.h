#pragma once

#include <sluice/buffer.h>
#include <sluice/filter.h>
#include <sluice/parquet/reader.h>
#include <sluice/status.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace sluice::inline v0::engine {

/// Whether two filters ask the same in the same form.
bool AreSame(const ColumnFilter& a, const ColumnFilter& b);

/// The filters of a scan, each made ready to run when it is first asked for, and then for all row
/// groups that run it, of one file or of several whose columns have the same type.
///
/// Threads: thread-safe.
class FilterCache {
 public:
  /// What filters take counts in `pool`.
  explicit FilterCache(std::shared_ptr<BufferPool> pool) : pool_(std::move(pool)) {}

  /// Errors: those of parquet::CompileFilter.
  Result<std::shared_ptr<const CompiledFilter>> Get(const ColumnFilter& filter);

  /// How many are kept.
  size_t size() const;

 private:
  struct Entry {
    ColumnFilter filter;
    std::shared_ptr<const CompiledFilter> compiled;
  };

  std::shared_ptr<BufferPool> pool_;
  mutable std::mutex mutex_;
  std::deque<Entry> entries_;  ///< The oldest in front.
};

}  // namespace sluice::inline v0::engine
