// Gradients of every parameter against what they should be: another way to compute them, or central finite
// differences in double precision.
#pragma once

#include "ggsnn/nn/parameters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ggsnn::test {

struct Bound {
    double absolute = 1e-9, relative = 1e-6;
};

// expected(at): of parameter number `at`. What is compared is set to 0, so that pads are left. Returns how
// many of the expected ones are not 0; 0 after a failure, and NaN is one.
template <class Expected>
std::size_t compare_gradient(const ParameterLayout& layout, std::vector<double>& gradient, const Bound& bound,
                             Expected expected) {
    std::size_t counted = 0, moving = 0;
    for (const Tensor& tensor : layout.tensors())
        for (int i = 0; i < tensor.rows; ++i)
            for (int j = 0; j < tensor.cols; ++j) {
                const std::size_t at = tensor.offset + static_cast<std::size_t>(i) * tensor.ld + j;
                const double wanted = expected(at);
                if (!(std::abs(gradient[at] - wanted) <=
                      bound.absolute + bound.relative * std::abs(wanted))) {
                    ADD_FAILURE() << tensor.name << "[" << i << "][" << j << "]: " << gradient[at]
                                  << ", expected " << wanted;
                    return 0;
                }
                ++counted;
                moving += wanted != 0 ? 1 : 0;
                gradient[at] = 0;
            }
    EXPECT_EQ(counted, layout.count());
    return moving;
}

// loss(): of the parameters as they stand.
template <class Loss>
std::size_t compare_with_differences(const ParameterLayout& layout, std::vector<double>& parameters,
                                     std::vector<double>& gradient, Loss loss, const Bound& bound = {},
                                     double step = 1e-5) {
    return compare_gradient(layout, gradient, bound, [&](std::size_t at) {
        const double old = parameters[at];
        parameters[at] = old + step;
        const double above = loss();
        parameters[at] = old - step;
        const double below = loss();
        parameters[at] = old;
        return (above - below) / (2 * step);
    });
}

} // namespace ggsnn::test
