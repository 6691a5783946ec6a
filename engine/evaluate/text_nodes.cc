// Functions of text, LIKE, starts_with. Characters are those of UTF-8; a byte that begins none
// counts as one.

#include "engine/bound/type_rules.h"
#include "engine/evaluate/case_mapping.h"
#include "engine/evaluate/like_pattern.h"
#include "engine/evaluate/map_node.h"
#include "format/model/like.h"
#include "format/model/text/scalar_text.h"

namespace sluice::inline v0::engine {
namespace {

using View = std::string_view;

size_t FirstLength(View text) {
  if (static_cast<unsigned char>(text.front()) < 0x80) return 1;
  const size_t length = text::CharacterLength(text);
  return length == 0 ? 1 : length;
}

int64_t CountCharacters(View text) {
  int64_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(FirstLength(text));
  return count;
}

/// What is left behind the first `count` characters.
View SkipCharacters(View text, Int128 count) {
  for (; count > 0 && !text.empty(); --count) text.remove_prefix(FirstLength(text));
  return text;
}

/// Characters begin to end of the text, the first being 0, as far as there are such.
View Characters(View text, Int128 begin, Int128 end) {
  if (begin < 0) begin = 0;
  if (end <= begin) return text.substr(0, 0);
  const View from = SkipCharacters(text, begin);
  return from.substr(0, from.size() - SkipCharacters(from, end - begin).size());
}

/// The first character is 1, the last -1; a negative length counts backwards.
View Substr(View text, int64_t start, const int64_t* length) {
  Int128 begin = Int128{start} - 1;
  if (start < 0) begin = Int128{CountCharacters(text)} + start;
  if (length == nullptr) return Characters(text, begin, Int128{1} << 100);
  return *length < 0 ? Characters(text, begin + *length, begin)
                     : Characters(text, begin, begin + *length);
}

class SubstrNode : public Node {
 public:
  SubstrNode(const BoundExpression& expression, ScratchLayout& layout) : Node(expression, layout) {
    for (const BoundExpression& child : expression.children) {
      operands_.push_back(MakeNode(child, layout));
    }
  }

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& text = operands_[0]->Evaluate(block, active);
    const Vector& start = operands_[1]->Evaluate(block, active);
    const Vector* length = operands_.size() > 2 ? &operands_[2]->Evaluate(block, active) : nullptr;
    JoinNulls({&text, &start, length == nullptr ? &start : length});
    View* values = Values<View>(block);
    VisitRows(ValidRows(active), [&](size_t i) {
      values[i] = Substr(text.as<View>()[i], start.as<int64_t>()[i],
                         length == nullptr ? nullptr : length->as<int64_t>() + i);
    });
    return result_;
  }

 private:
  std::vector<NodeRef> operands_;
};

class CaseMappingNode : public Node {
 public:
  CaseMappingNode(const BoundExpression& expression, ScratchLayout& layout)
      : Node(expression, layout), operand_(MakeNode(expression.children[0], layout)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& operand = operand_->Evaluate(block, active);
    JoinNulls({&operand});
    const bool is_upper = expression_.op == BoundOp::kUpper;
    View* values = Values<View>(block);
    VisitRows(ValidRows(active), [&](size_t i) {
      scratch_.clear();
      AppendMapped(operand.as<View>()[i], is_upper, &scratch_);
      values[i] = block.texts.Copy(scratch_);
    });
    return result_;
  }

 private:
  NodeRef operand_;
  std::string scratch_;
};

/// A test of two texts: matches(text, other, &failed).
template <typename Matches>
class TextTestNode : public Node {
 public:
  TextTestNode(const BoundExpression& expression, ScratchLayout& layout, Matches matches)
      : Node(expression, layout),
        text_(MakeNode(expression.children[0], layout)),
        other_(MakeNode(expression.children[1], layout)),
        matches_(std::move(matches)) {}

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const Vector& text = text_->Evaluate(block, active);
    const Vector& other = other_->Evaluate(block, active);
    JoinNulls({&text, &other});
    RowBits& trues = Trues(block);
    trues = {};
    RowBits failed{};
    VisitRows(ValidRows(active), [&](size_t i) {
      bool is_failed = false;
      const bool is_match = matches_(text.as<View>()[i], other.as<View>()[i], &is_failed);
      SetRow(&trues, i, is_match);
      SetRow(&failed, i, is_failed);
    });
    SetErrors(block, failed, [&] {
      return fmt::format("the pattern {} ends with its escape character",
                         ValueText(other, 0, expression_.children[1].type));
    });
    return result_;
  }

 private:
  NodeRef text_;
  NodeRef other_;
  Matches matches_;
};

template <typename Matches>
NodeRef MakeTextTest(const BoundExpression& expression, ScratchLayout& layout, Matches matches) {
  return std::make_unique<TextTestNode<Matches>>(expression, layout, std::move(matches));
}

NodeRef MakeLike(const BoundExpression& expression, ScratchLayout& layout) {
  if (expression.bytes) {
    return MakeTextTest(expression, layout,
                        [escape = *expression.bytes, normal = std::string()](
                            View text, View pattern, bool* failed) mutable {
                          *failed = !NormalizeLikePattern(pattern, escape, &normal);
                          return !*failed && LikeMatches(normal, text);
                        });
  }
  const BoundExpression& pattern = expression.children[1];
  if (pattern.is_constant() && pattern.bytes) {
    LikePrefix prefix = PrefixOfLike(*pattern.bytes);
    if (prefix.is_sufficient) {
      return MakeTextTest(expression, layout,
                          [bytes = std::move(prefix.bytes)](View text, View, bool*) {
                            return text.starts_with(bytes);
                          });
    }
  }
  return MakeTextTest(expression, layout,
                      [](View text, View normal, bool*) { return LikeMatches(normal, text); });
}

}  // namespace

NodeRef MakeText(const BoundExpression& expression, ScratchLayout& layout) {
  switch (expression.op) {
    case BoundOp::kLike:
      return MakeLike(expression, layout);
    case BoundOp::kStartsWith:
      return MakeTextTest(expression, layout,
                          [](View text, View prefix, bool*) { return text.starts_with(prefix); });
    case BoundOp::kLength:
      return MakeMap<View, int64_t>(
          expression, layout,
          [](View text, int64_t* count) {
            *count = CountCharacters(text);
            return true;
          },
          [](const std::string& value) { return value; });
    case BoundOp::kSubstr:
      return std::make_unique<SubstrNode>(expression, layout);
    default:
      return std::make_unique<CaseMappingNode>(expression, layout);
  }
}

}  // namespace sluice::inline v0::engine
