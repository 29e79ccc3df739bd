#include "ggsnn/verify/read/foreign.hpp"

#include "ggsnn/base/error.hpp"

#include <cctype>
#include <optional>

namespace ggsnn::verify {

namespace {

std::string joined_text(const Annotation& annotation) {
    std::string all;
    for (const Annotation::Piece& piece : annotation.pieces) {
        if (!all.empty()) all += ' ';
        for (const char c : piece.text) all += std::isspace(static_cast<unsigned char>(c)) != 0 ? ' ' : c;
    }
    return all;
}

// Words and signs of an assertion.
std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (std::isspace(c) != 0) {
            ++i;
            continue;
        }
        std::size_t end = i + 1;
        if (std::isalnum(c) != 0 || c == '_') {
            while (end < text.size() &&
                   (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
                ++end;
        } else {
            for (const char* sign : {"&&", "||", "==", "!=", "->", "<=", ">="})
                if (text.compare(i, 2, sign) == 0) end = i + 2;
        }
        words.push_back(text.substr(i, end - i));
        i = end;
    }
    return words;
}

bool is_name(const std::string& word) {
    return !word.empty() && (std::isalpha(static_cast<unsigned char>(word[0])) != 0 || word[0] == '_');
}
bool is_number_word(const std::string& word) {
    return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) != 0;
}

// Throws Error that says what was found and what was expected.
class ContractReader {
  public:
    explicit ContractReader(std::vector<std::string> words) : words_(std::move(words)) {}

    bool done() const { return at_ >= words_.size(); }
    const std::string& peek(std::size_t ahead = 0) const {
        static const std::string nothing;
        return at_ + ahead < words_.size() ? words_[at_ + ahead] : nothing;
    }
    bool take(const std::string& word) {
        if (peek() != word) return false;
        ++at_;
        return true;
    }
    void need(const std::string& word) {
        if (!take(word)) fail("found '{}', expected '{}'", peek(), word);
    }
    std::string name() {
        if (!is_name(peek())) fail("found '{}', expected a name", peek());
        return words_[at_++];
    }

    Assertion assertion() {
        Assertion all;
        do {
            for (AssertionCase& one : cases()) all.cases.push_back(std::move(one));
        } while (take("||"));
        return all;
    }

  private:
    bool ends() const {
        const std::string& word = peek();
        return done() || word == "||" || word == ")" || word == "Ensure" || word == "Require" ||
               word == "With";
    }

    // exists names, atom * atom && (cases) ..: parentheses are multiplied out.
    std::vector<AssertionCase> cases() {
        std::vector<AssertionCase> all(1);
        if (take("exists")) {
            while (is_name(peek())) all[0].exists.push_back(name());
            need(",");
        }
        while (!ends()) {
            if (take("emp")) {
            } else if (peek() == "(" && !term_ahead()) {
                need("(");
                const Assertion inner = assertion();
                need(")");
                multiply(all, inner);
            } else {
                const AssertionAtom one = atom();
                for (AssertionCase& c : all) c.atoms.push_back(one);
            }
            if (!take("&&") && !take("*") && !ends()) fail("found '{}', expected && or *", peek());
        }
        return all;
    }

    static void multiply(std::vector<AssertionCase>& all, const Assertion& inner) {
        std::vector<AssertionCase> product;
        for (const AssertionCase& left : all)
            for (const AssertionCase& right : inner.cases) {
                AssertionCase both = left;
                both.exists.insert(both.exists.end(), right.exists.begin(), right.exists.end());
                both.atoms.insert(both.atoms.end(), right.atoms.begin(), right.atoms.end());
                product.push_back(std::move(both));
            }
        if (product.size() > 64) fail("more than 64 cases");
        all = std::move(product);
    }

    // A parenthesis that a term begins with: (*t) -> head == ..
    bool term_ahead() {
        const std::size_t before = at_;
        bool is_term = false;
        try {
            term();
            const std::string& next = peek();
            is_term =
                next == "==" || next == "!=" || next == "<" || next == "<=" || next == ">" || next == ">=";
        } catch (const Error&) {
        }
        at_ = before;
        return is_term;
    }

    AssertionAtom atom() {
        AssertionAtom one;
        if (is_name(peek()) && peek(1) == "(" && peek() != "field_addr") {
            one.kind = AssertionAtom::Kind::predicate;
            one.name = name();
            need("(");
            while (!take(")")) {
                one.args.push_back(term());
                if (peek() != ")") need(",");
            }
            if (one.name != "data_at") return one;
            if (one.args.size() != 2) fail("data_at has {} arguments, expected 2", one.args.size());
            one.kind = AssertionAtom::Kind::cell;
            one.a = one.args[0];
            one.b = one.args[1];
            return one;
        }
        one.a = term();
        const std::string op = peek();
        ++at_;
        one.b = term();
        if (op == "==")
            one.kind = AssertionAtom::Kind::equal;
        else if (op == "!=")
            one.kind = AssertionAtom::Kind::not_equal;
        else if (op == "<" || op == ">")
            one.kind = AssertionAtom::Kind::less;
        else if (op == "<=" || op == ">=")
            one.kind = AssertionAtom::Kind::less_equal;
        else
            fail("found '{}', expected a comparison", op);
        if (op == ">" || op == ">=") std::swap(one.a, one.b);
        return one;
    }

