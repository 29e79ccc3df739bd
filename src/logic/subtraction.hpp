// The search behind subtract(), in two files: subtract.cpp has what is done without a choice, and the stack
// of choices; subtract_calls.cpp has the ways to meet a call.
//
// The clause of the right side is a list of goals over pattern names; a pattern name is bound to a name of
// the left side or still open (an existential). Each way to meet a goal uses up atoms of the left side, so
// the search ends. Ways not tried yet wait on a stack of their own: its depth is up to the problem, and its
// memory is counted.
#pragma once

#include "ggsnn/logic/subtract.hpp"

#include <algorithm>

namespace ggsnn::logic {

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
    ~Subtraction() {
        while (!stack_.empty()) pop();
    }
    Subtraction(const Subtraction&) = delete;
    Subtraction& operator=(const Subtraction&) = delete;

    bool run(const Clause& right);

  private:
    static constexpr TermId open_name = -1;

    struct Frame {
        Clause goals;
        std::vector<TermId> bound; // by pattern name
        std::vector<char> used_cells, used_calls;

        TermId value(TermId pattern) const { return bound[static_cast<std::size_t>(pattern)]; }
    };

    // A goal that can be met in several ways, and which of them come next. Those of a call, in this order: it
    // is empty; a call of the left side is used for it; one of its rules with cells; one of the names of the
    // left side as the end of a segment.
    struct Choice {
        enum class Stage {
            open_cell,
            empty,
            same_call,
            segment,
            used,
            cells,
            any_cell,
            any_call,
            ends,
            none
        };
        Frame frame;
        Call call; // taken out of the goals of frame
        Stage stage = Stage::none;
        std::size_t next = 0;  // rule, atom or name of the left side, by stage
        bool settled = false;  // the call is surely empty, and nothing else need be tried
        bool applies = false;  // the call of the left side could be used
        bool folded = false;   // some call of the left side could be used
        std::size_t bytes = 0; // counted in the budget
    };
    using Stage = Choice::Stage;

    enum class Known { yes, no, open };
    enum class Outcome { failed, done, choice };

    // ---- subtract.cpp

    bool search(Frame frame);
    Outcome advance(Frame& frame, Choice& choice);
    bool do_equalities(Frame& frame);
    static void rename_goals(Clause& goals, TermId from, TermId to);
    bool do_pure(Frame& frame);
    bool surely_dangling(TermId term);
    bool take_cell(Frame& frame, const CellAtom& goal, int cell);
    static TermId quote(Frame& frame, TermId left);
    bool do_cells(Frame& frame, bool& progress);
    void stuck_at(const Frame& frame, TermId root);
    bool next_open_cell(Choice& choice, Frame& way);
    bool has_fields(const CellAtom& goal, std::size_t cell) const;
    bool finish(const Frame& frame);
    bool may_be_empty(int call) const;

    // ---- subtract_calls.cpp

    std::size_t next_call(const Frame& frame) const;
    bool take_call(Frame& frame, Choice& choice);
    bool next_way(Choice& choice, Frame& way);
    void begin_cells(Choice& choice);
    bool open_end(const Choice& choice) const;
    bool next_end(Choice& choice, Frame& way);
    bool bind_and_retry(const Choice& choice, int parameter, TermId left, Frame& way) const;
    bool next_empty_rule(Choice& choice, Frame& way);
    bool equalities_hold(const Choice& choice, const Clause& rule, bool& all_bound);
    bool next_left_call(Choice& choice, Frame& way);
    bool use_same_call(Choice& choice, std::size_t c, Frame& way);
    bool use_segment(Choice& choice, std::size_t c, const Segment& s, Frame& way);
    bool stays_clear(TermId term, std::size_t c);
    bool next_cell_rule(Choice& choice, Frame& way);
    bool next_root_cell(Choice& choice, Frame& way);
    bool next_root_call(Choice& choice, Frame& way);

    // ---- what the left side leaves open

    void stuck_on(const Split& split) {
        if (!splits_.strong) splits_.strong = split;
    }
    void perhaps(const Split& split) {
        if (!splits_.weak) splits_.weak = split;
    }
    Split is_equal(TermId a, TermId b) const {
        a = state_.find(a);
        b = state_.find(b);
        return {Split::Kind::equal, std::min(a, b), std::max(a, b), 0};
    }
    void stuck_on_equality(TermId a, TermId b) { stuck_on(is_equal(a, b)); }
    void stuck_on_call(int call) {
        if (const auto split = decide(state_, call, problem_, limits_, splits_.cut)) stuck_on(*split);
    }
    Known equal(TermId a, TermId b) const {
        return state_.same(a, b) ? Known::yes : state_.apart(a, b) ? Known::no : Known::open;
    }

    // ---- small things

    void push(Choice choice) {
        choice.bytes = bytes(choice.frame.goals) + sizeof(Choice) +
                       choice.frame.bound.size() * sizeof(TermId) + choice.frame.used_cells.size() +
                       choice.frame.used_calls.size();
        budget_.reserve(choice.bytes);
        stack_.push_back(std::move(choice));
    }

    void pop() {
        budget_.release(stack_.back().bytes);
        stack_.pop_back();
    }

    int left_cell_at(const Frame& frame, TermId root) const {
        const int atom = state_.owner[static_cast<std::size_t>(state_.find(root))];
        if (atom < 0 || atom >= static_cast<int>(state_.cells.size())) return -1;
        return frame.used_cells[static_cast<std::size_t>(atom)] ? -1 : atom;
    }

    const Definition& definition(int number) const {
        return problem_.definitions[static_cast<std::size_t>(number)];
    }

    TermId argument(std::size_t call, int parameter) const {
        return state_.calls[call].arguments[static_cast<std::size_t>(parameter - 1)];
    }

    static void begin(Choice& choice, Stage stage) {
        choice.stage = stage;
        choice.next = 0;
    }

    // A segment with an existential end: each name of the left side in turn.
    void begin_ends(Choice& choice) { begin(choice, open_end(choice) ? Stage::ends : Stage::none); }

    static void apply_rule(Frame& frame, const Call& call, const Clause& rule) {
        instantiate(rule, call.arguments, frame.goals);
        frame.bound.resize(static_cast<std::size_t>(frame.goals.terms), open_name);
    }

    // What a term of a rule stands for, if it is a parameter or NULL.
    TermId outer_value(const Frame& frame, const Call& call, const Definition& d, TermId t) const {
        if (t == null_term) return null_term;
        return t <= d.parameters ? frame.value(call.arguments[static_cast<std::size_t>(t - 1)]) : open_name;
    }

    const State& state_;
    const Problem& problem_;
    const ProverLimits& limits_;
    Budget& budget_;
    Splits& splits_;
    Remainder* remainder_;
    std::vector<Choice> stack_;
};

} // namespace ggsnn::logic
