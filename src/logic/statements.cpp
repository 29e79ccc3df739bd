// Sorts of names, and from what was read to problems; see statements.hpp.
#include "ggsnn/logic/statements.hpp"

#include "ggsnn/logic/formula_tokens.hpp"
#include "ggsnn/logic/induct/induct.hpp"
#include "ggsnn/logic/statements_parts.hpp"

#include <algorithm>
#include <numeric>

namespace ggsnn::logic {

namespace {

using statements::Heap;
using statements::Part;
using statements::Place;
using statements::Text;
using statements::Value;

// Variables and fields that must be of one sort are in one class.
class Sorts {
  public:
    explicit Sorts(const Text& text) : text_(text), parent_(text.variables.size()), sort_(parent_.size()) {
        std::iota(parent_.begin(), parent_.end(), 0);
        for (std::size_t i = 0; i < text.definitions.size(); ++i) definitions_[text.definitions[i].name] = i;
        for (const std::string& field : built_in_fields())
            if (field != "val") demand(slot(field), Sort::location, {}, field);
        for (const statements::WrittenDefinition& one : text.definitions) look(one.body);
        for (const statements::WrittenQuestion& one : text.questions) {
            look(one.left);
            look(one.right);
        }
    }

    bool is_number(int variable) { return sort_[find(variable)] == Sort::number; }
    bool is_number_field(const std::string& field) {
        const auto found = fields_.find(field);
        return found != fields_.end() && is_number(found->second);
    }

  private:
    enum class Sort : char { open, location, number };

    std::size_t find(int variable) {
        std::size_t at = static_cast<std::size_t>(variable);
        while (parent_[at] != static_cast<int>(at)) {
            parent_[at] = parent_[static_cast<std::size_t>(parent_[at])];
            at = static_cast<std::size_t>(parent_[at]);
        }
        return at;
    }

    int slot(const std::string& field) {
        const auto [at, fresh] = fields_.emplace(field, static_cast<int>(parent_.size()));
        if (fresh) {
            parent_.push_back(at->second);
            sort_.push_back(Sort::open);
        }
        return at->second;
    }

    [[noreturn]] static void clash(Place at, const std::string& what) {
        throw SyntaxError(
            at.line, at.column,
            fmt::format("found {} used as a location and as an integer, expected one of them", what));
    }

    void demand(int variable, Sort sort, Place at, const std::string& what) {
        Sort& known = sort_[find(variable)];
        if (known != Sort::open && known != sort) clash(at, what);
        known = sort;
    }

    void join(int a, int b, Place at, const std::string& what) {
        const std::size_t first = find(a), second = find(b);
        if (first == second) return;
        const Sort sort = sort_[first];
        parent_[first] = static_cast<int>(second);
        if (sort != Sort::open) demand(b, sort, at, what);
    }

    std::string shown(const Value& value) const {
        if (value.null) return null_name;
        const int bare = value.bare();
        return bare < 0 ? "a sum" : fmt::format("'{}'", text_.variables[static_cast<std::size_t>(bare)].text);
    }

    void demand(const Value& value, Sort sort) {
        if (value.null || value.bare() < 0) {
            if ((sort == Sort::location) != value.null) clash(value.at, shown(value));
        }
        for (const auto& [variable, factor] : value.sum.terms)
            demand(variable, value.bare() < 0 ? Sort::number : sort, value.at, shown(value));
    }

    // The value stands in the place of something of that class.
    void agree(const Value& value, int other) {
        if (value.bare() >= 0)
            join(value.bare(), other, value.at, shown(value));
        else {
            demand(value, value.null ? Sort::location : Sort::number);
            demand(other, value.null ? Sort::location : Sort::number, value.at, shown(value));
        }
    }

    void look(const std::vector<Heap>& heaps) {
        for (const Heap& heap : heaps)
            for (const Part& part : heap.parts) look(part);
    }

