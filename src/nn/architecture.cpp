#include "nn/architecture.hpp"

#include "nn/engine.hpp"
#include "nn/recurrent_engine.hpp"

namespace ggsnn {

const char* name_of(ModelKind kind) {
    switch (kind) {
    case ModelKind::ggnn:
        return "ggnn";
    case ModelKind::rnn:
        return "rnn";
    case ModelKind::lstm:
        return "lstm";
    }
    GGSNN_ASSERT(false);
}

int network_count(const NetworkShape& shape, const Schema& schema) {
    return is_recurrent(shape.kind) ? 1 : schema.question_types.size();
}

std::unique_ptr<Architecture> make_architecture(const NetworkShape& shape, const Schema& schema) {
    switch (shape.kind) {
    case ModelKind::ggnn:
        return make_gated_architecture(shape, schema);
    case ModelKind::rnn:
    case ModelKind::lstm:
        return make_recurrent_architecture(shape);
    }
    GGSNN_ASSERT(false);
}

} // namespace ggsnn
