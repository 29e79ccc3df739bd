// The hash of this project: FNV-1a of 64 bits (Fowler, Noll, Vo), for tables and for fingerprints of data.
// It is the same on every machine. It is no defence against those who look for collisions: a table compares
// what it finds, and a fingerprint tells data that were changed by mistake.
#pragma once

#include <cstdint>
#include <string_view>

namespace ggsnn {

class Hash {
  public:
    // The bytes alone, as others compute it.
    void add_bytes(std::string_view bytes) {
        for (const char c : bytes) add_byte(static_cast<unsigned char>(c));
    }
    // With its length, so that ("ab", "c") and ("a", "bc") differ.
    void add(std::string_view text) {
        add(static_cast<std::uint64_t>(text.size()));
        add_bytes(text);
    }
    // Its eight bytes, the lowest first.
    void add(std::uint64_t number) {
        for (int shift = 0; shift < 64; shift += 8)
            add_byte(static_cast<unsigned char>(number >> shift & 0xff));
    }

    std::uint64_t value() const { return value_; }

  private:
    void add_byte(unsigned char byte) { value_ = (value_ ^ byte) * 1099511628211ULL; }

    std::uint64_t value_ = 14695981039346656037ULL;
};

} // namespace ggsnn
