// Problems up to renaming: two questions are the same problem if a renaming of the entities turns the facts
// of one story, in any order, and the arguments into those of the other. Networks that read neither names nor
// order cannot tell such questions apart: to them a task has as many examples as it has problems, however
// many stories there are.
#pragma once

#include "ggsnn/tasks/story.hpp"

#include <optional>

namespace ggsnn {

// A text that equal problems share and different ones do not. Nothing where the story is so symmetric that
// more than `most` numberings of its entities would have to be compared.
std::optional<std::string> canonical_problem(const Story& story, const Question& question, long most = 20000);

// The story's facts and the question as they are written, order and names included.
std::string literal_problem(const Story& story, const Question& question);

} // namespace ggsnn
