#pragma once

// How the values of pages that are not dictionary-encoded are tested, one class a form.

#include <sluice/bitmap.h>
#include <sluice/buffer.h>
#include <sluice/parquet/schema_tree.h>
#include <sluice/status.h>
#include <sluice/types.h>

#include <cstdint>
#include <memory>

#include "format/model/filters/compiled_filter.h"
#include "format/model/kernels/kernels.h"
#include "format/parquet/encoding/value_decoder.h"
#include "format/parquet/filter/piece_decider.h"

namespace sluice::inline v0::parquet {

/// Booleans: as many at a time as a run or a word has.
class BitsDecider final : public PieceDecider {
 public:
  BitsDecider(ValueDecoder* values, const CompiledFilter* filter)
      : values_(values), filter_(filter) {}

  int64_t sparse_ratio() const override { return 0; }
  Status TestAll(int64_t count, uint64_t* out) override;
  Status TestSelected(int64_t count, const uint64_t* selection, int64_t selected,
                      uint64_t* out) override;
  Status Skip(int64_t count) override { return values_->Skip(count); }

 private:
  ValueDecoder* values_;
  const CompiledFilter* filter_;
};

/// Where values that are not tested in place are put, piece by piece; kept from page to page.
class FilterScratch {
 public:
  explicit FilterScratch(BufferPool* pool) : pool_(pool) {}

  /// How many values of so many bytes a piece has.
  static int64_t ValuesOf(int64_t width);
  /// Room for those, and for the padding behind them. Errors: kResourceExhausted.
  Result<BufferRef> Room(int64_t width);
  BufferPool* pool() const { return pool_; }

 private:
  BufferPool* pool_;
  BufferRef buffer_;
};

/// Values of fixed width that are stored as they are delivered: PLAIN ones where they lie,
/// DELTA_BINARY_PACKED ones as far as the headers of their miniblocks leave them open, all others
/// decoded.
class FixedDecider final : public PieceDecider {
 public:
  FixedDecider(ValueDecoder* values, const CompiledFilter* filter, FilterScratch* scratch)
      : values_(values), filter_(filter), scratch_(scratch) {}

  int64_t piece_values() const override { return FilterScratch::ValuesOf(width()); }
  /// Measured: selecting a value takes as long as comparing that many with a range, or looking that
  /// many up in a set.
  int64_t sparse_ratio() const override {
    return filter_->keys() != nullptr && filter_->keys()->is_quick() ? 32 : 4;
  }
  Status TestAll(int64_t count, uint64_t* out) override;
  Status TestSelected(int64_t count, const uint64_t* selection, int64_t selected,
                      uint64_t* out) override;
  Status Skip(int64_t count) override { return values_->Skip(count); }

 private:
  int32_t width() const { return filter_->filter().type.byte_width; }
  Status TestMiniblocks(int64_t count, uint64_t* out);
  KeyFilter::Outcome OutcomeOf(const DeltaMiniblock& miniblock, int64_t count) const;

  ValueDecoder* values_;
  const CompiledFilter* filter_;
  FilterScratch* scratch_;
  /// Values to be decoded without looking at headers, as that was of no use lately: now, and after
  /// the next header that is of none.
  int64_t blind_values_ = 0;
  int64_t blind_next_ = 0;
};

/// Byte strings, as views of where they lie.
class ViewsDecider final : public PieceDecider {
 public:
  ViewsDecider(ValueDecoder* values, const CompiledFilter* filter, FilterScratch* scratch)
      : values_(values), filter_(filter), scratch_(scratch) {}

  int64_t piece_values() const override { return FilterScratch::ValuesOf(sizeof(StringView)); }
  int64_t sparse_ratio() const override { return 2; }
  Status TestAll(int64_t count, uint64_t* out) override;
  Status TestSelected(int64_t count, const uint64_t* selection, int64_t selected,
                      uint64_t* out) override;
  Status Skip(int64_t count) override { return values_->Skip(count); }

 private:
  ValueDecoder* values_;
  const CompiledFilter* filter_;
  FilterScratch* scratch_;
};

/// Values that are delivered in another layout than they are stored in. What is not wanted is never
/// converted, as it might not fit.
class ConvertedDecider final : public PieceDecider {
 public:
  ConvertedDecider(ValueDecoder* values, const CompiledFilter* filter, const Leaf& leaf,
                   std::shared_ptr<const DataType> type, FilterScratch* scratch)
      : values_(values), filter_(filter), leaf_(leaf), type_(std::move(type)), scratch_(scratch) {}

  int64_t piece_values() const override { return FilterScratch::ValuesOf(stored_width()); }
  int64_t sparse_ratio() const override { return 1; }
  Status TestAll(int64_t count, uint64_t* out) override;
  Status TestSelected(int64_t count, const uint64_t* selection, int64_t selected,
                      uint64_t* out) override;
  Status Skip(int64_t count) override { return values_->Skip(count); }

 private:
  /// Of a view, for byte strings.
  int32_t stored_width() const;
  Status Test(int64_t count, const uint64_t* selection, int64_t selected, uint64_t* out);

  ValueDecoder* values_;
  const CompiledFilter* filter_;
  const Leaf& leaf_;
  std::shared_ptr<const DataType> type_;
  FilterScratch* scratch_;
};

}  // namespace sluice::inline v0::parquet
