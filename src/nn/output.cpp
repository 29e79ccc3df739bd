#include "ggsnn/nn/output.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

namespace {

// d *= 1 - y^2, the slope of tanh at y = tanh(.), over count numbers.
template <class T>
void tanh_slope(std::size_t count, const T* y, T* d) {
    for (std::size_t i = 0; i < count; ++i) d[i] *= 1 - y[i] * y[i];
}

} // namespace

template <class T>
NodeOutput<T>::NodeOutput(const OutputShape& shape, ParameterLayout& layout, const std::string& prefix)
    : shape_(shape) {
    const int d = shape.state, in = d + shape.annotation;
    const double bound = 1 / std::sqrt(in), hidden_bound = 1 / std::sqrt(d);
    if (!shape.linear) {
        w1_ = layout.matrix(prefix + "W_1", in, d, bound);
        b1_ = layout.matrix(prefix + "b_1", 1, d, bound);
    }
    w2_ = layout.matrix(prefix + "W_2", d, shape.outputs, hidden_bound);
    b2_ = layout.matrix(prefix + "b_2", 1, shape.outputs, hidden_bound);
    if (!shape.gated) return;
    wg_ = layout.matrix(prefix + "W_g", in, 1, bound);
    bg_ = layout.matrix(prefix + "b_g", 1, 1, bound);
}

// W_1^T: h part (D x Dp), x part (D x Xp); W_2^T (outputs x Dp); w_g^T: h part (1 x Dp), x part (1 x Xp).
template <class T>
std::size_t NodeOutput<T>::transposed_size() const {
    const std::size_t n = padded(shape_.state), nx = padded(shape_.annotation);
    if (shape_.linear) return shape_.outputs * n;
    return shape_.state * (n + nx) + shape_.outputs * n + (shape_.gated ? n + nx : 0);
}

template <class T>
void NodeOutput<T>::transpose_weights(const T* p, T* out) const {
    const int d = shape_.state, x = shape_.annotation, n = padded(d), nx = padded(x);
    if (shape_.linear) {
        transpose(p + w2_, d, shape_.outputs, width(), out, n);
        return;
    }
    transpose(p + w1_, d, d, n, out, n);
    out += static_cast<std::size_t>(d) * n;
    transpose(p + w1_ + static_cast<std::size_t>(d) * n, x, d, n, out, nx);
    out += static_cast<std::size_t>(d) * nx;
    transpose(p + w2_, d, shape_.outputs, width(), out, n);
    if (!shape_.gated) return;
    out += static_cast<std::size_t>(shape_.outputs) * n;
    transpose(p + wg_, d, 1, padding, out, n);
    transpose(p + wg_ + static_cast<std::size_t>(d) * padding, x, 1, padding, out + n, nx);
}

template <class T>
typename NodeOutput<T>::Inner NodeOutput<T>::inner(int first, int rows, const OutputTape<T>& tape,
                                                   Lane<T>& lane, bool kept) const {
    const std::size_t row = first, count = rows, n = padded(shape_.state);
    if (kept)
        return {tape.hidden.data() + row * n, shape_.gated ? tape.gate.data() + row * padding : nullptr};
    return {lane.scratch().rh.get(count * n), shape_.gated ? lane.scratch().g.get(count * padding) : nullptr};
}

template <class T>
void NodeOutput<T>::compute(const T* p, const T* h, const T* x, int first, int rows, const Inner& to) const {
    const auto& k = kernels<T>();
    const int d = shape_.state, n = padded(d), nx = padded(shape_.annotation);
    const std::size_t row = first;
    const auto layer = [&](std::size_t weights, std::size_t bias, int wide, T* out) {
        const Term<T> terms[2] = {
            {{h + row * n, n}, p + weights, wide, d},
            {{x + row * nx, nx}, p + weights + static_cast<std::size_t>(d) * wide, wide, shape_.annotation}};
        k.product(rows, wide, terms, 2, {out, wide}, Start::bias, p + bias);
    };
    layer(w1_, b1_, n, to.hidden); // g(h, x) of section 3.3
    k.tanh(rows, n, {to.hidden, n});
    if (to.gate == nullptr) return;
    layer(wg_, bg_, padding, to.gate);
    k.sigmoid(rows, padding, {to.gate, padding});
}

