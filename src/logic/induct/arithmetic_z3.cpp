// All of Z3 is in this file.
#include "ggsnn/logic/induct/arithmetic.hpp"

#include <algorithm>

#include <z3++.h>

namespace ggsnn::logic::induct {

namespace {

constexpr unsigned units_allowed = 2'000'000; // of Z3's own work, a question
constexpr std::size_t units_of_budget = 300;  // that one question counts as

} // namespace

struct Arithmetic::Solver {
    z3::context context;
    z3::solver plain{context, "QF_LIA"}, general{context};

    Solver() {
        z3::params limits(context);
        limits.set("rlimit", units_allowed);
        plain.set(limits);
        general.set(limits);
    }

    z3::expr term(int number) { return context.int_const(("t" + std::to_string(number)).c_str()); }

    z3::expr formula(const Linear& condition) {
        z3::expr sum = context.int_val(static_cast<std::int64_t>(condition.constant));
        for (const auto& [number, coefficient] : condition.terms)
            sum = sum + context.int_val(static_cast<std::int64_t>(coefficient)) * term(number);
        switch (condition.relation) {
        case Linear::Relation::zero:
            return sum == 0;
        case Linear::Relation::nonzero:
            return sum != 0;
        default:
            return sum <= 0;
        }
    }

    z3::check_result check(z3::solver& solver, const z3::expr_vector& formulas) {
        const Level level(solver);
        for (const z3::expr& one : formulas) solver.add(one);
        return solver.check();
    }

    // What is added is taken back at the end, also where Z3 throws.
    struct Level {
        explicit Level(z3::solver& s) : solver(s) { solver.push(); }
        ~Level() { Z3_solver_pop(solver.ctx(), solver, 1); }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;
        z3::solver& solver;
    };
};

Arithmetic::Arithmetic(Budget& budget) : solver_(std::make_unique<Solver>()), budget_(budget) {}
Arithmetic::~Arithmetic() = default;

bool Arithmetic::available() {
    return true;
}

bool Arithmetic::contradictory(const Conditions& conditions) {
    bool open = false;
    for (const Linear& condition : conditions) {
        if (known(condition) == Known::no) return true;
        open |= known(condition) == Known::open;
    }
    if (!open) return false;
    Conditions sorted = conditions;
    std::sort(sorted.begin(), sorted.end());
    const auto [at, fresh] = contradictory_.emplace(std::move(sorted), false);
    if (!fresh) return at->second;
    budget_.require(units_of_budget);
    try {
        z3::expr_vector formulas(solver_->context);
        for (const Linear& condition : at->first) formulas.push_back(solver_->formula(condition));
        at->second = solver_->check(solver_->plain, formulas) == z3::unsat;
    } catch (const z3::exception&) {
        at->second = false;
    }
    return at->second;
}

bool Arithmetic::implies(const Conditions& known_ones, const Linear& condition) {
    if (known(condition) == Known::yes) return true;
    if (std::find(known_ones.begin(), known_ones.end(), condition) != known_ones.end()) return true;
    Conditions all = known_ones;
    all.push_back(negation(condition));
    return contradictory(all);
}

bool Arithmetic::implies(const Conditions& known_ones, const std::vector<int>& exists,
                         const Conditions& conditions) {
    budget_.require(units_of_budget);
    try {
        z3::expr_vector formulas(solver_->context), goals(solver_->context), bound(solver_->context);
        for (const Linear& condition : known_ones) formulas.push_back(solver_->formula(condition));
        for (const Linear& condition : conditions) goals.push_back(solver_->formula(condition));
        for (const int term : exists) bound.push_back(solver_->term(term));
        const z3::expr goal = z3::mk_and(goals);
        formulas.push_back(bound.empty() ? !goal : !z3::exists(bound, goal));
        return solver_->check(bound.empty() ? solver_->plain : solver_->general, formulas) == z3::unsat;
    } catch (const z3::exception&) {
        return false;
    }
}

namespace {

// Terms that an equation tells are put in place: exact, where the coefficient is 1 or -1.
Arithmetic::Alternative without_told_terms(Arithmetic::Alternative one) {
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < one.conditions.size() && !changed; ++i) {
            const Linear equation = one.conditions[i];
            if (equation.relation != Linear::Relation::zero) continue;
            for (const auto& [term, coefficient] : equation.terms) {
                const auto bound = std::find(one.exists.begin(), one.exists.end(), term);
                if (std::abs(coefficient) != 1 || bound == one.exists.end()) continue;
                Linear value; // -(rest) / coefficient
                add(value, equation, -coefficient);
                add_term(value, term, 1);
                one.exists.erase(bound);
                one.conditions.erase(one.conditions.begin() + static_cast<std::ptrdiff_t>(i));
                for (Linear& other : one.conditions) replace(other, term, value);
                changed = true;
                break;
            }
        }
    }
    std::erase_if(one.exists, [&](int term) {
        return std::all_of(one.conditions.begin(), one.conditions.end(),
                           [&](const Linear& condition) { return coefficient_of(condition, term) == 0; });
    });
    return one;
}

} // namespace

bool Arithmetic::implies_one(const Conditions& known_ones, const std::vector<Alternative>& alternatives) {
    budget_.require(units_of_budget);
    try {
        z3::expr_vector formulas(solver_->context);
        for (const Linear& condition : known_ones) formulas.push_back(solver_->formula(condition));
        bool plain = true;
        for (const Alternative& alternative : alternatives) {
            const Alternative one = without_told_terms(alternative);
            z3::expr_vector parts(solver_->context), bound(solver_->context);
            for (const Linear& condition : one.conditions) parts.push_back(solver_->formula(condition));
            for (const int term : one.exists) bound.push_back(solver_->term(term));
            plain = plain && bound.empty();
            const z3::expr whole = z3::mk_and(parts);
            formulas.push_back(bound.empty() ? !whole : !z3::exists(bound, whole));
        }
        if (plain) return solver_->check(solver_->plain, formulas) == z3::unsat;
        z3::solver solver = z3::tactic(solver_->context, "lia").mk_solver();
        z3::params limits(solver_->context);
        limits.set("rlimit", units_allowed);
        solver.set(limits);
        return solver_->check(solver, formulas) == z3::unsat ||
               solver_->check(solver_->general, formulas) == z3::unsat;
    } catch (const z3::exception&) {
        return false;
    }
}

std::optional<std::map<int, std::int64_t>> Arithmetic::solve(const Conditions& conditions) {
    budget_.require(units_of_budget);
    try {
        z3::solver& solver = solver_->plain;
        const Solver::Level level(solver);
        std::map<int, std::int64_t> values;
        for (const Linear& condition : conditions) {
            solver.add(solver_->formula(condition));
            for (const auto& [term, coefficient] : condition.terms) values[term] = 0;
        }
        const bool found = solver.check() == z3::sat;
        if (found) {
            const z3::model model = solver.get_model();
            for (auto& [term, value] : values)
                value = model.eval(solver_->term(term), true).get_numeral_int64();
        }
        if (found) return values;
    } catch (const z3::exception&) {
    }
    return std::nullopt;
}

} // namespace ggsnn::logic::induct
