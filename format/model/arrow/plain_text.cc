#include "format/model/arrow/plain_text.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <string_view>

#include "format/model/try.h"

namespace sluice::inline v0::arrow {

template <typename Offset>
Result<PlainText> MakePlainText(const Column& views, BufferPool& pool) {
  PlainText text;
  SLUICE_TRY(text.offsets, pool.Allocate((views.length + 1) * int64_t{sizeof(Offset)}));
  auto* offsets = text.offsets->mutable_as<Offset>();
  // At most 2^31 bytes of each row: no sum of a batch's rows leaves 64 bits.
  int64_t size = 0;
  offsets[0] = 0;
  for (int64_t row = 0; row < views.length; ++row) {
    if (!views.IsNull(row)) size += views.values<StringView>()[row].length;
    offsets[row + 1] = static_cast<Offset>(size);
  }
  if (size > std::numeric_limits<Offset>::max()) {
    return Status::ResourceExhausted(
        fmt::format("{} bytes of text in one batch are more than 32-bit offsets can count", size));
  }
  SLUICE_TRY(text.bytes, pool.Allocate(size));
  uint8_t* end = text.bytes->mutable_data();
  for (int64_t row = 0; row < views.length; ++row) {
    if (views.IsNull(row)) continue;
    const std::string_view bytes = views.Bytes(row);
    if (!bytes.empty()) std::memcpy(end, bytes.data(), bytes.size());
    end += bytes.size();
  }
  return text;
}

template Result<PlainText> MakePlainText<int32_t>(const Column& views, BufferPool& pool);
template Result<PlainText> MakePlainText<int64_t>(const Column& views, BufferPool& pool);

}  // namespace sluice::inline v0::arrow
