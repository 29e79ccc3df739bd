#include "ggsnn/tasks/generate.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/cli/commands.hpp"

namespace ggsnn {

int run_generate(const GenerateCommand& command) {
    if (command.observed && command.task != "eulerian-circuit")
        throw UsageError("--observed is for eulerian-circuit");
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
