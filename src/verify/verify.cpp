#include "ggsnn/verify/verify.hpp"

#include "ggsnn/verify/infer/study.hpp"
#include "ggsnn/verify/inline.hpp"
#include "ggsnn/verify/verify_graphs.hpp"

#include <algorithm>
#include <map>

namespace ggsnn::verify {

using logic::Formula;

namespace {

const Formula nothing{{{}}}; // emp

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
            if (at == 0 && index_[f] < 0) {
                index_[f] = low_[f] = counter_++;
                stack_.push_back(f);
            }
            const auto& callees = callees_of(f);
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

    const std::vector<std::size_t>& callees_of(std::size_t f) {
        auto& known = callees_[f];
        if (!known.empty() || !looked_.insert(f).second) return known;
        for (const Block& block : program_.functions[f].blocks)
            for (const Instruction& i : block.instructions)
                if (i.kind == Instruction::Kind::call) known.push_back(static_cast<std::size_t>(i.callee));
        return known;
    }

    const Program& program_;
    std::vector<int> index_, low_;
    std::vector<std::size_t> stack_;
    std::map<std::size_t, std::vector<std::size_t>> callees_;
    std::set<std::size_t> looked_;
    int counter_ = 0;
};

// Functions one by one, by contracts.
class Modular {
  public:
    Modular(const Program& program, const Inference& inference, const VerifyOptions& options,
            const Deadline& deadline)
        : contracts(program.functions.size()),
          reports(program.functions.size()),
          program_(program),
          inference_(inference),
          options_(options),
          deadline_(deadline),
          entailments_(options.proof.prover) {}

    // Those that are wanted, and what they need.
    void run(const std::vector<char>& wanted) {
        std::vector<char> needed(program_.functions.size(), 0);
        for (std::size_t f = 0; f < wanted.size(); ++f) {
            if (wanted[f] == 0) continue;
            const auto called = called_from(program_, static_cast<int>(f));
            for (std::size_t g = 0; g < called.size(); ++g)
                needed[g] = needed[g] != 0 || called[g] != 0 ? 1 : 0;
        }
        const double begin = deadline_.left();
        std::size_t left = static_cast<std::size_t>(std::count(needed.begin(), needed.end(), 1));
        for (const std::vector<int>& component : CallOrder(program_).components) {
            if (std::none_of(component.begin(), component.end(),
                             [&](int f) { return needed[static_cast<std::size_t>(f)] != 0; }))
                continue;
            // What is left is shared fairly by those that are still to come, each with room for one in four.
            const double share =
                std::max(deadline_.left() / static_cast<double>(std::max<std::size_t>(left, 1)),
                         std::min(begin / 4, deadline_.left()));
            left -= std::min(left, component.size());
            one_component(component, deadline_.within(std::min(options_.function_seconds, share) *
                                                      static_cast<double>(component.size())));
        }
    }

    Contracts contracts;
    std::vector<FunctionReport> reports;
    Entailments& entailments() { return entailments_; }

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

    void one_component(const std::vector<int>& component, const Deadline& deadline) {
        const double begin = deadline.left();
        std::vector<std::unique_ptr<Study>> studies;
        bool all = true;
        for (const int f : component) {
            studies.push_back(std::make_unique<Study>(program_, f, called(f), inference_, options_, deadline,
                                                      reports[static_cast<std::size_t>(f)]));
            all = studies.back()->run() && all;
        }
        std::vector<std::vector<Formula>> posts;
        for (std::size_t i = 0; i < studies.size(); ++i) {
            FunctionReport& report = reports[static_cast<std::size_t>(component[i])];
            // A function that cannot be studied may still have a contract that others rely on; it is not
            // proved then.
            posts.push_back(report.verdict == Verdict::unsafe || !all ? std::vector<Formula>{}
                                                                      : studies[i]->postconditions());
            if (posts.back().empty() && report.ensures) posts.back().push_back(*report.ensures);
        }
        if (!all || !options_.prove) {
            for (std::size_t i = 0; i < studies.size(); ++i) {
                FunctionReport& report = reports[static_cast<std::size_t>(component[i])];
                if (all) studies[i]->infer_loops();
                if (!posts[i].empty()) use(component[i], posts[i].front());
                if (report.reason.empty() && !all)
                    report.reason = "a function that it calls, and that calls it, has no verdict";
            }
        } else {
            attempt(component, studies, posts);
            judge(component, studies);
        }
        for (const int f : component) reports[static_cast<std::size_t>(f)].seconds = begin - deadline.left();
    }

