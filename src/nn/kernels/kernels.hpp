// Kernels: the loops in which all the time goes. Each exists twice, as a plain reference
// (reference_kernels<T>(), never optimised) and vectorised with the instruction set chosen at run time
// (kernels<T>()), behind one table of functions.
//
// Memory layout of the whole library, fixed here once:
// - A matrix is row-major. A row of n numbers takes padded(n) numbers, a multiple of 8; what lies between
//   n and padded(n) is zero, and every kernel keeps it zero. So no kernel has a tail along a row.
// - A weight matrix maps a row of k numbers to a row of n: k rows of padded(n), y = x W.
// - A width `n` handed to a kernel is already padded; a depth `k` is exact.
// - Addresses need only the alignment of T; results never depend on them.
// - A sum runs over k in increasing order, one fused multiply-add at a time where the instruction set has
//   them: results do not depend on how rows are grouped into calls, blocks or threads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ggsnn {

constexpr int padding = 8;

constexpr int padded(int n) {
    return (n + padding - 1) / padding * padding;
}

// Rows of a matrix: all in order, or those that `index` lists. Row i begins at
// base + stride * (index ? index[i] : i). Does not own anything.
template <class T>
struct Rows {
    T* base = nullptr;
    std::ptrdiff_t stride = 0;
    const int* index = nullptr;

    T* row(std::ptrdiff_t i) const { return base + stride * (index != nullptr ? index[i] : i); }
    Rows at(std::ptrdiff_t columns) const { return {base + columns, stride, index}; }
    // Without the first `rows`.
    Rows from(std::ptrdiff_t rows) const {
        return index != nullptr ? Rows{base, stride, index + rows} : Rows{base + stride * rows, stride};
    }
    Rows<const T> constant() const { return {base, stride, index}; }
};

// Matrices of more bytes than this are worth packing (KernelTable::pack): they do not stay in the first-level
// cache beside the rows that they are multiplied with.
constexpr std::size_t worth_packing = 8192;

// One term of a product: rows of depth k times the first k rows of a matrix of n columns, whose rows are ldb
// apart or, if `height` is not zero, which is what KernelTable::pack made of a matrix of that many rows.
template <class T>
struct Term {
    Rows<const T> a;
    const T* b;
    int ldb;
    int k;
    int height = 0;
};

// Where a product starts from.
enum class Start { zero, bias, accumulate };

template <class T>
struct AdamStep {
    T learning_rate, beta1, beta2, epsilon;
    T correction1, correction2; // 1 - beta^t
    T clip;                     // elementwise bound of the gradient; infinity for none
    T l1, l2;                   // decoupled: weight *= 1 - lr l2, then soft threshold by lr l1
};

template <class T>
struct KernelTable {
    const char* name;

    // c_i[0..n) = start + sum over terms of a_i b, for i < rows. bias has n numbers (Start::bias).
    // REQUIRES that no row of c is a row of an `a`, and that rows of c are distinct.
    void (*product)(int rows, int n, const Term<T>* terms, int count, Rows<T> c, Start start, const T* bias);
    // Copies a matrix of k rows of n numbers, ldb apart, to k n numbers in the order in which a product with
    // it reads them: worth it for large matrices that many products use.
    void (*pack)(int k, int n, const T* b, int ldb, T* out);
    // c[j][0..n) += sum over i < rows of x_i[j] y_i[0..n), for j < m: a weight gradient.
    void (*outer)(int rows, int m, int n, Rows<const T> x, Rows<const T> y, T* c, int ldc);
    // c[0..n) += sum over i < rows of y_i[0..n): a bias gradient.
    void (*column_sum)(int rows, int n, Rows<const T> y, T* c);
    // out_i[0..n) = sum of x_u over u in neighbours[starts[i] .. starts[i+1]).
    void (*gather)(int rows, int n, const int* starts, const int* neighbours, Rows<const T> x, Rows<T> out);
    // The same with each x_u times the weight that stands where u stands.
    void (*gather_weighted)(int rows, int n, const int* starts, const int* neighbours, const float* weights,
                            Rows<const T> x, Rows<T> out);

    // In place over rows of n numbers.
    void (*sigmoid)(int rows, int n, Rows<T> x);
    void (*tanh)(int rows, int n, Rows<T> x);

    // Eqs. 3 to 6, the parts between the products. A row of g is [z | r | h_tilde], each n wide.
    // All four REQUIRE rows without index.
    //
    // Before: z and r hold what the sigmoid is taken of. After: z, r; rh = r . h.
    void (*gates_zr)(int rows, int n, Rows<T> g, Rows<const T> h, Rows<T> rh);
    // Before: h_tilde holds what the tanh is taken of. After: h_tilde; h_next = (1 - z) . h + z . h_tilde.
    void (*gates_h)(int rows, int n, Rows<T> g, Rows<const T> h, Rows<T> h_next);
    // Backward of gates_h: from dh_next makes dg's z and h_tilde parts (gradients before sigmoid and
    // tanh) and sets dh = dh_next . (1 - z). dh may be dh_next itself.
    void (*gates_h_backward)(int rows, int n, Rows<const T> g, Rows<const T> h, Rows<const T> dh_next,
                             Rows<T> dg, Rows<T> dh);
    // Backward of gates_zr: from drh makes dg's r part, dh += drh . r, and rh = r . h anew.
    void (*gates_zr_backward)(int rows, int n, Rows<const T> g, Rows<const T> h, Rows<const T> drh,
                              Rows<T> dg, Rows<T> dh, Rows<T> rh);

    // One step of Adam (Kingma, Ba 2015) over n numbers, with clipping and decoupled regularisation.
    void (*adam)(std::size_t n, const AdamStep<T>& step, T* weight, const T* gradient, T* first, T* second);
};

// The fastest table this processor runs. Thread-safe.
template <class T>
const KernelTable<T>& kernels();

// Plain loops over the same equations.
template <class T>
const KernelTable<T>& reference_kernels();

// The instruction set that kernels() uses on this machine: "AVX2".
const char* instruction_set();

} // namespace ggsnn
