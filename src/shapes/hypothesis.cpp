#include "ggsnn/shapes/hypothesis.hpp"

#include "ggsnn/logic/definitions.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn::shapes {

using logic::Atom;
using logic::Heap;
using logic::Lambda;

namespace {

constexpr std::size_t most_existentials = 4; // of one scope: a run that asks for more has lost its way
constexpr std::size_t deepest = 4;           // bodies within bodies

double log_of(double probability) {
    return std::log(std::max(probability, 1e-12));
}

std::vector<int> nodes_where(const std::vector<char>& flags, const std::vector<int>& origin) {
    std::vector<int> out;
    for (std::size_t v = 0; v < flags.size(); ++v)
        if (flags[v] != 0) out.push_back(origin.empty() ? static_cast<int>(v) : origin[v]);
    return out;
}

} // namespace

Hypothesis::Hypothesis(Grammar grammar, std::vector<Site> sites, const Heap& first)
    : grammar_(grammar), nested_(grammar.nested) {
    Scope scope;
    scope.sites = std::move(sites);
    for (const auto& [name, node] : first.variables) {
        taken_.push_back(name);
        // A name that is NULL, or the same as an earlier one, in every heap of the group.
        const auto everywhere = [&](const std::string& other) {
            return std::all_of(scope.sites.begin(), scope.sites.end(), [&](const Site& site) {
                return site.heap->variable(name) ==
                       (other == logic::null_name ? 0 : site.heap->variable(other));
            });
        };
        std::string same = everywhere(logic::null_name) ? logic::null_name : "";
        for (const std::string& other : scope.names)
            if (same.empty() && everywhere(other)) same = other;
        if (same.empty()) {
            scope.names.push_back(name);
        } else {
            scope.shape.pure.push_back({true, name, same});
        }
    }
    scope.bound = scope.names.size();
    for (Site& site : scope.sites) {
        for (const std::string& name : scope.names) {
            const int node = site.heap->variable(name);
            const bool own =
                node > 0 && std::find(site.nodes.begin(), site.nodes.end(), node) == site.nodes.end();
            site.nodes.push_back(own ? node : -1);
            if (own) site.marks.named[static_cast<std::size_t>(node)] = 1;
        }
    }
    stack_.push_back(std::move(scope));
    begin_scope();
}

std::string Hypothesis::fresh(const char* stem) {
    for (;;) {
        std::string name = fmt::format("{}{}", stem, ++fresh_names_);
        if (std::find(taken_.begin(), taken_.end(), name) == taken_.end()) return name;
    }
}

void Hypothesis::wait_for(Decision decision) {
    waiting_ = decision;
    const Scope& scope = stack_.back();
    asked_.clear();
    const bool of_name = decision != Decision::pick && !(decision == Decision::quantify && !nested_);
    for (std::size_t s = 0; s < scope.sites.size(); ++s)
        if (!of_name || scope.sites[s].nodes[scope.current] >= 0) asked_.push_back(s);
}

void Hypothesis::begin_scope() {
    Scope& scope = stack_.back();
    scope.current = 0;
    // Algorithm 1 declares all existentials first; Algorithm 2 those of each name when its turn comes.
    if (scope.names.empty()) return close_scope();
    if (nested_) return begin_name();
    wait_for(Decision::quantify);
}

void Hypothesis::begin_name() {
    Scope& scope = stack_.back();
    if (scope.current == scope.names.size()) return close_scope();
    scope.atom = {};
    scope.atom.arguments = {scope.names[scope.current]};
    bool anywhere = false;
    for (Site& site : scope.sites) {
        const int node = site.nodes[scope.current];
        site.marks.active.clear();
        if (node >= 0) site.marks.active = {node};
        anywhere = anywhere || node >= 0;
    }
    if (!anywhere) return next_name(); // an existential that found no node
    wait_for(nested_ ? Decision::quantify : Decision::predicate);
}

void Hypothesis::next_name() {
    ++stack_.back().current;
    begin_name();
}

void Hypothesis::close_scope() {
    Scope closed = std::move(stack_.back());
    stack_.pop_back();
    for (std::size_t i = closed.bound; i < closed.names.size(); ++i)
        closed.shape.exists.push_back(closed.names[i]);
    bind_extra(closed);
    if (stack_.empty()) {
        finished_ = std::move(closed.shape);
        return;
    }
    Scope& around = stack_.back();
    for (const Site& site : closed.sites)
        for (std::size_t v = 1; v < site.origin.size(); ++v)
            if (site.marks.explained[v] != 0)
                around.sites[static_cast<std::size_t>(site.parent)]
                    .marks.explained[static_cast<std::size_t>(site.origin[v])] = 1;
    around.atom.body = std::make_shared<const Lambda>(Lambda{closed.names[0], std::move(closed.shape)});
    around.shape.atoms.push_back(around.atom);
    next_name();
}

