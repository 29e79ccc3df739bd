#include "ggsnn/tasks/generate.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/cli/commands.hpp"
#include "ggsnn/tasks/algorithms.hpp"
#include "ggsnn/tasks/generate_citations.hpp"

#include <algorithm>

namespace ggsnn {

namespace {

int generate_graphs(const GenerateCommand& command) {
    if (command.scale != 1) throw UsageError("--scale has no meaning for " + command.task + "; --nodes has");
    TextWriter out(command.output);
    AlgorithmOptions options{.task = command.task, .count = command.count, .seed = command.seed};
    options.family = command.family.empty() ? "all" : command.family;
    if (command.nodes > 0) options.nodes = command.nodes;
    options.hints = command.hints;
    generate_algorithm(options, [&](const Record& record) { out.write(to_json_line(record)); });
    out.close();
    return 0;
}

void check_flags(const GenerateCommand& command, bool algorithm) {
    const bool walk = command.task == "shortest-path" || command.task == "eulerian-circuit";
    if (!algorithm && (!command.family.empty() || command.nodes > 0))
        throw UsageError(fmt::format("--family and --nodes are for {}", fmt::join(algorithm_names(), ", ")));
    if (command.hints && !algorithm && !walk)
        throw UsageError(fmt::format("--hints is for {}, shortest-path and eulerian-circuit",
                                     fmt::join(algorithm_names(), ", ")));
    if (command.hints && command.observed) throw UsageError("expected either --hints or --observed");
}

} // namespace

int run_generate(const GenerateCommand& command) {
    const auto& algorithms = algorithm_names();
    const bool algorithm = std::find(algorithms.begin(), algorithms.end(), command.task) != algorithms.end();
    check_flags(command, algorithm);
    if (command.observed && command.task != "eulerian-circuit")
        throw UsageError("--observed is for eulerian-circuit");
    if (command.task.ends_with("-size")) {
        if (command.scale != 1) throw UsageError("--scale has no meaning for " + command.task);
        TextWriter out(command.output);
        for (long i = 0; i < command.count; ++i)
            out.write(to_json_line(generate_citations(citation_shape(command.task),
                                                      command.seed + static_cast<std::uint64_t>(i))));
        out.close();
        return 0;
    }
    if (algorithm) return generate_graphs(command);
    const GenerateOptions options{command.task, command.count, command.seed, command.scale};
    TextWriter out(command.output);
    if (command.hints) {
        generate_stories(options,
                         [&](const Story& story) { out.write(to_json_line(walk_record(story, true))); });
    } else if (command.observed) {
        generate_stories(options, [&](const Story& story) { out.write(observed_circuit(story)); });
    } else {
        generate(options, [&](std::string_view text) { out.write(text); });
    }
    out.close();
    return 0;
}

} // namespace ggsnn
