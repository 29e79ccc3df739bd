// The fast version of every kernel, compiled once for each instruction set by Highway and chosen at run
// time. The products keep a tile of MR rows by NV vectors of the result in registers over the whole depth
// and over all terms: with D = 3 to 20 that leaves one store per number and no intermediate sums, with
// D = 100 it runs near the arithmetic peak.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ggsnn/nn/kernels/kernels_simd.cpp"
#include <hwy/foreach_target.h>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "ggsnn/nn/kernels/kernels.hpp"
#include "ggsnn/nn/kernels/math_simd.hpp"

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace ggsnn {
namespace HWY_NAMESPACE {

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

// Calls body(rest as a constant) if 0 < rest < Whole.
template <int Whole, class Body>
HWY_INLINE void with_rest(int rest, Body body) {
    if constexpr (Whole > 1) {
        if (rest == Whole - 1) {
            body(std::integral_constant<int, Whole - 1>());
        } else {
            with_rest<Whole - 1>(rest, body);
        }
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

// Room for a packed panel: most of a 32 KB first-level cache, the rest is for what streams by.
template <class T>
constexpr int panel_room = 20480 / static_cast<int>(sizeof(T));

// Copies a panel of `rows` rows into consecutive memory. Rows of a wide matrix are cache lines apart of
// which a panel uses a part: side by side they all fit the first-level cache.
template <int NV, class T>
HWY_INLINE void pack_panel(int rows, Rows<const T> from, T* HWY_RESTRICT to) {
    const Tag<T> d;
    const std::size_t lanes = hn::Lanes(d);
    for (int i = 0; i < rows; ++i, to += NV * lanes) {
        const T* row = from.row(i);
        for (int v = 0; v < NV; ++v) hn::StoreU(hn::LoadU(d, row + v * lanes), d, to + v * lanes);
    }
}

// A packed matrix: its panels one after the other.
template <class T>
void pack(int k, int n, const T* b, int ldb, T* out) {
    for_panels<T>(n, [&](auto width, int j) {
        pack_panel<decltype(width)::value, T>(k, {b + j, ldb}, out + static_cast<std::ptrdiff_t>(j) * k);
    });
}

template <class T>
void product(int rows, int n, const Term<T>* terms, int count, Rows<T> c, Start start, const T* bias) {
    const int lanes = static_cast<int>(hn::Lanes(Tag<T>()));
    int depth = 0;
    bool packed = false;
    for (int t = 0; t < count; ++t) {
        depth += terms[t].k;
        packed = packed || terms[t].height > 0;
    }
    const bool packing = static_cast<std::size_t>(depth) * n * sizeof(T) > worth_packing && rows >= 64;
    HWY_ALIGN T room[panel_room<T>];
    for_panels<T>(n, [&](auto width, int j) {
        constexpr int nv = decltype(width)::value, mr = nv == 3 ? 4 : nv == 2 ? 6 : 8;
        if (!packing && !packed) {
            product_panel<mr, nv>(rows, terms, count, c, j, start, bias);
            return;
        }
        // Pieces of terms, as many at a time as fit the first-level cache.
        constexpr int most_pieces = 4;
        Term<T> pieces[most_pieces];
        int size = 0, gathered = 0;
        Start from = start;
        const int wide = nv * lanes, most = panel_room<T> / wide;
        const auto multiply = [&] {
            product_panel<mr, nv>(rows, pieces, size, c, j, from, bias);
            from = Start::accumulate;
            size = gathered = 0;
        };
        for (int t = 0; t < count; ++t)
            for (int k = 0; k < terms[t].k; k += most) {
                const Term<T>& term = terms[t];
                const int deep = HWY_MIN(most, term.k - k);
                if (size == most_pieces || gathered + deep > most) multiply();
                Term<T>& piece = pieces[size++];
                piece = {term.a.at(k), term.b + static_cast<std::ptrdiff_t>(k) * term.ldb, term.ldb, deep};
                if (term.height > 0) {
                    piece.b = term.b + static_cast<std::ptrdiff_t>(j) * term.height + k * wide - j;
                    piece.ldb = wide;
                } else if (packing) {
                    pack_panel<nv, T>(deep, {piece.b + j, term.ldb}, room + gathered * wide);
                    // The tile looks for column j of its matrix.
                    piece.b = room + gathered * wide - j;
                    piece.ldb = wide;
                }
                gathered += deep;
            }
        if (size > 0 || depth == 0) multiply();
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
    with_rest<MR>(m - first,
                  [&](auto rest) { outer_tile<decltype(rest)::value, NV>(rows, x, y, first, j, c, ldc); });
}

template <class T>
void outer(int rows, int m, int n, Rows<const T> x, Rows<const T> y, T* c, int ldc) {
    const int lanes = static_cast<int>(hn::Lanes(Tag<T>()));
    const bool packing = m >= 48;
    HWY_ALIGN T room[panel_room<T>];
    for_panels<T>(n, [&](auto width, int j) {
        constexpr int nv = decltype(width)::value;
        if (!packing) {
            outer_panel<nv>(rows, m, x, y, j, c, ldc);
            return;
        }
        const int most = panel_room<T> / (nv * lanes);
        for (int i = 0; i < rows; i += most) {
            const int some = HWY_MIN(most, rows - i);
            pack_panel<nv, T>(some, y.from(i).at(j), room);
            outer_panel<nv, T>(some, m, x.from(i), {room - j, nv * lanes}, j, c, ldc);
        }
    });
}

template <class T>
void column_sum(int rows, int n, Rows<const T> y, T* c) {
    const Tag<T> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for_panels<T>(n, [&](auto width, int j) {
        constexpr int nv = decltype(width)::value;
        hn::Vec<Tag<T>> sum[nv];
        for (int v = 0; v < nv; ++v) sum[v] = hn::LoadU(d, c + j + v * lanes);
        for (int i = 0; i < rows; ++i) {
            const T* row = y.row(i) + j;
            for (int v = 0; v < nv; ++v) sum[v] = hn::Add(sum[v], hn::LoadU(d, row + v * lanes));
        }
        for (int v = 0; v < nv; ++v) hn::StoreU(sum[v], d, c + j + v * lanes);
    });
}

// weights: null for all 1.
template <bool weighted, class T>
HWY_INLINE void gather_rows(int rows, int n, const int* starts, const int* neighbours, const float* weights,
                            Rows<const T> x, Rows<T> out) {
    const Tag<T> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    // Rows of large graphs come from far away, in no order: ask for them in time.
    constexpr int ahead = 12;
    const int end = rows > 0 ? starts[rows] : 0;
    const auto panel = [&](auto width, int j) {
        constexpr int nv = decltype(width)::value;
        for (int i = 0; i < rows; ++i) {
            const int first = starts[i], last = starts[i + 1];
            hn::Vec<Tag<T>> sum[nv];
            for (int v = 0; v < nv; ++v) sum[v] = hn::Zero(d);
            for (int e = first; e < last; ++e) {
                if (nv >= 4 && e + ahead < end) {
                    const T* next = x.row(neighbours[e + ahead]) + j;
                    for (int v = 0; v < nv; v += 64 / static_cast<int>(sizeof(T)) / lanes)
                        hwy::Prefetch(next + v * lanes);
                }
                const T* s = x.row(neighbours[e]) + j;
                if constexpr (weighted) {
                    const auto weight = hn::Set(d, static_cast<T>(weights[e]));
                    for (int v = 0; v < nv; ++v)
                        sum[v] = hn::MulAdd(weight, hn::LoadU(d, s + v * lanes), sum[v]);
                } else {
                    for (int v = 0; v < nv; ++v) sum[v] = hn::Add(sum[v], hn::LoadU(d, s + v * lanes));
                }
            }
            T* o = out.row(i) + j;
            for (int v = 0; v < nv; ++v) hn::StoreU(sum[v], d, o + v * lanes);
        }
    };
    int j = 0;
    for (; n - j >= 8 * lanes; j += 8 * lanes) panel(std::integral_constant<int, 8>(), j);
    for (; n - j >= 4 * lanes; j += 4 * lanes) panel(std::integral_constant<int, 4>(), j);
    for (; n - j >= 2 * lanes; j += 2 * lanes) panel(std::integral_constant<int, 2>(), j);
    for (; n - j >= lanes; j += lanes) panel(std::integral_constant<int, 1>(), j);
}

template <class T>
void gather(int rows, int n, const int* starts, const int* neighbours, Rows<const T> x, Rows<T> out) {
    gather_rows<false>(rows, n, starts, neighbours, nullptr, x, out);
}

template <class T>
void gather_weighted(int rows, int n, const int* starts, const int* neighbours, const float* weights,
                     Rows<const T> x, Rows<T> out) {
    gather_rows<true>(rows, n, starts, neighbours, weights, x, out);
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
    HWY_DASSERT(g.index == nullptr && h.index == nullptr && rh.index == nullptr);
    const Tag<T> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for (int i = 0; i < rows; ++i) {
        T* gi = g.base + g.stride * i;
        const T* hi = h.base + h.stride * i;
        T* rhi = rh.base + rh.stride * i;
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
    HWY_DASSERT(g.index == nullptr && h.index == nullptr && h_next.index == nullptr);
    const Tag<T> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for (int i = 0; i < rows; ++i) {
        T* gi = g.base + g.stride * i;
        const T* hi = h.base + h.stride * i;
        T* ni = h_next.base + h_next.stride * i;
        for (int j = 0; j < n; j += lanes) {
            const auto z = hn::LoadU(d, gi + j);
            const auto hv = hn::LoadU(d, hi + j);
            const auto h_tilde = tangent(d, hn::LoadU(d, gi + 2 * n + j));
            hn::StoreU(h_tilde, d, gi + 2 * n + j);
            hn::StoreU(hn::MulAdd(z, hn::Sub(h_tilde, hv), hv), d, ni + j);
        }
    }
}

template <class T>
void gates_h_backward(int rows, int n, Rows<const T> g, Rows<const T> h, Rows<const T> dh_next, Rows<T> dg,
                      Rows<T> dh) {
    HWY_DASSERT(g.index == nullptr && h.index == nullptr && dh_next.index == nullptr && dg.index == nullptr &&
                dh.index == nullptr);
    const Tag<T> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const auto one = hn::Set(d, T(1));
    for (int i = 0; i < rows; ++i) {
        const T* gi = g.base + g.stride * i;
        const T* hi = h.base + h.stride * i;
        const T* ni = dh_next.base + dh_next.stride * i;
        T* dgi = dg.base + dg.stride * i;
        T* dhi = dh.base + dh.stride * i;
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
    HWY_DASSERT(g.index == nullptr && h.index == nullptr && drh.index == nullptr && dg.index == nullptr &&
                dh.index == nullptr && rh.index == nullptr);
    const Tag<T> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for (int i = 0; i < rows; ++i) {
        const T* gi = g.base + g.stride * i;
        const T* hi = h.base + h.stride * i;
        const T* di = drh.base + drh.stride * i;
        T* dgi = dg.base + dg.stride * i;
        T* dhi = dh.base + dh.stride * i;
        T* rhi = rh.base + rh.stride * i;
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
        pack<T>,
        outer<T>,
        column_sum<T>,
        gather<T>,
        gather_weighted<T>,
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

const char* target_name() {
    return hwy::TargetName(HWY_TARGET);
}

} // namespace HWY_NAMESPACE
} // namespace ggsnn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ggsnn {

HWY_EXPORT(table_float);
HWY_EXPORT(table_double);
HWY_EXPORT(target_name);

const char* instruction_set() {
    return HWY_DYNAMIC_DISPATCH(target_name)();
}

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
