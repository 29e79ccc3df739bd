#include "ggsnn/nn/ggnn/propagation.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ggsnn {

namespace {

// Nodes in whole blocks of packs.
std::size_t whole_blocks(int nodes, int lanes) {
    return (static_cast<std::size_t>(nodes) + lanes - 1) / lanes * lanes;
}

// Sums of neighbours' rows for the entries [begin, end) of a slot.
template <class T>
void gather(const Adjacency& edges, std::span<const float> weights, int begin, int end, int n,
            Rows<const T> x, T* out) {
    const auto& k = kernels<T>();
    const int* starts = edges.starts.data() + begin;
    if (weights.empty()) {
        k.gather(end - begin, n, starts, edges.neighbours.data(), x, {out, n});
    } else {
        k.gather_weighted(end - begin, n, starts, edges.neighbours.data(), weights.data(), x, {out, n});
    }
}

PropagationOffsets lay_out(const PropagationShape& shape, ParameterLayout& layout,
                           const std::string& prefix) {
    const int d = shape.state;
    GGSNN_ASSERT(d > 0 && shape.annotation >= 0 && shape.annotation <= d && shape.steps >= 1);
    GGSNN_ASSERT(shape.sets == 1 || shape.sets >= shape.steps);
    PropagationOffsets at;
    at.d = d;
    at.slots = 2 * shape.edge_types;
    at.sets = shape.sets;
    at.reset_after = shape.reset_after;
    at.sides = shape.directions == Directions::apart ? 2 : 1;
    const int heard = at.sides * d;
    const double edge_bound = 1 / std::sqrt(d), gate_bound = 1 / std::sqrt(heard + d);
    const char* const direction_names[] = {"in", "out"};
    at.authors = shape.variant == Variant::authors;
    at.uniform = shape.uniform;
    at.messages = layout.block(0, d);
    at.message_size = static_cast<std::size_t>(d + (at.authors ? 1 : 0)) * padded(d);
    for (int i = 0; i < at.matrices(); ++i) {
        const int set = at.slots > 0 ? i / at.slots : 0, slot = i - set * at.slots;
        const std::string name = fmt::format("{}A.{}.{}{}", prefix, slot / 2, direction_names[slot % 2],
                                             set > 0 ? fmt::format(".step{}", set + 1) : "");
        layout.matrix(name, d, d, edge_bound);
        if (at.authors) layout.matrix(name + ".bias", 1, d, edge_bound);
    }
    if (!at.authors) {
        at.edge_bias = layout.block(1, d, at.sides);
        for (int side = 0; side < at.sides; ++side)
            layout.name(prefix + (at.sides == 1 ? "b"
                                  : side == 0   ? "b.in"
                                                : "b.out"),
                        at.edge_bias, 0, 1, d, side, at.sides, edge_bound);
    }
    const char* const gate_names[] = {"z", "r", "h"};
    at.gates_zr = layout.block(heard + d, d, 2);
    at.gates_h = layout.block(heard + d, d, 1);
    for (int gate = 0; gate < 3; ++gate) {
        const std::size_t block = gate < 2 ? at.gates_zr : at.gates_h;
        const int part = gate < 2 ? gate : 0, parts = gate < 2 ? 2 : 1;
        layout.name(prefix + "W_" + gate_names[gate], block, 0, heard, d, part, parts, gate_bound);
        layout.name(prefix + "U_" + gate_names[gate], block, heard, d, d, part, parts, gate_bound);
    }
    if (at.authors) {
        at.gate_bias = layout.block(1, d, 3);
        for (int gate = 0; gate < 3; ++gate)
            layout.name(fmt::format("{}b_{}", prefix, gate_names[gate]), at.gate_bias, 0, 1, d, gate, 3,
                        gate_bound);
    }
    if (at.authors && at.reset_after) at.reset_bias = layout.matrix(prefix + "c_h", 1, d, gate_bound);
    if (shape.edge_features > 0) {
        at.edge_features = shape.edge_features;
        at.edge_matrices = layout.block(0, d);
        for (int slot = 0; slot < at.slots; ++slot)
            layout.matrix(fmt::format("{}B.{}.{}", prefix, slot / 2, direction_names[slot % 2]),
                          shape.edge_features, d, 1 / std::sqrt(shape.edge_features));
    }
    if (shape.residual) {
        at.residual_rows = shape.annotation;
        at.residual = layout.block(shape.annotation, d, at.sides);
        for (int side = 0; side < at.sides; ++side)
            layout.name(prefix + (at.sides == 1 ? "R"
                                  : side == 0   ? "R.in"
                                                : "R.out"),
                        at.residual, 0, shape.annotation, d, side, at.sides, edge_bound);
    }
    return at;
}

} // namespace