template <class T>
T* NodeOutput<T>::forward(const Chunk<T>& chunk, const T* p, const T* h, const T* x, OutputTape<T>& tape,
                          const Team<T>& team) const {
    const auto& k = kernels<T>();
    const int d = shape_.state, n = padded(d), m = width();
    const std::size_t nodes = chunk.nodes;
    if (keeps(team)) tape.hidden.get(nodes * n);
    if (keeps(team) && shape_.gated) tape.gate.get(nodes * padding);
    T* out = tape.out.get(nodes * m);
    team.for_rows(chunk.counting(0), [&](Lane<T>& lane, int first, int last) {
        const int rows = last - first;
        T* out_rows = out + static_cast<std::size_t>(first) * m;
        const Inner at = inner(first, rows, tape, lane, keeps(team));
        if (!shape_.linear) compute(p, h, x, first, rows, at);
        const T* below = shape_.linear ? h + static_cast<std::size_t>(first) * n : at.hidden;
        const Term<T> second{{below, n}, p + w2_, m, d};
        k.product(rows, m, &second, 1, {out_rows, m}, Start::bias, p + b2_);
        for (std::ptrdiff_t i = 0; i < rows && at.gate != nullptr; ++i)
            out_rows[i * m] *= at.gate[i * padding];
    });
    return out;
}

// h W_2 + b_2 in reverse.
template <class T>
void NodeOutput<T>::backward_linear(const T* transposed, const T* h, OutputTape<T>& tape, T* dh, Start start,
                                    int first, int last, Lane<T>& lane) const {
    const auto& k = kernels<T>();
    const int rows = last - first, n = padded(shape_.state), m = width();
    const std::size_t row = first;
    const Rows<const T> d_out{tape.d_out.data() + row * m, m};
    T* grad = lane.gradient.data();
    k.outer(rows, shape_.state, m, {h + row * n, n}, d_out, grad + w2_, m);
    k.column_sum(rows, m, d_out, grad + b2_);
    const Term<T> back{d_out, transposed, n, shape_.outputs};
    k.product(rows, n, &back, 1, {dh + row * n, n}, start, nullptr);
}

template <class T>
void NodeOutput<T>::backward(const Chunk<T>& chunk, const T* p, const T* transposed, const T* h, const T* x,
                             OutputTape<T>& tape, T* dh, T* dx, Start start, const Team<T>& team) const {
    const auto& k = kernels<T>();
    const int d = shape_.state, X = shape_.annotation, n = padded(d), nx = padded(X), m = width();
    const T* w1h = transposed;
    const T* w1x = w1h + static_cast<std::size_t>(d) * n;
    const T* w2 = w1x + static_cast<std::size_t>(d) * nx;
    const T* wgh = w2 + static_cast<std::size_t>(shape_.outputs) * n;
    const T* wgx = wgh + n;
    const std::size_t counting = chunk.counting(0);
    if (start == Start::zero)
        std::fill(dh + counting * n, dh + static_cast<std::size_t>(chunk.nodes) * n, T(0));
    team.for_rows(chunk.counting(0), [&](Lane<T>& lane, int first, int last) {
        const int rows = last - first;
        const std::size_t row = first, count = rows;
        T* grad = lane.gradient.data();
        if (shape_.linear) {
            backward_linear(transposed, h, tape, dh, start, first, last, lane);
            return;
        }
        const Rows<const T> h_rows{h + row * n, n}, x_rows{x + row * nx, nx};
        const Inner at = inner(first, rows, tape, lane, keeps(team));
        if (!keeps(team)) compute(p, h, x, first, rows, at);
        T* d_out = tape.d_out.data() + row * m;
        T* d_gate = shape_.gated ? lane.scratch().other.zeroed(count * padding) : nullptr;
        // out = score . sigma(gate): out is the product, so score . slope(gate) = out (1 - gate)
        for (std::size_t i = 0; d_gate != nullptr && i < count; ++i) {
            const T gate = at.gate[i * padding];
            d_gate[i * padding] = d_out[i * m] * tape.out.data()[(row + i) * m] * (1 - gate);
            d_out[i * m] *= gate;
        }
        const Rows<const T> d_out_rows{d_out, m};
        // hidden W_2 + b_2
        T* d_hidden = lane.scratch().drh.get(count * n);
        k.outer(rows, d, m, {at.hidden, n}, d_out_rows, grad + w2_, m);
        k.column_sum(rows, m, d_out_rows, grad + b2_);
        const Term<T> back{d_out_rows, w2, n, shape_.outputs};
        k.product(rows, n, &back, 1, {d_hidden, n}, Start::zero, nullptr);
        tanh_slope(count * n, at.hidden, d_hidden);
        // [h, x] W_1 + b_1 and [h, x] w_g + b_g
        const Rows<const T> d_hidden_rows{d_hidden, n};
        const Rows<const T> d_gate_rows{d_gate, padding};
        k.outer(rows, d, n, h_rows, d_hidden_rows, grad + w1_, n);
        k.outer(rows, X, n, x_rows, d_hidden_rows, grad + w1_ + static_cast<std::size_t>(d) * n, n);
        k.column_sum(rows, n, d_hidden_rows, grad + b1_);
        if (d_gate != nullptr) {
            k.outer(rows, d, padding, h_rows, d_gate_rows, grad + wg_, padding);
            k.outer(rows, X, padding, x_rows, d_gate_rows, grad + wg_ + static_cast<std::size_t>(d) * padding,
                    padding);
            k.column_sum(rows, padding, d_gate_rows, grad + bg_);
        }
        const int terms = d_gate != nullptr ? 2 : 1;
        const Term<T> to_h[2] = {{d_hidden_rows, w1h, n, d}, {d_gate_rows, wgh, n, 1}};
        k.product(rows, n, to_h, terms, {dh + row * n, n}, start, nullptr);
        if (dx == nullptr) return;
        const Term<T> to_x[2] = {{d_hidden_rows, w1x, nx, d}, {d_gate_rows, wgx, nx, 1}};
        k.product(rows, nx, to_x, terms, {dx + row * nx, nx}, Start::accumulate, nullptr);
    });
}

