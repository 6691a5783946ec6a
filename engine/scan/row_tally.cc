#include "engine/scan/row_tally.h"

#include <algorithm>

namespace sluice::inline v0::engine {

Status RowClaims::Add(Place place, CountBounds rows) {
  total_.least += rows.least;
  total_.most += rows.most;
  if (rows.least == rows.most) return Status::Ok();
  SLUICE_RETURN_IF_ERROR(memory_.Extend(claims_, 1));
  claims_.push_back({place, rows});
  return Status::Ok();
}

void RowClaims::Narrow(Place place, CountBounds rows) {
  const auto claim =
      std::lower_bound(claims_.begin(), claims_.end(), place,
                       [](const Claim& one, const Place& other) { return one.place < other; });
  if (claim == claims_.end() || claim->place != place) return;
  // Where a file contradicts itself, bounds meet: they never part.
  const int64_t least = std::clamp(rows.least, claim->rows.least, claim->rows.most);
  const int64_t most = std::clamp(rows.most, least, claim->rows.most);
  total_.least += least - claim->rows.least;
  total_.most += most - claim->rows.most;
  claim->rows = {least, most};
}

void RowTally::Finish(Place place, int64_t rows, bool is_oldest) {
  if (claims_) return claims_->Narrow(place, {rows, rows});
  rows_ += rows;
  if (!is_oldest) {
    ahead_.insert(place);
    return;
  }
  oldest_open_ = {place.first, place.second + 1};
  ahead_.erase(ahead_.begin(), ahead_.lower_bound(oldest_open_));
}

CountBounds RowTally::total() const {
  const CountBounds claimed = claims_->total();
  return {rows_ + claimed.least, rows_ + claimed.most};
}

}  // namespace sluice::inline v0::engine
