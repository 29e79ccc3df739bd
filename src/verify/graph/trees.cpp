#include "ggsnn/verify/graph/trees.hpp"

#include "ggsnn/verify/graph/nested.hpp"

#include <algorithm>

namespace ggsnn::verify::graph {

namespace {

bool leads_to(const Value& v, int object) {
    return v.is_address() && v.id == object && v.offset == 0 && v.symbol < 0 && v.place == Place::node;
}

// Links of a record to its own kind; of doubly-linked lists none.
std::vector<std::int64_t> own_links(const Program& program, int record) {
    std::vector<std::int64_t> links;
    bool next = false, prev = false;
    for (const RecordType::Field& f : program.records[static_cast<std::size_t>(record)].fields) {
        if (f.type.kind != Type::Kind::pointer || f.type.record != record) continue;
        links.push_back(f.offset);
        next = next || f.role == "next";
        prev = prev || f.role == "prev";
    }
    std::sort(links.begin(), links.end());
    if (links.size() < 2 || (next && prev)) links.clear();
    return links;
}

// Nodes above those that are known, if nothing is known of them, have the same links. True: some were found.
bool spread_up(const State& state, const Records& records, Branches& branches) {
    bool more = false;
    for (const auto& [id, object] : state.objects())
        for (const auto& [offset, field] : object->fields) {
            if (!field.value.is_address() || branches.contains(id) || records.contains(id)) continue;
            const auto below = branches.find(field.value.id);
            if (below == branches.end() || object->size != state.at(below->first).size) continue;
            const std::vector<std::int64_t> links = below->second;
            if (std::find(links.begin(), links.end(), offset) == links.end()) continue;
            branches[id] = links;
            more = true;
        }
    return more;
}

} // namespace

void write_null(State& state, int node, std::int64_t link) {
    if (state.peek(node, link, state.pointer_bytes).is_number(0))
        state.store(node, link, state.pointer_bytes, Value::number(0));
}

Records records_of(const State& state, const Program& program) {
    Records records;
    std::vector<int> open;
    const auto see = [&](const Value& v, const Type& type) {
        if (!v.is_address() || v.offset != 0 || v.symbol >= 0 || type.kind != Type::Kind::pointer) return;
        if (type.record < 0 || !state.has(v.id)) return;
        const std::int64_t size = program.records[static_cast<std::size_t>(type.record)].size;
        if (state.at(v.id).size.is_number(size) && records.emplace(v.id, type.record).second)
            open.push_back(v.id);
    };
    for (const Frame& frame : state.frames) {
        const Function& f = program.functions[static_cast<std::size_t>(frame.function)];
        for (std::size_t v = 0; v < frame.variables.size() && v < f.variables.size(); ++v)
            see(frame.variables[v], f.variables[v].type);
        for (std::size_t o = 0; o < frame.objects.size(); ++o)
            if (frame.objects[o] >= 0 && f.objects[o].record >= 0 &&
                records.emplace(frame.objects[o], f.objects[o].record).second)
                open.push_back(frame.objects[o]);
    }
    for (std::size_t g = 0; g < state.globals.size(); ++g)
        if (program.globals[g].record >= 0 &&
            records.emplace(state.globals[g], program.globals[g].record).second)
            open.push_back(state.globals[g]);
    while (!open.empty()) {
        const int id = open.back();
        open.pop_back();
        const RecordType& record = program.records[static_cast<std::size_t>(records.at(id))];
        const Object& object = state.at(id);
        for (const RecordType::Field& f : record.fields) {
            if (const auto held = object.fields.find(f.offset); held != object.fields.end())
                see(held->second.value, f.type);
            for (const Object::Sort& sort : object.sorts)
                if (const auto held = sort.fields.find(f.offset); held != sort.fields.end())
                    see(held->second.value, f.type);
        }
    }
    return records;
}

Branches branches_of(const State& state, const Program& program, const Records& records) {
    Branches branches;
    for (const auto& [id, record] : records)
        if (std::vector<std::int64_t> links = own_links(program, record); !links.empty())
            branches[id] = std::move(links);
    for (const auto& [id, object] : state.objects())
        if (!object->kids.empty() && !branches.contains(id)) {
            branches[id] = object->kids;
            if (object->prev >= 0) branches[id].push_back(object->prev);
            std::sort(branches[id].begin(), branches[id].end());
        }
    while (spread_up(state, records, branches)) {
    }
    return branches;
}

TreeLinks Trees::links_of(int node, int below) const {
    TreeLinks links;
    const auto known = branches_.find(node);
    if (known == branches_.end()) return links;
    if (const Object& o = state_.at(below); !o.kids.empty()) return {o.kids, o.prev};
    for (const std::int64_t offset : known->second) {
        const Value v = state_.peek(node, offset, state_.pointer_bytes);
        if (!v.is_address() && !v.is_number(0)) continue; // not a link that is kept
        const auto back = state_.at(below).fields.find(offset);
        if (back != state_.at(below).fields.end() && back->second.value.is_address() &&
            back->second.value.id == node && links.prev < 0)
            links.prev = offset;
        else
            links.kids.push_back(offset);
    }
    return links;
}

bool Trees::only_led_to_by(int object, int holder, std::int64_t offset) const {
    const auto to = references_.find(object);
    if (to == references_.end()) return false;
    const std::set<int> nested = nested_in(state_, object);
    return std::all_of(to->second.begin(), to->second.end(), [&](const Reference& r) {
        return (r.holder == holder && r.offset == offset) || r.holder == object || nested.contains(r.holder);
    });
}

// NULL, a tree, or a single node without children, that nothing else leads to.
bool Trees::is_own_tree(int node, std::int64_t kid, const TreeLinks& links) const {
    const Value v = state_.peek(node, kid, state_.pointer_bytes);
    if (v.is_number(0)) return true;
    if (!v.is_address() || v.id == node || !leads_to(v, v.id)) return false;
    const Object &o = state_.at(v.id), &above = state_.at(node);
    if (o.kind != Object::Kind::heap || !o.live || o.size != above.size || o.owned != above.owned ||
        o.level != above.level)
        return false;
    if (o.is_tree() ? o.kids != links.kids || o.prev != links.prev : o.form != Object::Form::block)
        return false;
    if (!o.is_tree() && std::any_of(links.kids.begin(), links.kids.end(), [&](std::int64_t k) {
            return !state_.peek(v.id, k, state_.pointer_bytes).is_number(0);
        }))
        return false;
    if (links.prev >= 0 && !leads_to(state_.peek(v.id, links.prev, state_.pointer_bytes), node)) return false;
    if (only_led_to_by(v.id, node, kid)) return true;
    // What a single node owns may lead back to it.
    const std::set<int> mine = o.is_tree() ? std::set<int>{} : owned(state_, v.id, links);
    const auto& to = references_.at(v.id);
    return std::all_of(to.begin(), to.end(), [&](const Reference& r) {
        return (r.holder == node && r.offset == kid) || r.holder == v.id || mine.contains(r.holder);
    });
}

std::set<int> Trees::owned(const State& state, int node, const TreeLinks& links) const {
    if (state.at(node).is_many()) return nested_in(state, node);
    std::set<std::int64_t> left_out(links.kids.begin(), links.kids.end());
    left_out.insert(links.prev);
    return owned_by(state, references_of(state), node, left_out);
}

std::optional<std::int64_t> Trees::way_on(int node, const TreeLinks& links) const {
    std::optional<std::int64_t> way;
    for (const std::int64_t kid : links.kids) {
        if (is_own_tree(node, kid, links)) continue;
        if (way) return {};
        way = kid;
    }
    return way;
}

bool Trees::step() {
    for (const auto& [id, links] : branches_) {
        if (!state_.has(id)) continue;
        const Object& o = state_.at(id);
        if (o.kind != Object::Kind::heap || !o.live || !o.size.is_number()) continue;
        if (o.form == Object::Form::block && plant_leaves(id)) return true;
        if (!policy_.fold_named && is_named(state_, references_, id)) continue;
        if (o.form == Object::Form::block && fold(id)) return true;
        if (o.is_list() && !o.kids.empty() && fold_way(id)) return true;
    }
    return false;
}

// Links down and up, by what the node leads to.
TreeLinks Trees::links_at(int node) const {
    for (const std::int64_t offset : branches_.at(node)) {
        const Value v = state_.peek(node, offset, state_.pointer_bytes);
        if (!v.is_address() || v.id == node) continue;
        const TreeLinks links = links_of(node, v.id);
        // That may be the link up.
        const Value up = links.prev < 0 ? Value{} : state_.peek(node, links.prev, state_.pointer_bytes);
        if (offset != links.prev && !(up.is_address() && up.id == v.id)) return links;
    }
    return {};
}

// Single nodes below become trees: how large they are matters to nobody.
bool Trees::plant_leaves(int node) {
    const TreeLinks links = links_at(node);
    if (links.kids.size() < 2) return false;
    for (const std::int64_t kid : links.kids) {
        const Value v = state_.peek(node, kid, state_.pointer_bytes);
        if (!v.is_address() || state_.at(v.id).form != Object::Form::block ||
            !is_own_tree(node, kid, links) || is_named(state_, references_, v.id) ||
            !owned(state_, v.id, links).empty())
            continue;
        for (const std::int64_t k : links.kids) write_null(state_, v.id, k);
        Object& leaf = state_.edit(v.id);
        for (const std::int64_t k : links.kids) leaf.fields.erase(k);
        leaf.form = Object::Form::tree;
        leaf.kids = links.kids;
        leaf.prev = links.prev;
        leaf.least = 1;
        return true;
    }
    return false;
}

bool Trees::fold(int node) {
    const TreeLinks links = links_at(node);
    return links.kids.size() >= 2 && fold(node, links);
}

bool Trees::fold(int node, const TreeLinks& links) {
    std::vector<int> below;
    for (const std::int64_t kid : links.kids) {
        if (!is_own_tree(node, kid, links)) return false;
        if (const Value v = state_.peek(node, kid, state_.pointer_bytes); v.is_address()) {
            if (std::find(below.begin(), below.end(), v.id) != below.end()) return false;
            below.push_back(v.id);
        }
    }
    const Value above = links.prev < 0 ? Value{} : state_.peek(node, links.prev, state_.pointer_bytes);
    if (below.empty() || (links.prev >= 0 && !above.known())) return false;
    State next = state_;
    for (const std::int64_t kid : links.kids) {
        write_null(next, node, kid);
        for (const int id : below)
            if (!next.at(id).is_tree()) write_null(next, id, kid);
    }
    std::set<std::int64_t> left_out(links.kids.begin(), links.kids.end());
    left_out.insert(links.prev);
    int root = node;
    for (const int kid : below) {
        const Object a = next.at(root), b = next.at(kid);
        auto fields = join_contents(next, policy_,
                                    {root, kid, left_out, owned(next, root, links), owned(next, kid, links)});
        if (!fields) return false;
        Object tree = b;
        tree.form = Object::Form::tree;
        tree.kids = links.kids;
        tree.next = -1;
        tree.prev = links.prev;
        tree.head = 0;
        tree.least = 1;
        tree.born = std::max(a.born, b.born);
        tree.given = a.given && b.given;
        tree.fields = std::move(*fields);
        next.edit(kid) = std::move(tree);
        next.remove(root);
        next.replace_object(
            [&](Value& v) {
                v.id = kid;
                return true;
            },
            root);
        root = kid;
    }
    if (above.is_address() && !next.has(above.id)) return false;
    if (links.prev >= 0) next.edit(root).fields[links.prev] = {state_.pointer_bytes, above};
    next.collect_symbols();
    state_ = std::move(next);
    return true;
}

// A way down with nothing but trees of its own at its end: one node of it, which has what all of them have,
// stands for all of them.
bool Trees::fold_way(int way) {
    const Object list = state_.at(way);
    const TreeLinks links{list.kids, list.prev};
    const Value behind = list.fields.at(list.next).value;
    const auto to = references_.find(way);
    if (to != references_.end() && std::any_of(to->second.begin(), to->second.end(), [&](const Reference& r) {
            return r.value.place == Place::last && (!behind.is_address() || r.holder != behind.id);
        }))
        return false;
    State single = state_;
    const int node = single.copy_node(way, true);
    for (const int id : nested_in(single, way)) single.remove(id);
    single.remove(way);
    single.replace_object(
        [&](Value& v) {
            v.id = node;
            v.place = Place::node;
            return true;
        },
        way);
    const References references = references_of(single);
    const Branches branches{{node, list.kids}};
    const Value end = single.peek(node, list.next, state_.pointer_bytes);
    const bool there = list.least > 0 || (end.is_address() && !single.at(end.id).may_be_absent());
    if (std::all_of(list.kids.begin(), list.kids.end(), [&](std::int64_t kid) {
            return single.peek(node, kid, state_.pointer_bytes).is_number(0);
        })) {
        Object& tree = state_.edit(way);
        for (const std::int64_t kid : list.kids) tree.fields.erase(kid);
        tree.form = Object::Form::tree;
        tree.next = -1;
        tree.least = there ? 1 : 0;
        state_.replace_object(
            [&](Value& v) {
                if (v.place != Place::own) v.place = Place::node;
                return true;
            },
            way);
        return true;
    }
    const Value kept = Value::address(node, 0);
    single.frames.back().variables.push_back(kept); // to find it again
    Trees inner(single, policy_, branches, references);
    if (!inner.fold(node, links)) return false;
    const int root = single.frames.back().variables.back().id;
    single.frames.back().variables.pop_back();
    single.edit(root).least = there ? 1 : 0;
    state_ = std::move(single);
    return true;
}

} // namespace ggsnn::verify::graph
