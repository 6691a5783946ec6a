// Random schemas and rows: a row-at-a-time writer of levels, which knows nothing of batches or
// thresholds, is the oracle of the assembler.

#include <gtest/gtest.h>
#include <sluice/text.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "format/parquet/leaf_values.h"

namespace sluice::parquet {
namespace {

enum class Shape { kInt, kStruct, kThreeLevelList, kTwoLevelList, kMap, kBareRepeated };

/// A field of a random schema.
struct RandomField {
  Shape shape = Shape::kInt;
  bool is_optional = false;  ///< Where the place allows it.
  std::string name;
  std::vector<RandomField> children;
};

bool IsNullable(const RandomField& field) {
  return field.is_optional && field.shape != Shape::kBareRepeated;
}

/// A random value: null, a number, or what it holds (fields; elements; pairs of key and value).
struct RandomValue {
  bool is_null = false;
  int64_t number = 0;
  std::vector<RandomValue> parts;
};

struct StripedLeaf {
  std::vector<uint16_t> repetition;
  std::vector<uint16_t> definition;
  std::vector<int64_t> values;
};

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  int Upto(int most) { return std::uniform_int_distribution<int>(0, most)(random_); }

  RandomField Field(int depth, bool may_repeat) {
    RandomField field;
    const int shapes = depth <= 0 ? 0 : may_repeat ? 5 : 4;
    field.shape = static_cast<Shape>(Upto(shapes));
    field.is_optional = Upto(2) > 0;
    field.name = "f" + std::to_string(next_name_++);
    switch (field.shape) {
      case Shape::kInt:
        break;
      case Shape::kStruct:
        for (int i = Upto(2); i >= 0; --i) field.children.push_back(Field(depth - 1, true));
        break;
      case Shape::kThreeLevelList:
        field.children.push_back(Field(depth - 1, false));
        break;
      case Shape::kTwoLevelList:
        field.children.push_back(Field(depth - 1, false));
        field.children[0].name = "array";
        break;
      case Shape::kMap:
        field.children.push_back(Field(depth - 1, false));
        field.children[0].is_optional = false;
        if (Upto(4) > 0) field.children.push_back(Field(depth - 1, false));
        break;
      case Shape::kBareRepeated:
        field.children.push_back(Field(depth - 1, false));
        field.children[0].name = field.name;
        // An annotated repeated group belongs into a two-level list.
        if (field.children[0].shape != Shape::kInt) {
          field.children[0].shape = Shape::kStruct;
        }
        break;
    }
    return field;
  }

  RandomValue Value(const RandomField& field, bool may_be_null) {
    RandomValue value;
    if (may_be_null && IsNullable(field) && Upto(3) == 0) {
      value.is_null = true;
      return value;
    }
    switch (field.shape) {
      case Shape::kInt:
        value.number = Upto(1'000'000);
        break;
      case Shape::kStruct:
        for (const RandomField& child : field.children) value.parts.push_back(Value(child, true));
        break;
      case Shape::kThreeLevelList:
        for (int i = Length(); i > 0; --i) value.parts.push_back(Value(field.children[0], true));
        break;
      case Shape::kTwoLevelList:
      case Shape::kBareRepeated:
        for (int i = Length(); i > 0; --i) value.parts.push_back(Value(field.children[0], false));
        break;
      case Shape::kMap:
        for (int i = Length(); i > 0; --i) {
          RandomValue pair;
          for (const RandomField& child : field.children) pair.parts.push_back(Value(child, true));
          value.parts.push_back(std::move(pair));
        }
        break;
    }
    return value;
  }

 private:
  int Length() { return Upto(2) == 0 ? 0 : Upto(3); }

  std::mt19937 random_;
  int next_name_ = 0;
};

/// The schema elements of the field, depth first.
void AppendElements(const RandomField& field, Repetition repetition,
                    std::vector<SchemaElement>& elements) {
  const auto repetition_of = [](const RandomField& child) {
    return child.is_optional ? Repetition::kOptional : Repetition::kRequired;
  };
  if (field.shape == Shape::kBareRepeated) {
    return AppendElements(field.children[0], Repetition::kRepeated, elements);
  }
  SchemaElement element;
  element.name = field.name;
  element.repetition = repetition;
  if (field.shape == Shape::kInt) {
    element.type = PhysicalType::kInt64;
    elements.push_back(element);
    return;
  }
  if (field.shape == Shape::kStruct) {
    element.num_children = static_cast<int32_t>(field.children.size());
    elements.push_back(element);
    for (const RandomField& child : field.children) {
      AppendElements(child, repetition_of(child), elements);
    }
    return;
  }
  element.num_children = 1;
  element.logical.kind = field.shape == Shape::kMap ? LogicalKind::kMap : LogicalKind::kList;
  elements.push_back(element);
  if (field.shape == Shape::kTwoLevelList) {
    return AppendElements(field.children[0], Repetition::kRepeated, elements);
  }
  SchemaElement middle;
  middle.name = "entries";
  middle.repetition = Repetition::kRepeated;
  middle.num_children = static_cast<int32_t>(field.children.size());
  elements.push_back(middle);
  for (const RandomField& child : field.children) {
    AppendElements(child, repetition_of(child), elements);
  }
}

/// Writes one row into the leaves, as the Dremel paper's writer does.
class Striper {
 public:
  explicit Striper(std::vector<StripedLeaf>& leaves) : leaves_(leaves) {}

