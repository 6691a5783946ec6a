#include "engine/scan/table_of_files.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "engine/scan/counted_schema.h"
#include "engine/scan/unite_schemas.h"
#include "format/model/file_place.h"
#include "format/model/try.h"

namespace sluice::inline v0::engine {

namespace {

/// Files that stay open between the reading of their schemas and their scan.
constexpr size_t kMostOpenFiles = 64;

/// The file's columns as far as no constant stands for them, and the constants.
std::shared_ptr<const Schema> SchemaOf(const ScanFile& file,
                                       const std::shared_ptr<const Schema>& own) {
  if (file.constants.empty()) return own;
  Schema schema = *own;
  for (const auto& [name, value] : file.constants) {
    auto field = std::find_if(schema.fields.begin(), schema.fields.end(),
                              [&](const Field& one) { return one.name == name; });
    if (field == schema.fields.end()) {
      field = schema.fields.insert(field, {name, value.type, true, std::nullopt});
    }
    field->type = value.type;
    field->nullable |= value.is_null();
  }
  return std::make_shared<const Schema>(std::move(schema));
}

/// What is asked for of each: what is not need not agree.
void KeepAsked(const std::vector<std::string>& names,
               std::vector<std::shared_ptr<const Schema>>& schemas) {
  const std::set<std::string_view> asked(names.begin(), names.end());
  for (std::shared_ptr<const Schema>& schema : schemas) {
    Schema kept;
    std::copy_if(schema->fields.begin(), schema->fields.end(), std::back_inserter(kept.fields),
                 [&](const Field& field) { return asked.contains(field.name); });
    schema = std::make_shared<const Schema>(std::move(kept));
  }
}

}  // namespace

std::string PlaceOf(const ScanFile& file) { return FilePlace(NameOf(file)); }

Result<std::shared_ptr<const Schema>> TableOf(const std::vector<ScanFile>& files,
                                              const ScanRequest& request,
                                              const ScanOptions& options,
                                              std::map<int32_t, OpenFile>& open) {
  if (files.empty()) return Status::InvalidArgument("there are no files and no schema");
  const bool wants_statistics = request.where.has_value() && options.use_statistics;
  const parquet::FooterOptions footer = FooterFor(request, options, wants_statistics);
  std::vector<std::shared_ptr<const Schema>> schemas;
  for (size_t i = 0; i < files.size(); ++i) {
    SLUICE_TRY(OpenFile opened, OpenScanFile(files[i], footer, options));
    std::shared_ptr<const Schema> schema = SchemaOf(files[i], opened.reader->schema());
    // Of many files that have the same only one is kept.
    if (!schemas.empty() && *schema == *schemas[0]) {
      schema = schemas[0];
    } else {
      SLUICE_TRY(schema, CountSchema(std::move(schema), *options.read.pool));
    }
    schemas.push_back(std::move(schema));
    if (open.size() < kMostOpenFiles) open.emplace(static_cast<int32_t>(i), std::move(opened));
  }
  const bool are_same = std::all_of(schemas.begin(), schemas.end(),
                                    [&](const auto& schema) { return schema == schemas[0]; });
  if (are_same) return schemas[0];
  if (const auto names = NamesAsked(request, options)) KeepAsked(*names, schemas);
  SLUICE_TRY(Schema united,
             UniteSchemas(schemas, [&](size_t file) { return PlaceOf(files[file]); }));
  return CountSchema(std::make_shared<const Schema>(std::move(united)), *options.read.pool);
}

}  // namespace sluice::inline v0::engine
