#include "ggsnn/verify/graph/contents.hpp"

#include "ggsnn/verify/graph/nested.hpp"

#include <algorithm>

namespace ggsnn::verify::graph {

References references_of(const State& state) {
    References all;
    state.for_each_value([&](const Value& v, int holder, std::int64_t offset) {
        if (v.is_address()) all[v.id].push_back({holder, offset, v});
    });
    return all;
}

std::set<int> owned_by(const State& state, const References& references, int owner,
                       const std::set<std::int64_t>& links) {
    std::set<int> found;
    std::vector<int> open{owner};
    while (!open.empty()) {
        const int id = open.back();
        open.pop_back();
        for (const auto& [offset, field] : state.at(id).fields) {
            if (id == owner && links.contains(offset)) continue;
            const Value& v = field.value;
            if (!v.is_address() || v.id == owner) continue;
            const Object& o = state.at(v.id);
            if (o.kind == Object::Kind::heap && o.live && found.insert(v.id).second) open.push_back(v.id);
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (auto id = found.begin(); id != found.end();) {
            const auto& to = references.at(*id);
            const bool outside = std::any_of(to.begin(), to.end(), [&](const Reference& r) {
                return r.holder != owner && !found.contains(r.holder);
            });
            id = outside ? found.erase(id) : std::next(id);
            changed = changed || outside;
        }
    }
    return found;
}

bool is_named(const State& state, const References& references, int object) {
    const auto to = references.find(object);
    return to != references.end() &&
           std::any_of(to->second.begin(), to->second.end(), [&](const Reference& r) {
               return r.holder < 0 || state.at(r.holder).kind != Object::Kind::heap;
           });
}

namespace {

// Makes the contents of two nodes, and of what they own, one: a template for both.
class Contents {
  public:
    Contents(State& state, const Policy& policy, const Neighbours& nodes)
        : state_(state), policy_(policy), nodes_(nodes), of_a_(nodes.of_a), of_b_(nodes.of_b) {
        raise_a_ = state.at(nodes.a).is_many() ? 0 : 1;
        raise_b_ = state.at(nodes.b).is_many() ? 0 : 1;
        level_ = state.at(nodes.a).level + 1;
    }

    // The fields of the segment without its links; nothing if the nodes have no common template.
    std::optional<std::map<std::int64_t, Field>> join() {
        std::map<std::int64_t, Field> fields;
        if (!join_fields(state_.at(nodes_.a), state_.at(nodes_.b), nodes_.links, fields)) return {};
        for (const auto& [owned, is_a] : {std::pair{&of_a_, true}, {&of_b_, false}})
            for (const int id : *owned)
                if (!(is_a ? used_a_ : used_b_).contains(id)) return {};
        for (const auto& [id, object] : made_) state_.edit(id) = object;
        for (const auto* owned : {&of_a_, &of_b_})
            for (const int id : *owned) state_.remove(id);
        return fields;
    }

  private:
    struct Made {
        int id = -1;
        int within = -1; // the inner list or tree whose nodes have one each; -1: none
    };
    // What a node of an inner list has, nothing further out leads to.
    bool may_lead_to(const Made& made) const {
        return made.within < 0 || std::find(within_.begin(), within_.end(), made.within) != within_.end();
    }
    int innermost() const { return within_.empty() ? -1 : within_.back(); }
    int raised_a() const { return raise_a_ + inner_a_; }
    int raised_b() const { return raise_b_ + inner_b_; }

    bool join_fields(const Object& a, const Object& b, const std::set<std::int64_t>& links,
                     std::map<std::int64_t, Field>& fields) {
        if (a.rest != b.rest) return false;
        std::set<std::int64_t> offsets;
        for (const auto& entry : a.fields) offsets.insert(entry.first);
        for (const auto& entry : b.fields) offsets.insert(entry.first);
        for (const std::int64_t offset : offsets) {
            if (links.contains(offset)) continue;
            const auto in_a = a.fields.find(offset), in_b = b.fields.find(offset);
            const bool both = in_a != a.fields.end() && in_b != b.fields.end();
            if (both && in_a->second.bytes != in_b->second.bytes) return false;
            const int bytes = (in_a != a.fields.end() ? in_a : in_b)->second.bytes;
            const auto value = [&](const Object& o, const auto& field) {
                if (field != o.fields.end()) return field->second.value;
                return o.rest == Object::Rest::zero ? Value::number(0) : Value{};
            };
            // A field that only one has may overlap with others of the other one.
            if (!both && overlaps(in_a == a.fields.end() ? a : b, offset, bytes)) return false;
            Value joined;
            if (!join_values(value(a, in_a), value(b, in_b), joined)) return false;
            if (joined.known()) fields[offset] = {bytes, joined};
        }
        return true;
    }

    static bool overlaps(const Object& o, std::int64_t offset, int bytes) {
        return std::any_of(o.fields.begin(), o.fields.end(), [&](const auto& entry) {
            return entry.first < offset + bytes && entry.first + entry.second.bytes > offset;
        });
    }

    bool join_values(const Value& a, const Value& b, Value& joined) {
        const bool owned_a = a.is_address() && of_a_.contains(a.id);
        const bool owned_b = b.is_address() && of_b_.contains(b.id);
        if (owned_a && owned_b) return join_addresses(a, b, joined);
        if (owned_a) return make_optional(a, b, true, joined);
        if (owned_b) return make_optional(b, a, false, joined);
        if ((a.is_address() && a.id == nodes_.a) || (b.is_address() && b.id == nodes_.b)) {
            if (!same_when_absent(a, nodes_.a, b, nodes_.b)) return false;
            joined = Value::address(nodes_.b, a.offset, Place::own);
            return true;
        }
        if (a == b && state_.level(a) < level_) { // the same for both nodes
            joined = a;
            return true;
        }
        return join_numbers(a, b, joined);
    }

    bool join_numbers(const Value& a, const Value& b, Value& joined) {
        if (!a.known() || !b.known()) return !loses(a) && !loses(b);
        if (a.base != Value::Base::number || b.base != Value::Base::number) {
            // Addresses of what others lead to as well: any address.
            if (loses(a) || loses(b) || (!policy_.forget && (is_kept(a) || is_kept(b)))) return false;
            joined = template_symbol(a, b, {});
            return true;
        }
        if (!policy_.mix_numbers && a.is_number() && b.is_number() && a.offset != b.offset) return false;
        const Interval ra = state_.range(a), rb = state_.range(b);
        if (!policy_.mix_numbers && (a.is_number() != b.is_number())) return false;
        joined = template_symbol(a, b, {std::min(ra.low, rb.low), std::max(ra.high, rb.high)});
        return true;
    }

    bool is_kept(const Value& v) const {
        return v.base == Value::Base::function ||
               (v.is_address() &&
                (policy_.sorts > 0 || (state_.at(v.id).kind == Object::Kind::heap && state_.at(v.id).live)));
    }

    // Whether forgetting the value would lose the only way to something.
    bool loses(const Value& v) const {
        return v.is_address() &&
               (of_a_.contains(v.id) || of_b_.contains(v.id) || v.id == nodes_.a || v.id == nodes_.b);
    }

    Value template_symbol(const Value& a, const Value& b, const Interval& range) {
        const int level = std::max(level_of(a, raised_a()), level_of(b, raised_b()));
        const auto [known, added] = symbols_.try_emplace({a, b, level}, -1);
        if (added) {
            known->second = state_.fresh(range, level);
            // Different from zero on both sides: what it leads to is there.
            for (const std::int64_t n : common_never(a, b, range))
                state_.edit_symbol(known->second).never.insert(n);
        }
        return Value::of_symbol(known->second);
    }

    // Of a value that moves into the template: what every node of an inner list has of its own stays so.
    int level_of(const Value& v, int raise) const {
        const int level = state_.level(v);
        return level < level_ ? level_ : level + raise;
    }

    std::set<std::int64_t> common_never(const Value& a, const Value& b, const Interval& range) const {
        std::set<std::int64_t> all;
        const auto never = [&](const Value& v, std::int64_t n) {
            if (v.is_address()) return n == 0 && v.symbol < 0;
            if (v.base != Value::Base::number) return false;
            if (!state_.range(v).contains(n)) return true;
            return v.is_symbol() && state_.symbol(v.symbol).never.contains(n);
        };
        std::set<std::int64_t> candidates{0};
        for (const Value* v : {&a, &b})
            if (v->is_symbol())
                for (const std::int64_t n : state_.symbol(v->symbol).never) candidates.insert(n);
        for (const std::int64_t n : candidates)
            if (range.contains(n) && never(a, n) && never(b, n)) all.insert(n);
        return all;
    }

    bool join_addresses(const Value& a, const Value& b, Value& joined) {
        if (a.offset != b.offset || a.symbol >= 0 || b.symbol >= 0) return false;
        const auto [known, added] = pairs_.try_emplace({a.id, b.id}, Made{-1, innermost()});
        if (added) {
            if (used_a_.contains(a.id) || used_b_.contains(b.id)) return false; // one block, two partners
            used_a_.insert(a.id);
            used_b_.insert(b.id);
            known->second.id = state_.add({});
            if (!join_objects(a.id, b.id, known->second.id)) return false;
        }
        if (!may_lead_to(known->second)) return false;
        const Object& made = made_.at(known->second.id);
        Place place = a.place;
        if (made.is_list()) {
            const bool list_a = state_.at(a.id).is_list(), list_b = state_.at(b.id).is_list();
            if (list_a && list_b && a.place != b.place) return false;
            place = list_a ? a.place : b.place;
        } else if (a.place != b.place) {
            return false;
        }
        joined = Value::address(known->second.id, a.offset, place);
        return true;
    }

    bool join_objects(int a, int b, int into) {
        const Object x = state_.at(a), y = state_.at(b);
        if (x.size != y.size || x.owned != y.owned || x.kind != y.kind || x.live != y.live) return false;
        if (x.level + raised_a() != y.level + raised_b() || !x.sorts.empty() || !y.sorts.empty())
            return false;
        Object joined = y;
        joined.level = y.level + raised_b();
        joined.born = std::max(x.born, y.born);
        joined.given = x.given && y.given;
        joined.fields.clear();
        if (x.is_many() && x.form == y.form) {
            if (!x.same_links(y)) return false;
            joined.least = std::min(x.least, y.least);
        } else if (x.is_tree() || y.is_tree()) {
            if (!join_tree(x.is_tree() ? x : y, x.is_tree() ? y : x, state_.pointer_bytes, joined))
                return false;
        } else if (x.is_list() || y.is_list()) {
            const Object& list = x.is_list() ? x : y;
            const Object& other = x.is_list() ? y : x;
            joined.form = Object::Form::list;
            joined.next = list.next;
            joined.prev = list.prev;
            joined.head = list.head;
            joined.least = std::min(list.least, other.form == Object::Form::optional ? 0 : 1);
            if (!link_fits(other, list)) return false;
            // Absent, the one is NULL; the other is what its last node leads to.
            if (joined.least == 0 && (!list.fields.at(list.next).value.is_number(0) ||
                                      !other.fields.at(list.next).value.is_number(0)))
                return false;
        } else if (x.form != y.form) {
            joined.form = Object::Form::optional;
        }
        made_[into] = joined; // what it leads to may lead back to it
        std::map<std::int64_t, Field> fields;
        std::set<std::int64_t> links(joined.kids.begin(), joined.kids.end());
        if (joined.is_list()) links = {joined.next, joined.prev};
        // What a single node has becomes what each node of the list or tree has.
        const int deeper = x.is_many() != y.is_many() ? 1 : 0;
        int& inner = x.is_many() ? inner_b_ : inner_a_;
        inner += deeper;
        if (deeper != 0) within_.push_back(into);
        const bool fit = join_fields(x, y, links, fields);
        if (deeper != 0) within_.pop_back();
        inner -= deeper;
        if (!fit) return false;
        for (const std::int64_t link : links) { // where the list ends
            if (!joined.is_list() || link < 0) continue;
            Value end;
            if (!join_values(x.fields.at(link).value, y.fields.at(link).value, end)) return false;
            if (!end.known()) return false;
            fields[link] = {state_.pointer_bytes, end};
        }
        made_.at(into).fields = std::move(fields);
        return true;
    }

    // A tree, and a single node without children, or none.
    static bool join_tree(const Object& tree, const Object& leaf, int pointer, Object& joined) {
        if (leaf.is_many()) return false;
        for (const std::int64_t kid : tree.kids) {
            const auto field = leaf.fields.find(kid);
            const bool null = field == leaf.fields.end()
                                  ? leaf.rest == Object::Rest::zero && !overlaps(leaf, kid, pointer)
                                  : field->second.bytes == pointer && field->second.value.is_number(0);
            if (!null) return false;
        }
        joined.form = Object::Form::tree;
        joined.kids = tree.kids;
        joined.next = -1;
        joined.prev = tree.prev;
        joined.head = 0;
        joined.least = leaf.form == Object::Form::optional ? 0 : tree.least;
        return true;
    }

    static bool link_fits(const Object& node, const Object& list) {
        for (const std::int64_t link : {list.next, list.prev})
            if (link >= 0 && !node.fields.contains(link)) return false;
        return true;
    }

    Value raised(Value v, int raise) {
        if (raise == 0) return v;
        const auto [known, added] = raised_.try_emplace({v.symbol, raise}, -1);
        if (added) {
            Symbol symbol = state_.symbol(v.symbol);
            known->second = state_.fresh(symbol.range, symbol.level + raise);
            state_.edit_symbol(known->second).never = symbol.never;
        }
        v.symbol = known->second;
        return v;
    }

    // NULL, or the same place of the node itself: what two nodes have in common where one lacks a thing.
    static bool same_when_absent(const Value& a, int node_a, const Value& b, int node_b) {
        if (a.is_number(0)) return b.is_number(0);
        const auto leads_to = [](const Value& v, int node) {
            return v.is_address() && v.id == node && v.symbol < 0 &&
                   (v.place == Place::node || v.place == Place::own);
        };
        return leads_to(a, node_a) && leads_to(b, node_b) && a.offset == b.offset;
    }

    // What one node owns and the other lacks: that one has NULL, or what the list of this one ends with.
    bool make_optional(const Value& there, const Value& absent, bool is_a, Value& joined) {
        if (there.symbol >= 0) return false;
        const Object& o = state_.at(there.id);
        if (o.is_list()) {
            const auto same = [&](std::int64_t end, const Value& v) {
                return same_when_absent(o.fields.at(end).value, is_a ? nodes_.a : nodes_.b, v,
                                        is_a ? nodes_.b : nodes_.a);
            };
            const bool last = there.place == Place::last;
            if (there.offset != o.head || !same(last ? o.prev : o.next, absent)) return false;
        } else if (there.offset != 0 || !absent.is_number(0)) {
            return false;
        }
        auto known = optional_.find(there.id);
        if (known == optional_.end()) {
            const int made = add_optional(there.id, is_a);
            if (made < 0) return false;
            known = optional_.emplace(there.id, Made{made, innermost()}).first;
        }
        if (!may_lead_to(known->second)) return false;
        joined = Value::address(known->second.id, there.offset, there.place);
        return true;
    }

    // The template of an object that is not always there; -1: there is none.
    int add_optional(int top, bool is_a) {
        const std::set<int> group = absent_together(top, is_a);
        std::map<int, int> renamed;
        std::map<int, Object> made;
        for (const int id : group) {
            Object o = state_.at(id);
            if (!(is_a ? of_a_ : of_b_).contains(id) || !(is_a ? used_a_ : used_b_).insert(id).second ||
                !o.sorts.empty())
                return -1;
            // What nodes of a list own goes with them; all else may be absent by itself as well.
            if (o.level == state_.at(top).level) {
                if (o.is_many())
                    o.least = 0;
                else
                    o.form = Object::Form::optional;
            }
            o.level += is_a ? raised_a() : raised_b();
            renamed[id] = state_.add({});
            made[id] = std::move(o);
        }
        // They may lead to each other and to their owner.
        for (auto& [id, object] : made) {
            for (auto& entry : object.fields)
                if (!rename_owned(entry.second.value, renamed, is_a)) return -1;
            made_[renamed.at(id)] = std::move(object);
        }
        return renamed.at(top);
    }

    // An object with what its nodes own, and what only a single block leads to with that.
    std::set<int> absent_together(int top, bool is_a) const {
        std::set<int> group{top};
        std::vector<int> open{top};
        while (!open.empty()) {
            const int id = open.back();
            open.pop_back();
            for (const int nested : nested_in(state_, id))
                if (group.insert(nested).second) open.push_back(nested);
            if (state_.at(id).is_many()) continue;
            for (const auto& entry : state_.at(id).fields) {
                const Value& v = entry.second.value;
                if (v.is_address() && (is_a ? of_a_ : of_b_).contains(v.id) && group.insert(v.id).second)
                    open.push_back(v.id);
            }
        }
        return group;
    }

    bool rename_owned(Value& v, const std::map<int, int>& renamed, bool is_a) {
        const int raise = is_a ? raised_a() : raised_b();
        if (v.is_address() && renamed.contains(v.id)) {
            v.id = renamed.at(v.id);
        } else if (v.is_address() && v.id == (is_a ? nodes_.a : nodes_.b) &&
                   (v.place == Place::node || v.place == Place::own)) {
            v.id = nodes_.b;
            v.place = Place::own;
        } else if (loses(v) || (!policy_.forget && is_kept(v))) {
            return false; // what is not there leads to nothing
        }
        if (state_.level(v) >= level_) v = raised(v, raise);
        return true;
    }

    State& state_;
    const Policy& policy_;
    const Neighbours& nodes_;
    const std::set<int>&of_a_, &of_b_;
    std::set<int> used_a_, used_b_;
    int raise_a_ = 0, raise_b_ = 0, level_ = 1;
    int inner_a_ = 0, inner_b_ = 0; // single nodes above that are made one with lists or trees
    std::vector<int> within_;       // these lists and trees
    std::map<std::pair<int, int>, Made> pairs_;
    std::map<std::tuple<Value, Value, int>, int> symbols_; // by values and level
    std::map<std::pair<int, int>, int> raised_;            // by symbol and levels
    std::map<int, Made> optional_;                         // templates of what is not always there
    std::map<int, Object> made_;
};

} // namespace

std::optional<std::map<std::int64_t, Field>> join_contents(State& state, const Policy& policy,
                                                           const Neighbours& nodes) {
    return Contents(state, policy, nodes).join();
}

} // namespace ggsnn::verify::graph
