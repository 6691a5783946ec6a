#include <gtest/gtest.h>
#include <sluice/text.h>

#include <string>
#include <vector>

namespace sluice {
namespace {

using Paths = std::vector<std::vector<std::string>>;

TEST(ParseColumnPaths, SplitsAtCommasAndDots) {
  EXPECT_EQ(*ParseColumnPaths("a,b.c"), (Paths{{"a"}, {"b", "c"}}));
  EXPECT_EQ(*ParseColumnPaths(R"("a.b",x."y ""z"",".w)"), (Paths{{"a.b"}, {"x", "y \"z\",", "w"}}));
  EXPECT_EQ(*ParseColumnPaths(R"("")"), (Paths{{""}}));
}

TEST(ParseColumnPaths, RefusesWhatHasNoMeaning) {
  for (const char* text : {"", "a,", ",a", "a..b", ".a", "\"a", "\"a\"b", "a\"b\""}) {
    const auto paths = ParseColumnPaths(text);
    ASSERT_FALSE(paths.has_value()) << text;
    EXPECT_EQ(paths.error().code(), StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace sluice
