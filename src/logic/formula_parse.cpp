// The parser of formulas: tokens, then recursive descent over the grammar at the head of formula.hpp.
// Parenthesised formulas may stand wherever a part may; `*` distributes over their disjunctions.
#include "logic/formula.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace ggsnn::logic {

namespace {

constexpr int max_depth = 100;
constexpr std::size_t max_text = std::size_t{1} << 20;
constexpr std::size_t max_disjuncts = 4096, max_parts = 100000;

struct Token {
    enum class Kind { name, symbol, end };
    Kind kind = Kind::end;
    std::string text;
    int line = 1, column = 1;
};

// Signs and the ASCII form they are turned into. Longer ones stand before their prefixes.
constexpr std::array<std::pair<std::string_view, std::string_view>, 25> signs{
    {{"|->", "|->"}, {"|-", "|-"}, {"->", "->"}, {"!=", "!="},   {"\\/", "\\/"}, {"(", "("},  {")", ")"},
     {"{", "{"},     {"}", "}"},   {",", ","},   {".", "."},     {":", ":"},     {"*", "*"},  {"=", "="},
     {"+", "+"},     {"\\", "\\"}, {"↦", "|->"}, {"⊢", "|-"},    {"→", "->"},    {"≠", "!="}, {"∨", "\\/"},
     {"∗", "*"},     {"λ", "\\"},  {"⁺", "+"},   {"∃", "exists"}}};

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
    explicit Lexer(std::string_view text) : text_(text) {}

    std::vector<Token> run() {
        if (text_.size() > max_text)
            throw SyntaxError(1, 1, fmt::format("the formula has more than {} bytes", max_text));
        std::vector<Token> tokens;
        for (;;) {
            skip_space();
            if (at_ == text_.size()) break;
            tokens.push_back(one());
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
        if (!rest.starts_with("\\old(") || rest.size() < 7 || !name_start(rest[5])) return 0;
        std::size_t length = 6;
        while (length < rest.size() && name_char(rest[length])) ++length;
        return length < rest.size() && rest[length] == ')' ? length + 1 : 0;
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
        } else if (name_start(rest[0])) {
            token.kind = Token::Kind::name;
            while (length < rest.size() && name_char(rest[length])) ++length;
        }
        if (length > 0) {
            token.text = rest.substr(0, length);
            advance(length);
            return token;
        }
        for (const auto& [sign, ascii] : signs) {
            if (!rest.starts_with(sign)) continue;
            token.text = ascii;
            if (ascii == "exists") token.kind = Token::Kind::name;
            advance(sign.size());
            return token;
        }
        throw SyntaxError(line_, column_, fmt::format("found {}, expected a formula", shown(rest)));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1, column_ = 1;
};

bool keyword(const std::string& name) {
    static const std::set<std::string> keywords{"exists", "emp", "ls", "tree", "dll", "none"};
    return keywords.contains(name);
}

class Parser {
  public:
    Parser(std::string_view text, Reading reading) : tokens_(Lexer(text).run()), reading_(reading) {}

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

    std::string name(const char* expected) {
        if (here().kind != Token::Kind::name || keyword(here().text)) wrong(expected);
        return tokens_[at_++].text;
    }

    // A new name, for a binder.
    std::string binder() {
        if (is_null(here().text)) wrong("a name other than NULL");
        return name("a name");
    }

    static bool is_null(const std::string& text) { return text == "NULL" || text == "nil" || text == "null"; }

    std::string term() {
        const std::string text = name("a name or NULL");
        return is_null(text) ? null_name : text;
    }

