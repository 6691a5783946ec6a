// Casts from text and to it.

#include "engine/bound/type_rules.h"
#include "engine/evaluate/cast_nodes.h"
#include "engine/evaluate/map_node.h"
#include "engine/values/byte_text.h"
#include "engine/values/exact_number.h"
#include "engine/values/float_text.h"
#include "engine/values/value_text.h"

namespace sluice::inline v0::engine {
namespace {

/// Texts in the arena of the block: Make(bytes of the value, &scratch) says whether `scratch` is
/// the result.
template <typename From, typename Make>
class BytesNode : public Node {
 public:
  BytesNode(const BoundExpression& expression, ScratchLayout& layout, Make make)
      : Node(expression, layout),
        operand_(MakeNode(expression.children[0], layout)),
        make_(std::move(make)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& operand = operand_->Evaluate(block, active);
    JoinNulls({&operand});
    auto* values = Values<std::string_view>(block);
    RowBits failed{};
    VisitRows(ValidRows(active), [&](size_t i) {
      scratch_.clear();
      if (make_(operand.as<From>()[i], &scratch_)) {
        values[i] = block.texts.Copy(scratch_);
      } else {
        SetRow(&failed, i, true);
      }
    });
    SetErrors(block, failed, [&] {
      return CastError(ValueText(operand, 0, expression_.children[0].type), expression_.type);
    });
    return result_;
  }

 private:
  NodeRef operand_;
  Make make_;
  std::string scratch_;
};

template <typename From, typename Make>
NodeRef MakeBytes(const BoundExpression& expression, ScratchLayout& layout, Make make) {
  return std::make_unique<BytesNode<From, Make>>(expression, layout, std::move(make));
}

/// The operand's bytes as they are.
class SameBytesNode : public Node {
 public:
  SameBytesNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout), operand_(MakeNode(expression.children[0], layout)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    return operand_->Evaluate(block, active);
  }

 private:
  NodeRef operand_;
};

class BooleanTextNode : public Node {
 public:
  BooleanTextNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout), operand_(MakeNode(expression.children[0], layout)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& operand = operand_->Evaluate(block, active);
    JoinNulls({&operand});
    auto* values = Values<std::string_view>(block);
    VisitRows(ValidRows(active),
              [&](size_t i) { values[i] = HasRow(operand.bits(), i) ? "true" : "false"; });
    return result_;
  }

 private:
  NodeRef operand_;
};

class TextBooleanNode : public Node {
 public:
  TextBooleanNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout), operand_(MakeNode(expression.children[0], layout)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& operand = operand_->Evaluate(block, active);
    JoinNulls({&operand});
    RowBits& trues = Trues(block);
    trues = {};
    RowBits failed{};
    VisitRows(ValidRows(active), [&](size_t i) {
      const auto value = ParseBoolean(operand.as<std::string_view>()[i]);
      SetRow(value ? &trues : &failed, i, !value || *value);
    });
    SetErrors(block, failed, [&] {
      return CastError(ValueText(operand, 0, expression_.children[0].type), expression_.type);
    });
    return result_;
  }

 private:
  NodeRef operand_;
};

/// The text of a number as an integer or decimal, rounded to its scale.
template <typename To>
bool ReadNumber(std::string_view text, const DataType& type, To* result) {
  const auto number = ExactNumber::Parse(text);
  const auto value = number ? number->RoundAtScale(type.scale) : std::nullopt;
  if (!value) return false;
  if (type.id == TypeId::kDecimal && !HasAtMostDigits(*value, type.precision)) return false;
  if constexpr (std::is_same_v<To, Int256>) {
    *result = *value;
    return true;
  } else {
    if (!value->FitsInt128()) return false;
    *result = static_cast<To>(value->ToInt128());
    return static_cast<Int128>(*result) == value->ToInt128();
  }
}

template <typename To>
bool FitNanoseconds(Int128 nanoseconds, Int128 unit, To* result) {
  const Int128 number = FloorDivide(nanoseconds, unit);
  *result = static_cast<To>(number);
  return static_cast<Int128>(*result) == number;
}

