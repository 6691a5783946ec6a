// Footers of 10 to 100 000 columns: our parser, ours without statistics, ours for one leaf of all,
// and Thrift's generated code with the conversion to the same plain structs.

#include <benchmark/benchmark.h>
#include <sluice/parquet/schema_tree.h>

#include <memory>
#include <string>

#include "format/parquet/footer.h"
#include "format/parquet/metadata_writer.h"
#include "format/parquet/page_header.h"
#include "tests/support/footer_by_thrift.h"

namespace sluice {
namespace {

using namespace parquet;

/// A footer of one row group whose columns have what a common writer gives them.
BufferRef FooterOf(int64_t num_columns) {
  FileMetadata metadata;
  metadata.version = 2;
  metadata.created_by = "sluice bench";
  std::vector<std::string> names;
  for (int64_t i = 0; i < num_columns; ++i) names.push_back("column_" + std::to_string(i));
  SchemaElement root;
  root.name = "schema";
  root.num_children = static_cast<int32_t>(num_columns);
  metadata.schema.push_back(root);
  RowGroup& row_group = metadata.row_groups.emplace_back();
  row_group.num_rows = 1'000'000;
  int64_t offset = 4;
  for (const std::string& name : names) {
    SchemaElement& element = metadata.schema.emplace_back();
    element.name = name;
    element.type = PhysicalType::kInt64;
    element.repetition = Repetition::kOptional;
    ColumnChunk& chunk = row_group.columns.emplace_back();
    chunk.type = PhysicalType::kInt64;
    chunk.codec = Codec::kZstd;
    chunk.num_values = 1'000'000;
    chunk.total_uncompressed_size = 8'000'000;
    chunk.total_compressed_size = 3'000'000;
    chunk.dictionary_page_offset = offset;
    chunk.data_page_offset = offset + 5000;
    offset += 3'000'000;
    chunk.encodings = {Encoding::kPlain, Encoding::kRle, Encoding::kRleDictionary};
    chunk.path_in_schema = {name};
    chunk.encoding_stats = {{PageType::kDictionaryPage, Encoding::kPlain, 1},
                            {PageType::kDataPage, Encoding::kRleDictionary, 20}};
    Statistics& statistics = chunk.statistics.emplace();
    statistics.min_value = "\1\0\0\0\0\0\0\0";
    statistics.max_value = "\1\0\0\0\0\0\0\1";
    statistics.null_count = 17;
    chunk.column_index = ByteRange{offset, 300};
    chunk.offset_index = ByteRange{offset, 200};
    metadata.column_orders.push_back(ColumnOrder::kTypeDefined);
  }
  const auto bytes = std::make_shared<std::string>(*SerializeFooter(metadata));
  const auto size = static_cast<int64_t>(bytes->size());
  bytes->append(kReadPadding, '\0');
  return WrapBytes(reinterpret_cast<const uint8_t*>(bytes->data()), size, bytes);
}

template <typename Parse>
void RunParse(benchmark::State& state, Parse&& parse) {
  const BufferRef bytes = FooterOf(state.range(0));
  for (auto _ : state) {
    auto metadata = parse(bytes);
    if (!metadata.has_value()) state.SkipWithError("the footer was refused");
    benchmark::DoNotOptimize(metadata);
  }
  state.SetBytesProcessed(state.iterations() * bytes->size());
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void FooterOurs(benchmark::State& state) {
  RunParse(state, [](const BufferRef& bytes) { return ParseFooter(bytes); });
}

void FooterWithoutStatistics(benchmark::State& state) {
  RunParse(state, [](const BufferRef& bytes) {
    FooterOptions options;
    options.statistics = false;
    return ParseFooter(bytes, options);
  });
}

void FooterOneLeaf(benchmark::State& state) {
  FooterOptions options;
  options.statistics = false;
  options.columns = {"column_0"};
  RunParse(state, [&](const BufferRef& bytes) { return ParseFooter(bytes, options); });
}

void FooterByThrift(benchmark::State& state) {
  RunParse(state, [](const BufferRef& bytes) { return support::ParseFooterByThrift(bytes); });
}

void MakeSchemaTree(benchmark::State& state) {
  const auto metadata = *ParseFooter(FooterOf(state.range(0)));
  for (auto _ : state) {
    auto tree = SchemaTree::Make(*metadata, {});
    benchmark::DoNotOptimize(tree);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void PageHeaderOurs(benchmark::State& state) {
  PageHeader header;
  header.uncompressed_size = 1 << 20;
  header.compressed_size = 300'000;
  header.crc = 0x12345678;
  header.num_values = 20'000;
  header.encoding = Encoding::kRleDictionary;
  const std::string bytes = *SerializePageHeader(header);
  for (auto _ : state) {
    auto parsed = ParsePageHeader({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
    benchmark::DoNotOptimize(parsed);
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(FooterOurs)->Arg(10)->Arg(1000)->Arg(10'000)->Arg(100'000);
BENCHMARK(FooterWithoutStatistics)->Arg(10)->Arg(1000)->Arg(10'000)->Arg(100'000);
BENCHMARK(FooterOneLeaf)->Arg(10)->Arg(1000)->Arg(10'000)->Arg(100'000);
BENCHMARK(FooterByThrift)->Arg(10)->Arg(1000)->Arg(10'000)->Arg(100'000);
BENCHMARK(MakeSchemaTree)->Arg(10)->Arg(1000)->Arg(10'000)->Arg(100'000);
BENCHMARK(PageHeaderOurs);

}  // namespace
}  // namespace sluice

BENCHMARK_MAIN();
