#include "cli/verify.hpp"

#include "base/files.hpp"
#include "base/json.hpp"
#include "verify/read/read.hpp"
#include "verify/run/replay.hpp"
#include "verify/verify.hpp"
#include "verify/verify_page.hpp"

#include <chrono>
#include <cstdio>
#include <iostream>
#include <iterator>

namespace ggsnn::cli {

namespace {

using namespace verify;

std::string text_of(const logic::Formula& formula) {
    return logic::print(logic::canonical(formula), logic::Reading::program);
}

std::string base_name(const std::string& path) {
    const auto slash = path.find_last_of('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

OrderedJson to_json(const FunctionReport& f) {
    OrderedJson json{
        {"name", f.name}, {"line", f.position.line}, {"verdict", name_of(f.verdict)}, {"reason", f.reason}};
    json["requires"] = text_of(f.requires_);
    json["requires_assumed"] = f.requires_assumed;
    if (f.ensures) {
        json["ensures"] = text_of(*f.ensures);
        json["ensures_inferred"] = f.ensures_inferred;
    }
    json["loops"] = OrderedJson::array();
    for (const LoopReport& loop : f.loops) {
        OrderedJson entry{{"line", loop.position.line}};
        entry["invariant"] = loop.invariant ? OrderedJson(text_of(*loop.invariant)) : OrderedJson(nullptr);
        entry["proved"] = loop.proved;
        entry["run_through"] = loop.run_through;
        json["loops"].push_back(std::move(entry));
    }
    json["assumptions"] = f.assumptions;
    json["warnings"] = f.warnings;
    if (f.verdict == Verdict::proved) json["claim"] = claim_of(f);
    if (f.bad_input) {
        json["run"] = {{"input", logic::heap_to_json(*f.bad_input)},
                       {"fault", fault_name(f.bad_run->fault.kind)},
                       {"line", f.bad_run->fault.position.line},
                       {"heap", logic::heap_to_json(f.bad_run->fault.heap)}};
    }
    if (f.failure && f.failure->counter) json["counterexample"] = logic::heap_to_json(*f.failure->counter);
    json["runs"] = f.runs;
    json["seconds"] = f.seconds;
    return json;
}

void print_function(const std::string& file, const FunctionReport& f, bool infer) {
    if (f.requires_assumed)
        std::printf("%s:%d  %s  assumed: requires %s\n", file.c_str(), f.position.line, f.name.c_str(),
                    text_of(f.requires_).c_str());
    for (const LoopReport& loop : f.loops) {
        if (f.verdict == Verdict::unsafe || f.only_run) break;
        if (loop.run_through && !infer) {
            std::printf("%s:%d  loop  run through, round by round: it needs no invariant\n", file.c_str(),
                        loop.position.line);
            continue;
        }
        std::printf("%s:%d  loop  invariant  %s  %s\n", file.c_str(), loop.position.line,
                    loop.invariant ? text_of(*loop.invariant).c_str() : "none found",
                    infer         ? "(from runs, not proved)"
                    : loop.proved ? "proved inductive"
                                  : "not proved");
    }
    const std::string ensures = f.ensures && !f.whole ? "; ensures " + text_of(*f.ensures) : "";
    if (infer && f.verdict != Verdict::unsafe && f.reason.empty()) {
        std::printf("%s:%d  %s%s  (from runs, not proved)\n", file.c_str(), f.position.line, f.name.c_str(),
                    ensures.c_str());
        return;
    }
    switch (f.verdict) {
    case Verdict::proved:
        std::printf("%s:%d  %s  %s%s  proved\n", file.c_str(), f.position.line, f.name.c_str(),
                    claim_of(f).c_str(), ensures.c_str());
        break;
    case Verdict::unsafe:
        std::printf("%s:%d  %s  unsafe: %s\n    with this input: %s\n", file.c_str(), f.position.line,
                    f.name.c_str(), f.reason.c_str(), logic::heap_text(*f.bad_input).c_str());
        break;
    case Verdict::unknown:
        std::printf("%s:%d  %s  unknown: %s\n", file.c_str(), f.position.line, f.name.c_str(),
                    f.reason.c_str());
        if (f.bad_input)
            std::printf("    the input that fails: %s\n", logic::heap_text(*f.bad_input).c_str());
        if (f.failure && f.failure->counter)
            std::printf("    a heap that the proof cannot rule out: %s\n",
                        logic::heap_text(*f.failure->counter).c_str());
        break;
    }
    for (const std::string& assumption : f.assumptions) std::printf("    assumed: %s\n", assumption.c_str());
    for (const std::string& warning : f.warnings) std::printf("    warning: %s\n", warning.c_str());
}

} // namespace

namespace {

Program read(const std::string& path, const VerifyCommand& command, double seconds) {
    ReadOptions options;
    options.flags = command.flags;
    options.compile_commands = command.compile_commands;
    options.seconds = seconds;
    if (path != "-") return read_program(path, options);
    const std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
    return read_program_text(text, "stdin", options);
}

// The first function that is unsafe, as a program that shows it.
bool write_replay(const VerifyCommand& command, const Program& program, const ProgramReport& report) {
    for (const FunctionReport& f : report.functions) {
        if (f.verdict != Verdict::unsafe || !f.bad_run || !f.bad_start) continue;
        write_file(command.replay, replay_text(program, program.function_called(f.name), *f.bad_start, *f.bad_run));
        return true;
    }
    return false;
}

} // namespace

int run_verify(const VerifyCommand& command) {
    const Inference inference;
    VerifyOptions options;
    options.prove = !command.infer;
    options.trace = !command.html.empty();
    options.proof.allocation_may_fail = command.allocation_may_fail;
    options.runs.inputs.seed = command.seed;
    options.functions = {command.functions.begin(), command.functions.end()};
    bool unsafe = false, unknown = false, replayed = command.replay.empty();
    OrderedJson all = OrderedJson::array();
    std::vector<ProgramReport> reports;
    for (const std::string& path : command.inputs) {
        try {
            const auto begin = std::chrono::steady_clock::now();
            Program program = read(path, command, command.timeout);
            if (!command.specification.empty()) read_specification(command.specification, program);
            const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
            options.seconds = std::max(0.1, command.timeout - spent.count());
            ProgramReport report = verify_program(program, inference, options);
            if (report.functions.empty()) fail("{}: no function with a body", path);
            unsafe = unsafe || (!command.infer && report.some_unsafe());
            unknown = unknown || (!command.infer && !report.all_proved());
            if (!replayed) replayed = write_replay(command, program, report);
            OrderedJson json{{"file", path}, {"functions", OrderedJson::array()}, {"notes", report.notes}};
            for (const FunctionReport& f : report.functions) {
                if (!command.json) print_function(base_name(path), f, command.infer);
                json["functions"].push_back(to_json(f));
            }
            if (!command.json)
                for (const std::string& note : report.notes)
                    std::printf("%s: note: %s\n", base_name(path).c_str(), note.c_str());
            all.push_back(std::move(json));
            reports.push_back(std::move(report));
        } catch (const UsageError&) {
            throw;
        } catch (const Error& error) {
            // Other files are still verified.
            std::fprintf(stderr, "ggsnn: %s\n", error.what());
            all.push_back({{"file", path}, {"error", error.what()}});
            unsafe = true;
        }
        std::fflush(stdout);
    }
    if (command.json) std::printf("%s\n", (all.size() == 1 ? all[0] : all).dump().c_str());
    if (!command.html.empty()) write_file(command.html, verify_page(reports));
    return unsafe ? 1 : unknown ? 3 : 0;
}

} // namespace ggsnn::cli
