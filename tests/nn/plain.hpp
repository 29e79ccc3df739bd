// The networks once more, straight from the equations: double precision, one edge and one number at a time,
// no chunks, no padding, no kernels. Written from the paper's sections 3 and 4 and from what the authors'
// program does differently; shares nothing with src/nn but the names of the tensors.
#pragma once

#include "models.hpp"

#include <map>

namespace ggsnn::test {

// One node of the graph, or a sequence of them.
inline bool selects_node(AnswerKind kind) {
    return kind == AnswerKind::node || kind == AnswerKind::node_sequence;
}

using Row = std::vector<double>;
using Matrix = std::vector<Row>;

// What edges carry: weights (1 where there are none) and numbers.
struct PlainEdges {
    Row weights;
    Matrix numbers;
};

class Plain {
  public:
    Plain(const GatedShape& shape, const std::vector<float>& parameters) : s_(shape) {
        const Network<float> network(shape);
        for (const Tensor& t : network.layout().tensors()) {
            Matrix& m = weights_[t.name];
            for (int i = 0; i < t.rows; ++i) {
                const float* row = parameters.data() + t.offset + static_cast<std::size_t>(i) * t.ld;
                m.emplace_back(row, row + t.cols);
            }
        }
    }

    // Outputs of step k: a row per node, or one row for the graph.
    Matrix outputs(int nodes, const std::vector<Edge>& edges, Matrix x, int k,
                   PlainEdges carried = {}) const {
        carried.weights.resize(edges.size(), 1);
        carried.numbers.resize(edges.size());
        carried_ = carried;
        for (; k > 0; --k) {
            const Matrix h = propagate(s_.shared_propagation ? "propagation." : "annotation_propagation.",
                                       nodes, edges, x);
            Matrix next;
            for (int v = 0; v < nodes; ++v)
                next.push_back(map(node_score("annotation.", join(h[v], x[v])), sigma));
            x = next;
        }
        const Matrix h = propagate("propagation.", nodes, edges, x);
        if (!head_of(s_.answer).traits.node_rows) return {graph_output(h, x, edges)};
        Matrix out;
        for (int v = 0; v < nodes; ++v) {
            Row score = s_.linear ? affine("output.W_2", "output.b_2", h[v])
                                  : node_score("output.", join(h[v], x[v]));
            if (selects_node(s_.answer) && s_.variant == Variant::authors)
                score[0] *= sigma(affine("output.W_g", "output.b_g", join(h[v], x[v]))[0]);
            out.push_back(score);
        }
        return out;
    }

    // The annotation of a node of which `known` is known.
    Row embedded(const Row& known) const { return map(affine("input.W", "input.b", known), tangent); }

  private:
    static double sigma(double x) { return 1 / (1 + std::exp(-x)); }
    static double tangent(double x) { return std::tanh(x); }
    static Row map(Row row, double (*f)(double)) {
        for (double& x : row) x = f(x);
        return row;
    }
    static Row join(Row a, const Row& b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
    }
    static Row sum(Row a, const Row& b) {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
        return a;
    }
    Row times(const Row& x, const std::string& name) const {
        const Matrix& w = weights_.at(name);
        Row y(w[0].size(), 0);
        for (std::size_t i = 0; i < x.size(); ++i)
            for (std::size_t j = 0; j < y.size(); ++j) y[j] += x[i] * w[i][j];
        return y;
    }
    Row affine(const std::string& w, const std::string& b, const Row& x) const {
        return sum(times(x, w), weights_.at(b)[0]);
    }
    Row node_score(const std::string& p, const Row& hx) const {
        return affine(p + "W_2", p + "b_2", map(affine(p + "W_1", p + "b_1", hx), tangent));
    }

