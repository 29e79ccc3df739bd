#include "ggsnn/verify/graph/fold.hpp"

#include "ggsnn/verify/graph/nested.hpp"

#include <algorithm>
#include <optional>

namespace ggsnn::verify::graph {

namespace {

// Where an address stands.
struct Reference {
    int holder = -1; // -1: a variable
    std::int64_t offset = 0;
    Value value;
};
using References = std::map<int, std::vector<Reference>>; // by object that they lead to

References references_of(const State& state) {
    References all;
    state.for_each_value([&](const Value& v, int holder, std::int64_t offset) {
        if (v.is_address()) all[v.id].push_back({holder, offset, v});
    });
    return all;
}

// Objects from the heap that only `owner` leads to, directly or through others of them, beside its links.
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

// How two neighbours are linked.
struct Link {
    int a = -1, b = -1;
    std::int64_t next = -1, prev = -1, head = 0;
};

// Makes the contents of two nodes, and of what they own, one: a template for both.
class Contents {
  public:
    Contents(State& state, const Policy& policy, const Link& link, std::set<int> of_a, std::set<int> of_b)
        : state_(state), policy_(policy), link_(link), of_a_(std::move(of_a)), of_b_(std::move(of_b)) {
        raise_a_ = state.at(link.a).is_list() ? 0 : 1;
        raise_b_ = state.at(link.b).is_list() ? 0 : 1;
        level_ = state.at(link.a).level + 1;
    }

    // The fields of the segment without its links; nothing if the nodes have no common template.
    std::optional<std::map<std::int64_t, Field>> join() {
        std::map<std::int64_t, Field> fields;
        if (!join_fields(state_.at(link_.a), state_.at(link_.b), {link_.next, link_.prev}, fields)) return {};
        for (const auto& [owned, is_a] : {std::pair{&of_a_, true}, {&of_b_, false}})
            for (const int id : *owned)
                if (!(is_a ? used_a_ : used_b_).contains(id)) return {};
        for (const auto& [id, object] : made_) state_.edit(id) = object;
        for (const auto* owned : {&of_a_, &of_b_})
            for (const int id : *owned) state_.remove(id);
        return fields;
    }

  private:
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
        const bool self_a = a.is_address() && a.id == link_.a, self_b = b.is_address() && b.id == link_.b;
        if (self_a || self_b) {
            if (!self_a || !self_b || a.offset != b.offset || a.symbol >= 0 || b.symbol >= 0) return false;
            if (a.place != Place::node && a.place != Place::own) return false;
            if (b.place != Place::node && b.place != Place::own) return false;
            joined = Value::address(link_.b, a.offset, Place::own);
            return true;
        }
        if (owned_a && owned_b) return join_addresses(a, b, joined);
        if (owned_a || owned_b) {
            // One node has it, the other one has NULL.
            const Value& there = owned_a ? a : b;
            if (!(owned_a ? b : a).is_number(0)) return false;
            return make_optional(there, owned_a, joined);
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
            if (loses(a) || loses(b)) return false;
            joined = template_symbol(a, b, {});
            return true;
        }
        if (!policy_.mix_numbers && a.is_number() && b.is_number() && a.offset != b.offset) return false;
        const Interval ra = state_.range(a), rb = state_.range(b);
        if (!policy_.mix_numbers && (a.is_number() != b.is_number())) return false;
        joined = template_symbol(a, b, {std::min(ra.low, rb.low), std::max(ra.high, rb.high)});
        return true;
    }

    // Whether forgetting the value would lose the only way to something.
    bool loses(const Value& v) const {
        return v.is_address() &&
               (of_a_.contains(v.id) || of_b_.contains(v.id) || v.id == link_.a || v.id == link_.b);
    }

