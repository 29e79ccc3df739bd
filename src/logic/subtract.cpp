// Subtraction, see subtraction.hpp: goals that leave no choice, and the search.
#include "ggsnn/logic/subtraction.hpp"

namespace ggsnn::logic {

bool Subtraction::run(const Clause& right) {
    Frame frame{
        right, {}, std::vector<char>(state_.cells.size(), 0), std::vector<char>(state_.calls.size(), 0)};
    frame.bound.assign(static_cast<std::size_t>(right.terms), open_name);
    for (std::size_t n = 0; n < problem_.names.size() && n < frame.bound.size(); ++n)
        frame.bound[n] = static_cast<TermId>(n);
    return search(std::move(frame));
}

bool Subtraction::search(Frame frame) {
    bool going = true;
    while (!budget_.exhausted()) {
        if (going) {
            Choice choice;
            const Outcome outcome = advance(frame, choice);
            if (outcome == Outcome::done) return true;
            if (outcome == Outcome::choice) push(std::move(choice));
        } else if (stack_.empty()) {
            return false;
        }
        going = !stack_.empty() && next_way(stack_.back(), frame);
        while (!stack_.empty() && stack_.back().stage == Stage::none) pop();
    }
    return false;
}

// Does the goals that leave no choice, up to one that does.
Subtraction::Outcome Subtraction::advance(Frame& frame, Choice& choice) {
    for (;;) {
        if (!budget_.spend(1 + frame.goals.calls.size() + frame.bound.size() / 256)) return Outcome::failed;
        if (!do_equalities(frame) || !do_pure(frame)) return Outcome::failed;
        bool progress = false;
        if (!do_cells(frame, progress)) return Outcome::failed;
        if (progress) continue;
        if (!frame.goals.calls.empty()) {
            if (take_call(frame, choice)) continue;
            return Outcome::choice;
        }
        if (frame.goals.cells.empty()) return finish(frame) ? Outcome::done : Outcome::failed;
        choice.stage = Stage::open_cell;
        choice.frame = std::move(frame);
        return Outcome::choice;
    }
}

bool Subtraction::do_equalities(Frame& frame) {
    while (!frame.goals.equal.empty()) {
        const auto [a, b] = frame.goals.equal.back();
        frame.goals.equal.pop_back();
        TermId &va = frame.bound[static_cast<std::size_t>(a)], &vb = frame.bound[static_cast<std::size_t>(b)];
        if (va == open_name && vb == open_name) {
            rename_goals(frame.goals, a, b);
        } else if (va == open_name || vb == open_name) {
            va = vb = std::max(va, vb);
        } else if (const Known known = equal(va, vb); known != Known::yes) {
            if (known == Known::open) stuck_on_equality(va, vb);
            return false;
        }
    }
    return true;
}

void Subtraction::rename_goals(Clause& goals, TermId from, TermId to) {
    const auto change = [&](TermId& t) { t = t == from ? to : t; };
    for (auto& [a, b] : goals.equal) change(a), change(b);
    for (auto& [a, b] : goals.distinct) change(a), change(b);
    for (TermId& t : goals.dangling) change(t);
    for (CellAtom& cell : goals.cells) {
        change(cell.root);
        for (Link& link : cell.links) change(link.value);
    }
    for (Call& call : goals.calls)
        for (TermId& t : call.arguments) change(t);
}

// Disequalities and dangling names whose names are bound. Others wait.
bool Subtraction::do_pure(Frame& frame) {
    std::vector<std::pair<TermId, TermId>>& distinct = frame.goals.distinct;
    std::size_t waiting = 0;
    for (const auto& pair : distinct) {
        const auto [a, b] = pair; // copied: its place may be written
        const TermId va = frame.value(a), vb = frame.value(b);
        if (a == b) return false;
        if (va == open_name || vb == open_name) {
            distinct[waiting++] = {a, b};
            continue;
        }
        const Known known = equal(va, vb);
        if (known == Known::open) stuck_on_equality(va, vb);
        if (known != Known::no) return false;
    }
    distinct.resize(waiting);
    waiting = 0;
    for (const TermId t : frame.goals.dangling) {
        if (frame.value(t) == open_name)
            frame.goals.dangling[waiting++] = t;
        else if (!surely_dangling(frame.value(t)))
            return false;
    }
    frame.goals.dangling.resize(waiting);
    return true;
}

bool Subtraction::surely_dangling(TermId term) {
    if (state_.is_dangling(term)) return true;
    if (const Known null = equal(term, null_term); null != Known::no) {
        if (null == Known::open) stuck_on_equality(term, null_term);
        return false;
    }
    for (const CellAtom& cell : state_.cells)
        if (const Known known = equal(term, cell.root); known != Known::no) {
            if (known == Known::open) stuck_on_equality(term, cell.root);
            return false;
        }
    for (std::size_t c = 0; c < state_.calls.size(); ++c) stuck_on_call(static_cast<int>(c));
    return state_.calls.empty();
}

// The cell goal against a cell of the left side: links become equalities. False: a field is missing.
bool Subtraction::take_cell(Frame& frame, const CellAtom& goal, int cell) {
    const CellAtom& left = state_.cells[static_cast<std::size_t>(cell)];
    frame.used_cells[static_cast<std::size_t>(cell)] = 1;
    for (const Link& link : goal.links) {
        const auto there = std::find_if(left.links.begin(), left.links.end(),
                                        [&](const Link& l) { return l.field == link.field; });
        if (there == left.links.end()) return false;
        frame.goals.equal.emplace_back(link.value, quote(frame, there->value));
    }
    return true;
}

// A pattern name bound to a name of the left side.
TermId Subtraction::quote(Frame& frame, TermId left) {
    frame.bound.push_back(left);
    frame.goals.terms = static_cast<int>(frame.bound.size());
    return frame.goals.terms - 1;
}

bool Subtraction::do_cells(Frame& frame, bool& progress) {
    for (std::size_t i = 0; i < frame.goals.cells.size(); ++i) {
        const CellAtom goal = frame.goals.cells[i];
        const TermId root = frame.value(goal.root);
        if (root == open_name) continue;
        const int cell = left_cell_at(frame, root);
        if (cell < 0) {
            stuck_at(frame, root);
            return false;
        }
        frame.goals.cells.erase(frame.goals.cells.begin() + static_cast<std::ptrdiff_t>(i));
        progress = true;
        return take_cell(frame, goal, cell);
    }
    return true;
}

// No cell of the left side at root: calls that might provide one are to be unfolded.
void Subtraction::stuck_at(const Frame& frame, TermId root) {
    for (std::size_t c = 0; c < state_.calls.size(); ++c) {
        const Definition& d = definition(state_.calls[c].definition);
        if (frame.used_calls[c]) continue;
        const bool here = d.root < 0 || state_.same(argument(c, d.root), root);
        const bool ends_here =
            d.segment && d.segment->last > 0 && state_.same(argument(c, d.segment->last), root);
        if (here || ends_here) stuck_on_call(static_cast<int>(c));
    }
}

bool Subtraction::next_open_cell(Choice& choice, Frame& way) {
    const CellAtom goal = choice.frame.goals.cells.front();
    while (choice.next < state_.cells.size()) {
        const std::size_t c = choice.next++;
        if (choice.frame.used_cells[c] || !has_fields(goal, c)) continue;
        way = choice.frame;
        way.goals.cells.erase(way.goals.cells.begin());
        way.bound[static_cast<std::size_t>(goal.root)] = state_.cells[c].root;
        take_cell(way, goal, static_cast<int>(c));
        return true;
    }
    for (std::size_t c = 0; c < state_.calls.size(); ++c)
        if (!choice.frame.used_calls[c]) stuck_on_call(static_cast<int>(c));
    choice.stage = Stage::none;
    return false;
}

bool Subtraction::has_fields(const CellAtom& goal, std::size_t cell) const {
    const std::vector<Link>& left = state_.cells[cell].links;
    return std::all_of(goal.links.begin(), goal.links.end(), [&](const Link& link) {
        return std::any_of(left.begin(), left.end(), [&](const Link& l) { return l.field == link.field; });
    });
}

bool Subtraction::finish(const Frame& frame) {
    if (frame.goals.any_rest) {
        if (remainder_) *remainder_ = {frame.used_cells, frame.used_calls};
        return true;
    }
    bool done = std::find(frame.used_cells.begin(), frame.used_cells.end(), 0) == frame.used_cells.end();
    if (!done) return false;
    for (std::size_t c = 0; c < state_.calls.size(); ++c)
        if (!frame.used_calls[c]) {
            done = false;
            if (may_be_empty(static_cast<int>(c))) stuck_on_call(static_cast<int>(c));
        }
    return done;
}

bool Subtraction::may_be_empty(int call) const {
    const State::LeftCall& left = state_.calls[static_cast<std::size_t>(call)];
    for (std::size_t r = 0; r < left.feasible.size(); ++r)
        if (left.feasible[r] && definition(left.definition).rules[r].cells.empty()) return true;
    return false;
}

std::optional<Split> decide(const State& state, int call, const Problem& problem, const ProverLimits& limits,
                            bool& cut) {
    const State::LeftCall& left = state.calls[static_cast<std::size_t>(call)];
    const Definition& d = problem.definitions[static_cast<std::size_t>(left.definition)];
    if (d.segment && d.segment->out_guarded) {
        const TermId root = state.find(left.arguments[static_cast<std::size_t>(d.segment->root - 1)]);
        const TermId out = state.find(left.arguments[static_cast<std::size_t>(d.segment->out - 1)]);
        if (root != out && !state.apart(root, out))
            return Split{Split::Kind::equal, std::min(root, out), std::max(root, out), 0};
    }
    if (left.depth > limits.unfoldings) {
        cut = true;
        return std::nullopt;
    }
    return Split{Split::Kind::unfold, 0, 0, call};
}

bool subtract(const State& state, const Clause& right, const Problem& problem, const ProverLimits& limits,
              Budget& budget, Splits& splits, Remainder* remainder) {
    if (remainder)
        *remainder = {std::vector<char>(state.cells.size(), 1), std::vector<char>(state.calls.size(), 1)};
    return Subtraction(state, problem, limits, budget, splits, remainder).run(right);
}

} // namespace ggsnn::logic
