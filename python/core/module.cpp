// The module ggsnn._core: networks. What people see is python/ggsnn.
#include "model.hpp"

#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/show/graph_picture.hpp"
#include "ggsnn/tasks/build.hpp"
#include "ggsnn/tasks/english.hpp"

namespace ggsnn::python {

namespace {

py::dict setting_dict(const Setting& s) {
    static const char* const types[] = {"whole", "number", "word", "flag"};
    py::dict out;
    out["name"] = s.name;
    out["help"] = s.help;
    out["type"] = types[static_cast<int>(s.type)];
    out["least"] = s.least;
    out["most"] = s.most;
    out["words"] = s.words;
    return out;
}

// Of training, then of the kind of network.
py::list settings_of(const std::string& kind) {
    py::list out;
    for (const auto* settings : {&training_settings(), &kind_named(kind).settings})
        for (const Setting& s : *settings) out.append(setting_dict(s));
    return out;
}

py::dict record_arrays(const Record& r) {
    const auto edges = static_cast<py::ssize_t>(r.edges.size());
    py::array_t<int> sources(edges), targets(edges);
    py::list types;
    for (py::ssize_t e = 0; e < edges; ++e) {
        sources.mutable_at(e) = r.edges[e].source;
        targets.mutable_at(e) = r.edges[e].target;
        types.append(r.edges[e].type);
    }
    py::dict out;
    out["nodes"] = r.nodes;
    out["names"] = r.names;
    out["sources"] = sources;
    out["targets"] = targets;
    out["types"] = types;
    if (!r.edge_weights.empty()) out["weights"] = py::array_t<float>(edges, r.edge_weights.data());
    if (r.edge_width > 0)
        out["edge_features"] =
            py::array_t<float>({edges, static_cast<py::ssize_t>(r.edge_width)}, r.edge_features.data());
    if (r.sparse != nullptr) {
        const SparseRows& s = *r.sparse;
        const auto count = static_cast<py::ssize_t>(s.values.size());
        out["sparse"] =
            py::make_tuple(py::array_t<int>(static_cast<py::ssize_t>(s.starts.size()), s.starts.data()),
                           py::array_t<int>(count, s.columns.data()),
                           py::array_t<float>(count, s.values.data()), r.feature_width);
    } else if (r.feature_width > 0) {
        out["features"] =
            py::array_t<float>({static_cast<py::ssize_t>(r.nodes), static_cast<py::ssize_t>(r.feature_width)},
                               r.features.data());
    }
    out["tags"] = r.tags;
    out["id"] = r.id;
    if (!r.text.empty()) out["text"] = r.text;
    return out;
}

std::string record_svg(const Record& r) {
    Vocabulary types;
    std::vector<Edge> edges;
    for (const RawEdge& e : r.edges) edges.push_back({e.source, types.add(e.type), e.target});
    std::vector<NodeLook> looks(static_cast<std::size_t>(r.nodes));
    for (int v = 0; v < r.nodes; ++v) looks[v].label = r.names.empty() ? std::to_string(v) : r.names[v];
    return draw_graph(Graph(r.nodes, edges), types, looks, {0});
}

EdgeArrays edge_arrays(const Ints& sources, const Ints& targets, const Ints& types,
                       std::vector<std::string> type_names, const std::optional<Floats>& weights,
                       const std::optional<Floats>& features) {
    return {sources, targets, types, std::move(type_names), weights, features};
}

void bind_records(py::module_& m) {
    py::class_<Record, std::shared_ptr<Record>>(m, "Record", "A graph as networks read it.")
        .def_property_readonly("nodes", [](const Record& r) { return r.nodes; })
        .def_property_readonly("edges", [](const Record& r) { return r.edges.size(); })
        .def_property_readonly("feature_width", [](const Record& r) { return r.feature_width; })
        .def_property_readonly("names", [](const Record& r) { return r.names; })
        .def("arrays", &record_arrays)
        .def("svg", &record_svg);
    const auto shared = [](const RecordPtr& r) { return std::const_pointer_cast<Record>(r); };
    m.def(
        "record",
        [shared](int nodes, std::vector<std::string> names, const Ints& sources, const Ints& targets,
                 const Ints& types, std::vector<std::string> type_names, const std::optional<Floats>& weights,
                 const std::optional<Floats>& edge_features, const std::optional<Floats>& features,
                 const std::optional<std::tuple<Ints, Ints, Floats, int>>& sparse,
                 std::vector<std::pair<int, std::string>> tags, std::string id,
                 std::vector<std::vector<int>> text) {
            std::optional<SparseArrays> rows;
            if (sparse)
                rows = SparseArrays{std::get<0>(*sparse), std::get<1>(*sparse), std::get<2>(*sparse),
                                    std::get<3>(*sparse)};
            return shared(make_record(
                nodes, std::move(names),
                edge_arrays(sources, targets, types, std::move(type_names), weights, edge_features), features,
                rows, std::move(tags), std::move(id), std::move(text)));
        },
        py::arg("nodes"), py::arg("names"), py::arg("sources"), py::arg("targets"), py::arg("types"),
        py::arg("type_names"), py::arg("weights"), py::arg("edge_features"), py::arg("features"),
        py::arg("sparse"), py::arg("tags"), py::arg("id"), py::arg("text"));
    m.def(
        "story",
        [](const std::vector<std::string>& sentences, const std::string& question) {
            auto record = std::make_shared<Record>(english_story(sentences, question));
            record->questions.clear();
            return record;
        },
        py::arg("sentences"), py::arg("question"));
    m.def(
        "records",
        [shared](const Wide& batch, const Wide& sources, const Wide& targets,
                 const std::optional<Ints>& types, std::vector<std::string> type_names,
                 const std::optional<Floats>& weights, const std::optional<Floats>& edge_features,
                 const std::optional<Floats>& features) {
            const UnionArrays arrays{batch,   sources,       targets, types, std::move(type_names),
                                     weights, edge_features, features};
            std::vector<std::shared_ptr<Record>> out;
            for (const RecordPtr& r : make_records(arrays)) out.push_back(shared(r));
            return out;
        },
        py::arg("batch"), py::arg("sources"), py::arg("targets"), py::arg("types"), py::arg("type_names"),
        py::arg("weights"), py::arg("edge_features"), py::arg("features"));
    py::class_<Questions>(m, "Questions", "Questions about graphs.")
        .def(py::init([](const std::vector<std::shared_ptr<Record>>& graphs, std::vector<std::string> types,
                         std::vector<std::vector<int>> arguments) {
                 return Questions({graphs.begin(), graphs.end()}, std::move(types), std::move(arguments));
             }),
             py::arg("graphs"), py::arg("types"), py::arg("arguments"))
        .def("__len__", &Questions::size)
        .def("set_answers", &Questions::set_answers, py::arg("kind"), py::arg("answers"))
        .def("set_numbers", &Questions::set_numbers, py::arg("rows"))
        .def("set_hints", &Questions::set_hints, py::arg("i"), py::arg("bits"), py::arg("pointers"),
             py::arg("chosen"))
        .def("set_split", &Questions::set_split, py::arg("split"))
        .def("set_annotations", &Questions::set_annotations, py::arg("annotations"));
}

py::dict hints_dict(const Hints& hints, int nodes) {
    const auto steps = static_cast<py::ssize_t>(hints.steps), rows = static_cast<py::ssize_t>(nodes);
    py::array_t<int> bits({steps, rows, static_cast<py::ssize_t>(hints.width)});
    std::copy(hints.bits.begin(), hints.bits.end(), bits.mutable_data());
    py::dict out;
    out["bits"] = bits;
    if (!hints.pointers.empty()) out["pointers"] = py::array_t<int>({steps, rows}, hints.pointers.data());
    if (!hints.chosen.empty()) out["chosen"] = py::array_t<int>(steps, hints.chosen.data());
    return out;
}

// (graph, question type, arguments, kind of answer, answer) for each question of a file of any format.
py::list read_questions(const std::string& path, bool need_answers) {
    ReadOptions options;
    options.need_answers = need_answers;
    const auto reader = open_records(path, options);
    py::list out;
    Record record;
    while (reader->next(record)) {
        auto graph = std::make_shared<Record>(record);
        graph->questions.clear();
        graph->split.clear();
        py::list split;
        for (Part p : record.split) split.append(p == Part::none ? "" : part_name(p));
        for (const RawQuestion& q : record.questions) {
            py::dict item;
            item["graph"] = graph;
            item["type"] = q.type;
            item["arguments"] = q.arguments;
            item["split"] = split;
            if (q.hints != nullptr) item["hints"] = hints_dict(*q.hints, record.nodes);
            if (q.answer.present) {
                item["kind"] = q.answer.ambiguous ? "words" : name_of(q.answer.kind);
                py::list words;
                for (std::size_t i = 0; i < q.answer.words.size(); ++i)
                    if (i < q.answer.missing.size() && q.answer.missing[i] != 0)
                        words.append(py::none());
                    else
                        words.append(q.answer.words[i]);
                item["words"] = words;
                item["nodes"] = q.answer.nodes;
                item["values"] = q.answer.values;
            }
            out.append(item);
        }
    }
    return out;
}

void bind_models(py::module_& m) {
    py::class_<AskOptions>(m, "AskOptions")
        .def(py::init([](int steps, int beam, int threads) { return AskOptions{steps, beam, threads}; }),
             py::arg("steps") = 0, py::arg("beam") = 0, py::arg("threads") = 0);
    py::class_<Model, std::shared_ptr<Model>>(m, "Model", "A trained model.")
        .def_static("load", [](const std::string& path) { return std::make_shared<Model>(load_model(path)); })
        .def_static("decode",
                    [](const py::bytes& bytes) {
                        return std::make_shared<Model>(decode_model(std::string_view(bytes), "bytes"));
                    })
        .def("save", [](const Model& model, const std::string& path) { save_model(model, path); })
        .def("encode", [](const Model& model) { return py::bytes(encode_model(model)); })
        .def_property_readonly("answer", [](const Model& model) { return name_of(model.schema.answer); })
        .def_property_readonly("kind", [](const Model& model) { return model.network->kind().name; })
        .def_property_readonly("edge_types",
                               [](const Model& model) { return model.schema.edge_types.names(); })
        .def_property_readonly("question_types",
                               [](const Model& model) { return model.schema.question_types.names(); })
        .def_property_readonly("classes", [](const Model& model) { return model.schema.classes.names(); })
        .def_property_readonly("node_types", [](const Model& model) { return model.schema.tags.names(); })
        .def_property_readonly("features", [](const Model& model) { return model.schema.features; })
        .def_property_readonly("parameters", &Model::parameter_count)
        .def_property_readonly("summary",
                               [](const Model& model) { return model.network->describe().summary; })
        .def_property_readonly("training", [](const Model& model) { return model.training.dump(); })
        .def("predict_lists", &predict_lists, py::arg("questions"), py::arg("options"))
        .def("predict_labels", &predict_labels, py::arg("questions"), py::arg("options"))
        .def("evaluate", &evaluate, py::arg("questions"), py::arg("options"))
        .def("embed", &embed, py::arg("questions"), py::arg("graphs"), py::arg("steps"))
        .def("explain", &explain, py::arg("questions"), py::arg("node"), py::arg("output"),
             py::arg("points"));
    py::class_<TrainRequest>(m, "TrainRequest")
        .def(py::init<>())
        .def_readwrite("model", &TrainRequest::model)
        .def_readwrite("settings", &TrainRequest::settings)
        .def_readwrite("seed", &TrainRequest::seed)
        .def_readwrite("train_count", &TrainRequest::train_count)
        .def_readwrite("valid_count", &TrainRequest::valid_count)
        .def_readwrite("seconds", &TrainRequest::seconds)
        .def_readwrite("threads", &TrainRequest::threads)
        .def_readwrite("verbose", &TrainRequest::verbose)
        .def_readwrite("watch", &TrainRequest::watch);
    const auto result = [](const Trained& t) { return py::make_tuple(t.model, t.interrupted, t.recipe); };
    m.def(
        "train",
        [result](const Questions& train, const Questions* valid, const TrainRequest& request) {
            return result(train_model(train, valid, request));
        },
        py::arg("train"), py::arg("valid"), py::arg("request"));
    m.def(
        "train_file",
        [result](const std::string& path, const std::string& valid, const TrainRequest& request) {
            return result(train_file(path, valid, request));
        },
        py::arg("path"), py::arg("valid"), py::arg("request"));
}

} // namespace

} // namespace ggsnn::python

PYBIND11_MODULE(_core, m) {
    using namespace ggsnn;
    namespace py = pybind11;
    m.doc() = "Gated graph networks; see the package ggsnn.";
    const auto& error = py::register_exception<Error>(m, "Error", PyExc_ValueError);
    py::register_exception<UsageError>(m, "UsageError", error);
    m.attr("version") = GGSNN_VERSION;
    m.def("kinds", [] {
        std::vector<std::string> names;
        for (const Kind& kind : kinds()) names.push_back(kind.name);
        return names;
    });
    m.def("settings", &python::settings_of, py::arg("kind"));
    m.def("read", &python::read_questions, py::arg("path"), py::arg("need_answers"));
    python::bind_records(m);
    python::bind_models(m);
}
