#include "ggsnn/logic/formula_tokens.hpp"

#include "ggsnn/logic/formula.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace ggsnn::logic {

namespace {

constexpr std::size_t max_formula = std::size_t{1} << 20;

// Signs and the ASCII form they are turned into. Longer ones stand before their prefixes.
constexpr std::array<std::pair<std::string_view, std::string_view>, 27> known_signs{
    {{"|->", "|->"}, {"|-", "|-"}, {"->", "->"}, {"!=", "!="}, {"\\/", "\\/"}, {"(", "("},  {")", ")"},
     {"{", "{"},     {"}", "}"},   {",", ","},   {".", "."},   {":", ":"},     {"*", "*"},  {"=", "="},
     {"+", "+"},     {"\\", "\\"}, {"↦", "|->"}, {"⊢", "|-"},  {"→", "->"},    {"≠", "!="}, {"∨", "\\/"},
     {"∗", "*"},     {"λ", "\\"},  {"⁺", "+"},   {"∃", "∃"},   {"[", "["},     {"]", "]"}}};

// Where numbers are asked for.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> more_signs{{{":=", ":="},
                                                                                    {"<=", "<="},
                                                                                    {">=", ">="},
                                                                                    {"≤", "<="},
                                                                                    {"≥", ">="},
                                                                                    {"->", "->"},
                                                                                    {"<", "<"},
                                                                                    {">", ">"},
                                                                                    {"-", "-"},
                                                                                    {";", ";"}}};

bool name_start(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool name_char(char c) {
    return name_start(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '\'' || c == '$';
}

// A byte, or a whole UTF-8 character, fit for a message.
std::string shown(std::string_view rest) {
    const unsigned char c = static_cast<unsigned char>(rest[0]);
    if (c >= 0x20 && c < 0x7f) return fmt::format("'{}'", rest[0]);
    return fmt::format("byte 0x{:02x}", c);
}

class Lexer {
  public:
    Lexer(std::string_view text, Extra extra) : text_(text), extra_(extra) {}

    std::vector<Token> run() {
        if (text_.size() > max_formula)
            throw SyntaxError(1, 1, fmt::format("the formula has more than {} bytes", max_formula));
        std::vector<Token> tokens;
        for (;;) {
            const std::size_t before = at_;
            skip_space();
            if (at_ == text_.size()) break;
            const bool glued = at_ == before;
            tokens.push_back(one());
            tokens.back().glued = glued;
        }
        tokens.push_back({Token::Kind::end, "the end", line_, column_});
        return tokens;
    }

  private:
    void skip_space() {
        for (;;) {
            while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) advance(1);
            if (extra_ != Extra::numbers || !text_.substr(at_).starts_with("//")) return;
            while (at_ < text_.size() && text_[at_] != '\n') advance(1);
        }
    }

    void advance(std::size_t bytes) {
        for (; bytes > 0; --bytes, ++at_) {
            if (text_[at_] == '\n') {
                ++line_;
                column_ = 1;
            } else if ((static_cast<unsigned char>(text_[at_]) & 0xc0) != 0x80) {
                ++column_;
            }
        }
    }

    // The length of `\old(name)`, written without spaces; 0 if something else stands here.
    static std::size_t old_value(std::string_view rest) {
        if (!rest.starts_with("\\old(")) return 0;
        std::size_t length = 5;
        for (;; ++length) { // identifiers joined by dots
            if (length >= rest.size() || !name_start(rest[length])) return 0;
            while (length < rest.size() && name_char(rest[length])) ++length;
            if (length == rest.size() || rest[length] != '.') break;
        }
        return length < rest.size() && rest[length] == ')' ? length + 1 : 0;
    }

    // The length of `#2`, written by print_tagged alone.
    std::size_t tag(std::string_view rest) const {
        if (extra_ != Extra::tags || rest[0] != '#') return 0;
        std::size_t length = 1;
        while (length < rest.size() && (name_char(rest[length]) || rest[length] == '#')) ++length;
        return length;
    }

    Token one() {
        Token token{Token::Kind::symbol, "", line_, column_};
        const std::string_view rest = text_.substr(at_);
        std::size_t length = 0;
        if (rest.starts_with("\\result") && (rest.size() == 7 || !name_char(rest[7]))) {
            token.kind = Token::Kind::name;
            length = 7;
        } else if (const std::size_t old = old_value(rest); old > 0) {
            token.kind = Token::Kind::name;
            length = old;
        } else if (const std::size_t tagged = tag(rest); tagged > 0) {
            token.kind = Token::Kind::tag;
            length = tagged;
        } else if (name_start(rest[0])) {
            token.kind = Token::Kind::name;
            while (length < rest.size() && name_char(rest[length])) ++length;
        } else if (extra_ == Extra::numbers) {
            token.kind = Token::Kind::number;
            while (length < rest.size() && std::isdigit(static_cast<unsigned char>(rest[length]))) ++length;
        }
        if (length > 0) {
            token.text = rest.substr(0, length);
            advance(length);
            return token;
        }
        token.kind = Token::Kind::symbol;
        if ((extra_ == Extra::numbers && sign(more_signs, rest, token)) || sign(known_signs, rest, token))
            return token;
        throw SyntaxError(line_, column_, fmt::format("found {}, expected a formula", shown(rest)));
    }

    template <std::size_t n>
    bool sign(const std::array<std::pair<std::string_view, std::string_view>, n>& signs,
              std::string_view rest, Token& token) {
        for (const auto& [sign, ascii] : signs) {
            if (!rest.starts_with(sign)) continue;
            token.text = ascii;
            advance(sign.size());
            return true;
        }
        return false;
    }

    std::string_view text_;
    Extra extra_;
    std::size_t at_ = 0;
    int line_ = 1, column_ = 1;
};

} // namespace

Tokens::Tokens(std::string_view text, Extra extra) : tokens_(Lexer(text, extra).run()) {}

const Token& Tokens::next(std::size_t ahead) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

bool Tokens::accept(std::string_view text) {
    if (!is(text)) return false;
    ++at_;
    return true;
}

void Tokens::expect(std::string_view text) {
    if (!accept(text)) wrong(fmt::format("'{}'", text));
}

std::string Tokens::name(const char* expected) {
    if (here().kind != Token::Kind::name) wrong(expected);
    return take().text;
}

std::string Tokens::dotted(const char* expected) {
    std::string text = name(expected);
    while (is(".") && here().glued && next().kind == Token::Kind::name && next().glued) {
        text += "." + next().text;
        at_ += 2;
    }
    return text;
}

void Tokens::wrong(const std::string& expected) const {
    const std::string found = ended() ? here().text : fmt::format("'{}'", here().text);
    throw SyntaxError(here().line, here().column, fmt::format("found {}, expected {}", found, expected));
}

} // namespace ggsnn::logic
