// The steps of a proof by induction, kept while it is searched for; certificate.hpp writes them down. The
// rules are those that the checker knows (src/checker/check.hpp has what each of them says).
#pragma once

#include "ggsnn/logic/induct/sequent.hpp"

#include <map>
#include <memory>

namespace ggsnn::logic::induct {

struct Step {
    enum class Rule { contradiction, done, same, split, left, right, use };
    Rule rule = Rule::same;
    Sequent sequent;              // as it stands after simplification, with what was chosen on the way
    int id = -1;                  // of one that may be used below, or is a lemma
    std::vector<TermId> locals{}; // that the rule of the step above brought in
    std::vector<std::shared_ptr<Step>> children{};

    std::size_t call = 0, by = 0; // left, right: which call; right: by which rule
    // split: on this equality of locations, or (if set) on this condition
    std::pair<TermId, TermId> equal{};
    std::optional<Linear> condition{};
    // use: the id of what is used, what its terms stand for, and the names of its existentials
    int fact = -1;
    std::map<TermId, TermId> terms{}, fresh{};
    std::vector<Choice> meanings{}; // of fresh terms in `terms`
};
using StepPtr = std::shared_ptr<Step>;

} // namespace ggsnn::logic::induct
