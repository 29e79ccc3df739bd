#include "ggsnn/nn/explain.hpp"

#include "ggsnn/nn/kinds.hpp"

namespace ggsnn {

double Explanation::explained() const {
    double sum = reach;
    for (const Input& each : inputs) sum += each.share;
    for (const Link& each : edges) sum += each.share;
    return sum;
}

Explanation Architecture::explain(const Schema&, const Dataset&, const Example&, const Prediction&,
                                  const std::vector<std::vector<float>>&, const ExplainOptions&) const {
    GGSNN_ASSERT(!kind().can("explanations"));
    return {};
}

Explanation explain(const Model& model, const Dataset& data, const Example& example, const Prediction& answer,
                    const ExplainOptions& options) {
    const Schema& schema = model.schema;
    const Kind& kind = model.network->kind();
    const int nodes = data.graphs[example.graph].graph.nodes();
    if (!kind.can("explanations"))
        throw UsageError(fmt::format("a model of kind {} cannot be explained", kind.name));
    if (is_each_node(schema.answer) && (options.node < 0 || options.node >= nodes))
        throw UsageError(fmt::format(
            "the model answers for every node: expected one to explain, from 0 to {}", nodes - 1));
    if (is_regression(schema.answer) && (options.output < 0 || options.output >= schema.values))
        throw UsageError(
            fmt::format("number {} of the answer; expected 0 to {}", options.output, schema.values - 1));
    const auto question = kind.reads_tokens ? 0 : static_cast<std::size_t>(example.question);
    return model.network->explain(schema, data, example, answer, model.networks[question], options);
}

} // namespace ggsnn
