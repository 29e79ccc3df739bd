// export: a trained model as a file for other programs (src/export).
#include "ggsnn/base/files.hpp"
#include "ggsnn/cli/registration.hpp"
#include "ggsnn/export/c.hpp"
#include "ggsnn/export/weights.hpp"

namespace ggsnn {

int run_export(const ExportCommand& command) {
    if (command.c.empty()) throw UsageError("--c is required: what to write");
    const Model model = load_to_answer(command.model);
    check_exportable(model, command.model);
    if (!command.c.empty()) write_file(command.c, export_c(model, c_prefix(command.c)));
    return 0;
}

void add_export(CLI::App& app, Run& run) {
    auto* sub = app.add_subcommand("export", "Write a model as a file for other programs");
    auto o = std::make_shared<ExportCommand>();
    sub->add_option("model", o->model, "Model file")->required();
    sub->add_option("--c", o->c, "Write one C99 file without dependencies; its names begin with its own");
    sub->callback([o, &run] { run = [o] { return run_export(*o); }; });
}

} // namespace ggsnn
