#include "ggsnn/nn/beam.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

namespace {

bool better(const LabelSequence& a, const LabelSequence& b) {
    return a.log_probability != b.log_probability ? a.log_probability > b.log_probability
                                                  : a.labels < b.labels;
}

void keep_best(std::vector<LabelSequence>& list, int width) {
    std::sort(list.begin(), list.end(), better);
    if (static_cast<int>(list.size()) > width) list.resize(width);
}

} // namespace

bool BeamSearch::step(const std::vector<double>& p) {
    if (done_) return true;
    const int end = static_cast<int>(p.size()) - 1;
    std::vector<LabelSequence> next;
    for (const LabelSequence& h : open_) {
        if (p[end] > 0) finished_.push_back({h.labels, h.log_probability + std::log(p[end])});
        for (int label = 0; label < end; ++label) {
            if (!(p[label] > 0)) continue;
            next.push_back({h.labels, h.log_probability + std::log(p[label])});
            next.back().labels.push_back(label);
        }
    }
    keep_best(next, width_);
    keep_best(finished_, width_);
    open_ = std::move(next);
    const bool enough = static_cast<int>(finished_.size()) == width_;
    done_ = open_.empty() || (enough && open_.front().log_probability <= finished_.back().log_probability);
    return done_;
}

} // namespace ggsnn
