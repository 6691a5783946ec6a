#include "tools/description_writer.h"

#include "tools/output.h"

namespace sluice::tools {
namespace {

constexpr size_t kMuch = 256 << 10;

}  // namespace

Status DescriptionWriter::Flush(bool all) {
  if (!all && text_.size() < kMuch) return Status::Ok();
  const Status status = WriteOutput(text_);
  text_.clear();
  return status;
}

}  // namespace sluice::tools
