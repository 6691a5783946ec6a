#pragma once

// Text to tokens, one at a time. It knows no grammar: words are identifiers here.

#include <sluice/expression.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace sluice::inline v0::engine {

struct Token {
  enum class Kind : uint8_t {
    kEnd,
    kError,  ///< `text` says what is wrong at `position`.
    kWord,   ///< An identifier without quotes, or a keyword; `text` as written.
    kName,   ///< An identifier in double quotes, which `text` is without.
    kNumber,
    kString,  ///< `text` is what the quotes hold.
    kBinary,  ///< `text` is the bytes of X'..'.
    kSymbol,  ///< An operator or other mark.
  };
  Kind kind = Kind::kEnd;
  TextPosition position;
  std::string text;

  bool IsSymbol(std::string_view symbol) const { return kind == Kind::kSymbol && text == symbol; }
  /// Whether it is this word, given in lower case, in any case.
  bool IsWord(std::string_view word) const;
};

/// `text` with the ASCII letters in lower case.
std::string LowerAscii(std::string_view text);

/// Whether the lower-case `word` cannot be a name unless it is quoted.
bool IsReservedWord(std::string_view word);

/// Reads the tokens of a text in turn, the last of them kEnd or kError for ever.
///
/// Threads: confined. Lifetime: the text must outlive it.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token Next();

 private:
  bool AtEnd(size_t ahead = 0) const { return offset_ + ahead >= text_.size(); }
  char Peek(size_t ahead = 0) const { return AtEnd(ahead) ? '\0' : text_[offset_ + ahead]; }
  void Advance(size_t bytes);
  Token Fail(TextPosition position, std::string_view what);
  bool SkipSpace(Token* error);
  bool SkipBlockComment();
  /// What stands between quotes, where two of them are one. False where the last is missing.
  bool ReadQuoted(char quote, std::string* out);
  Token ReadWord();
  Token ReadNumber();
  Token ReadString();
  Token ReadName();
  Token ReadBinary();
  Token ReadSymbol();
  size_t CountDigits(size_t ahead) const;

  std::string_view text_;
  size_t offset_ = 0;
  TextPosition position_{1, 1};
  bool has_failed_ = false;
  Token failure_;
};

}  // namespace sluice::inline v0::engine
