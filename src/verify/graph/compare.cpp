#include "ggsnn/verify/graph/compare.hpp"

#include "ggsnn/verify/graph/nested.hpp"
#include "ggsnn/verify/graph/sorts.hpp"

#include <algorithm>
#include <optional>

namespace ggsnn::verify::graph {

namespace {

// Walks both graphs from the same roots. Objects are put in pairs, numbers that differ become symbols that
// have both as values.
class Walk {
  public:
    // own: the other one itself, if it has lists of several sorts: they are looked at sort by sort.
    Walk(State& wide, const State& other, State* own, const Thresholds& thresholds, bool jump, bool empty)
        : t_(wide), s_(other), own_(own), thresholds_(thresholds), jump_(jump), empty_(empty) {}

    Match run() {
        if (!frames() || !all_covered()) return Match::none;
        times();
        if (changed_) t_.collect_symbols();
        return changed_ ? Match::widened : Match::included;
    }

  private:
    bool frames() {
        if (t_.frames.size() != s_.frames.size()) return false;
        for (std::size_t g = 0; g < t_.globals.size(); ++g)
            if (!objects(t_.globals[g], s_.globals[g])) return false;
        for (std::size_t f = 0; f < t_.frames.size(); ++f) {
            Frame& a = t_.frames[f];
            const Frame& b = s_.frames[f];
            if (a.function != b.function || a.block != b.block || a.next != b.next) return false;
            for (std::size_t o = 0; o < a.objects.size(); ++o) {
                if ((a.objects[o] < 0) != (b.objects[o] < 0)) return false;
                if (a.objects[o] >= 0 && !objects(a.objects[o], b.objects[o])) return false;
            }
            for (std::size_t v = 0; v < a.variables.size(); ++v)
                if (!variable(a.variables[v], b.variables[v])) return false;
        }
        return true;
    }

    // That two blocks coexisted is kept only where it holds for both graphs.
    void times() {
        for (const auto& [dead, partner] : of_t_) {
            if (t_.at(dead).live) continue;
            for (const auto& [other, its] : of_t_) {
                if (other == dead || t_.at(other).born >= t_.at(dead).died ||
                    s_.at(its).born < s_.at(partner).died)
                    continue;
                t_.edit(dead).died = t_.at(other).born;
                changed_ = true;
            }
        }
    }

    bool variable(Value& t, const Value& s) {
        if (!t.known()) return true;
        if (!s.known()) {
            t = {};
            changed_ = true;
            return true;
        }
        return values(t, s);
    }

    // Every block of the other graph has a partner, and so has every block of this one that is surely there.
    bool all_covered() const {
        const auto matters = [](const Object& o) { return o.kind == Object::Kind::heap && o.live; };
        for (const auto& [id, object] : s_.objects())
            if (matters(*object) && !of_s_.contains(id)) return false;
        std::set<int> optional;
        for (const int id : vanished_)
            if (t_.at(id).form == Object::Form::optional) optional.insert(id);
        std::set<int> absent = vanished_;
        if (!optional.empty()) absent.merge(absent_with(t_, optional));
        for (const int id : vanished_) absent.merge(nested_in(t_, id));
        for (const auto& [id, sort] : unused_) absent.merge(nested_in(t_, id, sort));
        for (const auto& [id, object] : t_.objects())
            if (matters(*object) && !of_t_.contains(id) && !absent.contains(id)) return false;
        return true;
    }

    bool objects(int t, int s) {
        const auto known = of_t_.find(t);
        const auto taken = of_s_.find(s);
        if (known != of_t_.end() || taken != of_s_.end())
            return known != of_t_.end() && known->second == s && taken != of_s_.end();
        of_t_[t] = s;
        of_s_[s] = t;
        const Object &a = t_.at(t), &b = s_.at(s);
        if (a.kind != b.kind || a.live != b.live || a.number != b.number || a.level != b.level) return false;
        if (a.constant != b.constant || a.owned != b.owned) return false;
        if (a.given && !b.given) {
            t_.edit(t).given = false;
            changed_ = true;
        }
        if (!forms(t, s)) return false;
        if (!a.sorts.empty() || !b.sorts.empty()) return sorts(t, s);
        Value size = a.size;
        if (!values(size, b.size)) return false;
        if (size != t_.at(t).size) t_.edit(t).size = size;
        return fields(t, s);
    }

