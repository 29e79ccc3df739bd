// Stories in English that are not read from files.
#pragma once

#include "ggsnn/tasks/record.hpp"

namespace ggsnn {

// A story and a question about it, as their format (formats/english.cpp) reads them. Throws Error.
Record english_story(const std::vector<std::string>& sentences, const std::string& question);

} // namespace ggsnn
