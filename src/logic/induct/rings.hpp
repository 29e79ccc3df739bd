// Which definitions call each other.
#pragma once

#include "ggsnn/logic/budget.hpp"
#include "ggsnn/logic/definitions.hpp"

#include <vector>

namespace ggsnn::logic::induct {

// Those that a definition leads to, and itself, in parts of which each calls only itself and those before it;
// all of a part lead to each other (Tarjan's strongly connected components). Throws OutOfBudget.
std::vector<std::vector<int>> rings_below(const std::vector<Definition>& definitions, int from,
                                          Budget& budget);

} // namespace ggsnn::logic::induct
