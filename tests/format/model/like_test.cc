#include "format/model/like.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice {
namespace {

TEST(Like, WildcardsAndLiterals) {
  EXPECT_TRUE(LikeMatches("", ""));
  EXPECT_FALSE(LikeMatches("", "a"));
  EXPECT_TRUE(LikeMatches("abc", "abc"));
  EXPECT_FALSE(LikeMatches("abc", "abcd"));
  EXPECT_FALSE(LikeMatches("abc", "ab"));
  EXPECT_TRUE(LikeMatches("%", ""));
  EXPECT_TRUE(LikeMatches("a%c", "ac"));
  EXPECT_TRUE(LikeMatches("a%c", "abcbc"));
  EXPECT_FALSE(LikeMatches("a%c", "abcb"));
  EXPECT_TRUE(LikeMatches("%ab%ab%", "xabyabz"));
  EXPECT_FALSE(LikeMatches("%ab%ab%", "xaby"));
  EXPECT_FALSE(LikeMatches("_", ""));
  EXPECT_TRUE(LikeMatches("__", "ab"));
  EXPECT_FALSE(LikeMatches("ABC", "abc"));
}

TEST(Like, EscapesStandForThemselves) {
  EXPECT_TRUE(LikeMatches("100\\%", "100%"));
  EXPECT_FALSE(LikeMatches("100\\%", "1000"));
  EXPECT_TRUE(LikeMatches("a\\_b", "a_b"));
  EXPECT_FALSE(LikeMatches("a\\_b", "axb"));
  EXPECT_TRUE(LikeMatches("\\\\", "\\"));
  EXPECT_TRUE(LikeMatches("a\\", "a\\"));
}

TEST(Like, UnderscoreTakesOneCharacter) {
  EXPECT_TRUE(LikeMatches("_", "é"));
  EXPECT_TRUE(LikeMatches("_", "\U0001f600"));
  EXPECT_FALSE(LikeMatches("__", "é"));
  // `%` does not end inside a character either: the euro sign is three bytes, and one character.
  EXPECT_FALSE(LikeMatches("%__", "€"));
  EXPECT_TRUE(LikeMatches("%_", "€"));
  // Bytes that begin no character count one each: cut short, stray, overlong.
  EXPECT_TRUE(LikeMatches("__", "\xe2\x82"));
  EXPECT_TRUE(LikeMatches("_", "\x82"));
  EXPECT_TRUE(LikeMatches("__", "\xc0\x80"));
}

TEST(Like, LongTextsEnd) {
  const std::string text(10'000, 'a');
  EXPECT_FALSE(LikeMatches("%a%a%a%a%b", text));
  EXPECT_TRUE(LikeMatches("%a%a%a%a%", text));
}

/// One more reader of the same rules, by dynamic programming over decoded characters.
class Oracle {
 public:
  explicit Oracle(std::string text) : text_(std::move(text)), is_end_(text_.size() + 1) {
    size_t at = 0;
    is_end_[0] = true;
    while (at < text_.size()) {
      // The only characters of more than a byte that the symbols below can make.
      const bool is_two = text_.compare(at, 2, "é") == 0 || text_.compare(at, 2, "\xc3\x82") == 0;
      at += is_two ? 2 : text_.compare(at, 3, "€") == 0 ? 3 : 1;
      is_end_[at] = true;
    }
  }

  bool Matches(const std::string& pattern) const {
    std::vector<bool> reached(text_.size() + 1);
    reached[0] = true;
    for (size_t at = 0; at < pattern.size(); ++at) {
      std::vector<bool> next(text_.size() + 1);
      const bool is_escape = pattern[at] == '\\' && at + 1 < pattern.size();
      if (is_escape) ++at;
      for (size_t from = 0; from < reached.size(); ++from) {
        if (!reached[from]) continue;
        if (!is_escape && pattern[at] == '%') {
          for (size_t to = from; to < next.size(); ++to) next[to] = next[to] || is_end_[to];
        } else if (!is_escape && pattern[at] == '_') {
          for (size_t to = from + 1; to < next.size(); ++to) {
            if (!is_end_[to]) continue;
            next[to] = true;
            break;
          }
        } else if (from < text_.size() && text_[from] == pattern[at]) {
          next[from + 1] = true;
        }
      }
      reached = next;
    }
    return reached[text_.size()];
  }

 private:
  std::string text_;
  std::vector<bool> is_end_;
};

std::vector<std::string> Sequences(const std::vector<std::string>& symbols, int max_length) {
  std::vector<std::string> all = {""};
  size_t begin = 0;
  for (int length = 1; length <= max_length; ++length) {
    const size_t end = all.size();
    for (; begin < end; ++begin) {
      for (const std::string& symbol : symbols) all.push_back(all[begin] + symbol);
    }
  }
  return all;
}

TEST(Like, AgreesWithDynamicProgramming) {
  const std::vector<std::string> texts = Sequences({"a", "%", "é", "€", "\xc3", "\x82"}, 4);
  const std::vector<std::string> patterns = Sequences({"a", "é", "%", "_", "\\%", "\x82"}, 4);
  int64_t num_matches = 0;
  for (const std::string& text : texts) {
    const Oracle oracle(text);
    for (const std::string& pattern : patterns) {
      const bool expected = oracle.Matches(pattern);
      num_matches += expected;
      ASSERT_EQ(LikeMatches(pattern, text), expected)
          << testing::PrintToString(pattern) << " on " << testing::PrintToString(text);
      const LikePrefix prefix = PrefixOfLike(pattern);
      const bool begins = text.starts_with(prefix.bytes);
      ASSERT_TRUE(begins || !expected) << testing::PrintToString(pattern);
      ASSERT_TRUE(!begins || expected || !prefix.is_sufficient) << testing::PrintToString(pattern);
    }
  }
  EXPECT_GT(num_matches, 10'000);
}

TEST(Like, Prefix) {
  EXPECT_EQ(PrefixOfLike("ab%").bytes, "ab");
  EXPECT_TRUE(PrefixOfLike("ab%").is_sufficient);
  EXPECT_TRUE(PrefixOfLike("ab%%").is_sufficient);
  EXPECT_EQ(PrefixOfLike("a\\%b_c").bytes, "a%b");
  EXPECT_FALSE(PrefixOfLike("a\\%b_c").is_sufficient);
  EXPECT_EQ(PrefixOfLike("ab").bytes, "ab");
  EXPECT_FALSE(PrefixOfLike("ab").is_sufficient);
  EXPECT_EQ(PrefixOfLike("%").bytes, "");
  EXPECT_TRUE(PrefixOfLike("%").is_sufficient);
  EXPECT_FALSE(PrefixOfLike("").is_sufficient);
}

}  // namespace
}  // namespace sluice
