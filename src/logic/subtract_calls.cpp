// Subtraction, see subtraction.hpp: the ways to meet a call of the right side, one after the other.
#include "ggsnn/logic/subtraction.hpp"

namespace ggsnn::logic {

// The call to do next: one with a bound root, all arguments bound if possible.
std::size_t Subtraction::next_call(const Frame& frame) const {
    std::size_t best = 0;
    int best_score = -1;
    for (std::size_t c = 0; c < frame.goals.calls.size(); ++c) {
        const Call& call = frame.goals.calls[c];
        const Definition& d = definition(call.definition);
        const bool rooted =
            d.root > 0 && frame.value(call.arguments[static_cast<std::size_t>(d.root - 1)]) != open_name;
        const bool all = std::none_of(call.arguments.begin(), call.arguments.end(),
                                      [&](TermId t) { return frame.value(t) == open_name; });
        const int score = d.rules.size() == 1 ? 3 : all && rooted ? 2 : rooted ? 1 : 0;
        if (score > best_score) {
            best = c;
            best_score = score;
        }
    }
    return best;
}

// Takes up the next call. True: it has one rule, which is done; false: `choice` is to be made.
bool Subtraction::take_call(Frame& frame, Choice& choice) {
    const std::size_t at = next_call(frame);
    Call call = frame.goals.calls[at];
    const Definition& d = definition(call.definition);
    const bool open_root = d.root > 0 && outer_value(frame, call, d, d.root) == open_name;
    const bool cell_first = open_root && !frame.goals.cells.empty();
    if (!cell_first) frame.goals.calls.erase(frame.goals.calls.begin() + static_cast<std::ptrdiff_t>(at));
    if (!cell_first && d.rules.size() == 1) {
        apply_rule(frame, call, d.rules[0]);
        return true;
    }
    choice.stage = cell_first ? Stage::open_cell : Stage::empty;
    choice.frame = std::move(frame);
    choice.call = std::move(call);
    return false;
}

// The next way to make the choice; false: there is none left, and the stage is `none`.
bool Subtraction::next_way(Choice& choice, Frame& way) {
    while (choice.stage != Stage::none) {
        if (!budget_.spend(1 + choice.frame.bound.size() / 256)) {
            choice.stage = Stage::none;
            return false;
        }
        if (choice.stage == Stage::open_cell) return next_open_cell(choice, way);
        const Stage stage = choice.stage;
        const bool found = stage == Stage::empty      ? next_empty_rule(choice, way)
                           : stage == Stage::cells    ? next_cell_rule(choice, way)
                           : stage == Stage::any_cell ? next_root_cell(choice, way)
                           : stage == Stage::any_call ? next_root_call(choice, way)
                           : stage == Stage::ends     ? next_end(choice, way)
                                                      : next_left_call(choice, way);
        if (found) return true;
    }
    return false;
}

// After all calls of the left side. A call that was used, and failed later on for reasons recorded there,
// would not be helped by unfolding.
void Subtraction::begin_cells(Choice& choice) {
    const Definition& d = definition(choice.call.definition);
    const TermId root = d.root > 0 ? outer_value(choice.frame, choice.call, d, d.root) : open_name;
    if (choice.folded) return begin_ends(choice);
    if (d.root > 0 && root == open_name) return begin(choice, Stage::any_cell);
    if (d.root > 0 && left_cell_at(choice.frame, root) < 0) {
        stuck_at(choice.frame, root);
        return begin_ends(choice);
    }
    begin(choice, Stage::cells);
}

bool Subtraction::open_end(const Choice& choice) const {
    const auto& segment = definition(choice.call.definition).segment;
    return segment &&
           choice.frame.value(choice.call.arguments[static_cast<std::size_t>(segment->out - 1)]) == open_name;
}

bool Subtraction::next_end(Choice& choice, Frame& way) {
    const int out = definition(choice.call.definition).segment->out;
    while (choice.next < state_.parent.size()) {
        const TermId left = static_cast<TermId>(choice.next++);
        if (state_.find(left) == left) return bind_and_retry(choice, out, left, way);
    }
    choice.stage = Stage::none;
    return false;
}

// The call again, with a name of the left side for a parameter that was open.
bool Subtraction::bind_and_retry(const Choice& choice, int parameter, TermId left, Frame& way) const {
    way = choice.frame;
    const TermId pattern = choice.call.arguments[static_cast<std::size_t>(parameter - 1)];
    way.bound[static_cast<std::size_t>(pattern)] = left;
    way.goals.calls.push_back(choice.call);
    return true;
}

// Rules without cells whose equalities between bound names are known to hold.
bool Subtraction::next_empty_rule(Choice& choice, Frame& way) {
    const Definition& d = definition(choice.call.definition);
    while (choice.next < d.rules.size()) {
        const Clause& rule = d.rules[choice.next++];
        if (!rule.cells.empty()) continue;
        bool all_bound = true;
        if (!equalities_hold(choice, rule, all_bound)) continue;
        choice.settled |= all_bound && d.segment && d.segment->out_guarded;
        way = choice.frame;
        apply_rule(way, choice.call, rule);
        return true;
    }
    begin(choice, choice.settled ? Stage::none : Stage::same_call);
    return false;
}

bool Subtraction::equalities_hold(const Choice& choice, const Clause& rule, bool& all_bound) {
    const Definition& d = definition(choice.call.definition);
    bool holds = true;
    for (const auto& [a, b] : rule.equal) {
        const TermId va = outer_value(choice.frame, choice.call, d, a),
                     vb = outer_value(choice.frame, choice.call, d, b);
        if (va == open_name || vb == open_name) {
            all_bound = false;
        } else if (const Known known = equal(va, vb); known != Known::yes) {
            holds = false;
            if (known == Known::open) perhaps(is_equal(va, vb));
        }
    }
    return holds;
}

// Calls of the left side, one by one: as the whole goal, as the first part of it, and what to split on if
// neither led to an end.
bool Subtraction::next_left_call(Choice& choice, Frame& way) {
    const std::size_t c = choice.next;
    if (choice.stage == Stage::same_call) {
        if (c == state_.calls.size()) {
            begin_cells(choice);
            return false;
        }
        if (choice.frame.used_calls[c] || state_.calls[c].definition != choice.call.definition) {
            ++choice.next;
            return false;
        }
        choice.applies = false;
        choice.stage = Stage::segment;
        return use_same_call(choice, c, way);
    }
    if (choice.stage == Stage::segment) {
        choice.stage = Stage::used;
        const auto& segment = definition(choice.call.definition).segment;
        return segment && use_segment(choice, c, *segment, way);
    }
    if (choice.applies) {
        if (const auto split = decide(state_, static_cast<int>(c), problem_, limits_, splits_.cut))
            perhaps(*split);
        choice.folded = true;
    }
    ++choice.next;
    choice.stage = Stage::same_call;
    return false;
}

// The same call stands on the left.
bool Subtraction::use_same_call(Choice& choice, std::size_t c, Frame& way) {
    const Call& call = choice.call;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const TermId value = choice.frame.value(call.arguments[i]);
        if (value == open_name) continue;
        const Known known = equal(value, state_.calls[c].arguments[i]);
        if (known == Known::open) perhaps(is_equal(value, state_.calls[c].arguments[i]));
        if (known != Known::yes) return false;
    }
    choice.applies = true;
    way = choice.frame;
    way.used_calls[c] = 1;
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
        way.goals.equal.emplace_back(call.arguments[i], quote(way, state_.calls[c].arguments[i]));
    return true;
}

