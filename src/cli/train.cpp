#include "base/files.hpp"
#include "cli/commands.hpp"
#include "tasks/build.hpp"
#include "tasks/recipe.hpp"

#include <unistd.h>

#include <bit>
#include <filesystem>

namespace ggsnn {

namespace {

// Records of a file until `most` (0: all) into the builder; how many there were.
long read_records(const std::string& path, const TrainCommand& command, long most, DatasetBuilder& builder) {
    ReadOptions options;
    options.targets = command.targets;
    const auto reader = open_records(path, options);
    Record record;
    long count = 0;
    while ((most == 0 || count < most) && reader->next(record)) {
        builder.add(record);
        ++count;
        if (interrupted()) throw Interrupted("interrupted");
    }
    return count;
}

struct Split {
    Dataset train, valid;
};

Split read_split(const TrainCommand& command) {
    DatasetBuilder builder;
    const bool separate = !command.valid.empty();
    // Stories beyond those wanted are not looked at: what they ask or answer is not the model's business.
    const long some = std::max(1L, command.train_count / 10),
               wanted_valid = command.valid_count < 0 ? some : command.valid_count;
    const long most = command.train_count > 0 ? command.train_count + (separate ? 0 : wanted_valid) : 0;
    const long total = read_records(command.input, command, most, builder);
    if (separate) read_records(command.valid, command, 0, builder);
    builder.finish();
    const long all = static_cast<long>(builder.data().graphs.size());
    long valid_count = separate ? all - total : command.valid_count;
    if (!separate && command.valid_count < 0)
        valid_count = command.train_count > 0 ? std::min(total - command.train_count, some) : total / 10;
    const long train_count = command.train_count > 0 ? command.train_count : total - (separate ? 0 : valid_count);
    if (train_count < 1 || valid_count < 0 || train_count + valid_count > all)
        fail("{}: holds {} stories or graphs; expected {} for training and {} for validation", command.input, total, std::max(1L, train_count), std::max(0L, valid_count));
    return {slice(builder.data(), 0, train_count),
            slice(builder.data(), separate ? total : train_count, valid_count)};
}

// A question type that only validation data asks has no network.
void check_questions(const Split& split) {
    std::vector<char> seen(split.train.schema.question_types.size(), 0);
    for (const Example& e : split.train.examples) seen[e.question] = 1;
    for (const Example& e : split.valid.examples)
        if (seen[e.question] == 0)
            fail_at(e.place, "question type \"{}\" occurs in the validation data but not in the training data",
                    split.train.schema.question_types.name(e.question));
}

template <class T>
void override(T& value, const std::optional<T>& given) {
    if (given) value = *given;
}

TrainOptions options_for(const TrainCommand& c, const Dataset& train) {
    TrainOptions o = recipe_for(train.schema, train.examples.size());
    if (c.variant) o.variant = *c.variant == "paper" ? Variant::paper : Variant::authors;
    if (c.schedule) o.cosine = *c.schedule == "cosine";
    override(o.state, c.state);
    if (c.state && !c.annotation) o.annotation = 0;
    override(o.annotation, c.annotation);
    override(o.steps, c.steps);
    override(o.batch, c.batch);
    override(o.restarts, c.restarts);
    override(o.ensemble, c.ensemble);
    override(o.patience, c.patience);
    override(o.updates, c.updates);
    override(o.evaluate_every, c.evaluate_every);
    override(o.learning_rate, c.learning_rate);
    override(o.l1, c.l1);
    override(o.l2, c.l2);
    override(o.clip, c.clip);
    override(o.stop_loss, c.stop_loss);
    o.balance = c.balance;
    o.stop_at_zero = o.stop_at_zero || c.stop_at_zero;
    if (c.separate) o.shared_propagation = false;
    if (c.low_memory) o.keep = Keep::states;
    o.seed = c.seed;
    const int needed = train.schema.annotation();
    if (o.annotation > 0 && o.annotation < needed)
        throw UsageError(fmt::format("--annotation {} is too small: the data needs {}", o.annotation, needed));
    if (o.state < std::max(o.annotation, needed))
        throw UsageError(fmt::format("--state {} is too small: annotations take {}", o.state, std::max(o.annotation, needed)));
    if (o.balance && !has_classes(train.schema.answer)) throw UsageError("--balance needs answers that are classes");
    return o;
}

// Tells checkpoints of other data apart.
std::string fingerprint(const Split& split) {
    std::uint64_t hash = 1469598103934665603ULL;
    const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * 1099511628211ULL; };
    for (const Dataset* data : {&split.train, &split.valid}) {
        mix(data->graphs.size());
        for (const GraphRecord& g : data->graphs) {
            for (float x : g.features) mix(std::bit_cast<std::uint32_t>(x));
            mix(static_cast<std::uint64_t>(g.graph.nodes()));
            for (int s = 0; s < g.graph.slots(); ++s) {
                for (int e = g.graph.slot_begin(s); e < g.graph.slot_end(s); ++e) {
                    mix(static_cast<std::uint64_t>(s) << 32 | static_cast<std::uint64_t>(g.graph.row(e)));
                    for (int n : g.graph.neighbours(e)) mix(static_cast<std::uint64_t>(n));
                }
            }
        }
        for (const Example& e : data->examples) {
            mix(static_cast<std::uint64_t>(e.graph) << 32 | static_cast<std::uint64_t>(e.question));
            for (int a : e.arguments) mix(static_cast<std::uint64_t>(a));
            for (int l : e.labels) mix(static_cast<std::uint64_t>(l) + 7);
            for (float v : e.values) mix(std::bit_cast<std::uint32_t>(v));
        }
    }
    return fmt::format("{:016x} ", hash);
}

std::string summary(const Model& model) {
    const Json& options = model.training["options"];
    return fmt::format("D = {}, {} steps, {} parameters", options["state"].get<int>(), options["steps"].get<int>(), model.parameter_count());
}

} // namespace

