#include "ggsnn/nn/model.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/nn/architecture.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

namespace {

constexpr const char* format_name = "ggsnn-model";
constexpr int format_version = 1;
// A model larger than this is not one of ours: keeps a hostile file from asking for memory.
constexpr int most_state = 1 << 14, most_types = 1 << 16, most_steps = 1 << 16, most_members = 1 << 10,
              most_longest = 1 << 24, most_triples = 1 << 20;

// The original graph neural network's labels and triples; triples as [receiver, slot, source, degree].
void gnn_to_json(const NetworkShape& s, Json& out) {
    out["edge_function"] = name_of(s.edge_function);
    out["contraction"] = s.contraction;
    out["label_values"] = s.labels.values;
    out["triples"] = Json::array();
    for (const Triple& t : s.labels.triples)
        out["triples"].push_back({t.receiver, t.slot, t.source, t.degree});
}

Json shape_to_json(const NetworkShape& s) {
    if (is_recurrent(s.kind))
        return {{"model", name_of(s.kind)},
                {"state", s.state},
                {"tokens", s.tokens},
                {"outputs", s.outputs},
                {"sequence", s.sequence}};
    Json json = {{"variant", s.variant == Variant::paper ? "paper" : "authors"},
                 {"state", s.state},
                 {"annotation", s.annotation},
                 {"edge_types", s.edge_types},
                 {"steps", s.steps},
                 {"outputs", s.outputs},
                 {"sequence", s.sequence},
                 {"shared_propagation", s.shared_propagation},
                 {"observed", s.observed}};
    if (s.directions == Directions::added) json["directions"] = "added";
    if (s.kind != ModelKind::ggnn) json["model"] = name_of(s.kind);
    if (s.kind == ModelKind::gnn) gnn_to_json(s, json);
    return json;
}

// A whole number in [least, most] under key, or Error.
int whole(const Json& object, const char* key, int least, int most, const std::string& path) {
    const auto at = object.find(key);
    if (at == object.end() || !at->is_number_integer() || at->get<std::int64_t>() < least ||
        at->get<std::int64_t>() > most)
        fail("{}: metadata \"{}\" is {}; expected a whole number from {} to {}", path, key,
             at == object.end() ? "missing" : describe(*at), least, most);
    return at->get<int>();
}

std::string text(const Json& object, const char* key, const std::string& path) {
    const auto at = object.find(key);
    if (at == object.end() || !at->is_string())
        fail("{}: metadata \"{}\" is missing or not a string", path, key);
    return at->get<std::string>();
}

template <class V>
std::vector<V> list(const Json& object, const char* key, const std::string& path) {
    try {
        return object.at(key).get<std::vector<V>>();
    } catch (const Json::exception&) {
        fail("{}: metadata \"{}\" is missing or not a list of the right kind", path, key);
    }
}

Vocabulary vocabulary(const Json& object, const char* key, const std::string& path) {
    const auto names = list<std::string>(object, key, path);
    Vocabulary found(names);
    if (found.names() != names) fail("{}: metadata \"{}\" has something named twice", path, key);
    return found;
}

bool flag(const Json& object, const char* key, const std::string& path) {
    const auto at = object.find(key);
    if (at == object.end() || !at->is_boolean())
        fail("{}: metadata \"{}\" is missing or not true or false", path, key);
    return at->get<bool>();
}

// The text under key, "" if it is missing or something else.
std::string text(const Json& object, const char* key) {
    const auto at = object.find(key);
    return at != object.end() && at->is_string() ? at->get<std::string>() : "";
}

void read_schema(const Json& meta, const std::string& path, Model& model) {
    Schema& schema = model.schema;
    const std::string answer = text(meta, "answer", path);
    try {
        schema.answer = answer_kind_named(answer);
    } catch (const Error& error) {
        fail("{}: metadata: {}", path, error.what());
    }
    schema.edge_types = vocabulary(meta, "edge_types", path);
    schema.question_types = vocabulary(meta, "question_types", path);
    schema.classes = vocabulary(meta, "classes", path);
    if (schema.question_types.size() == 0) fail("{}: metadata \"question_types\" is empty", path);
    if (meta.contains("entities")) schema.entities = vocabulary(meta, "entities", path);
    schema.features = whole(meta, "features", 0, most_state, path);
    schema.arguments = whole(meta, "arguments", 0, most_state, path);
    schema.values = whole(meta, "values", 0, most_state, path);
    model.longest = whole(meta, "longest", 0, most_longest, path);
    model.feature_scale = list<double>(meta, "feature_scale", path);
    model.value_mean = list<double>(meta, "value_mean", path);
    model.value_scale = list<double>(meta, "value_scale", path);
    const std::size_t values = static_cast<std::size_t>(schema.values);
    if (model.feature_scale.size() != static_cast<std::size_t>(schema.features) ||
        model.value_mean.size() != values || model.value_scale.size() != values)
        fail("{}: metadata scales do not fit {} features and {} values", path, schema.features,
             schema.values);
}

// Reverses shape_to_json for recurrent networks.
void read_recurrent(const Json& net, ModelKind kind, const std::string& path, Model& model) {
    const Schema& schema = model.schema;
    NetworkShape& shape = model.shape;
    shape.kind = kind;
    shape.answer = answer_of(schema.answer);
    shape.state = whole(net, "state", 1, most_state, path);
    shape.tokens = whole(net, "tokens", 1, most_types, path);
    shape.outputs = whole(net, "outputs", 1, most_types, path);
    shape.sequence = flag(net, "sequence", path);
    if (!schema.is_tokens() || schema.answer == AnswerKind::node_classes || !has_classes(schema.answer) ||
        schema.features != 0)
        fail("{}: a recurrent network that does not answer token sequences with classes", path);
    if (shape.tokens != schema.tokens() || shape.outputs != schema.outputs() ||
        shape.sequence != is_sequence(schema.answer))
        fail("{}: the network's shape does not fit its vocabularies ({} tokens for {}, {} outputs for {})",
             path, shape.tokens, schema.tokens(), shape.outputs, schema.outputs());
}

// Reverses gnn_to_json; labels must be distinct and in order, triples too and within the vocabularies.
void read_gnn(const Json& net, const std::string& path, const Schema& schema, NetworkShape& shape) {
    shape.kind = ModelKind::gnn;
    const std::string f = text(net, "edge_function", path);
    if (f != "linear" && f != "neural")
        fail("{}: metadata \"edge_function\" is \"{}\"; expected linear or neural", path, f);
    shape.edge_function = f == "linear" ? EdgeFunction::linear : EdgeFunction::neural;
    const auto contraction = net.find("contraction");
    if (contraction == net.end() || !contraction->is_number() || !(*contraction > 0.0 && *contraction < 1.0))
        fail("{}: metadata \"contraction\" is missing or not between 0 and 1", path);
    shape.contraction = contraction->get<double>();
    LabelTable& table = shape.labels;
    table.width = schema.annotation();
    table.values = list<float>(net, "label_values", path);
    const std::size_t width = table.width;
    if (table.values.empty() || table.values.size() % width != 0)
        fail("{}: metadata \"label_values\" has {} numbers; expected a multiple of {}", path,
             table.values.size(), width);
    for (float v : table.values)
        if (!std::isfinite(v)) fail("{}: metadata \"label_values\" holds a number that is not finite", path);
    for (auto at = table.values.begin() + static_cast<std::ptrdiff_t>(width); at != table.values.end();
         at += static_cast<std::ptrdiff_t>(width))
        if (!std::lexicographical_compare(at - static_cast<std::ptrdiff_t>(width), at, at,
                                          at + static_cast<std::ptrdiff_t>(width)))
            fail("{}: metadata \"label_values\" are not in order", path);
    const bool super = !is_per_node(shape.answer);
    const int labels = table.count() + (super ? 1 : 0),
              slots = 2 * (schema.edge_types.size() + (super ? 1 : 0));
    const auto triples = list<std::vector<int>>(net, "triples", path);
    if (triples.size() > most_triples)
        fail("{}: {} label triples; expected at most {}", path, triples.size(), most_triples);
    for (const auto& t : triples) {
        if (t.size() != 4 || t[0] < 0 || t[0] >= labels || t[1] < 0 || t[1] >= slots || t[2] < 0 ||
            t[2] >= labels || t[3] < 1)
            fail("{}: metadata \"triples\" holds one that does not fit {} labels and {} slots", path, labels,
                 slots);
        const Triple triple{t[0], t[1], t[2], t[3]};
        if (!table.triples.empty() && !(table.triples.back().key() < triple.key()))
            fail("{}: metadata \"triples\" are not in order", path);
        table.triples.push_back(triple);
    }
}

void read_shape(const Json& meta, const std::string& path, Model& model) {
    const auto found = meta.find("network");
    if (found == meta.end() || !found->is_object()) fail("{}: metadata \"network\" is missing", path);
    const Json& net = *found;
    NetworkShape& shape = model.shape;
    for (ModelKind kind : {ModelKind::rnn, ModelKind::lstm})
        if (net.contains("model") && net["model"] == name_of(kind))
            return read_recurrent(net, kind, path, model);
    if (model.schema.is_tokens()) fail("{}: metadata \"entities\" belongs to recurrent networks only", path);
    const std::string variant = text(net, "variant", path);
    if (variant != "paper" && variant != "authors")
        fail("{}: metadata \"variant\" is \"{}\"; expected paper or authors", path, variant);
    shape.variant = variant == "paper" ? Variant::paper : Variant::authors;
    const std::string directions = net.contains("directions") ? text(net, "directions", path) : "apart";
    if (directions != "apart" && directions != "added")
        fail("{}: metadata \"directions\" is \"{}\"; expected apart or added", path, directions);
    shape.directions = directions == "added" ? Directions::added : Directions::apart;
    shape.answer = answer_of(model.schema.answer);
    shape.state = whole(net, "state", 1, most_state, path);
    const std::string kind = net.contains("model") ? text(net, "model") : "ggnn";
    if (kind != "ggnn" && kind != "gnn")
        fail("{}: metadata \"model\" is \"{}\"; expected ggnn or gnn", path, kind);
    const int least = model.schema.annotation();
    shape.annotation = whole(net, "annotation", least, kind == "gnn" ? least : shape.state, path);
    shape.edge_types = whole(net, "edge_types", 0, most_types, path);
    shape.steps = whole(net, "steps", 1, most_steps, path);
    shape.outputs = whole(net, "outputs", 1, most_types, path);
    shape.sequence = flag(net, "sequence", path);
    shape.shared_propagation = flag(net, "shared_propagation", path);
    shape.observed = flag(net, "observed", path);
    model.schema.observed = shape.observed;
    if (shape.edge_types != model.schema.edge_types.size() || shape.outputs != model.schema.outputs() ||
        shape.sequence != is_sequence(model.schema.answer))
        fail(
            "{}: the network's shape does not fit its vocabularies ({} edge types for {}, {} outputs for {})",
            path, shape.edge_types, model.schema.edge_types.size(), shape.outputs, model.schema.outputs());
    if (kind != "gnn") return;
    if (shape.sequence)
        fail("{}: metadata says that an original graph neural network answers with sequences", path);
    read_gnn(net, path, model.schema, shape);
}

std::string tensor_name(std::size_t question, std::size_t member, const std::string& name) {
    return fmt::format("{}.{}.{}", question, member, name);
}

// At least what a network of this shape takes, to refuse a hostile header before allocating.
void check_size(const NetworkShape& s, std::size_t file_bytes, const std::string& path) {
    const double gated = 2.0 * s.edge_types + (s.directions == Directions::apart ? 9 : 6),
                 triples = double(s.labels.triples.size()) + 1;
    const double recurrent = (s.kind == ModelKind::lstm ? 12 : 2) + double(s.tokens) / s.state;
    const double matrices = is_recurrent(s.kind) ? recurrent : s.kind == ModelKind::gnn ? triples : gated;
    const double numbers = double(s.state) * s.state * matrices + double(s.state) * s.outputs;
    if (numbers * sizeof(float) > double(file_bytes))
        fail("{}: cut short: a network with these sizes needs more than the {} bytes there are", path,
             file_bytes);
}

} // namespace

