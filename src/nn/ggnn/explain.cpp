// Explanations of gated graph networks, in double precision: gradients of a score at points of the way from
// nothing known to all that is known, and their integral. Observed annotations of later steps, which the
// network rounds on its way, are held as they are at the end of that way, and are known of their step.
#include "ggsnn/nn/ggnn/explain.hpp"

#include "ggsnn/nn/quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace ggsnn {

namespace {

// One question, one member of an ensemble.
class Explaining {
  public:
    Explaining(const GatedShape& shape, const Schema& schema, const Dataset& data, const Example& asked,
               const ExplainOptions& options)
        : network_(uniform(shape)),
          schema_(schema),
          far_(shape.reach > 1
                   ? reached_graph(data.graphs[asked.graph], schema.edge_types.size(), shape.reach)
                   : nullptr),
          graph_(far_ ? far_->graph : data.graphs[asked.graph].graph),
          options_(options),
          lanes_(1) {
        const Assembler<double> assembler(schema, shape.reading());
        const Loading how{.targets = !is_regression(schema.answer)};
        assembler.begin(chunk_, how);
        assembler.append(chunk_, data, asked, how, 0);
        if (how.targets) assembler.finish(chunk_, data, {&asked});
        x_ = chunk_.x;
        inputs_ = chunk_.inputs;
        for (const Adjacency& edges : chunk_.adjacency) {
            auto& weights = weights_.emplace_back(edges.neighbours.size(), 1.0F);
            std::copy(edges.weights.begin(), edges.weights.end(), weights.begin());
        }
        sums_ = chunk_.edge_sums;
        prepared_.assign(network_.prepared_size(), 0);
    }

    void explain(const std::vector<float>& member, double part, Explanation& out) {
        parameters_.assign(member.begin(), member.end());
        network_.prepare(parameters_.data(), true, prepared_.data());
        if (schema_.observed) note_steps();
        out.baseline += part * score(0, false);
        out.score += part * score(1, false);
        note_attention(part, out);
        for (const QuadraturePoint& point : quadrature(options_.points)) {
            score(point.at, true);
            add(point.weight * part, out);
        }
    }

    // The entries of an explanation, whose shares are zero. Values are in the units of the data.
    void begin(Explanation& out) const {
        const int nodes = graph_.nodes(), nx = padded(chunk_.annotation);
        const int embedding = network_.shape().embedding,
                  asked = embedding > 0 ? embedding : schema_.inputs();
        out.nodes.assign(nodes, 0);
        out.edge_types.assign(schema_.edge_types.size(), 0);
        const auto known = [&](int v, int column, double value) {
            const bool scaled = column < schema_.features && !schema_.scales.feature.empty();
            out.inputs.push_back({v, column, scaled ? value / schema_.scales.feature[column] : value, 0});
        };
        for (int v = 0; v < nodes; ++v) {
            for_inputs(v, [&](int column, double value, std::size_t) { known(v, column, value); });
            for (int j = embedding; j < asked + schema_.arguments; ++j)
                if (const double value = x_[static_cast<std::size_t>(v) * nx + j]; value != 0)
                    known(v, schema_.inputs() + j - asked, value);
        }
        for (int s = incoming; s < 2 * schema_.edge_types.size(); s += 2)
            for_links(s, [&](int row, int neighbour, int, int) {
                out.edges.push_back({neighbour, s / 2, row, 0});
            });
    }

  private:
    static GatedShape uniform(GatedShape shape) {
        shape.uniform = true;
        return shape;
    }
    const Team<double> team() { return {&lanes_, 0, 1, nullptr}; }

