#pragma once

// A column's filter, run on the values of a page in the form in which they are stored.

#include <sluice/column.h>
#include <sluice/filter.h>
#include <sluice/parquet/schema_tree.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>

#include "format/model/filters/compiled_filter.h"
#include "format/model/kernels/kernels.h"
#include "format/parquet/data_page.h"
#include "format/parquet/value_run.h"

namespace sluice::inline v0::parquet {

/// Decides for the present values of one leaf which of them a ColumnFilter lets pass. Nulls are not
/// values: who has the levels asks null_passes().
///
///   dictionary codes             by a bit for each entry; RLE runs whole, the others packed
///   booleans                     by run and by word
///   DELTA_BINARY_PACKED          miniblocks that pass whole or not at all are stepped over
///   PLAIN of fixed width         where the values lie
///   everything else              decoded (and converted) piece by piece into memory of its own
///
/// Threads: confined. Lifetime: `pool` and `kernels` outlive it; the filter is copied.
class ValueFilter {
 public:
  /// `type` is what `leaf` is delivered as, and what `filter` is for.
  /// Errors: kInvalidArgument where it is not (the precision of decimals apart), or where a filter
  /// of this kind has no meaning for the type; kResourceExhausted by the pool.
  static Result<ValueFilter> Make(const ColumnFilter& filter, const Leaf& leaf,
                                  std::shared_ptr<const DataType> type, BufferPool* pool,
                                  const kernels::KernelTable* kernels);
  /// The same with what was made of the filter before, for who has many chunks: a long set takes
  /// time. Its memory is not counted in `pool`.
  static Result<ValueFilter> Make(std::shared_ptr<const CompiledFilter> filter, const Leaf& leaf,
                                  std::shared_ptr<const DataType> type, BufferPool* pool,
                                  const kernels::KernelTable* kernels);
  ValueFilter(ValueFilter&&) noexcept;
  ValueFilter& operator=(ValueFilter&&) noexcept;
  ~ValueFilter();

  /// Whether rows that are null pass.
  bool null_passes() const;
  /// Whether all values have one outcome, so that none need be looked at: kNone and kAll.
  bool is_constant() const;
  /// The outcome, where is_constant().
  bool constant_passes() const;

  /// The chunk's dictionary in the delivered layout, before any page that is encoded by it. Runs
  /// the filter over its entries; saying it again does nothing.
  /// Errors: kResourceExhausted by the pool.
  Status SetDictionary(std::shared_ptr<const Column> dictionary);

  /// Takes the next `run.count` present values of `page`, as ValuesBuilder::Append does, and writes
  /// BitmapWords(run.count) words at `passes`: bit i is set if value i is wanted and passes, the
  /// bits past the count are zero. `passes` may be `run.selection`.
  ///
  /// Errors: as reading the values gives; of values that are not wanted, or that cannot pass
  /// whatever they are, what is wrong may go unnoticed. kInternal for codes without SetDictionary.
  /// The page is then only good for being closed.
  Status Decide(DataPage& page, const ValueRun& run, uint64_t* passes);

  /// The same for rows [begin, begin + count) of `values` in the delivered layout and any form,
  /// none of them null.
  /// Errors: kInvalidArgument for another type; kResourceExhausted by the pool.
  Status PassesValues(const Column& values, int64_t begin, int64_t count, uint64_t* passes);

 private:
  class Implementation;
  explicit ValueFilter(std::unique_ptr<Implementation> implementation);

  std::unique_ptr<Implementation> implementation_;
};

}  // namespace sluice::inline v0::parquet
