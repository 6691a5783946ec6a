#include "format/parquet/compact_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::inline v0::parquet {

// Bytes of the compact protocol:
//   struct  = { field } 00
//   field   = (id delta << 4 | type), or (type) varint(zigzag id) when the delta is not 1..15;
//   value bool    = nothing as a field (its type says it), one byte as an element i16/32/64 =
//   varint(zigzag)      double = 8 bytes      binary = varint(length) bytes list    = (count << 4 |
//   type), or (f0 | type) varint(count) from 15 on; elements map     = varint(count), then unless
//   that is 0: (key type << 4 | value type); keys and values

Status CompactReader::ToStatus(std::string_view where) const {
  if (ok()) return Status::Ok();
  std::string message = fmt::format("{}: {}: byte offset {}", where, what_, failure_position_);
  return failure_ == Failure::kLimit ? Status::ResourceExhausted(std::move(message))
                                     : Status::Corruption(std::move(message));
}

void CompactReader::FailAs(Failure failure, const char* what) {
  if (!ok()) return;
  failure_ = failure;
  what_ = what;
  failure_position_ = position();
  position_ = end_;
}

bool CompactReader::FailForMemory() {
  FailAs(Failure::kLimit, "what it says is larger than the memory budget");
  return false;
}

bool CompactReader::Require(int64_t length) {
  if (length <= remaining()) return true;
  if (length > max_bytes_ - position()) {
    FailAs(Failure::kLimit, "value is longer than it may be");
  } else {
    FailAs(Failure::kTruncated, "bytes end inside a value");
  }
  return false;
}

uint64_t CompactReader::ReadLongVarint() {
  uint64_t value = 0;
  const uint8_t* byte = position_;
  for (int shift = 0; shift < 70; shift += 7) {
    if (byte == end_) {
      FailAs(Failure::kTruncated, "bytes end inside an integer");
      return 0;
    }
    value |= static_cast<uint64_t>(*byte & 0x7f) << shift;
    if (*byte++ < 0x80) {
      position_ = byte;
      return value;
    }
  }
  Fail("integer is longer than ten bytes");
  return 0;
}

void CompactReader::SkipVarint() {
  constexpr int64_t kMaxVarintBytes = 10;
  const uint8_t* byte = position_;
  const uint8_t* stop = position_ + std::min(remaining(), kMaxVarintBytes);
  while (byte != stop && *byte >= 0x80) ++byte;
  if (byte != stop) {
    position_ = byte + 1;
  } else if (stop - position_ == kMaxVarintBytes) {
    Fail("integer is longer than ten bytes");
  } else {
    FailAs(Failure::kTruncated, "bytes end inside an integer");
  }
}

int8_t CompactReader::ReadI8() {
  if (!Require(1)) return 0;
  return static_cast<int8_t>(*position_++);
}

std::string_view CompactReader::ReadBinary() {
  const int32_t length = static_cast<int32_t>(ReadVarint());
  if (length < 0) Fail("length is negative");
  if (!ok() || !Require(length)) return {};
  const std::string_view value(reinterpret_cast<const char*>(position_),
                               static_cast<size_t>(length));
  position_ += length;
  return value;
}

uint32_t CompactReader::BeginList() {
  if (!Require(1)) return 0;
  const uint8_t head = *position_++;
  if (static_cast<CompactType>(head & 0x0f) > CompactType::kStruct) {
    Fail("no such element type");
    return 0;
  }
  int32_t count = head >> 4;
  if (count == 15) count = static_cast<int32_t>(ReadVarint());
  if (count < 0) Fail("count is negative");
  // An element takes a byte at least, so a count cannot make anyone reserve more than the file has.
  if (!ok() || !Require(count)) return 0;
  return static_cast<uint32_t>(count);
}

bool CompactReader::SkipPlain(CompactType type, uint32_t count, bool is_element) {
  switch (type) {
    case CompactType::kTrue:
    case CompactType::kFalse:
      if (is_element) StepOver(count);
      return true;
    case CompactType::kI8:
      StepOver(count);
      return true;
    case CompactType::kDouble:
      StepOver(int64_t{8} * count);
      return true;
    case CompactType::kI16:
    case CompactType::kI32:
    case CompactType::kI64:
      for (uint32_t i = 0; i < count && ok(); ++i) SkipVarint();
      return true;
    case CompactType::kBinary:
      for (uint32_t i = 0; i < count && ok(); ++i) ReadBinary();
      return true;
    case CompactType::kStop:
      if (count != 0) Fail("elements have no type");
      return true;
    default:
      return false;
  }
}

/// Reads the head of a container and puts it on the stack of those being stepped over.
bool CompactReader::Open(CompactType type) {
  if (static_cast<int64_t>(frames_.size()) + depth_ >= max_depth_) {
    FailAs(Failure::kLimit, "values are nested too deep");
    return false;
  }
  Frame frame{type, CompactType::kStop, CompactType::kStop, 0};
  if (type == CompactType::kList || type == CompactType::kSet) {
    if (!Require(1)) return false;
    frame.element = static_cast<CompactType>(*position_ & 0x0f);
    frame.count = BeginList();
  } else if (type == CompactType::kMap) {
    const int32_t count = static_cast<int32_t>(ReadVarint());
    if (count < 0) Fail("count is negative");
    if (!ok() || !Require(int64_t{2} * count + (count != 0 ? 1 : 0))) return false;
    if (count != 0) {
      const uint8_t types = *position_++;
      frame.element = static_cast<CompactType>(types >> 4);
      frame.other = static_cast<CompactType>(types & 0x0f);
      if (frame.element > CompactType::kStruct || frame.other > CompactType::kStruct) {
        Fail("no such element type");
      }
    }
    frame.count = uint64_t{2} * static_cast<uint32_t>(count);
  }
  frames_.push_back(frame);
  return ok();
}

void CompactReader::Skip(CompactType type) {
  if (SkipPlain(type, 1, false)) return;
  frames_.clear();
  Open(type);
  while (!frames_.empty() && ok()) {
    Frame& frame = frames_.back();
    CompactType next = frame.element;
    if (frame.container == CompactType::kStruct) {
      CompactField field;
      bool has_field = ReadField(field);
      while (has_field && SkipPlain(field.type, 1, false)) has_field = ReadField(field);
      if (!has_field) {
        frames_.pop_back();
        continue;
      }
      next = field.type;
    } else {
      if (frame.count == 0) {
        frames_.pop_back();
        continue;
      }
      const bool is_map = frame.container == CompactType::kMap;
      if (is_map && frame.count % 2 != 0) next = frame.other;
      const uint32_t run = is_map ? 1 : static_cast<uint32_t>(frame.count);
      if (SkipPlain(next, run, true)) {
        frame.count -= run;
        continue;
      }
      --frame.count;
    }
    Open(next);  // May move the frames: `frame` ends here.
  }
}

}  // namespace sluice::inline v0::parquet