    void look(const Part& part) {
        const auto& values = part.values;
        switch (part.kind) {
        case Part::Kind::at_most:
            for (const Value& value : values) demand(value, Sort::number);
            return;
        case Part::Kind::equal:
        case Part::Kind::different: {
            const bool first = values[0].bare() >= 0;
            if (first || values[1].bare() >= 0)
                return agree(values[first ? 1 : 0], values[first ? 0 : 1].bare());
            for (const Value& value : values) demand(value, values[0].null ? Sort::location : Sort::number);
            return;
        }
        case Part::Kind::cell:
            demand(values[0], Sort::location);
            for (const auto& [field, value] : part.links) agree(value, slot(field));
            return;
        case Part::Kind::call:
            return look_at_call(part);
        }
    }

    void look_at_call(const Part& part) {
        const auto found = definitions_.find(part.name);
        const std::string word =
            part.name.ends_with('+') ? part.name.substr(0, part.name.size() - 1) : part.name;
        const Predicate* built_in = predicate_called(word);
        if (found == definitions_.end() && !built_in)
            throw SyntaxError(part.at.line, part.at.column,
                              fmt::format("found '{}', expected a predicate or a definition", part.name));
        const std::size_t expected =
            built_in ? built_in->parameters.size() : text_.definitions[found->second].parameters.size();
        if (part.values.size() != expected)
            throw SyntaxError(part.at.line, part.at.column,
                              fmt::format("found {} with {} arguments, expected {}", part.name,
                                          part.values.size(), expected));
        for (std::size_t i = 0; i < expected; ++i) {
            if (built_in)
                demand(part.values[i], Sort::location);
            else
                agree(part.values[i], text_.definitions[found->second].parameters[i]);
        }
    }

    const Text& text_;
    std::vector<int> parent_;
    std::vector<Sort> sort_;
    std::map<std::string, int> fields_;
    std::map<std::string, std::size_t> definitions_;
};

// The problem of one question, with all definitions of the text.
class Builder {
  public:
    Builder(const Text& text, Sorts& sorts, Budget* budget) : text_(text), sorts_(sorts), budget_(budget) {
        for (const auto& one : text.definitions) declare(one.name, one.parameters.size());
        for (std::size_t i = 0; i < text.definitions.size(); ++i) define(i);
    }

    Problem question(const statements::WrittenQuestion& one) {
        Problem saved = problem_; // definitions of built-in predicates may come on the way
        std::map<int, TermId> scope;
        for (const int name : one.names) {
            scope[name] = static_cast<TermId>(problem_.names.size());
            problem_.names.push_back(text_.variables[static_cast<std::size_t>(name)].text);
            problem_.sorts.push_back(sorts_.is_number(name) ? number_sort : 0);
        }
        const int terms = static_cast<int>(problem_.names.size());
        for (const Heap& heap : one.left) problem_.left.push_back(clause(heap, scope, terms));
        for (const Heap& heap : one.right) problem_.right.push_back(clause(heap, scope, terms));
        std::swap(problem_, saved);
        finish(saved);
        return saved;
    }

  private:
    int declare(const std::string& name, std::size_t parameters) {
        const int number = static_cast<int>(problem_.definitions.size());
        Definition& made = problem_.definitions.emplace_back();
        made.name = name;
        made.parameters = static_cast<int>(parameters);
        return number;
    }

    void define(std::size_t i) {
        const statements::WrittenDefinition& one = text_.definitions[i];
        std::map<int, TermId> scope;
        std::vector<TermId> numbers;
        for (std::size_t p = 0; p < one.parameters.size(); ++p) {
            scope[one.parameters[p]] = static_cast<TermId>(p) + 1;
            if (sorts_.is_number(one.parameters[p])) numbers.push_back(static_cast<TermId>(p) + 1);
        }
        std::vector<Clause> rules;
        for (const Heap& heap : one.body)
            rules.push_back(clause(heap, scope, static_cast<int>(one.parameters.size()) + 1));
        problem_.definitions[i].rules = std::move(rules);
        problem_.definitions[i].numbers = std::move(numbers);
    }

