// Comparisons, membership in sets, is_nan.

#include <algorithm>
#include <cmath>

#include "engine/evaluate/native_value.h"
#include "engine/evaluate/node.h"

namespace sluice::inline v0::engine {
namespace {

/// NaN is the greatest number, and equals itself.
template <typename T>
bool IsLess(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return (a < b) | ((a == a) & (b != b));
  } else {
    return a < b;
  }
}

template <typename T>
bool IsEqual(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return (a == b) | ((a != a) & (b != b));
  } else {
    return a == b;
  }
}

enum class Test : uint8_t { kEqual, kLess, kGreater };

/// What is tested, and whether the opposite is wanted.
std::pair<Test, bool> TestOf(ComparisonOp op) {
  switch (op) {
    case ComparisonOp::kEqual:
    case ComparisonOp::kNotDistinct:
      return {Test::kEqual, false};
    case ComparisonOp::kNotEqual:
    case ComparisonOp::kDistinct:
      return {Test::kEqual, true};
    case ComparisonOp::kLess:
      return {Test::kLess, false};
    case ComparisonOp::kGreaterEqual:
      return {Test::kLess, true};
    case ComparisonOp::kGreater:
      return {Test::kGreater, false};
    case ComparisonOp::kLessEqual:
      return {Test::kGreater, true};
  }
  return {Test::kEqual, false};
}

/// Sets the bits of the rows whose pair passes; `second(i)` may be the same for all i.
template <typename T, typename Second>
void TestRows(Test test, const T* a, Second second, size_t rows, const RowBits& valid,
              RowBits* bits) {
  const auto fill = [&](auto passes) {
    if constexpr (std::is_same_v<T, std::string_view>) {
      *bits = {};
      VisitRows(valid, [&](size_t i) { SetRow(bits, i, passes(i)); });
    } else {
      FillRows(rows, bits, passes);
    }
  };
  switch (test) {
    case Test::kEqual:
      return fill([=](size_t i) { return IsEqual<T>(a[i], second(i)); });
    case Test::kLess:
      return fill([=](size_t i) { return IsLess<T>(a[i], second(i)); });
    case Test::kGreater:
      return fill([=](size_t i) { return IsLess<T>(second(i), a[i]); });
  }
}

RowBits TestBools(Test test, const RowBits& a, const RowBits& b) {
  RowBits bits;
  for (size_t i = 0; i < kBlockWords; ++i) {
    bits[i] = test == Test::kEqual  ? ~(a[i] ^ b[i])
              : test == Test::kLess ? ~a[i] & b[i]
                                    : a[i] & ~b[i];
  }
  return bits;
}

class ComparisonNode : public Node {
 public:
  ComparisonNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout), first_(MakeNode(expression.children[0], layout)) {
    // A constant is compared with as it is, not as a vector of copies.
    const BoundExpression& second = expression.children[1];
    is_scalar_ = second.is_constant() && !second.is_null() && second.type.id != TypeId::kBoolean;
    if (!is_scalar_) second_ = MakeNode(second, layout);
  }

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& a = first_->Evaluate(block, active);
    const Vector* b = is_scalar_ ? nullptr : &second_->Evaluate(block, active);
    if (b != nullptr) {
      JoinNulls({&a, b});
    } else {
      JoinNulls({&a});
    }
    const auto [test, is_negated] = TestOf(expression_.comparison);
    RowBits& trues = Trues(block);
    if (a.native == Native::kBits) {
      trues = TestBools(test, a.bits(), b->bits());
    } else {
      VisitNative(a.native, [&, passes = test]<typename T>(std::type_identity<T>) {
        Run<T>(passes, a, b, block.rows, ValidRows(active), &trues);
      });
    }
    for (uint64_t& word : trues) word = is_negated ? ~word : word;
    if (expression_.comparison >= ComparisonOp::kDistinct) {
      JoinDistinct(a, b, &trues);
    } else {
      ClearInvalid(&trues);
    }
    for (size_t i = 0; i < kBlockWords; ++i) trues[i] &= active[i];
    return result_;
  }

 private:
  template <typename T>
  void Run(Test test, const Vector& a, const Vector* b, size_t rows, const RowBits& valid,
           RowBits* bits) {
    if constexpr (!std::is_same_v<T, Interval>) {
      if (b == nullptr) {
        const std::string& bytes = *expression_.children[1].bytes;
        const T constant = LoadNative<T>(bytes.data(), bytes.size(), expression_.children[1].type);
        TestRows<T>(
            test, a.as<T>(), [=](size_t) { return constant; }, rows, valid, bits);
      } else {
        const T* second = b->as<T>();
        TestRows<T>(
            test, a.as<T>(), [=](size_t i) { return second[i]; }, rows, valid, bits);
      }
    }
  }

  /// NULL is a value like others, and nothing is NULL.
  void JoinDistinct(const Vector& a, const Vector* b, RowBits* trues) {
    const bool is_distinct = expression_.comparison == ComparisonOp::kDistinct;
    for (size_t i = 0; i < kBlockWords; ++i) {
      const uint64_t other = b == nullptr ? 0 : b->nulls[i];
      const uint64_t either = a.nulls[i] | other;
      const uint64_t by_null = is_distinct ? a.nulls[i] ^ other : ~(a.nulls[i] ^ other);
      (*trues)[i] = ((*trues)[i] & ~either) | (by_null & either);
      (*trues)[i] &= ~result_.errors[i];
      result_.nulls[i] = 0;
    }
  }

  NodeRef first_;
  NodeRef second_;
  bool is_scalar_ = false;
};

