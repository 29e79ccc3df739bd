// Generators of symbolic stories: bAbI tasks 4, 15, 16, 18 and 19, shortest paths and Eulerian circuits
// (section 'Explanatory Applications' of the paper). They are equal in distribution to the published
// folds, names and order of lines included: a baseline that reads names sees the same habits. The rules
// were inferred from the folds, and the tests compare the two.
#pragma once

#include "ggsnn/base/random.hpp"
#include "ggsnn/tasks/story.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ggsnn {

struct GenerateOptions {
    std::string task; // one of task_names()
    long count = 1000;
    std::uint64_t seed = 1;
    // Makes the graph that many times larger, to test what was trained on the usual size. Known to babi15
    // (people and animals), shortest-path and eulerian-circuit (nodes of the main graph and of the
    // distractor), whose answers exist at any size.
    int scale = 1;
};

inline constexpr int max_scale = 1000;

const std::vector<std::string>& task_names();

// One story, drawn from random. Throws UsageError on an unknown task and on a scale it does not have.
Story generate_story(std::string_view task, Random& random, int scale = 1);

// Hands out options.count stories. Story i depends on seed, task and i alone, so a larger count begins with
// the stories of a smaller one. Throws UsageError as above, before the first.
void generate_stories(const GenerateOptions& options, const std::function<void(const Story&)>& sink);

// Hands out the text of options.count stories, piece by piece and laid out as in the folds: bAbI stories
// are separated by blank lines. Story i depends on seed, task and i alone, so a larger count begins with
// the stories of a smaller one. Throws UsageError as above, before any text.
void generate(const GenerateOptions& options, const std::function<void(std::string_view)>& sink);

// An Eulerian circuit as a line of the JSON format (docs/formats.md), with observed annotations: the node to
// give now, the node after it, and the nodes given before. Each step then follows from the neighbours of two
// nodes, whatever the size of the circuit. REQUIRES a story of the task eulerian-circuit.
std::string observed_circuit(const Story& story);

} // namespace ggsnn
