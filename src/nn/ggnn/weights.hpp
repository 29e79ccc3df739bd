// The weights of a propagation model as its products read them: as they lie among the parameters; transposed,
// for backward; and, where they are large, packed (KernelTable::pack), so that the products of a minibatch's
// many chunks need not do it.
#pragma once

#include "ggsnn/nn/ggnn/offsets.hpp"
#include "ggsnn/nn/kernels/kernels.hpp"

namespace ggsnn {

enum class Gates { zr, h }; // columns of the gates' weights: z | r (2 Dp), or h~ (Dp)

template <class T>
class PreparedWeights {
  public:
    explicit PreparedWeights(const PropagationOffsets& at);

    // What is made of the parameters once an update: size() numbers, zero before the first call.
    std::size_t size() const;
    void prepare(const T* parameters, bool for_backward, T* out) const;

    // Terms of products, forward: rows of depth k times A, one of the matrices; times W of a side of a or,
    // block being at.sides, U.
    Term<T> message(const T* parameters, const T* prepared, int matrix, Rows<const T> rows, int k) const;
    Term<T> gates(const T* parameters, const T* prepared, Gates gates, int block, Rows<const T> rows,
                  int k) const;

    // Backward: rows of depth D times U^T of a gate (z, r, h~), of which the first n columns are wanted; W^T
    // of a gate and a side; A^T.
    Term<T> state_back(const T* prepared, int gate, Rows<const T> rows, int n) const;
    Term<T> heard_back(const T* prepared, int gate, int side, Rows<const T> rows) const;
    Term<T> message_back(const T* prepared, int matrix, Rows<const T> rows) const;

    // W^T of the three gates, each D x sides Dp; all A^T, each D x Dp.
    const T* heard_transposed(const T* prepared) const { return prepared + 3 * square(); }
    const T* messages_transposed(const T* prepared) const {
        return prepared + (3 + 3 * at_.sides) * square();
    }

  private:
    // Everything is made of D x Dp numbers; places are counted in them. Transposed: U (3), W (3 sides), A
    // (matrices). Packed: A (matrices), W and U of z | r (2 each), of h~; then the transposed ones in their
    // order.
    std::size_t square() const { return static_cast<std::size_t>(at_.d) * padded(at_.d); }
    std::size_t transposed_count() const { return 3 + 3 * at_.sides + at_.matrices(); }
    std::size_t forward_count() const { return at_.matrices() + 3 * (at_.sides + 1); }
    std::size_t transposed_size() const { return transposed_count() * square(); }
    bool packs() const { return square() * sizeof(T) > worth_packing; }
    std::size_t gates_place(Gates gates, int block) const {
        return at_.matrices() + (gates == Gates::zr ? 2 * block : 2 * (at_.sides + 1) + block);
    }
    const T* packed(const T* prepared, std::size_t place) const {
        return prepared + transposed_size() + place * square();
    }
    const T* gates_plain(const T* p, Gates gates, int block) const {
        return gates == Gates::zr ? p + at_.gates_zr + 2 * block * square()
                                  : p + at_.gates_h + block * square();
    }

    PropagationOffsets at_;
};

} // namespace ggsnn
