#include "ggsnn/nn/gnn/gnn.hpp"

#include <cmath>
#include <cstring>

namespace ggsnn {

namespace {

// Largest |a - b| and largest |a| over count numbers; NaN if there is one among them.
template <class T>
struct Distance {
    double difference = 0, size = 0;
    Distance(const T* a, const T* b, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const double d = std::abs(double(a[i]) - double(b[i])), s = std::abs(double(a[i]));
            if (!(d <= difference)) difference = d;
            if (!(s <= size)) size = s;
            if (!(d < INFINITY)) return;
        }
    }
};

} // namespace

template <class T>
Gnn<T>::Gnn(const GnnShape& shape) : shape_(shape), head_(&head_of(shape.answer)) {
    const int d = shape.state;
    GGSNN_ASSERT(d > 0 && shape.contraction > 0 && shape.contraction < 1 && !is_sequence(shape.answer));
    const char* const direction_names[] = {"in", "out"};
    for (const Triple& t : shape.labels.triples) {
        const std::string name =
            fmt::format("f.{}.{}.{}.{}.", t.receiver, t.slot / 2, direction_names[t.slot % 2], t.source);
        if (linear()) {
            layout_.matrix(name + "Xi", d, d, 1);
            layout_.matrix(name + "b", 1, d, 1);
        } else {
            // With inputs of the size of the weights a column of J then has a norm of about mu / 2.
            const double bound = 1 / std::sqrt(d), bound2 = 2 * shape.contraction / (d * t.degree);
            layout_.matrix(name + "W_1", d, d, bound);
            layout_.matrix(name + "b_1", 1, d, bound);
            layout_.matrix(name + "W_2", d, d, bound2);
            layout_.matrix(name + "b_2", 1, d, 1);
        }
    }
    output_.emplace(OutputShape{d, shape.annotation, shape.outputs}, layout_, "output.");
    t_output_ = prepared(static_cast<int>(shape.labels.triples.size()));
}

template <class T>
int Gnn<T>::most_iterations() const {
    return 50 + 2 * static_cast<int>(std::ceil(std::log(tolerance) / std::log(shape_.contraction)));
}

template <class T>
void Gnn<T>::prepare(const T* p, T* out) const {
    const int d = shape_.state, n = width();
    const T factor = static_cast<T>(shape_.contraction / d);
    for (int t = 0; t < static_cast<int>(shape_.labels.triples.size()); ++t) {
        T* first = out + prepared(t);
        T* second = first + square();
        if (linear()) {
            // A = mu / D tanh(Xi); 1 / n_u is with the states. Pads: tanh(0) = 0.
            std::memcpy(first, p + weight(t), square() * sizeof(T));
            kernels<T>().tanh(d, n, {first, n});
            for (std::size_t i = 0; i < square(); ++i) first[i] *= factor;
            transpose(first, d, d, n, second, n);
        } else {
            transpose(p + weight(t), d, d, n, first, n);
            transpose(p + weight2(t), d, d, n, second, n);
        }
    }
    output_->transpose_weights(p, out + t_output_);
}

template <class T>
void Gnn<T>::finish(const T* prep, T* gradient) const {
    if (!linear()) return;
    const T factor = static_cast<T>(shape_.contraction / shape_.state);
    for (int t = 0; t < static_cast<int>(shape_.labels.triples.size()); ++t) {
        const T* a = prep + prepared(t);
        T* d_xi = gradient + weight(t);
        // A = factor tanh(Xi)
        for (std::size_t i = 0; i < square(); ++i) {
            const T y = a[i] / factor;
            d_xi[i] *= factor * (1 - y * y);
        }
    }
}

// The part of F that does not depend on h: the biases b or b_2, once a message.
template <class T>
void Gnn<T>::begin(const GnnBatch<T>& batch, const T* p, GnnWork<T>& work) const {
    const int n = width();
    const Messages<T>& m = batch.messages;
    T* constant = work.constant.zeroed(static_cast<std::size_t>(batch.chunk.nodes) * n);
    for (const auto& g : m.groups) {
        const T* b = p + (linear() ? bias(g.triple) : bias2(g.triple));
        const Term<T> term{{m.row_count.data() + g.first_row, 1}, b, n, 1};
        kernels<T>().product(g.last_row - g.first_row, n, &term, 1,
                             {constant, n, m.rows.data() + g.first_row}, Start::accumulate, nullptr);
    }
}

