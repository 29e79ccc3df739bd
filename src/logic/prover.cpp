// The search of the prover: close, subtract, split; see prover.hpp.
#include "ggsnn/logic/prover.hpp"

#include "ggsnn/logic/model.hpp"
#include "ggsnn/logic/state.hpp"
#include "ggsnn/logic/subtract.hpp"

#include <algorithm>

namespace ggsnn::logic {

namespace {

constexpr int max_depth = 20000; // of nested splits

class Prover {
  public:
    Prover(const Problem& problem, const ProverLimits& limits, Budget& budget)
        : problem_(problem), limits_(limits), budget_(budget) {}

    // Few unfoldings first: with structures that branch, each further level costs far more than the last.
    Answer run() {
        const int deepest = limits_.unfoldings;
        for (limits_.unfoldings = 0;; ++limits_.unfoldings) {
            cut_ = false;
            if (tree_ != nullptr) *tree_ = {};
            for (const Leaf& leaf : leaves_) budget_.release(leaf.state.bytes());
            leaves_.clear();
            Answer answer = attempt();
            const bool deeper = cut_ && limits_.unfoldings < deepest && !budget_.exhausted();
            if (answer.verdict != Validity::unknown || !deeper) return answer;
        }
    }

    // A case in which subtraction came to an end, and what it left over.
    struct Leaf {
        State state;
        Remainder remainder;
    };
    void keep_leaves() { keep_leaves_ = true; }
    void keep_tree(ProofTree* tree) { tree_ = tree; }
    const std::vector<Leaf>& leaves() const { return leaves_; }

  private:
    Answer attempt() {
        Answer answer;
        answer.verdict = Validity::valid;
        for (const Clause& clause : problem_.left) {
            State state(clause);
            const Validity one = prove_case(state);
            if (one == Validity::valid) continue;
            answer.verdict = one;
            if (one == Validity::invalid) break;
        }
        answer.splits = splits_;
        if (answer.verdict == Validity::invalid) answer.counter = std::move(counter_);
        if (answer.verdict == Validity::unknown) {
            answer.reason =
                budget_.exhausted() ? budget_.reason() : "neither a proof nor a counter-model was found";
            answer.out_of_work = budget_.out_of_work();
        }
        return answer;
    }

    // One case of the left side. The cases still to be done wait on a stack of their own, so that neither
    // recursion nor memory grows beyond the limits.
    Validity prove_case(const State& first) {
        Validity result = Validity::valid;
        std::vector<State> stack;
        waiting_.clear();
        step_ = -1;
        push(stack, first, "");
        while (!stack.empty()) {
            if (budget_.exhausted() || stack.size() > max_depth) return Validity::unknown;
            State state = std::move(stack.back());
            stack.pop_back();
            budget_.release(state.bytes());
            if (tree_ != nullptr) step_ = open_step();
            const Validity one = step(state, stack);
            if (one == Validity::invalid) return one;
            if (one == Validity::unknown) result = one;
        }
        return result;
    }

    void push(std::vector<State>& stack, State state, const std::string& because) {
        budget_.reserve(state.bytes());
        stack.push_back(std::move(state));
        if (tree_ != nullptr) waiting_.push_back({step_, because, "", ""});
    }

    // The step of the state that was taken from the stack; -1 where no more are kept.
    int open_step() {
        ProofStep step = std::move(waiting_.back());
        waiting_.pop_back();
        if (tree_->steps.size() >= ProofTree::most) {
            tree_->cut = true;
            return -1;
        }
        tree_->steps.push_back(std::move(step));
        return static_cast<int>(tree_->steps.size()) - 1;
    }

    void tell(const State& state, const std::string& outcome);
    std::string call_text(const State& state, int call) const;
    std::string term_text(const State& state, TermId term) const;

    // valid: proved, or replaced by cases on the stack.
    Validity step(State& state, std::vector<State>& stack) {
        ++splits_;
        if (!state.close(problem_.definitions, budget_)) {
            if (!budget_.exhausted()) tell(state, "no such heap");
            return budget_.exhausted() ? Validity::unknown : Validity::valid;
        }
        Splits splits;
        Remainder remainder;
        for (const Clause& right : problem_.right) {
            if (!subtract(state, right, problem_, limits_, budget_, splits, &remainder)) continue;
            tell(state, "every part is found");
            if (!keep_leaves_) return Validity::valid;
            leaves_.push_back({state, remainder});
            return budget_.reserve(state.bytes()) ? Validity::valid : Validity::unknown;
        }
        cut_ |= splits.cut;
        if (budget_.exhausted()) return Validity::unknown;
        if (splits.strong) return split(state, *splits.strong, stack);
        counter_ = find_counter_model(state, problem_, budget_);
        if (counter_) tell(state, "a counter-model");
        if (counter_) return Validity::invalid;
        if (budget_.exhausted()) return Validity::unknown;
        for (std::size_t c = 0; c < state.calls.size() && !splits.weak; ++c)
            if (std::count(state.calls[c].feasible.begin(), state.calls[c].feasible.end(), 1) > 1)
                splits.weak = decide(state, static_cast<int>(c), problem_, limits_, cut_);
        if (!splits.weak) tell(state, "open");
        return splits.weak ? split(state, *splits.weak, stack) : Validity::unknown;
    }

