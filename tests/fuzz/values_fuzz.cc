// One value encoding, chosen by SLUICE_FUZZ_ENCODING:
// | type | type length | number of values, 2 bytes | pattern | page body |
// Read in one go, and by a pattern of reads, skips and selections, which must agree.

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "format/parquet/encoding/value_decoder.h"
#include "tests/fuzz/fuzz_input.h"

namespace sluice::support {
namespace {

using parquet::ByteArrayOutput;
using parquet::PhysicalType;
using parquet::ValueDecoder;

constexpr int64_t kMostValues = 4096;

struct Page {
  PhysicalType type;
  int32_t type_length;
  int64_t num_values;
  BufferRef bytes;
  std::shared_ptr<BufferPool> pool = BufferPool::Make(64 << 20);
};

/// Takes `count` values: all, or those of `selection`; each as a string of its bytes.
Status Take(ValueDecoder& decoder, const Page& page, int64_t count, const uint64_t* selection,
            std::vector<std::string>& values) {
  int64_t wanted = count;
  if (selection != nullptr) wanted = CountBits(selection, 0, count);
  const auto room = static_cast<size_t>(count);
  if (page.type == PhysicalType::kBoolean) {
    std::vector<uint64_t> bits(room / 64 + 2, 0);
    const Status status = selection != nullptr
                              ? decoder.SelectBits(count, selection, bits.data(), 3)
                              : decoder.ReadBits(count, bits.data(), 3);
    for (int64_t i = 0; status.ok() && i < wanted; ++i) {
      values.push_back(GetBit(bits.data(), i + 3) ? "1" : "0");
    }
    return status;
  }
  if (page.type == PhysicalType::kByteArray) {
    std::vector<StringView> views(room + 4);
    ByteArrayOutput out(views.data(), page.pool.get());
    const Status status = selection != nullptr ? decoder.SelectViews(count, selection, out)
                                               : decoder.ReadViews(count, out);
    if (!status.ok()) return status;
    FuzzCheck(out.views() == views.data() + wanted, "views appended");
    Column column;
    column.form = ColumnForm::kView;
    column.length = wanted;
    column.view_buffers = out.buffers();
    column.data = WrapBytes(reinterpret_cast<const uint8_t*>(views.data()), wanted * 16, nullptr);
    column.type = std::make_shared<DataType>(DataType::Of(TypeId::kBinary));
    const Status valid = ValidateColumn(column);
    FuzzCheck(valid.ok(), valid.ToString());
    for (int64_t i = 0; i < wanted; ++i) values.emplace_back(column.Bytes(i));
    return status;
  }
  const auto width = static_cast<size_t>(parquet::PhysicalWidth(page.type, page.type_length));
  std::vector<uint8_t> out(room * width + kReadPadding);
  const Status status = selection != nullptr ? decoder.SelectFixed(count, selection, out.data())
                                             : decoder.ReadFixed(count, out.data());
  for (size_t i = 0; status.ok() && i < static_cast<size_t>(wanted); ++i) {
    values.emplace_back(reinterpret_cast<const char*>(out.data()) + i * width, width);
  }
  return status;
}

Result<std::unique_ptr<ValueDecoder>> Open(const Page& page, parquet::PageBody& body) {
  return parquet::MakeValueDecoder(SLUICE_FUZZ_ENCODING, page.type, page.type_length,
                                   page.num_values, &body, page.pool.get());
}

void Run(FuzzInput& in) {
  Page page;
  page.type = static_cast<PhysicalType>(in.Byte() % 8);
  page.type_length = in.Byte() % 40;
  page.num_values = in.Short() % kMostValues;
  uint64_t pattern = in.Byte() * 0x9e3779b97f4a7c15U + 1;
  page.bytes = in.RestBuffer();
  parquet::PageBody body(page.bytes, 0, page.bytes->size());
  const auto whole = Open(page, body);
  FuzzCheckStatus(whole.status());
  if (!whole) return;
  std::vector<std::string> all;
  const Status status = Take(**whole, page, page.num_values, nullptr, all);
  FuzzCheckStatus(status);
  const auto pieces = Open(page, body).value();
  for (int64_t done = 0; done < page.num_values;) {
    pattern = pattern * 6364136223846793005U + 1442695040888963407U;
    const int64_t step =
        std::min<int64_t>(page.num_values - done, 1 + static_cast<int64_t>(pattern >> 57));
    const uint64_t words[3] = {pattern, pattern * 3, pattern * 5};
    const auto kind = pattern >> 40 & 3;
    std::vector<std::string> values;
    const Status piece = kind == 0 ? pieces->Skip(step)
                                   : Take(*pieces, page, step, kind == 1 ? nullptr : words, values);
    FuzzCheckStatus(piece);
    FuzzCheck(piece.ok() || !status.ok(), "only the pieces are corrupt: " + piece.ToString());
    if (!piece.ok()) return;
    size_t next = 0;
    for (int64_t i = 0; status.ok() && kind != 0 && i < step; ++i) {
      if (kind != 1 && (words[i / 64] >> (i % 64) & 1) == 0) continue;
      FuzzCheck(values[next++] == all[static_cast<size_t>(done + i)], "values differ");
    }
    done += step;
  }
}

}  // namespace
}  // namespace sluice::support

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  sluice::support::FuzzInput in(data, size);
  sluice::support::Run(in);
  return 0;
}
