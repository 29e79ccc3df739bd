#include "ggsnn/nn/loss.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ggsnn {

void Outcome::add(const Outcome& other) {
    loss += other.loss;
    targets += other.targets;
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

template <class T>
bool cross_entropy(const T* scores, int count, std::ptrdiff_t stride, int target, T scale, T* d_scores,
                   double& loss) {
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
    return best == target;
}

namespace {

// Squared error over the values present (not NaN) among `count`.
template <class T>
void squared_error(const T* out, const T* values, int count, T scale, T* d_out, Outcome& outcome) {
    for (int i = 0; i < count; ++i) {
        if (std::isnan(values[i])) continue;
        const T difference = out[i] - values[i];
        outcome.loss += double(scale) * double(difference) * double(difference);
        outcome.absolute[i] += std::abs(double(difference));
        ++outcome.present[i];
        ++outcome.targets;
        if (d_out != nullptr) d_out[i] = 2 * scale * difference;
    }
}

} // namespace

template <class T>
void loss(Answer answer, const Chunk<T>& chunk, int outputs, int step, const T* out, T* d_out,
          Outcome& outcome, std::vector<char>& wrong) {
    const int m = padded(outputs), graphs = chunk.graphs();
    const Targets<T>& targets = chunk.targets;
    const std::size_t rows = is_per_node(answer) ? chunk.nodes : graphs;
    if (d_out != nullptr) std::memset(d_out, 0, rows * m * sizeof(T));
    const auto count = [&](int graph, bool right) {
        ++outcome.targets;
        outcome.correct += right ? 1 : 0;
        if (!right) wrong[graph] = 1;
    };
    const auto gradient = [&](std::size_t row) { return d_out != nullptr ? d_out + row * m : nullptr; };
    if (is_regression(answer)) {
        outcome.absolute.resize(outputs);
        outcome.present.resize(outputs);
        for (std::size_t row = 0; row < rows; ++row)
            squared_error(out + row * m, targets.values.data() + row * outputs, outputs, chunk.scale,
                          gradient(row), outcome);
        return;
    }
    for (int graph = 0; graph < graphs; ++graph) {
        const int first = chunk.graph_start[graph], last = chunk.graph_start[graph + 1];
        if (answer == Answer::node_class) {
            for (int v = first; v < last; ++v) {
                if (targets.labels[v] < 0) continue;
                count(graph, cross_entropy(out + static_cast<std::size_t>(v) * m, outputs, 1,
                                           targets.labels[v], chunk.scale, gradient(v), outcome.loss));
            }
            continue;
        }
        const int label = targets.labels[static_cast<std::size_t>(graph) * targets.steps + step];
        if (label < 0) continue;
        if (answer == Answer::node) {
            count(graph, cross_entropy(out + static_cast<std::size_t>(first) * m, last - first, m,
                                       label - first, chunk.scale, gradient(first), outcome.loss));
        } else {
            count(graph, cross_entropy(out + static_cast<std::size_t>(graph) * m, outputs, 1, label,
                                       chunk.scale, gradient(graph), outcome.loss));
        }
    }
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

template void loss(Answer, const Chunk<float>&, int, int, const float*, float*, Outcome&, std::vector<char>&);
template void loss(Answer, const Chunk<double>&, int, int, const double*, double*, Outcome&,
                   std::vector<char>&);
template void annotation_loss(const Chunk<float>&, const float*, const float*, const std::vector<char>&,
                              float*, Outcome&);
template void annotation_loss(const Chunk<double>&, const double*, const double*, const std::vector<char>&,
                              double*, Outcome&);
template bool cross_entropy(const float*, int, std::ptrdiff_t, int, float, float*, double&);
template bool cross_entropy(const double*, int, std::ptrdiff_t, int, double, double*, double&);
template void softmax(const float*, int, std::ptrdiff_t, std::vector<double>&);
template void softmax(const double*, int, std::ptrdiff_t, std::vector<double>&);

} // namespace ggsnn