    Clause clause(const Heap& heap, std::map<int, TermId> scope, int terms) {
        Clause made;
        made.terms = terms;
        for (const int variable : heap.exists) {
            scope[variable] = made.fresh();
            if (sorts_.is_number(variable)) made.numbers.push_back(scope[variable]);
        }
        for (const Part& part : heap.parts) add(part, scope, made);
        if (budget_) budget_->require(1 + heap.parts.size(), bytes(made));
        return made;
    }

    static Linear sum(const Value& value, const std::map<int, TermId>& scope) {
        Linear made;
        made.constant = value.sum.constant;
        for (const auto& [variable, factor] : value.sum.terms) add_term(made, scope.at(variable), factor);
        return made;
    }

    // In the place of an argument or a field: a sum that is not a name becomes a local.
    static TermId term(const Value& value, const std::map<int, TermId>& scope, Clause& into) {
        if (value.null) return null_term;
        if (value.bare() >= 0) return scope.at(value.bare());
        Linear equation = sum(value, scope);
        const TermId local = into.fresh();
        into.numbers.push_back(local);
        add_term(equation, local, -1);
        into.linear.push_back(std::move(equation));
        return local;
    }

    bool numeric(const Value& value) {
        return !value.null && (value.bare() < 0 || sorts_.is_number(value.bare()));
    }

    void add(const Part& part, const std::map<int, TermId>& scope, Clause& into) {
        const auto& values = part.values;
        if (part.kind == Part::Kind::cell) {
            CellAtom cell{scope.at(values[0].bare()), {}};
            for (const auto& [field, value] : part.links)
                cell.links.push_back({numbered(field), term(value, scope, into)});
            into.cells.push_back(std::move(cell));
        } else if (part.kind == Part::Kind::call) {
            Call call{definition(part.name), {}};
            for (const Value& value : values) call.arguments.push_back(term(value, scope, into));
            into.calls.push_back(std::move(call));
        } else if (numeric(values[0])) {
            Linear condition = sum(values[0], scope);
            logic::add(condition, sum(values[1], scope), -1);
            condition.relation = part.kind == Part::Kind::equal       ? Linear::Relation::zero
                                 : part.kind == Part::Kind::different ? Linear::Relation::nonzero
                                                                      : Linear::Relation::at_most_zero;
            into.linear.push_back(std::move(condition));
        } else {
            (part.kind == Part::Kind::equal ? into.equal : into.distinct)
                .emplace_back(term(values[0], scope, into), term(values[1], scope, into));
        }
    }

    int numbered(const std::string& field) {
        const int number = problem_.field(field);
        problem_.number_fields.resize(problem_.fields.size(), 0);
        problem_.number_fields[static_cast<std::size_t>(number)] = sorts_.is_number_field(field);
        return number;
    }

    int definition(const std::string& name) {
        const auto found = std::find_if(problem_.definitions.begin(), problem_.definitions.end(),
                                        [&](const Definition& one) { return one.name == name; });
        if (found != problem_.definitions.end())
            return static_cast<int>(found - problem_.definitions.begin());
        const bool strict = name.ends_with('+');
        const Predicate* predicate = predicate_called(strict ? name.substr(0, name.size() - 1) : name);
        GGSNN_ASSERT(predicate);
        const Meaning& meant = meaning(predicate->kind);
        const int made = declare(name, predicate->parameters.size());
        for (Clause rule : strict ? meant.strict : meant.definition.rules) {
            for (CellAtom& cell : rule.cells)
                for (Link& link : cell.links)
                    link.field = numbered(built_in_fields()[static_cast<std::size_t>(link.field)]);
            for (Call& call : rule.calls)
                call.definition =
                    definition(std::string(predicates()[static_cast<std::size_t>(call.definition)].word));
            problem_.definitions[static_cast<std::size_t>(made)].rules.push_back(std::move(rule));
        }
        return made;
    }

