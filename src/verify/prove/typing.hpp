// From formulas as people and networks write them to formulas about memory: each atom gets the tag of the
// record whose cells it speaks of, found from the types of the program's names and along links.
#pragma once

#include "ggsnn/verify/program.hpp"

#include <map>
#include <string>

namespace ggsnn::verify {

using NameTypes = std::map<std::string, int>; // name: the record it leads to; -1 or absent: not said

struct Typed {
    logic::Formula formula;
    std::string trouble; // why it cannot be typed; empty if it was
};
// A formula that has tags already is left as it is.
Typed with_tags(const logic::Formula& formula, const NameTypes& types, const Program& program);

// As people read it.
logic::Formula without_tags(const logic::Formula& formula);

// What names lead to: parameters and their first values, variables and objects in scope (of a loop, or of the
// whole function if it is null), globals, the result.
NameTypes name_types(const Program& program, const Function& function, const Loop* loop);

} // namespace ggsnn::verify
