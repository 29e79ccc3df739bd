#include "ggsnn/checker/check.hpp"

#include "ggsnn/checker/form.hpp"

#include <algorithm>

namespace ggsnn::checker {

namespace {

using Expressions = std::vector<z3::expr>;

void require(bool holds, const std::string& otherwise) {
    if (!holds) throw Rejected(otherwise);
}

template <typename T>
std::vector<T> joined(std::vector<T> a, const std::vector<T>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

// What is left of `from` without `part`; nothing if it is not part of it.
template <typename Atom>
std::vector<std::size_t> without(const std::vector<Atom>& from, const std::vector<Atom>& part) {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < from.size(); ++i) left.push_back(i);
    for (const Atom& atom : part) {
        const auto at =
            std::find_if(left.begin(), left.end(), [&](std::size_t i) { return from[i] == atom; });
        require(at != left.end(), "an atom is stated that is not there");
        left.erase(at);
    }
    return left;
}

template <typename Atom>
std::vector<Atom> chosen(const std::vector<Atom>& all, const std::vector<std::size_t>& which) {
    std::vector<Atom> result;
    for (const std::size_t i : which) result.push_back(all[i]);
    return result;
}

template <typename Atom>
bool same_atoms(std::vector<Atom> a, std::vector<Atom> b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
}

// A sequent as a rule gives it, with all that is known of the heaps of its left side.
struct Given {
    Sequent sequent;
    Expressions facts;
    z3::expr size;          // of the heap
    Expressions call_sizes; // by call of the left side
    std::set<Term> scope;   // names that mean something here
};

// A node above that may be used, with the number of times that cells had become fewer there.
struct Above {
    Sequent sequent;
    int smaller = 0;
};
struct Path {
    std::map<int, Above> above;
    int smaller = 0;
};

class Checker {
  public:
    Checker(const Problem& problem, const Json& proof)
        : problem_(problem), facts_(problem, read_summaries(proof.at("summaries"), problem)) {}

    void run(const Json& proof) {
        facts_.check_summaries();
        for (const Json& lemma : proof.at("lemmas")) {
            const Sequent sequent = read_sequent(lemma.at("sequent"), problem_);
            node(lemma, given(sequent, {}), {});
            require(lemmas_.emplace(lemma.at("id").get<int>(), sequent).second, "two lemmas of one number");
        }
        const Json& proofs = proof.at("proofs");
        require(proofs.size() == problem_.left.size(),
                "one proof for each case of the left side is expected");
        for (std::size_t i = 0; i < proofs.size(); ++i) root(proofs[i], problem_.left[i]);
    }

  private:
    // The sequent, and what its left side and other facts say.
    Given given(const Sequent& sequent, const Expressions& facts, const Expressions& sizes = {}) {
        const Known known = facts_.known(sequent.left, sizes);
        Given result{sequent, joined(facts, known.facts), known.size, known.call_sizes,
                     terms_of(sequent.left)};
        const std::set<Term> right = terms_of(sequent.right);
        result.scope.insert(right.begin(), right.end());
        result.scope.insert(sequent.exists.begin(), sequent.exists.end());
        return result;
    }

    // The heap is the one that was before; the first calls of the left side are those with these sizes.
    Given after(const Given& before, const Sequent& sequent, const Expressions& sizes) {
        Given result = given(sequent, before.facts, sizes);
        result.facts.push_back(result.size == before.size);
        result.scope.insert(before.scope.begin(), before.scope.end());
        return result;
    }

    // New names, each once, that mean nothing yet.
    static Names fresh(const Json& names, int first, int count, std::set<Term>& scope) {
        Names result;
        require(names.is_array() && static_cast<int>(names.size()) == count,
                std::to_string(count) + " new names are expected");
        for (int i = 0; i < count; ++i) {
            const Term name = read_term(names[static_cast<std::size_t>(i)]);
            require(name != nil && scope.insert(name).second, name + " is not a new name");
            result["$" + std::to_string(first + i)] = name;
        }
        return result;
    }

