#include "ggsnn/nn/pairs.hpp"

#include <cmath>

namespace ggsnn {

namespace {

// r and its slope.
template <class T>
T rooted(T q) {
    return q / std::sqrt(std::sqrt(1 + q * q));
}

template <class T>
T rooted_slope(T q) {
    const T size = 1 + q * q;
    return (1 + q * q / 2) / (size * std::sqrt(std::sqrt(size)));
}

// body(graph, row, neighbour, link, weight) over the incoming edges of a type.
template <class T, class Body>
void for_pairs(const Chunk<T>& chunk, int type, Body body) {
    const Adjacency& edges = chunk.adjacency[static_cast<std::size_t>(2) * type + incoming];
    int graph = 0;
    for (int i = 0; i < edges.size(); ++i) {
        while (edges.rows[i] >= chunk.graph_start[graph + 1]) ++graph;
        for (int e = edges.starts[i]; e < edges.starts[i + 1]; ++e)
            body(graph, edges.rows[i], edges.neighbours[e], e,
                 edges.weights.empty() ? T(1) : static_cast<T>(edges.weights[e]));
    }
}

// body(graph, node)
template <class T, class Body>
void for_nodes(const Chunk<T>& chunk, Body body) {
    for (int g = 0; g < chunk.graphs(); ++g)
        for (int v = chunk.graph_start[g]; v < chunk.graph_start[g + 1]; ++v) body(g, v);
}

} // namespace

template <class T>
PairSums<T>::PairSums(const PairShape& shape, ParameterLayout& layout, const std::string& prefix)
    : shape_(shape) {
    const int in = shape.state + shape.annotation;
    wp_ = layout.matrix(prefix + "W_p", in, shape.pairs, 1 / std::sqrt(in));
    bp_ = layout.matrix(prefix + "b_p", 1, shape.pairs, 1 / std::sqrt(in));
    w_ = layout.matrix(prefix + "w_pairs", first_type + shape.edge_types, shape.pairs, 0.3);
}

// W_p^T: h part (C x Dp), x part (C x Xp).
template <class T>
std::size_t PairSums<T>::transposed_size() const {
    return static_cast<std::size_t>(shape_.pairs) * (padded(shape_.state) + padded(shape_.annotation));
}

template <class T>
void PairSums<T>::transpose_weights(const T* p, T* out) const {
    const int d = shape_.state, x = shape_.annotation, c = shape_.pairs, n = padded(d), nx = padded(x);
    transpose(p + wp_, d, c, width(), out, n);
    transpose(p + wp_ + static_cast<std::size_t>(d) * width(), x, c, width(),
              out + static_cast<std::size_t>(c) * n, nx);
}

template <class T>
const T* PairSums<T>::forward(const Chunk<T>& chunk, const T* parameters, const T* h, const T* x,
                              PairTape<T>& tape, const Team<T>& team) const {
    const auto& k = kernels<T>();
    const int n = padded(shape_.state), nx = padded(shape_.annotation);
    const std::size_t m = width(), nodes = chunk.nodes, size = chunk.graphs() * m;
    T* p = tape.p.get(nodes * m);
    team.for_rows(chunk.nodes, [&](Lane<T>&, int first, int last) {
        const std::size_t row = first;
        const Term<T> terms[2] = {{{h + row * n, n}, parameters + wp_, width(), shape_.state},
                                  {{x + row * nx, nx},
                                   parameters + wp_ + static_cast<std::size_t>(shape_.state) * m,
                                   width(),
                                   shape_.annotation}};
        k.product(last - first, width(), terms, 2, {p + row * m, width()}, Start::bias, parameters + bp_);
    });
    T* total = tape.total.zeroed(size);
    for_nodes(chunk, [&](int g, int v) {
        for (std::size_t c = 0; c < m; ++c) total[g * m + c] += p[v * m + c];
    });
    T* other = tape.other.get(nodes * m);
    const T *w_all = weights(parameters, all_row), *w_self = weights(parameters, self_row);
    for_nodes(chunk, [&](int g, int v) {
        for (std::size_t c = 0; c < m; ++c)
            other[v * m + c] = w_all[c] * total[g * m + c] + w_self[c] * p[v * m + c];
    });
    for (int type = 0; type < shape_.edge_types; ++type) {
        const T* w = weights(parameters, first_type + type);
        for_pairs(chunk, type, [&](int, int v, int u, int, T omega) {
            for (std::size_t c = 0; c < m; ++c) other[v * m + c] += w[c] * omega * p[u * m + c];
        });
    }
    T* q = tape.q.zeroed(size);
    for_nodes(chunk, [&](int g, int v) {
        for (std::size_t c = 0; c < m; ++c) q[g * m + c] += p[v * m + c] * other[v * m + c];
    });
    T* root = tape.root.get(size);
    for (std::size_t i = 0; i < size; ++i) root[i] = rooted(q[i]);
    return root;
}

// From d_root to dp, dw_pairs and, if wanted, the gradients of the links' weights.
template <class T>
void PairSums<T>::backward_sums(const Chunk<T>& chunk, const T* parameters, PairTape<T>& tape,
                                T* gradient) const {
    const std::size_t m = width(), size = chunk.graphs() * m;
    const T *p = tape.p.data(), *other = tape.other.data(), *total = tape.total.data();
    T* dq = tape.dq.get(size);
    for (std::size_t i = 0; i < size; ++i) dq[i] = tape.d_root.data()[i] * rooted_slope(tape.q.data()[i]);
    T* dp = tape.dp.get(chunk.nodes * m);
    const T *w_all = weights(parameters, all_row), *w_self = weights(parameters, self_row);
    T* dw = gradient + w_;
    for (int g = 0; g < chunk.graphs(); ++g)
        for (std::size_t c = 0; c < m; ++c)
            dw[all_row * m + c] += dq[g * m + c] * total[g * m + c] * total[g * m + c];
    for_nodes(chunk, [&](int g, int v) {
        for (std::size_t c = 0; c < m; ++c) {
            const T mine = p[v * m + c], d = dq[g * m + c];
            dp[v * m + c] = d * (other[v * m + c] + w_all[c] * total[g * m + c] + w_self[c] * mine);
            dw[self_row * m + c] += d * mine * mine;
        }
    });
    for (int type = 0; type < shape_.edge_types; ++type) {
        const T* w = weights(parameters, first_type + type);
        T* dw_type = dw + (first_type + type) * m;
        std::vector<T>* links = nullptr;
        if (tape.links != nullptr) {
            const std::size_t slot = static_cast<std::size_t>(2) * type + incoming;
            links = &(*tape.links)[slot];
            links->resize(chunk.adjacency[slot].neighbours.size(), T(0));
        }
        for_pairs(chunk, type, [&](int g, int v, int u, int link, T omega) {
            T by_weight = 0;
            for (std::size_t c = 0; c < m; ++c) {
                const T d = dq[g * m + c], product = p[v * m + c] * p[u * m + c];
                dp[u * m + c] += d * w[c] * omega * p[v * m + c];
                dw_type[c] += d * omega * product;
                by_weight += d * w[c] * product;
            }
            if (links != nullptr) (*links)[link] += by_weight;
        });
    }
}

template <class T>
void PairSums<T>::backward(const Chunk<T>& chunk, const T* parameters, const T* transposed, const T* h,
                           const T* x, PairTape<T>& tape, T* dh, T* dx, const Team<T>& team) const {
    const auto& k = kernels<T>();
    const int d = shape_.state, X = shape_.annotation, n = padded(d), nx = padded(X), m = width();
    backward_sums(chunk, parameters, tape, team.lane(0).gradient.data());
    const T* wp_x = transposed + static_cast<std::size_t>(shape_.pairs) * n;
    // [h, x] W_p + b_p
    team.for_rows(chunk.nodes, [&](Lane<T>& lane, int first, int last) {
        const int rows = last - first;
        const std::size_t row = first;
        T* grad = lane.gradient.data();
        const Rows<const T> dp{tape.dp.data() + row * m, m};
        k.outer(rows, d, m, {h + row * n, n}, dp, grad + wp_, m);
        k.outer(rows, X, m, {x + row * nx, nx}, dp, grad + wp_ + static_cast<std::size_t>(d) * m, m);
        k.column_sum(rows, m, dp, grad + bp_);
        const Term<T> to_h{dp, transposed, n, shape_.pairs}, to_x{dp, wp_x, nx, shape_.pairs};
        k.product(rows, n, &to_h, 1, {dh + row * n, n}, Start::accumulate, nullptr);
        if (dx != nullptr) k.product(rows, nx, &to_x, 1, {dx + row * nx, nx}, Start::accumulate, nullptr);
    });
}

template struct PairTape<float>;
template struct PairTape<double>;
template class PairSums<float>;
template class PairSums<double>;

} // namespace ggsnn
