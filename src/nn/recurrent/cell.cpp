#include "ggsnn/nn/recurrent/cell.hpp"

#include "ggsnn/base/error.hpp"

namespace ggsnn {

// One a file.
const Cell& rnn_cell();
const Cell& lstm_cell();

std::span<const Cell* const> cells() {
    static const Cell* const all[] = {&rnn_cell(), &lstm_cell()};
    return all;
}

const Cell& cell_named(const std::string& name) {
    for (const Cell* cell : cells())
        if (cell->name == name) return *cell;
    GGSNN_ASSERT(false);
}

} // namespace ggsnn
