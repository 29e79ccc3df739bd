#include "nn/architecture.hpp"

#include "nn/engine.hpp"

namespace ggsnn {

std::unique_ptr<Architecture> make_architecture(const NetworkShape& shape, const Schema& schema) {
    switch (shape.kind) {
    case ModelKind::ggnn:
        return make_gated_architecture(shape, schema);
    }
    GGSNN_ASSERT(false);
}

} // namespace ggsnn
