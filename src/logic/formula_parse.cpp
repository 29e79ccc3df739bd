// The parser of formulas: tokens, then recursive descent over the grammar at the head of formula.hpp.
// Parenthesised formulas may stand wherever a part may; `*` distributes over their disjunctions.
#include "ggsnn/logic/definitions.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace ggsnn::logic {

namespace {

constexpr int max_nesting = 100;
constexpr std::size_t max_formula = std::size_t{1} << 20;
constexpr std::size_t max_disjuncts = 4096, max_parts = 100'000, max_work = 1'000'000;

struct Token {
    enum class Kind { name, symbol, tag, end };
    Kind kind = Kind::end;
    std::string text;
    int line = 1, column = 1;
    bool glued = false; // no space before it
};

// Signs and the ASCII form they are turned into. Longer ones stand before their prefixes.
constexpr std::array<std::pair<std::string_view, std::string_view>, 27> known_signs{
    {{"|->", "|->"}, {"|-", "|-"}, {"->", "->"}, {"!=", "!="}, {"\\/", "\\/"}, {"(", "("},  {")", ")"},
     {"{", "{"},     {"}", "}"},   {",", ","},   {".", "."},   {":", ":"},     {"*", "*"},  {"=", "="},
     {"+", "+"},     {"\\", "\\"}, {"↦", "|->"}, {"⊢", "|-"},  {"→", "->"},    {"≠", "!="}, {"∨", "\\/"},
     {"∗", "*"},     {"λ", "\\"},  {"⁺", "+"},   {"∃", "∃"},   {"[", "["},     {"]", "]"}}};

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
    Lexer(std::string_view text, bool tags) : text_(text), tags_(tags) {}

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
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) advance(1);
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
        if (!tags_ || rest[0] != '#') return 0;
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
        }
        if (length > 0) {
            token.text = rest.substr(0, length);
            advance(length);
            return token;
        }
        for (const auto& [sign, ascii] : known_signs) {
            if (!rest.starts_with(sign)) continue;
            token.text = ascii;
            advance(sign.size());
            return token;
        }
        throw SyntaxError(line_, column_, fmt::format("found {}, expected a formula", shown(rest)));
    }

    std::string_view text_;
    bool tags_;
    std::size_t at_ = 0;
    int line_ = 1, column_ = 1;
};

class Parser {
  public:
    Parser(std::string_view text, Reading reading, const std::set<std::string>& names, bool tags = false)
        : tokens_(Lexer(text, tags).run()), reading_(reading), names_(names) {}

    Formula whole() {
        Formula formula = disjunction();
        if (here().kind != Token::Kind::end) wrong("'*', '\\/' or the end");
        return formula;
    }

    Entailment entailment() {
        Formula left = disjunction();
        expect("|-");
        return {std::move(left), whole()};
    }

  private:
    const Token& here() const { return tokens_[at_]; }
    bool is(std::string_view text) const { return here().kind != Token::Kind::end && here().text == text; }
    bool accept(std::string_view text) {
        if (!is(text)) return false;
        ++at_;
        return true;
    }
    void expect(std::string_view text) {
        if (!accept(text)) wrong(fmt::format("'{}'", text));
    }
    [[noreturn]] void wrong(const std::string& expected) const {
        const std::string found =
            here().kind == Token::Kind::end ? here().text : fmt::format("'{}'", here().text);
        throw SyntaxError(here().line, here().column, fmt::format("found {}, expected {}", found, expected));
    }
    [[noreturn]] void too_large(const char* what) const {
        throw SyntaxError(here().line, here().column, fmt::format("the formula has too many {}", what));
    }

