// Trees: a node and the trees that it owns become one tree.
#pragma once

#include "ggsnn/verify/graph/contents.hpp"

namespace ggsnn::verify::graph {

// The links of a node that may be one of a tree, as far as its neighbours tell.
struct TreeLinks {
    std::vector<std::int64_t> kids; // down
    std::int64_t prev = -1;         // up; -1: none
};

// A link that is NULL, whatever wrote it, is so by a field of its own.
void write_null(State& state, int node, std::int64_t link);

class Trees {
  public:
    Trees(State& state, const Policy& policy, const Branches& branches, const References& references)
        : state_(state), policy_(policy), branches_(branches), references_(references) {}

    // Folds one node; false: there is none that can be.
    bool step();

    // The link by which a node leads on, down a tree, if its other links lead to nothing but trees of its
    // own.
    std::optional<std::int64_t> way_on(int node, const TreeLinks& links) const;

    // Of a node and one below it; fewer than two kids: no tree.
    TreeLinks links_of(int node, int below) const;

  private:
    bool fold(int node);
    bool fold(int node, const TreeLinks& links);
    bool fold_way(int way);
    bool plant_leaves(int node);
    TreeLinks links_at(int node) const;
    bool is_own_tree(int node, std::int64_t kid, const TreeLinks& links) const;
    bool only_led_to_by(int object, int holder, std::int64_t offset) const;
    std::set<int> owned(const State& state, int node, const TreeLinks& links) const;

    State& state_;
    const Policy& policy_;
    const Branches& branches_;
    const References& references_;
};

} // namespace ggsnn::verify::graph
