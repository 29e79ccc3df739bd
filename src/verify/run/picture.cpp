#include "ggsnn/verify/run/picture.hpp"

#include <algorithm>

namespace ggsnn::verify {

bool leads_to_itself(const Program& program, int r) {
    if (r < 0) return false;
    const auto& fields = program.records[static_cast<std::size_t>(r)].fields;
    return std::any_of(fields.begin(), fields.end(), [&](const RecordType::Field& f) {
        return f.type.kind == Type::Kind::pointer && f.type.record == r;
    });
}

void Picture::name(const std::string& name, const Value& value, const Type& type) {
    if (type.kind != Type::Kind::pointer) return;
    std::erase_if(names_, [&](const Named& other) { return other.name == name; });
    names_.push_back({name, value, type.record});
}

void Picture::object(const Object& object, int block) {
    const MemoryBlock& b = memory_.block(block);
    if (b.state != MemoryBlock::State::live) return;
    const auto content = [&](std::int64_t offset, const std::string& called, const Type& type) {
        if (type.kind != Type::Kind::pointer || offset + type.bytes() > b.size) return;
        name(called, memory_.load(block, offset, type.bytes()).value_or(Value{}), type);
    };
    if (leads_to_itself(program_, object.record)) {
        Type type{Type::Kind::pointer, 8 * memory_.pointer_bytes(), object.record};
        name(object.name, Value::of_pointer(block), type);
        tell(Value::of_pointer(block), object.record);
        return;
    }
    flat_[block] = true;
    content(0, object.name, object.type);
    if (object.record < 0 || !record(object.record).structure) return;
    for (const RecordType::Field& f : record(object.record).fields)
        content(f.offset, object.name + "." + f.name, f.type);
}

bool Picture::in_heap(int block) const {
    return block > 0 && memory_.block(block).kind == MemoryBlock::Kind::heap;
}

bool Picture::is_cell(int block) const {
    const MemoryBlock& b = memory_.block(block);
    if (b.state != MemoryBlock::State::live || !shown_(block) || flat_.contains(block)) return false;
    if (in_heap(block)) return !outside_.contains(block);
    return record_.contains(block);
}

bool Picture::some_record_has(std::int64_t size) const {
    return std::any_of(program_.records.begin(), program_.records.end(),
                       [&](const RecordType& r) { return r.size == size; });
}

void Picture::tell(const Value& value, int r) {
    if (value.kind != Value::Kind::pointer || value.number != 0 || r < 0) return;
    const MemoryBlock& b = memory_.block(value.block);
    if (b.state != MemoryBlock::State::live || b.constant || !shown_(value.block)) return;
    if (b.kind == MemoryBlock::Kind::handle || b.kind == MemoryBlock::Kind::library) return;
    if (b.size != record(r).size || b.size == 0 || flat_.contains(value.block)) return;
    if (record_.try_emplace(value.block, r).second) told_.push_back(value.block);
}

// From the names over the fields.
void Picture::tell_records() {
    for (const Named& n : names_) tell(n.value, n.record);
    for (std::size_t i = 0; i < told_.size(); ++i) {
        const int block = told_[i];
        for (const RecordType::Field& f : record(record_[block]).fields)
            if (f.type.kind == Type::Kind::pointer)
                tell(memory_.load(block, f.offset, f.type.bytes()).value_or(Value{}), f.type.record);
    }
    for (const Named& n : names_)
        if (n.value.kind == Value::Kind::pointer && n.value.number == 0 && in_heap(n.value.block) &&
            !record_.contains(n.value.block) && !some_record_has(memory_.block(n.value.block).size))
            outside_[n.value.block] = true;
}

bool Picture::dead(const Value& value) const {
    if (value.kind == Value::Kind::undetermined || value.kind == Value::Kind::part) return true;
    if (value.kind != Value::Kind::pointer) return false;
    const auto state = memory_.block(value.block).state;
    return state == MemoryBlock::State::freed || state == MemoryBlock::State::ended;
}

int Picture::node_of(int block) {
    const auto [place, added] = nodes_.try_emplace(block, 0);
    if (added) {
        place->second = heap_.add_node(true);
        order_.push_back(block);
    }
    return place->second;
}

int Picture::node(const Value& value) {
    if (value.is_null()) return 0;
    const bool pointer = value.kind == Value::Kind::pointer;
    if (pointer && value.number == 0 && is_cell(value.block)) return node_of(value.block);
    const auto [place, added] =
        addresses_.try_emplace(std::tuple{static_cast<int>(value.kind),
                                          value.kind == Value::Kind::number ? 0 : value.block, value.number},
                               0);
    if (added) place->second = heap_.add_node(false);
    return place->second;
}

void Picture::follow() {
    for (; followed_ < order_.size(); ++followed_) {
        const int block = order_[followed_];
        const auto known = record_.find(block);
        if (known == record_.end()) continue;
        for (const RecordType::Field& f : record(known->second).fields) {
            if (f.type.kind != Type::Kind::pointer) continue;
            const Value value = memory_.load(block, f.offset, f.type.bytes()).value_or(Value{});
            if (value.kind == Value::Kind::undetermined || value.kind == Value::Kind::part) continue;
            const int target = node(value);
            heap_.link(nodes_[block], f.role, target);
        }
    }
}

logic::Heap Picture::finish(std::vector<std::string>* gone) {
    tell_records();
    for (const Named& n : names_) {
        if (!dead(n.value)) {
            heap_.set_variable(n.name, node(n.value));
        } else if (gone != nullptr) {
            gone->push_back(n.name);
        }
    }
    // What the variables lead to first, in breadth, then the rest.
    follow();
    for (int block = 1; block < memory_.count(); ++block) {
        if (!in_heap(block) || !is_cell(block)) continue;
        node_of(block);
        follow();
    }
    return std::move(heap_);
}

std::vector<int> Picture::blocks() const {
    int nodes = 1;
    for (const auto& [block, node] : nodes_) nodes = std::max(nodes, node + 1);
    std::vector<int> out(static_cast<std::size_t>(nodes), 0);
    for (const auto& [block, node] : nodes_)
        if (block > 0 && node >= 0) out[static_cast<std::size_t>(node)] = block;
    return out;
}

} // namespace ggsnn::verify