    Term term() {
        Term t = prefix();
        while (take("->")) {
            Term outer{Term::Kind::field, name(), 0, std::make_shared<Term>(t)};
            t = outer;
        }
        return t;
    }

    Term prefix() {
        if (take("*")) return {Term::Kind::deref, "", 0, std::make_shared<Term>(prefix())};
        if (take("&")) {
            Term inner = peek() == "(" ? parenthesis() : term();
            if (inner.kind != Term::Kind::field) fail("& of what is no field");
            inner.kind = Term::Kind::field_address;
            return inner;
        }
        if (peek() == "(") return parenthesis();
        if (take("-")) {
            if (!is_number_word(peek())) fail("found '{}', expected a number", peek());
            return {Term::Kind::number, "", -std::stoll(words_[at_++]), nullptr};
        }
        if (is_number_word(peek())) return {Term::Kind::number, "", std::stoll(words_[at_++]), nullptr};
        if (take("field_addr")) {
            need("(");
            const Term base = term();
            need(",");
            const std::string field = name();
            need(")");
            return {Term::Kind::field_address, field, 0, std::make_shared<Term>(base)};
        }
        return {Term::Kind::name, name(), 0, nullptr};
    }

    Term parenthesis() {
        need("(");
        const Term inner = term();
        need(")");
        return inner;
    }

    std::vector<std::string> words_;
    std::size_t at_ = 0;
};

} // namespace

std::optional<WrittenContract> prototype_before(const Scan& scan, std::size_t following) {
    if (following == 0 || scan.words[following - 1].text != ")") return {};
    std::size_t open = following - 1;
    int depth = 0;
    for (;; --open) {
        if (scan.words[open].text == ")") ++depth;
        if (scan.words[open].text == "(" && --depth == 0) break;
        if (open == 0) return {};
    }
    if (open == 0 || scan.words[open - 1].kind != Word::Kind::name) return {};
    WrittenContract contract;
    contract.function = scan.words[open - 1].text;
    for (std::size_t w = open - 1; w-- > 0 && scan.words[w].text == "*";) ++contract.result_stars;
    std::string last;
    int stars = 0;
    for (std::size_t w = open + 1; w < following; ++w) {
        const std::string_view text = scan.words[w].text;
        if (text == "(" || text == "[") return {}; // functions and arrays as parameters
        if (text == "*") ++stars;
        if (scan.words[w].kind == Word::Kind::name) last = text;
        if (text != "," && w + 1 < following) continue;
        if (last.empty() || (last == "void" && stars == 0)) continue;
        contract.parameters.push_back(last);
        contract.stars.push_back(stars);
        last.clear();
        stars = 0;
    }
    contract.line = scan.words[open - 1].place.line;
    return contract;
}

bool is_written_contract(const Annotation& annotation) {
    const std::vector<std::string> words = words_of(joined_text(annotation));
    return !words.empty() && (words[0] == "Let" || words[0] == "With" || words[0] == "Require");
}

void read_written_contract(const Scan& scan, const Annotation& annotation, Program& program) {
    const std::string text = joined_text(annotation);
    const int line = annotation.pieces.front().place.line;
    try {
        ContractReader reader(words_of(text));
        if (reader.take("Let")) {
            Definition definition;
            definition.name = reader.name();
            reader.need("(");
            while (!reader.take(")")) {
                definition.parameters.push_back(reader.name());
                if (reader.peek() != ")") reader.need(",");
            }
            reader.need("=");
            definition.body = reader.assertion();
            if (!reader.done()) fail("found '{}', expected its end", reader.peek());
            program.definitions.push_back(std::move(definition));
            return;
        }
        auto contract = prototype_before(scan, annotation.following);
        if (!contract) fail("no function with plain parameters stands before it");
        if (reader.take("With"))
            while (reader.peek() != "Require") contract->with.push_back(reader.name());
        reader.need("Require");
        contract->requires_ = reader.assertion();
        reader.need("Ensure");
        contract->ensures = reader.assertion();
        if (!reader.done()) fail("found '{}', expected its end", reader.peek());
        contract->text = text;
        program.contracts.push_back(std::move(*contract));
    } catch (const std::exception& error) {
        program.notes.push_back(
            fmt::format("line {}: a contract that is not understood: {}", line, error.what()));
    }
}

} // namespace ggsnn::verify
