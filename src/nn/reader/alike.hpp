// Words that stand for each other: names that can be exchanged everywhere in a story, in its questions and in
// their answers, and what comes out is as likely a story as before (Mary and John, the kitchen and the
// garden). Training renames them at random, so that few stories teach what holds for all names.
//
// Whether two words are alike is found in the training data alone. What is counted of a word in a story (what
// stands beside it, what the answer is where it stands with a word of the question, what is told next of the
// same things, ...) is counted of the other word, too. If the words are alike, each story is as likely as the
// one with the two exchanged, so that each difference d of a story has either sign with equal probability,
// and sum d / sqrt(sum d^2) over stories is about normal, however the counts of a story depend on each other.
// Words are alike unless something is seen that speaks against it. What is not counted is not seen: a guess,
// which validation judges.
#pragma once

#include "ggsnn/nn/dataset.hpp"

namespace ggsnn {

// Groups of two words or more, as numbers of the schema's entities, in increasing order. REQUIRES stories in
// English. Words of a group are all classes of the schema, or none is.
std::vector<std::vector<int>> words_alike(const Dataset& train);

} // namespace ggsnn
