#include "ggsnn/export/import.hpp"

#include "ggsnn/export/npz.hpp"
#include "ggsnn/nn/ggnn/kind.hpp"
#include "ggsnn/nn/kinds.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace ggsnn {

namespace {

using Tensors = std::map<std::string, NamedTensor>;
using Shape = std::vector<std::size_t>;

constexpr const char* cell_weights = "weight_ih";

std::string shape_text(const Shape& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

// The tensors of a file, and which were asked for.
class Source {
  public:
    Source(Tensors tensors, const std::string& name) : tensors_(std::move(tensors)), name_(name) {}

    bool has(const std::string& key) const { return tensors_.contains(key); }
    const Shape& shape(const std::string& key) { return find(key).shape; }
    // REQUIRES nothing: what is missing, has another shape or is not finite is an Error.
    const std::vector<float>& values(const std::string& key, const Shape& expected) {
        const NamedTensor& found = find(key);
        if (found.shape != expected)
            fail("{}: tensor \"{}\" has shape {}; expected {}", name_, key, shape_text(found.shape),
                 shape_text(expected));
        if (!std::all_of(found.values.begin(), found.values.end(), [](float v) { return std::isfinite(v); }))
            fail("{}: tensor \"{}\" holds a number that is not finite", name_, key);
        return found.values;
    }
    // What stands before `tail` in the names that end so.
    std::vector<std::string> prefixes(const std::string& tail) const {
        std::vector<std::string> found;
        for (const auto& [key, tensor] : tensors_)
            if (key.ends_with(tail)) found.push_back(key.substr(0, key.size() - tail.size()));
        return found;
    }
    // Nothing of the file, or of the layer asked for, may be left out in silence.
    void check_all_used(const std::string& layer) const {
        for (const auto& [key, tensor] : tensors_)
            if (!used_.contains(key) && key.starts_with(layer))
                fail("{}: tensor \"{}\" is not one of a GatedGraphConv{}", name_, key,
                     layer.empty() ? "; --layer names the layer to take of a larger network" : "");
    }
    const std::string& name() const { return name_; }

  private:
    const NamedTensor& find(const std::string& key) {
        const auto at = tensors_.find(key);
        if (at == tensors_.end()) {
            std::vector<std::string> names;
            for (const auto& [each, tensor] : tensors_) names.push_back(each);
            fail("{}: tensor \"{}\" is missing; there are {}", name_, key, Vocabulary(names).list());
        }
        used_.insert(key);
        return at->second;
    }

    Tensors tensors_;
    std::string name_;
    std::set<std::string> used_;
};

// Where the tensors of our network lie among its parameters.
class Destination {
  public:
    explicit Destination(const ParameterLayout& layout) : layout_(layout), parameters(layout.size(), 0.0F) {}

    // Sets a tensor by body(row, column).
    template <class Body>
    void set(const std::string& name, Body body) {
        for (const Tensor& t : layout_.tensors()) {
            if (t.name != name) continue;
            for (int i = 0; i < t.rows; ++i)
                for (int j = 0; j < t.cols; ++j)
                    parameters[t.offset + static_cast<std::size_t>(i) * t.ld + j] = body(i, j);
            return;
        }
        GGSNN_ASSERT(false);
    }

  private:
    const ParameterLayout& layout_;

  public:
    std::vector<float> parameters;
};

// A layer as it stands in the file.
struct Layer {
    std::string prefix, cell; // "conv.", "conv.rnn."
    std::size_t state = 0;
    int matrices = 1; // sets of them: num_layers of PyTorch Geometric
    int edge_types = 1;
};

Layer find_layer(Source& source, const ImportOptions& options) {
    const bool pyg = options.library == Library::pyg;
    const std::string cell = pyg ? "rnn." : "gru.";
    const auto found = source.prefixes(cell + cell_weights);
    Layer layer;
    layer.prefix = options.layer;
    if (options.layer.empty()) {
        if (found.size() != 1)
            fail("{}: {} layers with a \"{}{}\"; expected one{}", source.name(), found.size(), cell,
                 cell_weights,
                 found.empty() ? "" : fmt::format(", or --layer, one of {}", Vocabulary(found).list()));
        layer.prefix = found[0];
    } else if (!layer.prefix.ends_with('.')) {
        layer.prefix += '.';
    }
    layer.cell = layer.prefix + cell;
    const Shape& shape = source.shape(layer.cell + cell_weights);
    if (shape.size() != 2 || shape[1] == 0 || shape[0] != 3 * shape[1])
        fail("{}: tensor \"{}{}\" has shape {}; expected [3 D, D]", source.name(), layer.cell, cell_weights,
             shape_text(shape));
    layer.state = shape[1];
    if (layer.state > static_cast<std::size_t>(most_state))
        fail("{}: states of {} numbers; expected {} at the most", source.name(), layer.state, most_state);
    if (pyg) {
        const Shape& weight = source.shape(layer.prefix + "weight");
        if (weight.size() != 3 || weight[0] == 0 || weight[0] > static_cast<std::size_t>(most_steps))
            fail("{}: tensor \"{}weight\" has shape {}; expected [num_layers, D, D]", source.name(),
                 layer.prefix, shape_text(weight));
        layer.matrices = static_cast<int>(weight[0]);
    } else {
        layer.edge_types = 0;
        while (source.has(fmt::format("{}linears.{}.weight", layer.prefix, layer.edge_types)))
            ++layer.edge_types;
        if (layer.edge_types == 0)
            fail("{}: tensor \"{}linears.0.weight\" is missing", source.name(), layer.prefix);
    }
    return layer;
}

// torch's GRU cell: r, z and n stand below each other, and z keeps the old state where ours takes the new
// one: sigma(-s) = 1 - sigma(s).
void set_cell(Source& source, const Layer& layer, Destination& to) {
    const std::size_t d = layer.state;
    const std::vector<float> none(3 * d, 0.0F);
    const bool biased = source.has(layer.cell + "bias_ih");
    const auto& heard = source.values(layer.cell + cell_weights, {3 * d, d});
    const auto& state = source.values(layer.cell + "weight_hh", {3 * d, d});
    const auto& heard_bias = biased ? source.values(layer.cell + "bias_ih", {3 * d}) : none;
    const auto& state_bias = biased ? source.values(layer.cell + "bias_hh", {3 * d}) : none;
    const struct {
        const char* name;
        std::size_t row;
        float sign;
    } gates[] = {{"r", 0, 1}, {"z", d, -1}, {"h", 2 * d, 1}};
    for (const auto& gate : gates) {
        const std::string p = "propagation.";
        to.set(p + "W_" + gate.name, [&](int i, int j) { return gate.sign * heard[(gate.row + j) * d + i]; });
        to.set(p + "U_" + gate.name, [&](int i, int j) { return gate.sign * state[(gate.row + j) * d + i]; });
        const bool candidate = gate.row == 2 * d;
        to.set(p + "b_" + gate.name, [&](int, int j) {
            const std::size_t at = gate.row + j;
            return candidate ? heard_bias[at] : gate.sign * (heard_bias[at] + state_bias[at]);
        });
        if (candidate) to.set(p + "c_h", [&](int, int j) { return state_bias[gate.row + j]; });
    }
}

// Messages over incoming edges; those over outgoing ones stay zero.
void set_messages(Source& source, const Layer& layer, Library library, Destination& to) {
    const std::size_t d = layer.state;
    if (library == Library::pyg) { // h W, one W for each step
        const std::size_t sets = layer.matrices;
        const auto& weight = source.values(layer.prefix + "weight", {sets, d, d});
        for (std::size_t s = 0; s < sets; ++s)
            to.set(s == 0 ? "propagation.A.0.in" : fmt::format("propagation.A.0.in.step{}", s + 1),
                   [&](int i, int j) { return weight[(s * d + i) * d + j]; });
        return;
    }
    for (int type = 0; type < layer.edge_types; ++type) { // h W^T + b, for each type
        const std::string from = fmt::format("{}linears.{}.", layer.prefix, type),
                          name = fmt::format("propagation.A.{}.in", type);
        const auto& weight = source.values(from + "weight", {d, d});
        const auto& bias = source.values(from + "bias", {d});
        to.set(name, [&](int i, int j) { return weight[j * d + i]; });
        to.set(name + ".bias", [&](int, int j) { return bias[j]; });
    }
}

// The linear layer's outputs, or the states themselves.
void set_readout(Source& source, const Layer& layer, const std::string& linear, std::size_t outputs,
                 Destination& to) {
    if (linear.empty()) {
        to.set("output.W_2", [](int i, int j) { return i == j ? 1.0F : 0.0F; });
        return;
    }
    const std::size_t d = layer.state;
    const auto& weight = source.values(linear + ".weight", {outputs, d});
    to.set("output.W_2", [&](int i, int j) { return weight[j * d + i]; });
    if (!source.has(linear + ".bias")) return;
    const auto& bias = source.values(linear + ".bias", {outputs});
    to.set("output.b_2", [&](int, int j) { return bias[j]; });
}

int steps_of(const Layer& layer, const ImportOptions& options, const std::string& name) {
    if (options.library == Library::dgl) {
        if (options.steps < 1)
            throw UsageError("--steps is required with --dgl: n_steps is not among the weights");
        return options.steps;
    }
    if (options.steps > 0 && options.steps != layer.matrices)
        throw UsageError(
            fmt::format("--steps {}: {} has matrices for {} steps", options.steps, name, layer.matrices));
    return layer.matrices;
}

Vocabulary named_types(const Layer& layer, const ImportOptions& options, const std::string& name) {
    std::vector<std::string> names = options.edge_types;
    if (names.empty() && layer.edge_types == 1) names = {"edge"};
    for (int i = 0; i < layer.edge_types && options.edge_types.empty() && layer.edge_types > 1; ++i)
        names.push_back(std::to_string(i));
    const Vocabulary types(names);
    if (types.size() != layer.edge_types || names.size() != static_cast<std::size_t>(types.size()))
        throw UsageError(fmt::format("--edge-types names {} different types; {} has {}", types.size(), name,
                                     layer.edge_types));
    return types;
}

// What the imported model answers to, and with.
Schema schema_for(Source& source, const Layer& layer, const ImportOptions& options) {
    Schema schema;
    const int state = static_cast<int>(layer.state);
    schema.edge_types = named_types(layer, options, source.name());
    schema.question_types.add("question");
    schema.features = options.features > 0 ? options.features : state;
    if (schema.features > state)
        throw UsageError(fmt::format("--features {}: a state of {} has {} numbers", schema.features,
                                     source.name(), state));
    std::size_t outputs = layer.state;
    if (!options.linear.empty()) {
        const Shape& shape = source.shape(options.linear + ".weight");
        if (shape.size() != 2 || shape[1] != layer.state || shape[0] == 0 ||
            shape[0] > static_cast<std::size_t>(most_state))
            fail("{}: tensor \"{}.weight\" has shape {}; expected [outputs, {}]", source.name(),
                 options.linear, shape_text(shape), layer.state);
        outputs = shape[0];
    }
    schema.answer = options.classes.empty() ? AnswerKind::node_values : AnswerKind::node_classes;
    if (options.classes.empty()) {
        schema.values = static_cast<int>(outputs);
    } else {
        schema.classes = Vocabulary(options.classes);
        if (options.linear.empty())
            throw UsageError("--classes needs --linear, the layer whose outputs they are");
        if (static_cast<std::size_t>(schema.classes.size()) != outputs || options.classes.size() != outputs)
            throw UsageError(fmt::format("--classes names {} different classes; {} has {} outputs",
                                         schema.classes.size(), options.linear, outputs));
    }
    schema.scales.feature.assign(schema.features, 1);
    schema.scales.value_mean.assign(schema.values, 0);
    schema.scales.value.assign(schema.values, 1);
    return schema;
}

Tensors read_tensors(std::string_view bytes, const std::string& name) {
    if (bytes.starts_with("PK")) return decode_npz(bytes, name);
    return decode_tensors(bytes, name).tensors;
}

} // namespace

Model import_layer(std::string_view bytes, const std::string& name, const ImportOptions& options) {
    Source source(read_tensors(bytes, name), name);
    const Layer layer = find_layer(source, options);
    Model model;
    model.schema = schema_for(source, layer, options);
    GatedShape shape;
    shape.answer = model.schema.answer;
    shape.directions = Directions::added;
    shape.state = static_cast<int>(layer.state);
    shape.annotation = model.schema.annotation();
    shape.edge_types = layer.edge_types;
    shape.steps = steps_of(layer, options, name);
    shape.outputs = model.schema.outputs();
    shape.mean = options.mean;
    shape.reset_after = shape.linear = true;
    shape.sets = layer.matrices;
    model.network = make_gated(shape);
    Destination to(model.network->layout());
    set_cell(source, layer, to);
    set_messages(source, layer, options.library, to);
    set_readout(source, layer, options.linear, static_cast<std::size_t>(shape.outputs), to);
    source.check_all_used(options.layer.empty() ? "" : layer.prefix);
    model.networks.push_back({std::move(to.parameters)});
    model.training = {{"imported",
                       {{"library", options.library == Library::pyg ? "PyTorch Geometric" : "DGL"},
                        {"layer", layer.prefix}}}};
    return model;
}

} // namespace ggsnn
