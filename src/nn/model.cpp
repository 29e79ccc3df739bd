#include "ggsnn/nn/model.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/nn/kinds.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

namespace {

constexpr const char* format_name = "ggsnn-model";
constexpr int format_version = 1;
constexpr int most_members = 1 << 10, most_longest = 1 << 24;

Schema read_schema(const Metadata& meta) {
    Schema schema;
    const std::string answer = meta.text("answer");
    try {
        schema.answer = answer_kind_named(answer);
    } catch (const Error& error) {
        fail("{}: metadata: {}", meta.path(), error.what());
    }
    schema.edge_types = meta.vocabulary("edge_types");
    schema.question_types = meta.vocabulary("question_types");
    schema.classes = meta.vocabulary("classes");
    if (schema.question_types.size() == 0) fail("{}: metadata \"question_types\" is empty", meta.path());
    if (meta.has("entities")) schema.entities = meta.vocabulary("entities");
    schema.text = meta.has("text") && meta.flag("text");
    if (schema.text && !schema.is_tokens()) fail("{}: metadata \"text\" without \"entities\"", meta.path());
    schema.features = meta.whole("features", 0, most_features);
    if (meta.has("tags")) schema.tags = meta.vocabulary("tags");
    if (meta.has("edge_features")) schema.edge_features = meta.whole("edge_features", 0, most_state);
    schema.arguments = meta.whole("arguments", 0, most_state);
    schema.values = meta.whole("values", 0, most_state);
    Scales& scales = schema.scales;
    scales.feature = meta.list<double>("feature_scale");
    scales.value_mean = meta.list<double>("value_mean");
    scales.value = meta.list<double>("value_scale");
    const std::size_t values = static_cast<std::size_t>(schema.values);
    if (scales.feature.size() != static_cast<std::size_t>(schema.features) ||
        scales.value_mean.size() != values || scales.value.size() != values)
        fail("{}: metadata scales do not fit {} features and {} values", meta.path(), schema.features,
             schema.values);
    return schema;
}

// The kind of the network; files of the first kind do not name it.
const Kind& read_kind(const Json& net, const std::string& path) {
    if (!net.contains("model")) return kinds().front();
    std::vector<std::string> names;
    for (const Kind& kind : kinds()) {
        if (net["model"] == kind.name) return kind;
        names.push_back(kind.name);
    }
    fail("{}: metadata \"model\" is {}; expected {}", path, net["model"].dump(), fmt::join(names, " or "));
}

std::string tensor_name(std::size_t question, std::size_t member, const std::string& name) {
    return fmt::format("{}.{}.{}", question, member, name);
}

} // namespace

std::size_t Model::parameter_count() const {
    std::size_t members = 0;
    for (const auto& each : networks) members += each.size();
    return network->layout().count() * members;
}

Json model_metadata(const Model& model) {
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
                 {"feature_scale", schema.scales.feature},
                 {"value_mean", schema.scales.value_mean},
                 {"value_scale", schema.scales.value},
                 {"members", members},
                 {"network", model.network->to_json()},
                 {"training", model.training}};
    if (schema.is_tokens()) meta["entities"] = schema.entities.names();
    if (schema.text) meta["text"] = true;
    if (schema.tags.size() > 0) meta["tags"] = schema.tags.names();
    if (schema.edge_features > 0) meta["edge_features"] = schema.edge_features;
    return meta;
}

TensorFile model_to_tensors(const Model& model) {
    TensorFile file;
    file.metadata["ggsnn"] = model_metadata(model).dump();
    for (std::size_t q = 0; q < model.networks.size(); ++q) {
        for (std::size_t m = 0; m < model.networks[q].size(); ++m) {
            for (const Tensor& t : model.network->layout().tensors()) {
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

Model model_from_metadata(const Json& meta, const std::string& path, std::size_t file_bytes) {
    if (!meta.is_object() || !meta.contains("format") || meta["format"] != format_name)
        fail("{}: a tensor file, but not a model of this program", path);
    const Metadata top(meta, path, file_bytes);
    if (const int version = top.whole("version", 0, 1 << 30); version != format_version)
        fail("{}: model format version {}; this program reads version {}", path, version, format_version);
    Model model;
    model.schema = read_schema(top);
    model.longest = top.whole("longest", 0, most_longest);
    const auto net = meta.find("network");
    if (net == meta.end() || !net->is_object()) fail("{}: metadata \"network\" is missing", path);
    const Kind& kind = read_kind(*net, path);
    if (model.schema.is_tokens() && !kind.reads_tokens)
        fail("{}: metadata \"entities\" belongs to recurrent networks only", path);
    model.network = kind.read(Metadata(*net, path, file_bytes), model.schema, kind);
    model.schema.observed = net->contains("observed") && net->at("observed") == true;
    if (meta.contains("training")) model.training = meta["training"];
    return model;
}

Model model_from_tensors(const TensorFile& file, const std::string& path, std::size_t file_bytes) {
    if (file.metadata.contains("checkpoint"))
        fail("{}: a checkpoint of training; expected a model (ggsnn evaluate, predict and info also take "
             "checkpoints)",
             path);
    const auto found_meta = file.metadata.find("ggsnn");
    if (found_meta == file.metadata.end()) fail("{}: a tensor file, but not a model of this program", path);
    const Json meta = parse_json(found_meta->second, {path, 0});
    Model model = model_from_metadata(meta, path, file_bytes);
    const auto members = Metadata(meta, path, file_bytes).list<std::size_t>("members");
    const int count = network_count(model.network->kind(), model.schema);
    if (members.size() != static_cast<std::size_t>(count))
        fail("{}: networks for {} question types; expected {}", path, members.size(), count);
    const ParameterLayout& layout = model.network->layout();
    std::size_t expected = 0;
    for (std::size_t q = 0; q < members.size(); ++q) {
        if (members[q] < 1 || members[q] > most_members)
            fail("{}: question type {} has {} networks; expected 1 to {}", path, q, members[q], most_members);
        auto& networks = model.networks.emplace_back();
        for (std::size_t m = 0; m < members[q]; ++m) {
            auto& values = networks.emplace_back(layout.size(), 0.0f);
            for (const Tensor& t : layout.tensors()) {
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