  void WriteRow(const RandomField& field, const RandomValue& value) {
    Write(field, IsNullable(field), &value, {0, 0, 0}, 0);
  }

 private:
  struct Place {
    int repetition;  ///< Of the next entry.
    int definition;  ///< What is defined so far.
    int lists;       ///< Open repeated fields.
  };

  /// Returns the leaf after the field's. No `value`: an ancestor is absent.
  size_t Write(const RandomField& field, bool is_optional, const RandomValue* value, Place place,
               size_t leaf) {
    if (value == nullptr || value->is_null) return WriteAbsent(field, place, leaf);
    if (is_optional) ++place.definition;
    switch (field.shape) {
      case Shape::kInt:
        Append(leaf, place);
        leaves_[leaf].values.push_back(value->number);
        return leaf + 1;
      case Shape::kStruct:
        return WriteParts(field, *value, place, leaf);
      default:
        break;
    }
    if (value->parts.empty()) return WriteAbsent(field, place, leaf);
    size_t end = leaf;
    Place inner{place.repetition, place.definition + 1, place.lists + 1};
    for (const RandomValue& part : value->parts) {
      if (field.shape == Shape::kMap) {
        end = WriteParts(field, part, inner, leaf);
      } else {
        const RandomField& element = field.children[0];
        const bool nullable = element.is_optional && field.shape == Shape::kThreeLevelList;
        end = Write(element, nullable, &part, inner, leaf);
      }
      inner.repetition = inner.lists;
    }
    return end;
  }

  size_t WriteParts(const RandomField& field, const RandomValue& value, Place place, size_t leaf) {
    for (size_t i = 0; i < field.children.size(); ++i) {
      const RandomField& child = field.children[i];
      leaf = Write(child, child.is_optional && child.shape != Shape::kBareRepeated, &value.parts[i],
                   place, leaf);
    }
    return leaf;
  }

  size_t WriteAbsent(const RandomField& field, Place place, size_t leaf) {
    if (field.shape == Shape::kInt) {
      Append(leaf, place);
      return leaf + 1;
    }
    for (const RandomField& child : field.children) leaf = WriteAbsent(child, place, leaf);
    return leaf;
  }

  void Append(size_t leaf, Place place) {
    if (leaf >= leaves_.size()) leaves_.resize(leaf + 1);
    leaves_[leaf].repetition.push_back(static_cast<uint16_t>(place.repetition));
    leaves_[leaf].definition.push_back(static_cast<uint16_t>(place.definition));
  }

