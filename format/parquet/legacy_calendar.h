#pragma once

#include <sluice/column.h>
#include <sluice/parquet/metadata.h>
#include <sluice/status.h>
#include <sluice/types.h>

namespace sluice::inline v0::parquet {

/// Parquet's dates and timestamps are proleptic Gregorian. Apache Spark can be told to write those
/// of the hybrid Julian calendar, with local mean time before 1900, and leaves a mark in the file's
/// key-value metadata then. Values that mean something else there are refused, never shifted
/// silently (fault T7); all later ones are the same in both calendars.
class LegacyCalendar {
 public:
  static LegacyCalendar Of(const FileMetadata& metadata);

  /// Whether values of the type may be of that calendar.
  bool Concerns(const DataType& type) const;
  /// Looks at every value of a column that is concerned, flat and without nulls.
  /// Errors: kUnsupported for a value before the calendars agree.
  Status Check(const Column& values) const;

 private:
  bool marks_dates_ = false;  ///< DATE and TIMESTAMP.
  bool marks_int96_ = false;
};

}  // namespace sluice::inline v0::parquet
