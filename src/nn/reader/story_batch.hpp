// Stories as graphs, and the order in which their sentences are read.
//
// A story is a graph without a parser: a node a sentence, a node a type of word, an edge from a sentence to
// each of its words that bears the word's position, and an edge from each sentence to the next. The question
// is a sentence, too. A network reads sentence by sentence: the question, then the story from its end or from
// its begin, as often as the order says, then the question again.
//
// Stories go in lockstep: step t is the t-th sentence of each, and one matrix product over all of them.
// States of words and of stories come in versions, one for each sentence that changed them; version 0 is the
// state before the first, and row or sentence i makes version i + 1. Nothing is padded.
#pragma once

#include "ggsnn/nn/dataset.hpp"
#include "ggsnn/nn/loading.hpp"
#include "ggsnn/nn/reader/shape.hpp"

namespace ggsnn {

struct StoryBatch {
    struct Step {
        int block = 0; // 0: a question, 1: a sentence of the story
        int pass = 0;
        int first_sentence = 0, last_sentence = 0; // read in this step
        int first_row = 0, last_row = 0;           // their words
    };

    // Fills the batch with `count` examples, whose places in their minibatch are given. With noise, words
    // that are alike exchange their names, in most runs, and some names are unknown, everywhere in a story.
    void assign(const ReaderShape& shape, const Example* const* examples, const std::uint64_t* places,
                int count, const Loading& how);

    int stories() const { return static_cast<int>(end.size()); }
    int sentences() const { return static_cast<int>(before.size()); }
    int rows() const { return static_cast<int>(word.size()); }
    int last_words() const { return static_cast<int>(last.size()); }

    std::vector<Step> steps;
    // Of each sentence that is read:
    std::vector<int> before;    // version of the story's state before it
    std::vector<int> first_row; // its words, each type once; one more at the end
    // Of each row, a type of word in a sentence:
    std::vector<int> word, previous, sentence; // previous: version of its state
    std::vector<int> position_start, position; // where it stands; a list for each row
    // Of each type of word of a story, after all is read:
    std::vector<int> last, last_word, last_class, last_story; // last: version of its state
    std::vector<int> end;                                     // of each story: version of its state
    std::vector<int> label; // stories x places; -1: nothing there, or not known
    std::vector<char> cut;  // of each story: its answer is longer than places
    double scale = 1;       // of the loss

  private:
    struct Sentence {
        int first = 0, last = 0; // rows of a template
    };
    struct Template {                              // a story with its words as numbers of its own
        std::vector<int> local, starts, positions; // rows of all sentences
        std::vector<Sentence> sentences;           // the question last
        std::vector<int> words, classes, versions; // of each word of its own
        int state = 0;                             // version
    };

    void clear();
    void read(const ReaderShape& shape, const Example& example, Template& to) const;
    void rename(const ReaderShape& shape, Template& story, int* labels, std::uint64_t key);
    static void forget(Template& story, const Noise& noise, std::uint64_t place);
    void step(int block, int pass, const std::vector<std::pair<int, int>>& read);
    void add_labels(const ReaderShape& shape, const Example& example, bool targets);

    std::vector<int> name_, class_; // of each word and of each class: what it is now
    std::vector<Template> stories_;
    std::vector<std::pair<int, int>> now_; // (story, sentence) of the step
};

} // namespace ggsnn
