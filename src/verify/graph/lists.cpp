// List segments and optional objects: their nodes taken out, or found to be none.
#include "ggsnn/verify/graph/nested.hpp"
#include "ggsnn/verify/graph/state.hpp"

#include <algorithm>

namespace ggsnn::verify::graph {

std::set<int> nested_in(const State& state, int object) {
    const Object& top = state.at(object);
    std::set<int> found;
    std::vector<int> open{object};
    while (!open.empty()) {
        const int id = open.back();
        open.pop_back();
        for (const auto& [offset, field] : state.at(id).fields) {
            if (id == object && top.is_list() && (offset == top.next || offset == top.prev)) continue;
            const Value& v = field.value;
            if (v.is_address() && v.id != object && state.at(v.id).level > top.level &&
                found.insert(v.id).second)
                open.push_back(v.id);
        }
    }
    return found;
}

// A block with the contents of a node of the list, and with a copy of everything that each node has.
int State::clone_node(int object) {
    const Object list = at(object);
    const std::set<int> nested = nested_in(*this, object);
    Object block = list;
    block.form = Object::Form::block;
    block.next = block.prev = -1;
    block.head = 0;
    block.least = 0;
    const int node = add(std::move(block));
    std::map<int, int> copies, symbols;
    for (const int id : nested) {
        Object copy = at(id);
        --copy.level;
        copies[id] = add(std::move(copy));
    }
    const auto renewed = [&](Value v) {
        if (v.is_address() && v.id == object && v.place == Place::own) {
            v.id = node;
            v.place = Place::node;
        } else if (v.is_address() && copies.contains(v.id)) {
            v.id = copies.at(v.id);
        }
        if (v.symbol >= 0 && symbols_.at(v.symbol).level > list.level) {
            if (!symbols.contains(v.symbol)) {
                const Symbol s = symbols_.at(v.symbol);
                symbols[v.symbol] = fresh(s.range, s.level - 1);
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
    }
    return node;
}

void State::vanish(int object) {
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
    if (o.least == 0) {
        states.push_back(*this);
        states.back().vanish(object);
    }
    State taken = *this;
    const bool last = place == Place::last;
    const int node = taken.clone_node(object);
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
    if (rest.least > 0) {
        states.push_back(std::move(taken));
        return states;
    }
    states.push_back(taken);
    states.back().vanish(object);
    taken.edit(object).least = 1;
    states.push_back(std::move(taken));
    return states;
}

} // namespace ggsnn::verify::graph
