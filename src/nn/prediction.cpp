#include "ggsnn/nn/prediction.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

Decoder::Decoder(AnswerKind answer, const PredictOptions& options, int most)
    : head_(&head_of(answer)), sequence_(is_sequence(answer)), most_(options.most > 0 ? options.most : most) {
    if (sequence_ && options.beam > 0) beam_.emplace(options.beam);
}

void Decoder::add(const Chunk<float>& chunk, int g, const Outputs<float>& out, std::size_t members) {
    const int things = head_->things(chunk.graph_start[g + 1] - chunk.graph_start[g]);
    lists_.resize(things);
    for (int i = 0; i < things; ++i) {
        head_->read(chunk, g, i, out, part_);
        add_list(i, members);
    }
}

void Decoder::add(const float* scores, int count, std::size_t members) {
    lists_.resize(1);
    softmax(scores, count, 1, part_);
    add_list(0, members);
}

void Decoder::add_list(std::size_t i, std::size_t members) {
    if (!std::all_of(part_.begin(), part_.end(), [](double v) { return std::isfinite(v); })) {
        overflow_ = true;
        if (!head_->traits.numbers) part_.assign(part_.size(), 1.0 / static_cast<double>(part_.size()));
    }
    const double weight = 1.0 / static_cast<double>(members);
    lists_[i].resize(part_.size(), 0);
    for (std::size_t j = 0; j < part_.size(); ++j) lists_[i][j] += weight * part_[j];
}

bool Decoder::take(Prediction& prediction) {
    const auto best_of = [](const std::vector<double>& list) {
        return static_cast<int>(std::max_element(list.begin(), list.end()) - list.begin());
    };
    ++taken_;
    prediction.overflow = overflow_;
    if (!sequence_) {
        for (const auto& list : lists_)
            if (!head_->traits.numbers) prediction.labels.push_back(best_of(list));
        prediction.lists = std::move(lists_);
        lists_.clear();
        return done_ = true;
    }
    const int label = best_of(lists_[0]), end = static_cast<int>(lists_[0].size()) - 1;
    done_ = beam_ ? beam_->step(lists_[0]) : label == end;
    if (!beam_ && !done_) prediction.labels.push_back(label);
    prediction.lists.push_back(std::move(lists_[0]));
    lists_.clear();
    if (!done_ && taken_ >= most_) done_ = prediction.capped = true;
    if (!done_ || !beam_) return done_;
    prediction.sequences = beam_->best();
    if (!prediction.sequences.empty()) prediction.labels = prediction.sequences.front().labels;
    prediction.capped = prediction.sequences.empty();
    return true;
}

} // namespace ggsnn
