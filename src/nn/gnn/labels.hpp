// Node labels of the original graph neural network (the paper's section 2): a label is a distinct annotation
// vector (node features and question-argument bits) of the training data, so the arguments of a question are
// visible as labels. The edge function has parameters for every triple (label of the receiver, slot, label
// of the source) that occurs in training, where a slot is an edge type with a direction, 2 * type +
// direction. One label and one edge type beyond those of the data belong to the super node of graph-level
// answers.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

namespace ggsnn {

struct Triple {
    int receiver, slot, source;
    int degree = 1; // most messages that a source of this triple sends in training: scales initial values

    auto key() const { return std::tie(receiver, slot, source); }
    bool operator==(const Triple&) const = default;
};

struct LabelTable {
    int width = 0;               // numbers in an annotation
    std::vector<float> values;   // count() x width, distinct, in lexicographic order
    std::vector<Triple> triples; // distinct keys in increasing order

    int count() const { return width > 0 ? static_cast<int>(values.size()) / width : 0; }
    int super() const { return count(); } // label of the super node

    // The label of an annotation vector, -1 if training had no such node.
    template <class T>
    int find(const T* annotation) const {
        int low = 0, high = count();
        while (low < high) {
            const int middle = (low + high) / 2;
            const float* label = values.data() + static_cast<std::size_t>(middle) * width;
            int j = 0;
            while (j < width && label[j] == static_cast<float>(annotation[j])) ++j;
            if (j == width) return middle;
            if (label[j] < static_cast<float>(annotation[j])) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return -1;
    }

    // The place of a triple, -1 if it did not occur in training.
    int triple(int receiver, int slot, int source) const {
        const Triple wanted{receiver, slot, source};
        const auto less = [](const Triple& a, const Triple& b) { return a.key() < b.key(); };
        const auto at = std::lower_bound(triples.begin(), triples.end(), wanted, less);
        return at == triples.end() || at->key() != wanted.key() ? -1 : static_cast<int>(at - triples.begin());
    }

    bool operator==(const LabelTable&) const = default;
};

} // namespace ggsnn
