// The parser of texts with definitions; the grammar is at the head of statements.hpp.
#include "ggsnn/logic/definitions.hpp"
#include "ggsnn/logic/formula_tokens.hpp"
#include "ggsnn/logic/statements_parts.hpp"

#include <algorithm>
#include <iterator>

namespace ggsnn::logic::statements {

namespace {

constexpr int most_nested = 100;
constexpr std::size_t most_heaps = 256, most_parts = 20'000, most_digits = 11;

class Reader : Tokens {
  public:
    explicit Reader(std::string_view text) : Tokens(text, Extra::numbers), written_(text) {}

    Text run() {
        while (!ended()) {
            const bool defines = is("define") && next().kind == Token::Kind::name;
            defines ? definition() : question();
            if (!accept(";") && !ended())
                wrong(defines ? "'*', '\\/', ';' or the end" : "'*', '\\/', '|-', ';' or the end");
        }
        return std::move(text_);
    }

  private:
    Place place() const { return {here().line, here().column}; }
    [[noreturn]] static void wrong_at(Place at, const std::string& what) {
        throw SyntaxError(at.line, at.column, what);
    }
    [[noreturn]] void too_large(const char* what) const {
        wrong_at(place(), fmt::format("the text has too many {}", what));
    }

    void definition() {
        expect("define");
        WrittenDefinition made;
        made.at = place();
        made.name = name("the name of a definition");
        static const std::set<std::string> reserved{"emp",     "none", "exists", "define",
                                                    null_name, "nil",  "null"};
        if (predicate_called(made.name) || reserved.contains(made.name))
            wrong_at(made.at, fmt::format("found '{}', expected a name that means nothing yet", made.name));
        const auto same = [&](const WrittenDefinition& other) { return other.name == made.name; };
        if (std::any_of(text_.definitions.begin(), text_.definitions.end(), same))
            wrong_at(made.at, fmt::format("'{}' is defined twice", made.name));
        expect("(");
        scope_.clear();
        names_ = nullptr;
        if (!is(")")) {
            do {
                const Place at = place();
                const std::string parameter = binder();
                if (scope_.contains(parameter)) wrong_at(at, fmt::format("two parameters '{}'", parameter));
                made.parameters.push_back(bind(parameter, at));
            } while (accept(","));
        }
        expect(")");
        if (!accept(":=")) wrong("':='");
        made.body = disjunction();
        text_.definitions.push_back(std::move(made));
    }

    void question() {
        WrittenQuestion made;
        made.at = place();
        scope_.clear();
        names_ = &made.names;
        made.left = disjunction();
        made.entailment = accept("|-");
        if (made.entailment) made.right = disjunction();
        made.text = text_between(made.at, place());
        text_.questions.push_back(std::move(made));
    }

    // What is written between two places, on one line.
    std::string text_between(Place from, Place to) const {
        std::string text;
        int line = 1, column = 1;
        for (const char c : written_) {
            const bool inside = std::pair(line, column) >= std::pair(from.line, from.column) &&
                                (ended() || std::pair(line, column) < std::pair(to.line, to.column));
            const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
            if (inside && (!space || (!text.empty() && text.back() != ' '))) text += space ? ' ' : c;
            if (c == '\n') {
                ++line;
                column = 1;
            } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {
                ++column;
            }
        }
        while (!text.empty() && text.back() == ' ') text.pop_back();
        return text;
    }

    // ---- names

    static bool is_null(const std::string& text) {
        return text == null_name || text == "nil" || text == "null";
    }

    int variable(const std::string& text, Place at) {
        text_.variables.push_back({text, at});
        return static_cast<int>(text_.variables.size()) - 1;
    }

    int bind(const std::string& text, Place at) { return scope_[text] = variable(text, at); }

    std::string binder() {
        if (is_null(here().text)) wrong("a name other than NULL");
        return name("a name");
    }

    int named(const std::string& text, Place at) {
        if (const auto found = scope_.find(text); found != scope_.end()) return found->second;
        if (!names_)
            wrong_at(at, fmt::format("found '{}', expected a parameter or a name bound by exists", text));
        names_->push_back(bind(text, at));
        return names_->back();
    }

    // ---- formulas

    std::vector<Heap> disjunction() {
        if (++depth_ > most_nested) too_large("nested parts");
        std::vector<Heap> all = conjunction();
        while (accept("\\/")) {
            std::vector<Heap> more = conjunction();
            std::move(more.begin(), more.end(), std::back_inserter(all));
            if (all.size() > most_heaps) too_large("disjuncts");
        }
        --depth_;
        return all;
    }

    std::vector<Heap> conjunction() {
        std::map<std::string, int> outer;
        std::vector<int> exists;
        const bool quantified = (is("exists") && next().kind == Token::Kind::name) || is("∃");
        if (quantified) {
            take();
            outer = scope_;
            do {
                const Place at = place();
                exists.push_back(bind(binder(), at));
                accept(",");
            } while (!is("."));
            expect(".");
        }
        std::vector<Heap> all{Heap{exists, {}}};
        do star(all, part());
        while (accept("*"));
        if (quantified) close(outer);
        return all;
    }

