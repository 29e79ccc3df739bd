// Recurrent cells: how the sums that a linear layer makes of input and state become the next state. Each cell
// is one file; `cells` in cell.cpp lists them, and each is a kind of network. Others know a cell by its name.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace ggsnn {

// All rows of one step. A row of gates is parts x n numbers, one of a state carried x n: h, then what else is
// carried on. n is padded; pads are zero.
template <class T>
struct CellStep {
    int rows, n;
    T* gates;          // before: the sums x W_x + h W_h + .. + b; after: whatever backward needs of them
    const T* previous; // states before; null: zero
    T* state;          // states after
    T* kept;           // rows x n: what backward needs besides
};

// One row, backward.
template <class T>
struct CellBack {
    int n;
    T* gates;          // before: as forward left them; after: the gradient of the sums
    const T* previous; // null: zero, and d_previous is null
    const T* state;
    const T* kept;
    const T* d_state;
    T* d_previous; // what flows back past the sums is added
};

class Cell {
  public:
    Cell(std::string given_name, std::string given_title, std::vector<std::string> given_parts,
         int given_carried)
        : name(std::move(given_name)),
          title(std::move(given_title)),
          parts(std::move(given_parts)),
          carried(given_carried) {}
    virtual ~Cell() = default;

    const std::string name;               // of the kind of network
    const std::string title;              // for people
    const std::vector<std::string> parts; // what the sums are for: endings of the tensors' names
    const int carried;                    // parts of a state: 1, h alone; 2, h and c

    virtual void forward(const CellStep<float>& step) const = 0;
    virtual void forward(const CellStep<double>& step) const = 0;
    virtual void backward(const CellBack<float>& row) const = 0;
    virtual void backward(const CellBack<double>& row) const = 0;
};

std::span<const Cell* const> cells();
const Cell& cell_named(const std::string& name); // REQUIRES that there is one

} // namespace ggsnn
