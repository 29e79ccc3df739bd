#include "ggsnn/logic/induct/induct.hpp"

#include "ggsnn/logic/induct/certificate.hpp"
#include "ggsnn/logic/induct/chains.hpp"
#include "ggsnn/logic/induct/existence.hpp"
#include "ggsnn/logic/induct/invariants.hpp"
#include "ggsnn/logic/induct/model.hpp"
#include "ggsnn/logic/induct/packed.hpp"
#include "ggsnn/logic/induct/search.hpp"

#include <algorithm>
#include <set>

namespace ggsnn::logic {

namespace induct {
namespace {

// One search after the other, each further than those before.
struct Level {
    int unfoldings, uses, splits;
    std::size_t nodes;
};
constexpr Level levels[] = {{0, 1, 0, 100},   {1, 2, 0, 300},   {2, 3, 0, 600},   {2, 3, 2, 600},
                            {3, 4, 0, 2000},  {3, 4, 2, 2000},  {4, 5, 0, 6000},  {4, 5, 2, 6000},
                            {6, 5, 1, 20000}, {6, 8, 3, 40000}, {8, 8, 3, 400000}};

constexpr std::size_t most_nodes_below = 300; // of a try with splits on what is waited for below

Effort effort_of(const Level& level) {
    Effort effort;
    effort.unfoldings = level.unfoldings;
    effort.splits = level.splits;
    effort.uses = level.uses;
    effort.nodes = level.nodes;
    return effort;
}

// Why a problem is not for this prover; empty if it is.
std::string outside(const Problem& problem) {
    const auto strange = [](const Clause& clause) { return clause.any_rest || !clause.dangling.empty(); };
    for (const auto& side : {&problem.left, &problem.right})
        if (std::any_of(side->begin(), side->end(), strange))
            return "a side that leaves the heap open, beyond lists";
    for (const Definition& definition : problem.written) {
        if (definition.parameters > most_parameters)
            return fmt::format("definition {} has {} parameters, more than {}", definition.name,
                               definition.parameters, most_parameters);
        if (std::any_of(definition.rules.begin(), definition.rules.end(), strange))
            return fmt::format("definition {} says that something is nowhere allocated", definition.name);
    }
    if (has_numbers(problem) && !Arithmetic::available()) return "data of sort Int: built without Z3";
    return "";
}

constexpr std::size_t most_atoms = 40; // of a clause in which definitions are put in place

// Which definitions are nothing but a name: one rule, which does not lead back.
std::vector<char> plain_names(const std::vector<Definition>& definitions, Budget& budget) {
    std::vector<char> plain(definitions.size(), 0);
    for (bool changed = true; changed;) { // from those without calls upwards
        changed = false;
        for (std::size_t d = 0; d < definitions.size(); ++d) {
            if (plain[d] != 0 || definitions[d].rules.size() != 1) continue;
            const std::vector<Call>& calls = definitions[d].rules[0].calls;
            if (!std::all_of(calls.begin(), calls.end(), [&](const Call& call) {
                    const auto to = static_cast<std::size_t>(call.definition);
                    return to != d && (plain[to] != 0 || definitions[to].rules.size() > 1);
                }))
                continue;
            plain[d] = 1;
            changed = true;
        }
    }
    // Through a definition with several rules it may lead back to itself.
    for (std::size_t d = 0; d < definitions.size(); ++d) {
        std::set<std::size_t> seen{d};
        std::vector<std::size_t> fresh{d};
        while (plain[d] != 0 && !fresh.empty()) {
            budget.require(1);
            const std::size_t at = fresh.back();
            fresh.pop_back();
            for (const Clause& rule : definitions[at].rules)
                for (const Call& call : rule.calls) {
                    const auto to = static_cast<std::size_t>(call.definition);
                    if (to == d) plain[d] = 0;
                    if (seen.insert(to).second) fresh.push_back(to);
                }
        }
    }
    return plain;
}

// False: the clause would become too large.
bool put_in_place(Clause& clause, const std::vector<Definition>& definitions,
                  const std::vector<char>& plain) {
    for (std::size_t c = 0; c < clause.calls.size();) {
        const Call call = clause.calls[c];
        if (plain[static_cast<std::size_t>(call.definition)] == 0) {
            ++c;
            continue;
        }
        if (clause.calls.size() + clause.cells.size() > most_atoms) return false;
        clause.calls.erase(clause.calls.begin() + static_cast<std::ptrdiff_t>(c));
        instantiate(definitions[static_cast<std::size_t>(call.definition)].rules[0], call.arguments, clause);
    }
    return true;
}

// The problem with the bodies of such definitions in the place of their calls, or as it is if it would become
// too large. `names` gets which ones.
Problem without_plain_names(const Problem& before, Budget& budget, std::vector<std::string>& names) {
    if (before.right.empty()) return before;
    Problem problem = before;
    const std::vector<char> plain = plain_names(before.written, budget);
    for (auto* side : {&problem.left, &problem.right})
        for (Clause& clause : *side)
            if (!put_in_place(clause, before.written, plain)) return before;
    for (Definition& definition : problem.written)
        for (Clause& rule : definition.rules)
            if (!put_in_place(rule, before.written, plain)) return before;
    for (std::size_t d = 0; d < plain.size(); ++d)
        if (plain[d] != 0) names.push_back(before.written[d].name);
    return problem;
}

class Prover {
  public:
    Prover(const Problem& problem, Budget& budget)
        : problem_(without_plain_names(problem, budget, in_place_)),
          budget_(budget),
          pairs_(problem_.written, budget),
          arithmetic_(budget),
          context_{problem_, problem_.written, pairs_, arithmetic_, budget} {
        for (std::size_t name = 1; name < problem.names.size(); ++name)
            context_.terms.fresh(problem.sorts[name] == number_sort);
        find_invariants(context_);
        find_heads(context_);
        find_anchors(context_);
    }

