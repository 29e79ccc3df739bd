#include "ggsnn/logic/induct/model.hpp"

#include <algorithm>

namespace ggsnn::logic::induct {

namespace {

constexpr int most_nodes = 3000; // of the tree of unfoldings

class Unfolder {
  public:
    Unfolder(Context& context, std::size_t most_cells, std::size_t most_models,
             const std::function<bool(const Model&)>& visitor)
        : context_(context), most_cells_(most_cells), most_models_(most_models), visitor_(visitor) {}

    // False: it is enough.
    bool unfold(Sequent sequent, std::size_t steps) {
        context_.budget.require(50);
        if (++nodes_ > most_nodes) return false;
        View view;
        if (!close_left(sequent, context_, view)) return true;
        const Clause& left = sequent.left;
        std::size_t cells = left.cells.size();
        for (const CallView& call : view.calls) cells += call.nonempty ? 1 : 0;
        if (cells > most_cells_ || steps > 3 * most_cells_ + 20) return true;
        if (left.calls.empty()) return finish(sequent);
        const Call call = left.calls.front();
        for (const Clause& rule : context_.definitions[static_cast<std::size_t>(call.definition)].rules) {
            Sequent next = sequent;
            next.left.calls.erase(next.left.calls.begin());
            append(next.left, instance(rule, call.arguments, context_.terms));
            if (!unfold(std::move(next), steps + 1)) return false;
        }
        return true;
    }

    // The names, which follow what is merged: kept as arguments of the right side.
    static Sequent start(const Clause& clause, const Context& context) {
        Sequent sequent;
        sequent.left = clause;
        Call names;
        for (std::size_t n = 1; n < context.problem.names.size(); ++n)
            names.arguments.push_back(static_cast<TermId>(n));
        sequent.right.calls = {names};
        return sequent;
    }

  private:
    bool finish(const Sequent& sequent) {
        auto numbers = context_.arithmetic.solve(sequent.left.linear);
        if (!numbers) return true;
        if (!visitor_(model_of(sequent, *numbers)) || ++models_ >= most_models_) return false;
        // Once more with integers that are as different as they can be.
        Conditions conditions = sequent.left.linear;
        const std::vector<TermId>& names = sequent.right.calls[0].arguments;
        for (std::size_t i = 0; i < names.size(); ++i)
            for (std::size_t k = i + 1; k < names.size(); ++k) {
                if (!context_.terms.is_number(names[i]) || !context_.terms.is_number(names[k]) ||
                    names[i] == names[k])
                    continue;
                Linear differ;
                differ.relation = Linear::Relation::nonzero;
                add_term(differ, names[i], 1);
                add_term(differ, names[k], -1);
                conditions.push_back(differ);
                if (context_.arithmetic.contradictory(conditions)) conditions.pop_back();
            }
        if (conditions.size() == sequent.left.linear.size()) return true;
        numbers = context_.arithmetic.solve(conditions);
        return !numbers || (visitor_(model_of(sequent, *numbers)) && ++models_ < most_models_);
    }

    Model model_of(const Sequent& sequent, const std::map<int, std::int64_t>& numbers) const {
        Model model;
        std::map<TermId, std::int64_t> places{{null_term, 0}};
        const auto value = [&](TermId term) -> std::int64_t {
            if (context_.terms.is_number(term)) {
                const auto found = numbers.find(term);
                return found == numbers.end() ? 0 : found->second;
            }
            return places.emplace(term, static_cast<std::int64_t>(places.size())).first->second;
        };
        for (const CellAtom& cell : sequent.left.cells) {
            Model::Cell& made = model.cells[value(cell.root)];
            for (const Link& link : cell.links) made.emplace_back(link.field, value(link.value));
        }
        const std::vector<TermId>& names = sequent.right.calls[0].arguments;
        for (std::size_t n = 0; n < names.size(); ++n)
            model.values[static_cast<TermId>(n) + 1] = value(names[n]);
        return model;
    }

    Context& context_;
    std::size_t most_cells_, most_models_, models_ = 0;
    const std::function<bool(const Model&)>& visitor_;
    int nodes_ = 0;
};

// The clause as a list of goals, a binding of terms, and the cells that are not used yet.
struct Goals {
    Clause clause;
    std::map<TermId, std::int64_t> values;
    std::vector<std::int64_t> unused;
    int idle = 0; // rules without a cell since the last cell
};

class Checker {
  public:
    Checker(const Model& model, Context& context) : model_(model), context_(context) {}

    Truth run(const Clause& clause) {
        Goals goals;
        goals.clause = clause;
        goals.values = model_.values;
        goals.values[null_term] = 0;
        for (const auto& [place, cell] : model_.cells) goals.unused.push_back(place);
        if (solve(std::move(goals))) return Truth::yes;
        return cut_ ? Truth::unknown : Truth::no;
    }

  private:
    static bool bind(Goals& goals, TermId term, std::int64_t value) {
        return goals.values.emplace(term, value).first->second == value;
    }

    // Equalities with one known side; false: contradiction.
    static bool propagate(Goals& goals) {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < goals.clause.equal.size(); ++i) {
                const auto [a, b] = goals.clause.equal[i];
                const auto left = goals.values.find(a), right = goals.values.find(b);
                if (left == goals.values.end() && right == goals.values.end()) continue;
                if (left == goals.values.end())
                    goals.values[a] = right->second;
                else if (!bind(goals, b, left->second))
                    return false;
                goals.clause.equal.erase(goals.clause.equal.begin() + static_cast<std::ptrdiff_t>(i));
                changed = true;
                break;
            }
        }
        return std::all_of(goals.clause.distinct.begin(), goals.clause.distinct.end(), [&](const auto& pair) {
            const auto left = goals.values.find(pair.first), right = goals.values.find(pair.second);
            return left == goals.values.end() || right == goals.values.end() || left->second != right->second;
        });
    }

