#include "ggsnn/logic/induct/facts.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace ggsnn::logic::induct {

namespace {

constexpr std::size_t most_open = 3;

class Finder {
  public:
    Finder(const Sequent& fact, const Sequent& sequent, Context& context, std::size_t most)
        : fact_(fact),
          sequent_(sequent),
          context_(context),
          most_(most),
          known_(numbers_of(sequent.left, context)) {
        now_.cells.assign(sequent.left.cells.size(), 0);
        now_.calls.assign(sequent.left.calls.size(), 0);
        now_.terms[null_term] = null_term;
    }

    std::vector<Instance> run() {
        match_cell(0);
        return std::move(found_);
    }

  private:
    bool bind(TermId pattern, TermId term) {
        const auto [at, fresh] = now_.terms.emplace(pattern, term);
        if (fresh || at->second == term) return true;
        if (!context_.terms.is_number(pattern)) return false;
        Linear equal;
        add_term(equal, at->second, 1);
        add_term(equal, term, -1);
        normalize(equal);
        return context_.arithmetic.implies(known_, equal);
    }

    void match_cell(std::size_t at) {
        context_.budget.require(2);
        if (at == fact_.left.cells.size()) {
            match_call(0);
            return;
        }
        const CellAtom& pattern = fact_.left.cells[at];
        for (std::size_t i = 0; i < now_.cells.size() && found_.size() < most_; ++i) {
            if (now_.cells[i] != 0) continue;
            const auto before = now_.terms;
            if (bind_cell(pattern, sequent_.left.cells[i])) {
                now_.cells[i] = 1;
                match_cell(at + 1);
                now_.cells[i] = 0;
            }
            now_.terms = before;
        }
    }

    bool bind_cell(const CellAtom& pattern, const CellAtom& cell) {
        if (!bind(pattern.root, cell.root)) return false;
        for (const Link& link : pattern.links) {
            const auto there = std::find_if(cell.links.begin(), cell.links.end(),
                                            [&](const Link& other) { return other.field == link.field; });
            if (there == cell.links.end() || !bind(link.value, there->value)) return false;
        }
        return true;
    }

    void match_call(std::size_t at) {
        context_.budget.require(2);
        if (at == fact_.left.calls.size()) {
            finish();
            return;
        }
        const Call& pattern = fact_.left.calls[at];
        for (std::size_t i = 0; i < now_.calls.size() && found_.size() < most_; ++i) {
            const Call& call = sequent_.left.calls[i];
            if (now_.calls[i] != 0 || call.definition != pattern.definition) continue;
            const auto before = now_.terms;
            bool fits = true;
            for (std::size_t a = 0; fits && a < call.arguments.size(); ++a)
                fits = bind(pattern.arguments[a], call.arguments[a]);
            if (fits) {
                now_.calls[i] = 1;
                match_call(at + 1);
                now_.calls[i] = 0;
            }
            now_.terms = before;
        }
    }

    TermId mapped(TermId term) const {
        const auto found = now_.terms.find(term);
        return found == now_.terms.end() ? term : found->second; // any instance will do: the same name
    }

    void finish() {
        for (const auto& [a, b] : fact_.left.distinct)
            if (!apart(sequent_.left, mapped(a), mapped(b))) return;
        const Instance before = now_;
        const std::size_t known_before = known_.size();
        told_by_.clear();
        if (!open_numbers().empty()) tell_numbers();
        choose_offsets();
        now_ = before;
        known_.resize(known_before);
    }

    void choose_offsets() {
        const std::vector<TermId> open = open_numbers();
        std::vector<int> offsets(open.size(), 0);
        for (;;) {
            if (conditions_hold(open, offsets)) keep(open, offsets);
            std::size_t at = 0; // the next choice of offsets: 0, -1, 1
            while (at < offsets.size() && offsets[at] == 1) offsets[at++] = 0;
            if (at == offsets.size()) return;
            offsets[at] = offsets[at] == 0 ? -1 : 1;
        }
    }

    // Integers that the match leaves open, where an equation of the fact says what they are.
    void tell_numbers() {
        for (bool changed = true; changed;) {
            changed = false;
            for (const Linear& equation : fact_.left.linear) {
                if (equation.relation != Linear::Relation::zero) continue;
                TermId told = null_term;
                std::int64_t by = 0;
                Linear rest;
                rest.constant = equation.constant;
                for (const auto& [term, coefficient] : equation.terms) {
                    if (now_.terms.contains(term))
                        add_term(rest, now_.terms.at(term), coefficient);
                    else if (std::exchange(by, coefficient) == 0)
                        told = term;
                    else
                        told = null_term;
                }
                if (told == null_term || std::abs(by) != 1) continue;
                Linear value; // -(rest) / by
                add(value, rest, -by);
                for (const Choice& meaning : now_.meanings) replace(value, meaning.term, meaning.value);
                const TermId fresh = context_.terms.fresh(true);
                now_.terms[told] = fresh;
                now_.meanings.push_back({fresh, value});
                add_term(value, fresh, -1);
                known_.push_back(std::move(value));
                told_by_.insert(&equation);
                changed = true;
            }
        }
    }

