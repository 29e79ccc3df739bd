// Packed base pairs, and a tree that finds those of a definition that agree with what is known of a call.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace ggsnn::logic::induct {

// Bit p stands for parameter p, from 1.
struct PackedPair {
    std::uint64_t null = 0, not_null = 0; // parameters that are NULL, and those that surely are not
    std::uint64_t allocated = 0;          // those with a cell, the least of those that are equal; never NULL
    std::uint32_t details = 0;            // what else: see PackedPairs

    bool operator==(const PackedPair&) const = default;
    // Where these arguments are NULL and not NULL.
    bool agrees(std::uint64_t null_there, std::uint64_t not_null_there) const {
        return (null & not_null_there) == 0 && (not_null & null_there) == 0;
    }
};

// Each inner node looks at one of the parameters in `order`: it is open, NULL, or not. Leaves hold numbers of
// pairs, and become inner nodes when they hold many.
class PackedIndex {
  public:
    // Looks at these parameters, and no others.
    explicit PackedIndex(std::uint64_t parameters);

    std::uint64_t parameters() const { return parameters_; }
    void add(const std::vector<PackedPair>& all, std::uint32_t number);
    // Appends numbers of pairs, among them all that agree.
    void find(std::uint64_t null, std::uint64_t not_null, std::vector<std::uint32_t>& found) const;
    std::size_t bytes() const { return nodes_.size() * sizeof(Node); }

  private:
    static constexpr std::size_t most_in_leaf = 8;
    struct Node {
        std::array<std::uint32_t, 3> next{0, 0, 0}; // 0: none
        std::uint32_t depth = 0;
        std::vector<std::uint32_t> held{};
        bool leaf = true;
    };
    std::size_t branch(const PackedPair& pair, std::size_t depth) const;
    std::uint32_t child(std::uint32_t node, std::size_t branch);

    std::uint64_t parameters_;
    std::vector<std::uint8_t> order_;
    std::vector<Node> nodes_{1};
};

} // namespace ggsnn::logic::induct
