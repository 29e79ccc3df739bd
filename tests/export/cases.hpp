// Models of every kind of answer with every setting, and graphs to ask them about: what is written down for
// other programs is run there and held to Predictor.
#pragma once

#include "nn/models.hpp"

#include <ostream>

namespace ggsnn::test {

struct ExportCase {
    std::string name;
    Model model;
    std::vector<Draft> drafts;
    Dataset data;
};

// What one case has beyond the simplest network.
struct ExportSettings {
    const char* name;
    Variant variant = Variant::authors;
    Directions directions = Directions::apart;
    bool own = false;       // numbers and weights of edges, tags
    bool embedding = false; // an input layer
    bool residual = false, mean = false, separate = false, observed = false;
    bool reset_after = false, by_step = false;
    int members = 1, questions = 1, state = 9;
};

inline std::ostream& operator<<(std::ostream& out, const ExportSettings& settings) {
    return out << settings.name;
}

inline std::vector<ExportSettings> export_settings() {
    std::vector<ExportSettings> all = {
        {.name = "authors"},
        {.name = "paper", .variant = Variant::paper, .members = 2, .state = 17},
        {.name = "added", .directions = Directions::added, .members = 3, .questions = 2},
        {.name = "own", .own = true, .embedding = true, .residual = true, .mean = true, .members = 2},
        {.name = "own_paper",
         .variant = Variant::paper,
         .directions = Directions::added,
         .own = true,
         .residual = true,
         .separate = true,
         .state = 14},
        {.name = "after",
         .directions = Directions::added,
         .own = true,
         .reset_after = true,
         .by_step = true,
         .members = 2},
        {.name = "after_paper",
         .variant = Variant::paper,
         .residual = true,
         .separate = true,
         .reset_after = true,
         .by_step = true},
        {.name = "observed", .mean = true, .separate = true, .observed = true}};
    return all;
}

// Weights as after training, more or less: larger than those it starts from, and with a bias in everything.
inline Model export_model(AnswerKind kind, const ExportSettings& settings) {
    Schema schema = settings.own ? own_schema(kind) : schema_of(kind, settings.questions);
    schema.observed = settings.observed && is_sequence(kind);
    Model model = random_model(schema, 11, settings.variant, settings.members, settings.state,
                               settings.directions, [&](GatedShape& shape) {
                                   shape.residual = settings.residual;
                                   shape.mean = settings.mean;
                                   shape.reset_after = settings.reset_after;
                                   shape.sets = settings.by_step ? shape.steps : 1;
                                   shape.linear = settings.reset_after && is_each_node(kind);

                                   shape.shared_propagation = !settings.separate;
                                   shape.observed = schema.observed;
                                   if (settings.embedding) {
                                       shape.inputs = schema.inputs();
                                       shape.embedding = 3;
                                       shape.annotation = schema.annotation(3);
                                   }
                                   if (shape.sequence()) shape.annotation += 1;
                                   shape.state = std::max(shape.state, shape.annotation);
                               });
    if (settings.variant == Variant::paper && settings.own) model.schema.scales = {};
    for (std::size_t j = 0; j < model.schema.scales.feature.size(); ++j)
        model.schema.scales.feature[j] = 0.4 + 0.3 * static_cast<double>(j);
    for (auto& networks : model.networks)
        for (auto& parameters : networks)
            for (float& p : parameters) p *= 0.6F;
    // Question types may have ensembles of several sizes.
    if (model.networks.size() > 1) model.networks[1].pop_back();
    return model;
}

inline ExportCase export_case(AnswerKind kind, const ExportSettings& settings, int count) {
    ExportCase made{std::string(name_of(kind)) + "_" + settings.name, export_model(kind, settings), {}, {}};
    Random random(23);
    for (int i = 0; i < count; ++i) {
        made.drafts.push_back(random_draft(random, made.model.schema, i % 10 == 0 ? 30 : 8));
        if (settings.own && i % 3 != 0) weigh(random, made.drafts.back());
    }
    made.data = data_of(made.model.schema, made.drafts);
    return made;
}

inline std::vector<std::pair<AnswerKind, ExportSettings>> export_cases() {
    std::vector<std::pair<AnswerKind, ExportSettings>> all;
    for (AnswerKind kind : plain_kinds())
        for (const ExportSettings& settings : export_settings())
            if (!settings.observed || is_sequence(kind)) all.emplace_back(kind, settings);
    return all;
}

} // namespace ggsnn::test
