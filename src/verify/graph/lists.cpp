// List segments, trees and optional objects: their nodes taken out, or found to be none.
#include "ggsnn/verify/graph/nested.hpp"
#include "ggsnn/verify/graph/state.hpp"

#include <algorithm>
#include <optional>

namespace ggsnn::verify::graph {

std::set<int> nested_in(const State& state, int object, int sort) {
    const Object& top = state.at(object);
    std::set<int> found;
    std::vector<int> open{object};
    const auto see = [&](const Value& v) {
        if (v.is_address() && v.id != object && state.at(v.id).level > top.level && found.insert(v.id).second)
            open.push_back(v.id);
    };
    while (!open.empty()) {
        const int id = open.back();
        open.pop_back();
        const Object& o = state.at(id);
        for (const auto& [offset, field] : o.fields) {
            if (id == object && top.is_many() && (offset == top.next || offset == top.prev)) continue;
            see(field.value);
        }
        for (std::size_t k = 0; k < o.sorts.size(); ++k) {
            if (id == object && sort >= 0 && static_cast<int>(k) != sort) continue;
            for (const auto& entry : o.sorts[k].fields) see(entry.second.value);
        }
    }
    return found;
}

int State::copy_node(int object, bool as_block, int sort) {
    const Object list = at(object);
    const std::set<int> nested = nested_in(*this, object, sort);
    const int lower = as_block ? 1 : 0;
    Object block = list;
    if (as_block) {
        block.form = Object::Form::block;
        block.next = block.prev = -1;
        block.head = 0;
        block.least = 0;
        block.kids.clear();
        if (sort >= 0) {
            const Object::Sort& chosen = list.sorts[static_cast<std::size_t>(sort)];
            block.size = chosen.size;
            block.rest = chosen.rest;
            block.fields.insert(chosen.fields.begin(), chosen.fields.end());
            block.sorts.clear();
            block.firsts = block.lasts = 0;
        }
    }
    const int node = add(std::move(block));
    std::map<int, int> copies, symbols;
    for (const int id : nested) {
        Object copy = at(id);
        copy.level -= lower;
        copies[id] = add(std::move(copy));
    }
    const auto renewed = [&](Value v) {
        if (v.is_address() && v.id == object && v.place == Place::own) {
            v.id = node;
            if (as_block) v.place = Place::node;
        } else if (v.is_address() && copies.contains(v.id)) {
            v.id = copies.at(v.id);
        }
        if (v.symbol >= 0 && symbols_.at(v.symbol).level > list.level) {
            if (!symbols.contains(v.symbol)) {
                const Symbol s = symbols_.at(v.symbol);
                symbols[v.symbol] = fresh(s.range, s.level - lower);
                symbols_.at(symbols[v.symbol]).never = s.never;
            }
            v.symbol = symbols.at(v.symbol);
        }
        return v;
    };
    std::vector<int> made{node};
    for (const auto& [from, to] : copies) made.push_back(to);
    for (const int id : made) {
        Object& o = edit(id);
        o.size = renewed(o.size);
        for (auto& entry : o.fields) entry.second.value = renewed(entry.second.value);
        for (Object::Sort& one : o.sorts)
            for (auto& entry : one.fields) entry.second.value = renewed(entry.second.value);
    }
    return node;
}

std::set<int> absent_with(const State& state, const std::set<int>& absent) {
    std::set<int> all = absent;
    for (bool more = true; more;) {
        more = false;
        std::set<int> held, kept; // by what is absent; by others
        state.for_each_value([&](const Value& v, int holder, std::int64_t) {
            if (v.is_address() && holder != v.id) (all.contains(holder) ? held : kept).insert(v.id);
        });
        for (const int id : held)
            if (!kept.contains(id) && state.at(id).kind == Object::Kind::heap && state.at(id).live &&
                state.at(id).may_be_absent())
                more = all.insert(id).second || more;
    }
    return all;
}

void State::vanish(int object) {
    if (at(object).form == Object::Form::optional)
        for (const int id : absent_with(*this, {object}))
            if (id != object && has(id)) vanish(id);
    const Object gone = at(object);
    const auto behind = [&](const std::int64_t link, std::int64_t offset) {
        const auto field = gone.fields.find(link);
        const Value v = field == gone.fields.end() ? Value::number(0) : field->second.value;
        const Value moved = plus(v, offset - gone.head);
        return moved.known() ? moved : fresh_value({});
    };
    for (const int id : nested_in(*this, object)) remove(id);
    remove(object);
    replace_object(
        [&](Value& v) {
            const Value symbolic = v;
            if (gone.is_list())
                v = behind(v.place == Place::last ? gone.prev : gone.next, v.offset);
            else
                v = Value::number(v.offset);
            if (symbolic.symbol >= 0) v = fresh_value({});
            return true;
        },
        object);
}

std::vector<State> State::opened(int object, Place place) const {
    std::vector<State> states;
    const Object& o = at(object);
    if (o.form == Object::Form::optional) {
        states.push_back(*this);
        states.back().vanish(object);
        states.push_back(*this);
        states.back().edit(object).form = Object::Form::block;
        return states;
    }
    if (o.is_tree()) return opened_tree(object);
    if (!o.sorts.empty()) return opened_sorts(object, place);
    if (o.least == 0) {
        states.push_back(*this);
        states.back().vanish(object);
    }
    State taken = *this;
    const bool last = place == Place::last;
    const int node = taken.copy_node(object, true);
    const std::int64_t head = o.head, to_rest = last ? o.prev : o.next, back = last ? o.next : o.prev;
    const int pointer = o.fields.at(o.next).bytes;
    taken.replace_object(
        [&](Value& v) {
            if (v.place != (last ? Place::last : Place::first)) return false;
            v.id = node;
            v.place = Place::node;
            return true;
        },
        object);
    taken.edit(node).fields[to_rest] = {pointer,
                                        Value::address(object, head, last ? Place::last : Place::first)};
    Object& rest = taken.edit(object);
    if (rest.doubly()) rest.fields[back] = {pointer, Value::address(node, head)};
    rest.least = std::max(rest.least - 1, 0);
    const auto add = [&](const State& state) {
        if (o.kids.empty()) states.push_back(state);
        for (const std::int64_t kid : o.kids) {
            states.push_back(state);
            turn(states.back().edit(node).fields, o.kids, kid);
        }
    };
    if (rest.least > 0) {
        add(taken);
        return states;
    }
    State alone = taken;
    alone.vanish(object);
    add(alone);
    taken.edit(object).least = 1;
    add(taken);
    return states;
}

// A node, and a tree that may be empty for each link.
std::vector<State> State::opened_tree(int object) const {
    std::vector<State> states;
    const Object& tree = at(object);
    if (tree.least == 0) {
        states.push_back(*this);
        states.back().vanish(object);
    }
    State taken = *this;
    const int node = taken.copy_node(object, true);
    for (const std::int64_t kid : tree.kids) {
        const int child = taken.copy_node(object, false);
        Object& below = taken.edit(child);
        below.least = 0;
        if (below.prev >= 0) below.fields[below.prev] = {pointer_bytes, Value::address(node, 0)};
        taken.edit(node).fields[kid] = {pointer_bytes, Value::address(child, 0)};
    }
    for (const int id : nested_in(taken, object)) taken.remove(id);
    taken.remove(object);
    taken.replace_object(
        [&](Value& v) {
            v.id = node;
            return true;
        },
        object);
    states.push_back(std::move(taken));
    return states;
}

namespace {

// The links in the order of a list: the one that is taken, then the others.
std::vector<std::int64_t> taken_first(const std::vector<std::int64_t>& kids, std::int64_t taken) {
    std::vector<std::int64_t> order{taken};
    for (const std::int64_t kid : kids)
        if (kid != taken) order.push_back(kid);
    return order;
}

void carry(std::map<std::int64_t, Field>& fields, const std::vector<std::int64_t>& from,
           const std::vector<std::int64_t>& to) {
    std::vector<std::optional<Field>> held;
    for (const std::int64_t offset : from) {
        const auto field = fields.find(offset);
        held.push_back(field == fields.end() ? std::nullopt : std::optional(field->second));
        if (field != fields.end()) fields.erase(field);
    }
    for (std::size_t k = 0; k < to.size(); ++k)
        if (held[k]) fields[to[k]] = *held[k];
}

} // namespace

void straighten(std::map<std::int64_t, Field>& fields, const std::vector<std::int64_t>& kids,
                std::int64_t taken) {
    carry(fields, taken_first(kids, taken), kids);
}

void turn(std::map<std::int64_t, Field>& fields, const std::vector<std::int64_t>& kids, std::int64_t taken) {
    carry(fields, kids, taken_first(kids, taken));
}

} // namespace ggsnn::verify::graph