    bool forms(int t, int s) {
        const Object &a = t_.at(t), &b = s_.at(s);
        if (a.form == b.form) {
            if (!a.is_many()) return true;
            if (!a.same_links(b)) return false;
            if (b.least < a.least) {
                t_.edit(t).least = b.least;
                changed_ = true;
            }
            return true;
        }
        if (a.is_tree() && b.form == Object::Form::block) // a node without children
            return std::all_of(a.kids.begin(), a.kids.end(), [&](std::int64_t kid) {
                return s_.peek(s, kid, t_.pointer_bytes).is_number(0);
            });
        if (a.is_list() && a.kids.empty() && b.form == Object::Form::block) {
            if (a.least > 1) {
                t_.edit(t).least = 1;
                changed_ = true;
            }
            return true;
        }
        return a.form == Object::Form::optional && b.form == Object::Form::block;
    }

    // Each sort of the other one, or the only one that it has, has one of its own here.
    bool sorts(int t, int s) {
        const Object mine = t_.at(t), other = s_.at(s);
        if (mine.sorts.empty()) return false;
        const std::size_t count = std::max<std::size_t>(other.sorts.size(), 1);
        std::vector<std::size_t> to;
        Object joined = mine;
        for (std::size_t k = 0; k < count; ++k) {
            if (!other.sorts.empty()) own_->edit(s) = of_sort(other, k);
            const auto partner = partner_of(joined, to, s);
            if (!partner) return false;
            to.push_back(*partner);
            t_.edit(t) = of_sort(joined, *partner);
            if (!fields(t, s)) return false;
            const Object& found = t_.at(t);
            Object::Sort& sort = joined.sorts[*partner];
            sort.rest = found.rest;
            sort.fields.clear();
            for (const auto& [offset, field] : found.fields) {
                const bool link = offset == joined.next || offset == joined.prev;
                (link ? joined.fields : sort.fields)[offset] = field;
            }
        }
        const auto add = [&](unsigned& bits, unsigned theirs) {
            const unsigned before = bits;
            for (std::size_t k = 0; k < count; ++k)
                if ((theirs >> k) % 2 != 0) bits |= 1U << to[k];
            changed_ = changed_ || bits != before;
        };
        const bool several = !other.sorts.empty();
        add(joined.firsts, several ? other.firsts : 1);
        add(joined.lasts, several ? other.lasts : 1);
        for (std::size_t k = 0; k < count; ++k)
            add(joined.sorts[to[k]].after, several ? other.sorts[k].after : other.is_list() ? 1 : 0);
        t_.edit(t) = std::move(joined);
        if (several) own_->edit(s) = other;
        for (std::size_t k = 0; k < mine.sorts.size(); ++k)
            if (std::find(to.begin(), to.end(), k) == to.end()) unused_.emplace_back(t, static_cast<int>(k));
        return true;
    }

    // The first sort that looks like the nodes of the object.
    std::optional<std::size_t> partner_of(const Object& mine, const std::vector<std::size_t>& taken,
                                          int s) const {
        for (std::size_t k = 0; k < mine.sorts.size(); ++k) {
            const Object::Sort& sort = mine.sorts[k];
            if (sort.size != s_.at(s).size || std::find(taken.begin(), taken.end(), k) != taken.end())
                continue;
            const bool alike = std::all_of(sort.fields.begin(), sort.fields.end(), [&](const auto& entry) {
                const Value& v = entry.second.value;
                const Value other = s_.peek(s, entry.first, entry.second.bytes);
                if (v.is_address())
                    return other.is_address() || (other.is_number(0) && t_.at(v.id).may_be_absent());
                if (v.is_number() || v.base == Value::Base::function) return v == other;
                return !other.is_address();
            });
            if (alike) return k;
        }
        return {};
    }