template <class T>
GraphOutput<T>::GraphOutput(const OutputShape& shape, ParameterLayout& layout, const std::string& prefix)
    : shape_(shape) {
    const int d = shape.state, in = d + shape.annotation;
    const double bound = 1 / std::sqrt(in), hidden_bound = 1 / std::sqrt(d);
    wij_ = layout.block(in, d, 2);
    bij_ = layout.block(1, d, 2);
    const char* const names[] = {"i", "j"};
    for (int part = 0; part < 2; ++part) {
        layout.name(prefix + "W_" + names[part], wij_, 0, in, d, part, 2, bound);
        layout.name(prefix + "b_" + names[part], bij_, 0, 1, d, part, 2, bound);
    }
    if (shape.hidden) {
        w1_ = layout.matrix(prefix + "W_1", d, d, hidden_bound);
        b1_ = layout.matrix(prefix + "b_1", 1, d, hidden_bound);
    }
    w2_ = layout.matrix(prefix + "W_2", d, shape.outputs, hidden_bound);
    b2_ = layout.matrix(prefix + "b_2", 1, shape.outputs, hidden_bound);
    if (shape.pairs == 0) return;
    pairs_.emplace(PairShape{d, shape.annotation, shape.edge_types, shape.pairs}, layout, prefix);
    wr_ = layout.matrix(prefix + "W_r", shape.pairs, above(), 1 / std::sqrt(shape.pairs));
}

// W_ij^T: h part (2 D x Dp), x part (2 D x Xp); W_2^T (outputs x Dp); W_1^T (D x Dp). Then those of pairs,
// and W_r^T (D or outputs x Cp).
template <class T>
std::size_t GraphOutput<T>::transposed_pairs() const {
    const std::size_t d = shape_.state, n = padded(shape_.state), nx = padded(shape_.annotation);
    return 2 * d * (n + nx) + shape_.outputs * n + d * n;
}

template <class T>
std::size_t GraphOutput<T>::transposed_size() const {
    if (!pairs_) return transposed_pairs();
    return transposed_pairs() + pairs_->transposed_size() +
           static_cast<std::size_t>(above()) * pairs_->width();
}

template <class T>
void GraphOutput<T>::transpose_weights(const T* p, T* out) const {
    const int d = shape_.state, x = shape_.annotation, n = padded(d), nx = padded(x);
    if (pairs_) {
        T* at = out + transposed_pairs();
        pairs_->transpose_weights(p, at);
        transpose(p + wr_, shape_.pairs, above(), padded(above()), at + pairs_->transposed_size(),
                  pairs_->width());
    }
    for (int part = 0; part < 2; ++part)
        transpose(p + wij_ + part * n, d, d, 2 * n, out + static_cast<std::size_t>(part) * d * n, n);
    out += static_cast<std::size_t>(2) * d * n;
    for (int part = 0; part < 2; ++part)
        transpose(p + wij_ + static_cast<std::size_t>(d) * 2 * n + part * n, x, d, 2 * n,
                  out + static_cast<std::size_t>(part) * d * nx, nx);
    out += static_cast<std::size_t>(2) * d * nx;
    transpose(p + w2_, d, shape_.outputs, width(), out, n);
    out += static_cast<std::size_t>(shape_.outputs) * n;
    if (shape_.hidden) transpose(p + w1_, d, d, n, out, n);
}

