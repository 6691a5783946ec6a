#include "format/parquet/codec/lz4_sequences.h"

#include <cstring>

namespace sluice::inline v0::parquet {
namespace {

constexpr int64_t kMinMatch = 4;
constexpr int64_t kChunk = 16;
// A sequence of up to 14 literals and a match of up to 18 bytes is copied by fixed amounts: 16
// bytes, then 8, 8 and 2.
constexpr int64_t kShortLiterals = 14;
constexpr int64_t kShortMatch = 14 + kMinMatch;
constexpr int64_t kShortRoom = kChunk + kShortMatch + 8;

// Adds the bytes that extend a length; false when the input ends in them. The sum cannot wrap: the
// input is shorter than 2^31.
bool ExtendLength(const uint8_t** in, const uint8_t* in_end, int64_t* length) {
  uint8_t byte = 255;
  while (byte == 255) {
    if (*in == in_end) return false;
    byte = *(*in)++;
    *length += byte;
  }
  return true;
}

// Chunks may not overlap what they repeat, hence the two sizes of them.
template <int64_t kBytes>
void CopyChunks(uint8_t* out, const uint8_t* from, int64_t length) {
  for (int64_t i = 0; i < length; i += kBytes) std::memcpy(out + i, from + i, kBytes);
}

// `out` has `room` bytes, at least `length`; may write into all of the room.
void CopyLiterals(uint8_t* out, int64_t room, const uint8_t* in, int64_t length) {
  if (room >= length + kChunk && length <= 64) {
    CopyChunks<kChunk>(out, in, length);  // Reads into the padding at most.
  } else {
    std::memcpy(out, in, static_cast<size_t>(length));
  }
}

void CopyMatch(uint8_t* out, int64_t room, int64_t distance, int64_t length) {
  const uint8_t* from = out - distance;
  if (distance >= 8 && room >= length + kChunk) {
    return distance >= kChunk ? CopyChunks<kChunk>(out, from, length)
                              : CopyChunks<8>(out, from, length);
  }
  if (distance == 1) {
    std::memset(out, *from, static_cast<size_t>(length));
    return;
  }
  // Byte by byte: the source may run into the bytes just written, which repeats them.
  for (int64_t i = 0; i < length; ++i) out[i] = from[i];
}

int64_t Distance(const uint8_t* in) {
  uint16_t distance;
  std::memcpy(&distance, in, sizeof(distance));
  return distance;
}

}  // namespace

Lz4Outcome Lz4Sequences::Decode(int64_t target) {
  while (out - begin < target) {
    // The usual sequence, well inside of input and output.
    while (out - begin < target && in_end - in > kShortLiterals + 3 && out_end - out > kShortRoom) {
      const int64_t literals = *in >> 4;
      const int64_t match = (*in & 15) + kMinMatch;
      const int64_t distance = Distance(in + 1 + literals);
      uint8_t* const to = out + literals;
      if (literals > kShortLiterals || match > kShortMatch || distance < 8 ||
          distance > to - begin) {
        break;
      }
      std::memcpy(out, in + 1, kChunk);
      const uint8_t* from = to - distance;
      std::memcpy(to, from, 8);
      std::memcpy(to + 8, from + 8, 8);
      std::memcpy(to + 16, from + 16, 2);
      in += 3 + literals;
      out = to + match;
    }
    if (out - begin >= target) break;
    const Lz4Outcome outcome = DecodeOne();
    if (outcome != Lz4Outcome::kOk) return outcome;
    if (in == in_end) break;
  }
  return Lz4Outcome::kOk;
}

Lz4Outcome Lz4Sequences::DecodeOne() {
  const uint8_t* at = in;
  uint8_t* to = out;
  if (at == in_end) return Lz4Outcome::kCutShort;
  const uint8_t token = *at++;
  int64_t literals = token >> 4;
  if (literals == 15 && !ExtendLength(&at, in_end, &literals)) return Lz4Outcome::kCutShort;
  if (literals > in_end - at) return Lz4Outcome::kCutShort;
  if (literals > out_end - to) return Lz4Outcome::kTooLong;
  CopyLiterals(to, out_end - to, at, literals);
  at += literals;
  to += literals;
  if (at != in_end) {
    if (in_end - at < 2) return Lz4Outcome::kCutShort;
    const int64_t distance = Distance(at);
    at += 2;
    if (distance == 0 || distance > to - begin) return Lz4Outcome::kBadDistance;
    int64_t match = token & 15;
    if (match == 15 && !ExtendLength(&at, in_end, &match)) return Lz4Outcome::kCutShort;
    // A block ends in literals, also where there are none.
    if (at == in_end) return Lz4Outcome::kCutShort;
    match += kMinMatch;
    if (match > out_end - to) return Lz4Outcome::kTooLong;
    CopyMatch(to, out_end - to, distance, match);
    to += match;
  }
  in = at;
  out = to;
  return Lz4Outcome::kOk;
}

}  // namespace sluice::inline v0::parquet
