#include "ggsnn/nn/parameters.hpp"

#include <algorithm>

namespace ggsnn {

std::size_t ParameterLayout::block(int rows, int cols, int parts) {
    const std::size_t offset = size_;
    size_ += static_cast<std::size_t>(rows) * parts * padded(cols);
    return offset;
}

void ParameterLayout::name(std::string name, std::size_t block, int first, int rows, int cols, int part,
                           int parts, double bound) {
    const int ld = parts * padded(cols);
    const std::size_t offset =
        block + static_cast<std::size_t>(first) * ld + static_cast<std::size_t>(part) * padded(cols);
    tensors_.push_back({std::move(name), rows, cols, ld, offset, bound});
}

std::size_t ParameterLayout::matrix(std::string text, int rows, int cols, double bound) {
    const std::size_t offset = block(rows, cols);
    name(std::move(text), offset, 0, rows, cols, 0, 1, bound);
    return offset;
}

std::size_t ParameterLayout::count() const {
    std::size_t sum = 0;
    for (const Tensor& t : tensors_) sum += t.count();
    return sum;
}

template <class T>
void ParameterLayout::initialise(Random& random, T* values) const {
    std::fill(values, values + size_, T(0));
    for (const Tensor& t : tensors_)
        for (int i = 0; i < t.rows; ++i)
            for (int j = 0; j < t.cols; ++j)
                values[t.offset + static_cast<std::size_t>(i) * t.ld + j] =
                    static_cast<T>(random.uniform(-t.bound, t.bound));
}

template void ParameterLayout::initialise(Random&, float*) const;
template void ParameterLayout::initialise(Random&, double*) const;

} // namespace ggsnn
