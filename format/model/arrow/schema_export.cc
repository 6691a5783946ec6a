// ArrowSchema: a tree of structures, each of which owns what it points to by its private data.

#include "format/model/arrow/schema_export.h"

#include <sluice/arrow.h>

#include <memory>
#include <utility>
#include <vector>

#include "format/model/arrow/arrow_field.h"
#include "format/model/no_memory.h"
#include "format/model/try.h"

namespace sluice::inline v0 {

namespace arrow {

namespace {

/// What an exported schema owns. Children whose release was taken from them were moved out.
struct SchemaState {
  ~SchemaState() {
    for (ArrowSchema& child : children) {
      if (child.release != nullptr) child.release(&child);
    }
    if (dictionary.release != nullptr) dictionary.release(&dictionary);
  }

  std::string format;
  std::string name;
  std::string metadata;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
  ArrowSchema dictionary{};
};

void ReleaseSchema(ArrowSchema* schema) {
  delete static_cast<SchemaState*>(schema->private_data);
  schema->private_data = nullptr;
  schema->release = nullptr;
}

void Fill(std::unique_ptr<SchemaState> state, int64_t flags, ArrowSchema* out) {
  *out = ArrowSchema{};
  out->format = state->format.c_str();
  out->name = state->name.c_str();
  out->metadata = state->metadata.empty() ? nullptr : state->metadata.data();
  out->flags = flags;
  out->n_children = static_cast<int64_t>(state->children.size());
  for (ArrowSchema& child : state->children) state->pointers.push_back(&child);
  out->children = state->pointers.empty() ? nullptr : state->pointers.data();
  out->dictionary = state->dictionary.release != nullptr ? &state->dictionary : nullptr;
  out->release = ReleaseSchema;
  out->private_data = state.release();
}

void FillDictionary(const ArrowField& field, ArrowSchema* out) {
  auto state = std::make_unique<SchemaState>();
  state->format = field.format;
  Fill(std::move(state), ARROW_FLAG_NULLABLE, out);
}

}  // namespace

void FillSchema(const ArrowField& field, ArrowSchema* out) {
  auto state = std::make_unique<SchemaState>();
  state->format = field.is_dictionary ? "i" : field.format;
  state->name = field.name;
  state->metadata = field.metadata;
  state->children.resize(field.children.size());
  state->pointers.reserve(field.children.size());
  for (size_t i = 0; i < field.children.size(); ++i) {
    FillSchema(field.children[i], &state->children[i]);
  }
  if (field.is_dictionary) FillDictionary(field, &state->dictionary);
  Fill(std::move(state), field.nullable ? ARROW_FLAG_NULLABLE : 0, out);
}

}  // namespace arrow

Status ExportSchema(const Schema& schema, const ArrowExportOptions& options, ArrowSchema* out) {
  out->release = nullptr;
  return OrNoMemory([&]() -> Status {
    SLUICE_TRY(const arrow::ArrowField root, arrow::MakeArrowField(schema, options));
    arrow::FillSchema(root, out);
    return Status::Ok();
  });
}

}  // namespace sluice::inline v0
