#pragma once

// Pages for the tests of the encodings: a body that arrives in drops, and a driver that takes the
// values of a decoder in every mixture of Read, Skip and Select.

#include <gtest/gtest.h>
#include <sluice/bitmap.h>
#include <sluice/buffer.h>
#include <sluice/status.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "format/parquet/decompressor.h"
#include "format/parquet/encoding/value_decoder.h"
#include "tests/format/parquet/encoding/bytes.h"

namespace sluice::inline v0::parquet::testing {

/// Gives `bytes` out in drops of `drop` bytes, and remembers how many were asked for.
class DrippingDecompressor final : public Decompressor {
 public:
  DrippingDecompressor(Bytes bytes, BufferRef output, int64_t drop)
      : bytes_(std::move(bytes)), output_(std::move(output)), drop_(drop) {}

  Result<int64_t> Advance(int64_t min_output) override {
    const int64_t size = static_cast<int64_t>(bytes_.size());
    const int64_t wanted = std::min(size, (min_output + drop_ - 1) / drop_ * drop_);
    for (; done_ < wanted; ++done_) {
      output_->mutable_data()[done_] = bytes_[static_cast<size_t>(done_)];
    }
    return done_;
  }

 private:
  Bytes bytes_;
  BufferRef output_;
  int64_t drop_;
  int64_t done_ = 0;
};

/// A body of which nothing is there yet; bytes that were not asked for are 0xEE.
inline PageBody DrippingBodyOf(const Bytes& bytes, int64_t drop) {
  static const std::shared_ptr<BufferPool> pool = BufferPool::Make();
  const int64_t size = static_cast<int64_t>(bytes.size());
  BufferRef buffer = pool->Allocate(size).value();
  if (size > 0) std::memset(buffer->mutable_data(), 0xEE, bytes.size());
  return PageBody(buffer, 0, size, 0, std::make_unique<DrippingDecompressor>(bytes, buffer, drop),
                  nullptr);
}

/// A page's bytes and what they hold; booleans are the strings of one byte 0 or 1.
struct PageCase {
  Encoding encoding = Encoding::kPlain;
  PhysicalType type = PhysicalType::kInt32;
  int32_t type_length = 0;
  Bytes bytes;
  std::vector<std::string> values;

  int64_t num_values() const { return static_cast<int64_t>(values.size()); }
};

/// Takes values from a decoder of any kind and gives them as strings.
class ValueTaker {
 public:
  ValueTaker(const PageCase& page, PageBody* body)
      : page_(page), pool_(BufferPool::Make(int64_t{1} << 30)), body_(body) {}

  Status Open() {
    auto decoder = MakeValueDecoder(page_.encoding, page_.type, page_.type_length,
                                    page_.num_values(), body_, pool_.get());
    if (!decoder.has_value()) return decoder.error();
    decoder_ = *std::move(decoder);
    return Status::Ok();
  }

  Status Skip(int64_t count) { return decoder_->Skip(count); }
  Status Read(int64_t count, std::vector<std::string>* out) {
    return TakeValues(count, count, nullptr, out);
  }
  Status Select(int64_t count, const std::vector<uint64_t>& selection,
                std::vector<std::string>* out) {
    return TakeValues(count, CountBits(selection.data(), 0, count), selection.data(), out);
  }

 private:
  Status TakeValues(int64_t count, int64_t selected, const uint64_t* selection,
                    std::vector<std::string>* out) {
    const size_t room = static_cast<size_t>(selected);
    if (page_.type == PhysicalType::kBoolean) {
      // An odd place to begin, with bits before it that must stay.
      constexpr int64_t kBegin = 3;
      std::vector<uint64_t> bits(static_cast<size_t>(BitmapWords(kBegin + selected)) + 8, 0);
      bits[0] = 5;
      Status status = selection ? decoder_->SelectBits(count, selection, bits.data(), kBegin)
                                : decoder_->ReadBits(count, bits.data(), kBegin);
      if (!status.ok()) return status;
      EXPECT_EQ(bits[0] & 7, 5u);
      for (int64_t i = 0; i < selected; ++i) {
        out->push_back(std::string(1, GetBit(bits.data(), kBegin + i) ? '\1' : '\0'));
      }
      return status;
    }
    if (page_.type == PhysicalType::kByteArray) {
      std::vector<StringView> views(room + 4);
      ByteArrayOutput output(views.data(), pool_.get());
      Status status = selection ? decoder_->SelectViews(count, selection, output)
                                : decoder_->ReadViews(count, output);
      if (!status.ok()) return status;
      EXPECT_EQ(output.views() - views.data(), selected);
      for (size_t i = 0; i < room; ++i) out->push_back(StringOf(views[i], output));
      return status;
    }
    const size_t width = static_cast<size_t>(PhysicalWidth(page_.type, page_.type_length));
    std::vector<uint64_t> words((room * width + kReadPadding) / 8 + 1);
    uint8_t* bytes = reinterpret_cast<uint8_t*>(words.data());
    Status status = selection ? decoder_->SelectFixed(count, selection, bytes)
                              : decoder_->ReadFixed(count, bytes);
    if (!status.ok()) return status;
    for (size_t i = 0; i < room; ++i) {
      out->push_back(std::string(reinterpret_cast<char*>(bytes) + i * width, width));
    }
    return status;
  }

