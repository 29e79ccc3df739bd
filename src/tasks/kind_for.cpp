#include "ggsnn/tasks/kind_for.hpp"

#include <algorithm>

namespace ggsnn {

Form form_for(const std::string& model) {
    if (model.empty()) return Form::natural;
    return kind_named(model).reads_tokens ? Form::tokens : Form::graphs;
}

const Kind& kind_for(const std::string& model, const Dataset& train) {
    if (!model.empty()) return kind_named(model);
    const bool hints = std::any_of(train.examples.begin(), train.examples.end(),
                                   [](const Example& e) { return e.hints != nullptr; });
    return kind_named(train.schema.text ? "reader" : hints ? "stepper" : "ggnn");
}

} // namespace ggsnn