template <class T>
T* GraphOutput<T>::forward(const Chunk<T>& chunk, const T* p, const T* h, const T* x, OutputTape<T>& tape,
                           const Team<T>& team) const {
    const auto& k = kernels<T>();
    const int d = shape_.state, n = padded(d), nx = padded(shape_.annotation), m = width();
    const std::size_t nodes = chunk.nodes, graphs = chunk.graphs();
    T* ij = tape.gate.get(nodes * 2 * n); // sigma(i) | tanh(j)
    T* gated = tape.hidden.get(std::max(nodes, graphs) * n);
    team.for_rows(chunk.nodes, [&](Lane<T>&, int first, int last) {
        const int rows = last - first;
        const std::size_t row = first;
        const Rows<T> ij_rows{ij + row * 2 * n, 2 * n};
        const Term<T> terms[2] = {
            {{h + row * n, n}, p + wij_, 2 * n, d},
            {{x + row * nx, nx}, p + wij_ + static_cast<std::size_t>(d) * 2 * n, 2 * n, shape_.annotation}};
        k.product(rows, 2 * n, terms, 2, ij_rows, Start::bias, p + bij_); // i, j of Eq. 7
        k.sigmoid(rows, n, ij_rows);
        k.tanh(rows, n, ij_rows.at(n));
        for (int i = first; i < last; ++i) {
            const T* values = ij + static_cast<std::size_t>(i) * 2 * n;
            for (int j = 0; j < n; ++j)
                gated[static_cast<std::size_t>(i) * n + j] = values[j] * values[n + j];
        }
    });
    T* sum = tape.sum.zeroed(2 * graphs * n); // h_G (Eq. 7), then the hidden layer
    for (std::size_t graph = 0; graph < graphs; ++graph) {
        const int first = chunk.graph_start[graph];
        k.column_sum(chunk.graph_start[graph + 1] - first, n,
                     {gated + static_cast<std::size_t>(first) * n, n}, sum + graph * n);
    }
    const int rows = chunk.graphs();
    if (shape_.squashed) k.tanh(rows, n, {sum, n}); // the outer tanh of Eq. 7
    Term<T> beside{};
    if (pairs_)
        beside = {{pairs_->forward(chunk, p, h, x, tape.pairs, team), pairs_->width()},
                  p + wr_,
                  padded(above()),
                  shape_.pairs};
    const int with_pairs = pairs_ ? 2 : 1;
    const T* top = sum;
    if (shape_.hidden) {
        T* hidden = sum + graphs * n;
        const Term<T> first[2] = {{{sum, n}, p + w1_, n, d}, beside};
        k.product(rows, n, first, with_pairs, {hidden, n}, Start::bias, p + b1_);
        k.tanh(rows, n, {hidden, n});
        top = hidden;
    }
    T* out = tape.out.get(graphs * m);
    const Term<T> second[2] = {{{top, n}, p + w2_, m, d}, beside};
    k.product(rows, m, second, shape_.hidden ? 1 : with_pairs, {out, m}, Start::bias, p + b2_);
    return out;
}

