#pragma once

#include <sluice/column.h>
#include <sluice/parquet/schema_tree.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "format/model/buffer_builder.h"
#include "format/model/kernels/kernels.h"
#include "format/parquet/data_page.h"
#include "format/parquet/value_run.h"

namespace sluice::inline v0::parquet {

/// Gathers the present values of one leaf for one batch, densely and in the delivered layout, over
/// pages of any encodings. Dictionary codes are kept as codes while that is asked for and every
/// page so far had them; else they are looked up.
///
/// Threads: confined.
class ValuesBuilder {
 public:
  ValuesBuilder(const Leaf& leaf, std::shared_ptr<const DataType> type, bool keep_codes,
                bool select_encoded, BufferPool* pool, const kernels::KernelTable* kernels);

  /// Keeps codes until values are finished, so that only those are looked up that are left by then.
  void HoldCodes() { holds_codes_meanwhile_ = true; }
  /// The chunk's dictionary in the delivered layout, before any value is taken. Saying it again
  /// does nothing.
  void SetDictionary(std::shared_ptr<const Column> dictionary);

  /// Takes the next values of `page`, which steps over all of the run.
  Status Append(DataPage& page, const ValueRun& run);
  int64_t length() const { return length_; }
  /// About what the values so far take: what was allocated for them, and the pages that they are
  /// views of.
  int64_t bytes() const { return data_.size() + string_bytes_; }
  /// The values so far, dense, which must not outlive the next call.
  Column Peek() const;
  /// Drops of the values from `begin` on those whose bit (from bit 0 on) is not set; returns how
  /// many stay.
  int64_t KeepSelected(int64_t begin, const uint64_t* bits);
  /// Copies strings out of the pages where they are little of them.
  Status Unpin();
  /// Forgets all values.
  void Clear();
  /// The first `count` values; the others stay.
  Result<Column> Finish(int64_t count);

 private:
  enum class Layout : uint8_t { kNothing, kBits, kFixed, kViews };

  int64_t Width() const { return holds_codes_ ? int64_t{sizeof(int32_t)} : width_; }
  void LetGoOfPages();
  Status AppendCodes(DictionaryIndexDecoder& codes, const ValueRun& run);
  Status LookUp(const int32_t* codes, int64_t count);
  Status CodesToValues();
  Status AppendDirect(ValueDecoder& values, const ValueRun& run);
  Status AppendConverted(ValueDecoder& values, const ValueRun& run);
  Status DecodeFixed(ValueDecoder& values, const ValueRun& run, int32_t width, BufferBuilder& out);
  Status DecodeViews(ValueDecoder& values, const ValueRun& run, BufferBuilder& out,
                     std::vector<BufferRef>& buffers);
  Status DecodeBits(ValueDecoder& values, const ValueRun& run);
  Status KeepBehind(int64_t count, const Column& all);
  size_t SharedBuffers() const;

  Leaf leaf_;
  std::shared_ptr<const DataType> type_;
  bool keep_codes_;
  bool holds_codes_meanwhile_ = false;
  bool select_encoded_;
  bool stored_as_delivered_;
  BufferPool* pool_;
  const kernels::KernelTable* kernels_;
  Layout layout_;
  int32_t width_ = 0;  ///< Bytes a value: delivered width, or 16 for views.

  std::shared_ptr<const Column> dictionary_;
  bool holds_codes_ = false;
  int64_t length_ = 0;
  BufferBuilder data_;
  BufferBuilder scratch_;
  std::vector<BufferRef> view_buffers_;  ///< Those of the dictionary first.
  int64_t string_bytes_ = 0;             ///< Of the strings that the views are of.
};

}  // namespace sluice::inline v0::parquet
