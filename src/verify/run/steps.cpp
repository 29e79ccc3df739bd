// One instruction after the other.
#include "ggsnn/verify/run/compute.hpp"
#include "ggsnn/verify/run/machine.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>

namespace ggsnn::verify {

namespace {

constexpr std::int64_t largest_stack = std::int64_t{1} << 22; // bytes of locals

} // namespace

void Machine::execute(const Instruction& i) {
    switch (i.kind) {
    case Instruction::Kind::copy:
        return assign(i.target, value(i.a));
    case Instruction::Kind::compute:
        return do_compute(i);
    case Instruction::Kind::choose:
        return do_choose(i);
    case Instruction::Kind::offset:
        return do_offset(i);
    case Instruction::Kind::load:
        return do_load(i);
    case Instruction::Kind::store:
        return do_store(i);
    case Instruction::Kind::move:
        return do_move(i);
    case Instruction::Kind::fill:
        return do_fill(i);
    case Instruction::Kind::local:
        return do_local(i);
    case Instruction::Kind::end_local:
        return end_object(i.object, i.position);
    case Instruction::Kind::forget:
        return assign(i.target, Value{});
    case Instruction::Kind::call:
        return do_call(i);
    case Instruction::Kind::library:
        return do_library(i, i.name);
    case Instruction::Kind::external:
        fault(Kind::external, i.position, fmt::format("'{}' has no body here", i.name));
        return;
    case Instruction::Kind::indirect:
        return do_indirect(i);
    case Instruction::Kind::refuse:
        refuse(i.position, i.name);
        return;
    }
}

Value Machine::value(const Operand& operand) {
    switch (operand.kind) {
    case Operand::Kind::variable: {
        Value& held = top().variables[static_cast<std::size_t>(operand.index)];
        if (limits_.draw_unwritten && held.kind == Value::Kind::undetermined)
            draw_unwritten(operand.index, held);
        return held;
    }
    case Operand::Kind::number:
        return Value::of_number(operand.number);
    case Operand::Kind::global:
        return Value::of_global(operand.index, operand.number);
    case Operand::Kind::function:
        return Value::of_function(operand.index >= 0 ? operand.index : outside(operand.name));
    case Operand::Kind::none:
    case Operand::Kind::unknown:
        break;
    }
    return {};
}

void Machine::draw_unwritten(int variable, Value& held) {
    const Type& type = function(top().function).variables[static_cast<std::size_t>(variable)].type;
    if (type.kind != Type::Kind::integer && type.kind != Type::Kind::pointer) return;
    run_.deterministic = false;
    ++run_.unwritten;
    held = Value::of_bits(low_bits(small(-100, 100), type.bits), 0, type.bits);
}

void Machine::assign(int target, const Value& v) {
    if (target >= 0) top().variables[static_cast<std::size_t>(target)] = v;
}

void Machine::do_compute(const Instruction& i) {
    const Outcome outcome = compute(i.op, i.bits, i.from_bits, value(i.a), value(i.b), memory_);
    if (!outcome.division.empty()) {
        fault(Kind::division, i.position, outcome.division);
    } else if (!outcome.refused.empty()) {
        refuse(i.position, outcome.refused);
    } else {
        if (outcome.uncertain) run_.deterministic = false;
        assign(i.target, outcome.value);
    }
}

void Machine::do_choose(const Instruction& i) {
    bool holds = false;
    if (truth(value(i.a), i.position, holds)) assign(i.target, value(holds ? i.b : i.c));
}

void Machine::do_offset(const Instruction& i) {
    const int bits = 8 * program_.pointer_bytes;
    auto by = static_cast<std::uint64_t>(i.number);
    for (const auto& [index, scale] : i.terms) {
        const Value v = value(index);
        std::int64_t number = 0;
        if (!exact(v, bits, i.position, number)) return;
        by += static_cast<std::uint64_t>(number) * static_cast<std::uint64_t>(scale);
    }
    for (const auto& [index, elements] : i.bounds) {
        std::int64_t number = 0;
        if (!exact(value(index), bits, i.position, number)) return;
        if (number < 0 || number >= elements)
            concern(i.position, fmt::format("index {} of an array of {} elements", number, elements));
    }
    const std::int64_t distance = sign_extended(by, bits);
    const Value base = value(i.a);
    if (base.kind == Value::Kind::function && distance != 0) {
        refuse(i.position, "computes with the address of a function");
        return;
    }
    if (base.kind == Value::Kind::part) {
        refuse(i.position, "computes with a part of an address");
        return;
    }
    const Value result = moved_by(base, distance, bits);
    if (i.inbounds && distance != 0) {
        if (base.is_null()) concern(i.position, "adds to NULL");
        if (result.kind == Value::Kind::pointer) {
            const MemoryBlock& block = memory_.block(result.block);
            if (block.state == MemoryBlock::State::live && (result.number < 0 || result.number > block.size))
                concern(i.position, "computes an address outside of its block, which C does not define");
        }
    }
    assign(i.target, result);
}

// Numbers and pointers stand at multiples of their width. (Packed structs do not hold to that; which accesses
// are theirs is not known here.)
void Machine::check_alignment(const Place& place, std::int64_t bytes, Position at) {
    const std::int64_t width = std::min<std::int64_t>(bytes, program_.pointer_bytes);
    if ((bytes == 2 || bytes == 4 || bytes == 8) && place.offset % width != 0)
        concern(at, fmt::format("{} bytes at an address that is no multiple of {}", bytes, width));
}

void Machine::do_load(const Instruction& i) {
    Place place;
    const std::int64_t bytes = i.type.bytes();
    if (!check(value(i.a), bytes, false, i.position, Name{&i.a, nullptr}, place)) return;
    check_alignment(place, bytes, i.position);
    if (i.is_volatile) run_.deterministic = false;
    if (i.type.kind == Type::Kind::pointer && memory_.some_any(place.block, place.offset, bytes)) {
        refuse(i.position, "nothing is known of the pointer that is read here");
        return;
    }
    settle(place, bytes, i.position);
    std::optional<Value> v = memory_.load(place.block, place.offset, bytes);
    if (!v) {
        refuse(i.position, "reads a part of an address");
        return;
    }
    if (v->kind == Value::Kind::number && i.type.kind == Type::Kind::integer && i.type.bits < 8 * bytes)
        v = Value::of_bits(static_cast<std::uint64_t>(v->number), v->unknown, i.type.bits);
    assign(i.target, *v);
}

void Machine::do_store(const Instruction& i) {
    Place place;
    const Value v = value(i.b);
    const std::int64_t bytes = i.type.bytes();
    if (!check(value(i.a), bytes, true, i.position, Name{&i.a, nullptr}, place)) return;
    check_alignment(place, bytes, i.position);
    const bool address = v.kind == Value::Kind::pointer || v.kind == Value::Kind::function;
    if ((address && bytes != program_.pointer_bytes) || (v.kind == Value::Kind::part && bytes != 1)) {
        refuse(i.position, "stores an address in another width");
        return;
    }
    Value stored = v; // an odd width is stored with zeros above it
    if (v.kind == Value::Kind::number && i.type.bits < 8 * bytes)
        stored = Value::of_bits(low_bits(v.number, i.type.bits), v.unknown, static_cast<int>(8 * bytes));
    memory_.store(place.block, place.offset, bytes, stored);
}

void Machine::do_move(const Instruction& i) {
    std::int64_t bytes = 0;
    if (!exact(value(i.c), 8 * program_.pointer_bytes, i.position, bytes)) return;
    Place to, from;
    const Value a = value(i.a), b = value(i.b);
    if (!check(b, bytes, false, i.position, Name{&i.b, nullptr}, from)) return;
    if (!check(a, bytes, true, i.position, Name{&i.a, nullptr}, to)) return;
    if (bytes == 0) return;
    // A copy to itself is what compilers make of x = x.
    if (!i.may_overlap && to.block == from.block && to.offset != from.offset &&
        std::abs(to.offset - from.offset) < bytes) {
        fault(Kind::overlap, i.position, "the copied bytes and their new place overlap");
        return;
    }
    memory_.move(to.block, to.offset, from.block, from.offset, bytes);
}

void Machine::do_fill(const Instruction& i) {
    std::int64_t bytes = 0;
    if (!exact(value(i.c), 8 * program_.pointer_bytes, i.position, bytes)) return;
    Place place;
    if (!check(value(i.a), bytes, true, i.position, Name{&i.a, nullptr}, place)) return;
    if (bytes == 0) return;
    const Value v = value(i.b);
    Byte byte;
    if (v.kind == Value::Kind::number) {
        byte = Byte::of(static_cast<std::uint8_t>(v.number & 0xff));
        byte.unknown = static_cast<std::uint8_t>(v.unknown & 0xff);
    } else if (v.kind != Value::Kind::undetermined) {
        refuse(i.position, "fills memory with a part of an address");
        return;
    }
    memory_.fill(place.block, place.offset, bytes, byte);
}

bool Machine::new_block_allowed(Position at) {
    if (memory_.count() <= limits_.blocks) return true;
    return fault(Kind::limit, at, fmt::format("more than {} blocks of memory", limits_.blocks));
}

void Machine::do_local(const Instruction& i) {
    if (!new_block_allowed(i.position)) return;
    const Object& object = function(top().function).objects[static_cast<std::size_t>(i.object)];
    std::int64_t size = object.size;
    if (size < 0 && !exact(value(i.c), 8 * program_.pointer_bytes, i.position, size)) return;
    if (size < 0 || size > largest_stack) {
        refuse(i.position, fmt::format("a local array of {} bytes", size));
        return;
    }
    if (object.size < 0 && size == 0) concern(i.position, "a local array without elements");
    end_object(i.object, i.position);
    stack_ += size;
    top().stack += size;
    if (stack_ > largest_stack) {
        fault(Kind::limit, i.position, fmt::format("more than {} bytes of local variables", largest_stack));
        return;
    }
    int& block = top().objects[static_cast<std::size_t>(i.object)];
    MemoryBlock fresh;
    fresh.kind = MemoryBlock::Kind::frame;
    fresh.size = size;
    fresh.made = object.position;
    if (limits_.draw_unwritten) fresh.rest = Byte::any();
    block = memory_.add(std::move(fresh));
    top().made.push_back(block);
    assign(i.target, Value::of_pointer(block));
}

void Machine::end_object(int object, Position at) {
    int& block = top().objects[static_cast<std::size_t>(object)];
    if (block == 0) return;
    stack_ -= memory_.block(block).size;
    top().stack -= memory_.block(block).size;
    end_block(block, at);
    block = 0;
}

void Machine::end_block(int number, Position at) {
    MemoryBlock& block = memory_.block(number);
    if (block.state != MemoryBlock::State::live) return;
    block.state = MemoryBlock::State::ended;
    block.ended = at;
}

namespace {

// An expression of the text, and what it leads to.
struct Described {
    std::string text;
    int record = -1;
};

// Looks back in the block for what a temporary is made of.
class Describer {
  public:
    Describer(const Program& program, const Function& f, const Block& block, std::size_t before)
        : program_(program), function_(f), block_(block), before_(before) {}

