// Random labelled graphs for the original graph neural network, and its plain reference: the equations of
// gnn.hpp message by message, unrolled over stored states, with back-propagation through time. Shares with
// the library only the loss and the label table.
#pragma once

#include "ggsnn/nn/gnn/kind.hpp"
#include "samples.hpp"

#include <map>

namespace ggsnn::test {

// Two binary features, one argument; parallel edges, self loops and isolated nodes occur.
inline Dataset labelled_graphs(std::uint64_t seed, AnswerKind answer, int graphs, int max_nodes = 6) {
    Random random(seed);
    Dataset data;
    data.schema.answer = answer;
    data.schema.edge_types = Vocabulary({"r", "s"});
    data.schema.question_types = Vocabulary({"q"});
    if (has_classes(answer)) data.schema.classes = Vocabulary({"a", "b", "c"});
    data.schema.features = 2;
    data.schema.arguments = 1;
    data.schema.values = is_regression(answer) ? 2 : 0;
    for (int g = 0; g < graphs; ++g) {
        const int nodes = 1 + static_cast<int>(random.below(max_nodes));
        GraphRecord record;
        record.graph = Graph(nodes, random_edges(random, nodes, 2, 2 * nodes));
        for (int i = 0; i < 2 * nodes; ++i) record.features.push_back(static_cast<float>(random.below(2)));
        data.graphs.push_back(record);
        Example e;
        e.graph = g;
        e.arguments = {static_cast<int>(random.below(nodes))};
        e.place = {"sample", g + 1};
        const bool per_node = is_each_node(answer);
        const int rows = per_node ? nodes : 1;
        for (int i = 0; i < rows && !is_regression(answer); ++i)
            e.labels.push_back(static_cast<int>(random.below(answer == AnswerKind::node ? nodes : 3)));
        if (per_node && nodes > 1 && !e.labels.empty()) e.labels[0] = -1;
        for (int i = 0; i < 2 * rows && is_regression(answer); ++i)
            e.values.push_back(random.chance(0.2) ? NAN : static_cast<float>(random.uniform(-1, 1)));
        data.examples.push_back(e);
    }
    return data;
}

inline GnnShape shape_for(const Dataset& data, EdgeFunction f, int state, double contraction = 0.9) {
    GnnShape shape;
    shape.answer = data.schema.answer;
    shape.state = state;
    shape.annotation = data.schema.annotation();
    shape.edge_types = data.schema.edge_types.size();
    shape.outputs = data.schema.outputs();
    shape.edge_function = f;
    shape.contraction = contraction;
    shape.labels = find_labels(data, data.schema);
    return shape;
}

template <class T>
struct GnnRig {
    const Dataset& data;
    Gnn<T> network;
    GnnBatches<T> batches;
    std::vector<T> parameters, prepared;
    std::vector<Lane<T>> lanes = std::vector<Lane<T>>(1);
    Team<T> team{&lanes, 0, 1, nullptr};
    GnnWork<T> work;

    GnnRig(const Dataset& set, const GnnShape& shape, std::uint64_t seed)
        : data(set),
          network(shape),
          batches(network.shape(), set.schema),
          parameters(network.layout().size()),
          prepared(network.prepared_size()) {
        std::vector<const Example*> examples;
        for (const Example& e : set.examples) examples.push_back(&e);
        batches.load(set, examples, Loading{});
        Random random(seed);
        network.layout().initialise(random, parameters.data());
    }

    const GnnBatch<T>& batch() const { return batches[0]; }

    // Multiplies the tensors whose name ends so.
    void scale(const std::string& ending, double factor) {
        for (const Tensor& t : network.layout().tensors())
            if (t.name.starts_with("f.") && t.name.ends_with(ending))
                for (int i = 0; i < t.rows; ++i)
                    for (int j = 0; j < t.cols; ++j)
                        parameters[t.offset + static_cast<std::size_t>(i) * t.ld + j] *=
                            static_cast<T>(factor);
    }

    // Loss with the penalty, and the gradient.
    std::vector<T> gradient(double* value) {
        lanes[0].gradient.zeroed(network.layout().size());
        network.prepare(parameters.data(), prepared.data());
        *value = network.run(batch(), parameters.data(), prepared.data(), true, work, team).loss;
        T* sum = lanes[0].gradient.data();
        network.finish(prepared.data(), sum);
        return {sum, sum + network.layout().size()};
    }
};

// The plain reference.
class UnrolledGnn {
  public:
    using Vector = std::vector<double>;