    void root(const Json& proof, const Clause& left) {
        Sequent sequent;
        std::set<Term> scope = terms_of(left);
        const auto number = proof.at("right").get<std::size_t>();
        // Without a right side, the left side has to be contradictory.
        const bool none = problem_.right.empty();
        require(none || number < problem_.right.size(), "no such case of the right side");
        const Clause right = none ? Clause{} : problem_.right[number];
        require(!none || proof.at("proof").at("rule") == "false", "there is no right side");
        const std::set<Term> more = terms_of(right);
        scope.insert(more.begin(), more.end());
        sequent.left = renamed(left, fresh(proof.at("left locals"), 1, left.locals, scope));
        const Names exists = fresh(proof.at("locals"), 1, right.locals, scope);
        sequent.right = renamed(right, exists);
        for (const auto& [local, name] : exists) sequent.exists.insert(name);
        node(proof.at("proof"), given(sequent, {}), {});
    }

    Clause call_by_rule(const Call& call, std::size_t rule, const Json& locals, std::set<Term> scope,
                        std::set<Term>* introduced = nullptr) const {
        const Definition& definition = problem_.definitions.at(call.definition);
        require(rule < definition.rules.size(), "no such rule of " + call.definition);
        const Clause& body = definition.rules[rule];
        Names names = fresh(locals, definition.parameters + 1, body.locals, scope);
        for (const auto& [local, name] : names)
            if (introduced) introduced->insert(name);
        for (int p = 1; p <= definition.parameters; ++p)
            names["$" + std::to_string(p)] = call.arguments[static_cast<std::size_t>(p - 1)];
        return renamed(body, names);
    }

    static Call take_call(Clause& clause, const Json& number) {
        const auto at = number.get<std::size_t>();
        require(at < clause.calls.size(), "no such call");
        const Call call = clause.calls[at];
        clause.calls.erase(clause.calls.begin() + static_cast<std::ptrdiff_t>(at));
        return call;
    }

    void node(const Json& json, const Given& from, Path path) {
        const std::string rule = json.at("rule").get<std::string>();
        if (rule == "false") {
            require(facts_.contradictory(from.facts), "the left side is not contradictory");
            return;
        }
        if (rule == "done") {
            frame(json, from, {}, true);
            return;
        }
        const Sequent sequent = read_sequent(json.at("sequent"), problem_);
        path.smaller += frame(json, from, sequent, false) ? 1 : 0;
        if (json.contains("id"))
            require(path.above.emplace(json.at("id").get<int>(), Above{sequent, path.smaller}).second,
                    "two nodes of one number");
        const Json& children = json.at("children");
        if (rule == "case")
            by_cases(json, sequent, path);
        else if (rule == "left")
            unfold_left(json, sequent, path);
        else
            node(children.at(0),
                 rule == "same"    ? given(sequent, {})
                 : rule == "right" ? unfold_right(json, sequent)
                 : rule == "use"   ? use(json, sequent, path)
                                   : throw Rejected("the rule " + rule),
                 path);
        require(children.size() == (rule == "case"   ? 2
                                    : rule == "left" ? rules_of(json, sequent)
                                                     : 1),
                "too many children");
    }

    std::size_t rules_of(const Json& json, Sequent sequent) const {
        return problem_.definitions.at(take_call(sequent.left, json.at("call")).definition).rules.size();
    }

    void by_cases(const Json& json, const Sequent& sequent, const Path& path) {
        const Json& on = json.at("on");
        Clause condition;
        if (on.contains("equal"))
            condition.equal = {read_pair(on.at("equal"))};
        else
            condition.linear = {read_linear(on.at("linear"))};
        for (const Term& term : terms_of(condition))
            require(!sequent.exists.contains(term), "a case on " + term + ", which is still to be chosen");
        const z3::expr holds = facts_.pure(condition).at(0);
        node(json.at("children").at(0), given(sequent, {holds}), path);
        node(json.at("children").at(1), given(sequent, {!holds}), path);
    }

    void unfold_left(const Json& json, const Sequent& sequent, const Path& path) {
        const Given before = given(sequent, {});
        Sequent rest = sequent;
        const Call call = take_call(rest.left, json.at("call"));
        Expressions sizes = before.call_sizes;
        sizes.erase(sizes.begin() + json.at("call").get<std::ptrdiff_t>());
        const std::size_t rules = problem_.definitions.at(call.definition).rules.size();
        for (std::size_t r = 0; r < rules; ++r) {
            const Json& child = json.at("children").at(r);
            Sequent next = rest;
            append(next.left, call_by_rule(call, r, child.at("locals"), before.scope));
            node(child, after(before, next, sizes), path);
        }
    }

    Given unfold_right(const Json& json, const Sequent& sequent) {
        const Given before = given(sequent, {});
        Sequent next = sequent;
        const Call call = take_call(next.right, json.at("call"));
        append(next.right, call_by_rule(call, json.at("by").get<std::size_t>(),
                                        json.at("children").at(0).at("locals"), before.scope, &next.exists));
        return given(next, {});
    }

