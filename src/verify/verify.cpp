#include "ggsnn/verify/verify.hpp"

#include "ggsnn/verify/cache/reuse.hpp"
#include "ggsnn/verify/infer/study.hpp"
#include "ggsnn/verify/inline.hpp"
#include "ggsnn/verify/verify_graphs.hpp"

#include "ggsnn/base/threads.hpp"

#include <algorithm>
#include <map>
#include <utility>

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
    // pool: for functions that do not depend on each other, or null.
    Modular(const Program& program, const Inference& inference, const VerifyOptions& options,
            const Deadline& deadline, ThreadPool* pool = nullptr)
        : contracts(program.functions.size()),
          reports(program.functions.size()),
          program_(program),
          inference_(inference),
          options_(options),
          deadline_(deadline),
          pool_(pool),
          calls_(program.functions.size()),
          known_(program.functions.size(), 0) {
        for (std::size_t f = 0; f < calls_.size(); ++f)
            for (const Block& block : program.functions[f].blocks)
                for (const Instruction& i : block.instructions)
                    if (i.kind == Instruction::Kind::call)
                        calls_[f].insert(static_cast<std::size_t>(i.callee));
    }

    // What is known of functions stands as if it had just been found.
    void take(Reuse& reuse) {
        for (const std::vector<int>& component : CallOrder(program_).components) {
            reuse.only_together(component);
            for (const int f : component)
                if (const KnownVerdict* verdict = reuse.known(f)) {
                    reports[static_cast<std::size_t>(f)] = verdict->by_contract;
                    if (verdict->has_contract)
                        contracts[static_cast<std::size_t>(f)] = contract_of(verdict->by_contract);
                    known_[static_cast<std::size_t>(f)] = 1;
                }
        }
    }

    // The contract that a report says.
    std::optional<Contract> contract_of(const FunctionReport& report) const {
        std::string trouble;
        if (!report.ensures) return std::nullopt;
        return typed_contract(program_, report.function, report.requires_, *report.ensures, trouble);
    }

    // Those that are wanted, and what they need. What a function gets depends on what it calls alone, so that
    // neither the order nor the number of threads has a say.
    void run(const std::vector<char>& wanted) {
        std::vector<char> needed(program_.functions.size(), 0);
        for (std::size_t f = 0; f < wanted.size(); ++f) {
            if (wanted[f] == 0) continue;
            const auto called = called_from(program_, static_cast<int>(f));
            for (std::size_t g = 0; g < called.size(); ++g)
                needed[g] = needed[g] != 0 || called[g] != 0 ? 1 : 0;
        }
        const double begin = deadline_.left();
        const std::size_t all = static_cast<std::size_t>(std::count(needed.begin(), needed.end(), 1));
        std::size_t done = 0;
        for (const Components& level : levels(needed)) {
            std::vector<std::size_t> before; // functions
            for (const std::vector<int>& component : level) {
                before.push_back(done);
                done += component.size();
            }
            run_jobs(pool_, level.size(), [&](std::size_t c, int) {
                // What is left is shared fairly by those that are still to come, each with room for one in
                // four.
                const double share =
                    std::max(deadline_.left() * workers() / static_cast<double>(all - before[c]),
                             std::min(begin / 4, deadline_.left()));
                one_component(level[c], deadline_.within(std::min(options_.function_seconds, share) *
                                                         static_cast<double>(level[c].size())));
            });
        }
    }

    Contracts contracts;
    std::vector<FunctionReport> reports;

  private:
    using Components = std::vector<std::vector<int>>;

    double workers() const { return pool_ != nullptr ? pool_->workers() : 1; }

    // Components that are needed and not known yet: those of a level call those of earlier ones alone.
    std::vector<Components> levels(const std::vector<char>& needed) const {
        std::vector<Components> all;
        std::vector<std::size_t> level_of(program_.functions.size(), 0); // one more than the deepest callee
        for (std::vector<int>& component : CallOrder(program_).components) {
            std::size_t level = 0;
            for (const int f : component)
                for (const std::size_t g : calls_[static_cast<std::size_t>(f)])
                    level = std::max(level, level_of[g]);
            for (const int f : component) level_of[static_cast<std::size_t>(f)] = level + 1;
            const auto open = [&](int f) {
                return needed[static_cast<std::size_t>(f)] != 0 && known_[static_cast<std::size_t>(f)] == 0;
            };
            if (std::none_of(component.begin(), component.end(), open)) continue;
            if (all.size() <= level) all.resize(level + 1);
            all[level].push_back(std::move(component));
        }
        return all;
    }

    // The contracts that a component may come to rely on. Others may be in the making.
    Contracts contracts_below(const std::vector<int>& component) const {
        Contracts below(contracts.size());
        std::vector<char> seen(contracts.size(), 0);
        std::vector<std::size_t> open;
        for (const int f : component) open.push_back(static_cast<std::size_t>(f));
        while (!open.empty()) {
            const std::size_t f = open.back();
            open.pop_back();
            if (std::exchange(seen[f], 1) != 0) continue;
            below[f] = contracts[f];
            open.insert(open.end(), calls_[f].begin(), calls_[f].end());
        }
        return below;
    }

    // By a function outside of recursion with itself.
    bool called(int f) const {
        for (std::size_t g = 0; g < calls_.size(); ++g)
            if (static_cast<int>(g) != f && calls_[g].contains(static_cast<std::size_t>(f))) return true;
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
                if (!posts[i].empty()) use(component[i], posts[i].front(), contracts);
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
        Contracts known = contracts_below(component);
        Entailments entailments(options_.proof.prover);
        const std::size_t tries = component.size() == 1 ? std::max<std::size_t>(1, posts[0].size()) : 1;
        for (std::size_t t = 0; t < tries; ++t) {
            for (std::size_t i = 0; i < studies.size(); ++i)
                if (!posts[i].empty()) use(component[i], posts[i][std::min(t, posts[i].size() - 1)], known);
            bool proved = true;
            for (std::size_t i = 0; i < studies.size(); ++i)
                if (known[static_cast<std::size_t>(component[i])])
                    proved = studies[i]->prove(known, entailments) && proved;
                else
                    proved = false;
            if (proved) break;
        }
        for (const int f : component)
            contracts[static_cast<std::size_t>(f)] = std::move(known[static_cast<std::size_t>(f)]);
    }

    void use(int f, const Formula& ensures, Contracts& known) {
        FunctionReport& report = reports[static_cast<std::size_t>(f)];
        report.ensures = ensures;
        std::string trouble;
        known[static_cast<std::size_t>(f)] = typed_contract(program_, f, report.requires_, ensures, trouble);
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
    ThreadPool* pool_;
    std::vector<std::set<std::size_t>> calls_; // by function
    std::vector<char> known_;                  // by function
};

