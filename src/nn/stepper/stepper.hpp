// Networks that learn the steps of an algorithm, so that what they learn on small graphs holds on large ones.
// A GGS-NN whose annotations are bits: each output of the network is the next annotation, and the question is
// repeated at each step. One step is one propagation step, and what it says is rounded before the next, so
// errors do not add up: a rule that is learned exactly stays exact, at any size and for any number of steps.
//
// The state of node v: bits x_v (B of them, at first 0), and a pointer q_v to itself (at first) or to a
// neighbour. Known of it: inputs i_v. y_v = [i_v, x_v, q_v is v]. A link (v, u) is v itself or a neighbour u;
// f_vu are its flags: edges there are, q_v is u, q_u is v, u is v.
//
//   allowed    a_vu = sigma(w . relu(y_u P + y_v P' + f_vu P'' + b) + c)
//   pointer    q_v := the first u in order with a_vu, or as it was if there is none
//   message    m_v = max over neighbours u of relu(y_u M + f_vu M' + b)                 (f of the new
//   pointers) state      h_v = relu([y_v, q_v is v] U + m_v U' + b) allowed    g_v = sigma(w . h_v + c)
//   choice     c = the first v of the graph in order with g_v, or none
//   bits       x_v := sigma(relu(h_v W + [c is v] w + [c is none] w' + b) V + b')
//
// 'First in order' has a probability: that of the i-th is a_i times (1 - a_j) for all before it, whatever the
// numbers that are compared, so no scale of them has to be learned. Which order is learned, too, as a
// mixture: links by the number of u, by length, or by the length of the way over u along the pointers; nodes
// by number, by the length of the edge they point along, or by the length of their way, forwards or
// backwards. Equals are in the order of their numbers.
//
// With hints (dataset.hpp) each step is learned by itself, from what the hints say the step before left. A
// network without hints takes `steps` steps and learns from the answer alone, through time; the gradient of
// what was rounded is that of its probability.
#pragma once

#include "ggsnn/nn/parameters.hpp"
#include "ggsnn/nn/stepper/links.hpp"
#include "ggsnn/nn/stepper/shape.hpp"

namespace ggsnn {

inline constexpr int link_orders = 3;   // number, length, way
inline constexpr int choice_orders = 4; // number, length, way, way backwards
// A mixture's weights are the softmax of its parameters times this: they move as fast as other parameters, in
// steps of the learning rate, and have to get from one order to another.
inline constexpr int order_sharpness = 10;

// Between steps; probabilities, or 0 and 1.
template <class T>
struct StepperState {
    std::vector<T> x;      // nodes x B
    std::vector<T> q;      // by link
    std::vector<T> way;    // by node: length along the pointers
    std::vector<T> length; // by node: of the edge it points along

    static StepperState begin(const Links& links, int bits);
};

// What the hints say of a step.
struct StepTold {
    std::vector<int> pointers; // by node: the link it points along; empty: the network's own
    int chosen = -1;           // -1: none
    const char* bits = nullptr;
};

// What backward needs of a step. Rows of H numbers are padded.
template <class T>
struct StepperTape {
    StepperState<T> before;
    bool told = false;                 // pointers and choice in use are those of the hints
    std::vector<T> y;                  // nodes x seen
    std::vector<T> ps, pr;             // nodes x H
    std::vector<T> a, a_soft;          // by link: used, and before rounding
    std::vector<T> p;                  // link_orders x links: probability of each order's first
    std::vector<T> keep;               // by node
    std::vector<int> order;            // link_orders x links: links of a node in order
    std::vector<T> q_own, q;           // by link: the network's pointers; those in use
    std::vector<T> ms, m, h, u;        // nodes x H
    std::vector<int> top;              // nodes x H: the link of the largest message, or -1
    std::vector<T> g, g_soft;          // by node
    std::vector<int> choice_order;     // choice_orders x nodes
    std::vector<T> pc;                 // choice_orders x nodes
    std::vector<T> chosen_own, chosen; // by node
    T none_own = 0, none = 0;
    std::vector<T> way, length; // by node, after the pointers
    std::vector<T> x_soft, x;   // nodes x padded(B), nodes x B: before rounding, after

