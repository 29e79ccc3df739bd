// The C library: allocation, files as handles, sorting and searching.
#include "ggsnn/verify/run/machine.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>

namespace ggsnn::verify {

namespace {

constexpr std::int64_t largest_block = std::int64_t{1} << 40;

} // namespace

bool Machine::number_argument(LibraryCall& call, int argument, std::int64_t& number) {
    const auto a = static_cast<std::size_t>(argument);
    const int bits =
        a < call.types.size() && call.types[a].kind == Type::Kind::integer ? call.types[a].bits : 64;
    if (call.arguments[a].kind == Value::Kind::pointer || call.arguments[a].kind == Value::Kind::function)
        return refuse(call.position, "an address is given where a number is wanted");
    return exact(call.arguments[a], bits, call.position, number);
}

// The size of a new block; argument -1: as the table says.
bool Machine::size_argument(LibraryCall& call, int argument, std::int64_t& size) {
    if (argument >= 0) return number_argument(call, argument, size);
    Access access;
    access.extent = call.what.size;
    return extent(call, access, size);
}

bool Machine::allocate(LibraryCall& call, std::int64_t size, Byte rest, Value& result) {
    if (run_.allocations++ == limits_.fail_allocation) {
        run_.deterministic = false;
        run_.choices.push_back({"allocation", call.position, run_.allocations - 1, {}, 0, 0});
        result = Value::of_number(0);
        return true;
    }
    if (size < 0 || size > largest_block)
        return refuse(call.position,
                      fmt::format("an allocation of {} bytes", static_cast<std::uint64_t>(size)));
    if (!new_block_allowed(call.position)) return false;
    MemoryBlock block;
    block.kind = MemoryBlock::Kind::heap;
    block.size = size;
    block.rest = limits_.draw_unwritten && rest.kind == Byte::Kind::undetermined ? Byte::any() : rest;
    block.made = call.position;
    result = Value::of_pointer(memory_.add(std::move(block)));
    return true;
}

bool Machine::reallocate(LibraryCall& call, Value& result) {
    std::int64_t size = 0;
    const Value old = call.arguments[0];
    if (!size_argument(call, -1, size)) return false;
    if (old.is_null()) return allocate(call, size, Byte{}, result);
    if (size == 0) return refuse(call.position, "realloc to no bytes, which C does not define; use free");
    const int before = run_.allocations;
    // Checked as free does, before anything changes.
    if (before != limits_.fail_allocation) {
        if (!release(old, call.position, argument_name(call, 0))) return false;
    } else {
        if (!check_block(old, true, call.position, argument_name(call, 0))) return false;
    }
    if (!allocate(call, size, Byte{}, result)) return false;
    if (result.is_null()) return true;
    const std::int64_t kept = std::min(size, memory_.block(old.block).size);
    if (kept > limits_.bytes) return fault(Kind::limit, call.position, "too many bytes to copy");
    if (!take_steps(kept / 16)) return false;
    const auto written = static_cast<std::int64_t>(memory_.block(old.block).bytes.size());
    memory_.block(result.block).rest = Byte{};
    if (memory_.block(old.block).rest.kind == Byte::Kind::undetermined)
        memory_.move(result.block, 0, old.block, 0, std::min(kept, written));
    else
        memory_.move(result.block, 0, old.block, 0, kept);
    return true;
}

bool Machine::release(const Value& v, Position at, const Name& name) {
    if (v.is_null()) return true;
    if (v.kind == Value::Kind::undetermined || (v.kind == Value::Kind::number && !v.exact()))
        return fault(Kind::bad_free, at, words(name) + " has no value, and is freed");
    if (v.kind != Value::Kind::pointer) return fault(Kind::bad_free, at, words(name) + " is no block");
    MemoryBlock& block = memory_.block(v.block);
    switch (block.state) {
    case MemoryBlock::State::unknown:
        return refuse(at, fmt::format("nothing is known of where {} leads", words(name)));
    case MemoryBlock::State::absent:
        return fault(Kind::bad_free, at, words(name) + " leads to no block");
    case MemoryBlock::State::freed:
        return fault(Kind::double_free, at,
                     fmt::format("{} leads to a block that was freed before{}", words(name),
                                 block.ended.line > 0 ? fmt::format(", in line {}", block.ended.line) : ""));
    default:
        break;
    }
    switch (block.kind) {
    case MemoryBlock::Kind::statics:
        return fault(Kind::bad_free, at, words(name) + " leads to static memory");
    case MemoryBlock::Kind::frame:
        return fault(Kind::bad_free, at, words(name) + " leads to a local variable");
    case MemoryBlock::Kind::handle:
        return fault(Kind::bad_free, at, words(name) + " is a file, to be closed with fclose");
    case MemoryBlock::Kind::library:
        return fault(Kind::bad_free, at, words(name) + " leads to memory of the C library");
    case MemoryBlock::Kind::heap:
        break;
    }
    if (v.number != 0)
        return fault(
            Kind::bad_free, at,
            fmt::format("{} leads to offset {} of a block, not to its beginning", words(name), v.number));
    block.state = MemoryBlock::State::freed;
    block.ended = at;
    return true;
}

bool Machine::duplicate(LibraryCall& call, Value& result) {
    std::int64_t most = -1;
    std::string text;
    if (call.arguments.size() > 1 && call.what.arguments > 1) {
        if (!number_argument(call, 1, most)) return false;
        if (most < 0) most = -1;
    }
    if (!text_argument(call, 0, text, most)) return false;
    if (!allocate(call, static_cast<std::int64_t>(text.size()) + 1, Byte{}, result)) return false;
    if (!result.is_null()) memory_.put_text(result.block, 0, text);
    return true;
}

bool Machine::open_handle(LibraryCall& call, Value& result) {
    if (draw(call.what.name, call.position, 0, 4) == 0) {
        result = Value::of_number(0);
        return true;
    }
    if (!new_block_allowed(call.position)) return false;
    MemoryBlock block;
    block.kind = MemoryBlock::Kind::handle;
    block.made = call.position;
    result = Value::of_pointer(memory_.add(std::move(block)));
    return true;
}

bool Machine::close_handle(LibraryCall& call, Value& result) {
    memory_.block(call.arguments[0].block).state = MemoryBlock::State::freed;
    memory_.block(call.arguments[0].block).ended = call.position;
    if (call.result.kind != Type::Kind::none)
        result = Value::of_number(draw(call.what.name, call.position, 0, 0));
    return true;
}

// Insertion, with a place beside the array for the element that moves: the comparison function sees elements
// of the array only.
bool Machine::sort(LibraryCall& call) {
    std::int64_t count = 0, size = 0;
    if (!number_argument(call, 1, count) || !number_argument(call, 2, size)) return false;
    const Value base = call.arguments[0];
    if (count < 2 || size <= 0) return true;
    const auto element = [&](std::int64_t i) {
        return Value::of_pointer(base.block, base.number + i * size);
    };
    const auto exchange = [&](std::int64_t i) { // with the one before
        const int spare = library_block("spare", 0, false);
        memory_.block(spare).size = std::max(memory_.block(spare).size, size);
        memory_.move(spare, 0, base.block, element(i).number, size);
        memory_.move(base.block, element(i).number, base.block, element(i - 1).number, size);
        memory_.move(base.block, element(i - 1).number, spare, 0, size);
        memory_.fill(spare, 0, size, Byte{});
    };
    for (std::int64_t i = 1; i < count; ++i)
        for (std::int64_t j = i; j > 0; --j) {
            Value order;
            std::int64_t number = 0;
            if (!call_back(call.arguments[3], {element(j - 1), element(j)}, true, call.position, order))
                return false;
            if (!exact(order, 32, call.position, number)) return false;
            if (number <= 0) break;
            if (!take_steps(size / 4 + 1)) return false;
            Place place;
            if (!check(element(j - 1), 2 * size, true, call.position, argument_name(call, 0), place))
                return false;
            exchange(j);
        }
    // The order of equal elements is the library's own; so is which ones it compares.
    run_.deterministic = false;
    return true;
}

bool Machine::search(LibraryCall& call, Value& result) {
    std::int64_t count = 0, size = 0;
    if (!number_argument(call, 2, count) || !number_argument(call, 3, size)) return false;
    const Value base = call.arguments[1];
    result = Value::of_number(0);
    run_.deterministic = false; // which one is found of those that are equal
    std::int64_t low = 0, high = count;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        const Value at = Value::of_pointer(base.block, base.number + middle * size);
        Value order;
        std::int64_t number = 0;
        if (!call_back(call.arguments[4], {call.arguments[0], at}, true, call.position, order)) return false;
        if (!exact(order, 32, call.position, number)) return false;
        if (number == 0) {
            result = at;
            return true;
        }
        if (number < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return true;
}

} // namespace ggsnn::verify