template <class T>
Propagation<T>::Propagation(const PropagationShape& shape, ParameterLayout& layout, const std::string& prefix)
    : shape_(shape),
      at_(lay_out(shape, layout, prefix)),
      weights_(at_),
      first_(at_, shape.annotation),
      every_(at_, shape.annotation) {}

template <class T>
void Propagation<T>::prepare(const T* p, bool for_backward, T* out) const {
    weights_.prepare(p, for_backward, out);
    first_.prepare(p, for_backward, out + weights_.size());
    if (for_backward) every_.prepare(p, out + weights_.size() + first_.prepared_size());
}

template <class T>
void Propagation<T>::finish(const T* p, const T* prepared, T* gradient) const {
    first_.finish(p, weights_.heard_transposed(prepared), gradient + extra_, gradient);
}

// Eq. 2 for rows [first, last); h is the whole state, a is addressed by row.
template <class T>
void Propagation<T>::messages_rows(const Chunk<T>& chunk, const T* p, const T* prepared, const Tape<T>& tape,
                                   int step, const T* h, T* a, int first, int last, Lane<T>& lane) const {
    const auto& k = kernels<T>();
    const int n = width(), heard = at_.sides * n;
    if (is_first(step)) {
        first_.sums(chunk, tape.x, first, last, a + static_cast<std::ptrdiff_t>(first) * first_.width());
        return;
    }
    const bool authors = shape_.variant == Variant::authors;
    for (int row = first; row < last; ++row) {
        T* a_row = a + static_cast<std::size_t>(row) * heard;
        if (every_.any()) {
            std::memcpy(a_row, tape.base.data() + static_cast<std::size_t>(row) * heard, heard * sizeof(T));
        } else if (authors) {
            std::memset(a_row, 0, heard * sizeof(T));
        } else {
            std::memcpy(a_row, p + at_.edge_bias, heard * sizeof(T));
        }
    }
    for (int slot = 0; slot < 2 * shape_.edge_types; ++slot) {
        const Adjacency& edges = chunk.adjacency[slot];
        const int begin = edges.lower(first), end = last >= chunk.nodes ? edges.size() : edges.lower(last);
        if (begin == end) continue;
        Rows<const T> sums{h, n, edges.neighbours.data() + edges.starts[begin]};
        if (!edges.single) {
            T* s = lane.scratch().sums.get(static_cast<std::size_t>(end - begin) * n);
            gather(edges, edges.weights, begin, end, n, Rows<const T>{h, n}, s);
            sums = {s, n};
        }
        T* degrees = lane.scratch().degrees.get(end - begin);
        for (int i = begin; i < end && authors; ++i) degrees[i - begin] = edges.template weight<T>(i);
        const int matrix = at_.matrix(step, slot);
        const T* bias = p + at_.message(matrix) + static_cast<std::size_t>(shape_.state) * n;
        const Term<T> terms[2] = {weights_.message(p, prepared, matrix, sums, depth(step)),
                                  {{degrees, 1}, bias, n, 1}};
        k.product(end - begin, n, terms, authors ? 2 : 1,
                  {a + at_.side(slot) * n, heard, edges.rows.data() + begin}, Start::accumulate, nullptr);
    }
}

template <class T>
std::optional<std::span<const int>> Propagation<T>::hearing_rows(const Chunk<T>& chunk, int side, int first,
                                                                 int last) const {
    constexpr int worth = 32; // below this many states, one pass over all rows costs less
    // Few nodes hear no one in either direction.
    if (shape_.variant != Variant::authors || shape_.state < worth || at_.sides == 1 || every_.any() ||
        at_.reset_after)
        return std::nullopt;
    const std::vector<int>& all = chunk.hearing[side];
    const auto begin = std::lower_bound(all.begin(), all.end(), first);
    const auto end = std::lower_bound(begin, all.end(), last);
    if ((end - begin) * 20 > (last - first) * 19L) return std::nullopt;
    return std::span<const int>(begin, end);
}