template <class T>
void Gnn<T>::step(const GnnBatch<T>& batch, const T* p, const T* prep, const T* h, T* next,
                  GnnWork<T>& work) const {
    const auto& k = kernels<T>();
    const int d = shape_.state, n = width(), nodes = batch.chunk.nodes;
    const Messages<T>& m = batch.messages;
    const std::size_t size = static_cast<std::size_t>(nodes) * n;
    std::memcpy(next, work.constant.data(), size * sizeof(T));
    T* sums = work.sums.get(std::max(m.rows.size(), m.sources.size()) * n);
    T* hidden = linear() ? nullptr : work.hidden.get(m.sources.size() * n);
    T* scaled = linear() ? work.scaled.get(size) : nullptr;
    for (int v = 0; v < nodes && linear(); ++v)
        for (int j = 0; j < n; ++j)
            scaled[static_cast<std::size_t>(v) * n + j] = h[static_cast<std::size_t>(v) * n + j] * m.share[v];
    for (const auto& g : m.groups) {
        const int rows = g.last_row - g.first_row, sources = g.last_source - g.first_source;
        const int* starts = m.row_starts.data() + g.first_row;
        const Rows<T> to{next, n, m.rows.data() + g.first_row};
        if (linear()) {
            // f(h_u) = h_u A + b (section 2.1, the linear case)
            k.gather(rows, n, starts, m.row_nodes.data(), {scaled, n}, {sums, n});
            const Term<T> term{{sums, n}, prep + prepared(g.triple), n, d};
            k.product(rows, n, &term, 1, to, Start::accumulate, nullptr);
        } else {
            // f(h_u) = tanh(h_u W_1 + b_1) W_2 + b_2 (section 2.1, the neural case)
            const Rows<T> hidden_rows{hidden + static_cast<std::size_t>(g.first_source) * n, n};
            const Term<T> first{{h, n, m.sources.data() + g.first_source}, p + weight(g.triple), n, d};
            k.product(sources, n, &first, 1, hidden_rows, Start::bias, p + bias(g.triple));
            k.tanh(sources, n, hidden_rows);
            k.gather(rows, n, starts, m.row_sources.data(), hidden_rows.constant(), {sums, n});
            const Term<T> second{{sums, n}, p + weight2(g.triple), n, d};
            k.product(rows, n, &second, 1, to, Start::accumulate, nullptr);
        }
    }
}

template <class T>
bool Gnn<T>::settle(const GnnBatch<T>& batch, const T* p, const T* prep, GnnWork<T>& work) const {
    const std::size_t size = static_cast<std::size_t>(batch.chunk.nodes) * width();
    work.h.zeroed(size);
    work.h_next.get(size);
    begin(batch, p, work);
    for (work.iterations = 1; work.iterations <= most_iterations(); ++work.iterations) {
        step(batch, p, prep, work.h.data(), work.h_next.data(), work); // h = F(h), section 2.1
        std::swap(work.h, work.h_next);
        const Distance<T> moved(work.h.data(), work.h_next.data(), size);
        if (moved.difference <= tolerance * std::max(1.0, moved.size)) {
            // J is taken at work.h: what belongs to the state (hidden, scaled) must be of this one.
            step(batch, p, prep, work.h.data(), work.h_next.data(), work);
            return true;
        }
        if (!std::isfinite(moved.difference)) break;
    }
    return false;
}

