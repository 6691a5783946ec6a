#include "format/parquet/arrow_schema_hint.h"

#include <array>
#include <utility>

#include "format/model/try.h"

namespace sluice::inline v0::parquet {

// Bytes of the message:
//   ffffffff (absent before Arrow 0.15), size (int32), a FlatBuffer of that size
// Bytes of a FlatBuffer, all little-endian; an offset is a uint32 counted from where it stands:
//   buffer = offset of the root table
//   table  = int32: its own place minus its vtable's; fields, where the vtable says
//   vtable = uint16 bytes of itself, uint16 bytes of the table, then per field a uint16: where it
//            is in the table, 0 when absent
//   vector = uint32 count, elements; a string is a vector of bytes
// Fields, by their slots:
//   Message  1 header type (uint8: 1 Schema), 2 header (offset)
//   Schema   1 fields (vector of offsets)
//   Field    0 name, 2 type's kind (uint8), 3 type (offset), 5 children (vector of offsets)
//   Duration 0 unit (int16: seconds, milli-, micro-, nanoseconds; by default 1)

namespace {

constexpr int kMaxDepth = 64;
constexpr uint8_t kHeaderSchema = 1;
constexpr uint8_t kTypeList = 12;
constexpr uint8_t kTypeStruct = 13;
constexpr uint8_t kTypeFixedSizeList = 16;
constexpr uint8_t kTypeMap = 17;
constexpr uint8_t kTypeDuration = 18;
constexpr uint8_t kTypeLargeList = 21;

constexpr std::array<int8_t, 256> MakeBase64Table() {
  std::array<int8_t, 256> table{};
  for (int8_t& entry : table) entry = -1;
  const std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < alphabet.size(); ++i) {
    table[static_cast<uint8_t>(alphabet[i])] = static_cast<int8_t>(i);
  }
  return table;
}
constexpr std::array<int8_t, 256> kBase64 = MakeBase64Table();

std::optional<std::vector<uint8_t>> DecodeBase64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::vector<uint8_t> bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  uint32_t bits = 0;
  int num_bits = 0;
  for (const char letter : text) {
    const int8_t value = kBase64[static_cast<uint8_t>(letter)];
    if (value < 0) return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(value);
    num_bits += 6;
    if (num_bits >= 8) {
      num_bits -= 8;
      bytes.push_back(static_cast<uint8_t>(bits >> num_bits));
    }
  }
  return bytes;
}

/// Bounds-checked reads of a FlatBuffer; places are positions in it. The first bad read sticks.
class FlatBuffer {
 public:
  FlatBuffer(const uint8_t* data, size_t size) : data_(data), size_(size) {}

  bool ok() const { return ok_; }

  uint64_t Unsigned(uint64_t place, uint64_t width) {
    if (place > size_ || width > size_ - place) ok_ = false;
    if (!ok_) return 0;
    uint64_t value = 0;
    for (uint64_t i = 0; i < width; ++i) value |= uint64_t{data_[place + i]} << (8 * i);
    return value;
  }
  /// Where the offset at `place` leads.
  uint64_t Follow(uint64_t place) { return place + Unsigned(place, 4); }
  /// Where a field of a table is; 0 when it is absent.
  uint64_t FieldOf(uint64_t table, uint64_t slot) {
    const auto back = static_cast<int32_t>(Unsigned(table, 4));
    const int64_t vtable = static_cast<int64_t>(table) - back;
    if (vtable < 0) ok_ = false;
    if (!ok_) return 0;
    const uint64_t entry = 4 + 2 * slot;
    if (entry + 2 > Unsigned(static_cast<uint64_t>(vtable), 2)) return 0;
    const uint64_t offset = Unsigned(static_cast<uint64_t>(vtable) + entry, 2);
    return offset == 0 ? 0 : table + offset;
  }
  /// The elements of a vector of `width` bytes each: where they begin, and how many.
  std::pair<uint64_t, uint64_t> Vector(uint64_t field, uint64_t width) {
    const uint64_t vector = Follow(field);
    const uint64_t count = Unsigned(vector, 4);
    if (!ok_ || count > (size_ - vector - 4) / width) ok_ = false;
    if (!ok_) return {0, 0};
    return {vector + 4, count};
  }
  std::string_view String(uint64_t field) {
    const auto [place, count] = Vector(field, 1);
    return {reinterpret_cast<const char*>(data_ + place), count};
  }

 private:
  const uint8_t* data_;
  uint64_t size_;
  bool ok_ = true;
};

/// A vector of fields that is still to be read: into the children of `parent`, -1 for the columns.
struct Pending {
  uint64_t place;
  uint64_t count;
  int32_t parent;
  int depth;
};

