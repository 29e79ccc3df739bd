// Packs (narrow.hpp) and products of them, for files that are compiled once for each instruction set. A
// product keeps a tile of MR outputs by NV blocks in registers over the whole depth and all its parts.
#if defined(GGSNN_PACKS_SIMD) == defined(HWY_TARGET_TOGGLE)
#ifdef GGSNN_PACKS_SIMD
#undef GGSNN_PACKS_SIMD
#else
#define GGSNN_PACKS_SIMD
#endif

#include "ggsnn/nn/kernels/math_simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace ggsnn {
namespace HWY_NAMESPACE {

template <class T>
constexpr int L = static_cast<int>(hn::MaxLanes(Tag<T>()));
template <class T>
using Vector = hn::Vec<Tag<T>>;

// --- between rows and packs -------------------------------------------------------------------------

// Transposes L vectors of L numbers.
template <class T>
HWY_INLINE void turn(Vector<T>* v) {
#if HWY_TARGET == HWY_SCALAR
    static_cast<void>(v);
#else
    const Tag<T> d;
    if constexpr (sizeof(T) == 4) {
        // Pairs of neighbouring rows, number by number; then pairs of those, two numbers at a time.
        const hn::Repartition<double, Tag<T>> wide;
        Vector<T> t[L<T>];
        for (int i = 0; i < L<T>; i += 2) {
            t[i] = hn::InterleaveLower(d, v[i], v[i + 1]);
            t[i + 1] = hn::InterleaveUpper(d, v[i], v[i + 1]);
        }
        for (int i = 0; i < L<T>; i += 4)
            for (int half = 0; half < 2; ++half) {
                const auto low = hn::BitCast(wide, t[i + half]), high = hn::BitCast(wide, t[i + 2 + half]);
                v[i + 2 * half] = hn::BitCast(d, hn::InterleaveLower(wide, low, high));
                v[i + 2 * half + 1] = hn::BitCast(d, hn::InterleaveUpper(wide, low, high));
            }
    } else {
        for (int i = 0; i < L<T>; i += 2) {
            const auto low = v[i], high = v[i + 1];
            v[i] = hn::InterleaveLower(d, low, high);
            v[i + 1] = hn::InterleaveUpper(d, low, high);
        }
    }
    // Interleaving stays within 16 bytes; what is left is to exchange the halves of longer vectors, and first
    // the quarters of those that are longer still (eight doubles).
#if HWY_TARGET <= HWY_AVX3
    if constexpr (L<T> * sizeof(T) == 64) {
        constexpr int quarter = L<T> / 4;
        for (int i = 0; i < L<T>; ++i) {
            if (i / quarter % 2 != 0) continue;
            const auto low = v[i], high = v[i + quarter];
            v[i] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(high), low);
            v[i + quarter] = hn::OddEvenBlocks(high, hn::SwapAdjacentBlocks(low));
        }
    }
#endif
    if constexpr (L<T> * sizeof(T) >= 32) {
        constexpr int half = L<T> / 2;
        for (int i = 0; i < half; ++i) {
            const auto low = v[i], high = v[i + half];
            v[i] = hn::ConcatLowerLower(d, high, low);
            v[i + half] = hn::ConcatUpperUpper(d, high, low);
        }
    }
#endif
}

// A row has `padding` numbers: C vectors.
template <class T>
constexpr int C = padding / L<T>;

// A block of a pack of d, from rows row(0) .. row(L-1).
template <class T, class Row>
HWY_INLINE void pack_block(int features, Row row, T* HWY_RESTRICT to) {
    const Tag<T> d;
    for (int c = 0; c < C<T>; ++c) {
        Vector<T> v[L<T>];
        for (int l = 0; l < L<T>; ++l) v[l] = hn::LoadU(d, row(l) + c * L<T>);
        turn<T>(v);
        for (int i = 0; i < L<T>; ++i)
            if (c * L<T> + i < features) hn::StoreU(v[i], d, to + (c * L<T> + i) * L<T>);
    }
}

