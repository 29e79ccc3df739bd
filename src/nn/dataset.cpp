#include "ggsnn/nn/dataset.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

int Vocabulary::add(const std::string& name) {
    const auto [at, fresh] = ids_.emplace(name, size());
    if (fresh) names_.push_back(name);
    return at->second;
}

int Vocabulary::find(const std::string& name) const {
    const auto at = ids_.find(name);
    return at == ids_.end() ? -1 : at->second;
}

std::string Vocabulary::list() const {
    constexpr std::size_t most = 12;
    const std::span first(names_.data(), std::min(most, names_.size()));
    std::string text = fmt::format("{}", fmt::join(first, ", "));
    if (names_.size() > most) text += fmt::format(", ... ({} in all)", names_.size());
    return names_.empty() ? "none" : text;
}

namespace {

struct NamedKind {
    AnswerKind kind;
    const char* name;
};
constexpr NamedKind named_kinds[] = {
    {AnswerKind::node, "node"},
    {AnswerKind::klass, "class"},
    {AnswerKind::values, "numbers"},
    {AnswerKind::node_classes, "node_classes"},
    {AnswerKind::node_values, "node_numbers"},
    {AnswerKind::node_sequence, "nodes"},
    {AnswerKind::class_sequence, "classes"},
};

} // namespace

const char* name_of(AnswerKind kind) {
    for (const auto& named : named_kinds)
        if (named.kind == kind) return named.name;
    GGSNN_ASSERT(false);
}

AnswerKind answer_kind_named(const std::string& name) {
    for (const auto& named : named_kinds)
        if (named.name == name) return named.kind;
    fail("unknown kind of answer \"{}\"", name);
}

Answer answer_of(AnswerKind kind) {
    switch (kind) {
    case AnswerKind::node:
    case AnswerKind::node_sequence:
        return Answer::node;
    case AnswerKind::klass:
    case AnswerKind::class_sequence:
        return Answer::graph_class;
    case AnswerKind::values:
        return Answer::graph_value;
    case AnswerKind::node_classes:
        return Answer::node_class;
    case AnswerKind::node_values:
        return Answer::node_value;
    }
    GGSNN_ASSERT(false);
}

int Schema::annotation() const {
    return std::max(1, features + arguments + (answer == AnswerKind::node_sequence ? 1 : 0));
}

int Schema::outputs() const {
    if (is_regression(answer)) return values;
    if (has_classes(answer)) return classes.size() + (answer == AnswerKind::class_sequence ? 1 : 0);
    return 1;
}

template <class T>
int Assembler<T>::rows(const Dataset& data, const Example& example) const {
    return data.graphs[example.graph].graph.nodes() + (schema_->answer == AnswerKind::node_sequence ? 1 : 0);
}

template <class T>
long Assembler<T>::target_count(const Example& example) const {
    if (is_regression(schema_->answer))
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
            chunk.annotation_row(first + v)[j] =
                static_cast<T>(record.features[static_cast<std::size_t>(v) * features + j]);
    for (std::size_t i = 0; i < example.arguments.size(); ++i)
        chunk.annotation_row(first + example.arguments[i])[features + i] = 1;
    for (const auto& [node, bit] : example.marks) chunk.annotation_row(first + node)[features + bit] = 1;
    // 'End' is an isolated node of its own, flagged in the last bit.
    if (end_node) chunk.annotation_row(first + nodes)[shape_.annotation - 1] = 1;
    if (!targets || is_sequence(schema_->answer)) return;
    if (is_regression(schema_->answer)) {
        for (float v : example.values) chunk.targets.values.push_back(static_cast<T>(v));
    } else if (schema_->answer == AnswerKind::node) {
        chunk.targets.labels.push_back(first + example.labels[0]);
    } else {
        for (int label : example.labels) chunk.targets.labels.push_back(label);
    }
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
        labels[count] = nodes ? first + data.graphs[examples[g]->graph].graph.nodes() : shape_.outputs - 1;
    }
    if (schema_->observed) set_observed(chunk, data, examples);
}

// X^2, X^3, ... as given; past the end of a sequence they are never looked at. The 'end' node keeps its flag.
template <class T>
void Assembler<T>::set_observed(Chunk<T>& chunk, const Dataset& data,
                                const std::vector<const Example*>& examples) const {
    const std::size_t width = padded(shape_.annotation), given = schema_->features + schema_->arguments;
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
            if (schema_->answer == AnswerKind::node_sequence) rows[nodes * width + shape_.annotation - 1] = 1;
        }
    }
}

template class Assembler<float>;
template class Assembler<double>;

} // namespace ggsnn