void ReadDuration(FlatBuffer& buffer, uint64_t type, ArrowFieldHint& hint) {
  const uint64_t place = type == 0 ? 0 : buffer.FieldOf(buffer.Follow(type), 0);
  const uint64_t unit = place == 0 ? 1 : buffer.Unsigned(place, 2);
  if (unit > 3) return;  // Not of this version.
  hint.shape = ArrowFieldHint::Shape::kDuration;
  hint.unit = static_cast<TimeUnit>(unit);  // In the same order.
}

/// Reads one field but for its children.
ArrowFieldHint ReadField(FlatBuffer& buffer, uint64_t table) {
  ArrowFieldHint hint;
  if (const uint64_t name = buffer.FieldOf(table, 0)) hint.name = buffer.String(name);
  hint.is_dictionary = buffer.FieldOf(table, 4) != 0;
  const uint64_t kind = buffer.FieldOf(table, 2);
  switch (kind == 0 ? 0 : buffer.Unsigned(kind, 1)) {
    case kTypeDuration:
      ReadDuration(buffer, buffer.FieldOf(table, 3), hint);
      break;
    case kTypeStruct:
      hint.shape = ArrowFieldHint::Shape::kStruct;
      break;
    case kTypeList:
    case kTypeLargeList:
    case kTypeFixedSizeList:
      hint.shape = ArrowFieldHint::Shape::kList;
      break;
    case kTypeMap:
      hint.shape = ArrowFieldHint::Shape::kMap;
      break;
    default:
      break;
  }
  return hint;
}

/// Reads every field below the schema, without recursion. Fields that several vectors share would
/// make the tree larger than its bytes: it may have no more fields than those could hold.
Result<bool> ReadFields(FlatBuffer& buffer, uint64_t schema_fields, size_t max_fields,
                        ArrowSchemaHint& hint, CountedMemory& memory) {
  const auto [first, columns] = buffer.Vector(schema_fields, 4);
  std::vector<Pending> pending{{first, columns, -1, 0}};
  while (!pending.empty() && buffer.ok()) {
    const Pending vector = pending.back();
    pending.pop_back();
    if (vector.depth > kMaxDepth || vector.count > max_fields - hint.fields.size()) return false;
    for (uint64_t i = 0; i < vector.count && buffer.ok(); ++i) {
      const uint64_t table = buffer.Follow(vector.place + 4 * i);
      const auto ordinal = static_cast<int32_t>(hint.fields.size());
      SLUICE_RETURN_IF_ERROR(memory.Extend(hint.fields, 1));
      hint.fields.push_back(ReadField(buffer, table));
      auto& siblings = vector.parent < 0 ? hint.columns
                                         : hint.fields[static_cast<size_t>(vector.parent)].children;
      SLUICE_RETURN_IF_ERROR(memory.Extend(siblings, 1));
      siblings.push_back(ordinal);
      const uint64_t children = buffer.FieldOf(table, 5);
      if (children == 0 || hint.fields.back().shape == ArrowFieldHint::Shape::kOther) continue;
      const auto [place, count] = buffer.Vector(children, 4);
      if (count == 0) continue;
      SLUICE_RETURN_IF_ERROR(memory.Extend(pending, 1));
      pending.push_back({place, count, ordinal, vector.depth + 1});
    }
  }
  return buffer.ok();
}

}  // namespace

Result<std::optional<ArrowSchemaHint>> ParseArrowSchema(std::string_view base64,
                                                        CountedMemory& memory) {
  const std::optional<ArrowSchemaHint> nothing;
  SLUICE_RETURN_IF_ERROR(memory.Add(static_cast<int64_t>(base64.size())));
  std::optional<std::vector<uint8_t>> bytes = DecodeBase64(base64);
  if (!bytes) return nothing;
  ArrowSchemaHint hint;
  hint.message = *std::move(bytes);
  FlatBuffer prefix(hint.message.data(), hint.message.size());
  const uint64_t skipped = prefix.Unsigned(0, 4) == 0xffffffff ? 8 : 4;
  if (!prefix.ok() || hint.message.size() < skipped) return nothing;
  FlatBuffer buffer(hint.message.data() + skipped, hint.message.size() - skipped);
  const uint64_t message = buffer.Follow(0);
  const uint64_t header_type = buffer.FieldOf(message, 1);
  const uint64_t header = buffer.FieldOf(message, 2);
  if (header_type == 0 || header == 0 || buffer.Unsigned(header_type, 1) != kHeaderSchema) {
    return nothing;
  }
  const uint64_t fields = buffer.FieldOf(buffer.Follow(header), 1);
  if (fields == 0) return nothing;
  constexpr size_t kLeastFieldBytes = 4;
  SLUICE_TRY(const bool is_read,
             ReadFields(buffer, fields, hint.message.size() / kLeastFieldBytes, hint, memory));
  if (!is_read) return nothing;
  return std::optional<ArrowSchemaHint>(std::move(hint));
}

}  // namespace sluice::inline v0::parquet
