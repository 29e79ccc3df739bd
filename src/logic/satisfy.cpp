// The logic program behind the satisfaction check. Goals wait in a list that is shared between choices (it
// only grows at the front); bindings and consumed cells are undone through trails.
#include "ggsnn/logic/satisfy.hpp"

#include <algorithm>
#include <deque>

namespace ggsnn::logic {

namespace {

constexpr int unbound = -1;

struct Goal {
    enum class Kind { cell, call, distinct, dangling };
    Kind kind;
    const CellAtom* cell = nullptr; // with terms of a rule; see base, parameters, arguments
    int definition = 0;
    std::size_t arguments = 0; // first of the call's arguments in the arena
    int a = 0, b = 0;          // distinct, dangling: variables. cell: root variable
    std::size_t links = 0;     // cell: first of its link variables in the arena
    const Goal* next = nullptr;
};

class Matcher {
  public:
    Matcher(const Heap& heap, const Problem& problem, const SatisfyLimits& limits)
        : heap_(heap), definitions_(problem.definitions), limits_(limits), steps_(limits.steps) {
        for (const std::string& field : problem.fields) fields_.push_back(heap.find_field(field));
        consumed_.assign(heap.nodes.size(), 0);
        cells_ = heap.cell_count();
    }

    Truth run(const Clause& clause, const Problem& problem) {
        std::vector<int> variables;
        for (int t = 0; t < clause.terms; ++t) variables.push_back(new_variable());
        value_[static_cast<std::size_t>(variables[0])] = 0;
        for (std::size_t n = 1; n < problem.names.size() && n < variables.size(); ++n)
            value_[static_cast<std::size_t>(variables[n])] = heap_.variable(problem.names[n]);
        any_rest_ = clause.any_rest;
        const Goal* goals = nullptr;
        if (!add(clause, variables, goals)) return Truth::no;
        return search(goals);
    }

    // Node of the i-th term of the clause given to run; -1 if it was never bound.
    int value_of_term(int term) const { return value(term); }

  private:
    // Variables are numbers into value_ (a node or unbound) and alias_ (another variable or itself).
    int new_variable() {
        value_.push_back(unbound);
        alias_.push_back(static_cast<int>(alias_.size()));
        return static_cast<int>(value_.size()) - 1;
    }
    int find(int variable) const {
        while (alias_[static_cast<std::size_t>(variable)] != variable)
            variable = alias_[static_cast<std::size_t>(variable)];
        return variable;
    }
    int value(int variable) const { return value_[static_cast<std::size_t>(find(variable))]; }

    void bind(int variable, int node) {
        variable = find(variable);
        value_[static_cast<std::size_t>(variable)] = node;
        trail_.push_back(variable);
    }

    bool unify(int a, int b) {
        a = find(a);
        b = find(b);
        if (a == b) return true;
        const int va = value_[static_cast<std::size_t>(a)], vb = value_[static_cast<std::size_t>(b)];
        if (va != unbound && vb != unbound) return va == vb;
        if (va != unbound) std::swap(a, b);
        alias_[static_cast<std::size_t>(a)] = b; // a is unbound
        trail_.push_back(a);
        return true;
    }

    bool assign(int variable, int node) {
        const int current = value(variable);
        if (current == unbound) bind(variable, node);
        return current == unbound || current == node;
    }

    // Puts the parts of a clause in front of goals; variables[t] stands for term t. False: an equality fails.
    bool add(const Clause& clause, const std::vector<int>& variables, const Goal*& goals) {
        const auto var = [&](TermId t) { return variables[static_cast<std::size_t>(t)]; };
        for (const auto& [a, b] : clause.equal)
            if (!unify(var(a), var(b))) return false;
        const auto push = [&](Goal goal) {
            goal.next = goals;
            goals_.push_back(goal);
            goals = &goals_.back();
        };
        for (std::size_t c = clause.calls.size(); c-- > 0;) {
            Goal goal{Goal::Kind::call};
            goal.definition = clause.calls[c].definition;
            goal.arguments = arena_.size();
            for (const TermId t : clause.calls[c].arguments) arena_.push_back(var(t));
            push(goal);
        }
        for (std::size_t c = clause.cells.size(); c-- > 0;) {
            Goal goal{Goal::Kind::cell};
            goal.cell = &clause.cells[c];
            goal.a = var(clause.cells[c].root);
            goal.links = arena_.size();
            for (const Link& link : clause.cells[c].links) arena_.push_back(var(link.value));
            push(goal);
        }
        for (const TermId t : clause.dangling) {
            Goal goal{Goal::Kind::dangling};
            goal.a = var(t);
            push(goal);
        }
        for (const auto& [a, b] : clause.distinct) {
            Goal goal{Goal::Kind::distinct};
            goal.a = var(a);
            goal.b = var(b);
            push(goal);
        }
        return true;
    }

