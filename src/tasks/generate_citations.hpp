// Graphs like those on which node classification is usually measured: papers that cite each other, mostly of
// their own topic, with the words they use. Sizes are those of Cora (Sen et al. 2008) and PubMed (Namata et
// al. 2012); the content is drawn.
#pragma once

#include "ggsnn/base/random.hpp"
#include "ggsnn/nn/dataset.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ggsnn {

struct CitationShape {
    int nodes, edges, features, classes;
    int words;              // of a node, on average; the most of the features are zero
    double homophily;       // share of edges that are kept within a topic
    double topical;         // share of words that come from the node's topic
    bool binary;            // words are there or not; otherwise they have weights
    int train, valid, test; // nodes of each class to train on; in all to validate and to test on
};

struct CitationEdge {
    int source, target;
};

struct Citations {
    CitationShape shape;
    std::vector<int> classes; // of nodes
    std::vector<CitationEdge> edges;
    std::vector<std::vector<std::pair<int, float>>> words; // of nodes: (feature, number), in increasing order
    std::vector<Part> split;
};

CitationShape citation_shape(std::string_view name); // cora-size, pubmed-size; throws UsageError

// Depends on shape and seed alone.
Citations generate_citations(const CitationShape& shape, std::uint64_t seed);

// As a line of the JSON format.
std::string to_json_line(const Citations& citations);

} // namespace ggsnn
