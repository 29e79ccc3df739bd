// The penalty that keeps the neural edge function near contractions (Scarselli et al. 2009, section II-B;
// named in the paper's section 2.2): weight times the sum over columns of the Jacobian of F, one for each
// component i of each h_u, of max(0, c_ui - mu)^2 with c_ui the column's 1-norm.
//
//   J = df/dh_u = W_1 diag(1 - y^2) W_2,  y = tanh(h_u W_1 + b_1)    (row i: the derivatives by h_ui)
//   c_ui = sum over messages that u sends of sum_j |J_ij|
//
// Messages with the same two ends count by themselves, so c is an upper bound of the norm there and the norm
// itself elsewhere: where no c exceeds mu, F is a contraction near h. The gradient goes through W_1, W_2 and
// y, and through y to the state h, which the adjoint equation then follows to all parameters.
#include "ggsnn/nn/gnn/gnn.hpp"

#include <cmath>

namespace ggsnn {

// jacobian = W_1 diag(1 - y^2) W_2, D x padded(D), of one triple at one source.
template <class T>
void Gnn<T>::slope_product(const T* p, int triple, const T* y, T* jacobian) const {
    const int d = shape_.state, n = width();
    const T* w1 = p + weight(triple);
    const T* w2 = p + weight2(triple);
    for (int i = 0; i < d; ++i) {
        T* row = jacobian + static_cast<std::size_t>(i) * n;
        for (int j = 0; j < n; ++j) row[j] = 0;
        for (int k = 0; k < d; ++k) {
            const T factor = w1[static_cast<std::size_t>(i) * n + k] * (1 - y[k] * y[k]);
            const T* from = w2 + static_cast<std::size_t>(k) * n;
            for (int j = 0; j < n; ++j) row[j] += factor * from[j];
        }
    }
}

// norms (nodes x padded(D)) = c.
template <class T>
void Gnn<T>::column_norms(const GnnBatch<T>& batch, const T* p, const T* prep, T* norms,
                          GnnWork<T>& work) const {
    const int d = shape_.state, n = width();
    const Messages<T>& m = batch.messages;
    T* own = work.jacobian.get(square());
    std::fill(norms, norms + static_cast<std::size_t>(batch.chunk.nodes) * n, T(0));
    for (const auto& g : m.groups) {
        for (int s = g.first_source; s < g.last_source; ++s) {
            const T* jacobian = own;
            T factor = m.source_count[s];
            if (linear()) {
                jacobian = prep + prepared(g.triple);
                factor *= m.share[m.sources[s]];
            } else {
                slope_product(p, g.triple, work.hidden.data() + static_cast<std::size_t>(s) * n, own);
            }
            T* c = norms + static_cast<std::size_t>(m.sources[s]) * n;
            for (int i = 0; i < d; ++i) {
                T sum = 0;
                for (int j = 0; j < d; ++j) sum += std::abs(jacobian[static_cast<std::size_t>(i) * n + j]);
                c[i] += factor * sum;
            }
        }
    }
}

template <class T>
double Gnn<T>::jacobian_norm(const GnnBatch<T>& batch, const T* p, const T* prep, GnnWork<T>& work) const {
    const std::size_t size = static_cast<std::size_t>(batch.chunk.nodes) * width();
    T* norms = work.norms.get(size);
    column_norms(batch, p, prep, norms, work);
    double top = 0;
    for (std::size_t i = 0; i < size; ++i)
        if (!(norms[i] <= top)) top = norms[i];
    return top;
}

template <class T>
double Gnn<T>::penalty(const GnnBatch<T>& batch, const T* p, T scale, const T* h, T* dh, T* gradient,
                       GnnWork<T>& work) const {
    const int d = shape_.state, n = width();
    const Messages<T>& m = batch.messages;
    const std::size_t size = static_cast<std::size_t>(batch.chunk.nodes) * n;
    T* dc = work.norms.get(size);
    column_norms(batch, p, nullptr, dc, work);
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const T above = dc[i] - static_cast<T>(shape_.contraction);
        const bool inside = above <= 0; // false for NaN, which must show
        dc[i] = inside ? T(0) : 2 * scale * above;
        if (!inside) sum += double(scale) * double(above) * double(above);
    }
    if (dh == nullptr || gradient == nullptr || sum == 0) return sum;
    T* jacobian = work.jacobian.get(square());
    for (const auto& g : m.groups) {
        for (int s = g.first_source; s < g.last_source; ++s) {
            const std::size_t u = static_cast<std::size_t>(m.sources[s]) * n;
            bool any = false;
            for (int i = 0; i < d; ++i) any = any || dc[u + i] != 0;
            if (!any) continue;
            const T* y = work.hidden.data() + static_cast<std::size_t>(s) * n;
            slope_product(p, g.triple, y, jacobian);
            // c_ui += count |J_ij|: dJ in place of J
            for (int i = 0; i < d; ++i) {
                T* row = jacobian + static_cast<std::size_t>(i) * n;
                for (int j = 0; j < d; ++j)
                    row[j] = m.source_count[s] * dc[u + i] * (row[j] > 0 ? T(1) : row[j] < 0 ? T(-1) : T(0));
            }
            penalty_backward(p, g.triple, jacobian, y, h + u, dh + u, gradient);
        }
    }
    return sum;
}