    // How soon a goal should be taken; 9: it can wait until the end, 0: now.
    int urgency(const Goal& goal) const {
        switch (goal.kind) {
        case Goal::Kind::distinct:
            return find(goal.a) == find(goal.b) || (value(goal.a) != unbound && value(goal.b) != unbound) ? 0
                                                                                                          : 9;
        case Goal::Kind::dangling:
            return value(goal.a) != unbound ? 0 : 9;
        case Goal::Kind::cell:
            return value(goal.a) != unbound ? 0 : 4;
        case Goal::Kind::call:
            break;
        }
        const Definition& d = definitions_[static_cast<std::size_t>(goal.definition)];
        if (d.rules.size() == 1 && d.root < 0) return 1;
        if (d.root < 0) return 6;
        if (value(argument(goal, d.root)) == unbound) return 5;
        for (int p = 1; p <= d.parameters; ++p)
            if (value(argument(goal, p)) == unbound) return 3;
        return 0;
    }

    int argument(const Goal& goal, int parameter) const {
        return arena_[goal.arguments + static_cast<std::size_t>(parameter - 1)];
    }

    // The most urgent goal, taken out of the list; the goals before it are copied.
    const Goal* take(const Goal*& goals) {
        const Goal* best = nullptr;
        int best_urgency = 9;
        std::uint64_t looked = 0;
        for (const Goal* g = goals; g != nullptr && best_urgency > 0; g = g->next) {
            ++looked;
            const int u = urgency(*g);
            if (u < best_urgency) {
                best = g;
                best_urgency = u;
            }
        }
        work_ += looked;
        if (looked > 1) steps_ -= std::min(steps_, looked - 1); // the first is paid for by search()
        if (best == nullptr) return nullptr;
        std::vector<const Goal*> before;
        for (const Goal* g = goals; g != best; g = g->next) before.push_back(g);
        goals = best->next;
        for (std::size_t i = before.size(); i-- > 0;) {
            goals_.push_back(*before[i]);
            goals_.back().next = goals;
            goals = &goals_.back();
        }
        return best;
    }

    struct Choice {
        const Goal* goal; // to be tried again with option `next`
        const Goal* rest;
        int next;
        std::size_t trail, eaten, arena, goals, variables;
    };

    Truth search(const Goal* goals) {
        bool going = true;
        for (;;) {
            if (steps_ == 0 || over()) return Truth::unknown;
            --steps_;
            if (!going) {
                if (choices_.empty()) return Truth::no;
                const Choice choice = choices_.back();
                choices_.pop_back();
                undo(choice);
                goals = choice.rest;
                going = attempt(*choice.goal, goals, choice.next);
                continue;
            }
            const Goal* goal = take(goals);
            if (goal == nullptr) {
                if (any_rest_ || eaten_.size() == cells_) return Truth::yes;
                going = false;
                continue;
            }
            going = attempt(*goal, goals, 0);
        }
    }

    // Time or memory are used up. Looked at now and then.
    bool over() {
        if (++work_ < 4096) return false;
        work_ = 0;
        const std::size_t bytes =
            goals_.size() * sizeof(Goal) + choices_.size() * sizeof(Choice) +
            (value_.size() + alias_.size() + trail_.size() + arena_.size()) * sizeof(int);
        return bytes > limits_.bytes ||
               (limits_.deadline && std::chrono::steady_clock::now() >= *limits_.deadline);
    }

    void undo(const Choice& choice) {
        for (; trail_.size() > choice.trail; trail_.pop_back()) {
            value_[static_cast<std::size_t>(trail_.back())] = unbound;
            alias_[static_cast<std::size_t>(trail_.back())] = trail_.back();
        }
        for (; eaten_.size() > choice.eaten; eaten_.pop_back())
            consumed_[static_cast<std::size_t>(eaten_.back())] = 0;
        arena_.resize(choice.arena);
        while (goals_.size() > choice.goals) goals_.pop_back();
        value_.resize(choice.variables);
        alias_.resize(choice.variables);
    }

    void leave_choice(const Goal& goal, const Goal* rest, int next) {
        choices_.push_back(
            {&goal, rest, next, trail_.size(), eaten_.size(), arena_.size(), goals_.size(), value_.size()});
    }

    // Does the goal by its options from `option` on; a choice is left where more remain.
    bool attempt(const Goal& goal, const Goal*& goals, int option) {
        switch (goal.kind) {
        case Goal::Kind::distinct:
            return find(goal.a) != find(goal.b) &&
                   (value(goal.a) == unbound || value(goal.a) != value(goal.b));
        case Goal::Kind::dangling: {
            const int node = value(goal.a);
            return node > 0 && !heap_.nodes[static_cast<std::size_t>(node)].allocated;
        }
        case Goal::Kind::cell:
            return attempt_cell(goal, goals, option);
        case Goal::Kind::call:
            return attempt_call(goal, goals, option);
        }
        return false;
    }

    bool free_cell(int node) const {
        return node > 0 && heap_.nodes[static_cast<std::size_t>(node)].allocated &&
               consumed_[static_cast<std::size_t>(node)] == 0;
    }

