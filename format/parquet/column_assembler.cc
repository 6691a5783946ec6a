#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "format/model/kernels/kernels.h"
#include "format/model/try.h"
#include "format/parquet/assembly_plan.h"
#include "format/parquet/leaf_values.h"

namespace sluice::inline v0::parquet {
namespace {

Result<BufferRef> AllocateBits(int64_t length, BufferPool& pool) {
  return pool.Allocate(BitmapBytes(length));
}

/// The levels of `leaf` that begin a row (of an element of the list, or of the record) that the
/// columns at one place of the tree have in common.
struct Slots {
  const LeafValues* leaf = nullptr;  ///< Null: no leaf, and `count` is all there is to know.
  LevelPair pair;
  int64_t count = 0;
  BufferRef bits;  ///< One a level; absent where every level is a slot.
};

/// Entries of a leaf as its ancestor down to `shared` sees them.
class SharedEntries {
 public:
  SharedEntries(const LeafValues& leaf, LevelPair shared) : leaf_(leaf), shared_(shared) {}

  /// Whether there is another; then repetition() and definition() are its levels.
  bool Next() {
    if (leaf_.repetition_levels != nullptr) {
      while (next_ < leaf_.num_levels && leaf_.repetition_levels[next_] > shared_.repetition) {
        ++next_;
      }
    }
    if (next_ >= leaf_.num_levels) return false;
    repetition_ = leaf_.repetition_levels != nullptr ? leaf_.repetition_levels[next_] : 0;
    definition_ = std::min(leaf_.definition_levels[next_], shared_.definition);
    ++next_;
    return true;
  }
  uint16_t repetition() const { return repetition_; }
  uint16_t definition() const { return definition_; }

 private:
  const LeafValues& leaf_;
  LevelPair shared_;
  int64_t next_ = 0;
  uint16_t repetition_ = 0;
  uint16_t definition_ = 0;
};

/// For leaves whose every level is an entry of the ancestor: no branches.
bool HaveSameDenseStructure(const LeafValues& a, const LeafValues& b, LevelPair shared) {
  if (a.num_levels != b.num_levels) return false;
  if (shared.repetition > 0 && a.num_levels > 0 &&
      std::memcmp(a.repetition_levels, b.repetition_levels,
                  static_cast<size_t>(a.num_levels) * sizeof(uint16_t)) != 0) {
    return false;
  }
  bool same = true;
  for (int64_t i = 0; i < a.num_levels; ++i) {
    same &= std::min(a.definition_levels[i], shared.definition) ==
            std::min(b.definition_levels[i], shared.definition);
  }
  return same;
}

bool HaveSameStructure(const LeafValues& a, const LeafValues& b, LevelPair shared) {
  SharedEntries left(a, shared);
  SharedEntries right(b, shared);
  while (left.Next()) {
    if (!right.Next() || left.repetition() != right.repetition() ||
        left.definition() != right.definition()) {
      return false;
    }
  }
  return !right.Next();
}

/// Every entry repeats only a list that is open: it and the entry before lie inside.
bool RepeatsOpenLists(const LeafValues& leaf, const AssemblyLeaf& plan) {
  const uint16_t* definition = leaf.definition_levels;
  const uint16_t* repetition = leaf.repetition_levels;
  const uint16_t* open = plan.open_definitions.data();
  bool is_open = true;
  for (int64_t i = 1; i < leaf.num_levels; ++i) {
    const uint16_t needed = open[repetition[i]];
    is_open &= (definition[i] >= needed) & (definition[i - 1] >= needed);
  }
  return is_open;
}

/// One batch of one column.
class Assembly {
 public:
  Assembly(const AssemblyPlan& plan, const std::vector<LeafValues>& leaves, int64_t num_rows,
           BufferPool& pool)
      : plan_(plan), leaves_(leaves), num_rows_(num_rows), pool_(pool) {}

  Status Check() const;
  std::string LeafPath(size_t leaf) const;
  Result<Column> Build() {
    SLUICE_TRY(const Slots slots, FindSlots(plan_.root.leaf, LevelPair{}, num_rows_));
    return Build(plan_.root, slots);
  }

 private:
  Status CheckLeaf(size_t leaf) const;
  Result<Slots> FindSlots(int32_t leaf, LevelPair pair, int64_t expected) const;
  Result<Column> Build(const AssemblyNode& node, const Slots& slots) const;
  Result<Column> BuildLeaf(const AssemblyNode& node, const Slots& slots) const;
  Result<Column> BuildRepeats(const AssemblyNode& node, const Slots& slots) const;
  Result<int64_t> BuildOffsets(const AssemblyNode& node, const Slots& slots, Column& column) const;
  Status BuildChildren(const AssemblyNode& node, const Slots& slots, Column& column) const;
  Status BuildValidity(uint16_t definition, const Slots& slots, Column& column) const;

