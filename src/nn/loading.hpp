// What training does to examples on their way into a network.
//
// Dropout: numbers that are left out at random, the others made larger to make up for them. What is left out
// depends on a key and on what it is, never on the order in which it is asked for: the same bits at any
// number of threads.
#pragma once

#include <cstdint>
#include <vector>

namespace ggsnn {

// Of one minibatch: which share of what is left out.
struct Noise {
    double states = 0;   // numbers of the final states, before the output model
    double features = 0; // numbers of nodes' features
    double edges = 0;
    std::uint64_t key = 0;

    bool any() const { return states > 0 || features > 0 || edges > 0; }
};

struct Loading {
    bool targets = true; // answers are there, and wanted
    bool unchanged =
        false; // the data is as it was when it was loaded last: what was made of it may serve again
    Noise noise = {};
    std::uint64_t first = 0;                           // of the examples, in their minibatch
    int restart = 0;                                   // which of several runs
    double smoothing = 0;                              // of labels
    const std::vector<float>* class_weights = nullptr; // null: all 1
    bool absolute = false;                             // regression: of absolute, not squared errors
};

// A number that looks random, for each pair of numbers (the finaliser of splitmix64).
constexpr std::uint64_t mixed(std::uint64_t key, std::uint64_t number) {
    std::uint64_t z = key + (number + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

// Leaves out a share of things.
class Drop {
  public:
    // REQUIRES 0 <= share < 1; rounded to 1 / 65536.
    explicit Drop(double share)
        : limit_(static_cast<std::uint64_t>(share * 65536)), factor_(static_cast<float>(1 / (1 - share))) {}

    // What remains of a one: 0, or what makes up for those left out. Four decisions a random number.
    float of(std::uint64_t random, int which = 0) const {
        return ((random >> (16 * which)) & 0xffff) < limit_ ? 0.0F : factor_;
    }

  private:
    std::uint64_t limit_;
    float factor_;
};

// What is left of a feature: keyed by node and column.
class FeatureDrop {
  public:
    FeatureDrop(double share, std::uint64_t key) : share_(share), drop_(share), key_(key) {}
    float operator()(float number, int node, int column) const {
        if (share_ <= 0) return number;
        return number * drop_.of(mixed(key_, static_cast<std::uint64_t>(node) << 32 |
                                                 static_cast<std::uint64_t>(column)));
    }

  private:
    double share_;
    Drop drop_;
    std::uint64_t key_;
};

} // namespace ggsnn
