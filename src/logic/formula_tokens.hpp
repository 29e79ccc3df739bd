// The tokens of formulas: names, signs in ASCII or Unicode, and numbers where they are asked for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ggsnn::logic {

struct Token {
    enum class Kind { name, symbol, number, tag, end };
    Kind kind = Kind::end;
    std::string text;
    int line = 1, column = 1;
    bool glued = false; // no space before it
};

// What may stand in a text besides names and the signs of formulas.
enum class Extra {
    nothing,
    tags,    // `#2`, as print_tagged writes them
    numbers, // numbers, comparisons, `-`, `:=`, `;` and comments to the end of a line after `//`
};

// Tokens one after the other, for a parser by recursive descent. What is wrong is thrown as SyntaxError.
class Tokens {
  public:
    Tokens(std::string_view text, Extra extra);

    const Token& here() const { return tokens_[at_]; }
    const Token& next(std::size_t ahead = 1) const; // the token after this one; at the end, the end
    bool ended() const { return here().kind == Token::Kind::end; }
    bool is(std::string_view text) const { return !ended() && here().text == text; }
    bool accept(std::string_view text);
    void expect(std::string_view text);
    // This token, and the next one is here.
    const Token& take() { return tokens_[at_++]; } // REQUIRES that this is not the end
    std::string name(const char* expected);
    // Identifiers joined by dots.
    std::string dotted(const char* expected);
    [[noreturn]] void wrong(const std::string& expected) const;

  private:
    std::vector<Token> tokens_; // the last one is the end
    std::size_t at_ = 0;
};

} // namespace ggsnn::logic
