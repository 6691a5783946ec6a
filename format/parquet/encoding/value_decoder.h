#pragma once

// The one interface of all value encodings. A decoder is opened on the value bytes of one page and
// then read, skipped and selected front to back, in physical values without nulls ("values" of the
// three coordinates rows, levels, values).

#include <sluice/buffer.h>
#include <sluice/column.h>
#include <sluice/parquet/metadata.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "format/parquet/decompressor.h"
#include "format/parquet/encoding/encoded_values.h"

namespace sluice::inline v0::parquet {

/// Views of byte strings as decoders append them, and the buffers that the views point into.
class ByteArrayOutput {
 public:
  /// `views` has room for what will be appended; strings that no page holds go to `pool`.
  ByteArrayOutput(StringView* views, BufferPool* pool) : views_(views), pool_(pool) {}

  StringView* views() { return views_; }  ///< Where the next view goes.
  void Advance(int64_t count) { views_ += count; }
  /// The ordinal of `buffer` among buffers(), adding it if it was not the last one.
  int32_t BufferIndex(const BufferRef& buffer);
  std::vector<BufferRef>& buffers() { return buffers_; }
  /// Memory for strings that no page holds.
  Result<BufferRef> Allocate(int64_t bytes);

 private:
  StringView* views_;
  BufferPool* pool_;
  std::vector<BufferRef> buffers_;
};

/// What values take in memory that is neither the page's nor the caller's.
struct ValueSizes {
  int64_t count = 0;    ///< Of the next so many values
  int64_t longest = 0;  ///< each takes so many bytes at most.
};

/// Decodes the values of one page.
///
/// Every call takes the values that follow those already read or skipped; the sum of all counts
/// must not exceed num_values() (the caller knows it from the levels). Each of Read, Skip and
/// Select leaves the decoder at the same place, and what one of them would call corrupt the others
/// do too as far as it lies in the bytes up to the last value taken (Skip and Select of values
/// behind which nothing is wanted need not look at them).
///
/// Fixed-width types write PhysicalWidth(type) bytes a value, little-endian as stored (kInt96: 12;
/// kFixedLenByteArray: type_length). kBoolean writes bits. kByteArray appends views.
///
/// Errors: kCorruption with the byte offset in the value bytes; kResourceExhausted by the pool;
/// kInvalidArgument for values of the other kind or more of them than are left. After an error the
/// decoder is only good for being destroyed.
/// Threads: confined. Output buffers have kReadPadding writable bytes past the last value written.
class ValueDecoder {
 public:
  virtual ~ValueDecoder() = default;

  int64_t num_values() const { return num_values_; }
  /// Values that were not taken yet.
  int64_t remaining() const { return num_values_ - taken_; }

  /// Writes `count` values at `out`. Not for kByteArray and kBoolean.
  virtual Status ReadFixed(int64_t count, uint8_t* out);
  /// Writes the values i < count whose bit i in `selection` is set, densely, and steps over all
  /// `count`. Not for kByteArray and kBoolean.
  virtual Status SelectFixed(int64_t count, const uint64_t* selection, uint8_t* out);

  /// kBoolean only: appends bits at bit `out_bit` of `out`, whose bits from there on are zero.
  virtual Status ReadBits(int64_t count, uint64_t* out, int64_t out_bit);
  virtual Status SelectBits(int64_t count, const uint64_t* selection, uint64_t* out,
                            int64_t out_bit);

  /// kByteArray only.
  virtual Status ReadViews(int64_t count, ByteArrayOutput& out);
  virtual Status SelectViews(int64_t count, const uint64_t* selection, ByteArrayOutput& out);

  virtual Status Skip(int64_t count) = 0;

  /// What the next values take when they are read, at least one of which must be left. They take
  /// nothing beyond their views or fixed widths, unless the encoding puts them together.
  virtual Result<ValueSizes> SizesAhead();

  /// The values ahead in their encoded form, where the encoding has one of this kind, without
  /// taking any; valid until the next call. At least one value must be left.
  ///
  /// RLE and PLAIN booleans: as many of the next `at_most` as are of one run.
  virtual Result<std::optional<HybridRun>> EncodedRun(int64_t at_most);
  /// DELTA_BINARY_PACKED.
  virtual Result<std::optional<DeltaMiniblock>> EncodedMiniblock();
  /// PLAIN of fixed width: the bytes of the next `count` values as they stand, all of which must be
  /// left; else null.
  virtual Result<const uint8_t*> EncodedBytes(int64_t count);

 protected:
  explicit ValueDecoder(int64_t num_values) : num_values_(num_values) {}

  /// Values read, skipped or selected from so far.
  int64_t taken() const { return taken_; }
  /// Counts `count` values as taken. Errors: kInvalidArgument if so many are not left.
  Status Take(int64_t count);
  Status CheckLeft(int64_t count) const;

 private:
  int64_t num_values_;
  int64_t taken_ = 0;
};

/// Decodes dictionary indices (RLE_DICTIONARY and PLAIN_DICTIONARY data pages): a bit width byte,
/// then the RLE/bit-packing hybrid.
/// Every index is checked to be below `dictionary_size` before it is returned.
class DictionaryIndexDecoder;  // dictionary_index_decoder.h

/// Bytes of one stored value: 4, 8, 12 or type_length; 0 for kBoolean and kByteArray.
int32_t PhysicalWidth(PhysicalType type, int32_t type_length);

/// Opens the decoder of a data page's (or, for kPlain, dictionary page's) value bytes. `body` must
/// outlive it. All sizes that can be checked without decoding are checked here.
/// Errors: kUnsupported for an encoding that is unknown or that the specification does not allow
/// for `type`, by name; kInvalidArgument for the dictionary encodings, which have their own
/// decoder. Source: parquet-format Encodings.md.
///
/// `carried_value` is for DELTA_BYTE_ARRAY pages of the writers that do not begin each page with an
/// empty previous value (fault E9), null for all others: the last value of the page before, and
/// that of this page once all of its values were taken. It must live as long as the decoder.
Result<std::unique_ptr<ValueDecoder>> MakeValueDecoder(Encoding encoding, PhysicalType type,
                                                       int32_t type_length, int64_t num_values,
                                                       PageBody* body, BufferPool* pool,
                                                       std::string* carried_value = nullptr);

}  // namespace sluice::inline v0::parquet
