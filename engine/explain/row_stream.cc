#include "engine/explain/row_stream.h"

#include <sluice/bitmap.h>
#include <sluice/text.h>

#include <utility>

#include "format/model/try.h"

namespace sluice::inline v0::engine {

Result<RowStream> RowStream::Open(std::vector<ScanFile> files, ScanRequest request,
                                  ScanOptions options) {
  options.ordered = true;
  options.lazy_columns = false;
  SLUICE_TRY(auto scan, Scan::Open(std::move(files), std::move(request), std::move(options)));
  return RowStream(std::move(scan));
}

bool RowStream::Next() {
  if (is_done_) return false;
  ++row_;
  if (row_ >= batch_.batch.num_rows) {
    auto next = scan_->Next();
    error_ = next.status();
    is_done_ = !next || !*next;
    if (is_done_) return false;
    batch_ = **std::move(next);
    row_ = 0;
    position_ = batch_.rows.begin - 1;
  }
  ++position_;
  while (!batch_.selected.empty() && position_ < batch_.rows.end &&
         !GetBit(batch_.selected.data(), position_ - batch_.rows.begin)) {
    ++position_;
  }
  return true;
}

std::string RowStream::Text() const {
  std::string text = "[";
  for (const Column& column : batch_.batch.columns) {
    if (text.size() > 1) text += ',';
    AppendCanonical(column, row_, text);
  }
  return text + ']';
}

}  // namespace sluice::inline v0::engine
