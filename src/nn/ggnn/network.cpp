#include "ggsnn/nn/ggnn/network.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>

namespace ggsnn {

template <class T>
typename Workspace<T>::OutputStep& Workspace<T>::step(int k) {
    while (static_cast<int>(steps.size()) <= k) steps.push_back(std::make_unique<OutputStep>());
    return *steps[k];
}

template <class T>
Network<T>::Network(const GatedShape& shape) : shape_(shape), head_(&head_of(shape.answer)) {
    propagation_.emplace(shape.propagation(), layout_, "propagation.");
    const bool authors = shape.variant == Variant::authors;
    const Head::Traits& answer = head_->traits;
    const bool selects = answer.node_rows && !answer.each_node; // one node of the graph
    const OutputShape output{.state = shape.state,
                             .annotation = shape.annotation,
                             .outputs = shape.outputs,
                             .gated = selects && authors,
                             .linear = shape.linear,
                             .hidden = authors,
                             .squashed = !answer.numbers,
                             .pairs = shape.pairs,
                             .edge_types = shape.edge_types};
    prepared_size_ = propagation_->prepared_size();
    at_output_ = prepared_size_;
    if (answer.node_rows) {
        node_output_.emplace(output, layout_, "output.");
        prepared_size_ += node_output_->transposed_size();
    } else {
        graph_output_.emplace(output, layout_, "output.");
        prepared_size_ += graph_output_->transposed_size();
    }
    if (shape.sequence() && !shape.shared_propagation) {
        annotation_propagation_.emplace(shape.propagation(), layout_, "annotation_propagation.");
        at_annotation_propagation_ = prepared_size_;
        prepared_size_ += annotation_propagation_->prepared_size();
    }
    if (shape.sequence()) {
        const OutputShape annotation{
            .state = shape.state, .annotation = shape.annotation, .outputs = shape.annotation};
        annotation_output_.emplace(annotation, layout_, "annotation.");
        at_annotation_ = prepared_size_;
        prepared_size_ += annotation_output_->transposed_size();
    }
    if (shape.embedding > 0) input_.emplace(shape.inputs, shape.embedding, layout_, "input.");
    gradient_size_ = layout_.size();
    for (auto* each : {&propagation_, &annotation_propagation_}) {
        if (!*each) continue;
        (*each)->place_extra(gradient_size_);
        gradient_size_ += (*each)->extra_gradient();
    }
}

template <class T>
void Network<T>::prepare(const T* p, bool for_backward, T* out) const {
    propagation_->prepare(p, for_backward, out);
    if (annotation_propagation_)
        annotation_propagation_->prepare(p, for_backward, out + at_annotation_propagation_);
    if (!for_backward) return;
    if (node_output_) node_output_->transpose_weights(p, out + at_output_);
    if (graph_output_) graph_output_->transpose_weights(p, out + at_output_);
    if (annotation_output_) annotation_output_->transpose_weights(p, out + at_annotation_);
}

template <class T>
void Network<T>::finish(const T* p, const T* prepared, T* gradient) const {
    propagation_->finish(p, prepared, gradient);
    if (annotation_propagation_)
        annotation_propagation_->finish(p, prepared + at_annotation_propagation_, gradient);
}

template <class T>
const T* Network<T>::annotations(const Chunk<T>& chunk, int k, const Workspace<T>& work) const {
    return k == 0 && !input_ ? chunk.x.data() : work.steps[k]->x.data();
}

// The annotations of the first step: the chunk's, with what the input layer makes of its inputs.
template <class T>
void Network<T>::embed(const Chunk<T>& chunk, const T* p, Workspace<T>& work, const Team<T>& team) const {
    T* x = work.step(0).x.get(chunk.x.size());
    std::copy(chunk.x.begin(), chunk.x.end(), x);
    input_->forward(chunk, p, x, team);
}

namespace {

// Dropout of rows of states; the same for gradients.
template <class T>
void drop_states(const Chunk<T>& chunk, int k, int d, int n, T* rows) {
    const Drop drop(chunk.state_dropout);
    for (int g = 0; g < chunk.graphs(); ++g) {
        const std::uint64_t key = mixed(chunk.keys[g], static_cast<std::uint64_t>(k));
        for (int v = chunk.graph_start[g]; v < std::min(chunk.graph_start[g + 1], chunk.counting(0)); ++v) {
            T* row = rows + static_cast<std::size_t>(v) * n;
            const auto node = static_cast<std::uint64_t>(chunk.node_of(v - chunk.graph_start[g])) << 32;
            for (int j = 0; j < d; j += 4) {
                const std::uint64_t random = mixed(key, node | static_cast<std::uint64_t>(j));
                for (int i = 0; i < 4 && j + i < d; ++i) row[j + i] *= static_cast<T>(drop.of(random, i));
            }
        }
    }
}

} // namespace

// Output step k: outputs, and unless it is the last one the annotations of step k + 1.
template <class T>
const T* Network<T>::forward_step(const Chunk<T>& chunk, const T* p, const T* prepared, int k, bool last,
                                  bool for_backward, Keep keep, Workspace<T>& work,
                                  const Team<T>& team) const {
    auto& step = work.step(k);
    if (k == 0 && input_) embed(chunk, p, work, team);
    const T* x = annotations(chunk, k, work);
    step.tape.keep = step.annotation_tape.keep = keep;
    const T* h = propagation_->forward(chunk, p, prepared, x, for_backward, step.tape, team);
    if (for_backward && chunk.state_dropout > 0) {
        const int n = propagation_->width();
        T* dropped = step.dropped.get(static_cast<std::size_t>(chunk.nodes) * n);
        std::copy(h, h + static_cast<std::size_t>(chunk.counting(0)) * n, dropped);
        drop_states(chunk, k, shape_.state, n, dropped);
        h = dropped;
    }
    const T* out = node_output_ ? node_output_->forward(chunk, p, h, x, step.output, team)
                                : graph_output_->forward(chunk, p, h, x, step.output, team);
    step.h = h;
    step.h_G = graph_output_ ? step.output.sum.data() : nullptr;
    if (last) return out;
    // X^(k+1) = sigma(j(h, x))
    const T* h_x = annotation_propagation_
                       ? annotation_propagation_->forward(chunk, p, prepared + at_annotation_propagation_, x,
                                                          for_backward, step.annotation_tape, team)
                       : h;
    T* next = annotation_output_->forward(chunk, p, h_x, x, step.annotation, team);
    const int nx = padded(shape_.annotation);
    kernels<T>().sigmoid(chunk.nodes, nx, {next, nx});
    // Pads of a sigmoid are not zero; the next step's annotations need them so.
    const std::size_t size = static_cast<std::size_t>(chunk.nodes) * nx;
    for (int v = 0; v < chunk.nodes; ++v)
        for (int j = shape_.annotation; j < nx; ++j) next[static_cast<std::size_t>(v) * nx + j] = 0;
    T* x_next = work.step(k + 1).x.get(size);
    // Networks trained on observed annotations, which are 0 or 1, go on from rounded ones: small errors do
    // not add up over long sequences.
    if (shape_.observed && !for_backward)
        for (std::size_t i = 0; i < size; ++i) next[i] = next[i] >= T(0.5) ? T(1) : T(0);
    const bool teacher = for_backward && shape_.observed;
    std::copy_n(teacher ? chunk.targets.annotations.data() + size * k : next, size, x_next);
    return out;
}

// From step.output.d_out and, unless this is the last step, work.dx_next (the gradient of X^(k+1), or of
// the annotation scores if annotations are observed). Leaves the gradient of X^k in work.dx_next.
template <class T>
void Network<T>::backward_step(const Chunk<T>& chunk, const T* p, const T* prepared, int k, bool last,
                               Workspace<T>& work, const Team<T>& team) const {
    auto& step = work.step(k);
    const T* x = annotations(chunk, k, work);
    const int n = propagation_->width(), nx = padded(shape_.annotation);
    const std::size_t size = static_cast<std::size_t>(chunk.nodes) * n,
                      x_size = static_cast<std::size_t>(chunk.nodes) * nx;
    const bool drops = chunk.state_dropout > 0;
    const T* h = drops ? step.dropped.data() : step.tape.h.data() + size * shape_.steps;
    T* dh = work.dh.get(size);
    const bool want_dx = work.explaining || (k > 0 ? !shape_.observed : input_.has_value());
    step.tape.edges = step.annotation_tape.edges = work.explaining ? &work.edges : nullptr;
    step.output.pairs.links = work.explaining ? &work.edges.links : nullptr;
    T* dx = want_dx ? work.dx.zeroed(x_size) : nullptr;
    if (work.explaining) work.edges.links.resize(chunk.adjacency.size());
    if (node_output_) {
        node_output_->backward(chunk, p, prepared + at_output_, h, x, step.output, dh, dx, Start::zero, team);
    } else {
        graph_output_->backward(chunk, p, prepared + at_output_, h, x, step.output, dh, dx, Start::zero,
                                team);
    }
    if (!last && !(shape_.observed && work.explaining)) {
        const T* x_next = step.annotation.out.data();
        T* d_scores = step.annotation.d_out.get(x_size);
        const T* d_next = work.dx_next.data();
        for (std::size_t i = 0; i < x_size; ++i)
            d_scores[i] = shape_.observed ? d_next[i] : d_next[i] * x_next[i] * (1 - x_next[i]);
        if (annotation_propagation_) {
            const T* h_x = step.annotation_tape.h.data() + size * shape_.steps;
            T* dh_x = work.dh_annotation.get(size);
            annotation_output_->backward(chunk, p, prepared + at_annotation_, h_x, x, step.annotation, dh_x,
                                         dx, Start::zero, team);
            annotation_propagation_->backward(chunk, p, prepared + at_annotation_propagation_,
                                              step.annotation_tape, dh_x, dx, work.da, team);
        } else {
            annotation_output_->backward(chunk, p, prepared + at_annotation_, h, x, step.annotation, dh, dx,
                                         Start::accumulate, team);
        }
    }
    if (drops) drop_states(chunk, k, shape_.state, n, dh);
    propagation_->backward(chunk, p, prepared, step.tape, dh, dx, work.da, team);
    if (k == 0 && input_) input_->backward(chunk, x, dx, team);
    if (want_dx) std::copy_n(dx, x_size, work.dx_next.get(x_size));
    if (work.explaining) std::copy_n(dx, x_size, step.dx.get(x_size));
}

template <class T>
Outcome Network<T>::run(const Chunk<T>& chunk, const T* p, const T* prepared, bool gradient,
                        Workspace<T>& work, const Team<T>& team, Keep keep) const {
    const int count = shape_.sequence() ? chunk.targets.steps : 1;
    const std::size_t out_size = head_->rows(chunk.nodes, chunk.graphs()) * padded(shape_.outputs);
    Outcome outcome;
    work.wrong.assign(chunk.graphs(), 0);
    for (int k = 0; k < count; ++k) {
        const T* out = forward_step(chunk, p, prepared, k, k + 1 == count, gradient, keep, work, team);
        T* d_out = gradient ? work.step(k).output.d_out.get(out_size) : nullptr;
        head_->loss(chunk, {out, shape_.outputs, k}, d_out, outcome, work.wrong);
    }
    outcome.answers = chunk.graphs();
    for (char wrong : work.wrong) outcome.solved += wrong == 0 ? 1 : 0;
    if (!gradient) return outcome;
    const std::size_t x_size = static_cast<std::size_t>(chunk.nodes) * padded(shape_.annotation);
    for (int k = count - 1; k >= 0; --k) {
        if (shape_.observed && !work.explaining && k + 1 < count) {
            // Each step's annotations are trained by themselves, for the graphs that have a next step.
            work.active.resize(chunk.graphs());
            for (int g = 0; g < chunk.graphs(); ++g)
                work.active[g] =
                    chunk.targets.labels[static_cast<std::size_t>(g) * count + k + 1] >= 0 ? 1 : 0;
            annotation_loss(chunk, work.step(k).annotation.out.data(),
                            chunk.targets.annotations.data() + x_size * k, work.active,
                            work.dx_next.get(x_size), outcome);
        }
        backward_step(chunk, p, prepared, k, k + 1 == count, work, team);
    }
    return outcome;
}

template <class T>
const T* Network<T>::outputs(const Chunk<T>& chunk, const T* p, const T* prepared, int k, Workspace<T>& work,
                             const Team<T>& team) const {
    return forward_step(chunk, p, prepared, k, !shape_.sequence(), false, Keep::states, work, team);
}

template struct Workspace<float>;
template struct Workspace<double>;
template class Network<float>;
template class Network<double>;

} // namespace ggsnn
