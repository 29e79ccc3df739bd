// How much of a test a network has met in training: as it is written, and up to renaming, which is all that a
// graph network sees. Tasks with few different problems test optimisation more than generalisation, and the
// tables say so.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ggsnn {

struct Overlap {
    bool same_file = false; // the test file is the training file
    long questions = 0;     // of the test file
    long copied = 0;        // of these with a story and a question that were trained on, word by word
    long seen = 0;          // whose problem (tasks/problem.hpp) was trained on under these or other names
    std::vector<std::uint64_t> problems; // the different problems of the test file, as sorted hashes
    bool counted = true; // false: too symmetric to be told apart; seen and problems mean nothing

    bool operator==(const Overlap&) const = default;
};

// trained: how many of the first stories of train_file were trained on.
Overlap find_overlap(const std::string& train_file, int trained, const std::string& test_file);

// Hashes as text, and back.
std::string hashes_text(const std::vector<std::uint64_t>& hashes);
std::vector<std::uint64_t> hashes_of_text(const std::string& text);

} // namespace ggsnn
