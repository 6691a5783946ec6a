#pragma once

#include <sluice/status.h>

#include <cstdint>

#include "format/model/kernels/kernels.h"
#include "format/parquet/encoding/rle_hybrid.h"

namespace sluice::inline v0::parquet {

/// Decodes the indices of a RLE_DICTIONARY or PLAIN_DICTIONARY data page:
///
///   | bit width, 1 byte | RLE/bit-packing hybrid |
///
/// Every index that is returned is below `dictionary_size`; one that is not is kCorruption.
/// A page without values may have no bytes at all.
class DictionaryIndexDecoder {
 public:
  DictionaryIndexDecoder() = default;
  static Result<DictionaryIndexDecoder> Open(PageBody* body, int64_t num_values,
                                             int32_t dictionary_size);

  int64_t remaining() const { return runs_.remaining(); }

  Status Read(int64_t count, int32_t* out);
  Status Select(int64_t count, const uint64_t* selection, int32_t* out);
  Status Skip(int64_t count) { return runs_.Skip(count); }

  /// The run at the present place, at most `at_most` of it, as RleHybridDecoder::Run; its codes are
  /// checked. To be stepped over by Skip.
  Result<HybridRun> Run(int64_t at_most);
  /// The same with its codes as they stand, for who looks at all of them: CheckLargest says of the
  /// largest whether it is one. They have bit_width() bits.
  Result<HybridRun> UncheckedRun(int64_t at_most) { return runs_.Run(at_most); }
  Status CheckLargest(uint32_t code) const;
  int32_t bit_width() const { return runs_.bit_width(); }

 private:
  Status CheckCodes(const int32_t* codes, int64_t count) const;

  RleHybridDecoder runs_;
  const kernels::KernelTable* kernels_ = &kernels::BestTable();
  int32_t dictionary_size_ = 0;
  bool is_checked_ = true;  ///< Whether the bit width allows indices beyond the dictionary.
};

}  // namespace sluice::inline v0::parquet
