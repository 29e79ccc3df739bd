#include "torch_network.hpp"

namespace ggsnn::bench {

namespace {

using torch::Tensor;
using torch::indexing::Slice;

Tensor parameter(int rows, int cols) {
    return torch::zeros({rows, cols}, torch::requires_grad());
}

Tensor indices(const std::vector<std::int64_t>& list) {
    return torch::tensor(list, torch::kInt64);
}

} // namespace

Form form_named(const std::string& name) {
    if (name == "everywhere") return Form::everywhere;
    if (name == "linears") return Form::linears;
    if (name == "sparse") return Form::sparse;
    fail("no form {}; expected everywhere, linears or sparse", name);
}

TorchNetwork::TorchNetwork(const GatedShape& shape, const Dataset& data, Form form)
    : shape_(shape),
      form_(form),
      sides_(shape.directions == Directions::apart ? 2 : 1),
      graphs_(static_cast<int>(data.graphs.size())) {
    const int slots = 2 * shape.edge_types;
    std::vector<std::vector<std::int64_t>> sources(slots), targets(slots);
    std::vector<std::int64_t> gather, scatter, labels, rows, columns;
    std::vector<float> x;
    for (const Example& e : data.examples) {
        const GraphRecord& g = data.graphs[e.graph];
        for (int s = 0; s < g.graph.slots(); ++s) {
            for (int entry = g.graph.slot_begin(s); entry < g.graph.slot_end(s); ++entry) {
                for (int u : g.graph.neighbours(entry)) {
                    sources[s].push_back(nodes_ + u);
                    targets[s].push_back(nodes_ + g.graph.row(entry));
                    gather.push_back(sources[s].back() * slots + s);
                    scatter.push_back(targets[s].back() * sides_ + s % sides_);
                }
            }
        }
        x.insert(x.end(), g.features.begin(), g.features.end());
        for (int v = 0; g.sparse != nullptr && v < g.graph.nodes(); ++v)
            for (int i = g.sparse->starts[v]; i < g.sparse->starts[v + 1]; ++i) {
                rows.push_back(nodes_ + v);
                columns.push_back(g.sparse->columns[i]);
                x.push_back(g.sparse->values[i]);
            }
        labels.insert(labels.end(), e.labels.begin(), e.labels.end());
        nodes_ += g.graph.nodes();
    }
    if (shape.embedding > 0) {
        input_places_ = torch::stack({indices(rows), indices(columns)});
        input_values_ = torch::tensor(x);
    } else {
        x_ = torch::tensor(x).reshape({nodes_, shape.annotation});
    }
    labels_ = indices(labels);
    for (int s = 0; s < slots && form != Form::everywhere; ++s) {
        Slot slot{indices(sources[s]), indices(targets[s]), {}};
        if (form == Form::sparse)
            slot.adjacency = torch::sparse_coo_tensor(torch::stack({slot.target, slot.source}),
                                                      torch::ones({slot.source.size(0)}), {nodes_, nodes_})
                                 .coalesce();
        slots_.push_back(slot);
    }
    if (form == Form::everywhere) {
        gather_ = indices(gather);
        scatter_ = indices(scatter);
    }
    add_parameters();
}

void TorchNetwork::add_parameters() {
    const int d = shape_.state, slots = 2 * shape_.edge_types, in = d + shape_.annotation,
              outputs = shape_.outputs;
    if (form_ == Form::everywhere) {
        A_all_ = parameter(d, slots * d);
        b_all_ = parameter(1, slots * d);
    }
    for (int s = 0; s < slots; ++s) {
        const std::string name = fmt::format("propagation.A.{}.{}", s / 2, s % 2 == 0 ? "in" : "out");
        if (form_ != Form::everywhere) {
            A_.push_back(parameter(d, d));
            b_.push_back(parameter(1, d));
        }
        add_place(name, form_ == Form::everywhere ? A_all_ : A_.back(), 0, A_.empty() ? s * d : 0, d, d);
        add_place(name + ".bias", form_ == Form::everywhere ? b_all_ : b_.back(), 0, A_.empty() ? s * d : 0,
                  1, d);
    }
    const int heard = sides_ * d;
    W_zr_ = parameter(heard + d, 2 * d), b_zr_ = parameter(1, 2 * d);
    W_h_ = parameter(heard + d, d), b_h_ = parameter(1, d);
    const std::tuple<const char*, Tensor, Tensor, int> gates[] = {
        {"z", W_zr_, b_zr_, 0}, {"r", W_zr_, b_zr_, d}, {"h", W_h_, b_h_, 0}};
    for (const auto& [gate, W, b, col] : gates) {
        add_place(fmt::format("propagation.W_{}", gate), W, 0, col, heard, d);
        add_place(fmt::format("propagation.U_{}", gate), W, heard, col, d, d);
        add_place(fmt::format("propagation.b_{}", gate), b, 0, col, 1, d);
    }
    add_place("output.W_1", W_1_ = parameter(in, d), 0, 0, in, d);
    add_place("output.b_1", b_1_ = parameter(1, d), 0, 0, 1, d);
    add_place("output.W_2", W_2_ = parameter(d, outputs), 0, 0, d, outputs);
    add_place("output.b_2", b_2_ = parameter(1, outputs), 0, 0, 1, outputs);
    if (shape_.embedding > 0) {
        const int inputs = shape_.inputs, e = shape_.embedding;
        add_place("input.W", W_in_ = parameter(inputs, e), 0, 0, inputs, e);
        add_place("input.b", b_in_ = parameter(1, e), 0, 0, 1, e);
    }
    if (shape_.answer != AnswerKind::node) return;
    add_place("output.W_g", W_g_ = parameter(in, 1), 0, 0, in, 1);
    add_place("output.b_g", b_g_ = parameter(1, 1), 0, 0, 1, 1);
}

void TorchNetwork::add_place(const std::string& name, const Tensor& tensor, int row, int col, int rows,
                             int cols) {
    places_[name] = {tensor, row, col, rows, cols};
}

void TorchNetwork::set(const ParameterLayout& layout, const float* parameters) {
    const torch::NoGradGuard no_gradient;
    GGSNN_ASSERT(layout.tensors().size() == places_.size());
    for (const ggsnn::Tensor& t : layout.tensors()) {
        const Place& p = places_.at(t.name);
        GGSNN_ASSERT(p.rows == t.rows && p.cols == t.cols);
        Tensor values = torch::empty({t.rows, t.cols});
        for (int i = 0; i < t.rows; ++i)
            std::copy_n(parameters + t.offset + static_cast<std::size_t>(i) * t.ld, t.cols,
                        values.data_ptr<float>() + static_cast<std::size_t>(i) * t.cols);
        p.tensor.index({Slice(p.row, p.row + p.rows), Slice(p.col, p.col + p.cols)}).copy_(values);
    }
}

std::map<std::string, Tensor> TorchNetwork::gradients() const {
    std::map<std::string, Tensor> all;
    for (const auto& [name, p] : places_)
        all[name] =
            p.tensor.grad().index({Slice(p.row, p.row + p.rows), Slice(p.col, p.col + p.cols)}).contiguous();
    return all;
}

std::vector<Tensor> TorchNetwork::parameters() const {
    std::vector<Tensor> all = {W_zr_, b_zr_, W_h_, b_h_, W_1_, b_1_, W_2_, b_2_};
    if (shape_.answer == AnswerKind::node) all.insert(all.end(), {W_g_, b_g_});
    if (shape_.embedding > 0) all.insert(all.end(), {W_in_, b_in_});
    if (form_ == Form::everywhere) {
        all.insert(all.end(), {A_all_, b_all_});
    } else {
        all.insert(all.end(), A_.begin(), A_.end());
        all.insert(all.end(), b_.begin(), b_.end());
    }
    return all;
}

// Eq. 2, with biases per edge: a of nodes x sides D.
Tensor TorchNetwork::messages(const Tensor& h) const {
    const int d = shape_.state, slots = 2 * shape_.edge_types;
    if (form_ == Form::everywhere) {
        const Tensor all =
            torch::addmm(b_all_, h, A_all_).view({nodes_ * static_cast<std::int64_t>(slots), d});
        return torch::zeros({sides_ * static_cast<std::int64_t>(nodes_), d})
            .index_add(0, scatter_, all.index_select(0, gather_))
            .view({nodes_, sides_ * d});
    }
    std::vector<Tensor> sums;
    for (int side = 0; side < sides_; ++side) sums.push_back(torch::zeros({nodes_, d}));
    for (int s = 0; s < slots; ++s) {
        const Slot& slot = slots_[s];
        Tensor& sum = sums[s % sides_];
        if (form_ == Form::linears) {
            sum = sum.index_add(0, slot.target, torch::addmm(b_[s], h.index_select(0, slot.source), A_[s]));
        } else {
            sum = sum + torch::mm(slot.adjacency, torch::addmm(b_[s], h, A_[s]));
        }
    }
    return sides_ == 1 ? sums[0] : torch::cat({sums[0], sums[1]}, 1);
}

// x = tanh(f W + b), where there is an input layer.
Tensor TorchNetwork::annotations(const Noise& noise) const {
    if (shape_.embedding == 0) return x_;
    Tensor values = input_values_;
    if (noise.features > 0) values = torch::dropout(values, noise.features, true);
    const Tensor known =
        torch::sparse_coo_tensor(input_places_, values, {nodes_, shape_.inputs})._coalesced_(true);
    return torch::tanh(torch::mm(known, W_in_) + b_in_);
}

Tensor TorchNetwork::scores(const Noise& noise) const {
    const int d = shape_.state;
    const Tensor x = annotations(noise);
    Tensor h = torch::constant_pad_nd(x, {0, d - shape_.annotation}); // Eq. 1
    for (int t = 0; t < shape_.steps; ++t) {
        const Tensor a = messages(h);
        const auto zr =
            torch::sigmoid(torch::addmm(b_zr_, torch::cat({a, h}, 1), W_zr_)).chunk(2, 1);        // Eqs. 3, 4
        const Tensor next = torch::tanh(torch::addmm(b_h_, torch::cat({a, zr[1] * h}, 1), W_h_)); // Eq. 5
        h = h + zr[0] * (next - h);                                                               // Eq. 6
    }
    if (noise.states > 0) h = torch::dropout(h, noise.states, true);
    const Tensor hx = torch::cat({h, x}, 1);
    const Tensor score = torch::addmm(b_2_, torch::tanh(torch::addmm(b_1_, hx, W_1_)), W_2_);
    if (shape_.answer != AnswerKind::node) return score;
    return (score * torch::sigmoid(torch::addmm(b_g_, hx, W_g_))).view({graphs_, nodes_ / graphs_});
}

Tensor TorchNetwork::loss(const Noise& noise) const {
    return torch::nn::functional::cross_entropy(
        scores(noise), labels_, torch::nn::functional::CrossEntropyFuncOptions().ignore_index(-1));
}

} // namespace ggsnn::bench
