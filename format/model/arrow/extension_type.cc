#include "format/model/arrow/extension_type.h"

#include <algorithm>
#include <string_view>

#include "format/model/text/scalar_text.h"
#include "format/model/try.h"

namespace sluice::inline v0::arrow {

namespace {

constexpr std::string_view kSrid = "srid:";

void AppendString(std::string_view text, std::string& out) {
  out += '"';
  text::AppendEscaped(text, out);
  out += '"';
}

// {"crs": ..., "crs_type": ..., "edges": ...}. Parquet's coordinates are those of OGC:CRS84 where
// nothing is said, GeoArrow's are unknown then. A crs stays a string, also one that is PROJJSON:
// "crs" without "crs_type" is for producers that hand on what they do not interpret.
// Source: GeoArrow, "Extension types"; parquet-format LogicalTypes.md, "GEOMETRY", "GEOGRAPHY".
Result<std::string> GeoParameters(const DataType& type) {
  if (!text::IsUtf8(type.crs)) return Status::Unsupported("its crs is not UTF-8");
  std::string json = "{\"crs\":";
  if (type.crs.empty()) {
    json += "\"OGC:CRS84\",\"crs_type\":\"authority_code\"";
  } else if (type.crs.compare(0, kSrid.size(), kSrid) == 0) {
    AppendString(std::string_view(type.crs).substr(kSrid.size()), json);
    json += ",\"crs_type\":\"srid\"";
  } else {
    AppendString(type.crs, json);
  }
  if (type.id == TypeId::kGeography) {
    std::string edges = type.edge_algorithm.empty() ? "spherical" : type.edge_algorithm;
    for (char& letter : edges) {
      if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
    json += ",\"edges\":";
    AppendString(edges, json);
  }
  return json + '}';
}

const Field* Find(const DataType& type, std::string_view name) {
  const auto found = std::find_if(type.children.begin(), type.children.end(),
                                  [&](const Field& field) { return field.name == name; });
  return found == type.children.end() ? nullptr : &*found;
}

bool IsTypedValue(const DataType& type);

/// A struct of `value` and `typed_value`, or one of the two, and `metadata` where it is the whole.
bool HasVariantParts(const DataType& type, bool is_whole) {
  const Field* metadata = Find(type, "metadata");
  const Field* value = Find(type, "value");
  const Field* typed_value = Find(type, "typed_value");
  const size_t parts = (metadata ? 1U : 0U) + (value ? 1U : 0U) + (typed_value ? 1U : 0U);
  if (parts != type.children.size() || is_whole != (metadata != nullptr)) return false;
  if (metadata && (metadata->nullable || metadata->type.id != TypeId::kBinary)) return false;
  if (value && value->type.id != TypeId::kBinary) return false;
  return (value || typed_value) && (!typed_value || IsTypedValue(typed_value->type));
}

/// A required struct of the parts of one element or field of a shredded value.
bool IsShredded(const Field& field) {
  return !field.nullable && field.type.id == TypeId::kStruct && HasVariantParts(field.type, false);
}

bool IsTypedValue(const DataType& type) {
  const bool is_fine = type.unit == TimeUnit::kMicroseconds || type.unit == TimeUnit::kNanoseconds;
  switch (type.id) {
    case TypeId::kList:
      return IsShredded(type.children[0]);
    case TypeId::kStruct:
      return std::all_of(type.children.begin(), type.children.end(), IsShredded);
    case TypeId::kNull:
    case TypeId::kBoolean:
    case TypeId::kInt8:
    case TypeId::kInt16:
    case TypeId::kInt32:
    case TypeId::kInt64:
    case TypeId::kUint8:
    case TypeId::kUint16:
    case TypeId::kUint32:
    case TypeId::kFloat:
    case TypeId::kDouble:
    case TypeId::kDate:
    case TypeId::kBinary:
    case TypeId::kString:
    case TypeId::kUuid:
      return true;
    case TypeId::kDecimal:
      return type.byte_width <= 16;
    case TypeId::kTime:
    case TypeId::kTimestamp:
      return is_fine;
    default:
      return false;
  }
}

}  // namespace

// Source: Arrow, "Canonical Extension Types". A UUID's takes no parameters, the others' are there
// and empty.
Result<std::optional<ExtensionType>> ExtensionTypeOf(const DataType& type) {
  std::optional<ExtensionType> extension;
  switch (type.id) {
    case TypeId::kJson:
      extension = {"arrow.json", ""};
      break;
    case TypeId::kUuid:
      extension = {"arrow.uuid", std::nullopt};
      break;
    case TypeId::kVariant:
      if (HasVariantParts(type, true)) extension = {"arrow.parquet.variant", ""};
      break;
    case TypeId::kGeometry:
    case TypeId::kGeography: {
      SLUICE_TRY(std::string parameters, GeoParameters(type));
      extension = {"geoarrow.wkb", std::move(parameters)};
      break;
    }
    default:
      break;
  }
  return extension;
}

}  // namespace sluice::inline v0::arrow
