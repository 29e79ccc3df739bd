// Integrals over [0, 1] as weighted sums, exact for polynomials: Gauss-Legendre.
#pragma once

#include <vector>

namespace ggsnn {

struct QuadraturePoint {
    double at, weight;
};

std::vector<QuadraturePoint> quadrature(int count);

} // namespace ggsnn