    Answer run(Pursue pursue, bool write_proof) {
        const bool models = pursue == Pursue::proofs_and_models;
        if (problem_.right.empty()) return satisfiability();
        Answer answer;
        if (models) answer = find_counter_model(2, 40);
        if (answer.verdict == Validity::invalid) return answer;
        if (prove_chains()) return proved(answer, write_proof);
        seed_lemmas();
        seed_joins();
        const bool exchange = lemmas_.find_representatives(all_reachable()), numbers = has_numbers(problem_);
        std::size_t cells = 4;
        for (const Level& level : levels) {
            if (models && (numbers ? level.unfoldings : level.splits) > 0 && cells <= 8) {
                answer = find_counter_model(cells, 200);
                cells += 2;
                if (answer.verdict == Validity::invalid) return answer;
            }
            const Effort plain = effort_of(level);
            Effort exchanging = plain, splitting = plain;
            exchanging.exchange = splitting.below = true;
            splitting.nodes = std::min(plain.nodes, most_nodes_below);
            roots_.clear();
            if (std::all_of(problem_.left.begin(), problem_.left.end(), [&](const Clause& left) {
                    return prove_one(left, plain, answer.splits) ||
                           (exchange && prove_one(left, exchanging, answer.splits)) ||
                           (numbers && level.splits == 0 && prove_one(left, splitting, answer.splits));
                })) {
                return proved(answer, write_proof);
            }
        }
        answer.reason = "neither a proof by induction nor a counter-model was found";
        return answer;
    }

    // A small heap of the left side, if there is one.
    Answer model() {
        for (const std::size_t cells : {3, 6, 12}) {
            Answer found = find_counter_model(cells, 20);
            if (found.verdict == Validity::invalid) return found;
        }
        return {};
    }

  private:
    Answer proved(Answer answer, bool write_proof) const {
        answer.verdict = Validity::valid;
        if (write_proof) answer.proof = certificate(roots_, lemmas_, context_, in_place_).dump();
        return answer;
    }

    // Lists without a search, where there is one case on the right side.
    bool prove_chains() {
        if (!chains_.any() || problem_.right.size() != 1) return false;
        for (const Clause& left : problem_.left) {
            Root root;
            const Sequent start = sequent(left, 0, root);
            root.step = chains_.prove(start);
            if (!root.step) return false;
            roots_.push_back(std::move(root));
        }
        return true;
    }

    // Between one case of the left side and one of the right.
    Sequent sequent(const Clause& left, std::size_t right, Root& root) {
        Sequent result;
        root.right = right;
        result.left = own(left, &root.left_locals);
        result.right = own(problem_.right[right], &result.exists);
        root.right_locals = result.exists;
        return result;
    }

    // The names of the problem stay; existentials get fresh terms.
    Clause own(const Clause& clause, std::vector<TermId>* locals) {
        std::vector<TermId> names;
        for (std::size_t name = 1; name < problem_.names.size(); ++name)
            names.push_back(static_cast<TermId>(name));
        return instance(clause, names, context_.terms, locals);
    }

