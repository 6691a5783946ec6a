#include "format/model/file_place.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(FilePlace, IsNamedOnce) {
  const Status status = Status::IoError("ends early");
  const Status once = InFile("/data/x.parquet", status);
  EXPECT_EQ(once.code(), StatusCode::kIoError);
  EXPECT_EQ(once.message(), "file '/data/x.parquet': ends early");
  EXPECT_EQ(InFile("/data/x.parquet", once).message(), once.message());
  // A name that begins another is not that one.
  EXPECT_EQ(InFile("/data/x", once).message(), "file '/data/x': " + once.message());
  EXPECT_TRUE(InFile("/data/x", Status::Ok()).ok());
}

}  // namespace
}  // namespace sluice
