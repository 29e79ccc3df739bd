#include "induct_draw.hpp"

namespace ggsnn::logic {

namespace {

std::string name_of(TermId term) {
    return term == null_term ? "(as nil R)" : fmt::format("t{}", term);
}

bool is_one_of(const std::vector<TermId>& terms, TermId term) {
    return std::find(terms.begin(), terms.end(), term) != terms.end();
}

std::string linear_of(const Linear& condition) {
    const auto integer = [](std::int64_t n) { return n < 0 ? fmt::format("(- {})", -n) : std::to_string(n); };
    std::string sum = "(+ 0 " + integer(condition.constant);
    for (const auto& [term, coefficient] : condition.terms)
        sum += fmt::format(" (* {} {})", integer(coefficient), name_of(term));
    const char* words[] = {"=", "distinct", "<="};
    return fmt::format("({} {}) 0)", words[static_cast<std::size_t>(condition.relation)], sum);
}

// `first` is the first term of the clause that is local.
std::string clause_of(const Clause& clause, TermId first) {
    std::string pure = "true", atoms = "(_ emp R T)", bound;
    for (const auto& [a, b] : clause.equal) pure += fmt::format(" (= {} {})", name_of(a), name_of(b));
    for (const auto& [a, b] : clause.distinct)
        pure += fmt::format(" (distinct {} {})", name_of(a), name_of(b));
    for (const Linear& condition : clause.linear) pure += " " + linear_of(condition);
    for (const CellAtom& cell : clause.cells)
        atoms += fmt::format(" (pto {} (c {}))", name_of(cell.root), name_of(cell.links[0].value));
    for (const Call& call : clause.calls) {
        atoms += fmt::format(" (P{}", call.definition);
        for (const TermId argument : call.arguments) atoms += " " + name_of(argument);
        atoms += ")";
    }
    for (TermId t = first; t < clause.terms; ++t)
        bound += fmt::format("({} {})", name_of(t), is_one_of(clause.numbers, t) ? "Int" : "R");
    const std::string body = fmt::format("(and {} (sep {}))", pure, atoms);
    return bound.empty() ? body : fmt::format("(exists ({}) {})", bound, body);
}

} // namespace

std::string smt_text(const Problem& problem) {
    std::string text = "(declare-sort R 0)(declare-datatypes ((T 0)) (((c (next R)))))(declare-heap (R T))\n";
    std::string heads, bodies;
    for (std::size_t d = 0; d < problem.written.size(); ++d) {
        const Definition& definition = problem.written[d];
        heads += fmt::format("(P{} (", d);
        for (TermId p = 1; p <= definition.parameters; ++p)
            heads += fmt::format("({} {})", name_of(p), is_one_of(definition.numbers, p) ? "Int" : "R");
        heads += ") Bool)";
        std::string rules;
        for (const Clause& rule : definition.rules) rules += " " + clause_of(rule, definition.parameters + 1);
        bodies += "(or" + rules + ")\n";
    }
    text += "(define-funs-rec (" + heads + ") (" + bodies + "))\n";
    for (std::size_t n = 1; n < problem.names.size(); ++n)
        text += fmt::format("(declare-const {} {})", name_of(static_cast<TermId>(n)),
                            problem.sorts[n] == number_sort ? "Int" : "R");
    const auto names = static_cast<TermId>(problem.names.size());
    return text + "\n(assert " + clause_of(problem.left.at(0), names) + ")\n(assert (not " +
           clause_of(problem.right.at(0), names) + "))\n(check-sat)\n";
}

} // namespace ggsnn::logic
