// import: weights of other libraries' layers as a model (src/export/import.hpp).
#include "ggsnn/export/import.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/cli/registration.hpp"

namespace ggsnn {

int run_import(const ImportCommand& command) {
    if (command.pyg.empty() == command.dgl.empty())
        throw UsageError("expected one of --pyg and --dgl: a file of weights");
    if (command.messages == "max")
        throw UsageError("--messages max: sums and means of messages are what networks here have; "
                         "expected sum or mean");
    if (command.messages == "mean" && command.pyg.empty())
        throw UsageError("--messages mean has no meaning with --dgl, whose layer adds messages up");
    ImportOptions options;
    options.library = command.pyg.empty() ? Library::dgl : Library::pyg;
    options.layer = command.layer;
    options.linear = command.linear;
    options.features = command.features;
    options.steps = command.steps;
    options.mean = command.messages == "mean";
    options.edge_types = command.edge_types;
    options.classes = command.classes;
    const std::string& path = command.pyg.empty() ? command.dgl : command.pyg;
    save_model(import_layer(read_file(path), path, options), command.output);
    return 0;
}

void add_import(CLI::App& app, Run& run) {
    auto* sub = app.add_subcommand("import", "Make a model of another library's GatedGraphConv");
    auto o = std::make_shared<ImportCommand>();
    sub->add_option("--pyg", o->pyg, "Weights of PyTorch Geometric's layer, .safetensors or .npz");
    sub->add_option("--dgl", o->dgl, "Weights of DGL's layer, .safetensors or .npz");
    sub->add_option("-o,--output", o->output, "Model file to write")->required();
    sub->add_option("--layer", o->layer,
                    "Which layer of a larger network: what its tensors' names begin with, such as conv1");
    sub->add_option("--linear", o->linear,
                    "A linear layer that makes answers of the states; default: states are the answers");
    sub->add_option("--classes", o->classes, "With --linear: names of the classes that it scores")
        ->delimiter(',')
        ->allow_extra_args(false);
    sub->add_option("--features", o->features, "Numbers known of a node; default: as many as a state has")
        ->check(CLI::Range(1, 1 << 14));
    sub->add_option("--steps", o->steps, "DGL: n_steps, which the weights do not tell")
        ->check(CLI::Range(1, 10000));
    sub->add_option("--messages", o->messages, "PyTorch Geometric: its aggr, sum (add) or mean")
        ->check(CLI::IsMember({"sum", "mean", "max"}))
        ->capture_default_str();
    sub->add_option("--edge-types", o->edge_types, "Names of the edge types; default: edge, or 0, 1, ...")
        ->delimiter(',')
        ->allow_extra_args(false);
    sub->callback([o, &run] { run = [o] { return run_import(*o); }; });
}

} // namespace ggsnn