    bool prove_one(const Clause& left, const Effort& effort, std::uint64_t& nodes) {
        for (std::size_t r = 0; r < problem_.right.size(); ++r) {
            Root root;
            Sequent start = sequent(left, r, root);
            std::vector<Step> before = chains_.shorten(start);
            Search search(context_, lemmas_, effort);
            root.step = search.prove(start);
            nodes += search.nodes();
            if (!root.step) continue;
            for (std::size_t i = before.size(); i-- > 0;) {
                before[i].children = {root.step};
                root.step = std::make_shared<Step>(std::move(before[i]));
            }
            roots_.push_back(std::move(root));
            return true;
        }
        return false;
    }

    // Definitions that a set of calls leads to.
    std::set<int> reachable(const std::vector<Clause>& clauses) const {
        std::set<int> found;
        std::vector<int> fresh;
        const auto visit = [&](const Clause& clause) {
            for (const Call& call : clause.calls)
                if (found.insert(call.definition).second) fresh.push_back(call.definition);
        };
        for (const Clause& clause : clauses) visit(clause);
        while (!fresh.empty()) {
            const Definition& next = problem_.written[static_cast<std::size_t>(fresh.back())];
            fresh.pop_back();
            for (const Clause& rule : next.rules) visit(rule);
        }
        return found;
    }

    std::set<int> all_reachable() const {
        std::set<int> all = reachable(problem_.left);
        all.merge(reachable(problem_.right));
        return all;
    }

    // P(x ..) |- Q(x ..) for definitions of the same form, where a short search proves it.
    void seed_lemmas() {
        const std::set<int> all = all_reachable();
        for (const int p : all)
            for (const int q : all) {
                const Definition &left = problem_.written[static_cast<std::size_t>(p)],
                                 &right = problem_.written[static_cast<std::size_t>(q)];
                if (p == q || left.parameters != right.parameters || left.numbers != right.numbers) continue;
                Sequent sequent;
                std::vector<TermId> names;
                for (TermId i = 1; i <= left.parameters; ++i)
                    names.push_back(context_.terms.fresh(
                        std::find(left.numbers.begin(), left.numbers.end(), i) != left.numbers.end()));
                sequent.left.calls = {{p, names}};
                sequent.right.calls = {{q, names}};
                Effort effort;
                effort.unfoldings = 2;
                effort.splits = 0;
                effort.nodes = 100;
                const StepPtr proof = Search(context_, lemmas_, effort).prove(sequent);
                if (!proof || lemmas_.conversion(p, q)) continue;
                Step stated;
                stated.sequent = sequent;
                stated.id = lemmas_.next_id();
                stated.children = {proof};
                lemmas_.keep_conversion(std::make_shared<Step>(std::move(stated)));
            }
    }

    // Each call of itself passes the parameter on, and there is one.
    bool passes_on(int number, TermId p) const {
        bool calls = false;
        for (const Clause& rule : problem_.written[static_cast<std::size_t>(number)].rules)
            for (const Call& call : rule.calls) {
                if (call.definition != number) continue;
                if (call.arguments[static_cast<std::size_t>(p - 1)] != p) return false;
                calls = true;
            }
        return calls;
    }

    // Parameters p and q of a segment: the first rule without a call says that they are equal, and each call
    // of itself passes q on. A place that its cell leads to counts as equal to where the cell is.
    std::vector<std::pair<TermId, TermId>> ends_of(int number) const {
        const Definition& of = problem_.written[static_cast<std::size_t>(number)];
        std::vector<std::pair<TermId, TermId>> result;
        const auto passed = [&](TermId p) { return passes_on(number, p); };
        const auto add = [&](TermId a, TermId b) {
            if (a < 1 || b < 1 || a > of.parameters || b > of.parameters || a == b) return;
            if (passed(a)) std::swap(a, b);
            if (!passed(a) && passed(b)) result.emplace_back(a, b);
        };
        for (const Clause& rule : of.rules) {
            if (!rule.calls.empty()) continue;
            for (const auto& [a, b] : rule.equal) add(a, b);
            for (const Linear& one : rule.linear)
                if (one.relation == Linear::Relation::zero && one.constant == 0 && one.terms.size() == 2 &&
                    one.terms[0].second + one.terms[1].second == 0)
                    add(one.terms[0].first, one.terms[1].first);
            for (const CellAtom& cell : rule.cells)
                for (const Link& link : cell.links) add(cell.root, link.value);
            break;
        }
        return result;
    }

