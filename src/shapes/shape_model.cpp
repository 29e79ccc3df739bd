#include "ggsnn/shapes/shape_model.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/nn/kinds.hpp"

namespace ggsnn::shapes {

namespace {

constexpr const char* format_key = "ggsnn-shapes";
constexpr int format_version = 1;

bool fits(const Model& model, const Schema& expected) {
    const Schema& s = model.schema;
    return s.answer == expected.answer && s.edge_types.names() == expected.edge_types.names() &&
           s.question_types.names() == expected.question_types.names() &&
           s.classes.names() == expected.classes.names() && s.features == 0 &&
           s.arguments == expected.arguments && model.network->kind().name == "ggnn";
}

} // namespace

std::size_t ShapeModel::parameter_count() const {
    std::size_t count = 0;
    for (const Model& model : models) count += model.parameter_count();
    return count;
}

void save_shape_model(const ShapeModel& model, const std::string& path) {
    TensorFile file;
    Json meta{{"version", format_version}, {"nested", model.grammar.nested}, {"training", model.training}};
    if (model.grammar.wide) meta["wide"] = true;
    file.metadata[format_key] = meta.dump();
    for (const Decision d : all_decisions) {
        TensorFile part = model_to_tensors(model[d]);
        file.metadata[name_of(d)] = part.metadata.at("ggsnn");
        for (auto& [name, tensor] : part.tensors)
            file.tensors[std::string(name_of(d)) + "/" + name] = std::move(tensor);
    }
    write_file(path, encode_tensors(file));
}

ShapeModel decode_shape_model(const std::string& bytes, const std::string& path) {
    TensorFile file = decode_tensors(bytes, path);
    const auto found = file.metadata.find(format_key);
    if (found == file.metadata.end()) fail("{}: a tensor file, but not a model of heap shapes", path);
    const Json meta = parse_json(found->second, {path, 0});
    if (!meta.is_object() || !meta.contains("version") || meta["version"] != format_version ||
        !meta.contains("nested") || !meta["nested"].is_boolean())
        fail("{}: metadata \"{}\" is not of version {}", path, format_key, format_version);
    ShapeModel model;
    model.grammar = Grammar(meta["nested"].get<bool>());
    if (meta.contains("wide")) {
        if (meta["wide"] != true || !model.grammar.nested)
            fail("{}: metadata \"{}\": \"wide\" is {}, expected true where \"nested\" is", path, format_key,
                 meta["wide"].dump());
        model.grammar = Grammar::of_all();
    }
    if (meta.contains("training")) model.training = meta["training"];
    std::size_t used = 0;
    for (const Decision d : all_decisions) {
        const std::string prefix = std::string(name_of(d)) + "/";
        TensorFile part;
        if (!file.metadata.contains(name_of(d))) fail("{}: the network \"{}\" is missing", path, name_of(d));
        part.metadata["ggsnn"] = file.metadata[name_of(d)];
        for (auto at = file.tensors.lower_bound(prefix);
             at != file.tensors.end() && at->first.starts_with(prefix); ++at)
            part.tensors[at->first.substr(prefix.size())] = at->second;
        used += part.tensors.size();
        model[d] = model_from_tensors(part, path + ": " + name_of(d), bytes.size());
        if (!fits(model[d], schema_of(d, model.grammar)))
            fail("{}: the network \"{}\" does not answer that question about heaps", path, name_of(d));
    }
    if (used != file.tensors.size()) fail("{}: {} tensors; expected {}", path, file.tensors.size(), used);
    return model;
}

ShapeModel load_shape_model(const std::string& path) {
    return decode_shape_model(read_file(path), path);
}

bool is_shape_model(const std::string& path) {
    try {
        return decode_tensors(read_file(path), path).metadata.contains(format_key);
    } catch (const Error&) {
        return false;
    }
}

} // namespace ggsnn::shapes
