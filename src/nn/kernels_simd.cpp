// The fast version of every kernel, compiled once for each instruction set by Highway and chosen at run
// time. The products keep a tile of MR rows by NV vectors of the result in registers over the whole depth
// and over all terms: with D = 3 to 20 that leaves one store per number and no intermediate sums, with
// D = 100 it runs near the arithmetic peak.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/kernels_simd.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "nn/kernels.hpp"

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace ggsnn {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors never wider than a padded row's unit, so that rows have no tails.
template <class T>
using Tag = hn::CappedTag<T, padding>;

// --- exp and its family -----------------------------------------------------------------------------

// 2^n for whole numbers n within the range of exponents.
template <class D>
HWY_INLINE hn::Vec<D> power_of_two(D d, hn::Vec<D> n) {
    const hn::RebindToSigned<D> di;
    if constexpr (sizeof(hn::TFromD<D>) == 4) {
        return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(hn::NearestInt(n), hn::Set(di, 127))));
    } else {
        const hn::Rebind<std::int32_t, D> d32;
        const auto whole = hn::PromoteTo(di, hn::DemoteTo(d32, n));
        return hn::BitCast(d, hn::ShiftLeft<52>(hn::Add(whole, hn::Set(di, 1023))));
    }
}

template <class T, int N>
struct Coefficients {
    T c[N + 1];
};

template <class T, int N>
constexpr Coefficients<T, N> inverse_factorials() {
    Coefficients<T, N> result{};
    double factorial = 1;
    for (int i = 0; i <= N; ++i) {
        result.c[i] = static_cast<T>(1 / factorial);
        factorial *= i + 1;
    }
    return result;
}

// exp(x) - 1 for x in [-limit, limit], without cancellation near 0: x = n ln 2 + r, |r| <= ln 2 / 2, then
// 2^n (exp(r) - 1) + (2^n - 1) with the Taylor series of exp(r) - 1, whose first dropped term is below
// half a unit in the last place. NaN stays NaN.
template <class D>
HWY_INLINE hn::Vec<D> expm1(D d, hn::Vec<D> x) {
    using T = hn::TFromD<D>;
    constexpr bool single = sizeof(T) == 4;
    constexpr T limit = single ? T(87) : T(708);
    // Comparisons with NaN are false: it passes through.
    const auto most = hn::Set(d, limit), least = hn::Set(d, -limit);
    x = hn::IfThenElse(hn::Gt(x, most), most, x);
    x = hn::IfThenElse(hn::Lt(x, least), least, x);
    const auto n = hn::Round(hn::Mul(x, hn::Set(d, T(1.4426950408889634074))));
    // ln 2 in two parts, the first with enough trailing zeros that n times it is exact.
    constexpr T high = single ? T(0.693359375) : T(0.693147180369123816490);
    constexpr T low = single ? T(-2.12194440054690583e-4) : T(1.90821492927058770002e-10);
    auto r = hn::NegMulAdd(n, hn::Set(d, high), x);
    r = hn::NegMulAdd(n, hn::Set(d, low), r);
    constexpr int degree = single ? 7 : 13;
    constexpr auto taylor = inverse_factorials<T, degree>();
    auto p = hn::Set(d, taylor.c[degree]);
    for (int i = degree - 1; i >= 2; --i) p = hn::MulAdd(p, r, hn::Set(d, taylor.c[i]));
    p = hn::MulAdd(hn::Mul(r, r), p, r);
    const auto scale = power_of_two(d, n);
    return hn::MulAdd(scale, p, hn::Sub(scale, hn::Set(d, T(1))));
}

template <class D>
HWY_INLINE hn::Vec<D> sigma(D d, hn::Vec<D> x) {
    using T = hn::TFromD<D>;
    return hn::Div(hn::Set(d, T(1)), hn::Add(hn::Set(d, T(2)), expm1(d, hn::Neg(x))));
}

template <class D>
HWY_INLINE hn::Vec<D> tangent(D d, hn::Vec<D> x) {
    using T = hn::TFromD<D>;
    const auto e = expm1(d, hn::Add(hn::Abs(x), hn::Abs(x)));
    return hn::CopySign(hn::Div(e, hn::Add(e, hn::Set(d, T(2)))), x);
}

