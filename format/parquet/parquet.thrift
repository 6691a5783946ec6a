// Parquet's metadata as an interface definition for Thrift's code generator. Names, field ids and
// types are those of the specification (apache/parquet-format); the words are ours. The generated
// code writes what our writer writes, and is the oracle of the tests for what our parsers read.
//
// Where a field is not marked `required` though the specification has it so, files lack it and
// nothing depends on it. Enumerations are integers: ids that the specification lacks must pass, and
// in C++ the value of a generated enumeration must be one of its own. Encryption has its structs only as far as it takes to notice them: what
// they hold is stepped over.

namespace cpp sluice.thrift_gen

// Bounds and counts of a chunk or page. Fields 1 and 2 are the deprecated, signed order.
struct Statistics {
  1: optional binary max
  2: optional binary min
  3: optional i64 null_count
  4: optional i64 distinct_count
  5: optional binary max_value
  6: optional binary min_value
  7: optional bool is_max_value_exact
  8: optional bool is_min_value_exact
  9: optional i64 nan_count
}

struct SizeStatistics {
  1: optional i64 unencoded_byte_array_data_bytes
  2: optional list<i64> repetition_level_histogram
  3: optional list<i64> definition_level_histogram
}

struct BoundingBox {
  1: required double xmin
  2: required double xmax
  3: required double ymin
  4: required double ymax
  5: optional double zmin
  6: optional double zmax
  7: optional double mmin
  8: optional double mmax
}

struct GeospatialStatistics {
  1: optional BoundingBox bbox
  2: optional list<i32> geospatial_types
}

// The members of LogicalType that have no parameters.
struct StringType {}
struct MapType {}
struct ListType {}
struct EnumType {}
struct DateType {}
struct NullType {}
struct JsonType {}
struct BsonType {}
struct UUIDType {}
struct Float16Type {}
struct FileType {}

struct DecimalType {
  1: required i32 scale
  2: required i32 precision
}

struct MilliSeconds {}
struct MicroSeconds {}
struct NanoSeconds {}

union TimeUnit {
  1: MilliSeconds MILLIS
  2: MicroSeconds MICROS
  3: NanoSeconds NANOS
}

struct TimestampType {
  1: required bool isAdjustedToUTC
  2: required TimeUnit unit
}

struct TimeType {
  1: required bool isAdjustedToUTC
  2: required TimeUnit unit
}

struct IntType {
  1: required i8 bitWidth
  2: required bool isSigned
}

struct VariantType {
  1: optional i8 specification_version
}

struct GeometryType {
  1: optional string crs
}

struct GeographyType {
  1: optional string crs
  2: optional i32 algorithm
}

// Id 9 was never given out.
union LogicalType {
  1: StringType STRING
  2: MapType MAP
  3: ListType LIST
  4: EnumType ENUM
  5: DecimalType DECIMAL
  6: DateType DATE
  7: TimeType TIME
  8: TimestampType TIMESTAMP
  10: IntType INTEGER
  11: NullType UNKNOWN
  12: JsonType JSON
  13: BsonType BSON
  14: UUIDType UUID
  15: Float16Type FLOAT16
  16: VariantType VARIANT
  17: GeometryType GEOMETRY
  18: GeographyType GEOGRAPHY
  19: FileType FILE
}

struct SchemaElement {
  1: optional i32 type
  2: optional i32 type_length
  3: optional i32 repetition_type
  4: required string name
  5: optional i32 num_children
  6: optional i32 converted_type
  7: optional i32 scale
  8: optional i32 precision
  9: optional i32 field_id
  10: optional LogicalType logicalType
}

struct DataPageHeader {
  1: required i32 num_values
  2: required i32 encoding
  3: required i32 definition_level_encoding
  4: required i32 repetition_level_encoding
  5: optional Statistics statistics
}

struct IndexPageHeader {}

struct DictionaryPageHeader {
  1: required i32 num_values
  2: required i32 encoding
  3: optional bool is_sorted
}

struct DataPageHeaderV2 {
  1: required i32 num_values
  2: required i32 num_nulls
  3: required i32 num_rows
  4: required i32 encoding
  5: required i32 definition_levels_byte_length
  6: required i32 repetition_levels_byte_length
  7: optional bool is_compressed = true
  8: optional Statistics statistics
}