int run_train(const TrainCommand& command) {
    catch_interrupts();
    Progress progress(command.quiet);
    // An output that cannot be written is found before the work, not after it.
    std::filesystem::path folder = std::filesystem::path(command.output).parent_path();
    if (folder.empty()) folder = ".";
    if (::access(folder.c_str(), W_OK) != 0)
        fail("{}: cannot write: the folder does not exist or is not writable", command.output);
    if (std::filesystem::is_directory(command.output))
        fail("{}: cannot write: it is a folder; expected a file", command.output);
    Split split = read_split(command);
    check_questions(split);
    const TrainOptions options = options_for(command, split.train);
    const Scales scales = find_scales(split.train);
    for (Dataset* data : {&split.train, &split.valid}) {
        if (!scales.feature_scale.empty()) scale_features(*data, scales.feature_scale);
        if (!scales.value_mean.empty()) standardise_values(*data, scales);
    }
    const Schema& schema = split.train.schema;
    progress.line(fmt::format("{}: {} graphs and {} questions to train on, {} and {} to validate; {} edge types, answers: {}", command.input,
                              split.train.graphs.size(), split.train.examples.size(), split.valid.graphs.size(), split.valid.examples.size(),
                              schema.edge_types.size(), name_of(schema.answer)));
    TrainHooks hooks;
    hooks.progress = &progress;
    hooks.checkpoint = command.output + ".checkpoint";
    hooks.resume = command.resume;
    hooks.checkpoint_seconds = command.checkpoint_seconds;
    hooks.fingerprint = fingerprint(split);
    ThreadPool pool(command.threads);
    Model model = train(split.train, split.valid, options, pool, hooks);
    model.feature_scale = scales.feature_scale;
    model.value_mean = scales.value_mean;
    model.value_scale = scales.value_scale;
    model.training["targets"] = command.targets;
    save_model(model, command.output);
    ::unlink(hooks.checkpoint.c_str());
    progress.line(fmt::format("{}: {}, {:.1f} s", command.output, summary(model), progress.seconds()));
    return 0;
}

} // namespace ggsnn
