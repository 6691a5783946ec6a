#include "tests/support/reference_schema.h"

namespace sluice::support {
namespace {

using parquet::LogicalKind;
using parquet::PhysicalType;
using parquet::Repetition;

constexpr int64_t kUtf8 = 0;
constexpr int64_t kMap = 1;
constexpr int64_t kMapKeyValue = 2;
constexpr int64_t kList = 3;
constexpr int64_t kLastConvertedType = 21;

ReferenceAnnotation OfConvertedType(const CompactValue& element, int64_t converted) {
  ReferenceAnnotation annotation;
  const auto time = [&](LogicalKind kind, int64_t digits) {
    annotation.kind = kind;
    annotation.fraction_digits = digits;
    annotation.utc_adjusted = true;
  };
  switch (converted) {
    case kUtf8:
      annotation.kind = LogicalKind::kString;
      break;
    case 4:
      annotation.kind = LogicalKind::kEnum;
      break;
    case 5:
      annotation.kind = LogicalKind::kDecimal;
      annotation.scale = element.NumberOr(7, 0);
      break;
    case 6:
      annotation.kind = LogicalKind::kDate;
      break;
    case 7:
      time(LogicalKind::kTime, 3);
      break;
    case 8:
      time(LogicalKind::kTime, 6);
      break;
    case 9:
      time(LogicalKind::kTimestamp, 3);
      break;
    case 10:
      time(LogicalKind::kTimestamp, 6);
      break;
    case 19:
      annotation.kind = LogicalKind::kJson;
      break;
    case 20:
      annotation.kind = LogicalKind::kBson;
      break;
    case 21:
      annotation.is_interval = true;
      break;
    default:
      if (converted >= 11 && converted <= 18) {
        annotation.kind = LogicalKind::kInteger;
        annotation.is_signed = converted >= 15;
      }
  }
  return annotation;
}

ReferenceAnnotation OfLogicalType(const CompactValue& element) {
  ReferenceAnnotation annotation;
  const CompactValue& logical = element.At(10);
  if (logical.fields.empty()) return annotation;
  const auto& [id, member] = *logical.fields.begin();
  annotation.kind = static_cast<LogicalKind>(id);
  switch (annotation.kind) {
    case LogicalKind::kDecimal:
      annotation.scale = member.NumberOr(1, 0);
      break;
    case LogicalKind::kTime:
    case LogicalKind::kTimestamp:
      annotation.utc_adjusted = member.NumberOr(1, 0) != 0;
      if (member.Has(2) && !member.At(2).fields.empty()) {
        annotation.fraction_digits = member.At(2).fields.begin()->first * 3;
      }
      break;
    case LogicalKind::kInteger:
      annotation.is_signed = member.NumberOr(2, 1) != 0;
      break;
    default:
      break;
  }
  return annotation;
}

bool Fits(const ReferenceAnnotation& annotation, PhysicalType type, int32_t type_length) {
  const bool is_fixed = type == PhysicalType::kFixedLenByteArray;
  const bool is_integer = type == PhysicalType::kInt32 || type == PhysicalType::kInt64;
  if (annotation.is_interval) return is_fixed && type_length == 12;
  switch (annotation.kind) {
    case LogicalKind::kString:
    case LogicalKind::kEnum:
    case LogicalKind::kJson:
      return type == PhysicalType::kByteArray;
    case LogicalKind::kDecimal:
      return is_integer || is_fixed || type == PhysicalType::kByteArray;
    case LogicalKind::kDate:
      return type == PhysicalType::kInt32;
    case LogicalKind::kTime:
      return type ==
             (annotation.fraction_digits == 3 ? PhysicalType::kInt32 : PhysicalType::kInt64);
    case LogicalKind::kTimestamp:
      return type == PhysicalType::kInt64 && annotation.fraction_digits != 0;
    case LogicalKind::kInteger:
      return is_integer;
    case LogicalKind::kUuid:
      return is_fixed && type_length == 16;
    case LogicalKind::kFloat16:
      return is_fixed && type_length == 2;
    case LogicalKind::kUnknown:
      return true;
    default:
      return false;
  }
}

/// Sets the shape of a group whose children have been read (LogicalTypes.md, "Nested Types").
void SetShape(ReferenceNode& node, const CompactValue& element) {
  node.shape = ReferenceNode::Shape::kStruct;
  if (node.children.size() != 1 || node.children[0].repetition != Repetition::kRepeated) return;
  const ReferenceNode& repeated = node.children[0];
  int64_t converted = element.NumberOr(6, -1);
  if (element.Has(10) && !element.At(10).fields.empty()) {
    const auto kind = static_cast<LogicalKind>(element.At(10).fields.begin()->first);
    converted = kind == LogicalKind::kList ? kList : kind == LogicalKind::kMap ? kMap : -1;
  }
  const bool is_group = repeated.shape != ReferenceNode::Shape::kLeaf;
  if (converted == kList) {
    node.shape = ReferenceNode::Shape::kList;
    node.element_is_wrapped = is_group && repeated.children.size() == 1 &&
                              repeated.children[0].repetition != Repetition::kRepeated &&
                              repeated.name != "array" && repeated.name != node.name + "_tuple";
  } else if ((converted == kMap || converted == kMapKeyValue) && is_group &&
             (repeated.children.size() == 1 || repeated.children.size() == 2)) {
    node.shape = ReferenceNode::Shape::kMap;
  }
}

ReferenceNode ReadNode(const std::vector<CompactValue>& elements, size_t& next,
                       const ReferenceNode* parent, int32_t& leaves) {
  if (next >= elements.size()) throw ReferenceError("schema ends early");
  const CompactValue& element = elements[next++];
  ReferenceNode node;
  node.name = element.At(4).binary;
  node.first_leaf = leaves;
  if (parent != nullptr) {
    node.repetition = static_cast<Repetition>(element.At(3).number);
    node.definition_level =
        parent->definition_level + (node.repetition == Repetition::kRequired ? 0 : 1);
    node.repetition_level =
        parent->repetition_level + (node.repetition == Repetition::kRepeated ? 1 : 0);
  }
  if (element.Has(1)) {
    node.shape = ReferenceNode::Shape::kLeaf;
    node.type = static_cast<PhysicalType>(element.At(1).number);
    node.type_length = static_cast<int32_t>(element.NumberOr(2, 0));
    const int64_t converted = element.NumberOr(6, -1);
    node.annotation =
        element.Has(10) ? OfLogicalType(element) : OfConvertedType(element, converted);
    if (node.annotation.kind == LogicalKind::kUnknown && converted >= 0 &&
        converted <= kLastConvertedType) {
      node.annotation = OfConvertedType(element, converted);
    }
    if (!Fits(node.annotation, node.type, node.type_length)) node.annotation = {};
    ++leaves;
  } else {
    for (int64_t i = 0; i < element.NumberOr(5, 0); ++i) {
      node.children.push_back(ReadNode(elements, next, &node, leaves));
    }
    SetShape(node, element);
  }
  node.end_leaf = leaves;
  return node;
}

}  // namespace

ReferenceNode ReadSchema(const std::vector<CompactValue>& elements) {
  size_t next = 0;
  int32_t leaves = 0;
  ReferenceNode root = ReadNode(elements, next, nullptr, leaves);
  root.shape = ReferenceNode::Shape::kStruct;
  return root;
}

void ListLeaves(const ReferenceNode& node, std::vector<const ReferenceNode*>& leaves) {
  if (node.shape == ReferenceNode::Shape::kLeaf) leaves.push_back(&node);
  for (const ReferenceNode& child : node.children) ListLeaves(child, leaves);
}

}  // namespace sluice::support