    // All that is known, times `at`. The flag of the 'end' node is not known of anything: it stays.
    void scale(double at) {
        const int nx = padded(chunk_.annotation);
        for (std::size_t i = 0; i < x_.size(); ++i) chunk_.x[i] = at * x_[i];
        if (schema_.answer == AnswerKind::node_sequence)
            for (int v = 0; v < chunk_.nodes; ++v) {
                const std::size_t flag = static_cast<std::size_t>(v) * nx + chunk_.annotation - 1;
                chunk_.x[flag] = x_[flag];
            }
        const std::size_t matrix = chunk_.x.size(), rows = static_cast<std::size_t>(graph_.nodes()) * nx;
        for (std::size_t i = 0; i < given_.size(); ++i) // nothing is known of the 'end' node
            chunk_.targets.annotations[i] = i % matrix < rows ? at * given_[i] : given_[i];
        for (std::size_t i = 0; i < inputs_.dense.size(); ++i) chunk_.inputs.dense[i] = at * inputs_.dense[i];
        for (std::size_t i = 0; i < inputs_.values.size(); ++i)
            chunk_.inputs.values[i] = static_cast<float>(at * inputs_.values[i]);
        scaled_.resize(weights_.size());
        for (std::size_t s = 0; s < weights_.size(); ++s) {
            scaled_[s] = weights_[s];
            for (float& w : scaled_[s]) w = static_cast<float>(at * w);
            chunk_.adjacency[s].weights = chunk_.adjacency[s].sent_weights = scaled_[s];
            chunk_.adjacency[s].single = false;
        }
        mirror_sent();
        chunk_.weighted = true;
        for (std::size_t s = 0; s < sums_.size(); ++s)
            for (std::size_t i = 0; i < sums_[s].size(); ++i) chunk_.edge_sums[s][i] = at * sums_[s][i];
    }

    // The annotations of the second step and on, as the network rounds them where all is known.
    void note_steps() {
        given_.clear();
        scale(1);
        for (int k = 0; k + 1 < chunk_.targets.steps; ++k) {
            network_.outputs(chunk_, parameters_.data(), prepared_.data(), k, work_, team());
            const double* next = work_.step(k + 1).x.data();
            given_.insert(given_.end(), next, next + chunk_.x.size());
        }
    }

    // What a node sends over a link weighs what its receiver hears over it.
    void mirror_sent() {
        sent_ = scaled_;
        for (std::size_t s = 0; s < scaled_.size(); ++s)
            for_links(static_cast<int>(s), [&](int row, int neighbour, int occurrence, int link) {
                sent_[s][link] = scaled_[s ^ 1][place(static_cast<int>(s) ^ 1, neighbour, row, occurrence)];
            });
        for (std::size_t s = 0; s < sent_.size(); ++s) chunk_.adjacency[s].sent_weights = sent_[s];
    }

    // body(row, neighbour, which of parallel edges, link) over a slot.
    template <class Body>
    void for_links(int slot, Body body) const {
        const Adjacency& edges = chunk_.adjacency[slot];
        for (int i = 0; i < edges.size(); ++i) {
            int occurrence = 0;
            for (int e = edges.starts[i]; e < edges.starts[i + 1]; ++e) {
                const bool again = e > edges.starts[i] && edges.neighbours[e] == edges.neighbours[e - 1];
                occurrence = again ? occurrence + 1 : 0;
                body(edges.rows[i], edges.neighbours[e], occurrence, e);
            }
        }
    }

    // The link of a row to a neighbour; parallel edges are in the same order at both ends.
    int place(int slot, int row, int neighbour, int occurrence) const {
        const Adjacency& edges = chunk_.adjacency[slot];
        const int i = edges.lower(row);
        const int* begin = edges.neighbours.data() + edges.starts[i];
        const int* end = edges.neighbours.data() + edges.starts[i + 1];
        return static_cast<int>(std::lower_bound(begin, end, neighbour) - edges.neighbours.data()) +
               occurrence;
    }

    // The score with what is known times `at`; with its gradients, if wanted, in the workspace.
    double score(double at, bool gradients) {
        scale(at);
        // Observed annotations are looked at in passes with gradients alone.
        gradients = gradients || schema_.observed;
        work_.explaining = gradients;
        work_.edges = {};
        if (gradients) lanes_[0].gradient.zeroed(network_.gradient_size());
        double number = 0;
        if (is_regression(schema_.answer)) {
            const double* out =
                network_.outputs(chunk_, parameters_.data(), prepared_.data(), 0, work_, team());
            const std::size_t row =
                is_each_node(schema_.answer) ? static_cast<std::size_t>(options_.node) : 0;
            const int wide = network_.shape().outputs;
            number = out[row * padded(wide) + options_.output];
            // The squared error against a target half a unit below has a gradient of one.
            const std::size_t rows = head_of(schema_.answer).rows(chunk_.nodes, 1);
            chunk_.targets.values.assign(rows * wide, NAN);
            chunk_.targets.values[row * wide + options_.output] = number - 0.5;
            chunk_.scale = 1;
            if (gradients) run(true);
            sign_ = schema_.scales.value.empty() ? 1 : schema_.scales.value[options_.output];
            return schema_.scales.unscaled(number, options_.output);
        }
        chunk_.scale = 1;
        sign_ = -1; // the loss is the logarithm of the probability, negated
        return -run(gradients);
    }

