// The parser of formulas: recursive descent over the grammar at the head of formula.hpp.
// Parenthesised formulas may stand wherever a part may; `*` distributes over their disjunctions.
#include "ggsnn/logic/definitions.hpp"
#include "ggsnn/logic/formula_tokens.hpp"

#include <algorithm>

namespace ggsnn::logic {

namespace {

constexpr int max_nesting = 100;
constexpr std::size_t max_disjuncts = 4096, max_parts = 100'000, max_work = 1'000'000;

class Parser : Tokens {
  public:
    Parser(std::string_view text, Reading reading, const std::set<std::string>& names, bool tags = false)
        : Tokens(text, tags ? Extra::tags : Extra::nothing), reading_(reading), names_(names) {}

    Formula whole() {
        Formula formula = disjunction();
        if (!ended()) wrong("'*', '\\/' or the end");
        return formula;
    }

    Entailment entailment() {
        Formula left = disjunction();
        expect("|-");
        return {std::move(left), whole()};
    }

  private:
    [[noreturn]] void too_large(const char* what) const {
        throw SyntaxError(here().line, here().column, fmt::format("the formula has too many {}", what));
    }

    // A new name, for a binder.
    std::string binder() {
        if (is_null(here().text)) wrong("a name other than NULL");
        return name("a name");
    }

    bool is_null(const std::string& text) const {
        return text == null_name || ((text == "nil" || text == "null") && !names_.contains(text));
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
        take();
        return true;
    }

    bool accept_quantifier() {
        const bool word = is("exists") && next().kind == Token::Kind::name;
        if (!word && !is("∃")) return false;
        take();
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
                if (here().kind == Token::Kind::tag && here().glued) field += take().text;
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
        const Predicate* known = predicate_called(take().text);
        atom.kind = known ? known->kind : Atom::Kind::none;
        if (known) {
            atom.strict = accept("+") || reading_ == Reading::shape;
            if (next().kind == Token::Kind::tag && accept("[")) {
                atom.tag = take().text;
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
        take();
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

    Reading reading_;
    const std::set<std::string>& names_;
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
