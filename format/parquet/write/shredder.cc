#include "format/parquet/write/shredder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "format/model/try.h"
#include "format/parquet/write/stored_values.h"

namespace sluice::inline v0::parquet {
namespace {

/// Dictionaries of dictionaries, at most.
constexpr int kMaxForms = 8;

/// The levels on the way down to a leaf. Entry i stands in row rows[i] of the present node's
/// column, or is settled (kSettled): null or empty further up, at definition[i].
struct Slots {
  static constexpr int64_t kSettled = -1;

  std::vector<int64_t> rows;
  std::vector<uint16_t> definition;
  std::vector<uint16_t> repetition;

  /// Bytes of so many entries.
  static int64_t Bytes(int64_t count) { return 12 * count; }
  static int64_t Bytes(size_t count) { return Bytes(static_cast<int64_t>(count)); }

  size_t size() const { return rows.size(); }
  void Settle(size_t i, uint16_t level) {
    rows[i] = kSettled;
    definition[i] = level;
  }
};

Status NullError(const WriteNode& node) {
  return Status::InvalidArgument("column '" + node.path +
                                 "': null in a field that is not nullable");
}

/// Settles the entries that are null in `column` and replaces it, through constants and
/// dictionaries, by the column that holds the values.
Status Resolve(const WriteNode& node, const Column*& column, Slots& slots) {
  for (int form = 0; form < kMaxForms; ++form) {
    const bool is_indirect =
        column->form == ColumnForm::kConstant || column->form == ColumnForm::kDictionary;
    if (column->form != ColumnForm::kConstant && column->null_count != 0) {
      for (size_t i = 0; i < slots.size(); ++i) {
        if (slots.rows[i] == Slots::kSettled || !column->IsNull(slots.rows[i])) continue;
        if (!node.is_nullable) return NullError(node);
        slots.Settle(i, static_cast<uint16_t>(node.definition_level - 1));
      }
    }
    if (!is_indirect) return Status::Ok();
    const int32_t* codes =
        column->form == ColumnForm::kDictionary ? column->values<int32_t>() : nullptr;
    for (int64_t& row : slots.rows) {
      if (row != Slots::kSettled) row = codes == nullptr ? 0 : codes[row];
    }
    column = column->dictionary.get();
  }
  return Status::InvalidArgument("column '" + node.path + "': dictionaries are nested too deeply");
}

/// The entries of the elements of the lists that `slots` stand in.
Result<Slots> Expand(const WriteNode& node, const Column& column, const Slots& slots,
                     CountedMemory* memory) {
  const int32_t* offsets = column.values<int32_t>();
  int64_t count = 0;
  for (const int64_t row : slots.rows) {
    const int64_t length = row == Slots::kSettled ? 0 : offsets[row + 1] - offsets[row];
    count += std::max<int64_t>(length, 1);
  }
  SLUICE_RETURN_IF_ERROR(memory->Add(Slots::Bytes(count)));
  Slots elements;
  elements.rows.reserve(static_cast<size_t>(count));
  elements.definition.reserve(static_cast<size_t>(count));
  elements.repetition.reserve(static_cast<size_t>(count));
  for (size_t i = 0; i < slots.size(); ++i) {
    const int64_t row = slots.rows[i];
    const int64_t first = row == Slots::kSettled ? 0 : offsets[row];
    const int64_t last = row == Slots::kSettled ? 0 : offsets[row + 1];
    if (first == last) {
      elements.rows.push_back(Slots::kSettled);
      elements.definition.push_back(row == Slots::kSettled ? slots.definition[i]
                                                           : node.definition_level);
      elements.repetition.push_back(slots.repetition[i]);
      continue;
    }
    for (int64_t element = first; element < last; ++element) {
      elements.rows.push_back(element);
      elements.definition.push_back(0);
      elements.repetition.push_back(element == first ? slots.repetition[i] : node.repetition_level);
    }
  }
  return elements;
}

/// Bytes that finding and storing so many values of a leaf takes at most.
int64_t LeafBytes(const WriteNode& node, int64_t count) {
  const auto view = static_cast<int64_t>(sizeof(std::string_view));
  const int64_t stored =
      node.type.is_view() ? view : std::max<int64_t>(node.type.byte_width, sizeof(int64_t));
  return count * (static_cast<int64_t>(sizeof(int64_t)) + stored);
}

Status ShredLeaf(const WriteNode& node, const Column& column, Slots slots, int64_t num_rows,
                 CountedMemory* memory, std::vector<LeafRows>* leaves) {
  SLUICE_RETURN_IF_ERROR(memory->Add(LeafBytes(node, static_cast<int64_t>(slots.size()))));
  LeafRows& leaf = leaves->emplace_back();
  leaf.num_rows = num_rows;
  leaf.num_levels = static_cast<int64_t>(slots.size());
  std::vector<int64_t> present;
  present.reserve(slots.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    if (slots.rows[i] == Slots::kSettled) continue;
    present.push_back(slots.rows[i]);
    slots.definition[i] = node.definition_level;
  }
  if (node.definition_level > 0) leaf.definition_levels = std::move(slots.definition);
  if (node.repetition_level > 0) leaf.repetition_levels = std::move(slots.repetition);
  return StoreValues(node.type, column,
                     RowList{0, static_cast<int64_t>(present.size()), present.data()}, &leaf)
      .In("column '" + node.path + "'");
}

Status ShredNode(const WriteNode& node, const Column& where, Slots slots, int64_t num_rows,
                 CountedMemory* memory, std::vector<LeafRows>* leaves) {
  const Column* column = &where;
  SLUICE_RETURN_IF_ERROR(Resolve(node, column, slots));
  if (node.kind == WriteNode::Kind::kLeaf) {
    return ShredLeaf(node, *column, std::move(slots), num_rows, memory, leaves);
  }
  if (node.kind == WriteNode::Kind::kList) {
    SLUICE_TRY(slots, Expand(node, *column, slots, memory));
  }
  for (size_t i = 0; i < node.children.size(); ++i) {
    const bool is_last = i + 1 == node.children.size();
    if (!is_last) SLUICE_RETURN_IF_ERROR(memory->Add(Slots::Bytes(slots.size())));
    SLUICE_RETURN_IF_ERROR(ShredNode(node.children[i], column->children[i],
                                     is_last ? std::move(slots) : slots, num_rows, memory, leaves));
  }
  return Status::Ok();
}

/// A top-level leaf in flat or view form: no entries are needed.
Status ShredFlat(const WriteNode& node, const Column& column, int64_t begin, int64_t end,
                 LeafRows* leaf) {
  leaf->num_rows = end - begin;
  leaf->num_levels = end - begin;
  if (node.is_nullable) leaf->definition_levels.assign(static_cast<size_t>(end - begin), 1);
  RowList rows{begin, end - begin, nullptr};
  std::vector<int64_t> present;
  if (column.null_count != 0) {
    present.reserve(static_cast<size_t>(end - begin));
    for (int64_t row = begin; row < end; ++row) {
      if (!column.IsNull(row)) {
        present.push_back(row);
      } else if (!node.is_nullable) {
        return NullError(node);
      } else {
        leaf->definition_levels[static_cast<size_t>(row - begin)] = 0;
      }
    }
    rows = {0, static_cast<int64_t>(present.size()), present.data()};
  }
  return StoreValues(node.type, column, rows, leaf).In("column '" + node.path + "'");
}

bool IsSameType(const DataType& a, const DataType& b) {
  return a.id == b.id && a.unit == b.unit && a.utc_adjusted == b.utc_adjusted &&
         a.byte_width == b.byte_width && a.precision == b.precision && a.scale == b.scale;
}

}  // namespace

Status CheckColumnFits(const WriteNode& node, const Column& column) {
  const Column* values = &column;
  for (int form = 0; form <= kMaxForms; ++form) {
    if (values->type == nullptr || !IsSameType(*values->type, node.type)) {
      return Status::InvalidArgument(
          fmt::format("column '{}': {} was given for {}", node.path,
                      values->type ? values->type->ToString() : "no type", node.type.ToString()));
    }
    if (values->form != ColumnForm::kConstant && values->form != ColumnForm::kDictionary) break;
    if (values->dictionary == nullptr) {
      return Status::InvalidArgument("column '" + node.path + "': the dictionary is missing");
    }
    values = values->dictionary.get();
  }
  if (values->children.size() != node.children.size()) {
    return Status::InvalidArgument(fmt::format("column '{}': {} children were given for {}",
                                               node.path, values->children.size(),
                                               node.children.size()));
  }
  for (size_t i = 0; i < node.children.size(); ++i) {
    SLUICE_RETURN_IF_ERROR(CheckColumnFits(node.children[i], values->children[i]));
  }
  return Status::Ok();
}

Status ShredRows(const WriteNode& node, const Column& column, int64_t begin, int64_t end,
                 CountedMemory* memory, std::vector<LeafRows>* leaves) {
  SLUICE_RETURN_IF_ERROR(memory->Add(Slots::Bytes(end - begin)));
  if (node.kind == WriteNode::Kind::kLeaf &&
      (column.form == ColumnForm::kFlat || column.form == ColumnForm::kView)) {
    SLUICE_RETURN_IF_ERROR(memory->Add(LeafBytes(node, end - begin)));
    return ShredFlat(node, column, begin, end, &leaves->emplace_back());
  }
  Slots slots;
  slots.rows.resize(static_cast<size_t>(end - begin));
  for (int64_t row = begin; row < end; ++row) slots.rows[static_cast<size_t>(row - begin)] = row;
  slots.definition.resize(slots.rows.size());
  slots.repetition.resize(slots.rows.size());
  return ShredNode(node, column, std::move(slots), end - begin, memory, leaves);
}

}  // namespace sluice::inline v0::parquet
