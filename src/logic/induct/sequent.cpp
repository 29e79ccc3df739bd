#include "ggsnn/logic/induct/sequent.hpp"

#include <algorithm>
#include <map>

namespace ggsnn::logic::induct {

namespace {

// Applies a change to every place where a term stands.
template <typename Change>
void change_terms(Clause& clause, const Change& change) {
    for (auto& [a, b] : clause.equal) change(a), change(b);
    for (auto& [a, b] : clause.distinct) change(a), change(b);
    for (CellAtom& cell : clause.cells) {
        change(cell.root);
        for (Link& link : cell.links) change(link.value);
    }
    for (Call& call : clause.calls)
        for (TermId& argument : call.arguments) change(argument);
}

void sort_pairs(std::vector<std::pair<TermId, TermId>>& pairs) {
    for (auto& [a, b] : pairs)
        if (b < a) std::swap(a, b);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

template <typename Name>
std::string linear_text(const Linear& condition, const Name& name) {
    std::string result;
    for (const auto& [term, coefficient] : condition.terms)
        result += fmt::format("{}{}{}",
                              coefficient < 0  ? "-"
                              : result.empty() ? ""
                                               : "+",
                              std::abs(coefficient) == 1 ? "" : fmt::format("{}*", std::abs(coefficient)),
                              name(term));
    const char* words[] = {"=", "!=", "<="};
    return fmt::format("{} {} {}", result.empty() ? "0" : result,
                       words[static_cast<std::size_t>(condition.relation)], -condition.constant);
}

template <typename Name>
std::string clause_text(const Clause& clause, const Problem* problem, const Name& name) {
    std::string result;
    const auto part = [&](const std::string& one) { result += (result.empty() ? "" : " * ") + one; };
    for (const CellAtom& cell : clause.cells) {
        std::string links;
        for (const Link& link : cell.links)
            links += fmt::format("{}{}: {}", links.empty() ? "" : ", ",
                                 problem ? problem->fields[static_cast<std::size_t>(link.field)]
                                         : std::to_string(link.field),
                                 name(link.value));
        part(fmt::format("{} |-> {{{}}}", name(cell.root), links));
    }
    for (const Call& call : clause.calls) {
        std::string arguments;
        for (const TermId term : call.arguments) arguments += (arguments.empty() ? "" : ", ") + name(term);
        part(fmt::format("{}({})",
                         problem ? problem->written[static_cast<std::size_t>(call.definition)].name
                                 : "#" + std::to_string(call.definition),
                         arguments));
    }
    for (const auto& [a, b] : clause.equal) part(fmt::format("{} = {}", name(a), name(b)));
    for (const auto& [a, b] : clause.distinct) part(fmt::format("{} != {}", name(a), name(b)));
    for (const Linear& condition : clause.linear) part(linear_text(condition, name));
    return result.empty() ? "emp" : result;
}

} // namespace

bool is_existential(const Sequent& sequent, TermId term) {
    return std::binary_search(sequent.exists.begin(), sequent.exists.end(), term);
}

bool is_existential(const Sequent& sequent, const Linear& condition) {
    return std::any_of(condition.terms.begin(), condition.terms.end(),
                       [&](const auto& pair) { return is_existential(sequent, pair.first); });
}

void rename(Clause& clause, TermId from, TermId to) {
    change_terms(clause, [&](TermId& term) { term = term == from ? to : term; });
    for (Linear& condition : clause.linear) rename(condition, from, to);
}

void rename(Sequent& sequent, TermId from, TermId to) {
    rename(sequent.left, from, to);
    rename(sequent.right, from, to);
    std::erase(sequent.exists, from);
}

bool in_atoms(const Clause& clause, TermId term) {
    for (const CellAtom& cell : clause.cells) {
        if (cell.root == term) return true;
        for (const Link& link : cell.links)
            if (link.value == term) return true;
    }
    for (const Call& call : clause.calls)
        if (std::find(call.arguments.begin(), call.arguments.end(), term) != call.arguments.end())
            return true;
    return false;
}

bool occurs(const Clause& clause, TermId term) {
    if (in_atoms(clause, term)) return true;
    for (const auto& pairs : {&clause.equal, &clause.distinct})
        for (const auto& [a, b] : *pairs)
            if (a == term || b == term) return true;
    return std::any_of(clause.linear.begin(), clause.linear.end(),
                       [&](const Linear& condition) { return coefficient_of(condition, term) != 0; });
}

Clause instance(const Clause& rule, const std::vector<TermId>& arguments, Terms& terms,
                std::vector<TermId>* locals) {
    const auto parameters = static_cast<TermId>(arguments.size());
    std::vector<TermId> names{null_term};
    names.insert(names.end(), arguments.begin(), arguments.end());
    for (TermId term = parameters + 1; term < rule.terms; ++term) {
        const bool number = std::find(rule.numbers.begin(), rule.numbers.end(), term) != rule.numbers.end();
        names.push_back(terms.fresh(number));
        if (locals) locals->push_back(names.back());
    }
    Clause result = rule;
    result.numbers.clear();
    change_terms(result, [&](TermId& term) { term = names[static_cast<std::size_t>(term)]; });
    for (Linear& condition : result.linear) {
        Linear moved;
        moved.constant = condition.constant;
        moved.relation = condition.relation;
        for (const auto& [term, coefficient] : condition.terms)
            add_term(moved, names[static_cast<std::size_t>(term)], coefficient);
        condition = std::move(moved);
    }
    return result;
}

void append(Clause& into, const Clause& part) {
    into.equal.insert(into.equal.end(), part.equal.begin(), part.equal.end());
    into.distinct.insert(into.distinct.end(), part.distinct.begin(), part.distinct.end());
    into.cells.insert(into.cells.end(), part.cells.begin(), part.cells.end());
    into.calls.insert(into.calls.end(), part.calls.begin(), part.calls.end());
    into.linear.insert(into.linear.end(), part.linear.begin(), part.linear.end());
}

void tidy(Clause& clause) {
    std::erase_if(clause.equal, [](const auto& pair) { return pair.first == pair.second; });
    sort_pairs(clause.equal);
    sort_pairs(clause.distinct);
    for (Linear& condition : clause.linear) normalize(condition);
    std::erase_if(clause.linear, [](const Linear& condition) { return known(condition) == Known::yes; });
    std::sort(clause.linear.begin(), clause.linear.end());
    clause.linear.erase(std::unique(clause.linear.begin(), clause.linear.end()), clause.linear.end());
    // Of s + c <= 0 with the same s, the greatest c says all; sorted, it comes last.
    Linear last;
    for (std::size_t i = clause.linear.size(); i-- > 0;) {
        const Linear& condition = clause.linear[i];
        if (condition.relation != Linear::Relation::at_most_zero) continue;
        if (!last.terms.empty() && last.terms == condition.terms)
            clause.linear.erase(clause.linear.begin() + static_cast<std::ptrdiff_t>(i));
        else
            last = condition;
    }
}

std::string text(const Sequent& sequent, const Problem& problem) {
    const auto name = [&](TermId term) -> std::string {
        const auto at = static_cast<std::size_t>(term);
        return at < problem.names.size() ? problem.names[at] : fmt::format("_{}", term);
    };
    std::string bound;
    for (const TermId term : sequent.exists) bound += (bound.empty() ? "exists " : ", ") + name(term);
    return fmt::format("{} |- {}{}{}", clause_text(sequent.left, &problem, name), bound,
                       bound.empty() ? "" : " . ", clause_text(sequent.right, &problem, name));
}

std::string shape_of(const Sequent& sequent) {
    std::map<TermId, std::string> names;
    const auto name = [&](TermId term) -> std::string {
        if (term == null_term) return "0";
        const auto [at, fresh] = names.emplace(term, "");
        if (fresh) at->second = fmt::format("{}{}", is_existential(sequent, term) ? "e" : "v", names.size());
        return at->second;
    };
    // The left side first, so that its order of atoms names the terms.
    std::string result = clause_text(sequent.left, nullptr, name);
    return result + " |- " + clause_text(sequent.right, nullptr, name);
}

} // namespace ggsnn::logic::induct
