// The parser of s-expressions: one pass with a stack of open lists.
#include "ggsnn/logic/sexpr.hpp"

#include <algorithm>

namespace ggsnn::logic {

namespace {

constexpr std::size_t max_nesting = 500;
constexpr std::size_t max_text = std::size_t{1} << 26;

class Reader {
  public:
    Reader(std::string_view text, Budget& budget) : text_(text), budget_(budget) {}

    std::vector<Sexpr> run() {
        if (text_.size() > max_text) throw SyntaxError(1, 1, "the file has more than 64 MB");
        std::vector<Sexpr> open(1);
        open[0].is_list = true;
        for (skip(); at_ < text_.size(); skip()) {
            const char c = text_[at_];
            if (c == '(') {
                if (open.size() > max_nesting)
                    throw SyntaxError(line_, column_, "brackets are nested too deep");
                account(0);
                open.push_back({true, "", {}, line_, column_});
                advance();
            } else if (c == ')') {
                if (open.size() == 1)
                    throw SyntaxError(line_, column_, "found ')', expected a command or the end");
                advance();
                Sexpr done = std::move(open.back());
                open.pop_back();
                open.back().items.push_back(std::move(done));
            } else {
                open.back().items.push_back(atom());
                account(open.back().items.back().text.size());
            }
        }
        if (open.size() > 1)
            throw SyntaxError(open.back().line, open.back().column,
                              "found the end, expected ')' for this bracket");
        return std::move(open[0].items);
    }

  private:
    // One more expression; a vector that grows has up to twice the room it needs.
    void account(std::size_t length) { budget_.require(1, 2 * (sizeof(Sexpr) + length)); }

    static bool space(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
    }

    void advance() {
        if (text_[at_] == '\n') {
            ++line_;
            column_ = 0;
        }
        ++column_;
        ++at_;
    }

    void skip() {
        while (at_ < text_.size()) {
            if (space(text_[at_])) {
                advance();
            } else if (text_[at_] == ';') {
                while (at_ < text_.size() && text_[at_] != '\n') advance();
            } else {
                return;
            }
        }
    }

    Sexpr atom() {
        Sexpr result{false, "", {}, line_, column_};
        const char first = text_[at_];
        if (first == '|' || first == '"') return quoted(first);
        while (at_ < text_.size() && !space(text_[at_]) && text_[at_] != '(' && text_[at_] != ')' &&
               text_[at_] != ';' && text_[at_] != '|' && text_[at_] != '"') {
            const unsigned char c = static_cast<unsigned char>(text_[at_]);
            if (c < 0x20 || c == 0x7f)
                throw SyntaxError(line_, column_, fmt::format("found byte 0x{:02x}, expected a symbol", c));
            result.text += text_[at_];
            advance();
        }
        return result;
    }

    // |symbol| loses its bars; "string" keeps its opening quote, so that it is never taken for a symbol.
    Sexpr quoted(char quote) {
        Sexpr result{false, "", {}, line_, column_};
        if (quote == '"') result.text = "\"";
        advance();
        for (;;) {
            if (at_ == text_.size())
                throw SyntaxError(result.line, result.column,
                                  fmt::format("found the end, expected a closing {}", quote));
            if (text_[at_] == quote) {
                advance();
                if (quote != '"' || at_ == text_.size() || text_[at_] != '"') return result;
            }
            result.text += text_[at_];
            advance();
        }
    }

    std::string_view text_;
    Budget& budget_;
    std::size_t at_ = 0;
    int line_ = 1, column_ = 1;
};

} // namespace

std::vector<Sexpr> parse_sexprs(std::string_view text, Budget& budget) {
    return Reader(text, budget).run();
}

std::string brief(const Sexpr& expression) {
    if (!expression.is_list) {
        const bool long_text = expression.text.size() > 40;
        return fmt::format("'{}{}'", expression.text.substr(0, 40), long_text ? "..." : "");
    }
    if (expression.items.empty()) return "'()'";
    const Sexpr& head = expression.items[0];
    return head.is_list
               ? "'((...) ...)'"
               : fmt::format("'({}{})'", head.text.substr(0, 40), expression.items.size() > 1 ? " ..." : "");
}

} // namespace ggsnn::logic