// Eqs. 3 to 6 for rows [first, last). With h_next null only the gates are computed.
template <class T>
void Propagation<T>::gates_rows(const Chunk<T>& chunk, const T* p, const T* prepared, int step, const T* h,
                                const T* a, T* g, T* h_next, int first, int last, Lane<T>& lane) const {
    const auto& k = kernels<T>();
    const int d = shape_.state, n = width(), rows = last - first, sides = at_.sides, heard = sides * n;
    const std::size_t row = static_cast<std::size_t>(first);
    const bool authors = shape_.variant == Variant::authors;
    const Rows<const T> h_rows{h + row * n, n};
    const Rows<T> g_rows{g + row * 3 * n, 3 * n};
    // Columns from `part` on of the gates = bias + a W + state U (where there is one); a W of the rows that
    // hear someone.
    const auto product = [&](Gates gates, int part, int columns, std::optional<Rows<const T>> state) {
        Term<T> terms[3];
        int fused = 0;
        if (state) terms[fused++] = weights_.gates(p, prepared, gates, sides, *state, depth(step));
        std::optional<std::span<const int>> lists[2];
        if (is_first(step))
            terms[fused++] = {{a + row * first_.width(), first_.width()},
                              prepared + weights_.size() + part,
                              3 * n,
                              first_.depth()};
        for (int side = 0; side < sides && !is_first(step); ++side) {
            lists[side] = hearing_rows(chunk, side, first, last);
            if (lists[side]) continue;
            terms[fused++] = weights_.gates(p, prepared, gates, side, {a + row * heard + side * n, heard}, d);
        }
        k.product(rows, columns, terms, fused, g_rows.at(part), authors ? Start::bias : Start::zero,
                  p + at_.gate_bias + part);
        for (int side = 0; side < sides; ++side) {
            if (!lists[side]) continue;
            const int* index = lists[side]->data();
            const Term<T> term = weights_.gates(p, prepared, gates, side, {a + side * n, heard, index}, d);
            k.product(static_cast<int>(lists[side]->size()), columns, &term, 1, {g + part, 3 * n, index},
                      Start::accumulate, nullptr);
        }
    };
    T* rh = lane.scratch().rh.get(static_cast<std::size_t>(rows) * n);
    product(Gates::zr, 0, 2 * n, h_rows); // a W_z + h U_z (Eq. 3), a W_r + h U_r (Eq. 4)
    if (at_.reset_after) {
        T* q = lane.scratch().drh.get(static_cast<std::size_t>(rows) * n);
        reset_rows(p, prepared, step, h, q, first, last);
        k.gates_zr(rows, n, g_rows, {q, n}, {rh, n}); // z, r: sigma of these (Eqs. 3, 4); r . (h U_h + c_h)
        product(Gates::h, 2 * n, n, std::nullopt);    // a W_h, and that (Eq. 5)
        for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i)
            for (int j = 0; j < n; ++j) g[(row + i) * 3 * n + 2 * n + j] += rh[i * n + j];
    } else {
        k.gates_zr(rows, n, g_rows, h_rows, {rh, n});      // z, r: sigma of these (Eqs. 3, 4); r . h
        product(Gates::h, 2 * n, n, Rows<const T>{rh, n}); // a W_h + (r . h) U_h (Eq. 5)
    }
    T* next =
        h_next != nullptr ? h_next + row * n : lane.scratch().other.get(static_cast<std::size_t>(rows) * n);
    k.gates_h(rows, n, g_rows, h_rows, {next, n}); // h~: tanh of it (Eq. 5); h' (Eq. 6)
}

template <class T>
void Propagation<T>::reset_rows(const T* p, const T* prepared, int step, const T* h, T* out, int first,
                                int last) const {
    const int n = width();
    const Term<T> term = weights_.gates(p, prepared, Gates::h, at_.sides,
                                        {h + static_cast<std::size_t>(first) * n, n}, depth(step));
    kernels<T>().product(last - first, n, &term, 1, {out, n}, at_.authors ? Start::bias : Start::zero,
                         p + at_.reset_bias);
}