std::vector<Outcome> Hypothesis::outcomes(const std::vector<const Prediction*>& answers, int width) {
    std::vector<Outcome> out;
    switch (waiting_) {
    case Decision::quantify:
    case Decision::predicate:
        out = class_outcomes(answers, schema_of(waiting_, grammar_).classes);
        break;
    case Decision::pick:
        out = pick_outcomes(answers, width);
        break;
    case Decision::end:
        out = end_outcomes(answers);
        break;
    case Decision::explain:
        out = explain_outcomes(answers);
        break;
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const Outcome& a, const Outcome& b) { return a.score > b.score; });
    if (tracing_) {
        offered_.clear();
        for (const Outcome& outcome : out) offered_.emplace_back(outcome.text, outcome.score);
    }
    if (out.size() > static_cast<std::size_t>(width)) out.resize(static_cast<std::size_t>(width));
    return out;
}

std::vector<Outcome> Hypothesis::class_outcomes(const std::vector<const Prediction*>& answers,
                                                const Vocabulary& classes) const {
    const Scope& scope = stack_.back();
    std::vector<Outcome> out;
    for (int c = 0; c < classes.size(); ++c) {
        if (waiting_ == Decision::quantify && c == one_more &&
            scope.names.size() - scope.bound >= most_existentials)
            continue;
        Outcome outcome;
        outcome.choice = c;
        outcome.text = classes.name(c);
        for (const Prediction* p : answers) outcome.score += log_of(p->lists[0][static_cast<std::size_t>(c)]);
        out.push_back(std::move(outcome));
    }
    return out;
}

// The r-th outcome takes the r-th best node of every heap.
std::vector<Outcome> Hypothesis::pick_outcomes(const std::vector<const Prediction*>& answers,
                                               int width) const {
    const Scope& scope = stack_.back();
    std::vector<std::vector<int>> ranked;
    std::size_t most = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const Site& site = scope.sites[asked_[i]];
        const auto& p = answers[i]->lists[0];
        auto& nodes = ranked.emplace_back();
        for (std::size_t v = 1; v < p.size(); ++v)
            if (site.marks.named[v] == 0) nodes.push_back(static_cast<int>(v));
        const auto better = [&](int a, int b) {
            return p[static_cast<std::size_t>(a)] > p[static_cast<std::size_t>(b)];
        };
        const std::size_t kept = std::min<std::size_t>(nodes.size(), static_cast<std::size_t>(width));
        std::partial_sort(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(kept), nodes.end(),
                          better);
        nodes.resize(kept);
        most = std::max(most, kept);
    }
    std::vector<Outcome> out;
    for (std::size_t r = 0; r < std::max<std::size_t>(1, most); ++r) {
        Outcome outcome;
        for (std::size_t i = 0; i < answers.size(); ++i) {
            if (ranked[i].empty()) {
                outcome.nodes.emplace_back();
                outcome.score += log_of(0);
                continue;
            }
            const int node = ranked[i][std::min(r, ranked[i].size() - 1)];
            outcome.nodes.push_back({node});
            outcome.score += log_of(answers[i]->lists[0][static_cast<std::size_t>(node)]);
        }
        outcome.text = outcome.nodes.size() == 1 && !outcome.nodes[0].empty()
                           ? fmt::format("node {}", outcome.nodes[0][0])
                           : "a node in each heap";
        out.push_back(std::move(outcome));
    }
    return out;
}

// Lists end at NULL or at a named node; a name without a node in some heap has no say there.
std::vector<Outcome> Hypothesis::end_outcomes(const std::vector<const Prediction*>& answers) const {
    const Scope& scope = stack_.back();
    std::vector<Outcome> out;
    for (int name = -1; name < static_cast<int>(scope.names.size()); ++name) {
        Outcome outcome;
        outcome.choice = name;
        outcome.text = name < 0 ? logic::null_name : scope.names[static_cast<std::size_t>(name)];
        for (std::size_t i = 0; i < answers.size(); ++i) {
            const Site& site = scope.sites[asked_[i]];
            const int node = name < 0 ? 0 : site.nodes[static_cast<std::size_t>(name)];
            outcome.score += log_of(node < 0 ? 0 : answers[i]->lists[0][static_cast<std::size_t>(node)]);
        }
        out.push_back(std::move(outcome));
    }
    return out;
}

std::vector<Outcome> Hypothesis::explain_outcomes(const std::vector<const Prediction*>& answers) const {
    Outcome outcome;
    for (const Prediction* p : answers) outcome.nodes.push_back(p->labels);
    outcome.text = "annotations";
    return {outcome};
}

