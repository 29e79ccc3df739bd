#include "ggsnn/export/weights.hpp"

#include "ggsnn/nn/ggnn/kind.hpp"
#include "ggsnn/nn/kinds.hpp"

#include <map>
#include <set>

namespace ggsnn {

NetworkWeights::NetworkWeights(const ParameterLayout& layout, const std::vector<float>& parameters) {
    for (const Tensor& t : layout.tensors()) {
        DenseMatrix& matrix = tensors_[t.name];
        matrix.rows = t.rows;
        matrix.cols = t.cols;
        for (int i = 0; i < t.rows; ++i) {
            const float* row = parameters.data() + t.offset + static_cast<std::size_t>(i) * t.ld;
            matrix.values.insert(matrix.values.end(), row, row + t.cols);
        }
    }
}

const DenseMatrix& NetworkWeights::at(const std::string& name) const {
    const auto found = tensors_.find(name);
    GGSNN_ASSERT(found != tensors_.end());
    return found->second;
}

std::string message_name(const std::string& prefix, const char* letter, int slot, int set) {
    return fmt::format("{}{}.{}.{}{}", prefix, letter, slot / 2, slot % 2 == incoming ? "in" : "out",
                       set > 0 ? fmt::format(".step{}", set + 1) : "");
}

std::string side_name(const std::string& prefix, const char* letter, int side, int sides) {
    return prefix + letter + (sides == 1 ? "" : side == 0 ? ".in" : ".out");
}

Scales all_scales(const Schema& schema) {
    Scales scales = schema.scales;
    if (scales.feature.empty()) scales.feature.assign(schema.features, 1);
    if (scales.value.empty()) scales.value.assign(schema.values, 1);
    if (scales.value_mean.empty()) scales.value_mean.assign(schema.values, 0);
    return scales;
}

void check_exportable(const Model& model, const std::string& path) {
    const std::string& kind = model.network->kind().name;
    if (kind != "ggnn")
        throw UsageError(fmt::format("export is for models of kind ggnn; {} is of kind {}", path, kind));
    // What those programs compute, and which words of it. What came later would be passed over.
    static const std::map<std::string, std::set<std::string>> known = {{"variant", {"authors", "paper"}},
                                                                       {"directions", {"added"}},
                                                                       {"messages", {"mean"}},
                                                                       {"reset", {"after"}},
                                                                       {"matrices", {"by-step"}},
                                                                       {"readout", {"linear"}},
                                                                       {"state", {}},
                                                                       {"annotation", {}},
                                                                       {"edge_types", {}},
                                                                       {"steps", {}},
                                                                       {"outputs", {}},
                                                                       {"sequence", {}},
                                                                       {"shared_propagation", {}},
                                                                       {"observed", {}},
                                                                       {"embedding", {}},
                                                                       {"residual", {}}};
    const Json shape = model.network->to_json();
    for (const auto& [name, value] : shape.items()) {
        const auto found = known.find(name);
        if (found == known.end() || (value.is_string() && !found->second.contains(value.get<std::string>())))
            throw UsageError(fmt::format("export is not for networks with \"{}\": {}, as {} has", name,
                                         value.dump(), path));
    }
    if (!is_plain(model.schema.answer))
        throw UsageError(
            fmt::format("export is for answers that are numbers, nodes or classes by softmax; {} has "
                        "answers of kind {}",
                        path, name_of(model.schema.answer)));
}

} // namespace ggsnn
