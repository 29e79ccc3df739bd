// Stories as sequences of tokens, the input of the RNN and LSTM baselines (section 'Explanatory
// Applications', example 1, and appendix B of the paper):
//
//   n6 e1 n1 eol n6 e1 n5 eol ... q1 n6 n2 ans 1
//
// n<id> is an entity, e<id> a relation, q<id> a question type; what follows `ans` are the targets, class
// labels. Facts, and the arguments of a question, stand in the order of the file: nothing is permuted.
#pragma once

#include "tasks/story.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ggsnn {

// Names with their numbers 0, 1, ... in order of arrival.
class NameTable {
  public:
    // The number of name, which is added if it is new.
    int add(std::string_view name);
    // The number of name, or -1.
    int find(std::string_view name) const;
    int size() const { return static_cast<int>(names_.size()); }
    const std::vector<std::string>& names() const { return names_; }

  private:
    std::vector<std::string> names_;
    std::unordered_map<std::string, int> index_;
};

// One question. tokens ends in a single `ans`; a model reads `ans` once for each target, and gives that
// target. targets are class labels 0 .. classes-1; none if the question has no answer.
struct TokenExample {
    std::vector<int> tokens;
    std::vector<int> targets;
};

// The tokens of a set of stories, by name, so that training and test data share them. Add all training
// stories first: token ids depend on how many names there are. Token 0 is `eol`, 1 is `ans`; then come
// entities, relations and question types, each in order of first appearance.
class TokenVocabulary {
  public:
    void add(const Story& story);

    int tokens() const { return 2 + entities.size() + relations.size() + types.size(); }
    // Classes are the entities when all answers added are entities of their stories (the label of node n6
    // is the sixth), and the words of the answers in order of first appearance otherwise.
    const NameTable& classes() const { return answers_are_entities ? entities : answers; }
    // "eol", "ans", "n1", "e1", "q1", ...
    std::string token_text(int token) const;

    // Throws Error, with the place, on a name that is not in the vocabulary.
    TokenExample encode(const Story& story, const Question& question) const;

    // Public for model files, which keep the names; changed by add() alone otherwise.
    NameTable entities, relations, types, answers;
    bool answers_are_entities = true;
};

// Appends the line of an example as above, targets counted from 1.
void write_tokens(std::string& out, const TokenVocabulary& vocabulary, const TokenExample& example);

} // namespace ggsnn