    // Names that were bound inside are no longer known; those that are free in the question stay.
    void close(const std::map<std::string, int>& outer) {
        std::map<std::string, int> now = outer;
        if (names_)
            for (const int free : *names_)
                now.emplace(text_.variables[static_cast<std::size_t>(free)].text, free);
        scope_ = std::move(now);
    }

    // Every binder has a variable of its own, so that nothing is captured.
    void star(std::vector<Heap>& all, const std::vector<Heap>& more) {
        if (all.size() * more.size() > most_heaps) too_large("disjuncts");
        std::vector<Heap> product;
        std::size_t parts = 0;
        for (const Heap& a : all)
            for (const Heap& b : more) {
                Heap& heap = product.emplace_back(a);
                heap.exists.insert(heap.exists.end(), b.exists.begin(), b.exists.end());
                heap.parts.insert(heap.parts.end(), b.parts.begin(), b.parts.end());
                parts += heap.parts.size();
            }
        if (parts > most_parts) too_large("parts");
        all = std::move(product);
    }

    static std::vector<Heap> one(Part part) {
        std::vector<Heap> heaps(1);
        heaps[0].parts.push_back(std::move(part));
        return heaps;
    }

    std::vector<Heap> part() {
        if (accept("(")) {
            std::vector<Heap> inner = disjunction();
            expect(")");
            return inner;
        }
        const bool word = here().kind == Token::Kind::name;
        const auto symbol = [](const Token& token, std::string_view text) {
            return token.kind == Token::Kind::symbol && token.text == text;
        };
        if (is("emp") && !symbol(next(), "=") && !symbol(next(), "!=")) {
            take();
            return {Heap{}};
        }
        if (word && predicate_called(here().text) && symbol(next(), "+") && symbol(next(2), "("))
            return one(call());
        if (word && symbol(next(), "(")) return one(call());
        return one(relation());
    }

    Part call() {
        Part part;
        part.kind = Part::Kind::call;
        part.at = place();
        part.name = take().text;
        if (predicate_called(part.name) && accept("+")) part.name += "+";
        expect("(");
        if (!is(")")) {
            do {
                if (is("\\"))
                    wrong("a term: a body is not understood beside definitions; define it by a name");
                part.values.push_back(value());
            } while (accept(","));
        }
        expect(")");
        return part;
    }

    Part relation() {
        Part part;
        part.at = place();
        Value left = value();
        if (accept("|->")) {
            if (left.bare() < 0) wrong_at(left.at, "expected a name to the left of '|->'");
            part.kind = Part::Kind::cell;
            part.values = {std::move(left)};
            links(part);
            return part;
        }
        static const std::map<std::string_view, Part::Kind> known{
            {"=", Part::Kind::equal},   {"!=", Part::Kind::different}, {"<=", Part::Kind::at_most},
            {"<", Part::Kind::at_most}, {">=", Part::Kind::at_most},   {">", Part::Kind::at_most}};
        const auto found = here().kind == Token::Kind::symbol ? known.find(here().text) : known.end();
        if (found == known.end()) wrong("'=', '!=', '<=', '<', '>=', '>' or '|->'");
        part.kind = found->second;
        const std::string sign = take().text;
        Value right = value();
        if (sign[0] == '>') std::swap(left, right);
        if (sign == "<" || sign == ">") left.sum.constant += 1;
        part.values = {std::move(left), std::move(right)};
        return part;
    }

    void links(Part& part) {
        expect("{");
        if (accept("}")) return;
        do {
            const Place at = place();
            const std::string field = dotted("a field");
            for (const auto& link : part.links)
                if (link.first == field) wrong_at(at, fmt::format("field '{}' is given twice", field));
            expect(":");
            part.links.emplace_back(field, value());
        } while (accept(","));
        expect("}");
    }

    Value value() {
        Value all;
        all.at = place();
        bool minus = accept("-");
        const bool alone = !minus;
        for (int count = 1;; ++count) {
            summand(all, minus ? -1 : 1);
            const bool more = is("+") || is("-");
            if (all.null && (!alone || count > 1 || more))
                wrong_at(all.at, "found NULL in a sum, expected integers");
            if (!more) return all;
            minus = take().text == "-";
        }
    }

    void summand(Value& all, std::int64_t sign) {
        const Place at = place();
        if (here().kind == Token::Kind::number) {
            const Token digits = take();
            if (digits.text.size() > most_digits)
                wrong_at(at, fmt::format("found the number {}, expected at most {} digits", digits.text,
                                         most_digits));
            const std::int64_t number = std::stoll(digits.text);
            if (here().kind == Token::Kind::name && here().glued) {
                const Place name_at = place();
                const std::string factor = dotted("a name");
                if (is_null(factor)) wrong_at(name_at, "found NULL, expected an integer");
                add_term(all.sum, named(factor, name_at), sign * number);
            } else {
                all.sum.constant += sign * number;
            }
            return;
        }
        const std::string text = dotted("a name, NULL or a number");
        if (is_null(text))
            all.null = true;
        else
            add_term(all.sum, named(text, at), sign);
    }

    std::string_view written_;
    Text text_;
    std::map<std::string, int> scope_;
    std::vector<int>* names_ = nullptr; // free names of the question; null: in a definition there are none
    int depth_ = 0;
};

} // namespace

Text parse(std::string_view text) {
    return Reader(text).run();
}

} // namespace ggsnn::logic::statements
