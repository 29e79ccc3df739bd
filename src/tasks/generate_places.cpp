// Tasks 4 (two argument relations) and 19 (path finding): places that lie north, south, east or west of
// one another.
#include "ggsnn/tasks/generate_families.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace ggsnn {

namespace {

constexpr std::array<std::string_view, 4> directions = {"n", "e", "s", "w"};
constexpr std::array<int, 4> step_x = {0, 1, 0, -1}, step_y = {1, 0, -1, 0};

// How often the three places of a line are called so in the folds, out of 120: the habit of the program
// that wrote them, which drew three of six places in order and gave them letters by a rule of its own.
struct LineName {
    std::string_view letters;
    int weight;
};
constexpr std::array<LineName, 12> line_names = {{{"CBA", 40},
                                                  {"CAB", 20},
                                                  {"ACB", 13},
                                                  {"BCA", 13},
                                                  {"DCA", 9},
                                                  {"ABC", 7},
                                                  {"BAC", 7},
                                                  {"DAC", 3},
                                                  {"DBC", 3},
                                                  {"DCB", 3},
                                                  {"DAB", 1},
                                                  {"DBA", 1}}};

std::string_view draw_line_name(Random& random) {
    int left = static_cast<int>(random.below(120));
    for (const LineName& name : line_names) {
        left -= name.weight;
        if (left < 0) return name.letters;
    }
    GGSNN_ASSERT(!"weights add up to 120");
    return {};
}

struct Cell {
    int x = 0, y = 0;

    bool operator==(const Cell&) const = default;
    Cell step(std::size_t direction) const { return {x + step_x[direction], y + step_y[direction]}; }
    bool beside(const Cell& other) const { return std::abs(x - other.x) + std::abs(y - other.y) == 1; }
};

// Ways from cell `from` to cell 2 through neighbouring cells, none twice.
int count_ways(const std::vector<Cell>& cells, std::size_t from, std::vector<bool>& visited) {
    if (from == 2) return 1;
    visited[from] = true;
    int ways = 0;
    for (std::size_t next = 0; next < cells.size(); ++next)
        if (!visited[next] && cells[from].beside(cells[next])) ways += count_ways(cells, next, visited);
    visited[from] = false;
    return ways;
}

// A step from a place to a new one, which gets the next number.
struct Step {
    std::size_t from, direction;
};

// Place 0 is the source, 1 the middle, 2 the target, 3 and 4 lead astray. A decoy lies beside any place
// already there, in any direction, drawn again while its cell is taken or it opens a second way.
std::array<Step, 4> draw_steps(Random& random) {
    const std::size_t first = random.below(4);
    const std::size_t second = (first + 3 + random.below(3)) % 4; // not back
    std::array<Step, 4> steps = {{{0, first}, {1, second}, {}, {}}};
    std::vector<Cell> cells(1);
    for (std::size_t i = 0; i < 2; ++i) cells.push_back(cells[i].step(steps[i].direction));
    while (cells.size() < 5) {
        const Step step = {random.below(cells.size()), random.below(4)};
        const Cell cell = cells[step.from].step(step.direction);
        if (std::find(cells.begin(), cells.end(), cell) != cells.end()) continue;
        cells.push_back(cell);
        std::vector<bool> visited(cells.size());
        if (count_ways(cells, 0, visited) > 1) {
            cells.pop_back();
        } else {
            steps[cells.size() - 2] = step;
        }
    }
    return steps;
}

} // namespace

// Three places in a line that runs north or east. Asked from the middle, onwards or back.
Story generate_babi4(Random& random) {
    const std::string_view letters = draw_line_name(random);
    const std::array<std::string, 3> places = {std::string(letters.substr(0, 1)),
                                               std::string(letters.substr(1, 1)),
                                               std::string(letters.substr(2, 1))};
    const std::size_t direction = random.below(2);
    const std::string relation(directions[direction]);
    std::vector<NamedFact> facts = {{places[0], relation, places[1]}, {places[1], relation, places[2]}};
    random.shuffle(facts);
    StoryBuilder story(facts);
    const bool back = random.chance(0.5);
    story.ask(std::string(directions[back ? direction + 2 : direction]), {places[1]}, {places[back ? 0 : 2]},
              1);
    return story.take();
}

// Five of six places on a grid. Every fact points away from the source.
Story generate_babi19(Random& random) {
    std::vector<std::string> places = {"A", "B", "D", "E", "F", "G"};
    random.shuffle(places);
    const std::array<Step, 4> steps = draw_steps(random);
    std::vector<NamedFact> facts;
    for (std::size_t i = 0; i < steps.size(); ++i)
        facts.push_back({places[steps[i].from], std::string(directions[steps[i].direction]), places[i + 1]});
    const std::vector<std::string> answer = {facts[0].relation, facts[1].relation};
    random.shuffle(facts);
    StoryBuilder story(facts);
    story.ask("path", {places[0], places[2]}, answer);
    return story.take();
}

} // namespace ggsnn