    // Alternatives are tried for a function on its own; of functions that call each other the first of each.
    void attempt(const std::vector<int>& component, std::vector<std::unique_ptr<Study>>& studies,
                 const std::vector<std::vector<Formula>>& posts) {
        const std::size_t tries = component.size() == 1 ? std::max<std::size_t>(1, posts[0].size()) : 1;
        for (std::size_t t = 0; t < tries; ++t) {
            for (std::size_t i = 0; i < studies.size(); ++i)
                if (!posts[i].empty()) use(component[i], posts[i][std::min(t, posts[i].size() - 1)]);
            bool proved = true;
            for (std::size_t i = 0; i < studies.size(); ++i)
                if (contracts[static_cast<std::size_t>(component[i])])
                    proved = studies[i]->prove(contracts, entailments_) && proved;
                else
                    proved = false;
            if (proved) break;
        }
    }

    void use(int f, const Formula& ensures) {
        FunctionReport& report = reports[static_cast<std::size_t>(f)];
        report.ensures = ensures;
        std::string trouble;
        contracts[static_cast<std::size_t>(f)] =
            typed_contract(program_, f, report.requires_, ensures, trouble);
        if (!trouble.empty() && report.reason.empty()) report.reason = trouble;
    }

    // A proof counts only if the contracts it relies on are proved: those of the component together.
    void judge(const std::vector<int>& component, const std::vector<std::unique_ptr<Study>>& studies) {
        std::string missing;
        bool together = true;
        for (std::size_t i = 0; i < studies.size(); ++i) {
            together = together && studies[i]->proved();
            for (const int callee : studies[i]->callees())
                if (std::find(component.begin(), component.end(), callee) == component.end() &&
                    reports[static_cast<std::size_t>(callee)].verdict != Verdict::proved)
                    missing = program_.functions[static_cast<std::size_t>(callee)].name;
        }
        for (const int f : component) {
            FunctionReport& report = reports[static_cast<std::size_t>(f)];
            if (together && missing.empty()) {
                report.verdict = Verdict::proved;
                report.reason.clear();
                continue;
            }
            for (LoopReport& loop : report.loops) loop.proved = loop.proved && missing.empty();
            if (report.failure)
                report.reason = failure_text(program_, *report.failure);
            else if (!missing.empty())
                report.reason = fmt::format("it relies on {}, which is not proved", missing);
            else if (report.reason.empty())
                report.reason = "a function that it calls, and that calls it, is not proved";
        }
    }

  public:
    static std::string failure_text(const Program& program, const Failure& failure) {
        const auto file = static_cast<std::size_t>(failure.position.file);
        const std::string kind =
            failure.kind == Failure::Kind::unknown ? "" : fmt::format("{}: ", kind_text(failure.kind));
        return fmt::format("{}:{}:{}: {}{}", file < program.files.size() ? program.files[file] : program.path,
                           failure.position.line, failure.position.column, kind, failure.reason);
    }

  private:
    const Program& program_;
    const Inference& inference_;
    const VerifyOptions& options_;
    const Deadline& deadline_;
    Entailments entailments_;
};

// main, and everything that it calls.
class Whole {
  public:
    Whole(const Program& program, int main, const Inference& inference, const VerifyOptions& options,
          const Deadline& deadline)
        : program_(program), main_(main), inference_(inference), options_(options), deadline_(deadline) {}

