#include "ggsnn/nn/stepper/kind.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

StepperExample ready_for_steps(const Schema& schema, const Dataset& data, const Example& example,
                               const StepperShape& shape, bool hints) {
    StepperExample ready{Links(schema, data, example, shape.slots), {}};
    if (!hints) return ready;
    if (example.hints == nullptr)
        fail_at(example.place, "the question has no hints; expected them, as others have");
    const Hints& told = *example.hints;
    const std::size_t nodes = ready.links.nodes;
    if (told.width != shape.bits || told.pointers.empty() == shape.points ||
        told.chosen.empty() == shape.chooses)
        fail_at(example.place,
                "hints of {} bits, {} pointers, {} choices; expected {} bits, {} pointers, {} choices",
                told.width, told.pointers.empty() ? "without" : "with",
                told.chosen.empty() ? "without" : "with", shape.bits, shape.points ? "with" : "without",
                shape.chooses ? "with" : "without");
    for (int k = 0; k < told.steps; ++k) {
        StepTold step;
        step.bits = told.bits.data() + k * nodes * told.width;
        if (shape.chooses) step.chosen = told.chosen[k];
        for (std::size_t v = 0; v < nodes && shape.points; ++v) {
            const int to = told.pointers[k * nodes + v];
            step.pointers.push_back(ready.links.link_to(static_cast<int>(v), to));
            if (step.pointers.back() < 0)
                fail_at(example.place,
                        "hints: in step {} node {} points to {}; expected itself or a neighbour", k + 1, v,
                        to);
        }
        ready.told.push_back(std::move(step));
    }
    return ready;
}

template <class T>
struct StepperPasses<T>::Scratch {
    std::vector<StepperTape<T>> tapes;
    StepperGradient<T> d;
};

template <class T>
StepperPasses<T>::StepperPasses(const Stepper<T>& network, const Schema& schema, int)
    : network_(network), schema_(schema), turned_(network.turned_size()) {}

template <class T>
int StepperPasses<T>::load(const Dataset& data, const std::vector<const Example*>& examples,
                           const Loading& how) {
    const StepperShape& shape = network_.shape();
    if (!how.unchanged) known_.clear();
    examples_ = examples;
    ready_.clear();
    long steps = 0;
    for (const Example* e : examples) {
        auto& known = known_[e];
        if (known == nullptr)
            known =
                std::make_unique<StepperExample>(ready_for_steps(schema_, data, *e, shape, shape.steps == 0));
        ready_.push_back(known.get());
        steps += std::max<long>(1, static_cast<long>(known->told.size()));
    }
    scale_ = T(1) / static_cast<T>(std::max(1L, steps));
    return static_cast<int>(examples.size());
}

template <class T>
void StepperPasses<T>::prepare(const T* parameters, bool gradient) {
    if (gradient) network_.turn_weights(parameters, turned_.data());
}

namespace {

// -log p, and its gradient.
template <class T>
double surprise(T p, T scale, T* dp) {
    constexpr T least = T(1e-12);
    if (dp != nullptr && p > least) *dp += -scale / p;
    if (dp != nullptr && p <= least) *dp += -scale / least;
    return -std::log(double(std::max(p, least)));
}

} // namespace

// Pointers, choice and bits of a step against what it should have been; whether all is right.
template <class T>
bool StepperPasses<T>::step_loss(const StepperExample& ready, int step, const StepperTape<T>& tape,
                                 StepperGradient<T>* d, Outcome& outcome) const {
    const StepTold& told = ready.told[step];
    const StepperShape& shape = network_.shape();
    const int nodes = ready.links.nodes, B = shape.bits, nb = padded(B);
    const T each = scale_ / static_cast<T>(nodes);
    double loss = 0;
    bool right = true;
    for (int v = 0; v < nodes && shape.points; ++v) {
        const int l = told.pointers[v];
        loss += surprise(tape.q_own[l], each, d != nullptr ? &d->dq[l] : nullptr) / nodes;
        right = right && tape.q_own[l] > T(0.5);
    }
    if (shape.chooses) {
        const T p = told.chosen < 0 ? tape.none_own : tape.chosen_own[told.chosen];
        T* dp = d == nullptr ? nullptr : told.chosen < 0 ? &d->dnone : &d->dchosen[told.chosen];
        loss += surprise(p, scale_, dp);
        right = right && p > T(0.5);
    }
    for (int v = 0; v < nodes; ++v)
        for (int j = 0; j < B; ++j) {
            const std::size_t at = static_cast<std::size_t>(v) * nb + j;
            const bool on = told.bits[v * B + j] != 0;
            const T x = tape.x_soft[at];
            loss += surprise(on ? x : 1 - x, T(0), static_cast<T*>(nullptr)) / nodes;
            if (d != nullptr) d->dz[at] += each * (x - (on ? T(1) : T(0)));
            right = right && (x > T(0.5)) == on;
        }
    outcome.loss += loss * double(scale_);
    return right;
}