  static std::string StringOf(const StringView& view, ByteArrayOutput& output) {
    const size_t length = static_cast<size_t>(view.length);
    if (view.length <= StringView::kInlineLength) {
      for (size_t i = length; i < 12; ++i) EXPECT_EQ(view.inlined[i], 0) << "padding of a view";
      return std::string(view.inlined, length);
    }
    const BufferRef& buffer = output.buffers().at(static_cast<size_t>(view.outside.buffer));
    EXPECT_LE(int64_t{view.outside.offset} + view.length, buffer->size());
    const char* bytes = reinterpret_cast<const char*>(buffer->data()) + view.outside.offset;
    EXPECT_EQ(std::memcmp(bytes, view.outside.prefix, 4), 0);
    return std::string(bytes, length);
  }

  const PageCase& page_;
  std::shared_ptr<BufferPool> pool_;
  PageBody* body_;
  std::unique_ptr<ValueDecoder> decoder_;
};

inline std::vector<uint64_t> RandomSelection(std::mt19937_64& random, int64_t count,
                                             double density) {
  // Bits behind `count` are set on purpose: they must not count.
  std::vector<uint64_t> selection(static_cast<size_t>(BitmapWords(count)) + 1, ~uint64_t{0});
  std::bernoulli_distribution is_selected(density);
  for (int64_t i = 0; i < count; ++i) {
    if (!is_selected(random)) ClearBit(selection.data(), i);
  }
  return selection;
}

/// Reads the page in steps, all at once and in random mixtures of Read, Skip and Select, from
/// bodies that are all there and that drip; the values must always be the page's.
inline void ExpectEveryMixture(const PageCase& page, uint32_t seed = 1) {
  std::mt19937_64 random(seed);
  const int64_t total = page.num_values();
  for (const int64_t step : {int64_t{1}, int64_t{7}, int64_t{1500}, std::max<int64_t>(total, 1)}) {
    if (step == 1 && total > 3000) continue;
    for (const int64_t drop : {int64_t{0}, int64_t{1}, int64_t{5}, int64_t{300}}) {
      for (const bool mixed : {false, true}) {
        PageBody body = drop == 0 ? BodyOf(page.bytes) : DrippingBodyOf(page.bytes, drop);
        ValueTaker taker(page, &body);
        const Status opened = taker.Open();
        ASSERT_TRUE(opened.ok()) << opened.ToString();
        std::vector<std::string> got;
        std::vector<std::string> expected;
        for (int64_t at = 0; at < total;) {
          int64_t count = std::min(step, total - at);
          if (mixed) count = std::min<int64_t>(count, 1 + static_cast<int64_t>(random() % step));
          const auto kind = mixed ? random() % 4 : 0;
          Status status;
          if (kind == 0) {
            status = taker.Read(count, &got);
            for (int64_t i = 0; i < count; ++i) expected.push_back(page.values[at + i]);
          } else if (kind == 1) {
            status = taker.Skip(count);
          } else {
            const double densities[] = {0, 0.02, 0.3, 0.9, 1};
            const auto selection = RandomSelection(random, count, densities[random() % 5]);
            status = taker.Select(count, selection, &got);
            for (int64_t i = 0; i < count; ++i) {
              if (GetBit(selection.data(), i)) expected.push_back(page.values[at + i]);
            }
          }
          ASSERT_TRUE(status.ok()) << status.ToString() << " at value " << at;
          at += count;
        }
        ASSERT_EQ(got.size(), expected.size());
        for (size_t i = 0; i < got.size(); ++i) {
          ASSERT_EQ(got[i], expected[i]) << "value " << i << " step " << step << " drop " << drop;
        }
        EXPECT_EQ(taker.Read(1, &got).code(), StatusCode::kInvalidArgument) << "fault P8";
      }
    }
  }
}

/// Opens and reads the page cut to each shorter length: the values must come, or kCorruption.
inline void ExpectTruncationsAreSafe(const PageCase& page) {
  for (size_t size = 0; size < page.bytes.size(); ++size) {
    PageCase cut = page;
    cut.bytes.resize(size);
    PageBody body = BodyOf(cut.bytes);
    ValueTaker taker(cut, &body);
    Status status = taker.Open();
    std::vector<std::string> got;
    if (status.ok()) status = taker.Read(cut.num_values(), &got);
    if (status.ok()) {
      EXPECT_EQ(got, page.values) << "cut to " << size;
    } else {
      EXPECT_EQ(status.code(), StatusCode::kCorruption) << status.ToString();
    }
  }
}

/// The error of opening the page and reading all of it.
inline Status ReadError(const PageCase& page) {
  PageBody body = BodyOf(page.bytes);
  ValueTaker taker(page, &body);
  Status status = taker.Open();
  std::vector<std::string> got;
  if (status.ok()) status = taker.Read(page.num_values(), &got);
  return status;
}

/// `value` as stored, `width` bytes.
inline std::string Stored(uint64_t value, int width) {
  Bytes bytes;
  AppendInteger(bytes, value, width);
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace sluice::inline v0::parquet::testing
