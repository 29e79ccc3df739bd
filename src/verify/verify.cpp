#include "verify/verify.hpp"

#include "logic/satisfy.hpp"
#include "verify/inline.hpp"
#include "verify/liveness.hpp"

#include <algorithm>
#include <ctime>
#include <functional>

namespace ggsnn::verify {

using logic::Formula;
using logic::Heap;

namespace {

constexpr std::size_t shown_snapshots = 6, tried_postconditions = 6;

double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Strongly connected components of the call graph, callees first.
class CallOrder {
  public:
    explicit CallOrder(const Program& program) : program_(program) {
        const std::size_t count = program.functions.size();
        index_.assign(count, -1);
        low_.assign(count, 0);
        for (std::size_t f = 0; f < count; ++f)
            if (index_[f] < 0) visit(f);
    }
    std::vector<std::vector<int>> components;

  private:
    // Iterative: a chain of calls may be as long as the file.
    void visit(std::size_t root) {
        std::vector<std::pair<std::size_t, std::size_t>> open{{root, 0}};
        while (!open.empty()) {
            auto& [f, at] = open.back();
            if (at == 0) {
                index_[f] = low_[f] = counter_++;
                stack_.push_back(f);
            }
            const auto callees = callees_of(f);
            if (at < callees.size()) {
                const std::size_t g = callees[at++];
                if (index_[g] < 0) {
                    open.emplace_back(g, 0);
                } else if (std::find(stack_.begin(), stack_.end(), g) != stack_.end()) {
                    low_[f] = std::min(low_[f], index_[g]);
                }
                continue;
            }
            close(f);
            const std::size_t done = f;
            open.pop_back();
            if (!open.empty()) low_[open.back().first] = std::min(low_[open.back().first], low_[done]);
        }
    }

    void close(std::size_t f) {
        if (low_[f] != index_[f]) return;
        std::vector<int> component;
        std::size_t member = 0;
        do {
            member = stack_.back();
            stack_.pop_back();
            component.push_back(static_cast<int>(member));
        } while (member != f);
        std::sort(component.begin(), component.end());
        components.push_back(std::move(component));
    }

    std::vector<std::size_t> callees_of(std::size_t f) {
        auto& known = callees_[f];
        if (!known.empty() || looked_.contains(f)) return known;
        looked_.insert(f);
        for (const Block& block : program_.functions[f].blocks)
            for (const Instruction& i : block.instructions)
                if (i.kind == Instruction::Kind::call && i.callee >= 0)
                    known.push_back(static_cast<std::size_t>(i.callee));
        return known;
    }

    const Program& program_;
    std::vector<int> index_, low_;
    std::vector<std::size_t> stack_;
    std::map<std::size_t, std::vector<std::size_t>> callees_;
    std::set<std::size_t> looked_;
    int counter_ = 0;
};

// All about one function: its runs, candidates and proof.
class Study {
  public:
    // called: by other functions, so that its postcondition matters.
    Study(const Program& program, int number, bool called, const Inference& inference,
          const VerifyOptions& options, FunctionReport& report)
        : program_(program),
          function_(program.functions[static_cast<std::size_t>(number)]),
          number_(number),
          called_(called),
          inference_(inference),
          options_(options),
          report_(report),
          live_(live_at_heads(program, function_)),
          assigned_(assigned_parameters(function_)) {
        report_.name = function_.name;
        report_.position = function_.position;
        report_.requires_ = precondition_of(program, number);
        report_.ensures = function_.ensures;
        report_.requires_assumed = !function_.requires_;
        for (const Loop& loop : function_.loops) {
            LoopReport& entry = report_.loops.emplace_back();
            entry.position = loop.position;
            entry.given = loop.invariant.has_value();
        }
        at_loop_.resize(function_.loops.size());
    }

    // Runs the function; false if there is a verdict already.
    bool run() {
        begin_ = processor_seconds();
        if (!function_.refusals.empty()) {
            const auto& refusal = function_.refusals.front();
            report_.reason = fmt::format("line {}:{}: not supported: {}", refusal.position.line,
                                         refusal.position.column, refusal.reason);
            return false;
        }
        runs_ = collect_runs(program_, number_, options_.runs);
        report_.requires_ = runs_.precondition;
        report_.requires_assumed = runs_.assumed;
        report_.runs = runs_.runs.size();
        if (runs_.inputs.empty()) {
            report_.reason = "no input satisfies its precondition";
            return false;
        }
        if (const int bad = runs_.first_fault(); bad >= 0) {
            report_.bad_run = runs_.runs[static_cast<std::size_t>(bad)];
            report_.bad_input = input_heap(program_, number_, runs_.inputs[static_cast<std::size_t>(bad)]);
            report_.reason = fault_text(program_, report_.bad_run->fault);
            // A pointer of which the types say too little to assume anything is not the program's fault.
            const bool assumed_too_little =
                runs_.assumed && report_.bad_run->fault.kind == Fault::Kind::dangling_dereference;
            if (assumed_too_little)
                report_.reason += "; the types do not tell where it leads: //@ requires can";
            report_.verdict = assumed_too_little ? Verdict::unknown : Verdict::unsafe;
            return false;
        }
        if (!keeps_promise()) return false;
        collect();
        return true;
    }

