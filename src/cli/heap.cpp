// ggsnn heap: generate, train, evaluate and predict for heaps and the formulas of their shapes.
#include "ggsnn/cli/heap.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/progress.hpp"
#include "ggsnn/base/threads.hpp"
#include "ggsnn/nn/train/checkpoint.hpp"
#include "ggsnn/shapes/heap_data.hpp"
#include "ggsnn/shapes/learn.hpp"
#include "ggsnn/shapes/shape_json.hpp"
#include "ggsnn/shapes/shipped.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

namespace ggsnn {

namespace {

using namespace shapes;

constexpr std::size_t piece_heaps = 4096; // read and answered at a time: memory does not grow with the file

// "2-9"
std::pair<int, int> range_of(const std::string& text, const char* option) {
    int low = 0, high = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%d-%d%c", &low, &high, &rest) != 2 || low < 1 || high < low ||
        high > 1000000)
        throw UsageError(fmt::format("{} {}; expected two numbers such as 1-8", option, text));
    return {low, high};
}

ShapeModel model_for(const HeapAnswerCommand& command, Grammar of_data) {
    if (!command.model.empty()) return load_shape_model(command.model);
    return shipped_model(of_data);
}

void print_trace(const Candidate& candidate) {
    for (const TraceStep& step : candidate.trace) {
        std::string scores;
        for (const auto& [name, score] : step.scores) scores += fmt::format("  {} {:.3f}", name, score);
        std::printf("  %*sline %2d  %-9s  %s%s%s\n", 2 * step.depth, "", step.line, name_of(step.decision),
                    step.about.empty() ? "" : (step.about + ": ").c_str(), step.outcome.c_str(),
                    scores.c_str());
    }
}

void print_answer(const HeapAnswerCommand& command, const std::string& name, const Group& group,
                  const ShapeAnswer& answer) {
    if (!command.json) {
        std::printf("%s%s%s%s\n", name.c_str(), name.empty() ? "" : ": ", text_of(answer.checked).c_str(),
                    answer.checked_holds ? "" : "   (does not hold: the network's best guess)");
        if (command.trace) print_trace(answer.checked);
        return;
    }
    OrderedJson json;
    if (!name.empty()) json["group"] = name;
    json.update(answer_json(group, answer, command.trace));
    std::printf("%s\n", json.dump().c_str());
}

// Heaps of one group lie together or apart in the file; a heap without a group stands alone, or
// --together of them.
struct Grouped {
    std::vector<Group> groups;
    std::vector<std::string> names;
};

Grouped group_heaps(const std::vector<LabelledHeap>& heaps, std::size_t together) {
    Grouped out;
    std::map<std::string, std::size_t> known;
    std::size_t open = SIZE_MAX;
    for (const LabelledHeap& item : heaps) {
        std::size_t at = open;
        if (!item.group.empty()) {
            at = known.emplace(item.group, out.groups.size()).first->second;
        } else if (open == SIZE_MAX || out.groups[open].size() >= together) {
            at = open = out.groups.size();
        }
        if (at == out.groups.size()) {
            out.groups.emplace_back();
            out.names.push_back(item.group);
        }
        const auto names_of = [](const logic::Heap& heap) {
            std::vector<std::string> names;
            for (const auto& variable : heap.variables) names.push_back(variable.first);
            return names;
        };
        if (!out.groups[at].empty() && names_of(item.heap) != names_of(*out.groups[at][0]))
            fail_at(item.place, "its variables are {}, those of its group's first heap {}; expected the same",
                    fmt::join(names_of(item.heap), ", "), fmt::join(names_of(*out.groups[at][0]), ", "));
        out.groups[at].push_back(&item.heap);
    }
    return out;
}

std::vector<LabelledHeap> read_all(const HeapAnswerCommand& command, bool need_formula) {
    std::vector<LabelledHeap> heaps;
    long index = 0;
    read_labelled(command.input, need_formula, [&](LabelledHeap&& item) {
        if (index >= command.skip && (command.count == 0 || index < command.skip + command.count))
            heaps.push_back(std::move(item));
        ++index;
    });
    if (heaps.empty()) fail("{}: no heaps", command.input);
    return heaps;
}

// Links back, or a formula with another predicate than ls and tree: wide; `val`: nested.
Grammar grammar_of(const std::vector<LabelledHeap>& heaps) {
    const auto any = [&](const char* field) {
        return std::any_of(heaps.begin(), heaps.end(),
                           [&](const LabelledHeap& item) { return item.heap.find_field(field) >= 0; });
    };
    const bool wide_label = std::any_of(heaps.begin(), heaps.end(), [](const LabelledHeap& item) {
        return item.formula && is_wide(item.formula->heaps[0]);
    });
    return wide_label || any("prev") || any("parent") ? Grammar::of_all() : Grammar(any("val"));
}

// All formulas over the variables of the data, as the ceiling counts them; none where the data is of another
// kind.
std::vector<logic::Formula> space_for(const Batches& data, Grammar grammar) {
    if (grammar.wide) return {}; // a doubly-linked list is a list as well: heaps do not tell formulas apart
    logic::ShapeSpace space = space_of(grammar.nested, false);
    for (const Group& group : data.groups)
        for (const logic::Heap* heap : group) {
            if (heap->variables.size() != space.variables.size()) return {};
            for (std::size_t i = 0; i < space.variables.size(); ++i)
                if (heap->variables[i].first != space.variables[i]) return {};
        }
    std::vector<logic::Formula> formulas = logic::enumerate_shapes(space);
    std::set<std::string> texts;
    for (const logic::Formula& formula : formulas)
        texts.insert(logic::print(logic::canonical(formula), logic::Reading::shape));
    for (const logic::Formula* label : data.labels)
        if (!texts.contains(logic::print(*label, logic::Reading::shape))) return {};
    return formulas;
}

} // namespace

