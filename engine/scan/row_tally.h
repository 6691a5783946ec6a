#pragma once

// How many rows of a scan pass, row group by row group: between bounds before they are read, and
// exactly once they are.

#include <sluice/buffer.h>
#include <sluice/scan.h>
#include <sluice/status.h>

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "format/model/counted_memory.h"

namespace sluice::inline v0::engine {

/// What metadata say of row groups, in the order of files and their own; those of which they tell
/// the very number of rows take no memory.
class RowClaims {
 public:
  /// A row group: the ordinals of its file and of itself.
  using Place = std::pair<int32_t, int32_t>;

  explicit RowClaims(Reservation reservation) : memory_(std::move(reservation)) {}

  /// Of a row group behind those that were added before. Errors: kResourceExhausted by the pool.
  Status Add(Place place, CountBounds rows);
  /// The number of rows lies between these bounds too.
  void Narrow(Place place, CountBounds rows);
  /// Of all row groups.
  CountBounds total() const { return total_; }

 private:
  struct Claim {
    Place place;
    CountBounds rows;
  };
  CountedMemory memory_;
  std::vector<Claim> claims_;
  CountBounds total_;
};

/// Counts the rows of row groups that were read to their end. Claims of the others, once there are
/// some, are narrowed by what is found in the very same row groups: what was known when they were
/// read may be less than what was claimed, where the pool has less room, or more.
///
/// Threads: confined.
class RowTally {
 public:
  using Place = RowClaims::Place;

  /// All rows of a row group that pass were delivered. `is_oldest`: so were those of every row
  /// group before it.
  void Finish(Place place, int64_t rows, bool is_oldest);
  bool is_finished(Place place) const { return place < oldest_open_ || ahead_.count(place) > 0; }

  bool has_claims() const { return claims_.has_value(); }
  /// Of every row group that is not finished.
  void SetClaims(RowClaims claims) { claims_ = std::move(claims); }
  void Narrow(Place place, CountBounds rows) { claims_->Narrow(place, rows); }
  /// Of finished row groups, and of the others by their claims, which there are.
  CountBounds total() const;

 private:
  int64_t rows_ = 0;       ///< Of row groups that were finished before there were claims:
  Place oldest_open_;      ///< all before this one,
  std::set<Place> ahead_;  ///< and those behind it; without order a slow one has others ahead.
  std::optional<RowClaims> claims_;
};

}  // namespace sluice::inline v0::engine
