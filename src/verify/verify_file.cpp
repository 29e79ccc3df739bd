#include "ggsnn/verify/verify_file.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/guard.hpp"
#include "ggsnn/verify/read/read.hpp"
#include "ggsnn/verify/run/replay.hpp"
#include "ggsnn/verify/verify_page.hpp"
#include "ggsnn/verify/verify_view.hpp"

#include <algorithm>
#include <chrono>

namespace ggsnn::verify {

namespace {

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
        if (const std::string by = found_by(loop); !by.empty()) entry["found_by"] = by;
        if (!loop.graphs.empty()) entry["graphs"] = loop.graphs;
        if (loop.position.column > 0) entry["column"] = loop.position.column;
        if (!loop.function.empty()) entry["function"] = loop.function;
        if (!loop.facts.empty()) entry["facts"] = loop.facts;
        json["loops"].push_back(std::move(entry));
    }
    json["assumptions"] = f.assumptions;
    json["warnings"] = f.warnings;
    if (f.verdict == Verdict::proved) json["claim"] = claim_of(f);
    if (f.bad_input) {
        json["run"] = {{"input", logic::heap_to_json(*f.bad_input)},
                       {"fault", fault_name(f.bad_run->fault.kind)},
                       {"line", f.bad_run->fault.position.line},
                       {"column", f.bad_run->fault.position.column},
                       {"heap", logic::heap_to_json(f.bad_run->fault.heap)}};
    }
    if (f.failure && f.failure->counter) json["counterexample"] = logic::heap_to_json(*f.failure->counter);
    if (!f.written.empty()) json["contract"] = f.written;
    if (f.verdict == Verdict::unsafe && f.bad_run) json["property"] = property_of(f.bad_run->fault.kind);
    json["runs"] = f.runs;
    json["seconds"] = f.seconds;
    return json;
}

template <class... Parts>
void add(std::string& out, fmt::format_string<Parts...> format, Parts&&... parts) {
    out += fmt::format(format, std::forward<Parts>(parts)...);
}

// What people read of a function.
void describe(const std::string& file, const FunctionReport& f, bool infer, std::string& out) {
    if (f.requires_assumed)
        add(out, "{}:{}  {}  assumed: requires {}\n", file, f.position.line, f.name, text_of(f.requires_));
    for (const LoopReport& loop : f.loops) {
        if (f.verdict == Verdict::unsafe || f.only_run) break;
        if (loop.run_through && !infer) {
            add(out, "{}:{}  loop  run through, round by round: it needs no invariant\n", file,
                loop.position.line);
            continue;
        }
        if (f.by_graphs) {
            add(out, "{}:{}  loop  invariant  {} memory graph{}  proved inductive\n", file,
                loop.position.line, loop.graphs.size(), loop.graphs.size() == 1 ? "" : "s");
            continue;
        }
        add(out, "{}:{}  loop  invariant  {}  {}\n", file, loop.position.line,
            loop.invariant ? text_of(*loop.invariant) : "none found",
            infer         ? "(from runs, not proved)"
            : loop.proved ? "proved inductive"
                          : "not proved");
    }
    if (!f.written.empty()) add(out, "{}:{}  {}  contract  {}\n", file, f.position.line, f.name, f.written);
    const std::string ensures = f.ensures && !f.whole ? "; ensures " + text_of(*f.ensures) : "";
    if (infer && f.verdict != Verdict::unsafe && f.reason.empty()) {
        add(out, "{}:{}  {}{}  (from runs, not proved)\n", file, f.position.line, f.name, ensures);
        return;
    }
    switch (f.verdict) {
    case Verdict::proved:
        add(out, "{}:{}  {}  {}{}  proved\n", file, f.position.line, f.name, claim_of(f), ensures);
        break;
    case Verdict::unsafe:
        add(out, "{}:{}  {}  unsafe: {}\n    with this input: {}\n", file, f.position.line, f.name, f.reason,
            logic::heap_text(*f.bad_input));
        break;
    case Verdict::unknown:
        add(out, "{}:{}  {}  unknown: {}\n", file, f.position.line, f.name, f.reason);
        if (f.bad_input) add(out, "    the input that fails: {}\n", logic::heap_text(*f.bad_input));
        if (f.failure && f.failure->counter)
            add(out, "    a heap that the proof cannot rule out: {}\n",
                logic::heap_text(*f.failure->counter));
        break;
    }
    for (const std::string& assumption : f.assumptions) add(out, "    assumed: {}\n", assumption);
    for (const std::string& warning : f.warnings) add(out, "    warning: {}\n", warning);
}

Program read(const std::string& path, const std::optional<std::string>& source, const FileOptions& command) {
    ReadOptions options;
    options.flags = command.flags;
    options.compile_commands = command.compile_commands;
    options.seconds = command.timeout;
    return source ? read_program_text(*source, path, options) : read_program(path, options);
}

