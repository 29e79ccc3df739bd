#include "ggsnn/nn/recurrent/recurrent.hpp"

#include <array>
#include <cmath>
#include <cstring>

namespace ggsnn {

namespace {

constexpr int most_parts = 8, most_carried = 2;

} // namespace

template <class T>
Recurrent<T>::Recurrent(const RecurrentShape& shape) : shape_(shape), n_(padded(shape.state)) {
    parts_ = static_cast<int>(shape.cell->parts.size());
    cells_ = shape.cell->carried;
    GGSNN_ASSERT(parts_ <= most_parts && cells_ <= most_carried);
    const int d = shape.state;
    // The linear layer reads the embedding and the states. Embeddings have variance 1.
    const double bound = 1 / std::sqrt(double(d) * (1 + cells_)), out_bound = 1 / std::sqrt(double(d));
    embedding_ = layout_.matrix("E", shape.tokens, d, std::sqrt(3.0));
    input_ = layout_.block(d, d, parts_);
    recurrent_ = layout_.block(cells_ * d, d, parts_);
    bias_ = layout_.block(1, d, parts_);
    const char* const carried[] = {"W_h", "W_c"};
    for (int part = 0; part < parts_; ++part) {
        const std::string& gate = shape.cell->parts[part];
        layout_.name("W_x" + gate, input_, 0, d, d, part, parts_, bound);
        for (int cell = 0; cell < cells_; ++cell)
            layout_.name(carried[cell] + gate, recurrent_, cell * d, d, d, part, parts_, bound);
        layout_.name("b" + gate, bias_, 0, 1, d, part, parts_, bound);
    }
    output_ = layout_.matrix("W_out", d, shape.outputs, out_bound);
    output_bias_ = layout_.matrix("b_out", 1, shape.outputs, out_bound);
}

template <class T>
void Recurrent<T>::project(const T* p, T* projected) const {
    const Term<T> term{{p + embedding_, n_}, p + input_, gate_width(), shape_.state};
    kernels<T>().product(shape_.tokens, gate_width(), &term, 1, {projected, gate_width()}, Start::bias,
                         p + bias_);
}

// Transposed are, in this order: W_h and W_c side by side, a block of D rows for each gate; W_x likewise;
// W_out.
template <class T>
std::size_t Recurrent<T>::transposed_size() const {
    return static_cast<std::size_t>(parts_) * shape_.state * (state_width() + n_) +
           static_cast<std::size_t>(shape_.outputs) * n_;
}

template <class T>
void Recurrent<T>::transpose_weights(const T* p, T* out) const {
    const int d = shape_.state, sw = state_width(), gw = gate_width();
    for (int part = 0; part < parts_; ++part, out += static_cast<std::size_t>(d) * sw)
        for (int cell = 0; cell < cells_; ++cell)
            transpose(p + recurrent_ + static_cast<std::size_t>(cell) * d * gw + part * n_, d, d, gw,
                      out + cell * n_, sw);
    for (int part = 0; part < parts_; ++part, out += static_cast<std::size_t>(d) * n_)
        transpose(p + input_ + part * n_, d, d, gw, out, n_);
    transpose(p + output_, d, shape_.outputs, padded(shape_.outputs), out, n_);
}

template <class T>
void Recurrent<T>::step(int rows, const int* tokens, const T* p, const T* projected, const T* previous,
                        T* state, T* gates, T* kept) const {
    const int d = shape_.state, sw = state_width(), gw = gate_width();
    for (int i = 0; i < rows; ++i)
        std::memcpy(gates + static_cast<std::size_t>(i) * gw,
                    projected + static_cast<std::size_t>(tokens[i]) * gw, gw * sizeof(T));
    if (previous != nullptr) {
        std::array<Term<T>, most_carried> terms;
        for (int cell = 0; cell < cells_; ++cell)
            terms[cell] = {{previous + static_cast<std::ptrdiff_t>(cell) * n_, sw},
                           p + recurrent_ + static_cast<std::size_t>(cell) * d * gw,
                           gw,
                           d};
        kernels<T>().product(rows, gw, terms.data(), cells_, {gates, gw}, Start::accumulate, nullptr);
    }
    shape_.cell->forward(CellStep<T>{rows, n_, gates, previous, state, kept});
}

template <class T>
void Recurrent<T>::output(int rows, Rows<const T> state, const T* p, T* scores) const {
    const int m = padded(shape_.outputs);
    const Term<T> term{state, p + output_, m, shape_.state};
    kernels<T>().product(rows, m, &term, 1, {scores, m}, Start::bias, p + output_bias_);
}

template <class T>
void Recurrent<T>::forward(const TokenBatch& batch, const T* p, const T* projected,
                           RecurrentTape<T>& tape) const {
    const std::size_t rows = batch.rows(), sw = state_width(), gw = gate_width();
    T* state = tape.state.get(rows * sw);
    T* gates = tape.gates.get(rows * gw);
    T* kept = tape.kept.get(rows * n_);
    for (int t = 0; t < batch.steps(); ++t) {
        const std::size_t first = batch.first_row[t];
        const T* previous = t > 0 ? state + batch.first_row[t - 1] * sw : nullptr;
        step(batch.first_row[t + 1] - batch.first_row[t], batch.token.data() + first, p, projected, previous,
             state + first * sw, gates + first * gw, kept + first * n_);
    }
    T* scores = tape.scores.get(static_cast<std::size_t>(batch.outputs()) * padded(shape_.outputs));
    output(batch.outputs(), {state, state_width(), batch.out_row.data()}, p, scores);
}

template <class T>
void Recurrent<T>::cell_backward(const TokenBatch& batch, int t, RecurrentTape<T>& tape) const {
    const std::size_t sw = state_width(), gw = gate_width();
    const T* state = tape.state.data();
    T* d_state = tape.d_state.data();
    for (int row = batch.first_row[t]; row < batch.first_row[t + 1]; ++row) {
        const std::size_t r = row, before = t > 0 ? batch.previous[r] : 0;
        shape_.cell->backward(CellBack<T>{
            n_, tape.gates.data() + r * gw, t > 0 ? state + before * sw : nullptr, state + r * sw,
            tape.kept.data() + r * n_, d_state + r * sw, t > 0 ? d_state + before * sw : nullptr});
    }
}

template <class T>
void Recurrent<T>::backward(const TokenBatch& batch, const T* transposed, RecurrentTape<T>& tape, T* gradient,
                            T* d_projected) const {
    const auto& kernel = kernels<T>();
    const int d = shape_.state, sw = state_width(), gw = gate_width(), m = padded(shape_.outputs),
              outputs = batch.outputs();
    const T *state = tape.state.data(), *d_scores = tape.d_scores.data();
    T *gates = tape.gates.data(), *d_state = tape.d_state.zeroed(static_cast<std::size_t>(batch.rows()) * sw);

    // scores = h W_out + b_out
    const T* transposed_output = transposed + static_cast<std::size_t>(parts_) * d * (sw + n_);
    kernel.outer(outputs, d, m, {state, sw, batch.out_row.data()}, {d_scores, m}, gradient + output_, m);
    kernel.column_sum(outputs, m, {d_scores, m}, gradient + output_bias_);
    const Term<T> from_scores{{d_scores, m}, transposed_output, n_, shape_.outputs};
    kernel.product(outputs, n_, &from_scores, 1, {d_state, sw, batch.out_row.data()}, Start::zero, nullptr);

    // The steps, last first; d_state of a step is complete when its turn comes.
    for (int t = batch.steps() - 1; t >= 0; --t) {
        cell_backward(batch, t, tape);
        if (t == 0) break;
        const T* da = gates + static_cast<std::size_t>(batch.first_row[t]) * gw;
        std::array<Term<T>, most_parts> terms;
        for (int part = 0; part < parts_; ++part)
            terms[part] = {{da + part * n_, gw}, transposed + static_cast<std::size_t>(part) * d * sw, sw, d};
        kernel.product(batch.first_row[t + 1] - batch.first_row[t], sw, terms.data(), parts_,
                       {d_state + static_cast<std::size_t>(batch.first_row[t - 1]) * sw, sw},
                       Start::accumulate, nullptr);
    }

    // ... + h_(t-1) W_h + c_(t-1) W_c: all steps but the first at once
    const int begin = batch.steps() > 1 ? batch.first_row[1] : batch.rows();
    for (int cell = 0; cell < cells_; ++cell)
        kernel.outer(batch.rows() - begin, d, gw, {state + cell * n_, sw, batch.previous.data() + begin},
                     {gates + static_cast<std::size_t>(begin) * gw, gw},
                     gradient + recurrent_ + static_cast<std::size_t>(cell) * d * gw, gw);
    for (int row = 0; row < batch.rows(); ++row) {
        T* sum = d_projected + static_cast<std::size_t>(batch.token[row]) * gw;
        const T* da = gates + static_cast<std::size_t>(row) * gw;
        for (int j = 0; j < gw; ++j) sum[j] += da[j];
    }
}

template <class T>
void Recurrent<T>::unproject(const T* p, const T* transposed, const T* d_projected, T* gradient) const {
    const auto& kernel = kernels<T>();
    const int d = shape_.state, gw = gate_width(), tokens = shape_.tokens;
    // projected = E W_x + b
    kernel.outer(tokens, d, gw, {p + embedding_, n_}, {d_projected, gw}, gradient + input_, gw);
    kernel.column_sum(tokens, gw, {d_projected, gw}, gradient + bias_);
    const T* transposed_input = transposed + static_cast<std::size_t>(parts_) * d * state_width();
    std::array<Term<T>, most_parts> terms;
    for (int part = 0; part < parts_; ++part)
        terms[part] = {
            {d_projected + part * n_, gw}, transposed_input + static_cast<std::size_t>(part) * d * n_, n_, d};
    kernel.product(tokens, n_, terms.data(), parts_, {gradient + embedding_, n_}, Start::accumulate, nullptr);
}

template class Recurrent<float>;
template class Recurrent<double>;

} // namespace ggsnn