int run_heap_generate(const HeapGenerateCommand& command) {
    catch_interrupts();
    Progress progress(command.quiet);
    if (command.kind == "flat-stress" || command.kind == "nested-stress") {
        generate_stress({command.kind == "nested-stress",
                         static_cast<std::size_t>(command.graphs.value_or(2000)), command.scale,
                         command.seed},
                        command.output);
        return 0;
    }
    HeapDataOptions options;
    options.nested = command.kind == "nested";
    options.wide = command.kind == "wide";
    options.formulas = static_cast<std::size_t>(command.formulas.value_or(options.wide ? 900 : 327));
    options.graphs = command.graphs.value_or(options.wide ? 30 : 498);
    options.split = command.split == "formula" ? logic::SplitBy::formula : logic::SplitBy::renaming;
    options.cycles = command.cycles;
    options.seed = command.seed;
    options.sizes.val = options.nested;
    if (!command.sizes.empty())
        std::tie(options.sizes.least, options.sizes.most) = range_of(command.sizes, "--sizes");
    if (!command.body_sizes.empty())
        std::tie(options.sizes.body_least, options.sizes.body_most) =
            range_of(command.body_sizes, "--body-sizes");
    ThreadPool pool(command.threads);
    generate_heaps(options, command.output, pool, progress);
    return 0;
}

int run_heap_train(const HeapTrainCommand& command) {
    catch_interrupts();
    Progress progress(command.quiet);
    LearnOptions options;
    options.seed = command.seed;
    options.updates = command.updates;
    options.restarts = command.restarts;
    options.state = command.state;
    options.batch = command.batch;
    options.learning_rate = command.learning_rate;
    LearnHooks hooks;
    hooks.progress = &progress;
    hooks.checkpoint = command.output + ".checkpoint";
    hooks.resume = command.resume;
    hooks.checkpoint_seconds = command.checkpoint_seconds;
    for (const Decision d : all_decisions) {
        const std::string path = fmt::format("{}.{}", hooks.checkpoint, name_of(d));
        if (command.fresh) std::remove(path.c_str());
        if (!command.resume) refuse_checkpoint(path);
    }
    ThreadPool pool(command.threads);
    const ShapeModel model = learn_shapes(command.input, options, pool, hooks);
    save_shape_model(model, command.output);
    progress.line(fmt::format("{}: {} shapes, {} parameters, {:.1f} s", command.output,
                              name_of(model.grammar), model.parameter_count(), progress.seconds()));
    return 0;
}

int run_heap_evaluate(const HeapAnswerCommand& command) {
    const std::vector<LabelledHeap> heaps = read_all(command, true);
    const ShapeModel model = model_for(command, grammar_of(heaps));
    ThreadPool pool(command.threads);
    ShapeOptions options;
    if (command.beam > 0) options.width = command.beam;
    const Batches data = batches(heaps, static_cast<std::size_t>(command.together));
    if (data.groups.empty()) fail("{}: no formula has {} heaps in a row", command.input, command.together);
    const NetworkDecider decider(model, command.steps);
    const auto answers = ShapePredictor(decider, options).predict(data.groups, pool);
    const ShapeScore result = score(data, answers, space_for(data, model.grammar), pool);
    OrderedJson json = result.to_json();
    json["together"] = command.together;
    if (command.json) {
        std::printf("%s\n", json.dump().c_str());
        return 0;
    }
    for (const auto& [key, value] : json.items())
        std::printf("%-22s %s\n", key.c_str(),
                    value.is_number_float() ? fmt::format("{:.4f}", value.get<double>()).c_str()
                                            : value.dump().c_str());
    return 0;
}

int run_heap_predict(const HeapAnswerCommand& command) {
    const std::vector<LabelledHeap> heaps = read_all(command, false);
    const ShapeModel model = model_for(command, grammar_of(heaps));
    ThreadPool pool(command.threads);
    ShapeOptions options;
    options.trace = command.trace;
    if (command.beam > 0) options.width = command.beam;
    const Grouped grouped = group_heaps(heaps, static_cast<std::size_t>(command.together));
    const NetworkDecider decider(model, command.steps);
    const ShapePredictor predictor(decider, options);
    for (std::size_t begin = 0; begin < grouped.groups.size(); begin += piece_heaps) {
        const std::size_t end = std::min(grouped.groups.size(), begin + piece_heaps);
        const std::vector<Group> piece(grouped.groups.begin() + static_cast<std::ptrdiff_t>(begin),
                                       grouped.groups.begin() + static_cast<std::ptrdiff_t>(end));
        const auto answers = predictor.predict(piece, pool);
        for (std::size_t i = 0; i < piece.size(); ++i)
            print_answer(command, grouped.names[begin + i], piece[i], answers[i]);
    }
    return 0;
}

bool is_about_heaps(const std::string& model, const std::string& input) {
    if (!model.empty()) return shapes::is_shape_model(model);
    return std::filesystem::is_regular_file(input) && shapes::holds_heaps(input);
}

} // namespace ggsnn
