#include "ggsnn/verify/run/runs.hpp"

#include "ggsnn/base/error.hpp"
#include "ggsnn/logic/satisfy.hpp"

#include <algorithm>

namespace ggsnn::verify {

namespace {

bool null_dereference(const Run& run) {
    return run.fault.kind == Fault::Kind::null_dereference;
}

// Whether some run starts with a pointer NULL, and all that do end by dereferencing NULL.
bool some_argument_needed(const Program& program, const Runs& runs) {
    const Function& f = program.functions[static_cast<std::size_t>(runs.function)];
    for (int p = 0; p < f.parameters; ++p) {
        if (f.variables[static_cast<std::size_t>(p)].type.kind != Type::Kind::pointer) continue;
        int null = 0, failed = 0;
        for (std::size_t i = 0; i < runs.inputs.size(); ++i) {
            if (runs.inputs[i].parameters[static_cast<std::size_t>(p)] != Value::of_number(0)) continue;
            ++null;
            failed += null_dereference(runs.runs[i]) ? 1 : 0;
        }
        if (null > 0 && failed == null) return true;
    }
    return false;
}

} // namespace

int Runs::first_fault() const {
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (is_error(runs[i].fault.kind) && !runs[i].guessed) return static_cast<int>(i);
    return -1;
}

bool Runs::some_limit() const {
    return std::any_of(runs.begin(), runs.end(),
                       [](const Run& r) { return r.fault.kind == Fault::Kind::limit; });
}

Runs collect_runs(const Program& program, int function, const logic::Formula& precondition,
                  const RunOptions& options) {
    Runs all;
    all.function = function;
    all.precondition = precondition;
    all.functions_given = options.inputs.functions_given;
    InputOptions inputs = options.inputs;
    if (!inputs.deadline) inputs.deadline = options.limits.deadline;
    all.inputs = make_inputs(program, function, precondition, inputs);
    const bool whole = program.functions[static_cast<std::size_t>(function)].name == "main";
    for (const Input& input : all.inputs) {
        if (options.limits.deadline && std::chrono::steady_clock::now() > *options.limits.deadline) break;
        all.runs.push_back(interpret(program, function, input, options.limits));
        if (whole && all.runs.back().deterministic) break; // all others are the same
    }
    all.out_of_time = all.runs.size() < all.inputs.size();
    if (whole && !all.runs.empty() && all.runs.back().deterministic) all.out_of_time = false;
    all.inputs.resize(all.runs.size());
    return all;
}

namespace {

// Where runs fault under what was assumed: other structures of the same types, if no run faults under them.
Runs other_assumption(const Program& program, int function, Runs all, const RunOptions& options) {
    if (all.first_fault() < 0) return all;
    for (const logic::Formula& other : other_preconditions(program, function)) {
        Runs again = collect_runs(program, function, other, options);
        if (again.runs.empty() || again.first_fault() >= 0 || again.some_limit()) continue;
        again.assumed = true;
        return again;
    }
    return all;
}

} // namespace

Runs collect_runs(const Program& program, int function, const RunOptions& options) {
    const Function& f = program.functions[static_cast<std::size_t>(function)];
    Runs all = collect_runs(program, function, precondition_of(program, function), options);
    all.assumed = !f.requires_.has_value();
    if (!all.assumed || !options.strengthen || f.name == "main" || all.first_fault() < 0) return all;
    if (!some_argument_needed(program, all))
        return other_assumption(program, function, std::move(all), options);
    for (const logic::Formula& stronger : stronger_preconditions(program, function)) {
        Runs again = collect_runs(program, function, stronger, options);
        if (again.runs.empty() || std::any_of(again.runs.begin(), again.runs.end(), null_dereference))
            continue;
        again.assumed = true;
        return other_assumption(program, function, std::move(again), options);
    }
    return other_assumption(program, function, std::move(all), options);
}

int first_violation(const Program& program, const Runs& runs) {
    const Function& f = program.functions[static_cast<std::size_t>(runs.function)];
    if (!f.ensures) return -1;
    const logic::Checker checker(*f.ensures);
    for (std::size_t i = 0; i < runs.runs.size(); ++i)
        for (const Snapshot& s : runs.runs[i].snapshots)
            if (s.where == Snapshot::Where::give && s.call == 0 && checker(s.heap) == logic::Truth::no)
                return static_cast<int>(i);
    return -1;
}

std::string fault_text(const Program& program, const Fault& fault) {
    const auto file = static_cast<std::size_t>(fault.position.file);
    const std::string& path = file > 0 && file < program.files.size() ? program.files[file] : program.path;
    return fmt::format("{}:{}:{}: in {}: {}: {}", path, fault.position.line, fault.position.column,
                       program.functions[static_cast<std::size_t>(fault.function)].name,
                       fault_name(fault.kind), fault.reason);
}

} // namespace ggsnn::verify
