#include "ggsnn/verify/verify_graphs.hpp"

#include "ggsnn/verify/graph/analyse.hpp"
#include "ggsnn/verify/graph/find.hpp"
#include "ggsnn/verify/graph/formula.hpp"
#include "ggsnn/verify/infer/study.hpp"
#include "ggsnn/verify/inline.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace ggsnn::verify {

namespace {

graph::AnalysisOptions analysis_options(const VerifyOptions& options) {
    graph::AnalysisOptions result;
    result.rules.assertions = options.assertions;
    result.rules.cleanup = options.cleanup;
    result.rules.allocation_may_fail = options.proof.allocation_may_fail;
    return result;
}

// What holds of a variable in all graphs, as an expression of C; empty: nothing that can be said.
std::string fact_of(const Variable& variable, std::size_t number,
                    const std::vector<const graph::State*>& states) {
    bool null = true, there = true, numbers = true;
    Interval range{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
    for (const graph::State* state : states) {
        const graph::Value& v = state->frames.back().variables[number];
        if (!v.known()) return "";
        null = null && v.is_number(0);
        const bool sure = v.is_address() && v.offset == 0 && v.symbol < 0 &&
                          (state->at(v.id).form == graph::Object::Form::block || state->at(v.id).least > 0);
        there = there && sure;
        numbers = numbers && v.base == graph::Value::Base::number;
        if (!numbers) continue;
        const Interval r = state->range(v);
        range = {std::min(range.low, r.low), std::max(range.high, r.high)};
    }
    if (variable.type.kind == Type::Kind::pointer)
        return null ? variable.name + " == 0" : there ? variable.name + " != 0" : "";
    if (variable.type.kind != Type::Kind::integer || !numbers || variable.type.bits < 2) return "";
    // Signs are not known here: bounds that mean the same for both.
    if (range.low < 0) return "";
    if (range.low == range.high) return fmt::format("{} == {}", variable.name, range.low);
    const Interval all = Interval::of_bits(variable.type.bits);
    if (range.high >= all.high) return range.low > 0 ? fmt::format("{} >= {}", variable.name, range.low) : "";
    return fmt::format("{} <= {} && {} <= {}", range.low, variable.name, variable.name, range.high);
}

// Loops of all functions that were entered; what several calls bring to one loop is told together.
void add_loops(const Program& program, const graph::Analysis& analysis, FunctionReport& report) {
    report.loops.clear();
    std::map<std::pair<int, int>, std::vector<const graph::State*>> arrived;
    for (const graph::LoopStates& one : analysis.loops)
        for (const graph::State& state : one.states) arrived[{one.function, one.block}].push_back(&state);
    for (const auto& [at, states] : arrived) {
        const Function& f = program.functions[static_cast<std::size_t>(at.first)];
        LoopReport loop;
        loop.function = f.name;
        loop.position = f.blocks[static_cast<std::size_t>(at.second)].position;
        loop.proved = analysis.proved;
        for (const graph::State* state : states) loop.graphs.push_back(state->text(program));
        for (const Loop& known : f.loops) {
            if (known.head != at.second) continue;
            loop.position = known.position;
            for (const int v : known.variables) {
                const auto number = static_cast<std::size_t>(v);
                const std::string fact = fact_of(f.variables[number], number, states);
                if (!fact.empty() && f.variables[number].name.find('.') == std::string::npos)
                    loop.facts.push_back(fact);
            }
        }
        report.loops.push_back(std::move(loop));
    }
}

std::string reason_of(const Program& program, const graph::Analysis& analysis) {
    const graph::Trouble& trouble = analysis.trouble;
    return trouble.position.line > 0
               ? fmt::format("{}: {}", graph::where(program, trouble.position), trouble.reason)
               : trouble.reason;
}

void take(const Program& program, const graph::Analysis& analysis, FunctionReport& report) {
    report.by_graphs = true;
    report.assumptions.assign(analysis.assumptions.begin(), analysis.assumptions.end());
    add_loops(program, analysis, report);
    if (analysis.proved) {
        report.verdict = Verdict::proved;
        report.reason.clear();
    } else {
        report.reason = reason_of(program, analysis);
    }
}

constexpr std::size_t most_callbacks = 3; // each doubles the number of starts

// Parameters that are pointers to functions, where something is called through a pointer.
std::vector<int> callbacks_of(const Program& program, int function) {
    const std::vector<char> called = called_from(program, function);
    bool any = false;
    for (std::size_t f = 0; f < called.size(); ++f)
        for (const Block& block : program.functions[f].blocks)
            for (const Instruction& i : block.instructions)
                any = any || (called[f] != 0 && i.kind == Instruction::Kind::indirect);
    std::vector<int> all;
    const Function& f = program.functions[static_cast<std::size_t>(function)];
    for (int p = 0; any && p < f.parameters; ++p)
        if (!f.variables[static_cast<std::size_t>(p)].signature.empty()) all.push_back(p);
    if (all.size() > most_callbacks) all.clear();
    return all;
}

bool same_place(const Position& a, const Position& b) {
    return a.line == b.line && a.column == b.column && a.file == b.file;
}

} // namespace

bool judge_on_graphs(const Program& program, int main, const VerifyOptions& options, const Deadline& deadline,
                     FunctionReport& report) {
    if (!program.constructors.empty() || !program.destructors.empty()) return false;
    const graph::AnalysisOptions analysis_limits = analysis_options(options);
    const graph::Analysis analysis =
        graph::analyse(program, main, analysis_limits, deadline.within(deadline.left() * 0.5));
    if (analysis.proved) {
        take(program, analysis, report);
        return true;
    }
    if (options.proof_only) return false;
    graph::FindOptions find;
    find.rules = analysis_limits.rules;
    find.limits = options.runs.limits;
    find.limits.assertions = options.assertions;
    find.limits.cleanup = options.cleanup;
    find.limits.take_snapshots = false;
    find.seed = options.runs.inputs.seed;
    auto found = graph::find_error(program, main, find, deadline.within(deadline.left() * 0.4));
    if (!found) return false;
    report.reason = fault_text(program, found->run.fault);
    report.verdict = Verdict::unsafe;
    report.bad_input = input_heap(program, main, found->input);
    report.bad_run = std::move(found->run);
    report.bad_start = std::move(found->input);
    return true;
}

bool judge_under(const Program& program, const VerifyOptions& options, const Deadline& deadline,
                 FunctionReport& report) {
    if (report.verdict != Verdict::unknown || report.bad_run ||
        program.functions[static_cast<std::size_t>(report.function)].ensures)
        return false;
    std::string trouble;
    const auto typed =
        typed_contract(program, report.function, report.requires_, logic::Formula{{{}}}, trouble);
    if (!typed) return false;
    // Each callback is NULL or a function that the caller gives: every choice is a proof of its own.
    const std::vector<int> callbacks = callbacks_of(program, report.function);
    graph::Analysis all;
    for (unsigned null = 0; null < 1U << callbacks.size(); ++null) {
        if (null > 0 && report.functions_given) break;
        std::map<int, graph::Value> values;
        for (std::size_t c = 0; c < callbacks.size(); ++c)
            values[callbacks[c]] =
                (null >> c & 1U) != 0 ? graph::Value::number(0) : graph::Value::given(callbacks[c]);
        const auto starts = graph::starts_under(program, report.function, typed->requires_, values);
        if (!starts) return false;
        if (starts->empty()) continue; // the precondition excludes it
        graph::Analysis analysis = graph::analyse_from(program, *starts, analysis_options(options), deadline);
        if (!analysis.proved) {
            // Of a call that the other proof does not follow at all, this one knows more.
            if (!callbacks.empty() && report.failure &&
                same_place(report.failure->position, analysis.trouble.position))
                report.reason = reason_of(program, analysis);
            return false;
        }
        all.proved = true;
        all.assumptions.merge(analysis.assumptions);
        for (graph::LoopStates& loop : analysis.loops) all.loops.push_back(std::move(loop));
    }
    if (!all.proved) return false;
    if (report.functions_given)
        for (const int p : callbacks)
            all.assumptions.insert(
                fmt::format("{} is not NULL", program.functions[static_cast<std::size_t>(report.function)]
                                                  .variables[static_cast<std::size_t>(p)]
                                                  .name));
    take(program, all, report);
    report.ensures.reset();
    report.failure.reset();
    return true;
}

void judge_written(const Program& program, const VerifyOptions& options, const Deadline& deadline,
                   std::vector<char>& wanted, std::vector<FunctionReport>& reports) {
    std::vector<int> judged;
    for (const WrittenContract& contract : program.contracts) {
        const int number = program.function_called(contract.function);
        if (number < 0 || wanted[static_cast<std::size_t>(number)] == 0) continue;
        const Function& f = program.functions[static_cast<std::size_t>(number)];
        FunctionReport& report = reports[static_cast<std::size_t>(number)];
        const double begin = deadline.left();
        report.name = f.name;
        report.function = number;
        report.position = f.position;
        report.written = contract.text;
        take(program,
             graph::analyse_under(program, number, contract, analysis_options(options),
                                  deadline.within(deadline.left() * 0.8)),
             report);
        report.seconds = begin - deadline.left();
        wanted[static_cast<std::size_t>(number)] = 0;
        judged.push_back(number);
    }
    // Contracts of functions that were not judged, or not proved, are no ground to stand on.
    for (const int number : judged) {
        FunctionReport& report = reports[static_cast<std::size_t>(number)];
        for (const Block& block : program.functions[static_cast<std::size_t>(number)].blocks)
            for (const Instruction& i : block.instructions) {
                if (i.kind != Instruction::Kind::call || report.verdict != Verdict::proved) continue;
                const bool by_contract =
                    std::any_of(program.contracts.begin(), program.contracts.end(),
                                [&](const WrittenContract& c) { return c.function == i.name; });
                const auto callee = static_cast<std::size_t>(i.callee);
                const bool looked_at = std::find(judged.begin(), judged.end(), i.callee) != judged.end();
                if (!by_contract || (looked_at && reports[callee].verdict == Verdict::proved)) continue;
                report.verdict = Verdict::unknown;
                report.reason = fmt::format("it relies on {}, which is not proved", i.name);
            }
    }
}

} // namespace ggsnn::verify