    double run(bool gradients) {
        return network_.run(chunk_, parameters_.data(), prepared_.data(), gradients, work_, team()).loss;
    }

    // body(column, value, place) for what the input layer reads of a node.
    template <class Body>
    void for_inputs(int v, Body body) const {
        if (network_.shape().embedding == 0) return;
        for (int j = 0; j < inputs_.dense_width; ++j) {
            const std::size_t at = static_cast<std::size_t>(v) * inputs_.dense_width + j;
            if (inputs_.dense[at] != 0) body(j, inputs_.dense[at], at);
        }
        for (int e = inputs_.starts[v]; e < inputs_.starts[v + 1]; ++e)
            body(inputs_.columns[e], double(inputs_.values[e]), static_cast<std::size_t>(e));
    }

    // Adds shares: value times gradient, times weight.
    void add(double weight, Explanation& out) {
        const int nodes = graph_.nodes(), nx = padded(chunk_.annotation);
        const int embedding = network_.shape().embedding,
                  asked = embedding > 0 ? embedding : schema_.inputs();
        const double* dx = work_.dx_next.data();
        std::size_t next = 0;
        const auto give = [&](double share) {
            Explanation::Input& to = out.inputs[next++];
            to.share += weight * sign_ * share;
            out.nodes[to.node] += weight * sign_ * share;
        };
        for (int v = 0; v < nodes; ++v) {
            for_inputs(v, [&](int column, double value, std::size_t) {
                give(value * input_gradient(v, column, dx));
            });
            for (int j = embedding; j < asked + schema_.arguments; ++j)
                if (const double value = x_[static_cast<std::size_t>(v) * nx + j]; value != 0)
                    give(value * dx[static_cast<std::size_t>(v) * nx + j]);
        }
        add_steps(weight, out);
        add_edges(weight, out);
    }

    // Of observed annotations, which members of an ensemble have of their own.
    void add_steps(double weight, Explanation& out) {
        const int nodes = graph_.nodes(), nx = padded(chunk_.annotation);
        const std::size_t matrix = chunk_.x.size();
        for (std::size_t k = 1; k * matrix <= given_.size(); ++k)
            for (int v = 0; v < nodes; ++v)
                for (int j = 0; j < schema_.inputs() + schema_.arguments; ++j) {
                    const std::size_t at = static_cast<std::size_t>(v) * nx + j;
                    const double value = given_[(k - 1) * matrix + at];
                    if (value == 0) continue;
                    const auto [found, is_new] =
                        later_.try_emplace({static_cast<int>(k), v, j}, out.inputs.size());
                    if (is_new) out.inputs.push_back({v, j, value, 0, static_cast<int>(k)});
                    const double share =
                        weight * sign_ * value * work_.step(static_cast<int>(k)).dx.data()[at];
                    out.inputs[found->second].share += share;
                    out.nodes[v] += share;
                }
    }

    // Of what the input layer reads: tanh(f W + b).
    double input_gradient(int v, int column, const double* dx) const {
        const auto& tensors = network_.layout().tensors();
        const auto w =
            std::find_if(tensors.begin(), tensors.end(), [](const Tensor& t) { return t.name == "input.W"; });
        const std::size_t row = static_cast<std::size_t>(v) * padded(chunk_.annotation);
        const double* x = work_.steps[0]->x.data() + row;
        const double* weights = parameters_.data() + w->offset + static_cast<std::size_t>(column) * w->ld;
        double sum = 0;
        for (int j = 0; j < network_.shape().embedding; ++j)
            sum += dx[row + j] * (1 - x[j] * x[j]) * weights[j];
        return sum;
    }

