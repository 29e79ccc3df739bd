// The figures that the paper prints in its tables 1, 2 and 3, in its order.
#pragma once

#include <string>
#include <vector>

namespace ggsnn {

struct PaperFigure {
    std::string table, task, model;
    int train; // stories
    double mean, deviation;
};

const std::vector<PaperFigure>& paper_figures();
// Null where the paper gives none.
const PaperFigure* find_figure(const std::string& table, const std::string& task, const std::string& model,
                               int train);

// A line of a table before its size is chosen.
struct Series {
    std::string table, task, model;

    bool operator==(const Series&) const = default;
};
std::vector<Series> paper_series();

// Training stories to try in turn, until solved_percent is reached: a success by the standard of the bAbI
// tasks.
constexpr int ladder_sizes[] = {50, 100, 250, 500, 950};
constexpr double solved_percent = 95;

// Beyond the paper: graph networks of tables 1 and 3 with fewer stories.
constexpr int few_sizes[] = {10, 20, 30};
inline bool shows_few(const Series& s) {
    return s.model.starts_with("gg") && s.table != "table2";
}

// Table 2 shows every size; in the others sizes are raised until one suffices.
inline bool shows_every_size(const std::string& table) {
    return table == "table2";
}

} // namespace ggsnn