template <class T>
bool StepperPasses<T>::class_loss(const StepperExample& ready, const Example& example, const T* x,
                                  const T* parameters, T* gradient, T* dx, Outcome& outcome) const {
    const StepperShape& shape = network_.shape();
    const int nodes = ready.links.nodes, B = shape.bits, I = shape.inputs, classes = shape.classes;
    std::vector<T> inputs(I), scores(padded(classes)), d_scores(padded(classes));
    bool right = true;
    for (int v = 0; v < nodes; ++v) {
        if (example.labels[v] < 0) continue;
        for (int j = 0; j < I; ++j)
            inputs[j] = static_cast<T>(ready.links.inputs[static_cast<std::size_t>(v) * I + j]);
        network_.read_classes(inputs.data(), x + static_cast<std::size_t>(v) * B, parameters, scores.data());
        right = cross_entropy(scores.data(), classes, 1, example.labels[v], scale_ / static_cast<T>(nodes),
                              gradient != nullptr ? d_scores.data() : nullptr, outcome.loss) &&
                right;
        if (gradient != nullptr)
            network_.read_classes_backward(inputs.data(), x + static_cast<std::size_t>(v) * B, parameters,
                                           d_scores.data(), gradient,
                                           dx != nullptr ? dx + static_cast<std::size_t>(v) * B : nullptr);
    }
    return right;
}

template <class T>
void StepperPasses<T>::learn_steps(const StepperExample& ready, const Example& example, const T* parameters,
                                   T* gradient, Scratch& scratch, Outcome& outcome) const {
    const StepperShape& shape = network_.shape();
    const int steps = static_cast<int>(ready.told.size()), nodes = ready.links.nodes, B = shape.bits;
    scratch.tapes.resize(1);
    StepperTape<T>& tape = scratch.tapes[0];
    auto state = StepperState<T>::begin(ready.links, B);
    bool solved = true;
    for (int k = 0; k < steps; ++k) {
        network_.forward(ready.links, state, &ready.told[k], false, parameters, tape);
        scratch.d.prepare(ready.links, B);
        const bool right = step_loss(ready, k, tape, gradient != nullptr ? &scratch.d : nullptr, outcome);
        if (gradient != nullptr)
            network_.backward(ready.links, parameters, turned_.data(), tape, false, scratch.d, gradient);
        ++outcome.targets;
        outcome.correct += right ? 1 : 0;
        solved = solved && right;
        state = tape.after();
        for (std::size_t i = 0; i < static_cast<std::size_t>(nodes) * B; ++i)
            state.x[i] = static_cast<T>(ready.told[k].bits[i]);
    }
    if (shape.reads == StepperShape::Reads::classes)
        solved = class_loss(ready, example, state.x.data(), parameters, gradient, nullptr, outcome) && solved;
    outcome.weight += steps;
    ++outcome.answers;
    outcome.solved += solved ? 1 : 0;
}