std::size_t Model::parameter_count() const {
    std::size_t members = 0;
    for (const auto& network : networks) members += network.size();
    return make_architecture(shape, schema)->layout().count() * members;
}

TensorFile model_to_tensors(const Model& model) {
    const Schema& schema = model.schema;
    std::vector<std::size_t> members;
    for (const auto& network : model.networks) members.push_back(network.size());
    Json meta = {{"format", format_name},
                 {"version", format_version},
                 {"answer", name_of(schema.answer)},
                 {"edge_types", schema.edge_types.names()},
                 {"question_types", schema.question_types.names()},
                 {"classes", schema.classes.names()},
                 {"features", schema.features},
                 {"arguments", schema.arguments},
                 {"values", schema.values},
                 {"longest", model.longest},
                 {"feature_scale", model.feature_scale},
                 {"value_mean", model.value_mean},
                 {"value_scale", model.value_scale},
                 {"members", members},
                 {"network", shape_to_json(model.shape)},
                 {"training", model.training}};
    if (schema.is_tokens()) meta["entities"] = schema.entities.names();
    TensorFile file;
    file.metadata["ggsnn"] = meta.dump();
    const auto network = make_architecture(model.shape, schema);
    for (std::size_t q = 0; q < model.networks.size(); ++q) {
        for (std::size_t m = 0; m < model.networks[q].size(); ++m) {
            for (const Tensor& t : network->layout().tensors()) {
                NamedTensor& out = file.tensors[tensor_name(q, m, t.name)];
                out.shape = {static_cast<std::size_t>(t.rows), static_cast<std::size_t>(t.cols)};
                for (int i = 0; i < t.rows; ++i) {
                    const float* row =
                        model.networks[q][m].data() + t.offset + static_cast<std::size_t>(i) * t.ld;
                    out.values.insert(out.values.end(), row, row + t.cols);
                }
            }
        }
    }
    return file;
}

