#include "engine/parse/lexer.h"

#include <algorithm>

namespace sluice::inline v0::engine {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// Bytes of characters beyond ASCII are letters.
bool IsWordStart(char c) {
  return (Lower(c) >= 'a' && Lower(c) <= 'z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool IsWordPart(char c) { return IsWordStart(c) || IsDigit(c); }

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

int HexDigit(char c) {
  if (IsDigit(c)) return c - '0';
  return Lower(c) >= 'a' && Lower(c) <= 'f' ? Lower(c) - 'a' + 10 : -1;
}

}  // namespace

std::string LowerAscii(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), Lower);
  return lower;
}

bool IsReservedWord(std::string_view word) {
  static constexpr std::string_view kWords[] = {
      "and", "as", "between", "case", "cast", "distinct", "else", "end",  "false", "from",
      "in",  "is", "like",    "not",  "null", "or",       "then", "true", "when",
  };
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

bool Token::IsWord(std::string_view word) const {
  return kind == Kind::kWord && text.size() == word.size() &&
         std::equal(text.begin(), text.end(), word.begin(),
                    [](char a, char b) { return Lower(a) == b; });
}

void Lexer::Advance(size_t bytes) {
  for (; bytes > 0; --bytes, ++offset_) {
    const char c = text_[offset_];
    if (c == '\n') {
      ++position_.line;
      position_.column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {
      ++position_.column;
    }
  }
}

Token Lexer::Fail(TextPosition position, std::string_view what) {
  has_failed_ = true;
  failure_ = {Token::Kind::kError, position, std::string(what)};
  return failure_;
}

Token Lexer::Next() {
  if (has_failed_) return failure_;
  Token error;
  if (!SkipSpace(&error)) return error;
  if (AtEnd()) return {Token::Kind::kEnd, position_, {}};
  const char c = Peek();
  if (Lower(c) == 'x' && Peek(1) == '\'') return ReadBinary();
  if (IsWordStart(c)) return ReadWord();
  if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) return ReadNumber();
  if (c == '\'') return ReadString();
  if (c == '"') return ReadName();
  return ReadSymbol();
}

bool Lexer::SkipSpace(Token* error) {
  while (!AtEnd()) {
    if (IsSpace(Peek())) {
      Advance(1);
    } else if (Peek() == '-' && Peek(1) == '-') {
      while (!AtEnd() && Peek() != '\n') Advance(1);
    } else if (Peek() == '/' && Peek(1) == '*') {
      const TextPosition begin = position_;
      if (SkipBlockComment()) continue;
      *error = Fail(begin, "this comment does not end");
      return false;
    } else {
      return true;
    }
  }
  return true;
}

/// Comments nest.
bool Lexer::SkipBlockComment() {
  int64_t depth = 0;
  while (!AtEnd()) {
    if (Peek() == '/' && Peek(1) == '*') {
      ++depth;
      Advance(2);
    } else if (Peek() == '*' && Peek(1) == '/') {
      Advance(2);
      if (--depth == 0) return true;
    } else {
      Advance(1);
    }
  }
  return false;
}

bool Lexer::ReadQuoted(char quote, std::string* out) {
  Advance(1);
  while (!AtEnd()) {
    if (Peek() == quote) {
      const bool is_doubled = Peek(1) == quote;
      Advance(is_doubled ? 2 : 1);
      if (!is_doubled) return true;
      *out += quote;
    } else {
      *out += Peek();
      Advance(1);
    }
  }
  return false;
}

Token Lexer::ReadWord() {
  Token token{Token::Kind::kWord, position_, {}};
  size_t length = 0;
  while (IsWordPart(Peek(length))) ++length;
  token.text = text_.substr(offset_, length);
  Advance(length);
  return token;
}

size_t Lexer::CountDigits(size_t ahead) const {
  size_t count = 0;
  while (IsDigit(Peek(ahead + count))) ++count;
  return count;
}

Token Lexer::ReadNumber() {
  Token token{Token::Kind::kNumber, position_, {}};
  size_t length = CountDigits(0);
  if (Peek(length) == '.') length += 1 + CountDigits(length + 1);
  if (Lower(Peek(length)) == 'e') {
    const size_t sign = Peek(length + 1) == '+' || Peek(length + 1) == '-' ? 1 : 0;
    const size_t digits = CountDigits(length + 1 + sign);
    if (digits == 0) return Fail(token.position, "this number has an exponent without digits");
    length += 1 + sign + digits;
  }
  if (IsWordPart(Peek(length)) || Peek(length) == '.') {
    return Fail(token.position, "this is neither a number nor a name");
  }
  token.text = text_.substr(offset_, length);
  Advance(length);
  return token;
}

Token Lexer::ReadString() {
  Token token{Token::Kind::kString, position_, {}};
  if (!ReadQuoted('\'', &token.text)) return Fail(token.position, "this string does not end");
  return token;
}

Token Lexer::ReadName() {
  Token token{Token::Kind::kName, position_, {}};
  if (!ReadQuoted('"', &token.text)) return Fail(token.position, "this quoted name does not end");
  return token;
}

Token Lexer::ReadBinary() {
  Token token{Token::Kind::kBinary, position_, {}};
  Advance(1);
  std::string digits;
  if (!ReadQuoted('\'', &digits)) return Fail(token.position, "this string does not end");
  const bool is_hex =
      std::all_of(digits.begin(), digits.end(), [](char c) { return HexDigit(c) >= 0; });
  if (!is_hex || digits.size() % 2 != 0) {
    return Fail(token.position, "X'..' holds pairs of hexadecimal digits");
  }
  for (size_t i = 0; i < digits.size(); i += 2) {
    token.text += static_cast<char>(HexDigit(digits[i]) * 16 + HexDigit(digits[i + 1]));
  }
  return token;
}

Token Lexer::ReadSymbol() {
  static constexpr std::string_view kPairs[] = {"<>", "!=", "<=", ">="};
  static constexpr std::string_view kSingles = "=<>+-*/%(),.";
  const TextPosition begin = position_;
  if (Peek() == '=' && Peek(1) == '=') return Fail(begin, "equality is written '=', not '=='");
  if (Peek() == ';') return Fail(begin, "an expression has no ';': leave it out");
  for (const std::string_view pair : kPairs) {
    if (Peek() == pair[0] && Peek(1) == pair[1]) {
      Advance(2);
      return {Token::Kind::kSymbol, begin, std::string(pair)};
    }
  }
  if (kSingles.find(Peek()) == std::string_view::npos) {
    return Fail(begin, "this character means nothing here");
  }
  const char symbol = Peek();
  Advance(1);
  return {Token::Kind::kSymbol, begin, std::string(1, symbol)};
}

}  // namespace sluice::inline v0::engine
