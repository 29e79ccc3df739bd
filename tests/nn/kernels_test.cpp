// Every fast kernel, on every instruction set this processor has, against the plain reference: all small
// sizes, indexed rows, non-zero starts, and a canary after each buffer.
#include "ggsnn/base/random.hpp"
#include "ggsnn/nn/kernels/kernels.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <hwy/highway.h>

#include <cmath>
#include <limits>
#include <vector>

namespace ggsnn {
namespace {

constexpr double canary = 12345;

// A matrix with a canary row at its end; check() fails where the canary was touched.
template <class T>
struct Matrix {
    int rows, width;
    std::vector<T> data;

    Matrix(Random& random, int row_count, int cols, int padded_cols) : rows(row_count), width(padded_cols) {
        data.assign(static_cast<std::size_t>(rows) * width, T(0));
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < cols; ++j)
                data[static_cast<std::size_t>(i) * width + j] = static_cast<T>(random.uniform(-2, 2));
        data.insert(data.end(), 16, static_cast<T>(canary));
    }
    Rows<T> view(const int* index = nullptr) { return {data.data(), width, index}; }
    Rows<const T> constant(const int* index = nullptr) const { return {data.data(), width, index}; }
    void check() const {
        for (std::size_t i = data.size() - 16; i < data.size(); ++i)
            ASSERT_EQ(data[i], static_cast<T>(canary));
    }
};

template <class T>
void expect_near(const std::vector<T>& found, const std::vector<T>& expected, double tolerance) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_TRUE(std::abs(double(found[i]) - double(expected[i])) <=
                    tolerance * (1 + std::abs(double(expected[i]))))
            << i << ": " << found[i] << ", expected " << expected[i];
}

template <class T>
class Kernels : public testing::Test {
  protected:
    static constexpr double tolerance = sizeof(T) == 4 ? 2e-6 : 1e-14;

    // Runs the body with each instruction set of this processor.
    template <class Body>
    void on_every_target(Body body) {
        int targets = 0;
        for (long long mask = hwy::SupportedTargets() & HWY_TARGETS; mask != 0; mask &= mask - 1) {
            hwy::SetSupportedTargetsForTest(mask & -mask);
            SCOPED_TRACE(kernels<T>().name);
            body(kernels<T>());
            hwy::SetSupportedTargetsForTest(0);
            ++targets;
            if (testing::Test::HasFatalFailure()) return;
        }
        EXPECT_GT(targets, 0);
    }
    const KernelTable<T>& reference = reference_kernels<T>();
};

using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(Kernels, Numbers);

std::vector<int> some_rows(Random& random, int count, int of) {
    std::vector<int> index(of);
    for (int i = 0; i < of; ++i) index[i] = i;
    random.shuffle(index);
    index.resize(count);
    return index;
}

TYPED_TEST(Kernels, Product) {
    using T = TypeParam;
    this->on_every_target([&](const KernelTable<T>& fast) {
        Random random(1);
        for (int cols : {1, 5, 8, 9, 16, 20, 24, 31, 40, 56, 100}) {
            for (int rows : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 17}) {
                for (Start start : {Start::zero, Start::bias, Start::accumulate}) {
                    const int n = padded(cols), k1 = 1 + static_cast<int>(random.below(7)),
                              k2 = static_cast<int>(random.below(4));
                    Matrix<T> a1(random, rows + 3, k1, padded(k1)), a2(random, rows, k2, padded(k2) + 8);
                    Matrix<T> b1(random, k1, cols, n), b2(random, k2, cols, n), bias(random, 1, cols, n);
                    Matrix<T> c(random, rows + 2, cols, n), expected = c;
                    const auto in = some_rows(random, rows, rows + 3),
                               out = some_rows(random, rows, rows + 2);
                    const Term<T> terms[2] = {{a1.constant(in.data()), b1.data.data(), n, k1},
                                              {a2.constant(), b2.data.data(), n, k2}};
                    this->reference.product(rows, n, terms, 2, expected.view(out.data()), start,
                                            bias.data.data());
                    fast.product(rows, n, terms, 2, c.view(out.data()), start, bias.data.data());
                    expect_near(c.data, expected.data, this->tolerance);
                    c.check();
                    if (testing::Test::HasFatalFailure()) return;
                }
            }
        }
    });
}

