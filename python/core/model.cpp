#include "model.hpp"

#include "ggsnn/base/progress.hpp"
#include "ggsnn/nn/evaluation.hpp"
#include "ggsnn/nn/ggnn/states.hpp"
#include "ggsnn/nn/kinds.hpp"
#include "ggsnn/nn/predict.hpp"
#include "ggsnn/nn/train/choose.hpp"
#include "ggsnn/nn/train/log.hpp"
#include "ggsnn/show/explanation.hpp"
#include "ggsnn/tasks/build.hpp"
#include "ggsnn/tasks/kind_for.hpp"
#include "ggsnn/tasks/split.hpp"

namespace ggsnn::python {

namespace {

// Ctrl-C is ours while a training runs in the main thread: only there may handlers be changed, and there
// Python would not see it before the end.
std::unique_ptr<InterruptsCaught> catch_here() {
    const auto threading = py::module_::import("threading");
    const bool main = threading.attr("current_thread")().is(threading.attr("main_thread")());
    return main ? std::make_unique<InterruptsCaught>() : nullptr;
}

py::dict event_of(const LogPoint& point, const std::string& metric) {
    py::dict event;
    event["question"] = point.question;
    event["restart"] = point.restart;
    event["update"] = point.scores.update;
    event["epoch"] = point.epoch;
    event["train_loss"] = point.scores.train_loss;
    event["valid_loss"] = point.scores.valid_loss;
    event[metric.c_str()] = point.scores.valid_error;
    event["learning_rate"] = point.learning_rate.value_or(0);
    return event;
}

// Calls a Python function from the threads of a training; what it throws ends the training and is thrown at
// its end.
class Watch {
  public:
    Watch(const py::object& function, std::string metric) : function_(function), metric_(std::move(metric)) {}
    bool operator()(const LogPoint& point) {
        const py::gil_scoped_acquire lock;
        try {
            const py::object result = function_(event_of(point, metric_));
            return !result.cast<bool>();
        } catch (...) {
            thrown_ = std::current_exception();
            return false;
        }
    }
    void rethrow() const {
        if (thrown_) std::rethrow_exception(thrown_);
    }

  private:
    const py::object& function_;
    std::string metric_;
    std::exception_ptr thrown_;
};

SplitOptions split_options(const TrainRequest& request) {
    SplitOptions options;
    options.input = "X";
    options.train_count = request.train_count;
    options.valid_count = request.valid_count;
    options.form = form_for(request.model);
    return options;
}

// Reads nothing of Python, but may call it back.
Trained train_split(const Split& split, const TrainRequest& request, TrainHooks& hooks) {
    TrainOptions recipe = recipe_for(split.train, kind_for(request.model, split.train).name);
    recipe.seed = request.seed;
    const TrainOptions options =
        choose_options(split.train, recipe, parse_json(request.settings, Place{"settings"}));
    Progress progress(!request.verbose);
    hooks.progress = &progress;
    hooks.notes["targets"] = std::vector<int>(); // as the program notes them
    if (request.seconds > 0)
        hooks.deadline = std::chrono::steady_clock::now() +
                         std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                             std::chrono::duration<double>(request.seconds));
    Trained trained;
    trained.recipe = options.because;
    Model so_far;
    hooks.so_far = &so_far;
    ThreadPool pool(request.threads);
    try {
        trained.model = std::make_shared<Model>(train(split.train, split.valid, options, pool, hooks));
    } catch (const Interrupted&) {
        trained.interrupted = true;
        if (so_far.network != nullptr) trained.model = std::make_shared<Model>(std::move(so_far));
    }
    return trained;
}

// With the lock of Python given back in between.
template <class MakeSplit>
Trained train_watched(const TrainRequest& request, MakeSplit make_split) {
    const auto caught = catch_here();
    TrainHooks hooks;
    std::optional<Watch> watch;
    Trained trained;
    {
        const py::gil_scoped_release release;
        const Split split = make_split();
        if (!request.watch.is_none()) {
            watch.emplace(request.watch, metric_name(split.train.schema.answer));
            hooks.watch = std::ref(*watch);
        }
        trained = train_split(split, request, hooks);
    }
    if (watch) watch->rethrow();
    return trained;
}

void check_ask(const Model& model, const AskOptions& options) {
    const Kind& kind = model.network->kind();
    if (options.beam > 0 && !is_sequence(model.schema.answer))
        throw UsageError(
            fmt::format("beam is for sequences; this model answers with {}", name_of(model.schema.answer)));
    for (const auto& [name, given] : {std::pair("steps", options.steps > 0), {"beam", options.beam > 0}})
        if (given && !kind.can(name))
            throw UsageError(
                fmt::format("{} has no meaning with a model of kind {}: {}", name, kind.name, kind.instead));
}

// Questions read against a model, in pieces; body(data, predictions) for each.
template <class Body>
void answer_pieces(const Model& model, const Questions& questions, const AskOptions& options,
                   bool need_answers, Body body) {
    constexpr std::size_t piece = 2000;
    check_ask(model, options);
    ThreadPool pool(options.threads);
    const Predictor predictor(model, &pool, {options.steps, options.beam, 0});
    DatasetBuilder builder(model.schema, need_answers);
    std::vector<const Example*> examples;
    std::vector<Prediction> predictions;
    for (std::size_t i = 0; i < questions.size();) {
        while (i < questions.size() && builder.data().examples.size() < piece)
            i = questions.add_to(builder, i);
        examples.clear();
        for (const Example& e : builder.data().examples) examples.push_back(&e);
        predictor.predict(builder.data(), examples, predictions);
        body(builder.data(), predictions);
        builder.clear();
    }
}

py::array_t<double> matrix(const Lists& lists) {
    const std::size_t width = lists.empty() ? 0 : lists[0].size();
    py::array_t<double> out({lists.size(), width});
    for (std::size_t i = 0; i < lists.size(); ++i)
        std::copy(lists[i].begin(), lists[i].end(), out.mutable_data(i));
    return out;
}

std::vector<Prediction> all_predictions(const Model& model, const Questions& questions,
                                        const AskOptions& options) {
    const py::gil_scoped_release release;
    std::vector<Prediction> all;
    all.reserve(questions.size());
    answer_pieces(model, questions, options, false, [&](const Dataset&, std::vector<Prediction>& some) {
        for (Prediction& p : some) all.push_back(std::move(p));
    });
    return all;
}

bool is_one_row(AnswerKind kind) {
    return !is_sequence(kind) && !is_each_node(kind) && (has_classes(kind) || is_regression(kind));
}

} // namespace

