#pragma once

#include <sluice/buffer.h>
#include <sluice/parquet/metadata.h>
#include <sluice/status.h>

#include <memory>

namespace sluice::support {

/// What ParseFooter does, by Apache Thrift's compact protocol and always everything: its oracle.
Result<std::shared_ptr<parquet::FileMetadata>> ParseFooterByThrift(
    BufferRef bytes, const parquet::MetadataLimits& limits = {});

}  // namespace sluice::support