/// So few items are compared with one by one.
constexpr size_t kFewItems = 8;

template <typename T>
class InSetNode : public Node {
 public:
  InSetNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout), operand_(MakeNode(expression.children[0], layout)) {
    const DataType& type = expression.children[0].type;
    items_.reserve(expression.set->size());
    for (const std::string& item : *expression.set) {
      items_.push_back(LoadNative<T>(item.data(), item.size(), type));
    }
  }

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& operand = operand_->Evaluate(block, active);
    JoinNulls({&operand});
    RowBits& trues = Trues(block);
    const T* values = operand.as<T>();
    const RowBits valid = ValidRows(active);
    if (items_.size() <= kFewItems && !std::is_same_v<T, std::string_view>) {
      FillRows(block.rows, &trues, [&](size_t i) {
        bool is_member = false;
        for (const T& item : items_) is_member |= IsEqual(values[i], item);
        return is_member;
      });
    } else {
      trues = {};
      VisitRows(valid, [&](size_t i) {
        const bool is_member =
            std::binary_search(items_.begin(), items_.end(), values[i], IsLess<T>);
        SetRow(&trues, i, is_member);
      });
    }
    for (size_t i = 0; i < kBlockWords; ++i) {
      trues[i] &= valid[i];
      if (expression_.set_has_null) result_.nulls[i] |= valid[i] & ~trues[i];
    }
    return result_;
  }

 private:
  NodeRef operand_;
  std::vector<T> items_;  ///< Ascending, distinct.
};

class BoolInSetNode : public Node {
 public:
  BoolInSetNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout), operand_(MakeNode(expression.children[0], layout)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& operand = operand_->Evaluate(block, active);
    JoinNulls({&operand});
    const std::vector<std::string>& set = *expression_.set;
    const uint64_t has_false = set.front().front() == 0 ? ~uint64_t{0} : 0;
    const uint64_t has_true = set.back().front() != 0 ? ~uint64_t{0} : 0;
    RowBits& trues = Trues(block);
    const RowBits valid = ValidRows(active);
    for (size_t i = 0; i < kBlockWords; ++i) {
      const uint64_t value = operand.bits()[i];
      trues[i] = valid[i] & ((value & has_true) | (~value & has_false));
      if (expression_.set_has_null) result_.nulls[i] |= valid[i] & ~trues[i];
    }
    return result_;
  }

 private:
  NodeRef operand_;
};

class IsNanNode : public Node {
 public:
  IsNanNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout), operand_(MakeNode(expression.children[0], layout)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& operand = operand_->Evaluate(block, active);
    JoinNulls({&operand});
    RowBits& trues = Trues(block);
    if (operand.native == Native::kFloat) {
      const auto* values = operand.as<float>();
      FillRows(block.rows, &trues, [&](size_t i) { return values[i] != values[i]; });
    } else {
      const auto* values = operand.as<double>();
      FillRows(block.rows, &trues, [&](size_t i) { return values[i] != values[i]; });
    }
    ClearInvalid(&trues);
    return result_;
  }

 private:
  NodeRef operand_;
};

}  // namespace

NodeRef MakeComparison(const BoundExpression& expression, ScratchLayout& layout) {
  if (expression.op == BoundOp::kIsNan) return std::make_unique<IsNanNode>(expression, layout);
  return std::make_unique<ComparisonNode>(expression, layout);
}

NodeRef MakeInSet(const BoundExpression& expression, ScratchLayout& layout) {
  const Native native = NativeOf(expression.children[0].type);
  if (native == Native::kBits) return std::make_unique<BoolInSetNode>(expression, layout);
  NodeRef node;
  VisitNative(native, [&]<typename T>(std::type_identity<T>) {
    if constexpr (!std::is_same_v<T, Interval>) {
      node = std::make_unique<InSetNode<T>>(expression, layout);
    }
  });
  return node;
}

}  // namespace sluice::inline v0::engine
