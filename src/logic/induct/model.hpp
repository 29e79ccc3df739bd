// Concrete heaps with integers: made from a left side by unfolding it, and checked against clauses by a plain
// search that knows nothing of proofs.
#pragma once

#include "ggsnn/logic/heap.hpp"
#include "ggsnn/logic/induct/simplify.hpp"
#include "ggsnn/logic/prover.hpp"
#include "ggsnn/logic/satisfy.hpp"

#include <functional>

namespace ggsnn::logic::induct {

struct Model {
    using Cell = std::vector<std::pair<int, std::int64_t>>; // (field, value): a location, where 0 is NULL, or
                                                            // an integer
    std::map<std::int64_t, Cell> cells;                     // by location
    std::map<TermId, std::int64_t> values;                  // of the names of the problem
};

// Visits models of the clause with few cells, until the visitor says false. Names are problem.names.
void visit_models(const Clause& clause, Context& context, std::size_t most_cells, std::size_t most_models,
                  const std::function<bool(const Model&)>& visitor);

// Whether all of the model's cells are a heap of the clause, for some values of what is not a name of the
// problem.
Truth holds(const Model& model, const Clause& clause, Context& context);

// For people: sets counter (locations as nodes), numbers and labels.
void show(const Model& model, const Problem& problem, Answer& answer);

} // namespace ggsnn::logic::induct
