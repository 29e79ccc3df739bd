#include "nn/architecture.hpp"

#include "nn/engine.hpp"
#include "nn/gnn.hpp"

namespace ggsnn {

const char* name_of(ModelKind kind) {
    switch (kind) {
    case ModelKind::ggnn: return "ggnn";
    case ModelKind::gnn: return "gnn";
    }
    GGSNN_ASSERT(false);
}

const char* name_of(EdgeFunction f) {
    return f == EdgeFunction::linear ? "linear" : "neural";
}

std::unique_ptr<Architecture> make_architecture(const NetworkShape& shape, const Schema& schema) {
    switch (shape.kind) {
    case ModelKind::ggnn: return make_gated_architecture(shape, schema);
    case ModelKind::gnn: return make_gnn_architecture(shape, schema);
    }
    GGSNN_ASSERT(false);
}

} // namespace ggsnn
