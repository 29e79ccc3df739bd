// export: a trained model as a file for other programs (src/export).
#include "ggsnn/base/files.hpp"
#include "ggsnn/cli/registration.hpp"
#include "ggsnn/export/c.hpp"
#include "ggsnn/export/onnx.hpp"
#include "ggsnn/export/weights.hpp"

namespace ggsnn {

namespace {

// Which type of question an ONNX file answers.
int asked_question(const ExportCommand& command, const Model& model) {
    const Vocabulary& types = model.schema.question_types;
    if (command.question.empty() && types.size() == 1) return 0;
    if (command.question.empty())
        throw UsageError(fmt::format("{} has a network for each type of question; an ONNX file holds that of "
                                     "--question, one of {}",
                                     command.model, types.list()));
    const int found = types.find(command.question);
    if (found < 0)
        throw UsageError(
            fmt::format("--question {}: {} knows {}", command.question, command.model, types.list()));
    return found;
}

} // namespace

int run_export(const ExportCommand& command) {
    if (command.c.empty() && command.onnx.empty())
        throw UsageError("--onnx or --c is required: what to write");
    if (command.onnx.empty() && !command.question.empty())
        throw UsageError("--question has no meaning without --onnx: a C file answers all types of questions");
    const Model model = load_to_answer(command.model);
    check_exportable(model, command.model);
    if (!command.onnx.empty()) write_file(command.onnx, export_onnx(model, asked_question(command, model)));
    if (!command.c.empty()) write_file(command.c, export_c(model, c_prefix(command.c)));
    return 0;
}

void add_export(CLI::App& app, Run& run) {
    auto* sub = app.add_subcommand("export", "Write a model as a file for other programs");
    auto o = std::make_shared<ExportCommand>();
    sub->add_option("model", o->model, "Model file")->required();
    sub->add_option("--onnx", o->onnx, "Write an ONNX file (opset 17)");
    sub->add_option("--c", o->c, "Write one C99 file without dependencies; its names begin with its own");
    sub->add_option("--question", o->question,
                    "ONNX: the type of question to answer, where the model knows several");
    sub->callback([o, &run] { run = [o] { return run_export(*o); }; });
}

} // namespace ggsnn
