#include "ggsnn/nn/quadrature.hpp"

#include <cmath>
#include <numbers>

namespace ggsnn {

// The points are roots of the Legendre polynomial by Newton's method.
std::vector<QuadraturePoint> quadrature(int count) {
    std::vector<QuadraturePoint> points;
    for (int i = 0; i < count; ++i) {
        double x = std::cos(std::numbers::pi * (i + 0.75) / (count + 0.5)), slope = 0;
        for (int round = 0; round < 100; ++round) {
            double p = 1, before = 0;
            for (int k = 0; k < count; ++k) {
                const double next = ((2 * k + 1) * x * p - k * before) / (k + 1);
                before = p;
                p = next;
            }
            slope = count * (x * p - before) / (x * x - 1);
            const double step = p / slope;
            x -= step;
            if (std::abs(step) < 1e-15) break;
        }
        points.push_back({(x + 1) / 2, 1 / ((1 - x * x) * slope * slope)});
    }
    return points;
}

} // namespace ggsnn