    // The linear conditions with what is known of their terms.
    Conditions conditions(const Goals& goals) const {
        Conditions result = goals.clause.linear;
        for (Linear& condition : result) {
            const Linear whole = condition;
            for (const auto& [term, coefficient] : whole.terms)
                if (const auto found = goals.values.find(term); found != goals.values.end()) {
                    Linear value;
                    value.constant = found->second;
                    replace(condition, term, value);
                }
        }
        return result;
    }

    bool solve(Goals goals) {
        context_.budget.require(20);
        if (++steps_ > 20000) {
            cut_ = true;
            return false;
        }
        if (!propagate(goals) || context_.arithmetic.contradictory(conditions(goals))) return false;
        if (goals.clause.cells.size() > goals.unused.size()) return false;
        if (!goals.clause.cells.empty()) return solve_cell(goals);
        if (!goals.clause.calls.empty()) return solve_call(goals);
        return goals.unused.empty() && finish(goals);
    }

    // A cell whose place is known comes first.
    bool solve_cell(const Goals& goals) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < goals.clause.cells.size(); ++i)
            if (goals.values.contains(goals.clause.cells[i].root)) at = i;
        const CellAtom cell = goals.clause.cells[at];
        for (const std::int64_t place : goals.unused) {
            Goals next = goals;
            next.clause.cells.erase(next.clause.cells.begin() + static_cast<std::ptrdiff_t>(at));
            std::erase(next.unused, place);
            next.idle = 0;
            if (!bind(next, cell.root, place) || !bind_links(next, cell, model_.cells.at(place))) continue;
            if (solve(std::move(next))) return true;
        }
        return false;
    }

    static bool bind_links(Goals& goals, const CellAtom& cell, const Model::Cell& made) {
        return std::all_of(cell.links.begin(), cell.links.end(), [&](const Link& link) {
            const auto there = std::find_if(made.begin(), made.end(),
                                            [&](const auto& field) { return field.first == link.field; });
            return there != made.end() && bind(goals, link.value, there->second);
        });
    }

    bool solve_call(const Goals& goals) {
        const Call call = goals.clause.calls.front();
        for (const Clause& rule : context_.definitions[static_cast<std::size_t>(call.definition)].rules) {
            Goals next = goals;
            next.clause.calls.erase(next.clause.calls.begin());
            append(next.clause, instance(rule, call.arguments, context_.terms));
            if (rule.cells.empty() && !rule.calls.empty() && ++next.idle > 12) {
                cut_ = true;
                continue;
            }
            if (solve(std::move(next))) return true;
        }
        return false;
    }

    // No cells and calls are left: what is unbound can be anything that the conditions allow.
    bool finish(const Goals& goals) {
        for (const auto& [a, b] : goals.clause.distinct)
            if (a == b) return false;
        if (!goals.clause.equal.empty() && !goals.clause.distinct.empty()) cut_ = true; // both sides unbound
        const Conditions rest = conditions(goals);
        if (std::all_of(rest.begin(), rest.end(), [](const Linear& one) { return known(one) == Known::yes; }))
            return true;
        if (context_.arithmetic.solve(rest)) return true;
        if (!context_.arithmetic.contradictory(rest)) cut_ = true;
        return false;
    }

    const Model& model_;
    Context& context_;
    int steps_ = 0;
    bool cut_ = false;
};

} // namespace

void visit_models(const Clause& clause, Context& context, std::size_t most_cells, std::size_t most_models,
                  const std::function<bool(const Model&)>& visitor) {
    Unfolder(context, most_cells, most_models, visitor).unfold(Unfolder::start(clause, context), 0);
}

Truth holds(const Model& model, const Clause& clause, Context& context) {
    return Checker(model, context).run(clause);
}

void show(const Model& model, const Problem& problem, Answer& answer) {
    Heap& heap = answer.counter.emplace();
    std::map<std::int64_t, int> nodes{{0, 0}};
    const auto node = [&](std::int64_t place) {
        const auto found = nodes.find(place);
        if (found != nodes.end()) return found->second;
        return nodes[place] = heap.add_node(model.cells.contains(place));
    };
    const auto is_location = [&](int field) {
        const auto at = static_cast<std::size_t>(field);
        return at >= problem.number_fields.size() || problem.number_fields[at] == 0;
    };
    const auto add_number = [&](const std::string& name, std::int64_t value) {
        answer.numbers += fmt::format("{}{}={}", answer.numbers.empty() ? "" : " ", name, value);
    };
    for (const auto& [name, value] : model.values) {
        const auto at = static_cast<std::size_t>(name);
        if (problem.sorts[at] == number_sort)
            add_number(problem.names[at], value);
        else
            heap.set_variable(problem.names[at], node(value));
    }
    for (const auto& [place, cell] : model.cells)
        for (const auto& [field, value] : cell) {
            const std::string& name = problem.fields[static_cast<std::size_t>(field)];
            const int at = node(place);
            if (is_location(field)) {
                heap.link(at, name, node(value));
                continue;
            }
            add_number(fmt::format("{}.{}", at, name), value);
            answer.labels.resize(std::max(answer.labels.size(), heap.nodes.size()));
            std::string& label = answer.labels[static_cast<std::size_t>(at)];
            label += fmt::format("{}{}", label.empty() ? "" : ",", value);
        }
}

} // namespace ggsnn::logic::induct
