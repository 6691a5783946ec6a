#pragma once

#include <sluice/buffer.h>
#include <sluice/column.h>
#include <sluice/status.h>

namespace sluice::inline v0::arrow {

/// A column of strings as codes.
struct TextCodes {
  BufferRef codes;  ///< An int32 a row; 0 where it is null.
  Column entries;   ///< The distinct strings, numbered as they first occur, in form kView.
};

/// Codes for a column of views, whose bytes stay where they are.
/// Errors: kResourceExhausted by the pool, and for more rows than int32 can count.
Result<TextCodes> EncodeText(const Column& views, BufferPool& pool);

}  // namespace sluice::inline v0::arrow
