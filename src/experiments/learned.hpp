// What did the networks of the tables learn? For each task that they solve: a picture of what mattered for an
// answer (integrated gradients), and a rule read off by probing (rules.hpp), held to the network on test
// stories as they are and with edges taken out and moved.
#pragma once

#include "ggsnn/experiments/experiment.hpp"
#include "ggsnn/experiments/report.hpp"
#include "ggsnn/experiments/rules.hpp"

namespace ggsnn {

// How a network and a rule get along.
struct Agreement {
    long questions = 0, agreed = 0; // test questions; those that the rule answers as the network does
    long unused = 0, kept = 0;      // edges taken out that the rule does not use; answers of the network kept
    long used = 0, changed = 0;     // edges taken out that the rule needs; answers of the network changed
    long moved = 0,
         followed = 0; // edges moved where the rule then says something else; the network says that
};

struct Learned {
    std::string task, model, question;
    Rule rule;
    std::string text; // of the rule
    Agreement agreement;
};

// Rules of the networks of a model, one for each question type: fitted to the network's answers to the fold's
// first training stories, held to those to its test stories. Changed graphs are drawn from seed.
std::vector<Learned> learned_rules(const Model& model, const Unit& unit, const FoldFiles& files,
                                   std::uint64_t seed = 1);

// Of the networks of graph models of these tables with 50 training stories, first fold, that are there and
// solve their task. Empty where there is none.
std::vector<ReportSection> learned_sections(const ExperimentOptions& options);

} // namespace ggsnn
