// Rules read off a trained network: the shortest of a family of rules that answers as the network does.
// Families, by the kind of answer:
//   a node           the end of a walk of given steps from an argument (a step: an edge of a type, along it
//   or
//                    against it), where all such walks end in one node
//   a class          one class if such a walk leads from the first argument to the second, another if not
//   several classes  what the edges on the shortest way from the first argument to the second stand for, a
//   class
//                    for each step; ways go along edges, against them, or both
// A rule says nothing of graphs where it does not apply. It is fitted to the network's answers, right or
// wrong.
#pragma once

#include "ggsnn/nn/dataset.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ggsnn {

struct RuleGraph {
    int nodes = 0;
    std::vector<Edge> edges;
    std::vector<int> arguments;
};

// 2 * type + direction: outgoing follows an edge from source to target.
using Step = int;

struct Rule {
    AnswerKind answer = AnswerKind::node;
    int start = 0;                // the argument that a walk starts at
    std::vector<Step> walk;       // node, class
    int yes = -1, no = -1;        // class
    std::vector<Direction> ways;  // several classes: how edges are gone
    bool backwards = false;       // the last step first
    std::map<Step, int> class_of; // of a step of the way

    std::optional<std::vector<int>> operator()(const RuleGraph& graph) const;
};

struct Answered {
    RuleGraph graph;
    std::vector<int> labels; // the network's
};

bool has_rules(AnswerKind answer);
// The rule that agrees most often; of equals the shortest, the first. REQUIRES has_rules(answer).
Rule fit_rule(AnswerKind answer, const std::vector<Answered>& answered);

// For people: "from argument 0: along is, along has_fear".
std::string rule_text(const Rule& rule, const Schema& schema);

} // namespace ggsnn