// Packed matrices, beside one that is not, as the reference; deeper ones than fit the cache, too. The same
// bits as without packing.
TYPED_TEST(Kernels, ProductOfPackedMatrices) {
    using T = TypeParam;
    this->on_every_target([&](const KernelTable<T>& fast) {
        Random random(2);
        for (int cols : {5, 16, 24, 40, 100})
            for (int rows : {1, 7, 63, 65})
                for (int height : {1, 90, 300}) {
                    SCOPED_TRACE(fmt::format("{} columns, {} rows, {} deep", cols, rows, height));
                    const int n = padded(cols), k = height > 1 ? height - 1 : 1;
                    const Start start = rows % 2 == 0 ? Start::bias : Start::accumulate;
                    const auto in = some_rows(random, rows, rows + 3),
                               out = some_rows(random, rows, rows + 2);
                    Matrix<T> a(random, rows + 3, height, padded(height)), b1(random, height, cols, n + 8),
                        b2(random, height, cols, n), b3(random, 1, cols, n), bias(random, 1, cols, n);
                    Matrix<T> c(random, rows + 2, cols, n), expected = c, plain_c = c;
                    Matrix<T> p1(random, height, 0, n), p2 = p1;
                    const auto terms = [&](bool packed) -> std::array<Term<T>, 3> {
                        const Term<T> middle{a.constant(), b3.data.data(), n, 1};
                        if (packed)
                            return {Term<T>{a.constant(in.data()), p1.data.data(), 0, k, height}, middle,
                                    Term<T>{a.constant(), p2.data.data(), 0, height, height}};
                        return {Term<T>{a.constant(in.data()), b1.data.data(), n + 8, k}, middle,
                                Term<T>{a.constant(), b2.data.data(), n, height}};
                    };
                    const auto multiply = [&](const KernelTable<T>& kernels, bool packed, Matrix<T>& to) {
                        if (packed) {
                            kernels.pack(height, n, b1.data.data(), n + 8, p1.data.data());
                            kernels.pack(height, n, b2.data.data(), n, p2.data.data());
                        }
                        kernels.product(rows, n, terms(packed).data(), 3, to.view(out.data()), start,
                                        bias.data.data());
                    };
                    multiply(this->reference, true, expected);
                    multiply(fast, true, c);
                    multiply(fast, false, plain_c);
                    // Long sums round differently where multiply and add are two operations.
                    expect_near(c.data, expected.data, this->tolerance * height);
                    ASSERT_EQ(c.data, plain_c.data);
                    for (const Matrix<T>* m : {&p1, &p2, &c}) m->check();
                    // Nothing to add up: what it starts from.
                    const Term<T> none{a.constant(), p1.data.data(), 0, 0, height};
                    fast.product(rows, n, &none, 1, c.view(), Start::zero, nullptr);
                    for (int i = 0; i < rows; ++i)
                        for (int j = 0; j < n; ++j) ASSERT_EQ(c.view().row(i)[j], 0);
                    if (testing::Test::HasFatalFailure()) return;
                }
    });
}

TYPED_TEST(Kernels, OuterAndColumnSum) {
    using T = TypeParam;
    this->on_every_target([&](const KernelTable<T>& fast) {
        Random random(2);
        for (int cols : {1, 8, 16, 20, 24, 40, 100}) {
            for (int m = 1; m <= 21; ++m) {
                const int n = padded(cols), rows = static_cast<int>(random.below(12));
                Matrix<T> x(random, rows + 2, m, padded(m)), y(random, rows, cols, n + 8),
                    c(random, m, cols, n), expected = c;
                const auto index = some_rows(random, rows, rows + 2);
                this->reference.outer(rows, m, n, x.constant(index.data()), y.constant(),
                                      expected.data.data(), n);
                fast.outer(rows, m, n, x.constant(index.data()), y.constant(), c.data.data(), n);
                expect_near(c.data, expected.data, this->tolerance);
                Matrix<T> sum(random, 1, cols, n), expected_sum = sum;
                this->reference.column_sum(rows, n, y.constant(), expected_sum.data.data());
                fast.column_sum(rows, n, y.constant(), sum.data.data());
                expect_near(sum.data, expected_sum.data, this->tolerance);
                sum.check();
                if (testing::Test::HasFatalFailure()) return;
            }
        }
    });
}

TYPED_TEST(Kernels, Gather) {
    using T = TypeParam;
    this->on_every_target([&](const KernelTable<T>& fast) {
        Random random(3);
        for (int cols : {3, 8, 20, 24, 40, 100}) {
            const int n = padded(cols), rows = 9;
            Matrix<T> x(random, 7, cols, n), out(random, rows, cols, n), expected = out;
            std::vector<int> starts = {0}, neighbours;
            for (int i = 0; i < rows; ++i) {
                for (int e = static_cast<int>(random.below(5)); e > 0; --e)
                    neighbours.push_back(static_cast<int>(random.below(7)));
                starts.push_back(static_cast<int>(neighbours.size()));
            }
            this->reference.gather(rows, n, starts.data(), neighbours.data(), x.constant(), expected.view());
            fast.gather(rows, n, starts.data(), neighbours.data(), x.constant(), out.view());
            expect_near(out.data, expected.data, this->tolerance);
            std::vector<float> weights;
            for (std::size_t e = 0; e < neighbours.size(); ++e)
                weights.push_back(static_cast<float>(random.uniform(-2, 2)));
            this->reference.gather_weighted(rows, n, starts.data(), neighbours.data(), weights.data(),
                                            x.constant(), expected.view());
            fast.gather_weighted(rows, n, starts.data(), neighbours.data(), weights.data(), x.constant(),
                                 out.view());
            expect_near(out.data, expected.data, this->tolerance);
        }
    });
}