// --- products ---------------------------------------------------------------------------------------

// Addresses of MR rows from row i on: one look at whether they are indexed, not one a row.
template <int MR, class T>
HWY_INLINE void row_pointers(const Rows<T>& rows, std::ptrdiff_t i, T** out) {
    if (rows.index != nullptr) {
        for (int r = 0; r < MR; ++r) out[r] = rows.base + rows.stride * rows.index[i + r];
    } else {
        T* first = rows.base + rows.stride * i;
        for (int r = 0; r < MR; ++r) out[r] = first + rows.stride * r;
    }
}

// A tile of MR rows by NV vectors of c = start + sum over terms.
template <int MR, int NV, class T>
HWY_INLINE void product_tile(const Term<T>* terms, int count, Rows<T> c, std::ptrdiff_t i, int j, Start start,
                             const T* bias) {
    const Tag<T> d;
    const std::size_t lanes = hn::Lanes(d);
    T* to[MR];
    row_pointers<MR>(c, i, to);
    hn::Vec<Tag<T>> sum[MR][NV];
    for (int v = 0; v < NV; ++v) {
        const auto first = start == Start::bias ? hn::LoadU(d, bias + j + v * lanes) : hn::Zero(d);
        for (int r = 0; r < MR; ++r) sum[r][v] = first;
    }
    if (start == Start::accumulate)
        for (int r = 0; r < MR; ++r)
            for (int v = 0; v < NV; ++v) sum[r][v] = hn::LoadU(d, to[r] + j + v * lanes);
    for (int t = 0; t < count; ++t) {
        const T* a[MR];
        row_pointers<MR>(terms[t].a, i, a);
        const T* b = terms[t].b + j;
        const int k_end = terms[t].k;
        for (int k = 0; k < k_end; ++k, b += terms[t].ldb) {
            hn::Vec<Tag<T>> bv[NV];
            for (int v = 0; v < NV; ++v) bv[v] = hn::LoadU(d, b + v * lanes);
            for (int r = 0; r < MR; ++r) {
                const auto av = hn::Set(d, a[r][k]);
                for (int v = 0; v < NV; ++v) sum[r][v] = hn::MulAdd(av, bv[v], sum[r][v]);
            }
        }
    }
    for (int r = 0; r < MR; ++r)
        for (int v = 0; v < NV; ++v) hn::StoreU(sum[r][v], d, to[r] + j + v * lanes);
}

template <int MR, int NV, class T>
void product_panel(int rows, const Term<T>* terms, int count, Rows<T> c, int j, Start start, const T* bias) {
    int i = 0;
    for (; i + MR <= rows; i += MR) product_tile<MR, NV>(terms, count, c, i, j, start, bias);
    for (; MR > 4 && i + 4 <= rows; i += 4) product_tile<4, NV>(terms, count, c, i, j, start, bias);
    for (; i + 2 <= rows; i += 2) product_tile<2, NV>(terms, count, c, i, j, start, bias);
    for (; i < rows; ++i) product_tile<1, NV>(terms, count, c, i, j, start, bias);
}

// Calls body(panel width in vectors as a constant, first column) over n columns, in panels of 3 and 2
// vectors, and 1 only where n is a single vector.
template <class T, class Body>
HWY_INLINE void for_panels(int n, Body body) {
    const int lanes = static_cast<int>(hn::Lanes(Tag<T>()));
    int vectors = n / lanes;
    int j = 0;
    while (vectors > 0) {
        if (vectors == 1) {
            body(std::integral_constant<int, 1>(), j);
            return;
        }
        if (vectors == 2 || vectors == 4) {
            body(std::integral_constant<int, 2>(), j);
            vectors -= 2;
            j += 2 * lanes;
        } else {
            body(std::integral_constant<int, 3>(), j);
            vectors -= 3;
            j += 3 * lanes;
        }
    }
}

