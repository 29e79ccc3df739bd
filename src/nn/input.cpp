#include "ggsnn/nn/input.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

template <class T>
InputLayer<T>::InputLayer(int inputs, int embedding, ParameterLayout& layout, const std::string& prefix)
    : inputs_(inputs), embedding_(embedding) {
    w_ = layout.matrix(prefix + "W", inputs, embedding, std::sqrt(6.0 / (inputs + embedding)));
    b_ = layout.matrix(prefix + "b", 1, embedding, 0);
}

template <class T>
void InputLayer<T>::forward(const Chunk<T>& chunk, const T* p, T* x, const Team<T>& team) const {
    const auto& k = kernels<T>();
    const Inputs<T>& in = chunk.inputs;
    const int n = padded(embedding_), wide = in.dense_width, nx = padded(chunk.annotation);
    team.for_rows(chunk.counting(), [&](Lane<T>& lane, int first, int last) {
        const int rows = last - first;
        T* out = lane.scratch().sums.get(static_cast<std::size_t>(rows) * n);
        k.gather_weighted(rows, n, in.starts.data() + first, in.columns.data(), in.values.data(), {p + w_, n},
                          {out, n});
        // The bias is the row of a one.
        const T one = 1;
        const Term<T> terms[2] = {
            {{&one, 0}, p + b_, n, 1},
            {{in.dense.data() + static_cast<std::size_t>(first) * wide, wide}, p + w_, n, wide}};
        k.product(rows, n, terms, wide > 0 ? 2 : 1, {out, n}, Start::accumulate, nullptr);
        k.tanh(rows, n, {out, n});
        for (int i = 0; i < rows; ++i)
            std::copy_n(out + static_cast<std::size_t>(i) * n, embedding_,
                        x + static_cast<std::size_t>(first + i) * nx);
    });
}

template <class T>
void InputLayer<T>::backward(const Chunk<T>& chunk, const T* x, const T* dx, const Team<T>& team) const {
    const auto& k = kernels<T>();
    const Inputs<T>& in = chunk.inputs;
    const int n = padded(embedding_), wide = in.dense_width, nx = padded(chunk.annotation);
    team.for_rows(chunk.counting(), [&](Lane<T>& lane, int first, int last) {
        const int rows = last - first;
        T* d = lane.scratch().sums.zeroed(static_cast<std::size_t>(rows) * n);
        for (int i = 0; i < rows; ++i) {
            const std::size_t at = static_cast<std::size_t>(first + i) * nx;
            for (int j = 0; j < embedding_; ++j)
                d[static_cast<std::size_t>(i) * n + j] = dx[at + j] * (1 - x[at + j] * x[at + j]);
        }
        T* grad = lane.gradient.data();
        k.column_sum(rows, n, {d, n}, grad + b_);
        if (wide > 0)
            k.outer(rows, wide, n, {in.dense.data() + static_cast<std::size_t>(first) * wide, wide}, {d, n},
                    grad + w_, n);
        for (int i = 0; i < rows; ++i) {
            const T* from = d + static_cast<std::size_t>(i) * n;
            for (int e = in.starts[first + i]; e < in.starts[first + i + 1]; ++e) {
                const T value = static_cast<T>(in.values[e]);
                T* to = grad + w_ + static_cast<std::size_t>(in.columns[e]) * n;
                for (int j = 0; j < n; ++j) to[j] += value * from[j];
            }
        }
    });
}

template class InputLayer<float>;
template class InputLayer<double>;

} // namespace ggsnn
