// Questions as sequences of tokens, the input of the RNN and LSTM baselines (section 'Explanatory
// Applications', example 1, and appendix B of the paper):
//
//   n6 e1 n1 eol n6 e1 n5 eol ... q1 n6 n2 ans 1
//
// n<id> is an entity (a node, by its name), e<id> a relation, q<id> a question type, numbered in order of
// first appearance in the training data; what follows `ans` are the targets, class labels. Facts, and the
// arguments of a question, stand in the order of the file: nothing is permuted.
//
// Stories in English are their words, `eol` after each sentence, and at the end the words of the question;
// words that are not in the schema are its first entity.
//
// As numbers: token 0 is `eol`, 1 is `ans`, then come the entities, edge types and question types of the
// schema. An example's tokens end in a single `ans`; a network reads it once for each target.
#pragma once

#include "ggsnn/tasks/record.hpp"

#include <string>

namespace ggsnn {

constexpr int eol_token = 0, ans_token = 1;

// Of stories in English the words are the entities, and this is the first of them.
constexpr const char* unknown_word = "<unknown>";

// Where the ids of entities, edge types and question types begin, and how far apart they are. While a schema
// still grows, the three take turns; `renumber` takes such tokens to the schema's numbers when it is
// complete.
struct TokenNumbers {
    int entity, edge_type, question_type, stride;

    static TokenNumbers growing() { return {2, 3, 4, 3}; }
    static TokenNumbers of(const Schema& schema);
};
void renumber(const Schema& schema, std::vector<int>& tokens);

// The facts of a record and one of its questions, whose names must be in the schema but for entities: an
// unknown one throws Error with the question's place.
std::vector<int> encode_tokens(const Schema& schema, const TokenNumbers& numbers, const Record& record,
                               const RawQuestion& question);

// Whether node i of a record has a token: of stories in English only the words.
bool is_entity(const Record& record, int i);

// The name of node i of a record; its number if nodes have no names.
std::string entity_name(const Record& record, int i);

// "eol", "ans", "n1", "e1", "q1", ...
std::string token_text(const Schema& schema, int token);

// Appends the line of an example as above, targets counted from 1; none if the example has no labels.
void write_tokens(std::string& out, const Schema& schema, const Example& example);

} // namespace ggsnn