    // Names for sums of what is there: they say nothing of other terms.
    Expressions definitions(const Json& json, const char* key, const std::set<Term>& exists,
                            std::set<Term>& scope) {
        Expressions result;
        if (!json.contains(key)) return result;
        for (const Json& one : json.at(key)) {
            const Term name = read_term(one.at(0));
            const Linear sum = read_linear(one.at(1));
            for (const auto& [term, coefficient] : sum.sum) {
                require(!exists.contains(term), term + " is still to be chosen");
                scope.insert(term);
            }
            require(name != nil && scope.insert(name).second, name + " is not a new name");
            result.push_back(facts_.sum(sum) == facts_.term(name));
        }
        return result;
    }

    Given use(const Json& json, const Sequent& sequent, const Path& path) {
        Given before = given(sequent, {});
        const auto number = json.at("fact").get<int>();
        const auto above = path.above.find(number);
        const auto lemma = lemmas_.find(number);
        require(above != path.above.end() || lemma != lemmas_.end(), "nothing of that number to use");
        const Sequent& fact = above != path.above.end() ? above->second.sequent : lemma->second;
        before.facts = joined(before.facts, definitions(json, "meanings", sequent.exists, before.scope));
        Names names;
        for (const auto& [term, instance] : json.at("terms").items()) {
            require(term != nil && !fact.exists.contains(term), term + " cannot be replaced");
            names[term] = read_term(instance);
        }
        for (const Term& term : terms_of(renamed(fact.left, names)))
            require(!sequent.exists.contains(term), term + " is still to be chosen");
        for (const Term& term : terms_of(fact.right))
            require(fact.exists.contains(term) || !sequent.exists.contains(named(names, term)),
                    term + " is still to be chosen");
        const Clause needed = renamed(fact.left, names);
        require(facts_.implies(before.facts, facts_.pure(needed)), "a condition of the fact does not hold");
        const std::set<Term> all = joined_terms({&sequent.left, &needed});
        const Names same = facts_.classes(before.facts, all);
        const Clause left = renamed(sequent.left, same), part = renamed(needed, same);
        const auto cells = without(left.cells, part.cells), calls = without(left.calls, part.calls);
        if (above != path.above.end())
            require(above->second.smaller < path.smaller || has_cell(cells.size(), calls, before),
                    "the heap is not smaller where the node above is used");
        for (const Term& term : all) before.scope.insert(term);
        for (const Term& term : terms_of(fact.right)) before.scope.insert(named(names, term));
        const std::vector<Term> chosen_later(fact.exists.begin(), fact.exists.end());
        const Json& fresh_names = json.at("fresh");
        for (const Term& term : chosen_later) {
            const Term name = read_term(fresh_names.at(term));
            require(name != nil && before.scope.insert(name).second, name + " is not a new name");
            names[term] = name;
        }
        Sequent next = sequent;
        next.left.cells = chosen(sequent.left.cells, cells);
        next.left.calls = chosen(sequent.left.calls, calls);
        append(next.left, renamed(fact.right, names));
        return after(before, next, chosen(before.call_sizes, calls));
    }

    static std::set<Term> joined_terms(const std::vector<const Clause*>& clauses) {
        std::set<Term> all;
        for (const Clause* clause : clauses)
            for (const Term& term : terms_of(*clause)) all.insert(term);
        return all;
    }

    // Some of these atoms of the left side surely has a cell.
    bool has_cell(std::size_t cells, const std::vector<std::size_t>& calls, const Given& given) {
        return cells > 0 || std::any_of(calls.begin(), calls.end(), [&](std::size_t call) {
                   return facts_.implies(given.facts, {given.call_sizes[call] >= 1});
               });
    }

    // Values of existentials that are given up. A value may speak of those given up after it: then all have
    // values. One without stands for any place that nothing else speaks of, unless a value speaks of it.
    Expressions choices(const Json& json, const Sequent& from, const Sequent& to,
                        const std::set<Term>& scope) {
        Expressions result;
        std::set<Term> chosen_ones, mentioned;
        for (const auto& [name, value] : read_choices(json)) {
            require(from.exists.contains(name) && !to.exists.contains(name) &&
                        chosen_ones.insert(name).second,
                    name + " cannot be chosen");
            for (const auto& [term, coefficient] : value.sum) {
                require(!chosen_ones.contains(term), term + " is chosen too early");
                mentioned.insert(term);
            }
            result.push_back(facts_.term(name) == facts_.sum(value));
        }
        for (const Term& name : from.exists) {
            if (to.exists.contains(name) || chosen_ones.contains(name) || mentioned.contains(name)) continue;
            for (const Term& other : scope)
                if (other != name) result.push_back(facts_.term(name) != facts_.term(other));
        }
        return result;
    }

