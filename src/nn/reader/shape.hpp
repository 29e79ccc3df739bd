// What a network that reads stories is made of, in numbers.
#pragma once

#include "ggsnn/nn/answer.hpp"

#include <string>
#include <vector>

namespace ggsnn {

struct ReaderShape {
    AnswerKind answer = AnswerKind::klass; // or a sequence of classes
    int state = 0;                         // D
    int words = 0;                         // types of words; number 0 stands for those that are not known
    int positions = 1;                     // of words in a sentence that are told apart
    int outputs = 1;                       // classes, and 'end' of sequences
    int places = 1;                        // of an answer that are told apart: 1, or the longest and 'end'
    std::string order = "bf";              // how the story is read: 'b' from its end, 'f' from its begin
    std::vector<std::vector<int>> alike;   // words that training renames (alike.hpp)
    std::vector<int> class_of;             // of each type of word: the class of its name, or -1

    bool operator==(const ReaderShape&) const = default;
};

} // namespace ggsnn