    // P(x .., y ..) * P(y .., z ..) |- P(x .., z ..), where a short search proves it: first with integers
    // that are ordered where they meet, then with equal ones. Integers that do not meet and that are not
    // passed on are added.
    void seed_joins() {
        for (const int number : all_reachable()) {
            const std::vector<std::pair<TermId, TermId>> ends = ends_of(number);
            const Definition& of = problem_.written[static_cast<std::size_t>(number)];
            const auto is_number = [&](TermId p) {
                return std::find(of.numbers.begin(), of.numbers.end(), p) != of.numbers.end();
            };
            if (std::all_of(ends.begin(), ends.end(), [&](const auto& one) { return is_number(one.first); }))
                continue;
            const bool numbers =
                std::any_of(ends.begin(), ends.end(), [&](const auto& one) { return is_number(one.first); });
            for (int form = numbers ? 0 : 2; form < 3; ++form)
                if (seed_join(number, ends, form)) break;
        }
    }

    // form: numbers that meet are 0: at most, 1: less than, 2: equal to those behind.
    bool seed_join(int number, const std::vector<std::pair<TermId, TermId>>& ends, int form) {
        const Definition& of = problem_.written[static_cast<std::size_t>(number)];
        const auto at = [](TermId p) { return static_cast<std::size_t>(p - 1); };
        Sequent sequent;
        Call first{number, {}}, second, joined;
        for (TermId p = 1; p <= of.parameters; ++p)
            first.arguments.push_back(
                context_.terms.fresh(std::find(of.numbers.begin(), of.numbers.end(), p) != of.numbers.end()));
        second = joined = first;
        for (const auto& [in, out] : ends) {
            const TermId meets = first.arguments[at(out)];
            const bool is_number = context_.terms.is_number(meets);
            second.arguments[at(out)] = joined.arguments[at(out)] = context_.terms.fresh(is_number);
            second.arguments[at(in)] = is_number && form < 2 ? context_.terms.fresh(true) : meets;
            if (!is_number || form == 2) continue;
            Linear order;
            order.relation = Linear::Relation::at_most_zero;
            order.constant = form;
            add_term(order, meets, 1);
            add_term(order, second.arguments[at(in)], -1);
            sequent.left.linear.push_back(order);
        }
        for (const TermId p : of.numbers) {
            const auto is_end = [&](const auto& one) { return one.first == p || one.second == p; };
            if (std::any_of(ends.begin(), ends.end(), is_end) || passes_on(number, p)) continue;
            second.arguments[at(p)] = context_.terms.fresh(true);
            joined.arguments[at(p)] = context_.terms.fresh(true);
            Linear sum;
            add_term(sum, first.arguments[at(p)], 1);
            add_term(sum, second.arguments[at(p)], 1);
            add_term(sum, joined.arguments[at(p)], -1);
            sequent.left.linear.push_back(sum);
        }
        sequent.left.calls = {first, second};
        sequent.right.calls = {joined};
        Effort effort;
        effort.unfoldings = 1;
        effort.splits = effort.number_splits = 0;
        effort.nodes = 60;
        const std::size_t before = lemmas_.all().size();
        if (!Search(context_, lemmas_, effort).prove(sequent)) return false;
        for (std::size_t i = before; i < lemmas_.all().size(); ++i) {
            const Sequent& found = lemmas_.all()[i]->sequent;
            if (found.left.calls.size() == 2 && found.left.cells.empty() && found.left.distinct.empty() &&
                found.left.calls[0].arguments == first.arguments && found.right.calls.size() == 1 &&
                found.right.cells.empty() && found.exists.empty())
                lemmas_.keep_join(lemmas_.all()[i]);
        }
        return true;
    }

    // A heap of the left side that is none of the right side, as a check of its own says.
    Answer find_counter_model(std::size_t most_cells, std::size_t most_models) {
        Answer answer;
        for (const Clause& left : problem_.left)
            visit_models(own(left, nullptr), context_, most_cells, most_models, [&](const Model& model) {
                const bool refuted =
                    std::all_of(problem_.right.begin(), problem_.right.end(), [&](const Clause& right) {
                        return holds(model, own(right, nullptr), context_) == Truth::no;
                    });
                if (!refuted || holds(model, own(left, nullptr), context_) != Truth::yes) return true;
                answer.verdict = Validity::invalid;
                show(model, problem_, answer);
                return false;
            });
        return answer;
    }

