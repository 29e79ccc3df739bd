// RNN: h = tanh(x W_x + h W_h + b).
#include "ggsnn/nn/kernels/kernels.hpp"
#include "ggsnn/nn/recurrent/cell.hpp"

#include <cstring>

namespace ggsnn {

namespace {

class RnnCell : public Cell {
  public:
    RnnCell() : Cell("rnn", "recurrent network (RNN)", {""}, 1) {}

    void forward(const CellStep<float>& step) const override { run(step); }
    void forward(const CellStep<double>& step) const override { run(step); }
    void backward(const CellBack<float>& row) const override { run(row); }
    void backward(const CellBack<double>& row) const override { run(row); }

  private:
    template <class T>
    static void run(const CellStep<T>& s) {
        std::memcpy(s.state, s.gates, static_cast<std::size_t>(s.rows) * s.n * sizeof(T));
        kernels<T>().tanh(s.rows, s.n, {s.state, s.n});
    }
    template <class T>
    static void run(const CellBack<T>& b) {
        for (int j = 0; j < b.n; ++j) b.gates[j] = b.d_state[j] * (1 - b.state[j] * b.state[j]);
    }
};

} // namespace

const Cell& rnn_cell() {
    static const RnnCell cell;
    return cell;
}

} // namespace ggsnn
