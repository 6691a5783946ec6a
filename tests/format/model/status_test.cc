#include <gtest/gtest.h>
#include <sluice/status.h>

#include "format/model/try.h"

namespace sluice {
namespace {

Result<int> Half(int value) {
  if (value % 2 != 0) return Status::InvalidArgument("odd");
  return value / 2;
}

Result<int> Quarter(int value) {
  SLUICE_TRY(const int half, Half(value));
  return Half(half);
}

TEST(Status, OkIsEmpty) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kOk);
  EXPECT_EQ(status.ToString(), "ok");
  EXPECT_TRUE(status.In("anywhere").ok());
}

TEST(Status, InPutsThePlaceInFront) {
  const Status status = Status::Corruption("size is negative: -1").In("page 3").In("column 'a'");
  EXPECT_EQ(status.code(), StatusCode::kCorruption);
  EXPECT_EQ(status.ToString(), "corruption: column 'a': page 3: size is negative: -1");
}

TEST(Status, CopiesAreIndependent) {
  Status status = Status::NotFound("a");
  const Status copy = status;
  status = Status::Ok();
  EXPECT_EQ(copy.message(), "a");
}

TEST(Result, CarriesValueOrError) {
  EXPECT_EQ(Quarter(8).value(), 2);
  EXPECT_EQ(Quarter(6).error().message(), "odd");
  EXPECT_EQ(Quarter(3).value_or(-1), -1);
}

}  // namespace
}  // namespace sluice
