#include "format/parquet/thrift_border.h"

#include <fmt/format.h>

#include <new>

namespace sluice::inline v0::parquet {

Status ThriftError(std::string_view where) {
  using apache::thrift::protocol::TProtocolException;
  try {
    throw;
  } catch (const TProtocolException& exception) {
    std::string message = fmt::format("{}: {}", where, exception.what());
    if (exception.getType() == TProtocolException::DEPTH_LIMIT) {
      return Status::ResourceExhausted(std::move(message));
    }
    return Status::Corruption(std::move(message));
  } catch (const std::bad_alloc&) {
    return Status::ResourceExhausted(fmt::format("{}: no memory", where));
  } catch (const std::exception& exception) {
    return Status::Corruption(fmt::format("{}: {}", where, exception.what()));
  } catch (...) {
    return Status::Corruption(fmt::format("{}: unknown exception", where));
  }
}

}  // namespace sluice::inline v0::parquet
