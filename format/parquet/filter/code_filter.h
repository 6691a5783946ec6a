#pragma once

#include <sluice/buffer.h>
#include <sluice/column.h>
#include <sluice/status.h>

#include <cstdint>

#include "format/model/filters/compiled_filter.h"
#include "format/model/kernels/kernels.h"
#include "format/parquet/encoding/dictionary_index_decoder.h"
#include "format/parquet/value_run.h"

namespace sluice::inline v0::parquet {

/// What a filter says of each entry of a dictionary, looked up by codes.
///
/// Threads: confined. Lifetime: pool and kernels outlive it.
class CodeFilter {
 public:
  CodeFilter(BufferPool* pool, const kernels::KernelTable* kernels)
      : pool_(pool), kernels_(kernels) {}

  /// Runs `filter` over the entries. Errors: kResourceExhausted.
  Status SetDictionary(const Column& dictionary, const CompiledFilter& filter);
  int64_t entries() const { return entries_; }

  /// As ValueFilter::Decide.
  Status Decide(DictionaryIndexDecoder& codes, const ValueRun& run, uint64_t* passes);
  /// Bit i of `out`: the entry of code i, which is below entries(), passes.
  void Test(const int32_t* codes, int64_t count, uint64_t* out) const {
    kernels_->look_up(codes, count, table_->as<uint64_t>(), entries_, out);
  }

 private:
  BufferPool* pool_;
  const kernels::KernelTable* kernels_;
  int64_t entries_ = 0;
  bool any_passes_ = false;
  BufferRef table_;    ///< A bit an entry, and 256 bits at least.
  BufferRef scratch_;  ///< Codes of one piece.
};

}  // namespace sluice::inline v0::parquet
