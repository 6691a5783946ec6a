// Columns and constants.

#include "engine/evaluate/native_value.h"
#include "engine/evaluate/node.h"
#include "format/model/bitmap_words.h"

namespace sluice::inline v0::engine {
namespace {

/// Which rows of a column the rows of the block are.
class RowMap {
 public:
  void SetSequence(int64_t begin) {
    kind_ = Kind::kSequence;
    begin_ = begin;
  }
  void SetOne(int64_t row) {
    kind_ = Kind::kOne;
    begin_ = row;
  }
  /// Row i of the block, among `rows`, becomes codes[i's row so far].
  void Translate(const int32_t* codes, const RowBits& rows) {
    VisitRows(rows, [&](size_t i) { each_[i] = codes[At(i)]; });
    kind_ = Kind::kEach;
  }
  bool is_sequence() const { return kind_ == Kind::kSequence; }
  int64_t begin() const { return begin_; }
  int64_t At(size_t i) const {
    switch (kind_) {
      case Kind::kSequence:
        return begin_ + static_cast<int64_t>(i);
      case Kind::kOne:
        return begin_;
      case Kind::kEach:
        return each_[i];
    }
    return begin_;
  }

 private:
  enum class Kind : uint8_t { kSequence, kOne, kEach } kind_ = Kind::kSequence;
  int64_t begin_ = 0;
  std::array<int32_t, kBlockRows> each_;
};

class ColumnNode : public Node {
 public:
  using Node::Node;

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    rows_.SetSequence(block.begin);
    result_.nulls = {};
    const std::vector<Column>* columns = &block.batch->columns;
    const Column* column = nullptr;
    for (const int32_t ordinal : expression_.path) {
      column = &(*columns)[static_cast<size_t>(ordinal)];
      column = &Enter(*column, block.rows, active);
      columns = &column->children;
    }
    if (result_.native == Native::kBits) {
      LoadBools(*column, block, active);
    } else {
      VisitNative(result_.native,
                  [&]<typename T>(std::type_identity<T>) { Load<T>(*column, block, active); });
    }
    return result_;
  }

 private:
  /// The column behind constant and dictionary forms that holds the values; nulls on the way count.
  const Column& Enter(const Column& outer, size_t block_rows, const RowBits& active) {
    const Column* column = &outer;
    while (true) {
      AddNulls(*column, block_rows, active);
      if (column->form == ColumnForm::kConstant) {
        rows_.SetOne(0);
      } else if (column->form == ColumnForm::kDictionary) {
        rows_.Translate(column->values<int32_t>(), ValidRows(active));
      } else {
        return *column;
      }
      column = column->dictionary.get();
    }
  }

  void AddNulls(const Column& column, size_t block_rows, const RowBits& active) {
    if (column.form == ColumnForm::kConstant || column.null_count == 0) return;
    if (!column.validity) {
      result_.nulls = active;
      return;
    }
    const auto* validity = column.validity->as<uint64_t>();
    if (!rows_.is_sequence()) {
      VisitRows(ValidRows(active),
                [&](size_t i) { SetRow(&result_.nulls, i, !GetBit(validity, rows_.At(i))); });
      return;
    }
    RowBits valid;
    CopyBits(validity, rows_.begin(), static_cast<int64_t>(block_rows), valid.data());
    for (size_t i = 0; i * 64 < block_rows; ++i) result_.nulls[i] |= ~valid[i];
  }

  void LoadBools(const Column& column, Block& block, const RowBits& active) {
    RowBits& trues = Trues(block);
    trues = {};
    const RowBits valid = ValidRows(active);
    if (rows_.is_sequence()) {
      CopyBits(column.values<uint64_t>(), rows_.begin(), static_cast<int64_t>(block.rows),
               trues.data());
      for (size_t i = 0; i < kBlockWords; ++i) trues[i] &= valid[i];
      return;
    }
    VisitRows(valid,
              [&](size_t i) { SetRow(&trues, i, GetBit(column.values<uint64_t>(), rows_.At(i))); });
  }

  template <typename T>
  void Load(const Column& column, Block& block, const RowBits& active) {
    const DataType& type = *column.type;
    if (type.is_view()) {
      if constexpr (std::is_same_v<T, std::string_view>) {
        T* values = Values<T>(block);
        VisitRows(ValidRows(active), [&](size_t i) { values[i] = column.Bytes(rows_.At(i)); });
      }
      return;
    }
    const auto width = static_cast<size_t>(type.byte_width);
    const char* bytes = column.values<char>();
    if (rows_.is_sequence() && IsNativeLayout(type)) {
      const char* begin = bytes + static_cast<size_t>(rows_.begin()) * width;
      if (reinterpret_cast<uintptr_t>(begin) % alignof(T) == 0) {
        result_.values = begin;
      } else {
        std::memcpy(Values<T>(block), begin, block.rows * width);
      }
      return;
    }
    T* values = Values<T>(block);
    VisitRows(ValidRows(active), [&](size_t i) {
      values[i] = Load<T>(bytes + static_cast<size_t>(rows_.At(i)) * width, width, type);
    });
  }

  template <typename T>
  static T Load(const char* bytes, size_t width, const DataType& type) {
    if constexpr (std::is_same_v<T, Interval>) {
      return LoadInterval(bytes);
    } else {
      return LoadNative<T>(bytes, width, type);
    }
  }

  RowMap rows_;
};

class ConstantNode : public Node {
 public:
  using Node::Node;

  const Vector& Evaluate(Block& block, const RowBits& active) override {
    const auto& bytes = expression_.bytes;
    result_.nulls = {};
    if (!bytes) result_.nulls = active;
    if (result_.native == Native::kBits) {
      Trues(block) = bytes && bytes->front() != 0 ? active : RowBits{};
      return result_;
    }
    VisitNative(result_.native, [&]<typename T>(std::type_identity<T>) {
      T* values = Values<T>(block);
      const T value = bytes ? LoadNative<T>(bytes->data(), bytes->size(), expression_.type) : T();
      for (size_t i = 0; i < block.rows; ++i) values[i] = value;
    });
    return result_;
  }
};

}  // namespace

NodeRef MakeColumn(const BoundExpression& expression, ScratchLayout& layout) {
  return std::make_unique<ColumnNode>(expression, layout);
}

NodeRef MakeConstant(const BoundExpression& expression, ScratchLayout& layout) {
  return std::make_unique<ConstantNode>(expression, layout);
}

}  // namespace sluice::inline v0::engine
