// Task 18 (size reasoning): which of two objects is smaller, two comparisons away.
#include "ggsnn/tasks/generate_families.hpp"

#include <algorithm>
#include <array>

namespace ggsnn {

namespace {

constexpr int objects = 6;

// bigger[a][b]: the fact `a > b` is given.
using Comparisons = std::array<std::array<bool, objects>, objects>;

// Pairs (a, c) with a > b and b > c given for some b, but not a > c: at distance exactly 2.
std::vector<std::array<int, 2>> pairs_at_distance_two(const Comparisons& bigger) {
    std::vector<std::array<int, 2>> pairs;
    for (int a = 0; a < objects; ++a)
        for (int c = 0; c < a; ++c) {
            bool through = false;
            for (int b = c + 1; b < a; ++b) through |= bigger[a][b] && bigger[b][c];
            if (through && !bigger[a][c]) pairs.push_back({a, c});
        }
    return pairs;
}

// A chain of three random objects, then two to seven more facts, each of which leaves something to ask.
Comparisons draw_comparisons(Random& random) {
    Comparisons bigger{};
    std::vector<int> chain = {0, 1, 2, 3, 4, 5};
    random.shuffle(chain);
    chain.resize(3);
    std::sort(chain.begin(), chain.end());
    bigger[chain[2]][chain[1]] = bigger[chain[1]][chain[0]] = true;
    for (auto more = 2 + random.below(6); more > 0;) {
        const int a = static_cast<int>(random.below(objects));
        const int b = static_cast<int>(random.below(objects));
        if (a <= b || bigger[a][b]) continue;
        bigger[a][b] = true;
        if (pairs_at_distance_two(bigger).empty()) {
            bigger[a][b] = false;
        } else {
            --more;
        }
    }
    return bigger;
}

} // namespace

// Objects are numbered by size. In the folds A is always the smallest and F the next; the others come in
// any order. All pairs at distance two are asked as `a < b`, turned round half of the time.
Story generate_babi18(Random& random) {
    std::vector<std::string> names = {"B", "D", "E", "G"};
    random.shuffle(names);
    names.insert(names.begin(), {"A", "F"});
    const Comparisons bigger = draw_comparisons(random);
    std::vector<NamedFact> facts;
    for (int a = 0; a < objects; ++a)
        for (int b = 0; b < a; ++b)
            if (bigger[a][b]) facts.push_back({names[a], ">", names[b]});
    random.shuffle(facts);
    StoryBuilder story(facts);
    auto asked = pairs_at_distance_two(bigger);
    random.shuffle(asked);
    for (const auto& [a, c] : asked) {
        const bool turned = random.chance(0.5);
        const std::string &left = names[turned ? a : c], &right = names[turned ? c : a];
        story.ask("<", {left, right}, {turned ? "false" : "true"}, 1);
    }
    return story.take();
}

} // namespace ggsnn
