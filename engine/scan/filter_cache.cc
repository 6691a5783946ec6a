#include "engine/scan/filter_cache.h"

#include <algorithm>

namespace sluice::inline v0::engine {

namespace {

/// Filters differ from file to file only where types or constants do.
constexpr size_t kMostFilters = 64;

}  // namespace

bool AreSame(const ColumnFilter& a, const ColumnFilter& b) {
  return a.kind == b.kind && a.negated == b.negated && a.null_passes == b.null_passes &&
         a.type == b.type && a.ranges == b.ranges && a.pattern == b.pattern &&
         (a.set == b.set || (a.set && b.set && *a.set == *b.set));
}

Result<std::shared_ptr<const CompiledFilter>> FilterCache::Get(const ColumnFilter& filter) {
  // Who asks for what is being made waits for it.
  const std::lock_guard lock(mutex_);
  const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return AreSame(entry.filter, filter);
  });
  if (known != entries_.end()) {
    // The next row group of the file has the very same set, which is quickly compared.
    known->filter.set = filter.set;
    return known->compiled;
  }
  auto compiled = parquet::CompileFilter(filter, *pool_);
  if (compiled.status().code() == StatusCode::kResourceExhausted && !entries_.empty()) {
    // Those of files before are of less use.
    entries_.clear();
    compiled = parquet::CompileFilter(filter, *pool_);
  }
  if (!compiled) return compiled.error();
  if (entries_.size() == kMostFilters) entries_.pop_front();
  entries_.push_back({filter, *compiled});
  return compiled;
}

size_t FilterCache::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace sluice::inline v0::engine