// Rows from a block of a pack, `count` of them, stride numbers apart. Past the features they are zero.
template <class T>
HWY_INLINE void unpack_block(int features, const T* HWY_RESTRICT from, int count, T* HWY_RESTRICT rows,
                             std::ptrdiff_t stride) {
    const Tag<T> d;
    for (int c = 0; c < C<T>; ++c) {
        Vector<T> v[L<T>];
        for (int i = 0; i < L<T>; ++i) {
            const int f = c * L<T> + i;
            v[i] = f < features ? hn::LoadU(d, from + f * L<T>) : hn::Zero(d);
        }
        turn<T>(v);
        for (int l = 0; l < count; ++l) hn::StoreU(v[l], d, rows + l * stride + c * L<T>);
    }
}

template <class T>
int blocks_of(int nodes) {
    return (nodes + L<T> - 1) / L<T>;
}

template <class T>
int rows_in_block(int nodes, int block) {
    return HWY_MIN(L<T>, nodes - block * L<T>);
}

// Calls body(blocks as a constant, first) over blocks two by two.
template <class Body>
HWY_INLINE void in_pairs(int blocks, Body body) {
    int b = 0;
    for (; b + 2 <= blocks; b += 2) body(std::integral_constant<int, 2>(), b);
    if (b < blocks) body(std::integral_constant<int, 1>(), b);
}

template <class T>
void pack(int nodes, int features, const T* rows, T* packed) {
    HWY_ALIGN static const T zero[padding] = {};
    for (int b = 0; b < blocks_of<T>(nodes); ++b) {
        const T* first = rows + static_cast<std::ptrdiff_t>(b) * L<T> * padding;
        const int count = rows_in_block<T>(nodes, b);
        pack_block<T>(
            features, [&](int l) { return l < count ? first + l * padding : zero; },
            packed + static_cast<std::ptrdiff_t>(b) * features * L<T>);
    }
}

template <class T>
void unpack(int nodes, int features, const T* packed, T* rows) {
    for (int b = 0; b < blocks_of<T>(nodes); ++b)
        unpack_block<T>(features, packed + static_cast<std::ptrdiff_t>(b) * features * L<T>,
                        rows_in_block<T>(nodes, b), rows + static_cast<std::ptrdiff_t>(b) * L<T> * padding,
                        padding);
}

template <class T>
void pack_add(int nodes, int features, const T* rows, T* packed) {
    const Tag<T> d;
    HWY_ALIGN T block[padding * L<T>];
    for (int b = 0; b < blocks_of<T>(nodes); ++b) {
        pack<T>(rows_in_block<T>(nodes, b), features, rows + static_cast<std::ptrdiff_t>(b) * L<T> * padding,
                block);
        T* to = packed + static_cast<std::ptrdiff_t>(b) * features * L<T>;
        for (int i = 0; i < features * L<T>; i += L<T>)
            hn::StoreU(hn::Add(hn::LoadU(d, to + i), hn::LoadU(d, block + i)), d, to + i);
    }
}

// --- products ---------------------------------------------------------------------------------------

// Inputs of one product: features of a pack, and the weights they are multiplied with. Weight (k, j) is
// w[k ld + j], or w[j ld + k] where the product is with the transposed matrix.
template <class T>
struct Part {
    const T* x;             // feature 0 of the first block
    std::ptrdiff_t x_block; // from one block to the next
    const T* w;
    std::ptrdiff_t ld;
    int depth;
};

template <class T>
struct Result {
    T* y; // as x
    std::ptrdiff_t y_block;
    const T* bias = nullptr; // starts from it
    bool add = false;        // starts from y
};

template <int MR, int NV, bool Transposed, class T>
HWY_INLINE void product_tile(const Part<T>* parts, int count, int j, const Result<T>& to) {
    const Tag<T> d;
    Vector<T> sum[MR][NV];
    T* y = to.y + j * L<T>;
    for (int r = 0; r < MR; ++r)
        for (int v = 0; v < NV; ++v)
            sum[r][v] = to.add               ? hn::LoadU(d, y + r * L<T> + v * to.y_block)
                        : to.bias != nullptr ? hn::Set(d, to.bias[j + r])
                                             : hn::Zero(d);
    for (int p = 0; p < count; ++p) {
        const std::ptrdiff_t ld = parts[p].ld, x_block = parts[p].x_block;
        const T* x = parts[p].x;
        const T* w = parts[p].w + (Transposed ? j * ld : j);
        for (const T* end = x + parts[p].depth * L<T>; x != end; x += L<T>, w += Transposed ? 1 : ld) {
            Vector<T> xv[NV];
            for (int v = 0; v < NV; ++v) xv[v] = hn::LoadU(d, x + v * x_block);
            for (int r = 0; r < MR; ++r) {
                const auto weight = hn::Set(d, w[Transposed ? r * ld : r]);
                for (int v = 0; v < NV; ++v) sum[r][v] = hn::MulAdd(weight, xv[v], sum[r][v]);
            }
        }
    }
    for (int r = 0; r < MR; ++r)
        for (int v = 0; v < NV; ++v) hn::StoreU(sum[r][v], d, y + r * L<T> + v * to.y_block);
}

