// One template for the contents of two nodes, and for what they own: the inside of folding (fold.cpp for
// lists, fold_trees.cpp for trees).
#pragma once

#include "ggsnn/verify/graph/fold.hpp"

#include <optional>

namespace ggsnn::verify::graph {

// Where an address stands.
struct Reference {
    int holder = -1; // -1: a variable
    std::int64_t offset = 0;
    Value value;
};
using References = std::map<int, std::vector<Reference>>; // by object that they lead to

References references_of(const State& state);

// Whether a variable, a global or a local leads to the object.
bool is_named(const State& state, const References& references, int object);

// Objects from the heap that only `owner` leads to, directly or through others of them, beside its links.
std::set<int> owned_by(const State& state, const References& references, int owner,
                       const std::set<std::int64_t>& links);

// Two nodes that become one template: their links stay out of it.
struct Neighbours {
    int a = -1, b = -1;
    std::set<std::int64_t> links;
    std::set<int> of_a, of_b; // what they own
};

// The fields of the template without the links, the template being object b. What both own is replaced by
// templates of it. Nothing, and the state is spoilt, if the nodes have no common template.
std::optional<std::map<std::int64_t, Field>> join_contents(State& state, const Policy& policy,
                                                           const Neighbours& nodes);

} // namespace ggsnn::verify::graph
