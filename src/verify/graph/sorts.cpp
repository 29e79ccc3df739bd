#include "ggsnn/verify/graph/sorts.hpp"

#include "ggsnn/verify/graph/nested.hpp"

#include <algorithm>
#include <limits>

namespace ggsnn::verify::graph {

namespace {

constexpr unsigned bit(std::size_t sort) {
    return 1U << sort;
}

unsigned renamed(unsigned sorts, const std::vector<std::size_t>& to) {
    unsigned result = 0;
    for (std::size_t k = 0; k < to.size(); ++k)
        if ((sorts & bit(k)) != 0) result |= bit(to[k]);
    return result;
}

class Joining {
  public:
    Joining(State& state, const Policy& policy, const Neighbours& nodes)
        : state_(state), policy_(policy), nodes_(nodes) {
        strict_.mix_numbers = false;
    }

    bool run() {
        if (leads_over(nodes_.a, nodes_.of_a, nodes_.b) || leads_over(nodes_.b, nodes_.of_b, nodes_.a))
            return false;
        make_sorted(nodes_.a, nodes_.of_a);
        make_sorted(nodes_.b, nodes_.of_b);
        const Object a = state_.at(nodes_.a), b = state_.at(nodes_.b);
        std::vector<std::size_t> to;
        for (std::size_t k = 0; k < a.sorts.size(); ++k) {
            to.push_back(place_for(k));
            if (static_cast<int>(state_.at(nodes_.b).sorts.size()) > policy_.sorts) return false;
        }
        Object& list = state_.edit(nodes_.b);
        const unsigned firsts = renamed(a.firsts, to), lasts = renamed(a.lasts, to);
        for (std::size_t k = 0; k < to.size(); ++k) {
            Object::Sort& sort = list.sorts[to[k]];
            sort.after |= renamed(a.sorts[k].after, to);
            if ((a.lasts & bit(k)) != 0) sort.after |= b.firsts;
            list.size = Value::number(std::min(list.size.offset, sort.size.offset));
        }
        list.firsts = firsts | (a.least == 0 ? b.firsts : 0);
        list.lasts = b.lasts | (b.least == 0 ? lasts : 0);
        return state_.prune_sorts(nodes_.b);
    }

  private:
    // Whether the contents of one node lead to the other one.
    bool leads_over(int id, const std::set<int>& owned, int other) const {
        const auto leads = [&](const Fields& fields, bool links) {
            return std::any_of(fields.begin(), fields.end(), [&](const auto& entry) {
                return entry.second.value.is_address() && entry.second.value.id == other &&
                       !(links && nodes_.links.contains(entry.first));
            });
        };
        const auto any = [&](const Object& o, bool links) {
            return leads(o.fields, links) ||
                   std::any_of(o.sorts.begin(), o.sorts.end(),
                               [&](const Object::Sort& sort) { return leads(sort.fields, false); });
        };
        return any(state_.at(id), true) ||
               std::any_of(owned.begin(), owned.end(), [&](int own) { return any(state_.at(own), false); });
    }

    // A node, or a list of one sort, becomes a list in which the sort is named.
    void make_sorted(int id, const std::set<int>& owned) {
        Object& list = state_.edit(id);
        if (!list.sorts.empty()) return;
        const bool single = !list.is_list();
        if (single) raise(id, owned);
        Object::Sort sort{list.size, list.rest, {}, single ? 0U : 1U};
        for (auto field = list.fields.begin(); field != list.fields.end();) {
            const bool link = nodes_.links.contains(field->first);
            if (!link) sort.fields.insert(*field);
            field = link ? std::next(field) : list.fields.erase(field);
        }
        list.sorts.push_back(std::move(sort));
        list.firsts = list.lasts = 1;
        list.form = Object::Form::list;
        list.next = -1;
        list.prev = -1;
        for (const std::int64_t link : nodes_.links) // both are links of the list, whichever is which
            (list.next < 0 ? list.next : list.prev) = link;
        if (single) list.least = 1;
    }

