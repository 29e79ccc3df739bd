// show: the pictures of the page without a server, as one file that needs nothing, or as SVG.
#include "ggsnn/base/files.hpp"
#include "ggsnn/cli/registration.hpp"
#include "ggsnn/nn/train/log.hpp"
#include "ggsnn/serve/page.hpp"
#include "ggsnn/serve/views.hpp"

#include <filesystem>

namespace ggsnn {

namespace {

enum class Shown { program, formula, run, graph };

bool is_formula_file(const std::string& input) {
    return input.ends_with(".smt2") || input.ends_with(".sl");
}

Shown kind_of_input(const std::string& input) {
    std::error_code ignored;
    if (!std::filesystem::exists(input, ignored)) {
        if (input.find("|-") != std::string::npos || input.find("⊢") != std::string::npos)
            return Shown::formula;
        fail("{}: no such file; expected a C file, a log of training, an SMT-LIB file, a model and its data, "
             "or a text "
             "'A |- B'",
             input);
    }
    if (input.ends_with(".c") || input.ends_with(".i")) return Shown::program;
    if (is_formula_file(input)) return Shown::formula;
    return is_log(input) ? Shown::run : Shown::graph;
}

std::string text_of(const std::string& path) {
    return read_file(path, std::uint64_t{1} << 24);
}

struct Found {
    OrderedJson view;                  // for the page
    std::vector<std::string> pictures; // for --svg, the first is the one
};

Found show_programs(const ShowCommand& command) {
    const verify::Inference inference;
    Found found{{{"part", "programs"}, {"title", "ggsnn verify"}, {"answer", OrderedJson::array()}}, {}};
    for (const std::string& path : command.inputs) {
        serve::ProgramQuestion question;
        question.name = std::filesystem::path(path).filename().string();
        question.source = text_of(path);
        question.seconds = 30;
        found.view["answer"].push_back(serve::program_answer(question, inference));
        for (const OrderedJson& f : found.view["answer"].back()["functions"]) {
            if (f.contains("run")) found.pictures.push_back(f["run"]["end"]["svg"]);
            for (const OrderedJson& loop : f["loops"])
                for (const OrderedJson& heap : loop["snapshots"]) found.pictures.push_back(heap["svg"]);
        }
    }
    return found;
}

Found show_formula(const ShowCommand& command) {
    const std::string& input = command.inputs[0];
    const OrderedJson answer = serve::formula_answer(is_formula_file(input) ? text_of(input) : input, 10);
    Found found{{{"part", "formulas"}, {"title", "ggsnn prove"}, {"answer", answer}}, {}};
    if (answer.contains("heap")) found.pictures.push_back(answer["heap"]["svg"]);
    if (answer.contains("answers"))
        for (const OrderedJson& one : answer["answers"])
            if (one.contains("heap")) found.pictures.push_back(one["heap"]["svg"]);
    return found;
}

Found show_runs(const ShowCommand& command) {
    Found found{{{"part", "training"}, {"title", "ggsnn train"}, {"answer", OrderedJson::array()}}, {}};
    for (const std::string& path : command.inputs) {
        OrderedJson view = serve::training_view(path);
        view["name"] = std::filesystem::path(path).filename().string();
        found.view["answer"].push_back(std::move(view));
    }
    return found;
}

Found show_graph(const ShowCommand& command) {
    if (command.inputs.size() != 2)
        throw UsageError("show takes C files, logs of training, one formula, or a model and its data: ggsnn "
                         "show MODEL DATA");
    serve::GraphQuestion question;
    question.text = text_of(command.inputs[1]);
    question.number = static_cast<std::size_t>(command.question - 1);
    const OrderedJson answer = serve::graph_answer(load_to_answer(command.inputs[0]), question);
    Found found{{{"part", "graphs"}, {"title", "ggsnn explain"}, {"answer", answer}}, {}};
    if (answer["why"].contains("svg")) found.pictures.push_back(answer["why"]["svg"]);
    return found;
}

// Pictures of the page have no style of their own; one in a file needs it.
std::string with_style(std::string svg) {
    const std::size_t end = svg.find('>');
    if (svg.find("<style>") == std::string::npos && end != std::string::npos)
        svg.insert(end + 1, fmt::format("<style>{}</style>", serve::asset("pictures.css").content));
    return svg;
}

} // namespace

int run_show(const ShowCommand& command) {
    if (command.output.empty() && command.svg.empty())
        throw UsageError("show needs -o page.html or --svg picture.svg");
    const Shown kind = kind_of_input(command.inputs[0]);
    const Found found = kind == Shown::program   ? show_programs(command)
                        : kind == Shown::formula ? show_formula(command)
                        : kind == Shown::run     ? show_runs(command)
                                                 : show_graph(command);
    if (!command.svg.empty()) {
        if (kind == Shown::run) throw UsageError("--svg: curves are drawn by ggsnn plot");
        if (found.pictures.empty() || found.pictures[0].empty())
            fail("{}: there is no heap or graph to draw", command.inputs[0]);
        write_file(command.svg, with_style(found.pictures[0]));
    }
    if (!command.output.empty()) write_file(command.output, serve::standalone_page(found.view));
    return 0;
}

void add_show(CLI::App& app, Run& run) {
    auto* sub =
        app.add_subcommand("show", "Write what the page of serve shows as one file that needs nothing");
    auto o = std::make_shared<ShowCommand>();
    sub->add_option("inputs", o->inputs,
                    "C files; logs of training; a model and its data; an SMT-LIB file, a file of definitions "
                    "and entailments (.sl) or a text 'A |- B'")
        ->required();
    sub->add_option("-o,--output", o->output, "HTML file to write");
    sub->add_option("--svg", o->svg,
                    "Picture to write: the failing or first heap, the counter-heap, the explained graph");
    sub->add_option("--question", o->question, "Which question of the data, from 1")
        ->check(CLI::Range(1L, 1000000L))
        ->capture_default_str();
    sub->callback([o, &run] { run = [o] { return run_show(*o); }; });
}

} // namespace ggsnn
