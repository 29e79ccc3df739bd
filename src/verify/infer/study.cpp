#include "ggsnn/verify/infer/study.hpp"

#include "ggsnn/logic/satisfy.hpp"
#include "ggsnn/verify/infer/preconditions.hpp"
#include "ggsnn/verify/liveness.hpp"
#include "ggsnn/verify/prove/typing.hpp"

#include <algorithm>

namespace ggsnn::verify {

using logic::Formula;
using logic::Heap;

namespace {

constexpr std::size_t shown_snapshots = 6, tried_postconditions = 6;
constexpr std::size_t most_names = 32; // that the networks are asked about
const Formula nothing{{{}}};           // emp

// Large heaps cost much, and say nothing that enough small ones do not say.
void keep_small(std::vector<Heap>& heaps) {
    constexpr std::size_t small = 60, enough = 12;
    const auto is_small = [](const Heap& heap) { return heap.nodes.size() <= small; };
    if (static_cast<std::size_t>(std::count_if(heaps.begin(), heaps.end(), is_small)) < enough) return;
    std::erase_if(heaps, [&](const Heap& heap) { return !is_small(heap); });
}

// The prover has no rule that puts a cell where a tree has its hole: it would look for a counter-model until
// its time is over. Walks down a tree are proved on memory graphs.
bool has_hole(const Formula& f) {
    return std::any_of(f.heaps.begin(), f.heaps.end(), [](const logic::SymbolicHeap& part) {
        return std::any_of(part.atoms.begin(), part.atoms.end(), [](const logic::Atom& atom) {
            return atom.kind == logic::Atom::Kind::treeseg || atom.kind == logic::Atom::Kind::ptreeseg;
        });
    });
}

// What a caller's block is called that nothing leads to any more.
const std::string lost_name = "lost'";

// Names what nothing leads to. False: there is more than one beginning of it.
bool name_lost(Heap& heap) {
    std::vector<char> reached(heap.nodes.size(), 0), inner(heap.nodes.size(), 0);
    std::vector<int> open;
    for (const auto& [name, node] : heap.variables) open.push_back(node);
    while (!open.empty()) {
        const auto at = static_cast<std::size_t>(open.back());
        open.pop_back();
        if (reached[at] != 0) continue;
        reached[at] = 1;
        for (const auto& [field, target] : heap.nodes[at].links) open.push_back(target);
    }
    for (std::size_t n = 1; n < heap.nodes.size(); ++n)
        for (const auto& [field, target] : heap.nodes[n].links)
            if (reached[n] == 0 && static_cast<std::size_t>(target) != n)
                inner[static_cast<std::size_t>(target)] = 1;
    int lost = 0, count = 0;
    for (std::size_t n = 1; n < heap.nodes.size(); ++n)
        if (reached[n] == 0 && inner[n] == 0 && heap.nodes[n].allocated) {
            lost = static_cast<int>(n);
            ++count;
        }
    if (count > 1) return false;
    heap.set_variable(lost_name, lost);
    return true;
}

bool calls_itself(const Function& function, int number) {
    return std::any_of(function.blocks.begin(), function.blocks.end(), [&](const Block& block) {
        return std::any_of(block.instructions.begin(), block.instructions.end(), [&](const Instruction& i) {
            return i.kind == Instruction::Kind::call && i.callee == number;
        });
    });
}

// Canonical, without pure parts.
Formula of_shape(Formula formula) {
    for (logic::SymbolicHeap& heap : formula.heaps) heap.pure.clear();
    return logic::canonical(formula);
}

// As a part of the formula that has no name.
Formula with_lost_bound(Formula formula) {
    for (logic::SymbolicHeap& heap : formula.heaps)
        if (logic::free_names(heap).contains(lost_name)) heap.exists.push_back(lost_name);
    return formula;
}

} // namespace

std::optional<Contract> typed_contract(const Program& program, int function, const Formula& requires_,
                                       const Formula& ensures, std::string& trouble) {
    const Function& f = program.functions[static_cast<std::size_t>(function)];
    NameTypes types = name_types(program, f, nullptr);
    for (int p = f.parameters - 1; p >= 0; --p)
        if (const Type& type = f.variables[static_cast<std::size_t>(p)].type;
            type.kind == Type::Kind::pointer && type.record >= 0)
            types[lost_name] = type.record; // most likely; a wrong one proves nothing
    Typed before = with_tags(requires_, types, program), after = with_tags(ensures, types, program);
    trouble = !before.trouble.empty()  ? "precondition: " + before.trouble
              : !after.trouble.empty() ? "postcondition: " + after.trouble
                                       : "";
    if (!trouble.empty()) return std::nullopt;
    return Contract{std::move(before.formula), std::move(after.formula)};
}

Study::Study(const Program& program, int number, bool called, const Inference& inference,
             const VerifyOptions& options, const Deadline& deadline, FunctionReport& report)
    : program_(program),
      function_(program.functions[static_cast<std::size_t>(number)]),
      number_(number),
      called_(called),
      inference_(inference),
      options_(options),
      deadline_(deadline),
      report_(report),
      live_(live_at_heads(function_)),
      assigned_(assigned_parameters(function_)) {
    report_.name = function_.name;
    report_.function = number;
    report_.position = function_.position;
    report_.requires_ = report_.whole ? nothing : function_.requires_ ? *function_.requires_ : nothing;
    report_.ensures = function_.ensures;
    report_.requires_assumed = !function_.requires_ && !report_.whole;
    for (const Loop& loop : function_.loops) {
        LoopReport& entry = report_.loops.emplace_back();
        entry.position = loop.position;
        entry.given = loop.invariant.has_value();
    }
    at_loop_.resize(function_.loops.size());
    sources_.resize(function_.loops.size());
}

bool Study::run() {
    RunOptions options = options_.runs;
    options.limits.deadline = deadline_.end();
    Judged judged;
    if (report_.whole) {
        judged.runs = collect_runs(program_, number_, nothing, options);
        judged.fault = judged.runs.first_fault();
    } else {
        judged = judge_runs(program_, number_, options);
    }
    const Runs& runs = judged.runs;
    report_.warnings = judged.warnings;
    report_.requires_ = runs.precondition;
    report_.requires_assumed = runs.assumed && !report_.whole;
    report_.functions_given = runs.functions_given;
    report_.runs = runs.runs.size();
    if (runs.inputs.empty()) {
        report_.reason = deadline_.passed() ? deadline_.text() : "no input satisfies its precondition";
        return false;
    }
    if (judged.fault >= 0 && !options_.proof_only) {
        const auto bad = static_cast<std::size_t>(judged.fault);
        report_.bad_run = runs.runs[bad];
        report_.bad_start = runs.inputs[bad];
        report_.bad_input = input_heap(program_, number_, runs.inputs[bad]);
        report_.reason = fault_text(program_, report_.bad_run->fault);
        report_.verdict = judged.own ? Verdict::unsafe : Verdict::unknown;
        if (!judged.own) report_.reason += "; " + judged.hint;
        return false;
    }
    for (const Run& run : runs.runs)
        if (run.fault.kind == Fault::Kind::limit && run.fault.reason.find("deep") != std::string::npos) {
            // A proof would hold for runs that come to an end, or have a stack without one.
            report_.reason =
                fmt::format("{}: recursion may not come to an end", fault_text(program_, run.fault));
            return false;
        }
    if (!options_.proof_only && !keeps_promise(runs)) return false;
    if (report_.whole && !options_.proof_only && runs.runs.size() == 1 && runs.runs[0].deterministic &&
        !runs.runs[0].guessed && !runs.out_of_time && runs.runs[0].safe() &&
        !options_.proof.allocation_may_fail) {
        report_.verdict = Verdict::proved;
        report_.only_run = true;
        report_.requires_assumed = false;
        if (runs.runs[0].allocations > 0) report_.assumptions.emplace_back("malloc and calloc succeed");
        return false;
    }
    collect(runs);
    return true;
}

// A postcondition that was given, on the runs.
bool Study::keeps_promise(const Runs& runs) {
    if (!function_.ensures || report_.whole) return true;
    const logic::Checker checker(*function_.ensures);
    for (std::size_t r = 0; r < runs.runs.size(); ++r)
        for (const Snapshot& snapshot : runs.runs[r].snapshots) {
            if (snapshot.where != Snapshot::Where::give || snapshot.call != 0 || runs.runs[r].guessed ||
                checker(snapshot.heap, {.steps = 1'000'000}) != logic::Truth::no)
                continue;
            report_.verdict = runs.assumed ? Verdict::unknown : Verdict::unsafe;
            report_.bad_run = runs.runs[r];
            report_.bad_start = runs.inputs[r];
            report_.bad_input = input_heap(program_, number_, runs.inputs[r]);
            if (report_.bad_run->fault.kind == Fault::Kind::lost) { // it promised to keep, or to free, them
                report_.bad_run->fault.kind = Fault::Kind::leak;
                report_.reason = fault_text(program_, report_.bad_run->fault);
                return false;
            }
            report_.bad_run->fault.heap = snapshot.heap;
            report_.bad_run->fault.position = function_.position;
            report_.bad_run->fault.function = number_;
            report_.reason = fmt::format("the postcondition does not hold when it returns: {}",
                                         logic::heap_text(snapshot.heap));
            return false;
        }
    return true;
}

std::vector<Formula> Study::postconditions() {
    if (function_.ensures) return {*function_.ensures};
    report_.ensures_inferred = true;
    std::set<std::string> names, given;
    for (const Heap& heap : at_return_)
        for (const auto& variable : heap.variables) names.insert(variable.first);
    given = names;
    for (int p = 0; p < function_.parameters; ++p)
        given.erase(function_.variables[static_cast<std::size_t>(p)].name);
    std::vector<Formula> out;
    logic::FormulaSet seen; // canonical
    const auto add = [&](const std::set<std::string>& shown, bool strong) {
        if (shown.size() > most_names || deadline_.passed()) return;
        InferOptions options;
        options.pure = options.cases = strong;
        for (Formula& f : inference_.infer(at_return_, {shown.begin(), shown.end()}, options).candidates)
            if (!has_hole(f) && seen.insert(logic::canonical(f)).second) out.push_back(std::move(f));
    };
    // Callers need to know much; without any, what is simple and covers the heap will do.
    if (called_) add(names, true);
    if (given.size() < names.size() && !called_) add(given, false);
    add(names, false);
    if (called_) add(given, false);
    // What calls itself may need to know more of its own result, and that is tried too.
    const std::size_t simple = out.size();
    if (calls_itself(function_, number_)) {
        for (Formula& f : of_result(out))
            if (seen.insert(logic::canonical(f)).second) out.push_back(std::move(f));
        if (!called_) add(given, true);
        // A walk leaves what it was given.
        if (seen.insert(logic::canonical(report_.requires_)).second) out.push_back(report_.requires_);
    }
    if (out.size() > tried_postconditions && simple > tried_postconditions / 2)
        std::rotate(out.begin() + tried_postconditions / 2, out.begin() + static_cast<std::ptrdiff_t>(simple),
                    out.end());
    if (out.size() > tried_postconditions) out.resize(tried_postconditions);
    // Blocks of the caller that the function only unlinks are still there: without a name.
    if (!report_.warnings.empty()) {
        std::vector<Heap> named = at_return_;
        if (std::all_of(named.begin(), named.end(), name_lost) && names.size() < most_names) {
            names.insert(lost_name);
            for (Formula& f : inference_.infer(named, {names.begin(), names.end()}, {}).candidates) {
                Formula bound = with_lost_bound(std::move(f));
                if (seen.insert(logic::canonical(bound)).second) out.push_back(std::move(bound));
            }
        }
    }
    // A function that was never seen to return describes nothing: anything would do.
    if (at_return_.empty() || out.empty()) out.push_back(nothing);
    return out;
}

// Candidates with links back left alone, and with a result that is there, if it always was.
std::vector<Formula> Study::of_result(const std::vector<Formula>& candidates) const {
    const std::string result = "\\result";
    const bool there =
        !at_return_.empty() && std::all_of(at_return_.begin(), at_return_.end(), [&](const Heap& heap) {
            return std::any_of(heap.variables.begin(), heap.variables.end(),
                               [&](const auto& v) { return v.first == result && v.second != 0; });
        });
    std::vector<Formula> all;
    for (const Formula& candidate : candidates) {
        Formula one = one_way_precondition(candidate).value_or(candidate);
        if (there)
            for (logic::SymbolicHeap& heap : one.heaps)
                heap.pure.push_back({false, result, logic::null_name});
        all.push_back(std::move(one));
    }
    return all;
}

void Study::infer_loops() {
    for (std::size_t l = 0; l < function_.loops.size(); ++l) {
        LoopReport& loop = report_.loops[l];
        loop.candidates.clear();
        if (function_.loops[l].invariant) loop.candidates.push_back(*function_.loops[l].invariant);
        logic::FormulaSet seen; // canonical
        for (const auto& names : views(l)) {
            if (deadline_.passed() || names.size() > most_names) break;
            InferOptions options;
            options.trace = options_.trace;
            Inferred inferred = inference_.infer(at_loop_[l], names, options);
            if (loop.trace.empty()) {
                loop.trace = std::move(inferred.trace);
                loop.seen = std::move(inferred.seen);
            }
            for (std::size_t c = 0; c < inferred.candidates.size(); ++c) {
                sources_[l].emplace(of_shape(inferred.candidates[c]), inferred.sources[c]);
                if (seen.insert(logic::canonical(inferred.candidates[c])).second)
                    loop.candidates.push_back(std::move(inferred.candidates[c]));
            }
        }
        if (seen.insert(logic::canonical(nothing)).second) loop.candidates.push_back(nothing);
        if (!loop.candidates.empty()) loop.invariant = loop.candidates.front();
        if (options_.trace && loop.snapshots.empty())
            for (std::size_t i = 0; i < at_loop_[l].size() && i < shown_snapshots; ++i)
                loop.snapshots.push_back(
                    at_loop_[l][i * at_loop_[l].size() / std::min(shown_snapshots, at_loop_[l].size())]);
    }
}

ProofOptions Study::proof_options() const {
    ProofOptions options = options_.proof;
    options.whole_program = report_.whole;
    options.seconds = std::min(options.seconds, std::max(0.0, deadline_.left()));
    return options;
}

bool Study::prove(const Contracts& contracts, Entailments& entailments) {
    proved_ = false;
    const ProofOptions options = proof_options();
    FunctionProof proof(program_, number_, contracts, options, entailments);
    for (int round = 0; round <= options_.rounds; ++round) {
        infer_loops();
        std::vector<std::vector<Formula>> candidates;
        for (std::size_t l = 0; l < report_.loops.size(); ++l) {
            candidates.push_back(report_.loops[l].candidates);
            if (!function_.loops[l].invariant) std::erase_if(candidates.back(), has_hole);
        }
        ProofResult result = proof.search(candidates);
        proved_ = result.proved;
        take(std::move(result));
        if (proved_ || !refine() || deadline_.passed()) break;
    }
    return proved_;
}

bool Study::prove_by_running(const Contracts& contracts, Entailments& entailments) {
    const ProofOptions options = proof_options();
    FunctionProof proof(program_, number_, contracts, options, entailments);
    constexpr double seconds = 2;
    ProofResult result = proof.run_through(std::min(seconds, deadline_.left() / 2));
    proved_ = result.proved;
    if (proved_) take(std::move(result));
    return proved_;
}

void Study::collect(const Runs& runs) {
    for (const Run& run : runs.runs)
        for (const Snapshot& snapshot : run.snapshots) {
            if (snapshot.where == Snapshot::Where::loop)
                at_loop_[static_cast<std::size_t>(snapshot.loop)].push_back(snapshot.heap);
            if (snapshot.where == Snapshot::Where::give) at_return_.push_back(snapshot.heap);
        }
    for (auto& heaps : at_loop_) keep_small(heaps);
    keep_small(at_return_);
}

// Sets of names to describe a loop's snapshots by: those that still matter, with and without the first
// values of parameters that were changed; all in scope; and those that matter without any parameter that
// is not read again. Names of objects and globals always matter.
std::vector<std::vector<std::string>> Study::views(std::size_t l) const {
    const Loop& loop = function_.loops[l];
    std::set<std::string> promised, variables, seen;
    if (report_.ensures) promised = logic::free_names(*report_.ensures);
    for (const Heap& heap : at_loop_[l])
        for (const auto& variable : heap.variables) seen.insert(variable.first);
    for (const Variable& variable : function_.variables) variables.insert(variable.name);
    std::vector<std::string> live, needed, olds, all;
    for (const std::string& name : seen)
        if (!variables.contains(name) && !name.starts_with("\\"))
            for (auto* names : {&live, &needed, &all}) names->push_back(name);
    for (const int v : loop.variables) {
        const Variable& variable = function_.variables[static_cast<std::size_t>(v)];
        if (variable.type.kind != Type::Kind::pointer || !seen.contains(variable.name)) continue;
        all.push_back(variable.name);
        const bool is_live = live_[l][static_cast<std::size_t>(v)] != 0;
        const bool fixed = v < function_.parameters && assigned_[static_cast<std::size_t>(v)] == 0;
        if (is_live) needed.push_back(variable.name);
        if (is_live || (fixed && promised.contains(variable.name))) live.push_back(variable.name);
    }
    for (int p = 0; p < function_.parameters; ++p)
        if (assigned_[static_cast<std::size_t>(p)] != 0)
            olds.push_back("\\old(" + function_.variables[static_cast<std::size_t>(p)].name + ")");
    std::vector<std::vector<std::string>> out{live};
    const auto add = [&](std::vector<std::string> names) {
        if (std::find(out.begin(), out.end(), names) == out.end()) out.push_back(std::move(names));
    };
    std::vector<std::string> with_olds = live, all_olds = all;
    with_olds.insert(with_olds.end(), olds.begin(), olds.end());
    all_olds.insert(all_olds.end(), olds.begin(), olds.end());
    add(with_olds);
    add(needed);
    add(all);
    add(all_olds);
    return out;
}

void Study::take(ProofResult result) {
    for (const LoopResult& loop : result.loops) {
        LoopReport& entry = report_.loops[static_cast<std::size_t>(loop.loop)];
        if (loop.invariant) {
            entry.invariant = loop.invariant;
            const auto& known = sources_[static_cast<std::size_t>(loop.loop)];
            const auto at = known.find(of_shape(*loop.invariant));
            entry.source = at == known.end() ? FoundBy::procedures : at->second;
        }
        entry.proved = loop.proved;
        entry.run_through = loop.run_through;
    }
    report_.conditions = std::move(result.conditions);
    report_.assumptions.assign(result.assumptions.begin(), result.assumptions.end());
    callees_ = std::move(result.callees);
    report_.failure.reset();
    if (result.proved && !report_.whole) tell_unreached(result.blocks);
    if (result.proved || result.failures.empty()) return;
    report_.failure = result.failures.front();
    failures_ = std::move(result.failures);
}

// Lines that no run under the precondition comes to: what is proved says nothing of them.
void Study::tell_unreached(const std::set<int>& entered) {
    std::set<int> reached, others;
    for (std::size_t b = 0; b < function_.blocks.size(); ++b)
        for (const Instruction& i : function_.blocks[b].instructions) {
            const bool own = i.position.line >= function_.position.line &&
                             i.position.file == function_.position.file &&
                             i.kind != Instruction::Kind::forget && i.kind != Instruction::Kind::end_local;
            if (own) (entered.contains(static_cast<int>(b)) ? reached : others).insert(i.position.line);
        }
    for (const int line : others)
        if (!reached.contains(line))
            report_.warnings.push_back(
                fmt::format("line {} is never reached under {}", line,
                            report_.requires_assumed ? "the assumption" : "the precondition"));
}

// Heaps that break an invariant become snapshots of its loop. False: there is none that is new.
bool Study::refine() {
    bool any = false;
    for (const Failure& failure : failures_) {
        if (failure.loop < 0 || !failure.counter) continue;
        auto& snapshots = at_loop_[static_cast<std::size_t>(failure.loop)];
        std::pair<int, Heap> told{failure.loop, *failure.counter};
        if (std::find(told_.begin(), told_.end(), told) != told_.end()) continue;
        told_.push_back(std::move(told));
        snapshots.push_back(*failure.counter);
        any = true;
    }
    failures_.clear();
    return any;
}

} // namespace ggsnn::verify
