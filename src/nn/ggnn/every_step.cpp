#include "ggsnn/nn/ggnn/every_step.hpp"

#include "ggsnn/nn/parameters.hpp"

#include <cstring>

namespace ggsnn {

template <class T>
std::size_t EveryStep<T>::prepared_size() const {
    if (at_.residual_rows == 0) return 0;
    return static_cast<std::size_t>(at_.sides) * at_.d * padded(annotation_);
}

template <class T>
void EveryStep<T>::prepare(const T* p, T* out) const {
    if (at_.residual_rows == 0) return;
    const int d = at_.d, n = padded(d), nx = padded(annotation_);
    for (int side = 0; side < at_.sides; ++side)
        transpose(p + at_.residual + side * n, annotation_, d, at_.sides * n,
                  out + static_cast<std::size_t>(side) * d * nx, nx);
}

template <class T>
void EveryStep<T>::rows(const Chunk<T>& chunk, const T* p, const T* x, T* base, int first, int last) const {
    const auto& k = kernels<T>();
    const int n = padded(at_.d), heard = at_.sides * n, nx = padded(annotation_);
    for (int row = first; row < last; ++row) {
        T* to = base + static_cast<std::size_t>(row) * heard;
        if (at_.authors) {
            std::memset(to, 0, heard * sizeof(T));
        } else {
            std::memcpy(to, p + at_.edge_bias, heard * sizeof(T));
        }
    }
    for (int slot = 0; slot < at_.slots && at_.edge_features > 0; ++slot) {
        const Adjacency& edges = chunk.adjacency[slot];
        const int begin = edges.lower(first), end = last >= chunk.nodes ? edges.size() : edges.lower(last);
        if (begin == end) continue;
        const std::ptrdiff_t wide = at_.edge_features;
        const Term<T> term{{chunk.edge_sums[slot].data() + begin * wide, wide},
                           p + at_.edge_matrix(slot),
                           n,
                           at_.edge_features};
        k.product(end - begin, n, &term, 1, {base + at_.side(slot) * n, heard, edges.rows.data() + begin},
                  Start::accumulate, nullptr);
    }
    if (at_.residual_rows == 0) return;
    const Term<T> term{{x + static_cast<std::size_t>(first) * nx, nx}, p + at_.residual, heard, annotation_};
    k.product(last - first, heard, &term, 1, {base + static_cast<std::size_t>(first) * heard, heard},
              Start::accumulate, nullptr);
}

template <class T>
void EveryStep<T>::backward_rows(const Chunk<T>& chunk, const T* prepared, const T* x, const T* d_base, T* dx,
                                 int first, int last, Lane<T>& lane) const {
    const auto& k = kernels<T>();
    const int n = padded(at_.d), heard = at_.sides * n, X = annotation_, nx = padded(X), d = at_.d;
    const std::size_t row = first;
    T* grad = lane.gradient.data();
    for (int slot = 0; slot < at_.slots && at_.edge_features > 0; ++slot) {
        const Adjacency& edges = chunk.adjacency[slot];
        const int begin = edges.lower(first), end = last >= chunk.nodes ? edges.size() : edges.lower(last);
        const std::ptrdiff_t wide = at_.edge_features;
        k.outer(end - begin, at_.edge_features, n, {chunk.edge_sums[slot].data() + begin * wide, wide},
                {d_base + at_.side(slot) * n, heard, edges.rows.data() + begin}, grad + at_.edge_matrix(slot),
                n);
    }
    if (at_.residual_rows == 0) return;
    const Rows<const T> from{d_base + row * heard, heard};
    k.outer(last - first, X, heard, {x + row * nx, nx}, from, grad + at_.residual, heard);
    if (dx == nullptr) return;
    const T* transposed = prepared;
    Term<T> terms[2];
    for (int side = 0; side < at_.sides; ++side)
        terms[side] = {from.at(side * n), transposed + static_cast<std::size_t>(side) * d * nx, nx, d};
    k.product(last - first, nx, terms, at_.sides, {dx + row * nx, nx}, Start::accumulate, nullptr);
}

template <class T>
void EveryStep<T>::sum_gradients(const Chunk<T>& chunk, const T* p, const T* d_base,
                                 std::vector<std::vector<T>>& to) const {
    const int n = padded(at_.d), heard = at_.sides * n, wide = at_.edge_features;
    to.resize(at_.slots);
    for (int slot = 0; slot < at_.slots; ++slot) {
        const Adjacency& edges = chunk.adjacency[slot];
        std::vector<T>& sums = to[slot];
        sums.resize(static_cast<std::size_t>(edges.size()) * wide, T(0));
        for (int i = 0; i < edges.size(); ++i) {
            const T* heard_row =
                d_base + static_cast<std::size_t>(edges.rows[i]) * heard + at_.side(slot) * n;
            for (int j = 0; j < wide; ++j) {
                const T* matrix = p + at_.edge_matrix(slot) + static_cast<std::size_t>(j) * n;
                for (int c = 0; c < n; ++c)
                    sums[static_cast<std::size_t>(i) * wide + j] += heard_row[c] * matrix[c];
            }
        }
    }
}

template class EveryStep<float>;
template class EveryStep<double>;

} // namespace ggsnn
