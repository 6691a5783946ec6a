// Casts between numbers that can fail or round, and from booleans to numbers.
//
// They go through wide integers, so that there is a loop to read each type and a loop to write
// each, not one for every pair of types.

#include <cmath>

#include "engine/bound/type_rules.h"
#include "engine/evaluate/cast_nodes.h"
#include "engine/values/exact_number.h"

namespace sluice::inline v0::engine {
namespace {

template <typename T>
constexpr bool kIsFloating = std::is_floating_point_v<T>;
template <typename T>
constexpr bool kIsExact =
    std::is_integral_v<T> || std::is_same_v<T, Int128> || std::is_same_v<T, Int256>;

/// Reads the rows of a vector as wide integers; sets the bits of those that are none.
/// Floating-point numbers are rounded: to the nearest with halves to even, or with a `factor`
/// multiplied by it and halves rounded away from zero.
template <typename Wide>
using Read = void (*)(const Vector& from, const RowBits& rows, double factor, Wide* wide,
                      RowBits* failed);

template <typename Wide, typename From>
void ReadExact(const Vector& from, const RowBits& rows, double, Wide* wide, RowBits*) {
  const From* values = from.as<From>();
  if constexpr (std::is_same_v<From, Int256>) {
    VisitRows(rows, [&](size_t i) { wide[i] = values[i]; });
  } else {
    VisitRows(rows, [&](size_t i) { wide[i] = static_cast<Int128>(values[i]); });
  }
}

template <typename Wide>
void ReadBits(const Vector& from, const RowBits& rows, double, Wide* wide, RowBits*) {
  VisitRows(rows, [&](size_t i) { wide[i] = Int128{HasRow(from.bits(), i)}; });
}

template <typename From>
void ReadFloating(const Vector& from, const RowBits& rows, double factor, Int128* wide,
                  RowBits* failed) {
  constexpr double kEnd = 0x1p127;
  VisitRows(rows, [&](size_t i) {
    const auto value = static_cast<double>(from.as<From>()[i]);
    const double rounded = factor == 0 ? std::nearbyint(value) : std::round(value * factor);
    const bool fits = rounded > -kEnd && rounded < kEnd;
    wide[i] = fits ? static_cast<Int128>(rounded) : 0;
    SetRow(failed, i, !fits);
  });
}

template <typename Wide>
Read<Wide> ReadOf(Native native) {
  Read<Wide> read = nullptr;
  if (native == Native::kBits) return ReadBits<Wide>;
  VisitNative(native, [&]<typename From>(std::type_identity<From>) {
    constexpr bool fits = std::is_same_v<Wide, Int256> || !std::is_same_v<From, Int256>;
    if constexpr (kIsFloating<From> && std::is_same_v<Wide, Int128>) {
      read = ReadFloating<From>;
    } else if constexpr (kIsExact<From> && fits) {
      read = ReadExact<Wide, From>;
    }
  });
  return read;
}

/// value * 10^up, where `up` may be negative: halves are rounded away from zero then.
bool Rescale(int32_t up, Int128* value) {
  if (up >= 0) return !__builtin_mul_overflow(*value, PowerOfTen(up), value);
  const Int128 divisor = PowerOfTen(-up);
  const Int128 rest = *value % divisor;
  const Int128 distance = rest < 0 ? -rest : rest;
  const Int128 away = distance >= divisor - distance ? (*value < 0 ? -1 : 1) : 0;
  *value = *value / divisor + away;
  return true;
}

bool Rescale(int32_t up, Int256* value) {
  if (up < 0) {
    *value = DivideByPowerOfTen(*value, -up);
    return true;
  }
  const auto scaled = MultiplyByPowerOfTen(*value, up);
  if (scaled) *value = *scaled;
  return scaled.has_value();
}

/// Writes wide integers, of decimals those of `scale`, as values of a type; sets the bits of rows
/// whose value it does not have.
template <typename Wide>
using Write = void (*)(const Wide* wide, const RowBits& rows, int32_t scale, void* to,
                       RowBits* failed);

template <typename Wide, typename To>
void WriteExact(const Wide* wide, const RowBits& rows, int32_t, void* to, RowBits* failed) {
  auto* values = static_cast<To*>(to);
  VisitRows(rows, [&](size_t i) {
    if constexpr (std::is_same_v<To, Int256>) {
      values[i] = wide[i];
    } else if constexpr (std::is_same_v<Wide, Int256>) {
      const Int128 narrow = wide[i].ToInt128();
      values[i] = static_cast<To>(narrow);
      SetRow(failed, i, !wide[i].FitsInt128() || static_cast<Int128>(values[i]) != narrow);
    } else {
      values[i] = static_cast<To>(wide[i]);
      SetRow(failed, i, static_cast<Int128>(values[i]) != wide[i]);
    }
  });
}

template <typename Wide, typename To>
To NearestOf(const Wide& value, int32_t scale) {
  // Both are exact then, so that their quotient is rounded once.
  constexpr int kExactPowers = 22;
  constexpr int64_t kExactIntegers = int64_t{1} << 53;
  if constexpr (std::is_same_v<To, double> && std::is_same_v<Wide, Int128>) {
    if (scale <= kExactPowers && -kExactIntegers <= value && value <= kExactIntegers) {
      return static_cast<double>(static_cast<int64_t>(value)) /
             static_cast<double>(PowerOfTen(scale));
    }
  }
  const ExactNumber number = ExactNumber::Of(value, scale);
  if constexpr (std::is_same_v<To, float>) {
    return number.ToFloat();
  } else {
    return number.ToDouble();
  }
}

/// The nearest values.
template <typename Wide, typename To>
void WriteFloating(const Wide* wide, const RowBits& rows, int32_t scale, void* to,
                   RowBits* failed) {
  auto* values = static_cast<To*>(to);
  VisitRows(rows, [&](size_t i) {
    values[i] = NearestOf<Wide, To>(wide[i], scale);
    SetRow(failed, i, !std::isfinite(values[i]));
  });
}

template <typename Wide>
Write<Wide> WriteOf(Native native) {
  Write<Wide> write = nullptr;
  VisitNative(native, [&]<typename To>(std::type_identity<To>) {
    if constexpr (kIsFloating<To>) {
      write = WriteFloating<Wide, To>;
    } else if constexpr (kIsExact<To>) {
      write = WriteExact<Wide, To>;
    }
  });
  return write;
}

template <typename Wide>
class NumberCastNode : public Node {
 public:
  NumberCastNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout),
        operand_(MakeNode(expression.children[0], layout)),
        from_(expression.children[0].type),
        read_(ReadOf<Wide>(NativeOf(from_))),
        write_(WriteOf<Wide>(NativeOf(expression.type))),
        wide_(kBlockRows) {
    const DataType& to = expression.type;
    const bool is_decimal = to.id == TypeId::kDecimal;
    if (IsFloatingType(from_)) {
      factor_ = is_decimal ? static_cast<double>(PowerOfTen(to.scale)) : 0;
    } else if (!IsFloatingType(to)) {
      up_ = to.scale - from_.scale;
    }
    // What is widened may have more digits than either type says, and fits by its bits.
    const bool is_cast = expression.op == BoundOp::kCast;
    if (is_decimal && is_cast && CastRuleOf(from_, to).can_fail) digits_ = to.precision;
  }

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& operand = operand_->Evaluate(block, active);
    JoinNulls({&operand});
    RowBits rows = ValidRows(active);
    RowBits failed{};
    void* values = Values<std::byte>(block);
    read_(operand, rows, factor_, wide_.data(), &failed);
    Exclude(failed, &rows);
    if (up_ != 0 || digits_ != 0) {
      VisitRows(rows, [&](size_t i) {
        const bool fits = (up_ == 0 || Rescale(up_, &wide_[i])) &&
                          (digits_ == 0 || HasAtMostDigits(wide_[i], digits_));
        SetRow(&failed, i, !fits);
      });
      Exclude(failed, &rows);
    }
    write_(wide_.data(), rows, from_.scale, values, &failed);
    if (!IsEmpty(failed)) {
      SetErrors(block, failed,
                [&] { return CastError(ValueText(operand, 0, from_), expression_.type); });
    }
    return result_;
  }

 private:
  static void Exclude(const RowBits& excluded, RowBits* rows) {
    for (size_t i = 0; i < kBlockWords; ++i) (*rows)[i] &= ~excluded[i];
  }

  NodeRef operand_;
  const DataType& from_;
  Read<Wide> read_;
  Write<Wide> write_;
  double factor_ = 0;   ///< Of floating-point numbers to decimals.
  int32_t up_ = 0;      ///< Digits behind the point to add.
  int32_t digits_ = 0;  ///< That the result may have; 0 where they need not be counted.
  std::vector<Wide> wide_;
};

}  // namespace

NodeRef MakeNumberCast(const BoundExpression& expression, ScratchLayout& layout) {
  const DataType& from = expression.children[0].type;
  const DataType& to = expression.type;
  const bool has_256_bits = NativeOf(from) == Native::kInt256 ||
                            (NativeOf(to) == Native::kInt256 && !IsFloatingType(from)) ||
                            std::abs(to.scale - from.scale) > kMaxDigits128;
  if (has_256_bits) return std::make_unique<NumberCastNode<Int256>>(expression, layout);
  return std::make_unique<NumberCastNode<Int128>>(expression, layout);
}

}  // namespace sluice::inline v0::engine
