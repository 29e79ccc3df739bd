// Random numbers with a fixed definition, so that a seed means the same bits on every machine and
// standard library. The generator is xoshiro256** (Blackman, Vigna 2018), seeded by splitmix64.
// A stream is named by a seed and a list of keys: independent streams need no shared state, so the
// same numbers come out whatever the number of threads, and a resumed run needs no saved state.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace ggsnn {

class Random {
  public:
    explicit Random(std::uint64_t seed, std::initializer_list<std::uint64_t> keys = {}) {
        std::uint64_t mix = seed;
        for (std::uint64_t key : keys)
            mix = splitmix(mix) ^ (key * 0x9e3779b97f4a7c15ULL + 0x632be59bd9b4e019ULL);
        for (auto& word : state_) word = splitmix(mix);
    }

    std::uint64_t next() {
        const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
        const std::uint64_t t = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= t;
        state_[3] = rotate(state_[3], 45);
        return result;
    }

    // Uniform in [0, 1), 53 bits.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    bool chance(double probability) { return uniform() < probability; }

    // Uniform in 0 .. n-1, without bias. REQUIRES n > 0.
    std::uint64_t below(std::uint64_t n) {
        const std::uint64_t threshold = (0 - n) % n;
        for (;;) {
            const std::uint64_t r = next();
            if (r >= threshold) return r % n;
        }
    }

    template <class T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
    }

    // Reference to a uniformly drawn item. REQUIRES items not empty.
    template <class Container>
    auto& pick(Container& items) {
        return items[below(items.size())];
    }

  private:
    static std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
    static std::uint64_t splitmix(std::uint64_t& x) {
        std::uint64_t z = (x += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    std::array<std::uint64_t, 4> state_{};
};

} // namespace ggsnn
