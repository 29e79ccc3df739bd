#include "ggsnn/checker/clause.hpp"

#include <algorithm>

namespace ggsnn::checker {

Linear renamed(const Linear& condition, const Names& names) {
    Linear result = condition;
    result.sum.clear();
    for (const auto& [term, coefficient] : condition.sum) result.sum[named(names, term)] += coefficient;
    return result;
}

Clause renamed(const Clause& clause, const Names& names) {
    Clause result = clause;
    for (Cell& cell : result.cells) {
        cell.root = named(names, cell.root);
        for (auto& [field, value] : cell.fields) value = named(names, value);
    }
    for (Call& call : result.calls)
        for (Term& argument : call.arguments) argument = named(names, argument);
    for (auto* pairs : {&result.equal, &result.distinct})
        for (auto& [a, b] : *pairs) a = named(names, a), b = named(names, b);
    for (Linear& condition : result.linear) condition = renamed(condition, names);
    return result;
}

std::set<Term> terms_of(const Clause& clause) {
    std::set<Term> terms;
    for (const Cell& cell : clause.cells) {
        terms.insert(cell.root);
        for (const auto& [field, value] : cell.fields) terms.insert(value);
    }
    for (const Call& call : clause.calls) terms.insert(call.arguments.begin(), call.arguments.end());
    for (const auto* pairs : {&clause.equal, &clause.distinct})
        for (const auto& [a, b] : *pairs) terms.insert({a, b});
    for (const Linear& condition : clause.linear)
        for (const auto& [term, coefficient] : condition.sum) terms.insert(term);
    return terms;
}

void append(Clause& into, const Clause& part) {
    into.cells.insert(into.cells.end(), part.cells.begin(), part.cells.end());
    into.calls.insert(into.calls.end(), part.calls.begin(), part.calls.end());
    into.equal.insert(into.equal.end(), part.equal.begin(), part.equal.end());
    into.distinct.insert(into.distinct.end(), part.distinct.begin(), part.distinct.end());
    into.linear.insert(into.linear.end(), part.linear.begin(), part.linear.end());
}

namespace {

// `first` is the number of the first local of the clause.
void put_in_place(Clause& clause, int first, const Problem& problem, const std::set<std::string>& plain) {
    for (std::size_t c = 0; c < clause.calls.size();) {
        const Call call = clause.calls[c];
        if (!plain.contains(call.definition)) {
            ++c;
            continue;
        }
        const Definition& definition = problem.definitions.at(call.definition);
        const Clause& body = definition.rules[0];
        if (clause.calls.size() > 1000) throw Rejected("a definition put in place leads back to itself");
        clause.calls.erase(clause.calls.begin() + static_cast<std::ptrdiff_t>(c));
        Names names;
        for (int p = 1; p <= definition.parameters; ++p)
            names["$" + std::to_string(p)] = call.arguments[static_cast<std::size_t>(p - 1)];
        for (int l = 0; l < body.locals; ++l)
            names["$" + std::to_string(definition.parameters + 1 + l)] =
                "$" + std::to_string(first + clause.locals + l);
        clause.locals += body.locals;
        append(clause, renamed(body, names));
    }
}

// Following calls from the bodies of plain definitions, no plain one is met twice on a path.
void require_no_way_back(const Problem& problem, const std::string& name, std::set<std::string> path) {
    if (!path.insert(name).second) throw Rejected("definition " + name + " leads back to itself");
    for (const Clause& rule : problem.definitions.at(name).rules)
        for (const Call& call : rule.calls)
            if (problem.definitions.at(call.definition).rules.size() == 1)
                require_no_way_back(problem, call.definition, path);
}

} // namespace

void put_in_place(Problem& problem, const std::vector<std::string>& names) {
    const std::set<std::string> plain(names.begin(), names.end());
    for (const std::string& name : plain) {
        const auto found = problem.definitions.find(name);
        if (found == problem.definitions.end() || found->second.rules.size() != 1)
            throw Rejected("definition " + name + " cannot be put in place: it has not one rule");
        require_no_way_back(problem, name, {});
    }
    const Problem before = problem;
    for (auto& [name, definition] : problem.definitions)
        for (Clause& rule : definition.rules) put_in_place(rule, definition.parameters + 1, before, plain);
    for (auto* side : {&problem.left, &problem.right})
        for (Clause& clause : *side) put_in_place(clause, 1, before, plain);
}

} // namespace ggsnn::checker