// main, and everything that it calls.
class Whole {
  public:
    Whole(const Program& program, int main, const Inference& inference, const VerifyOptions& options,
          const Deadline& deadline, ThreadPool* pool)
        : program_(program),
          main_(main),
          inference_(inference),
          options_(options),
          deadline_(deadline),
          pool_(pool) {}

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
        Modular modular(inlined, inference_, options_, half, pool_);
        modular.run(called);
        modular.contracts[static_cast<std::size_t>(main_)] = Contract{nothing, nothing};
        Entailments entailments(options_.proof.prover);
        if (!study.prove_by_running(modular.contracts, entailments))
            study.prove(modular.contracts, entailments);
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
    ThreadPool* pool_;
};

// Functions without a proof, under weaker preconditions: links back left alone, and what they never look at.
// Those that call themselves on the rest of a structure need that. Then what relies on them once more.
class Weaker {
  public:
    Weaker(const Program& program, const Inference& inference, const VerifyOptions& options,
           const Deadline& deadline, const Reuse& reuse, std::vector<FunctionReport>& reports)
        : program_(program),
          inference_(inference),
          options_(options),
          deadline_(deadline),
          reuse_(reuse),
          reports_(reports),
          other_(program),
          proved_under(program.functions.size(), 0) {}

    void run(const std::vector<char>& wanted) {
        const auto open = [&](std::size_t f) {
            return wanted[f] != 0 && reuse_.known(static_cast<int>(f)) == nullptr &&
                   reports_[f].verdict == Verdict::unknown && !reports_[f].bad_run;
        };
        bool any = false;
        for (std::size_t f = 0; f < wanted.size(); ++f) {
            if (open(f) && reports_[f].requires_assumed) proved_under[f] = one(f) ? 1 : 0;
            if (const KnownVerdict* known = reuse_.known(static_cast<int>(f)); known && known->weaker) {
                other_.functions[f].requires_ = known->last.requires_;
                proved_under[f] = 1;
            }
            any = any || proved_under[f] != 0;
        }
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
    const Reuse& reuse_;
    std::vector<FunctionReport>& reports_;
    Program other_;

  public:
    std::vector<char> proved_under; // by function: such a precondition
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
    if (report.cleanup) text += ", all memory freed at the end";
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
    std::optional<ThreadPool> threads;
    if (options.jobs > 1) threads.emplace(options.jobs);
    ThreadPool* const pool = threads ? &*threads : nullptr;
    options.proof.assertions = options.runs.limits.assertions = options.assertions;
    options.proof.cleanup = options.runs.limits.cleanup = options.cleanup;
    options.proof.prover.deadline = deadline.end();
    ProgramReport report;
    report.path = program.path;
    report.notes = program.notes;
    const int main = options.functions.empty() ? program.function_called("main") : -1;
    if (options.cleanup && main < 0)
        fail("{}: no main, and valid-memcleanup speaks of whole programs", program.path);
    if (main >= 0) {
        report.functions.push_back(Whole(program, main, inference, options, deadline, pool).run());
        const std::vector<char> called = called_from(program, main);
        std::string others;
        for (std::size_t f = 0; f < called.size(); ++f)
            if (called[f] == 0) others += (others.empty() ? "" : ", ") + program.functions[f].name;
        if (!others.empty()) report.notes.push_back("not called from main, and not looked at: " + others);
    } else {
        const Program inlined = with_small_calls_inlined(program);
        Modular modular(inlined, inference, options, deadline, pool);
        Reuse reuse(program, options.cache);
        modular.take(reuse);
        std::vector<char> wanted;
        for (const Function& f : program.functions)
            wanted.push_back(options.functions.empty() || options.functions.contains(f.name) ? 1 : 0);
        std::vector<char> others = wanted;
        if (options.prove) judge_written(program, options, deadline, others, modular.reports);
        modular.run(others);
        const std::vector<FunctionReport> by_contract =
            options.cache != nullptr ? modular.reports : std::vector<FunctionReport>{};
        Weaker weaker(program, inference, options, deadline, reuse, modular.reports);
        if (options.prove) weaker.run(others);
        run_jobs(pool, program.functions.size(), [&](std::size_t f, int) {
            if (const KnownVerdict* known = reuse.known(static_cast<int>(f)))
                modular.reports[f] = known->last;
            else if (options.graphs && options.prove && wanted[f] != 0 && others[f] != 0)
                judge_under(program, options, deadline.within(deadline.left() * 0.5), modular.reports[f]);
        });
        // What a limit of time may have had a say in is looked at again.
        const auto in_time = [&](const FunctionReport& one) {
            return one.verdict != Verdict::unknown ||
                   (one.seconds < options.seconds / 10 && deadline.left() > options.seconds / 2);
        };
        for (std::size_t f = 0; f < by_contract.size(); ++f) {
            const FunctionReport &first = by_contract[f], &last = modular.reports[f];
            if (wanted[f] == 0 || others[f] == 0 || reuse.known(static_cast<int>(f)) != nullptr ||
                !in_time(first) || !in_time(last) ||
                (modular.contracts[f] && modular.contracts[f] != modular.contract_of(first)))
                continue;
            reuse.keep(static_cast<int>(f),
                       {first, modular.contracts[f].has_value(), last, weaker.proved_under[f] != 0});
        }
        for (std::size_t f = 0; f < program.functions.size(); ++f)
            if (wanted[f] != 0) report.functions.push_back(std::move(modular.reports[f]));
    }
    for (FunctionReport& f : report.functions) {
        f.cleanup = options.cleanup;
        if (f.verdict != Verdict::proved || program.refusals.empty()) continue;
        f.verdict = Verdict::unknown;
        f.reason = program.refusals[0];
    }
    return report;
}

} // namespace ggsnn::verify
