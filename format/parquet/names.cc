#include <sluice/parquet/metadata.h>
#include <sluice/parquet/page_index.h>

#include <cstddef>
#include <span>

namespace sluice::inline v0::parquet {
namespace {

std::string_view NameAt(std::span<const std::string_view> names, int32_t id) {
  const auto index = static_cast<size_t>(id);
  return id >= 0 && index < names.size() ? names[index] : "UNKNOWN";
}

}  // namespace

std::string_view Name(PhysicalType type) {
  switch (type) {
    case PhysicalType::kBoolean:
      return "BOOLEAN";
    case PhysicalType::kInt32:
      return "INT32";
    case PhysicalType::kInt64:
      return "INT64";
    case PhysicalType::kInt96:
      return "INT96";
    case PhysicalType::kFloat:
      return "FLOAT";
    case PhysicalType::kDouble:
      return "DOUBLE";
    case PhysicalType::kByteArray:
      return "BYTE_ARRAY";
    case PhysicalType::kFixedLenByteArray:
      return "FIXED_LEN_BYTE_ARRAY";
  }
  return "UNKNOWN";
}

std::string_view Name(Repetition repetition) {
  switch (repetition) {
    case Repetition::kRequired:
      return "REQUIRED";
    case Repetition::kOptional:
      return "OPTIONAL";
    case Repetition::kRepeated:
      return "REPEATED";
  }
  return "UNKNOWN";
}

std::string_view Name(Encoding encoding) {
  switch (encoding) {
    case Encoding::kPlain:
      return "PLAIN";
    case Encoding::kPlainDictionary:
      return "PLAIN_DICTIONARY";
    case Encoding::kRle:
      return "RLE";
    case Encoding::kBitPacked:
      return "BIT_PACKED";
    case Encoding::kDeltaBinaryPacked:
      return "DELTA_BINARY_PACKED";
    case Encoding::kDeltaLengthByteArray:
      return "DELTA_LENGTH_BYTE_ARRAY";
    case Encoding::kDeltaByteArray:
      return "DELTA_BYTE_ARRAY";
    case Encoding::kRleDictionary:
      return "RLE_DICTIONARY";
    case Encoding::kByteStreamSplit:
      return "BYTE_STREAM_SPLIT";
    case Encoding::kAlp:
      return "ALP";
  }
  return "UNKNOWN";
}

std::string_view Name(Codec codec) {
  switch (codec) {
    case Codec::kUncompressed:
      return "UNCOMPRESSED";
    case Codec::kSnappy:
      return "SNAPPY";
    case Codec::kGzip:
      return "GZIP";
    case Codec::kLzo:
      return "LZO";
    case Codec::kBrotli:
      return "BROTLI";
    case Codec::kLz4:
      return "LZ4";
    case Codec::kZstd:
      return "ZSTD";
    case Codec::kLz4Raw:
      return "LZ4_RAW";
  }
  return "UNKNOWN";
}

std::string_view Name(PageType type) {
  switch (type) {
    case PageType::kDataPage:
      return "DATA_PAGE";
    case PageType::kIndexPage:
      return "INDEX_PAGE";
    case PageType::kDictionaryPage:
      return "DICTIONARY_PAGE";
    case PageType::kDataPageV2:
      return "DATA_PAGE_V2";
  }
  return "UNKNOWN";
}

std::string_view Name(BoundaryOrder order) {
  switch (order) {
    case BoundaryOrder::kUnordered:
      return "UNORDERED";
    case BoundaryOrder::kAscending:
      return "ASCENDING";
    case BoundaryOrder::kDescending:
      return "DESCENDING";
  }
  return "UNKNOWN";
}

// By ConvertedType of parquet.thrift.
std::string_view ConvertedTypeName(int32_t converted_type) {
  static constexpr std::string_view kNames[] = {
      "UTF8",
      "MAP",
      "MAP_KEY_VALUE",
      "LIST",
      "ENUM",
      "DECIMAL",
      "DATE",
      "TIME_MILLIS",
      "TIME_MICROS",
      "TIMESTAMP_MILLIS",
      "TIMESTAMP_MICROS",
      "UINT_8",
      "UINT_16",
      "UINT_32",
      "UINT_64",
      "INT_8",
      "INT_16",
      "INT_32",
      "INT_64",
      "JSON",
      "BSON",
      "INTERVAL",
  };
  return NameAt(kNames, converted_type);
}

// By EdgeInterpolationAlgorithm of parquet.thrift.
std::string_view EdgeAlgorithmName(int32_t algorithm) {
  static constexpr std::string_view kNames[] = {"SPHERICAL", "VINCENTY", "THOMAS", "ANDOYER",
                                                "KARNEY"};
  return NameAt(kNames, algorithm);
}

}  // namespace sluice::inline v0::parquet
