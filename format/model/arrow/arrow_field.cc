#include "format/model/arrow/arrow_field.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "format/model/arrow/column_place.h"
#include "format/model/arrow/extension_type.h"
#include "format/model/text/scalar_text.h"
#include "format/model/try.h"

namespace sluice::inline v0::arrow {

namespace {

/// Pairs of keys and values:
///
///   | number of pairs, int32 | then for each: key's size, int32 | key | value's size, int32 |
///   value |
std::string EncodeMetadata(const std::vector<std::pair<std::string_view, std::string>>& pairs) {
  std::string encoded;
  if (pairs.empty()) return encoded;
  const auto append_number = [&](size_t number) {
    const auto narrow = static_cast<int32_t>(number);
    encoded.append(reinterpret_cast<const char*>(&narrow), sizeof(narrow));
  };
  append_number(pairs.size());
  for (const auto& [key, value] : pairs) {
    append_number(key.size());
    encoded += key;
    append_number(value.size());
    encoded += value;
  }
  return encoded;
}

char UnitLetter(TimeUnit unit) {
  constexpr char kLetters[] = {'s', 'm', 'u', 'n'};
  return kLetters[static_cast<int>(unit)];
}

struct Shape {
  ArrowLayout layout;
  std::string format;
};

Shape TextShape(bool is_utf8, ArrowText text) {
  switch (text) {
    case ArrowText::kPlain:
      return {ArrowLayout::kText32, is_utf8 ? "u" : "z"};
    case ArrowText::kLarge:
      return {ArrowLayout::kText64, is_utf8 ? "U" : "Z"};
    case ArrowText::kViews:
      break;
  }
  return {ArrowLayout::kViews, is_utf8 ? "vu" : "vz"};
}

Result<Shape> DecimalShape(const DataType& type, bool narrow) {
  const int32_t bits = 8 * type.byte_width;
  const int32_t most = bits == 32 ? 9 : bits == 64 ? 18 : bits == 128 ? 38 : bits == 256 ? 76 : 0;
  if (type.precision < 1 || type.precision > most) {
    return Status::InvalidArgument(
        fmt::format("a decimal of {} bits has no {} digits", bits, type.precision));
  }
  const bool is_widened = bits < 128 && !narrow;
  // 128 bits are meant where nothing is said, and not every consumer reads on.
  const std::string width = bits == 128 || is_widened ? "" : fmt::format(",{}", bits);
  return Shape{is_widened ? ArrowLayout::kDecimal : ArrowLayout::kFixed,
               fmt::format("d:{},{}{}", type.precision, type.scale, width)};
}

Result<Shape> TimeShape(const DataType& type) {
  if (type.unit == TimeUnit::kSeconds) {
    return Status::InvalidArgument("times of whole seconds are not a type of ours");
  }
  return Shape{ArrowLayout::kFixed, fmt::format("tt{}", UnitLetter(type.unit))};
}

/// Of types that have one format whatever their parameters; nothing for others.
std::string_view PlainFormat(TypeId id) {
  switch (id) {
    case TypeId::kBoolean:
      return "b";
    case TypeId::kInt8:
      return "c";
    case TypeId::kInt16:
      return "s";
    case TypeId::kInt32:
      return "i";
    case TypeId::kInt64:
      return "l";
    case TypeId::kUint8:
      return "C";
    case TypeId::kUint16:
      return "S";
    case TypeId::kUint32:
      return "I";
    case TypeId::kUint64:
      return "L";
    case TypeId::kFloat16:
      return "e";
    case TypeId::kFloat:
      return "f";
    case TypeId::kDouble:
      return "g";
    case TypeId::kDate:
      return "tdD";
    default:
      return {};
  }
}

// Source: Arrow, "The Arrow C data interface", "Data type description -- format strings".
Result<Shape> ShapeOf(const DataType& type, const ArrowExportOptions& options) {
  switch (type.id) {
    case TypeId::kNull:
      return Shape{ArrowLayout::kNull, "n"};
    case TypeId::kDecimal:
      return DecimalShape(type, options.narrow_decimals);
    case TypeId::kTime:
      return TimeShape(type);
    case TypeId::kTimestamp:
      return Shape{ArrowLayout::kFixed,
                   fmt::format("ts{}:{}", UnitLetter(type.unit), type.utc_adjusted ? "UTC" : "")};
    case TypeId::kInt96:
      return Shape{ArrowLayout::kInt96, fmt::format("ts{}:", UnitLetter(options.int96_unit))};
    case TypeId::kDuration:
      return Shape{ArrowLayout::kFixed, fmt::format("tD{}", UnitLetter(type.unit))};
    case TypeId::kInterval:
      return Shape{ArrowLayout::kInterval, "tin"};
    case TypeId::kString:
    case TypeId::kEnum:
    case TypeId::kJson:
      return TextShape(true, options.text);
    case TypeId::kBinary:
    case TypeId::kBson:
    case TypeId::kGeometry:
    case TypeId::kGeography:
      return TextShape(false, options.text);
    case TypeId::kFixedBinary:
    case TypeId::kUuid:
      return Shape{ArrowLayout::kFixed, fmt::format("w:{}", type.byte_width)};
    case TypeId::kList:
      return Shape{ArrowLayout::kList, "+l"};
    case TypeId::kMap:
      // Arrow's maps have values: a map without is the list of its keys.
      if (type.children.size() == 1) return Shape{ArrowLayout::kList, "+l"};
      return Shape{ArrowLayout::kMap, "+m"};
    case TypeId::kStruct:
    case TypeId::kVariant:
      return Shape{ArrowLayout::kStruct, "+s"};
    default:
      return Shape{ArrowLayout::kFixed, std::string(PlainFormat(type.id))};
  }
}

Status CheckName(std::string_view name) {
  if (!text::IsUtf8(name)) return Status::Unsupported("its name is not UTF-8");
  if (name.find('\0') != std::string_view::npos) {
    return Status::Unsupported("its name has a zero byte, where names end in C");
  }
  return Status::Ok();
}

Status CheckChildren(const DataType& type) {
  const size_t children = type.children.size();
  const bool is_right = type.id == TypeId::kList  ? children == 1
                        : type.id == TypeId::kMap ? children == 1 || children == 2
                                                  : true;
  if (is_right) return Status::Ok();
  return Status::InvalidArgument(fmt::format("{} of {} children", TypeName(type.id), children));
}

DataType WithoutChildren(const DataType& type) {
  DataType own;
  own.id = type.id;
  own.unit = type.unit;
  own.utc_adjusted = type.utc_adjusted;
  own.byte_width = type.byte_width;
  own.precision = type.precision;
  own.scale = type.scale;
  return own;
}

/// Without the children. Dictionaries are kept of text that is nothing more: what has an extension
/// type is not looked for behind codes.
Result<ArrowField> MakeNode(const Field& field, const ArrowExportOptions& options,
                            bool may_be_dictionary) {
  SLUICE_RETURN_IF_ERROR(CheckName(field.name));
  SLUICE_RETURN_IF_ERROR(CheckChildren(field.type));
  SLUICE_TRY(Shape shape, ShapeOf(field.type, options));
  SLUICE_TRY(const std::optional<ExtensionType> extension, ExtensionTypeOf(field.type));
  std::vector<std::pair<std::string_view, std::string>> metadata;
  if (extension) metadata.emplace_back("ARROW:extension:name", extension->name);
  if (extension && extension->parameters) {
    metadata.emplace_back("ARROW:extension:metadata", *extension->parameters);
  }
  if (field.field_id) metadata.emplace_back("PARQUET:field_id", fmt::to_string(*field.field_id));
  ArrowField made;
  made.name = field.name;
  made.format = std::move(shape.format);
  made.metadata = EncodeMetadata(metadata);
  made.nullable = field.nullable;
  made.is_dictionary =
      options.keep_dictionaries && may_be_dictionary && field.type.is_view() && !extension;
  made.layout = shape.layout;
  made.type = WithoutChildren(field.type);
  return made;
}

/// A struct that no field of ours is: the batch, and the entries of a map.
ArrowField StructOf(std::string name, std::vector<ArrowField> children) {
  ArrowField made;
  made.name = std::move(name);
  made.format = std::string("+s");
  made.nullable = false;
  made.layout = ArrowLayout::kStruct;
  made.type = DataType::Of(TypeId::kStruct);
  made.children = std::move(children);
  return made;
}

Result<ArrowField> MakeField(const Field& field, const ArrowExportOptions& options,
                             bool may_be_dictionary, const ColumnPlace& place, int depth) {
  if (depth > kMaxArrowDepth) {
    return place.Error(StatusCode::kUnsupported,
                       fmt::format("is nested deeper than {}", kMaxArrowDepth));
  }
  Result<ArrowField> made = MakeNode(field, options, may_be_dictionary);
  if (!made) return made.error().In(place.ToString());
  std::vector<ArrowField> children;
  for (size_t i = 0; i < field.type.children.size(); ++i) {
    const Field& child = field.type.children[i];
    const bool is_key = made->layout == ArrowLayout::kMap && i == 0;
    const bool may_child = may_be_dictionary && !is_key && field.type.id != TypeId::kVariant;
    SLUICE_TRY(ArrowField below,
               MakeField(child, options, may_child, {&place, child.name, nullptr}, depth + 1));
    // Files say so of keys too rarely: that none is null is held against the values.
    if (is_key) below.nullable = false;
    children.push_back(std::move(below));
  }
  if (made->layout != ArrowLayout::kMap) {
    made->children = std::move(children);
    return made;
  }
  made->children.push_back(StructOf("entries", std::move(children)));
  return made;
}

}  // namespace

Result<ArrowField> MakeArrowField(const Schema& schema, const ArrowExportOptions& options) {
  std::vector<ArrowField> columns;
  for (const Field& field : schema.fields) {
    SLUICE_TRY(ArrowField made, MakeField(field, options, true, {nullptr, field.name, nullptr}, 1));
    columns.push_back(std::move(made));
  }
  return StructOf("", std::move(columns));
}

bool IsOfField(const DataType& type, const ArrowField& field) {
  const DataType& own = field.type;
  return type.id == own.id && type.unit == own.unit && type.utc_adjusted == own.utc_adjusted &&
         type.byte_width == own.byte_width && type.precision == own.precision &&
         type.scale == own.scale;
}

}  // namespace sluice::inline v0::arrow