// Calls body(size as a constant, first) over count things in pieces of nearly equal size, at most Most.
template <int Most, class Body>
HWY_INLINE void in_pieces(int count, Body body) {
    static_assert(Most == 6 || Most == 2);
    const int pieces = (count + Most - 1) / Most;
    for (int i = 0, first = 0; i < pieces; ++i) {
        const int size = (count - first + pieces - i - 1) / (pieces - i);
        if constexpr (Most == 2) {
            if (size == 2) body(std::integral_constant<int, 2>(), first);
        } else {
            if (size == 6) body(std::integral_constant<int, 6>(), first);
            if (size == 5) body(std::integral_constant<int, 5>(), first);
            if (size == 4) body(std::integral_constant<int, 4>(), first);
            if (size == 3) body(std::integral_constant<int, 3>(), first);
            if (size == 2) body(std::integral_constant<int, 2>(), first);
        }
        if (size == 1) body(std::integral_constant<int, 1>(), first);
        first += size;
    }
}

// All outputs of NV blocks.
template <int NV, bool Transposed, class T>
HWY_INLINE void product(int outputs, const Part<T>* parts, int count, const Result<T>& to) {
    in_pieces<6>(outputs, [&](auto size, int j) {
        product_tile<decltype(size)::value, NV, Transposed>(parts, count, j, to);
    });
}

// sums[k][j] += sum over blocks of x[k] y[j], lane by lane: a weight gradient. Rows of sums are ld numbers
// of L lanes apart.
template <class T>
HWY_INLINE void outer(int blocks, int rows, int columns, const T* x, std::ptrdiff_t x_block, const T* y,
                      std::ptrdiff_t y_block, T* sums, int ld) {
    const Tag<T> d;
    in_pieces<6>(rows, [&](auto k_size, int k) {
        in_pieces<2>(columns, [&](auto j_size, int j) {
            constexpr int nk = decltype(k_size)::value, nj = decltype(j_size)::value;
            Vector<T> sum[nk][nj];
            T* to = sums + (static_cast<std::ptrdiff_t>(k) * ld + j) * L<T>;
            for (int a = 0; a < nk; ++a)
                for (int b = 0; b < nj; ++b) sum[a][b] = hn::LoadU(d, to + (a * ld + b) * L<T>);
            const T* xi = x + k * L<T>;
            const T* yi = y + j * L<T>;
            for (int i = 0; i < blocks; ++i, xi += x_block, yi += y_block) {
                Vector<T> yv[nj];
                for (int b = 0; b < nj; ++b) yv[b] = hn::LoadU(d, yi + b * L<T>);
                for (int a = 0; a < nk; ++a) {
                    const auto xv = hn::LoadU(d, xi + a * L<T>);
                    for (int b = 0; b < nj; ++b) sum[a][b] = hn::MulAdd(xv, yv[b], sum[a][b]);
                }
            }
            for (int a = 0; a < nk; ++a)
                for (int b = 0; b < nj; ++b) hn::StoreU(sum[a][b], d, to + (a * ld + b) * L<T>);
        });
    });
}

template <class T>
HWY_INLINE void column_sum(int blocks, int columns, const T* y, std::ptrdiff_t y_block, T* sums) {
    const Tag<T> d;
    for (int j = 0; j < columns; ++j) {
        auto sum = hn::LoadU(d, sums + j * L<T>);
        for (int b = 0; b < blocks; ++b) sum = hn::Add(sum, hn::LoadU(d, y + b * y_block + j * L<T>));
        hn::StoreU(sum, d, sums + j * L<T>);
    }
}

} // namespace HWY_NAMESPACE
} // namespace ggsnn
HWY_AFTER_NAMESPACE();

#endif