// Eq. 1
template <class T>
void Propagation<T>::start(const Chunk<T>& chunk, const T* x, T* h) const {
    const int n = width(), nx = padded(shape_.annotation);
    for (int v = 0; v < chunk.nodes; ++v, h += n, x += nx) {
        std::copy(x, x + shape_.annotation, h); // of nothing, where nothing is known of nodes
        std::fill(h + shape_.annotation, h + n, T(0));
    }
}

template <class T>
const T* Propagation<T>::forward(const Chunk<T>& chunk, const T* p, const T* prepared, const T* x,
                                 bool for_backward, Tape<T>& tape, const Team<T>& team) const {
    if (is_narrow(chunk, team)) return narrow_forward(chunk, p, x, for_backward, tape, team.lane(0));
    const int n = width(), steps = shape_.steps;
    const std::size_t size = static_cast<std::size_t>(chunk.nodes) * n;
    const bool keep_a = for_backward && tape.keep == Keep::all;
    const bool keep_g = for_backward && tape.keep != Keep::states;
    T* states = tape.h.get(size * (for_backward ? steps + 1 : 2));
    T* all_a = keep_a ? tape.a.get(at_.sides * size * kept_before(steps)) : nullptr;
    T* all_g = keep_g ? tape.g.get(3 * size * steps) : nullptr;
    tape.x = x;
    start(chunk, x, states); // Eq. 1
    if (every_.any()) {
        T* base = tape.base.get(at_.sides * size);
        team.for_rows(chunk.nodes,
                      [&](Lane<T>&, int first, int last) { every_.rows(chunk, p, x, base, first, last); });
    }
    T* h = states;
    for (int t = 0; t < steps; ++t) {
        T* next = for_backward ? h + size : states + (t % 2 == 0 ? size : 0);
        team.for_rows(chunk.counting(steps - 1 - t), [&](Lane<T>& lane, int first, int last) {
            const std::size_t rows = static_cast<std::size_t>(last - first);
            // Scratch is addressed as if its first row were row `first` of the whole.
            const std::ptrdiff_t a_wide = a_width(t);
            T* a = keep_a && !is_first(t) ? all_a + at_.sides * size * kept_before(t)
                                          : lane.scratch().a.get(rows * a_wide) - first * a_wide;
            T* g = keep_g ? all_g + 3 * size * t
                          : lane.scratch().g.get(3 * rows * n) - static_cast<std::ptrdiff_t>(first) * 3 * n;
            messages_rows(chunk, p, prepared, tape, t, h, a, first, last, lane); // Eq. 2
            gates_rows(chunk, p, prepared, t, h, a, g, next, first, last, lane); // Eqs. 3 to 6
        });
        h = next;
    }
    return h;
}

// The factor of r is q = h U_h + c_h, and r . q is added to what the tanh of Eq. 5 is taken of.
template <class T>
void Propagation<T>::backward_reset_rows(const T* p, const T* prepared, int step, const T* h, const T* g,
                                         Rows<T> dg, T* dq, int first, int last, Lane<T>& lane) const {
    const auto& k = kernels<T>();
    const int n = width(), rows = last - first;
    const std::size_t row = static_cast<std::size_t>(first), count = static_cast<std::size_t>(rows);
    T* q = lane.scratch().drh.get(count * n);
    T* rq = lane.scratch().rh.get(count * n);
    reset_rows(p, prepared, step, h, q, first, last);
    k.gates_zr_backward(rows, n, {g + row * 3 * n, 3 * n}, {q, n}, dg.constant().at(2 * n), dg, {dq, n},
                        {rq, n});
    T* grad = lane.gradient.data();
    const std::size_t square = static_cast<std::size_t>(shape_.state) * n;
    k.outer(rows, depth(step), n, {h + row * n, n}, {dq, n}, grad + at_.gates_h + at_.sides * square, n);
    if (at_.authors) k.column_sum(rows, n, {dq, n}, grad + at_.reset_bias);
}

