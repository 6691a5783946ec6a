#include "format/parquet/page_header.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sluice {
namespace {

using parquet::Encoding;
using parquet::PageType;
using parquet::ParsePageHeader;
using Bytes = std::vector<uint8_t>;

// Fields are written as (delta << 4 | type); i32 is 5, binary 8, struct c, true 1, false 2.
// Integers are zigzag varints: 10 is 14 hex, -1 is 01.

// A V1 page: 4 values in 20 bytes, stored in 12; PLAIN, RLE, RLE.
Bytes DataPageV1() {
  return {0x15, 0x00, 0x15, 0x28, 0x15, 0x18, 0x2c, 0x15, 0x08,
          0x15, 0x00, 0x15, 0x06, 0x15, 0x06, 0x00, 0x00};
}

// A V2 page: 5 values, 2 nulls, 3 rows, RLE_DICTIONARY, 2 and 1 bytes of levels, 20 bytes in 12.
Bytes DataPageV2(const Bytes& after_levels) {
  Bytes bytes = {0x15, 0x06, 0x15, 0x28, 0x15, 0x18, 0x5c, 0x15, 0x0a, 0x15,
                 0x04, 0x15, 0x06, 0x15, 0x10, 0x15, 0x04, 0x15, 0x02};
  for (const uint8_t byte : after_levels) bytes.push_back(byte);
  bytes.push_back(0x00);
  bytes.push_back(0x00);
  return bytes;
}

TEST(PageHeader, ReadsVersion1) {
  const auto header = ParsePageHeader(DataPageV1());
  ASSERT_TRUE(header.has_value()) << header.error().ToString();
  ASSERT_TRUE(header->has_value());
  EXPECT_EQ((*header)->type, PageType::kDataPage);
  EXPECT_EQ((*header)->uncompressed_size, 20);
  EXPECT_EQ((*header)->compressed_size, 12);
  EXPECT_EQ((*header)->num_values, 4);
  EXPECT_EQ((*header)->encoding, Encoding::kPlain);
  EXPECT_EQ((*header)->definition_level_encoding, Encoding::kRle);
  EXPECT_FALSE((*header)->crc.has_value());
  EXPECT_FALSE((*header)->statistics.has_value());
  EXPECT_EQ((*header)->header_size, 17);
}

TEST(PageHeader, AbsentIsCompressedMeansCompressed) {  // fault P2
  const auto header = ParsePageHeader(DataPageV2({}));
  ASSERT_TRUE(header.has_value() && header->has_value());
  EXPECT_EQ((*header)->type, PageType::kDataPageV2);
  EXPECT_TRUE((*header)->is_compressed);
  EXPECT_EQ((*header)->num_values, 5);
  EXPECT_EQ((*header)->num_nulls, 2);
  EXPECT_EQ((*header)->num_rows, 3);
  EXPECT_EQ((*header)->encoding, Encoding::kRleDictionary);
  EXPECT_EQ((*header)->definition_levels_byte_length, 2);
  EXPECT_EQ((*header)->repetition_levels_byte_length, 1);

  const auto uncompressed = ParsePageHeader(DataPageV2({0x12}));
  ASSERT_TRUE(uncompressed.has_value() && uncompressed->has_value());
  EXPECT_FALSE((*uncompressed)->is_compressed);
}

TEST(PageHeader, StatisticsAreViewsOfTheHeader) {
  // 7 is_compressed, 8 statistics { 3 null_count 2, 5 max_value "zz", 7 is_max_value_exact true }.
  const Bytes bytes = DataPageV2({0x11, 0x1c, 0x36, 0x04, 0x28, 0x02, 'z', 'z', 0x21, 0x00});
  const auto header = ParsePageHeader(bytes);
  ASSERT_TRUE(header.has_value() && header->has_value());
  const auto& statistics = (*header)->statistics;
  ASSERT_TRUE(statistics.has_value());
  EXPECT_EQ(statistics->null_count, 2);
  EXPECT_EQ(statistics->max_value, "zz");
  EXPECT_EQ(statistics->is_max_value_exact, true);
  EXPECT_FALSE(statistics->min_value.has_value());
  EXPECT_FALSE(statistics->distinct_count.has_value());
  const auto* view = reinterpret_cast<const uint8_t*>(statistics->max_value->data());
  EXPECT_TRUE(view > bytes.data() && view < bytes.data() + bytes.size());
}

TEST(PageHeader, EveryPrefixAsksForMore) {
  const Bytes bytes = DataPageV2({0x11, 0x1c, 0x36, 0x04, 0x28, 0x02, 'z', 'z', 0x21, 0x00});
  for (size_t length = 0; length < bytes.size(); ++length) {
    const auto header = ParsePageHeader(std::span(bytes).first(length));
    ASSERT_TRUE(header.has_value()) << length << header.error().ToString();
    EXPECT_FALSE(header->has_value()) << length;
  }
}

TEST(PageHeader, UnknownAndMistypedFieldsAreSteppedOver) {
  Bytes bytes = DataPageV1();
  bytes.pop_back();
  // Field 4, the CRC, as a binary and by its long id; then fields 5 to 9: field 7 as an i32, and
  // field 9 a list of two structs { 1: map<i32, binary> of one or no entry, 2: false, 3: double }.
  const Bytes more = {0x08, 0x08, 0x01, 'x',  0x35, 0x02, 0x29, 0x2c,                    //
                      0x1b, 0x01, 0x58, 0x02, 0x01, 'a',  0x12, 0x17,                    //
                      1,    2,    3,    4,    5,    6,    7,    8,    0x00,              //
                      0x1b, 0x00, 0x12, 0x17, 1,    2,    3,    4,    5,    6, 7, 8, 0,  //
                      0x00};
  bytes.insert(bytes.end(), more.begin(), more.end());
  const auto header = ParsePageHeader(bytes);
  ASSERT_TRUE(header.has_value()) << header.error().ToString();
  ASSERT_TRUE(header->has_value());
  EXPECT_FALSE((*header)->crc.has_value());
  EXPECT_EQ((*header)->header_size, static_cast<int32_t>(bytes.size()));
}

TEST(PageHeader, DictionaryPage) {
  // DICTIONARY_PAGE, 20 in 20 bytes, crc -1; { 3 entries, PLAIN, sorted }.
  const Bytes bytes = {0x15, 0x04, 0x15, 0x28, 0x15, 0x28, 0x15, 0x01, 0x3c,
                       0x15, 0x06, 0x15, 0x00, 0x11, 0x00, 0x00, 0xff, 0xff};
  const auto header = ParsePageHeader(bytes);
  ASSERT_TRUE(header.has_value() && header->has_value());
  EXPECT_EQ((*header)->type, PageType::kDictionaryPage);
  EXPECT_EQ((*header)->num_values, 3);
  EXPECT_TRUE((*header)->is_sorted);
  EXPECT_EQ((*header)->crc, 0xffffffffU);
  EXPECT_EQ((*header)->header_size, 16);
}

TEST(PageHeader, NegativeSizesAreRefused) {  // fault B6
  // DICTIONARY_PAGE with uncompressed_page_size -1500000000: zigzag 2999999999.
  const Bytes bytes = {0x15, 0x04, 0x15, 0xff, 0xbb, 0xbf, 0x96, 0x0b, 0x15,
                       0x28, 0x4c, 0x15, 0x06, 0x15, 0x00, 0x00, 0x00};
  const auto header = ParsePageHeader(bytes);
  ASSERT_FALSE(header.has_value());
  EXPECT_EQ(header.error().code(), StatusCode::kCorruption);
  EXPECT_EQ(header.error().message(), "page header: uncompressed size is negative");
}

TEST(PageHeader, RefusesWhatNoHeaderCanBe) {
  struct Case {
    std::string what;
    Bytes bytes;
  };
  Bytes levels_too_long = DataPageV2({});
  levels_too_long[16] = 0x28;  // 20 bytes of definition levels in 12.
  Bytes no_part = {0x15, 0x00, 0x15, 0x28, 0x15, 0x18, 0x00};
  Bytes missing_encoding = {0x15, 0x00, 0x15, 0x28, 0x15, 0x18, 0x2c, 0x15, 0x08, 0x00, 0x00};
  Bytes long_integer = {0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
  for (const Case& test :
       {Case{"nothing in it", {0x00}}, Case{"field type 13", {0x1d}},
        Case{"levels longer than the page", levels_too_long},
        Case{"no struct for its type", no_part}, Case{"no encoding", missing_encoding},
        Case{"integer of eleven bytes", long_integer}}) {
    const auto header = ParsePageHeader(test.bytes);
    ASSERT_FALSE(header.has_value()) << test.what;
    EXPECT_EQ(header.error().code(), StatusCode::kCorruption) << test.what;
  }
}

TEST(PageHeader, LimitsAreResources) {
  // Field 9 is a binary of 2^31 - 1 bytes: more than a header may have, whatever follows.
  const Bytes huge = {0x98, 0xff, 0xff, 0xff, 0xff, 0x07, 'a'};
  const auto header = ParsePageHeader(huge);
  ASSERT_FALSE(header.has_value());
  EXPECT_EQ(header.error().code(), StatusCode::kResourceExhausted);

  const Bytes nested(100'000, 0x1c);  // Structs in structs.
  const auto deep = ParsePageHeader(nested);
  ASSERT_FALSE(deep.has_value());
  EXPECT_EQ(deep.error().code(), StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace sluice
