#include "ggsnn/nn/train/select.hpp"

#include "ggsnn/nn/kinds.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <tuple>

namespace ggsnn {

namespace {

constexpr double much_worse = 0.05; // than the best run, in its share of wrong answers

Json run_json(const RunState& run, const std::string& question) {
    Json history = Json::array();
    for (const HistoryPoint& p : run.history)
        history.push_back({p.update, p.train_loss, p.valid_error, p.valid_loss});
    Json json = {{"question", question},
                 {"restart", run.restart},
                 {"updates", run.update},
                 {"train_error", run.train_error},
                 {"valid_error", run.kept_error},
                 {"valid_loss", run.kept_loss},
                 {"history", history}};
    if (run.cut) json["cut"] = true;
    if (!run.finished) json["finished"] = false;
    return json;
}

} // namespace

bool is_solved(const RunState& run) {
    return run.finished && !run.diverged && run.train_error == 0 && run.best_error == 0;
}

std::vector<const RunState*> ranked_runs(std::vector<const RunState*> runs, const SelectOptions& options) {
    int winner = INT_MAX;
    for (const RunState* run : runs)
        if (options.stop_at_zero && is_solved(*run)) winner = std::min(winner, run->restart);
    std::erase_if(runs, [&](const RunState* run) {
        return run->restart > winner || run->diverged || run->kept.empty() ||
               !(run->finished || options.unfinished);
    });
    const auto rank = [&](const RunState* run) {
        return std::tuple(run->restart != winner, run->kept_error, run->kept_loss, run->restart);
    };
    std::stable_sort(runs.begin(), runs.end(),
                     [&](const RunState* a, const RunState* b) { return rank(a) < rank(b); });
    return runs;
}

int select_runs(Model& model, const std::vector<const RunState*>& runs, const SelectOptions& options) {
    const Kind& kind = model.network->kind();
    Json told = Json::array();
    model.networks.clear();
    for (int q = 0; q < network_count(kind, model.schema); ++q) {
        std::vector<const RunState*> own;
        std::copy_if(runs.begin(), runs.end(), std::back_inserter(own),
                     [&](const RunState* run) { return run->question == q; });
        own = ranked_runs(std::move(own), options);
        if (own.empty()) return q;
        // A run that never left the plateau of guessing would spoil what the others answer.
        const double most = is_regression(model.schema.answer) ? INFINITY : own[0]->kept_error + much_worse;
        auto& members = model.networks.emplace_back();
        for (std::size_t m = 0; m < own.size() && m < static_cast<std::size_t>(options.ensemble); ++m)
            if (own[m]->kept_error <= most) members.push_back(own[m]->kept);
        for (const RunState* run : own)
            told.push_back(run_json(*run, kind.reads_tokens ? "all" : model.schema.question_types.name(q)));
    }
    model.training["runs"] = std::move(told);
    return -1;
}

} // namespace ggsnn
