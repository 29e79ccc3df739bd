#include "ggsnn/verify/graph/fold.hpp"

#include "ggsnn/verify/graph/nested.hpp"
#include "ggsnn/verify/graph/sorts.hpp"
#include "ggsnn/verify/graph/trees.hpp"
#include "ggsnn/verify/program.hpp"

#include <algorithm>

namespace ggsnn::verify::graph {

namespace {

// How two neighbours are linked.
struct Link {
    int a = -1, b = -1;
    std::int64_t next = -1, prev = -1, head = 0;
    std::vector<std::int64_t> kids; // down a tree
};

class Folding {
  public:
    Folding(State& state, const Policy& policy, const Hints& hints)
        : state_(state), policy_(policy), hints_(hints), branches_(hints.branches) {}

    void run() {
        while (step()) {
        }
    }

  private:
    bool step() {
        references_ = references_of(state_);
        if (!branches_.empty() && Trees(state_, policy_, branches_, references_).step()) return true;
        return fold_neighbours(true) || (policy_.sorts > 0 && fold_neighbours(false));
    }

    // alike: those of one size.
    bool fold_neighbours(bool alike) {
        for (const auto& [id, object] : state_.objects()) {
            if (!may_fold(id)) continue;
            for (const auto& [offset, field] : object->fields) {
                const Value& v = field.value;
                if (!v.is_address() || v.symbol >= 0 || v.id == id || !may_fold(v.id)) continue;
                if (alike != (object->size == state_.at(v.id).size) || !may_follow(id, v.id, offset))
                    continue;
                Link link{id, v.id, offset, -1, v.offset, {}};
                if (branches_.contains(id) && branches_.contains(v.id)) {
                    if (fold_way(id, v.id)) return true;
                    continue;
                }
                if (linked(link, v) && references_fit(link) && fold(link)) return true;
            }
        }
        return false;
    }

    // By their types: a block that a node has is no node of its list, even where it has a number or another
    // address at this place.
    bool may_follow(int a, int b, std::int64_t link) const {
        const auto of_a = hints_.records.find(a), of_b = hints_.records.find(b);
        if (of_a == hints_.records.end() || of_b == hints_.records.end() || hints_.program == nullptr)
            return true;
        const RecordType& first = hints_.program->records[static_cast<std::size_t>(of_a->second)];
        const RecordType& second = hints_.program->records[static_cast<std::size_t>(of_b->second)];
        const RecordType::Field* back = second.field_at(link);
        return of_a->second == of_b->second || (back != nullptr && back->type.record == of_a->second) ||
               begins_with(first, second) || begins_with(second, first);
    }

    // Whether a record has all fields of another one, as where C extends a struct.
    static bool begins_with(const RecordType& record, const RecordType& base) {
        return std::all_of(base.fields.begin(), base.fields.end(), [&](const RecordType::Field& field) {
            const RecordType::Field* same = record.field_at(field.offset);
            return same != nullptr && same->type == field.type;
        });
    }

    // Two nodes on the way down a tree: made to lead on by the same link first.
    bool fold_way(int a, int b) {
        const Trees trees(state_, policy_, branches_, references_);
        TreeLinks links = trees.links_of(a, b);
        if (state_.at(b).is_list()) links = {state_.at(b).kids, state_.at(b).prev};
        if (state_.at(a).is_list()) links = {state_.at(a).kids, state_.at(a).prev};
        if (links.kids.size() < 2) return false;
        State straight = state_;
        for (const int id : {a, b}) {
            if (state_.at(id).is_list()) continue;
            const auto way = trees.way_on(id, links);
            if (!way) return false;
            for (const std::int64_t kid : links.kids) write_null(straight, id, kid);
            straighten(straight.edit(id).fields, links.kids, *way);
        }
        const auto on = straight.at(a).fields.find(links.kids[0]);
        if (on == straight.at(a).fields.end() || !on->second.value.is_address() || on->second.value.id != b ||
            on->second.value.offset != 0 || on->second.value.symbol >= 0)
            return false;
        Folding inner(straight, policy_, hints_);
        inner.references_ = references_of(straight);
        Link link{a, b, links.kids[0], -1, 0, links.kids};
        if (!inner.linked(link, on->second.value) || link.prev != links.prev || !inner.references_fit(link) ||
            !inner.fold(link))
            return false;
        state_ = std::move(straight);
        return true;
    }

    bool may_fold(int id) const {
        const Object& o = state_.at(id);
        if (o.kind != Object::Kind::heap || !o.live || o.form == Object::Form::optional || o.is_tree())
            return false;
        if (policy_.fold_named) return true;
        return !is_named(state_, references_, id);
    }

    // Whether the two are neighbours of one list; finds the back link.
    bool linked(Link& link, const Value& forward) const {
        const Object &a = state_.at(link.a), &b = state_.at(link.b);
        if ((policy_.sorts == 0 && a.size != b.size) || a.owned != b.owned || a.level != b.level ||
            !a.size.is_number() || !b.size.is_number())
            return false;
        if (forward.place == Place::last || forward.place == Place::own) return false;
        if (a.is_list() && a.next != link.next) return false;
        const auto on = b.fields.find(link.next);
        if (on == b.fields.end() || on->second.bytes != state_.pointer_bytes) return false;
        if (on->second.value.is_symbol() && on->second.value.base == Value::Base::number)
            return false; // data
        for (const auto& [offset, field] : b.fields) {
            const Value& back = field.value;
            if (!back.is_address() || back.id != link.a || offset == link.next) continue;
            if (back.offset != link.head || back.symbol >= 0 || back.place == Place::first) continue;
            link.prev = offset;
            break;
        }
        // One direction of the two that a doubly-linked list has.
        if (link.prev >= 0 && link.next > link.prev && !a.is_list() && !b.is_list() && link.kids.empty())
            return false;
        for (const Object* o : {&a, &b}) {
            if (o->is_list() && o->kids != link.kids) return false;
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
        const auto owned_too = [](const Object& o, std::int64_t offset, const std::set<int>& owned) {
            return offset >= 0 && o.fields.at(offset).value.is_address() &&
                   owned.contains(o.fields.at(offset).value.id);
        };
        if (owned_too(b, link.next, of_b) || owned_too(a, link.prev, of_a)) return false;
        const Neighbours nodes{link.a, link.b, {link.next, link.prev}, of_a, of_b};
        std::optional<Fields> fields;
        if (a.sorts.empty() && b.sorts.empty() && a.size == b.size)
            fields = join_contents(next, policy_, nodes);
        Object list = b;
        if (!fields) {
            next = state_;
            if (policy_.sorts == 0 || !link.kids.empty() || !join_sorts(next, policy_, nodes)) return false;
            list = next.at(link.b);
            fields = std::move(list.fields);
        }
        list.form = Object::Form::list;
        list.next = link.next;
        list.prev = link.prev;
        list.head = link.head;
        list.kids = link.kids;
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
    const Hints& hints_;
    const Branches& branches_;
    References references_;
};

} // namespace

void fold_lists(State& state, const Policy& policy, const Hints& hints) {
    if (!policy.exhaustive) Folding(state, policy, hints).run();
}

} // namespace ggsnn::verify::graph
