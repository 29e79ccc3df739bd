#include "ggsnn/verify/verify_file.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/guard.hpp"
#include "ggsnn/verify/cache/cache.hpp"
#include "ggsnn/verify/cache/digest.hpp"
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

// What all verdicts depend on besides the program.
std::string salt_of(const FileOptions& command) {
    const auto& [flags, compile_commands, specification, functions, infer, allocation_may_fail, proof_only,
                 assertions, cleanup, page, replay, view, memory, timeout, seed, cache, jobs] = command;
    // What it was read with shows in the program; functions are asked for one by one; the rest is not asked,
    // or changes nothing.
    return fmt::format("{} {} {} {} {} {} {} {}", build_id(), allocation_may_fail, proof_only, assertions,
                       cleanup, memory, timeout, seed);
}

// The answer of an earlier run to a program that is judged as a whole, while it lives; what it was asked by.
class KnownFile {
  public:
    KnownFile(const VerdictCache* cache, const Program& program, const FileOptions& command,
              const std::string& shown)
        : cache_(cache), command_(command) {
        const bool main = command.functions.empty() && program.function_called("main") >= 0;
        if (cache == nullptr || (!main && program.contracts.empty())) {
            cache_ = nullptr;
            return;
        }
        key_ = "file\n" + shown + "\n";
        for (const std::string& name : command.functions) key_ += name + "\n";
        key_ += digest_of(program);
    }
    std::optional<FileResult> find() const {
        if (cache_ == nullptr) return std::nullopt;
        const auto found = cache_->find(key_);
        if (!found || !found->is_string()) return std::nullopt;
        return decoded(found->get<std::string>());
    }
    // What a limit of time may have had a say in is looked at again.
    void keep(const FileResult& result, double seconds) const {
        if (cache_ == nullptr || (result.outcome == FileOutcome::unknown && seconds > command_.timeout / 10))
            return;
        cache_->keep(key_, encoded(result));
    }

  private:
    const VerdictCache* cache_;
    const FileOptions& command_;
    std::string key_;
};

std::optional<VerdictCache> cache_of(const FileOptions& command) {
    if (command.cache.empty() || command.infer || command.page || command.replay || command.view)
        return std::nullopt;
    return std::optional<VerdictCache>(std::in_place, command.cache, salt_of(command));
}

std::string shown_name(const FileTask& task) {
    return task.shown.empty() ? base_name(task.path) : task.shown;
}