    // A postcondition that was given, on the runs.
    bool keeps_promise() {
        if (!function_.ensures) return true;
        const logic::Checker checker(*function_.ensures);
        for (std::size_t r = 0; r < runs_.runs.size(); ++r)
            for (const Snapshot& snapshot : runs_.runs[r].snapshots) {
                if (snapshot.where != Snapshot::Where::give || snapshot.call != 0 ||
                    checker(snapshot.heap, {1'000'000}) != logic::Truth::no)
                    continue;
                report_.verdict = Verdict::unsafe;
                report_.bad_run = runs_.runs[r];
                report_.bad_run->fault.heap = snapshot.heap;
                report_.bad_run->fault.position = function_.position;
                report_.bad_input = input_heap(program_, number_, runs_.inputs[r]);
                report_.reason = fmt::format("the postcondition does not hold when it returns: {}",
                                             logic::heap_text(snapshot.heap));
                return false;
            }
        return true;
    }

    // Candidates for the contract, best first.
    std::vector<Formula> postconditions() {
        if (function_.ensures) return {*function_.ensures};
        report_.ensures_inferred = true;
        std::set<std::string> names, given;
        for (const Heap& heap : at_return_)
            for (const auto& variable : heap.variables) names.insert(variable.first);
        given = names;
        for (int p = 0; p < function_.parameters; ++p)
            given.erase(function_.variables[static_cast<std::size_t>(p)].name);
        std::vector<Formula> out;
        std::set<std::string> texts;
        const auto add = [&](const std::set<std::string>& shown, bool strong) {
            InferOptions options;
            options.pure = options.cases = strong;
            for (Formula& f : inference_.infer(at_return_, {shown.begin(), shown.end()}, options).candidates)
                if (texts.insert(logic::print(logic::canonical(f), logic::Reading::program)).second)
                    out.push_back(std::move(f));
        };
        // Callers need to know much; without any, what is simple and covers the heap will do.
        if (called_) add(names, true);
        if (given.size() < names.size() && !called_) add(given, false);
        add(names, false);
        if (called_) add(given, false);
        if (out.size() > tried_postconditions) out.resize(tried_postconditions);
        // A function that was never seen to return describes nothing: anything would do.
        if (at_return_.empty()) out.push_back({{{}}});
        return out;
    }

    void infer_loops() {
        for (std::size_t l = 0; l < function_.loops.size(); ++l) {
            LoopReport& loop = report_.loops[l];
            loop.candidates.clear();
            if (function_.loops[l].invariant) loop.candidates.push_back(*function_.loops[l].invariant);
            std::set<std::string> texts;
            for (const auto& names : views(l)) {
                InferOptions options;
                options.trace = options_.trace;
                Inferred inferred = inference_.infer(at_loop_[l], names, options);
                if (loop.trace.empty()) loop.trace = std::move(inferred.trace);
                for (Formula& candidate : inferred.candidates)
                    if (texts.insert(logic::print(logic::canonical(candidate), logic::Reading::program))
                            .second)
                        loop.candidates.push_back(std::move(candidate));
            }
            if (!loop.candidates.empty()) loop.invariant = loop.candidates.front();
            if (options_.trace)
                for (std::size_t i = 0; i < at_loop_[l].size() && i < shown_snapshots; ++i)
                    loop.snapshots.push_back(
                        at_loop_[l][i * at_loop_[l].size() / std::min(shown_snapshots, at_loop_[l].size())]);
        }
    }

    // With these contracts, the own one among them; true if proved.
    bool prove(const Contracts& contracts, Entailments& entailments) {
        proved_ = false;
        FunctionProof proof(program_, number_, contracts, options_.proof, entailments);
        for (int round = 0; round <= options_.rounds; ++round) {
            infer_loops();
            std::vector<std::vector<Formula>> candidates;
            for (const LoopReport& loop : report_.loops) candidates.push_back(loop.candidates);
            ProofResult result = proof.search(candidates);
            proved_ = result.proved;
            take(std::move(result));
            if (proved_ || !refine() || processor_seconds() - begin_ > options_.seconds) break;
        }
        return proved_;
    }

