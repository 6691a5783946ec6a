// + - * / % of numbers and intervals, unary minus, abs.

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "engine/evaluate/map_node.h"
#include "engine/evaluate/native_value.h"

namespace sluice::inline v0::engine {
namespace {

/// Each operation calculates a result, and says whether it has none. Integers wrap around first and
/// are looked at then, which needs no branch.
struct Add {
  template <typename T>
  static bool Fails(T a, T b, T* result) {
    using Unsigned = std::make_unsigned_t<T>;
    *result = static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    if constexpr (std::is_unsigned_v<T>) return *result < a;
    return ((a ^ *result) & (b ^ *result)) < 0;
  }
};

struct Subtract {
  template <typename T>
  static bool Fails(T a, T b, T* result) {
    using Unsigned = std::make_unsigned_t<T>;
    *result = static_cast<T>(static_cast<Unsigned>(a) - static_cast<Unsigned>(b));
    if constexpr (std::is_unsigned_v<T>) return a < b;
    return ((a ^ b) & (a ^ *result)) < 0;
  }
};

struct Multiply {
  template <typename T>
  static bool Fails(T a, T b, T* result) {
    return __builtin_mul_overflow(a, b, result);
  }
};

struct Modulo {
  template <typename T>
  static bool Fails(T a, T b, T* result) {
    // The least number by -1 has no quotient, though its remainder is 0.
    const bool has_quotient = b != 0 && (std::is_unsigned_v<T> || b != static_cast<T>(-1));
    *result = has_quotient ? static_cast<T>(a % b) : T{0};
    return b == 0;
  }
};

// Floating point: infinities are results. Only division has none, by zero.
template <typename T>
bool CalculateFloating(BoundOp op, T a, T b, T* result) {
  switch (op) {
    case BoundOp::kAdd:
      *result = a + b;
      return false;
    case BoundOp::kSubtract:
      *result = a - b;
      return false;
    case BoundOp::kMultiply:
      *result = a * b;
      return false;
    case BoundOp::kDivide:
      *result = a / (b == 0 ? 1 : b);
      return b == 0;
    default:
      *result = b == 0 ? 0 : std::fmod(a, b);
      return b == 0;
  }
}

std::string_view SymbolOf(BoundOp op) {
  switch (op) {
    case BoundOp::kAdd:
      return "+";
    case BoundOp::kSubtract:
      return "-";
    case BoundOp::kMultiply:
      return "*";
    case BoundOp::kDivide:
      return "/";
    default:
      return "%";
  }
}

/// A constant for messages.
std::string ConstantText(const BoundExpression& constant) {
  Vector vector;
  vector.native = NativeOf(constant.type);
  std::string text;
  VisitNative(vector.native, [&]<typename T>(std::type_identity<T>) {
    const T value = LoadNative<T>(constant.bytes->data(), constant.bytes->size(), constant.type);
    vector.values = &value;
    text = ValueText(vector, 0, constant.type);
  });
  return text;
}

/// Calculates all rows and looks at their errors afterwards. What is the same for all types and
/// operations is here, compiled once.
class BinaryNode : public Node {
 public:
  BinaryNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout), first_(MakeNode(expression.children[0], layout)) {
    const BoundExpression& second = expression.children[1];
    const bool is_scalar = second.is_constant() && !second.is_null();
    if (!is_scalar) second_ = MakeNode(second, layout);
  }

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& a = first_->Evaluate(block, active);
    RowBits failed;
    if (second_ == nullptr) {
      JoinNulls({&a});
      Calculate(block, a.values, nullptr, &failed);
    } else {
      const Vector& b = second_->Evaluate(block, active);
      JoinNulls({&a, &b});
      Calculate(block, a.values, b.values, &failed);
    }
    const RowBits valid = ValidRows(active);
    for (size_t i = 0; i < kBlockWords; ++i) failed[i] &= valid[i];
    if (!IsEmpty(failed)) SetErrors(block, failed, [&] { return Explain(block, a, active); });
    return result_;
  }

