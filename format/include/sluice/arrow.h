#pragma once

// Batches for other libraries, by Arrow's C data interface and C stream interface: start at
// ExportStream. No Arrow library is needed; the three structures are Arrow's own, word for word,
// so that they are the same for everyone who includes them.
//
// Source: Arrow, "The Arrow C data interface", "The Arrow C stream interface", "Canonical Extension
// Types".

#include <sluice/buffer.h>
#include <sluice/column.h>
#include <sluice/export.h>
#include <sluice/status.h>
#include <sluice/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

extern "C" {

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif  // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif  // ARROW_C_STREAM_INTERFACE

}  // extern "C"

namespace sluice::inline v0 {

/// How strings and binary values are laid out.
enum class ArrowText : uint8_t {
  kViews,  ///< utf8_view and binary_view: nothing is copied, the bytes stay where they are.
  kPlain,  ///< utf8 and binary, 32-bit offsets. More than 2^31 - 1 bytes of one column in a batch
           ///< are kResourceExhausted.
  kLarge,  ///< large_utf8 and large_binary, 64-bit offsets.
};

/// What is exported, by our types. Fields keep their names, in order; PARQUET:field_id is in their
/// metadata where they have an id.
///
///   null                       null
///   boolean, integers, floats  the same; float16 too
///   decimal                    decimal128, or 256 where it has 32 bytes; `narrow_decimals`
///   date                       date32
///   time                       time32 of milliseconds, time64; whether UTC is lost, Arrow has none
///   timestamp, duration        the same, timestamps adjusted to UTC with the time zone "UTC"
///   int96                      timestamp of `int96_unit` without time zone
///   interval                   month_day_nano; kRowError where a number is 2^31 or more
///   string, enum               `text`, as UTF-8
///   json                       `text`, as UTF-8; extension arrow.json
///   binary, bson               `text`, as binary
///   geometry, geography        `text`, as binary; extension geoarrow.wkb with crs and edges
///   fixed_binary               fixed_size_binary
///   uuid                       fixed_size_binary(16); extension arrow.uuid
///   list                       list
///   map                        map; kUnsupported where a key is null. Without values: a list of
///                              its keys, which may be null
///   struct                     struct
///   variant                    struct; extension arrow.parquet.variant where its parts are as that
///                              wants them
///
/// Every form of column is understood. Constants are written out, and so are dictionaries unless
/// they are kept; what Arrow has as we do is shared with the batch. Arrays begin at offset 0; only
/// the validity of an array without nulls is a null pointer.
struct ArrowExportOptions {
  ArrowText text = ArrowText::kViews;
  /// Columns of strings, enums, binary and BSON, at any depth but in map keys and variants, are
  /// dictionary<int32, T> in every batch: a dictionary column as it is, with the entries of its
  /// dictionary; a constant with one entry; others with the distinct values of the batch. Without
  /// this, and for all other types, dictionaries are decoded.
  bool keep_dictionaries = false;
  /// kCorruption for a string, enum or JSON value that is not UTF-8, naming column and row. Without
  /// this such bytes leave as they are, which not every consumer survives.
  bool validate_utf8 = false;
  /// Decimals of 4 and 8 bytes are decimal32 and decimal64, instead of decimal128: nothing is
  /// copied then. For consumers that are known to have these types, for some take them for
  /// decimal128 without a word.
  bool narrow_decimals = false;
  /// Values that do not fit 64 bits of the unit are kRowError. Coarser units round down.
  TimeUnit int96_unit = TimeUnit::kNanoseconds;
};

/// Sets `out` to a struct of the fields.
///
/// Errors: kUnsupported for a name or crs that is not UTF-8 or has a zero byte; kInvalidArgument
/// for a type that Arrow cannot have (times of seconds, decimals of more digits than their width
/// holds). `out` is marked released then.
/// Lifetime: `out` is self-contained; its owner calls out->release, from any thread.
SLUICE_EXPORT Status ExportSchema(const Schema& schema, const ArrowExportOptions& options,
                                  ArrowSchema* out);

/// Sets `out` to a struct array of the batch's columns, of the type that ExportSchema gives for its
/// schema and the same options.
///
/// `pool` counts what is not shared: values that are converted, and the structures themselves,
/// until they are released. Absent: a pool without a budget.
///
/// Errors: of ExportSchema; kInvalidArgument for a batch that does not fit its schema; kRowError,
/// kCorruption and kUnsupported for values, see above, naming column and row (counted from 0 in the
/// batch); kResourceExhausted by the pool; kInternal for columns that contradict themselves, as far
/// as that is seen at no cost (column.h has ValidateColumn). `out` is marked released then.
/// Threads: the array may be used and released on any thread, also beside others that share its
/// buffers. Lifetime: keeps the buffers that it shows alive, and they their pool, until
/// out->release; children that were moved out keep theirs, and are released by themselves.
SLUICE_EXPORT Status ExportBatch(const Batch& batch, const ArrowExportOptions& options,
                                 const std::shared_ptr<BufferPool>& pool, ArrowArray* out);

/// Gives the next batch, or nothing at the end. Called on the thread that calls get_next.
using BatchSource = std::function<Result<std::optional<Batch>>()>;

/// Sets `out` to a stream of the batches that `next` gives, each with `schema`.
///
/// get_next returns 0 and an array, or a released array at the end; or an errno, and then again for
/// every call, with get_last_error giving the status as text: EINVAL (kInvalidArgument, kRowError),
/// ENOENT (kNotFound), ENOSYS (kUnsupported, kEncrypted), ENOMEM (kResourceExhausted, and no
/// memory), ECANCELED (kCancelled), EIO (all others, and what `next` throws). Rows in messages
/// count from the first of the stream. `next` is let go of at the end, at an error, and at
/// out->release.
///
/// Errors: of ExportSchema; kInvalidArgument without schema or source. `out` is marked released
/// then.
/// Threads: the stream is confined. Lifetime: arrays and schemas outlive it.
SLUICE_EXPORT Status ExportStream(std::shared_ptr<const Schema> schema, BatchSource next,
                                  const ArrowExportOptions& options,
                                  std::shared_ptr<BufferPool> pool, ArrowArrayStream* out);

}  // namespace sluice::inline v0
