// Bytes of one object.
#include "ggsnn/verify/graph/state.hpp"

#include <algorithm>

namespace ggsnn::verify::graph {

Value State::peek(int object, std::int64_t offset, int bytes) const {
    const Object& o = at(object);
    if (const auto exact = o.fields.find(offset); exact != o.fields.end() && exact->second.bytes == bytes)
        return exact->second.value;
    // Zeros, by field or by rest, are zeros at any width.
    std::int64_t covered = offset;
    auto field = o.fields.upper_bound(offset);
    if (field != o.fields.begin()) --field;
    for (; field != o.fields.end() && field->first < offset + bytes; ++field) {
        const std::int64_t end = field->first + field->second.bytes;
        if (end <= offset) continue;
        if (!field->second.value.is_number(0)) return {};
        if (field->first > covered && o.rest != Object::Rest::zero) return {};
        covered = end;
    }
    if (covered < offset + bytes && o.rest != Object::Rest::zero) return {};
    return Value::number(0);
}

Value State::load(int object, std::int64_t offset, int bytes) {
    if (const Value known = peek(object, offset, bytes); known.known()) return known;
    const Value value = bytes >= 8 ? fresh_value({}) : fresh_bits(8 * bytes);
    // Kept, so that it is the same when it is loaded again, if no other field has a part in it.
    const Object& o = at(object);
    auto field = o.fields.lower_bound(offset);
    const bool behind = field != o.fields.end() && field->first < offset + bytes;
    const bool before =
        field != o.fields.begin() && std::prev(field)->first + std::prev(field)->second.bytes > offset;
    if (!behind && !before && o.rest == Object::Rest::any) edit(object).fields[offset] = {bytes, value};
    return value;
}

// Takes [from, to) out of the fields. What is left of a field that is cut in two is unknown, or zero.
void State::cut(int object, std::int64_t from, std::int64_t to) {
    Object& o = edit(object);
    std::vector<std::pair<std::int64_t, Field>> parts;
    for (auto field = o.fields.begin(); field != o.fields.end();) {
        const std::int64_t begin = field->first, end = begin + field->second.bytes;
        if (end <= from || begin >= to) {
            ++field;
            continue;
        }
        const bool zeros = field->second.value.is_number(0);
        const auto keep = [&](std::int64_t first, std::int64_t last) {
            if (first < last && (zeros || o.rest == Object::Rest::zero))
                parts.push_back(
                    {first, {static_cast<int>(last - first), zeros ? Value::number(0) : fresh_value({})}});
        };
        keep(begin, std::min(end, from));
        keep(std::max(begin, to), end);
        field = o.fields.erase(field);
    }
    for (auto& part : parts) o.fields.insert(std::move(part));
}

void State::store(int object, std::int64_t offset, int bytes, const Value& value) {
    const auto exact = at(object).fields.find(offset);
    if (exact == at(object).fields.end() || exact->second.bytes != bytes) cut(object, offset, offset + bytes);
    edit(object).fields[offset] = {bytes, value.known() ? value : fresh_value({})};
}

void State::smudge(int object, std::int64_t from, std::int64_t to) {
    cut(object, from, to);
    Object& o = edit(object);
    if (o.rest != Object::Rest::zero) return;
    // Bytes without a field were zero: those outside stay so by a field, the rest is anything.
    const std::int64_t size = o.size.is_number() ? o.size.offset : to;
    std::int64_t at = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> gaps;
    for (const auto& [offset, field] : o.fields) {
        gaps.emplace_back(at, offset);
        at = offset + field.bytes;
    }
    gaps.emplace_back(at, size);
    for (const auto& [begin, end] : gaps)
        for (const auto& [a, b] : {std::pair{begin, std::min(end, from)}, {std::max(begin, to), end}})
            if (a < b) o.fields[a] = {static_cast<int>(b - a), Value::number(0)};
    o.rest = Object::Rest::any;
}

void State::zero(int object, std::int64_t from, std::int64_t to) {
    cut(object, from, to);
    Object& o = edit(object);
    if (o.rest != Object::Rest::zero && from < to)
        o.fields[from] = {static_cast<int>(to - from), Value::number(0)};
}

void State::copy(int from, std::int64_t from_offset, int to, std::int64_t to_offset, std::int64_t bytes) {
    const Object source = at(from);
    smudge(to, to_offset, to_offset + bytes);
    Object& target = edit(to);
    std::int64_t at_byte = from_offset;
    const auto gap = [&](std::int64_t end) {
        if (at_byte < end && source.rest == Object::Rest::zero)
            target.fields[to_offset + at_byte - from_offset] = {static_cast<int>(end - at_byte),
                                                                Value::number(0)};
    };
    for (const auto& [offset, field] : source.fields) {
        const std::int64_t end = offset + field.bytes;
        if (end <= from_offset || offset >= from_offset + bytes) continue;
        gap(offset);
        const std::int64_t first = std::max(offset, from_offset), last = std::min(end, from_offset + bytes);
        if (field.value.is_number(0) || (first == offset && last == end))
            target.fields[to_offset + first - from_offset] = {static_cast<int>(last - first), field.value};
        at_byte = last;
    }
    gap(from_offset + bytes);
}

} // namespace ggsnn::verify::graph
