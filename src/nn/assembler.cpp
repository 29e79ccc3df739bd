#include "ggsnn/nn/assembler.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

template <class T>
int Assembler<T>::rows(const Dataset& data, const Example& example) const {
    return data.graphs[example.graph].graph.nodes() + (schema_->answer == AnswerKind::node_sequence ? 1 : 0);
}

template <class T>
long Assembler<T>::target_count(const Example& example) const {
    if (head_->traits.numbers)
        return std::count_if(example.values.begin(), example.values.end(),
                             [](float v) { return !std::isnan(v); });
    if (is_sequence(schema_->answer)) return static_cast<long>(example.labels.size()) + 1;
    return std::count_if(example.labels.begin(), example.labels.end(), [](int l) { return l >= 0; });
}

template <class T>
void Assembler<T>::append(Chunk<T>& chunk, const Dataset& data, const Example& example, bool targets) const {
    const GraphRecord& record = data.graphs[example.graph];
    const bool end_node = schema_->answer == AnswerKind::node_sequence;
    const int first = chunk.append(record.graph, end_node ? 1 : 0), nodes = record.graph.nodes();
    const int features = schema_->features;
    for (int v = 0; v < nodes && features > 0; ++v)
        for (int j = 0; j < features; ++j)
            chunk.annotation_row(first + v)[j] = static_cast<T>(schema_->scales.scaled(
                record.features[static_cast<std::size_t>(v) * features + j], static_cast<std::size_t>(j)));
    for (std::size_t i = 0; i < example.arguments.size(); ++i)
        chunk.annotation_row(first + example.arguments[i])[features + i] = 1;
    for (const auto& [node, bit] : example.marks) chunk.annotation_row(first + node)[features + bit] = 1;
    // 'End' is an isolated node of its own, flagged in the last bit.
    if (end_node) chunk.annotation_row(first + nodes)[annotation_ - 1] = 1;
    if (!targets || is_sequence(schema_->answer)) return;
    head_->add_targets(*schema_, example, first, chunk.targets);
}

template <class T>
void Assembler<T>::finish(Chunk<T>& chunk, const Dataset& data,
                          const std::vector<const Example*>& examples) const {
    if (!is_sequence(schema_->answer)) return;
    const bool nodes = schema_->answer == AnswerKind::node_sequence;
    int steps = 1;
    for (const Example* e : examples) steps = std::max(steps, static_cast<int>(e->labels.size()) + 1);
    chunk.targets.steps = steps;
    chunk.targets.labels.assign(examples.size() * static_cast<std::size_t>(steps), -1);
    for (std::size_t g = 0; g < examples.size(); ++g) {
        int* labels = chunk.targets.labels.data() + g * static_cast<std::size_t>(steps);
        const int first = nodes ? chunk.graph_start[g] : 0,
                  count = static_cast<int>(examples[g]->labels.size());
        for (int k = 0; k < count; ++k) labels[k] = first + examples[g]->labels[k];
        // The 'end' class is the last output, the 'end' node the last of its graph.
        labels[count] =
            nodes ? first + data.graphs[examples[g]->graph].graph.nodes() : schema_->outputs() - 1;
    }
    if (schema_->observed) set_observed(chunk, data, examples);
}

// X^2, X^3, ... as given; past the end of a sequence they are never looked at. The 'end' node keeps its flag.
template <class T>
void Assembler<T>::set_observed(Chunk<T>& chunk, const Dataset& data,
                                const std::vector<const Example*>& examples) const {
    const std::size_t width = padded(annotation_), given = schema_->features + schema_->arguments;
    const std::size_t matrix = chunk.nodes * width;
    chunk.targets.annotations.assign((chunk.targets.steps - 1) * matrix, T(0));
    for (std::size_t g = 0; g < examples.size(); ++g) {
        const Example& e = *examples[g];
        const std::size_t nodes = data.graphs[e.graph].graph.nodes(), first = chunk.graph_start[g];
        for (std::size_t k = 0; k < e.labels.size(); ++k) {
            T* rows = chunk.targets.annotations.data() + k * matrix + first * width;
            for (std::size_t v = 0; v < nodes; ++v)
                for (std::size_t j = 0; j < given; ++j)
                    rows[v * width + j] = static_cast<T>(e.annotations[(k * nodes + v) * given + j]);
            if (schema_->answer == AnswerKind::node_sequence) rows[nodes * width + annotation_ - 1] = 1;
        }
    }
}

template class Assembler<float>;
template class Assembler<double>;

} // namespace ggsnn
