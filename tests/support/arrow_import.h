#pragma once

// A consumer of Arrow's C data interface that trusts nobody: it reads types and values by the
// specification alone, knows nothing of the library's columns, and fails the test for whatever a
// producer may not do.

#include <sluice/arrow.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/cells.h"

namespace sluice::support {

/// A schema as its consumer understands it.
struct ArrowType {
  std::string format;
  std::string name;
  std::map<std::string, std::string> metadata;
  int64_t flags = 0;
  std::vector<ArrowType> children;
  std::shared_ptr<const ArrowType> dictionary;

  bool nullable() const { return (flags & ARROW_FLAG_NULLABLE) != 0; }
  bool operator==(const ArrowType& other) const;
};

/// Does not release the schema.
ArrowType ImportType(const ArrowSchema& schema);

/// The rows of an array: scalars as the bytes that Arrow has of them, booleans as one byte, text as
/// it is, lists and structs of cells, maps as lists of structs of key and value.
///
/// Fails the test where the array is not one of the type, and for offsets other than 0, null
/// pointers where there are bytes or even where there could be, counts of nulls that are wrong,
/// views, offsets or codes that lead outside, and nulls where neither the field nor what is above
/// it has any. Does not release the array.
std::vector<Cell> ImportCells(const ArrowType& type, const ArrowArray& array);

/// Each column of an array of a struct without nulls.
std::vector<std::vector<Cell>> ImportColumns(const ArrowType& type, const ArrowArray& array);

/// Released at the end of its life, if that is still to be done.
template <typename Struct>
struct Owned : Struct {
  Owned() : Struct{} {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { Release(); }
  void Release() {
    if (this->release != nullptr) this->release(this);
  }
};

}  // namespace sluice::support
