// Memory of a concrete run: blocks of bytes. A byte is a part of a number, a part of a pointer (so that a
// pointer that is copied whole, or byte by byte, stays one), never written, or anything (written by somebody
// whom nobody watched; it becomes a number when it is read).
//
// Blocks have numbers. 0 stands for NULL and is none; 1, 2, .. are those of the input, of frames and of the
// heap, in the order in which they were made; -1 - g is the global g, static memory. Numbers are never used
// again.
#pragma once

#include "ggsnn/verify/program.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ggsnn::verify {

struct Value {
    enum class Kind {
        undetermined,
        number,   // sign-extended from its width; NULL is the number 0
        pointer,  // number bytes into a block
        function, // block: index in Program::functions; below -1: a function without a body, see Machine
        part,     // one byte of a pointer: which one
    };
    Kind kind = Kind::undetermined;
    bool code = false; // part: of a function's address
    int which = 0;     // part: from 0
    int block = 0;
    std::int64_t number = 0;
    std::uint64_t unknown = 0; // number: bits that are undetermined; they are 0 in `number`

    bool operator==(const Value&) const = default;
    bool is(Kind k) const { return kind == k; }
    bool is_null() const { return kind == Kind::number && number == 0 && unknown == 0; }
    // All bits are known.
    bool exact() const { return kind == Kind::number && unknown == 0; }
    // Of a width, some bits of it unknown; undetermined if all are.
    static Value of_bits(std::uint64_t bits, std::uint64_t unknown, int width);
    static Value of_number(std::int64_t n) { return {Kind::number, false, 0, 0, n, 0}; }
    static Value of_pointer(int block, std::int64_t offset = 0) {
        return {Kind::pointer, false, 0, block, offset, 0};
    }
    static Value of_global(int global, std::int64_t offset = 0) { return of_pointer(-1 - global, offset); }
    static Value of_function(int function) { return {Kind::function, false, 0, function, 0, 0}; }
};

// The number that these bits are, in two's complement.
std::int64_t sign_extended(std::uint64_t bits, int width);
std::uint64_t low_bits(std::int64_t number, int width);

struct Byte {
    enum class Kind : std::uint8_t { undetermined, any, number, part };
    Kind kind = Kind::undetermined;
    std::uint8_t data = 0;     // number: the byte. part: which one
    std::uint8_t unknown = 0;  // number: bits that are undetermined
    std::int32_t pointer = -1; // part: of which pointer, a number of the memory's own

    static Byte of(std::uint8_t data) { return {Kind::number, data, 0, -1}; }
    static Byte any() { return {Kind::any, 0, 0, -1}; }
};

struct MemoryBlock {
    enum class Kind {
        statics, // globals, string literals, argv
        frame,   // a local
        heap,
        handle,  // a FILE: nothing in it can be looked at
        library, // memory of the C library: may be read, not freed
    };
    enum class State {
        live,
        freed,
        ended,   // the scope of the local, or its function
        absent,  // an address where there never was a block
        unknown, // an address of which nothing is known, not even that: what it is used for has no answer
    };
    Kind kind = Kind::heap;
    State state = State::live;
    bool constant = false;
    std::int64_t size = 0;
    Byte rest;               // of bytes that are not in `bytes`
    std::vector<Byte> bytes; // the first ones
    Position made, ended;
    int global = -1; // statics: Program::globals

    Byte at(std::int64_t offset) const {
        const auto i = static_cast<std::size_t>(offset);
        return i < bytes.size() ? bytes[i] : rest;
    }
};

class Memory {
  public:
    explicit Memory(int pointer_bytes) : pointer_bytes_(pointer_bytes) { blocks_.resize(1); }

    int add(MemoryBlock block); // its number
    int add_global(MemoryBlock block);
    int count() const { return static_cast<int>(blocks_.size()); } // blocks 1 .. count - 1
    int globals() const { return static_cast<int>(globals_.size()); }
    int pointer_bytes() const { return pointer_bytes_; }
    std::int64_t bytes_written() const { return written_; } // that take room here

    MemoryBlock& block(int number);
    const MemoryBlock& block(int number) const;

    // REQUIRES, all of these, that the bytes are in the block; nothing else is looked at.
    // nullopt: parts of pointers and other things side by side. Bytes that are undetermined or anything are
    // unknown bits of the value.
    std::optional<Value> load(int block, std::int64_t offset, std::int64_t bytes) const;
    void store(int block, std::int64_t offset, std::int64_t bytes, const Value& value);
    void move(int to, std::int64_t to_offset, int from, std::int64_t from_offset, std::int64_t bytes);
    void fill(int block, std::int64_t offset, std::int64_t bytes, Byte byte);
    void set(int block, std::int64_t offset, Byte byte) { fill(block, offset, 1, byte); }
    void put_text(int block, std::int64_t offset, const std::string& text); // with a zero byte
    bool some_any(int block, std::int64_t offset, std::int64_t bytes) const;

    const Value& pointer(const Byte& byte) const { return pointers_[static_cast<std::size_t>(byte.pointer)]; }

    // Marks of blocks that values lead to, over any chain of pointers, into the middle of blocks too, but not
    // behind their end. Memory that is not live leads nowhere.
    struct Marks {
        std::vector<char> blocks, globals;
        bool has(int block) const {
            const auto& marks = block < 0 ? globals : blocks;
            const auto at = static_cast<std::size_t>(block < 0 ? -1 - block : block);
            return at < marks.size() && marks[at] != 0;
        }
    };
    Marks reached(const std::vector<Value>& from) const;
    std::vector<Value> all_globals() const; // their addresses

  private:
    std::vector<Byte>& room(int block, std::int64_t end);

    int pointer_bytes_;
    std::vector<MemoryBlock> blocks_, globals_;
    std::vector<Value> pointers_;
    std::int64_t written_ = 0;
};

} // namespace ggsnn::verify