    FunctionReport run() {
        FunctionReport report;
        report.whole = true;
        const double begin = deadline_.left();
        { // The program as it is: errors, or its only run.
            Study runs(program_, main_, false, inference_, options_, deadline_, report);
            if (!runs.run()) {
                finish(report, begin);
                return report;
            }
        }
        const FunctionReport seen = report;
        if (options_.graphs && options_.prove &&
            judge_on_graphs(program_, main_, options_, deadline_, report)) {
            finish(report, begin);
            return report;
        }
        report = {};
        report.whole = true;
        prove(report);
        report.runs += seen.runs;
        finish(report, begin);
        return report;
    }

  private:
    void finish(FunctionReport& report, double begin) const { report.seconds = begin - deadline_.left(); }

    void prove(FunctionReport& report) {
        if (!program_.constructors.empty() || !program_.destructors.empty()) {
            Study named(program_, main_, false, inference_, options_, deadline_, report);
            report.reason =
                "functions that run before or after main (constructors, destructors) are followed "
                "in runs, not in proofs";
            return;
        }
        const Program inlined = with_calls_inlined(program_, main_);
        Study study(inlined, main_, false, inference_, options_, deadline_, report);
        if (!study.run() || !options_.prove) {
            if (report.verdict == Verdict::unknown && options_.prove && report.reason.empty())
                report.reason = "no answer";
            if (!options_.prove) study.infer_loops();
            return;
        }
        report.ensures.reset();
        // What is still called is recursive, or too large: by contract.
        std::vector<char> called(inlined.functions.size(), 0);
        for (const Block& block : inlined.functions[static_cast<std::size_t>(main_)].blocks)
            for (const Instruction& i : block.instructions)
                if (i.kind == Instruction::Kind::call) called[static_cast<std::size_t>(i.callee)] = 1;
        for (std::size_t f = 0; f < called.size(); ++f)
            if (called[f] != 0 &&
                called_from(inlined, static_cast<int>(f))[static_cast<std::size_t>(main_)] != 0) {
                report.reason = "main is called again from inside the program: that is not followed";
                return;
            }
        const Deadline half = deadline_.within(deadline_.left() / 2);
        Modular modular(inlined, inference_, options_, half);
        modular.run(called);
        modular.contracts[static_cast<std::size_t>(main_)] = Contract{nothing, nothing};
        if (!study.prove_by_running(modular.contracts, modular.entailments()))
            study.prove(modular.contracts, modular.entailments());
        std::string missing;
        for (const int callee : study.callees())
            if (modular.reports[static_cast<std::size_t>(callee)].verdict != Verdict::proved)
                missing = inlined.functions[static_cast<std::size_t>(callee)].name;
        if (study.proved() && missing.empty()) {
            report.verdict = Verdict::proved;
            report.reason.clear();
            return;
        }
        report.reason = report.failure ? Modular::failure_text(program_, *report.failure)
                                       : fmt::format("it relies on {}, which is not proved", missing);
    }

    const Program& program_;
    int main_;
    const Inference& inference_;
    const VerifyOptions& options_;
    const Deadline& deadline_;
};

// Functions without a proof, under weaker preconditions: links back left alone, and what they never look at.
// Those that call themselves on the rest of a structure need that. Then what relies on them once more.
class Weaker {
  public:
    Weaker(const Program& program, const Inference& inference, const VerifyOptions& options,
           const Deadline& deadline, std::vector<FunctionReport>& reports)
        : program_(program),
          inference_(inference),
          options_(options),
          deadline_(deadline),
          reports_(reports),
          other_(program) {}

    void run(const std::vector<char>& wanted) {
        const auto open = [&](std::size_t f) {
            return wanted[f] != 0 && reports_[f].verdict == Verdict::unknown && !reports_[f].bad_run;
        };
        bool any = false;
        for (std::size_t f = 0; f < wanted.size(); ++f)
            if (open(f) && reports_[f].requires_assumed) any = one(f) || any;
        for (std::size_t f = 0; any && f < wanted.size(); ++f)
            if (open(f) && reports_[f].reason.starts_with("it relies on")) proved(f);
    }