    // What a single node owns becomes what nodes of a sort own. Numbers that it shares with others stay so:
    // there is one node of this sort.
    void raise(int id, const std::set<int>& owned) {
        const int level = state_.at(id).level;
        std::map<int, int> symbols;
        const auto change = [&](Value& v) {
            if (v.is_address() && v.id == id) v.place = Place::own;
            if (v.symbol < 0 || state_.level(v) <= level) return;
            const auto [known, added] = symbols.try_emplace(v.symbol, -1);
            if (added) {
                const Symbol symbol = state_.symbol(v.symbol);
                known->second = state_.fresh(symbol.range, symbol.level + 1);
                state_.edit_symbol(known->second).never = symbol.never;
            }
            v.symbol = known->second;
        };
        for (auto& [offset, field] : state_.edit(id).fields)
            if (!nodes_.links.contains(offset)) change(field.value);
        for (const int own : owned) {
            Object& o = state_.edit(own);
            ++o.level;
            change(o.size);
            for (auto& entry : o.fields) change(entry.second.value);
            for (Object::Sort& sort : o.sorts)
                for (auto& entry : sort.fields) change(entry.second.value);
        }
    }

    // The sort of list b that sort k of list a is made one with, or is added as.
    std::size_t place_for(std::size_t k) {
        const Object a = state_.at(nodes_.a), b = state_.at(nodes_.b);
        for (std::size_t j = 0; j < b.sorts.size(); ++j) {
            if (a.sorts[k].size != b.sorts[j].size) continue;
            State trial = state_;
            trial.edit(nodes_.a) = of_sort(a, k);
            trial.edit(nodes_.b) = of_sort(b, j);
            auto fields = join_contents(
                trial, strict_,
                {nodes_.a, nodes_.b, nodes_.links, nested_in(trial, nodes_.a), nested_in(trial, nodes_.b)});
            if (!fields) continue;
            trial.edit(nodes_.a) = a;
            trial.edit(nodes_.a).sorts[k].fields.clear(); // it is in the other one now
            trial.edit(nodes_.b) = b;
            trial.edit(nodes_.b).sorts[j].fields = std::move(*fields);
            state_ = std::move(trial);
            return j;
        }
        return add(k);
    }

    std::size_t add(std::size_t k) {
        const auto change = [&](Value& v) {
            if (v.is_address() && v.id == nodes_.a && v.place == Place::own) v.id = nodes_.b;
        };
        const std::set<int> nested = nested_in(state_, nodes_.a, static_cast<int>(k));
        Object::Sort sort = state_.at(nodes_.a).sorts[k];
        sort.after = 0;
        for (auto& entry : sort.fields) change(entry.second.value);
        for (const int id : nested) {
            Object& o = state_.edit(id);
            for (auto& entry : o.fields) change(entry.second.value);
            for (Object::Sort& one : o.sorts)
                for (auto& entry : one.fields) change(entry.second.value);
        }
        state_.edit(nodes_.a).sorts[k].fields.clear();
        state_.edit(nodes_.b).sorts.push_back(std::move(sort));
        return state_.at(nodes_.b).sorts.size() - 1;
    }

