// Checks of memory, and what is drawn.
#include "ggsnn/verify/run/machine.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>

namespace ggsnn::verify {

namespace {

constexpr std::int64_t near_null = 65'536; // addresses so near to NULL come from NULL

std::string from_line(const Position& at) {
    return at.line > 0 ? fmt::format(" from line {}", at.line) : "";
}

} // namespace

// What is no pointer into a block.
bool Machine::no_block(const Value& at, Position position, const Name& name) {
    switch (at.kind) {
    case Value::Kind::undetermined:
        return fault(Kind::undetermined_dereference, position, words(name) + " has no value");
    case Value::Kind::number:
        if (!at.exact())
            return fault(Kind::undetermined_dereference, position, words(name) + " has no value");
        if (at.number == 0) return fault(Kind::null_dereference, position, words(name) + " is NULL");
        if (at.number > -near_null && at.number < near_null)
            return fault(Kind::null_dereference, position, words(name) + " is NULL");
        return fault(Kind::dangling_dereference, position,
                     words(name) + " is a number, not the address of a block");
    case Value::Kind::function:
        return fault(Kind::dangling_dereference, position, words(name) + " is the address of a function");
    default:
        return refuse(position, "uses a part of an address");
    }
}

bool Machine::check_block(const Value& at, bool write, Position position, const Name& name) {
    if (at.kind != Value::Kind::pointer) return no_block(at, position, name);
    const MemoryBlock& block = memory_.block(at.block);
    switch (block.state) {
    case MemoryBlock::State::freed:
        if (block.kind == MemoryBlock::Kind::handle)
            return fault(Kind::bad_handle, position, words(name) + " is a file that was closed");
        return fault(Kind::use_after_free, position,
                     fmt::format("{} leads to a block{} that was freed{}", words(name), from_line(block.made),
                                 block.ended.line > 0 ? fmt::format(" in line {}", block.ended.line) : ""));
    case MemoryBlock::State::ended:
        return fault(Kind::use_after_scope, position,
                     fmt::format("{} leads to a local variable that is gone", words(name)));
    case MemoryBlock::State::absent:
        return fault(Kind::dangling_dereference, position, words(name) + " leads to no block");
    case MemoryBlock::State::unknown:
        return refuse(position, fmt::format("nothing is known of where {} leads", words(name)));
    case MemoryBlock::State::live:
        break;
    }
    if (block.kind == MemoryBlock::Kind::handle) return refuse(position, "looks into a FILE");
    if (write && block.constant)
        return fault(Kind::write_to_constant, position, words(name) + " leads to constant memory");
    return true;
}

bool Machine::check(const Value& at, std::int64_t bytes, bool write, Position position, const Name& name,
                    Place& place) {
    if (bytes == 0) {
        if (at.kind != Value::Kind::pointer || memory_.block(at.block).state != MemoryBlock::State::live)
            concern(position, fmt::format("no bytes are used at {}, which leads to no block", words(name)));
        place = {0, 0};
        return true;
    }
    if (!check_block(at, write, position, name)) return false;
    const MemoryBlock& block = memory_.block(at.block);
    if (at.number < 0 || bytes < 0 || at.number > block.size || bytes > block.size - at.number)
        return fault(Kind::out_of_bounds, position,
                     fmt::format("{} of {} bytes at offset {} of a block of {} bytes{}, through {}",
                                 write ? "write" : "read", bytes, at.number, block.size,
                                 from_line(block.made), words(name)));
    if (bytes > limits_.bytes)
        return fault(Kind::limit, position, fmt::format("{} bytes are too many to look at", bytes));
    place = {at.block, at.number};
    return take_steps(bytes / 16);
}

bool Machine::check_handle(const Value& at, Position position, const Name& name) {
    if (at.kind != Value::Kind::pointer) return no_block(at, position, name);
    const MemoryBlock& block = memory_.block(at.block);
    if (block.state == MemoryBlock::State::unknown)
        return refuse(position, fmt::format("nothing is known of where {} leads", words(name)));
    if (block.kind != MemoryBlock::Kind::handle)
        return fault(Kind::bad_handle, position, words(name) + " is no file");
    if (block.state != MemoryBlock::State::live)
        return fault(Kind::bad_handle, position, words(name) + " is a file that was closed");
    return true;
}

void Machine::settle(Place place, std::int64_t bytes, Position position) {
    if (!memory_.some_any(place.block, place.offset, bytes)) return;
    run_.deterministic = false;
    if (limits_.draw_unwritten) ++run_.unwritten;
    const std::int64_t number = small(-1000, 1000);
    std::string drawn;
    for (std::int64_t i = 0; i < bytes; ++i) {
        const Byte byte = memory_.block(place.block).at(place.offset + i);
        const std::int64_t at = i < 8 && bytes <= 8 ? number >> (8 * i) : small(0, 127);
        if (byte.kind == Byte::Kind::any) {
            const auto data = static_cast<std::uint8_t>(at & 0xff);
            memory_.set(place.block, place.offset + i, Byte::of(data));
            run_.choices.push_back({"memory", position, 0, std::string(1, static_cast<char>(data)),
                                    place.block, place.offset + i});
        }
    }
}

bool Machine::load_byte(const Value& at, Position position, const Name& name, int& byte) {
    Place place;
    if (!check(at, 1, false, position, name, place)) return false;
    settle(place, 1, position);
    const Value v = memory_.load(place.block, place.offset, 1).value_or(Value{});
    std::int64_t number = 0;
    if (!exact(v, 8, position, number)) return false;
    byte = static_cast<int>(number & 0xff);
    return true;
}

bool Machine::load_text(const Value& at, std::int64_t most, Position position, const Name& name,
                        std::string& text) {
    text.clear();
    if (most == 0) {
        Place place;
        return check(at, 0, false, position, name, place);
    }
    if (!check_block(at, false, position, name)) return false;
    const MemoryBlock& block = memory_.block(at.block);
    const bool within = at.number >= 0 && at.number < block.size;
    for (std::int64_t i = 0; most < 0 || i < most; ++i) {
        if (within && at.number + i >= block.size)
            return fault(
                Kind::endless_text, position,
                fmt::format("the text at {} has no zero byte before the end of its block of {} bytes",
                            words(name), block.size));
        int byte = 0;
        if (!take_steps(i % 16 == 15 ? 1 : 0)) return false;
        if (!load_byte(Value::of_pointer(at.block, at.number + i), position, name, byte)) return false;
        if (byte == 0) return true;
        text.push_back(static_cast<char>(byte));
    }
    return true;
}

bool Machine::store_bytes(const Value& at, const std::string& bytes, Position position, const Name& name) {
    Place place;
    if (!check(at, static_cast<std::int64_t>(bytes.size()), true, position, name, place)) return false;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        memory_.set(place.block, place.offset + static_cast<std::int64_t>(i),
                    Byte::of(static_cast<std::uint8_t>(bytes[i])));
    return true;
}

// Small numbers are the likelier ones.
std::int64_t Machine::small(std::int64_t low, std::int64_t high) {
    std::int64_t number = 0;
    if (!random_.chance(0.3))
        number = random_.chance(0.7) ? static_cast<std::int64_t>(random_.below(5))
                                     : static_cast<std::int64_t>(random_.below(201)) - 100;
    if (number >= low && number <= high) return number;
    const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    const std::uint64_t wide = std::min<std::uint64_t>(span, 200);
    return low + static_cast<std::int64_t>(random_.below(wide + 1));
}

std::int64_t Machine::draw(const std::string& what, Position position, std::int64_t low, std::int64_t high) {
    run_.deterministic = false;
    const std::int64_t number = small(low, high);
    run_.choices.push_back({what, position, number, {}, 0, 0});
    return number;
}

std::int64_t Machine::drawn_number(const LibraryCall& call) {
    if (scripted_ >= script_.size())
        return draw(call.what.name, call.position, call.what.low, call.what.high);
    run_.deterministic = false;
    run_.choices.push_back({call.what.name, call.position, script_[scripted_], {}, 0, 0});
    return script_[scripted_++];
}

bool Machine::guess(Position position) {
    run_.deterministic = false;
    run_.guessed = true;
    if (run_.guesses++ == 0) run_.guess_at = position;
    return random_.chance(0.5);
}

bool Machine::exact(const Value& v, int bits, Position position, std::int64_t& number) {
    if (v.kind == Value::Kind::number && v.unknown == 0) {
        number = v.number;
        return true;
    }
    if (v.kind == Value::Kind::undetermined || v.kind == Value::Kind::number) {
        guess(position);
        const std::uint64_t open = v.kind == Value::Kind::undetermined ? low_bits(-1, bits) : v.unknown;
        const auto filled = static_cast<std::uint64_t>(small(-100, 100)) & open;
        number = sign_extended(filled | (v.kind == Value::Kind::number ? low_bits(v.number, bits) : 0), bits);
        return true;
    }
    return refuse(position, "uses an address as a number");
}

bool Machine::truth(const Value& v, Position position, bool& holds) {
    if (v.kind == Value::Kind::undetermined || (v.kind == Value::Kind::number && v.unknown != 0)) {
        holds = guess(position);
        return true;
    }
    if (v.kind != Value::Kind::number) return refuse(position, "uses an address as a number");
    holds = v.number != 0;
    return true;
}

} // namespace ggsnn::verify
