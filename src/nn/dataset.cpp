#include "ggsnn/nn/dataset.hpp"

#include "ggsnn/nn/head.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace ggsnn {

int Vocabulary::add(const std::string& name) {
    const auto [at, fresh] = ids_.emplace(name, size());
    if (fresh) names_.push_back(name);
    return at->second;
}

int Vocabulary::find(const std::string& name) const {
    const auto at = ids_.find(name);
    return at == ids_.end() ? -1 : at->second;
}

std::string Vocabulary::list() const {
    constexpr std::size_t most = 12;
    const std::span first(names_.data(), std::min(most, names_.size()));
    std::string text = fmt::format("{}", fmt::join(first, ", "));
    if (names_.size() > most) text += fmt::format(", ... ({} in all)", names_.size());
    return names_.empty() ? "none" : text;
}

int Schema::annotation(int embedding) const {
    return std::max(1, (embedding > 0 ? embedding : inputs()) + arguments +
                           (answer == AnswerKind::node_sequence ? 1 : 0));
}

std::optional<Example> part_of(const Example& example, Part part) {
    if (example.split.empty()) return example;
    if (example.split.size() == 1) return example.split[0] == part ? std::optional(example) : std::nullopt;
    const std::size_t nodes = example.split.size(), wide = example.values.size() / nodes;
    GGSNN_ASSERT(example.labels.empty() || example.labels.size() == nodes);
    GGSNN_ASSERT(example.values.size() == nodes * wide);
    Example out = example;
    out.split.clear();
    bool any = false;
    for (std::size_t v = 0; v < nodes; ++v) {
        const bool inside = example.split[v] == part;
        if (!out.labels.empty() && !inside) out.labels[v] = -1;
        for (std::size_t j = 0; j < wide && !inside; ++j) out.values[v * wide + j] = NAN;
        any = any || (inside && (out.labels.empty() || out.labels[v] >= 0));
    }
    if (!any) return std::nullopt;
    return out;
}

int Schema::outputs() const {
    return head_of(answer).outputs(*this);
}

int Schema::labels() const {
    return has_classes(answer) ? classes.size() + (is_sequence(answer) ? 1 : 0) : 0;
}

Scales find_scales(const Dataset& train) {
    Scales scales;
    const std::size_t width = train.schema.features, values = train.schema.values;
    std::vector<double> largest(width, 0), sum(values, 0), squares(values, 0), count(values, 0);
    for (const GraphRecord& g : train.graphs)
        for (std::size_t i = 0; i < g.features.size(); ++i)
            largest[i % width] = std::max<double>(largest[i % width], std::abs(g.features[i]));
    for (const GraphRecord& g : train.graphs)
        for (std::size_t i = 0; g.sparse != nullptr && i < g.sparse->values.size(); ++i)
            largest[g.sparse->columns[i]] =
                std::max<double>(largest[g.sparse->columns[i]], std::abs(g.sparse->values[i]));
    for (double m : largest) scales.feature.push_back(m > 1 ? 1 / m : 1);
    for (const Example& e : train.examples) {
        for (std::size_t i = 0; i < e.values.size(); ++i) {
            if (std::isnan(e.values[i])) continue;
            sum[i % values] += e.values[i];
            squares[i % values] += double(e.values[i]) * e.values[i];
            ++count[i % values];
        }
    }
    for (std::size_t i = 0; i < values; ++i) {
        if (count[i] == 0)
            fail_at(train.examples.front().place, "number {} is missing in every training answer", i);
        const double n = count[i], mean = sum[i] / n;
        const double deviation = std::sqrt(std::max(0.0, squares[i] / n - mean * mean));
        scales.value_mean.push_back(mean);
        scales.value.push_back(deviation > 1e-12 ? deviation : 1);
    }
    return scales;
}

std::shared_ptr<const ReachedGraph> reached_graph(const GraphRecord& record, int first_type, int reach) {
    static std::mutex mutex; // of all records: it is held for long in the first epoch alone
    const std::lock_guard<std::mutex> lock(mutex);
    if (!record.reached || record.reached->first_type != first_type || record.reached->reach != reach)
        record.reached = std::make_shared<const ReachedGraph>(
            ReachedGraph{first_type, reach, with_reach(record.graph, first_type, reach)});
    return record.reached;
}

} // namespace ggsnn
