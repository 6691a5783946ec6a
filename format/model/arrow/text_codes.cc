#include "format/model/arrow/text_codes.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "format/model/flatten.h"
#include "format/model/try.h"

namespace sluice::inline v0::arrow {

namespace {

constexpr int32_t kFree = -1;

/// The codes of strings, by open addressing: twice as many places as rows, each with a code.
class CodeTable {
 public:
  static Result<CodeTable> Make(const Column& views, BufferPool& pool) {
    CodeTable table(views);
    const auto places =
        std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(views.length, 8)) * 2);
    const auto bytes = static_cast<int64_t>(places * sizeof(int32_t));
    SLUICE_TRY(table.places_, pool.Allocate(bytes));
    std::memset(table.places_->mutable_data(), 0xff, static_cast<size_t>(bytes));
    SLUICE_TRY(table.first_rows_, pool.Allocate(views.length * int64_t{sizeof(int32_t)}));
    table.mask_ = places - 1;
    return table;
  }

  /// The code of the string in row `row`, which is not null.
  int32_t CodeOf(int64_t row) {
    const std::string_view bytes = views_.Bytes(row);
    auto* places = places_->mutable_as<int32_t>();
    auto* first_rows = first_rows_->mutable_as<int32_t>();
    for (uint64_t place = XXH3_64bits(bytes.data(), bytes.size());; ++place) {
      int32_t& code = places[place & mask_];
      if (code != kFree && views_.Bytes(first_rows[code]) != bytes) continue;
      if (code == kFree) {
        code = size_++;
        first_rows[code] = static_cast<int32_t>(row);
      }
      return code;
    }
  }

  int32_t size() const { return size_; }
  const int32_t* first_rows() const { return first_rows_->as<int32_t>(); }

 private:
  explicit CodeTable(const Column& views) : views_(views) {}

  const Column& views_;
  BufferRef places_;
  BufferRef first_rows_;  ///< An int32 a code: where its string occurs first.
  uint64_t mask_ = 0;
  int32_t size_ = 0;
};

}  // namespace

Result<TextCodes> EncodeText(const Column& views, BufferPool& pool) {
  if (views.length > INT32_MAX) {
    return Status::ResourceExhausted(
        fmt::format("{} rows in one batch are more than codes can count", views.length));
  }
  TextCodes encoded;
  SLUICE_TRY(CodeTable table, CodeTable::Make(views, pool));
  SLUICE_TRY(encoded.codes, pool.Allocate(views.length * int64_t{sizeof(int32_t)}));
  auto* codes = encoded.codes->mutable_as<int32_t>();
  for (int64_t row = 0; row < views.length; ++row) {
    codes[row] = views.IsNull(row) ? 0 : table.CodeOf(row);
  }
  SLUICE_TRY(encoded.entries, TakeRows(views, table.first_rows(), table.size(), pool));
  return encoded;
}

}  // namespace sluice::inline v0::arrow