void Hypothesis::take(const Outcome& outcome, const MakeSite& make_site) {
    if (tracing_) trace(outcome);
    score_ += outcome.score;
    apply(outcome, make_site);
    if (tracing_) trace_.back().formula = so_far();
}

void Hypothesis::apply(const Outcome& outcome, const MakeSite& make_site) {
    Scope& scope = stack_.back();
    switch (waiting_) {
    case Decision::quantify:
        if (outcome.choice == one_more) return wait_for(Decision::pick);
        return nested_ ? wait_for(Decision::predicate) : begin_name();
    case Decision::pick:
        scope.names.push_back(fresh("e"));
        for (Site& site : scope.sites) site.nodes.push_back(-1);
        for (std::size_t i = 0; i < asked_.size(); ++i) {
            if (outcome.nodes[i].empty()) continue;
            Site& site = scope.sites[asked_[i]];
            site.nodes.back() = outcome.nodes[i][0];
            site.marks.named[static_cast<std::size_t>(outcome.nodes[i][0])] = 1;
        }
        return wait_for(Decision::quantify);
    case Decision::predicate:
        scope.atom.kind = kind_of(outcome.choice);
        scope.atom.strict = outcome.choice != is_none;
        for (const std::size_t i : asked_)
            ++scope.sites[i].marks.earlier[static_cast<std::size_t>(outcome.choice)];
        if (outcome.choice != is_none) {
            if (logic::ends_of(scope.atom.kind).end >= 0) return wait_for(Decision::end);
            read_off("");
            return wait_for(Decision::explain);
        }
        scope.shape.atoms.push_back(scope.atom);
        return next_name();
    case Decision::end:
        read_off(outcome.choice < 0 ? logic::null_name
                                    : scope.names[static_cast<std::size_t>(outcome.choice)]);
        return wait_for(Decision::explain);
    case Decision::explain:
        return finish_atom(make_site, outcome);
    }
}

// The further arguments of the structure that is described. Where its links back lead and which cell is its
// last no network is asked: the heaps say. Each such node gets an existential, the same for the last cell of
// one structure and for where another leads back to; see also close_scope.
void Hypothesis::read_off(const std::string& end) {
    Scope& scope = stack_.back();
    Atom& atom = scope.atom;
    const logic::Ends& ends = logic::ends_of(atom.kind);
    std::vector<std::vector<int>> nodes; // by argument and site
    nodes.resize(logic::predicate(atom.kind).parameters.size());
    const auto at = std::find(scope.names.begin(), scope.names.end(), end);
    for (const std::size_t s : asked_) {
        const Site& site = scope.sites[s];
        const int node = at == scope.names.end()
                             ? 0
                             : node_of(scope, site, static_cast<std::size_t>(at - scope.names.begin()));
        const std::vector<int> found =
            argument_nodes(*site.heap, atom.kind, site.nodes[scope.current], std::max(node, 0));
        for (std::size_t a = 0; a < nodes.size(); ++a) nodes[a].push_back(found[a]);
    }
    for (int a = 1; a < static_cast<int>(nodes.size()); ++a)
        atom.arguments.push_back(a == ends.end ? end
                                               : name_at(nodes[static_cast<std::size_t>(a)], a == ends.last));
}

// Where a name stands, also where it is NULL or another name.
int Hypothesis::node_of(const Scope& scope, const Site& site, std::size_t name) const {
    return site.parent < 0 && name < scope.bound ? site.heap->variable(scope.names[name]) : site.nodes[name];
}

std::string Hypothesis::name_at(const std::vector<int>& nodes, bool last) {
    Scope& scope = stack_.back();
    if (!last && std::all_of(nodes.begin(), nodes.end(), [](int node) { return node == 0; }))
        return logic::null_name;
    for (Scope::Extra& extra : scope.extra) {
        bool same = true;
        for (std::size_t i = 0; i < asked_.size(); ++i)
            same = same && extra.nodes[asked_[i]] == nodes[i] && !(last && extra.last);
        if (!same) continue;
        extra.last = extra.last || last;
        return extra.name;
    }
    Scope::Extra& extra = scope.extra.emplace_back(Scope::Extra{fresh("n"), {}, last});
    extra.nodes.assign(scope.sites.size(), -1);
    for (std::size_t i = 0; i < asked_.size(); ++i) extra.nodes[asked_[i]] = nodes[i];
    return extra.name;
}

// What is only led back to, and has a name of its own in every heap, is called that.
void Hypothesis::bind_extra(Scope& scope) const {
    for (const Scope::Extra& extra : scope.extra) {
        std::string name;
        for (std::size_t n = 0; n < scope.names.size() && name.empty() && !extra.last; ++n) {
            bool same = true;
            for (std::size_t s = 0; s < scope.sites.size(); ++s)
                same = same && (extra.nodes[s] < 0 || extra.nodes[s] == node_of(scope, scope.sites[s], n));
            if (same) name = scope.names[n];
        }
        if (name.empty())
            scope.shape.exists.push_back(extra.name);
        else
            scope.shape = logic::substitute(scope.shape, extra.name, name);
    }
}