template <class T>
void Gnn<T>::adjoint_step(const GnnBatch<T>& batch, const T* prep, const T* e, const T* z, T* next,
                          GnnWork<T>& work) const {
    const auto& k = kernels<T>();
    const int d = shape_.state, n = width(), nodes = batch.chunk.nodes;
    const Messages<T>& m = batch.messages;
    const std::size_t size = static_cast<std::size_t>(nodes) * n;
    T* sums = work.sums.get(std::max(m.rows.size(), m.sources.size()) * n);
    T* q = work.q.get(m.sources.size() * n);
    std::memset(next, 0, size * sizeof(T));
    for (const auto& g : m.groups) {
        const int sources = g.last_source - g.first_source;
        const Rows<T> to{next, n, m.sources.data() + g.first_source};
        k.gather(sources, n, m.source_starts.data() + g.first_source, m.receivers.data(), {z, n}, {sums, n});
        if (linear()) {
            const Term<T> term{{sums, n}, prep + prepared(g.triple) + square(), n, d};
            k.product(sources, n, &term, 1, to, Start::accumulate, nullptr);
        } else {
            const T* y = work.hidden.data() + static_cast<std::size_t>(g.first_source) * n;
            const Term<T> second{{sums, n}, prep + prepared(g.triple) + square(), n, d};
            k.product(sources, n, &second, 1, {q, n}, Start::zero, nullptr);
            for (std::size_t i = 0; i < static_cast<std::size_t>(sources) * n; ++i) q[i] *= 1 - y[i] * y[i];
            const Term<T> first{{q, n}, prep + prepared(g.triple), n, d};
            k.product(sources, n, &first, 1, to, Start::accumulate, nullptr);
        }
    }
    for (int v = 0; v < nodes; ++v) {
        const T share = linear() ? m.share[v] : T(1);
        for (std::size_t i = static_cast<std::size_t>(v) * n; i < static_cast<std::size_t>(v + 1) * n; ++i)
            next[i] = e[i] + share * next[i];
    }
}

// z = e + J^T z, from work.e to work.z.
template <class T>
bool Gnn<T>::settle_adjoint(const GnnBatch<T>& batch, const T* prep, GnnWork<T>& work) const {
    const std::size_t size = static_cast<std::size_t>(batch.chunk.nodes) * width();
    std::memcpy(work.z.get(size), work.e.data(), size * sizeof(T));
    work.z_next.get(size);
    for (work.adjoint_iterations = 1; work.adjoint_iterations <= most_iterations();
         ++work.adjoint_iterations) {
        adjoint_step(batch, prep, work.e.data(), work.z.data(), work.z_next.data(), work);
        std::swap(work.z, work.z_next);
        const Distance<T> moved(work.z.data(), work.z_next.data(), size);
        if (moved.difference <= tolerance * moved.size) return true;
        if (!std::isfinite(moved.difference)) break;
    }
    return false;
}

// gradient += z^T dF/dtheta, but with A in place of Xi.
template <class T>
void Gnn<T>::add_gradient(const GnnBatch<T>& batch, const T* prep, const T* z, T* gradient,
                          GnnWork<T>& work) const {
    const auto& k = kernels<T>();
    const int d = shape_.state, n = width();
    const Messages<T>& m = batch.messages;
    T* sums = work.sums.get(std::max(m.rows.size(), m.sources.size()) * n);
    T* q = work.q.get(m.sources.size() * n);
    for (const auto& g : m.groups) {
        const int sources = g.last_source - g.first_source;
        const int* nodes = m.sources.data() + g.first_source;
        k.gather(sources, n, m.source_starts.data() + g.first_source, m.receivers.data(), {z, n}, {sums, n});
        const Rows<const T> heard{sums, n};
        if (linear()) {
            // f(h_u) = h_u A + b
            k.outer(sources, d, n, {work.scaled.data(), n, nodes}, heard, gradient + weight(g.triple), n);
            k.column_sum(sources, n, heard, gradient + bias(g.triple));
            continue;
        }
        // y W_2 + b_2
        const T* y = work.hidden.data() + static_cast<std::size_t>(g.first_source) * n;
        k.outer(sources, d, n, {y, n}, heard, gradient + weight2(g.triple), n);
        k.column_sum(sources, n, heard, gradient + bias2(g.triple));
        // y = tanh(h_u W_1 + b_1)
        const Term<T> second{heard, prep + prepared(g.triple) + square(), n, d};
        k.product(sources, n, &second, 1, {q, n}, Start::zero, nullptr);
        for (std::size_t i = 0; i < static_cast<std::size_t>(sources) * n; ++i) q[i] *= 1 - y[i] * y[i];
        k.outer(sources, d, n, {work.h.data(), n, nodes}, {q, n}, gradient + weight(g.triple), n);
        k.column_sum(sources, n, {q, n}, gradient + bias(g.triple));
    }
}