    void finish(Problem& problem) const {
        problem.number_fields.resize(problem.fields.size(), 0);
        problem.written = problem.definitions;
        if (has_numbers(problem)) problem.beyond_lists = "data of sort Int";
        if (problem.beyond_lists.empty()) problem.beyond_lists = analyse(problem.definitions, budget_);
    }

    const Text& text_;
    Sorts& sorts_;
    Budget* budget_;
    Problem problem_;
};

std::string word_for(Validity verdict, bool entailment) {
    if (verdict == Validity::unknown) return "unknown";
    const bool valid = verdict == Validity::valid;
    return entailment ? (valid ? "valid" : "invalid") : (valid ? "unsatisfiable" : "satisfiable");
}

TextAnswer answer_formula(std::string_view text, bool entailment, const ProverLimits& limits,
                          ProofTree* tree) {
    TextAnswer result;
    result.text = text;
    result.entailment = entailment;
    const Entailment read = entailment ? parse_entailment(text, Reading::program)
                                       : Entailment{parse_formula(text, Reading::program), Formula{}};
    try {
        Budget budget(limits);
        Problem problem = compile(read.left, read.right, &budget);
        problem.written = problem.definitions;
        ProverLimits rest = limits;
        rest.spent = budget.elapsed();
        result.answer = decide(problem, rest, tree);
        result.seconds = budget.elapsed() - rest.spent;
    } catch (const OutOfBudget& out) {
        result.answer.reason = out.reason;
    }
    result.word = word_for(result.answer.verdict, entailment);
    return result;
}

// What tells the notations apart.
struct Signs {
    bool statements = false, entailment = false;
};

Signs signs_of(std::string_view text) {
    Signs found;
    found.statements = text.find("//") != text.npos;
    for (Tokens tokens(text, Extra::numbers); !tokens.ended();) {
        const Token token = tokens.take();
        if (token.kind == Token::Kind::number) found.statements = true;
        if (token.kind == Token::Kind::name) {
            found.statements |= token.text == "define" && tokens.here().kind == Token::Kind::name;
            if (predicate_called(token.text) && tokens.is("+") && tokens.next().text == "(") tokens.take();
        }
        if (token.kind != Token::Kind::symbol) continue;
        static const std::set<std::string_view> own{"<", "<=", ">", ">=", "+", "-", ";", ":="};
        found.statements |= own.contains(token.text);
        found.entailment |= token.text == "|-";
    }
    return found;
}

} // namespace

std::vector<Question> read_statements(std::string_view text, Budget* budget) {
    const Text read = statements::parse(text);
    Sorts sorts(read);
    Builder builder(read, sorts, budget);
    std::vector<Question> questions;
    for (const statements::WrittenQuestion& one : read.questions)
        questions.push_back({one.at.line, one.text, one.entailment, builder.question(one)});
    return questions;
}

bool has_statements(std::string_view text) {
    return signs_of(text).statements;
}

std::vector<TextAnswer> answer_text(std::string_view text, const ProverLimits& limits, ProofTree* tree) {
    const Signs signs = signs_of(text);
    if (!signs.statements) return {answer_formula(text, signs.entailment, limits, tree)};
    std::vector<TextAnswer> answers;
    try {
        Budget budget(limits);
        for (const Question& question : read_statements(text, &budget)) {
            TextAnswer& one = answers.emplace_back();
            one.line = question.line;
            one.text = question.text;
            one.entailment = question.entailment;
            const double begin = budget.elapsed();
            one.answer = decide(question.problem, limits);
            one.seconds = budget.elapsed() - begin;
            one.word = word_for(one.answer.verdict, question.entailment);
        }
    } catch (const OutOfBudget& out) { // while it was read
        TextAnswer& one = answers.emplace_back();
        one.text = text;
        one.answer.reason = out.reason;
        one.word = word_for(Validity::unknown, true);
    }
    return answers;
}

} // namespace ggsnn::logic
