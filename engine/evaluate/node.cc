#include "engine/evaluate/node.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/values/value_text.h"

namespace sluice::inline v0::engine {

Native NativeOf(const DataType& type) {
  switch (type.id) {
    case TypeId::kBoolean:
      return Native::kBits;
    case TypeId::kInt8:
      return Native::kInt8;
    case TypeId::kInt16:
      return Native::kInt16;
    case TypeId::kInt32:
    case TypeId::kDate:
      return Native::kInt32;
    case TypeId::kInt64:
    case TypeId::kTimestamp:
    case TypeId::kDuration:
      return Native::kInt64;
    case TypeId::kTime:
      return type.byte_width == 4 ? Native::kInt32 : Native::kInt64;
    case TypeId::kUint8:
      return Native::kUint8;
    case TypeId::kUint16:
      return Native::kUint16;
    case TypeId::kUint32:
      return Native::kUint32;
    case TypeId::kUint64:
      return Native::kUint64;
    case TypeId::kFloat16:
    case TypeId::kFloat:
      return Native::kFloat;
    case TypeId::kDouble:
      return Native::kDouble;
    case TypeId::kDecimal:
      return type.byte_width == 4    ? Native::kInt32
             : type.byte_width == 8  ? Native::kInt64
             : type.byte_width == 16 ? Native::kInt128
                                     : Native::kInt256;
    case TypeId::kInt96:
      return Native::kInt128;
    case TypeId::kInterval:
      return Native::kInterval;
    case TypeId::kNull:
    case TypeId::kList:
    case TypeId::kMap:
    case TypeId::kStruct:
    case TypeId::kVariant:
      return Native::kNone;
    default:
      return Native::kBytes;
  }
}

size_t WidthOf(Native native) {
  size_t width = 0;
  VisitNative(native, [&]<typename T>(std::type_identity<T>) { width = sizeof(T); });
  return width;
}

size_t ScratchLayout::Reserve(Native native) {
  const size_t offset = position_;
  position_ += native == Native::kBits ? sizeof(RowBits) : WidthOf(native) * kBlockRows;
  size_ = std::max(size_, position_);
  return offset;
}

void Node::JoinNulls(std::initializer_list<const Vector*> operands) {
  result_.nulls = {};
  result_.errors = {};
  result_.error.clear();
  for (const Vector* operand : operands) {
    for (size_t i = 0; i < kBlockWords; ++i) {
      result_.nulls[i] |= operand->nulls[i];
      result_.errors[i] |= operand->errors[i];
    }
    if (result_.error.empty()) result_.error = operand->error;
  }
  for (size_t i = 0; i < kBlockWords; ++i) result_.nulls[i] &= ~result_.errors[i];
}

RowBits Node::ValidRows(const RowBits& active) const {
  RowBits valid;
  for (size_t i = 0; i < kBlockWords; ++i) {
    valid[i] = active[i] & ~result_.nulls[i] & ~result_.errors[i];
  }
  return valid;
}

void Node::ClearInvalid(RowBits* trues) const {
  for (size_t i = 0; i < kBlockWords; ++i) {
    (*trues)[i] &= ~result_.nulls[i] & ~result_.errors[i];
  }
}

std::string Node::Located(std::string_view what) const {
  const TextPosition position = expression_.position;
  if (position.line == 0) return std::string(what);
  return fmt::format("line {}, column {}: {}", position.line, position.column, what);
}

std::string ValueText(const Vector& vector, size_t row, const DataType& type) {
  if (HasRow(vector.errors, row)) return "ERROR";
  if (HasRow(vector.nulls, row)) return "NULL";
  std::string text;
  if (vector.native == Native::kBits) {
    return HasRow(vector.bits(), row) ? "TRUE" : "FALSE";
  }
  VisitNative(vector.native, [&]<typename T>(std::type_identity<T>) {
    AppendValueText(vector.as<T>()[row], type, 0, &text);
  });
  constexpr size_t kShownBytes = 60;
  if (text.size() > kShownBytes) text = text.substr(0, kShownBytes) + "...";
  const bool is_quoted = vector.native == Native::kBytes || vector.native == Native::kInterval;
  return is_quoted ? "'" + text + "'" : text;
}

NodeRef MakeNode(const BoundExpression& expression, ScratchLayout& layout) {
  const DataType& type = expression.type;
  const bool is_time = type.id == TypeId::kTimestamp;
  switch (expression.op) {
    case BoundOp::kColumn:
      return MakeColumn(expression, layout);
    case BoundOp::kConstant:
      return MakeConstant(expression, layout);
    case BoundOp::kCast:
      return MakeCast(expression, layout);
    case BoundOp::kWiden:
      return MakeWiden(expression, layout);
    case BoundOp::kAdd:
    case BoundOp::kSubtract:
      return is_time ? MakeTimeArithmetic(expression, layout) : MakeArithmetic(expression, layout);
    case BoundOp::kMultiply:
    case BoundOp::kDivide:
    case BoundOp::kModulo:
    case BoundOp::kNegate:
    case BoundOp::kAbs:
      return MakeArithmetic(expression, layout);
    case BoundOp::kAddDays:
    case BoundOp::kSubtractDays:
    case BoundOp::kDaysBetween:
      return MakeTimeArithmetic(expression, layout);
    case BoundOp::kCompare:
    case BoundOp::kIsNan:
      return MakeComparison(expression, layout);
    case BoundOp::kInSet:
      return MakeInSet(expression, layout);
    case BoundOp::kAnd:
    case BoundOp::kOr:
    case BoundOp::kNot:
    case BoundOp::kNullTest:
      return MakeLogic(expression, layout);
    case BoundOp::kLet:
    case BoundOp::kSlot:
    case BoundOp::kCase:
    case BoundOp::kCoalesce:
      return MakeBranches(expression, layout);
    case BoundOp::kLike:
    case BoundOp::kStartsWith:
    case BoundOp::kLength:
    case BoundOp::kLower:
    case BoundOp::kUpper:
    case BoundOp::kSubstr:
      return MakeText(expression, layout);
    case BoundOp::kYear:
    case BoundOp::kMonth:
    case BoundOp::kDay:
    case BoundOp::kDateTrunc:
      return MakeDatePart(expression, layout);
  }
  return nullptr;
}

}  // namespace sluice::inline v0::engine