// J = W_1 diag(1 - y^2) W_2, y = tanh(h W_1 + b_1): from dJ of one source to everything before it.
template <class T>
void Gnn<T>::penalty_backward(const T* p, int triple, const T* dJ, const T* y, const T* h, T* dh,
                              T* gradient) const {
    const int d = shape_.state, n = width();
    const T* w1 = p + weight(triple);
    const T* w2 = p + weight2(triple);
    T* dw1 = gradient + weight(triple);
    T* db1 = gradient + bias(triple);
    T* dw2 = gradient + weight2(triple);
    for (int k = 0; k < d; ++k) {
        const T slope = 1 - y[k] * y[k];
        const std::size_t row = static_cast<std::size_t>(k) * n;
        T d_slope = 0;
        for (int i = 0; i < d; ++i) {
            const T* dj = dJ + static_cast<std::size_t>(i) * n;
            const T weight1 = w1[static_cast<std::size_t>(i) * n + k];
            T inner = 0; // (dJ W_2^T)_ik
            for (int j = 0; j < d; ++j) {
                inner += dj[j] * w2[row + j];
                dw2[row + j] += weight1 * slope * dj[j];
            }
            dw1[static_cast<std::size_t>(i) * n + k] += slope * inner;
            d_slope += weight1 * inner;
        }
        const T before = -2 * y[k] * d_slope * slope; // gradient of (h W_1 + b_1)_k
        db1[k] += before;
        for (int i = 0; i < d; ++i) {
            dw1[static_cast<std::size_t>(i) * n + k] += h[i] * before;
            dh[i] += before * w1[static_cast<std::size_t>(i) * n + k];
        }
    }
}

#define GGSNN_INSTANTIATE(T)                                                                                 \
    template void Gnn<T>::slope_product(const T*, int, const T*, T*) const;                                  \
    template void Gnn<T>::column_norms(const GnnBatch<T>&, const T*, const T*, T*, GnnWork<T>&) const;       \
    template double Gnn<T>::jacobian_norm(const GnnBatch<T>&, const T*, const T*, GnnWork<T>&) const;        \
    template double Gnn<T>::penalty(const GnnBatch<T>&, const T*, T, const T*, T*, T*, GnnWork<T>&) const;   \
    template void Gnn<T>::penalty_backward(const T*, int, const T*, const T*, const T*, T*, T*) const;
GGSNN_INSTANTIATE(float)
GGSNN_INSTANTIATE(double)

} // namespace ggsnn