    bool fields(int t, int s) {
        const Object& b = s_.at(s);
        if (t_.at(t).rest == Object::Rest::zero && b.rest != Object::Rest::zero) {
            t_.edit(t).rest = Object::Rest::any;
            changed_ = true;
        }
        std::vector<std::pair<std::int64_t, int>> mine;
        for (const auto& [offset, field] : t_.at(t).fields) mine.emplace_back(offset, field.bytes);
        for (const auto& [offset, bytes] : mine) {
            const Value other = s_.peek(s, offset, bytes);
            Value value = t_.at(t).fields.at(offset).value;
            if (!other.known()) {
                if (value.is_address()) return false;
                // A symbol without facts, and nowhere else, says as little.
                if (value.is_symbol() && says_nothing(value.symbol, bytes)) {
                    partners_[value.symbol] = {}; // of no value: it can be nowhere else
                    continue;
                }
                const Object& list = t_.at(t);
                if (list.is_list() && (offset == list.next || offset == list.prev)) return false;
                t_.edit(t).fields.erase(offset);
                changed_ = true;
                continue;
            }
            if (!values(value, other)) return false;
            if (value != t_.at(t).fields.at(offset).value) t_.edit(t).fields.at(offset).value = value;
        }
        if (t_.at(t).rest == Object::Rest::zero)
            for (const auto& [offset, field] : b.fields) {
                if (t_.peek(t, offset, field.bytes).known()) {
                    Value value = t_.peek(t, offset, field.bytes);
                    const Value before = value;
                    if (!values(value, field.value)) return false;
                    if (value != before) t_.edit(t).fields[offset] = {field.bytes, value};
                } else {
                    return false;
                }
            }
        return true;
    }

    bool says_nothing(int symbol, int bytes) const {
        const Symbol& s = t_.symbol(symbol);
        const Interval all = bytes >= 8 ? Interval{} : Interval::of_bits(8 * bytes);
        return s.never.empty() && all.inside(s.range) && !partners_.contains(symbol);
    }

    bool values(Value& t, const Value& s) {
        if (t.base == Value::Base::function || s.base == Value::Base::function)
            return t == s || any_value(t, s);
        if (t.is_address()) return address(t, s);
        if (s.is_address()) return any_value(t, s);
        return numbers(t, s);
    }

    // An address in the place of a number: fits where the number may be anything.
    bool any_value(const Value& t, const Value& s) {
        if (!t.is_symbol()) return false;
        if (const auto partner = partners_.find(t.symbol); partner != partners_.end())
            return partner->second == s;
        const Symbol& symbol = t_.symbol(t.symbol);
        const Interval all = t_.pointer_bytes == 8 ? Interval{} : Interval::of_bits(8 * t_.pointer_bytes);
        if (!all.inside(symbol.range)) return false;
        for (const std::int64_t n : symbol.never)
            if (n != 0 || !is_there(s)) return false;
        partners_[t.symbol] = s;
        return true;
    }

    // The address is surely not NULL.
    bool is_there(const Value& s) const {
        if (s.base == Value::Base::function) return true;
        const Object& o = s_.at(s.id);
        return s.offset >= 0 && s.symbol < 0 && (o.is_many() ? o.least > 0 : o.form == Object::Form::block);
    }

    bool address(Value& t, const Value& s) {
        const Object& a = t_.at(t.id);
        if (vanished_.contains(t.id) || !s.is_address() || (of_t_.contains(t.id) && of_t_.at(t.id) != s.id))
            return absent(t, s);
        if (t.offset != s.offset || (t.symbol >= 0) != (s.symbol >= 0)) return absent(t, s);
        if (t.symbol >= 0) {
            if (t.scale != s.scale) return false;
            Value index = Value::of_symbol(t.symbol);
            if (!numbers(index, Value::of_symbol(s.symbol))) return false;
            if (!index.is_symbol()) return false;
            t.symbol = index.symbol;
        }
        const bool list_s = s_.at(s.id).is_list();
        if (a.is_list() && list_s && t.place != s.place) return false;
        if (!a.is_list() && (t.place != s.place)) return false;
        if (!of_t_.contains(t.id) && of_s_.contains(s.id)) return absent(t, s);
        return objects(t.id, s.id);
    }

    // The partner may be what is there if this object is not.
    bool absent(const Value& t, const Value& s) {
        const Object& a = t_.at(t.id);
        if (of_t_.contains(t.id) || t.symbol >= 0) return false;
        if (a.form == Object::Form::optional || (a.is_tree() && (a.least == 0 || empty_))) {
            if (!s.is_number(t.offset)) return false;
            make_empty(t.id);
            vanished_.insert(t.id);
            return true;
        }
        if (!a.is_list() || (a.least > 0 && !empty_)) return false;
        make_empty(t.id);
        vanished_.insert(t.id);
        const std::int64_t link = t.place == Place::last ? a.prev : a.next;
        Value behind = plus(a.fields.at(link).value, t.offset - a.head);
        if (!behind.known()) return false;
        const bool was = changed_;
        if (behind == t || !going_behind_.insert(t.id).second)
            return false; // a ring of nothing but empty lists
        const bool same = values(behind, s);
        going_behind_.erase(t.id);
        if (!same) return false;
        return behind == plus(t_.at(t.id).fields.at(link).value, t.offset - a.head) && was == changed_;
    }

