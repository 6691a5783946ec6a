#pragma once

// Random schemas and the cells that fill them, with the values that break things: NaN of every
// payload, zeros of both signs, extremes, strings around the inline length, text that is none.

#include <sluice/types.h>

#include <cstdint>
#include <random>
#include <vector>

#include "tests/support/cells.h"

namespace sluice::support {

/// Repeatable for one seed.
class RandomColumns {
 public:
  explicit RandomColumns(uint64_t seed) : random_(seed) {}

  /// A scalar type, any of those that a file can hold as it is.
  DataType ScalarType();
  /// A type nested at most `depth` deep.
  DataType Type(int depth);
  /// Fields named c0, c1, ...; nullable or not.
  Schema RandomSchema(int num_fields, int depth);

  /// `count` cells of `field`, null with the given chance where the field allows it. At times the
  /// cells repeat or run on, so that dictionaries and runs occur.
  std::vector<Cell> Cells(const Field& field, int64_t count, double null_chance);

  /// A number in [0, below).
  int64_t Below(int64_t below) {
    return static_cast<int64_t>(random_() % static_cast<uint64_t>(below));
  }
  bool Chance(double chance) { return std::uniform_real_distribution<double>()(random_) < chance; }

 private:
  Cell NewCell(const DataType& type, double null_chance);
  Cell MaybeNull(const Field& field, double null_chance);
  std::string Bytes();
  std::string Scalar(const DataType& type);
  std::string Decimal(const DataType& type);

  std::mt19937_64 random_;
};

}  // namespace sluice::support