template <class T>
void product(int rows, int n, const Term<T>* terms, int count, Rows<T> c, Start start, const T* bias) {
    for_panels<T>(n, [&](auto width, int j) {
        constexpr int nv = decltype(width)::value;
        product_panel<nv == 3 ? 4 : nv == 2 ? 6 : 8, nv>(rows, terms, count, c, j, start, bias);
    });
}

// A tile of c += sum over rows of x_i[j] y_i.
template <int MR, int NV, class T>
HWY_INLINE void outer_tile(int rows, Rows<const T> x, Rows<const T> y, int first, int j, T* c, int ldc) {
    const Tag<T> d;
    const std::size_t lanes = hn::Lanes(d);
    hn::Vec<Tag<T>> sum[MR][NV];
    for (int r = 0; r < MR; ++r)
        for (int v = 0; v < NV; ++v) sum[r][v] = hn::LoadU(d, c + (first + r) * ldc + j + v * lanes);
    const auto add = [&](const T* xi, const T* yi) {
        hn::Vec<Tag<T>> yv[NV];
        for (int v = 0; v < NV; ++v) yv[v] = hn::LoadU(d, yi + v * lanes);
        for (int r = 0; r < MR; ++r) {
            const auto xv = hn::Set(d, xi[r]);
            for (int v = 0; v < NV; ++v) sum[r][v] = hn::MulAdd(xv, yv[v], sum[r][v]);
        }
    };
    const T* xi = x.base + first;
    const T* yi = y.base + j;
    if (x.index == nullptr && y.index == nullptr) {
        for (int i = 0; i < rows; ++i, xi += x.stride, yi += y.stride) add(xi, yi);
    } else if (y.index == nullptr) {
        for (int i = 0; i < rows; ++i, yi += y.stride) add(xi + x.stride * x.index[i], yi);
    } else {
        for (int i = 0; i < rows; ++i) add(x.row(i) + first, y.row(i) + j);
    }
    for (int r = 0; r < MR; ++r)
        for (int v = 0; v < NV; ++v) hn::StoreU(sum[r][v], d, c + (first + r) * ldc + j + v * lanes);
}

template <int NV, class T>
void outer_panel(int rows, int m, Rows<const T> x, Rows<const T> y, int j, T* c, int ldc) {
    constexpr int MR = NV == 3 ? 4 : NV == 2 ? 6 : 8;
    int first = 0;
    for (; first + MR <= m; first += MR) outer_tile<MR, NV>(rows, x, y, first, j, c, ldc);
    switch (m - first) {
    case 7:
        outer_tile<7, NV>(rows, x, y, first, j, c, ldc);
        break;
    case 6:
        outer_tile<6, NV>(rows, x, y, first, j, c, ldc);
        break;
    case 5:
        outer_tile<5, NV>(rows, x, y, first, j, c, ldc);
        break;
    case 4:
        outer_tile<4, NV>(rows, x, y, first, j, c, ldc);
        break;
    case 3:
        outer_tile<3, NV>(rows, x, y, first, j, c, ldc);
        break;
    case 2:
        outer_tile<2, NV>(rows, x, y, first, j, c, ldc);
        break;
    case 1:
        outer_tile<1, NV>(rows, x, y, first, j, c, ldc);
        break;
    default:
        break;
    }
}

template <class T>
void outer(int rows, int m, int n, Rows<const T> x, Rows<const T> y, T* c, int ldc) {
    for_panels<T>(n,
                  [&](auto width, int j) { outer_panel<decltype(width)::value>(rows, m, x, y, j, c, ldc); });
}

template <class T>
void column_sum(int rows, int n, Rows<const T> y, T* c) {
    const Tag<T> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for (int j = 0; j < n; j += lanes) {
        auto sum = hn::LoadU(d, c + j);
        for (int i = 0; i < rows; ++i) sum = hn::Add(sum, hn::LoadU(d, y.row(i) + j));
        hn::StoreU(sum, d, c + j);
    }
}

