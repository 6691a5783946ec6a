// Footers: our parser against Thrift's, and the schema tree over what they give.

#include <sluice/parquet/schema_tree.h>

#include "format/parquet/footer.h"
#include "tests/format/parquet/metadata_text.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/footer_by_thrift.h"

using sluice::support::FuzzCheck;
using sluice::support::FuzzCheckStatus;
using sluice::support::FuzzInput;
namespace parquet = sluice::parquet;

namespace {

/// Our parser keeps these raw, so that only Thrift's sees what is wrong in them; and where an
/// element in them has another type than it should, Thrift's takes it for what it should be and
/// goes on at another byte.
bool HasGeospatialStatistics(const parquet::FileMetadata& footer) {
  for (const parquet::RowGroup& row_group : footer.row_groups) {
    for (const parquet::ColumnChunk& chunk : row_group.columns) {
      if (!chunk.geospatial_statistics.empty()) return true;
    }
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const sluice::BufferRef bytes = FuzzInput(data, size).RestBuffer();
  parquet::FooterOptions options;
  const auto footer = parquet::ParseFooter(bytes, options);
  FuzzCheckStatus(footer.status());
  const auto by_thrift = sluice::support::ParseFooterByThrift(bytes, options.limits);
  FuzzCheckStatus(by_thrift.status());
  if (footer.has_value() != by_thrift.has_value() &&
      HasGeospatialStatistics(footer ? **footer : **by_thrift)) {
    return 0;
  }
  FuzzCheck(footer.has_value() == by_thrift.has_value(), "only one parser takes the footer");
  if (!footer) return 0;
  FuzzCheck(sluice::MetadataText(**footer) == sluice::MetadataText(**by_thrift),
            "the parsers read different things");
  FuzzCheckStatus(parquet::SchemaTree::Make(**footer, options.limits).status());
  options.statistics = false;
  options.columns.emplace();
  if (footer.value()->schema.size() > 2) {
    options.columns->emplace_back(footer.value()->schema[2].name);
  }
  FuzzCheckStatus(parquet::ParseFooter(bytes, options).status());
  return 0;
}