    // Integers that the match leaves open, and that matter; where there are many, they stay as they are.
    std::vector<TermId> open_numbers() const {
        std::vector<TermId> open;
        const auto look = [&](TermId term) {
            if (!context_.terms.is_number(term) || now_.terms.contains(term) || is_existential(fact_, term))
                return;
            if (std::find(open.begin(), open.end(), term) == open.end()) open.push_back(term);
        };
        for (const Call& call : fact_.right.calls)
            for (const TermId term : call.arguments) look(term);
        for (const Linear& condition : fact_.right.linear)
            for (const auto& pair : condition.terms) look(pair.first);
        return open.size() > most_open ? std::vector<TermId>{} : open;
    }

    bool conditions_hold(const std::vector<TermId>& open, const std::vector<int>& offsets) {
        return std::all_of(fact_.left.linear.begin(), fact_.left.linear.end(), [&](const Linear& condition) {
            if (told_by_.contains(&condition)) return true;
            Linear instance;
            instance.relation = condition.relation;
            instance.constant = condition.constant;
            for (const auto& [term, coefficient] : condition.terms) {
                add_term(instance, mapped(term), coefficient);
                const auto at = std::find(open.begin(), open.end(), term);
                if (at != open.end())
                    instance.constant += coefficient * offsets[static_cast<std::size_t>(at - open.begin())];
            }
            normalize(instance);
            return context_.arithmetic.implies(known_, instance);
        });
    }

    void keep(const std::vector<TermId>& open, const std::vector<int>& offsets) {
        if (found_.size() >= most_) return;
        Instance instance = now_;
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (offsets[i] == 0) continue;
            const TermId fresh = context_.terms.fresh(true);
            Linear value;
            add_term(value, open[i], 1);
            value.constant = offsets[i];
            instance.meanings.push_back({fresh, std::move(value)});
            instance.terms[open[i]] = fresh;
        }
        found_.push_back(std::move(instance));
    }

    const Sequent &fact_, &sequent_;
    Context& context_;
    std::size_t most_;
    Conditions known_;
    std::set<const Linear*> told_by_; // equations that hold by what they told
    Instance now_;
    std::vector<Instance> found_;
};

} // namespace

std::vector<Instance> instances(const Sequent& fact, const Sequent& sequent, Context& context,
                                std::size_t most) {
    if (fact.left.cells.size() > sequent.left.cells.size() ||
        fact.left.calls.size() > sequent.left.calls.size())
        return {};
    return Finder(fact, sequent, context, most).run();
}

bool leaves_a_cell(const Instance& instance, const Sequent& sequent, const View& view) {
    if (std::count(instance.cells.begin(), instance.cells.end(), 1) <
        static_cast<std::ptrdiff_t>(sequent.left.cells.size()))
        return true;
    for (std::size_t c = 0; c < instance.calls.size(); ++c)
        if (instance.calls[c] == 0 && view.calls[c].nonempty) return true;
    return false;
}

Sequent use(const Sequent& fact, const Instance& instance, const Sequent& sequent, Context& context,
            std::map<TermId, TermId>& fresh) {
    Sequent result = sequent;
    result.left.linear = numbers_of(sequent.left, context); // also what is known by the calls that go
    result.left.cells.clear();
    result.left.calls.clear();
    for (std::size_t i = 0; i < instance.cells.size(); ++i)
        if (instance.cells[i] == 0) result.left.cells.push_back(sequent.left.cells[i]);
    for (std::size_t i = 0; i < instance.calls.size(); ++i)
        if (instance.calls[i] == 0) result.left.calls.push_back(sequent.left.calls[i]);
    Clause gained = fact.right;
    // All at once: terms of the instance may have the names of terms of the fact.
    std::map<TermId, TermId> names = instance.terms;
    for (const TermId term : fact.exists)
        names[term] = fresh[term] = context.terms.fresh(context.terms.is_number(term));
    std::map<TermId, TermId> between;
    for (const auto& [from, to] : names) {
        if (from == to) continue;
        const TermId middle = context.terms.fresh(context.terms.is_number(from));
        rename(gained, from, middle);
        between[middle] = to;
    }
    for (const auto& [middle, to] : between) rename(gained, middle, to);
    append(result.left, gained);
    for (const Choice& meaning : instance.meanings) { // its value less it is zero
        Linear condition = meaning.value;
        add_term(condition, meaning.term, -1);
        result.left.linear.push_back(std::move(condition));
    }
    return result;
}

} // namespace ggsnn::logic::induct