    Formula disjunction() {
        if (++depth_ > max_depth) too_large("nested parts");
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
        if (accept("exists")) {
            do {
                exists.push_back(binder());
                accept(",");
            } while (!is("."));
            expect(".");
        }
        Formula result{{SymbolicHeap{}}};
        do result = star(result, part());
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

    // a * b, distributing over disjuncts; existentials of b that occur in a are renamed.
    Formula star(const Formula& a, const Formula& b) const {
        if (a.heaps.size() * b.heaps.size() > max_disjuncts) too_large("disjuncts");
        Formula result;
        for (const SymbolicHeap& left : a.heaps)
            for (const SymbolicHeap& right : b.heaps) {
                result.heaps.push_back(joined(left, right));
                if (result.heaps.size() * result.heaps.back().atoms.size() > max_parts) too_large("parts");
            }
        return result;
    }

    static SymbolicHeap joined(SymbolicHeap left, SymbolicHeap right) {
        if (!left.exists.empty() || !right.exists.empty()) {
            separate_names(left, right);
            separate_names(right, left);
        }
        left.exists.insert(left.exists.end(), right.exists.begin(), right.exists.end());
        left.pure.insert(left.pure.end(), right.pure.begin(), right.pure.end());
        left.atoms.insert(left.atoms.end(), right.atoms.begin(), right.atoms.end());
        return left;
    }

    // Renames existentials of heap that occur, free or bound, in other.
    static void separate_names(SymbolicHeap& heap, const SymbolicHeap& other) {
        std::set<std::string> taken = free_names(other);
        taken.insert(other.exists.begin(), other.exists.end());
        for (std::string& bound : heap.exists) {
            if (!taken.contains(bound)) continue;
            SymbolicHeap open = heap;
            open.exists.clear();
            const std::set<std::string> mine = free_names(open);
            std::string fresh;
            for (int i = 1; fresh.empty() || taken.contains(fresh) || mine.contains(fresh); ++i)
                fresh = fmt::format("{}{}", bound, i);
            open = substitute(open, bound, fresh);
            heap.pure = open.pure;
            heap.atoms = open.atoms;
            bound = fresh;
        }
    }

    Formula part() {
        if (accept("(")) {
            Formula inner = disjunction();
            expect(")");
            return inner;
        }
        SymbolicHeap heap;
        if (accept("emp")) return {{heap}};
        if (is("ls") || is("tree") || is("dll") || is("none")) {
            heap.atoms.push_back(predicate());
            return {{heap}};
        }
        if (here().kind != Token::Kind::name || is("exists"))
            wrong("ls, tree, dll, none, emp, a name, NULL or '('");
        const Token first = here();
        const std::string left = term();
        if (accept("=")) {
            heap.pure.push_back({true, left, term()});
        } else if (accept("!=")) {
            heap.pure.push_back({false, left, term()});
        } else if (is("|->")) {
            heap.atoms.push_back(cell(left, first));
        } else {
            wrong("'=', '!=' or '|->'");
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
                const std::string field = name("a field");
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
        const std::string& kind = tokens_[at_++].text;
        atom.kind = kind == "ls"     ? Atom::Kind::list
                    : kind == "tree" ? Atom::Kind::tree
                    : kind == "dll"  ? Atom::Kind::dll
                                     : Atom::Kind::none;
        if (atom.kind != Atom::Kind::none) atom.strict = accept("+") || reading_ == Reading::shape;
        expect("(");
        const int count = atom.kind == Atom::Kind::list ? 2 : atom.kind == Atom::Kind::dll ? 4 : 1;
        for (int i = 0; i < count; ++i) {
            if (i > 0) expect(",");
            atom.arguments.push_back(term());
        }
        if ((atom.kind == Atom::Kind::list || atom.kind == Atom::Kind::tree) && accept(","))
            atom.body = lambda();
        if (!accept(")"))
            wrong(atom.body || count == 4 || atom.kind == Atom::Kind::none ? "')'" : "',' or ')'");
        return atom;
    }

    // A backslash, a name, -> and a heap; `emp` alone says that nothing hangs there.
    std::shared_ptr<const Lambda> lambda() {
        if (accept("emp")) return nullptr;
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
    std::size_t at_ = 0;
    int depth_ = 0;
};

} // namespace

SyntaxError::SyntaxError(int line_, int column_, const std::string& detail_)
    : Error(fmt::format("line {}, column {}: {}", line_, column_, detail_)),
      line(line_),
      column(column_),
      detail(detail_) {}

Formula parse_formula(std::string_view text, Reading reading) {
    return Parser(text, reading).whole();
}

Entailment parse_entailment(std::string_view text, Reading reading) {
    return Parser(text, reading).entailment();
}

} // namespace ggsnn::logic
