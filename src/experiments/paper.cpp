#include "ggsnn/experiments/paper.hpp"

#include <algorithm>

namespace ggsnn {

const std::vector<PaperFigure>& paper_figures() {
    static const std::vector<PaperFigure> figures = {
        {"table1", "babi4", "rnn", 250, 97.3, 1.9},
        {"table1", "babi4", "lstm", 250, 97.4, 2.0},
        {"table1", "babi4", "ggnn", 50, 100.0, 0.0},
        {"table1", "babi15", "rnn", 950, 48.6, 1.9},
        {"table1", "babi15", "lstm", 950, 50.3, 1.3},
        {"table1", "babi15", "ggnn", 50, 100.0, 0.0},
        {"table1", "babi16", "rnn", 950, 33.0, 1.9},
        {"table1", "babi16", "lstm", 950, 37.5, 0.9},
        {"table1", "babi16", "ggnn", 50, 100.0, 0.0},
        {"table1", "babi18", "rnn", 950, 88.9, 0.9},
        {"table1", "babi18", "lstm", 950, 88.9, 0.8},
        {"table1", "babi18", "ggnn", 50, 100.0, 0.0},
        {"table2", "babi4", "rnn", 50, 76.7, 3.8},
        {"table2", "babi4", "rnn", 100, 90.2, 4.0},
        {"table2", "babi4", "rnn", 250, 97.3, 1.9},
        {"table2", "babi4", "rnn", 500, 98.4, 1.3},
        {"table2", "babi4", "rnn", 950, 99.7, 0.4},
        {"table2", "babi4", "lstm", 50, 73.5, 5.2},
        {"table2", "babi4", "lstm", 100, 86.4, 3.8},
        {"table2", "babi4", "lstm", 250, 97.4, 2.0},
        {"table2", "babi4", "lstm", 500, 99.2, 0.8},
        {"table2", "babi4", "lstm", 950, 99.6, 0.8},
        {"table3", "babi19", "rnn", 950, 24.7, 2.7},
        {"table3", "babi19", "lstm", 950, 28.2, 1.3},
        {"table3", "babi19", "ggsnn", 50, 71.1, 14.7},
        {"table3", "babi19", "ggsnn", 100, 92.5, 5.9},
        {"table3", "babi19", "ggsnn", 250, 99.0, 1.1},
        {"table3", "shortest-path", "rnn", 950, 9.7, 1.7},
        {"table3", "shortest-path", "lstm", 950, 10.5, 1.2},
        {"table3", "shortest-path", "ggsnn", 50, 100.0, 0.0},
        {"table3", "eulerian-circuit", "rnn", 950, 0.3, 0.2},
        {"table3", "eulerian-circuit", "lstm", 950, 0.1, 0.2},
        {"table3", "eulerian-circuit", "ggsnn", 50, 100.0, 0.0},
    };
    return figures;
}

const PaperFigure* find_figure(const std::string& table, const std::string& task, const std::string& model,
                               int train) {
    for (const PaperFigure& f : paper_figures())
        if (table == f.table && task == f.task && model == f.model && train == f.train) return &f;
    return nullptr;
}

std::vector<Series> paper_series() {
    std::vector<Series> all;
    for (const PaperFigure& f : paper_figures()) {
        const Series series{f.table, f.task, f.model};
        if (std::find(all.begin(), all.end(), series) == all.end()) all.push_back(series);
    }
    return all;
}

} // namespace ggsnn
