#pragma once

#include <sluice/arrow.h>
#include <sluice/buffer.h>
#include <sluice/column.h>
#include <sluice/status.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>

#include "format/model/arrow/array_node.h"
#include "format/model/arrow/arrow_field.h"
#include "format/model/arrow/column_place.h"
#include "format/model/arrow/plain_text.h"
#include "format/model/arrow/text_codes.h"

namespace sluice::inline v0::arrow {

/// Makes arrays of columns, for batches of one schema that follow each other.
///
/// Threads: confined. Lifetime: of the pool and the field that it is made with; arrays outlive it.
class ColumnExporter {
 public:
  /// `root`: the struct of the schema's fields.
  ColumnExporter(const ArrowField& root, const ArrowExportOptions& options, BufferPool& pool)
      : root_(root), options_(options), pool_(pool) {}

  /// Errors: as ExportBatch (arrow.h); rows in messages count from `first_row`.
  Result<ArrayNode> Export(const Batch& batch, int64_t first_row);

 private:
  /// A dictionary that the column of a field had last.
  struct KnownDictionary {
    std::weak_ptr<const Column> source;
    PlainText text;  ///< Its entries, where they are not exported as views.
  };

  Result<ArrayNode> ExportColumn(const Column& column, const ArrowField& field,
                                 const ColumnPlace& place);
  Result<ArrayNode> ExportFlat(const Column& column, const ArrowField& field,
                               const ColumnPlace& place);
  Result<ArrayNode> ExportLists(const Column& column, const ArrowField& field,
                                const ColumnPlace& place);
  Result<ArrayNode> ExportMaps(const Column& column, const ArrowField& field,
                               const ColumnPlace& place);
  Result<ArrayNode> ExportStruct(const Column& column, const ArrowField& field,
                                 const ColumnPlace& place);
  /// The entries of a column of maps: `parts`, its children.
  Result<ArrayNode> ExportEntries(const Column& maps, std::span<const Column> parts,
                                  const ArrowField& field, const ColumnPlace& place);
  /// The rows of a column of lists, null and without elements where they are part of no row of the
  /// batch.
  Result<Column> LiveRows(const Column& column, const ColumnPlace& place);
  /// The values of a flat column as Arrow has them.
  Result<BufferRef> ValuesOf(const Column& column, const ArrowField& field,
                             const ColumnPlace& place);
  Result<BufferRef> Int96Values(const Column& column, const ColumnPlace& place);
  Result<BufferRef> IntervalValues(const Column& column, const ColumnPlace& place);
  /// The parts of an array of the column, of which its validity is there.
  Result<ArrayParts> Begin(const Column& column, const ColumnPlace& place);
  /// What is wrong with a row's value; OK where the row is part of no row of the batch.
  Status RowError(const ColumnPlace& place, int64_t row, StatusCode code,
                  std::string_view what) const;

  // Of text (column_export_text.cc).
  Result<ArrayNode> ExportText(const Column& column, const ArrowField& field,
                               const ColumnPlace& place);
  Result<ArrayNode> ExportDictionary(const Column& column, const ArrowField& field,
                                     const ColumnPlace& place);
  Result<PlainText> TextOf(const Column& views, const ArrowField& field, const ColumnPlace& place);
  Status CheckUtf8(const Column& column, const ColumnPlace& place) const;
  Status CheckEntries(const Column& column, const TextCodes& coded, const ColumnPlace& place) const;

  const ArrowField& root_;
  const ArrowExportOptions options_;
  BufferPool& pool_;
  int64_t first_row_ = 0;
  std::unordered_map<const ArrowField*, KnownDictionary> known_dictionaries_;
};

/// kInternal where `buffer` has no room for `count` values of `width` bytes.
Status RequireBytes(const BufferRef& buffer, int64_t count, int64_t width,
                    const ColumnPlace& place);

}  // namespace sluice::inline v0::arrow