 protected:
  /// Sets the bits of the rows that have no result; `second` is null where it is a constant.
  virtual void Calculate(Block& block, const void* first, const void* second, RowBits* failed) = 0;

 private:
  std::string Explain(Block& block, const Vector& a, const RowBits& active) {
    const BoundExpression& other = expression_.children[1];
    const std::string second = second_ == nullptr
                                   ? ConstantText(other)
                                   : ValueText(second_->Evaluate(block, active), 0, other.type);
    const bool is_division =
        expression_.op == BoundOp::kDivide || expression_.op == BoundOp::kModulo;
    const std::string text = fmt::format("{} {} {}", ValueText(a, 0, expression_.children[0].type),
                                         SymbolOf(expression_.op), second);
    if (is_division) return "division by zero: " + text;
    return fmt::format("{} is out of range of {}", text, expression_.type.ToString());
  }

  NodeRef first_;
  NodeRef second_;  ///< Null where the second operand is a constant.
};

/// By `fails(a, b, &result)`.
template <typename T, typename Fails>
class CalculationNode : public BinaryNode {
 public:
  CalculationNode(const BoundExpression& expression, ScratchLayout& layout, Fails fails)
      : BinaryNode(expression, layout), fails_(std::move(fails)) {
    const BoundExpression& second = expression.children[1];
    if (second.is_constant() && !second.is_null()) {
      constant_ = LoadNative<T>(second.bytes->data(), second.bytes->size(), second.type);
    }
  }

 protected:
  void Calculate(Block& block, const void* first, const void* second, RowBits* failed) override {
    const T* a = static_cast<const T*>(first);
    const T* b = static_cast<const T*>(second);
    T* values = Values<T>(block);
    if (b == nullptr) {
      const T constant = constant_;
      FillRows(block.rows, failed, [&](size_t i) { return fails_(a[i], constant, &values[i]); });
    } else {
      FillRows(block.rows, failed, [&](size_t i) { return fails_(a[i], b[i], &values[i]); });
    }
  }

 private:
  Fails fails_;
  T constant_{};
};

template <typename T, typename Fails>
NodeRef MakeBinary(const BoundExpression& expression, ScratchLayout& layout, Fails fails) {
  return std::make_unique<CalculationNode<T, Fails>>(expression, layout, std::move(fails));
}

template <typename T, typename Operation>
NodeRef MakeInteger(const BoundExpression& expression, ScratchLayout& layout, Operation) {
  return MakeBinary<T>(expression, layout,
                       [](T a, T b, T* result) { return Operation::Fails(a, b, result); });
}

template <typename T>
NodeRef MakeIntegers(const BoundExpression& expression, ScratchLayout& layout) {
  switch (expression.op) {
    case BoundOp::kAdd:
      return MakeInteger<T>(expression, layout, Add());
    case BoundOp::kSubtract:
      return MakeInteger<T>(expression, layout, Subtract());
    case BoundOp::kMultiply:
      return MakeInteger<T>(expression, layout, Multiply());
    default:
      return MakeInteger<T>(expression, layout, Modulo());
  }
}

template <typename T>
NodeRef MakeFloating(const BoundExpression& expression, ScratchLayout& layout) {
  const BoundOp op = expression.op;
  return MakeBinary<T>(expression, layout,
                       [op](T a, T b, T* result) { return CalculateFloating(op, a, b, result); });
}

/// Decimals of 16 bytes: as integers, and the result must not have more digits than its type.
NodeRef MakeDecimals(const BoundExpression& expression, ScratchLayout& layout) {
  const BoundOp op = expression.op;
  const int32_t precision = expression.type.precision;
  return MakeBinary<Int128>(expression, layout,
                            [op, precision](Int128 a, Int128 b, Int128* result) {
                              bool fails = false;
                              switch (op) {
                                case BoundOp::kAdd:
                                  fails = __builtin_add_overflow(a, b, result);
                                  break;
                                case BoundOp::kSubtract:
                                  fails = __builtin_sub_overflow(a, b, result);
                                  break;
                                case BoundOp::kMultiply:
                                  fails = __builtin_mul_overflow(a, b, result);
                                  break;
                                default:
                                  *result = b == 0 || b == -1 ? 0 : a % b;
                                  return b == 0;
                              }
                              return fails || !HasAtMostDigits(*result, precision);
                            });
}

