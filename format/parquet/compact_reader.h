#pragma once

// A cursor over bytes in Apache Thrift's compact protocol, for everything of Parquet that is Thrift
// and comes from a file: footer, page headers, page index, bloom filter headers.
//
// It is used in place of Thrift's generated readers because those copy every string, cannot step
// over what a scan does not want, and throw where the input merely ends early, which is the usual
// case of a page header at the end of a fetched range. The generated readers are the oracle of the
// tests; what they tolerate (a known field of another type is stepped over, the declared element
// type of a list is not looked at, the bits of an integer beyond its width are dropped) this one
// tolerates too.

#include <sluice/status.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "format/model/counted_memory.h"

namespace sluice::inline v0::parquet {

/// The type codes of the compact protocol.
enum class CompactType : uint8_t {
  kStop = 0,
  kTrue = 1,
  kFalse = 2,
  kI8 = 3,
  kI16 = 4,
  kI32 = 5,
  kI64 = 6,
  kDouble = 7,
  kBinary = 8,
  kList = 9,
  kSet = 10,
  kMap = 11,
  kStruct = 12,
};

/// The header of a field: which it is, and how its value is stored.
struct CompactField {
  int16_t id = 0;
  CompactType type = CompactType::kStop;

  bool Is(CompactType wanted) const { return type == wanted; }
  bool IsBool() const { return type == CompactType::kTrue || type == CompactType::kFalse; }
};

/// Ids of fields, 1 to 63.
struct CompactFieldSet {
  constexpr CompactFieldSet(std::initializer_list<int> ids) {
    for (const int id : ids) bits |= uint64_t{1} << id;
  }
  uint64_t bits = 0;
};

/// The first failure sticks: every later read returns a zero or nothing, and loops over fields and
/// elements end. It is asked for once, at the end.
///
/// Threads: confined. Lifetime: views point into the bytes that it was made over.
/// Source: thrift-compact-protocol.md of apache/thrift.
class CompactReader {
 public:
  enum class Failure : uint8_t {
    kNone,
    kTruncated,  ///< The bytes end inside the value.
    kCorrupt,    ///< No such value can be.
    kLimit,      ///< Nested too deep, or longer than may be.
  };

  /// `max_bytes` is what the value may take at most, also where `bytes` are fewer: a value that
  /// says it is longer is a kLimit, not a kTruncated.
  CompactReader(std::span<const uint8_t> bytes, int32_t max_depth, int64_t max_bytes = INT64_MAX)
      : begin_(bytes.data()),
        position_(bytes.data()),
        end_(bytes.data() + bytes.size()),
        max_depth_(max_depth),
        max_bytes_(max_bytes) {}

  bool ok() const { return failure_ == Failure::kNone; }
  Failure failure() const { return failure_; }
  /// The first failure as an error: kResourceExhausted for a limit, else kCorruption.
  Status ToStatus(std::string_view where) const;
  /// Marks the bytes as wrong. `what` must be static text.
  void Fail(const char* what) { FailAs(Failure::kCorrupt, what); }

  /// Counts what MakeRoom takes from now on in `memory`, which must outlive this.
  void CountIn(CountedMemory* memory) { memory_ = memory; }
  /// Makes room in a vector for `added` more elements, or fails as a kLimit where the memory that
  /// it is counted in has none: what a file says must not grow beyond a budget, and much of it is
  /// many times larger once it is parsed.
  template <typename T>
  bool MakeRoom(std::vector<T>& elements, size_t added) {
    if (added <= elements.capacity() - elements.size() || memory_ == nullptr) return ok();
    return memory_->Extend(elements, added).ok() ? ok() : FailForMemory();
  }
  /// Counts memory of another kind, or fails likewise.
  bool Count(int64_t bytes) {
    return memory_ == nullptr || memory_->Add(bytes).ok() ? ok() : FailForMemory();
  }

  int64_t position() const { return position_ - begin_; }
  int64_t remaining() const { return end_ - position_; }
  const uint8_t* cursor() const { return position_; }

  /// Reads a struct: calls `on_field(CompactField)` for each field, which reads the value and
  /// returns true, or returns false to have it stepped over. Fails with the static text `lacking`
  /// when one of the `required` fields was not read.
  template <typename OnField>
  void ReadStruct(CompactFieldSet required, const char* lacking, OnField&& on_field) {
    if (++depth_ > max_depth_) FailAs(Failure::kLimit, "structs are nested too deep");
    uint64_t seen = 0;
    CompactField field;
    while (ReadField(field)) {
      if (on_field(static_cast<const CompactField&>(field))) {
        seen |= uint64_t{1} << (field.id & 63);
      } else {
        Skip(field.type);
      }
    }
    --depth_;
    if ((seen & required.bits) != required.bits) Fail(lacking);
  }
  template <typename OnField>
  void ReadStruct(OnField&& on_field) {
    ReadStruct({}, "", on_field);
  }

  /// Reads a list: calls `on_element()` for each element, which reads it.
  template <typename OnElement>
  void ReadList(OnElement&& on_element) {
    const uint32_t count = BeginList();
    for (uint32_t i = 0; i < count && ok(); ++i) on_element();
  }