template <typename To>
bool ReadTime(std::string_view text, const DataType& type, int32_t zone_offset, To* result) {
  switch (type.id) {
    case TypeId::kDate: {
      const auto days = ParseDate(text);
      return days && FitNanoseconds<To>(*days, 1, result);
    }
    case TypeId::kTime: {
      const auto time = ParseTime(text);
      return time && FitNanoseconds<To>(time->nanoseconds, NanosecondsPerUnit(type.unit), result);
    }
    default: {
      const auto timestamp = ParseTimestamp(text);
      if (!timestamp || (timestamp->offset && !type.utc_adjusted)) return false;
      const int32_t offset = type.utc_adjusted ? timestamp->offset.value_or(zone_offset) : 0;
      return FitNanoseconds<To>(timestamp->nanoseconds - Int128{offset} * kNanosecondsPerSecond,
                                NanosecondsPerUnit(type.unit), result);
    }
  }
}

template <typename To>
NodeRef MakeReader(const BoundExpression& expression, ScratchLayout& layout) {
  const DataType& type = expression.type;
  const auto explain = [&type](const std::string& value) { return CastError(value, type); };
  if constexpr (std::is_same_v<To, Interval> || std::is_same_v<To, std::string_view>) {
    return nullptr;
  } else if constexpr (std::is_floating_point_v<To>) {
    return MakeMap<std::string_view, To>(
        expression, layout,
        [](std::string_view text, To* result) {
          const auto value = [&] {
            if constexpr (std::is_same_v<To, float>) return ParseFloat(text);
            if constexpr (std::is_same_v<To, double>) return ParseDouble(text);
          }();
          *result = value.value_or(To{});
          return value.has_value();
        },
        explain);
  } else {
    if constexpr (std::is_same_v<To, int32_t> || std::is_same_v<To, int64_t>) {
      if (IsTimeLike(type)) {
        return MakeMap<std::string_view, To>(
            expression, layout,
            [&type, zone = expression.zone_offset](std::string_view text, To* result) {
              return ReadTime(text, type, zone, result);
            },
            explain);
      }
    }
    return MakeMap<std::string_view, To>(
        expression, layout,
        [&type](std::string_view text, To* result) { return ReadNumber(text, type, result); },
        explain);
  }
}

}  // namespace

NodeRef MakeSameBytes(const BoundExpression& expression, ScratchLayout& layout) {
  return std::make_unique<SameBytesNode>(expression, layout);
}

NodeRef MakeTextCast(const BoundExpression& expression, ScratchLayout& layout) {
  using View = std::string_view;
  switch (TypeClassOf(expression.type)) {
    case TypeClass::kBoolean:
      return std::make_unique<TextBooleanNode>(expression, layout);
    case TypeClass::kText:
      return MakeSameBytes(expression, layout);
    case TypeClass::kBinary:
      return MakeBytes<View>(expression, layout, ParseBinary);
    case TypeClass::kUuid:
      return MakeBytes<View>(expression, layout, [](View text, std::string* out) {
        const auto uuid = ParseUuid(text);
        if (uuid) out->append(uuid->data(), uuid->size());
        return uuid.has_value();
      });
    default:
      break;
  }
  NodeRef node;
  VisitNative(NativeOf(expression.type), [&]<typename To>(std::type_identity<To>) {
    node = MakeReader<To>(expression, layout);
  });
  return node;
}

NodeRef MakeCastToBytes(const BoundExpression& expression, ScratchLayout& layout) {
  const DataType& from = expression.children[0].type;
  if (expression.type.id == TypeId::kBinary) return MakeSameBytes(expression, layout);
  if (from.id == TypeId::kBoolean) return std::make_unique<BooleanTextNode>(expression, layout);
  NodeRef node;
  VisitNative(NativeOf(from), [&]<typename From>(std::type_identity<From>) {
    node = MakeBytes<From>(
        expression, layout,
        [&from, zone = expression.zone_offset](const From& value, std::string* out) {
          AppendValueText(value, from, zone, out);
          return true;
        });
  });
  return node;
}

}  // namespace sluice::inline v0::engine