// Eqs. 6 to 3 in reverse for rows [first, last): dh becomes the part of the gradient of h that does not
// come through messages, da the gradient of a.
template <class T>
void Propagation<T>::backward_gates_rows(const Chunk<T>& chunk, const T* p, const T* prepared,
                                         const Tape<T>& tape, int step, const T* h, const T* a, const T* g,
                                         T* dh, T* da, bool want_dh, int first, int last,
                                         Lane<T>& lane) const {
    const auto& k = kernels<T>();
    const int d = shape_.state, n = width(), rows = last - first, sides = at_.sides, heard = sides * n;
    const std::size_t row = static_cast<std::size_t>(first), count = static_cast<std::size_t>(rows);
    const std::size_t square = static_cast<std::size_t>(d) * n;
    if (a == nullptr) {
        const std::ptrdiff_t a_wide = a_width(step);
        T* again = lane.scratch().a.get(count * a_wide) - first * a_wide;
        messages_rows(chunk, p, prepared, tape, step, h, again, first, last, lane);
        a = again;
    }
    if (g == nullptr) {
        T* again = lane.scratch().g.get(3 * count * n) - static_cast<std::ptrdiff_t>(first) * 3 * n;
        gates_rows(chunk, p, prepared, step, h, a, again, nullptr, first, last, lane);
        g = again;
    }
    const Rows<const T> h_rows{h + row * n, n}, g_rows{g + row * 3 * n, 3 * n};
    const Rows<T> dh_rows{dh + row * n, n};
    T* dg_data = lane.scratch().dg.get(3 * count * n);
    const Rows<T> dg{dg_data, 3 * n};
    const Rows<const T> dg_in = dg.constant();
    T* drh = lane.scratch().drh.get(count * n);
    T* rh = lane.scratch().rh.get(count * n);

    // h' = (1 - z) . h + z . h~ (Eq. 6), h~ = tanh(...) (Eq. 5)
    k.gates_h_backward(rows, n, g_rows, h_rows, dh_rows.constant(), dg, dh_rows);
    // ... + (r . h) U_h (Eq. 5). In the first step h is zero beyond the annotation, whatever r is.
    const int deep = depth(step), wide = padded(deep);
    T* dq = at_.reset_after ? lane.scratch().other.zeroed(count * n) : nullptr;
    if (dq != nullptr) {
        backward_reset_rows(p, prepared, step, h, g, dg, dq, first, last, lane);
    } else {
        if (wide < n) std::memset(drh, 0, count * n * sizeof(T));
        const Term<T> drh_term = weights_.state_back(prepared, 2, dg_in.at(2 * n), wide);
        k.product(rows, wide, &drh_term, 1, {drh, n}, Start::zero, nullptr);
        // r . h, r = sigma(...) (Eq. 4)
        k.gates_zr_backward(rows, n, g_rows, h_rows, {drh, n}, dg, dh_rows, {rh, n});
    }
    // h U_z, h U_r (Eqs. 3, 4), and h U_h where r acts after it (Eq. 5)
    const Term<T> dh_terms[3] = {weights_.state_back(prepared, 0, dg_in, wide),
                                 weights_.state_back(prepared, 1, dg_in.at(n), wide),
                                 weights_.state_back(prepared, 2, {dq, n}, wide)};
    if (want_dh) k.product(rows, wide, dh_terms, dq != nullptr ? 3 : 2, dh_rows, Start::accumulate, nullptr);
    T* grad = lane.gradient.data();
    T* dzr = grad + at_.gates_zr;
    T* dwh = grad + at_.gates_h;
    k.outer(rows, deep, 2 * n, h_rows, dg_in, dzr + 2 * sides * square, 2 * n);
    if (dq == nullptr) k.outer(rows, deep, n, {rh, n}, dg_in.at(2 * n), dwh + sides * square, n);
    if (shape_.variant == Variant::authors) k.column_sum(rows, 3 * n, dg_in, grad + at_.gate_bias);
    if (is_first(step)) {
        backward_first_rows(prepared, a, dg_data, da, want_dh, first, last, lane);
        return;
    }
    // a W_z, a W_r, a W_h (Eqs. 3 to 5). A node that hears no one has a = 0 and needs no da.
    for (int side = 0; side < sides; ++side) {
        const auto hearing = hearing_rows(chunk, side, first, last);
        const int* index = hearing ? hearing->data() : nullptr;
        const int some = hearing ? static_cast<int>(hearing->size()) : rows;
        // Lists are of nodes of the chunk, dg has the rows from `first` on.
        const Rows<const T> dg_of{hearing ? dg_data - row * 3 * n : dg_data, 3 * n, index};
        const std::size_t from = hearing ? 0 : row;
        const Rows<const T> a_of{a + from * heard + side * n, heard, index};
        Term<T> da_terms[3];
        for (int gate = 0; gate < 3; ++gate)
            da_terms[gate] = weights_.heard_back(prepared, gate, side, dg_of.at(gate * n));
        k.product(some, n, da_terms, 3, {da + from * heard + side * n, heard, index}, Start::zero, nullptr);
        k.outer(some, d, 2 * n, a_of, dg_of, dzr + 2 * side * square, 2 * n);
        k.outer(some, d, n, a_of, dg_of.at(2 * n), dwh + side * square, n);
    }
    if (shape_.variant == Variant::paper)
        k.column_sum(rows, heard, {da + row * heard, heard}, grad + at_.edge_bias);
}

