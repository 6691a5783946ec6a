#include "format/parquet/schema_element_parser.h"

namespace sluice::inline v0::parquet {

namespace {

/// TimeUnit is a union of structs without fields: which one is there is all that it says.
std::optional<TimeUnit> ReadTimeUnit(CompactReader& reader) {
  uint32_t members = 0;
  reader.ReadStruct([&](const CompactField& field) {
    if (!field.Is(CompactType::kStruct) || field.id < 1 || field.id > 3) return false;
    members |= 1U << field.id;
    reader.Skip(field.type);
    return true;
  });
  switch (members) {
    case 1U << 1:
      return TimeUnit::kMilliseconds;
    case 1U << 2:
      return TimeUnit::kMicroseconds;
    case 1U << 3:
      return TimeUnit::kNanoseconds;
    default:
      return std::nullopt;
  }
}

void ReadTime(CompactReader& reader, LogicalAnnotation& logical) {
  reader.ReadStruct({1, 2}, "time type lacks a required field", [&](const CompactField& field) {
    switch (field.id) {
      case 1:
        return reader.Read(field, logical.utc_adjusted);
      case 2:
        if (!field.Is(CompactType::kStruct)) return false;
        logical.unit = ReadTimeUnit(reader);
        return true;
      default:
        return false;
    }
  });
}

void ReadDecimal(CompactReader& reader, LogicalAnnotation& logical) {
  reader.ReadStruct({1, 2}, "decimal type lacks a required field", [&](const CompactField& field) {
    switch (field.id) {
      case 1:
        return reader.Read(field, logical.scale);
      case 2:
        return reader.Read(field, logical.precision);
      default:
        return false;
    }
  });
}

bool ReadI8(CompactReader& reader, const CompactField& field, int32_t& value) {
  if (!field.Is(CompactType::kI8)) return false;
  value = reader.ReadI8();
  return true;
}

void ReadInteger(CompactReader& reader, LogicalAnnotation& logical) {
  reader.ReadStruct({1, 2}, "integer type lacks a required field", [&](const CompactField& field) {
    switch (field.id) {
      case 1:
        return ReadI8(reader, field, logical.bit_width);
      case 2:
        return reader.Read(field, logical.is_signed);
      default:
        return false;
    }
  });
}

void ReadVariant(CompactReader& reader, LogicalAnnotation& logical) {
  reader.ReadStruct([&](const CompactField& field) {
    return field.id == 1 && ReadI8(reader, field, logical.specification_version);
  });
}

void ReadGeospatial(CompactReader& reader, bool has_algorithm, LogicalAnnotation& logical) {
  reader.ReadStruct([&](const CompactField& field) {
    if (field.id == 1) return reader.Read(field, logical.crs);
    return field.id == 2 && has_algorithm && reader.Read(field, logical.edge_algorithm);
  });
}

bool IsKnown(int16_t id) {
  return id >= static_cast<int16_t>(LogicalKind::kString) &&
         id <= static_cast<int16_t>(LogicalKind::kFile) && id != 9;
}

/// Reads the union; a member adds its bit to `members`.
void ReadLogicalType(CompactReader& reader, uint64_t& members, LogicalAnnotation& logical) {
  reader.ReadStruct([&](const CompactField& field) {
    if (!field.Is(CompactType::kStruct) || !IsKnown(field.id)) return false;
    members |= uint64_t{1} << field.id;
    logical.kind = static_cast<LogicalKind>(field.id);
    switch (logical.kind) {
      case LogicalKind::kDecimal:
        ReadDecimal(reader, logical);
        return true;
      case LogicalKind::kTime:
      case LogicalKind::kTimestamp:
        ReadTime(reader, logical);
        return true;
      case LogicalKind::kInteger:
        ReadInteger(reader, logical);
        return true;
      case LogicalKind::kVariant:
        ReadVariant(reader, logical);
        return true;
      case LogicalKind::kGeometry:
      case LogicalKind::kGeography:
        ReadGeospatial(reader, logical.kind == LogicalKind::kGeography, logical);
        return true;
      default:
        reader.Skip(field.type);
        return true;
    }
  });
}

bool ReadOptionalType(CompactReader& reader, const CompactField& field,
                      std::optional<PhysicalType>& optional) {
  PhysicalType type{};
  if (!ReadPhysicalType(reader, field, type)) return false;
  optional = type;
  return true;
}

bool ReadRepetition(CompactReader& reader, const CompactField& field,
                    std::optional<Repetition>& repetition) {
  int32_t id = 0;
  if (!reader.Read(field, id)) return false;
  const bool is_known = id >= 0 && id <= static_cast<int32_t>(Repetition::kRepeated);
  repetition = is_known ? static_cast<Repetition>(id) : kUnknownRepetition;
  return true;
}

}  // namespace

bool ReadPhysicalType(CompactReader& reader, const CompactField& field, PhysicalType& type) {
  int32_t id = 0;
  if (!reader.Read(field, id)) return false;
  const bool is_known = id >= 0 && id <= static_cast<int32_t>(PhysicalType::kFixedLenByteArray);
  type = is_known ? static_cast<PhysicalType>(id) : kUnknownPhysicalType;
  return true;
}

void ReadSchemaElement(CompactReader& reader, SchemaElement& element) {
  bool has_logical = false;
  uint64_t members = 0;
  reader.ReadStruct({4}, "schema element lacks a required field", [&](const CompactField& field) {
    switch (field.id) {
      case 1:
        return ReadOptionalType(reader, field, element.type);
      case 2:
        return reader.Read(field, element.type_length);
      case 3:
        return ReadRepetition(reader, field, element.repetition);
      case 4:
        return reader.Read(field, element.name);
      case 5:
        return reader.Read(field, element.num_children);
      case 6:
        return reader.Read(field, element.converted_type);
      case 7:
        return reader.Read(field, element.scale);
      case 8:
        return reader.Read(field, element.precision);
      case 9:
        return reader.Read(field, element.field_id);
      case 10:
        if (!field.Is(CompactType::kStruct)) return false;
        has_logical = true;
        ReadLogicalType(reader, members, element.logical);
        return true;
      default:
        return false;
    }
  });
  if (has_logical && (members == 0 || (members & (members - 1)) != 0)) {
    element.logical = {};
    element.logical.kind = LogicalKind::kUnrecognized;
  }
}

}  // namespace sluice::inline v0::parquet
