// ExportBatch, and ArrowArrayStream: C's side of a source of batches.

#include <fmt/format.h>
#include <sluice/arrow.h>

#include <cerrno>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "format/model/arrow/arrow_field.h"
#include "format/model/arrow/column_export.h"
#include "format/model/arrow/schema_export.h"
#include "format/model/no_memory.h"
#include "format/model/text/scalar_text.h"
#include "format/model/try.h"

namespace sluice::inline v0 {

namespace arrow {

namespace {

int ErrorNumber(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return 0;
    case StatusCode::kInvalidArgument:
    case StatusCode::kRowError:
      return EINVAL;
    case StatusCode::kNotFound:
      return ENOENT;
    case StatusCode::kUnsupported:
    case StatusCode::kEncrypted:
      return ENOSYS;
    case StatusCode::kResourceExhausted:
      return ENOMEM;
    case StatusCode::kCancelled:
      return ECANCELED;
    default:
      return EIO;
  }
}

/// The text with a question mark for each byte that is part of no character: names of files and
/// columns may be anything, and what C gets is UTF-8.
std::string MadeUtf8(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    const size_t length = text::CharacterLength(text);
    if (length == 0) {
      made += '?';
    } else {
      made += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return made;
}

Status CheckBatch(const Batch& batch, const std::shared_ptr<const Schema>& schema) {
  if (batch.schema == schema || (batch.schema && *batch.schema == *schema)) return Status::Ok();
  return Status::InvalidArgument("a batch has another schema than its stream");
}

class Stream {
 public:
  /// `root` and all that follows are of `schema`.
  Stream(std::shared_ptr<const Schema> schema, ArrowField root, BatchSource next,
         const ArrowExportOptions& options, std::shared_ptr<BufferPool> pool)
      : schema_(std::move(schema)),
        root_(std::move(root)),
        pool_(std::move(pool)),
        exporter_(std::make_unique<ColumnExporter>(root_, options, *pool_)),
        next_(std::move(next)) {}

  Status GetSchema(ArrowSchema* out) {
    return OrNoMemory([&] {
      FillSchema(root_, out);
      return Status::Ok();
    });
  }

  /// Leaves `out` released at the end.
  Status GetNext(ArrowArray* out) {
    if (!next_) return error_;
    Result<std::optional<ArrayNode>> array = Next();
    if (array && *array) {
      *out = (*array)->HandOver();
      return Status::Ok();
    }
    // What the source holds is let go of as early as can be.
    next_ = nullptr;
    exporter_.reset();
    error_ = array.status();
    return error_;
  }

  /// The number of the error, of which the text is kept.
  int Report(const Status& status) {
    last_error_ = status.ok() ? std::string() : MadeUtf8(status.ToString());
    return ErrorNumber(status.code());
  }
  const char* last_error() const { return last_error_.empty() ? nullptr : last_error_.c_str(); }

 private:
  Result<std::optional<ArrayNode>> Next() {
    try {
      SLUICE_TRY(std::optional<Batch> batch, next_());
      if (!batch) return std::optional<ArrayNode>();
      SLUICE_RETURN_IF_ERROR(CheckBatch(*batch, schema_));
      SLUICE_TRY(ArrayNode array, exporter_->Export(*batch, num_rows_));
      num_rows_ += batch->num_rows;
      return std::optional<ArrayNode>(std::move(array));
    } catch (const std::bad_alloc&) {
      return Status::ResourceExhausted("the system has no memory");
    } catch (const std::exception& thrown) {
      return Status::Internal(fmt::format("the source of batches threw: {}", thrown.what()));
    } catch (...) {
      return Status::Internal("the source of batches threw");
    }
  }

  const std::shared_ptr<const Schema> schema_;
  const ArrowField root_;
  const std::shared_ptr<BufferPool> pool_;
  std::unique_ptr<ColumnExporter> exporter_;
  BatchSource next_;  ///< Absent behind the end or an error.
  int64_t num_rows_ = 0;
  Status error_;
  std::string last_error_;
};

Stream& StreamOf(ArrowArrayStream* stream) { return *static_cast<Stream*>(stream->private_data); }

// Nothing is thrown through C, not even where there is no memory to say so.
int GetSchema(ArrowArrayStream* stream, ArrowSchema* out) {
  out->release = nullptr;
  try {
    return StreamOf(stream).Report(StreamOf(stream).GetSchema(out));
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

int GetNext(ArrowArrayStream* stream, ArrowArray* out) {
  out->release = nullptr;
  try {
    return StreamOf(stream).Report(StreamOf(stream).GetNext(out));
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

const char* GetLastError(ArrowArrayStream* stream) { return StreamOf(stream).last_error(); }

void ReleaseStream(ArrowArrayStream* stream) {
  delete static_cast<Stream*>(stream->private_data);
  stream->private_data = nullptr;
  stream->release = nullptr;
}

std::shared_ptr<BufferPool> PoolOr(std::shared_ptr<BufferPool> pool) {
  return pool ? std::move(pool) : BufferPool::Make();
}

}  // namespace

}  // namespace arrow

Status ExportBatch(const Batch& batch, const ArrowExportOptions& options,
                   const std::shared_ptr<BufferPool>& pool, ArrowArray* out) {
  out->release = nullptr;
  return OrNoMemory([&]() -> Status {
    if (!batch.schema) return Status::InvalidArgument("a batch without schema");
    SLUICE_TRY(const arrow::ArrowField root, arrow::MakeArrowField(*batch.schema, options));
    const std::shared_ptr<BufferPool> counted = arrow::PoolOr(pool);
    SLUICE_TRY(arrow::ArrayNode array,
               arrow::ColumnExporter(root, options, *counted).Export(batch, 0));
    *out = array.HandOver();
    return Status::Ok();
  });
}

Status ExportStream(std::shared_ptr<const Schema> schema, BatchSource next,
                    const ArrowExportOptions& options, std::shared_ptr<BufferPool> pool,
                    ArrowArrayStream* out) {
  out->release = nullptr;
  return OrNoMemory([&]() -> Status {
    if (!schema || !next) return Status::InvalidArgument("a stream without schema or source");
    SLUICE_TRY(arrow::ArrowField root, arrow::MakeArrowField(*schema, options));
    auto stream =
        std::make_unique<arrow::Stream>(std::move(schema), std::move(root), std::move(next),
                                        options, arrow::PoolOr(std::move(pool)));
    out->get_schema = arrow::GetSchema;
    out->get_next = arrow::GetNext;
    out->get_last_error = arrow::GetLastError;
    out->release = arrow::ReleaseStream;
    out->private_data = stream.release();
    return Status::Ok();
  });
}

}  // namespace sluice::inline v0
