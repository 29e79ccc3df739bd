#include "ggsnn/nn/ggnn/weights.hpp"

#include "ggsnn/nn/parameters.hpp"

namespace ggsnn {

template <class T>
PreparedWeights<T>::PreparedWeights(const PropagationOffsets& at) : at_(at) {}

template <class T>
std::size_t PreparedWeights<T>::size() const {
    return transposed_size() + (packs() ? (forward_count() + transposed_count()) * square() : 0);
}

template <class T>
void PreparedWeights<T>::prepare(const T* p, bool for_backward, T* out) const {
    const auto& k = kernels<T>();
    const int d = at_.d, n = padded(d), sides = at_.sides;
    T* const packs_begin = out + transposed_size();
    if (packs()) {
        for (int i = 0; i < at_.matrices(); ++i)
            k.pack(d, n, p + at_.message(i), n, packs_begin + i * square());
        for (int block = 0; block <= sides; ++block)
            for (const Gates gates : {Gates::zr, Gates::h}) {
                const int columns = gates == Gates::zr ? 2 * n : n;
                k.pack(d, columns, gates_plain(p, gates, block), columns,
                       packs_begin + gates_place(gates, block) * square());
            }
    }
    if (!for_backward) return;
    T* w = out + 3 * square();
    T* messages = w + 3 * sides * square();
    for (int gate = 0; gate < 3; ++gate) {
        const Gates gates = gate < 2 ? Gates::zr : Gates::h;
        const int ld = gate < 2 ? 2 * n : n, column = gate < 2 ? gate * n : 0;
        transpose(gates_plain(p, gates, sides) + column, d, d, ld, out + gate * square(), n);
        for (int side = 0; side < sides; ++side)
            transpose(gates_plain(p, gates, side) + column, d, d, ld, w + sides * gate * square() + side * n,
                      sides * n);
    }
    for (int i = 0; i < at_.matrices(); ++i)
        transpose(p + at_.message(i), d, d, n, messages + i * square(), n);
    if (!packs()) return;
    T* to = packs_begin + forward_count() * square();
    for (int gate = 0; gate < 3; ++gate, to += square()) k.pack(d, n, out + gate * square(), n, to);
    for (int gate = 0; gate < 3; ++gate)
        for (int side = 0; side < sides; ++side, to += square())
            k.pack(d, n, w + sides * gate * square() + side * n, sides * n, to);
    for (int i = 0; i < at_.matrices(); ++i, to += square()) k.pack(d, n, messages + i * square(), n, to);
}

template <class T>
Term<T> PreparedWeights<T>::message(const T* p, const T* prepared, int matrix, Rows<const T> rows,
                                    int k) const {
    if (packs()) return {rows, packed(prepared, matrix), 0, k, at_.d};
    return {rows, p + at_.message(matrix), padded(at_.d), k};
}

template <class T>
Term<T> PreparedWeights<T>::gates(const T* p, const T* prepared, Gates gates, int block, Rows<const T> rows,
                                  int k) const {
    if (packs()) return {rows, packed(prepared, gates_place(gates, block)), 0, k, at_.d};
    return {rows, gates_plain(p, gates, block), (gates == Gates::zr ? 2 : 1) * padded(at_.d), k};
}

template <class T>
Term<T> PreparedWeights<T>::state_back(const T* prepared, int gate, Rows<const T> rows, int n) const {
    if (packs() && n == padded(at_.d))
        return {rows, packed(prepared, forward_count() + gate), 0, at_.d, at_.d};
    return {rows, prepared + gate * square(), padded(at_.d), at_.d};
}

template <class T>
Term<T> PreparedWeights<T>::heard_back(const T* prepared, int gate, int side, Rows<const T> rows) const {
    const int n = padded(at_.d), sides = at_.sides;
    if (packs()) return {rows, packed(prepared, forward_count() + 3 + sides * gate + side), 0, at_.d, at_.d};
    return {rows, heard_transposed(prepared) + sides * gate * square() + side * n, sides * n, at_.d};
}

template <class T>
Term<T> PreparedWeights<T>::message_back(const T* prepared, int matrix, Rows<const T> rows) const {
    if (packs())
        return {rows, packed(prepared, forward_count() + 3 + 3 * at_.sides + matrix), 0, at_.d, at_.d};
    return {rows, messages_transposed(prepared) + matrix * square(), padded(at_.d), at_.d};
}

template class PreparedWeights<float>;
template class PreparedWeights<double>;

} // namespace ggsnn
