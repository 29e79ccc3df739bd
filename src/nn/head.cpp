#include "ggsnn/nn/head.hpp"

#include "ggsnn/nn/heads/heads.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ggsnn {

// Of nn/heads.
const Head& node_head();
const Head& class_head();
const Head& value_head();
const Head& node_class_head();
const Head& node_value_head();

namespace {

struct AnswerEntry {
    AnswerKind kind;
    const char* name;
    const Head& (*head)();
    bool sequence;
};

// In the order of the enumeration.
constexpr AnswerEntry answer_table[] = {
    {AnswerKind::node, "node", node_head, false},
    {AnswerKind::klass, "class", class_head, false},
    {AnswerKind::values, "numbers", value_head, false},
    {AnswerKind::node_classes, "node_classes", node_class_head, false},
    {AnswerKind::node_values, "node_numbers", node_value_head, false},
    {AnswerKind::node_sequence, "nodes", node_head, true},
    {AnswerKind::class_sequence, "classes", class_head, true},
};

constexpr auto all_kinds = [] {
    std::array<AnswerKind, std::size(answer_table)> kinds{};
    for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = answer_table[i].kind;
    return kinds;
}();

const AnswerEntry& entry(AnswerKind kind) {
    const AnswerEntry& found = answer_table[static_cast<std::size_t>(kind)];
    GGSNN_ASSERT(found.kind == kind);
    return found;
}

} // namespace

std::span<const AnswerKind> answer_kinds() {
    return all_kinds;
}

const char* name_of(AnswerKind kind) {
    return entry(kind).name;
}

AnswerKind answer_kind_named(const std::string& name) {
    for (const AnswerEntry& each : answer_table)
        if (each.name == name) return each.kind;
    fail("unknown kind of answer \"{}\"", name);
}

const Head& head_of(AnswerKind kind) {
    return entry(kind).head();
}

bool is_sequence(AnswerKind kind) {
    return entry(kind).sequence;
}

bool is_regression(AnswerKind kind) {
    return head_of(kind).traits.numbers;
}

bool has_classes(AnswerKind kind) {
    return head_of(kind).traits.classes;
}

bool is_each_node(AnswerKind kind) {
    return head_of(kind).traits.each_node;
}

bool is_plain(AnswerKind kind) {
    return head_of(kind).traits.plain;
}

void Outcome::add(const Outcome& other) {
    loss += other.loss;
    targets += other.targets;
    weight += other.weight;
    correct += other.correct;
    answers += other.answers;
    solved += other.solved;
    if (absolute.size() < other.absolute.size()) {
        absolute.resize(other.absolute.size());
        present.resize(other.present.size());
    }
    for (std::size_t i = 0; i < other.absolute.size(); ++i) {
        absolute[i] += other.absolute[i];
        present[i] += other.present[i];
    }
}

template <class T>
void softmax(const T* scores, int count, std::ptrdiff_t stride, std::vector<double>& p) {
    p.resize(count);
    double top = -INFINITY, sum = 0;
    for (int i = 0; i < count; ++i) top = std::max<double>(top, scores[i * stride]);
    for (int i = 0; i < count; ++i) sum += p[i] = std::exp(double(scores[i * stride]) - top);
    for (int i = 0; i < count; ++i) p[i] /= sum;
}

// The target was one label; a share of it moves to all labels alike.
template <class T>
static void smooth(const T* scores, int count, std::ptrdiff_t stride, int target, T scale, T* d_scores,
                   double& loss, T share) {
    double mean = 0;
    for (int i = 0; i < count; ++i) mean += double(scores[i * stride]) / count;
    loss += double(scale) * double(share) * (double(scores[target * stride]) - mean);
    if (d_scores == nullptr) return;
    for (int i = 0; i < count; ++i) d_scores[i * stride] -= scale * share / static_cast<T>(count);
    d_scores[target * stride] += scale * share;
}

template <class T>
bool cross_entropy(const T* scores, int count, std::ptrdiff_t stride, int target, T scale, T* d_scores,
                   double& loss, T smoothing) {
    double top = -INFINITY;
    int best = 0;
    for (int i = 0; i < count; ++i) {
        if (scores[i * stride] > top) {
            top = scores[i * stride];
            best = i;
        }
    }
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += std::exp(double(scores[i * stride]) - top);
    loss += double(scale) * (std::log(sum) + top - double(scores[target * stride]));
    if (d_scores != nullptr) {
        const double factor = double(scale) / sum;
        for (int i = 0; i < count; ++i)
            d_scores[i * stride] = static_cast<T>(std::exp(double(scores[i * stride]) - top) * factor);
        d_scores[target * stride] -= scale;
    }
    if (smoothing > 0) smooth(scores, count, stride, target, scale, d_scores, loss, smoothing);
    return best == target;
}

template <class T>
void annotation_loss(const Chunk<T>& chunk, const T* x_next, const T* observed,
                     const std::vector<char>& active, T* d_scores, Outcome& outcome) {
    const int width = padded(chunk.annotation);
    for (int graph = 0; graph < chunk.graphs(); ++graph) {
        const int first = chunk.graph_start[graph], last = chunk.graph_start[graph + 1];
        const T weight = active[graph] != 0 ? chunk.scale / T((last - first) * chunk.annotation) : T(0);
        for (int v = first; v < last; ++v) {
            for (int j = 0; j < width; ++j) {
                const std::size_t at = static_cast<std::size_t>(v) * width + j;
                d_scores[at] = 0;
                if (j >= chunk.annotation || weight == 0) continue;
                const double p = std::clamp(double(x_next[at]), 1e-12, 1 - 1e-7), y = observed[at];
                outcome.loss -= double(weight) * (y * std::log(p) + (1 - y) * std::log1p(-p));
                d_scores[at] = weight * (x_next[at] - observed[at]);
            }
        }
    }
}

template void annotation_loss(const Chunk<float>&, const float*, const float*, const std::vector<char>&,
                              float*, Outcome&);
template void annotation_loss(const Chunk<double>&, const double*, const double*, const std::vector<char>&,
                              double*, Outcome&);
template bool cross_entropy(const float*, int, std::ptrdiff_t, int, float, float*, double&, float);
template bool cross_entropy(const double*, int, std::ptrdiff_t, int, double, double*, double&, double);
template void softmax(const float*, int, std::ptrdiff_t, std::vector<double>&);
template void softmax(const double*, int, std::ptrdiff_t, std::vector<double>&);

} // namespace ggsnn