    // The token after this one; at the end, the end.
    const Token& next() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }

    std::string name(const char* expected) {
        if (here().kind != Token::Kind::name) wrong(expected);
        return tokens_[at_++].text;
    }

    // A new name, for a binder.
    std::string binder() {
        if (is_null(here().text)) wrong("a name other than NULL");
        return name("a name");
    }

    bool is_null(const std::string& text) const {
        return text == null_name || ((text == "nil" || text == "null") && !names_.contains(text));
    }

    // Identifiers joined by dots.
    std::string dotted(const char* expected) {
        std::string text = name(expected);
        while (is(".") && here().glued && next().kind == Token::Kind::name && next().glued) {
            text += "." + next().text;
            at_ += 2;
        }
        return text;
    }

    std::string term() {
        const std::string text = dotted("a name or NULL");
        return is_null(text) ? null_name : text;
    }

    bool is_word() const {
        return here().kind == Token::Kind::name && (is("none") || predicate_called(here().text) != nullptr);
    }

    // `ls` before a bracket, and the like; elsewhere it is a name.
    bool is_predicate() const {
        if (!is_word()) return false;
        const std::string& after = next().text;
        return next().kind == Token::Kind::symbol && (after == "(" || after == "+" || after == "[");
    }

    bool is_relation(const Token& token) const {
        return token.kind == Token::Kind::symbol &&
               (token.text == "=" || token.text == "!=" || token.text == "|->");
    }

    // emp, unless it is a name.
    bool accept_empty() {
        if (!is("emp") || is_relation(next()) || (next().text == "." && next().glued)) return false;
        ++at_;
        return true;
    }

    bool accept_quantifier() {
        const bool word = is("exists") && next().kind == Token::Kind::name;
        if (!word && !is("∃")) return false;
        ++at_;
        return true;
    }

    Formula disjunction() {
        if (++depth_ > max_nesting) too_large("nested parts");
        Formula all = conjunction();
        while (accept("\\/")) {
            Formula next = conjunction();
            for (SymbolicHeap& heap : next.heaps) all.heaps.push_back(std::move(heap));
            if (all.heaps.size() > max_disjuncts) too_large("disjuncts");
        }
        --depth_;
        return all;
    }

    Formula conjunction() {
        std::vector<std::string> exists;
        if (accept_quantifier()) {
            do {
                exists.push_back(binder());
                accept(",");
            } while (!is("."));
            expect(".");
        }
        Formula result{{SymbolicHeap{}}};
        do star(result, part());
        while (accept("*"));
        for (SymbolicHeap& heap : result.heaps) {
            std::vector<std::string> bound = exists;
            bound.insert(bound.end(), heap.exists.begin(), heap.exists.end());
            std::sort(bound.begin(), bound.end());
            bound.erase(std::unique(bound.begin(), bound.end()), bound.end());
            if (bound.size() == exists.size() + heap.exists.size()) { // as written, unless a name came twice
                bound = exists;
                bound.insert(bound.end(), heap.exists.begin(), heap.exists.end());
            }
            heap.exists = std::move(bound);
        }
        return result;
    }

    // a becomes a * b, distributing over disjuncts; existentials of b that occur in a are renamed.
    void star(Formula& a, const Formula& b) {
        if (a.heaps.size() * b.heaps.size() > max_disjuncts) too_large("disjuncts");
        std::size_t parts = 0;
        const auto count = [&](const SymbolicHeap& heap) {
            parts += heap.pure.size() + heap.atoms.size();
            if (parts > max_parts) too_large("parts");
        };
        if (b.heaps.size() == 1) {
            for (SymbolicHeap& left : a.heaps) {
                join(left, b.heaps[0]);
                count(left);
            }
            return;
        }
        Formula result;
        for (const SymbolicHeap& left : a.heaps)
            for (const SymbolicHeap& right : b.heaps) {
                result.heaps.push_back(left);
                join(result.heaps.back(), right);
                count(result.heaps.back());
            }
        a = std::move(result);
    }

    void join(SymbolicHeap& left, SymbolicHeap right) {
        if (!left.exists.empty() || !right.exists.empty()) {
            separate_names(left, right);
            separate_names(right, left);
        }
        left.exists.insert(left.exists.end(), right.exists.begin(), right.exists.end());
        left.pure.insert(left.pure.end(), right.pure.begin(), right.pure.end());
        left.atoms.insert(left.atoms.end(), right.atoms.begin(), right.atoms.end());
    }

    // Renames existentials of heap that occur, free or bound, in other.
    void separate_names(SymbolicHeap& heap, const SymbolicHeap& other) {
        const auto work = [&](std::size_t more) {
            work_ += more;
            if (work_ > max_work) too_large("existentials in brackets");
        };
        work(other.pure.size() + other.atoms.size() + heap.exists.size());
        std::set<std::string> taken = free_names(other);
        taken.insert(other.exists.begin(), other.exists.end());
        for (std::string& bound : heap.exists) {
            if (!taken.contains(bound)) continue;
            SymbolicHeap open = heap;
            open.exists.clear();
            const std::set<std::string> mine = free_names(open);
            std::string fresh;
            work(heap.pure.size() + heap.atoms.size());
            for (int i = 1; fresh.empty() || taken.contains(fresh) || mine.contains(fresh); ++i)
                fresh = fmt::format("{}{}", bound, i);
            open = substitute(open, bound, fresh);
            heap.pure = open.pure;
            heap.atoms = open.atoms;
            bound = fresh;
        }
    }

    static std::string words() {
        std::string text;
        for (const Predicate& one : predicates()) text += fmt::format("{}, ", one.word);
        return text;
    }

    Formula part() {
        if (accept("(")) {
            Formula inner = disjunction();
            expect(")");
            return inner;
        }
        SymbolicHeap heap;
        if (accept_empty()) return {{heap}};
        if (is_predicate()) {
            heap.atoms.push_back(predicate());
            return {{heap}};
        }
        if (here().kind != Token::Kind::name || (is("exists") && next().kind == Token::Kind::name))
            wrong(words() + "none, emp, a name, NULL or '('");
        const Token first = here();
        const bool word = is_word();
        const std::string left = term();
        if (accept("=")) {
            heap.pure.push_back({true, left, term()});
        } else if (accept("!=")) {
            heap.pure.push_back({false, left, term()});
        } else if (is("|->")) {
            heap.atoms.push_back(cell(left, first));
        } else {
            wrong(word ? "'(', '=', '!=' or '|->'" : "'=', '!=' or '|->'");
        }
        return {{heap}};
    }

    Atom cell(const std::string& root, const Token& first) {
        if (root == null_name)
            throw SyntaxError(first.line, first.column, "found NULL, expected a name to the left of '|->'");
        expect("|->");
        Atom atom;
        atom.arguments = {root};
        expect("{");
        if (!accept("}")) {
            do {
                const Token at = here();
                std::string field = dotted("a field");
                if (here().kind == Token::Kind::tag && here().glued) field += tokens_[at_++].text;
                for (const auto& link : atom.links)
                    if (link.first == field)
                        throw SyntaxError(at.line, at.column,
                                          fmt::format("field '{}' is given twice", field));
                expect(":");
                atom.links.emplace_back(field, term());
            } while (accept(","));
            expect("}");
        }
        return atom;
    }

    Atom predicate() {
        Atom atom;
        const Predicate* known = predicate_called(tokens_[at_++].text);
        atom.kind = known ? known->kind : Atom::Kind::none;
        if (known) {
            atom.strict = accept("+") || reading_ == Reading::shape;
            if (next().kind == Token::Kind::tag && accept("[")) {
                atom.tag = tokens_[at_++].text;
                expect("]");
            }
        }
        expect("(");
        const std::size_t count = known ? known->parameters.size() : 1;
        for (std::size_t i = 0; i < count; ++i) {
            if (i > 0) expect(",");
            atom.arguments.push_back(term());
        }
        const bool nests = known && known->nests;
        if (nests && accept(",")) atom.body = lambda();
        if (!accept(")")) wrong(nests && !atom.body ? "',' or ')'" : "')'");
        return atom;
    }

    // A backslash, a name, -> and a heap; `emp` alone says that nothing hangs there.
    std::shared_ptr<const Lambda> lambda() {
        if (accept_empty()) return nullptr;
        if (!is("\\")) wrong("'\\'");
        ++at_;
        Lambda lambda{binder(), {}};
        expect("->");
        const Token at = here();
        Formula body = disjunction();
        if (body.heaps.size() != 1)
            throw SyntaxError(at.line, at.column,
                              "found a disjunction, expected one heap as the body of a nested structure");
        lambda.heap = std::move(body.heaps[0]);
        return std::make_shared<const Lambda>(std::move(lambda));
    }

    std::vector<Token> tokens_;
    Reading reading_;
    const std::set<std::string>& names_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::size_t work_ = 0; // of keeping existentials apart
};

} // namespace

SyntaxError::SyntaxError(int line_, int column_, const std::string& detail_)
    : Error(fmt::format("line {}, column {}: {}", line_, column_, detail_)),
      line(line_),
      column(column_),
      detail(detail_) {}

Formula parse_formula(std::string_view text, Reading reading, const std::set<std::string>& names) {
    return Parser(text, reading, names).whole();
}

Formula parse_tagged(std::string_view text, Reading reading) {
    return Parser(text, reading, {}, true).whole();
}

Entailment parse_entailment(std::string_view text, Reading reading) {
    return Parser(text, reading, {}).entailment();
}

} // namespace ggsnn::logic