    // The pointer that this address is computed from.
    Described pointer(const Operand& o, int depth) const {
        if (o.kind == Operand::Kind::global) {
            const Global& g = program_.globals[static_cast<std::size_t>(o.index)];
            return {g.name.empty() || g.name[0] == '.' ? "" : "&" + g.name, g.record};
        }
        if (o.kind != Operand::Kind::variable || depth > 12) return {};
        const Variable& v = function_.variables[static_cast<std::size_t>(o.index)];
        if (v.kind != Variable::Kind::temporary) return {v.name, v.type.record};
        const Instruction* made = maker(o.index);
        if (made == nullptr) return {};
        if (made->kind == Instruction::Kind::copy || made->kind == Instruction::Kind::offset)
            return pointer(made->a, depth + 1);
        if (made->kind == Instruction::Kind::local) {
            const Object& object = function_.objects[static_cast<std::size_t>(made->object)];
            return {"&" + object.name, object.record};
        }
        if (made->kind == Instruction::Kind::load) return content(made->a, depth + 1);
        return {};
    }

  private:
    // What a load from this address gives.
    Described content(const Operand& o, int depth) const {
        if (o.kind == Operand::Kind::global && o.number == 0) {
            const Global& g = program_.globals[static_cast<std::size_t>(o.index)];
            return {g.name, g.type.record};
        }
        if (o.kind != Operand::Kind::variable) return {};
        const Variable& v = function_.variables[static_cast<std::size_t>(o.index)];
        const Instruction* made = v.kind == Variable::Kind::temporary ? maker(o.index) : nullptr;
        if (made != nullptr && made->kind == Instruction::Kind::offset) {
            const Described base = pointer(made->a, depth + 1);
            if (base.text.empty()) return {};
            if (!made->terms.empty()) return {base.text + "[..]", -1};
            return field(base, made->number);
        }
        if (made != nullptr && made->kind == Instruction::Kind::local) {
            const Object& object = function_.objects[static_cast<std::size_t>(made->object)];
            return {object.name, object.type.record};
        }
        const Described base = pointer(o, depth + 1);
        return base.text.empty() ? base : field(base, 0);
    }

