#include "ggsnn/nn/train/exchange.hpp"

#include "ggsnn/base/random.hpp"
#include "ggsnn/nn/edges.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace ggsnn {

namespace {

constexpr std::uint64_t stream = 0x65786368; // of random numbers, beside those of runs

// Exchanges of n things other than none, all different and at most `most`.
std::vector<std::vector<std::size_t>> draw_exchanges(std::size_t n, int most, Random& random) {
    double all = -1; // n! - 1, if that is small
    for (std::size_t i = 2, product = 1; i <= n && all < most; ++i) all = double(product *= i) - 1;
    std::set<std::vector<std::size_t>> seen;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    seen.insert(order);
    std::vector<std::vector<std::size_t>> drawn;
    while (static_cast<double>(drawn.size()) < std::min<double>(most, all)) {
        random.shuffle(order);
        if (seen.insert(order).second) drawn.push_back(order);
    }
    return drawn;
}

GraphRecord exchanged_record(const GraphRecord& record, const std::vector<int>& type_of) {
    GraphRecord copy = record;
    copy.graph = with_types(record.graph, type_of);
    copy.reached = nullptr; // of the other graph
    return copy;
}

} // namespace

std::vector<std::pair<int, int>> exchangeable_names(const Schema& schema) {
    std::vector<std::pair<int, int>> names;
    if (!has_classes(schema.answer) || schema.is_tokens()) return names;
    for (int c = 0; c < schema.classes.size(); ++c) {
        const std::string& name = schema.classes.name(c);
        const int type = schema.edge_types.find(name);
        if (type >= 0 && schema.question_types.find(name) < 0) names.emplace_back(type, c);
    }
    return names;
}

std::optional<Dataset> with_exchanged_names(const Dataset& train, const TrainOptions& options) {
    const auto names = exchangeable_names(train.schema);
    if (options.exchanged == 0 || names.size() < 2) return std::nullopt;
    std::vector<std::vector<const Example*>> asked(train.graphs.size());
    for (const Example& e : train.examples) asked[static_cast<std::size_t>(e.graph)].push_back(&e);
    Dataset all = train;
    for (std::size_t g = 0; g < train.graphs.size(); ++g) {
        if (asked[g].empty()) continue;
        Random random(options.seed, {stream, g});
        for (const auto& order : draw_exchanges(names.size(), options.exchanged, random)) {
            std::vector<int> type_of(static_cast<std::size_t>(train.schema.edge_types.size())),
                class_of(static_cast<std::size_t>(train.schema.classes.size()));
            std::iota(type_of.begin(), type_of.end(), 0);
            std::iota(class_of.begin(), class_of.end(), 0);
            for (std::size_t i = 0; i < order.size(); ++i) {
                type_of[static_cast<std::size_t>(names[i].first)] = names[order[i]].first;
                class_of[static_cast<std::size_t>(names[i].second)] = names[order[i]].second;
            }
            all.graphs.push_back(exchanged_record(train.graphs[g], type_of));
            for (const Example* e : asked[g]) {
                Example copy = *e;
                copy.graph = static_cast<int>(all.graphs.size()) - 1;
                for (int& label : copy.labels)
                    if (label >= 0) label = class_of[static_cast<std::size_t>(label)];
                all.examples.push_back(std::move(copy));
            }
        }
    }
    return all;
}

} // namespace ggsnn
