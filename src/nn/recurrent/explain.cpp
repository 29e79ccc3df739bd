// Integrated gradients over the tokens of a story, in double precision. Each token of the story is taken for
// a token of its own, so that its gradient is found apart from that of others like it.
#include "ggsnn/nn/recurrent/explain.hpp"

#include "ggsnn/nn/head.hpp"
#include "ggsnn/nn/quadrature.hpp"

#include <algorithm>
#include <tuple>

namespace ggsnn {

namespace {

// One question; members of an ensemble one after the other.
class Reading {
  public:
    Reading(const RecurrentShape& shape, const Example& asked) : network_(shape) {
        const Example* one = &asked;
        batch_.assign(&one, 1, true, is_sequence(shape.answer) ? shape.outputs - 1 : -1);
        tokens_ = batch_.token;
        for (int row = 0; row < batch_.rows(); ++row) batch_.token[row] = row;
        facts_ = static_cast<int>(asked.tokens.size() - asked.arguments.size() - 2);
        known_.assign(tokens_.size(), false);
        for (int i = 0; i < static_cast<int>(asked.tokens.size()) - 1; ++i) known_[i] = i != facts_;
        transposed_.assign(network_.transposed_size(), 0);
        gradient_.resize(network_.layout().size());
    }

    // Numbers of tokens that tell facts; the question's type follows, then its arguments.
    int facts() const { return facts_; }

    // Adds the member's part to the scores and, by token, to shares.
    void explain(const std::vector<float>& member, double part, int points, Explanation& out,
                 std::vector<double>& shares) {
        parameters_.assign(member.begin(), member.end());
        network_.transpose_weights(parameters_.data(), transposed_.data());
        read_contents();
        out.score += part * score(1);
        out.baseline += part * score(0);
        const std::size_t width = network_.gate_width();
        for (const QuadraturePoint& point : quadrature(points)) {
            score(point.at);
            std::fill(gradient_.begin(), gradient_.end(), 0.0);
            d_projected_.assign(projected_.size(), 0);
            network_.backward(batch_, transposed_.data(), tape_, gradient_.data(), d_projected_.data());
            for (std::size_t i = 0; i < tokens_.size(); ++i)
                for (std::size_t j = 0; known_[i] && j < width; ++j)
                    shares[i] -= point.weight * part * d_projected_[i * width + j] * contents_[i * width + j];
        }
    }

  private:
    // What each token of the story brings, E W_x, and the biases.
    void read_contents() {
        const std::size_t width = network_.gate_width(), size = network_.projected_size();
        std::vector<double> full(size), biases(size), silent = parameters_;
        for (const Tensor& t : network_.layout().tensors())
            if (t.name == "E")
                std::fill_n(silent.begin() + static_cast<std::ptrdiff_t>(t.offset),
                            static_cast<std::size_t>(t.rows) * t.ld, 0.0);
        network_.project(parameters_.data(), full.data());
        network_.project(silent.data(), biases.data());
        contents_.resize(tokens_.size() * width);
        for (std::size_t i = 0; i < tokens_.size(); ++i)
            for (std::size_t j = 0; j < width; ++j) {
                const std::size_t from = tokens_[i] * width + j;
                contents_[i * width + j] = full[from] - biases[from];
            }
        biases_.assign(biases.begin(), biases.begin() + static_cast<std::ptrdiff_t>(width));
    }

    // The logarithm of the answer's probability with what is known times `at`; leaves the gradients of its
    // negative before the outputs.
    double score(double at) {
        const std::size_t width = network_.gate_width();
        const int outputs = network_.shape().outputs, m = padded(outputs);
        projected_.resize(tokens_.size() * width);
        for (std::size_t i = 0; i < tokens_.size(); ++i)
            for (std::size_t j = 0; j < width; ++j)
                projected_[i * width + j] = biases_[j] + (known_[i] ? at : 1) * contents_[i * width + j];
        network_.forward(batch_, parameters_.data(), projected_.data(), tape_);
        double* d_scores = tape_.d_scores.zeroed(static_cast<std::size_t>(batch_.outputs()) * m);
        double loss = 0;
        for (int o = 0; o < batch_.outputs(); ++o)
            cross_entropy(tape_.scores.data() + static_cast<std::size_t>(o) * m, outputs, 1, batch_.label[o],
                          1.0, d_scores + static_cast<std::size_t>(o) * m, loss);
        return -loss;
    }

    Recurrent<double> network_;
    TokenBatch batch_;
    std::vector<int> tokens_; // by row of the batch
    std::vector<bool> known_; // whether it grows
    int facts_ = 0;
    RecurrentTape<double> tape_;
    std::vector<double> parameters_, transposed_, gradient_, contents_, biases_, projected_, d_projected_;
};

// The nodes that the schema's entities are in a graph; -1: none.
std::vector<int> nodes_of_entities(const Schema& schema, const GraphRecord& record) {
    std::vector<int> nodes(schema.entities.size(), -1);
    for (std::size_t v = 0; v < record.names.size(); ++v)
        if (const int entity = schema.entities.find(record.names[v]); entity >= 0)
            nodes[entity] = static_cast<int>(v);
    return nodes;
}

} // namespace

Explanation explain_recurrent(const RecurrentShape& shape, const Schema& schema, const Dataset& data,
                              const Example& example, const Prediction& answer,
                              const std::vector<std::vector<float>>& members, const ExplainOptions& options) {
    if (schema.text) throw UsageError("stories in English are explained for models of kind reader alone");
    Example asked = example;
    asked.labels = answer.labels;
    Reading reading(shape, asked);
    Explanation out;
    std::vector<double> shares(asked.tokens.size() + asked.labels.size() + 1, 0);
    for (const auto& member : members)
        reading.explain(member, 1.0 / double(members.size()), options.points, out, shares);

    // Tokens are eol, ans, then entities, edge types, question types (tasks/tokens.hpp); a fact is an entity,
    // a type, an entity and eol.
    constexpr int first_entity = 2, fact = 4;
    const int first_type = first_entity + schema.entities.size();
    const GraphRecord& record = data.graphs[example.graph];
    const std::vector<int> nodes = nodes_of_entities(schema, record);
    out.nodes.assign(record.graph.nodes(), 0);
    out.edge_types.assign(schema.edge_types.size(), 0);
    for (int i = 0; i + fact <= reading.facts(); i += fact) {
        double share = 0;
        for (int j = i; j < i + fact; ++j) share += shares[j];
        const int type = asked.tokens[i + 1] - first_type;
        out.edges.push_back(
            {nodes[asked.tokens[i] - first_entity], type, nodes[asked.tokens[i + 2] - first_entity], share});
        out.edge_types[type] += share;
    }
    // As links come in the graph.
    std::stable_sort(out.edges.begin(), out.edges.end(), [](const auto& a, const auto& b) {
        return std::tuple(a.type, a.target, a.source) < std::tuple(b.type, b.target, b.source);
    });
    for (std::size_t i = 0; i < asked.arguments.size(); ++i) {
        const double share = shares[reading.facts() + 1 + i];
        out.inputs.push_back({asked.arguments[i], schema.inputs() + static_cast<int>(i), 1, share});
        out.nodes[asked.arguments[i]] += share;
    }
    return out;
}

} // namespace ggsnn
