// LSTM: [i f o] = sigma(x W_x + h W_h + c W_c + b), g = tanh(likewise); c' = f . c + i . g, h' = o .
// tanh(c').
#include "ggsnn/nn/kernels/kernels.hpp"
#include "ggsnn/nn/recurrent/cell.hpp"

#include <cstring>

namespace ggsnn {

namespace {

class LstmCell : public Cell {
  public:
    LstmCell() : Cell("lstm", "recurrent network with gates (LSTM)", {"_i", "_f", "_o", "_g"}, 2) {}

    void forward(const CellStep<float>& step) const override { run(step); }
    void forward(const CellStep<double>& step) const override { run(step); }
    void backward(const CellBack<float>& row) const override { run(row); }
    void backward(const CellBack<double>& row) const override { run(row); }

  private:
    // kept: tanh(c').
    template <class T>
    static void run(const CellStep<T>& s) {
        const std::size_t n = s.n, gate_width = 4 * n, state_width = 2 * n;
        kernels<T>().sigmoid(s.rows, 3 * s.n, {s.gates, 4 * s.n});
        kernels<T>().tanh(s.rows, s.n, {s.gates + 3 * n, 4 * s.n});
        for (int r = 0; r < s.rows; ++r) {
            const T *i = s.gates + r * gate_width, *f = i + n, *g = i + 3 * n;
            const T* c_previous = s.previous != nullptr ? s.previous + r * state_width + n : nullptr;
            T* c = s.state + r * state_width + n;
            if (c_previous == nullptr) {
                for (std::size_t j = 0; j < n; ++j) c[j] = i[j] * g[j];
            } else {
                for (std::size_t j = 0; j < n; ++j) c[j] = f[j] * c_previous[j] + i[j] * g[j];
            }
            std::memcpy(s.kept + r * n, c, n * sizeof(T));
        }
        kernels<T>().tanh(s.rows, s.n, {s.kept, s.n});
        for (int r = 0; r < s.rows; ++r) {
            const T *o = s.gates + r * gate_width + 2 * n, *tanh_c = s.kept + r * n;
            T* h = s.state + r * state_width;
            for (std::size_t j = 0; j < n; ++j) h[j] = o[j] * tanh_c[j];
        }
    }

    template <class T>
    static void run(const CellBack<T>& b) {
        const int n = b.n;
        T* __restrict i = b.gates;
        T* __restrict f = i + n, * __restrict o = i + 2 * n, * __restrict g = i + 3 * n;
        const T* __restrict c_previous = b.previous != nullptr ? b.previous + n : nullptr;
        const T* __restrict dh = b.d_state, * __restrict dc_next = b.d_state + n, * __restrict tanh_c = b.kept;
        T* __restrict dc_previous = b.d_previous != nullptr ? b.d_previous + n : nullptr;
        for (int j = 0; j < n; ++j) {
            const T dc = dc_next[j] + dh[j] * o[j] * (1 - tanh_c[j] * tanh_c[j]);
            const T before = c_previous != nullptr ? c_previous[j] : T(0);
            const T di = dc * g[j], df = dc * before, d_o = dh[j] * tanh_c[j], dg = dc * i[j];
            if (dc_previous != nullptr) dc_previous[j] += dc * f[j];
            i[j] = di * i[j] * (1 - i[j]);
            f[j] = df * f[j] * (1 - f[j]);
            o[j] = d_o * o[j] * (1 - o[j]);
            g[j] = dg * (1 - g[j] * g[j]);
        }
    }
};

} // namespace

const Cell& lstm_cell() {
    static const LstmCell cell;
    return cell;
}

} // namespace ggsnn
