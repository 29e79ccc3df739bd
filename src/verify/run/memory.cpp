#include "ggsnn/verify/run/memory.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>

namespace ggsnn::verify {

std::int64_t sign_extended(std::uint64_t bits, int width) {
    if (width <= 0) return 0;
    if (width >= 64) return static_cast<std::int64_t>(bits);
    const std::uint64_t sign = std::uint64_t{1} << (width - 1);
    bits &= (sign << 1) - 1;
    return static_cast<std::int64_t>((bits ^ sign) - sign);
}

std::uint64_t low_bits(std::int64_t number, int width) {
    const auto bits = static_cast<std::uint64_t>(number);
    if (width <= 0) return 0;
    return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

Value Value::of_bits(std::uint64_t bits, std::uint64_t unknown, int width) {
    unknown = low_bits(static_cast<std::int64_t>(unknown), width);
    if (unknown == low_bits(-1, width)) return {};
    Value value = of_number(sign_extended(bits & ~unknown, width));
    value.unknown = unknown;
    return value;
}

int Memory::add(MemoryBlock block) {
    blocks_.push_back(std::move(block));
    return count() - 1;
}

int Memory::add_global(MemoryBlock block) {
    globals_.push_back(std::move(block));
    return -globals();
}

MemoryBlock& Memory::block(int number) {
    return number < 0 ? globals_[static_cast<std::size_t>(-1 - number)]
                      : blocks_[static_cast<std::size_t>(number)];
}

const MemoryBlock& Memory::block(int number) const {
    return number < 0 ? globals_[static_cast<std::size_t>(-1 - number)]
                      : blocks_[static_cast<std::size_t>(number)];
}

std::optional<Value> Memory::load(int number, std::int64_t offset, std::int64_t bytes) const {
    const MemoryBlock& b = block(number);
    std::int64_t parts = 0;
    std::uint64_t bits = 0, unknown = 0;
    const Byte first = b.at(offset);
    for (std::int64_t i = 0; i < bytes; ++i) {
        const Byte byte = b.at(offset + i);
        switch (byte.kind) {
        case Byte::Kind::undetermined:
        case Byte::Kind::any:
            if (i < 8) unknown |= std::uint64_t{0xff} << (8 * i);
            break;
        case Byte::Kind::number:
            if (i < 8) bits |= std::uint64_t{byte.data} << (8 * i);
            if (i < 8) unknown |= std::uint64_t{byte.unknown} << (8 * i);
            break;
        case Byte::Kind::part:
            ++parts;
            if (bytes == 1) {
                Value part = pointer(byte);
                part.code = part.kind == Value::Kind::function;
                part.kind = Value::Kind::part;
                part.which = byte.data;
                return part;
            }
            if (byte.data != i || first.kind != Byte::Kind::part || pointer(byte) != pointer(first))
                return std::nullopt;
        }
    }
    if (parts > 0 && parts == bytes && bytes == pointer_bytes_) return pointer(first);
    if (parts > 0) return std::nullopt;
    if (bytes > 8) return Value{};
    return Value::of_bits(bits, unknown, static_cast<int>(8 * bytes));
}

std::vector<Byte>& Memory::room(int number, std::int64_t end) {
    MemoryBlock& b = block(number);
    GGSNN_ASSERT(end <= b.size);
    const auto wanted = static_cast<std::size_t>(end);
    if (b.bytes.size() < wanted) {
        written_ += end - static_cast<std::int64_t>(b.bytes.size());
        b.bytes.resize(wanted, b.rest);
    }
    return b.bytes;
}

void Memory::store(int number, std::int64_t offset, std::int64_t bytes, const Value& value) {
    auto& all = room(number, offset + bytes);
    const auto at = static_cast<std::size_t>(offset);
    switch (value.kind) {
    case Value::Kind::undetermined:
        for (std::int64_t i = 0; i < bytes; ++i) all[at + static_cast<std::size_t>(i)] = {};
        return;
    case Value::Kind::number:
        for (std::int64_t i = 0; i < bytes; ++i) {
            const auto byte = [&](std::uint64_t bits, bool ones) {
                return static_cast<std::uint8_t>(i >= 8 ? (ones ? 0xff : 0) : bits >> (8 * i) & 0xff);
            };
            Byte& b = all[at + static_cast<std::size_t>(i)];
            b = Byte::of(byte(static_cast<std::uint64_t>(value.number), value.number < 0));
            b.unknown = byte(value.unknown, false);
            if (b.unknown == 0xff) b = {};
        }
        return;
    case Value::Kind::pointer:
    case Value::Kind::function:
    case Value::Kind::part: {
        const bool part = value.kind == Value::Kind::part;
        GGSNN_ASSERT(bytes == (part ? 1 : pointer_bytes_));
        Value whole = value;
        whole.which = 0;
        whole.code = false;
        if (part) whole.kind = value.code ? Value::Kind::function : Value::Kind::pointer;
        const Byte before = all[at];
        std::int32_t id = before.pointer;
        if (before.kind != Byte::Kind::part || pointer(before) != whole) {
            id = static_cast<std::int32_t>(pointers_.size());
            pointers_.push_back(whole);
        }
        for (std::int64_t i = 0; i < bytes; ++i)
            all[at + static_cast<std::size_t>(i)] = {
                Byte::Kind::part, static_cast<std::uint8_t>(part ? value.which : i), 0, id};
        return;
    }
    }
}

void Memory::move(int to, std::int64_t to_offset, int from, std::int64_t from_offset, std::int64_t bytes) {
    if (bytes == 0) return;
    std::vector<Byte> copy;
    copy.reserve(static_cast<std::size_t>(bytes));
    const MemoryBlock& source = block(from);
    for (std::int64_t i = 0; i < bytes; ++i) {
        copy.push_back(source.at(from_offset + i));
        // What it turns out to be, both places would have to agree on.
        if (copy.back().kind == Byte::Kind::any) copy.back() = {};
    }
    auto& all = room(to, to_offset + bytes);
    std::copy(copy.begin(), copy.end(), all.begin() + to_offset);
}

void Memory::fill(int number, std::int64_t offset, std::int64_t bytes, Byte byte) {
    if (bytes == 0) return;
    auto& all = room(number, offset + bytes);
    std::fill_n(all.begin() + offset, bytes, byte);
}

void Memory::put_text(int number, std::int64_t offset, const std::string& text) {
    for (std::size_t i = 0; i <= text.size(); ++i)
        set(number, offset + static_cast<std::int64_t>(i),
            Byte::of(static_cast<std::uint8_t>(i < text.size() ? text[i] : '\0')));
}

bool Memory::some_any(int number, std::int64_t offset, std::int64_t bytes) const {
    const MemoryBlock& b = block(number);
    for (std::int64_t i = 0; i < bytes; ++i)
        if (b.at(offset + i).kind == Byte::Kind::any) return true;
    return false;
}

Memory::Marks Memory::reached(const std::vector<Value>& from) const {
    Marks marks{std::vector<char>(blocks_.size(), 0), std::vector<char>(globals_.size(), 0)};
    std::vector<int> waiting;
    const auto meet = [&](const Value& value) {
        if (value.kind != Value::Kind::pointer || marks.has(value.block)) return;
        const MemoryBlock& b = block(value.block);
        if (b.state != MemoryBlock::State::live) return;
        if (value.number < 0 || value.number >= std::max<std::int64_t>(b.size, 1)) return;
        (value.block < 0 ? marks.globals[static_cast<std::size_t>(-1 - value.block)]
                         : marks.blocks[static_cast<std::size_t>(value.block)]) = 1;
        waiting.push_back(value.block);
    };
    for (const Value& value : from) meet(value);
    while (!waiting.empty()) {
        const MemoryBlock& b = block(waiting.back());
        waiting.pop_back();
        for (const Byte& byte : b.bytes)
            if (byte.kind == Byte::Kind::part && byte.data == 0) meet(pointer(byte));
    }
    return marks;
}

std::vector<Value> Memory::all_globals() const {
    std::vector<Value> all;
    for (int g = 0; g < globals(); ++g) all.push_back(Value::of_global(g));
    return all;
}

} // namespace ggsnn::verify