    StepperState<T> after() const { return {x, q, way, length}; }
};

// Gradients that a step receives and passes on; sized and zeroed by prepare.
template <class T>
struct StepperGradient {
    std::vector<T> dz;      // nodes x padded(B): of the bits, before the sigmoid
    std::vector<T> dq;      // by link: of the network's own pointers
    std::vector<T> dchosen; // by node
    T dnone = 0;
    std::vector<T> dway;                              // by node; looked at on the way through time
    std::vector<T> dx_before, dq_before, dway_before; // nodes x B, by link, by node: set by backward

    void prepare(const Links& links, int bits);
};

template <class T>
class Stepper {
  public:
    explicit Stepper(const StepperShape& shape);

    const StepperShape& shape() const { return shape_; }
    const ParameterLayout& layout() const { return layout_; }
    // Weights the other way round, for backward.
    std::size_t turned_size() const { return turned_size_; }
    void turn_weights(const T* parameters, T* turned) const;

    // One step. told: null for the network's own; hard: bits, pointers and choice are rounded.
    void forward(const Links& links, const StepperState<T>& before, const StepTold* told, bool hard,
                 const T* parameters, StepperTape<T>& tape) const;
    // Adds to gradient. through: also sets d_before, and what was chosen and pointed to depends on
    // parameters; REQUIRES a tape without told then.
    void backward(const Links& links, const T* parameters, const T* turned, const StepperTape<T>& tape,
                  bool through, StepperGradient<T>& d, T* gradient) const;

    // Scores of a node's classes, from its inputs and bits: padded(classes) numbers.
    void read_classes(const T* inputs, const T* x, const T* parameters, T* scores) const;
    // dx: null, or B numbers that are added to.
    void read_classes_backward(const T* inputs, const T* x, const T* parameters, const T* d_scores,
                               T* gradient, T* dx) const;

    // The parts of a step, as the runner (run.hpp) asks for them, node by node.
    struct Parts {
        std::size_t Ps, Pr, Pe, Pb, Pw, Pc, Po; // pointers
        std::size_t Ms, Me, Mb;                 // messages
        std::size_t Uy, Us, Um, Ub;             // states
        std::size_t Gw, Gc, Go;                 // choice
        std::size_t Wh, Wf, Wb, Vx, Vb;         // bits
        std::size_t R, Rx, Rb;                  // classes
    };
    const Parts& parts() const { return at_; }
    int row() const { return n_; } // padded(H)

  private:
    void see(const Links& links, StepperTape<T>& tape) const;
    void allow(const Links& links, bool hard, const T* p, StepperTape<T>& tape) const;
    void first_links(const Links& links, int v, const T* weights, StepperTape<T>& tape) const;
    void point(const Links& links, const StepTold* told, bool hard, const T* p, StepperTape<T>& tape) const;
    void hear(const Links& links, const T* p, StepperTape<T>& tape) const;
    void choose(const Links& links, const StepTold* told, bool hard, const T* p, StepperTape<T>& tape) const;
    void hidden_of_link(const Links& links, const StepperTape<T>& tape, const T* p, int v, int link,
                        T* hidden) const;

    struct Work;
    void point_backward(const Links& links, const T* p, const T* turned, const StepperTape<T>& tape,
                        bool through, StepperGradient<T>& d, Work& work, T* gradient) const;
    void allow_backward(const Links& links, const T* p, const StepperTape<T>& tape, int v, int link, T dz,
                        bool through, StepperGradient<T>& d, Work& work, T* gradient) const;
    void hear_backward(const Links& links, const T* p, const T* turned, const StepperTape<T>& tape,
                       bool through, Work& work, T* gradient) const;
    void choose_backward(const T* p, const StepperTape<T>& tape, int nodes, Work& work, T* gradient) const;

    StepperShape shape_;
    ParameterLayout layout_;
    int n_; // padded(H)
    Parts at_{};
    std::size_t turned_Ps_ = 0, turned_Pr_ = 0, turned_Ms_ = 0, turned_Uy_ = 0, turned_Um_ = 0,
                turned_Wh_ = 0, turned_Vx_ = 0, turned_size_ = 0;
};

// The first in order: probabilities p of `count` things, listed by order, of which each is allowed with
// probability a. Returns that of none.
template <class T>
T first_of(const int* order, int count, const T* a, T* p);
// Adds weight times its gradient to da.
template <class T>
void first_of_backward(const int* order, int count, const T* a, T weight, const T* dp, T dnone, T* da);

} // namespace ggsnn