    void finish() { report_.seconds = processor_seconds() - begin_; }
    const std::set<int>& callees() const { return callees_; }
    // By the last call of prove(), under the contracts given to it.
    bool proved() const { return proved_; }

  private:
    void collect() {
        for (const Run& run : runs_.runs)
            for (const Snapshot& snapshot : run.snapshots) {
                if (snapshot.where == Snapshot::Where::loop)
                    at_loop_[static_cast<std::size_t>(snapshot.loop)].push_back(snapshot.heap);
                if (snapshot.where == Snapshot::Where::give) at_return_.push_back(snapshot.heap);
            }
    }

    // Sets of names to describe a loop's snapshots by: those that still matter, with and without the first
    // values of parameters that were changed; all in scope; and those that matter without any parameter that
    // is not read again.
    std::vector<std::vector<std::string>> views(std::size_t l) const {
        const Loop& loop = function_.loops[l];
        std::vector<std::string> live, needed, olds, all;
        std::set<std::string> promised;
        if (report_.ensures) promised = logic::free_names(*report_.ensures);
        for (const int v : loop.variables) {
            const Variable& variable = program_.variable(function_, v);
            if (variable.type.kind != Type::Kind::pointer || variable.kind == Variable::Kind::temporary)
                continue;
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

    void take(ProofResult result) {
        for (const LoopResult& loop : result.loops) {
            LoopReport& entry = report_.loops[static_cast<std::size_t>(loop.loop)];
            if (loop.invariant) entry.invariant = loop.invariant;
            entry.proved = loop.proved;
        }
        report_.conditions = std::move(result.conditions);
        report_.assumptions = std::move(result.assumptions);
        callees_ = std::move(result.callees);
        report_.failure.reset();
        if (result.proved || result.failures.empty()) return;
        report_.failure = result.failures.front();
        failures_ = std::move(result.failures);
    }

    // Heaps that break an invariant become snapshots of its loop. False: there is none that is new.
    bool refine() {
        bool any = false;
        for (const Failure& failure : failures_) {
            if (failure.loop < 0 || !failure.counter) continue;
            auto& snapshots = at_loop_[static_cast<std::size_t>(failure.loop)];
            const std::string text = logic::heap_text(*failure.counter);
            if (!seen_.insert(fmt::format("{} {}", failure.loop, text)).second) continue;
            snapshots.push_back(*failure.counter);
            any = true;
        }
        failures_.clear();
        return any;
    }

    const Program& program_;
    const Function& function_;
    int number_;
    bool called_;
    const Inference& inference_;
    const VerifyOptions& options_;
    FunctionReport& report_;
    std::vector<std::vector<char>> live_;
    std::vector<char> assigned_;
    Runs runs_;
    std::vector<std::vector<Heap>> at_loop_;
    std::vector<Heap> at_return_;
    std::vector<Failure> failures_;
    std::set<std::string> seen_;
    std::set<int> callees_;
    bool proved_ = false;
    double begin_ = 0;
};

class Verification {
  public:
    Verification(const Program& program, const Inference& inference, const VerifyOptions& options)
        : program_(program), inference_(inference), options_(options), entailments_(options.proof.prover) {
        contracts_.resize(program.functions.size());
        reports_.resize(program.functions.size());
    }

    std::vector<FunctionReport> run() {
        for (const std::vector<int>& component : CallOrder(program_).components) {
            std::vector<std::unique_ptr<Study>> studies;
            for (const int f : component)
                studies.push_back(std::make_unique<Study>(program_, f, called(f), inference_, options_,
                                                          reports_[static_cast<std::size_t>(f)]));
            one_component(component, studies);
            for (auto& study : studies) study->finish();
        }
        return std::move(reports_);
    }

  private:
    // By a function outside of recursion with itself.
    bool called(int f) const {
        for (std::size_t g = 0; g < program_.functions.size(); ++g)
            for (const Block& block : program_.functions[g].blocks)
                for (const Instruction& i : block.instructions)
                    if (i.kind == Instruction::Kind::call && i.callee == f && static_cast<int>(g) != f)
                        return true;
        return false;
    }

    void one_component(const std::vector<int>& component, std::vector<std::unique_ptr<Study>>& studies) {
        bool all = true;
        for (auto& study : studies) all = study->run() && all;
        std::vector<std::vector<Formula>> posts;
        for (std::size_t i = 0; i < studies.size(); ++i) {
            FunctionReport& report = reports_[static_cast<std::size_t>(component[i])];
            // A function that cannot be studied may still have a contract that others rely on; it is not
            // proved then.
            posts.push_back(report.verdict == Verdict::unsafe || !all ? std::vector<Formula>{}
                                                                      : studies[i]->postconditions());
            if (posts.back().empty() && report.ensures) posts.back().push_back(*report.ensures);
        }
        if (!all || !options_.prove) {
            for (std::size_t i = 0; i < studies.size(); ++i) {
                FunctionReport& report = reports_[static_cast<std::size_t>(component[i])];
                if (all) studies[i]->infer_loops();
                if (!posts[i].empty()) use(component[i], posts[i].front());
                if (report.reason.empty() && !all)
                    report.reason = "a function that it calls, and that calls it, has no verdict";
            }
            return;
        }
        // Alternatives are tried for a function on its own; of functions that call each other the first of
        // each.
        const std::size_t tries = component.size() == 1 ? std::max<std::size_t>(1, posts[0].size()) : 1;
        for (std::size_t t = 0; t < tries; ++t) {
            for (std::size_t i = 0; i < studies.size(); ++i)
                if (!posts[i].empty()) use(component[i], posts[i][std::min(t, posts[i].size() - 1)]);
            bool proved = true;
            for (std::size_t i = 0; i < studies.size(); ++i)
                if (contracts_[static_cast<std::size_t>(component[i])])
                    proved = studies[i]->prove(contracts_, entailments_) && proved;
                else
                    proved = false;
            if (proved) break;
        }
        judge(component, studies);
    }

    void use(int f, const Formula& ensures) {
        FunctionReport& report = reports_[static_cast<std::size_t>(f)];
        report.ensures = ensures;
        contracts_[static_cast<std::size_t>(f)] = Contract{report.requires_, ensures};
    }

    // A proof counts only if the contracts it relies on are proved: those of the component together.
    void judge(const std::vector<int>& component, const std::vector<std::unique_ptr<Study>>& studies) {
        std::string missing;
        bool together = true;
        for (std::size_t i = 0; i < studies.size(); ++i) {
            together = together && studies[i]->proved();
            for (const int callee : studies[i]->callees())
                if (std::find(component.begin(), component.end(), callee) == component.end() &&
                    reports_[static_cast<std::size_t>(callee)].verdict != Verdict::proved)
                    missing = program_.functions[static_cast<std::size_t>(callee)].name;
        }
        for (const int f : component) {
            FunctionReport& report = reports_[static_cast<std::size_t>(f)];
            if (together && missing.empty()) {
                report.verdict = Verdict::proved;
                continue;
            }
            for (LoopReport& loop : report.loops) loop.proved = loop.proved && missing.empty();
            if (report.failure)
                report.reason = fmt::format("line {}: {}{}", report.failure->position.line,
                                            report.failure->kind == Failure::Kind::unknown
                                                ? ""
                                                : fmt::format("{}: ", kind_text(report.failure->kind)),
                                            report.failure->reason);
            else if (!contracts_[static_cast<std::size_t>(f)])
                report.reason = "no postcondition was found that describes what its runs leave";
            else if (!missing.empty())
                report.reason = fmt::format("it relies on {}, which is not proved", missing);
            else
                report.reason = "a function that it calls, and that calls it, is not proved";
        }
    }

    const Program& program_;
    const Inference& inference_;
    const VerifyOptions& options_;
    Entailments entailments_;
    Contracts contracts_;
    std::vector<FunctionReport> reports_;
};

} // namespace

const char* name_of(Verdict verdict) {
    return verdict == Verdict::proved ? "proved" : verdict == Verdict::unsafe ? "unsafe" : "unknown";
}

bool ProgramReport::all_proved() const {
    return !functions.empty() && std::all_of(functions.begin(), functions.end(), [](const FunctionReport& f) {
        return f.verdict == Verdict::proved;
    });
}

ProgramReport verify_program(const Program& program, const Inference& inference,
                             const VerifyOptions& options) {
    for (const std::string& name : options.functions)
        if (std::none_of(program.functions.begin(), program.functions.end(),
                         [&](const Function& f) { return f.name == name; }))
            fail("{}: no function '{}' with a body", program.path, name);
    const Program inlined = with_calls_inlined(program);
    ProgramReport report;
    report.path = program.path;
    report.functions = Verification(inlined, inference, options).run();
    if (!options.functions.empty())
        std::erase_if(report.functions,
                      [&](const FunctionReport& f) { return !options.functions.contains(f.name); });
    return report;
}

} // namespace ggsnn::verify
