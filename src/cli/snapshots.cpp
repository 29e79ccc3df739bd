#include "ggsnn/cli/snapshots.hpp"

#include "ggsnn/base/error.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/verify/infer/preconditions.hpp"
#include "ggsnn/verify/read/read.hpp"

#include <cstdio>

namespace ggsnn::cli {

namespace {

using namespace verify;

void say(const std::string& text) {
    fmt::print(stderr, "ggsnn: {}\n", text);
}

std::string place(const Program& program, Position at) {
    return fmt::format("{}:{}:{}", program.path, at.line, at.column);
}

void write_run(const Program& program, const Runs& runs, std::size_t i, TextWriter& out) {
    const Function& f = program.functions[static_cast<std::size_t>(runs.function)];
    for (const Snapshot& snapshot : runs.runs[i].snapshots) {
        OrderedJson json = logic::heap_to_json(snapshot.heap);
        json["function"] = f.name;
        json["location"] = location_text(f, snapshot);
        json["run"] = i;
        if (snapshot.call > 0) json["call"] = snapshot.call;
        out.write(json.dump() + "\n");
    }
}

// False if the function could not be run.
bool one_function(const Program& program, int number, const SnapshotsOptions& options, TextWriter& out) {
    const Function& f = program.functions[static_cast<std::size_t>(number)];
    RunOptions run_options;
    run_options.inputs.seed = options.seed;
    run_options.inputs.inputs = options.inputs;
    const Runs runs = judge_runs(program, number, run_options).runs;
    const std::string assumed = logic::print(runs.precondition, logic::Reading::program);
    if (runs.assumed && assumed != "emp")
        say(fmt::format("{}: {}: assumed: requires {}", place(program, f.position), f.name, assumed));
    if (runs.inputs.empty()) {
        say(fmt::format("{}: {} is left out: no heap satisfies its precondition", place(program, f.position),
                        f.name));
        return false;
    }
    for (std::size_t i = 0; i < runs.runs.size(); ++i) write_run(program, runs, i, out);
    if (const int bad = runs.first_fault(); bad >= 0)
        say(fmt::format("{}; run {} from {}",
                        fault_text(program, runs.runs[static_cast<std::size_t>(bad)].fault), bad,
                        heap_text(input_heap(program, number, runs.inputs[static_cast<std::size_t>(bad)]))));
    if (const int bad = first_violation(program, runs); bad >= 0)
        say(fmt::format("{}: {}: what it ensures does not hold; run {} from {}", place(program, f.position),
                        f.name, bad,
                        heap_text(input_heap(program, number, runs.inputs[static_cast<std::size_t>(bad)]))));
    for (std::size_t i = 0; i < runs.runs.size(); ++i) {
        const Fault& fault = runs.runs[i].fault;
        if (!is_no_answer(fault.kind)) continue;
        say(fmt::format("{}; run {} is not finished", fault_text(program, fault), i));
        break;
    }
    return true;
}

} // namespace

int run_snapshots(const SnapshotsOptions& options) {
    Program program = read_program(options.input);
    if (!options.specification.empty()) read_specification(options.specification, program);
    bool found = options.function.empty(), some = false;
    TextWriter out(options.output);
    for (std::size_t f = 0; f < program.functions.size(); ++f) {
        if (!options.function.empty() && program.functions[f].name != options.function) continue;
        found = true;
        some |= one_function(program, static_cast<int>(f), options, out);
    }
    if (!found) fail("{}: no function '{}' with a body", options.input, options.function);
    if (!some) fail("{}: no function could be run", options.input);
    out.close();
    return 0;
}

} // namespace ggsnn::cli
