#include "ggsnn/tasks/generate.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/cli/commands.hpp"
#include "ggsnn/tasks/generate_citations.hpp"

namespace ggsnn {

int run_generate(const GenerateCommand& command) {
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
    const GenerateOptions options{command.task, command.count, command.seed, command.scale};
    TextWriter out(command.output);
    if (command.observed) {
        generate_stories(options, [&](const Story& story) { out.write(observed_circuit(story)); });
    } else {
        generate(options, [&](std::string_view text) { out.write(text); });
    }
    out.close();
    return 0;
}

} // namespace ggsnn
