#include "tests/support/scan_consumer.h"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include "format/model/try.h"

namespace sluice::support {

Result<std::optional<ScanBatch>> ScanConsumer::Next() {
  if (random_.Chance(0.1)) SLUICE_RETURN_IF_ERROR(Count());
  SLUICE_TRY(std::optional<ScanBatch> batch, Take());
  if (last_ && random_.Chance(0.3)) ExpectRefusal();
  last_.reset();
  if (!batch) return batch;
  if (!batch->loaded.empty()) {
    // What is given out lives on when its scan goes on; this copy is asked for columns then.
    last_ = *batch;
    SLUICE_RETURN_IF_ERROR(LoadSome(*batch));
  }
  return batch;
}

Result<std::optional<ScanBatch>> ScanConsumer::Take() {
  if (!steps_) return scan_.Next();
  for (;;) {
    ScanBatch batch;
    SLUICE_TRY(const ScanOutcome outcome, scan_.Step(&batch));
    if (outcome == ScanOutcome::kBatch) return std::optional<ScanBatch>(std::move(batch));
    if (outcome == ScanOutcome::kDone) return std::optional<ScanBatch>();
    if (outcome != ScanOutcome::kWaiting) continue;
    if (random_.Chance(0.2)) return scan_.Next();
    std::this_thread::yield();
  }
}

Status ScanConsumer::Count() {
  SLUICE_TRY(const CountBounds bounds, scan_.Count());
  if (!rows_) return Status::Ok();
  EXPECT_LE(bounds.least, *rows_);
  EXPECT_GE(bounds.most, *rows_);
  return Status::Ok();
}

Status ScanConsumer::LoadSome(ScanBatch& batch) {
  std::vector<size_t> columns(batch.batch.columns.size());
  std::iota(columns.begin(), columns.end(), 0);
  for (size_t i = columns.size(); i > 1; --i) {
    std::swap(columns[i - 1], columns[static_cast<size_t>(random_.Below(static_cast<int64_t>(i)))]);
  }
  for (const size_t column : columns) {
    if (random_.Chance(0.3)) continue;
    SLUICE_RETURN_IF_ERROR(scan_.Load(batch, column));
    EXPECT_TRUE(batch.loaded[column]);
  }
  const Status beyond = scan_.Load(batch, columns.size());
  EXPECT_EQ(beyond.code(), StatusCode::kInvalidArgument) << beyond.ToString();
  return Status::Ok();
}

void ScanConsumer::ExpectRefusal() {
  for (size_t column = 0; column < last_->loaded.size(); ++column) {
    if (last_->loaded[column]) continue;
    const Status status = scan_.Load(*last_, column);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status.ToString();
    EXPECT_FALSE(last_->loaded[column]);
  }
}

}  // namespace sluice::support