  private:
    bool one(std::size_t f) {
        const Formula base = reports_[f].requires_;
        std::vector<Formula> weaker;
        const auto less = without_idle_parameters(program_, static_cast<int>(f), base);
        if (less) weaker.push_back(*less);
        for (const Formula& from : {less.value_or(base), base})
            if (auto one_way = one_way_precondition(from)) weaker.push_back(std::move(*one_way));
        for (const Formula& formula : weaker) {
            other_.functions[f].requires_ = formula;
            if (deadline_.left() > 1 && proved(f)) return true;
        }
        other_.functions[f].requires_ = program_.functions[f].requires_;
        return false;
    }

    bool proved(std::size_t f) {
        const Program inlined = with_small_calls_inlined(other_);
        const Deadline limit = deadline_.within(deadline_.left() / 4);
        Modular modular(inlined, inference_, options_, limit);
        std::vector<char> wanted(program_.functions.size(), 0);
        wanted[f] = 1;
        modular.run(wanted);
        if (modular.reports[f].verdict != Verdict::proved) return false;
        reports_[f] = std::move(modular.reports[f]);
        reports_[f].requires_assumed = !program_.functions[f].requires_;
        return true;
    }

    const Program& program_;
    const Inference& inference_;
    const VerifyOptions& options_;
    const Deadline& deadline_;
    std::vector<FunctionReport>& reports_;
    Program other_;
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

bool ProgramReport::some_unsafe() const {
    return std::any_of(functions.begin(), functions.end(),
                       [](const FunctionReport& f) { return f.verdict == Verdict::unsafe; });
}

std::string found_by(const LoopReport& loop) {
    if (loop.run_through) return "running";
    if (!loop.proved) return "";
    if (!loop.graphs.empty()) return "graphs";
    return loop.given ? "given" : name_of(loop.source);
}

std::string claim_of(const FunctionReport& report) {
    std::string text = "memory-safe: every access in a live block, no double or bad free, no leak";
    if (!report.written.empty())
        text = "keeps its contract; every access in memory that it gives, nothing left over";
    if (report.only_run) text += "; the program has this one run";
    return text;
}

ProgramReport verify_program(const Program& program, const Inference& inference, const VerifyOptions& given) {
    VerifyOptions options = given;
    for (const std::string& name : options.functions)
        if (program.function_called(name) < 0) fail("{}: no function '{}' with a body", program.path, name);
    const Deadline deadline(options.seconds);
    options.proof.assertions = options.runs.limits.assertions = options.assertions;
    options.proof.prover.deadline = deadline.end();
    ProgramReport report;
    report.path = program.path;
    report.notes = program.notes;
    const int main = options.functions.empty() ? program.function_called("main") : -1;
    if (main >= 0) {
        report.functions.push_back(Whole(program, main, inference, options, deadline).run());
        const std::vector<char> called = called_from(program, main);
        std::string others;
        for (std::size_t f = 0; f < called.size(); ++f)
            if (called[f] == 0) others += (others.empty() ? "" : ", ") + program.functions[f].name;
        if (!others.empty()) report.notes.push_back("not called from main, and not looked at: " + others);
    } else {
        const Program inlined = with_small_calls_inlined(program);
        Modular modular(inlined, inference, options, deadline);
        std::vector<char> wanted;
        for (const Function& f : program.functions)
            wanted.push_back(options.functions.empty() || options.functions.contains(f.name) ? 1 : 0);
        std::vector<char> others = wanted;
        if (options.prove) judge_written(program, options, deadline, others, modular.reports);
        modular.run(others);
        if (options.prove) Weaker(program, inference, options, deadline, modular.reports).run(others);
        for (std::size_t f = 0; f < program.functions.size(); ++f) {
            if (wanted[f] == 0) continue;
            FunctionReport& one = modular.reports[f];
            if (options.graphs && options.prove && others[f] != 0)
                judge_under(program, options, deadline.within(deadline.left() * 0.5), one);
            report.functions.push_back(std::move(one));
        }
    }
    for (FunctionReport& f : report.functions) {
        if (f.verdict != Verdict::proved || program.refusals.empty()) continue;
        f.verdict = Verdict::unknown;
        f.reason = program.refusals[0];
    }
    return report;
}

} // namespace ggsnn::verify