    // With integers: no choice of base pairs agrees with what holds of them; or they are shown to exist; or
    // unfolding finds a model.
    Answer satisfiability() {
        Answer answer;
        Existence existence(context_);
        bool maybe = false, shown = false;
        for (const Clause& clause : problem_.left) {
            const Clause left = own(clause, nullptr);
            pairs_.choices(left, budget_, [&](const std::vector<int>& choice) {
                if (!existence.excluded(left, choice)) maybe = true;
                shown = shown || (maybe && existence.shown(left, choice));
                return !shown;
            });
        }
        answer.verdict = maybe ? Validity::unknown : Validity::valid;
        if (!maybe) return answer;
        if (shown) {
            answer.verdict = Validity::invalid;
            return answer;
        }
        Answer found = model();
        if (found.verdict == Validity::invalid) return found;
        answer.reason = "satisfiability with integers was not decided";
        return answer;
    }

    std::vector<std::string> in_place_; // definitions whose bodies stand in the place of their calls
    const Problem problem_;
    Budget& budget_;
    Pairs pairs_;
    Arithmetic arithmetic_;
    Context context_;
    Lemmas lemmas_;
    Chains chains_{context_, lemmas_};
    std::vector<Root> roots_; // of the proof: one for each case of the left side
};

constexpr std::uint64_t model_work = 1'000'000; // units that a model to be shown is worth

// Without integers base pairs decide. A model is shown where a small one is found.
Answer satisfiability(const Problem& problem, const ProverLimits& limits, Budget& budget) {
    Answer answer;
    if (has_numbers(problem)) {
        answer = Prover(problem, budget).run(Pursue::proofs_and_models, false);
    } else {
        PackedPairs pairs(problem.written, budget);
        const bool found = std::any_of(problem.left.begin(), problem.left.end(),
                                       [&](const Clause& left) { return pairs.satisfiable(left); });
        answer.verdict = found ? Validity::invalid : Validity::valid;
    }
    if (answer.verdict != Validity::invalid || answer.counter) return answer;
    ProverLimits rest = limits;
    rest.spent = budget.elapsed();
    rest.work = std::min(model_work, limits.work);
    try {
        Budget of_model(rest);
        const Answer found = Prover(problem, of_model).model();
        if (found.counter) return found;
    } catch (const OutOfBudget&) { // it is satisfiable all the same
    }
    return answer;
}

} // namespace
} // namespace induct

Answer prove_by_induction(const Problem& problem, const ProverLimits& limits, Pursue pursue,
                          bool write_proof) {
    Answer answer;
    answer.reason = induct::outside(problem);
    if (!answer.reason.empty()) return answer;
    Budget budget(limits);
    try {
        if (problem.right.empty()) return induct::satisfiability(problem, limits, budget);
        return induct::Prover(problem, budget).run(pursue, write_proof);
    } catch (const OutOfBudget& out) {
        answer.reason = out.reason;
    }
    return answer;
}

namespace {

// Units of work of the first try by lists: more than any problem of the list divisions needs.
constexpr std::uint64_t list_work = 500'000;
constexpr double share_of_induction = 0.8; // of the time that is left then

Answer decide_by_all(const Problem& problem, const ProverLimits& limits, ProofTree* tree, bool write_proof) {
    const auto induction = [&](const ProverLimits& some, Pursue pursue) {
        return prove_by_induction(problem, some, pursue, write_proof);
    };
    if (!problem.beyond_lists.empty()) return induction(limits, Pursue::proofs_and_models);
    const Budget clock(limits);
    const auto rest = [&] {
        ProverLimits some = limits;
        some.spent = clock.elapsed();
        return some;
    };
    ProverLimits some = limits;
    some.work = std::min(limits.work, list_work);
    const Answer lists = prove(problem, some, tree);
    if (lists.verdict == Validity::valid && write_proof && !problem.right.empty()) {
        const Answer proved = induction(rest(), Pursue::proofs);
        return proved.verdict == Validity::valid ? proved : lists;
    }
    if (lists.verdict != Validity::unknown) return lists;
    some = rest();
    if (lists.out_of_work) some.seconds = some.spent + share_of_induction * (limits.seconds - some.spent);
    const Answer found = induction(some, Pursue::proofs_and_models);
    if (found.verdict != Validity::unknown || !lists.out_of_work) return found;
    if (tree) *tree = {};
    return prove(problem, rest(), tree);
}

} // namespace

Answer decide(const Problem& problem, const ProverLimits& limits, ProofTree* tree) {
    return decide_by_all(problem, limits, tree, false);
}

Answer decide_with_proof(const Problem& problem, const ProverLimits& limits) {
    return decide_by_all(problem, limits, nullptr, true);
}

} // namespace ggsnn::logic