template <class T>
void gather(int rows, int n, const int* starts, const int* neighbours, Rows<const T> x, Rows<T> out) {
    const Tag<T> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for_panels<T>(n, [&](auto width, int j) {
        constexpr int nv = decltype(width)::value;
        for (int i = 0; i < rows; ++i) {
            const int first = starts[i], last = starts[i + 1];
            hn::Vec<Tag<T>> sum[nv];
            for (int v = 0; v < nv; ++v) sum[v] = hn::Zero(d);
            for (int e = first; e < last; ++e) {
                const T* s = x.row(neighbours[e]) + j;
                for (int v = 0; v < nv; ++v) sum[v] = hn::Add(sum[v], hn::LoadU(d, s + v * lanes));
            }
            T* o = out.row(i) + j;
            for (int v = 0; v < nv; ++v) hn::StoreU(sum[v], d, o + v * lanes);
        }
    });
}

// --- elementwise ------------------------------------------------------------------------------------

template <class T>
void sigmoid(int rows, int n, Rows<T> x) {
    const Tag<T> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < n; j += lanes) hn::StoreU(sigma(d, hn::LoadU(d, x.row(i) + j)), d, x.row(i) + j);
}

template <class T>
void hyperbolic_tangent(int rows, int n, Rows<T> x) {
    const Tag<T> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < n; j += lanes)
            hn::StoreU(tangent(d, hn::LoadU(d, x.row(i) + j)), d, x.row(i) + j);
}

template <class T>
void gates_zr(int rows, int n, Rows<T> g, Rows<const T> h, Rows<T> rh) {
    const Tag<T> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for (int i = 0; i < rows; ++i) {
        T* gi = g.row(i);
        const T* hi = h.row(i);
        T* rhi = rh.row(i);
        for (int j = 0; j < n; j += lanes) {
            const auto z = sigma(d, hn::LoadU(d, gi + j));
            const auto r = sigma(d, hn::LoadU(d, gi + n + j));
            hn::StoreU(z, d, gi + j);
            hn::StoreU(r, d, gi + n + j);
            hn::StoreU(hn::Mul(r, hn::LoadU(d, hi + j)), d, rhi + j);
        }
    }
}

template <class T>
void gates_h(int rows, int n, Rows<T> g, Rows<const T> h, Rows<T> h_next) {
    const Tag<T> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for (int i = 0; i < rows; ++i) {
        T* gi = g.row(i);
        const T* hi = h.row(i);
        T* ni = h_next.row(i);
        for (int j = 0; j < n; j += lanes) {
            const auto z = hn::LoadU(d, gi + j);
            const auto hv = hn::LoadU(d, hi + j);
            const auto h_tilde = tangent(d, hn::LoadU(d, gi + 2 * n + j));
            hn::StoreU(h_tilde, d, gi + 2 * n + j);
            hn::StoreU(hn::MulAdd(z, hn::Sub(h_tilde, hv), hv), d, ni + j);
        }
    }
}

// x (1 - x)
template <class D>
HWY_INLINE hn::Vec<D> slope(D, hn::Vec<D> x) {
    return hn::NegMulAdd(x, x, x);
}

template <class T>
void gates_h_backward(int rows, int n, Rows<const T> g, Rows<const T> h, Rows<const T> dh_next, Rows<T> dg,
                      Rows<T> dh) {
    const Tag<T> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const auto one = hn::Set(d, T(1));
    for (int i = 0; i < rows; ++i) {
        const T* gi = g.row(i);
        const T* hi = h.row(i);
        const T* ni = dh_next.row(i);
        T* dgi = dg.row(i);
        T* dhi = dh.row(i);
        for (int j = 0; j < n; j += lanes) {
            const auto z = hn::LoadU(d, gi + j);
            const auto h_tilde = hn::LoadU(d, gi + 2 * n + j);
            const auto next = hn::LoadU(d, ni + j);
            const auto dz = hn::Mul(next, hn::Sub(h_tilde, hn::LoadU(d, hi + j)));
            hn::StoreU(hn::Mul(dz, slope(d, z)), d, dgi + j);
            const auto moved = hn::Mul(next, z);
            hn::StoreU(hn::Mul(moved, hn::NegMulAdd(h_tilde, h_tilde, one)), d, dgi + 2 * n + j);
            hn::StoreU(hn::Sub(next, moved), d, dhi + j);
        }
    }
}

