// Subtraction, see subtract.hpp. The clause of the right side is a list of goals over pattern names; a
// pattern name is bound to a name of the left side or still open (an existential). Each way to meet a goal
// uses up atoms of the left side, so the search ends.
#include "logic/subtract.hpp"

#include <algorithm>

namespace ggsnn::logic {

namespace {

constexpr Term open_name = -1;

class Subtraction {
  public:
    Subtraction(const State& state, const Problem& problem, const ProverLimits& limits, Budget& budget,
                Splits& splits, Remainder* remainder)
        : state_(state),
          problem_(problem),
          limits_(limits),
          budget_(budget),
          splits_(splits),
          remainder_(remainder) {}

    bool run(const Clause& right) {
        Frame frame{
            right, {}, std::vector<char>(state_.cells.size(), 0), std::vector<char>(state_.calls.size(), 0)};
        frame.bound.assign(static_cast<std::size_t>(right.terms), open_name);
        for (std::size_t n = 0; n < problem_.names.size() && n < frame.bound.size(); ++n)
            frame.bound[n] = static_cast<Term>(n);
        return solve(std::move(frame));
    }

  private:
    struct Frame {
        Clause goals;
        std::vector<Term> bound; // by pattern name
        std::vector<char> used_cells, used_calls;

        Term value(Term pattern) const { return bound[static_cast<std::size_t>(pattern)]; }
    };

    enum class Known { yes, no, open };

    void stuck_on(const Split& split) { add(splits_.strong, split); }
    void perhaps(const Split& split) { add(splits_.weak, split); }
    static void add(std::vector<Split>& list, const Split& split) {
        if (std::find(list.begin(), list.end(), split) == list.end()) list.push_back(split);
    }
    void stuck_on_equality(Term a, Term b) {
        a = state_.find(a);
        b = state_.find(b);
        stuck_on({Split::Kind::equal, std::min(a, b), std::max(a, b), 0});
    }
    void stuck_on_call(int call) {
        if (const auto split = decide(state_, call, problem_, limits_, splits_.cut)) stuck_on(*split);
    }

    Known equal(Term a, Term b) const {
        return state_.same(a, b) ? Known::yes : state_.apart(a, b) ? Known::no : Known::open;
    }

    // Does the goals that leave no choice; then branches on one that does.
    bool solve(Frame frame) {
        for (;;) {
            if (!budget_.spend(static_cast<int>(1 + frame.goals.calls.size()))) return false;
            if (!do_equalities(frame) || !do_pure(frame)) return false;
            bool progress = false;
            if (!do_cells(frame, progress)) return false;
            if (progress) continue;
            if (!frame.goals.calls.empty()) return do_call(std::move(frame));
            if (!frame.goals.cells.empty()) return do_open_cell(frame);
            return finish(frame);
        }
    }

