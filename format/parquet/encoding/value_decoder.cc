#include "format/parquet/encoding/value_decoder.h"

#include <fmt/format.h>

#include "format/model/try.h"
#include "format/parquet/encoding/alp.h"
#include "format/parquet/encoding/boolean.h"
#include "format/parquet/encoding/byte_stream_split.h"
#include "format/parquet/encoding/delta_binary_packed.h"
#include "format/parquet/encoding/delta_byte_array.h"
#include "format/parquet/encoding/delta_length_byte_array.h"
#include "format/parquet/encoding/plain.h"

namespace sluice::inline v0::parquet {

Result<BufferRef> ByteArrayOutput::Allocate(int64_t bytes) { return pool_->Allocate(bytes); }

int32_t ByteArrayOutput::BufferIndex(const BufferRef& buffer) {
  if (buffers_.empty() || buffers_.back() != buffer) buffers_.push_back(buffer);
  return static_cast<int32_t>(buffers_.size() - 1);
}

namespace {

Status WrongKind(const char* kind) {
  return Status::InvalidArgument(fmt::format("the decoder's values are not {}", kind));
}

Status NotForType(Encoding encoding, PhysicalType type) {
  return Status::Unsupported(
      fmt::format("encoding is not for the type: {} of {}", Name(encoding), Name(type)));
}

}  // namespace

Status ValueDecoder::ReadFixed(int64_t, uint8_t*) { return WrongKind("of fixed width"); }
Status ValueDecoder::SelectFixed(int64_t, const uint64_t*, uint8_t*) {
  return WrongKind("of fixed width");
}
Status ValueDecoder::ReadBits(int64_t, uint64_t*, int64_t) { return WrongKind("booleans"); }
Status ValueDecoder::SelectBits(int64_t, const uint64_t*, uint64_t*, int64_t) {
  return WrongKind("booleans");
}
Status ValueDecoder::ReadViews(int64_t, ByteArrayOutput&) { return WrongKind("byte arrays"); }
Status ValueDecoder::SelectViews(int64_t, const uint64_t*, ByteArrayOutput&) {
  return WrongKind("byte arrays");
}

Status ValueDecoder::CheckLeft(int64_t count) const {
  if (count >= 0 && count <= remaining()) return Status::Ok();
  return Status::InvalidArgument(
      fmt::format("more values asked for than remain: {} of {}", count, remaining()));
}

Status ValueDecoder::Take(int64_t count) {
  SLUICE_RETURN_IF_ERROR(CheckLeft(count));
  taken_ += count;
  return Status::Ok();
}

Result<ValueSizes> ValueDecoder::SizesAhead() { return ValueSizes{remaining(), 0}; }

Result<std::optional<HybridRun>> ValueDecoder::EncodedRun(int64_t) {
  return std::optional<HybridRun>();
}

Result<std::optional<DeltaMiniblock>> ValueDecoder::EncodedMiniblock() {
  return std::optional<DeltaMiniblock>();
}

Result<const uint8_t*> ValueDecoder::EncodedBytes(int64_t) {
  return static_cast<const uint8_t*>(nullptr);
}

int32_t PhysicalWidth(PhysicalType type, int32_t type_length) {
  switch (type) {
    case PhysicalType::kInt32:
    case PhysicalType::kFloat:
      return 4;
    case PhysicalType::kInt64:
    case PhysicalType::kDouble:
      return 8;
    case PhysicalType::kInt96:
      return 12;
    case PhysicalType::kFixedLenByteArray:
      return type_length;
    case PhysicalType::kBoolean:
    case PhysicalType::kByteArray:
      break;
  }
  return 0;
}

Result<std::unique_ptr<ValueDecoder>> MakeValueDecoder(Encoding encoding, PhysicalType type,
                                                       int32_t type_length, int64_t num_values,
                                                       PageBody* body, BufferPool* pool,
                                                       std::string* carried_value) {
  const int32_t width = PhysicalWidth(type, type_length);
  if (num_values < 0 || width < 0 || body->size() > INT32_MAX) {
    return Status::InvalidArgument(fmt::format("not a page: {} values of {} bytes in {} bytes",
                                               num_values, width, body->size()));
  }
  using enum PhysicalType;
  switch (encoding) {
    case Encoding::kPlain:
      if (type == kBoolean) return MakePlainBooleanDecoder(num_values, body);
      if (type == kByteArray) return MakePlainByteArrayDecoder(num_values, body);
      return MakePlainFixedDecoder(width, num_values, body);
    case Encoding::kRle:
      if (type == kBoolean) return MakeRleBooleanDecoder(num_values, body);
      return NotForType(encoding, type);
    case Encoding::kDeltaBinaryPacked:
      if (type == kInt32 || type == kInt64) {
        return MakeDeltaBinaryPackedDecoder(width, num_values, body);
      }
      return NotForType(encoding, type);
    case Encoding::kDeltaLengthByteArray:
      if (type == kByteArray) return MakeDeltaLengthByteArrayDecoder(num_values, body);
      return NotForType(encoding, type);
    case Encoding::kDeltaByteArray:
      if (type == kByteArray) {
        return MakeDeltaByteArrayDecoder(std::nullopt, num_values, body, pool, carried_value);
      }
      if (type == kFixedLenByteArray) {
        return MakeDeltaByteArrayDecoder(width, num_values, body, pool, carried_value);
      }
      return NotForType(encoding, type);
    case Encoding::kByteStreamSplit:
      if (type == kBoolean || type == kInt96 || type == kByteArray) {
        return NotForType(encoding, type);
      }
      return MakeByteStreamSplitDecoder(width, num_values, body);
    case Encoding::kAlp:
      if (type == kFloat || type == kDouble) {
        return MakeAlpDecoder(width, num_values, body, pool);
      }
      return NotForType(encoding, type);
    case Encoding::kBitPacked:
      return NotForType(encoding, type);
    case Encoding::kPlainDictionary:
    case Encoding::kRleDictionary:
      return Status::InvalidArgument("dictionary indices are not values");
  }
  return Status::Unsupported(
      fmt::format("encoding is unknown: {}", static_cast<int32_t>(encoding)));
}

}  // namespace sluice::inline v0::parquet