FileResult one_file(const FileTask& task, const FileOptions& command, const Inference& inference) {
    const std::string& path = task.path;
    const std::optional<std::string>& source = task.text;
    const std::string shown = shown_name(task);
    FileResult result;
    try {
        VerifyOptions options;
        options.prove = !command.infer;
        options.proof_only = command.proof_only;
        options.assertions = command.assertions;
        options.cleanup = command.cleanup;
        options.jobs = command.jobs;
        options.trace = command.page || command.view;
        options.proof.allocation_may_fail = command.allocation_may_fail;
        options.runs.inputs.seed = command.seed;
        options.functions = {command.functions.begin(), command.functions.end()};
        const auto begin = std::chrono::steady_clock::now();
        Program program = read(path, source, command);
        if (!command.specification.empty()) read_specification(command.specification, program);
        const std::optional<VerdictCache> cache = cache_of(command);
        options.cache = cache ? &*cache : nullptr;
        const KnownFile known(options.cache, program, command, shown);
        if (auto found = known.find()) return *found;
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        options.seconds = std::max(0.1, command.timeout - spent.count());
        const ProgramReport report = verify_program(program, inference, options);
        if (report.functions.empty()) fail("{}: no function with a body", path);
        if (!command.infer)
            result.outcome = report.some_unsafe()  ? FileOutcome::bad
                             : report.all_proved() ? FileOutcome::proved
                                                   : FileOutcome::unknown;
        result.report = {{"file", path}, {"functions", OrderedJson::array()}, {"notes", report.notes}};
        std::string text;
        for (const FunctionReport& f : report.functions) {
            describe(shown, f, command.infer, text);
            result.report["functions"].push_back(to_json(f));
        }
        for (const std::string& note : report.notes) text += fmt::format("{}: note: {}\n", shown, note);
        result.text = text;
        known.keep(result, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        if (cache && !cache->trouble().empty()) result.message = "cache: " + cache->trouble();
        if (command.page) result.page = verify_section(report, page_source(path, source), true);
        if (command.view) result.view = program_view(program, report, options.runs.limits);
        try {
            if (command.replay && source && path == "stdin")
                result.message = "no replay: it includes the program, which must be a file for that";
            else if (command.replay)
                result.replay = replay_of(program, report);
        } catch (const Error& error) {
            result.message = fmt::format("no replay: {}", error.what());
        }
    } catch (const UsageError& error) {
        result.usage = error.what();
    } catch (const Error& error) {
        // Other files are still verified.
        result.outcome = FileOutcome::bad;
        result.message = error.what();
        result.report = {{"file", path}, {"error", error.what()}};
    }
    return result;
}

// What came of a file's process.
FileResult result_of(const FileTask& task, const FileOptions& command, const Guarded& guarded) {
    if (guarded.end == Guarded::End::done) return decoded(guarded.result);
    const std::string reason =
        guarded.end == Guarded::End::time ? fmt::format("no answer within the limit of {} s", command.timeout)
        : guarded.end == Guarded::End::out_of_memory
            ? "it needs more memory than it may have"
            : fmt::format("the verifier itself failed (signal {}): please report this program",
                          guarded.signal);
    FileResult result;
    result.outcome = FileOutcome::unknown;
    result.text = fmt::format("{}  unknown: {}\n", shown_name(task), reason);
    result.report = {{"file", task.path}, {"functions", OrderedJson::array()}, {"unknown", reason}};
    return result;
}

} // namespace

PageSection page_section(const std::string& shown, const FileResult& result) {
    return {section_id(shown), shown,
            result.outcome == FileOutcome::proved ? "proved"
            : result.outcome == FileOutcome::bad  ? "unsafe"
                                                  : "unknown",
            result.page.empty() ? "<p>It could not be read.</p>\n" : result.page};
}

std::string encoded(const FileResult& result) {
    const OrderedJson json{{"code", result.outcome},  {"text", result.text}, {"message", result.message},
                           {"usage", result.usage},   {"page", result.page}, {"replay", result.replay},
                           {"report", result.report}, {"view", result.view}};
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

FileResult decoded(const std::string& bytes) {
    OrderedJson json = OrderedJson::parse(bytes);
    return {json["code"], json["text"],   json["message"], json["usage"],
            json["page"], json["replay"], json["report"],  json["view"]};
}

void verify_files(const std::vector<FileTask>& tasks, const FileOptions& options, const Inference& inference,
                  const std::function<void(std::size_t, FileResult)>& told) {
    constexpr double grace = 0.4; // for what looks at the clock by itself
    const std::size_t jobs = static_cast<std::size_t>(std::max(1, options.jobs));
    const std::size_t at_once = std::min(jobs, std::max<std::size_t>(1, tasks.size()));
    FileOptions each = options;
    each.jobs = static_cast<int>(jobs / at_once);
    run_guarded(
        tasks.size(), at_once, [&](std::size_t t) { return encoded(one_file(tasks[t], each, inference)); },
        options.timeout + grace, options.memory,
        [&](std::size_t t, const Guarded& guarded) { told(t, result_of(tasks[t], options, guarded)); });
}

FileResult verify_file(const std::string& path, const std::optional<std::string>& text,
                       const FileOptions& options, const Inference& inference) {
    FileResult result;
    verify_files({{path, text, ""}}, options, inference,
                 [&](std::size_t, FileResult one) { result = std::move(one); });
    if (!result.usage.empty()) throw UsageError(result.usage);
    return result;
}

} // namespace ggsnn::verify