// A segment of the left side as the first part of the goal (the lemma at Segment): the goal goes on from
// where that segment ends.
bool Subtraction::use_segment(Choice& choice, std::size_t c, const Segment& s, Frame& way) {
    const Call& call = choice.call;
    const auto goal = [&](int p) { return call.arguments[static_cast<std::size_t>(p - 1)]; };
    const TermId root = choice.frame.value(goal(s.root)), out = choice.frame.value(goal(s.out));
    if (root == open_name || !state_.same(root, argument(c, s.root))) return false;
    if (s.out_guarded && !stays_clear(out, c)) return false;
    choice.applies = true;
    way = choice.frame;
    way.used_calls[c] = 1;
    Call rest = call;
    for (int p = 1; p <= definition(call.definition).parameters; ++p) {
        TermId& argument_p = rest.arguments[static_cast<std::size_t>(p - 1)];
        if (p == s.root)
            argument_p = quote(way, argument(c, s.out));
        else if (p == s.before)
            argument_p = quote(way, argument(c, s.last));
        if (p != s.out && p != s.last) way.goals.equal.emplace_back(goal(p), quote(way, argument(c, p)));
    }
    if (s.last_guarded) way.goals.distinct.emplace_back(goal(s.last), goal(s.before));
    way.goals.calls.push_back(std::move(rest));
    return true;
}

// term is surely none of the cells of call c. Otherwise calls that may decide it are suggested.
bool Subtraction::stays_clear(TermId term, std::size_t c) {
    if (term == open_name) return false;
    if (state_.find(term) == null_term || state_.is_dangling(term)) return true;
    if (state_.allocated_outside(term, static_cast<int>(c))) return true;
    for (std::size_t k = 0; k < state_.calls.size(); ++k) {
        const Definition& d = definition(state_.calls[k].definition);
        const bool begins = d.root > 0 && state_.same(argument(k, d.root), term);
        const bool ends = d.segment && d.segment->last > 0 && state_.same(argument(k, d.segment->last), term);
        if ((begins || ends) && k != c && may_be_empty(static_cast<int>(k)))
            stuck_on_call(static_cast<int>(k));
    }
    return false;
}

// Rules with cells, where the left side has a cell to match. The last way takes the frame along, so that
// chains of cells do not pile up choices.
bool Subtraction::next_cell_rule(Choice& choice, Frame& way) {
    const std::vector<Clause>& rules = definition(choice.call.definition).rules;
    const auto skip = [&] {
        while (choice.next < rules.size() && rules[choice.next].cells.empty()) ++choice.next;
    };
    skip();
    if (choice.next == rules.size()) {
        begin_ends(choice);
        return false;
    }
    const Clause& rule = rules[choice.next++];
    skip();
    if (choice.next < rules.size() || open_end(choice)) {
        way = choice.frame;
    } else {
        way = std::move(choice.frame);
        choice.stage = Stage::none;
    }
    apply_rule(way, choice.call, rule);
    return true;
}

// A root that is open: each cell, then each call of the same definition.
bool Subtraction::next_root_cell(Choice& choice, Frame& way) {
    while (choice.next < state_.cells.size()) {
        const std::size_t c = choice.next++;
        if (!choice.frame.used_cells[c])
            return bind_and_retry(choice, definition(choice.call.definition).root, state_.cells[c].root, way);
    }
    begin(choice, Stage::any_call);
    return false;
}

bool Subtraction::next_root_call(Choice& choice, Frame& way) {
    const int root = definition(choice.call.definition).root;
    while (choice.next < state_.calls.size()) {
        const std::size_t c = choice.next++;
        if (!choice.frame.used_calls[c] && state_.calls[c].definition == choice.call.definition)
            return bind_and_retry(choice, root, argument(c, root), way);
    }
    begin_ends(choice);
    return false;
}

} // namespace ggsnn::logic
