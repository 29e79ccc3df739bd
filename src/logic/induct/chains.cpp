#include "ggsnn/logic/induct/chains.hpp"

#include <algorithm>

namespace ggsnn::logic::induct {

namespace {

constexpr int deepest = 400; // of the proof

using Number = std::ptrdiff_t;

std::optional<Chain> chain_of(const Definition& definition, int number) {
    if (definition.rules.size() != 2 || !definition.numbers.empty()) return {};
    Chain chain;
    if (!definition.rules[0].cells.empty()) std::swap(chain.base_rule, chain.step_rule);
    const Clause &base = definition.rules[chain.base_rule], &step = definition.rules[chain.step_rule];
    if (!base.cells.empty() || !base.calls.empty() || base.equal.size() != 1 || !base.distinct.empty() ||
        !base.linear.empty())
        return {};
    if (step.cells.size() != 1 || step.calls.size() != 1 || step.calls[0].definition != number ||
        !step.equal.empty() || !step.linear.empty() || step.distinct.size() > 1)
        return {};
    const TermId root = step.cells[0].root;
    const auto [a, b] = base.equal[0];
    if (root != a && root != b) return {};
    const TermId out = root == a ? b : a;
    if (root < 1 || root > definition.parameters || out < 1 || out > definition.parameters || root == out)
        return {};
    chain.root = static_cast<std::size_t>(root - 1);
    chain.out = static_cast<std::size_t>(out - 1);
    chain.guarded = !step.distinct.empty();
    if (chain.guarded &&
        std::minmax(step.distinct[0].first, step.distinct[0].second) != std::minmax(root, out))
        return {};
    const std::vector<TermId>& onward = step.calls[0].arguments;
    for (TermId p = 1; p <= definition.parameters; ++p)
        if (p != root && onward[static_cast<std::size_t>(p - 1)] != p) return {};
    int links = 0;
    for (const Link& link : step.cells[0].links)
        if (link.value == onward[chain.root]) {
            chain.next = link.field;
            ++links;
        }
    if (links != 1 || onward[chain.root] <= definition.parameters) return {};
    return chain;
}

template <typename Items>
void erase_at(Items& items, std::size_t at) {
    items.erase(items.begin() + static_cast<Number>(at));
}

void drop_call(Clause& clause, const Call& call) {
    const auto at = std::find_if(clause.calls.begin(), clause.calls.end(), [&](const Call& other) {
        return other.definition == call.definition && other.arguments == call.arguments;
    });
    if (at != clause.calls.end()) clause.calls.erase(at);
}

// As they stand in cells and calls.
std::vector<TermId> terms_in_order(const Sequent& sequent) {
    std::vector<TermId> terms;
    for (const Clause* side : {&sequent.left, &sequent.right}) {
        for (const CellAtom& cell : side->cells) {
            terms.push_back(cell.root);
            for (const Link& link : cell.links) terms.push_back(link.value);
        }
        for (const Call& call : side->calls)
            terms.insert(terms.end(), call.arguments.begin(), call.arguments.end());
    }
    return terms;
}

bool same_cell(const CellAtom& a, const CellAtom& b) {
    if (a.root != b.root || a.links.size() != b.links.size()) return false;
    for (std::size_t i = 0; i < a.links.size(); ++i)
        if (a.links[i].field != b.links[i].field || a.links[i].value != b.links[i].value) return false;
    return true;
}

// Each once.
std::vector<TermId> different(const std::vector<TermId>& terms) {
    std::vector<TermId> result;
    for (const TermId term : terms)
        if (std::find(result.begin(), result.end(), term) == result.end()) result.push_back(term);
    return result;
}

StepPtr leaf_of(Sequent sequent, bool contradictory) {
    return std::make_shared<Step>(
        Step{contradictory ? Step::Rule::contradiction : Step::Rule::done, std::move(sequent)});
}

} // namespace

Chains::Chains(Context& context, Lemmas& lemmas) : context_(context), lemmas_(lemmas) {
    for (std::size_t d = 0; d < context.definitions.size(); ++d)
        chains_.push_back(chain_of(context.definitions[d], static_cast<int>(d)));
}

bool Chains::any() const {
    return std::any_of(chains_.begin(), chains_.end(), [](const auto& one) { return one.has_value(); });
}

const Chain* Chains::chain(int definition) const {
    const auto& one = chains_[static_cast<std::size_t>(definition)];
    return one ? &*one : nullptr;
}

StepPtr Chains::solve(Sequent sequent, int depth) {
    context_.budget.require(20);
    if (depth > deepest) return nullptr;
    View view;
    if (!close_left(sequent, context_, view)) return leaf_of(std::move(sequent), true);
    if (!reduce_right(sequent, context_)) return nullptr;
    std::vector<Choice> made = std::move(sequent.chosen), defined = std::move(sequent.defined);
    sequent.chosen.clear();
    sequent.defined.clear();
    const Matched matched = match(sequent);
    const bool open =
        !sequent.right.equal.empty() || !sequent.right.distinct.empty() || !sequent.right.linear.empty();
    const bool done = !open && matched.all_of_left && matched.all_of_right;
    const StepPtr step = done ? leaf_of({}, false) : advance(sequent, view, matched, depth);
    if (!step) return nullptr;
    step->sequent = std::move(sequent);
    step->sequent.chosen = std::move(made);
    step->sequent.defined = std::move(defined);
    return step;
}

// Each atom of the right side with the same atom of the left. They stay where they are: what the left side
// knows by them is still needed.
Chains::Matched Chains::match(const Sequent& sequent) const {
    Matched result;
    const Clause &left = sequent.left, &right = sequent.right;
    result.left_cells.assign(left.cells.size(), 0);
    result.left_calls.assign(left.calls.size(), 0);
    result.right_cells.assign(right.cells.size(), 0);
    result.right_calls.assign(right.calls.size(), 0);
    const auto pair_up = [](const auto& from, const auto& to, auto& from_used, auto& to_used,
                            const auto& equal) {
        for (std::size_t r = 0; r < from.size(); ++r)
            for (std::size_t l = 0; l < to.size() && from_used[r] == 0; ++l)
                if (to_used[l] == 0 && equal(from[r], to[l])) from_used[r] = to_used[l] = 1;
    };
    pair_up(right.cells, left.cells, result.right_cells, result.left_cells,
            [](const CellAtom& a, const CellAtom& b) { return same_cell(a, b); });
    pair_up(right.calls, left.calls, result.right_calls, result.left_calls, [](const Call& a, const Call& b) {
        return a.definition == b.definition && a.arguments == b.arguments;
    });
    const auto full = [](const std::vector<char>& used) {
        return std::find(used.begin(), used.end(), 0) == used.end();
    };
    result.all_of_left = full(result.left_cells) && full(result.left_calls);
    result.all_of_right = full(result.right_cells) && full(result.right_calls);
    return result;
}

StepPtr Chains::advance(const Sequent& sequent, const View& view, const Matched& matched, int depth) {
    const Clause &left = sequent.left, &right = sequent.right;
    const auto loops = [&](const Call& call) {
        const Chain* of = chain(call.definition);
        return of && call.arguments[of->root] == call.arguments[of->out];
    };
    for (std::size_t c = 0; c < left.calls.size(); ++c)
        if (loops(left.calls[c]) && chain(left.calls[c].definition)->guarded)
            return unfold(sequent, c, depth);
    for (std::size_t g = 0; g < right.calls.size(); ++g)
        if (matched.right_calls[g] == 0 && loops(right.calls[g])) return end_goal(sequent, g, depth);
    TermPairs stuck;
    // Joining hides what is known of the places on the way, so it comes last: when every goal is met, and
    // nothing is left over.
    bool ready =
        std::find(matched.right_cells.begin(), matched.right_cells.end(), 0) == matched.right_cells.end();
    Matched used = matched;
    std::map<std::size_t, Walk> walks; // by goal
    for (std::size_t g = 0; g < right.calls.size(); ++g) {
        if (matched.right_calls[g] != 0) continue;
        Walk& found = walks[g];
        if (chain(right.calls[g].definition)) found = walk(sequent, view, right.calls[g], matched, stuck);
        ready = ready && found.arrived;
        for (const Piece& piece : found.pieces)
            (piece.cell ? used.left_cells : used.left_calls)[piece.number] = 1;
    }
    for (const auto* all : {&used.left_cells, &used.left_calls})
        ready = ready && std::find(all->begin(), all->end(), 0) == all->end();
    if (ready && !walks.empty()) {
        const std::size_t goal = first_to_fold(right, walks);
        return fold(sequent, view, goal, walks[goal].pieces, depth);
    }
    for (const auto* pairs : {&right.equal, &right.distinct})
        stuck.insert(stuck.end(), pairs->begin(), pairs->end());
    for (std::size_t r = 0; r < right.cells.size(); ++r)
        for (const CellAtom& cell : left.cells)
            if (cell.root == right.cells[r].root && cell.links.size() == right.cells[r].links.size())
                for (std::size_t i = 0; i < cell.links.size(); ++i)
                    stuck.emplace_back(cell.links[i].value, right.cells[r].links[i].value);
    for (const Call& call : left.calls)
        if (const Chain* of = chain(call.definition))
            stuck.emplace_back(call.arguments[of->root], call.arguments[of->out]);
    if (const auto pair = open_pair(sequent, stuck)) return split(sequent, *pair, depth);
    for (std::size_t r = 0; r < right.cells.size(); ++r)
        for (std::size_t c = 0; c < left.calls.size(); ++c)
            if (const Chain* of = chain(left.calls[c].definition);
                of && matched.right_cells[r] == 0 && matched.left_calls[c] == 0 &&
                left.calls[c].arguments[of->root] == right.cells[r].root)
                return unfold(sequent, c, depth);
    return nullptr;
}

std::vector<Step> Chains::shorten(Sequent& sequent) {
    std::vector<Step> steps;
    const auto middle_of = [&](const Call& first, const Call& second) {
        const Chain* of = chain(first.definition);
        if (!of || of->guarded || second.definition != first.definition || !same_statics(first, second) ||
            first.arguments[of->out] != second.arguments[of->root])
            return false;
        const TermId middle = first.arguments[of->out];
        Sequent others = sequent;
        drop_call(others.left, first);
        drop_call(others.left, second);
        return middle != null_term && !occurs(others.left, middle) && !occurs(others.right, middle) &&
               first.arguments[of->root] != middle && second.arguments[of->out] != middle;
    };
    for (bool changed = true; changed;) {
        changed = false;
        const std::vector<Call> calls = sequent.left.calls;
        for (std::size_t a = 0; a < calls.size() && !changed; ++a)
            for (std::size_t b = 0; b < calls.size() && !changed; ++b) {
                if (a == b || !middle_of(calls[a], calls[b])) continue;
                const Chain& of = *chain(calls[a].definition);
                Clause parts, whole;
                parts.calls = {calls[a], calls[b]};
                whole.calls = {calls[a]};
                whole.calls[0].arguments[of.out] = calls[b].arguments[of.out];
                Step step;
                step.sequent = sequent;
                if (!use_lemma(sequent, parts, whole, {}, null_term, step)) return steps;
                steps.push_back(std::move(step));
                changed = true;
            }
    }
    return steps;
}

// One that does not hide a place where others still need to see a cell.
std::size_t Chains::first_to_fold(const Clause& right, const std::map<std::size_t, Walk>& walks) const {
    const auto hides = [&](const Walk& one, std::size_t goal) {
        const Call& call = right.calls[goal];
        const TermId end = call.arguments[chain(call.definition)->out];
        return std::any_of(one.pieces.begin() + 1, one.pieces.end(),
                           [&](const Piece& piece) { return piece.from == end; });
    };
    for (const auto& [goal, walk] : walks)
        if (std::none_of(walks.begin(), walks.end(), [&](const auto& other) {
                return other.first != goal && other.second.needs_witness && hides(walk, other.first);
            }))
            return goal;
    return walks.begin()->first;
}

// A call P(x, x) of the right side is empty.
StepPtr Chains::end_goal(const Sequent& sequent, std::size_t goal, int depth) {
    Step step;
    step.rule = Step::Rule::right;
    step.call = goal;
    step.by = chain(sequent.right.calls[goal].definition)->base_rule;
    Sequent next = sequent;
    erase_at(next.right.calls, goal);
    step.children = {solve(std::move(next), depth + 1)};
    return step.children[0] ? std::make_shared<Step>(std::move(step)) : nullptr;
}

StepPtr Chains::unfold(const Sequent& sequent, std::size_t number, int depth) {
    Step step;
    step.rule = Step::Rule::left;
    step.call = number;
    const Call call = sequent.left.calls[number];
    for (const Clause& rule : context_.definitions[static_cast<std::size_t>(call.definition)].rules) {
        Sequent next = sequent;
        erase_at(next.left.calls, number);
        std::vector<TermId> locals;
        append(next.left, instance(rule, call.arguments, context_.terms, &locals));
        const StepPtr child = solve(std::move(next), depth + 1);
        if (!child) return nullptr;
        child->locals = std::move(locals);
        step.children.push_back(child);
    }
    return std::make_shared<Step>(std::move(step));
}

// The first equality that is open.
std::optional<std::pair<TermId, TermId>> Chains::open_pair(const Sequent& sequent,
                                                           const TermPairs& candidates) const {
    for (const auto& [a, b] : candidates)
        if (a != b && !apart(sequent.left, a, b) && !is_existential(sequent, a) &&
            !is_existential(sequent, b))
            return std::pair(a, b);
    return {};
}

StepPtr Chains::split(const Sequent& sequent, const std::pair<TermId, TermId>& pair, int depth) {
    Sequent equal = sequent, distinct = sequent;
    equal.left.equal.push_back(pair);
    distinct.left.distinct.push_back(pair);
    Step step;
    step.rule = Step::Rule::split;
    step.equal = pair;
    for (Sequent* one : {&equal, &distinct}) {
        step.children.push_back(solve(std::move(*one), depth + 1));
        if (!step.children.back()) return nullptr;
    }
    return std::make_shared<Step>(std::move(step));
}

bool Chains::same_statics(const Call& a, const Call& b) const {
    const Chain& of = *chain(a.definition);
    for (std::size_t i = 0; i < a.arguments.size(); ++i)
        if (i != of.root && i != of.out && a.arguments[i] != b.arguments[i]) return false;
    return true;
}

// The cell is as the step of the goal's definition has it.
bool Chains::cell_fits(const CellAtom& cell, const Call& goal, TermId& to) const {
    const Definition& definition = context_.definitions[static_cast<std::size_t>(goal.definition)];
    const Chain& of = *chain(goal.definition);
    const std::vector<Link>& wanted = definition.rules[of.step_rule].cells[0].links;
    if (wanted.size() != cell.links.size()) return false;
    for (const Link& link : wanted) {
        const auto there = std::find_if(cell.links.begin(), cell.links.end(),
                                        [&](const Link& other) { return other.field == link.field; });
        if (there == cell.links.end()) return false;
        if (link.field == of.next) to = there->value;
        if (link.value == null_term && there->value != null_term) return false;
        if (link.value < 1 || link.value > definition.parameters) continue;
        const auto parameter = static_cast<std::size_t>(link.value - 1);
        if (parameter == of.root ? there->value != cell.root : there->value != goal.arguments[parameter])
            return false;
    }
    return true;
}

bool Chains::next_piece(const Sequent& sequent, const Call& goal, TermId at, const Matched& matched,
                        const std::vector<Piece>& used, Piece& piece) const {
    const auto taken = [&](bool cell, std::size_t number) {
        if ((cell ? matched.left_cells : matched.left_calls)[number] != 0) return true;
        return std::any_of(used.begin(), used.end(),
                           [&](const Piece& other) { return other.cell == cell && other.number == number; });
    };
    for (std::size_t c = 0; c < sequent.left.cells.size(); ++c) {
        const CellAtom& cell = sequent.left.cells[c];
        TermId to = 0;
        if (cell.root != at || taken(true, c) || !cell_fits(cell, goal, to)) continue;
        piece = {true, c, at, to};
        return true;
    }
    const Chain& of = *chain(goal.definition);
    for (std::size_t c = 0; c < sequent.left.calls.size(); ++c) {
        const Call& call = sequent.left.calls[c];
        if (call.definition != goal.definition || call.arguments[of.root] != at || taken(false, c) ||
            !same_statics(call, goal))
            continue;
        piece = {false, c, at, call.arguments[of.out]};
        return true;
    }
    return false;
}

bool Chains::witness(const Sequent& sequent, const View& view, TermId term, Piece& found) const {
    for (std::size_t c = 0; c < sequent.left.cells.size(); ++c)
        if (sequent.left.cells[c].root == term) {
            found = {true, c, term, term};
            return true;
        }
    for (std::size_t c = 0; c < sequent.left.calls.size(); ++c)
        for (std::size_t i = 0; i < sequent.left.calls[c].arguments.size(); ++i)
            if (sequent.left.calls[c].arguments[i] == term && view.calls[c].allocated[i] != 0) {
                found = {false, c, term, term};
                return true;
            }
    return false;
}

Chains::Walk Chains::walk(const Sequent& sequent, const View& view, const Call& goal, const Matched& matched,
                          TermPairs& stuck) const {
    const Chain& of = *chain(goal.definition);
    const TermId end = goal.arguments[of.out];
    Walk walk;
    TermId at = goal.arguments[of.root];
    bool open = false;
    while (at != end) {
        Piece piece;
        if (!next_piece(sequent, goal, at, matched, walk.pieces, piece)) {
            stuck.emplace_back(at, end);
            // It may have been passed.
            for (const Piece& passed : walk.pieces) stuck.emplace_back(passed.from, end);
            return walk;
        }
        if (piece.cell && of.guarded && !apart(sequent.left, at, end)) {
            stuck.emplace_back(at, end);
            open = true;
        }
        // The last one needs no lemma: it is the whole.
        walk.needs_witness |= of.guarded && end != null_term && !piece.cell && piece.to != end;
        walk.pieces.push_back(piece);
        at = piece.to;
    }
    Piece ignored;
    if (walk.needs_witness && !witness(sequent, view, end, ignored)) {
        for (const Call& call : sequent.left.calls)
            if (const Chain* other = chain(call.definition); other && call.arguments[other->root] == end)
                stuck.emplace_back(end, call.arguments[other->out]);
        stuck.emplace_back(end, null_term);
        open = true;
    }
    walk.arrived = !open;
    return walk;
}

// From the end to the beginning.
StepPtr Chains::fold(const Sequent& sequent, const View& view, std::size_t goal_number,
                     const std::vector<Piece>& pieces, int depth) {
    const Call goal = sequent.right.calls[goal_number];
    const Chain& of = *chain(goal.definition);
    const TermId end = goal.arguments[of.out];
    const auto from = [&](TermId root) {
        Call call = goal;
        call.arguments[of.root] = root;
        return call;
    };
    std::vector<Step> steps;
    Sequent now = sequent;
    for (std::size_t i = pieces.size(); i-- > 0;) {
        const Piece& piece = pieces[i];
        const bool last = i + 1 == pieces.size();
        if (last && !piece.cell) continue;
        Clause parts, whole, witness_part;
        if (piece.cell)
            parts.cells.push_back(sequent.left.cells[piece.number]);
        else
            parts.calls.push_back(sequent.left.calls[piece.number]);
        if (!last) parts.calls.push_back(from(piece.to));
        whole.calls.push_back(from(piece.from));
        if (of.guarded && piece.cell) parts.distinct.emplace_back(piece.from, end);
        if (of.guarded && !piece.cell) witness_part = witness_of(sequent, view, end);
        Step step;
        step.sequent = now;
        if (!use_lemma(now, parts, whole, witness_part, end, step)) return nullptr;
        steps.push_back(std::move(step));
    }
    StepPtr below = solve(std::move(now), depth + 1);
    for (std::size_t i = steps.size(); below && i-- > 0;) {
        steps[i].children = {below};
        below = std::make_shared<Step>(std::move(steps[i]));
    }
    return below;
}

// The atom that shows that the end is none of the cells of a segment, with the disequalities it needs.
Clause Chains::witness_of(const Sequent& sequent, const View& view, TermId end) const {
    Clause result;
    Piece found;
    if (end == null_term || !witness(sequent, view, end, found)) return result;
    if (found.cell) {
        result.cells.push_back(sequent.left.cells[found.number]);
        return result;
    }
    const Call& call = sequent.left.calls[found.number];
    result.calls.push_back(call);
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (apart(sequent.left, call.arguments[i], call.arguments[k]))
                result.distinct.emplace_back(call.arguments[i], call.arguments[k]);
    return result;
}

StepPtr Chains::lemma(Sequent sequent) {
    const std::string form = shape_of(sequent);
    const auto found = known_.find(form);
    if (found != known_.end()) return found->second;
    const int id = lemmas_.next_id();
    StepPtr& kept = known_[form];
    if (sequent.left.calls.size() > 1 && sequent.left.calls[0].definition == sequent.left.calls[1].definition)
        kept = composition(sequent, id);
    if (!kept) {
        Effort effort;
        effort.splits = 0;
        effort.nodes = 300;
        const StepPtr proof = Search(context_, lemmas_, effort).prove(sequent);
        if (!proof) return nullptr;
        Step step;
        step.sequent = std::move(sequent);
        step.id = id;
        step.children = {proof};
        kept = std::make_shared<Step>(std::move(step));
    }
    lemmas_.keep(kept);
    return kept;
}

// P(x, z) * P(z, y) * rest |- P(x, y) * rest, by induction on P(x, z): where it has a first cell x |-> u, the
// sequent is used for P(u, z), and the cell is put before P(u, y). (A search would strike out the rest, which
// says that x is not y.)
StepPtr Chains::composition(const Sequent& fact, int id) {
    const Call &first = fact.left.calls[0], whole = fact.right.calls[0];
    const Chain* of = chain(first.definition);
    if (!of || whole.definition != first.definition) return nullptr;
    const TermId x = first.arguments[of->root];
    Sequent others = fact;
    others.left.calls[0].arguments[of->root] = others.right.calls[0].arguments[of->root] = null_term;
    if (occurs(others.left, x) || occurs(others.right, x)) return nullptr;
    Step root;
    root.id = id;
    root.sequent = fact;
    root.rule = Step::Rule::left;
    const std::vector<Clause>& rules = context_.definitions[static_cast<std::size_t>(first.definition)].rules;
    for (std::size_t r = 0; r < rules.size(); ++r) {
        Step child;
        const Clause body = instance(rules[r], first.arguments, context_.terms, &child.locals);
        child.rule = Step::Rule::done;
        if (r == of->step_rule) {
            child.rule = Step::Rule::use;
            child.fact = id;
            child.sequent = fact;
            erase_at(child.sequent.left.calls, 0);
            append(child.sequent.left, body);
            const TermId u = body.calls[0].arguments[of->root];
            child.terms[x] = u;
            Sequent joined = fact;
            joined.left.calls.erase(joined.left.calls.begin(), joined.left.calls.begin() + 2);
            joined.left.cells.push_back(body.cells[0]);
            joined.left.calls.push_back(whole);
            joined.left.calls.back().arguments[of->root] = u;
            child.children = {put_before(joined, body.cells[0], *of)};
        }
        root.children.push_back(std::make_shared<Step>(std::move(child)));
    }
    return std::make_shared<Step>(std::move(root));
}

// cell * P(u, y) * rest |- P(x, y) * rest: the first call of the right side is unfolded.
StepPtr Chains::put_before(const Sequent& sequent, const CellAtom& cell, const Chain& of) {
    Step step, end;
    step.rule = Step::Rule::right;
    step.by = of.step_rule;
    step.sequent = sequent;
    const Call& goal = sequent.right.calls[0];
    const Clause& rule = context_.definitions[static_cast<std::size_t>(goal.definition)].rules[of.step_rule];
    const Clause body = instance(rule, goal.arguments, context_.terms, &end.locals);
    end.rule = Step::Rule::done;
    for (std::size_t i = 0; i < cell.links.size(); ++i) {
        const TermId local = body.cells[0].links[i].value;
        if (std::find(end.locals.begin(), end.locals.end(), local) == end.locals.end()) continue;
        Linear value;
        if (cell.links[i].value != null_term) add_term(value, cell.links[i].value, 1);
        end.sequent.chosen.push_back({local, std::move(value)});
    }
    step.children = {std::make_shared<Step>(std::move(end))};
    return std::make_shared<Step>(std::move(step));
}

bool Chains::use_lemma(Sequent& sequent, const Clause& parts, const Clause& whole, const Clause& with,
                       TermId end, Step& step) {
    Sequent here;
    here.left = parts;
    here.right = whole;
    Sequent fact = here;
    const auto generalize = [&](auto& what, const std::vector<TermId>& terms, TermId but) {
        for (const TermId term : terms)
            if (term != null_term && term != but) rename(what, term, context_.terms.fresh(false));
    };
    // Of the witness only the end matters: its other terms are any, even where they stand elsewhere, too.
    Sequent any;
    any.left = with;
    generalize(any, different(terms_in_order(any)), end);
    append(fact.left, any.left);
    any.left.distinct.clear();
    append(fact.right, any.left);
    generalize(fact, different(terms_in_order(fact)), null_term);
    tidy(fact.left);
    const StepPtr proved = lemma(fact);
    if (!proved) return false;
    // One of the same form may have been proved with other names.
    append(here.left, with);
    append(here.right, with);
    const std::vector<TermId> names = terms_in_order(proved->sequent), instances = terms_in_order(here);
    step.rule = Step::Rule::use;
    step.fact = proved->id;
    for (std::size_t i = 0; i < names.size(); ++i) step.terms[names[i]] = instances[i];
    for (const CellAtom& cell : parts.cells)
        std::erase_if(sequent.left.cells, [&](const CellAtom& other) { return other.root == cell.root; });
    for (const Call& call : parts.calls) drop_call(sequent.left, call);
    append(sequent.left, whole);
    return true;
}

} // namespace ggsnn::logic::induct
