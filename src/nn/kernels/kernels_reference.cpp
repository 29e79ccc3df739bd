// The plain version of every kernel: what the fast ones are held to. Never optimised.
#include "ggsnn/nn/kernels/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

namespace {

template <class T>
T sigma(T x) {
    return T(1) / (T(1) + std::exp(-x));
}

template <class T>
void product(int rows, int n, const Term<T>* terms, int count, Rows<T> c, Start start, const T* bias) {
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < n; ++j) {
            T sum = start == Start::zero ? T(0) : start == Start::bias ? bias[j] : c.row(i)[j];
            for (int t = 0; t < count; ++t)
                for (int k = 0; k < terms[t].k; ++k)
                    sum = std::fma(terms[t].a.row(i)[k],
                                   terms[t].b[k * (terms[t].height > 0 ? n : terms[t].ldb) + j], sum);
            c.row(i)[j] = sum;
        }
    }
}

template <class T>
void pack(int k, int n, const T* b, int ldb, T* out) {
    for (int i = 0; i < k; ++i) std::copy(b + i * ldb, b + i * ldb + n, out + i * n);
}

template <class T>
void outer(int rows, int m, int n, Rows<const T> x, Rows<const T> y, T* c, int ldc) {
    for (int j = 0; j < m; ++j)
        for (int l = 0; l < n; ++l)
            for (int i = 0; i < rows; ++i)
                c[j * ldc + l] = std::fma(x.row(i)[j], y.row(i)[l], c[j * ldc + l]);
}

template <class T>
void column_sum(int rows, int n, Rows<const T> y, T* c) {
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < n; ++j) c[j] += y.row(i)[j];
}

template <class T>
void gather(int rows, int n, const int* starts, const int* neighbours, Rows<const T> x, Rows<T> out) {
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < n; ++j) {
            T sum = 0;
            for (int e = starts[i]; e < starts[i + 1]; ++e) sum += x.row(neighbours[e])[j];
            out.row(i)[j] = sum;
        }
    }
}

template <class T>
void gather_weighted(int rows, int n, const int* starts, const int* neighbours, const float* weights,
                     Rows<const T> x, Rows<T> out) {
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < n; ++j) {
            T sum = 0;
            for (int e = starts[i]; e < starts[i + 1]; ++e)
                sum += static_cast<T>(weights[e]) * x.row(neighbours[e])[j];
            out.row(i)[j] = sum;
        }
    }
}

template <class T>
void sigmoid(int rows, int n, Rows<T> x) {
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < n; ++j) x.row(i)[j] = sigma(x.row(i)[j]);
}

template <class T>
void hyperbolic_tangent(int rows, int n, Rows<T> x) {
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < n; ++j) x.row(i)[j] = std::tanh(x.row(i)[j]);
}

template <class T>
void gates_zr(int rows, int n, Rows<T> g, Rows<const T> h, Rows<T> rh) {
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < n; ++j) {
            T& z = g.row(i)[j];
            T& r = g.row(i)[n + j];
            z = sigma(z);                   // Eq. 3
            r = sigma(r);                   // Eq. 4
            rh.row(i)[j] = r * h.row(i)[j]; // of Eq. 5
        }
    }
}

template <class T>
void gates_h(int rows, int n, Rows<T> g, Rows<const T> h, Rows<T> h_next) {
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < n; ++j) {
            const T z = g.row(i)[j];
            T& h_tilde = g.row(i)[2 * n + j];
            h_tilde = std::tanh(h_tilde);                           // Eq. 5
            h_next.row(i)[j] = (1 - z) * h.row(i)[j] + z * h_tilde; // Eq. 6
        }
    }
}

template <class T>
void gates_h_backward(int rows, int n, Rows<const T> g, Rows<const T> h, Rows<const T> dh_next, Rows<T> dg,
                      Rows<T> dh) {
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < n; ++j) {
            const T z = g.row(i)[j], h_tilde = g.row(i)[2 * n + j], d = dh_next.row(i)[j];
            dg.row(i)[j] = d * (h_tilde - h.row(i)[j]) * z * (1 - z); // Eqs. 6, 3
            dg.row(i)[2 * n + j] = d * z * (1 - h_tilde * h_tilde);   // Eqs. 6, 5
            dh.row(i)[j] = d * (1 - z);                               // Eq. 6
        }
    }
}

template <class T>
void gates_zr_backward(int rows, int n, Rows<const T> g, Rows<const T> h, Rows<const T> drh, Rows<T> dg,
                       Rows<T> dh, Rows<T> rh) {
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < n; ++j) {
            const T r = g.row(i)[n + j], d = drh.row(i)[j];
            dg.row(i)[n + j] = d * h.row(i)[j] * r * (1 - r); // Eq. 4
            dh.row(i)[j] += d * r;                            // of Eq. 5
            rh.row(i)[j] = r * h.row(i)[j];
        }
    }
}

template <class T>
void adam(std::size_t n, const AdamStep<T>& step, T* weight, const T* gradient, T* first, T* second) {
    for (std::size_t i = 0; i < n; ++i) {
        const T g = std::clamp(gradient[i], -step.clip, step.clip);
        first[i] = step.beta1 * first[i] + (1 - step.beta1) * g;
        second[i] = step.beta2 * second[i] + (1 - step.beta2) * g * g;
        const T update =
            (first[i] / step.correction1) / (std::sqrt(second[i] / step.correction2) + step.epsilon);
        T w = weight[i] - step.learning_rate * update;
        w -= step.learning_rate * step.l2 * weight[i];
        const T threshold = step.learning_rate * step.l1;
        weight[i] = std::copysign(std::max(std::abs(w) - threshold, T(0)), w);
    }
}

} // namespace

template <class T>
const KernelTable<T>& reference_kernels() {
    static const KernelTable<T> table = {
        "reference",
        product<T>,
        pack<T>,
        outer<T>,
        column_sum<T>,
        gather<T>,
        gather_weighted<T>,
        sigmoid<T>,
        hyperbolic_tangent<T>,
        gates_zr<T>,
        gates_h<T>,
        gates_h_backward<T>,
        gates_zr_backward<T>,
        adam<T>,
    };
    return table;
}

template const KernelTable<float>& reference_kernels<float>();
template const KernelTable<double>& reference_kernels<double>();

} // namespace ggsnn