Trained train_model(const Questions& train, const Questions* valid, const TrainRequest& request) {
    return train_watched(request, [&] {
        const auto records = train.reader();
        const auto checks = valid != nullptr ? valid->reader() : nullptr;
        return split_records(*records, checks.get(), split_options(request));
    });
}

Trained train_file(const std::string& path, const std::string& valid, const TrainRequest& request) {
    return train_watched(request, [&] {
        SplitOptions options = split_options(request);
        options.input = path;
        options.valid = valid;
        return read_split(options);
    });
}

py::object predict_lists(const Model& model, const Questions& questions, const AskOptions& options) {
    const std::vector<Prediction> predictions = all_predictions(model, questions, options);
    const AnswerKind kind = model.schema.answer;
    if (is_one_row(kind)) {
        const int width = is_regression(kind) ? model.schema.values : model.schema.labels();
        py::array_t<double> out({predictions.size(), static_cast<std::size_t>(width)});
        for (std::size_t i = 0; i < predictions.size(); ++i)
            std::copy(predictions[i].lists[0].begin(), predictions[i].lists[0].end(), out.mutable_data(i));
        return out;
    }
    py::list out;
    for (const Prediction& p : predictions)
        if (kind == AnswerKind::node)
            out.append(py::array_t<double>(static_cast<py::ssize_t>(p.lists[0].size()), p.lists[0].data()));
        else
            out.append(matrix(p.lists));
    return out;
}

py::tuple predict_labels(const Model& model, const Questions& questions, const AskOptions& options) {
    py::list labels, ended;
    for (const Prediction& p : all_predictions(model, questions, options)) {
        labels.append(py::array_t<int>(static_cast<py::ssize_t>(p.labels.size()), p.labels.data()));
        ended.append(!p.capped);
    }
    return py::make_tuple(labels, ended);
}

std::string evaluate(const Model& model, const Questions& questions, const AskOptions& options) {
    const py::gil_scoped_release release;
    Evaluation evaluation(model.schema);
    answer_pieces(model, questions, options, true,
                  [&](const Dataset& data, const std::vector<Prediction>& some) {
                      for (std::size_t i = 0; i < some.size(); ++i) evaluation.add(data.examples[i], some[i]);
                  });
    return evaluation.to_json().dump();
}

py::list embed(const Model& model, const Questions& questions, bool graphs, int steps) {
    const std::string& kind = model.network->kind().name;
    if (kind != "ggnn")
        throw UsageError(fmt::format("embed is for models of kind ggnn; this is of kind {}", kind));
    if (graphs && !has_graph_states(model))
        throw UsageError(
            fmt::format("of=\"graphs\" is for models that answer of graphs; this one answers with {}",
                        name_of(model.schema.answer)));
    std::vector<float> rows;
    {
        const py::gil_scoped_release release;
        DatasetBuilder builder(model.schema, false);
        for (std::size_t i = 0; i < questions.size();) i = questions.add_to(builder, i);
        states_of(model, builder.data(), graphs ? StatesOf::graphs : StatesOf::nodes, steps, rows);
    }
    py::list out;
    const auto width = static_cast<std::size_t>(state_size(model));
    const float* at = rows.data();
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const std::size_t count = graphs ? 1 : static_cast<std::size_t>(questions.graph(i).nodes);
        out.append(py::array_t<float>({count, width}, at));
        at += count * width;
    }
    return out;
}

std::pair<std::string, std::string> explain(const Model& model, const Questions& questions, int node,
                                            int output, int points) {
    const py::gil_scoped_release release;
    DatasetBuilder builder(model.schema, false);
    questions.add_to(builder, 0);
    const int nodes = questions.graph(0).nodes;
    const Dataset& data = builder.data();
    const Example& example = data.examples[0];
    const ExplainOptions options{node, output, points};
    if (is_each_node(model.schema.answer) && (node < 0 || node >= nodes))
        throw UsageError(
            fmt::format("the model answers for every node: node is {}; expected the one to explain, 0 to {}",
                        node, nodes - 1));
    std::vector<Prediction> predictions;
    Predictor(model, nullptr).predict(data, {&example}, predictions);
    const Explanation why = ggsnn::explain(model, data, example, predictions[0], options);
    const show::Explained explained{model, data.graphs[0], example, predictions[0], why, options};
    return {show::explanation_json(explained).dump(-1, ' ', false, OrderedJson::error_handler_t::replace),
            show::explanation_picture(explained)};
}

} // namespace ggsnn::python