    bool attempt_cell(const Goal& goal, const Goal* goals, int option) {
        int node = value(goal.a);
        if (node == unbound) { // any cell will do
            node = std::max(option, 1);
            const int count = static_cast<int>(heap_.nodes.size());
            while (node < count && !free_cell(node)) ++node;
            if (node >= count) return false;
            leave_choice(goal, goals, node + 1);
            bind(goal.a, node);
        }
        if (!free_cell(node)) return false;
        for (std::size_t i = 0; i < goal.cell->links.size(); ++i) {
            const int field = fields_[static_cast<std::size_t>(goal.cell->links[i].field)];
            const int target = field < 0 ? -1 : heap_.target(node, field);
            if (target < 0 || !assign(arena_[goal.links + i], target)) return false;
        }
        consumed_[static_cast<std::size_t>(node)] = 1;
        eaten_.push_back(node);
        return true;
    }

    // Quick test without binding anything.
    bool may_apply(const Goal& goal, const Clause& rule, int parameters) const {
        const auto known = [&](TermId t) {
            return t == 0 ? 0 : t <= parameters ? value(argument(goal, t)) : unbound;
        };
        for (const auto& [a, b] : rule.equal)
            if (known(a) != unbound && known(b) != unbound && known(a) != known(b)) return false;
        for (const auto& [a, b] : rule.distinct)
            if (known(a) != unbound && known(a) == known(b)) return false;
        for (const CellAtom& cell : rule.cells)
            if (known(cell.root) != unbound && !free_cell(known(cell.root))) return false;
        return true;
    }

    bool attempt_call(const Goal& goal, const Goal*& goals, int option) {
        const Definition& d = definitions_[static_cast<std::size_t>(goal.definition)];
        const int count = static_cast<int>(d.rules.size());
        const auto fits = [&](int r) {
            return may_apply(goal, d.rules[static_cast<std::size_t>(r)], d.parameters);
        };
        while (option < count && !fits(option)) ++option;
        if (option >= count) return false;
        int later = option + 1;
        while (later < count && !fits(later)) ++later;
        if (later < count) leave_choice(goal, goals, later);
        const Clause& rule = d.rules[static_cast<std::size_t>(option)];
        scratch_.assign(1, null_variable_);
        for (int p = 1; p <= d.parameters; ++p) scratch_.push_back(argument(goal, p));
        while (static_cast<int>(scratch_.size()) < rule.terms) scratch_.push_back(new_variable());
        work_ += (rule.cells.size() + rule.calls.size() + rule.equal.size() + rule.distinct.size()) / 4;
        return add(rule, scratch_, goals);
    }

    const Heap& heap_;
    const std::vector<Definition>& definitions_;
    const SatisfyLimits& limits_;
    std::uint64_t steps_;
    std::size_t work_ = 0; // since time and memory were looked at
    std::vector<int> fields_;
    std::vector<char> consumed_;
    std::size_t cells_ = 0;
    bool any_rest_ = false;
    std::vector<int> value_, alias_, trail_, eaten_, arena_, scratch_;
    std::deque<Goal> goals_;
    std::vector<Choice> choices_;
    int null_variable_ = 0; // term 0 of the clause given to run
};

} // namespace

Truth satisfies(const Heap& heap, const Clause& clause, const Problem& problem, const SatisfyLimits& limits) {
    return Matcher(heap, problem, limits).run(clause, problem);
}

Truth satisfies(const Heap& heap, const std::vector<Clause>& clauses, const Problem& problem,
                const SatisfyLimits& limits) {
    Truth result = Truth::no;
    for (const Clause& clause : clauses) {
        const Truth one = satisfies(heap, clause, problem, limits);
        if (one == Truth::yes) return one;
        if (one == Truth::unknown) result = one;
    }
    return result;
}

Checker::Checker(const Formula& formula) : formula_(formula) {
    problem_.left = compile(formula, problem_);
    const std::string trouble = analyse(problem_.definitions);
    GGSNN_ASSERT(trouble.empty());
}

Truth Checker::operator()(const Heap& heap, const SatisfyLimits& limits) const {
    return satisfies(heap, problem_.left, problem_, limits);
}

Truth Checker::operator()(const Heap& heap, std::map<std::string, int>& witness,
                          const SatisfyLimits& limits) const {
    witness.clear();
    Truth result = Truth::no;
    for (std::size_t i = 0; i < problem_.left.size(); ++i) {
        Matcher matcher(heap, problem_, limits);
        const Truth one = matcher.run(problem_.left[i], problem_);
        if (one == Truth::unknown) result = one;
        if (one != Truth::yes) continue;
        // The existentials of outermost scope are numbered first, right after the names.
        const std::vector<std::string>& exists = formula_.heaps[i].exists;
        for (std::size_t k = 0; k < exists.size(); ++k)
            witness[exists[k]] = matcher.value_of_term(static_cast<int>(problem_.names.size() + k));
        return one;
    }
    return result;
}

Truth satisfies(const Heap& heap, const Formula& formula, const SatisfyLimits& limits) {
    return Checker(formula)(heap, limits);
}

} // namespace ggsnn::logic