    // Sums over pairs of nodes: r, nothing where there are none.
    Row pairs(const Matrix& h, const Matrix& x, const std::vector<Edge>& edges) const {
        Row r;
        for (int c = 0; c < s_.pairs; ++c) {
            Row p;
            double total = 0, q = 0;
            for (std::size_t v = 0; v < h.size(); ++v) {
                p.push_back(affine("output.W_p", "output.b_p", join(h[v], x[v]))[c]);
                total += p.back();
            }
            const auto weight = [&](std::size_t row) { return weights_.at("output.w_pairs")[row][c]; };
            q += weight(0) * total * total;
            for (double each : p) q += weight(1) * each * each;
            for (std::size_t i = 0; i < edges.size(); ++i)
                q += weight(2 + edges[i].type) * share(edges, i, true) * p[edges[i].source] *
                     p[edges[i].target];
            r.push_back(q / std::pow(1 + q * q, 0.25));
        }
        return r;
    }

    Row graph_output(const Matrix& h, const Matrix& x, const std::vector<Edge>& edges) const {
        Row total(s_.state, 0);
        for (std::size_t v = 0; v < h.size(); ++v) {
            const Row i = map(affine("output.W_i", "output.b_i", join(h[v], x[v])), sigma);
            const Row j = map(affine("output.W_j", "output.b_j", join(h[v], x[v])), tangent);
            for (int c = 0; c < s_.state; ++c) total[c] += i[c] * j[c];
        }
        if (has_classes(s_.answer)) total = map(total, tangent);
        const bool hidden = s_.variant == Variant::authors;
        const Row beside =
            s_.pairs > 0 ? times(pairs(h, x, edges), "output.W_r") : Row(hidden ? s_.state : s_.outputs, 0);
        if (!hidden) return sum(affine("output.W_2", "output.b_2", total), beside);
        total = map(sum(affine("output.W_1", "output.b_1", total), beside), tangent);
        return affine("output.W_2", "output.b_2", total);
    }

    double share(const std::vector<Edge>& edges, std::size_t i, bool incoming_edge) const {
        if (!s_.mean) return carried_.weights[i];
        double all = 0;
        for (std::size_t j = 0; j < edges.size(); ++j)
            if (edges[j].type == edges[i].type &&
                (incoming_edge ? edges[j].target == edges[i].target : edges[j].source == edges[i].source))
                all += std::abs(carried_.weights[j]);
        return all > 0 ? carried_.weights[i] / all : 0;
    }

    Matrix propagate(const std::string& p, int nodes, const std::vector<Edge>& edges, const Matrix& x) const {
        const bool authors = s_.variant == Variant::authors;
        const Row zero(s_.state, 0);
        Matrix h = x;
        for (Row& row : h) row.resize(s_.state, 0);
        for (int t = 0; t < s_.steps; ++t) {
            const bool added = s_.directions == Directions::added;
            Matrix in(nodes, authors ? zero : weights_.at(p + (added ? "b" : "b.in"))[0]),
                out(nodes, authors || added ? zero : weights_.at(p + "b.out")[0]);
            for (std::size_t i = 0; i < edges.size(); ++i) {
                const Edge& e = edges[i];
                // (h A + b + e B) w, w shared among the edges of its kind at the receiving end in a mean.
                const auto message = [&](int from, const char* direction) {
                    const std::string tail = std::to_string(e.type) + direction,
                                      own = s_.sets > 1 && t > 0 ? ".step" + std::to_string(t + 1) : "",
                                      name = p + "A." + tail + own;
                    Row m = times(h[from], name);
                    if (authors) m = sum(m, weights_.at(name + ".bias")[0]);
                    if (s_.edge_features > 0) m = sum(m, times(carried_.numbers[i], p + "B." + tail));
                    const bool incoming_edge = from == e.source && direction[1] == 'i';
                    for (double& number : m) number *= share(edges, i, incoming_edge);
                    return m;
                };
                in[e.target] = sum(in[e.target], message(e.source, ".in"));
                out[e.source] = sum(out[e.source], message(e.target, ".out"));
            }
            for (int v = 0; v < nodes; ++v) {
                Row a = added ? sum(in[v], out[v]) : join(in[v], out[v]);
                if (s_.residual)
                    a = sum(a, added ? times(x[v], p + "R")
                                     : join(times(x[v], p + "R.in"), times(x[v], p + "R.out")));
                const auto gate = [&](const char* g, const Row& state) {
                    const bool after = s_.reset_after && g[0] == 'h';
                    const Row y = sum(times(a, p + "W_" + g), after ? state : times(state, p + "U_" + g));
                    return authors ? sum(y, weights_.at(p + "b_" + g)[0]) : y;
                };
                const Row z = map(gate("z", h[v]), sigma), r = map(gate("r", h[v]), sigma);
                Row reset = h[v];
                if (s_.reset_after) reset = times(reset, p + "U_h");
                if (s_.reset_after && authors) reset = sum(reset, weights_.at(p + "c_h")[0]);
                for (int c = 0; c < s_.state; ++c) reset[c] *= r[c];
                const Row candidate = map(gate("h", reset), tangent);
                for (int c = 0; c < s_.state; ++c) h[v][c] = (1 - z[c]) * h[v][c] + z[c] * candidate[c];
            }
        }
        return h;
    }