TYPED_TEST(Kernels, Gates) {
    using T = TypeParam;
    this->on_every_target([&](const KernelTable<T>& fast) {
        Random random(4);
        for (int cols : {1, 5, 8, 20, 100}) {
            const int n = padded(cols), rows = 5;
            Matrix<T> g(random, rows, 3 * n, 3 * n), h(random, rows, cols, n), rh(random, rows, cols, n),
                next(random, rows, cols, n);
            Matrix<T> g2 = g, rh2 = rh, next2 = next;
            for (auto [k, gates, reset, out] :
                 {std::tuple{&this->reference, &g, &rh, &next}, std::tuple{&fast, &g2, &rh2, &next2}}) {
                k->gates_zr(rows, n, gates->view(), h.constant(), reset->view());
                k->gates_h(rows, n, gates->view(), h.constant(), out->view());
            }
            expect_near(g2.data, g.data, this->tolerance);
            expect_near(rh2.data, rh.data, this->tolerance);
            expect_near(next2.data, next.data, this->tolerance);
            Matrix<T> dh(random, rows, cols, n), dg(random, rows, 3 * n, 3 * n), drh(random, rows, cols, n);
            Matrix<T> dh2 = dh, dg2 = dg;
            for (auto [k, d_state, d_gates, reset] :
                 {std::tuple{&this->reference, &dh, &dg, &rh}, std::tuple{&fast, &dh2, &dg2, &rh2}}) {
                k->gates_h_backward(rows, n, g.constant(), h.constant(), d_state->constant(), d_gates->view(),
                                    d_state->view());
                k->gates_zr_backward(rows, n, g.constant(), h.constant(), drh.constant(), d_gates->view(),
                                     d_state->view(), reset->view());
            }
            expect_near(dh2.data, dh.data, this->tolerance);
            expect_near(dg2.data, dg.data, this->tolerance);
            expect_near(rh2.data, rh.data, this->tolerance);
            dg2.check();
            dh2.check();
        }
    });
}

// Known error: at most 4 units in the last place of the result, over the whole range; NaN stays NaN.
TYPED_TEST(Kernels, SigmoidAndTanhHaveKnownError) {
    using T = TypeParam;
    this->on_every_target([&](const KernelTable<T>& fast) {
        constexpr double epsilon = std::numeric_limits<T>::epsilon();
        std::vector<T> points = {0, static_cast<T>(-0.0), std::numeric_limits<T>::min()};
        for (double x = 1e-12; x < 80; x *= 1.003) {
            points.push_back(static_cast<T>(x));
            points.push_back(static_cast<T>(-x));
        }
        while (points.size() % padding != 0) points.push_back(1);
        const int n = static_cast<int>(points.size());
        auto s = points, t = points;
        fast.sigmoid(1, n, {s.data(), n});
        fast.tanh(1, n, {t.data(), n});
        for (int i = 0; i < n; ++i) {
            const double x = points[i], sigma = 1 / (1 + std::exp(-x));
            ASSERT_TRUE(std::abs(s[i] - sigma) <= 4 * epsilon * sigma) << x << ": " << s[i];
            ASSERT_TRUE(std::abs(t[i] - std::tanh(x)) <= 4 * epsilon * std::abs(std::tanh(x)))
                << x << ": " << t[i];
        }
        std::vector<T> odd = {
            static_cast<T>(NAN), static_cast<T>(INFINITY), static_cast<T>(-INFINITY), 1000, -1000, 0, 0, 0};
        auto odd_tanh = odd;
        fast.sigmoid(1, 8, {odd.data(), 8});
        fast.tanh(1, 8, {odd_tanh.data(), 8});
        EXPECT_TRUE(std::isnan(odd[0]) && std::isnan(odd_tanh[0]));
        for (int i : {1, 3}) EXPECT_TRUE(odd[i] == 1 && odd_tanh[i] == 1);
        for (int i : {2, 4}) EXPECT_TRUE(odd[i] >= 0 && odd[i] < 1e-30 && odd_tanh[i] == -1);
    });
}

TYPED_TEST(Kernels, Adam) {
    using T = TypeParam;
    this->on_every_target([&](const KernelTable<T>& fast) {
        Random random(6);
        AdamStep<T> step{T(.01), T(.9), T(.999), T(1e-8), T(.1), T(.001), T(1.5), T(.3), T(.1)};
        Matrix<T> w(random, 1, 64, 64), g(random, 1, 64, 64), m(random, 1, 64, 64), v(random, 1, 64, 64);
        for (T& x : v.data) x = std::abs(x);
        w.data[3] = T(1e-6); // falls below the threshold
        g.data[3] = m.data[3] = 0;
        Matrix<T> w2 = w, m2 = m, v2 = v;
        this->reference.adam(64, step, w.data.data(), g.data.data(), m.data.data(), v.data.data());
        fast.adam(64, step, w2.data.data(), g.data.data(), m2.data.data(), v2.data.data());
        EXPECT_EQ(w.data[3], 0);
        expect_near(w2.data, w.data, this->tolerance);
        expect_near(m2.data, m.data, this->tolerance);
        expect_near(v2.data, v.data, this->tolerance);
        w2.check();
    });
}

} // namespace
} // namespace ggsnn
