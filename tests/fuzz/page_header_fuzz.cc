#include "format/parquet/page_header.h"
#include "tests/fuzz/fuzz_input.h"

using sluice::support::FuzzCheck;
using sluice::support::FuzzCheckStatus;
using sluice::support::FuzzInput;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const sluice::BufferRef bytes = FuzzInput(data, size).RestBuffer();
  const auto whole = sluice::parquet::ParsePageHeader(bytes->span());
  FuzzCheckStatus(whole.status());
  if (!whole || !*whole) return 0;
  const auto header_size = static_cast<size_t>((*whole)->header_size);
  FuzzCheck(header_size <= size, "the header is longer than its bytes");
  // With a byte less it is cut short, which is neither a header nor an error.
  const auto cut = sluice::parquet::ParsePageHeader(bytes->span().first(header_size - 1));
  FuzzCheck(cut.has_value() && !cut->has_value(), "a header that is cut short was not seen to be");
  return 0;
}
