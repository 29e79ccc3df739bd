#include "tasks/generate.hpp"
#include "base/files.hpp"
#include "cli/commands.hpp"

namespace ggsnn {

int run_generate(const GenerateCommand& command) {
    const GenerateOptions options{command.task, command.count, command.seed, command.scale};
    TextWriter out(command.output);
    generate(options, [&](std::string_view text) { out.write(text); });
    out.close();
    return 0;
}

} // namespace ggsnn
