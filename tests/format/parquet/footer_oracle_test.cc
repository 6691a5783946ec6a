// Our footer parser against Thrift's: on every file of the corpus, and on seeded mutations of their
// footers, both accept and give the same, or both refuse.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "format/parquet/footer.h"
#include "tests/format/parquet/metadata_text.h"
#include "tests/support/corpus.h"
#include "tests/support/file_builder.h"
#include "tests/support/footer_by_thrift.h"

namespace sluice {
namespace {

using parquet::ParseFooter;
using support::ParseFooterByThrift;

BufferRef BufferOf(std::string bytes) {
  const auto owner = std::make_shared<std::string>(std::move(bytes));
  const int64_t size = static_cast<int64_t>(owner->size());
  owner->append(kReadPadding, '\0');
  return WrapBytes(reinterpret_cast<const uint8_t*>(owner->data()), size, owner);
}

/// The footer's Thrift bytes; empty where the file has none in the clear.
std::string FooterOf(const std::string& file) {
  if (file.size() < 12 || !file.ends_with("PAR1")) return {};
  uint32_t length = 0;
  std::memcpy(&length, file.data() + file.size() - 8, sizeof(length));
  if (length > file.size() - 12) return {};
  return file.substr(file.size() - 8 - length, length);
}

/// Says what differs; nothing when the parsers agree.
std::string Difference(const std::string& footer) {
  const auto ours = ParseFooter(BufferOf(footer));
  const auto theirs = ParseFooterByThrift(BufferOf(footer));
  if (ours.has_value() != theirs.has_value()) {
    return "ours: " + ours.status().ToString() + ", Thrift's: " + theirs.status().ToString();
  }
  if (!ours.has_value()) return {};
  const std::string our_text = MetadataText(**ours);
  const std::string their_text = MetadataText(**theirs);
  if (our_text == their_text) return {};
  const auto [at, other] =
      std::mismatch(our_text.begin(), our_text.end(), their_text.begin(), their_text.end());
  return "differs at: " + std::string(at, our_text.end()).substr(0, 60);
}

std::string Mutated(const std::string& footer, std::mt19937_64& random) {
  std::string bytes = footer;
  const auto below = [&](size_t bound) { return static_cast<size_t>(random() % bound); };
  const size_t edits = 1 + below(3);
  for (size_t i = 0; i < edits && !bytes.empty(); ++i) {
    const size_t at = below(bytes.size());
    switch (below(6)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        bytes[at] = static_cast<char>(random());
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3:
        bytes.insert(at, 1 + below(4), static_cast<char>(random()));
        break;
      case 4:
        bytes.erase(at, 1 + below(8));
        break;
      default: {
        const size_t from = below(bytes.size());
        bytes.insert(at, bytes.substr(from, 1 + below(32)));
        break;
      }
    }
  }
  return bytes;
}

/// A footer in which every field that we know is set.
std::string FullFooter() {
  using support::ThriftCompactBuilder;
  support::FileSpec file = support::OneRowGroup(
      {support::Required("a", parquet::PhysicalType::kInt32)}, 1,
      {support::Chunk({support::DataPage(parquet::Encoding::kPlain, 1, std::string(4, '\1'))})});
  file.schema[0].logical_type = support::LogicalDecimal(9, 2);
  file.schema[0].field_id = 7;
  file.key_values = {{"key", "value"}, {"other", ""}};
  file.row_groups[0].chunks[0].statistics = ThriftCompactBuilder()
                                                .Binary(1, "max")
                                                .Binary(2, "min")
                                                .I64(3, 1)
                                                .I64(4, 2)
                                                .Binary(5, "max_value")
                                                .Binary(6, "min_value")
                                                .Bool(7, true)
                                                .Bool(8, false)
                                                .I64(9, 3)
                                                .Finish();
  file.row_groups[0].chunks[0].with_offset_index = true;
  return FooterOf(support::BuildFile(file).bytes);
}

TEST(FooterOracle, EveryCorpusFile) {
  const std::vector<support::CorpusFile> files = support::CorpusFiles();
  if (files.empty()) GTEST_SKIP() << "no corpus";
  int parsed = 0;
  for (const support::CorpusFile& file : files) {
    const std::string footer = FooterOf(support::ReadWholeFile(file.path));
    if (footer.empty()) continue;
    EXPECT_EQ(Difference(footer), "") << file.name;
    const auto metadata = ParseFooter(BufferOf(footer));
    if (file.category == "ok") {
      EXPECT_TRUE(metadata.has_value()) << file.name << metadata.status().ToString();
    }
    parsed += metadata.has_value();
  }
  EXPECT_GT(parsed, 100);
}

TEST(FooterOracle, MutatedCorpusFooters) {
  const std::vector<support::CorpusFile> files = support::CorpusFiles();
  if (files.empty()) GTEST_SKIP() << "no corpus";
  std::mt19937_64 random(1);
  for (const support::CorpusFile& file : files) {
    if (file.size > 1'000'000) continue;
    const std::string footer = FooterOf(support::ReadWholeFile(file.path));
    if (footer.empty() || footer.size() > 8192) continue;
    for (int i = 0; i < 40; ++i) {
      const std::string bytes = Mutated(footer, random);
      ASSERT_EQ(Difference(bytes), "") << file.name << " mutation " << i;
    }
  }
}

TEST(FooterOracle, MutatedFullFooter) {
  const std::string footer = FullFooter();
  ASSERT_EQ(Difference(footer), "");
  ASSERT_TRUE(ParseFooter(BufferOf(footer)).has_value());
  std::mt19937_64 random(2);
  for (int i = 0; i < 20'000; ++i) {
    ASSERT_EQ(Difference(Mutated(footer, random)), "") << "mutation " << i;
  }
}

TEST(FooterOracle, EveryPrefixIsRefused) {
  const std::string footer = FullFooter();
  for (size_t length = 0; length < footer.size(); ++length) {
    const auto ours = ParseFooter(BufferOf(footer.substr(0, length)));
    ASSERT_FALSE(ours.has_value()) << length;
    EXPECT_EQ(ours.error().code(), StatusCode::kCorruption);
    EXPECT_FALSE(ParseFooterByThrift(BufferOf(footer.substr(0, length))).has_value());
  }
}

}  // namespace
}  // namespace sluice