    UnrolledGnn(const GnnRig<double>& rig, int steps)
        : rig_(rig), shape_(rig.network.shape()), steps_(steps) {
        for (const Tensor& t : rig.network.layout().tensors()) tensors_[t.name] = t;
        const bool super = rig.network.super_node();
        for (const Example& e : rig.data.examples) {
            const GraphRecord& record = rig.data.graphs[e.graph];
            const int first = static_cast<int>(x_.size()), count = record.graph.nodes();
            for (int v = 0; v < count; ++v)
                x_.push_back(
                    {record.features[2 * v], record.features[2 * v + 1], v == e.arguments[0] ? 1.0 : 0.0});
            if (super) x_.push_back({0, 0, 0});
            for (int v = 0; v < count; ++v) labels_.push_back(shape_.labels.find(x_[first + v].data()));
            if (super) labels_.push_back(shape_.labels.super());
            for (int s = 0; s < record.graph.slots(); ++s)
                for (int i = record.graph.slot_begin(s); i < record.graph.slot_end(s); ++i)
                    for (int u : record.graph.neighbours(i)) add(first + record.graph.row(i), s, first + u);
            for (int v = 0; v < count && super; ++v) {
                add(first + count, 2 * shape_.edge_types, first + v);
                add(first + v, 2 * shape_.edge_types + 1, first + count);
            }
        }
        sent_.assign(x_.size(), 0);
        for (const Message& m : messages_) ++sent_[m.source];
    }

    double loss = NAN;

    Vector gradient() {
        const int d = shape_.state, nodes = static_cast<int>(x_.size());
        gradient_.assign(rig_.network.layout().size(), 0);
        std::vector<Vector> h(steps_ + 1, Vector(static_cast<std::size_t>(nodes) * d, 0));
        for (int t = 0; t < steps_; ++t)
            for (const Message& m : messages_) message(m, &h[t][m.source * d], &h[t + 1][m.receiver * d]);
        Vector dh = read_out(h[steps_]);
        for (int t = steps_ - 1; t >= 0; --t) {
            Vector before(dh.size(), 0);
            for (const Message& m : messages_)
                message_backward(m, &h[t][m.source * d], &dh[m.receiver * d], &before[m.source * d]);
            dh = before;
        }
        return gradient_;
    }

  private:
    struct Message {
        int receiver, source;
        std::string name;
    };

    void add(int receiver, int slot, int source) {
        const std::string name = fmt::format("f.{}.{}.{}.{}.", labels_[receiver], slot / 2,
                                             slot % 2 == 0 ? "in" : "out", labels_[source]);
        messages_.push_back({receiver, source, name});
    }
    std::size_t at(const std::string& name, int i, int j) const {
        const Tensor& t = tensors_.at(name);
        return t.offset + static_cast<std::size_t>(i) * t.ld + j;
    }
    double value(const std::string& name, int i, int j) const { return rig_.parameters[at(name, i, j)]; }
    double& d_value(const std::string& name, int i, int j) { return gradient_[at(name, i, j)]; }
    bool linear() const { return shape_.edge_function == EdgeFunction::linear; }
    double factor(const Message& m) const { return shape_.contraction / (shape_.state * sent_[m.source]); }

    Vector hidden(const Message& m, const double* h) const {
        Vector y(shape_.state);
        for (int k = 0; k < shape_.state; ++k) {
            double sum = value(m.name + "b_1", 0, k);
            for (int i = 0; i < shape_.state; ++i) sum += h[i] * value(m.name + "W_1", i, k);
            y[k] = std::tanh(sum);
        }
        return y;
    }

    void message(const Message& m, const double* h, double* out) const {
        const int d = shape_.state;
        const Vector y = linear() ? Vector() : hidden(m, h);
        for (int j = 0; j < d; ++j) {
            out[j] += value(m.name + (linear() ? "b" : "b_2"), 0, j);
            for (int i = 0; i < d; ++i)
                out[j] += linear() ? h[i] * factor(m) * std::tanh(value(m.name + "Xi", i, j))
                                   : y[i] * value(m.name + "W_2", i, j);
        }
    }