    // At the end: values that do not depend on what is open. `open` keeps the existentials without one.
    Expressions last_choices(const Json& json, std::set<Term>& open) {
        Expressions result;
        const auto list = read_choices(json);
        for (std::size_t i = list.size(); i-- > 0;) {
            const auto& [name, value] = list[i];
            if (std::any_of(value.sum.begin(), value.sum.end(),
                            [&](const auto& pair) { return open.contains(pair.first); }))
                continue;
            require(open.erase(name) == 1, name + " cannot be chosen");
            result.push_back(facts_.term(name) == facts_.sum(value));
        }
        return result;
    }

    // From what a rule gives to what a node states. True: heaps of the node have fewer cells. At the end
    // (`last`) nothing is stated: all atoms go, and integers may be chosen as the conditions need them.
    bool frame(const Json& json, const Given& from, const Sequent& to, bool last) {
        const Sequent& given = from.sequent;
        std::set<Term> scope = from.scope;
        for (const Term& term : to.exists)
            require(given.exists.contains(term), term + " was not to be chosen before");
        for (const Term& term : joined_terms({&to.left, &to.right})) {
            require(to.exists.contains(term) || !given.exists.contains(term),
                    term + " is still to be chosen");
            scope.insert(term);
        }
        std::set<Term> before = from.scope;
        const Expressions left_facts = joined(from.facts, definitions(json, "define", given.exists, before));
        scope.insert(before.begin(), before.end());
        scope.insert(nil);
        require(facts_.implies(left_facts, facts_.pure(to.left)), "a stated condition does not follow");
        const Names same = facts_.classes(left_facts, joined_terms({&given.left, &to.left}));
        const Clause left = renamed(given.left, same), left_to = renamed(to.left, same);
        const auto cells = without(left.cells, left_to.cells), calls = without(left.calls, left_to.calls);
        const bool smaller =
            has_cell(cells.size(), calls, {given, left_facts, from.size, from.call_sizes, {}});

        Clause gone;
        gone.cells = chosen(given.left.cells, cells);
        gone.calls = chosen(given.left.calls, calls);
        std::set<Term> open;
        if (last) open = given.exists;
        const Expressions values = last ? last_choices(json, open) : choices(json, given, to, scope);
        match_right(given, to, gone, joined(left_facts, values), open);
        return smaller;
    }

    void match_right(const Sequent& given, const Sequent& to, const Clause& gone, Expressions facts,
                     const std::set<Term>& open) {
        facts = joined(std::move(facts), facts_.pure(to.right));
        const Names same = facts_.classes(facts, joined_terms({&gone, &given.right, &to.right}));
        const Clause right = renamed(given.right, same), right_to = renamed(to.right, same),
                     matched = renamed(gone, same);
        require(same_atoms(chosen(right.cells, without(right.cells, right_to.cells)), matched.cells) &&
                    same_atoms(chosen(right.calls, without(right.calls, right_to.calls)), matched.calls),
                "atoms that go from both sides are not the same");
        require(facts_.implies(facts, facts_.pure(given.right), open),
                "a condition of the right side is open");
    }

    const Problem& problem_;
    Facts facts_;
    std::map<int, Sequent> lemmas_;
};

} // namespace

void check(const std::string& problem_text, const std::string& proof_text) {
    try {
        Problem problem = read_problem(problem_text);
        const Json proof = Json::parse(proof_text);
        require(proof.at("format") == "ggsnn proof 1", "the format of the proof is unknown");
        put_in_place(problem, proof.at("in place").get<std::vector<std::string>>());
        Checker(problem, proof).run(proof);
    } catch (const Json::exception& error) {
        throw Rejected(std::string("the proof is not as it should be: ") + error.what());
    } catch (const z3::exception& error) {
        throw Rejected(std::string("Z3: ") + error.msg());
    } catch (const std::out_of_range&) {
        throw Rejected("the proof speaks of what is not there");
    }
}

} // namespace ggsnn::checker