  std::vector<StripedLeaf>& leaves_;
};

std::string Text(const RandomField& field, const RandomValue& value) {
  if (value.is_null) return "null";
  std::string text;
  const auto join = [&](const std::string& part) { text += (text.empty() ? "" : ",") + part; };
  switch (field.shape) {
    case Shape::kInt:
      return std::to_string(value.number);
    case Shape::kStruct:
      for (size_t i = 0; i < field.children.size(); ++i) {
        join('"' + field.children[i].name + "\":" + Text(field.children[i], value.parts[i]));
      }
      return '{' + text + '}';
    case Shape::kMap:
      for (const RandomValue& pair : value.parts) {
        join('[' + Text(field.children[0], pair.parts[0]) + ',' +
             (pair.parts.size() > 1 ? Text(field.children[1], pair.parts[1]) : "null") + ']');
      }
      return '[' + text + ']';
    default:
      for (const RandomValue& part : value.parts) join(Text(field.children[0], part));
      return '[' + text + ']';
  }
}

/// A random column of random rows, striped.
struct RandomColumn {
  std::shared_ptr<const RandomField> field;  ///< The tree's names are views into it.
  std::vector<std::string> expected;
  std::vector<StripedLeaf> leaves;
  std::shared_ptr<const SchemaTree> tree;
};

RandomColumn MakeColumn(uint32_t seed) {
  Generator generator(seed);
  RandomColumn column;
  column.field = std::make_shared<const RandomField>(generator.Field(generator.Upto(6), true));
  const RandomField& field = *column.field;
  Striper striper(column.leaves);
  const int rows = generator.Upto(9) == 0 ? 500 : generator.Upto(60);
  for (int row = 0; row < rows; ++row) {
    const RandomValue value = generator.Value(field, field.shape != Shape::kBareRepeated);
    striper.WriteRow(field, value);
    column.expected.push_back(Text(field, value));
  }
  FileMetadata metadata;
  metadata.schema.resize(1);
  metadata.schema[0].num_children = 1;
  AppendElements(field, field.is_optional ? Repetition::kOptional : Repetition::kRequired,
                 metadata.schema);
  column.tree = *SchemaTree::Make(metadata, {});
  column.leaves.resize(column.tree->leaves().size());
  return column;
}

/// What a reader would hand over; the buffers live in `kept`.
std::vector<LeafValues> ToLeafValues(const RandomColumn& column, BufferPool& pool,
                                     std::vector<BufferRef>& kept) {
  const auto copy = [&](const auto& values) {
    const size_t bytes = values.size() * sizeof(values[0]);
    kept.push_back(*pool.Allocate(static_cast<int64_t>(bytes)));
    if (bytes > 0) std::memcpy(kept.back()->mutable_data(), values.data(), bytes);
    return kept.back();
  };
  std::vector<LeafValues> leaves;
  for (size_t i = 0; i < column.leaves.size(); ++i) {
    const Leaf& leaf = column.tree->leaves()[i];
    const StripedLeaf& striped = column.leaves[i];
    LeafValues values;
    values.num_levels = static_cast<int64_t>(striped.definition.size());
    if (leaf.max_definition_level > 0) {
      values.definition_levels = copy(striped.definition)->template as<uint16_t>();
    }
    if (leaf.max_repetition_level > 0) {
      values.repetition_levels = copy(striped.repetition)->template as<uint16_t>();
    }
    values.values.type = std::make_shared<const DataType>(DataType::Of(TypeId::kInt64));
    values.values.length = static_cast<int64_t>(striped.values.size());
    values.values.data = copy(striped.values);
    leaves.push_back(std::move(values));
  }
  return leaves;
}

std::string Row(const Column& column, int64_t row) {
  std::string text;
  AppendCanonical(column, row, text);
  return text;
}

TEST(ColumnAssemblerRandom, RowsComeBack) {
  const auto pool = BufferPool::Make();
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    const RandomColumn column = MakeColumn(seed);
    std::vector<BufferRef> kept;
    const auto rows = static_cast<int64_t>(column.expected.size());
    const Result<Column> assembled = ColumnAssembler(Projection::All(column.tree), 0)
                                         .Assemble(ToLeafValues(column, *pool, kept), rows, *pool);
    ASSERT_TRUE(assembled.has_value()) << "seed " << seed << ": " << assembled.error().ToString();
    ASSERT_EQ(assembled->length, rows) << "seed " << seed;
    const Status valid = ValidateColumn(*assembled);
    ASSERT_TRUE(valid.ok()) << "seed " << seed << ": " << valid.ToString();
    for (int64_t row = 0; row < rows; ++row) {
      ASSERT_EQ(Row(*assembled, row), column.expected[static_cast<size_t>(row)])
          << "seed " << seed << ", row " << row;
    }
  }
  EXPECT_EQ(pool->bytes_in_use(), 0);
}

/// One level of one leaf is another: an error, or rows that can be read to their end.
TEST(ColumnAssemblerRandom, ChangedLevelsAreAnErrorOrRows) {
  const auto pool = BufferPool::Make();
  int refused = 0;
  for (uint32_t seed = 0; seed < 2000; ++seed) {
    RandomColumn column = MakeColumn(seed);
    std::mt19937 random(seed);
    const size_t at = random() % column.leaves.size();
    StripedLeaf& leaf = column.leaves[at];
    if (leaf.definition.size() < 2) continue;
    const Leaf& limits = column.tree->leaves()[at];
    const size_t entry = 1 + random() % (leaf.definition.size() - 1);
    // What a reader checks stays true: the number of rows, and that of values.
    if (limits.max_repetition_level > 0 && leaf.repetition[entry] > 0 && random() % 2 == 0) {
      leaf.repetition[entry] =
          static_cast<uint16_t>(1 + random() % static_cast<uint32_t>(limits.max_repetition_level));
    } else if (limits.max_definition_level > 0) {
      const bool was_present = leaf.definition[entry] == limits.max_definition_level;
      leaf.definition[entry] =
          static_cast<uint16_t>(random() % static_cast<uint32_t>(limits.max_definition_level + 1));
      const bool is_present = leaf.definition[entry] == limits.max_definition_level;
      if (was_present && !is_present) leaf.values.pop_back();
      if (!was_present && is_present) leaf.values.push_back(7);
    }
    std::vector<BufferRef> kept;
    const auto rows = static_cast<int64_t>(column.expected.size());
    const Result<Column> assembled = ColumnAssembler(Projection::All(column.tree), 0)
                                         .Assemble(ToLeafValues(column, *pool, kept), rows, *pool);
    if (assembled.has_value()) {
      const Status valid = ValidateColumn(*assembled);
      EXPECT_TRUE(valid.ok()) << "seed " << seed << ": " << valid.ToString();
    } else {
      ++refused;
      EXPECT_EQ(assembled.error().code(), StatusCode::kCorruption)
          << "seed " << seed << ": " << assembled.error().ToString();
    }
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace sluice::parquet