// The text that a page shows; empty where it cannot be read.
std::string page_source(const std::string& path, const std::optional<std::string>& source) {
    if (source) return *source;
    try {
        return read_file(path, 1 << 20);
    } catch (const Error&) {
        return "";
    }
}

// The first function that is unsafe, as a program that shows it; empty if there is none.
std::string replay_of(const Program& program, const ProgramReport& report) {
    for (const FunctionReport& f : report.functions)
        if (f.verdict == Verdict::unsafe && f.bad_run && f.bad_start)
            return replay_text(program, program.function_called(f.name), *f.bad_start, *f.bad_run);
    return "";
}

// The result as JSON, to come from another process.
OrderedJson one_file(const std::string& path, const std::optional<std::string>& source,
                     const FileOptions& command, const Inference& inference) {
    OrderedJson result{
        {"code", FileOutcome::proved}, {"text", ""}, {"message", ""}, {"page", ""}, {"replay", ""}};
    try {
        VerifyOptions options;
        options.prove = !command.infer;
        options.proof_only = command.proof_only;
        options.assertions = command.assertions;
        options.trace = command.page || command.view;
        options.proof.allocation_may_fail = command.allocation_may_fail;
        options.runs.inputs.seed = command.seed;
        options.functions = {command.functions.begin(), command.functions.end()};
        const auto begin = std::chrono::steady_clock::now();
        Program program = read(path, source, command);
        if (!command.specification.empty()) read_specification(command.specification, program);
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        options.seconds = std::max(0.1, command.timeout - spent.count());
        const ProgramReport report = verify_program(program, inference, options);
        if (report.functions.empty()) fail("{}: no function with a body", path);
        if (!command.infer)
            result["code"] = report.some_unsafe()  ? FileOutcome::bad
                             : report.all_proved() ? FileOutcome::proved
                                                   : FileOutcome::unknown;
        result["report"] = {{"file", path}, {"functions", OrderedJson::array()}, {"notes", report.notes}};
        std::string text;
        for (const FunctionReport& f : report.functions) {
            describe(base_name(path), f, command.infer, text);
            result["report"]["functions"].push_back(to_json(f));
        }
        for (const std::string& note : report.notes)
            text += fmt::format("{}: note: {}\n", base_name(path), note);
        result["text"] = text;
        if (command.page) result["page"] = verify_section(report, page_source(path, source), true);
        if (command.view) result["view"] = program_view(program, report, options.runs.limits);
        try {
            if (command.replay && source && path == "stdin")
                result["message"] = "no replay: it includes the program, which must be a file for that";
            else if (command.replay)
                result["replay"] = replay_of(program, report);
        } catch (const Error& error) {
            result["message"] = fmt::format("no replay: {}", error.what());
        }
    } catch (const UsageError& error) {
        result["usage"] = error.what();
    } catch (const Error& error) {
        // Other files are still verified.
        result["code"] = FileOutcome::bad;
        result["message"] = error.what();
        result["report"] = {{"file", path}, {"error", error.what()}};
    }
    return result;
}

OrderedJson guarded_file(const std::string& path, const std::optional<std::string>& source,
                         const FileOptions& command, const Inference& inference) {
    constexpr double grace = 0.4; // for what looks at the clock by itself
    const Guarded guarded = run_guarded(
        [&] {
            return one_file(path, source, command, inference)
                .dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
        },
        command.timeout + grace, command.memory);
    if (guarded.end == Guarded::End::done) return OrderedJson::parse(guarded.result);
    const std::string reason =
        guarded.end == Guarded::End::time ? fmt::format("no answer within the limit of {} s", command.timeout)
        : guarded.end == Guarded::End::out_of_memory
            ? "it needs more memory than it may have"
            : fmt::format("the verifier itself failed (signal {}): please report this program",
                          guarded.signal);
    return {{"code", FileOutcome::unknown},
            {"text", fmt::format("{}  unknown: {}\n", base_name(path), reason)},
            {"message", ""},
            {"page", ""},
            {"replay", ""},
            {"report", {{"file", path}, {"functions", OrderedJson::array()}, {"unknown", reason}}}};
}

} // namespace

PageSection page_section(const std::string& path, const FileResult& result) {
    const std::string title = base_name(path);
    return {section_id(title), title,
            result.outcome == FileOutcome::proved ? "proved"
            : result.outcome == FileOutcome::bad  ? "unsafe"
                                                  : "unknown",
            result.page.empty() ? "<p>It could not be read.</p>\n" : result.page};
}

FileResult verify_file(const std::string& path, const std::optional<std::string>& text,
                       const FileOptions& options, const Inference& inference) {
    OrderedJson json = guarded_file(path, text, options, inference);
    if (json.contains("usage")) throw UsageError(json["usage"].get<std::string>());
    return {json["code"],
            json["text"],
            json["message"],
            json["page"],
            json["replay"],
            json["report"],
            json.value("view", OrderedJson())};
}

} // namespace ggsnn::verify