// The answer of the last step, which is not rounded.
template <class T>
bool StepperPasses<T>::answer_loss(const StepperExample& ready, const Example& example,
                                   const StepperTape<T>& tape, const T* parameters, StepperGradient<T>* d,
                                   T* gradient, Outcome& outcome) const {
    const StepperShape& shape = network_.shape();
    const int nodes = ready.links.nodes, B = shape.bits, nb = padded(B);
    bool right = true;
    if (shape.reads == StepperShape::Reads::pointers) {
        for (int v = 0; v < nodes; ++v) {
            const int l = ready.links.link_to(v, example.labels[v]);
            if (l < 0)
                fail_at(example.place, "the answer for node {} is {}; expected itself or a neighbour", v,
                        example.labels[v]);
            outcome.loss +=
                double(scale_) / nodes *
                surprise(tape.q_own[l], scale_ / static_cast<T>(nodes), d != nullptr ? &d->dq[l] : nullptr);
            right = right && tape.q_own[l] > T(0.5);
        }
        return right;
    }
    if (shape.reads == StepperShape::Reads::classes) {
        std::vector<T> dx(static_cast<std::size_t>(nodes) * B, 0);
        right = class_loss(ready, example, tape.x.data(), parameters, gradient, dx.data(), outcome);
        for (int v = 0; v < nodes && d != nullptr; ++v)
            for (int j = 0; j < B; ++j) {
                const T x = tape.x_soft[static_cast<std::size_t>(v) * nb + j];
                d->dz[static_cast<std::size_t>(v) * nb + j] +=
                    dx[static_cast<std::size_t>(v) * B + j] * x * (1 - x);
            }
        return right;
    }
    // The expected length of the way to the node that is chosen.
    T length = 0;
    for (int v = 0; v < nodes; ++v) length += tape.chosen_own[v] * tape.way[v];
    const T error = length - static_cast<T>(example.values[0]);
    outcome.loss += double(scale_) * double(error) * double(error);
    for (int v = 0; v < nodes && d != nullptr; ++v) {
        d->dchosen[v] += 2 * scale_ * error * tape.way[v];
        d->dway[v] += 2 * scale_ * error * tape.chosen_own[v];
    }
    return std::abs(error) < T(0.5);
}

template <class T>
void StepperPasses<T>::learn_answer(const StepperExample& ready, const Example& example, const T* parameters,
                                    T* gradient, Scratch& scratch, Outcome& outcome) const {
    const StepperShape& shape = network_.shape();
    const int steps = shape.steps, nodes = ready.links.nodes, B = shape.bits, nb = padded(B);
    scratch.tapes.resize(std::max<std::size_t>(scratch.tapes.size(), steps));
    auto state = StepperState<T>::begin(ready.links, B);
    for (int k = 0; k < steps; ++k) {
        network_.forward(ready.links, state, nullptr, shape.rounded && k + 1 < steps, parameters,
                         scratch.tapes[k]);
        state = scratch.tapes[k].after();
    }
    StepperGradient<T>& d = scratch.d;
    d.prepare(ready.links, B);
    const bool right = answer_loss(ready, example, scratch.tapes[steps - 1], parameters,
                                   gradient != nullptr ? &d : nullptr, gradient, outcome);
    for (int k = steps; k-- > 0 && gradient != nullptr;) {
        network_.backward(ready.links, parameters, turned_.data(), scratch.tapes[k], true, d, gradient);
        if (k == 0) break;
        const std::vector<T> dx = d.dx_before, dq = d.dq_before, dway = d.dway_before;
        d.prepare(ready.links, B);
        d.dq = dq;
        d.dway = dway;
        for (int v = 0; v < nodes; ++v)
            for (int j = 0; j < B; ++j) {
                const T x = scratch.tapes[k - 1].x_soft[static_cast<std::size_t>(v) * nb + j];
                d.dz[static_cast<std::size_t>(v) * nb + j] =
                    dx[static_cast<std::size_t>(v) * B + j] * x * (1 - x);
            }
    }
    ++outcome.targets;
    outcome.weight += 1;
    outcome.correct += right ? 1 : 0;
    ++outcome.answers;
    outcome.solved += right ? 1 : 0;
}

template <class T>
Outcome StepperPasses<T>::pass(int number, const T* parameters, bool gradient, const Team<T>& team, int) {
    thread_local Scratch scratch;
    Outcome outcome;
    T* sum = gradient ? team.lane(0).gradient.data() : nullptr;
    const StepperExample& ready = *ready_[number];
    if (network_.shape().steps > 0) {
        learn_answer(ready, *examples_[number], parameters, sum, scratch, outcome);
    } else {
        learn_steps(ready, *examples_[number], parameters, sum, scratch, outcome);
    }
    // Of a regression the share of steps that are wrong is the error.
    outcome.absolute.assign(std::max(1, schema_.values), 0);
    outcome.present.assign(outcome.absolute.size(), 0);
    outcome.absolute[0] = double(outcome.targets - outcome.correct);
    outcome.present[0] = outcome.targets;
    return outcome;
}

template class StepperPasses<float>;
template class StepperPasses<double>;

} // namespace ggsnn
