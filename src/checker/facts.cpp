#include "ggsnn/checker/facts.hpp"

namespace ggsnn::checker {

namespace {

constexpr unsigned units_allowed = 20'000'000; // of Z3's work, a question

z3::expr all_of(z3::context& context, const std::vector<z3::expr>& parts) {
    z3::expr_vector all(context);
    for (const z3::expr& part : parts) all.push_back(part);
    return z3::mk_and(all);
}

// Gives back what was added, also where Z3 throws.
struct Level {
    explicit Level(z3::solver& s) : solver(s) { solver.push(); }
    Level(z3::solver& s, const std::vector<z3::expr>& facts) : Level(s) {
        for (const z3::expr& fact : facts) solver.add(fact);
    }
    ~Level() { Z3_solver_pop(solver.ctx(), solver, 1); }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    z3::solver& solver;
};

} // namespace

Facts::Facts(const Problem& problem, std::map<std::string, Summary> summaries)
    : problem_(problem), summaries_(std::move(summaries)) {
    z3::params limits(context_);
    limits.set("rlimit", units_allowed);
    solver_.set(limits);
}

z3::expr Facts::truth_value() {
    return context_.bool_const(("cell " + std::to_string(next_++)).c_str());
}

z3::expr Facts::term(const Term& term) {
    return term == nil ? context_.int_val(0) : context_.int_const(("t " + term).c_str());
}

z3::expr Facts::sum(const Linear& value) {
    z3::expr result = context_.int_val(value.constant);
    for (const auto& [name, coefficient] : value.sum)
        result = result + context_.int_val(coefficient) * term(name);
    return result;
}

z3::expr Facts::holds(const Linear& condition) {
    const z3::expr value = sum(condition);
    return condition.relation == '=' ? value == 0 : condition.relation == '#' ? value != 0 : value <= 0;
}

std::vector<z3::expr> Facts::pure(const Clause& clause) {
    std::vector<z3::expr> result;
    for (const auto& [a, b] : clause.equal) result.push_back(term(a) == term(b));
    for (const auto& [a, b] : clause.distinct) result.push_back(term(a) != term(b));
    for (const Linear& condition : clause.linear) result.push_back(holds(condition));
    return result;
}

void Facts::know_call(const Call& call, const Term& size_name, Known& known, std::vector<int>& owner,
                      int atom) {
    const Summary& summary = summaries_.at(call.definition);
    const z3::expr size = term(size_name);
    known.call_sizes.push_back(size);
    known.size = known.size + size;
    known.facts.push_back(size >= 0);
    Names names{{"$0", size_name}};
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
        names["$" + std::to_string(i + 1)] = call.arguments[i];
    for (const Linear& one : summary.empty)
        known.facts.push_back(z3::implies(size == 0, holds(renamed(one, names))));
    for (const Linear& one : summary.nonempty)
        known.facts.push_back(z3::implies(size >= 1, holds(renamed(one, names))));
    std::map<Term, z3::expr> has_cell; // by parameter
    z3::expr some = truth(false);
    for (const Summary::Case& one : summary.cases) {
        std::vector<z3::expr> said{one.cells ? size >= 1 : size == 0};
        for (const auto& [a, b] : one.equal) said.push_back(term(named(names, a)) == term(named(names, b)));
        for (const auto& [a, b] : one.distinct)
            said.push_back(term(named(names, a)) != term(named(names, b)));
        for (const Term& parameter : one.allocated) {
            if (!has_cell.contains(parameter)) has_cell.emplace(parameter, truth_value());
            said.push_back(has_cell.at(parameter));
        }
        some = some || all_of(context_, said);
    }
    known.facts.push_back(some);
    for (const auto& [parameter, when] : has_cell) {
        known.allocated.emplace_back(term(named(names, parameter)), when);
        owner.push_back(atom);
    }
}

Known Facts::known(const Clause& clause, const std::vector<z3::expr>& sizes) {
    Known result{pure(clause), {}, context_.int_val(static_cast<int>(clause.cells.size())), {}};
    std::vector<int> owner; // by place: the atom
    int atom = 0;
    for (const Cell& cell : clause.cells) {
        result.allocated.emplace_back(term(cell.root), truth(true));
        owner.push_back(atom++);
    }
    for (std::size_t c = 0; c < clause.calls.size(); ++c) {
        const Term size = "$size " + std::to_string(next_++);
        know_call(clause.calls[c], size, result, owner, atom++);
        if (c < sizes.size()) result.facts.push_back(term(size) == sizes[c]);
    }
    for (std::size_t i = 0; i < owner.size(); ++i) {
        const auto& [place, when] = result.allocated[i];
        result.facts.push_back(z3::implies(when, place != 0));
        for (std::size_t k = 0; k < i; ++k)
            if (owner[k] != owner[i])
                result.facts.push_back(
                    z3::implies(when && result.allocated[k].second, place != result.allocated[k].first));
    }
    return result;
}

bool Facts::contradictory(const std::vector<z3::expr>& facts) {
    const Level level(solver_, facts);
    return solver_.check() == z3::unsat;
}

bool Facts::implies(const std::vector<z3::expr>& facts, const std::vector<z3::expr>& goal,
                    const std::set<Term>& exists) {
    if (goal.empty()) return true;
    z3::expr_vector bound(context_);
    for (const Term& name : exists) bound.push_back(term(name));
    const z3::expr all = all_of(context_, goal);
    const Level level(solver_, facts);
    solver_.add(bound.empty() ? !all : !z3::exists(bound, all));
    return solver_.check() == z3::unsat;
}

Names Facts::classes(const std::vector<z3::expr>& facts, const std::set<Term>& terms) {
    const Level level(solver_, facts);
    Names result;
    const z3::check_result first = solver_.check();
    if (first == z3::unsat) { // all is equal where nothing can be
        for (const Term& one : terms) result[one] = nil;
        return result;
    }
    std::map<Term, std::string> values; // in one model: what differs there is not surely equal
    if (first == z3::sat) {
        const z3::model model = solver_.get_model();
        for (const Term& one : terms) values[one] = model.eval(term(one), true).to_string();
        values[nil] = "0";
    }
    std::vector<Term> leaders{nil};
    for (const Term& one : terms) {
        Term leader = one;
        for (const Term& other : leaders) {
            if (one == other) break;
            if (first == z3::sat && values[one] != values[other]) continue;
            const Level question(solver_, {term(one) != term(other)});
            if (solver_.check() != z3::unsat) continue;
            leader = other;
            break;
        }
        if (leader == one && one != nil) leaders.push_back(one);
        result[one] = leader;
    }
    return result;
}

z3::expr Facts::case_holds(const Summary::Case& one, const Known& rule) {
    std::vector<z3::expr> parts{one.cells ? rule.size >= 1 : rule.size == 0};
    for (const auto& [a, b] : one.equal) parts.push_back(term(a) == term(b));
    for (const auto& [a, b] : one.distinct) parts.push_back(term(a) != term(b));
    for (const Term& parameter : one.allocated) {
        z3::expr some = truth(false);
        for (const auto& [place, when] : rule.allocated) some = some || (when && place == term(parameter));
        parts.push_back(some);
    }
    return all_of(context_, parts);
}

void Facts::check_summaries() {
    for (const auto& [name, definition] : problem_.definitions) {
        const auto found = summaries_.find(name);
        if (found == summaries_.end()) throw Rejected("there is no summary of " + name);
        const Summary& summary = found->second;
        for (const Clause& rule : definition.rules) {
            const Known inside = known(rule);
            std::vector<z3::expr> facts = inside.facts;
            facts.push_back(term("$0") == inside.size);
            z3::expr some = truth(false);
            for (const Summary::Case& one : summary.cases) some = some || case_holds(one, inside);
            std::vector<z3::expr> goal{some};
            for (const Linear& one : summary.empty) goal.push_back(z3::implies(inside.size == 0, holds(one)));
            for (const Linear& one : summary.nonempty)
                goal.push_back(z3::implies(inside.size >= 1, holds(one)));
            if (!implies(facts, goal)) throw Rejected("a rule of " + name + " is outside its summary");
        }
    }
}

} // namespace ggsnn::checker