    void make_empty(int t) {
        if (!t_.at(t).is_many() || t_.at(t).least == 0) return;
        t_.edit(t).least = 0;
        changed_ = true;
    }

    bool numbers(Value& t, const Value& s) {
        if (!s.known()) return false;
        if (t.is_number() && s.is_number() && t.offset == s.offset) return true;
        if (t.symbol >= 0 && t.scale == 1 && s.base == Value::Base::number) {
            const Value rest = plus(s, -t.offset);
            if (rest.known() && keeps(t.symbol, rest)) return true;
        }
        const auto [known, added] = joined_.try_emplace({t, s}, -1);
        if (added) known->second = joined(t, s);
        t = Value::of_symbol(known->second);
        changed_ = true;
        return true;
    }

    // The symbol may stand for the other's value as it is.
    bool keeps(int symbol, const Value& s) {
        const auto partner = partners_.find(symbol);
        if (partner != partners_.end()) return partner->second == s;
        const Symbol& mine = t_.symbol(symbol);
        if (s_.level(s) > mine.level) return false;
        if (!s_.range(s).inside(mine.range)) return false;
        for (const std::int64_t n : mine.never)
            if (!never(s_, s, n)) return false;
        partners_[symbol] = s;
        return true;
    }

    static bool never(const State& state, const Value& v, std::int64_t n) {
        if (!state.range(v).contains(n)) return true;
        return v.is_symbol() && state.symbol(v.symbol).never.contains(n);
    }

    int joined(const Value& t, const Value& s) {
        const Interval a = t_.range(t), b = s_.range(s);
        Interval range{std::min(a.low, b.low), std::max(a.high, b.high)};
        if (jump_) {
            if (b.low < a.low) range.low = below(range.low);
            if (b.high > a.high) range.high = above(range.high);
        }
        const int symbol = t_.fresh(range, std::max(t_.level(t), s_.level(s)));
        std::set<std::int64_t> candidates{0};
        if (t.is_symbol())
            candidates.insert(t_.symbol(t.symbol).never.begin(), t_.symbol(t.symbol).never.end());
        for (const std::int64_t n : candidates)
            if (range.contains(n) && never(t_, t, n) && never(s_, s, n))
                t_.edit_symbol(symbol).never.insert(n);
        partners_[symbol] = s;
        return symbol;
    }

    std::int64_t below(std::int64_t n) const {
        const auto at = std::upper_bound(thresholds_.begin(), thresholds_.end(), n);
        return at == thresholds_.begin() ? std::numeric_limits<std::int64_t>::min() : *std::prev(at);
    }
    std::int64_t above(std::int64_t n) const {
        const auto at = std::lower_bound(thresholds_.begin(), thresholds_.end(), n);
        return at == thresholds_.end() ? std::numeric_limits<std::int64_t>::max() : *at;
    }

    State& t_;
    const State& s_;
    State* own_;
    const Thresholds& thresholds_;
    bool jump_, empty_;
    bool changed_ = false;
    std::map<int, int> of_t_, of_s_;
    std::set<int> vanished_;
    std::set<int> going_behind_;              // lists that are empty, on the way to what they end with
    std::vector<std::pair<int, int>> unused_; // sorts that no node of the other one has
    std::map<int, Value> partners_;
    std::map<std::pair<Value, Value>, int> joined_;
};

} // namespace

Match widen(State& wide, const State& other, const Thresholds& thresholds, bool jump, bool empty) {
    State changed = wide;
    const auto run = [&](const State& given, State* own) {
        return Walk(changed, given, own, thresholds, jump, empty).run();
    };
    const bool sorted = std::any_of(other.objects().begin(), other.objects().end(),
                                    [](const auto& entry) { return !entry.second->sorts.empty(); });
    Match match = Match::none;
    if (sorted) {
        State copy = other;
        match = run(copy, &copy);
    } else {
        match = run(other, nullptr);
    }
    if (match == Match::widened) wide = std::move(changed);
    return match;
}

} // namespace ggsnn::verify::graph
