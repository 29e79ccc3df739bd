#include "ggsnn/nn/ggnn/states.hpp"

#include "ggsnn/nn/ggnn/kind.hpp"
#include "ggsnn/nn/ggnn/passes.hpp"

namespace ggsnn {

namespace {

void copy_rows(const float* from, int first, int last, int width, std::vector<float>& rows) {
    const std::size_t padded_width = padded(width);
    for (int v = first; v < last; ++v) {
        const float* row = from + static_cast<std::size_t>(v) * padded_width;
        rows.insert(rows.end(), row, row + width);
    }
}

} // namespace

bool has_graph_states(const Model& model) {
    return !head_of(model.schema.answer).traits.node_rows;
}

int state_size(const Model& model) {
    return gated_shape(*model.network).state;
}

void states_of(const Model& model, const Dataset& data, StatesOf what, int steps, std::vector<float>& rows) {
    const GatedShape shape = with_steps(gated_shape(*model.network), steps);
    const Network<float> network(shape);
    const Assembler<float> assembler(model.schema, shape.reading());
    const Loading no_targets{.targets = false};
    std::vector<std::vector<float>> prepared(model.networks.size());
    for (std::size_t q = 0; q < prepared.size(); ++q) {
        prepared[q].assign(network.prepared_size(), 0.0F);
        network.prepare(model.networks[q][0].data(), false, prepared[q].data());
    }
    std::vector<Lane<float>> lanes(1);
    const Team<float> team{&lanes, 0, 1, nullptr};
    Chunk<float> chunk;
    Workspace<float> work;
    rows.clear();
    for (const Example& example : data.examples) {
        assembler.begin(chunk, no_targets);
        assembler.append(chunk, data, example, no_targets, 0);
        network.outputs(chunk, model.networks[example.question][0].data(), prepared[example.question].data(),
                        0, work, team);
        if (what == StatesOf::graphs) {
            copy_rows(work.step(0).h_G, 0, 1, shape.state, rows);
        } else {
            copy_rows(work.step(0).h, 0, data.graphs[example.graph].graph.nodes(), shape.state, rows);
        }
    }
}

} // namespace ggsnn
