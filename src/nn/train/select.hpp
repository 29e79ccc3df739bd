// Which runs become the model: the best by validation data, as many for each question type as the ensemble
// has members.
#pragma once

#include "ggsnn/nn/train/trainer.hpp"

namespace ggsnn {

struct SelectOptions {
    int ensemble = 1;          // members
    bool stop_at_zero = false; // runs after the first without errors do not exist, though they were begun
    bool unfinished = false;   // runs under way count, too, by the best they had
};

// Whether no further run of its question type is wanted.
bool is_solved(const RunState& run);

// Of one question type's runs those that may be chosen, the best first: one that solved it, then by
// (validation error, validation loss, restart).
std::vector<const RunState*> ranked_runs(std::vector<const RunState*> runs, const SelectOptions& options);

// The head of a model (all but networks and runs) completed by the best of these runs, of any question types.
// Returns the first question type (or network) that no run can answer yet, and -1 if there is none.
int select_runs(Model& model, const std::vector<const RunState*>& runs, const SelectOptions& options);

} // namespace ggsnn
