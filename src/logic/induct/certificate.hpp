// A proof written down as JSON, for the checker (src/checker) and for people.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/logic/induct/search.hpp"

namespace ggsnn::logic::induct {

// The proof of one case of the left side.
struct Root {
    std::size_t right = 0; // which case of the right side
    std::vector<TermId> left_locals{}, right_locals{};
    StepPtr step{};
};

// in_place: definitions whose bodies were put in the place of their calls.
OrderedJson certificate(const std::vector<Root>& roots, const Lemmas& lemmas, const Context& context,
                        const std::vector<std::string>& in_place);

} // namespace ggsnn::logic::induct