struct PageHeader {
  1: required i32 type
  2: required i32 uncompressed_page_size
  3: required i32 compressed_page_size
  4: optional i32 crc
  5: optional DataPageHeader data_page_header
  6: optional IndexPageHeader index_page_header
  7: optional DictionaryPageHeader dictionary_page_header
  8: optional DataPageHeaderV2 data_page_header_v2
}

struct KeyValue {
  1: required string key
  2: optional string value
}

struct SortingColumn {
  1: required i32 column_idx
  2: required bool descending
  3: required bool nulls_first
}

struct PageEncodingStats {
  1: required i32 page_type
  2: required i32 encoding
  3: required i32 count
}

struct ColumnMetaData {
  1: required i32 type
  2: required list<i32> encodings
  3: required list<string> path_in_schema
  4: required i32 codec
  5: required i64 num_values
  6: required i64 total_uncompressed_size
  7: required i64 total_compressed_size
  8: optional list<KeyValue> key_value_metadata
  9: required i64 data_page_offset
  10: optional i64 index_page_offset
  11: optional i64 dictionary_page_offset
  12: optional Statistics statistics
  13: optional list<PageEncodingStats> encoding_stats
  14: optional i64 bloom_filter_offset
  15: optional i32 bloom_filter_length
  16: optional SizeStatistics size_statistics
  17: optional GeospatialStatistics geospatial_statistics
}

struct ColumnCryptoMetaData {}

struct ColumnChunk {
  1: optional string file_path
  2: i64 file_offset
  3: optional ColumnMetaData meta_data
  4: optional i64 offset_index_offset
  5: optional i32 offset_index_length
  6: optional i64 column_index_offset
  7: optional i32 column_index_length
  8: optional ColumnCryptoMetaData crypto_metadata
  9: optional binary encrypted_column_metadata
}

struct RowGroup {
  1: required list<ColumnChunk> columns
  2: required i64 total_byte_size
  3: required i64 num_rows
  4: optional list<SortingColumn> sorting_columns
  5: optional i64 file_offset
  6: optional i64 total_compressed_size
  7: optional i16 ordinal
}

struct TypeDefinedOrder {}
struct IEEE754TotalOrder {}
struct Int96TimestampOrder {}

union ColumnOrder {
  1: TypeDefinedOrder TYPE_ORDER
  2: IEEE754TotalOrder IEEE_754_TOTAL_ORDER
  3: Int96TimestampOrder INT96_TIMESTAMP_ORDER
}

struct EncryptionAlgorithm {}

struct FileMetaData {
  1: required i32 version
  2: required list<SchemaElement> schema
  3: required i64 num_rows
  4: required list<RowGroup> row_groups
  5: optional list<KeyValue> key_value_metadata
  6: optional string created_by
  7: optional list<ColumnOrder> column_orders
  8: optional EncryptionAlgorithm encryption_algorithm
  9: optional binary footer_signing_key_metadata
}

struct PageLocation {
  1: required i64 offset
  2: required i32 compressed_page_size
  3: required i64 first_row_index
}

struct OffsetIndex {
  1: required list<PageLocation> page_locations
  2: optional list<i64> unencoded_byte_array_data_bytes
}

struct ColumnIndex {
  1: required list<bool> null_pages
  2: required list<binary> min_values
  3: required list<binary> max_values
  4: required i32 boundary_order
  5: optional list<i64> null_counts
  6: optional list<i64> repetition_level_histograms
  7: optional list<i64> definition_level_histograms
  8: optional list<i64> nan_counts
}

struct SplitBlockAlgorithm {}
union BloomFilterAlgorithm {
  1: SplitBlockAlgorithm BLOCK
}

struct XxHash {}
union BloomFilterHash {
  1: XxHash XXHASH
}

struct Uncompressed {}
union BloomFilterCompression {
  1: Uncompressed UNCOMPRESSED
}

struct BloomFilterHeader {
  1: required i32 numBytes
  2: required BloomFilterAlgorithm algorithm
  3: required BloomFilterHash hash
  4: required BloomFilterCompression compression
}