// The rest of the same for the first step: S (its rows from row 0 on), dg (from `first` on) to the gradient
// of F and, in ds, of S.
template <class T>
void Propagation<T>::backward_first_rows(const T* prepared, const T* s, const T* dg, T* ds, bool want_ds,
                                         int first, int last, Lane<T>& lane) const {
    const auto& k = kernels<T>();
    const int d = shape_.state, n = width(), wide = first_.width();
    const std::ptrdiff_t from = static_cast<std::ptrdiff_t>(first) * wide;
    k.outer(last - first, first_.depth(), 3 * n, {s + from, wide}, {dg, 3 * n}, lane.gradient.data() + extra_,
            3 * n);
    if (!want_ds) return;
    const T* transposed = first_.transposed(prepared + weights_.size());
    Term<T> terms[3];
    for (int gate = 0; gate < 3; ++gate)
        terms[gate] = {
            {dg + gate * n, 3 * n}, transposed + static_cast<std::size_t>(gate) * d * wide, wide, d};
    k.product(last - first, wide, terms, 3, {ds + from, wide}, Start::zero, nullptr);
}

// Eq. 2 in reverse, for the nodes u in [first, last) whose states were sent: what v received over an edge
// in one direction, u sent in the other.
template <class T>
void Propagation<T>::backward_messages_rows(const Chunk<T>& chunk, const T* prepared, int step, const T* h,
                                            const T* da, T* dh, bool want_dh, int first, int last,
                                            Lane<T>& lane) const {
    const auto& k = kernels<T>();
    const int d = shape_.state, n = width(), heard = at_.sides * n;
    if (is_first(step)) {
        if (want_dh) first_.spread(chunk, da, first, last, dh, n);
        return;
    }
    T* grad = lane.gradient.data();
    for (int slot = 0; slot < 2 * shape_.edge_types; ++slot) {
        const Adjacency& edges = chunk.adjacency[slot ^ 1];
        const int begin = edges.lower(first), end = last >= chunk.nodes ? edges.size() : edges.lower(last);
        if (begin == end) continue;
        const T* received = da + at_.side(slot) * n;
        Rows<const T> sums{received, heard, edges.neighbours.data() + edges.starts[begin]};
        if (!edges.single) {
            T* s = lane.scratch().sums.get(static_cast<std::size_t>(end - begin) * n);
            gather(edges, edges.sent_weights, begin, end, n, Rows<const T>{received, heard}, s);
            sums = {s, n};
        }
        const int* rows = edges.rows.data() + begin;
        const int matrix = at_.matrix(step, slot);
        T* dA = grad + at_.message(matrix);
        k.outer(end - begin, depth(step), n, {h, n, rows}, sums, dA, n);
        if (shape_.variant == Variant::authors)
            k.column_sum(end - begin, n, sums, dA + static_cast<std::size_t>(d) * n);
        if (!want_dh) continue;
        const Term<T> term = weights_.message_back(prepared, matrix, sums);
        k.product(end - begin, n, &term, 1, {dh, n, rows}, Start::accumulate, nullptr);
    }
}