template <class T>
void gates_zr_backward(int rows, int n, Rows<const T> g, Rows<const T> h, Rows<const T> drh, Rows<T> dg,
                       Rows<T> dh, Rows<T> rh) {
    const Tag<T> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for (int i = 0; i < rows; ++i) {
        const T* gi = g.row(i);
        const T* hi = h.row(i);
        const T* di = drh.row(i);
        T* dgi = dg.row(i);
        T* dhi = dh.row(i);
        T* rhi = rh.row(i);
        for (int j = 0; j < n; j += lanes) {
            const auto r = hn::LoadU(d, gi + n + j);
            const auto hv = hn::LoadU(d, hi + j);
            const auto dv = hn::LoadU(d, di + j);
            hn::StoreU(hn::Mul(hn::Mul(dv, hv), slope(d, r)), d, dgi + n + j);
            hn::StoreU(hn::MulAdd(dv, r, hn::LoadU(d, dhi + j)), d, dhi + j);
            hn::StoreU(hn::Mul(r, hv), d, rhi + j);
        }
    }
}

// REQUIRES n to be a multiple of the padding.
template <class T>
void adam(std::size_t n, const AdamStep<T>& step, T* weight, const T* gradient, T* first, T* second) {
    const Tag<T> d;
    const std::size_t lanes = hn::Lanes(d);
    const auto high = hn::Set(d, step.clip), low = hn::Set(d, -step.clip);
    const auto beta1 = hn::Set(d, step.beta1), beta2 = hn::Set(d, step.beta2);
    const auto rest1 = hn::Set(d, 1 - step.beta1), rest2 = hn::Set(d, 1 - step.beta2);
    const auto unbias1 = hn::Set(d, 1 / step.correction1), unbias2 = hn::Set(d, 1 / step.correction2);
    const auto rate = hn::Set(d, step.learning_rate), epsilon = hn::Set(d, step.epsilon);
    const auto decay = hn::Set(d, step.learning_rate * step.l2);
    const auto threshold = hn::Set(d, step.learning_rate * step.l1);
    for (std::size_t i = 0; i < n; i += lanes) {
        const auto g = hn::Min(high, hn::Max(low, hn::LoadU(d, gradient + i)));
        const auto m = hn::MulAdd(beta1, hn::LoadU(d, first + i), hn::Mul(rest1, g));
        const auto v = hn::MulAdd(beta2, hn::LoadU(d, second + i), hn::Mul(rest2, hn::Mul(g, g)));
        hn::StoreU(m, d, first + i);
        hn::StoreU(v, d, second + i);
        const auto old = hn::LoadU(d, weight + i);
        const auto update = hn::Div(hn::Mul(m, unbias1), hn::Add(hn::Sqrt(hn::Mul(v, unbias2)), epsilon));
        const auto w = hn::NegMulAdd(decay, old, hn::NegMulAdd(rate, update, old));
        const auto shrunk = hn::Max(hn::Zero(d), hn::Sub(hn::Abs(w), threshold));
        hn::StoreU(hn::CopySign(shrunk, w), d, weight + i);
    }
}

template <class T>
const KernelTable<T>* table() {
    static const KernelTable<T> functions = {
        hwy::TargetName(HWY_TARGET),
        product<T>,
        outer<T>,
        column_sum<T>,
        gather<T>,
        sigmoid<T>,
        hyperbolic_tangent<T>,
        gates_zr<T>,
        gates_h<T>,
        gates_h_backward<T>,
        gates_zr_backward<T>,
        adam<T>,
    };
    return &functions;
}

const KernelTable<float>* table_float() {
    return table<float>();
}
const KernelTable<double>* table_double() {
    return table<double>();
}

} // namespace HWY_NAMESPACE
} // namespace ggsnn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ggsnn {

HWY_EXPORT(table_float);
HWY_EXPORT(table_double);

template <>
const KernelTable<float>& kernels<float>() {
    return *HWY_DYNAMIC_DISPATCH(table_float)();
}

template <>
const KernelTable<double>& kernels<double>() {
    return *HWY_DYNAMIC_DISPATCH(table_double)();
}

} // namespace ggsnn
#endif
