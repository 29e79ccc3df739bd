#include "ggsnn/shapes/learn.hpp"

#include "ggsnn/base/hash.hpp"
#include "ggsnn/shapes/derive.hpp"
#include "ggsnn/shapes/heap_data.hpp"

#include <filesystem>
#include <map>

#include <unistd.h>

namespace ggsnn::shapes {

namespace {

std::string file_of(const std::string& folder, const char* part) {
    for (const char* ending : {".jsonl.gz", ".jsonl"}) {
        const std::string path = folder + "/" + part + ending;
        if (std::filesystem::exists(path)) return path;
    }
    fail("{}: no {}.jsonl.gz; expected a folder as `ggsnn heap generate` writes it", folder, part);
}

struct Sample {
    std::vector<LabelledHeap> heaps;
    Hash fingerprint;
    bool has_val = false, wide = false;
};

// The first `most` heaps of each formula.
Sample read_sample(const std::string& path, int most) {
    Sample sample;
    std::map<const logic::Formula*, int> seen;
    read_labelled(path, true, [&](LabelledHeap&& item) {
        if (seen[item.formula.get()]++ >= most) return;
        sample.has_val = sample.has_val || item.heap.find_field("val") >= 0;
        sample.wide = sample.wide || is_wide(item.formula->heaps[0]);
        sample.fingerprint.add(item.heap.nodes.size());
        for (const auto& node : item.heap.nodes)
            for (const auto& [field, target] : node.links)
                sample.fingerprint.add(static_cast<std::uint64_t>(target));
        sample.heaps.push_back(std::move(item));
    });
    if (sample.heaps.empty()) fail("{}: no heaps", path);
    return sample;
}

void teach(Lessons& lessons, const Sample& sample) {
    for (const LabelledHeap& item : sample.heaps) lessons.add(item.heap, *item.formula, item.place);
}

} // namespace

TrainOptions recipe_of(Decision decision, Grammar grammar, const LearnOptions& options) {
    TrainOptions o;
    const bool quantifier = decision == Decision::quantify || decision == Decision::pick;
    o.network = {{"state", options.state.value_or(quantifier || grammar.wide ? 16 : 8)},
                 {"annotation", mark_count},
                 {"steps", 10}};
    o.batch = options.batch.value_or(20);
    o.learning_rate = options.learning_rate.value_or(0.003);
    o.updates = options.updates.value_or(grammar.wide ? 8000 : grammar.nested ? 20000 : 10000);
    o.balance = schema_of(decision, grammar).answer == AnswerKind::klass;
    o.restarts = options.restarts.value_or(grammar.wide ? 1 : 2);
    o.stop_at_zero = true;
    o.keep_best = true;
    o.evaluate_every = std::max(1L, o.updates / 10);
    o.seed = options.seed;
    return o;
}

ShapeModel learn_shapes(const std::string& folder, const LearnOptions& options, ThreadPool& pool,
                        const LearnHooks& hooks) {
    const Sample train_heaps = read_sample(file_of(folder, "train"), options.graphs);
    const Sample valid_heaps = read_sample(file_of(folder, "valid"), std::max(1, options.graphs / 4));
    ShapeModel model;
    model.grammar = train_heaps.wide ? Grammar::of_all() : Grammar(train_heaps.has_val);
    Lessons lessons(model.grammar), checks(model.grammar);
    teach(lessons, train_heaps);
    teach(checks, valid_heaps);
    for (const Decision d : all_decisions) {
        Dataset& data = lessons.data[static_cast<std::size_t>(d)];
        Dataset& valid = checks.data[static_cast<std::size_t>(d)];
        if (data.examples.empty()) fail("{}: no heap that teaches the decision \"{}\"", folder, name_of(d));
        TrainHooks inner;
        inner.progress = hooks.progress;
        inner.checkpoint = hooks.checkpoint.empty() ? "" : fmt::format("{}.{}", hooks.checkpoint, name_of(d));
        inner.resume = hooks.resume;
        inner.checkpoint_seconds = hooks.checkpoint_seconds;
        inner.fingerprint =
            fmt::format("{:016x}{:016x} ", train_heaps.fingerprint.value(), valid_heaps.fingerprint.value());
        model[d] = train(data, valid, recipe_of(d, model.grammar, options), pool, inner);
        const Json& best = model[d].training["runs"][0];
        if (hooks.progress != nullptr)
            hooks.progress->line(
                fmt::format("{}: {} examples, validation error {:.4f}, {} parameters, {:.1f} s", name_of(d),
                            data.examples.size(), best["valid_error"].get<double>(),
                            model[d].parameter_count(), hooks.progress->seconds()));
        data = {};
        valid = {};
    }
    model.training = {{"heaps", train_heaps.heaps.size()},
                      {"valid_heaps", valid_heaps.heaps.size()},
                      {"graphs_per_formula", options.graphs},
                      {"seed", options.seed}};
    for (const Decision d : all_decisions)
        if (!hooks.checkpoint.empty()) ::unlink(fmt::format("{}.{}", hooks.checkpoint, name_of(d)).c_str());
    return model;
}

} // namespace ggsnn::shapes
