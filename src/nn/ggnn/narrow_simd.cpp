// The kernels of narrow.hpp, compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ggsnn/nn/ggnn/narrow_simd.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "ggsnn/nn/ggnn/narrow.hpp"
#include "ggsnn/nn/kernels/packs_simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace ggsnn {
namespace HWY_NAMESPACE {

// --- messages, by rows ------------------------------------------------------------------------------

// A row in registers.
template <class T>
struct Row {
    Vector<T> v[C<T>];

    static HWY_INLINE Row load(const T* from) {
        Row row;
        for (int c = 0; c < C<T>; ++c) row.v[c] = hn::LoadU(Tag<T>(), from + c * L<T>);
        return row;
    }
    HWY_INLINE void store(T* to) const {
        for (int c = 0; c < C<T>; ++c) hn::StoreU(v[c], Tag<T>(), to + c * L<T>);
    }
    HWY_INLINE void add(const T* row) {
        for (int c = 0; c < C<T>; ++c) v[c] = hn::Add(v[c], hn::LoadU(Tag<T>(), row + c * L<T>));
    }
    HWY_INLINE void add(T factor, const T* row) {
        for (int c = 0; c < C<T>; ++c)
            v[c] = hn::MulAdd(hn::Set(Tag<T>(), factor), hn::LoadU(Tag<T>(), row + c * L<T>), v[c]);
    }
    HWY_INLINE void add(T factor, const Row& row) {
        for (int c = 0; c < C<T>; ++c) v[c] = hn::MulAdd(hn::Set(Tag<T>(), factor), row.v[c], v[c]);
    }
};

// The sum of the rows of entry i's neighbours.
template <class T>
HWY_INLINE Row<T> gather(const Adjacency& edges, int i, const T* rows, std::ptrdiff_t stride) {
    const int* neighbours = edges.neighbours.data();
    const int last = edges.starts[i + 1];
    Row<T> sum = Row<T>::load(rows + neighbours[edges.starts[i]] * stride);
    for (int e = edges.starts[i] + 1; e < last; ++e) sum.add(rows + neighbours[e] * stride);
    return sum;
}

// Eq. 2.
template <class T>
void messages(const PropagationOffsets& at, const Chunk<T>& chunk, const T* p, int depth, const T* h_rows,
              T* a_rows) {
    const Tag<T> d;
    constexpr int n = padding;
    const int rows = blocks_of<T>(chunk.nodes) * L<T>, heard = at.sides * n;
    for (int v = 0; v < rows; ++v)
        for (int c = 0; c < heard; c += L<T>)
            hn::StoreU(at.authors ? hn::Zero(d) : hn::LoadU(d, p + at.edge_bias + c), d,
                       a_rows + v * heard + c);
    for (int slot = 0; slot < at.slots; ++slot) {
        const Adjacency& edges = chunk.adjacency[slot];
        const T* weight = p + at.message(slot);
        const T* bias = weight + static_cast<std::ptrdiff_t>(at.d) * n;
        T* to = a_rows + at.side(slot) * n;
        for (int i = 0; i < edges.size(); ++i) {
            HWY_ALIGN T sum[n];
            gather(edges, i, h_rows, n).store(sum);
            T* row = to + static_cast<std::ptrdiff_t>(edges.rows[i]) * heard;
            Row<T> a = Row<T>::load(row);
            for (int k = 0; k < depth; ++k) a.add(sum[k], weight + k * n);
            // The bias of an edge counts as often as there are edges.
            if (at.authors) a.add(static_cast<T>(edges.degree(i)), bias);
            a.store(row);
        }
    }
}

// Eq. 2 in reverse: what v received over an edge in one direction, u sent in the other.
template <class T>
void messages_backward(const PropagationOffsets& at, const Chunk<T>& chunk, const T* transposed, int depth,
                       bool want_dh, const T* h_rows, const NarrowScratch<T>& to) {
    constexpr int n = padding;
    for (int slot = 0; slot < at.slots; ++slot) {
        const Adjacency& edges = chunk.adjacency[slot ^ 1];
        if (edges.size() == 0) continue;
        const T* weight = transposed + static_cast<std::ptrdiff_t>(slot) * at.d * n;
        const T* received = to.da_rows + at.side(slot) * n;
        T* d_weight = to.gradient + at.message(slot);
        T* d_bias = d_weight + static_cast<std::ptrdiff_t>(at.d) * n;
        for (int i = 0; i < edges.size(); ++i) {
            const Row<T> sum = gather(edges, i, received, at.sides * n);
            const std::ptrdiff_t u = edges.rows[i];
            if (want_dh) {
                HWY_ALIGN T numbers[n];
                sum.store(numbers);
                Row<T> dh = Row<T>::load(to.dh_rows + u * n);
                for (int j = 0; j < at.d; ++j) dh.add(numbers[j], weight + j * n);
                dh.store(to.dh_rows + u * n);
            }
            sum.store(to.sums + static_cast<std::ptrdiff_t>(i) * n);
        }
        in_pieces<6>(depth, [&](auto piece, int k) {
            constexpr int nk = decltype(piece)::value;
            Row<T> rows[nk];
            for (int r = 0; r < nk; ++r) rows[r] = Row<T>::load(d_weight + (k + r) * n);
            for (int i = 0; i < edges.size(); ++i) {
                const Row<T> sum = Row<T>::load(to.sums + static_cast<std::ptrdiff_t>(i) * n);
                const T* h = h_rows + static_cast<std::ptrdiff_t>(edges.rows[i]) * n + k;
                for (int r = 0; r < nk; ++r) rows[r].add(h[r], sum);
            }
            for (int r = 0; r < nk; ++r) rows[r].store(d_weight + (k + r) * n);
        });
        if (!at.authors) continue;
        Row<T> bias = Row<T>::load(d_bias);
        for (int i = 0; i < edges.size(); ++i) bias.add(to.sums + static_cast<std::ptrdiff_t>(i) * n);
        bias.store(d_bias);
    }
}

// --- a step and its reverse -------------------------------------------------------------------------

// Eqs. 3 to 6 for NV blocks from block b on.
template <int NV, class T>
HWY_INLINE void gates(const PropagationOffsets& at, const T* p, int depth, int b, const T* h, const T* a,
                      T* g, T* next) {
    const Tag<T> d;
    constexpr int n = padding;
    const int size = at.d;
    const std::ptrdiff_t one = size * L<T>; // a block of a pack of d
    const int heard = at.sides * size;
    const T* hb = h + b * one;
    const T* ab = a + b * at.sides * one;
    T* gb = g + b * 3 * one;
    HWY_ALIGN T rh[2 * padding * L<T>];
    const T* zr = p + at.gates_zr;
    const T* zr_h = zr + static_cast<std::ptrdiff_t>(heard) * 2 * n;
    const T* bias = at.authors ? p + at.gate_bias : nullptr;
    for (int gate = 0; gate < 2; ++gate) {
        const Part<T> parts[2] = {{ab, at.sides * one, zr + gate * n, 2 * n, heard},
                                  {hb, one, zr_h + gate * n, 2 * n, depth}};
        product<NV, false>(size, parts, 2,
                           Result<T>{gb + gate * one, 3 * one, bias != nullptr ? bias + gate * n : nullptr});
    }
    for (int v = 0; v < NV; ++v)
        for (std::ptrdiff_t i = 0; i < one; i += L<T>) {
            T* z = gb + v * 3 * one + i;
            const auto r = sigma(d, hn::LoadU(d, z + one));
            hn::StoreU(sigma(d, hn::LoadU(d, z)), d, z);
            hn::StoreU(r, d, z + one);
            hn::StoreU(hn::Mul(r, hn::LoadU(d, hb + v * one + i)), d, rh + v * one + i);
        }
    const T* wh = p + at.gates_h;
    const Part<T> to_h[2] = {{ab, at.sides * one, wh, n, heard},
                             {rh, one, wh + static_cast<std::ptrdiff_t>(heard) * n, n, depth}};
    product<NV, false>(size, to_h, 2,
                       Result<T>{gb + 2 * one, 3 * one, bias != nullptr ? bias + 2 * n : nullptr});
    for (int v = 0; v < NV; ++v)
        for (std::ptrdiff_t i = 0; i < one; i += L<T>) {
            T* z = gb + v * 3 * one + i;
            const auto state = hn::LoadU(d, hb + v * one + i);
            const auto h_tilde = tangent(d, hn::LoadU(d, z + 2 * one));
            hn::StoreU(h_tilde, d, z + 2 * one);
            hn::StoreU(hn::MulAdd(hn::LoadU(d, z), hn::Sub(h_tilde, state), state), d,
                       next + (b + v) * one + i);
        }
}

template <class T>
void forward(const PropagationOffsets& at, const Chunk<T>& chunk, const T* p, int depth, const T* h_rows,
             const T* h, T* a_rows, T* a, T* g, T* next, T* next_rows) {
    constexpr int n = padding;
    const int heard = at.sides * n;
    messages(at, chunk, p, depth, h_rows, a_rows);
    in_pairs(blocks_of<T>(chunk.nodes), [&](auto pair, int b) {
        constexpr int nv = decltype(pair)::value;
        for (int part = at.sides * b; part < at.sides * (b + nv); ++part) {
            const T* first =
                a_rows + static_cast<std::ptrdiff_t>(part / at.sides) * L<T> * heard + part % at.sides * n;
            pack_block<T>(
                at.d, [&](int l) { return first + l * heard; },
                a + static_cast<std::ptrdiff_t>(part) * at.d * L<T>);
        }
        gates<nv>(at, p, depth, b, h, a, g, next);
    });
    unpack(chunk.nodes, at.d, next, next_rows);
}

// Eqs. 6 to 3 in reverse for NV blocks from block b on: dg, rh, the gates' part of dh, and da as rows.
template <int NV, class T>
HWY_INLINE void gates_backward(const PropagationOffsets& at, const T* p, int b, const T* h, const T* g,
                               const NarrowScratch<T>& to) {
    const Tag<T> d;
    constexpr int n = padding;
    const int size = at.d, heard = at.sides * size;
    const std::ptrdiff_t one = size * L<T>;
    const T* hb = h + b * one;
    const T* gb = g + b * 3 * one;
    T* dhb = to.dh + b * one;
    T* dgb = to.dg + b * 3 * one;
    T* rhb = to.rh + b * one;
    const auto unit = hn::Set(d, T(1));
    for (int v = 0; v < NV; ++v)
        for (std::ptrdiff_t i = 0; i < one; i += L<T>) {
            const T* gi = gb + v * 3 * one + i;
            T* dgi = dgb + v * 3 * one + i;
            T* dhi = dhb + v * one + i;
            const auto z = hn::LoadU(d, gi), h_tilde = hn::LoadU(d, gi + 2 * one), dh = hn::LoadU(d, dhi);
            const auto dz = hn::Mul(dh, hn::Sub(h_tilde, hn::LoadU(d, hb + v * one + i)));
            const auto moved = hn::Mul(dh, z);
            hn::StoreU(hn::Mul(dz, slope(d, z)), d, dgi);
            hn::StoreU(hn::Mul(moved, hn::NegMulAdd(h_tilde, h_tilde, unit)), d, dgi + 2 * one);
            hn::StoreU(hn::Sub(dh, moved), d, dhi);
        }
    // (r . h) U_h; the gradient of r . h takes the place of r . h until that is known.
    const T* wh = p + at.gates_h;
    const T* zr = p + at.gates_zr;
    const Part<T> from_h{dgb + 2 * one, 3 * one, wh + static_cast<std::ptrdiff_t>(heard) * n, n, size};
    product<NV, true>(size, &from_h, 1, Result<T>{rhb, one});
    for (int v = 0; v < NV; ++v)
        for (std::ptrdiff_t i = 0; i < one; i += L<T>) {
            T* rh = rhb + v * one + i;
            T* dhi = dhb + v * one + i;
            const auto r = hn::LoadU(d, gb + v * 3 * one + one + i), drh = hn::LoadU(d, rh),
                       state = hn::LoadU(d, hb + v * one + i);
            hn::StoreU(hn::Mul(hn::Mul(drh, state), slope(d, r)), d, dgb + v * 3 * one + one + i);
            hn::StoreU(hn::MulAdd(drh, r, hn::LoadU(d, dhi)), d, dhi);
            hn::StoreU(hn::Mul(r, state), d, rh);
        }
    const T* u = zr + static_cast<std::ptrdiff_t>(heard) * 2 * n;
    const Part<T> to_state[2] = {{dgb, 3 * one, u, 2 * n, size}, {dgb + one, 3 * one, u + n, 2 * n, size}};
    product<NV, true>(size, to_state, 2, Result<T>{dhb, one, nullptr, true});
    HWY_ALIGN T da[2 * 2 * padding * L<T>];
    const Part<T> to_a[3] = {{dgb, 3 * one, zr, 2 * n, size},
                             {dgb + one, 3 * one, zr + n, 2 * n, size},
                             {dgb + 2 * one, 3 * one, wh, n, size}};
    product<NV, true>(heard, to_a, 3, Result<T>{da, at.sides * one});
    if (!at.authors) column_sum(NV, heard, da, at.sides * one, to.lanes + 3 * (heard + size) * one);
    for (int v = 0; v < NV; ++v)
        for (int side = 0; side < at.sides; ++side)
            unpack_block<T>(size, da + (at.sides * v + side) * one, L<T>,
                            to.da_rows + (static_cast<std::ptrdiff_t>(b + v) * L<T> * at.sides + side) * n,
                            at.sides * n);
}

// The gradient of the gates, by lanes, every number L times: z and r (a and h x 2 d), h~ (a and h x d),
// biases (3 d).
template <class T>
void backward(const PropagationOffsets& at, const Chunk<T>& chunk, const T* p, const T* transposed, int depth,
              bool want_dh, const T* h_rows, const T* h, const T* a, const T* g, const NarrowScratch<T>& to) {
    const int size = at.d, heard = at.sides * size, blocks = blocks_of<T>(chunk.nodes);
    const std::ptrdiff_t one = size * L<T>;
    in_pairs(blocks, [&](auto pair, int b) { gates_backward<decltype(pair)::value>(at, p, b, h, g, to); });
    T* zr = to.lanes;
    T* wh = zr + 2 * (heard + size) * one;
    const T* dh_tilde = to.dg + 2 * one;
    outer(blocks, heard, 2 * size, a, at.sides * one, to.dg, 3 * one, zr, 2 * size);
    outer(blocks, depth, 2 * size, h, one, to.dg, 3 * one, zr + 2 * heard * one, 2 * size);
    outer(blocks, heard, size, a, at.sides * one, dh_tilde, 3 * one, wh, size);
    outer(blocks, depth, size, to.rh, one, dh_tilde, 3 * one, wh + heard * one, size);
    if (at.authors) column_sum(blocks, 3 * size, to.dg, 3 * one, wh + (heard + size) * one);
    messages_backward(at, chunk, transposed, depth, want_dh, h_rows, to);
}

template <class T>
void reduce(const PropagationOffsets& at, const T* lanes, T* gradient) {
    const Tag<T> d;
    const int size = at.d, rows = (at.sides + 1) * size;
    // The next `size` sums are added to `row`.
    const auto take = [&](T* row) {
        for (int j = 0; j < size; ++j, lanes += L<T>)
            row[j] += hn::GetLane(hn::SumOfLanes(d, hn::LoadU(d, lanes)));
    };
    for (int k = 0; k < 2 * rows; ++k) take(gradient + at.gates_zr + k * padding);
    for (int k = 0; k < rows; ++k) take(gradient + at.gates_h + k * padding);
    T* bias = gradient + (at.authors ? at.gate_bias : at.edge_bias);
    for (int part = 0; part < (at.authors ? 3 : at.sides); ++part) take(bias + part * padding);
}

template <class T>
const NarrowKernels<T>* narrow_table() {
    static const NarrowKernels<T> functions = {L<T>,       pack<T>,     unpack<T>, pack_add<T>,
                                               forward<T>, backward<T>, reduce<T>};
    return &functions;
}

const NarrowKernels<float>* narrow_float() {
    return narrow_table<float>();
}
const NarrowKernels<double>* narrow_double() {
    return narrow_table<double>();
}

} // namespace HWY_NAMESPACE
} // namespace ggsnn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ggsnn {

HWY_EXPORT(narrow_float);
HWY_EXPORT(narrow_double);

template <>
const NarrowKernels<float>& narrow_kernels<float>() {
    return *HWY_DYNAMIC_DISPATCH(narrow_float)();
}

template <>
const NarrowKernels<double>& narrow_kernels<double>() {
    return *HWY_DYNAMIC_DISPATCH(narrow_double)();
}

} // namespace ggsnn
#endif
