#include "ggsnn/export/weights.hpp"

#include "ggsnn/nn/ggnn/kind.hpp"
#include "ggsnn/nn/kinds.hpp"

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
    if (gated_shape(*model.network).reach > 1)
        throw UsageError(
            fmt::format("export is for models whose nodes hear their neighbours; {} has --reach {}", path,
                        gated_shape(*model.network).reach));
    if (gated_shape(*model.network).pairs > 0)
        throw UsageError(fmt::format("export is for models without sums over pairs; {} has --pairs {}", path,
                                     gated_shape(*model.network).pairs));
}

} // namespace ggsnn