  /// Reads a list into `elements`, which it makes room for: calls `read(element)` for each.
  /// `reserved`: how many of them at most there is room for before the first is read.
  template <typename T, typename Read>
  void ReadListInto(std::vector<T>& elements, int64_t reserved, Read&& read) {
    const uint32_t count = BeginList();
    elements.clear();
    MakeRoom(elements, static_cast<size_t>(std::min(int64_t{count}, reserved)));
    for (uint32_t i = 0; i < count && ok(); ++i) {
      if (elements.size() == elements.capacity() && !MakeRoom(elements, 1)) break;
      read(elements.emplace_back());
    }
  }

  /// The header of a list, for callers that reserve: the number of elements, each of which takes
  /// one byte at least; checked against the bytes that are left.
  uint32_t BeginList();

  int8_t ReadI8();
  int16_t ReadI16() { return static_cast<int16_t>(ReadI32()); }
  int32_t ReadI32() {
    const uint32_t raw = static_cast<uint32_t>(ReadVarint());
    return static_cast<int32_t>((raw >> 1) ^ (0U - (raw & 1)));
  }
  int64_t ReadI64() {
    const uint64_t raw = ReadVarint();
    return static_cast<int64_t>((raw >> 1) ^ (uint64_t{0} - (raw & 1)));
  }
  /// An element of a list of bool: 1 is true, 2 and (of some writers) 0 are false.
  bool ReadBoolElement() { return ReadI8() == 1; }
  std::string_view ReadBinary();

  /// Reads the value of a field, when it is stored as `value` is; else says false, and it is to be
  /// stepped over.
  bool Read(const CompactField& field, bool& value) {
    if (!field.IsBool()) return false;
    value = field.Is(CompactType::kTrue);
    return true;
  }
  bool Read(const CompactField& field, int16_t& value) {
    if (!field.Is(CompactType::kI16)) return false;
    value = ReadI16();
    return true;
  }
  bool Read(const CompactField& field, int32_t& value) {
    if (!field.Is(CompactType::kI32)) return false;
    value = ReadI32();
    return true;
  }
  bool Read(const CompactField& field, int64_t& value) {
    if (!field.Is(CompactType::kI64)) return false;
    value = ReadI64();
    return true;
  }
  bool Read(const CompactField& field, std::string_view& value) {
    if (!field.Is(CompactType::kBinary)) return false;
    value = ReadBinary();
    return true;
  }
  bool Read(const CompactField& field, std::vector<int64_t>& values) {
    if (!field.Is(CompactType::kList)) return false;
    const uint32_t count = BeginList();
    values.clear();
    if (!MakeRoom(values, count)) return true;
    values.reserve(count);
    for (uint32_t i = 0; i < count && ok(); ++i) values.push_back(ReadI64());
    return true;
  }
  /// An enumeration that keeps ids it has no name for.
  template <typename Enum>
  requires std::is_same_v<std::underlying_type_t<Enum>, int32_t>
  bool Read(const CompactField& field, Enum& value) {
    if (!field.Is(CompactType::kI32)) return false;
    value = static_cast<Enum>(ReadI32());
    return true;
  }
  template <typename T>
  bool Read(const CompactField& field, std::optional<T>& value) {
    T read{};
    if (!Read(field, read)) return false;
    value = read;
    return true;
  }

  /// Steps over a value, without recursion: nesting costs depth, never stack (fault F1).
  void Skip(CompactType type);

 private:
  /// False at the end of the struct, or on a failure.
  bool ReadField(CompactField& field) {
    if (position_ == end_) {
      FailAs(Failure::kTruncated, "bytes end inside a struct");
      return false;
    }
    const uint8_t head = *position_;
    field.type = static_cast<CompactType>(head & 0x0f);
    if (field.type == CompactType::kStop) {
      ++position_;
      return false;
    }
    if (field.type > CompactType::kStruct) {
      Fail("no such field type");
      return false;
    }
    ++position_;
    const int delta = head >> 4;
    // Ids wrap, as the 16-bit arithmetic of other readers does; no known id is met that way twice.
    field.id = delta != 0 ? static_cast<int16_t>(field.id + delta) : ReadI16();
    return ok();
  }

  uint64_t ReadVarint() {
    if (position_ != end_ && *position_ < 0x80) return *position_++;
    return ReadLongVarint();
  }
  uint64_t ReadLongVarint();
  void SkipVarint();

  /// Checks that `length` more bytes are there.
  bool Require(int64_t length);
  void StepOver(int64_t length) {
    if (Require(length)) position_ += length;
  }
  /// Steps over `count` values of a type without parts; false for one with parts.
  bool SkipPlain(CompactType type, uint32_t count, bool is_element);
  bool Open(CompactType type);

  void FailAs(Failure failure, const char* what);
  bool FailForMemory();

  const uint8_t* begin_;
  const uint8_t* position_;
  const uint8_t* end_;
  int32_t max_depth_;
  int64_t max_bytes_;
  CountedMemory* memory_ = nullptr;
  int32_t depth_ = 0;
  Failure failure_ = Failure::kNone;
  const char* what_ = "";
  int64_t failure_position_ = 0;

  /// A container that Skip is inside of: `count` values are still to come, of types that take turns
  /// (a map), or fields up to a stop (a struct).
  struct Frame {
    CompactType container;
    CompactType element;
    CompactType other;  // kMap: the type of the values.
    uint64_t count;
  };
  std::vector<Frame> frames_;
};

}  // namespace sluice::inline v0::parquet
