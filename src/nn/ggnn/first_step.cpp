#include "ggsnn/nn/ggnn/first_step.hpp"

#include "ggsnn/nn/parameters.hpp"

#include <algorithm>

namespace ggsnn {

template <class T>
FirstStep<T>::FirstStep(const PropagationOffsets& at, int annotation) : at_(at), annotation_(annotation) {
    depth_ = at.slots * slot_depth() + (at.authors ? 0 : 1);
    // Small states have kernels of their own. Training takes two products of S and dg, in place of a W
    // forward and two of its size backward.
    worth_ =
        !at.has_base() && at.plain() && at.d > padding && depth_ > 0 && 2 * depth_ <= 3 * at.sides * at.d;
}

template <class T>
template <class Body>
void FirstStep<T>::for_blocks(Body body) const {
    const int n = padded(at_.d);
    for (int slot = 0; slot < at_.slots; ++slot) {
        const int row = slot * slot_depth();
        body(row, at_.message(slot), annotation_, at_.side(slot));
        if (at_.authors)
            body(row + annotation_, at_.message(slot) + static_cast<std::size_t>(at_.d) * n, 1,
                 at_.side(slot));
    }
    for (int side = 0; side < at_.sides && !at_.authors; ++side)
        body(depth_ - 1, at_.edge_bias + static_cast<std::size_t>(side) * n, 1, side);
}

template <class T>
std::size_t FirstStep<T>::gradient_size() const {
    return worth_ ? static_cast<std::size_t>(depth_) * 3 * padded(at_.d) : 0;
}

template <class T>
std::size_t FirstStep<T>::prepared_size() const {
    return worth_ ? gradient_size() + static_cast<std::size_t>(3) * at_.d * width() : 0;
}

template <class T>
void FirstStep<T>::prepare(const T* p, bool for_backward, T* out) const {
    if (!worth_) return;
    const auto& k = kernels<T>();
    const int d = at_.d, n = padded(d);
    const std::size_t square = static_cast<std::size_t>(d) * n;
    std::fill(out, out + gradient_size(), T(0));
    for_blocks([&](int row, std::size_t weights, int rows, int side) {
        const Rows<T> to{out + static_cast<std::size_t>(row) * 3 * n, 3 * n};
        const Rows<const T> from{p + weights, n};
        const Term<T> zr{from, p + at_.gates_zr + 2 * side * square, 2 * n, d};
        const Term<T> h{from, p + at_.gates_h + side * square, n, d};
        k.product(rows, 2 * n, &zr, 1, to, Start::accumulate, nullptr);
        k.product(rows, n, &h, 1, to.at(2 * n), Start::accumulate, nullptr);
    });
    if (!for_backward) return;
    for (int gate = 0; gate < 3; ++gate)
        transpose(out + gate * n, depth_, d, 3 * n,
                  out + gradient_size() + static_cast<std::size_t>(gate) * d * width(), width());
}

template <class T>
void FirstStep<T>::finish(const T* p, const T* w_transposed, const T* d_first, T* gradient) const {
    if (!worth_) return;
    const auto& k = kernels<T>();
    const int d = at_.d, n = padded(d);
    const std::size_t square = static_cast<std::size_t>(d) * n;
    for_blocks([&](int row, std::size_t weights, int rows, int side) {
        const Rows<const T> from{d_first + static_cast<std::size_t>(row) * 3 * n, 3 * n};
        Term<T> terms[3];
        for (int gate = 0; gate < 3; ++gate)
            terms[gate] = {from.at(gate * n), w_transposed + at_.sides * gate * square + side * n,
                           at_.sides * n, d};
        k.product(rows, n, terms, 3, {gradient + weights, n}, Start::accumulate, nullptr);
        const Rows<const T> left{p + weights, n};
        k.outer(rows, d, 2 * n, left, from, gradient + at_.gates_zr + 2 * side * square, 2 * n);
        k.outer(rows, d, n, left, from.at(2 * n), gradient + at_.gates_h + side * square, n);
    });
}

template <class T>
void FirstStep<T>::add(const T* from, std::span<const float> weights, int link, T* to) const {
    if (weights.empty()) {
        for (int j = 0; j < annotation_; ++j) to[j] += from[j];
    } else {
        const T weight = static_cast<T>(weights[link]);
        for (int j = 0; j < annotation_; ++j) to[j] += weight * from[j];
    }
}

template <class T>
void FirstStep<T>::sums(const Chunk<T>& chunk, const T* x, int first, int last, T* out) const {
    const std::ptrdiff_t wide = width(), ldx = padded(annotation_);
    std::fill(out, out + wide * (last - first), T(0));
    for (int slot = 0; slot < at_.slots; ++slot) {
        const Adjacency& edges = chunk.adjacency[slot];
        const int end = last >= chunk.nodes ? edges.size() : edges.lower(last);
        for (int i = edges.lower(first); i < end; ++i) {
            T* to = out + wide * (edges.rows[i] - first) + static_cast<std::ptrdiff_t>(slot) * slot_depth();
            for (int e = edges.starts[i]; e < edges.starts[i + 1]; ++e) {
                const T* from = x + edges.neighbours[e] * ldx;
                add(from, edges.weights, e, to);
            }
            if (at_.authors) to[annotation_] = edges.template weight<T>(i);
        }
    }
    for (int row = 0; row < last - first && !at_.authors; ++row) out[wide * row + depth_ - 1] = 1;
}

template <class T>
void FirstStep<T>::spread(const Chunk<T>& chunk, const T* d_sums, int first, int last, T* dx, int ldx) const {
    const std::ptrdiff_t wide = width();
    for (int slot = 0; slot < at_.slots; ++slot) {
        // What v received over an edge in one direction, u sent in the other.
        const Adjacency& edges = chunk.adjacency[slot ^ 1];
        const int end = last >= chunk.nodes ? edges.size() : edges.lower(last);
        for (int i = edges.lower(first); i < end; ++i) {
            T* to = dx + static_cast<std::ptrdiff_t>(edges.rows[i]) * ldx;
            for (int e = edges.starts[i]; e < edges.starts[i + 1]; ++e) {
                const T* from =
                    d_sums + wide * edges.neighbours[e] + static_cast<std::ptrdiff_t>(slot) * slot_depth();
                add(from, edges.sent_weights, e, to);
            }
        }
    }
}

template class FirstStep<float>;
template class FirstStep<double>;

} // namespace ggsnn
