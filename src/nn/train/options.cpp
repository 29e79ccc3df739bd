#include "ggsnn/nn/train/options.hpp"

#include "ggsnn/nn/dataset.hpp"
#include "ggsnn/nn/kinds.hpp"

#include <functional>

namespace ggsnn {

namespace {

using Type = Setting::Type;

// A setting of training, and where its value is.
struct Field {
    Setting setting;
    std::function<void(TrainOptions&, const Json&)> set;
    std::function<Json(const TrainOptions&)> get;
    bool stored = true; // in model files
};

template <class T>
Field field(T TrainOptions::* member, Setting setting) {
    setting.initial = TrainOptions().*member;
    return {setting, [member](TrainOptions& o, const Json& value) { o.*member = value.get<T>(); },
            [member](const TrainOptions& o) { return Json(o.*member); }};
}

// One of two words for a choice between two.
Field choice(bool TrainOptions::* member, const char* no, const char* yes, Setting setting) {
    setting.type = Type::word;
    setting.words = {no, yes};
    setting.initial = TrainOptions().*member ? yes : no;
    return {
        setting,
        [member, yes = std::string(yes)](TrainOptions& o, const Json& value) { o.*member = value == yes; },
        [member, no, yes](const TrainOptions& o) { return Json(o.*member ? yes : no); }};
}

// A share that is left out, smoothed or averaged.
Field share(double TrainOptions::* member, const char* name, double most, const char* help) {
    return field(member,
                 {.name = name, .help = help, .type = Type::number, .most = most, .only_if_set = true});
}

constexpr double many = 1e9;

std::vector<Field> one_run() {
    using O = TrainOptions;
    return {
        field(&O::learning_rate, {.name = "learning_rate",
                                  .help = "Of Adam",
                                  .type = Type::number,
                                  .least = 1e-300,
                                  .most = Setting::any}),
        choice(&O::cosine, "constant", "cosine", {.name = "schedule", .help = "Learning rate over time"}),
        field(&O::updates, {.name = "updates", .help = "Minibatches a run", .least = 1, .most = many}),
        field(&O::batch, {.name = "batch", .help = "Questions a minibatch", .least = 1, .most = 1e6}),
        field(&O::l1, {.name = "l1",
                       .help = "Decoupled L1 regularisation",
                       .type = Type::number,
                       .most = Setting::any}),
        field(&O::l2, {.name = "l2",
                       .help = "Decoupled L2 regularisation",
                       .type = Type::number,
                       .most = Setting::any}),
        field(&O::clip, {.name = "clip",
                         .help = "Elementwise bound of gradients; 0 for none",
                         .type = Type::number,
                         .most = Setting::any}),
        share(&O::state_dropout, "state_dropout", 0.99,
              "Share of the numbers of final states that are left out in training"),
        share(&O::feature_dropout, "feature_dropout", 0.99,
              "Share of the nodes' features that are left out in training"),
        share(&O::edge_dropout, "edge_dropout", 0.99, "Share of the edges that are left out in training"),
        share(&O::smoothing, "label_smoothing", 0.99,
              "Share of a label's weight that goes to all labels alike"),
        share(&O::average, "average", 1,
              "Average the parameters over this last share of the updates: one network instead of many"),
        field(&O::warmup, {.name = "warmup",
                           .help = "Updates over which the learning rate grows from 0",
                           .most = many,
                           .only_if_set = true}),
        choice(&O::absolute, "squared", "absolute",
               {.name = "loss", .help = "Regression: squared or absolute errors", .only_if_set = true}),
        field(&O::exchanged,
              {.name = "exchanged",
               .help = "Copies of each graph to train on in which names are exchanged that are "
                       "both edge types and answers; validation chooses between runs with "
                       "and without",
               .most = 1000,
               .only_if_set = true}),
        field(
            &O::balance,
            {.name = "balance", .help = "As many examples of each class in a minibatch", .type = Type::flag}),
    };
}

std::vector<Field> several_runs() {
    using O = TrainOptions;
    return {
        field(&O::evaluate_every, {.name = "evaluate_every",
                                   .help = "Updates between validations; 0: a twentieth of all",
                                   .most = many}),
        field(&O::patience, {.name = "patience",
                             .help = "Validations without improvement before a run stops, keeping its best",
                             .most = 1e6}),
        field(&O::keep_best, {.name = "keep_best",
                              .help = "Keep the best at any validation, also without patience",
                              .type = Type::flag,
                              .only_if_set = true}),
        field(&O::stop_loss, {.name = "stop_loss",
                              .help = "Stop a run when the training loss is below",
                              .type = Type::number,
                              .most = Setting::any}),
        field(&O::restarts, {.name = "restarts",
                             .help = "Runs from other initial values at the most; validation data selects",
                             .least = 1,
                             .most = 1e4}),
        field(&O::stop_at_zero, {.name = "stop_at_zero",
                                 .help = "No more restarts after one without training and validation errors",
                                 .type = Type::flag}),
        field(&O::ensemble, {.name = "ensemble",
                             .help = "Average the answers of the best N restarts",
                             .least = 1,
                             .most = 1000}),
        {{.name = "low_memory",
          .help = "Large graphs: keep only states for backward, compute the rest again",
          .type = Type::flag,
          .initial = false,
          .group = "machine"},
         [](TrainOptions& o, const Json& value) { o.keep = value.get<bool>() ? Keep::states : Keep::all; },
         [](const TrainOptions& o) { return Json(o.keep == Keep::states); },
         false},
    };
}

const std::vector<Field>& fields() {
    static const std::vector<Field> all = [] {
        std::vector<Field> list = one_run();
        for (Field f : several_runs()) {
            if (f.setting.group.empty()) f.setting.group = "runs";
            list.push_back(f);
        }
        return list;
    }();
    return all;
}

} // namespace

const std::vector<Setting>& training_settings() {
    static const std::vector<Setting> all = [] {
        std::vector<Setting> list;
        for (const Field& f : fields()) list.push_back(f.setting);
        return list;
    }();
    return all;
}

void set_training(TrainOptions& o, const Json& given) {
    for (const Field& f : fields())
        if (given.contains(f.setting.name)) f.set(o, given[f.setting.name]);
    if (given.contains("class_weights")) o.class_weights = given["class_weights"];
}

Json training_values(const TrainOptions& o) {
    Json values;
    for (const Field& f : fields()) values[f.setting.name] = f.get(o);
    return values;
}

// Model files have the same keys whatever the kind of network.
Json TrainOptions::to_json() const {
    Json json = {{"variant", "authors"},       {"state", 0},  {"annotation", 0}, {"steps", 5},
                 {"shared_propagation", true}, {"seed", seed}};
    for (const Field& f : fields()) {
        const Json value = f.get(*this);
        if (f.stored && (!f.setting.only_if_set || value != f.setting.initial)) json[f.setting.name] = value;
    }
    if (!class_weights.is_null()) json["class_weights"] = class_weights;
    const Kind& chosen = kind_named(kind);
    if (&chosen != &kinds().front()) json["model"] = kind;
    const Json all = checked_settings(chosen.settings, network, kind);
    for (const Setting& s : chosen.settings)
        if (!s.only_if_set || all[s.name] != s.initial) json[s.name] = all[s.name];
    return json;
}

std::vector<float> class_weights_of(const TrainOptions& options, const Dataset& train) {
    if (options.class_weights.is_null()) return {};
    const Schema& schema = train.schema;
    if (!has_classes(schema.answer))
        throw UsageError(fmt::format("class weights are for answers that are classes; these are of kind {}",
                                     name_of(schema.answer)));
    const std::size_t labels = static_cast<std::size_t>(schema.labels());
    std::vector<double> count(labels, 0), weight(labels, 1);
    for (const Example& e : train.examples) {
        for (int label : e.labels)
            if (label >= 0) count[label] += 1;
        if (is_sequence(schema.answer)) count.back() += 1;
    }
    if (options.class_weights == "balanced") {
        for (std::size_t i = 0; i < labels; ++i) weight[i] = count[i] > 0 ? 1 / count[i] : 1;
    } else if (options.class_weights.is_object()) {
        for (const auto& [name, value] : options.class_weights.items()) {
            const int id = schema.classes.find(name);
            if (id < 0)
                throw UsageError(
                    fmt::format("class weights: no class \"{}\" in the training data; there are {}", name,
                                schema.classes.list()));
            if (!value.is_number() || !(value.get<double>() >= 0))
                throw UsageError(
                    fmt::format("class weights: the weight of \"{}\" is {}; expected a number of 0 "
                                "or more",
                                name, value.dump()));
            weight[static_cast<std::size_t>(id)] = value.get<double>();
        }
    } else {
        throw UsageError("class weights are " + options.class_weights.dump() +
                         "; expected \"balanced\" or an object of classes and numbers");
    }
    double sum = 0, all = 0;
    for (std::size_t i = 0; i < labels; ++i) {
        sum += weight[i] * count[i];
        all += count[i];
    }
    if (!(sum > 0)) throw UsageError("class weights are 0 for every answer of the training data");
    std::vector<float> weights;
    for (double w : weight) weights.push_back(static_cast<float>(w * all / sum));
    return weights;
}

} // namespace ggsnn
