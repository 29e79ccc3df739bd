#include "ggsnn/nn/ggnn/settling.hpp"

#include "ggsnn/nn/ggnn/kind.hpp"
#include "ggsnn/nn/ggnn/passes.hpp"

#include <deque>

namespace ggsnn {

namespace {

std::vector<float> settled_rows(const float* from, int nodes, int width) {
    std::vector<float> rows;
    for (int v = 0; v < nodes; ++v) {
        const float* row = from + static_cast<std::size_t>(v) * padded(width);
        rows.insert(rows.end(), row, row + width);
    }
    return rows;
}

} // namespace

Settling settle(const Model& model, const Dataset& data, const Example& example, int outputs) {
    const GatedShape shape = gated_shape(*model.network);
    const std::vector<float>& parameters = model.networks[example.question][0];
    Settling out;
    out.nodes = data.graphs[example.graph].graph.nodes();
    out.annotation = shape.annotation;
    out.state = shape.state;
    // A network for every number of steps: the last is the whole one, and leaves the annotations of the next
    // output.
    std::deque<Network<float>> networks;
    std::vector<std::vector<float>> prepared;
    for (int t = 1; t <= shape.steps; ++t) {
        networks.emplace_back(with_steps(shape, t));
        prepared.emplace_back(networks.back().prepared_size(), 0.0F);
        networks.back().prepare(parameters.data(), false, prepared.back().data());
    }
    const Assembler<float> assembler(model.schema, shape.reading());
    const Loading no_targets{.targets = false};
    Chunk<float> chunk;
    assembler.begin(chunk, no_targets);
    assembler.append(chunk, data, example, no_targets, 0);
    Workspace<float> work;
    std::vector<Lane<float>> lanes(1);
    const Team<float> team{&lanes, 0, 1, nullptr};
    for (int k = 0; k < outputs; ++k) {
        Settling::Output& output = out.outputs.emplace_back();
        for (std::size_t t = 0; t < networks.size(); ++t) {
            networks[t].outputs(chunk, parameters.data(), prepared[t].data(), k, work, team);
            output.states.push_back(settled_rows(work.step(k).h, out.nodes, shape.state));
        }
        const bool given = k == 0 && shape.embedding == 0;
        output.annotations =
            settled_rows(given ? chunk.x.data() : work.step(k).x.data(), out.nodes, shape.annotation);
        if (!shape.sequence()) break;
    }
    return out;
}

} // namespace ggsnn