// o = g(h, x) of every node, or of the super nodes, whose annotations are zero.
template <class T>
const T* Gnn<T>::read_out(const GnnBatch<T>& batch, const T* p, GnnWork<T>& work, const Team<T>& team) const {
    const Chunk<T>& chunk = batch.chunk;
    if (!super_node()) return output_->forward(chunk, p, work.h.data(), chunk.x.data(), work.output, team);
    const int n = width(), graphs = chunk.graphs();
    T* top_h = work.top_h.get(static_cast<std::size_t>(graphs) * n);
    const T* top_x = work.top_x.zeroed(static_cast<std::size_t>(graphs) * padded(shape_.annotation));
    for (int g = 0; g < graphs; ++g)
        std::memcpy(top_h + static_cast<std::size_t>(g) * n,
                    work.h.data() + static_cast<std::size_t>(chunk.graph_start[g + 1] - 1) * n,
                    n * sizeof(T));
    work.top.nodes = graphs;
    return output_->forward(work.top, p, top_h, top_x, work.output, team);
}

// From work.output.d_out to work.e.
template <class T>
void Gnn<T>::read_out_backward(const GnnBatch<T>& batch, const T* p, const T* prep, GnnWork<T>& work,
                               const Team<T>& team) const {
    const Chunk<T>& chunk = batch.chunk;
    const int n = width(), graphs = chunk.graphs();
    T* e = work.e.zeroed(static_cast<std::size_t>(chunk.nodes) * n);
    const T* transposed = prep + t_output_;
    if (!super_node()) {
        output_->backward(chunk, p, transposed, work.h.data(), chunk.x.data(), work.output, e, nullptr,
                          Start::zero, team);
        return;
    }
    T* d_top = work.q.get(static_cast<std::size_t>(graphs) * n);
    output_->backward(work.top, p, transposed, work.top_h.data(), work.top_x.data(), work.output, d_top,
                      nullptr, Start::zero, team);
    for (int g = 0; g < graphs; ++g)
        std::memcpy(e + static_cast<std::size_t>(chunk.graph_start[g + 1] - 1) * n,
                    d_top + static_cast<std::size_t>(g) * n, n * sizeof(T));
}

template <class T>
const T* Gnn<T>::outputs(const GnnBatch<T>& batch, const T* p, const T* prep, GnnWork<T>& work,
                         const Team<T>& team) const {
    return settle(batch, p, prep, work) ? read_out(batch, p, work, team) : nullptr;
}

template <class T>
Outcome Gnn<T>::run(const GnnBatch<T>& batch, const T* p, const T* prep, bool gradient, GnnWork<T>& work,
                    const Team<T>& team) const {
    const Chunk<T>& chunk = batch.chunk;
    Outcome outcome;
    outcome.answers = chunk.graphs();
    const std::size_t size = static_cast<std::size_t>(chunk.nodes) * width();
    T* d_parameters = gradient ? team.lane(0).gradient.data() : nullptr;
    const T weight = static_cast<T>(penalty_weight) * chunk.scale;
    if (!settle(batch, p, prep, work)) {
        outcome.loss = INFINITY;
        if (!gradient || linear()) return outcome;
        // Somewhere between the last two states, which came no closer, the Jacobian is above 1.
        T* h = work.h.data();
        for (std::size_t i = 0; i < size; ++i) h[i] = (h[i] + work.h_next.data()[i]) / 2;
        step(batch, p, prep, h, work.h_next.data(), work);
        const double found = penalty(batch, p, weight, h, work.e.zeroed(size), d_parameters, work);
        if (found != 0) outcome.loss = found;
        return outcome;
    }
    const T* out = read_out(batch, p, work, team);
    const std::size_t out_rows = head_->rows(chunk.nodes, chunk.graphs());
    T* d_out = gradient ? work.output.d_out.get(out_rows * padded(shape_.outputs)) : nullptr;
    work.wrong.assign(chunk.graphs(), 0);
    head_->loss(chunk, {out, shape_.outputs}, d_out, outcome, work.wrong);
    for (char wrong : work.wrong) outcome.solved += wrong == 0 ? 1 : 0;
    if (!gradient) return outcome;
    read_out_backward(batch, p, prep, work, team);
    if (!linear())
        outcome.loss += penalty(batch, p, weight, work.h.data(), work.e.data(), d_parameters, work);
    if (!settle_adjoint(batch, prep, work)) {
        outcome.loss = INFINITY;
        return outcome;
    }
    add_gradient(batch, prep, work.z.data(), d_parameters, work);
    return outcome;
}

template struct GnnWork<float>;
template struct GnnWork<double>;
template class Gnn<float>;
template class Gnn<double>;

} // namespace ggsnn