NodeRef MakeIntervals(const BoundExpression& expression, ScratchLayout& layout) {
  const bool is_sum = expression.op == BoundOp::kAdd;
  return MakeBinary<Interval>(
      expression, layout, [is_sum](const Interval& a, const Interval& b, Interval* result) {
        const auto join = [is_sum](int64_t left, int64_t right, int64_t* sum) {
          return is_sum ? __builtin_add_overflow(left, right, sum)
                        : __builtin_sub_overflow(left, right, sum);
        };
        const bool fails_months = join(a.months, b.months, &result->months);
        const bool fails_days = join(a.days, b.days, &result->days);
        const bool fails_rest = join(a.nanoseconds, b.nanoseconds, &result->nanoseconds);
        return fails_months | fails_days | fails_rest;
      });
}

std::string ExplainNegation(const BoundExpression& expression, const std::string& value) {
  return fmt::format("{}({}) is out of range of {}",
                     expression.op == BoundOp::kNegate ? "-" : "abs", value,
                     expression.type.ToString());
}

template <typename T>
bool Negate(const T& value, T* result) {
  if constexpr (std::is_same_v<T, Interval>) {
    return Negate(value.months, &result->months) && Negate(value.days, &result->days) &&
           Negate(value.nanoseconds, &result->nanoseconds);
  } else if constexpr (std::is_same_v<T, Int256>) {
    *result = value.Negated();
    return value != Int256::Min();
  } else {
    return !__builtin_sub_overflow(T{0}, value, result);
  }
}

template <typename T>
bool Absolute(const T& value, T* result) {
  const bool is_negative = value < T{0};
  if (is_negative) return Negate(value, result);
  *result = value;
  return true;
}

template <typename T>
NodeRef MakeSign(const BoundExpression& expression, ScratchLayout& layout) {
  const bool is_minus = expression.op == BoundOp::kNegate;
  if constexpr (std::is_floating_point_v<T>) {
    return MakeTotalMap<T, T>(expression, layout,
                              [is_minus](T value) { return is_minus ? -value : std::fabs(value); });
  } else {
    const auto explain = [&expression](const std::string& value) {
      return ExplainNegation(expression, value);
    };
    if (is_minus) return MakeMap<T, T>(expression, layout, Negate<T>, explain);
    if constexpr (!std::is_same_v<T, Interval>) {
      return MakeMap<T, T>(expression, layout, Absolute<T>, explain);
    }
    return nullptr;
  }
}

}  // namespace

NodeRef MakeArithmetic(const BoundExpression& expression, ScratchLayout& layout) {
  const bool is_sign = expression.op == BoundOp::kNegate || expression.op == BoundOp::kAbs;
  NodeRef node;
  VisitNative(NativeOf(expression.type), [&]<typename T>(std::type_identity<T>) {
    if constexpr (!std::is_same_v<T, std::string_view>) {
      if (is_sign) {
        node = MakeSign<T>(expression, layout);
      } else if constexpr (std::is_same_v<T, Interval>) {
        node = MakeIntervals(expression, layout);
      } else if constexpr (std::is_same_v<T, Int128>) {
        node = MakeDecimals(expression, layout);
      } else if constexpr (std::is_floating_point_v<T>) {
        node = MakeFloating<T>(expression, layout);
      } else if constexpr (!std::is_same_v<T, Int256>) {
        node = MakeIntegers<T>(expression, layout);
      }
    }
  });
  return node;
}

}  // namespace sluice::inline v0::engine