    void message_backward(const Message& m, const double* h, const double* d_out, double* dh) {
        const int d = shape_.state;
        const Vector y = linear() ? Vector() : hidden(m, h);
        for (int j = 0; j < d; ++j) d_value(m.name + (linear() ? "b" : "b_2"), 0, j) += d_out[j];
        for (int i = 0; i < d; ++i) {
            double dy = 0;
            for (int j = 0; j < d; ++j) {
                if (linear()) {
                    const double xi = std::tanh(value(m.name + "Xi", i, j));
                    d_value(m.name + "Xi", i, j) += h[i] * factor(m) * (1 - xi * xi) * d_out[j];
                    dh[i] += factor(m) * xi * d_out[j];
                } else {
                    d_value(m.name + "W_2", i, j) += y[i] * d_out[j];
                    dy += value(m.name + "W_2", i, j) * d_out[j];
                }
            }
            if (linear()) continue;
            const double before = dy * (1 - y[i] * y[i]);
            d_value(m.name + "b_1", 0, i) += before;
            for (int l = 0; l < d; ++l) {
                d_value(m.name + "W_1", l, i) += h[l] * before;
                dh[l] += value(m.name + "W_1", l, i) * before;
            }
        }
    }

    // o = tanh([h, x] W_1 + b_1) W_2 + b_2 of every node or of the super nodes; returns dL/dh.
    Vector read_out(const Vector& h) {
        const int d = shape_.state, in = d + shape_.annotation, m = padded(shape_.outputs);
        const Chunk<double>& chunk = rig_.batch().chunk;
        std::vector<int> rows;
        for (int v = 0; v < chunk.nodes && !rig_.network.super_node(); ++v) rows.push_back(v);
        for (int g = 0; g < chunk.graphs() && rig_.network.super_node(); ++g)
            rows.push_back(chunk.graph_start[g + 1] - 1);
        const auto input = [&](int v, int i) {
            return i < d ? h[static_cast<std::size_t>(v) * d + i] : x_[v][i - d];
        };
        Vector out(rows.size() * m, 0), d_out(rows.size() * m, 0), y(rows.size() * d, 0), dh(h.size(), 0);
        for (std::size_t r = 0; r < rows.size(); ++r) {
            for (int k = 0; k < d; ++k) {
                double sum = value("output.b_1", 0, k);
                for (int i = 0; i < in; ++i) sum += input(rows[r], i) * value("output.W_1", i, k);
                y[r * d + k] = std::tanh(sum);
            }
            for (int j = 0; j < shape_.outputs; ++j) {
                out[r * m + j] = value("output.b_2", 0, j);
                for (int k = 0; k < d; ++k) out[r * m + j] += y[r * d + k] * value("output.W_2", k, j);
            }
        }
        Outcome outcome;
        std::vector<char> wrong(chunk.graphs());
        head_of(shape_.answer).loss(chunk, {out.data(), shape_.outputs}, d_out.data(), outcome, wrong);
        loss = outcome.loss;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            for (int j = 0; j < shape_.outputs; ++j) d_value("output.b_2", 0, j) += d_out[r * m + j];
            for (int k = 0; k < d; ++k) {
                double dy = 0;
                for (int j = 0; j < shape_.outputs; ++j) {
                    d_value("output.W_2", k, j) += y[r * d + k] * d_out[r * m + j];
                    dy += value("output.W_2", k, j) * d_out[r * m + j];
                }
                const double before = dy * (1 - y[r * d + k] * y[r * d + k]);
                d_value("output.b_1", 0, k) += before;
                for (int i = 0; i < in; ++i) {
                    d_value("output.W_1", i, k) += input(rows[r], i) * before;
                    if (i < d)
                        dh[static_cast<std::size_t>(rows[r]) * d + i] += value("output.W_1", i, k) * before;
                }
            }
        }
        return dh;
    }

    const GnnRig<double>& rig_;
    const GnnShape& shape_;
    int steps_;
    std::map<std::string, Tensor> tensors_;
    std::vector<Vector> x_;
    std::vector<int> labels_, sent_;
    std::vector<Message> messages_;
    Vector gradient_;
};

} // namespace ggsnn::test
