#include "ggsnn/nn/train/options.hpp"

#include "ggsnn/nn/dataset.hpp"
#include "ggsnn/nn/kinds.hpp"

namespace ggsnn {

namespace {

struct NumberField {
    const char* name;
    double TrainOptions::* field;
    double most;
    const char* help;
};
// Shares, from 0 on.
constexpr NumberField shares[] = {
    {"state_dropout", &TrainOptions::state_dropout, 0.99,
     "Share of the numbers of final states that are left out in training"},
    {"feature_dropout", &TrainOptions::feature_dropout, 0.99,
     "Share of the nodes' features that are left out in training"},
    {"edge_dropout", &TrainOptions::edge_dropout, 0.99, "Share of the edges that are left out in training"},
    {"label_smoothing", &TrainOptions::smoothing, 0.99,
     "Share of a label's weight that goes to all labels alike"},
    {"average", &TrainOptions::average, 1,
     "Average the parameters over this last share of the updates: one network instead of many"},
};

} // namespace

const std::vector<Setting>& training_settings() {
    static const std::vector<Setting> all = [] {
        std::vector<Setting> list;
        for (const NumberField& f : shares)
            list.push_back({.name = f.name,
                            .help = f.help,
                            .type = Setting::Type::number,
                            .initial = TrainOptions().*f.field,
                            .least = 0,
                            .most = f.most});
        list.push_back({.name = "warmup",
                        .help = "Updates over which the learning rate grows from 0",
                        .initial = 0,
                        .least = 0,
                        .most = 1e9});
        list.push_back({.name = "loss",
                        .help = "Regression: squared or absolute errors",
                        .type = Setting::Type::word,
                        .initial = "squared",
                        .words = {"squared", "absolute"}});
        return list;
    }();
    return all;
}

void set_training(TrainOptions& o, const Json& given) {
    for (const NumberField& f : shares)
        if (given.contains(f.name)) o.*f.field = given[f.name].get<double>();
    if (given.contains("warmup")) o.warmup = given["warmup"].get<long>();
    if (given.contains("loss")) o.absolute = given["loss"] == "absolute";
}

Json training_values(const TrainOptions& o) {
    Json values = {{"warmup", o.warmup}, {"loss", o.absolute ? "absolute" : "squared"}};
    for (const NumberField& f : shares) values[f.name] = o.*f.field;
    return values;
}

// Model files have the same keys whatever the kind of network.
Json TrainOptions::to_json() const {
    Json json = {{"variant", "authors"},
                 {"state", 0},
                 {"annotation", 0},
                 {"steps", 5},
                 {"shared_propagation", true},
                 {"learning_rate", learning_rate},
                 {"schedule", cosine ? "cosine" : "constant"},
                 {"updates", updates},
                 {"batch", batch},
                 {"l1", l1},
                 {"l2", l2},
                 {"clip", clip},
                 {"balance", balance},
                 {"evaluate_every", evaluate_every},
                 {"patience", patience},
                 {"stop_loss", stop_loss},
                 {"restarts", restarts},
                 {"stop_at_zero", stop_at_zero},
                 {"ensemble", ensemble},
                 {"seed", seed}};
    if (keep_best) json["keep_best"] = true;
    const Json values = training_values(*this), initial = training_values({});
    for (const auto& [name, value] : values.items())
        if (value != initial[name]) json[name] = value;
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
    const std::size_t outputs = static_cast<std::size_t>(schema.outputs());
    std::vector<double> count(outputs, 0), weight(outputs, 1);
    for (const Example& e : train.examples) {
        for (int label : e.labels)
            if (label >= 0) count[label] += 1;
        if (is_sequence(schema.answer)) count.back() += 1;
    }
    if (options.class_weights == "balanced") {
        for (std::size_t i = 0; i < outputs; ++i) weight[i] = count[i] > 0 ? 1 / count[i] : 1;
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
    for (std::size_t i = 0; i < outputs; ++i) {
        sum += weight[i] * count[i];
        all += count[i];
    }
    if (!(sum > 0)) throw UsageError("class weights are 0 for every answer of the training data");
    std::vector<float> weights;
    for (double w : weight) weights.push_back(static_cast<float>(w * all / sum));
    return weights;
}

} // namespace ggsnn