    GatedShape s_;
    std::map<std::string, Matrix> weights_;
    mutable PlainEdges carried_;
};

// What the model must predict for a draft: lists as Predictor gives them, `count` steps of a sequence.
inline std::vector<Row> plain_lists(const Model& model, const Draft& draft, int count) {
    const Schema& schema = model.schema;
    const bool end_node = schema.answer == AnswerKind::node_sequence;
    const int nodes = draft.nodes + (end_node ? 1 : 0);
    const GatedShape& shape = gated_shape(*model.network);
    Matrix known(nodes, Row(schema.inputs(), 0));
    for (int v = 0; v < draft.nodes; ++v)
        for (int j = 0; j < schema.features; ++j)
            known[v][j] = draft.features[static_cast<std::size_t>(v) * schema.features + j];
    for (const auto& [v, tag] : draft.tags) known[v][schema.features + tag] = 1;
    // Annotations: what is known or what a network's input layer makes of it, and marks.
    const auto annotations = [&](const Plain& network) {
        Matrix x = known;
        for (Row& row : x) {
            if (shape.embedding > 0) row = network.embedded(row);
            row.resize(shape.annotation, 0);
        }
        const int asked = shape.embedding > 0 ? shape.embedding : schema.inputs();
        for (std::size_t i = 0; i < draft.example.arguments.size(); ++i)
            x[draft.example.arguments[i]][asked + i] = 1;
        if (end_node) x[draft.nodes][shape.annotation - 1] = 1;
        return x;
    };
    PlainEdges carried{Row(draft.weights.begin(), draft.weights.end()), {}};
    for (std::size_t i = 0; i < draft.edges.size(); ++i) {
        const auto from = draft.edge_numbers.begin() + static_cast<std::ptrdiff_t>(i) * schema.edge_features;
        carried.numbers.emplace_back(from, from + schema.edge_features);
    }
    const auto normalise = [](Row row) {
        double total = 0;
        for (double& p : row) total += p = std::exp(p);
        for (double& p : row) p /= total;
        return row;
    };
    const auto& networks = model.networks[draft.example.question];
    std::vector<Row> lists;
    for (int k = 0; k < count; ++k) {
        std::vector<Row> sums;
        for (const auto& parameters : networks) {
            const Plain network(shape, parameters);
            const Matrix out = network.outputs(nodes, draft.edges, annotations(network), k, carried);
            std::vector<Row> parts = out;
            if (selects_node(schema.answer)) {
                Row scores;
                for (const Row& row : out) scores.push_back(row[0]);
                parts = {scores};
            }
            for (std::size_t i = 0; i < parts.size(); ++i) {
                if (!is_regression(schema.answer)) parts[i] = normalise(parts[i]);
                for (std::size_t j = 0; j < parts[i].size(); ++j) {
                    if (is_regression(schema.answer))
                        parts[i][j] = parts[i][j] * schema.scales.value[j] + schema.scales.value_mean[j];
                    parts[i][j] /= static_cast<double>(networks.size());
                }
                if (i < sums.size()) {
                    for (std::size_t j = 0; j < parts[i].size(); ++j) sums[i][j] += parts[i][j];
                } else {
                    sums.push_back(parts[i]);
                }
            }
        }
        lists.insert(lists.end(), sums.begin(), sums.end());
    }
    return lists;
}

} // namespace ggsnn::test
