// Tasks 15 (basic deduction) and 16 (basic induction): people who are animals, animals that fear
// animals, people who have a colour.
#include "ggsnn/tasks/generate_families.hpp"

#include <algorithm>
#include <array>

namespace ggsnn {

namespace {

// The letters of the folds; beyond them A2, F2, ... and A3, F3, ...
std::vector<std::string> name_times(const std::vector<std::string>& letters, int scale) {
    std::vector<std::string> names = letters;
    for (int i = 2; i <= scale; ++i)
        for (const std::string& letter : letters) names.push_back(letter + std::to_string(i));
    return names;
}

} // namespace

// People are animals one to one; each animal fears another, any other with the same chance. One question
// a person: what does it fear?
Story generate_babi15(Random& random, int scale) {
    std::vector<std::string> people = name_times({"A", "F", "G", "H"}, scale);
    const std::vector<std::string> animals = name_times({"B", "C", "E", "I"}, scale);
    const std::size_t n = people.size();
    random.shuffle(people);
    std::vector<std::size_t> feared(n);
    std::vector<NamedFact> facts;
    for (std::size_t i = 0; i < n; ++i) {
        feared[i] = random.below(n - 1);
        if (feared[i] >= i) ++feared[i];
        facts.push_back({people[i], "is", animals[i]});
        facts.push_back({animals[i], "has_fear", animals[feared[i]]});
    }
    random.shuffle(facts);
    StoryBuilder story(facts);
    std::vector<std::size_t> asked(n);
    for (std::size_t i = 0; i < n; ++i) asked[i] = i;
    random.shuffle(asked);
    for (std::size_t i : asked) story.ask("has_fear", {people[i]}, {animals[feared[i]]}, 1);
    return story.take();
}

// Each animal has its colour. Four people are any animals and have their animal's colour; the fifth is an
// animal that one of the others is too, each such animal with the same chance, and its colour is asked.
Story generate_babi16(Random& random) {
    std::vector<std::string> people = {"A", "G", "H", "J", "K"};
    const std::array<std::string, 4> animals = {"C", "D", "E", "M"};
    std::vector<std::string> colours = {"B", "F", "I", "N"};
    random.shuffle(people);
    random.shuffle(colours);
    std::array<std::size_t, 5> animal{};
    std::vector<NamedFact> facts;
    for (std::size_t i = 0; i < 4; ++i) {
        animal[i] = random.below(animals.size());
        facts.push_back({people[i], "has_color", colours[animal[i]]});
    }
    do animal[4] = random.below(animals.size());
    while (std::find(animal.begin(), animal.begin() + 4, animal[4]) == animal.begin() + 4);
    for (std::size_t i = 0; i < people.size(); ++i) facts.push_back({people[i], "is", animals[animal[i]]});
    random.shuffle(facts);
    StoryBuilder story(facts);
    story.ask("has_color", {people[4]}, {colours[animal[4]]}, 1);
    return story.take();
}

} // namespace ggsnn