  const AssemblyPlan& plan_;
  const std::vector<LeafValues>& leaves_;
  const int64_t num_rows_;
  BufferPool& pool_;
};

Status Assembly::CheckLeaf(size_t leaf) const {
  const AssemblyLeaf& plan = plan_.leaves[leaf];
  const LeafValues& values = leaves_[leaf];
  if ((plan.max_definition > 0) != (values.definition_levels != nullptr) ||
      (plan.max_repetition > 0) != (values.repetition_levels != nullptr)) {
    if (values.num_levels > 0) return Status::Internal("levels are not those of the leaf");
  }
  if (plan.max_repetition == 0) {
    if (values.num_levels == num_rows_) return Status::Ok();
    return Status::Internal(
        fmt::format("levels do not fill the rows: {} of {}", values.num_levels, num_rows_));
  }
  if (values.num_levels > std::numeric_limits<int32_t>::max()) {
    return Status::ResourceExhausted(
        fmt::format("too many list elements for one batch: {}", values.num_levels));
  }
  if (!RepeatsOpenLists(values, plan)) {
    return Status::Corruption("a repetition level continues a list that is not open");
  }
  return Status::Ok();
}

std::string Assembly::LeafPath(size_t leaf) const {
  return plan_.tree->LeafPath(plan_.leaves[leaf].leaf);
}

Status Assembly::Check() const {
  if (leaves_.size() != plan_.leaves.size()) {
    return Status::Internal(fmt::format("leaves are not those of the column: {} of {}",
                                        leaves_.size(), plan_.leaves.size()));
  }
  for (size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
    if (Status status = CheckLeaf(leaf); !status.ok()) return status.In(LeafPath(leaf));
  }
  for (const SharedLevels& pair : plan_.shared) {
    const auto a = static_cast<size_t>(pair.leaf);
    const auto b = static_cast<size_t>(pair.other);
    const bool dense = plan_.leaves[a].max_repetition == pair.shared.repetition &&
                       plan_.leaves[b].max_repetition == pair.shared.repetition;
    if (!(dense ? HaveSameDenseStructure(leaves_[a], leaves_[b], pair.shared)
                : HaveSameStructure(leaves_[a], leaves_[b], pair.shared))) {
      return Status::Corruption(
          fmt::format("levels of two leaves tell different lists or nulls around them: {} and {}",
                      LeafPath(a), LeafPath(b)));
    }
  }
  return Status::Ok();
}

Result<Slots> Assembly::FindSlots(int32_t leaf, LevelPair pair, int64_t expected) const {
  Slots slots;
  slots.pair = pair;
  slots.count = expected;
  if (leaf < 0) return slots;
  slots.leaf = &leaves_[static_cast<size_t>(leaf)];
  const int64_t levels = slots.leaf->num_levels;
  const uint16_t max_repetition = plan_.leaves[static_cast<size_t>(leaf)].max_repetition;
  if (max_repetition == 0) return slots;
  const kernels::KernelTable& kernel = kernels::BestTable();
  SLUICE_TRY(slots.bits, AllocateBits(levels, pool_));
  auto* bits = slots.bits->mutable_as<uint64_t>();
  slots.count =
      kernel.levels_at_least(slots.leaf->definition_levels, levels, pair.definition, bits);
  if (max_repetition > pair.repetition) {
    SLUICE_TRY(const BufferRef deeper, AllocateBits(levels, pool_));
    auto* words = deeper->mutable_as<uint64_t>();
    kernel.levels_at_least(slots.leaf->repetition_levels, levels,
                           static_cast<uint16_t>(pair.repetition + 1), words);
    for (int64_t word = 0; word < BitmapWords(levels); ++word) bits[word] &= ~words[word];
    slots.count = CountBits(bits, 0, levels);
  }
  if (slots.count == levels) slots.bits = nullptr;
  if (slots.count != expected) {
    return Status::Internal(fmt::format("levels begin {} of {} elements", slots.count, expected));
  }
  return slots;
}

/// Validity and null_count of a column that is null in the slots below `definition`.
Status Assembly::BuildValidity(uint16_t definition, const Slots& slots, Column& column) const {
  const kernels::KernelTable& kernel = kernels::BestTable();
  const int64_t levels = slots.leaf->num_levels;
  SLUICE_TRY(BufferRef present, AllocateBits(levels, pool_));
  auto* words = present->mutable_as<uint64_t>();
  int64_t count = kernel.levels_at_least(slots.leaf->definition_levels, levels, definition, words);
  if (slots.bits) {
    SLUICE_TRY(BufferRef packed, AllocateBits(levels, pool_));
    auto* packed_words = packed->mutable_as<uint64_t>();
    kernel.extract_bits(words, slots.bits->as<uint64_t>(), levels, packed_words);
    count = CountBits(packed_words, 0, slots.count);
    present = SliceBuffer(packed, 0, BitmapBytes(slots.count));
  }
  column.null_count = slots.count - count;
  if (column.null_count > 0) column.validity = std::move(present);
  return Status::Ok();
}

Result<Column> Assembly::BuildLeaf(const AssemblyNode& node, const Slots& slots) const {
  const LeafValues& leaf = *slots.leaf;
  Column values = leaf.values;
  values.type = node.type;
  if (node.type->id == TypeId::kNull) {
    values = Column{};
    values.type = node.type;
    values.length = slots.count;
    values.null_count = slots.count;
    return values;
  }
  if (values.length == slots.count) return values;
  if (node.definition == 0) {
    return Status::Internal(
        fmt::format("values do not fill the rows: {} of {}", values.length, slots.count));
  }
  Column rows;
  SLUICE_RETURN_IF_ERROR(BuildValidity(node.definition, slots, rows));
  return SpreadValues(std::move(values), std::move(rows.validity), slots.count, rows.null_count,
                      pool_);
}

/// The offsets of `column`; returns the number of elements.
Result<int64_t> Assembly::BuildOffsets(const AssemblyNode& node, const Slots& slots,
                                       Column& column) const {
  SLUICE_TRY(column.data, pool_.Allocate((slots.count + 1) * sizeof(int32_t)));
  auto* offsets = column.data->mutable_as<int32_t>();
  if (slots.leaf == nullptr) {
    std::fill_n(offsets, slots.count + 1, 0);
    return 0;
  }
  const uint16_t* repetition = slots.leaf->repetition_levels;
  const uint16_t* definition = slots.leaf->definition_levels;
  const LevelPair slot = slots.pair;
  const LevelPair element = node.element;
  int64_t row = 0;
  int32_t elements = 0;
  for (int64_t i = 0; i < slots.leaf->num_levels; ++i) {
    // Where no row begins this is overwritten: by the row that does begin next, or the last offset.
    offsets[row] = elements;
    row += (repetition[i] <= slot.repetition) & (definition[i] >= slot.definition);
    elements += (repetition[i] <= element.repetition) & (definition[i] >= element.definition);
  }
  offsets[row] = elements;
  return elements;
}

Status Assembly::BuildChildren(const AssemblyNode& node, const Slots& slots, Column& column) const {
  column.children.reserve(node.children.size());
  for (const AssemblyNode& child : node.children) {
    if (child.leaf == node.leaf) {
      SLUICE_TRY(Column built, Build(child, slots));
      column.children.push_back(std::move(built));
    } else {
      SLUICE_TRY(const Slots own, FindSlots(child.leaf, slots.pair, slots.count));
      SLUICE_TRY(Column built, Build(child, own));
      column.children.push_back(std::move(built));
    }
  }
  return Status::Ok();
}

Result<Column> Assembly::BuildRepeats(const AssemblyNode& node, const Slots& slots) const {
  Column column;
  column.type = node.type;
  column.length = slots.count;
  SLUICE_TRY(const int64_t elements, BuildOffsets(node, slots, column));
  if (node.is_optional && slots.leaf != nullptr) {
    SLUICE_RETURN_IF_ERROR(BuildValidity(node.definition, slots, column));
  }
  SLUICE_TRY(const Slots inner, FindSlots(node.leaf, node.element, elements));
  SLUICE_RETURN_IF_ERROR(BuildChildren(node, inner, column));
  return column;
}

/// Recursion is as deep as the plan, which is as deep as the schema.
Result<Column> Assembly::Build(const AssemblyNode& node, const Slots& slots) const {
  switch (node.kind) {
    case AssemblyNode::Kind::kLeaf:
      return BuildLeaf(node, slots);
    case AssemblyNode::Kind::kRepeats:
      return BuildRepeats(node, slots);
    case AssemblyNode::Kind::kStruct:
      break;
  }
  Column column;
  column.type = node.type;
  column.length = slots.count;
  if (node.is_optional && slots.leaf != nullptr) {
    SLUICE_RETURN_IF_ERROR(BuildValidity(node.definition, slots, column));
  }
  SLUICE_RETURN_IF_ERROR(BuildChildren(node, slots, column));
  return column;
}

}  // namespace

ColumnAssembler::ColumnAssembler(const Projection& projection, size_t column)
    : plan_(MakeAssemblyPlan(projection, column)) {}

Result<Column> ColumnAssembler::Assemble(const std::vector<LeafValues>& leaves, int64_t num_rows,
                                         BufferPool& pool) const {
  Assembly assembly(*plan_, leaves, num_rows, pool);
  SLUICE_RETURN_IF_ERROR(assembly.Check());
  return assembly.Build();
}

}  // namespace sluice::inline v0::parquet