// What the weight of a link multiplies, of what v hears: h_u A + b. (Its numbers are in the sums.)
template <class T>
void Propagation<T>::link_gradients(const Chunk<T>& chunk, const T* p, const T* prepared, int step,
                                    const T* h, const T* da, EdgeGradients<T>& to) const {
    const auto& k = kernels<T>();
    const int n = width(), heard = at_.sides * n;
    std::vector<T> messages(static_cast<std::size_t>(chunk.nodes) * n);
    to.links.resize(at_.slots);
    for (int slot = 0; slot < at_.slots; ++slot) {
        const Adjacency& edges = chunk.adjacency[slot];
        if (edges.size() == 0) continue;
        std::vector<T>& links = to.links[slot];
        links.resize(edges.neighbours.size(), T(0));
        const int matrix = at_.matrix(step, slot);
        const Term<T> term = weights_.message(p, prepared, matrix, {h, n}, depth(step));
        const T* bias = p + at_.message(matrix) + static_cast<std::size_t>(shape_.state) * n;
        k.product(chunk.nodes, n, &term, 1, {messages.data(), n}, at_.authors ? Start::bias : Start::zero,
                  bias);
        for (int i = 0; i < edges.size(); ++i) {
            const T* received = da + static_cast<std::size_t>(edges.rows[i]) * heard + at_.side(slot) * n;
            for (int e = edges.starts[i]; e < edges.starts[i + 1]; ++e) {
                const T* sent = messages.data() + static_cast<std::size_t>(edges.neighbours[e]) * n;
                for (int j = 0; j < n; ++j) links[e] += received[j] * sent[j];
            }
        }
    }
}

template <class T>
void Propagation<T>::backward(const Chunk<T>& chunk, const T* p, const T* prepared, const Tape<T>& tape,
                              T* dh, T* dx, Buffer<T>& da_buffer, const Team<T>& team) const {
    const int n = width(), nx = padded(shape_.annotation);
    const std::size_t size = static_cast<std::size_t>(chunk.nodes) * n;
    const bool kept_a = tape.keep == Keep::all, kept_g = tape.keep != Keep::states;
    const bool narrow = is_narrow(chunk, team);
    if (narrow) narrow_backward(chunk, p, prepared, tape, dh, dx != nullptr, team.lane(0));
    const int da_width = std::max(a_width(0), at_.sides * n);
    const std::size_t da_size = static_cast<std::size_t>(chunk.nodes) * da_width,
                      base_numbers = every_.any() ? at_.sides * size : 0;
    T* da = narrow ? nullptr : da_buffer.get(da_size + base_numbers);
    T* d_base = da + da_size; // the sum of da over the steps
    if (base_numbers > 0) std::memset(d_base, 0, base_numbers * sizeof(T));
    for (int t = shape_.steps - 1; t >= 0 && !narrow; --t) {
        const T* h = tape.h.data() + size * t;
        const T* a = kept_a && !is_first(t) ? tape.a.data() + at_.sides * size * kept_before(t) : nullptr;
        const T* g = kept_g ? tape.g.data() + 3 * size * t : nullptr;
        const bool want_dh = t > 0 || dx != nullptr;
        // Rows whose new states do not count have a gradient of zero, and so has what they heard.
        const int left = shape_.steps - 1 - t, counting = chunk.counting(left);
        const std::size_t wide = a_width(t);
        std::fill(da + counting * wide, da + chunk.nodes * wide, T(0));
        team.for_rows(counting, [&](Lane<T>& lane, int first, int last) {
            backward_gates_rows(chunk, p, prepared, tape, t, h, a, g, dh, da, want_dh, first, last, lane);
            if (base_numbers == 0) return;
            const std::size_t heard = at_.sides * n;
            for (std::size_t i = first * heard; i < last * heard; ++i) d_base[i] += da[i];
        });
        if (tape.edges != nullptr) link_gradients(chunk, p, prepared, t, h, da, *tape.edges);
        team.for_rows(chunk.counting(left + 1), [&](Lane<T>& lane, int first, int last) {
            backward_messages_rows(chunk, prepared, t, h, da, dh, want_dh, first, last, lane);
        });
    }
    if (tape.edges != nullptr && at_.edge_features > 0)
        every_.sum_gradients(chunk, p, d_base, tape.edges->sums);
    if (base_numbers > 0)
        team.for_rows(chunk.nodes, [&](Lane<T>& lane, int first, int last) {
            every_.backward_rows(chunk, prepared + weights_.size() + first_.prepared_size(), tape.x, d_base,
                                 dx, first, last, lane);
        });
    if (dx == nullptr) return;
    for (int v = 0; v < chunk.nodes; ++v)
        for (int j = 0; j < shape_.annotation; ++j)
            dx[static_cast<std::size_t>(v) * nx + j] += dh[static_cast<std::size_t>(v) * n + j];
}

