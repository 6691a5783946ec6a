// Casts between numbers and booleans, and which file makes the others.

#include "engine/evaluate/cast_nodes.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "engine/bound/type_rules.h"
#include "engine/evaluate/map_node.h"
#include "engine/values/exact_number.h"

namespace sluice::inline v0::engine {
namespace {

template <typename T>
constexpr bool kIsInteger = std::is_integral_v<T>;
template <typename T>
constexpr bool kIsFloating = std::is_floating_point_v<T>;
template <typename T>
constexpr bool kIsExact = kIsInteger<T> || std::is_same_v<T, Int128> || std::is_same_v<T, Int256>;

/// Any unscaled number as one of 256 bits.
template <typename T>
Int256 Widen(const T& value) {
  if constexpr (std::is_same_v<T, Int256>) {
    return value;
  } else {
    return Int256(static_cast<Int128>(value));
  }
}

/// Whether a number fits the native type, as which it is given then.
template <typename To>
bool Narrow(const Int256& value, To* result) {
  if constexpr (std::is_same_v<To, Int256>) {
    *result = value;
    return true;
  } else {
    if (!value.FitsInt128()) return false;
    const Int128 wide = value.ToInt128();
    *result = static_cast<To>(wide);
    return static_cast<Int128>(*result) == wide;
  }
}

/// Integers and decimals to integers and decimals. Between numbers of at most 128 bits without a
/// division this is one multiplication.
template <typename From, typename To>
class Rescale {
 public:
  Rescale(const DataType& from, const DataType& to)
      : up_(to.scale - from.scale),
        digits_(to.id == TypeId::kDecimal ? to.precision : 0),
        is_total_(!CastRuleOf(from, to).can_fail) {}

  bool operator()(const From& value, To* result) const {
    if constexpr (!std::is_same_v<From, Int256> && !std::is_same_v<To, Int256>) {
      if (up_ >= 0 && up_ <= kMaxDigits128) {
        Int128 wide = static_cast<Int128>(value);
        if (up_ > 0 && __builtin_mul_overflow(wide, PowerOfTen(up_), &wide)) return false;
        *result = static_cast<To>(wide);
        if (static_cast<Int128>(*result) != wide) return false;
        return is_total_ || digits_ == 0 || HasAtMostDigits(wide, digits_);
      }
    }
    Int256 wide = Widen(value);
    if (up_ >= 0) {
      const auto scaled = MultiplyByPowerOfTen(wide, up_);
      if (!scaled) return false;
      wide = *scaled;
    } else {
      wide = DivideByPowerOfTen(wide, -up_);
    }
    if (!Narrow(wide, result)) return false;
    return is_total_ || digits_ == 0 || HasAtMostDigits(wide, digits_);
  }

 private:
  int32_t up_;      ///< Digits behind the point to add.
  int32_t digits_;  ///< That the result may have; 0 for integers.
  bool is_total_;
};

/// The nearest value of a decimal.
template <typename From, typename To>
To NearestOf(const From& value, int32_t scale) {
  // Both are exact then, so that their quotient is rounded once.
  constexpr int kExactPowers = 22;
  constexpr int64_t kExactIntegers = int64_t{1} << 53;
  if constexpr (std::is_same_v<To, double> && !std::is_same_v<From, Int256>) {
    const auto wide = static_cast<Int128>(value);
    if (scale <= kExactPowers && -kExactIntegers <= wide && wide <= kExactIntegers) {
      return static_cast<double>(static_cast<int64_t>(wide)) /
             static_cast<double>(PowerOfTen(scale));
    }
  }
  const ExactNumber number = ExactNumber::Of(Widen(value), scale);
  if constexpr (std::is_same_v<To, float>) {
    return number.ToFloat();
  } else {
    return number.ToDouble();
  }
}

/// Floating point to integers: to the nearest, halves to even.
template <typename From, typename To>
bool RoundToInteger(From value, To* result) {
  const From rounded = std::nearbyint(value);
  // The ends of the range as powers of two, which are exact.
  const From end = std::ldexp(From{1}, std::numeric_limits<To>::digits);
  const From least = std::is_signed_v<To> ? -end : From{0};
  if (!(rounded >= least && rounded < end)) return false;
  *result = static_cast<To>(rounded);
  return true;
}

/// Floating point to decimals: times the power of ten, then to the nearest, halves away from zero.
template <typename From, typename To>
class RoundToDecimal {
 public:
  explicit RoundToDecimal(const DataType& to)
      : factor_(static_cast<double>(PowerOfTen(to.scale))), digits_(to.precision) {}

  bool operator()(From value, To* result) const {
    const double rounded = std::round(static_cast<double>(value) * factor_);
    constexpr double kEnd = 0x1p127;
    if (!(rounded > -kEnd && rounded < kEnd)) return false;
    const auto wide = static_cast<Int128>(rounded);
    return HasAtMostDigits(wide, digits_) && Narrow(Int256(wide), result);
  }

