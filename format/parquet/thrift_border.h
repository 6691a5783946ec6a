#pragma once

// The only door to Apache Thrift: structs from bytes and to bytes, within limits, and every
// exception turned into a Status. No header that others include may include this one.

#include <sluice/parquet/metadata.h>
#include <sluice/status.h>
#include <thrift/TConfiguration.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

// Generated code is not held to our warnings.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "format/parquet/parquet_types.h"
#pragma GCC diagnostic pop

namespace sluice::inline v0::parquet {

/// What the exception that is being handled says.
Status ThriftError(std::string_view where);

/// Reads a generated struct from the front of `bytes`. Strings and containers may claim no more
/// than `bytes` hold. Errors: kCorruption; kResourceExhausted for too deep nesting or no memory.
template <typename T>
Status ReadByThrift(std::span<const uint8_t> bytes, int32_t max_depth, T& value) {
  using apache::thrift::transport::TMemoryBuffer;
  if (bytes.size() > INT32_MAX) {
    return Status::ResourceExhausted("thrift: message is longer than 2^31 bytes");
  }
  const int size = static_cast<int>(bytes.size());
  try {
    const auto configuration =
        std::make_shared<apache::thrift::TConfiguration>(size, size, max_depth);
    const auto transport = std::make_shared<TMemoryBuffer>(const_cast<uint8_t*>(bytes.data()),
                                                           static_cast<uint32_t>(size),
                                                           TMemoryBuffer::OBSERVE, configuration);
    // A limit of 0 would be none.
    const int limit = size == 0 ? 1 : size;
    apache::thrift::protocol::TCompactProtocolT<TMemoryBuffer> protocol(transport, limit, limit);
    value.read(&protocol);
    return Status::Ok();
  } catch (...) {
    return ThriftError("thrift");
  }
}

/// The compact bytes of a generated struct.
template <typename T>
Result<std::string> WriteByThrift(const T& value) {
  using apache::thrift::transport::TMemoryBuffer;
  try {
    const auto transport = std::make_shared<TMemoryBuffer>();
    apache::thrift::protocol::TCompactProtocolT<TMemoryBuffer> protocol(transport);
    value.write(&protocol);
    return transport->getBufferAsString();
  } catch (...) {
    return ThriftError("thrift");
  }
}

}  // namespace sluice::inline v0::parquet
