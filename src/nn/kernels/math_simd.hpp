// Vectors, and exp and its family in them, for the files that are compiled once for each instruction set
// (Highway's foreach_target.h): included again for each, hence the guard that opens and closes in turn.
#if defined(GGSNN_MATH_SIMD) == defined(HWY_TARGET_TOGGLE)
#ifdef GGSNN_MATH_SIMD
#undef GGSNN_MATH_SIMD
#else
#define GGSNN_MATH_SIMD
#endif

#include <hwy/highway.h>

#include "ggsnn/nn/kernels/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace ggsnn {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Vectors never wider than a padded row's unit, so that rows have no tails.
template <class T>
using Tag = hn::CappedTag<T, padding>;

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

// x within +-limit; NaN stays NaN.
template <class D>
HWY_INLINE hn::Vec<D> clamp(D d, hn::Vec<D> x, hn::TFromD<D> limit) {
    const auto most = hn::Set(d, limit), least = hn::Set(d, -limit);
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
    // The instructions give the second operand where one is NaN.
    return hn::Max(least, hn::Min(most, x));
#else
    // Comparisons with NaN are false.
    x = hn::IfThenElse(hn::Gt(x, most), most, x);
    return hn::IfThenElse(hn::Lt(x, least), least, x);
#endif
}

// exp(x) - 1 for x in [-limit, limit], without cancellation near 0: x = n ln 2 + r, |r| <= ln 2 / 2, then
// 2^n (exp(r) - 1) + (2^n - 1) with the Taylor series of exp(r) - 1, whose first dropped term is below
// half a unit in the last place. NaN stays NaN. Without Exact, n ln 2 is rounded once: the result is off by n
// units in the last place.
template <bool Exact, class D>
HWY_INLINE hn::Vec<D> expm1(D d, hn::Vec<D> x) {
    using T = hn::TFromD<D>;
    constexpr bool single = sizeof(T) == 4;
    constexpr T limit = single ? T(87) : T(708);
    x = clamp(d, x, limit);
    // Added to 1.5 2^(bits of the mantissa), a number is rounded to a whole one, whose bits are then the
    // lowest.
    const hn::RebindToSigned<D> whole;
    constexpr int mantissa = single ? 23 : 52;
    const auto magic = hn::Set(d, single ? T(12582912) : T(6755399441055744));
    const auto shifted = hn::MulAdd(x, hn::Set(d, T(1.4426950408889634074)), magic);
    const auto n = hn::Sub(shifted, magic);
    // Exact: ln 2 in two parts, the first with enough trailing zeros that n times it is exact.
    constexpr T high = !Exact   ? T(0.69314718055994530942)
                       : single ? T(0.693359375)
                                : T(0.693147180369123816490);
    constexpr T low = single ? T(-2.12194440054690583e-4) : T(1.90821492927058770002e-10);
    auto r = hn::NegMulAdd(n, hn::Set(d, high), x);
    if constexpr (Exact) r = hn::NegMulAdd(n, hn::Set(d, low), r);
    // Two coefficients at a time: half as many operations wait for each other.
    constexpr int degree = single ? 7 : 13;
    constexpr auto taylor = inverse_factorials<T, degree>();
    const auto pair = [&](int i) {
        return hn::MulAdd(hn::Set(d, taylor.c[i + 1]), r, hn::Set(d, taylor.c[i]));
    };
    const auto square = hn::Mul(r, r);
    auto p = pair(degree - 1);
    for (int i = degree - 3; i >= 2; i -= 2) p = hn::MulAdd(p, square, pair(i));
    p = hn::MulAdd(p, square, r);
    // 2^n: n is added to the exponent of 1.
    const auto scale = hn::BitCast(d, hn::Add(hn::ShiftLeft<mantissa>(hn::BitCast(whole, shifted)),
                                              hn::BitCast(whole, hn::Set(d, T(1)))));
    return hn::MulAdd(scale, p, hn::Sub(scale, hn::Set(d, T(1))));
}

template <class D>
HWY_INLINE hn::Vec<D> sigma(D d, hn::Vec<D> x) {
    using T = hn::TFromD<D>;
    return hn::Div(hn::Set(d, T(1)), hn::Add(hn::Set(d, T(2)), expm1<true>(d, hn::Neg(x))));
}

template <class D>
HWY_INLINE hn::Vec<D> tangent(D d, hn::Vec<D> x) {
    using T = hn::TFromD<D>;
    // e / (e + 2) has 2 / (e + 2) of the relative error of e: n units are none where n is large.
    const auto e = expm1<false>(d, hn::Add(hn::Abs(x), hn::Abs(x)));
    return hn::CopySign(hn::Div(e, hn::Add(e, hn::Set(d, T(2)))), x);
}

// x (1 - x)
template <class D>
HWY_INLINE hn::Vec<D> slope(D, hn::Vec<D> x) {
    return hn::NegMulAdd(x, x, x);
}

} // namespace HWY_NAMESPACE
} // namespace ggsnn
HWY_AFTER_NAMESPACE();

#endif