    bool do_equalities(Frame& frame) {
        while (!frame.goals.equal.empty()) {
            const auto [a, b] = frame.goals.equal.back();
            frame.goals.equal.pop_back();
            Term &va = frame.bound[static_cast<std::size_t>(a)],
                 &vb = frame.bound[static_cast<std::size_t>(b)];
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

    static void rename_goals(Clause& goals, Term from, Term to) {
        const auto change = [&](Term& t) { t = t == from ? to : t; };
        for (auto& [a, b] : goals.equal) change(a), change(b);
        for (auto& [a, b] : goals.distinct) change(a), change(b);
        for (Term& t : goals.dangling) change(t);
        for (CellAtom& cell : goals.cells) {
            change(cell.root);
            for (Link& link : cell.links) change(link.value);
        }
        for (Call& call : goals.calls)
            for (Term& t : call.arguments) change(t);
    }

    // Disequalities and dangling names whose names are bound. Others wait.
    bool do_pure(Frame& frame) {
        for (std::size_t i = 0; i < frame.goals.distinct.size();) {
            const auto [a, b] = frame.goals.distinct[i];
            const Term va = frame.value(a), vb = frame.value(b);
            if (a == b) return false;
            if (va == open_name || vb == open_name) {
                ++i;
                continue;
            }
            const Known known = equal(va, vb);
            if (known == Known::open) stuck_on_equality(va, vb);
            if (known != Known::no) return false;
            frame.goals.distinct.erase(frame.goals.distinct.begin() + static_cast<std::ptrdiff_t>(i));
        }
        return std::all_of(frame.goals.dangling.begin(), frame.goals.dangling.end(), [&](Term t) {
            return frame.value(t) == open_name || surely_dangling(frame.value(t));
        });
    }

    bool surely_dangling(Term term) {
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

    int left_cell_at(const Frame& frame, Term root) const {
        const int atom = state_.owner[static_cast<std::size_t>(state_.find(root))];
        if (atom < 0 || atom >= static_cast<int>(state_.cells.size())) return -1;
        return frame.used_cells[static_cast<std::size_t>(atom)] ? -1 : atom;
    }

    // The cell goal against a cell of the left side: links become equalities. False: a field is missing.
    bool take_cell(Frame& frame, const CellAtom& goal, int cell) {
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
    static Term quote(Frame& frame, Term left) {
        frame.bound.push_back(left);
        frame.goals.terms = static_cast<int>(frame.bound.size());
        return frame.goals.terms - 1;
    }

    bool do_cells(Frame& frame, bool& progress) {
        for (std::size_t i = 0; i < frame.goals.cells.size(); ++i) {
            const CellAtom goal = frame.goals.cells[i];
            const Term root = frame.value(goal.root);
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
    void stuck_at(const Frame& frame, Term root) {
        for (std::size_t c = 0; c < state_.calls.size(); ++c) {
            const Definition& d = definition(state_.calls[c].definition);
            if (frame.used_calls[c]) continue;
            const bool here = d.root < 0 || state_.same(argument(c, d.root), root);
            const bool ends_here =
                d.segment && d.segment->last > 0 && state_.same(argument(c, d.segment->last), root);
            if (here || ends_here) stuck_on_call(static_cast<int>(c));
        }
    }

    // An existential cell: any cell of the left side that is left.
    bool do_open_cell(const Frame& frame) {
        for (std::size_t c = 0; c < state_.cells.size(); ++c) {
            if (frame.used_cells[c]) continue;
            Frame next = frame;
            const CellAtom goal = next.goals.cells.front();
            next.goals.cells.erase(next.goals.cells.begin());
            next.bound[static_cast<std::size_t>(goal.root)] = state_.cells[c].root;
            if (take_cell(next, goal, static_cast<int>(c)) && solve(std::move(next))) return true;
        }
        for (std::size_t c = 0; c < state_.calls.size(); ++c)
            if (!frame.used_calls[c]) stuck_on_call(static_cast<int>(c));
        return false;
    }

    bool finish(const Frame& frame) {
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

    const Definition& definition(int number) const {
        return problem_.definitions[static_cast<std::size_t>(number)];
    }
    Term argument(std::size_t call, int parameter) const {
        return state_.calls[call].arguments[static_cast<std::size_t>(parameter - 1)];
    }
    bool may_be_empty(int call) const {
        const State::LeftCall& left = state_.calls[static_cast<std::size_t>(call)];
        for (std::size_t r = 0; r < left.feasible.size(); ++r)
            if (left.feasible[r] && definition(left.definition).rules[r].cells.empty()) return true;
        return false;
    }

    // ---- calls of definitions

    // The call to do next: one with a bound root, all arguments bound if possible.
    std::size_t next_call(const Frame& frame) const {
        std::size_t best = 0;
        int best_score = -1;
        for (std::size_t c = 0; c < frame.goals.calls.size(); ++c) {
            const Call& call = frame.goals.calls[c];
            const Definition& d = definition(call.definition);
            const bool rooted =
                d.root > 0 && frame.value(call.arguments[static_cast<std::size_t>(d.root - 1)]) != open_name;
            const bool all = std::none_of(call.arguments.begin(), call.arguments.end(),
                                          [&](Term t) { return frame.value(t) == open_name; });
            const int score = d.rules.size() == 1 ? 3 : all && rooted ? 2 : rooted ? 1 : 0;
            if (score > best_score) {
                best = c;
                best_score = score;
            }
        }
        return best;
    }

    bool do_call(Frame frame) {
        const std::size_t at = next_call(frame);
        const Call call = frame.goals.calls[at];
        const Definition& d = definition(call.definition);
        const bool open_root =
            d.root > 0 && frame.value(call.arguments[static_cast<std::size_t>(d.root - 1)]) == open_name;
        if (open_root && !frame.goals.cells.empty()) return do_open_cell(frame);
        frame.goals.calls.erase(frame.goals.calls.begin() + static_cast<std::ptrdiff_t>(at));
        if (d.rules.size() == 1) return apply_rule(frame, call, d.rules[0]);
        bool settled = false;
        if (apply_empty_rules(frame, call, d, settled)) return true;
        if (settled) return false;
        bool folded = false;
        for (std::size_t c = 0; c < state_.calls.size(); ++c) {
            if (frame.used_calls[c] || state_.calls[c].definition != call.definition) continue;
            bool applies = false;
            if (use_same_call(frame, call, c, applies)) return true;
            if (d.segment && use_segment(frame, call, c, *d.segment, applies)) return true;
            if (!applies) continue;
            // The call was used, and it failed later on, for reasons recorded there. Unfolding it would not
            // help.
            if (const auto split = decide(state_, static_cast<int>(c), problem_, limits_, splits_.cut))
                perhaps(*split);
            folded = true;
        }
        if (!folded && apply_cell_rules(frame, call, d)) return true;
        return d.segment && try_ends(frame, call, *d.segment);
    }

    // A segment with an existential end: each name of the left side in turn.
    bool try_ends(const Frame& frame, const Call& call, const Segment& s) {
        const Term out = call.arguments[static_cast<std::size_t>(s.out - 1)];
        if (frame.value(out) != open_name) return false;
        for (Term left = 0; left < static_cast<Term>(state_.parent.size()); ++left) {
            if (state_.find(left) != left) continue;
            Frame next = frame;
            next.bound[static_cast<std::size_t>(out)] = left;
            next.goals.calls.push_back(call);
            if (solve(std::move(next))) return true;
        }
        return false;
    }

    bool apply_rule(const Frame& frame, const Call& call, const Clause& rule) {
        Frame next = frame;
        instantiate(rule, call.arguments, next.goals);
        next.bound.resize(static_cast<std::size_t>(next.goals.terms), open_name);
        return solve(std::move(next));
    }

    // Rules without cells whose equalities between bound names are known to hold. settled: the call is
    // surely empty, and nothing else need be tried.
    bool apply_empty_rules(const Frame& frame, const Call& call, const Definition& d, bool& settled) {
        for (const Clause& rule : d.rules) {
            if (!rule.cells.empty()) continue;
            bool holds = true, all_bound = true;
            for (const auto& [a, b] : rule.equal) {
                const Term va = outer_value(frame, call, d, a), vb = outer_value(frame, call, d, b);
                if (va == open_name || vb == open_name) {
                    all_bound = false;
                } else if (const Known known = equal(va, vb); known != Known::yes) {
                    holds = false;
                    if (known == Known::open)
                        perhaps({Split::Kind::equal, std::min(state_.find(va), state_.find(vb)),
                                 std::max(state_.find(va), state_.find(vb)), 0});
                }
            }
            if (!holds) continue;
            if (apply_rule(frame, call, rule)) return true;
            settled |= all_bound && d.segment && d.segment->out_guarded;
        }
        return false;
    }

    // What a term of a rule stands for, if it is a parameter or NULL.
    Term outer_value(const Frame& frame, const Call& call, const Definition& d, Term t) const {
        if (t == null_term) return null_term;
        return t <= d.parameters ? frame.value(call.arguments[static_cast<std::size_t>(t - 1)]) : open_name;
    }

    // The same call stands on the left.
    bool use_same_call(const Frame& frame, const Call& call, std::size_t c, bool& applies) {
        for (std::size_t i = 0; i < call.arguments.size(); ++i) {
            const Term value = frame.value(call.arguments[i]);
            if (value == open_name) continue;
            const Known known = equal(value, state_.calls[c].arguments[i]);
            if (known == Known::open)
                perhaps({Split::Kind::equal,
                         std::min(state_.find(value), state_.find(state_.calls[c].arguments[i])),
                         std::max(state_.find(value), state_.find(state_.calls[c].arguments[i])), 0});
            if (known != Known::yes) return false;
        }
        applies = true;
        Frame next = frame;
        next.used_calls[c] = 1;
        for (std::size_t i = 0; i < call.arguments.size(); ++i)
            next.goals.equal.emplace_back(call.arguments[i], quote(next, state_.calls[c].arguments[i]));
        return solve(std::move(next));
    }

    // A segment of the left side as the first part of the goal (the lemma at Segment): the goal goes on from
    // where that segment ends.
    bool use_segment(const Frame& frame, const Call& call, std::size_t c, const Segment& s, bool& applies) {
        const auto goal = [&](int p) { return call.arguments[static_cast<std::size_t>(p - 1)]; };
        const Term root = frame.value(goal(s.root)), out = frame.value(goal(s.out));
        if (root == open_name || !state_.same(root, argument(c, s.root))) return false;
        if (s.out_guarded && !stays_clear(out, c)) return false;
        applies = true;
        Frame next = frame;
        next.used_calls[c] = 1;
        Call rest = call;
        for (int p = 1; p <= definition(call.definition).parameters; ++p) {
            Term& argument_p = rest.arguments[static_cast<std::size_t>(p - 1)];
            if (p == s.root)
                argument_p = quote(next, argument(c, s.out));
            else if (p == s.before)
                argument_p = quote(next, argument(c, s.last));
            if (p != s.out && p != s.last)
                next.goals.equal.emplace_back(goal(p), quote(next, argument(c, p)));
        }
        if (s.last_guarded) next.goals.distinct.emplace_back(goal(s.last), goal(s.before));
        next.goals.calls.push_back(std::move(rest));
        return solve(std::move(next));
    }

    // term is surely none of the cells of call c. Otherwise calls that may decide it are suggested.
    bool stays_clear(Term term, std::size_t c) {
        if (term == open_name) return false;
        if (state_.find(term) == null_term || state_.is_dangling(term)) return true;
        if (state_.allocated_outside(term, static_cast<int>(c))) return true;
        for (std::size_t k = 0; k < state_.calls.size(); ++k) {
            const Definition& d = definition(state_.calls[k].definition);
            const bool begins = d.root > 0 && state_.same(argument(k, d.root), term);
            const bool ends =
                d.segment && d.segment->last > 0 && state_.same(argument(k, d.segment->last), term);
            if ((begins || ends) && k != c && may_be_empty(static_cast<int>(k)))
                stuck_on_call(static_cast<int>(k));
        }
        return false;
    }

    // Rules with cells, where the left side has a cell to match.
    bool apply_cell_rules(const Frame& frame, const Call& call, const Definition& d) {
        const Term root = d.root > 0 ? outer_value(frame, call, d, d.root) : open_name;
        if (d.root > 0 && root == open_name) return apply_at_any_cell(frame, call, d);
        if (d.root > 0 && left_cell_at(frame, root) < 0) {
            stuck_at(frame, root);
            return false;
        }
        for (const Clause& rule : d.rules)
            if (!rule.cells.empty() && apply_rule(frame, call, rule)) return true;
        return false;
    }

    bool apply_at_any_cell(const Frame& frame, const Call& call, const Definition& d) {
        const auto try_root = [&](Term left) {
            Frame next = frame;
            next.bound[static_cast<std::size_t>(call.arguments[static_cast<std::size_t>(d.root - 1)])] = left;
            next.goals.calls.push_back(call);
            return solve(std::move(next));
        };
        for (std::size_t c = 0; c < state_.cells.size(); ++c)
            if (!frame.used_cells[c] && try_root(state_.cells[c].root)) return true;
        for (std::size_t c = 0; c < state_.calls.size(); ++c)
            if (!frame.used_calls[c] && state_.calls[c].definition == call.definition &&
                try_root(argument(c, d.root)))
                return true;
        return false;
    }

    const State& state_;
    const Problem& problem_;
    const ProverLimits& limits_;
    Budget& budget_;
    Splits& splits_;
    Remainder* remainder_;
};

} // namespace

std::optional<Split> decide(const State& state, int call, const Problem& problem, const ProverLimits& limits,
                            bool& cut) {
    const State::LeftCall& left = state.calls[static_cast<std::size_t>(call)];
    const Definition& d = problem.definitions[static_cast<std::size_t>(left.definition)];
    if (d.segment && d.segment->out_guarded) {
        const Term root = state.find(left.arguments[static_cast<std::size_t>(d.segment->root - 1)]);
        const Term out = state.find(left.arguments[static_cast<std::size_t>(d.segment->out - 1)]);
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