    Value template_symbol(const Value& a, const Value& b, const Interval& range) {
        const auto [known, added] = symbols_.try_emplace({a, b}, -1);
        if (added) {
            known->second = state_.fresh(range, std::max(level_of(a, raise_a_), level_of(b, raise_b_)));
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
        const auto [known, added] = pairs_.try_emplace({a.id, b.id}, -1);
        if (added) {
            if (used_a_.contains(a.id) || used_b_.contains(b.id)) return false; // one block, two partners
            used_a_.insert(a.id);
            used_b_.insert(b.id);
            known->second = state_.add({});
            if (!join_objects(a.id, b.id, known->second)) return false;
        }
        if (known->second < 0) return false;
        const Object& made = made_.at(known->second);
        Place place = a.place;
        if (made.is_list()) {
            const bool list_a = state_.at(a.id).is_list(), list_b = state_.at(b.id).is_list();
            if (list_a && list_b && a.place != b.place) return false;
            place = list_a ? a.place : b.place;
        } else if (a.place != b.place) {
            return false;
        }
        joined = Value::address(known->second, a.offset, place);
        return true;
    }

    bool join_objects(int a, int b, int into) {
        const Object x = state_.at(a), y = state_.at(b);
        if (x.size != y.size || x.owned != y.owned || x.kind != y.kind || x.live != y.live) return false;
        if (x.level + raise_a_ != y.level + raise_b_) return false;
        Object joined = y;
        joined.level = y.level + raise_b_;
        joined.born = std::max(x.born, y.born);
        joined.given = x.given && y.given;
        joined.fields.clear();
        if (x.is_list() && y.is_list()) {
            if (!x.same_links(y)) return false;
            joined.least = std::min(x.least, y.least);
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
        if (!join_fields(x, y, {}, fields)) return false;
        made_.at(into).fields = std::move(fields);
        return true;
    }

    static bool link_fits(const Object& node, const Object& list) {
        for (const std::int64_t link : {list.next, list.prev})
            if (link >= 0 && !node.fields.contains(link)) return false;
        return true;
    }

    Value raised(Value v, int raise) {
        if (raise == 0) return v;
        const auto [known, added] = raised_.try_emplace(v.symbol, -1);
        if (added) {
            Symbol symbol = state_.symbol(v.symbol);
            known->second = state_.fresh(symbol.range, symbol.level + raise);
            state_.edit_symbol(known->second).never = symbol.never;
        }
        v.symbol = known->second;
        return v;
    }

    // What one node owns and the other lacks.
    bool make_optional(const Value& there, bool is_a, Value& joined) {
        std::set<int>& used = is_a ? used_a_ : used_b_;
        if (!used.insert(there.id).second || there.symbol >= 0) return false;
        Object o = state_.at(there.id);
        o.level += is_a ? raise_a_ : raise_b_;
        if (o.is_list()) {
            const std::int64_t end = there.place == Place::last ? o.prev : o.next;
            if (there.offset != o.head || !o.fields.at(end).value.is_number(0)) return false;
            if (o.doubly() && !o.fields.at(there.place == Place::last ? o.next : o.prev).value.is_number(0))
                return false;
            o.least = 0;
        } else {
            if (there.offset != 0) return false;
            o.form = Object::Form::optional;
        }
        // It may lead to itself. What else it owns would have to be optional as well.
        const int into = state_.add({});
        for (auto& entry : o.fields) {
            Value& v = entry.second.value;
            if (v.is_address() && v.id == there.id)
                v.id = into;
            else if (loses(v))
                return false;
            if (state_.level(v) >= level_) v = raised(v, is_a ? raise_a_ : raise_b_);
        }
        made_[into] = std::move(o);
        joined = Value::address(into, there.offset, there.place);
        return true;
    }

    State& state_;
    const Policy& policy_;
    Link link_;
    std::set<int> of_a_, of_b_, used_a_, used_b_;
    int raise_a_ = 0, raise_b_ = 0, level_ = 1;
    std::map<std::pair<int, int>, int> pairs_;
    std::map<std::pair<Value, Value>, int> symbols_;
    std::map<int, int> raised_;
    std::map<int, Object> made_;
};

class Folding {
  public:
    Folding(State& state, const Policy& policy) : state_(state), policy_(policy) {}

    void run() {
        while (step()) {
        }
    }

  private:
    bool step() {
        references_ = references_of(state_);
        for (const auto& [id, object] : state_.objects()) {
            if (!may_fold(id)) continue;
            for (const auto& [offset, field] : object->fields) {
                const Value& v = field.value;
                if (!v.is_address() || v.symbol >= 0 || v.id == id || !may_fold(v.id)) continue;
                Link link{id, v.id, offset, -1, v.offset};
                if (linked(link, v) && references_fit(link) && fold(link)) return true;
            }
        }
        return false;
    }

    bool may_fold(int id) const {
        const Object& o = state_.at(id);
        if (o.kind != Object::Kind::heap || !o.live || o.form == Object::Form::optional) return false;
        if (policy_.fold_named) return true;
        const auto to = references_.find(id);
        return to == references_.end() ||
               std::none_of(to->second.begin(), to->second.end(), [&](const Reference& r) {
                   return r.holder < 0 || state_.at(r.holder).kind != Object::Kind::heap;
               });
    }

    // Whether the two are neighbours of one list; finds the back link.
    bool linked(Link& link, const Value& forward) const {
        const Object &a = state_.at(link.a), &b = state_.at(link.b);
        if (a.size != b.size || a.owned != b.owned || a.level != b.level || !a.size.is_number()) return false;
        if (forward.place == Place::last || forward.place == Place::own) return false;
        if (a.is_list() && a.next != link.next) return false;
        if (!b.fields.contains(link.next)) return false;
        for (const auto& [offset, field] : b.fields) {
            const Value& back = field.value;
            if (!back.is_address() || back.id != link.a || offset == link.next) continue;
            if (back.offset != link.head || back.symbol >= 0 || back.place == Place::first) continue;
            link.prev = offset;
            break;
        }
        // One direction of the two that a doubly-linked list has.
        if (link.prev >= 0 && link.next > link.prev && !a.is_list() && !b.is_list()) return false;
        for (const Object* o : {&a, &b}) {
            if (o->is_list() && (o->next != link.next || o->prev != link.prev || o->head != link.head))
                return false;
            if (link.prev >= 0 && !o->fields.contains(link.prev)) return false;
        }
        // A ring keeps one node out.
        for (const auto& [o, l] : {std::pair{&b, link.next}, {&a, link.prev}}) {
            if (l < 0) continue;
            const Value& end = o->fields.at(l).value;
            if (end.is_address() && (end.id == link.a || end.id == link.b)) return false;
        }
        return true;
    }

    // Nothing from outside may lead between the two.
    bool references_fit(const Link& link) const {
        const bool doubly = link.prev >= 0;
        const auto find = [&](int id) -> const std::vector<Reference>& {
            static const std::vector<Reference> none;
            const auto found = references_.find(id);
            return found == references_.end() ? none : found->second;
        };
        const std::set<int> of_a = owned(link.a, link), of_b = owned(link.b, link);
        for (const Reference& r : find(link.b)) {
            if (r.holder == link.a && r.offset == link.next) continue;
            if (r.holder == link.b || of_b.contains(r.holder)) {
                if (r.value.place == Place::node || r.value.place == Place::own) continue;
                return false;
            }
            if (!doubly) return false; // leads into the middle
            if (state_.at(link.b).is_list() && r.value.place != Place::last) return false;
        }
        for (const Reference& r : find(link.a)) {
            if (doubly && r.holder == link.b && r.offset == link.prev) continue;
            if (r.holder == link.a || of_a.contains(r.holder)) {
                if (r.value.place == Place::node || r.value.place == Place::own) continue;
                return false;
            }
            if (state_.at(link.a).is_list() && r.value.place != Place::first) return false;
        }
        return true;
    }

    std::set<int> owned(int id, const Link& link) const {
        if (state_.at(id).is_list()) return nested_in(state_, id);
        return owned_by(state_, references_, id, {link.next, link.prev});
    }

    bool fold(const Link& link) {
        State next = state_;
        const std::set<int> of_a = owned(link.a, link), of_b = owned(link.b, link);
        for (const int id : of_a)
            if (of_b.contains(id)) return false;
        const Object a = next.at(link.a), b = next.at(link.b);
        Contents contents(next, policy_, link, of_a, of_b);
        auto fields = contents.join();
        if (!fields) return false;
        Object list = b;
        list.form = Object::Form::list;
        list.next = link.next;
        list.prev = link.prev;
        list.head = link.head;
        list.born = std::max(a.born, b.born);
        list.given = a.given && b.given;
        list.least = (a.is_list() ? a.least : 1) + (b.is_list() ? b.least : 1);
        list.fields = std::move(*fields);
        list.fields[link.next] = b.fields.at(link.next);
        if (link.prev >= 0) list.fields[link.prev] = a.fields.at(link.prev);
        next.edit(link.b) = list;
        next.remove(link.a);
        next.replace_object([&](Value& v) { return rename(v, link, Place::first); }, link.a);
        next.replace_object([&](Value& v) { return v.place == Place::node && rename(v, link, Place::last); },
                            link.b);
        next.collect_symbols();
        state_ = std::move(next);
        return true;
    }

    static bool rename(Value& v, const Link& link, Place place) {
        if (v.place == Place::own) return false;
        v.id = link.b;
        v.place = place;
        return true;
    }

    State& state_;
    const Policy& policy_;
    References references_;
};

} // namespace

void fold_lists(State& state, const Policy& policy) {
    if (!policy.exhaustive) Folding(state, policy).run();
}

} // namespace ggsnn::verify::graph