    Validity split(const State& state, const Split& split, std::vector<State>& stack) {
        const bool told = tree_ != nullptr && step_ >= 0;
        if (split.kind == Split::Kind::equal) {
            const std::string a = told ? term_text(state, split.a) : "",
                              b = told ? term_text(state, split.b) : "";
            if (told) tell(state, fmt::format("split: is {} = {}?", a, b));
            State equal = state;
            equal.merge(split.a, split.b);
            push(stack, std::move(equal), told ? fmt::format("{} = {}", a, b) : "");
            State distinct = state; // on top: counter-models are rather found among names that differ
            distinct.distinct.emplace_back(split.a, split.b);
            push(stack, std::move(distinct), told ? fmt::format("{} ≠ {}", a, b) : "");
            return Validity::valid;
        }
        const std::string call_name = told ? call_text(state, split.call) : "";
        if (told) tell(state, fmt::format("split: what does {} begin with?", call_name));
        const State::LeftCall& call = state.calls[static_cast<std::size_t>(split.call)];
        const std::vector<Clause>& rules =
            problem_.definitions[static_cast<std::size_t>(call.definition)].rules;
        std::vector<std::size_t> order; // rules without cells last, that is, on top: they are soonest done
        for (const bool empty : {false, true})
            for (std::size_t r = 0; r < rules.size(); ++r)
                if (call.feasible[r] && rules[r].cells.empty() == empty) order.push_back(r);
        for (const std::size_t r : order) {
            State unfolded = state;
            unfolded.unfold(split.call, static_cast<int>(r), problem_.definitions);
            push(stack, std::move(unfolded),
                 !told                    ? ""
                 : rules[r].cells.empty() ? call_name + " is empty"
                                          : call_name + " has a first cell");
        }
        return Validity::valid;
    }

