// Parameters of a network: one flat array of numbers, and a layout that says which tensor lies where.
// The flat array is padded as kernels.hpp says; what is counted, saved and initialised is not.
#pragma once

#include "ggsnn/base/random.hpp"
#include "ggsnn/nn/kernels/kernels.hpp"

#include <string>
#include <vector>

namespace ggsnn {

// A matrix of rows x cols inside the flat array, its rows ld apart.
struct Tensor {
    std::string name;
    int rows, cols, ld;
    std::size_t offset;
    double bound; // initial values are uniform in +- bound

    std::size_t count() const { return static_cast<std::size_t>(rows) * cols; }
};

class ParameterLayout {
  public:
    // A block of `rows` rows that holds `parts` matrices of `cols` columns side by side, each padded.
    // Returns the block's offset; its rows are parts * padded(cols) apart. Nothing is named yet.
    std::size_t block(int rows, int cols, int parts = 1);
    // Names a part of a block: rows [first, first + rows) of the given part.
    void name(std::string name, std::size_t block, int first, int rows, int cols, int part, int parts,
              double bound);
    // A block with one matrix, named.
    std::size_t matrix(std::string name, int rows, int cols, double bound);

    const std::vector<Tensor>& tensors() const { return tensors_; }
    std::size_t size() const { return size_; } // numbers in the flat array, a multiple of the padding
    std::size_t count() const;                 // parameters that are learned

    // Draws every tensor in order; the rest of values (size() numbers) is set to zero.
    template <class T>
    void initialise(Random& random, T* values) const;

  private:
    std::vector<Tensor> tensors_;
    std::size_t size_ = 0;
};

// out[j][i] = in[i][j]: rows x cols with ld_in, to cols x rows with ld_out. Pads are not written.
template <class T>
void transpose(const T* in, int rows, int cols, int ld_in, T* out, int ld_out) {
    // By blocks whose rows stay in the first-level cache on both sides.
    constexpr int block = 16;
    for (int first = 0; first < rows; first += block)
        for (int j = 0; j < cols; ++j)
            for (int i = first; i < rows && i < first + block; ++i)
                out[static_cast<std::size_t>(j) * ld_out + i] = in[static_cast<std::size_t>(i) * ld_in + j];
}

} // namespace ggsnn