    State& state_;
    const Policy& policy_;
    const Neighbours& nodes_;
    Policy strict_ = policy_;
};

} // namespace

Object of_sort(const Object& list, std::size_t sort) {
    Object one = list;
    const Object::Sort& chosen = list.sorts[sort];
    one.size = chosen.size;
    one.rest = chosen.rest;
    one.fields.insert(chosen.fields.begin(), chosen.fields.end());
    one.sorts.clear();
    one.firsts = one.lasts = 0;
    return one;
}

bool join_sorts(State& state, const Policy& policy, const Neighbours& nodes) {
    return Joining(state, policy, nodes).run();
}

bool State::prune_sorts(int object) {
    const Object& list = at(object);
    const std::size_t count = list.sorts.size();
    const auto closed = [&](unsigned sorts, const auto& step) {
        for (unsigned before = 0; before != sorts;) {
            before = sorts;
            for (std::size_t k = 0; k < count; ++k) sorts |= step(k, before);
        }
        return sorts;
    };
    const unsigned reached = closed(
        list.firsts, [&](std::size_t k, unsigned s) { return (s & bit(k)) != 0 ? list.sorts[k].after : 0U; });
    const unsigned leading = closed(
        list.lasts, [&](std::size_t k, unsigned s) { return (list.sorts[k].after & s) != 0 ? bit(k) : 0U; });
    const unsigned kept = reached & leading;
    if (kept == 0) return false;
    std::vector<std::size_t> to(count, 0);
    std::set<int> used, gone;
    std::size_t left = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const std::set<int> nested = nested_in(*this, object, static_cast<int>(k));
        if ((kept & bit(k)) != 0) to[k] = left++;
        ((kept & bit(k)) != 0 ? used : gone).insert(nested.begin(), nested.end());
    }
    for (const int id : gone)
        if (!used.contains(id)) remove(id);
    Object& pruned = edit(object);
    std::vector<Object::Sort> sorts;
    std::int64_t size = std::numeric_limits<std::int64_t>::max();
    for (std::size_t k = 0; k < count; ++k) {
        if ((kept & bit(k)) == 0) continue;
        sorts.push_back(std::move(pruned.sorts[k]));
        sorts.back().after = renamed(sorts.back().after & kept, to);
        size = std::min(size, sorts.back().size.offset);
    }
    pruned.firsts = renamed(pruned.firsts & kept, to);
    pruned.lasts = renamed(pruned.lasts & kept, to);
    pruned.sorts = std::move(sorts);
    pruned.size = Value::number(size);
    if (pruned.sorts.size() > 1) return true;
    if (pruned.sorts[0].after != 0) {
        pruned = of_sort(pruned, 0);
        return true;
    }
    // No node comes behind one of this sort: there is one at the most.
    const int least = pruned.least;
    if (least == 1) make_single(object);
    return least <= 1;
}

void State::make_single(int object) {
    const int node = copy_node(object, true, 0);
    for (const int id : nested_in(*this, object)) remove(id);
    remove(object);
    replace_object(
        [&](Value& v) {
            v.id = node;
            v.place = Place::node;
            return true;
        },
        object);
}

std::vector<State> State::opened_sorts(int object, Place place) const {
    std::vector<State> states;
    const Object& o = at(object);
    if (o.least == 0) {
        states.push_back(*this);
        states.back().vanish(object);
    }
    const bool last = place == Place::last;
    const std::int64_t to_rest = last ? o.prev : o.next, back = last ? o.next : o.prev;
    for (std::size_t k = 0; k < o.sorts.size(); ++k) {
        if (((last ? o.lasts : o.firsts) & bit(k)) == 0) continue;
        State taken = *this;
        const int node = taken.copy_node(object, true, static_cast<int>(k));
        const int pointer = o.fields.at(o.next).bytes;
        taken.replace_object(
            [&](Value& v) {
                if (v.place != (last ? Place::last : Place::first)) return false;
                v.id = node;
                v.place = Place::node;
                return true;
            },
            object);
        taken.edit(node).fields[to_rest] = {
            pointer, Value::address(object, o.head, last ? Place::last : Place::first)};
        if (o.doubly()) taken.edit(object).fields[back] = {pointer, Value::address(node, o.head)};
        if (o.least <= 1 && (o.firsts & o.lasts & bit(k)) != 0) {
            states.push_back(taken);
            states.back().vanish(object);
        }
        Object& rest = taken.edit(object);
        rest.least = std::max(rest.least - 1, 1);
        if (last) {
            rest.lasts = 0;
            for (std::size_t j = 0; j < o.sorts.size(); ++j)
                if ((o.sorts[j].after & bit(k)) != 0) rest.lasts |= bit(j);
        } else {
            rest.firsts = o.sorts[k].after;
        }
        if (taken.prune_sorts(object)) states.push_back(std::move(taken));
    }
    return states;
}

} // namespace ggsnn::verify::graph