    // An edge brings what is heard over it at either end: states, and its numbers.
    void add_edges(double weight, Explanation& out) const {
        std::size_t next = 0;
        for (int s = incoming; s < static_cast<int>(chunk_.adjacency.size()); s += 2) {
            for_links(s, [&](int row, int neighbour, int occurrence, int link) {
                const int other = place(s + 1, neighbour, row, occurrence);
                const double share = link_share(s, link) + link_share(s + 1, other);
                if (s / 2 >= schema_.edge_types.size()) {
                    out.reach += weight * sign_ * share;
                    return;
                }
                Explanation::Link& to = out.edges[next++];
                to.share += weight * sign_ * share;
                out.edge_types[to.type] += weight * sign_ * share;
            });
        }
    }

    double link_share(int slot, int link) const {
        const auto& links = work_.edges.links;
        double sum = links[slot].empty() ? 0 : links[slot][link];
        const int wide = chunk_.edge_width;
        if (wide > 0) {
            const Adjacency& edges = chunk_.adjacency[slot];
            const auto entry = static_cast<std::size_t>(
                std::upper_bound(edges.starts.begin(), edges.starts.end(), link) - edges.starts.begin() - 1);
            const auto numbers = graph_.edge_features(graph_link(slot, link));
            for (int j = 0; j < wide; ++j)
                sum += work_.edges.sums[slot][entry * wide + j] * double(numbers[j]);
        }
        return sum * double(weights_[slot][link]);
    }

    // The chunk has one graph, whose links it has copied slot by slot, or borrowed.
    int graph_link(int slot, int link) const {
        const Adjacency& edges = chunk_.adjacency[slot];
        const bool borrowed = edges.neighbours.data() == graph_.neighbours().data();
        return borrowed ? link : graph_.starts(slot)[0] + link;
    }

    void note_attention(double part, Explanation& out) {
        if (head_of(schema_.answer).traits.node_rows) return;
        const int n = padded(network_.shape().state), d = network_.shape().state;
        const double* gates = work_.step(0).output.gate.data();
        out.attention.resize(graph_.nodes(), 0);
        for (int v = 0; v < graph_.nodes(); ++v)
            for (int j = 0; j < d; ++j)
                out.attention[v] += part * gates[static_cast<std::size_t>(v) * 2 * n + j] / d;
    }

    Network<double> network_;
    const Schema& schema_;
    std::shared_ptr<const ReachedGraph> far_;
    const Graph& graph_; // as the network sees it
    ExplainOptions options_;
    Chunk<double> chunk_;
    std::vector<double> x_;     // as it is known
    std::vector<double> given_; // observed annotations of the second step and on; else empty
    std::map<std::tuple<int, int, int>, std::size_t> later_; // their places among an explanation's inputs
    Inputs<double> inputs_;
    std::vector<std::vector<float>> weights_, scaled_, sent_; // by slot and link
    std::vector<std::vector<double>> sums_;
    std::vector<double> parameters_, prepared_;
    std::vector<Lane<double>> lanes_;
    Workspace<double> work_;
    double sign_ = 1; // from the gradient of the loss to that of the score
};

} // namespace

Explanation explain_gated(const GatedShape& shape, const Schema& schema, const Dataset& data,
                          const Example& example, const Prediction& answer,
                          const std::vector<std::vector<float>>& members, const ExplainOptions& options) {
    Example asked = example;
    asked.split.clear();
    if (!is_regression(schema.answer)) {
        asked.labels = answer.labels;
        if (schema.observed) { // the network's own take their place
            const std::size_t matrix = static_cast<std::size_t>(data.graphs[example.graph].graph.nodes()) *
                                       (schema.inputs() + schema.arguments);
            asked.annotations.assign(asked.labels.size() * matrix, 0);
        }
        if (is_each_node(schema.answer))
            for (int v = 0; v < static_cast<int>(asked.labels.size()); ++v)
                if (v != options.node) asked.labels[v] = -1;
    }
    Explaining explaining(shape, schema, data, asked, options);
    Explanation out;
    explaining.begin(out);
    for (const auto& member : members) explaining.explain(member, 1.0 / double(members.size()), out);
    return out;
}

} // namespace ggsnn