 private:
  double factor_;
  int32_t digits_;
};

template <typename From, typename To>
NodeRef MakeNumberCast(const BoundExpression& expression, ScratchLayout& layout) {
  const DataType& from = expression.children[0].type;
  const DataType& to = expression.type;
  const auto explain = [&expression](const std::string& value) {
    return CastError(value, expression.type);
  };
  if constexpr (kIsExact<From> && kIsExact<To>) {
    if constexpr (kIsInteger<From> && kIsInteger<To>) {
      const bool is_widening = from.id != TypeId::kDecimal && to.id != TypeId::kDecimal &&
                               !CastRuleOf(from, to).can_fail;
      if (is_widening) {
        return MakeTotalMap<From, To>(expression, layout,
                                      [](From value) { return static_cast<To>(value); });
      }
    }
    return MakeMap<From, To>(expression, layout, Rescale<From, To>(from, to), explain);
  } else if constexpr (kIsExact<From> && kIsFloating<To>) {
    if constexpr (kIsInteger<From>) {
      if (from.id != TypeId::kDecimal) {
        return MakeTotalMap<From, To>(expression, layout,
                                      [](From value) { return static_cast<To>(value); });
      }
    }
    return MakeMap<From, To>(
        expression, layout,
        [scale = from.scale](const From& value, To* result) {
          *result = NearestOf<From, To>(value, scale);
          return std::isfinite(*result);
        },
        explain);
  } else if constexpr (kIsFloating<From> && kIsFloating<To>) {
    return MakeMap<From, To>(
        expression, layout,
        [](From value, To* result) {
          *result = static_cast<To>(value);
          return std::isinf(value) || !std::isinf(*result);
        },
        explain);
  } else if constexpr (kIsFloating<From> && kIsExact<To>) {
    if constexpr (kIsInteger<To>) {
      if (to.id != TypeId::kDecimal) {
        return MakeMap<From, To>(expression, layout, RoundToInteger<From, To>, explain);
      }
    }
    return MakeMap<From, To>(expression, layout, RoundToDecimal<From, To>(to), explain);
  } else {
    return nullptr;
  }
}

/// Booleans as 0 and 1.
template <typename To>
class FromBooleanNode : public Node {
 public:
  FromBooleanNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout), operand_(MakeNode(expression.children[0], layout)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& operand = operand_->Evaluate(block, active);
    JoinNulls({&operand});
    To* values = Values<To>(block);
    RowBits failed{};
    const DataType integer = DataType::Of(TypeId::kInt8);
    VisitRows(ValidRows(active), [&](size_t i) {
      const auto bit = static_cast<int8_t>(operand.bits()[i / 64] >> i % 64 & 1);
      if constexpr (kIsFloating<To>) {
        values[i] = bit;
      } else {
        // As an integer of one digit, so that 1 may not fit a decimal without any before the point.
        const bool fits = Rescale<int8_t, To>(integer, expression_.type)(bit, &values[i]);
        failed[i / 64] |= uint64_t{!fits} << i % 64;
      }
    });
    SetErrors(block, failed, [&] { return CastError("TRUE", expression_.type); });
    return result_;
  }

 private:
  NodeRef operand_;
};

/// Numbers are TRUE where they are not 0, NaN too.
template <typename From>
class ToBooleanNode : public Node {
 public:
  ToBooleanNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout), operand_(MakeNode(expression.children[0], layout)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& operand = operand_->Evaluate(block, active);
    JoinNulls({&operand});
    RowBits& trues = Trues(block);
    FillRows(block.rows, &trues, [&](size_t i) { return operand.as<From>()[i] != From{}; });
    ClearInvalid(&trues);
    return result_;
  }

 private:
  NodeRef operand_;
};

/// From NULL of no type: every row is NULL.
class FromNothingNode : public Node {
 public:
  FromNothingNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout), operand_(MakeNode(expression.children[0], layout)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& operand = operand_->Evaluate(block, active);
    JoinNulls({&operand});
    if (result_.native == Native::kBits) {
      Trues(block) = {};
    } else {
      VisitNative(result_.native, [&]<typename T>(std::type_identity<T>) {
        T* values = Values<T>(block);
        for (size_t i = 0; i < block.rows; ++i) values[i] = T{};
      });
    }
    return result_;
  }

 private:
  NodeRef operand_;
};

NodeRef MakeNumberCast(const BoundExpression& expression, ScratchLayout& layout) {
  const Native from = NativeOf(expression.children[0].type);
  const Native to = NativeOf(expression.type);
  NodeRef node;
  if (from == Native::kBits) {
    VisitNative(to, [&]<typename To>(std::type_identity<To>) {
      if constexpr (kIsExact<To> || kIsFloating<To>) {
        node = std::make_unique<FromBooleanNode<To>>(expression, layout);
      }
    });
    return node;
  }
  VisitNative(from, [&]<typename From>(std::type_identity<From>) {
    if constexpr (kIsExact<From> || kIsFloating<From>) {
      if (to == Native::kBits) {
        node = std::make_unique<ToBooleanNode<From>>(expression, layout);
        return;
      }
      VisitNative(to, [&]<typename To>(std::type_identity<To>) {
        node = MakeNumberCast<From, To>(expression, layout);
      });
    }
  });
  return node;
}

}  // namespace

std::string CastError(const std::string& value, const DataType& type) {
  return fmt::format("{} is no value of type {}", value, type.ToString());
}

NodeRef MakeCast(const BoundExpression& expression, ScratchLayout& layout) {
  const DataType& from = expression.children[0].type;
  const TypeClass source = TypeClassOf(from);
  const TypeClass target = TypeClassOf(expression.type);
  if (source == TypeClass::kNull) {
    return std::make_unique<FromNothingNode>(expression, layout);
  }
  if (source == TypeClass::kText) return MakeTextCast(expression, layout);
  if (target == TypeClass::kText || target == TypeClass::kBinary) {
    return MakeCastToBytes(expression, layout);
  }
  if (IsTimeLike(from)) return MakeTimeCast(expression, layout);
  return MakeNumberCast(expression, layout);
}

}  // namespace sluice::inline v0::engine