template <class T>
void GraphOutput<T>::backward(const Chunk<T>& chunk, const T* p, const T* transposed, const T* h, const T* x,
                              OutputTape<T>& tape, T* dh, T* dx, Start start, const Team<T>& team) const {
    const auto& k = kernels<T>();
    const int d = shape_.state, X = shape_.annotation, n = padded(d), nx = padded(X), m = width();
    const int graphs = chunk.graphs();
    const std::size_t graph_size = static_cast<std::size_t>(graphs) * n;
    const T* wij_h = transposed;
    const T* wij_x = wij_h + static_cast<std::size_t>(2) * d * n;
    const T* w2 = wij_x + static_cast<std::size_t>(2) * d * nx;
    const T* w1 = w2 + static_cast<std::size_t>(shape_.outputs) * n;
    const T* sum = tape.sum.data();
    const bool hidden = shape_.hidden;
    const T* top = hidden ? sum + graph_size : sum;
    T* grad = team.lane(0).gradient.data();
    const Rows<const T> d_out{tape.d_out.data(), m};

    // top W_2 + b_2
    k.outer(graphs, d, m, {top, n}, d_out, grad + w2_, m);
    k.column_sum(graphs, m, d_out, grad + b2_);
    T* d_top = tape.d_sum.get(2 * graph_size);
    const Term<T> back{d_out, w2, n, shape_.outputs};
    k.product(graphs, n, &back, 1, {d_top, n}, Start::zero, nullptr);
    T* d_sum = d_top;
    if (hidden) tanh_slope(graph_size, top, d_top); // tanh(h_G W_1 + b_1 + r W_r)
    if (pairs_) {
        const int c = pairs_->width();
        const Rows<const T> d_above = hidden ? Rows<const T>{d_top, n} : d_out;
        k.outer(graphs, shape_.pairs, padded(above()), {tape.pairs.root.data(), c}, d_above, grad + wr_,
                padded(above()));
        const Term<T> down{d_above, transposed + transposed_pairs() + pairs_->transposed_size(), c, above()};
        k.product(graphs, c, &down, 1, {tape.pairs.d_root.get(static_cast<std::size_t>(graphs) * c), c},
                  Start::zero, nullptr);
    }
    if (hidden) {
        k.outer(graphs, d, n, {sum, n}, {d_top, n}, grad + w1_, n);
        k.column_sum(graphs, n, {d_top, n}, grad + b1_);
        d_sum = d_top + graph_size;
        const Term<T> down{{d_top, n}, w1, n, d};
        k.product(graphs, n, &down, 1, {d_sum, n}, Start::zero, nullptr);
    }
    if (shape_.squashed) tanh_slope(graph_size, sum, d_sum); // the outer tanh of Eq. 7

    // sum over the nodes of sigma(i) . tanh(j) (Eq. 7)
    const T* ij = tape.gate.data();
    team.for_rows(chunk.nodes, [&](Lane<T>& lane, int first, int last) {
        const int rows = last - first;
        const std::size_t row = first;
        T* lane_grad = lane.gradient.data();
        T* d_ij = lane.scratch().da.get(static_cast<std::size_t>(rows) * 2 * n);
        int graph =
            static_cast<int>(std::upper_bound(chunk.graph_start.begin(), chunk.graph_start.end(), first) -
                             chunk.graph_start.begin()) -
            1;
        for (int v = first; v < last; ++v) {
            while (v >= chunk.graph_start[graph + 1]) ++graph;
            const T* value = ij + static_cast<std::size_t>(v) * 2 * n;
            const T* ds = d_sum + static_cast<std::size_t>(graph) * n;
            T* dv = d_ij + static_cast<std::size_t>(v - first) * 2 * n;
            for (int j = 0; j < n; ++j) {
                const T s = value[j], t = value[n + j];
                dv[j] = ds[j] * t * s * (1 - s);
                dv[n + j] = ds[j] * s * (1 - t * t);
            }
        }
        // [i, j] = [h, x] W_ij + b_ij (of Eq. 7)
        const Rows<const T> d_rows{d_ij, 2 * n};
        k.outer(rows, d, 2 * n, {h + row * n, n}, d_rows, lane_grad + wij_, 2 * n);
        k.outer(rows, X, 2 * n, {x + row * nx, nx}, d_rows,
                lane_grad + wij_ + static_cast<std::size_t>(d) * 2 * n, 2 * n);
        k.column_sum(rows, 2 * n, d_rows, lane_grad + bij_);
        const Term<T> to_h[2] = {{d_rows, wij_h, n, d},
                                 {d_rows.at(n), wij_h + static_cast<std::size_t>(d) * n, n, d}};
        k.product(rows, n, to_h, 2, {dh + row * n, n}, start, nullptr);
        if (dx == nullptr) return;
        const Term<T> to_x[2] = {{d_rows, wij_x, nx, d},
                                 {d_rows.at(n), wij_x + static_cast<std::size_t>(d) * nx, nx, d}};
        k.product(rows, nx, to_x, 2, {dx + row * nx, nx}, Start::accumulate, nullptr);
    });
    if (pairs_) pairs_->backward(chunk, p, transposed + transposed_pairs(), h, x, tape.pairs, dh, dx, team);
}

template class NodeOutput<float>;
template class NodeOutput<double>;
template class GraphOutput<float>;
template class GraphOutput<double>;

} // namespace ggsnn