std::string encode_model(const Model& model) {
    return encode_tensors(model_to_tensors(model));
}

void save_model(const Model& model, const std::string& path) {
    write_file(path, encode_model(model));
}

Model load_model(const std::string& path) {
    return decode_model(read_file(path), path);
}

Model decode_model(std::string_view bytes, const std::string& name) {
    return model_from_tensors(decode_tensors(bytes, name), name, bytes.size());
}

Model model_from_tensors(const TensorFile& file, const std::string& path, std::size_t file_bytes) {
    const auto found_meta = file.metadata.find("ggsnn");
    if (found_meta == file.metadata.end()) fail("{}: a tensor file, but not a model of this program", path);
    const Json meta = parse_json(found_meta->second, {path, 0});
    if (!meta.is_object() || !meta.contains("format") || meta["format"] != format_name)
        fail("{}: a tensor file, but not a model of this program", path);
    if (const int version = whole(meta, "version", 0, 1 << 30, path); version != format_version)
        fail("{}: model format version {}; this program reads version {}", path, version, format_version);
    Model model;
    read_schema(meta, path, model);
    read_shape(meta, path, model);
    check_size(model.shape, file_bytes, path);
    if (meta.contains("training")) model.training = meta["training"];
    const auto members = list<std::size_t>(meta, "members", path);
    const int count = network_count(model.shape, model.schema);
    if (members.size() != static_cast<std::size_t>(count))
        fail("{}: networks for {} question types; expected {}", path, members.size(), count);
    const auto network = make_architecture(model.shape, model.schema);
    std::size_t expected = 0;
    for (std::size_t q = 0; q < members.size(); ++q) {
        if (members[q] < 1 || members[q] > most_members)
            fail("{}: question type {} has {} networks; expected 1 to {}", path, q, members[q], most_members);
        auto& networks = model.networks.emplace_back();
        for (std::size_t m = 0; m < members[q]; ++m) {
            auto& values = networks.emplace_back(network->layout().size(), 0.0f);
            for (const Tensor& t : network->layout().tensors()) {
                const auto at = file.tensors.find(tensor_name(q, m, t.name));
                if (at == file.tensors.end())
                    fail("{}: tensor \"{}\" is missing", path, tensor_name(q, m, t.name));
                const NamedTensor& found = at->second;
                if (found.shape != std::vector<std::size_t>{static_cast<std::size_t>(t.rows),
                                                            static_cast<std::size_t>(t.cols)})
                    fail("{}: tensor \"{}\" has the wrong shape; expected {} x {}", path, at->first, t.rows,
                         t.cols);
                for (float v : found.values)
                    if (!std::isfinite(v))
                        fail("{}: tensor \"{}\" holds a number that is not finite", path, at->first);
                for (int i = 0; i < t.rows; ++i)
                    std::copy_n(found.values.data() + static_cast<std::size_t>(i) * t.cols, t.cols,
                                values.data() + t.offset + static_cast<std::size_t>(i) * t.ld);
                ++expected;
            }
        }
    }
    if (expected != file.tensors.size())
        fail("{}: {} tensors; expected {}", path, file.tensors.size(), expected);
    return model;
}

} // namespace ggsnn