    Described field(const Described& base, std::int64_t offset) const {
        if (base.record < 0) return {};
        const RecordType& record = program_.records[static_cast<std::size_t>(base.record)];
        const RecordType::Field* f = record.field_at(offset);
        if (f == nullptr) return {};
        if (!record.structure) return {"*" + base.text, f->type.record};
        if (base.text[0] == '&') return {base.text.substr(1) + "." + f->name, f->type.record};
        return {base.text + "->" + f->name, f->type.record};
    }

    const Instruction* maker(int variable) const {
        for (std::size_t j = std::min(before_, block_.instructions.size()); j-- > 0;)
            if (block_.instructions[j].target == variable) return &block_.instructions[j];
        return nullptr;
    }

    const Program& program_;
    const Function& function_;
    const Block& block_;
    std::size_t before_;
};

} // namespace

std::string Machine::words(const Name& name) {
    if (name.operand != nullptr && !frames_.empty()) return described(*name.operand);
    return name.otherwise != nullptr ? name.otherwise : "the pointer";
}

std::string Machine::described(const Operand& operand) {
    const Frame& frame = top();
    const Function& f = function(frame.function);
    const Describer describer(program_, f, f.blocks[static_cast<std::size_t>(frame.block)],
                              frame.next == 0 ? 0 : frame.next - 1);
    const std::string text = describer.pointer(operand, 0).text;
    return text.empty() ? "the pointer" : fmt::format("'{}'", text);
}

} // namespace ggsnn::verify
