// Building counter-models. Every call of a state is unfolded to a chosen length, and all names that need not
// be equal are kept apart: for lists of length two this is the model that small-model theorems speak of. Then
// come variants: names without a cell are moved onto inner cells (a list may run through the end of another),
// other lengths, and random mixtures. Nothing here needs to be right: each heap is judged by satisfies().
#include "ggsnn/logic/model.hpp"

#include "ggsnn/base/random.hpp"
#include "ggsnn/logic/satisfy.hpp"

#include <algorithm>
#include <functional>

namespace ggsnn::logic {

namespace {

constexpr int max_unfoldings = 12; // of one structure: beyond, the choice leads nowhere

// Replaces all calls by cells; wants(call) is how many cells a fresh structure should get.
std::optional<State> concrete(State state, const Problem& problem, Budget& budget,
                              const std::function<int(const State::LeftCall&)>& wants) {
    for (State::LeftCall& call : state.calls) call.wanted = std::max(0, wants(call) - call.depth);
    for (;;) {
        if (!state.close(problem.definitions, budget)) return std::nullopt;
        if (state.calls.empty()) return state;
        if (state.calls.back().depth > max_unfoldings) return std::nullopt;
        const int last = static_cast<int>(state.calls.size()) - 1;
        const State::LeftCall& call = state.calls.back();
        const Definition& d = problem.definitions[static_cast<std::size_t>(call.definition)];
        int chosen = -1;
        for (int r = 0; r < static_cast<int>(d.rules.size()); ++r) {
            if (!call.feasible[static_cast<std::size_t>(r)]) continue;
            const bool grows = !d.rules[static_cast<std::size_t>(r)].cells.empty();
            if (chosen < 0 || grows == (call.wanted > 0)) chosen = r;
        }
        const int definition = call.definition, wanted = call.wanted;
        const std::size_t before = state.calls.size() - 1;
        state.unfold(last, chosen, problem.definitions);
        for (std::size_t c = before; c < state.calls.size(); ++c) // structures inside structures
            if (state.calls[c].definition != definition)
                state.calls[c].wanted = std::min(wants(state.calls[c]), std::max(wanted, 1) + 1);
    }
}

Heap to_heap(const State& state, const Problem& problem) {
    Heap heap;
    std::vector<int> node(state.parent.size(), -1);
    node[0] = 0;
    const auto node_of = [&](TermId term) {
        int& n = node[static_cast<std::size_t>(state.find(term))];
        if (n < 0) n = heap.add_node(false);
        return n;
    };
    for (std::size_t n = 1; n < problem.names.size(); ++n)
        heap.set_variable(problem.names[n], node_of(static_cast<TermId>(n)));
    for (const CellAtom& cell : state.cells) {
        const int root = node_of(cell.root);
        heap.nodes[static_cast<std::size_t>(root)].allocated = true;
        for (const Link& link : cell.links)
            heap.link(root, problem.fields[static_cast<std::size_t>(link.field)], node_of(link.value));
    }
    return heap;
}

class Search {
  public:
    Search(const State& state, const Problem& problem, Budget& budget)
        : state_(state), problem_(problem), budget_(budget) {}

    std::optional<Heap> run() {
        for (const int length : {2, 1}) {
            const auto base = concrete(state_, problem_, budget_, [&](const auto&) { return length; });
            if (!base) continue;
            if (judge(*base)) return std::move(found_);
            if (moved_names(*base)) return std::move(found_);
        }
        Random random(1, {state_.parent.size(), state_.calls.size()});
        for (int attempt = 0; attempt < 40 && budget_.spend(50); ++attempt) {
            const int most = 1 + attempt % 4;
            const auto mixed = concrete(state_, problem_, budget_, [&](const auto&) {
                return static_cast<int>(random.below(static_cast<std::uint64_t>(most) + 1));
            });
            if (mixed && judge(*mixed)) return std::move(found_);
        }
        return std::nullopt;
    }

  private:
    bool judge(const State& model) {
        if (!budget_.spend(20)) return false;
        Heap heap = to_heap(model, problem_);
        SatisfyLimits limits;
        limits.steps = 200'000;
        limits.bytes = std::uint64_t{1} << 28;
        limits.deadline = budget_.deadline();
        if (satisfies(heap, problem_.right, problem_, limits) != Truth::no) return false;
        if (satisfies(heap, problem_.left, problem_, limits) != Truth::yes) return false;
        found_ = std::move(heap);
        return true;
    }

    // Names without a cell moved onto a cell that no name of the problem stands at.
    bool moved_names(const State& model) {
        const bool one_sort = std::all_of(problem_.sorts.begin(), problem_.sorts.end(),
                                          [&](int s) { return s == 0 || s == problem_.sorts.back(); });
        if (!one_sort) return false;
        std::vector<char> named(model.parent.size(), 0);
        for (std::size_t n = 0; n < problem_.names.size(); ++n)
            named[static_cast<std::size_t>(model.find(static_cast<TermId>(n)))] = 1;
        for (std::size_t n = 1; n < problem_.names.size(); ++n) {
            const TermId name = static_cast<TermId>(n);
            if (model.find(name) != name || model.allocated(name)) continue;
            for (const CellAtom& cell : model.cells) {
                if (named[static_cast<std::size_t>(model.find(cell.root))] || !budget_.spend(20)) continue;
                State variant = model;
                variant.merge(name, cell.root);
                if (variant.close(problem_.definitions, budget_) && judge(variant)) return true;
            }
        }
        return false;
    }

    const State& state_;
    const Problem& problem_;
    Budget& budget_;
    std::optional<Heap> found_;
};

} // namespace

std::optional<Heap> find_counter_model(const State& state, const Problem& problem, Budget& budget) {
    return Search(state, problem, budget).run();
}

} // namespace ggsnn::logic
