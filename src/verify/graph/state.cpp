#include "ggsnn/verify/graph/state.hpp"

#include <algorithm>

namespace ggsnn::verify::graph {

namespace {

bool add_fits(std::int64_t a, std::int64_t b, std::int64_t& sum) {
    return !__builtin_add_overflow(a, b, &sum);
}
bool product_fits(std::int64_t a, std::int64_t b, std::int64_t& product) {
    return !__builtin_mul_overflow(a, b, &product);
}

} // namespace

Value plus(const Value& a, std::int64_t n) {
    Value sum = a;
    if (a.base == Value::Base::function || !a.known() || !add_fits(a.offset, n, sum.offset))
        return n == 0 ? a : Value{};
    return sum;
}

Value plus(const Value& a, const Value& b) {
    if (b.base != Value::Base::number)
        return a.base == Value::Base::number && b.known() ? plus(b, a) : Value{};
    Value sum = plus(a, b.offset);
    if (!sum.known() || b.symbol < 0) return sum;
    if (a.base == Value::Base::function) return {};
    if (a.symbol >= 0 && a.symbol != b.symbol) return {};
    if (!add_fits(a.symbol < 0 ? 0 : a.scale, b.scale, sum.scale)) return {};
    sum.symbol = b.symbol;
    if (sum.scale == 0) sum.symbol = -1;
    return sum;
}

Value times(const Value& a, std::int64_t n) {
    Value product = a;
    if (a.base != Value::Base::number || !product_fits(a.offset, n, product.offset)) return {};
    if (a.symbol >= 0 && !product_fits(a.scale, n, product.scale)) return {};
    if (product.scale == 0) product.symbol = -1;
    return product;
}

bool owns(const Object& object, std::int64_t offset, std::int64_t bytes) {
    return object.owned.empty() || std::any_of(object.owned.begin(), object.owned.end(),
                                               [&](const std::pair<std::int64_t, std::int64_t>& r) {
                                                   return r.first <= offset && offset + bytes <= r.second;
                                               });
}

Object& State::edit(int object) {
    std::shared_ptr<Object>& held = objects_.at(object);
    if (held.use_count() > 1) held = std::make_shared<Object>(*held);
    return *held;
}

int State::add(Object object) {
    if (object.born == 0) object.born = next_object_ + 1;
    objects_.append(next_object_, std::make_shared<Object>(std::move(object)));
    return next_object_++;
}

void State::kill(int object) {
    Object& o = edit(object);
    o.live = false;
    o.fields.clear();
    o.died = next_object_ + 1;
}

int State::fresh(const Interval& range, int level) {
    symbols_.append(next_symbol_, {range, {}, level});
    return next_symbol_++;
}

Interval State::range(const Value& number) const {
    if (number.symbol < 0) return {number.offset, number.offset};
    const Interval& r = symbols_.at(number.symbol).range;
    std::int64_t low = 0, high = 0;
    const bool up = number.scale > 0;
    if (!product_fits(up ? r.low : r.high, number.scale, low) || !add_fits(low, number.offset, low))
        low = std::numeric_limits<std::int64_t>::min();
    if (!product_fits(up ? r.high : r.low, number.scale, high) || !add_fits(high, number.offset, high))
        high = std::numeric_limits<std::int64_t>::max();
    return {low, high};
}

int State::level(const Value& value) const {
    return value.symbol < 0 ? 0 : symbols_.at(value.symbol).level;
}

bool State::restrict_range(int symbol, const Interval& range) {
    Symbol& s = symbols_.at(symbol);
    s.range = {std::max(s.range.low, range.low), std::min(s.range.high, range.high)};
    while (s.range.low <= s.range.high && s.never.contains(s.range.low)) ++s.range.low;
    while (s.range.low <= s.range.high && s.never.contains(s.range.high)) --s.range.high;
    if (s.range.empty()) return false;
    if (s.range.low == s.range.high) replace_symbol(symbol, Value::number(s.range.low));
    return true;
}

bool State::exclude(int symbol, std::int64_t number) {
    Symbol& s = symbols_.at(symbol);
    if (!s.range.contains(number)) return true;
    s.never.insert(number);
    return restrict_range(symbol, s.range);
}

void State::replace_symbol(int symbol, const Value& by) {
    const auto change = [&](Value& v) {
        if (v.symbol != symbol) return false;
        Value rest = v;
        const std::int64_t scale = v.scale;
        rest.symbol = -1;
        rest.scale = 0;
        Value sum;
        if (scale == 1 && by.base != Value::Base::number)
            sum = rest.is_number() ? plus(by, rest.offset) : Value{};
        else
            sum = plus(rest, times(by, scale));
        // What has no such form is something unknown: weaker, and right.
        v = sum.known() ? sum : fresh_value({});
        return true;
    };
    change_values(change);
    for (auto& [s, comparison] : comparisons) {
        change(comparison.a);
        change(comparison.b);
    }
    for (Value& draw : draws) change(draw);
}

void State::for_each_value(
    const std::function<void(const Value&, int holder, std::int64_t offset)>& see) const {
    for (const Frame& frame : frames)
        for (const Value& v : frame.variables) see(v, -1, 0);
    for (const auto& [id, object] : objects_) {
        see(object->size, id, -1);
        for (const auto& [offset, field] : object->fields) see(field.value, id, offset);
        for (const Object::Sort& sort : object->sorts)
            for (const auto& [offset, field] : sort.fields) see(field.value, id, offset);
    }
}

void State::change_values(const std::function<bool(Value&)>& change) {
    for (Frame& frame : frames)
        for (Value& v : frame.variables) change(v);
    for (const auto& [id, object] : objects_) {
        Value size = object->size;
        if (change(size)) edit(id).size = size;
        for (const auto& entry : object->fields) {
            Value value = entry.second.value;
            if (change(value)) edit(id).fields.at(entry.first).value = value;
        }
        for (std::size_t k = 0; k < object->sorts.size(); ++k)
            for (const auto& entry : object->sorts[k].fields) {
                Value value = entry.second.value;
                if (change(value)) edit(id).sorts[k].fields.at(entry.first).value = value;
            }
    }
}

void State::replace_object(const std::function<bool(Value&)>& change, int object) {
    const auto only = [&](Value& v) { return v.is_address() && v.id == object && change(v); };
    change_values(only);
    for (auto& [s, comparison] : comparisons) {
        only(comparison.a);
        only(comparison.b);
    }
}

void State::collect_symbols() {
    std::set<int> used;
    for_each_value([&](const Value& v, int, std::int64_t) {
        if (v.symbol >= 0) used.insert(v.symbol);
    });
    for (const Value& draw : draws)
        if (draw.symbol >= 0) used.insert(draw.symbol);
    std::erase_if(comparisons, [&](const auto& entry) { return !used.contains(entry.first); });
    for (const auto& [s, comparison] : comparisons)
        for (const Value* v : {&comparison.a, &comparison.b})
            if (v->symbol >= 0) used.insert(v->symbol);
    symbols_.erase_if([&](const auto& entry) { return !used.contains(entry.first); });
}

std::set<int> State::reachable() const {
    std::set<int> seen;
    std::vector<int> open;
    const auto visit = [&](const Value& v) {
        if (v.is_address() && has(v.id) && seen.insert(v.id).second) open.push_back(v.id);
    };
    for (const Frame& frame : frames) {
        for (const Value& v : frame.variables) visit(v);
        for (const int object : frame.made)
            if (has(object) && seen.insert(object).second) open.push_back(object);
    }
    for (const auto& [id, object] : objects_)
        if ((object->kind == Object::Kind::global || object->kind == Object::Kind::place) &&
            seen.insert(id).second)
            open.push_back(id);
    while (!open.empty()) {
        const int id = open.back();
        open.pop_back();
        for (const auto& entry : at(id).fields) visit(entry.second.value);
        for (const Object::Sort& sort : at(id).sorts)
            for (const auto& entry : sort.fields) visit(entry.second.value);
    }
    return seen;
}

std::vector<int> State::lost() const {
    const std::set<int> seen = reachable();
    std::vector<int> all;
    for (const auto& [id, object] : objects_)
        if (object->kind == Object::Kind::heap && object->live && !object->given && !seen.contains(id))
            all.push_back(id);
    return all;
}

std::vector<int> State::live_blocks() const {
    std::vector<int> all;
    for (const auto& [id, object] : objects_)
        if (object->kind == Object::Kind::heap && object->live) all.push_back(id);
    return all;
}

} // namespace ggsnn::verify::graph
