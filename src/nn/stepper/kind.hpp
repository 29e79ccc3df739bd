// Networks that learn steps, as a kind of network.
#pragma once

#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/nn/stepper/stepper.hpp"

#include <unordered_map>

namespace ggsnn {

Kind stepper_kind();

// An example, ready for steps.
struct StepperExample {
    Links links;
    std::vector<StepTold> told; // by step; empty: without hints
};

template <class T>
class StepperPasses : public Passes<T> {
  public:
    // network and schema must outlive it.
    StepperPasses(const Stepper<T>& network, const Schema& schema, int workers);

    int load(const Dataset& data, const std::vector<const Example*>& examples, const Loading& how) override;
    int lanes(int) const override { return 8; }
    std::size_t parameters() const override { return network_.layout().size(); }
    std::size_t gradient_size() const override { return network_.layout().size(); }
    void prepare(const T* parameters, bool gradient) override;
    Outcome pass(int batch, const T* parameters, bool gradient, const Team<T>& team, int worker) override;
    void finish(const T*, T*) override {}

  private:
    struct Scratch;
    // With hints: all steps, each from what it is told of the one before.
    void learn_steps(const StepperExample& ready, const Example& example, const T* parameters, T* gradient,
                     Scratch& scratch, Outcome& outcome) const;
    // Without: from the answer, through all steps.
    void learn_answer(const StepperExample& ready, const Example& example, const T* parameters, T* gradient,
                      Scratch& scratch, Outcome& outcome) const;
    bool step_loss(const StepperExample& ready, int step, const StepperTape<T>& tape, StepperGradient<T>* d,
                   Outcome& outcome) const;
    // dx: null, or nodes x B that are added to.
    bool class_loss(const StepperExample& ready, const Example& example, const T* x, const T* parameters,
                    T* gradient, T* dx, Outcome& outcome) const;
    bool answer_loss(const StepperExample& ready, const Example& example, const StepperTape<T>& tape,
                     const T* parameters, StepperGradient<T>* d, T* gradient, Outcome& outcome) const;

    const Stepper<T>& network_;
    const Schema& schema_;
    std::vector<const Example*> examples_;
    std::vector<const StepperExample*> ready_;
    std::unordered_map<const Example*, std::unique_ptr<StepperExample>> known_;
    std::vector<T> turned_;
    T scale_ = 1; // of a step's loss
};

// Throws Error where hints do not fit the graph or each other.
StepperExample ready_for_steps(const Schema& schema, const Dataset& data, const Example& example,
                               const StepperShape& shape, bool hints);

} // namespace ggsnn