void Hypothesis::finish_atom(const MakeSite& make_site, const Outcome& outcome) {
    Scope& scope = stack_.back();
    Scope body;
    for (std::size_t i = 0; i < asked_.size(); ++i) {
        Site& site = scope.sites[asked_[i]];
        site.marks.active.clear();
        for (std::size_t v = 1; v < outcome.nodes[i].size(); ++v) {
            if (outcome.nodes[i][v] == now_explained) site.marks.explained[v] = 1;
            if (outcome.nodes[i][v] != hangs_here || stack_.size() >= deepest) continue;
            std::vector<int> origin;
            auto part =
                std::make_shared<const Heap>(reachable_part(*site.heap, static_cast<int>(v), "u", origin));
            Site below = make_site(std::move(part));
            below.parent = static_cast<int>(asked_[i]);
            below.origin = std::move(origin);
            below.nodes = {below.heap->variable("u")};
            below.marks.named[static_cast<std::size_t>(below.nodes[0])] = 1;
            body.sites.push_back(std::move(below));
        }
    }
    if (body.sites.empty()) {
        scope.shape.atoms.push_back(scope.atom);
        return next_name();
    }
    body.names = {fresh("u")};
    body.bound = 1;
    stack_.push_back(std::move(body));
    begin_scope();
}

void Hypothesis::trace(const Outcome& outcome) {
    static constexpr int lines[2][decision_count] = {{3, 5, 11, 13, 18}, {11, 13, 20, 22, 31}};
    const Scope& scope = stack_.back();
    TraceStep step;
    step.decision = waiting_;
    step.line = lines[nested_ ? 1 : 0][static_cast<std::size_t>(waiting_)];
    step.depth = static_cast<int>(stack_.size()) - 1;
    // The name may have a node in some heaps of the group only.
    const bool of_name = std::any_of(scope.sites.begin(), scope.sites.end(),
                                     [](const Site& site) { return !site.marks.active.empty(); });
    if (of_name) step.about = scope.names[scope.current];
    step.outcome = outcome.text;
    step.scores = offered_;
    for (std::size_t i = 0; i < asked_.size(); ++i) {
        const Site& site = scope.sites[asked_[i]];
        TraceStep::Site shown;
        shown.heap = static_cast<int>(asked_[i]);
        shown.named = nodes_where(site.marks.named, site.origin);
        shown.explained = nodes_where(site.marks.explained, site.origin);
        const auto outer = [&](int v) {
            return site.origin.empty() ? v : site.origin[static_cast<std::size_t>(v)];
        };
        for (const int v : site.marks.active) shown.active.push_back(outer(v));
        if (i < outcome.nodes.size() && waiting_ == Decision::pick)
            for (const int v : outcome.nodes[i]) shown.chosen.push_back(outer(v));
        if (i < outcome.nodes.size() && waiting_ == Decision::explain)
            for (std::size_t v = 1; v < outcome.nodes[i].size(); ++v)
                if (outcome.nodes[i][v] != nothing_new) shown.chosen.push_back(outer(static_cast<int>(v)));
        step.sites.push_back(std::move(shown));
    }
    trace_.push_back(std::move(step));
}

// The formula as far as it is decided. A structure whose end or body is not known yet has dots there.
std::string Hypothesis::so_far() const {
    if (stack_.empty()) return logic::print(finished_, logic::Reading::shape);
    std::shared_ptr<const Lambda> body;
    logic::SymbolicHeap heap;
    for (std::size_t s = stack_.size(); s-- > 0;) {
        const Scope& scope = stack_[s];
        heap = scope.shape;
        heap.exists.assign(scope.names.begin() + static_cast<std::ptrdiff_t>(scope.bound), scope.names.end());
        for (const Scope::Extra& extra : scope.extra) heap.exists.push_back(extra.name);
        const bool innermost = s + 1 == stack_.size();
        if (!innermost || waiting_ == Decision::end || waiting_ == Decision::explain) {
            Atom atom = scope.atom;
            if (innermost && waiting_ == Decision::end)
                atom.arguments.resize(logic::predicate(atom.kind).parameters.size(), "...");
            atom.body = body;
            heap.atoms.push_back(std::move(atom));
        }
        body = std::make_shared<const Lambda>(Lambda{scope.names.empty() ? "" : scope.names[0], heap});
    }
    return logic::print(heap, logic::Reading::shape);
}

Candidate Hypothesis::result() && {
    return {std::move(finished_), score_, std::move(trace_)};
}

} // namespace ggsnn::shapes