template <class T>
const T* Propagation<T>::narrow_forward(const Chunk<T>& chunk, const T* p, const T* x, bool for_backward,
                                        Tape<T>& tape, Lane<T>& lane) const {
    const auto& k = narrow_kernels<T>();
    const int d = shape_.state, steps = shape_.steps, kept = for_backward ? steps : 1, heard = at_.sides * d;
    const std::size_t size = static_cast<std::size_t>(chunk.nodes) * width();
    const std::size_t nodes = whole_blocks(chunk.nodes, k.lanes);
    T* rows = tape.h.get(size * (kept + 1));
    T* packed = tape.packed.get(nodes * d * (kept + 1));
    T* a = tape.a.get(nodes * heard * kept);
    T* g = tape.g.get(nodes * 3 * d * kept);
    T* a_rows = lane.scratch().a.get(nodes * at_.sides * width());
    start(chunk, x, rows);
    k.pack(chunk.nodes, d, rows, packed);
    int from = 0;
    for (int t = 0; t < steps; ++t) {
        const int to = for_backward ? t + 1 : 1 - from, keep = for_backward ? t : 0;
        k.forward(at_, chunk, p, depth(t), rows + size * from, packed + nodes * d * from, a_rows,
                  a + nodes * heard * keep, g + nodes * 3 * d * keep, packed + nodes * d * to,
                  rows + size * to);
        from = to;
    }
    return rows + size * from;
}

template <class T>
void Propagation<T>::narrow_backward(const Chunk<T>& chunk, const T* p, const T* prepared,
                                     const Tape<T>& tape, T* dh, bool want_dx, Lane<T>& lane) const {
    const auto& k = narrow_kernels<T>();
    const int d = shape_.state;
    const std::size_t size = static_cast<std::size_t>(chunk.nodes) * width();
    const std::size_t nodes = whole_blocks(chunk.nodes, k.lanes);
    NarrowScratch<T> scratch{};
    scratch.dh = lane.scratch().drh.get(nodes * d);
    scratch.dh_rows = dh;
    scratch.dg = lane.scratch().dg.get(nodes * 3 * d);
    scratch.rh = lane.scratch().rh.get(nodes * d);
    scratch.da_rows = lane.scratch().da.get(nodes * at_.sides * width());
    scratch.sums = lane.scratch().sums.get(size);
    scratch.lanes = lane.scratch().lanes.zeroed(narrow_sums(at_) * k.lanes);
    scratch.gradient = lane.gradient.data();
    k.pack(chunk.nodes, d, dh, scratch.dh);
    for (int t = shape_.steps - 1; t >= 0; --t) {
        const bool want_dh = t > 0 || want_dx;
        std::memset(dh, 0, size * sizeof(T));
        k.backward(at_, chunk, p, weights_.messages_transposed(prepared), depth(t), want_dh,
                   tape.h.data() + size * t, tape.packed.data() + nodes * d * t,
                   tape.a.data() + nodes * at_.sides * d * t, tape.g.data() + nodes * 3 * d * t, scratch);
        if (want_dh) k.pack_add(chunk.nodes, d, dh, scratch.dh);
    }
    if (want_dx) k.unpack(chunk.nodes, d, scratch.dh, dh);
    k.reduce(at_, scratch.lanes, scratch.gradient);
}

template class Propagation<float>;
template class Propagation<double>;

} // namespace ggsnn