    const Problem& problem_;
    ProverLimits limits_;
    Budget& budget_;
    std::uint64_t splits_ = 0;
    bool cut_ = false; // some unfolding was refused
    std::optional<Heap> counter_;
    bool keep_leaves_ = false;
    ProofTree* tree_ = nullptr;
    std::vector<ProofStep> waiting_; // by state on the stack, if there is a tree
    int step_ = -1;                  // of the state at hand
    std::vector<Leaf> leaves_;
};

// What is known of the names of a leaf.
void add_pure(const Prover::Leaf& leaf, const Problem& problem, Budget& budget, SymbolicHeap& heap) {
    const State& state = leaf.state;
    const auto name = [&](TermId t) { return problem.names[static_cast<std::size_t>(t)]; };
    for (TermId a = 0; a < static_cast<TermId>(problem.names.size()); ++a) {
        budget.require(static_cast<std::size_t>(a));
        if (state.find(a) != a) heap.pure.push_back({true, name(a), name(state.find(a))});
        for (TermId b = 0; b < a; ++b) {
            if (state.find(a) != a || state.find(b) != b || !state.apart(a, b)) continue;
            budget.require(1, 2 * sizeof(Pure)); // a vector that grows has up to twice the room it needs
            heap.pure.push_back({false, name(a), name(b)});
        }
    }
}

// Whether each call that a leaf left over stands for a structure: a definition that analyse() made does not.
bool can_be_written(const Prover::Leaf& leaf, const Problem& problem) {
    for (std::size_t c = 0; c < leaf.state.calls.size(); ++c) {
        const auto number = static_cast<std::size_t>(leaf.state.calls[c].definition);
        if (!leaf.remainder.used_calls[c] && !problem.definitions[number].shape) return false;
    }
    return true;
}

// What a leaf left over, with what is known of its names, as a heap. Links carry their tags in their fields.
SymbolicHeap leaf_heap(const Prover::Leaf& leaf, const Problem& problem, Budget& budget) {
    const State& state = leaf.state;
    SymbolicHeap heap;
    std::set<TermId> met; // existentials
    const auto name = [&](TermId t) {
        t = state.find(t);
        if (t < static_cast<TermId>(problem.names.size())) return problem.names[static_cast<std::size_t>(t)];
        std::string text = fmt::format("?{}", t);
        if (met.insert(t).second) heap.exists.push_back(text);
        return text;
    };
    add_pure(leaf, problem, budget, heap);
    for (std::size_t c = 0; c < state.cells.size(); ++c) {
        if (leaf.remainder.used_cells[c]) continue;
        Atom atom;
        atom.arguments = {name(state.cells[c].root)};
        for (const Link& link : state.cells[c].links)
            atom.links.emplace_back(problem.fields[static_cast<std::size_t>(link.field)], name(link.value));
        heap.atoms.push_back(std::move(atom));
        budget.require(10, sizeof(Atom));
    }
    for (std::size_t c = 0; c < state.calls.size(); ++c) {
        if (leaf.remainder.used_calls[c]) continue;
        std::vector<std::string> arguments;
        for (const TermId t : state.calls[c].arguments) arguments.push_back(name(t));
        heap.atoms.push_back(
            atom_of(problem.definitions[static_cast<std::size_t>(state.calls[c].definition)], arguments));
        budget.require(10, sizeof(Atom));
    }
    return heap;
}

std::string Prover::term_text(const State& state, TermId term) const {
    const TermId t = state.find(term);
    return t < static_cast<TermId>(problem_.names.size()) ? problem_.names[static_cast<std::size_t>(t)]
                                                          : fmt::format("n{}", t);
}

std::string Prover::call_text(const State& state, int call) const {
    const State::LeftCall& left = state.calls[static_cast<std::size_t>(call)];
    const Definition& definition = problem_.definitions[static_cast<std::size_t>(left.definition)];
    std::vector<std::string> arguments;
    for (const TermId t : left.arguments) arguments.push_back(term_text(state, t));
    if (definition.shape)
        return print(SymbolicHeap{{}, {}, {atom_of(definition, arguments)}}, Reading::program,
                     Script::unicode);
    return fmt::format("{}({})", definition.name, fmt::join(arguments, ", "));
}

// What is known in the state, part by part.
void Prover::tell(const State& state, const std::string& outcome) {
    if (tree_ == nullptr || step_ < 0) return;
    std::vector<std::string> parts;
    for (TermId a = 0; a < static_cast<TermId>(problem_.names.size()); ++a)
        if (state.find(a) != a)
            parts.push_back(
                fmt::format("{} = {}", problem_.names[static_cast<std::size_t>(a)], term_text(state, a)));
    std::set<std::string> once;
    for (const auto& [a, b] : state.distinct) {
        std::string text = fmt::format("{} ≠ {}", term_text(state, a), term_text(state, b));
        if (once.insert(text).second) parts.push_back(std::move(text));
    }
    for (const CellAtom& cell : state.cells) {
        Atom atom;
        atom.arguments = {term_text(state, cell.root)};
        for (const Link& link : cell.links)
            atom.links.emplace_back(problem_.fields[static_cast<std::size_t>(link.field)],
                                    term_text(state, link.value));
        parts.push_back(print(SymbolicHeap{{}, {}, {atom}}, Reading::program, Script::unicode));
    }
    for (std::size_t c = 0; c < state.calls.size(); ++c)
        parts.push_back(call_text(state, static_cast<int>(c)));
    ProofStep& step = tree_->steps[static_cast<std::size_t>(step_)];
    step.state = parts.empty() ? "emp" : fmt::format("{}", fmt::join(parts, " ∗ "));
    step.outcome = outcome;
}

Answer unknown(const std::string& reason) {
    Answer answer;
    answer.reason = reason;
    return answer;
}

} // namespace

Answer prove(const Problem& problem, const ProverLimits& limits, ProofTree* tree) {
    Budget budget(limits);
    Prover prover(problem, limits, budget);
    prover.keep_tree(tree);
    return prover.run();
}

Answer prove(const Formula& left, const Formula& right, const ProverLimits& limits, ProofTree* tree) {
    Budget budget(limits);
    try {
        const Problem problem = compile(left, right, &budget);
        Prover prover(problem, limits, budget);
        prover.keep_tree(tree);
        return prover.run();
    } catch (const OutOfBudget& out) {
        return unknown(out.reason);
    }
}

Answer prove_on_a_part(const Formula& left, const Formula& right, const ProverLimits& limits) {
    Budget budget(limits);
    try {
        Problem problem = compile(left, right, &budget);
        for (Clause& clause : problem.right) clause.any_rest = true;
        return Prover(problem, limits, budget).run();
    } catch (const OutOfBudget& out) {
        return unknown(out.reason);
    }
}

Answer refute(const Formula& formula, const ProverLimits& limits) {
    Budget budget(limits);
    try {
        Problem problem;
        problem.left = compile(formula, problem, &budget);
        const std::string trouble = analyse(problem.definitions, &budget);
        GGSNN_ASSERT(trouble.empty());
        return Prover(problem, limits, budget).run();
    } catch (const OutOfBudget& out) {
        return unknown(out.reason);
    }
}

FrameAnswer infer_frame(const SymbolicHeap& left, const Formula& right, const ProverLimits& limits) {
    GGSNN_ASSERT(left.exists.empty());
    Budget budget(limits);
    try {
        Problem problem = compile(Formula{{left}}, right, &budget);
        for (Clause& clause : problem.right) clause.any_rest = true;
        Prover prover(problem, limits, budget);
        prover.keep_leaves();
        Answer answer = prover.run();
        FrameAnswer frame{answer.verdict, answer.reason, std::move(answer.counter), {}};
        if (frame.verdict != Validity::valid) return frame;
        for (const Prover::Leaf& leaf : prover.leaves()) {
            if (!can_be_written(leaf, problem))
                return {Validity::unknown, "what is left over cannot be written as a formula", {}, {}};
            frame.cases.push_back(leaf_heap(leaf, problem, budget));
        }
        return frame;
    } catch (const OutOfBudget& out) {
        return {Validity::unknown, out.reason, std::nullopt, {}};
    }
}

} // namespace ggsnn::logic
