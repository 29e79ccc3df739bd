#include "ggsnn/logic/closure.hpp"

namespace ggsnn::logic {

namespace {

Problem compiled(const SymbolicHeap& heap, Budget& budget) {
    Problem problem;
    try {
        problem.left = compile(Formula{{heap}}, problem, &budget);
        const std::string trouble = analyse(problem.definitions, &budget);
        GGSNN_ASSERT(trouble.empty());
    } catch (const OutOfBudget&) {
        problem = {};
        problem.left.emplace_back();
    }
    return problem;
}

} // namespace

Closure::Closure(const SymbolicHeap& heap, const ProverLimits& limits) : Closure(heap, Budget(limits)) {}

Closure::Closure(const SymbolicHeap& heap, Budget&& budget)
    : problem_(compiled(heap, budget)), state_(problem_.left[0]) {
    for (std::size_t n = 0; n < problem_.names.size(); ++n) terms_[problem_.names[n]] = static_cast<int>(n);
    if (state_.close(problem_.definitions, budget)) return;
    contradictory_ = !budget.exhausted();
    // Out of time: only what was written is known, and nothing of it is used.
    if (budget.exhausted()) terms_.clear();
}

int Closure::term(const std::string& name) const {
    const auto found = terms_.find(name);
    return found == terms_.end() ? -1 : found->second;
}

bool Closure::same(const std::string& a, const std::string& b) const {
    const int ta = term(a), tb = term(b);
    return a == b || (ta >= 0 && tb >= 0 && state_.same(ta, tb));
}

bool Closure::apart(const std::string& a, const std::string& b) const {
    const int ta = term(a), tb = term(b);
    return ta >= 0 && tb >= 0 && state_.apart(ta, tb);
}

bool Closure::allocated(const std::string& name) const {
    const int t = term(name);
    return t >= 0 && state_.allocated(t);
}

std::vector<std::pair<std::string, std::string>> Closure::equalities() const {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const auto& [name, t] : terms_)
        if (const TermId root = state_.find(t); root != t)
            pairs.emplace_back(name, problem_.names[static_cast<std::size_t>(root)]);
    return pairs;
}

} // namespace ggsnn::logic
