#include "ggsnn/nn/architecture.hpp"

#include "ggsnn/nn/ggnn/engine.hpp"
#include "ggsnn/nn/gnn/gnn.hpp"
#include "ggsnn/nn/recurrent/engine.hpp"

namespace ggsnn {

const char* name_of(ModelKind kind) {
    switch (kind) {
    case ModelKind::ggnn:
        return "ggnn";
    case ModelKind::rnn:
        return "rnn";
    case ModelKind::lstm:
        return "lstm";
    case ModelKind::gnn:
        return "gnn";
    }
    GGSNN_ASSERT(false);
}

int network_count(const NetworkShape& shape, const Schema& schema) {
    return is_recurrent(shape.kind) ? 1 : schema.question_types.size();
}

const char* name_of(EdgeFunction f) {
    return f == EdgeFunction::linear ? "linear" : "neural";
}

std::unique_ptr<Architecture> make_architecture(const NetworkShape& shape, const Schema& schema) {
    switch (shape.kind) {
    case ModelKind::ggnn:
        return make_gated_architecture(shape, schema);
    case ModelKind::rnn:
    case ModelKind::lstm:
        return make_recurrent_architecture(shape);
    case ModelKind::gnn:
        return make_gnn_architecture(shape, schema);
    }
    GGSNN_ASSERT(false);
}

} // namespace ggsnn
